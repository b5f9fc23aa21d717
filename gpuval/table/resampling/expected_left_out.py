"""The expected mutual information of all tables that one sample has been left out of.

Of n - 1 samples it is the sum of F(a_i, b_j) over all classes and clusters, where F is the mean deviance of a
hypergeometric count. Leaving out a sample of class i and cluster j changes row i and column j of that matrix. So four
matrices, F of all sizes, of those of classes or clusters less 1, and of both, give the sum for every cell.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.numerics import NDArray
from gpuval.numerics.hypergeometric import expected_deviance_and_loss, nodes_for
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map
from gpuval.table.contingency import Contingency

_POINTS = 1 << 17
"""Quadrature points in a part: about what a cache holds."""


def deviance_and_losses(table: Contingency, of_a: NDArray) -> tuple[NDArray, NDArray]:
    """The sums of mean deviance and of mean loss for each cell; of the classes' loss where ``of_a``, else clusters'."""
    if of_a.all() or not of_a.any():
        return _sums(table, bool(of_a.all()))
    (deviance, of_classes), (_, of_clusters) = _sums(table, True), _sums(table, False)
    return deviance, np.where(of_a, of_classes, of_clusters)


def _sums(table: Contingency, of_a: bool) -> tuple[NDArray, NDArray]:
    cells, n = table.cells, int(table.total) - 1
    assert isinstance(cells, ListedCells)
    a, row_of, row_times = _distinct(table.class_sizes)
    b, column_of, column_times = _distinct(table.cluster_sizes)
    row, column = row_of[cells.class_of], column_of[cells.cluster_of]
    # A size of n + 1 is that of the only group: its terms are added and taken away again.
    all_a, all_b = np.minimum(a, n), np.minimum(b, n)
    less_one_a, less_one_b = np.maximum(a - 1, 0), np.maximum(b - 1, 0)  # a group without samples has none to leave out
    pairs = (all_a, all_b), (less_one_a, all_b), (all_a, less_one_b), (less_one_a, less_one_b)
    whole, less_a, less_b, less_both = (_matrices(x, y, n, of_a) for x, y in pairs)

    def summed(place: int) -> NDArray:
        f, f_a, f_b, f_both = (x[place] for x in (whole, less_a, less_b, less_both))
        by_row, by_column = f @ column_times, row_times @ f
        everything = row_times @ by_row
        changed = (f_a @ column_times - by_row)[row] + (row_times @ f_b - by_column)[column]
        return everything + changed + (f - f_a - f_b + f_both)[row, column]  # type: ignore[no-any-return]

    return np.maximum(summed(0), 0.0), np.maximum(summed(1), 0.0)


def _distinct(sizes: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """The distinct sizes, the place of each group's size among them, and how often each occurs."""
    values, places, times = np.unique(sizes, return_inverse=True, return_counts=True)
    return values, places, times.astype(np.float64)


def _matrices(a: NDArray, b: NDArray, n: int, of_a: bool) -> tuple[NDArray, NDArray]:
    """Mean deviance and mean loss for all pairs of sizes."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    parts = slices(len(a), max(1, _POINTS // (64 * max(1, len(b)))))

    def part(rows: slice) -> tuple[NDArray, NDArray]:
        sizes = a[rows, None], b[None, :], np.float64(n)
        nodes = int(nodes_for(*sizes).max())
        return expected_deviance_and_loss(*sizes, np.bool_(of_a), np, nodes=nodes)

    found = parallel_map(part, parts)
    return np.concatenate([x for x, _ in found]), np.concatenate([x for _, x in found])
