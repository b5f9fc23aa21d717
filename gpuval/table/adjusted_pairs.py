"""Pairs of samples beside what is expected of them: of each class and each cluster, and moments over permutations."""

from __future__ import annotations

from dataclasses import dataclass

from gpuval.numerics import Array, exact
from gpuval.numerics.exact import Limbs
from gpuval.numerics.stable import normalise, ratio
from gpuval.table.pairs import PairCounts, count_pairs, exact_pairs, rest_of_class, rest_of_cluster
from gpuval.table.statistic import must_be_of_counts, statistic
from gpuval.table.table import Side, Table

# Pairs of samples of each class, or each cluster: how far the other partition keeps them together, beyond chance.


@statistic
def adjusted_by_class(table: Table) -> Array:
    """(W_i - E) / (1 - E) of each class i; NaN for a class without a pair.

    W_i is the share of its pairs that are in one cluster, and E the share of all pairs that are.
    """
    return _wallace_by_group(table, "true")


@statistic
def adjusted_by_cluster(table: Table) -> Array:
    """The same of each cluster, with the roles of classes and clusters exchanged."""
    return _wallace_by_group(table, "pred")


@statistic
def share_of_pairs_together(table: Table) -> Array:
    """W_i, the share of the pairs of each class i that are in one cluster; NaN for a class without a pair."""
    is_of_counts = must_be_of_counts(
        table, "prediction strengths", "of weights it is not known what the pairs of a class weigh"
    )
    together, apart = _pairs_of_groups(table, "true")
    shares = ratio(together, together + apart, table.xp, if_zero=float("nan"))
    return shares if is_of_counts is None else table.xp.where(is_of_counts[..., None], shares, float("nan"))


@statistic
def lowest_share_of_pairs_together(table: Table) -> Array:
    """The lowest W_i of the classes with a pair; NaN if there is none."""
    xp, shares = table.xp, share_of_pairs_together(table)
    known = xp.where(xp.isnan(shares), float("inf"), shares)
    lowest = xp.min(known, axis=-1) if known.shape[-1] else xp.sum(known, axis=-1) + float("inf")
    return xp.where(xp.isfinite(lowest), lowest, float("nan"))


def _wallace_by_group(table: Table, of: Side) -> Array:
    """With the ordered pairs of the group that are together and apart in the other partition, and all that are so.

    (together all_apart - apart all_together) / ((together + apart) all_apart): the same number, from a difference that
    is exact in a table of counts on a device of 64 bits.
    """
    xp = table.xp
    is_of_counts = must_be_of_counts(
        table, "adjusted scores of each class or cluster", "of weights it is not known what each one's pairs weigh"
    )
    pairs = count_pairs(table)
    is_exact = table.is_integer and table.backend.widest(table.counts).is_64bit
    excess, whole = _exact_excess(table, of) if is_exact else _float_excess(table, pairs, of)
    all_apart = pairs.pred_apart if of == "true" else pairs.true_apart
    scores = normalise(excess, whole * all_apart[..., None], (pairs.disagreements == 0)[..., None], xp)
    is_defined = whole > 0 if is_of_counts is None else (whole > 0) & is_of_counts[..., None]
    return xp.where(is_defined, scores, float("nan"))


def _exact_excess(table: Table, of: Side) -> tuple[Array, Array]:
    """The numerator, and the pairs of each group."""
    xp, cells = table.xp, table.cells
    sizes, added_up = (
        (table.class_sizes, cells.sum_by_class) if of == "true" else (table.cluster_sizes, cells.sum_by_cluster)
    )
    squares = exact.squares_added_up(table.counts, added_up)
    together, apart = squares - exact.from_int(sizes), exact.square(sizes) - squares
    both, true_only, pred_only, neither = exact_pairs(table)
    own_only, other_only = (true_only, pred_only) if of == "true" else (pred_only, true_only)
    all_apart, all_together = (_align_with_groups(x) for x in (own_only + neither, both + other_only))
    excess = exact.cross_difference_of_limbs(together, all_apart, apart, all_together, xp)
    return excess, exact.to_float(together + apart, xp)


def _float_excess(table: Table, pairs: PairCounts, of: Side) -> tuple[Array, Array]:
    all_apart, all_together = (pairs.pred_apart, pairs.pred) if of == "true" else (pairs.true_apart, pairs.true)
    together, apart = _pairs_of_groups(table, of)
    return together * all_apart[..., None] - apart * all_together[..., None], together + apart


def _pairs_of_groups(table: Table, of: Side) -> tuple[Array, Array]:
    """The ordered pairs of each group that are together in the other partition, and those that are apart there."""
    cells, n = table.cells, table.counts
    added_up, rest = (cells.sum_by_class, rest_of_class) if of == "true" else (cells.sum_by_cluster, rest_of_cluster)
    real = table.real(n)
    return added_up(real * table.real(n - 1)), added_up(real * table.real(rest(table)))


def _align_with_groups(x: Limbs) -> Limbs:
    """A number for each table, aligned with those for each group."""
    return Limbs(*(limb[..., None] for limb in x))


# What is expected of the pairs together in both partitions, T, if samples are permuted with all sizes fixed.


@dataclass(frozen=True, eq=False)
class PairMoments:
    """The mean and the variance of T, T less its mean, and whether the sizes settle T."""

    mean: Array
    variance: Array
    excess: Array
    is_settled: Array


@statistic
def pair_moments(table: Table) -> PairMoments:
    """Find the moments of T, in unordered pairs; NaN where it is not known that the table is of counts."""
    from gpuval.numerics.permutation_moments import variance_of_pairs  # only now: scores of pairs do without

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
