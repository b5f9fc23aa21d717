"""Counts of two vectors on the host: a table in one pass, its non-empty cells by one sort, or sums in place.

In one pass, a block is small enough for the cache: its largest labels are found, and its labels combined and counted,
there. So nothing except the table can become as long as the labels. The table grows when a larger label occurs. Many
samples are counted on threads, each into a table of its own; these are added up, and as they are integers, the sums do
not depend on the number of threads.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import NDArray, parallel
from gpuval.numerics.compiled import PART, add_on_threads, add_pairs_into, compiled_loop
from gpuval.numerics.parallel import STEP, highest, limits, parallel_map, slices

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
    if len(a) <= STEP:
        return _count_one_block(a, b, largest)
    joint = _count_blocks(a, b, (0, 0), largest)
    if joint is None and max(lows := (limits(a)[0], limits(b)[0])) <= _LARGEST_LABEL and any(lows):
        joint = _count_blocks(a, b, lows, largest)
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


def _count_blocks(a: NDArray, b: NDArray, lows: tuple[int, int], largest: int) -> _Joint | None:
    """Count on as many threads as may have a table: together about as many cells as there are samples, at most."""
    try:
        tally = _count_first(a, b, lows, largest)
        n_threads = min(parallel.allowed_threads(), len(a) // (tally.rows * tally.columns)) if compiled_loop() else 1
        if n_threads > 1:
            tally.largest = min(largest, len(a) // n_threads)
            with suppress(_TooLargeError):
                return _count_rest(a, b, tally, n_threads)
            tally = _count_first(a, b, lows, largest)
        return _count_rest(a, b, tally, 1)
    except _TooLargeError:
        return None


def _count_first(a: NDArray, b: NDArray, lows: tuple[int, int], largest: int) -> _Tally:
    """The first block in a table of its own."""
    is_narrow = not any(lows) and np.can_cast(a.dtype, np.int32) and np.can_cast(b.dtype, np.int32)
    tally = _Tally(lows, largest, np.ones(STEP, dtype=np.int64), np.int32 if is_narrow else np.int64)
    tally.add(a[:STEP], b[:STEP])
    return tally


def _count_rest(a: NDArray, b: NDArray, first: _Tally, n_threads: int) -> _Joint:
    """Count all blocks but the first, which has been counted."""
    lows, unused = first.lows, [first]

    def make() -> _Tally:
        return unused.pop() if unused else _Tally(lows, first.largest, first.ones, first.copies.dtype)

    def add(tally: _Tally, part: slice) -> None:
        tally.add(a[part], b[part])

    tallies = add_on_threads(make, add, slices(len(a), PART, STEP), n_threads)
    rows, columns = max(x.rows for x in tallies), max(x.columns for x in tallies)
    if rows * columns > first.largest:  # some have many rows, and others many columns
        raise _TooLargeError
    counts = _with_room(tallies[0].counts, rows, columns)[:rows, :columns]
    for tally in tallies[1:]:
        counts[: tally.rows, : tally.columns] += tally.counts[: tally.rows, : tally.columns]
    row, column = (0 if x[0].any() else int(x.any(axis=1).argmax()) for x in (counts, counts.T))
    labels = range(lows[0] + row, lows[0] + rows), range(lows[1] + column, lows[1] + columns)
    return _Joint(np.ascontiguousarray(counts[row:, column:]), *labels)


class _TooLargeError(Exception):
    """The table would have too many cells, or a label is too large."""


class _Tally:
    """A table of the labels less ``lows`` that grows with them, up to ``largest`` cells.

    Labels are copied before they are checked: another thread may write to them before they are counted.
    """

    def __init__(self, lows: tuple[int, int], largest: int, ones: NDArray, kind: Any) -> None:
        self.lows, self.largest, self.ones = lows, largest, ones
        self.rows = self.columns = 0
        self.counts = np.zeros((0, 0), dtype=np.int64)
        self.copies = np.empty((2, STEP), dtype=kind)

    def add(self, a: NDArray, b: NDArray) -> None:
        """Count samples, block by block."""
        low_a, low_b = self.lows
        for block in slices(len(a), STEP):
            copies = self.copies[:, : block.stop - block.start]
            for each, low, copy in zip((a[block], b[block]), self.lows, copies, strict=True):
                if low:
                    np.subtract(each, low, out=copy, dtype=np.int64, casting="unsafe")
                else:
                    np.copyto(copy, each, casting="unsafe")
            x, y = copies[0], copies[1]
            rows, columns = max(self.rows, 1 + highest(x)), max(self.columns, 1 + highest(y))
            if rows * columns > self.largest or max(low_a + rows, low_b + columns) - 1 > _LARGEST_LABEL:
                raise _TooLargeError
            self.rows, self.columns = rows, columns
            self.counts = _with_room(self.counts, rows, columns)
            add_pairs_into(self.counts, x, y, self.ones)


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
    return limits(x)


def _less(x: NDArray, low: int) -> NDArray:
    """``x - low``, in a type that holds it."""
    return np.subtract(x, low, dtype=np.int64) if low else x


# The non-empty cells of two vectors of codes on the host: one sort of the combined code, in the narrowest type. Of many
# samples, all other steps go block by block through the cache, on all cores; the sort does where its parts are large.


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
    key = np.empty(len(a), dtype=np.uint32 if width <= 32 else np.int64)
    kind = key.dtype.type

    def combine(block: slice) -> None:
        combined = key[block]
        np.copyto(combined, a[block], casting="unsafe")
        np.left_shift(combined, kind(bits), out=combined)
        np.bitwise_or(combined, b[block], out=combined, dtype=kind, casting="unsafe")

    if len(key) < 2 * PART:
        combine(slice(None))
        return _runs_of_few(key, bits)
    is_first = np.empty(len(key), dtype=bool)
    blocks = slices(len(key), STEP)

    def mark_first(block: slice) -> int:
        marks, start = is_first[block], max(block.start, 1)
        marks[0] = True
        np.not_equal(key[start : block.stop], key[start - 1 : block.stop - 1], out=is_first[start : block.stop])
        return int(np.count_nonzero(marks))

    parallel_map(combine, blocks)
    _sort(key)
    sizes = parallel_map(mark_first, blocks)
    stops = list(accumulate(sizes))
    n_cells = sum(sizes)
    row_of, column_of, counts = (np.empty(n_cells, dtype=np.int64) for _ in range(3))
    firsts = np.empty(n_cells + 1, dtype=np.int64)
    firsts[-1] = len(key)

    def list_cells(number: int) -> None:
        block, of_block = blocks[number], slice(stops[number] - sizes[number], stops[number])
        places = np.flatnonzero(is_first[block])
        cells = key[block].take(places)
        np.right_shift(cells, kind(bits), out=row_of[of_block], casting="unsafe")
        np.bitwise_and(cells, kind((1 << bits) - 1), out=column_of[of_block], casting="unsafe")
        np.add(places, block.start, out=firsts[of_block])

    def measure(block: slice) -> None:
        np.subtract(firsts[block.start + 1 : block.stop + 1], firsts[block], out=counts[block])

    parallel_map(list_cells, range(len(blocks)))
    parallel_map(measure, slices(n_cells, STEP))
    return row_of, column_of, counts


def _runs_of_few(key: NDArray, bits: int) -> tuple[NDArray, NDArray, NDArray]:
    """``joint_runs`` of combined codes, the lowest ``bits`` of which are columns, at once; the keys are sorted."""
    key.sort()
    is_edge = np.ones(len(key) + 1, dtype=bool)
    np.not_equal(key[1:], key[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    cells = key[edges[:-1]].astype(np.int64, copy=False)
    return cells >> bits, cells & ((1 << bits) - 1), edges[1:] - edges[:-1]


def _sort(key: NDArray) -> None:
    """Sort in place: parts that NumPy's partition makes of many keys, at once."""
    n_parts = max(1, min(parallel.allowed_threads(), len(key) // PART))
    parts = slices(len(key), max(1, -(-len(key) // n_parts)))
    if len(parts) > 1:
        key.partition([part.start for part in parts[1:]])
    parallel_map(np.ndarray.sort, [key[part] for part in parts])


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
