"""Sums by code with the Array API standard only: sort the codes, find the boundaries, take differences.

The standard has no scatter. All shapes are fixed by the inputs, so this also works without data-dependent shapes. On a
device without int64 there are no positions either, because argsort and searchsorted return them as int64. There, they
are found by comparing and exchanging, in log2(n)^2 / 2 passes over n codes. Among the tested libraries, only
array-api-strict has such a device: JAX without 64 bits has positions of 32 bits, and PyTorch has int64 on all devices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from gpuval.numerics import Array


class _Library(Protocol):
    """What is asked of the backend of the codes."""

    xp: Any

    def widest(self, x: Array) -> Any:
        """The widest dtypes of a device."""

    def device(self, x: Array) -> Any:
        """The device of an array."""

    def has_positions(self, x: Array) -> bool:
        """Whether there is a sort that gives positions."""


def count(codes: Array, size: int, backend: _Library) -> Array:
    """Count how often each code occurs, in the widest integer."""
    xp, wide = backend.xp, backend.widest(codes)
    edges = _edges(xp.sort(codes), size, backend)
    return xp.astype(edges[1:] - edges[:-1], wide.int)


def total(values: Array, codes: Array, size: int, backend: _Library) -> Array:
    """Sum the values of each code, in their own dtype.

    Integers are the differences of one running sum, which is exact. Floats are added up within their segment only:
    in a difference of running sums a small segment would drown in the rounding of the total.
    """
    xp = backend.xp
    order, edges = _segments(codes, size, backend)
    values = xp.take(values, order)
    if not xp.isdtype(values.dtype, "integral"):
        return _values_at_ends(_scan(values, xp.take(codes, order), xp.add, xp), edges, backend)
    running = xp.cumulative_sum(values, dtype=values.dtype, include_initial=True)
    return xp.take(running, edges[1:]) - xp.take(running, edges[:-1])


def running_total(values: Array, codes: Array, backend: _Library) -> Array:
    """The sum of the values of each code up to each place, of codes that never fall."""
    return _scan(values, codes, backend.xp.add, backend.xp)


def largest(values: Array, codes: Array, size: int, backend: _Library) -> Array:
    """Find the largest value of each code."""
    xp = backend.xp
    order, edges = _segments(codes, size, backend)
    return _values_at_ends(_scan(xp.take(values, order), xp.take(codes, order), xp.maximum, xp), edges, backend)


def order_within(codes: Array, values: Array | None, backend: _Library) -> Array:
    """The positions by code, then by value, the largest first, then as they are; where no sort gives positions.

    A bitonic sort: sorted parts of 1, 2, 4, ... are merged in pairs.
    """
    xp, n, device = backend.xp, codes.shape[0], backend.device(codes)
    wide = backend.widest(codes).int
    size = 1 << max(0, n - 1).bit_length()
    spare = size - n
    last = xp.full(spare, xp.iinfo(wide).max, dtype=wide, device=device)
    values = xp.zeros(n, dtype=wide, device=device) if values is None else values
    keys = (
        xp.concat([xp.astype(codes, wide), last]),
        xp.concat([values, xp.zeros(spare, dtype=values.dtype, device=device)]),
        xp.arange(size, dtype=wide, device=device),
    )
    half = 1
    while half < size:
        keys = _compare_exchange(keys, half, xp, is_mirrored=True)
        step = half // 2
        while step:
            keys = _compare_exchange(keys, step, xp)
            step //= 2
        half *= 2
    return keys[2][:n]


def _compare_exchange(keys: tuple[Array, ...], step: int, xp: Any, *, is_mirrored: bool = False) -> tuple[Array, ...]:
    """Keys of which each that is so many steps after another comes after it in order, too, else the two are exchanged.

    Of parts of twice as many keys; mirrored, the first of a part is compared with its last, the second with the last
    but one.
    """
    pairs = [xp.reshape(x, (-1, 2, step)) for x in keys]
    first, second = [x[:, 0, :] for x in pairs], [x[:, 1, :] for x in pairs]
    if is_mirrored:
        second = [xp.flip(x, axis=1) for x in second]
    (code, value, place), (other_code, other_value, other_place) = first, second
    is_after = (value < other_value) | ((value == other_value) & (place > other_place))
    is_after = (code > other_code) | ((code == other_code) & is_after)
    return tuple(
        xp.reshape(xp.stack([xp.where(is_after, y, x), xp.where(is_after, x, y)], axis=1), (-1,))
        for x, y in zip(first, second, strict=True)
    )


def _segments(codes: Array, size: int, backend: _Library) -> tuple[Array, Array]:
    xp = backend.xp
    order = xp.argsort(codes) if backend.has_positions(codes) else order_within(codes, None, backend)
    return order, _edges(xp.take(codes, order), size, backend)


def _edges(sorted_codes: Array, size: int, backend: _Library) -> Array:
    """How many codes are below each of 0 to ``size``."""
    xp, n = backend.xp, sorted_codes.shape[0]
    if backend.has_positions(sorted_codes):
        borders = xp.arange(size + 1, dtype=sorted_codes.dtype, device=backend.device(sorted_codes))
        return xp.searchsorted(sorted_codes, borders)
    borders = xp.arange(size + 1, dtype=backend.widest(sorted_codes).int, device=backend.device(sorted_codes))
    found, step = xp.zeros_like(borders), 1 << n.bit_length() >> 1
    while step:  # by halving
        further = found + step
        is_below = xp.take(sorted_codes, xp.where(further < n, further, n) - 1) < borders
        found = xp.where((further <= n) & is_below, further, found)
        step //= 2
    return found


def _scan(values: Array, codes: Array, combine: Callable[[Array, Array], Array], xp: Any) -> Array:
    """Running ``combine`` within each segment of equal codes, in log2(n) doublings (Hillis and Steele 1986)."""
    step = 1
    while step < values.shape[0]:
        same = codes[step:] == codes[:-step]
        grown = xp.where(same, combine(values[step:], values[:-step]), values[step:])
        values = xp.concat([values[:step], grown])
        step *= 2
    return values


def _values_at_ends(scanned: Array, edges: Array, backend: _Library) -> Array:
    xp = backend.xp
    if scanned.shape[0] == 0:
        return xp.zeros(edges.shape[0] - 1, dtype=scanned.dtype, device=backend.device(scanned))
    empty = edges[1:] == edges[:-1]
    last = xp.where(empty, 0, edges[1:] - 1)
    return xp.where(empty, xp.zeros_like(scanned[:1]), xp.take(scanned, last))
