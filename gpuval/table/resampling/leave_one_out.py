"""All tables that one sample has been left out of: one for each non-empty cell, by what leaving it out changes.

Leaving out any sample of a cell gives the same table, so there are as many tables as non-empty cells. What formulas
read of them, their statistics, is that of the whole table and a change that takes a few operations for each cell: K
cells cost K steps, not K^2. A formula that reads anything else is told so, by :class:`CellsNeededError`, and is given
tables with cells in their place (``tables_left_out``).
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
from gpuval.table.resampling.cells import has_batches, tables_in_batch, tables_of
from gpuval.table.resampling.changes import Changes

_PARTS = {"cells", "counts", "class_sizes", "cluster_sizes", "classes", "clusters"}
"""What tables have, and this batch of them has not."""


class CellsNeededError(Exception):
    """A formula has read cells, or sizes, of tables that have only statistics."""


class LeftOut(Contingency):
    """A batch of tables of which only statistics are there; the table without a sample of cell k is the k-th."""

    def __getattr__(self, name: str) -> Any:
        if name in _PARTS:
            raise CellsNeededError(name)
        raise AttributeError(name)

    @property
    def engine(self) -> Engine:
        """The engine that finds the statistics."""
        return self.__dict__["_engine"]  # type: ignore[no-any-return]

    @property
    def is_integer(self) -> bool:
        """Whether the cells are counts: they are."""
        return True

    @property
    def n_classes(self) -> NDArray:
        """How many classes are left."""
        return self.__dict__["_changes"].n_classes  # type: ignore[no-any-return]

    @property
    def n_clusters(self) -> NDArray:
        """How many clusters are left."""
        return self.__dict__["_changes"].n_clusters  # type: ignore[no-any-return]


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


def left_out(listed: Contingency) -> LeftOut:
    """The tables of counts in NumPy, with listed cells, that one sample has been left out of; it has two or more."""
    changes = Changes(listed)
    batch = object.__new__(LeftOut)
    total = np.full(len(changes.k), listed.total - 1)
    vars(batch).update(
        backend=listed.backend, xp=np, results={}, total=total, fixed=True, invalid=None, given=None, self_pairs=None
    )
    vars(batch).update(_engine=_ByChanges(changes), _changes=changes)
    return batch


def tables_left_out(listed: Contingency) -> Iterator[Contingency]:
    """The same tables with their cells: batches, or one after the other."""
    cells = listed.cells
    assert isinstance(cells, ListedCells)
    counts = np.asarray(cells.counts)
    for block in slices(len(counts), tables_in_batch(listed) if has_batches(listed) else 1):
        places = np.arange(block.start, block.stop)
        others = np.repeat(counts[None], len(places), axis=0)
        others[np.arange(len(places)), places] -= 1
        yield from tables_of(listed, others)
