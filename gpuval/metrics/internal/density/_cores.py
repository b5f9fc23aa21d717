"""Core distances: how sparse the samples of a cluster lie around one of them, in any number of features."""

from __future__ import annotations

from typing import Any

from gpuval.numerics import Array


def core_distances(distances: Array, n_others: Any, n_features: int, xp: Any) -> Array:
    """The core distance of each row: (sum of d^-p over the other samples / their number)^(-1/p), with p = n_features.

    ``distances`` are those to the samples of the same cluster, shape (n_rows, n_columns). They are 0 for samples of
    other clusters, and for samples at the same place; such samples add nothing to the sum. ``n_others`` is the number
    of samples of the cluster without the one of the row. The core distance is 0 if all others are at the same place.

    Distances are divided by the smallest of their row. The powers are then those of numbers up to 1, and their sum is
    from 1 to n_others: nothing overflows, and what underflows would not change a sum of 1 or more.
    """
    apart = xp.where(distances > 0, distances, float("inf"))
    nearest = xp.min(apart, axis=1)
    has_any = nearest < float("inf")
    nearest = xp.where(has_any, nearest, xp.ones_like(nearest))
    sums = xp.sum(_power(nearest[:, None] / apart, n_features), axis=1)
    cores = nearest * (n_others / xp.where(has_any, sums, xp.ones_like(sums))) ** (1.0 / n_features)
    # A NaN among the distances is neither above 0 nor infinite: this makes the core distance of its row NaN.
    broken = xp.max(distances, axis=1) * 0.0
    return xp.where(has_any, cores, xp.zeros_like(cores)) + broken


def _power(x: Array, exponent: int) -> Array:
    """``x`` to the power of a positive integer, by multiplication: this gives the same bits in any library."""
    found = None
    while exponent:
        if exponent & 1:
            found = x if found is None else found * x
        exponent >>= 1
        if exponent:
            x = x * x
    assert found is not None
    return found
