"""What is left of a class, a cluster or a whole table when one of its parts is taken away, without cancellation.

Differences of counts are exact. Of real weights, one may outweigh all others, whose sum is then lost in a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array
from gpuval.numerics.stable import cross_difference, rest_of
from gpuval.table.table import Table


@dataclass(frozen=True)
class Rests:
    """What is left for each cell, aligned with them: of its class, of its cluster, and of what is outside of both."""

    of_class: Array
    of_cluster: Array
    elsewhere: Array


def rests_of_cells(table: Table) -> Rests:
    """Find what is left for each cell."""
    of_class, of_cluster = rest_of_class(table), rest_of_cluster(table)
    xp, cells, n = table.xp, table.cells, table.counts
    if table.is_integer:
        return Rests(of_class, of_cluster, cells.everywhere(table.total) - n - of_class - of_cluster)
    # Outside of the class less the rest of the cluster, or the other way round: the less is taken away, the better.
    outside_class = cells.by_class(rest_of_groups(table.class_sizes, table.total))
    outside_cluster = cells.by_cluster(rest_of_groups(table.cluster_sizes, table.total))
    less = xp.where(of_class < of_cluster, outside_cluster - of_class, outside_class - of_cluster)
    elsewhere = _outside_of_most(table, xp.where(less > 0, less, xp.zeros_like(less)))
    return Rests(of_class, of_cluster, elsewhere)


def _outside_of_most(table: Table, elsewhere: Array) -> Array:
    """What is outside of the class and the cluster of each cell, of one that is most of the table added up anew.

    The difference of a cell has a rounding error of about the smaller rest, r, times the precision. In products with
    the cell, of weight n, that is n r. All pairs of the rest of its class and the rest of its cluster are apart in both
    partitions, so that the error only matters if n is far above both rests, and if the rests are far above what is
    outside: then the cell is most of the table.
    """
    xp, cells, n = table.xp, table.cells, table.counts
    is_most = n > cells.everywhere(table.total) / 2.0
    view = table.backend.host_view(is_most)
    if view is not None and not view.any():
        return elsewhere
    most = table.total[..., None] / 2.0
    is_beside = cells.by_class(table.class_sizes > most) | cells.by_cluster(table.cluster_sizes > most)
    return xp.where(is_most, cells.everywhere(cells.sum(xp.where(is_beside, xp.zeros_like(n), n))), elsewhere)


def rest_of_class(table: Table) -> Array:
    """The size of its class less each cell."""
    cells = table.cells
    return _rest(table, cells.by_class(table.class_sizes), lambda x: cells.by_class(cells.sum_by_class(x)))


def rest_of_cluster(table: Table) -> Array:
    """The size of its cluster less each cell."""
    cells = table.cells
    return _rest(table, cells.by_cluster(table.cluster_sizes), lambda x: cells.by_cluster(cells.sum_by_cluster(x)))


def rest_of_table(table: Table) -> Array:
    """The total less each cell."""
    cells = table.cells
    return _rest(table, cells.everywhere(table.total), lambda x: cells.everywhere(cells.sum(x)))


def _rest(table: Table, whole: Array, summed: Callable[[Array], Array]) -> Array:
    """``whole`` less each cell; ``summed`` gives what a value for each cell adds up to in its whole."""
    return whole - table.counts if table.is_integer else rest_of(table.counts, whole, summed, table.xp)


def rest_of_groups(sizes: Array, total: Array) -> Array:
    """The total less the size of each class, or of each cluster."""
    whole, backend = total[..., None], backend_of(sizes)
    if backend.kind(sizes) == "integer":
        return whole - sizes
    return rest_of(sizes, whole, lambda x: backend.sum(x, -1)[..., None], backend.xp)


def rest_of_best_by_class(table: Table) -> Array:
    """The size of each class less its largest cell."""
    cells, n, sizes = table.cells, table.counts, table.class_sizes
    best = cells.max_by_class(n)
    if table.is_integer:
        return sizes - best
    return rest_of(best, sizes, lambda _: cells.sum_by_class(_not_most(n, cells.by_class(sizes))), table.xp)


def rest_of_best_by_cluster(table: Table) -> Array:
    """The size of each cluster less its largest cell."""
    cells, n, sizes = table.cells, table.counts, table.cluster_sizes
    best = cells.max_by_cluster(n)
    if table.is_integer:
        return sizes - best
    return rest_of(best, sizes, lambda _: cells.sum_by_cluster(_not_most(n, cells.by_cluster(sizes))), table.xp)


def _not_most(parts: Array, whole: Array) -> Array:
    """The parts that are no more than half of their whole."""
    xp = backend_of(parts).xp
    return xp.where(parts > whole / 2.0, xp.zeros_like(parts), parts)


def excess_of_cells(table: Table) -> Array:
    """How much more than by chance each cell holds, times the total: n_ij n - a_i b_j, with no more than one rounding.

    Of real weights it is n_ij times what is outside of its class and cluster, less the rest of its class times the
    rest of its cluster.
    """
    xp, cells = table.xp, table.cells
    if not table.is_integer:
        rests = rests_of_cells(table)
        return table.counts * rests.elsewhere - rests.of_class * rests.of_cluster
    k, n, a, b = (
        table.real(x)
        for x in (
            table.counts,
            cells.everywhere(table.total),
            cells.by_class(table.class_sizes),
            cells.by_cluster(table.cluster_sizes),
        )
    )
    return cross_difference(k, n, a, b, xp)


def unmet_by_class(table: Table) -> Array:
    """The sizes, added up, of the clusters that each class shares nothing with."""
    cells = table.cells
    return _unmet(table, table.cluster_sizes, cells.by_cluster, cells.sum_by_class, table.n_clusters)


def unmet_by_cluster(table: Table) -> Array:
    """The sizes, added up, of the classes that each cluster shares nothing with."""
    cells = table.cells
    return _unmet(table, table.class_sizes, cells.by_class, cells.sum_by_cluster, table.n_classes)


def _unmet(
    table: Table, sizes: Array, align: Callable[[Array], Array], added_up: Callable[[Array], Array], number: Array
) -> Array:
    """``sizes`` are those of the ``number`` groups of one side; the sums are for each group of the other side."""
    xp = table.xp
    is_met = table.counts > 0

    def met(sizes: Array) -> Array:
        aligned = align(sizes)
        return added_up(xp.where(is_met, aligned, xp.zeros_like(aligned)))

    if table.is_integer:
        return table.total[..., None] - met(sizes)
    most = xp.where(sizes > table.total[..., None] / 2.0, sizes, xp.zeros_like(sizes))
    unmet = sum(backend_of(x).sum(x, -1)[..., None] - met(x) for x in (most, sizes - most))
    meets_all = added_up(xp.astype(is_met, backend_of(sizes).widest(sizes).int)) == number[..., None]
    return xp.where(meets_all | (unmet < 0), xp.zeros_like(unmet), unmet)
