"""Pairs of samples: how many are together in both partitions, in one of them, or in neither.

Pairs are *ordered* here, n (n - 1) of them: twice the unordered ones, so that every quotient is the same, nothing is
halved, and the four counts are scikit-learn's ``pair_confusion_matrix``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gpuval.numerics import Array, exact
from gpuval.numerics.exact import Limbs
from gpuval.numerics.stable import normalised
from gpuval.table.self_pairs import within_cells, without
from gpuval.table.statistics import statistic
from gpuval.table.statistics.rests import rests_of_cells
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
    def differing(self) -> Array:
        """Pairs on which the partitions disagree."""
        return self.true_only + self.pred_only

    @property
    def agreeing(self) -> Array:
        """Pairs on which the partitions agree."""
        return self.both + self.neither

    @property
    def all(self) -> Array:
        """All pairs."""
        return self.agreeing + self.differing

    def quotient(self, numerator: Array, denominator: Array) -> Array:
        """A normalised score: 1 for identical partitions, and 0 for 0/0 between others."""
        return normalised(numerator, denominator, self.differing == 0, self.xp)


@statistic
def count_pairs(table: Table) -> PairCounts:
    """Count the ordered pairs of samples of each kind."""
    found = table.engine.count_pairs(table)
    if found is not None:
        pairs = PairCounts(*found, table.xp)
    else:
        is_exact = table.is_integer and table.backend.widest(table.counts).is_64bit
        pairs = _counted_exactly(table) if is_exact else _counted_in_floats(table)
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


def _counted_exactly(table: Table) -> PairCounts:
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
    both, true_only, pred_only, neither = (without(x, copies[..., i], xp) for i, x in enumerate(kinds))
    return PairCounts(
        both, true_only, pred_only, neither, both * neither - true_only * pred_only, true_only - pred_only, xp
    )


def _counted_in_floats(table: Table) -> PairCounts:
    """Sums of products that are not negative, and of differences by the cell, in which nothing cancels."""
    xp, cells, n = table.xp, table.cells, table.counts
    rests = rests_of_cells(table)
    real = table.real(n)
    partners = n - 1 if table.is_integer else n, rests.of_class, rests.of_cluster, rests.elsewhere
    sums = [cells.sum(real * table.real(x)) for x in partners]
    if not table.is_integer and table.self_pairs is not None:
        itself = table.self_pairs
        sums = [within_cells(itself, sums[0]), *(without(x, itself[..., i], xp) for i, x in enumerate(sums[1:], 1))]
    both, true_only, pred_only, neither = sums
    excess, surplus = both * neither - true_only * pred_only, true_only - pred_only
    return PairCounts(both, true_only, pred_only, neither, excess, surplus, xp)
