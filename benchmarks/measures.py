"""What is measured: gpuval's functions, by the names that the rows have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gpuval

NMI, ARI = "normalized_mutual_info_score", "adjusted_rand_score"
NMI_AND_ARI, ALL = "nmi_and_ari", "all"


def _nmi_and_ari(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, [NMI, ARI]).values())


def _all(labels_true: Any, labels_pred: Any) -> list[Any]:
    return list(gpuval.evaluate(labels_true, labels_pred, "all").values())


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
}
