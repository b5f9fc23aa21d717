"""Pairs of samples of each class, or each cluster: how far the other partition keeps them together, beyond chance."""

from __future__ import annotations

from gpuval.numerics import Array, exact
from gpuval.numerics.exact import Limbs
from gpuval.numerics.stable import normalised
from gpuval.table.statistics import statistic
from gpuval.table.statistics.counts import must_be_of_counts
from gpuval.table.statistics.pairs import PairCounts, count_pairs, exact_pairs
from gpuval.table.statistics.rests import rest_of_class, rest_of_cluster
from gpuval.table.table import Side, Table


@statistic
def adjusted_by_class(table: Table) -> Array:
    """(W_i - E) / (1 - E) of each class i; NaN for a class without a pair.

    W_i is the share of its pairs that are in one cluster, and E the share of all pairs that are.
    """
    return _adjusted(table, "true")


@statistic
def adjusted_by_cluster(table: Table) -> Array:
    """The same of each cluster, with the roles of classes and clusters exchanged."""
    return _adjusted(table, "pred")


def _adjusted(table: Table, of: Side) -> Array:
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
    excess, whole = _exactly(table, of) if is_exact else _in_floats(table, pairs, of)
    all_apart = pairs.pred_apart if of == "true" else pairs.true_apart
    scores = normalised(excess, whole * all_apart[..., None], (pairs.differing == 0)[..., None], xp)
    is_defined = whole > 0 if is_of_counts is None else (whole > 0) & is_of_counts[..., None]
    return xp.where(is_defined, scores, float("nan"))


def _exactly(table: Table, of: Side) -> tuple[Array, Array]:
    """The numerator, and the pairs of each group."""
    xp, cells = table.xp, table.cells
    sizes, added_up = (
        (table.class_sizes, cells.sum_by_class) if of == "true" else (table.cluster_sizes, cells.sum_by_cluster)
    )
    squares = exact.squares_added_up(table.counts, added_up)
    together, apart = squares - exact.from_int(sizes), exact.square(sizes) - squares
    both, true_only, pred_only, neither = exact_pairs(table)
    own_only, other_only = (true_only, pred_only) if of == "true" else (pred_only, true_only)
    all_apart, all_together = (_for_each(x) for x in (own_only + neither, both + other_only))
    excess = exact.cross_difference_of_limbs(together, all_apart, apart, all_together, xp)
    return excess, exact.to_float(together + apart, xp)


def _in_floats(table: Table, pairs: PairCounts, of: Side) -> tuple[Array, Array]:
    cells, n = table.cells, table.counts
    if of == "true":
        added_up, rest, all_apart, all_together = cells.sum_by_class, rest_of_class, pairs.pred_apart, pairs.pred
    else:
        added_up, rest, all_apart, all_together = cells.sum_by_cluster, rest_of_cluster, pairs.true_apart, pairs.true
    real = table.real(n)
    together, apart = (added_up(real * table.real(x)) for x in (n - 1, rest(table)))
    return together * all_apart[..., None] - apart * all_together[..., None], together + apart


def _for_each(x: Limbs) -> Limbs:
    """A number for each table, aligned with those for each group."""
    return Limbs(*(limb[..., None] for limb in x))
