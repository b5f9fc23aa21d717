"""What is measured: gpuval's functions, by the names that the rows have.

A name of gpuval is looked up when it is measured: an older checkout need not have all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

import gpuval

NMI, ARI = "normalized_mutual_info_score", "adjusted_rand_score"
NMI_AND_ARI, ARI_NMI_ACC, ALL = "nmi_and_ari", "ari, nmi and acc", "all"
OF_BATCHES = "nmi_and_ari of ten batches"


def _nmi_and_ari(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, [NMI, ARI]).values())


def _of_batches(labels_true: Any, labels_pred: Any) -> list[Any]:
    found = gpuval.evaluate(labels_true, labels_pred, [NMI, ARI], by=_batches(len(labels_true)))
    return [score for scores in found.values() for score in scores.values()]


@cache
def _batches(n_samples: int) -> Any:
    return np.arange(n_samples) % 10


def _ari_nmi_acc(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, ["ari", "nmi", "acc"]).values())


def _all(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, "all").values())


SILHOUETTE, SQUARED, COSINE = "silhouette_score", "silhouette_score, sqeuclidean", "silhouette_score, cosine"
CALINSKI_HARABASZ, DAVIES_BOULDIN = "calinski_harabasz_score", "davies_bouldin_score"
DUNN, UNPRUNED = "dunn_index", "dunn_index of every distance"


def _unpruned(X: Any, labels: Any) -> Any:
    """The same tiles as those of the index, and all of them."""
    from gpuval.engines.backends import NUMPY  # only now: what is public is measured in older checkouts, too
    from gpuval.geometry.distances.tiles import size_of_tile, tiles_of
    from gpuval.geometry.extremes import extremes_by_tiles
    from gpuval.geometry.progress import Progress

    order = np.argsort(labels, kind="stable")
    X, labels = np.asarray(X, dtype=np.float64)[order], np.asarray(labels)[order]
    tiles, (height, _) = tiles_of(X, X, "euclidean", NUMPY), size_of_tile(X)
    between, within = extremes_by_tiles(tiles, labels, height, Progress(len(X), False))
    return between / within


Function = Callable[[Any, Any], Any]

TABLE, V, AMI = "contingency_matrix", "v_measure_score", "adjusted_mutual_info_score"
ACCURACY = "clustering_accuracy"

PUBLIC = (TABLE, ARI, NMI, V, AMI, ACCURACY, SILHOUETTE, CALINSKI_HARABASZ, DAVIES_BOULDIN, DUNN)
"""Measures that are functions of gpuval of the same name."""

MEASURES: dict[str, Callable[[], Function]] = {
    **{name: partial(getattr, gpuval, name) for name in PUBLIC},
    NMI_AND_ARI: lambda: _nmi_and_ari,
    OF_BATCHES: lambda: _of_batches,
    ARI_NMI_ACC: lambda: _ari_nmi_acc,
    ALL: lambda: _all,
    SQUARED: lambda: partial(gpuval.silhouette_score, metric="sqeuclidean"),
    COSINE: lambda: partial(gpuval.silhouette_score, metric="cosine"),
    UNPRUNED: lambda: _unpruned,
}
"""What looks up the function of each measure."""
