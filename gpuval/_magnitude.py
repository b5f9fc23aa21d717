"""How much a table may add up to, so that no formula overflows or underflows anywhere.

Integers: the limbs of ``_exact`` are proven up to 2^39; in 32 bits, sums fit up to 2^30. Reals: the formulas of pairs
have fourth powers of the total, times shares of it: float64 holds them from 2^-200 to 2^200, float32 from 2^-20 to
2^30.
"""

from __future__ import annotations

from gpuval import _namespace as ns
from gpuval._namespace import Array


def out_of_range(x: Array, axes: int | tuple[int, ...] | None = None) -> Array:
    """Whether numbers (>= 0, in their widest type) add up to too much, or to too little to be squared twice."""
    wide, (low, high) = ns.widest(x), _bits(x)
    total = ns.total(ns.namespace(x).astype(x, wide.float), axes)
    if ns.kind(x) == "integer":
        return total >= 2.0**high
    return (total > 2.0**high) | ((total < 2.0**low) & (total != 0))


def required(x: Array) -> str:
    """What numbers like ``x`` must add up to."""
    low, high = _bits(x)
    return f"less than 2**{high} if they are integers" if ns.kind(x) == "integer" else f"0, or 2**{low} to 2**{high}"


def _bits(x: Array) -> tuple[int, int]:
    if not ns.widest(x).is_64bit:
        return -20, 30
    return (0, 39) if ns.kind(x) == "integer" else (-200, 200)
