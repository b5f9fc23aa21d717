"""Sums by code with nothing but the standard: sort the codes, find the boundaries, take differences.

The standard has no scatter. All shapes are fixed by the inputs, so this works without data-dependent shapes too. On a
device without int64 there are no positions either (argsort and searchsorted return them as int64): there, every code is
compared with every sample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from gpuval.numerics import Array


class Library(Protocol):
    """What is asked of the backend of the codes."""

    xp: Any

    def widest(self, x: Array) -> Any:
        """The widest dtypes of a device."""

    def device(self, x: Array) -> Any:
        """The device of an array."""

    def has_positions(self, x: Array) -> bool:
        """Whether there is a sort that gives positions."""


def count(codes: Array, size: int, backend: Library) -> Array:
    """Count how often each code occurs, in the widest integer."""
    xp, wide = backend.xp, backend.widest(codes)
    if not backend.has_positions(codes):
        return _compared(xp.ones_like(codes, dtype=wide.int), codes, size, xp.sum, backend)
    edges = _edges(xp.sort(codes), size, backend)
    return xp.astype(edges[1:] - edges[:-1], wide.int)


def total(values: Array, codes: Array, size: int, backend: Library) -> Array:
    """Sum the values of each code, in their own dtype.

    Integers are the differences of one running sum, which is exact. Floats are added up within their segment only:
    in a difference of running sums a small segment would drown in the rounding of the total.
    """
    xp = backend.xp
    if not backend.has_positions(codes):
        return _compared(values, codes, size, xp.sum, backend)
    order, edges = _segments(codes, size, backend)
    values = xp.take(values, order)
    if not xp.isdtype(values.dtype, "integral"):
        return _at_ends(_scan(values, xp.take(codes, order), xp.add, xp), edges, backend)
    running = xp.cumulative_sum(values, dtype=values.dtype, include_initial=True)
    return xp.take(running, edges[1:]) - xp.take(running, edges[:-1])


def largest(values: Array, codes: Array, size: int, backend: Library) -> Array:
    """Find the largest value of each code."""
    xp = backend.xp
    if not backend.has_positions(codes):
        return _compared(values, codes, size, lambda x, axis, dtype: xp.max(x, axis=axis), backend)
    order, edges = _segments(codes, size, backend)
    return _at_ends(_scan(xp.take(values, order), xp.take(codes, order), xp.maximum, xp), edges, backend)


def order_within(codes: Array, values: Array, backend: Library) -> Array:
    """The positions by code, then by value, the largest first, then as they are: by comparing each with every other."""
    xp, n = backend.xp, codes.shape[0]
    wide = backend.widest(codes).int
    if n == 0:
        return xp.zeros(0, dtype=wide, device=backend.device(codes))
    places = xp.arange(n, dtype=wide, device=backend.device(codes))
    ranks = []
    block = max(1, (1 << 22) // n)
    for start in range(0, n, block):
        own = slice(start, min(n, start + block))
        same_code, same_value = codes[None, :] == codes[own, None], values[None, :] == values[own, None]
        is_before = (codes[None, :] < codes[own, None]) | (
            same_code & ((values[None, :] > values[own, None]) | (same_value & (places[None, :] < places[own, None])))
        )
        ranks.append(xp.sum(xp.astype(is_before, wide), axis=1, dtype=wide))
    return _compared(places, xp.concat(ranks), n, xp.sum, backend)


def _segments(codes: Array, size: int, backend: Library) -> tuple[Array, Array]:
    xp = backend.xp
    order = xp.argsort(codes)
    return order, _edges(xp.take(codes, order), size, backend)


def _edges(sorted_codes: Array, size: int, backend: Library) -> Array:
    xp = backend.xp
    borders = xp.arange(size + 1, dtype=sorted_codes.dtype, device=backend.device(sorted_codes))
    return xp.searchsorted(sorted_codes, borders)


def _scan(values: Array, codes: Array, combine: Callable[[Array, Array], Array], xp: Any) -> Array:
    """Running ``combine`` within each segment of equal codes, in log2(n) doublings (Hillis and Steele 1986)."""
    step = 1
    while step < values.shape[0]:
        same = codes[step:] == codes[:-step]
        grown = xp.where(same, combine(values[step:], values[:-step]), values[step:])
        values = xp.concat([values[:step], grown])
        step *= 2
    return values


def _compared(values: Array, codes: Array, size: int, reduce: Callable[..., Array], backend: Library) -> Array:
    """``reduce`` over the values of each code, a block of codes at a time."""
    xp, device = backend.xp, backend.device(codes)
    if codes.shape[0] == 0:
        return xp.zeros(size, dtype=values.dtype, device=device)
    block = max(1, (1 << 22) // codes.shape[0])
    parts = []
    for start in range(0, size, block):
        stop = min(size, start + block)
        each = xp.arange(start, stop, dtype=codes.dtype, device=device)
        hits = each[:, None] == codes[None, :]
        parts.append(reduce(xp.where(hits, values[None, :], xp.zeros_like(values)), axis=1, dtype=values.dtype))
    return xp.concat(parts) if parts else xp.zeros(0, dtype=values.dtype, device=device)


def _at_ends(scanned: Array, edges: Array, backend: Library) -> Array:
    xp = backend.xp
    if scanned.shape[0] == 0:
        return xp.zeros(edges.shape[0] - 1, dtype=scanned.dtype, device=backend.device(scanned))
    empty = edges[1:] == edges[:-1]
    last = xp.where(empty, 0, edges[1:] - 1)
    return xp.where(empty, xp.zeros_like(scanned[:1]), xp.take(scanned, last))
