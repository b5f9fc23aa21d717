"""How many cells a table may have, and how much it may add up to, so that no formula overflows or underflows anywhere.

Integers: the limbs of ``numerics.exact`` are proven up to 2^39; in 32 bits, sums fit up to 2^30. Reals: the formulas of
pairs have fourth powers of the total, times shares of it: float64 holds them from 2^-200 to 2^200, float32 from 2^-20
to 2^30.
"""

from __future__ import annotations

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array

MOST_CELLS = 1 << 36
"""512 GiB of int64."""


def check_dense(n_classes: int, n_clusters: int) -> None:
    """Check that a table of all cells is of a size that some memory has."""
    if n_classes * n_clusters > MOST_CELLS:
        raise ValueError(
            f"n_classes x n_clusters must be at most 2**36 cells in a dense table, got {n_classes} x {n_clusters}; "
            "number the labels without gaps, or list the cells (layout='cells')"
        )


def out_of_range(x: Array, axes: int | tuple[int, ...] | None = None) -> Array:
    """Whether numbers (>= 0, in their widest type) add up to too much, or to too little to be squared twice."""
    wide, (low, high) = backend_of(x).widest(x), _bits(x)
    total = backend_of(backend_of(x).xp.astype(x, wide.float)).sum(backend_of(x).xp.astype(x, wide.float), axes)
    if backend_of(x).kind(x) == "integer":
        return total >= 2.0**high
    return (total > 2.0**high) | ((total < 2.0**low) & (total != 0))


def required(x: Array) -> str:
    """What numbers like ``x`` must add up to."""
    low, high = _bits(x)
    return (
        f"less than 2**{high} if they are integers"
        if backend_of(x).kind(x) == "integer"
        else f"0, or 2**{low} to 2**{high}"
    )


def _bits(x: Array) -> tuple[int, int]:
    if not backend_of(x).widest(x).is_64bit:
        return -20, 30
    return (0, 39) if backend_of(x).kind(x) == "integer" else (-200, 200)
