"""Pairs of samples: how many are together in both partitions, in one of them, or in neither.

Pairs are *ordered* here, n (n - 1) of them: twice the unordered ones, so that every quotient is the same, nothing is
halved, and the four counts are scikit-learn's ``pair_confusion_matrix``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array, exact
from gpuval.numerics.exact import Limbs
from gpuval.numerics.stable import cross_difference, normalise, rest_of
from gpuval.table.self_pairs import pairs_within_cells, subtract_self_pairs
from gpuval.table.statistic import statistic
from gpuval.table.table import Table


@dataclass(eq=False)  # not frozen: that would take three times as long to make
class PairCounts:
    """The four counts of ordered pairs, as floats.

    They are exact but for one rounding if the table is of counts and the device has 64 bits.

    ``excess`` is both * neither - true_only * pred_only, what the chance-corrected coefficients have in their
    numerator, and ``surplus`` is true_only - pred_only: by themselves because they are differences of numbers that may
    be nearly equal.
    """

    both: Array
    true_only: Array
    pred_only: Array
    neither: Array
    excess: Array
    surplus: Array
    xp: Any

    @property
    def true(self) -> Array:
        """Pairs that are together in the true partition."""
        return self.both + self.true_only

    @property
    def pred(self) -> Array:
        """Pairs that are together in the predicted partition."""
        return self.both + self.pred_only

    @property
    def true_apart(self) -> Array:
        """Pairs that are apart in the true partition."""
        return self.pred_only + self.neither

    @property
    def pred_apart(self) -> Array:
        """Pairs that are apart in the predicted partition."""
        return self.true_only + self.neither

    @property
    def disagreements(self) -> Array:
        """Pairs on which the partitions disagree."""
        return self.true_only + self.pred_only

    @property
    def agreements(self) -> Array:
        """Pairs on which the partitions agree."""
        return self.both + self.neither

    @property
    def all(self) -> Array:
        """All pairs."""
        return self.agreements + self.disagreements

    def quotient(self, numerator: Array, denominator: Array) -> Array:
        """A normalised score: 1 for identical partitions, and 0 for 0/0 between others."""
        return normalise(numerator, denominator, self.disagreements == 0, self.xp)


@statistic
def count_pairs(table: Table) -> PairCounts:
    """Count the ordered pairs of samples of each kind."""
    found = table.engine.count_pairs(table)
    if found is not None:
        pairs = PairCounts(*found, table.xp)
    else:
        is_exact = table.is_integer and table.backend.widest(table.counts).is_64bit
        pairs = _exact_counts(table) if is_exact else _float_counts(table)
    return _without_copies(pairs, table) if table.self_pairs is not None and table.is_integer else pairs


def exact_pairs(table: Table) -> tuple[Limbs, Limbs, Limbs, Limbs]:
    """(both, true_only, pred_only, neither) as wide whole numbers."""
    xp = table.xp
    batch = table.total.shape
    cells = exact.sum_of_squares(xp.reshape(table.counts, (*batch, math.prod(table.counts.shape[len(batch) :]))), xp)
    classes = exact.sum_of_squares(table.class_sizes, xp)
    clusters = exact.sum_of_squares(table.cluster_sizes, xp)
    everything = exact.square(table.total)
    return (
        cells - exact.from_int(table.total),
        classes - cells,
        clusters - cells,
        (everything + cells) - (classes + clusters),
    )


def _exact_counts(table: Table) -> PairCounts:
    xp = table.xp
    both, true_only, pred_only, neither = exact_pairs(table)
    return PairCounts(
        exact.to_float(both, xp),
        exact.to_float(true_only, xp),
        exact.to_float(pred_only, xp),
        exact.to_float(neither, xp),
        exact.cross_difference_of_limbs(both, neither, true_only, pred_only, xp),
        exact.to_float(true_only - pred_only, xp),
        xp,
    )


def _without_copies(pairs: PairCounts, table: Table) -> PairCounts:
    """The pairs without those of two copies of one sample, where samples were drawn with replacement."""
    copies, xp = table.self_pairs, table.xp
    assert copies is not None
    kinds = pairs.both, pairs.true_only, pairs.pred_only, pairs.neither
    both, true_only, pred_only, neither = (subtract_self_pairs(x, copies[..., i], xp) for i, x in enumerate(kinds))
    return PairCounts(
        both, true_only, pred_only, neither, both * neither - true_only * pred_only, true_only - pred_only, xp
    )


def _float_counts(table: Table) -> PairCounts:
    """Sums of products that are not negative, and of differences by the cell, in which nothing cancels."""
    xp, cells, n = table.xp, table.cells, table.counts
    real = table.real(n)
    partners = n - 1 if table.is_integer else n, *_rests_of_cells(table)
    sums = [cells.sum(real * table.real(x)) for x in partners]
    if not table.is_integer and table.self_pairs is not None:
        itself = table.self_pairs
        sums = [
            pairs_within_cells(itself, sums[0]),
            *(subtract_self_pairs(x, itself[..., i], xp) for i, x in enumerate(sums[1:], 1)),
        ]
    both, true_only, pred_only, neither = sums
    excess, surplus = both * neither - true_only * pred_only, true_only - pred_only
    return PairCounts(both, true_only, pred_only, neither, excess, surplus, xp)


# What is left of a class, a cluster or a whole table when one of its parts is taken away, without cancellation.
#
# Differences of counts are exact. Of real weights, one may outweigh all others, whose sum is then lost in a difference.


def _rests_of_cells(table: Table) -> tuple[Array, Array, Array]:
    """Find what is left for each cell: of its class, of its cluster, and of what is outside of both."""
    of_class, of_cluster = rest_of_class(table), rest_of_cluster(table)
    xp, cells, n = table.xp, table.cells, table.counts
    if table.is_integer:
        return of_class, of_cluster, cells.everywhere(table.total) - n - of_class - of_cluster
    # Outside of the class less the rest of the cluster, or the other way round: the less is taken away, the better.
    outside_class = cells.by_class(rest_of_groups(table.class_sizes, table.total))
    outside_cluster = cells.by_cluster(rest_of_groups(table.cluster_sizes, table.total))
    less = xp.where(of_class < of_cluster, outside_cluster - of_class, outside_class - of_cluster)
    elsewhere = _outside_of_most(table, xp.where(less > 0, less, xp.zeros_like(less)))
    return of_class, of_cluster, elsewhere


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
    return whole - table.counts if table.is_integer else _rest_of(table.counts, whole, summed)


def rest_of_groups(sizes: Array, total: Array) -> Array:
    """The total less the size of each class, or of each cluster."""
    whole, backend = total[..., None], backend_of(sizes)
    if backend.kind(sizes) == "integer":
        return whole - sizes
    return _rest_of(sizes, whole, lambda x: backend.sum(x, -1)[..., None])


def _rest_of(part: Array, whole: Array, added_up: Callable[[Array], Array]) -> Array:
    """As :func:`rest_of`, with the derivative of the difference, which needs no sums."""
    return as_difference(rest_of(part, whole, added_up, backend_of(part).xp), whole, part)


def as_difference(found: Array, x: Array, y: Array) -> Array:
    """``found``, which is x - y to more digits, with the derivative of x - y where that is faster to compile."""
    return backend_of(found).with_slopes(lambda found, *_: found, lambda *_: (0.0, 1.0, -1.0), found, x, y)


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
        of_class, of_cluster, elsewhere = _rests_of_cells(table)
        return table.counts * elsewhere - of_class * of_cluster
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

    def sum_met(sizes: Array) -> Array:
        aligned = align(sizes)
        return added_up(xp.where(is_met, aligned, xp.zeros_like(aligned)))

    if table.is_integer:
        return table.total[..., None] - sum_met(sizes)
    most = xp.where(sizes > table.total[..., None] / 2.0, sizes, xp.zeros_like(sizes))
    unmet = sum(backend_of(x).sum(x, -1)[..., None] - sum_met(x) for x in (most, sizes - most))
    meets_all = added_up(xp.astype(is_met, backend_of(sizes).widest(sizes).int)) == number[..., None]
    return xp.where(meets_all | (unmet < 0), xp.zeros_like(unmet), unmet)
