"""A sample of the rows, and what a mean over it tells of the mean over all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.points import Points
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio, root


class Estimate(NamedTuple):
    """A score estimated from a sample, and its standard error, both like a score."""

    score: Any
    standard_error: Any


class Drawn(NamedTuple):
    """Rows that were drawn, the stratum of each, how many samples each stratum has, and what it weighs."""

    rows: NDArray
    strata: NDArray
    sizes: NDArray
    masses: Array


def drawn(points: Points, size: int, random_state: Any, stratified: bool) -> Drawn:
    """Draw rows without replacement from all that count, or from each cluster in proportion and at least two."""
    codes = to_host(points.codes)
    counted = np.flatnonzero(codes < points.n_clusters)
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        raise TypeError(f"sample_size must be an integer, got {size!r}")
    if not 2 <= size <= len(counted):
        raise ValueError(f"sample_size must be from 2 to the number of samples ({len(counted)}), got {size}")
    try:
        random = np.random.default_rng(random_state)
    except TypeError:
        raise TypeError(f"random_state must be a seed or a generator of NumPy, got {random_state!r}") from None
    except ValueError:
        raise ValueError(f"random_state must have no negative number, got {random_state!r}") from None
    if not stratified:
        rows = np.sort(random.choice(counted, int(size), replace=False))
        everything = points.xp.sum(points.masses, keepdims=True)
        return Drawn(rows, np.zeros(len(rows), dtype=np.int64), np.asarray([len(counted)]), everything)
    sizes = np.bincount(codes[counted], minlength=points.n_clusters)
    number = _in_proportion(sizes, int(size))
    order = counted[np.argsort(codes[counted], kind="stable")]
    starts = np.cumsum(sizes) - sizes
    picks = [
        random.choice(n, take, replace=False) + start for n, take, start in zip(sizes, number, starts, strict=True)
    ]
    rows = np.sort(order[np.concatenate(picks)])
    return Drawn(rows, codes[rows], sizes, points.masses)


def _in_proportion(sizes: NDArray, size: int) -> NDArray:
    """How many to draw of each: at least two where there are two, the rest by the largest remainders."""
    least = np.minimum(sizes, 2)
    if size < least.sum():
        raise ValueError(
            f"sample_size must be at least {least.sum()}, two of each cluster, with stratified=True, got {size}"
        )
    shares = np.clip(sizes * (size / sizes.sum()), least, sizes)
    while shares.sum() - size > 0.5:  # those above their least give what the small ones got more
        above = shares - least
        shares -= above * min(1.0, (shares.sum() - size) / above.sum())
    number: NDArray = np.floor(shares).astype(np.int64)
    while (missing := size - int(number.sum())) > 0:
        room = np.flatnonzero(number < sizes)
        best = room[np.argsort(number[room] - shares[room], kind="stable")][:missing]
        number[best] += 1
    return number


def estimated(values: Array, weights: Array | None, sample: Drawn) -> Estimate:
    """The mean of all, as the values of the sample tell it, with its standard error.

    The mean is that of the means of the strata, each with what it weighs; with weights, a quotient of sums, whose error
    is that of its residuals (Cochran 1977, equations 5.6, 5.13 and 6.13, not checked against the text), with the
    correction for finite populations.
    """
    backend = backend_of(values)
    xp = backend.xp
    strata, k = backend.from_host(sample.strata, values), len(sample.sizes)
    weights = xp.ones_like(values) if weights is None else weights

    def total(x: Array) -> Array:
        return backend.total(x, strata, k)

    number = total(xp.ones_like(values))
    mass = total(weights)
    means = ratio(total(weights * values), mass, xp)
    residuals = weights * (values - xp.take(means, strata)) * xp.take(ratio(number, mass, xp), strata)
    variances = ratio(total(residuals * residuals), xp.where(number > 1, number - 1, xp.zeros_like(number)), xp)
    left = 1 - ratio(number, backend.from_host(sample.sizes.astype(np.float64), values), xp)
    shares = sample.masses / xp.sum(sample.masses)
    squared = xp.sum(shares * shares * left * ratio(variances, number, xp))
    return Estimate(xp.sum(shares * means), root(squared, xp))
