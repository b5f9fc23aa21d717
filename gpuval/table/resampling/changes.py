"""What statistics of a table become when one sample is left out: a vector of each, with a value for each cell.

For the cell of class i and cluster j: k = n_ij samples, a = a_i of the class, b = b_j of the cluster, n of all.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gpuval.engines.cells import ListedCells
from gpuval.numerics import NDArray, exact
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.expected_left_out import deviance_and_losses
from gpuval.table.resampling.overlaps_left_out import overlaps_left_out
from gpuval.table.statistics.entropies import information
from gpuval.table.statistics.pairs import exact_pairs

_Six = tuple[NDArray, NDArray, NDArray, NDArray, NDArray, NDArray]


class Changes:
    """The statistics of the tables that one sample of a cell has been left out of, for each cell of a table of two."""

    def __init__(self, table: Contingency) -> None:
        cells = table.cells
        assert isinstance(cells, ListedCells)
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
        found = deviance_and_losses(self._table, of_a)
        settled = _is_settled(self._table.class_sizes, self.a, self.n_classes) | _is_settled(
            self._table.cluster_sizes, self.b, self.n_clusters
        )
        return found[0] / (self.n - 1), found[1] / (self.n - 1), settled

    def overlaps(self) -> tuple[NDArray, ...]:
        """The six means of ``table.statistics.overlaps``."""
        return overlaps_left_out(self._table)


def _last_step(x: NDArray) -> NDArray:
    """g(x) - g(x - 1), with g(x) = x log(x) and x >= 1."""
    return np.log(x) - (x - 1) * np.log1p(-1.0 / np.maximum(x, 2))  # type: ignore[no-any-return]


def _is_settled(sizes: NDArray, own: NDArray, n_groups: NDArray) -> NDArray:
    """Whether one group is left, or single samples."""
    return np.asarray((n_groups == 1) | (np.count_nonzero(sizes > 1) - (own == 2) == 0))
