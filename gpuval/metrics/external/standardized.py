"""How many standard deviations a score is above its value by chance: moments of pair counts, and z-scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from math import inf, nan
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.options import check_count, check_option, generator
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import table_measure
from gpuval.numerics import Array, NDArray
from gpuval.numerics.permutation_moments import (
    exact_moments,
    number_of_terms,
    variance_of_information,
    variance_of_pairs,
)
from gpuval.numerics.stable import ratio
from gpuval.table.adjusted_pairs import pair_moments
from gpuval.table.information import expected_parts, information
from gpuval.table.table import Table

__all__ = ["pair_count_moments", "standardized_mutual_info_score", "standardized_rand_score"]

CHANCE = Family("distance from chance, in standard deviations", table_measure, of_two=True, class_weight=2)

_SECONDS_OF_TERM, _SECONDS_OF_NUMBER = 3e-6, 1e-7
"""What a term of the exact variance takes, with its degrees, and a number of a random table."""


class PairCountMoments(NamedTuple):
    """Mean, variance and skewness, as :func:`pair_count_moments` returns them."""

    mean: Array
    variance: Array
    skewness: Array


@measure(CHANCE, better="", range=(-inf, inf), values="several", needs_counts=True)
def pair_count_moments(table: Table) -> PairCountMoments:
    """Mean, variance and skewness of the number of pairs together in both partitions, by chance.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, cluster j has ``b_j``,
    and ``C(x, 2)`` is the number of pairs of x samples. ``T = sum_ij C(n_ij, 2)`` pairs are together in both
    partitions. The moments of T are taken over all permutations of the samples, where the sizes of classes and clusters
    stay the same. The mean is ``A * B / N``, with ``A = sum_i C(a_i, 2)`` pairs within classes, ``B = sum_j C(b_j, 2)``
    pairs within clusters, and ``N = C(n, 2)`` pairs in all. The variance is that of [1]_.

    Returns
    -------
    PairCountMoments
        ``mean``, ``variance`` and ``skewness``; the skewness is the third central moment divided by variance^(3/2).
        Symmetric. In some cases the sizes alone determine T: one side has one group, or only single samples; or one
        side has one sample and one other group, and all groups of the other side have the same size. Then the variance
        is 0 and the skewness is NaN.

    Raises
    ------
    ValueError
        The contingency table has cells that are not whole numbers. Chance is modelled for counts of samples only.
        (Inside jax.jit and torch.compile the result is NaN instead.)

    Notes
    -----
    The variance is computed in a form in which nothing cancels, so it keeps its digits for any number of samples. The
    third moment is computed in Python's integers. So the skewness is a host step: sizes on a device are copied to the
    CPU, and in a compiled graph it is NaN.

    The moments of T give those of every score that is linear in T. The adjusted Rand index has the mean 0, the variance
    ``Var(T) / ((A + B) / 2 - A * B / N)^2``, and the same skewness.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.

    Examples
    --------
    >>> from gpuval import pair_count_moments
    >>> mean, variance, skewness = pair_count_moments([0, 0, 1, 1], [0, 1, 0, 1])
    >>> [round(float(x), 12) for x in (mean, variance, skewness)]  # T is 2 for one table of three, else 0
    [0.666666666667, 0.888888888889, 0.707106781187]
    >>> float(pair_count_moments([0, 0, 1, 1], [0, 0, 0, 0]).variance)
    0.0
    """
    moments = pair_moments(table)
    backend, shape = table.backend, tuple(table.total.shape)
    if not backend.is_known(table.counts):
        return PairCountMoments(moments.mean, moments.variance, 0 * moments.variance + float("nan"))
    skewness = [_skewness(*sizes) for sizes in _sizes_of_each(table)]
    host = np.asarray(skewness, dtype=np.float64).reshape(shape)
    return PairCountMoments(moments.mean, moments.variance, backend.from_host(host, table.counts))


def _skewness(class_sizes: NDArray, cluster_sizes: NDArray) -> float:
    _, variance, third = exact_moments(class_sizes.tolist(), cluster_sizes.tolist())
    if variance == 0:
        return math.nan
    return math.copysign(math.sqrt(third**2 / variance**3), third)


def _sizes_of_each(table: Table) -> Iterable[tuple[NDArray, NDArray]]:
    """The class and the cluster sizes of each table of a batch, on the host, of int64."""
    sides = [to_host(x) for x in (table.class_sizes, table.cluster_sizes)]
    return zip(*(np.rint(x).astype(np.int64).reshape(math.prod(x.shape[:-1]), x.shape[-1]) for x in sides), strict=True)


@measure(CHANCE, range=(-inf, inf), adjusted=True, follows="pairs", of_nothing=nan, needs_counts=True)
def standardized_rand_score(table: Table) -> Array:
    """Standardised Rand index: by how many standard deviations more pairs agree than in a random partition.

    ``T`` is the number of pairs together in both partitions. The score is ``z = (T - E[T]) / sd(T)``, with the mean
    E[T] and the standard deviation sd(T) over all permutations of the samples, where the sizes of classes and clusters
    stay the same ([1]_; [2]_). The Rand index and the adjusted Rand index have the same z, because both are linear in
    T.

    Returns
    -------
    float
        Higher is better, without a bound: it grows like sqrt(n) with the number n of samples. 0 is the value expected
        of a random partition. Symmetric. NaN if the sizes alone determine T (:func:`pair_count_moments` says when).
        This is also the case for some identical partitions.

    Raises
    ------
    ValueError
        The contingency table has cells that are not whole numbers. Chance is modelled for counts of samples only.
        (Inside jax.jit and torch.compile the result is NaN instead.)

    Notes
    -----
    It says how unlikely the agreement is by chance, not how good a clustering is: for that use
    :func:`adjusted_rand_score`. With few clusters, T is skewed to the right, so the normal distribution gives no
    correct p-value. :func:`permutation_test` gives one.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] S. Romano, J. Bailey, N. X. Vinh and K. Verspoor, "Standardized mutual information for clustering
       comparisons: one step further in adjustment for chance", ICML 2014.

    Examples
    --------
    >>> from gpuval import standardized_rand_score
    >>> round(float(standardized_rand_score([0, 0, 1, 1], [1, 1, 0, 0])), 12)  # sqrt(2)
    1.414213562373
    >>> round(float(standardized_rand_score([0, 0, 1, 1], [0, 1, 0, 1])), 12)
    -0.707106781187
    """
    moments, xp = pair_moments(table), table.xp
    return ratio(moments.excess, moments.variance**0.5, xp, float("nan"))


@measure(
    CHANCE,
    range=(-inf, inf),
    adjusted=True,
    follows="information",
    of_nothing=nan,
    needs_counts=True,
    draws=True,
    host_steps=1,
    in_library=True,
)
def standardized_mutual_info_score(
    table: Table,
    *,
    method: Literal["auto", "exact", "sampling"] = "auto",
    n_resamples: int = 999,
    random_state: Any = None,
) -> Array:
    """Standardised mutual information (SMI): by how many standard deviations it exceeds that of a random partition.

    ``I`` is :func:`mutual_info_score`. The score is ``SMI = (I - E[I]) / sd(I)``, with the mean E[I] and the standard
    deviation sd(I) over all permutations of the samples, where the sizes of classes and clusters stay the same ([1]_).
    This is a host step: it runs on the CPU.

    Parameters
    ----------
    method
        How to find the variance. ``"exact"``: as a sum over pairs of distinct class and cluster sizes, each of which
        takes a few microseconds. ``"sampling"``: from random tables; the relative error of the score is about
        ``1 / sqrt(2 * n_resamples)``. ``"auto"``: exact, unless this takes more than about a second and longer than
        sampling.
    n_resamples
        How many random tables are drawn.
    random_state
        A seed or a generator of NumPy; the same seed gives the same tables.

    Returns
    -------
    float
        Higher is better, without a bound. 0 is the value expected of a random partition. Symmetric. NaN if the sizes
        alone determine the information (:func:`pair_count_moments` says when). This is also the case for some identical
        partitions.

    Raises
    ------
    ValueError
        The contingency table has cells that are not whole numbers (chance is modelled for counts of samples only), or
        the method is unknown.

    Notes
    -----
    It says how unlikely the agreement is by chance, not how good a clustering is: for that use
    :func:`adjusted_mutual_info_score`.

    References
    ----------
    .. [1] S. Romano, J. Bailey, N. X. Vinh and K. Verspoor, "Standardized mutual information for clustering
       comparisons: one step further in adjustment for chance", ICML 2014.

    Examples
    --------
    >>> from gpuval import standardized_mutual_info_score
    >>> round(float(standardized_mutual_info_score([0, 0, 1, 1], [1, 1, 0, 0])), 12)  # sqrt(2)
    1.414213562373
    >>> round(float(standardized_mutual_info_score([0, 0, 1, 1], [0, 1, 0, 1])), 12)
    -0.707106781187
    """
    check_option("method", method, ("auto", "exact", "sampling"))
    n_resamples, random = check_count("n_resamples", n_resamples), generator(random_state)
    seen = table.host_view()
    seen = table if seen is None else seen
    excess = to_host(information(seen).mutual - expected_parts(seen)[0])
    deviations = [
        math.sqrt(_information_variance(*sizes, method, n_resamples, random)) or math.nan
        for sizes in _sizes_of_each(seen)
    ]
    score = excess / np.asarray(deviations).reshape(excess.shape)
    return table.backend.from_host(score, table.counts)


def _information_variance(
    class_sizes: NDArray, cluster_sizes: NDArray, method: str, n_resamples: int, random: np.random.Generator
) -> float:
    """The variance of the mutual information, 0 where the sizes settle it."""
    a, b = (sizes.astype(np.float64) for sizes in (class_sizes, cluster_sizes))
    n = np.asarray(a.sum())
    if variance_of_pairs(a, b, n, np)[1]:  # what settles pairs settles the information, and nothing else does
        return 0.0
    if method == "auto":
        seconds = _SECONDS_OF_TERM * number_of_terms(class_sizes, cluster_sizes)
        is_exact = seconds <= max(1.0, _SECONDS_OF_NUMBER * n_resamples * min(len(a) * len(b), float(n)))
        method = "exact" if is_exact else "sampling"
    if method == "exact":
        return variance_of_information(class_sizes, cluster_sizes)
    from gpuval.table.resampling.permuted_tables import NullModel  # only now: most scores draw no tables

    drawn = NullModel(class_sizes, cluster_sizes).sums(n_resamples, random).logarithms / float(n)
    return float(np.var(drawn, ddof=1)) if n_resamples > 1 else math.nan
