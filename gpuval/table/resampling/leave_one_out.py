"""All tables that one sample has been left out of: one for each non-empty cell, by what leaving it out changes.

Leaving out any sample of a cell gives the same table, so there are as many tables as non-empty cells. What formulas
read of them, their statistics, is that of the whole table and a change that takes a few operations for each cell: K
cells cost K steps, not K^2. A formula that reads anything else is told so, by ``CellsNeededError``, and is given tables
with cells in their place (``tables_left_out``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gpuval.engines import Engine, engine_of
from gpuval.engines.cells import SparseCells
from gpuval.numerics import NDArray, exact
from gpuval.numerics.hypergeometric import MeanAndChanges, deviance_and_loss_changes, nodes_for
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.table.contingency import Contingency
from gpuval.table.information import information
from gpuval.table.pairs import exact_pairs
from gpuval.table.resampling.cells import TablesWithoutCells, tables_in_batch, tables_of, tables_without_cells


class _ByChanges(Engine):
    """The engine of tables that a sample has been left out of."""

    def __init__(self, changes: _Changes) -> None:
        super().__init__(engine_of(changes.k).backend)
        self._changes = changes

    def count_pairs(self, table: Any) -> Any:
        return self._changes.pairs()

    def information(self, table: Any) -> Any:
        return self._changes.information()

    def expected_parts(self, table: Any, conditional: Callable[[], tuple[NDArray, NDArray]]) -> Any:
        return self._changes.expected(*conditional())

    def overlaps(self, table: Any) -> Any:
        return self._changes.overlaps()


def statistics_left_out(listed: Contingency) -> TablesWithoutCells:
    """The tables of counts in NumPy, with listed cells, that one sample has been left out of; it has two or more."""
    changes = _Changes(listed)
    total = np.full(len(changes.k), listed.total - 1)
    return tables_without_cells(_ByChanges(changes), total, changes.n_classes, changes.n_clusters)


def tables_left_out(listed: Contingency) -> Iterator[Contingency]:
    """The same tables with their cells: batches, or one after the other."""
    cells = listed.cells
    assert isinstance(cells, SparseCells)
    counts = np.asarray(cells.counts)
    for block in slices(len(counts), tables_in_batch(listed)):
        places = np.arange(block.start, block.stop)
        others = np.repeat(counts[None], len(places), axis=0)
        others[np.arange(len(places)), places] -= 1
        yield from tables_of(listed, others)


# What statistics of a table become when one sample is left out: a vector of each, with a value for each cell.
#
# For the cell of class i and cluster j: k = n_ij samples, a = a_i of the class, b = b_j of the cluster, n of all.

_Six = tuple[NDArray, NDArray, NDArray, NDArray, NDArray, NDArray]


class _Changes:
    """The statistics of the tables that one sample of a cell has been left out of, for each cell of a table of two."""

    def __init__(self, table: Contingency) -> None:
        cells = table.cells
        assert isinstance(cells, SparseCells)
        self._table = table
        self._cells = cells
        self.k: NDArray = np.asarray(cells.counts)
        self.a: NDArray = table.class_sizes[cells.class_of]
        self.b: NDArray = table.cluster_sizes[cells.cluster_of]
        self.n = int(table.total)

    @cached_property
    def n_classes(self) -> NDArray:
        """How many classes are left."""
        return np.asarray(np.count_nonzero(self._table.class_sizes) - (self.a == 1))

    @cached_property
    def n_clusters(self) -> NDArray:
        """How many clusters are left."""
        return np.asarray(np.count_nonzero(self._table.cluster_sizes) - (self.b == 1))

    @cached_property
    def _n_cells(self) -> NDArray:
        """How many cells are left that are not empty."""
        return np.asarray(len(self.k) - (self.k == 1))

    def pairs(self) -> _Six:
        """The fields of ``PairCounts``.

        A sample is in k - 1 pairs of its cell, a - 1 of its class, and b - 1 of its cluster. Pairs are ordered, so each
        of them is counted twice.
        """
        in_both, in_true, in_pred = (2 * (x - 1) for x in (self.k, self.a, self.b))
        gone = in_both, in_true - in_both, in_pred - in_both, 2 * (self.n - 1) - in_true - in_pred + in_both
        kinds = [all_ - exact.from_int(x) for all_, x in zip(exact_pairs(self._table), gone, strict=True)]
        both, true_only, pred_only, neither = kinds
        return (
            *(exact.to_float(x, np) for x in kinds),
            exact.cross_difference_of_limbs(both, neither, true_only, pred_only, np),
            exact.to_float(true_only - pred_only, np),
        )

    def information(self) -> tuple[NDArray, NDArray, NDArray]:
        """MI, H(true | pred) and H(pred | true), each n - 1 times its value for the whole less its own terms.

        With g(x) = x log(x), n H(true | pred) = sum_j g(b_j) - sum_ij g(n_ij). What is 0 by the number of cells, as
        each cluster has one only, is exactly 0, so that partitions that become the same are known for it.
        """
        whole, n = information(self._table), self.n
        of_k, of_a, of_b, of_n = (_last_step(x) for x in (self.k, self.a, self.b, np.asarray(n)))
        mutual = n * whole.mutual - (of_k - of_a - of_b + of_n)
        mutual = np.where((self.n_classes == 1) | (self.n_clusters == 1), 0.0, mutual)
        true_given_pred = np.where(self._n_cells == self.n_clusters, 0.0, n * whole.true_given_pred - (of_b - of_k))
        pred_given_true = np.where(self._n_cells == self.n_classes, 0.0, n * whole.pred_given_true - (of_a - of_k))
        mutual, true_given_pred, pred_given_true = (
            np.maximum(x, 0.0) / (n - 1) for x in (mutual, true_given_pred, pred_given_true)
        )
        return mutual, true_given_pred, pred_given_true

    def expected(self, true_given_pred: NDArray, pred_given_true: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Expected mutual information, expected smaller conditional entropy, and whether sizes settle them."""
        of_a = pred_given_true < true_given_pred
        found = _deviance_and_losses(self._table, of_a)
        settled = _is_settled(self._table.class_sizes, self.a, self.n_classes) | _is_settled(
            self._table.cluster_sizes, self.b, self.n_clusters
        )
        return found[0] / (self.n - 1), found[1] / (self.n - 1), settled

    def overlaps(self) -> tuple[NDArray, ...]:
        """The six means of ``table.overlaps``."""
        return _overlaps_left_out(self._table)


