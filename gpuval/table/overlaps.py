"""How much of each class lies in each cluster, many to one; also beyond chance."""

from __future__ import annotations

from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.pairs import (
    count_pairs,
    excess_of_cells,
    rest_of_class,
    rest_of_cluster,
    unmet_by_class,
    unmet_by_cluster,
)
from gpuval.table.statistic import must_be_of_counts, part_of, statistic
from gpuval.table.table import Side, Table


@statistic
def _overlaps_of_engine(table: Table) -> tuple[Array, ...] | None:
    """The six means below, in their order, if the engine finds them at once."""
    return table.engine.overlaps(table)


@part_of(_overlaps_of_engine, 0)
def share_in_best_class(table: Table) -> Array:
    """1/n sum_j max_i n_ij."""
    return _share(table, table.cells.max_by_cluster(table.counts))


@part_of(_overlaps_of_engine, 1)
def share_in_best_cluster(table: Table) -> Array:
    """1/n sum_i max_j n_ij."""
    return _share(table, table.cells.max_by_class(table.counts))


@part_of(_overlaps_of_engine, 2)
def share_of_own_cluster(table: Table) -> Array:
    """1/n sum_ij n_ij^2 / b_j: how much of a sample's cluster is of its class, on average."""
    return _mean_share(table, table.cells.by_cluster(table.cluster_sizes))


@part_of(_overlaps_of_engine, 3)
def share_of_own_class(table: Table) -> Array:
    """1/n sum_ij n_ij^2 / a_i: how much of a sample's class is in its cluster, on average."""
    return _mean_share(table, table.cells.by_class(table.class_sizes))


@statistic
def share_of_own_larger_group(table: Table) -> Array:
    """1/n sum_ij n_ij^2 / max(a_i, b_j): how much a sample's class and cluster share of the larger one, on average."""
    summed = table.cells.sum(table.real(table.counts) * share_of_larger_group(table))
    return ratio(summed, table.real(table.total), table.xp, if_zero=1.0)


def share_of_larger_group(table: Table) -> Array:
    """n_ij / max(a_i, b_j) of each cell; 0 where both groups are empty."""
    larger = table.xp.maximum(table.cells.by_class(table.class_sizes), table.cells.by_cluster(table.cluster_sizes))
    return ratio(table.real(table.counts), table.real(larger), table.xp)


@part_of(_overlaps_of_engine, 4)
def f_of_classes(table: Table) -> Array:
    """1/n sum_i a_i max_j 2 n_ij / (a_i + b_j)."""
    xp = table.xp
    weighted = xp.sum(table.real(table.class_sizes) * f_of_each_class(table), axis=-1)
    return ratio(weighted, table.real(table.total), xp, if_zero=1.0)


def f_of_each_class(table: Table) -> Array:
    """max_j 2 n_ij / (a_i + b_j) of each class i; 0 if it has no samples."""
    cells = table.cells
    a, b = cells.by_class(table.class_sizes), cells.by_cluster(table.cluster_sizes)
    return cells.max_by_class(ratio(2.0 * table.real(table.counts), table.real(a + b), table.xp))


def jaccard_of_each_class(table: Table) -> Array:
    """max_j n_ij / (a_i + b_j - n_ij) of each class i; 0 if it has no samples."""
    return table.cells.max_by_class(_jaccard_of_cells(table))


def jaccard_of_each_cluster(table: Table) -> Array:
    """max_i n_ij / (a_i + b_j - n_ij) of each cluster j; 0 if it has no samples."""
    return table.cells.max_by_cluster(_jaccard_of_cells(table))


def _jaccard_of_cells(table: Table) -> Array:
    either = table.cells.by_class(table.class_sizes) + rest_of_cluster(table)
    return ratio(table.real(table.counts), table.real(either), table.xp)


@part_of(_overlaps_of_engine, 5)
def mean_f_of_clusters(table: Table) -> Array:
    """The mean over the clusters that occur of 2 n_ij / (a_i + b_j), i the best class of cluster j."""
    xp = table.xp
    return ratio(xp.sum(f_of_clusters(table), axis=-1), table.real(table.n_clusters), xp, if_zero=1.0)


def f_of_clusters(table: Table) -> Array:
    """2 n_ij / (a_i + b_j) of each cluster j, i its best class."""
    overlap, classes, clusters = best_class(table)
    return ratio(2.0 * overlap, classes + clusters, table.xp)


def best_class(table: Table) -> tuple[Array, Array, Array]:
    """For each cluster: its overlap with its best class, the size of that class, and its own size.

    Of classes that have as many samples in it, the best is the largest.
    """
    overlap, sizes = _best_overlaps(table)
    return table.real(overlap), table.real(table.cells.max_by_cluster(sizes)), table.real(table.cluster_sizes)


def place_of_best_class(table: Table) -> Array:
    """The row of the best class of each cluster, the first of equal ones; -1 if the cluster has no samples."""
    xp, cells, backend = table.xp, table.cells, table.backend
    _, sizes = _best_overlaps(table)
    is_best = (sizes > 0) & (sizes == cells.by_cluster(cells.max_by_cluster(sizes)))
    n_rows, integer = int(table.class_sizes.shape[-1]), backend.widest(table.counts).int
    from_below = cells.by_class(n_rows - backend.arange_beside(0, n_rows, integer, table.counts))
    place = cells.max_by_cluster(xp.where(is_best, from_below, xp.zeros_like(from_below)))
    return xp.where(place > 0, n_rows - place, -1)


def _best_overlaps(table: Table) -> tuple[Array, Array]:
    """The largest count of each cluster; and for each cell that has it, the size of the class, 0 for other cells."""
    xp, cells, n = table.xp, table.cells, table.counts
    overlap = cells.max_by_cluster(n)
    is_best = (n == cells.by_cluster(overlap)) & (n > 0)
    return overlap, xp.where(is_best, cells.by_class(table.class_sizes), xp.zeros_like(n))


def _share(table: Table, best: Array) -> Array:
    """The sum of ``best`` as a share of all samples; 1 if there are none."""
    return ratio(table.real(table.backend.sum(best, -1)), table.real(table.total), table.xp, if_zero=1.0)


def _mean_share(table: Table, group: Array) -> Array:
    n = table.real(table.counts)
    summed = table.cells.sum(n * ratio(n, table.real(group), table.xp))
    return ratio(summed, table.real(table.total), table.xp, if_zero=1.0)


# How much of each sample's cluster is of its class, and of its class in its cluster, beyond chance.


@statistic
def adjusted_share_of_own_cluster(table: Table) -> Array:
    """(P - E) / (1 - E), with P the mean share of a sample's cluster that is of its class, and E what is expected."""
    return _share_beyond_chance(table, "pred")


@statistic
def adjusted_share_of_own_class(table: Table) -> Array:
    """The same with the roles of classes and clusters exchanged."""
    return _share_beyond_chance(table, "true")


@statistic
def _squared_excess(table: Table) -> Array:
    """(n_ij - a_i b_j / n)^2 of each cell that is not empty; 0 of the others."""
    xp, cells = table.xp, table.cells
    excess = ratio(excess_of_cells(table), cells.everywhere(table.real(table.total)), xp)
    return xp.where(table.counts > 0, excess * excess, 0.0)


def _share_beyond_chance(table: Table, of: Side) -> Array:
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
