"""Sums by code with nothing but the standard: sort the codes, find the boundaries, take differences.

The standard has no scatter. All shapes are fixed by the inputs, so this works without data-dependent shapes too. On a
device without int64 there are no positions either (argsort and searchsorted return them as int64): there, every code is
compared with every sample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuval.engines.backends import namespace as ns
from gpuval.numerics import Array


def count(codes: Array, size: int) -> Array:
    """Count how often each code occurs, in the widest integer."""
    xp, wide = ns.namespace(codes), ns.widest(codes)
    if wide.int != xp.int64:
        return _compared(xp.ones_like(codes, dtype=wide.int), codes, size, xp.sum, xp)
    edges = _edges(xp.sort(codes), size, xp)
    return xp.astype(edges[1:] - edges[:-1], wide.int)


def total(values: Array, codes: Array, size: int) -> Array:
    """Sum the values of each code, in their own dtype.

    Integers are the differences of one running sum, which is exact. Floats are added up within their segment only:
    in a difference of running sums a small segment would drown in the rounding of the total.
    """
    xp = ns.namespace(codes)
    if ns.widest(codes).int != xp.int64:
        return _compared(values, codes, size, xp.sum, xp)
    order, edges = _segments(codes, size, xp)
    values = xp.take(values, order)
    if not xp.isdtype(values.dtype, "integral"):
        return _at_ends(_scan(values, xp.take(codes, order), xp.add, xp), edges, xp)
    running = xp.cumulative_sum(values, dtype=values.dtype, include_initial=True)
    return xp.take(running, edges[1:]) - xp.take(running, edges[:-1])


def add(sums: Array, values: Array, codes: Array) -> Array:
    """Add the values to the sums of their codes, in place."""
    sums += total(values, codes, sums.shape[0])
    return sums


def largest(values: Array, codes: Array, size: int) -> Array:
    """Find the largest value of each code."""
    xp = ns.namespace(codes)
    if ns.widest(codes).int != xp.int64:
        return _compared(values, codes, size, lambda x, axis, dtype: xp.max(x, axis=axis), xp)
    order, edges = _segments(codes, size, xp)
    return _at_ends(_scan(xp.take(values, order), xp.take(codes, order), xp.maximum, xp), edges, xp)


def _segments(codes: Array, size: int, xp: Any) -> tuple[Array, Array]:
    order = xp.argsort(codes)
    return order, _edges(xp.take(codes, order), size, xp)


def _edges(sorted_codes: Array, size: int, xp: Any) -> Array:
    borders = xp.arange(size + 1, dtype=sorted_codes.dtype, device=ns.device(sorted_codes))
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


def _compared(values: Array, codes: Array, size: int, reduce: Callable[..., Array], xp: Any) -> Array:
    """``reduce`` over the values of each code, a block of codes at a time."""
    if codes.shape[0] == 0:
        return xp.zeros(size, dtype=values.dtype, device=ns.device(codes))
    block = max(1, (1 << 22) // codes.shape[0])
    parts = []
    for start in range(0, size, block):
        stop = min(size, start + block)
        each = xp.arange(start, stop, dtype=codes.dtype, device=ns.device(codes))
        hits = each[:, None] == codes[None, :]
        parts.append(reduce(xp.where(hits, values[None, :], xp.zeros_like(values)), axis=1, dtype=values.dtype))
    return xp.concat(parts) if parts else xp.zeros(0, dtype=values.dtype, device=ns.device(codes))


def _at_ends(scanned: Array, edges: Array, xp: Any) -> Array:
    if scanned.shape[0] == 0:
        return xp.zeros(edges.shape[0] - 1, dtype=scanned.dtype, device=ns.device(scanned))
    empty = edges[1:] == edges[:-1]
    last = xp.where(empty, 0, edges[1:] - 1)
    return xp.where(empty, xp.zeros_like(scanned[:1]), xp.take(scanned, last))
