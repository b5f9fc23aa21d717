"""How many standard deviations a table is from what is expected by chance: moments of pair counts, and z-scores."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.options import check_option, check_resamples, generator
from gpuval.metrics._common.metric import metric, table_metric
from gpuval.numerics import Array, NDArray
from gpuval.numerics.information_variance import number_of_terms, variance_of_information
from gpuval.numerics.pair_moments import exact_moments, variance_of_pairs
from gpuval.numerics.stable import ratio
from gpuval.table.statistics.entropies import information
from gpuval.table.statistics.expected import expected_parts
from gpuval.table.statistics.pair_moments import pair_moments
from gpuval.table.table import Table

__all__ = ["pair_count_moments", "standardized_mutual_info_score", "standardized_rand_score"]

_SECONDS_OF_TERM, _SECONDS_OF_NUMBER = 3e-6, 1e-7
"""What a term of the exact variance takes, with its degrees, and a number of a random table."""


class PairCountMoments(NamedTuple):
    """The moments of :func:`pair_count_moments`."""

    mean: Array
    variance: Array
    skewness: Array


@metric(values="several")
def pair_count_moments(table: Table) -> PairCountMoments:
    """Moments of the number T of pairs together in both partitions, if samples are permuted.

    T = sum_ij C(n_ij, 2), with all class and cluster sizes held fixed. The mean is A B / N for the pairs within classes
    A = sum_i C(a_i, 2), those within clusters B = sum_j C(b_j, 2), and all pairs N = C(n, 2). The variance is that of
    [1]_ (not checked against the text) in a form in which nothing cancels, so that it keeps its digits however many
    samples there are; the third moment is found in Python's integers.

    Returns
    -------
    PairCountMoments
        ``mean``, ``variance`` and ``skewness``, the third central moment as a share of variance^(3/2). Symmetric. Where
        the sizes settle T (one group, or single samples, on either side; one sample beside a group, where all groups of
        the other side are of one size) the variance is 0, and the skewness NaN. The skewness is a host step: on a
        device the sizes are transferred, and in a compiled graph it is NaN.

    Raises
    ------
    ValueError
        The table has cells that are not whole: the null model is one of counts. (NaN inside jax.jit and torch.compile.)

    Notes
    -----
    Scores that are linear in T have their moments from it: the adjusted Rand index has the mean 0, the variance
    Var T / ((A + B)/2 - A B / N)^2, and the same skewness.

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


@metric
def standardized_rand_score(table: Table) -> Array:
    """How many standard deviations more pairs agree than in a random partition of these sizes.

    z = (T - E[T]) / sd(T) for the number T of pairs together in both partitions, with the mean and the standard
    deviation over all permutations of the samples ([1]_, not checked against the text; [2]_, not checked against the
    text). The Rand index and its adjusted form have the same z, as they are linear in T.

    Returns
    -------
    float
        Higher is better, without a bound: it grows like sqrt(n). 0 is the value expected of a random partition.
        Symmetric. NaN where the sizes settle T, as :func:`pair_count_moments` says: also for some identical partitions.

    Raises
    ------
    ValueError
        The table has cells that are not whole: the null model is one of counts. (NaN inside jax.jit and torch.compile.)

    Notes
    -----
    It compares clusterings of different numbers of clusters by how little they are due to chance, not by how good they
    are: use :func:`adjusted_rand_score` for that. T is skewed to the right where there are few clusters: a p-value is
    :func:`permutation_test`'s, not that of a normal distribution.

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


@table_metric(values="one", is_host_step=True)
def standardized_mutual_info_score(
    table: Table,
    *,
    method: Literal["auto", "exact", "sampling"] = "auto",
    n_resamples: int = 999,
    random_state: Any = None,
) -> Array:
    """How many standard deviations more information is shared than with a random partition of these sizes.

    SMI = (I - E[I]) / sd(I), with the mean and the standard deviation over all permutations of the samples ([1]_, not
    checked against the text). A host step.

    Parameters
    ----------
    method
        "exact": the variance is a sum over pairs of distinct class and cluster sizes, a few microseconds each.
        "sampling": that of random tables, which errs by a share of about 1 / sqrt(2 n_resamples) of the score. "auto":
        exact, unless that takes more than about a second, and longer than the random tables.
    n_resamples
        How many random tables are drawn.
    random_state
        A seed or a generator of NumPy; the same seed gives the same tables.

    Returns
    -------
    float
        Higher is better, without a bound. 0 is the value expected of a random partition. Symmetric. NaN where the sizes
        settle the information, as :func:`pair_count_moments` says: also for some identical partitions.

    Raises
    ------
    ValueError
        The table has cells that are not whole: the null model is one of counts. An unknown method.

    Notes
    -----
    It compares clusterings of different numbers of clusters by how little they are due to chance, not by how good they
    are: use :func:`adjusted_mutual_info_score` for that.

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
    n_resamples, random = check_resamples(n_resamples), generator(random_state)
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
    from gpuval.table.resampling.chance.null_tables import NullModel  # only now: most scores draw no tables

    drawn = NullModel(class_sizes, cluster_sizes).sums(n_resamples, random).logarithms / float(n)
    return float(np.var(drawn, ddof=1)) if n_resamples > 1 else math.nan
