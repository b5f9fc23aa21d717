"""What is expected of the pairs together in both partitions, T, if samples are permuted with all sizes fixed."""

from __future__ import annotations

from dataclasses import dataclass

from gpuval.numerics import Array
from gpuval.numerics.pair_moments import variance_of_pairs
from gpuval.numerics.stable import ratio
from gpuval.table.statistics import statistic
from gpuval.table.statistics.counts import must_be_of_counts
from gpuval.table.statistics.pairs import count_pairs
from gpuval.table.table import Table


@dataclass(frozen=True)
class PairMoments:
    """The mean and the variance of T, T less its mean, and whether the sizes settle T."""

    mean: Array
    variance: Array
    excess: Array
    is_settled: Array


@statistic
def pair_moments(table: Table) -> PairMoments:
    """Find the moments of T, in unordered pairs; NaN where it is not known that the table is of counts."""
    xp, pairs = table.xp, count_pairs(table)
    whole = must_be_of_counts(
        table, "the moments of pair counts and the standardized Rand score", "their null model permutes samples"
    )
    mean = ratio(pairs.true * pairs.pred, 2 * pairs.all, xp)
    variance, is_settled = variance_of_pairs(
        table.real(table.class_sizes), table.real(table.cluster_sizes), table.real(table.total), xp
    )
    excess = ratio(pairs.excess, 2 * pairs.all, xp)
    if whole is not None:
        mean, variance, excess = (xp.where(whole, x, float("nan")) for x in (mean, variance, excess))
    return PairMoments(mean, xp.where(is_settled, 0.0, variance), excess, is_settled)
