"""The same measures by scikit-learn and by torchmetrics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.workloads import NDArray

Peer = Callable[[], Any]


def of_sklearn(name: str, *arrays: Any, **options: Any) -> Peer | None:
    """A measure of scikit-learn, of arrays in its order; None if it is not installed."""
    if not find_spec("sklearn"):
        return None
    from sklearn import metrics

    return partial(getattr(metrics, name), *arrays, **options)


def counts_of_torchmetrics(true: NDArray, pred: NDArray) -> Peer | None:
    """The counts of each class by torchmetrics' function, of tensors; None if it is not installed."""
    if not find_spec("torchmetrics"):
        return None
    import torch
    from torchmetrics.functional.classification import multilabel_stat_scores

    tensors = torch.from_numpy(pred), torch.from_numpy(true)
    return partial(multilabel_stat_scores, *tensors, num_labels=true.shape[1], average=None)


def four_of_torchmetrics(found: Any) -> list[Any]:
    """True and false positives, false and true negatives of its columns, of which the last has the positives."""
    return [found[:, i].numpy() for i in (0, 1, 3, 2)]


def four_of_sklearn(found: NDArray) -> list[NDArray]:
    """The same of scikit-learn's confusion matrix for each class."""
    return [found[:, i, j] for i, j in ((1, 1), (0, 1), (1, 0), (0, 0))]


def four_of(counts: Any) -> list[NDArray]:
    """The same of a ``LabelCounts``."""
    names = ("true_positives", "false_positives", "false_negatives", "true_negatives")
    return [np.asarray(getattr(counts, name)) for name in names]
