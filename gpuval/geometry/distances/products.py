"""Euclidean distances on the host by products of matrices, and by differences where these would lose digits.

With rows x and columns y less one centre, |x - y|^2 is |x|^2 + |y|^2 - 2 x y: one product of matrices with the squares
as two features more. Around a centre of neighbours little cancels, and what does is computed again: equal samples have
a distance of exactly 0, however far from the origin they are.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.geometry.points import Rows, pairwise_distances, rows_of
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import is_in_blocks, parallel_map, product, room, slices

_NEAR = {4: 2.0**-4, 8: 2.0**-10}
"""Where the square of a distance is less than this share of the squares it is a difference of, by bytes of a number:
the product's rounding is then more than about 10 of its last digits. Such pairs are computed again."""

_MANY = {4: 2.0**-7, 8: 0.25}
"""Beyond this share of such pairs the whole tile is computed again, by bytes of a number: of 32 bits by a product of 64
bits, of 64 by differences. Fewer are computed by differences, pair by pair."""

_FEW = 2048
"""Fewer samples than these are gone through in 64 bits, if they have 32."""

_FEW_PAIRS = 256
"""Of up to so many near pairs only their own rows and columns are read, such as those of rows that are columns, too."""

_WIDE = np.dtype(np.float64)

_CELLS = 1 << 17
"""Numbers of samples that are there at once for differences."""


