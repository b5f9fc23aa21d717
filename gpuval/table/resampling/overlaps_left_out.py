"""How classes and clusters overlap, many to one, in all tables that one sample has been left out of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.numerics import NDArray
from gpuval.table.contingency import Contingency


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


def overlaps_left_out(table: Contingency) -> tuple[NDArray, ...]:
    """The six means of ``table.statistics.overlaps``, for each cell that a sample is left out of."""
    cells, n = table.cells, int(table.total)
    assert isinstance(cells, ListedCells)
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
