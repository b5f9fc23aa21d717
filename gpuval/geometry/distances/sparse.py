"""Euclidean distances of sparse samples, a tile at a time, on the host and on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.numerics import Array
from gpuval.numerics.parallel import slices

_NEAR = 2.0**-10
"""Where the square of a distance is less than this share of the squares it is a difference of, it is computed by
differences: the product's rounding is then more than about 10 of its last digits."""

_FILLED = 0.05
"""The share of entries from which on columns are dense in a product, which is then faster."""

_AT_ONCE = 1 << 20
"""Numbers of sparse rows that are there at once for differences."""


class SparseEuclidean:
    """The distances of sparse rows, of which no more than a tile is dense: |x|^2 + |y|^2 - 2 x y, in 64 bits.

    Samples stay where they are, as those less a mean would be dense.
    """

    def __init__(self, X: Any, Y: Any) -> None:
        self._X, self._Y = X, Y
        self._squares_x, self._squares_y = squares_of_rows(X), squares_of_rows(Y)

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""
        return rows, self._X[rows, :].astype(np.float64)

    def tile(self, prepared: Any, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        (rows, x), y = prepared, self._Y[columns, :].astype(np.float64)
        squares_x, squares_y = self._squares_x[rows][:, None], self._squares_y[columns]
        xp = backend_of(squares_y).xp
        tile = _product(x, y)
        tile *= -2
        tile += squares_x
        tile += squares_y
        if float(xp.min(tile)) < _NEAR * float(xp.max(squares_x) + xp.max(squares_y)):
            i, j = xp.nonzero(tile < _NEAR * (squares_x + squares_y))
            filled = 1 + (x.nnz + y.nnz) // (x.shape[0] + y.shape[0])
            for part in slices(int(i.shape[0]), max(1, _AT_ONCE // filled)):
                tile[i[part], j[part]] = squares_of_rows(x[i[part], :] - y[j[part], :])
        return xp.sqrt(tile)


def _product(x: Any, y: Any) -> Array:
    """The product of sparse rows and sparse columns, which are given as rows, as a dense array."""
    if y.nnz > _FILLED * y.shape[0] * y.shape[1]:
        return x @ y.T.toarray()
    return (x @ y.T).toarray()


def squares_of_rows(X: Any) -> Array:
    """The squares of sparse rows."""
    X = X.astype(np.float64)
    backend = backend_of(X.data)
    xp = backend.xp
    return xp.reshape(xp.asarray(X.multiply(X).sum(axis=1), device=backend.device(X.data)), (-1,))


def largest_of_rows(X: Any) -> Array:
    """The largest magnitude in each of sparse rows."""
    backend = backend_of(X.data)
    xp = backend.xp
    found = abs(without_duplicates(X)).max(axis=1)  # SciPy sums up the duplicates of X itself for that
    largest = xp.asarray(found.toarray() if is_sparse(found) else found, device=backend.device(X.data))
    return xp.reshape(largest, (-1,))


def without_duplicates(X: Any) -> Any:
    """A sparse matrix by rows in which no entry occurs twice: a copy, if one does."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def scale_rows(X: Any, factors: Array) -> Any:
    """Sparse rows times a number each."""
    return X.multiply(factors[:, None]).tocsr()
