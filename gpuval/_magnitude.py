"""How much a table may add up to, so that no formula overflows or underflows anywhere.

Integers: the limbs of ``_exact`` are proven up to 2^39; in 32 bits, sums fit up to 2^30. Reals: the formulas of pairs
have fourth powers of the total, which float64 holds up to 2^255 and float32 up to 2^31.
"""

from __future__ import annotations

from gpuval import _namespace as ns
from gpuval._namespace import Array


def out_of_range(x: Array, axes: int | tuple[int, ...] | None = None) -> Array:
    """Whether numbers (>= 0, in their widest type) add up to too much, or to too little to be squared twice."""
    wide, bits = ns.widest(x), _bits(x)
    total = ns.total(ns.namespace(x).astype(x, wide.float), axes)
    if ns.kind(x) == "integer":
        return total >= 2.0**bits
    return (total > 2.0**bits) | ((total < 2.0**-bits) & (total != 0))


def required(x: Array) -> str:
    """What numbers like ``x`` must add up to."""
    bits = _bits(x)
    return f"less than 2**{bits} if they are integers" if ns.kind(x) == "integer" else f"0, or 2**-{bits} to 2**{bits}"


def _bits(x: Array) -> int:
    if not ns.widest(x).is_64bit:
        return 30
    return 39 if ns.kind(x) == "integer" else 200
