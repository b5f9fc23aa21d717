"""Distances on the host, a tile at a time: by a product of matrices, or by differences where that would lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import is_sparse
from gpuval.geometry.distances.rows import Rows, rows_of, slices
from gpuval.geometry.distances.sparse import SparseEuclidean

NDArray = np.ndarray[Any, Any]

ROWS, COLUMNS = 256, 1024
"""Samples on the sides of a tile: its distances stay in the cache from the product to the sums."""

_NEAR = {4: 2.0**-4, 8: 2.0**-10}
"""Where the square of a distance is less than this share of the squares it is a difference of, by bytes of a number:
the product's rounding is then more than about 10 of its last digits. Such pairs are found by differences."""

_FEW = 2048
"""Samples of 32 bits that are gone through in 64, as it takes no time that counts."""

_MANY = 0.25
"""Beyond this share of such pairs the whole tile is found by differences."""


class Euclidean:
    """The distances of samples in rows, or their squares.

    A tile is |x|^2 + |y|^2 - 2 x y of rows and columns less the mean of the rows, one product of matrices with the
    squares as two features more. Around a mean of neighbours little cancels, and what does is found again by
    differences: equal samples have a distance of exactly 0, however far from the origin they are. All is of the type of
    Y, and in 64 bits for rows that are made when they are read.
    """

    def __init__(self, X: Any, Y: Any, *, squared: bool = False) -> None:
        self._X, self._Y, self._squared = X, Y, squared
        self._dtype = np.dtype(np.float64) if isinstance(Y, Rows) else Y.dtype
        self._near = _NEAR[self._dtype.itemsize]

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""
        x = rows_of(self._X, rows).astype(self._dtype, copy=False)
        centre = x.mean(axis=0, dtype=np.float64).astype(x.dtype)
        apart = x - centre
        squares = np.einsum("ij,ij->i", apart, apart)
        return x, centre, np.column_stack([-2 * apart, squares, np.ones_like(squares)]), squares

    def tile(self, prepared: Any, columns: slice) -> NDArray:
        """The distances of prepared rows to some columns."""
        x, centre, left, squares_x = prepared
        n_features = self._Y.shape[1]
        right = np.empty((columns.stop - columns.start, n_features + 2), dtype=left.dtype)
        given, y = rows_of(self._Y, columns), right[:, :n_features]
        np.subtract(given, centre, out=y)
        right[:, -2] = 1
        squares_y = np.einsum("ij,ij->i", y, y, out=right[:, -1])
        tile: NDArray = left @ right.T
        if tile.min() < self._near * (squares_x.max() + squares_y.max()):
            self._correct(tile, squares_x, squares_y, x, given)
        return tile if self._squared else np.sqrt(tile, out=tile)

    def _correct(self, tile: NDArray, squares_x: NDArray, squares_y: NDArray, x: NDArray, y: NDArray) -> None:
        """Find the squares of pairs that are near each other by differences."""
        near = np.flatnonzero(tile < (self._near * (squares_x + squares_y.max()))[:, None])  # nonzero is slower
        i, j = np.divmod(near, tile.shape[1])
        chosen = tile[i, j] < self._near * (squares_x[i] + squares_y[j])
        i, j = i[chosen], j[chosen]
        if len(i) > _MANY * tile.size:
            tile[...] = differences(x, y, "sqeuclidean")
            return
        for part in slices(len(i), max(1, (1 << 17) // x.shape[1])):
            apart = x[i[part]] - y[j[part]]
            tile[i[part], j[part]] = np.einsum("ij,ij->i", apart, apart)


class Cityblock:
    """The sums of absolute differences, by SciPy."""

    def __init__(self, X: Any, Y: Any) -> None:
        self._X, self._Y = X, Y

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Any, columns: slice) -> NDArray:
        """The distances of prepared rows to some columns."""
        return differences(prepared, rows_of(self._Y, columns), "cityblock")


def differences(x: NDArray, y: NDArray, metric: str) -> NDArray:
    """Distances by differences, in 64 bits."""
    from scipy.spatial.distance import cdist  # only now: it takes longer to import than most scores to find

    found: NDArray = cdist(x, y, metric)
    return found


def tiles_of(X: Any, Y: Any, metric: str) -> Any:
    """The distances of the rows of X to those of Y, by the tile."""
    if metric == "cityblock":
        return Cityblock(X, Y)
    if is_sparse(X):
        return SparseEuclidean(X, Y)
    is_short = not isinstance(Y, Rows) and len(Y) < _FEW
    return Euclidean(X, Y.astype(np.float64) if is_short else Y)
