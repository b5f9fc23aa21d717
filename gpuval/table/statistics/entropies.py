"""Entropies of a table, in nats, as sums of terms that are never negative, so that nothing cancels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.numerics import Array
from gpuval.numerics.stable import deviance, normalised, ratio, surprise
from gpuval.table.statistics import part_of, statistic
from gpuval.table.statistics.rests import (
    excess_of_cells,
    rest_of_class,
    rest_of_cluster,
    rest_of_groups,
    rest_of_table,
    unmet_by_class,
)
from gpuval.table.table import Partition, Side, Table


@dataclass(eq=False)  # not frozen: that would take three times as long to make
class Information:
    """What two partitions share, and what each holds beyond the other.

    The entropies are put together from these three, so that a quotient of two partitions that are the same is exactly 1
    and no quotient exceeds 1.
    """

    mutual: Array
    true_given_pred: Array
    pred_given_true: Array
    xp: Any

    @property
    def true(self) -> Array:
        """H(true)."""
        return self.mutual + self.true_given_pred

    @property
    def pred(self) -> Array:
        """H(pred)."""
        return self.mutual + self.pred_given_true

    @property
    def joint(self) -> Array:
        """H(true, pred)."""
        return self.mutual + self.true_given_pred + self.pred_given_true

    @property
    def identical(self) -> Array:
        """Whether the partitions are the same: neither leaves anything open about the other."""
        return (self.true_given_pred == 0) & (self.pred_given_true == 0)

    def quotient(self, numerator: Array, denominator: Array) -> Array:
        """A normalised score: 1 for identical partitions, and 0 for 0/0 between others."""
        return normalised(numerator, denominator, self.identical, self.xp)


@statistic
def _of_engine(table: Table) -> tuple[Array, Array, Array] | None:
    """MI, H(true | pred) and H(pred | true), if the engine finds them at once."""
    return table.engine.information(table)


@statistic
def information(table: Table) -> Information:
    """Split the joint entropy of a table into its three parts."""
    parts = _of_engine(table) or (mutual_information(table), true_given_pred(table), pred_given_true(table))
    return Information(*parts, table.xp)


def partition_entropy(partition: Partition) -> Array:
    """H = sum_i a_i/n log(n/a_i)."""
    sizes, total, real = partition.sizes, partition.total[..., None], partition.real
    share = ratio(real(sizes), real(total), partition.xp)
    rest = rest_of_groups(sizes, partition.total)
    return partition.xp.sum(share * surprise(real(sizes), real(rest), partition.xp), axis=-1)


def joint_information(table: Table) -> Array:
    """H(true, pred) = sum_ij n_ij/n log(n/n_ij)."""
    rest = table.real(rest_of_table(table))
    return _mean_over_samples(table, surprise(table.real(table.counts), rest, table.xp))


@part_of(_of_engine, 1)
def true_given_pred(table: Table) -> Array:
    """H(true | pred) = sum_ij n_ij/n log(b_j/n_ij)."""
    return _conditional(table, "pred")


@part_of(_of_engine, 2)
def pred_given_true(table: Table) -> Array:
    """H(pred | true) = sum_ij n_ij/n log(a_i/n_ij)."""
    return _conditional(table, "true")


def _conditional(table: Table, given: Side) -> Array:
    if (groups := _distinct_cells(table, given)) is not None:
        count, size, times = groups
        return ratio(np.sum(times * count * surprise(count, size - count, np)), table.real(table.total), np)
    rest = rest_of_cluster(table) if given == "pred" else rest_of_class(table)
    return _mean_over_samples(table, surprise(table.real(table.counts), table.real(rest), table.xp))


@part_of(_of_engine, 0)
def mutual_information(table: Table) -> Array:
    """MI = 1/n sum_ij phi(n_ij), phi(k) = k log(k/m) - k + m >= 0, with m = a_i b_j / n.

    The terms -k + m sum to 0. An empty cell adds its m; over the empty cells of class i that is a_i/n times the size of
    the clusters it shares nothing with, an exact difference in a table of counts.
    """
    xp, cells, n = table.xp, table.cells, table.counts
    if table.backend.on_host and not table.total.ndim:
        # A difference of entropies that is more than an eighth of the larger loses at most three bits.
        whole = partition_entropy(table.side("pred"))
        shared = whole - pred_given_true(table)
        if shared > whole / 8:
            return shared
    total = table.real(table.total)
    unmet = table.real(unmet_by_class(table))
    from_empty = xp.sum(ratio(table.real(table.class_sizes) * unmet, total[..., None], xp), axis=-1)

    k, everything = table.real(n), cells.everywhere(total)
    a, b = (table.real(x) for x in (cells.by_class(table.class_sizes), cells.by_cluster(table.cluster_sizes)))
    expected = ratio(a * b, everything, xp)
    difference = ratio(excess_of_cells(table), everything, xp)
    terms = xp.where(k > 0, deviance(k, expected, difference, xp), 0.0)
    return ratio(cells.sum(terms) + from_empty, total, xp)


def _distinct_cells(table: Table, given: Side) -> tuple[Array, Array, Array] | None:
    """The distinct pairs of a group and a cell's count: the count, the group's size, and how often the pair occurs.

    Many cells of many groups have small counts: each distinct pair then takes one logarithm, not each cell. None if the
    cells are not listed, or the engine has no such table of them.
    """
    cells = table.cells
    if not isinstance(cells, ListedCells) or not table.is_integer:
        return None
    groups, sizes = (cells.cluster_of, table.cluster_sizes) if given == "pred" else (cells.class_of, table.class_sizes)
    found = table.engine.distinct_pairs(groups, cells.counts, groups.shape[0])
    if found is None:
        return None
    group, count, times = found
    return table.real(count), table.real(sizes[group]), times


def _mean_over_samples(table: Table, value_of_cell: Array) -> Array:
    weighted = table.real(table.counts) * value_of_cell
    return ratio(table.cells.sum(weighted), table.real(table.total), table.xp)
