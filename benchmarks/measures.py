"""What is measured: gpuval's functions, by the names that the rows have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import gpuval

NMI, ARI = "normalized_mutual_info_score", "adjusted_rand_score"
NMI_AND_ARI, ALL = "nmi_and_ari", "all"


def _nmi_and_ari(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, [NMI, ARI]).values())


def _all(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, "all").values())


SILHOUETTE, SQUARED = "silhouette_score", "silhouette_score, sqeuclidean"
CALINSKI_HARABASZ, DAVIES_BOULDIN = "calinski_harabasz_score", "davies_bouldin_score"
DUNN, UNPRUNED = "dunn_index", "dunn_index of every distance"


def _unpruned(X: Any, labels: Any) -> Any:
    """The same tiles as those of the index, and all of them."""
    from gpuval.engines.backends import NUMPY  # only now: what is public is measured in older checkouts, too
    from gpuval.geometry import extremes
    from gpuval.geometry.distances.tiles import size_of_tile, tiles_of
    from gpuval.geometry.progress import Progress

    order = np.argsort(labels, kind="stable")
    X, labels = np.asarray(X, dtype=np.float64)[order], np.asarray(labels)[order]
    tiles, (height, _) = tiles_of(X, X, "euclidean", NUMPY), size_of_tile(X)
    between, within = extremes.unpruned(tiles, labels, height, Progress(len(X), False))
    return between / within


MEASURES: dict[str, Callable[[Any, Any], Any]] = {
    "contingency_matrix": gpuval.contingency_matrix,
    ARI: gpuval.adjusted_rand_score,
    NMI: gpuval.normalized_mutual_info_score,
    "v_measure_score": gpuval.v_measure_score,
    "adjusted_mutual_info_score": gpuval.adjusted_mutual_info_score,
    "clustering_accuracy": gpuval.clustering_accuracy,
    "fowlkes_mallows_score": gpuval.fowlkes_mallows_score,
    NMI_AND_ARI: _nmi_and_ari,
    ALL: _all,
    SILHOUETTE: gpuval.silhouette_score,
    SQUARED: partial(gpuval.silhouette_score, metric="sqeuclidean"),
    CALINSKI_HARABASZ: gpuval.calinski_harabasz_score,
    DAVIES_BOULDIN: gpuval.davies_bouldin_score,
    DUNN: gpuval.dunn_index,
    UNPRUNED: _unpruned,
}
