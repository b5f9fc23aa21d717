"""The distinct values of many integers on the host, and the place of each number among them, by tables of hashes.

``numpy.unique`` sorts all numbers with their places. Here each number is written to the slot of a table that its hash
names, where the last one stays. If it is equal, the slot stands for both; else another table, of other hashes, decides.
Only the values that stayed are sorted, and what the last table leaves: so no numbers take long, whatever their hashes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map, slices

_MULTIPLIERS = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xFF51AFD7ED558CCD
"""One for each table; odd, so that all bits of a number count."""

_FEW = 1 << 14
"""Numbers that are sorted in less time."""

_SAMPLE = 1 << 12
"""Numbers from which the number of distinct values is estimated."""

_STEP = 2654435761
"""A prime, by which the places of a sample lie apart: labels may repeat after any smaller step."""

_LEAST_BITS = 14
"""A table of this power of 2 is in the cache in any case."""

_BLOCK = 1 << 16
"""Numbers that a thread takes at once."""


@dataclass
class _Table:
    """The slots of some numbers, those at ``places``, and the distinct values that stayed in them."""

    slots: NDArray
    places: NDArray | None
    values: NDArray
    occupied: NDArray
    n_slots: int


def number(x: NDArray) -> tuple[NDArray, NDArray]:
    """The sorted distinct values of a vector of integers, and the place of each of its numbers among them."""
    rest, places, tables = x, None, []
    for multiplier in _MULTIPLIERS:
        many = _estimate(rest) if len(rest) >= _FEW and x.dtype.isnative else len(rest)
        if 2 * many >= len(rest):
            break
        table, unlike = _enter(rest, places, multiplier, max(_LEAST_BITS, many.bit_length()))
        tables.append(table)
        rest, places = rest[unlike], unlike if places is None else places[unlike]
    last = np.unique_inverse(rest)
    if not tables:
        return last.values, last.inverse_indices
    values = np.concatenate([*(table.values for table in tables), last.values])
    order = np.argsort(values)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    codes = np.empty(len(x), dtype=np.int64)
    first = 0
    for table in tables:
        _decode(table, rank[first : first + len(table.values)], codes)
        first += len(table.values)
    codes[places] = rank[first:][last.inverse_indices]
    return values[order], codes


def _estimate(x: NDArray) -> int:
    """About how many distinct values there are if these are few, and twice as many if not; of a sample."""
    sample = np.sort(x[np.arange(_SAMPLE) * _STEP % len(x)])
    distinct = 1 + int(np.count_nonzero(sample[1:] != sample[:-1]))
    return distinct * _SAMPLE // max(1, _SAMPLE - distinct)


def _enter(x: NDArray, places: NDArray | None, multiplier: int, bits: int) -> tuple[_Table, NDArray]:
    """Numbers in a table of 2 to the power of ``bits``, and which of them have slots where another one stayed."""
    table = np.zeros(1 << bits, dtype=x.dtype)
    table[0] = 1  # whose own slot is another one, as 0 is no number of the other slots
    slots = np.empty(len(x), dtype=np.int64)
    parts = slices(len(x), _BLOCK)

    def name(part: slice) -> None:
        hashes = slots[part].view(np.uint64)
        np.multiply(x[part], np.uint64(multiplier), out=hashes, dtype=np.uint64, casting="unsafe")
        hashes >>= np.uint64(64 - bits)

    def compare(part: slice) -> NDArray:
        unlike: NDArray = np.flatnonzero(table.take(slots[part], mode="clip") != x[part])
        unlike += part.start
        return unlike

    parallel_map(name, parts)
    table[slots] = x
    others = np.concatenate(parallel_map(compare, parts))
    is_occupied = table != 0
    is_occupied[0] = table[0] != 1
    occupied = np.flatnonzero(is_occupied)
    return _Table(slots, places, table[occupied], occupied, len(table)), others


def _decode(table: _Table, rank: NDArray, codes: NDArray) -> None:
    """Write the ranks of the values of a table for all numbers that have a slot there."""
    rank_of = np.empty(table.n_slots, dtype=np.int64)
    rank_of[table.occupied] = rank
    if table.places is not None:
        codes[table.places] = rank_of[table.slots]
        return
    parallel_map(lambda part: rank_of.take(table.slots[part], out=codes[part], mode="clip"), slices(len(codes), _BLOCK))
