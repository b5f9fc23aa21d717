"""How thin samples lie among the others of their cluster: core distances, in any number of features."""

from __future__ import annotations

from typing import Any

from gpuval.numerics import Array


def core_distances(distances: Array, n_others: Any, n_features: int, xp: Any) -> Array:
    """Of each row of distances the core distance: the mean of d^-n_features over the others, to the -1/n_features.

    ``distances`` are those to the samples of the same cluster, shape (n_rows, n_columns), 0 to what is none of these
    or in the same place, and ``n_others`` the samples of the cluster but the one of the row. Of those in the same
    place nothing is added up; 0, if all others are.

    With the least of the distances taken out, the powers are those of numbers up to 1, and their sum is from 1 to
    n_others: nothing overflows, and what underflows is nothing beside 1.
    """
    apart = xp.where(distances > 0, distances, float("inf"))
    nearest = xp.min(apart, axis=1)
    has_any = nearest < float("inf")
    nearest = xp.where(has_any, nearest, xp.ones_like(nearest))
    sums = xp.sum(_power(nearest[:, None] / apart, n_features), axis=1)
    cores = nearest * (n_others / xp.where(has_any, sums, xp.ones_like(sums))) ** (1.0 / n_features)
    # What is no number is not apart, and is to be seen: the largest of such is none, either.
    broken = xp.max(distances, axis=1) * 0.0
    return xp.where(has_any, cores, xp.zeros_like(cores)) + broken


def _power(x: Array, exponent: int) -> Array:
    """``x`` to a positive whole number, by products: as exact in any library."""
    found = None
    while exponent:
        if exponent & 1:
            found = x if found is None else found * x
        exponent >>= 1
        if exponent:
            x = x * x
    assert found is not None
    return found
