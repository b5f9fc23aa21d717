"""The order of values within codes: one sort brings equal codes together; codes of equal counts then form a matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gpuval.numerics import NDArray

_BLOCK = 1 << 16
"""How many values are sorted as rows at a time, so that all of them stay in the processor's caches."""

_FEW = 256
"""Where codes occur so few times for each different number of times, one sort of all is faster than many of rows."""


def order_within(
    codes: NDArray | None, values: NDArray | None, lengths: NDArray | None = None, *, is_stable: bool
) -> NDArray:
    """The positions by code, and within a code from the largest value on; without values in their order.

    ``lengths`` is how often each code occurs; with it codes that never fall need not be given.
    """
    if lengths is None:
        assert codes is not None
        lengths = np.bincount(codes)
    if values is None:
        return _order_by_code(codes, int(lengths.sum()))
    if len(lengths) == 1:
        found: NDArray = _order_rows(values[None], is_stable)[0]
        return found
    n = len(values)
    if n < _FEW or _FEW * len(distinct := np.unique(lengths)) > n:
        codes = np.repeat(np.arange(len(lengths)), lengths) if codes is None else codes
        return _order_by_one_sort(codes, values, is_stable)
    order = _order_by_code(codes, n)
    for places in _rows(lengths, distinct):
        rows = order[places]
        own = _order_rows(values[rows], is_stable)
        order[places] = np.take_along_axis(rows, own, axis=1)
    return order


def largest_first(values: NDArray, lengths: NDArray) -> NDArray:
    """The values of each of several parts, which stand one after the other, from the largest on."""
    if (lengths == lengths[0]).all():
        return np.sort(values.reshape(len(lengths), -1), axis=1)[:, ::-1].reshape(-1)
    distinct = np.unique(lengths)
    if _FEW * len(distinct) > len(values):
        codes = np.repeat(np.arange(len(lengths)), lengths)
        return values[_order_by_one_sort(codes, values, is_stable=False)]
    found = values.copy()
    for places in _rows(lengths, distinct):
        found[places] = np.sort(values[places], axis=1)[:, ::-1]
    return found


def _order_by_one_sort(codes: NDArray, values: NDArray, is_stable: bool) -> NDArray:
    order = _order_rows(values[None], is_stable)[0]
    found: NDArray = order[_order_by_code(codes[order], len(codes))]
    return found


def _rows(lengths: NDArray, distinct: NDArray) -> Iterator[NDArray]:
    """The places of codes that stand one after the other: matrices of codes that occur equally often."""
    by_length = np.argsort(lengths, kind="stable")
    ends = np.searchsorted(lengths[by_length], distinct, side="right").tolist()
    starts, first = np.cumsum(lengths) - lengths, 0
    for length, end in zip(distinct.tolist(), ends, strict=True):
        step = max(1, _BLOCK // max(1, length))
        for i in range(first, end if length > 1 else first, step):
            yield starts[by_length[i : min(i + step, end)], None] + np.arange(length)
        first = end


def _order_rows(rows: NDArray, is_stable: bool) -> NDArray:
    """The positions in each row from the largest value on; equal values in their order, if that is asked for."""
    if not is_stable:
        return np.argsort(rows, axis=1)[:, ::-1]
    last = rows.shape[1] - 1
    order: NDArray = last - np.argsort(rows[:, ::-1], axis=1, kind="stable")[:, ::-1]
    return order


def _order_by_code(codes: NDArray | None, n: int) -> NDArray:
    """The n positions by code, in their order within a code, in 32 bits if these are enough; codes may be sorted."""
    narrow = np.int32 if n < 1 << 31 else np.int64
    places = np.arange(n, dtype=narrow)
    if codes is None or (codes[1:] >= codes[:-1]).all():
        return places
    # One sort of numbers of which the upper bits are a code and the lower ones its position.
    bits = n.bit_length()
    keys = np.left_shift(codes, bits, dtype=np.int64)
    keys |= places
    del places
    keys.sort()
    keys &= (1 << bits) - 1
    return keys.astype(narrow, copy=False)
