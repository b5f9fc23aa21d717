"""The distances of two samples, by the names that users give them."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Metric = Literal[
    "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
]
METRICS: tuple[str, ...] = get_args(Metric)

IN_ANY_UNIT = ("euclidean", "sqeuclidean")
"""Metrics whose squares may be beyond the floats, and whose scores have no unit."""

_OTHER_NAMES: dict[str, Metric] = {"l2": "euclidean", "manhattan": "cityblock", "l1": "cityblock"}


def known_metric(metric: Any, known: tuple[str, ...] = METRICS) -> Metric:
    """Check the name of a metric; of names for the same one, the first."""
    check_option("metric", metric, known)
    first: Metric = _OTHER_NAMES.get(metric, metric)
    return first
