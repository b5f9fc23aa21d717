"""Cosine distances by Euclidean ones: between samples of length 1, they are half the squared distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry.distances.sparse import largest_of_rows, scale_rows, squares_of_rows
from gpuval.geometry.points import Rows, rows_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import root

_CELLS = 1 << 20

_ROUNDING = 16
"""How far samples of length 1 in one direction may be from each other by rounding, in units in the last place of 1."""


class UnitRows(Rows):
    """Samples of length 1 in their direction, made when they are read; those of length 0 stay."""

    def __init__(self, X: Any) -> None:
        self.source, self.shape = X, X.shape

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        x, _, lengths = self._read_scaled(rows)
        return x / lengths

    def derivative(self, slopes: NDArray) -> NDArray:
        """The derivatives by the source of NumPy, all rows of it, from those by what is read of it."""
        x, scales, lengths = self._read_scaled(slice(None))
        x = x / lengths
        along = np.einsum("ij,ij->i", slopes, x)[:, None]
        of_rows: NDArray = (slopes - along * x) / lengths / scales
        return self.source.derivative(of_rows) if isinstance(self.source, CentredRows) else of_rows

    def _read_scaled(self, rows: Any) -> tuple[Array, Array, Array]:
        """Rows by their scales, these, and the lengths that the rows have then; 1 for no length."""
        x = rows_of(self.source, rows)
        backend = backend_of(x)
        xp = backend.xp
        x, scales = _scale_by_largest(backend.as_real(x, x))  # or squares might underflow to 0
        lengths = root(xp.sum(x * x, axis=1, keepdims=True), xp)
        return x, scales, xp.where(lengths > 0, lengths, xp.ones_like(lengths))


class CentredRows(Rows):
    """Samples less the mean of their own features, on a scale of their own; exactly 0 if all features are equal.

    They are first taken less their first feature: of features that are near each other nothing is rounded, however far
    from 0 they are.
    """

    def __init__(self, X: Any) -> None:
        self.source, self.shape = X, X.shape

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        x, _ = self._read_scaled(rows)
        return x - backend_of(x).xp.mean(x, axis=1, keepdims=True)

    def derivative(self, slopes: NDArray) -> NDArray:
        """The derivatives by the source of NumPy, all rows of it, from those by what is read of it."""
        _, scales = self._read_scaled(slice(None))
        of_rows: NDArray = (slopes - slopes.mean(axis=1, keepdims=True)) / 2 / scales
        return of_rows

    def _read_scaled(self, rows: Any) -> tuple[Array, Array]:
        """Rows less their first feature, by their scales, and these."""
        x = rows_of(self.source, rows)
        backend = backend_of(x)
        x = backend.as_real(x, x) / 2  # or a difference might be beyond the floats
        return _scale_by_largest(x - x[:, :1])


def _scale_by_largest(x: Array) -> tuple[Array, Array]:
    """Rows divided by the largest of their numbers, and that, which is a constant to derivatives; 1 for rows of zeros.

    Whoever reads them brings them to length 1, where it cancels. Its own derivative would be NaN where a compiler
    computes the numbers twice, rounded in two ways: then none of them is the largest.
    """
    backend = backend_of(x)
    xp = backend.xp
    largest = backend.without_gradient(xp.max(xp.abs(x), axis=1, keepdims=True))
    scales = xp.where(largest > 0, largest, xp.ones_like(largest))
    return x / scales, scales


def unit_rows(X: Any) -> Any:
    """Samples of length 1 in their direction; sparse ones stay sparse."""
    if not is_sparse(X):
        return UnitRows(X)
    X, xp = X.astype(np.float64), backend_of(X.data).xp
    for sizes_of in (largest_of_rows, lambda X: xp.sqrt(squares_of_rows(X))):  # first so that no square underflows
        sizes = sizes_of(X)
        X = scale_rows(X, 1 / xp.where(sizes > 0, sizes, xp.ones_like(sizes)))
    return X


def dense_unit_rows(X: Any) -> tuple[NDArray, NDArray]:
    """Dense samples of the host at length 1, in 64 bits, and 1.0 for each whose features are all 0, else 0.0."""
    unit, lengths = np.empty(X.shape), np.empty(X.shape[0])

    def make(rows: slice) -> None:
        x, squares = unit[rows], lengths[rows]
        x[...] = rows_of(X, rows)
        np.einsum("ij,ij->i", x, x, out=squares)
        if not (squares.min() > 2.0**-500 and squares.max() < 2.0**500):  # or all are 0
            x[...], _ = _scale_by_largest(x)
            np.einsum("ij,ij->i", x, x, out=squares)
        np.sqrt(squares, out=squares)
        x /= np.where(squares > 0, squares, 1)[:, None]

    parallel_map(make, slices(X.shape[0], max(1, _CELLS // (8 * X.shape[1]))))
    return unit, (lengths == 0).astype(np.float64)


def square_of_rounding(like: Array) -> float:
    """The square of the distance up to which samples of length 1, in the type of ``like``, are in one direction."""
    return (_ROUNDING * float(backend_of(like).xp.finfo(like.dtype).eps)) ** 2


def have_no_length(X: Any, like: Array) -> Array:
    """1.0 for each sample whose features are all 0, else 0.0, in the type of ``like``."""
    xp = backend_of(like).xp
    if is_sparse(X):
        return xp.astype(largest_of_rows(X) == 0, like.dtype)
    parts = [
        xp.astype(xp.max(xp.abs(rows_of(X, rows)), axis=1) == 0, like.dtype)
        for rows in slices(X.shape[0], max(1, _CELLS // X.shape[1]))
    ]
    return xp.concat(parts) if parts else like[:0]
