"""How much memory measures of several labels take at most beyond what is given."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.multilabel.labels import Sizes, matrices
from gpuval import multilabel

HEAD = "| call | of | beyond the inputs, of the scores: float64, float32 | aimed at |\n| --- | --- | --- | --- |"

NAMES = ("roc_auc_score", "average_precision_score", "mean_squared_error", "mean_absolute_error", "log_loss")


def lines(sizes: Sizes) -> Iterator[str]:
    """A line for each call."""
    yield HEAD
    for shape in (sizes.long, sizes.wide):
        given, weights = matrices(shape), np.random.default_rng(0).random(shape.n_samples)
        true, pred, _ = given.as_types(np.int64)
        calls: dict[str, Callable[[Any], Any]] = {
            "LabelCounts": lambda _, true=true, pred=pred: multilabel.LabelCounts.from_labels(true, pred)
        }
        calls |= {name: partial(getattr(multilabel, name), true) for name in NAMES}
        for name in NAMES[:3]:
            calls[f'{name}, "samples"'] = partial(calls[name], average="samples")
        for name in NAMES[:2]:
            calls[f'{name}, "micro"'] = partial(calls[name], average="micro")
            calls[f'{name}, "micro", weights'] = partial(calls[name], average="micro", sample_weight=weights)
        for name, call in calls.items():
            shares = [peak(partial(call, x)) / x.nbytes for x in (given.scores, given.scores.astype(np.float32))]
            yield f"| {name} | {shape} | {shares[0]:.2f}, {shares[1]:.2f} | at most 4 |"


def peak(call: Callable[[], Any]) -> int:
    """The bytes that are in use at most, beyond those before the call."""
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found
