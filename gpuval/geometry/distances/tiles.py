"""Distances a tile at a time: what a tile is, which class computes it for which samples, and how large it is."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_sparse
from gpuval.geometry.distances.products import Products
from gpuval.geometry.distances.sparse import SparseEuclidean
from gpuval.geometry.points import Differences
from gpuval.numerics import Array

_ON_HOST = 512, 512
"""Rows and columns of a tile on the host: its distances stay in the processor's cache from the product to the sums."""

_BYTES = 1 << 26, 1 << 22
"""The most that a tile takes on a device, and the least that it is worth."""


class Tiles(Protocol):
    """The distances of some samples, in rows, to others, in columns: rows are prepared once, and read for each tile."""

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""

    def tile(self, prepared: Any, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""


def tiles_of(X: Any, Y: Any, metric: str, backend: Backend) -> Tiles:
    """The distances of the rows of X to those of Y: "euclidean", "sqeuclidean" or "cityblock".

    ``backend`` is that of the rows when they are read.
    """
    if metric == "euclidean" and is_sparse(X):
        return SparseEuclidean(X, Y)
    if backend.on_host and metric != "cityblock":
        return Products(X, Y, squared=metric == "sqeuclidean")
    return Differences(X, Y, metric)


def size_of_tile(like: Array) -> tuple[int, int]:
    """The most rows and columns of a tile of distances that are beside ``like``."""
    if backend_of(like).on_host:
        return _ON_HOST
    side = _side_on_device(like)
    return side, side


def _side_on_device(like: Array) -> int:
    """Rows, and columns, of a tile on the device: a sixteenth of what memory is free, within bounds."""
    most, least = _BYTES
    free = backend_of(like).free_bytes(like)
    size = most if free is None else max(least, min(most, free // 16))
    return 1 << (int(np.sqrt(size // 8)).bit_length() - 1)
