"""Samples drawn at random, and the estimate that a mean over them gives of the mean over all samples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.points import Points
from gpuval.inputs.options import generator
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio, root


class Estimate(NamedTuple):
    """A score estimated from a sample, and its standard error, both like a score."""

    score: Any
    standard_error: Any


class RowSample(NamedTuple):
    """Rows that were drawn, the stratum of each, how many samples each stratum has, and what it weighs."""

    rows: NDArray
    strata: NDArray
    sizes: NDArray
    masses: Array


def check_sampling(size: int | None, stratified: bool, random_state: Any) -> None:
    """Check what can be told of a sample before anything is read; None is no sample."""
    if size is not None:
        _whole(size)
    elif stratified:
        raise ValueError("sample_size must be given with stratified=True, got None")
    if random_state is not None:
        generator(random_state)


def draw_sample(points: Points, size: int, random_state: Any, stratified: bool) -> RowSample:
    """Draw rows without replacement from all that count, or from each cluster in proportion and at least two."""
    codes = to_host(points.codes)
    counted = np.flatnonzero(codes < points.n_clusters)
    size = _whole(size)
    if not 2 <= size <= len(counted):
        raise ValueError(f"sample_size must be from 2 to the number of samples ({len(counted)}), got {size}")
    random = generator(random_state)
    if not stratified:
        rows = np.sort(random.choice(counted, size, replace=False))
        everything = points.xp.sum(points.masses, keepdims=True)
        return RowSample(rows, np.zeros(len(rows), dtype=np.int64), np.asarray([len(counted)]), everything)
    sizes = _sizes_of(codes, points.n_clusters)
    least = int(least_of_each(sizes).sum())
    if size < least:
        raise ValueError(f"sample_size must be at least {least} (two of each cluster) with stratified=True, got {size}")
    by_cluster = np.split(counted[np.argsort(codes[counted], kind="stable")], np.cumsum(sizes))
    places = draw_by_stratum(sizes, _proportional_allocation(sizes, size), random)
    rows = np.sort(np.concatenate([of[at] for of, at in zip(by_cluster, places, strict=False)]))
    return RowSample(rows, codes[rows], sizes, points.masses)


def _whole(size: Any) -> int:
    """The size of a sample, which must be an integer."""
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        raise TypeError(f"sample_size must be an integer, got {size!r}")
    return int(size)


def _sizes_of(codes: NDArray, n_strata: int) -> NDArray:
    """How many samples each stratum has; a code of ``n_strata`` stands for what does not count."""
    return np.bincount(codes, minlength=n_strata + 1)[:n_strata]


def least_of_each(sizes: NDArray) -> NDArray:
    """How many must be drawn of each stratum: two, without which its variance is not known, or all there are."""
    return np.minimum(sizes, 2)


def draw_by_stratum(sizes: NDArray, number: NDArray, random: np.random.Generator) -> list[NDArray]:
    """Draw these numbers of samples from strata of these sizes: from each by their places in it, sorted."""
    return [np.sort(random.choice(n, take, replace=False)) for n, take in zip(sizes, number, strict=True)]


def _proportional_allocation(sizes: NDArray, size: int) -> NDArray:
    """How many to draw of each in proportion to the sizes: at least two where there are two."""
    least = least_of_each(sizes)
    shares = np.clip(sizes * (size / sizes.sum()), least, sizes)
    while shares.sum() - size > 0.5:  # those above their least give what the small ones got more
        above = shares - least
        shares -= above * min(1.0, (shares.sum() - size) / above.sum())
    return _whole_shares(shares, sizes, size)


def equal_allocation(sizes: NDArray, size: int) -> NDArray:
    """How many to draw of each, equally many or all there are: what small strata have less, the others give more."""
    shares, left = np.zeros(len(sizes)), float(size)
    order = np.argsort(sizes, kind="stable")
    for others, stratum in zip(range(len(sizes), 0, -1), order.tolist(), strict=True):
        shares[stratum] = min(float(sizes[stratum]), left / others)
        left -= shares[stratum]
    return _whole_shares(shares, sizes, size)


def _whole_shares(shares: NDArray, sizes: NDArray, size: int) -> NDArray:
    """Shares that add up to ``size``, as whole numbers that do: the rest goes by the largest remainders."""
    number: NDArray = np.floor(shares).astype(np.int64)
    while (missing := size - int(number.sum())) > 0:
        room = np.flatnonzero(number < sizes)
        best = room[np.argsort(number[room] - shares[room], kind="stable")][:missing]
        number[best] += 1
    return number


def estimate_mean(values: Array, weights: Array | None, sample: RowSample) -> Estimate:
    """The mean of all, as the values of the sample tell it, with its standard error.

    The mean is that of the means of the strata, each with what it weighs; with weights, a quotient of sums, whose error
    is that of its residuals (Cochran 1977, equations 5.6, 5.13 and 6.13), with the correction for finite populations.
    """
    xp = backend_of(values).xp
    means, variances = _stratum_means(values, weights, sample.strata, sample.sizes)
    shares = sample.masses / xp.sum(sample.masses)
    return Estimate(xp.sum(shares * means), root(xp.sum(shares * shares * variances), xp))


def estimate_cluster_mean(values: Array, size: int) -> Estimate:
    """The mean of ``size`` samples, as the values of all or of some of them tell it, with its standard error."""
    xp, number = backend_of(values).xp, values.shape[0]
    mean = xp.mean(values)
    if number == size:
        return Estimate(mean, xp.zeros_like(mean))
    squares = xp.sum((values - mean) ** 2)
    return Estimate(mean, root(squares * ((1 - number / size) / (number * (number - 1))), xp))


def estimate_cluster_means(values: Array, points: Points, sample: RowSample | None) -> Estimate:
    """The mean of each cluster and its standard error, two arrays of shape (n_clusters,), of samples without weights.

    ``values`` are those of the sample, or of all samples for None. The errors are those of the clusters' samples as
    many as were drawn of each. NaN is the mean of a cluster of which nothing was drawn, and the error of one of which
    one of several was.
    """
    backend, k = points.backend, points.n_clusters
    xp = backend.xp
    if sample is None:
        counted = xp.where(points.codes < k, values, xp.zeros_like(values))
        means = ratio(backend.total(counted, points.codes, k + 1)[:k], points.masses, xp)
        return Estimate(means, xp.zeros_like(means))
    codes = to_host(points.codes)
    strata, sizes = codes[sample.rows], _sizes_of(codes, k)
    number = _sizes_of(strata, k)
    means, variances = _stratum_means(values, None, strata, sizes)
    return Estimate(
        _nan_where(number == 0, means),
        _nan_where(number < least_of_each(sizes), root(variances, xp)),
    )


def _nan_where(is_unknown: NDArray, values: Array) -> Array:
    backend = backend_of(values)
    return backend.xp.where(backend.from_host(is_unknown, values), backend.xp.full_like(values, float("nan")), values)


def _stratum_means(values: Array, weights: Array | None, strata: NDArray, sizes: NDArray) -> tuple[Array, Array]:
    """The mean of each stratum, and the variance of this mean; 0 for what is not known.

    ``strata`` has the stratum of each value, and ``sizes`` how many samples each stratum has.
    """
    backend = backend_of(values)
    xp, k = backend.xp, len(sizes)
    codes = backend.from_host(strata, values)
    weights = xp.ones_like(values) if weights is None else weights

    def total(x: Array) -> Array:
        return backend.total(x, codes, k)

    number = total(xp.ones_like(values))
    mass = total(weights)
    means = ratio(total(weights * values), mass, xp)
    residuals = weights * (values - xp.take(means, codes)) * xp.take(ratio(number, mass, xp), codes)
    variances = ratio(total(residuals * residuals), xp.where(number > 1, number - 1, xp.zeros_like(number)), xp)
    left = 1 - ratio(number, backend.from_host(sizes.astype(np.float64), values), xp)
    return means, left * ratio(variances, number, xp)
