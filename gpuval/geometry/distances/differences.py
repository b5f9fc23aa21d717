"""Distances in any library, a tile at a time, by differences of features: digits never cancel."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.geometry.distances.rows import rows_of
from gpuval.numerics import Array


class Differences:
    """The distances of the rows of X to those of Y."""

    def __init__(self, X: Any, Y: Any, metric: str) -> None:
        self._X, self._Y, self._metric = X, Y, metric

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return by_differences(prepared, rows_of(self._Y, columns), self._metric)


def by_differences(x: Array, y: Array, metric: str) -> Array:
    """All distances of x to y: "euclidean", "sqeuclidean" or "cityblock"; of NumPy in 64 bits."""
    backend = backend_of(x)
    if not backend.on_host:
        return backend.pairwise(x, y, metric)
    from scipy.spatial.distance import cdist  # only now: few measures need SciPy

    return cdist(x, y, metric)
