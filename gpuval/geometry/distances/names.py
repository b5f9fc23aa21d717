"""The names of the distances that users can choose."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option

Distance = Literal[
    "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
]
DISTANCES: tuple[str, ...] = get_args(Distance)

IN_ANY_UNIT = ("euclidean", "sqeuclidean", "cityblock")
"""Distances whose squares or sums may be beyond the floats, and whose scores have no unit."""

_OTHER_NAMES: dict[str, Distance] = {"l2": "euclidean", "manhattan": "cityblock", "l1": "cityblock"}


def known_distance(metric: Any, allowed: tuple[str, ...] = DISTANCES) -> Distance:
    """Check the name of a distance; of names for the same one, the first."""
    check_option("metric", metric, allowed)
    first: Distance = _OTHER_NAMES.get(metric, metric)
    return first
