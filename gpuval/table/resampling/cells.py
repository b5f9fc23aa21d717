"""From other counts in the cells of a table to tables: what all ways of resampling have in common.

A sample that is drawn again, or left out, lies in a cell that is not empty. So all tables that can come of a table are
other counts in its non-empty cells. They are made into batches of dense tables, where one has few cells; else into one
table of its non-empty cells after the other, so that 10^5 x 10^5 clusters take no more memory than their samples do.

All of it is NumPy's: the counts of a table, which are few, are brought to the host, where random numbers are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gpuval.engines import Engine
from gpuval.engines.cells import DenseCells, SparseCells
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import slices
from gpuval.table.contingency import Contingency
from gpuval.table.self_pairs import are_of_counts
from gpuval.table.table import Table, to_widest

_MOST_DENSE = 1 << 16
"""Cells of the largest table of which batches are made."""

_BLOCK = 1 << 17
"""Cells in a batch of tables: about what a cache holds."""


def cells_on_host(table: Contingency, use: str) -> Contingency:
    """The non-empty cells of one table of counts, in NumPy; ``use`` begins the message where it is no such table."""
    if len(table.shape) != 2:
        raise ValueError(f"{use} needs a single table, got a batch of shape {table.shape[:-2]}")
    table.check_valid()
    host = table.mapped(to_widest)
    if not (host.is_integer or are_of_counts(host.self_pairs, host.total)):
        raise ValueError(
            f"{use} needs a table of counts, got one of real weights or fractions, for which the number of samples is "
            "not known; use weights of an integer type"
        )
    cells = host.listed().cells.mapped(lambda x: np.rint(x).astype(np.int64) if x.dtype.kind == "f" else x)
    listed = Table.of(cells, host.classes, host.clusters, fixed=host.fixed, scales=host.scales)
    return Contingency.from_table(listed.occurring())  # a resample has the order of the labels that occur here


def tables_of(listed: Contingency, counts: NDArray, copies: NDArray | None = None) -> Iterator[Contingency]:
    """Tables of other counts, shape (n_tables, n_cells), in the cells of a table: batches, or one after the other.

    ``copies`` are the pairs of copies of one sample in each table, shape (n_tables, 6), as ``self_pairs``.
    """
    cells, labels, scales = listed.cells, (listed.classes, listed.clusters), listed.scales
    assert isinstance(cells, SparseCells)
    n_rows, n_columns = cells.shape
    if not _has_batches(listed):
        for i, row in enumerate(counts):
            filled = np.flatnonzero(row)
            some = SparseCells(row[filled], cells.class_of[filled], cells.cluster_of[filled], cells.shape)
            own = None if copies is None else copies[i]
            yield Contingency.from_table(Table.of(some, *labels, fixed=True, self_pairs=own, scales=scales))
        return
    flat = cells.class_of * n_columns + cells.cluster_of
    for block in slices(len(counts), tables_in_batch(listed)):
        every = counts[block]
        if len(flat) < n_rows * n_columns:
            every = np.zeros((len(every), n_rows * n_columns), dtype=np.int64)
            every[:, flat] = counts[block]
        dense = DenseCells(every.reshape(-1, n_rows, n_columns))
        own = None if copies is None else copies[block]
        yield Contingency.from_table(Table.of(dense, *labels, fixed=True, self_pairs=own, scales=scales))


def _has_batches(listed: Contingency) -> bool:
    """Whether many tables of these cells are scored at once."""
    return listed.shape[0] * listed.shape[1] <= _MOST_DENSE


def as_users_know_it(listed: Contingency) -> Contingency:
    """The table in the layout that it has in a batch: with all its cells, if they are few."""
    return listed.dense() if _has_batches(listed) else listed


def tables_in_batch(listed: Contingency) -> int:
    """How many tables one batch has."""
    return max(1, _BLOCK // max(1, listed.shape[0] * listed.shape[1]))


# Batches of tables of which only statistics are known: their engine finds these in another way than from cells.

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
