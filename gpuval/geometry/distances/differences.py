"""Distances in any library, a tile at a time, by differences: nothing cancels, wherever the samples lie.

PyTorch and JAX have them in one kernel of their own; with nothing but the standard, they grow feature by feature.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry.distances.rows import rows_of
from gpuval.geometry.distances.sparse import SparseEuclidean
from gpuval.numerics import Array

_BYTES = 1 << 26, 1 << 22
"""The most that a tile takes, and the least that it is worth."""


class Tiles:
    """The distances of the rows of X to those of Y, by the tile."""

    def __init__(self, X: Any, Y: Any, metric: str) -> None:
        self._X, self._Y, self._metric = X, Y, metric

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return backend_of(prepared).pairwise(prepared, rows_of(self._Y, columns), self._metric)


def tiles_of(X: Any, Y: Any, metric: str) -> Any:
    """The distances of the rows of X to those of Y, by the tile."""
    return SparseEuclidean(X, Y) if is_sparse(X) and metric == "euclidean" else Tiles(X, Y, metric)


def side_of_tile(like: Array) -> int:
    """How many rows, and columns, a tile of the device has: a sixteenth of what memory is free, within bounds."""
    most, least = _BYTES
    free = backend_of(like).free_bytes(like)
    size = most if free is None else max(least, min(most, free // 16))
    return 1 << (int(np.sqrt(size // 8)).bit_length() - 1)
