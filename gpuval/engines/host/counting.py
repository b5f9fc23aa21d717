"""Counts of two vectors on the host: a table in one pass, its non-empty cells by one sort, or sums in place.

In one pass, a block is small enough for the cache: its largest labels are found, and its labels combined and counted,
there. So nothing except the table can become as long as the labels. The table grows when a larger label occurs. Threads
would not help, because the function that counts holds the interpreter's lock.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpuval.numerics import NDArray

_BLOCK = 1 << 17
"""Samples that go through the cache at once."""

_FEW = 1 << 13

_LARGEST_LABEL = (1 << 63) - 1
"""The keys are int64, and so are the labels that are made of rows and columns."""


class _Joint(NamedTuple):
    """The counts, and the labels of their rows and columns."""

    counts: NDArray
    rows: range
    columns: range

    def within(self, rows: range, columns: range) -> NDArray:
        """The counts in a table of more labels."""
        if (rows, columns) == (self.rows, self.columns):
            return self.counts
        counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
        self.add_to(counts, rows, columns)
        return counts

    def fits(self, rows: range, columns: range) -> bool:
        """Whether a table of these labels has all of its own."""
        both = (self.rows, rows), (self.columns, columns)
        return all(whole.start <= part.start and part.stop <= whole.stop for part, whole in both)

    def add_to(self, counts: NDArray, rows: range, columns: range) -> None:
        """Add to a table of more labels."""
        row, column = self.rows.start - rows.start, self.columns.start - columns.start
        counts[row : row + self.counts.shape[0], column : column + self.counts.shape[1]] += self.counts


def joint_counts(a: NDArray, b: NDArray, largest: int) -> _Joint | None:
    """Count the samples of each pair of labels; None if the table would have more than ``largest`` cells."""
    if len(a) == 0:
        return _Joint(np.zeros((0, 0), dtype=np.int64), range(0), range(0))
    if len(a) <= _BLOCK:
        return _count_one_block(a, b, largest)
    joint = _count_blocks(a, b, 0, 0, largest)
    if joint is None and max(lows := (int(a.min()), int(b.min()))) <= _LARGEST_LABEL and any(lows):
        joint = _count_blocks(a, b, *lows, largest)
    return joint


def _count_one_block(a: NDArray, b: NDArray, largest: int) -> _Joint | None:
    (low_a, high_a), (low_b, high_b) = _limits(a), _limits(b)
    n_rows, n_columns = high_a - low_a + 1, high_b - low_b + 1
    if n_rows * n_columns > largest or max(high_a, high_b) > _LARGEST_LABEL:
        return None
    key = np.multiply(_less(a, low_a), n_columns, dtype=np.int64)
    np.add(key, _less(b, low_b), out=key, dtype=np.int64)
    counts = np.bincount(key, minlength=n_rows * n_columns).reshape(n_rows, n_columns)
    return _Joint(counts, range(low_a, high_a + 1), range(low_b, high_b + 1))


def _count_blocks(a: NDArray, b: NDArray, low_a: int, low_b: int, largest: int) -> _Joint | None:
    rows = columns = 0
    counts = np.zeros((0, 0), dtype=np.int64)
    keys, room_a, room_b = np.empty((3, _BLOCK), dtype=np.int64)
    for start in range(0, len(a), _BLOCK):
        x = _less(a[start : start + _BLOCK], low_a, room_a)
        y = _less(b[start : start + _BLOCK], low_b, room_b)
        rows, columns = max(rows, 1 + highest(x)), max(columns, 1 + highest(y))
        if rows * columns > largest or max(low_a + rows, low_b + columns) - 1 > _LARGEST_LABEL:
            return None
        counts = _with_room(counts, rows, columns)
        key = np.multiply(x, counts.shape[1], out=keys[: len(x)], dtype=np.int64)
        np.add(key, y, out=key, dtype=np.int64)
        np.add.at(counts.reshape(-1), key, 1)
    counts = counts[:rows, :columns]
    row, column = (0 if (x[0]).any() else int(x.any(axis=1).argmax()) for x in (counts, counts.T))
    labels = range(low_a + row, low_a + counts.shape[0]), range(low_b + column, low_b + counts.shape[1])
    return _Joint(np.ascontiguousarray(counts[row:, column:]), *labels)


def _with_room(counts: NDArray, rows: int, columns: int) -> NDArray:
    """The counts in a table with room for so many; for an eighth more, if this is not the first time."""
    if rows <= counts.shape[0] and columns <= counts.shape[1]:
        return counts
    shape = [
        old if new <= old else max(new, old + old // 8) for new, old in zip((rows, columns), counts.shape, strict=True)
    ]
    grown = np.zeros(shape, dtype=np.int64)
    grown[: counts.shape[0], : counts.shape[1]] = counts
    return grown


def _limits(x: NDArray) -> tuple[int, int]:
    """The smallest and the largest number: of few by their places, for which NumPy has less to do."""
    if len(x) <= _FEW:
        return int(x[x.argmin()]), int(x[x.argmax()])
    return int(np.minimum.reduce(x)), int(np.maximum.reduce(x))


def highest(x: NDArray) -> int:
    """The largest number; 2^63 or more, if one is negative."""
    is_signed = x.dtype.kind == "i"
    if is_signed:
        x = x.view(f"{x.dtype.byteorder}u{x.itemsize}")
    largest = int(np.maximum.reduce(x))
    return 1 << 63 if is_signed and largest >> (8 * x.itemsize - 1) else largest


def _less(x: NDArray, low: int, room: NDArray | None = None) -> NDArray:
    """``x - low``, in a type that holds it."""
    if low == 0:
        return x
    return np.subtract(x, low, dtype=np.int64, out=None if room is None else room[: len(x)])


# The non-empty cells of two vectors of codes on the host: one sort of the combined code, in the narrowest type.


def joint_runs(a: NDArray, b: NDArray, rows: int, columns: int) -> tuple[NDArray, NDArray, NDArray] | None:
    """Count the samples of each pair of codes that occurs.

    Parameters
    ----------
    a, b
        Codes below ``rows`` and below ``columns``, of integer types and one length.
    rows, columns
        How many codes there are.

    Returns
    -------
    None, or tuple of three arrays
        Row, column and count of each cell, by row and then by column, in int64; None if no type holds the combined
        code.
    """
    bits = max(0, columns - 1).bit_length()
    width = max(0, rows - 1).bit_length() + bits
    if width > 63:
        return None
    key = a.astype(np.uint32 if width <= 32 else np.int64)
    np.left_shift(key, key.dtype.type(bits), out=key)
    np.bitwise_or(key, b, out=key, dtype=key.dtype, casting="unsafe")
    key.sort()
    is_edge = np.ones(len(key) + 1, dtype=bool)
    np.not_equal(key[1:], key[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    cells = key[edges[:-1]].astype(np.int64, copy=False)
    row_of = cells >> bits
    column_of = np.bitwise_and(cells, (1 << bits) - 1, out=cells)
    return row_of, column_of, np.diff(edges)


# Count samples into an existing NumPy table.


def add_in_place(counts: NDArray, a: NDArray, b: NDArray) -> bool:
    """Count integer labels, block by block, if all of them are inside; False if nothing was added."""
    rows, columns = map(range, counts.shape)
    joint = joint_counts(a, b, counts.size)
    if joint is None or not joint.fits(rows, columns):
        return False
    joint.add_to(counts, rows, columns)
    return True


def cells_within(a: NDArray, b: NDArray, size: tuple[int, ...]) -> NDArray | None:
    """The flat index of the cell of each sample; None if a label is outside."""
    n_rows, n_columns = size
    if len(a) and not (highest(a) < n_rows and highest(b) < n_columns):
        return None
    cell = np.multiply(a, n_columns, dtype=np.int64, casting="unsafe")
    return np.add(cell, b, out=cell, dtype=np.int64, casting="unsafe")
