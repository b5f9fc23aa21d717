"""Batches of tables of which only statistics are known: their engine finds these in another way than from cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines import Engine
from gpuval.numerics import NDArray
from gpuval.table.contingency import Contingency

_PARTS = {"cells", "counts", "class_sizes", "cluster_sizes", "classes", "clusters"}
"""What tables have, and such a batch has not."""


class CellsNeededError(Exception):
    """A formula has read cells, or sizes, of tables that have only statistics."""


class TablesWithoutCells(Contingency):
    """A batch of tables of counts, in NumPy, of which only statistics are there."""

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
        """How many classes occur."""
        return self.__dict__["_n_classes"]  # type: ignore[no-any-return]

    @property
    def n_clusters(self) -> NDArray:
        """How many clusters occur."""
        return self.__dict__["_n_clusters"]  # type: ignore[no-any-return]


def tables_without_cells(engine: Engine, total: NDArray, n_classes: NDArray, n_clusters: NDArray) -> TablesWithoutCells:
    """The tables whose statistics an engine finds, each with its total and its numbers of groups."""
    batch = object.__new__(TablesWithoutCells)
    vars(batch).update(
        backend=engine.backend, xp=np, results={}, total=total, fixed=True, invalid=None, given=None, self_pairs=None
    )
    vars(batch).update(_engine=engine, _n_classes=n_classes, _n_clusters=n_clusters)
    return batch