def _last_step(x: NDArray) -> NDArray:
    """g(x) - g(x - 1), with g(x) = x log(x) and x >= 1."""
    return np.log(x) - (x - 1) * np.log1p(-1.0 / np.maximum(x, 2))  # type: ignore[no-any-return]


def _is_settled(sizes: NDArray, own: NDArray, n_groups: NDArray) -> NDArray:
    """Whether one group is left, or single samples."""
    return np.asarray((n_groups == 1) | (np.count_nonzero(sizes > 1) - (own == 2) == 0))


# The expected mutual information of all tables that one sample has been left out of.
#
# Of n - 1 samples it is the sum of F(a_i, b_j) over all classes and clusters, where F is the mean deviance of a
# hypergeometric count. Leaving out a sample of class i and cluster j changes row i and column j of that matrix. So the
# matrices of F, and of what one sample less of a class, of a cluster, and of both changes, give the sum for every cell.

_POINTS = 1 << 15
"""Quadrature points in a part: its arrays, of 256 kB each, lie in the cache of one core."""


def _deviance_and_losses(table: Contingency, of_a: NDArray) -> tuple[NDArray, NDArray]:
    """The sums of mean deviance and of mean loss for each cell; of the classes' loss where ``of_a``, else clusters'."""
    if of_a.all() or not of_a.any():
        return _sums(table, bool(of_a.all()))
    (deviance, of_classes), (_, of_clusters) = _sums(table, True), _sums(table, False)
    return deviance, np.where(of_a, of_classes, of_clusters)


