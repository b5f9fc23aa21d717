"""Euclidean distances on the host by products of matrices, and by differences where these would lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.geometry.distances.differences import by_differences
from gpuval.geometry.distances.rows import Rows, rows_of
from gpuval.numerics import NDArray
from gpuval.numerics.blas import product
from gpuval.numerics.slices import slices

_NEAR = {4: 2.0**-4, 8: 2.0**-10}
"""Where the square of a distance is less than this share of the squares it is a difference of, by bytes of a number:
the product's rounding is then more than about 10 of its last digits. Such pairs are computed by differences."""

_FEW = 2048
"""Fewer samples than these are gone through in 64 bits, if they have 32."""

_MANY = 0.25
"""Beyond this share of such pairs the whole tile is computed by differences."""


class Products:
    """The Euclidean distances of samples in rows, or their squares.

    A tile is |x|^2 + |y|^2 - 2 x y of rows and columns less the mean of the rows, one product of matrices with the
    squares as two features more. Around a mean of neighbours little cancels, and what does is computed again by
    differences: equal samples have a distance of exactly 0, however far from the origin they are. All is of the type of
    Y, and in 64 bits for few samples, and for those that are made when they are read.
    """

    def __init__(self, X: Any, Y: Any, *, squared: bool = False) -> None:
        if not isinstance(Y, Rows) and len(Y) < _FEW:
            Y = Y.astype(np.float64, copy=False)
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
        tile = product(left, right.T)
        if tile.min() < self._near * (squares_x.max() + squares_y.max()):
            self._correct(tile, squares_x, squares_y, x, given)
        return tile if self._squared else np.sqrt(tile, out=tile)

    def _correct(self, tile: NDArray, squares_x: NDArray, squares_y: NDArray, x: NDArray, y: NDArray) -> None:
        """Compute the squares of pairs that are near each other by differences."""
        near = np.flatnonzero(tile < (self._near * (squares_x + squares_y.max()))[:, None])
        i, j = np.divmod(near, tile.shape[1])
        chosen = tile[i, j] < self._near * (squares_x[i] + squares_y[j])
        i, j = i[chosen], j[chosen]
        if len(i) > _MANY * tile.size:
            tile[...] = by_differences(x, y, "sqeuclidean")
            return
        for part in slices(len(i), max(1, (1 << 17) // x.shape[1])):
            apart = x[i[part]] - y[j[part]]
            tile[i[part], j[part]] = np.einsum("ij,ij->i", apart, apart)
