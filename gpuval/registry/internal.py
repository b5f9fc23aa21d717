"""The internal measures that return one number for samples and labels, and the options of each measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gpuval.metrics.internal.centres import (
    ball_hall_index,
    calinski_harabasz_score,
    davies_bouldin_score,
    hartigan_index,
    inertia,
    pbm_index,
    xie_beni_index,
)
from gpuval.metrics.internal.dbcv import dbcv_score
from gpuval.metrics.internal.dunn import dunn_index
from gpuval.metrics.internal.silhouette import silhouette_score

__all__ = ["INTERNAL_METRICS"]

INTERNAL_METRICS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        metric.__name__: metric
        for metric in (
            silhouette_score,
            calinski_harabasz_score,
            davies_bouldin_score,
            dunn_index,
            pbm_index,
            xie_beni_index,
            hartigan_index,
            ball_hall_index,
            inertia,
            dbcv_score,
        )
    }
)
"""A mapping from names to the internal measures that return one number for samples and their labels; read-only.

:func:`gpuval.evaluate` and :func:`gpuval.compare` take these names together with the samples, ``X=``.
"""

DEFAULT_INTERNAL_METRICS = ("silhouette_score", "calinski_harabasz_score", "davies_bouldin_score")
"""Those that are reported most."""

OPTIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name: frozenset(inspect.signature(metric).parameters) - {"X", "labels"}
        for name, metric in INTERNAL_METRICS.items()
    }
)
"""The options of each of them."""