def _sums(table: Contingency, of_a: bool) -> tuple[NDArray, NDArray]:
    cells, n = table.cells, int(table.total) - 1
    assert isinstance(cells, SparseCells)
    a, row_of, row_times = _distinct(table.class_sizes)
    b, column_of, column_times = _distinct(table.cluster_sizes)
    row, column = row_of[cells.class_of], column_of[cells.cluster_of]
    deviance, loss = _changes(a, b, n, of_a)

    def sums(x: MeanAndChanges) -> NDArray:
        of_row, of_column = x.less_a @ column_times, row_times @ x.less_b
        changed = of_row[row] + of_column[column] + x.mixed[row, column]
        return np.asarray(np.maximum(row_times @ x.whole @ column_times + changed, 0.0))

    return sums(deviance), sums(loss)


def _distinct(sizes: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """The distinct sizes, the place of each group's size among them, and how often each occurs."""
    values, places, times = np.unique(sizes, return_inverse=True, return_counts=True)
    return values, places, times.astype(np.float64)


def _changes(a: NDArray, b: NDArray, n: int, of_a: bool) -> tuple[MeanAndChanges, MeanAndChanges]:
    """Mean deviance and mean loss for all pairs of sizes, and how they change."""
    parts = slices(len(a), max(1, _POINTS // (64 * max(1, len(b)))))
    # A size of n + 1 is that of the only group: its terms stay the same, as n of its samples are left in any case.
    is_less_a, is_less_b = a[:, None] <= n, b <= n
    a, b = (np.minimum(x, n).astype(np.float64) for x in (a, b))

    def part(rows: slice) -> tuple[MeanAndChanges, MeanAndChanges]:
        sizes = a[rows, None], b[None, :], np.asarray(float(n))
        return deviance_and_loss_changes(*sizes, nodes=int(nodes_for(*sizes).max()), of_a=of_a)

    def joined(some: Sequence[MeanAndChanges]) -> MeanAndChanges:
        whole, less_a, less_b, mixed = map(np.concatenate, zip(*some, strict=True))
        return MeanAndChanges(whole, less_a * is_less_a, less_b * is_less_b, mixed * (is_less_a & is_less_b))

    deviances, losses = zip(*parallel_map(part, parts), strict=True)
    return joined(deviances), joined(losses)


# How classes and clusters overlap, many to one, in all tables that one sample has been left out of.


@dataclass(eq=False)
class _Side:
    """The cells of a table from one side: groups of that side, which the others are best of."""

    group: NDArray
    """The group of each cell."""
    other: NDArray
    """The group of the other side of each cell."""
    k: NDArray
    sizes: NDArray
    other_sizes: NDArray
    n: int

    @property
    def own(self) -> NDArray:
        """The size of the group of each cell."""
        return self.sizes[self.group]

    @property
    def others(self) -> NDArray:
        """The size of the group of the other side of each cell."""
        return self.other_sizes[self.other]


def _overlaps_left_out(table: Contingency) -> tuple[NDArray, ...]:
    """The six means of ``table.overlaps``, for each cell that a sample is left out of."""
    cells, n = table.cells, int(table.total)
    assert isinstance(cells, SparseCells)
    k = np.asarray(cells.counts)
    by_cluster = _Side(cells.cluster_of, cells.class_of, k, table.cluster_sizes, table.class_sizes, n)
    by_class = _Side(cells.class_of, cells.cluster_of, k, table.class_sizes, table.cluster_sizes, n)
    return (
        _share_of_best(by_cluster),
        _share_of_best(by_class),
        _share_of_own(by_cluster),
        _share_of_own(by_class),
        _f_of_groups(by_class),
        _mean_f_of_best(by_cluster),
    )


def _share_of_best(side: _Side) -> NDArray:
    """The largest cell of each group, as a share of all: it is one less if it was the only one of its size."""
    first, second = largest_two(side.k, side.group, len(side.sizes))
    best = first[side.group]
    is_only = (side.k == best) & (second[side.group] < best)
    return (first.sum() - is_only) / (side.n - 1)  # type: ignore[no-any-return]


def _share_of_own(side: _Side) -> NDArray:
    """1/n sum n_ij^2 / (size of the group): (q - 2 k + 1) / (size - 1) in the place of q / size."""
    squares = np.bincount(side.group, side.k.astype(np.float64) ** 2, len(side.sizes))
    whole = squares / np.maximum(side.sizes, 1)
    q, size = squares[side.group], side.own
    changed = np.where(size > 1, (q - 2 * side.k + 1) / np.maximum(size - 1, 1), 0.0)
    return (whole.sum() - whole[side.group] + changed) / (side.n - 1)  # type: ignore[no-any-return]


def _f_of_groups(side: _Side) -> NDArray:
    """1/n sum_i a_i max_j F_ij, F_ij = 2 n_ij / (a_i + b_j), for classes i: here groups, and clusters j: the others.

    For other classes cluster j is one smaller, so that their F with it is larger; in class i all change.
    """
    i, j, k, a, b = side.group, side.other, side.k, side.own, side.others
    best, _ = largest_two(2.0 * k / (a + b), i, len(side.sizes))
    weighted = side.sizes * best
    gained = a * np.maximum(2.0 * k / (a + b - 1) - best[i], 0.0)
    by_cluster = np.bincount(j, gained, len(side.other_sizes))
    f = 2.0 * k / (a - 1 + b)
    first, second = largest_two(f, i, len(side.sizes))
    of_others = np.where(f == first[i], second[i], first[i])
    own = np.maximum(of_others, 2.0 * (k - 1) / np.maximum(a + b - 2, 1))
    changed = (a - 1) * own - weighted[i] + by_cluster[j] - gained
    return (weighted.sum() + changed) / (side.n - 1)  # type: ignore[no-any-return]


def _mean_f_of_best(side: _Side) -> NDArray:
    """The mean over clusters j, here groups, of 2 n_ij / (a_i + b_j), i the best class of j, here the others.

    The best class has most samples in the cluster, and of those that tie is the largest.
    """
    j, i, k, a, b = side.group, side.other, side.k, side.others, side.own
    n_groups = len(side.sizes)
    best, _ = largest_two(k, j, n_groups)
    is_best = k == best[j]
    size, next_size = largest_two(np.where(is_best, a, 0), j, n_groups)
    f = np.where(side.sizes > 0, 2.0 * best / np.maximum(size + side.sizes, 1), 0.0)
    # Where class i is the only largest of the best classes of a cluster, its size there is one less.
    is_winner = is_best & (a == size[j]) & (next_size[j] < a)
    gained = np.where(is_winner, 2.0 * k / (a - 1 + b) - f[j], 0.0)
    by_class = np.bincount(i, gained, len(side.other_sizes))
    # In cluster j itself: the classes that have one sample less than the best may come up.
    n_best = np.bincount(j, is_best, n_groups)
    is_only = is_best & (n_best[j] == 1)
    after, _ = largest_two(np.where(k == best[j] - 1, a, 0), j, n_groups)
    overlap = np.where(is_only, k - 1, best[j])
    of_ties = np.where(is_winner, np.maximum(next_size[j], 0), size[j])
    of_best = np.where(is_only, np.maximum(a - 1, after[j]), of_ties)
    own = np.where(b > 1, 2.0 * overlap / np.maximum(of_best + b - 1, 1), 0.0)
    n_left = np.count_nonzero(side.sizes) - (b == 1)
    return (f.sum() - f[j] + own + by_class[i] - gained) / n_left  # type: ignore[no-any-return]


def largest_two(values: NDArray, group: NDArray, n_groups: int) -> tuple[NDArray, NDArray]:
    """The largest value (> 0) of the cells of each group, and the second largest, which may be as large; 0 for none."""
    first, second = (np.zeros(n_groups, dtype=values.dtype) for _ in range(2))
    order = np.lexsort((-values, group))
    starts = np.searchsorted(group[order], np.arange(n_groups + 1))
    counts = np.diff(starts)
    first[counts > 0] = values[order[starts[:-1][counts > 0]]]
    second[counts > 1] = values[order[starts[:-1][counts > 1] + 1]]
    return first, second
