"""How many rows, columns and cells a table may have, and how much it may add up to.

Within the sums that are allowed no formula overflows or underflows. Integers: the limbs of ``numerics.exact`` are
proven up to 2^39; in 32 bits, sums fit up to 2^30. Reals: the formulas of pairs have fourth powers of the total, times
shares of it: float64 holds them from 2^-200 to 2^200, float32 from 2^-20 to 2^30.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array

MOST_CELLS = 1 << 36
"""512 GiB of int64."""


def check_sizes(n_classes: Any, n_clusters: Any) -> tuple[int | None, int | None]:
    """Check the table size that the caller gives: both numbers, or neither."""
    if n_classes is None and n_clusters is None:
        return None, None
    if n_classes is None or n_clusters is None:
        raise ValueError(
            f"n_classes and n_clusters must be given together, got n_classes={n_classes!r} and "
            f"n_clusters={n_clusters!r}"
        )
    return check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")


def check_size(value: Any, name: str, hint: str = "; number the labels from 0") -> int:
    """Check one size that the caller gives; ``hint`` ends the message about one that is too large."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a positive integer, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value}")
    if value > MOST_CELLS:
        raise ValueError(f"{name} must be at most 2**36, got {value}{hint}")
    return int(value)


def check_dense(n_classes: int, n_clusters: int) -> None:
    """Check that a dense table, which stores every cell, can fit into some memory."""
    if n_classes * n_clusters > MOST_CELLS:
        raise ValueError(
            f"n_classes x n_clusters must be at most 2**36 cells in a dense table, got {n_classes} x {n_clusters}; "
            "number the labels without gaps, or list the cells (layout='cells')"
        )


def out_of_range(x: Array, axes: int | tuple[int, ...] | None = None, like: Array | None = None) -> Array:
    """Whether numbers (>= 0, in their widest type) add up to too much; for reals also whether to too little, but not 0.

    The result is an array of booleans, with the sums taken over ``axes``. The limits are those of the device of
    ``like``, by default of ``x``.
    """
    backend, (low, high) = backend_of(x), _exponents(x, like)
    total = backend.sum(backend.xp.astype(x, backend.widest(x).float), axes)
    if backend.kind(x) == "integer":
        return total >= 2.0**high
    return (total > 2.0**high) | ((total < 2.0**low) & (total != 0))


def required(x: Array) -> str:
    """What numbers like ``x`` must add up to, in words."""
    low, high = _exponents(x)
    is_integer = backend_of(x).kind(x) == "integer"
    return f"less than 2**{high} if they are integers" if is_integer else f"0, or 2**{low} to 2**{high}"


def _exponents(x: Array, like: Array | None = None) -> tuple[int, int]:
    """The smallest sum of numbers like ``x`` but 0 (of reals), and the largest, as exponents of 2."""
    like = x if like is None else like
    if not backend_of(like).widest(like).is_64bit:
        return -20, 30
    return (0, 39) if backend_of(x).kind(x) == "integer" else (-200, 200)