def type_of_products(n_samples: int, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type in which products of so many samples of a type are made: theirs, or 64 bits if they are few."""
    return _WIDE if n_samples < _FEW else dtype


def near_share(squares: NDArray, from_centre: NDArray, groups: NDArray, dtype: np.dtype[Any]) -> float:
    """The share of pairs of samples, of those of one group, that are too near for a product in this type.

    ``squares`` are those of the distances, and ``from_centre`` of those to the centre of their group.
    """
    n = len(squares)
    near = squares < _NEAR[dtype.itemsize] * (from_centre[:, None] + from_centre)
    np.fill_diagonal(near, val=False)
    return int(np.count_nonzero(near & (groups[:, None] == groups))) / max(1, n * (n - 1))


class Products:
    """The Euclidean distances of rows to columns, or their squares, around the mean of the rows of a tile."""

    def __init__(self, X: Any, Y: Any, *, squared: bool = False) -> None:
        self._X, self._Y, self._squared = X, Y, squared
        self._dtype = _WIDE if isinstance(Y, Rows) else type_of_products(len(Y), Y.dtype)

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""
        return _around_their_mean(rows_of(self._X, rows), self._dtype)

    def tile(self, prepared: Any, columns: slice) -> NDArray:
        """The distances of prepared rows to some columns."""
        (x, centre, left), y = prepared, rows_of(self._Y, columns)
        tile = squares(left, column_factor(y, centre, self._dtype), TileSamples(x.__getitem__, y.__getitem__))
        return tile if self._squared else np.sqrt(tile, out=tile)


class ProductsOfGroups:
    """The Euclidean distances of some samples to others, each column around a centre of its group.

    Columns are prepared once. A tile must have columns of one group.

    Parameters
    ----------
    X
        All samples, in any order.
    rows, columns
        The indices of those that are rows and of those that are columns.
    groups
        The number of the group of each column; None for one group.
    """

    def __init__(self, X: NDArray, rows: NDArray, columns: NDArray, groups: NDArray | None) -> None:
        self._X, self._rows, self._columns = X, rows, columns
        self._dtype = type_of_products(len(columns), X.dtype)
        self._groups = np.zeros(len(columns), dtype=np.int64) if groups is None else groups
        self._centres, self._right = self._prepare_columns()

    def _prepare_columns(self) -> tuple[NDArray, NDArray]:
        """The mean of the first samples of each group, and all columns less these means, with their squares."""
        n, d = len(self._columns), self._X.shape[1]
        edges = np.flatnonzero(np.diff(self._groups)) + 1
        parts = [slice(*x) for x in zip([0, *edges], [*edges, n], strict=True) if x[0] < x[1]]
        centres = np.zeros((int(self._groups.max(initial=0)) + 1, d), dtype=self._dtype)
        right = np.empty((n, d + 2), dtype=self._dtype)
        tasks: list[tuple[int, slice]] = []
        for part in parts:
            group = int(self._groups[part.start])
            blocks = slices(part.stop, max(1, _CELLS // d), part.start)
            centres[group] = self._X[self._columns[blocks[0]]].mean(axis=0, dtype=_WIDE)
            tasks += [(group, block) for block in blocks]

        def prepare(task: tuple[int, slice]) -> None:
            group, block = task
            column_factor(self._X[self._columns[block]], centres[group], self._dtype, out=right[block])

        parallel_map(prepare, tasks)
        return centres, right

    def with_rows(self, rows: NDArray) -> ProductsOfGroups:
        """The distances of other rows to the same columns, which are there."""
        others = copy.copy(self)
        others._rows = rows
        return others

    def rows(self, rows: slice) -> Any:
        """The rows of a tile, prepared for any columns."""
        return rows, {}

    def tile(self, prepared: Any, columns: slice) -> NDArray:
        """The distances of prepared rows to some columns, until the next tile of this thread."""
        rows, sides = prepared
        right = self._right[columns]
        x, y = self._rows[rows], self._columns[columns]
        given = TileSamples(lambda which: self._X[x[which]], lambda which: self._X[y[which]])
        if self._rows is self._columns and rows == columns:
            tile = _squares_among(right, given)
        else:
            tile = squares(self._row_factor(rows, sides, int(self._groups[columns.start])), right, given)
        return np.sqrt(tile, out=tile)

    def _row_factor(self, rows: slice, sides: dict[int, NDArray], group: int) -> NDArray:
        """The left side of some rows around the centre of a group, which is made for the first of its tiles."""
        if group not in sides:
            sides.clear()  # groups come one after the other
            sides[group] = row_factor(self._X[self._rows[rows]], self._centres[group], self._dtype)
        return sides[group]


def row_factor(given: NDArray, centre: NDArray, dtype: Any) -> NDArray:
    """Rows less a centre, times -2, then their squares, and 1: the left side of a product."""
    left = np.empty((len(given), given.shape[1] + 2), dtype=dtype)
    x = left[:, :-2]
    np.subtract(given, centre, out=x, casting="same_kind")
    np.einsum("ij,ij->i", x, x, out=left[:, -2])
    left[:, -1] = 1
    x *= -2
    return left


def column_factor(given: NDArray, centre: Any, dtype: Any, out: NDArray | None = None) -> NDArray:
    """Columns less a centre, then 1, and their squares: the right side of a product, a row for each column."""
    right = np.empty((len(given), given.shape[1] + 2), dtype=dtype) if out is None else out
    y = right[:, :-2]
    np.subtract(given, centre, out=y, casting="same_kind")
    right[:, -2] = 1
    np.einsum("ij,ij->i", y, y, out=right[:, -1])
    return right


def _around_their_mean(x: NDArray, dtype: Any) -> tuple[NDArray, NDArray, NDArray]:
    """Rows, their mean, and the left side around it."""
    centre = x.mean(axis=0, dtype=_WIDE).astype(dtype)
    return x, centre, row_factor(x, centre, dtype)


class TileSamples:
    """The rows and columns of a tile as they are given, whose differences lose nothing; read if there is need.

    Each is a function that reads those of some indices.
    """

    def __init__(self, rows: Callable[[Any], NDArray], columns: Callable[[Any], NDArray]) -> None:
        self._read_rows, self._read_columns = rows, columns

    @functools.cached_property
    def _rows(self) -> NDArray:
        return self._read_rows(slice(None))

    @functools.cached_property
    def _columns(self) -> NDArray:
        return self._read_columns(slice(None))

    def differences(self, i: NDArray, j: NDArray, dtype: Any) -> NDArray:
        """The differences of these rows and columns, pair by pair."""
        are_few = len(i) <= _FEW_PAIRS
        x = self._read_rows(i) if are_few else self._rows[i]
        y = self._read_columns(j) if are_few else self._columns[j]
        apart: NDArray = np.subtract(x, y, dtype=dtype)
        return apart

    def squares(self) -> NDArray:
        """The squares of all distances, by differences."""
        found: NDArray = pairwise_distances(self._rows, self._columns, "sqeuclidean")
        return found

    def wide(self) -> NDArray:
        """The squares of all distances, by a product of 64 bits around the mean of the rows."""
        (x, centre, left), y = _around_their_mean(self._rows, _WIDE), self._columns
        return squares(left, column_factor(y, centre, _WIDE), TileSamples(x.__getitem__, y.__getitem__), "wide")


def squares(left: NDArray, right: NDArray, given: TileSamples, name: str = "tile") -> NDArray:
    """The squares of the distances of both sides, until the next call with that name in this thread."""
    tile = product(left, right, out=room(name, (len(left), len(right)), left.dtype))
    return _recompute_near(tile, left[:, -2], right, given)


def _squares_among(right: NDArray, given: TileSamples) -> NDArray:
    """The same of samples and themselves."""
    x, of_x = right[:, :-2], right[:, -1]
    tile = room("tile", (len(x), len(x)), x.dtype)
    if is_in_blocks():
        product(x, x, out=tile)
    else:
        np.matmul(x, x.T, out=tile)  # which BLAS finds half of
    tile *= -2
    tile += of_x[:, None]
    tile += of_x
    np.fill_diagonal(tile, np.inf)  # so that they do not count as pairs that are near
    tile = _recompute_near(tile, of_x, right, given)
    np.fill_diagonal(tile, 0)
    return tile


def _recompute_near(tile: NDArray, squares_x: NDArray, right: NDArray, given: TileSamples) -> NDArray:
    """The same squares, those of near pairs computed again."""
    itemsize, n_features, squares_y = tile.dtype.itemsize, right.shape[1] - 2, right[:, -1]
    near = _NEAR[itemsize]
    if not tile.min() < near * (squares_x.max() + squares_y.max()):
        return tile
    i, j = np.divmod(np.flatnonzero(tile < (near * (squares_x + squares_y.max()))[:, None]), tile.shape[1])
    chosen = tile[i, j] < near * (squares_x[i] + squares_y[j])
    i, j = i[chosen], j[chosen]
    if len(i) > _MANY[itemsize] * tile.size:
        return given.squares() if itemsize == _WIDE.itemsize else given.wide()
    for part in slices(len(i), max(1, _CELLS // n_features)):
        apart = given.differences(i[part], j[part], tile.dtype)
        tile[i[part], j[part]] = np.einsum("ij,ij->i", apart, apart)
    return tile
