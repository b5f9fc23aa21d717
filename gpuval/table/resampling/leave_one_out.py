"""All tables that one sample has been left out of: one for each non-empty cell, by what leaving it out changes.

Leaving out any sample of a cell gives the same table, so there are as many tables as non-empty cells. What formulas
read of them, their statistics, is that of the whole table and a change that takes a few operations for each cell: K
cells cost K steps, not K^2. A formula that reads anything else is told so, by ``CellsNeededError``, and is given tables
with cells in their place (``tables_left_out``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuval.engines import Engine, engine_of
from gpuval.engines.cells import ListedCells
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import tables_in_batch, tables_of
from gpuval.table.resampling.changes import Changes
from gpuval.table.resampling.without_cells import TablesWithoutCells, tables_without_cells


class _ByChanges(Engine):
    """The engine of tables that a sample has been left out of."""

    def __init__(self, changes: Changes) -> None:
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


def left_out(listed: Contingency) -> TablesWithoutCells:
    """The tables of counts in NumPy, with listed cells, that one sample has been left out of; it has two or more."""
    changes = Changes(listed)
    total = np.full(len(changes.k), listed.total - 1)
    return tables_without_cells(_ByChanges(changes), total, changes.n_classes, changes.n_clusters)


def tables_left_out(listed: Contingency) -> Iterator[Contingency]:
    """The same tables with their cells: batches, or one after the other."""
    cells = listed.cells
    assert isinstance(cells, ListedCells)
    counts = np.asarray(cells.counts)
    for block in slices(len(counts), tables_in_batch(listed)):
        places = np.arange(block.start, block.stop)
        others = np.repeat(counts[None], len(places), axis=0)
        others[np.arange(len(places)), places] -= 1
        yield from tables_of(listed, others)
