"""How much of each sample's cluster is of its class, and of its class in its cluster, beyond chance."""

from __future__ import annotations

from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.statistics import statistic
from gpuval.table.statistics.counts import must_be_of_counts
from gpuval.table.statistics.pairs import count_pairs
from gpuval.table.statistics.rests import (
    excess_of_cells,
    rest_of_class,
    rest_of_cluster,
    unmet_by_class,
    unmet_by_cluster,
)
from gpuval.table.table import Side, Table


@statistic
def adjusted_share_of_own_cluster(table: Table) -> Array:
    """(P - E) / (1 - E), with P the mean share of a sample's cluster that is of its class, and E what is expected."""
    return _adjusted(table, "pred")


@statistic
def adjusted_share_of_own_class(table: Table) -> Array:
    """The same with the roles of classes and clusters exchanged."""
    return _adjusted(table, "true")


@statistic
def _squared_excess(table: Table) -> Array:
    """(n_ij - a_i b_j / n)^2 of each cell that is not empty; 0 of the others."""
    xp, cells = table.xp, table.cells
    excess = ratio(excess_of_cells(table), cells.everywhere(table.real(table.total)), xp)
    return xp.where(table.counts > 0, excess * excess, 0.0)


def _adjusted(table: Table, of: Side) -> Array:
    """Of m groups of sizes b_j on the side ``of``, and the pairs that the other side, of sizes a_i, has apart.

    Two differences are the same number. One is 1 less sum_ij n_ij (b_j - n_ij) / b_j all / ((n - m) apart): no worse
    than a rounding of 1. The other, (S all / apart - (m - 1)) / (n - m) with S = sum_ij (n_ij - a_i b_j / n)^2 / b_j,
    keeps the digits of a small number, where both of its terms are below 1. An empty cell adds a_i^2 b_j / n^2 to S.
    """
    xp, cells, pairs = table.xp, table.cells, count_pairs(table)
    is_of_counts = must_be_of_counts(
        table, "adjusted BCubed scores", "of weights it is not known what each sample with itself weighs"
    )
    if of == "pred":
        sizes, number, others, apart = table.cluster_sizes, table.n_clusters, table.class_sizes, pairs.true_apart
        align, rest, unmet = cells.by_cluster, rest_of_cluster, unmet_by_class
    else:
        sizes, number, others, apart = table.class_sizes, table.n_classes, table.cluster_sizes, pairs.pred_apart
        align, rest, unmet = cells.by_class, rest_of_class, unmet_by_cluster
    count, size, n = table.real(table.counts), table.real(align(sizes)), table.real(table.total)
    lost = cells.sum(count * ratio(table.real(rest(table)), size, xp))

    share = ratio(table.real(others), n[..., None], xp)
    from_empty = xp.sum(share * share * table.real(unmet(table)), axis=-1)
    spread = cells.sum(ratio(_squared_excess(table), size, xp)) + from_empty

    whole = table.real(table.total - xp.astype(number, table.total.dtype)) * apart
    found, by_chance = spread * pairs.all, (table.real(number) - 1.0) * apart
    gain = xp.where(found + by_chance < whole, found - by_chance, whole - lost * pairs.all)
    score = pairs.quotient(gain, whole)
    return score if is_of_counts is None else xp.where(is_of_counts, score, float("nan"))
