"""What measures of pairs and of information read of random tables, from two sums over the cells of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.engines import Engine
from gpuval.numerics import exact
from gpuval.numerics.stable import ratio
from gpuval.table.resampling.chance.null_tables import CellSums, x_log_x
from gpuval.table.resampling.without_cells import CellsNeededError, TablesWithoutCells, tables_without_cells
from gpuval.table.statistics.expected import expected_parts, is_constant
from gpuval.table.statistics.pair_moments import PairMoments, pair_moments
from gpuval.table.table import Table


def null_statistics(table: Table, sums: CellSums) -> TablesWithoutCells:
    """The random tables of these sums that have the class and cluster sizes of a table of counts in NumPy."""
    whole = np.ones(len(sums.squares), dtype=np.int64)
    engine = _BySums(table, sums)
    batch = tables_without_cells(engine, whole * table.total, whole * table.n_classes, whole * table.n_clusters)
    batch.results[pair_moments] = engine.moments  # type: ignore[index]
    return batch


class _BySums(Engine):
    """The engine of random tables of the sizes of one."""

    def __init__(self, table: Table, sums: CellSums) -> None:
        super().__init__(table.backend)
        self._table, self._sums = table, sums
        self._n = int(table.total)
        self._log_a, self._log_b = (float(np.sum(x_log_x(sizes))) for sizes in (table.class_sizes, table.cluster_sizes))

    @property
    def moments(self) -> PairMoments:
        """Those of the table, and how many more pairs than their mean each random one has."""
        of_table = pair_moments(self._table)
        excess = ratio(self.count_pairs(None)[4], float(2 * self._n * (self._n - 1)), np)
        nothing = 0 * excess
        return PairMoments(
            nothing + of_table.mean, nothing + of_table.variance, excess, (nothing == 0) & of_table.is_settled
        )

    def count_pairs(self, table: Any) -> Any:
        squares, everything = exact.from_int(self._sums.squares), exact.square(np.asarray(self._n))
        n, classes, clusters = (
            exact.from_int(np.asarray(x, dtype=np.int64))
            for x in (self._n, *(np.dot(x, x) for x in (self._table.class_sizes, self._table.cluster_sizes)))
        )
        kinds = squares - n, classes - squares, clusters - squares, (everything + squares) - (classes + clusters)
        both, true_only, pred_only, neither = kinds
        return (
            *(exact.to_float(x, np) for x in kinds),
            exact.cross_difference_of_limbs(both, neither, true_only, pred_only, np),
            exact.to_float(true_only - pred_only, np),
        )

    def information(self, table: Any) -> Any:
        n = max(self._n, 1)
        shared = self._sums.logarithms
        parts = (
            (shared - self._log_a - self._log_b + float(x_log_x(np.asarray(n)))),
            self._log_b - shared,
            self._log_a - shared,
        )
        rounding = 2.0**-46 * (self._log_a + self._log_b + 1)
        return tuple(np.where(x < rounding, 0.0, x) / n for x in parts)

    def expected_parts(self, table: Any, conditional: Callable[[], Any]) -> Any:
        nothing = np.zeros(len(self._sums.squares))
        mutual, loss = expected_parts(self._table)
        return nothing + mutual, nothing + loss, (nothing == 0) & is_constant(self._table)

    def overlaps(self, table: Any) -> Any:
        raise CellsNeededError("cells")
