"""Random tables with the sizes of a table, as permutations make them, and what scores of pairs and information read.

They are drawn side by side in one array. Where a table has more cells than samples, one of the two labelings is
permuted instead, and its non-empty cells are found by a sort, so that 10^5 x 10^5 clusters take no more memory than
their samples do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.cells import DenseCells, ListedCells, dense_is_better
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.chance.halves import LARGEST_TOTAL, chunks_of_tables, drawn_tables
from gpuval.table.resampling.draws import chunks
from gpuval.table.table import Table

_BLOCK = 1 << 17
"""Cells of random tables that are scored at once: about what a cache holds."""


class CellSums(NamedTuple):
    """Of each table the sum of n_ij^2, exactly, and that of n_ij log(n_ij); shape (n_tables,)."""

    squares: NDArray
    logarithms: NDArray


Batch = tuple[CellSums, Contingency | None]


class NullModel:
    """The random tables of class and cluster sizes, which are vectors of int64 of one sum.

    They have the labels of the table ``like``, if it is given.
    """

    def __init__(self, class_sizes: NDArray, cluster_sizes: NDArray, like: Table | None = None) -> None:
        self._sizes = class_sizes, cluster_sizes
        self._shape = len(class_sizes), len(cluster_sizes)
        self._labels = (range(self._shape[0]), range(self._shape[1])) if like is None else (like.classes, like.clusters)
        self._scales = (None, None) if like is None else like.scales
        self._total = int(class_sizes.sum())
        self._is_dense = dense_is_better(*self._shape, self._total)
        if self._is_dense and self._total > LARGEST_TOTAL:
            raise ValueError(f"random tables must have fewer than 10**9 samples, got {self._total}")

    @property
    def n_numbers(self) -> int:
        """How many random numbers a table takes."""
        return self._shape[0] * self._shape[1] if self._is_dense else self._total

    def chunks(self, n_tables: int, random: np.random.Generator) -> list[tuple[np.random.Generator, int]]:
        """Generators, and how many tables each draws: the same for one seed, on however many cores."""
        return list((chunks_of_tables if self._is_dense else chunks)(n_tables, self.n_numbers, random))

    def batches(self, random: np.random.Generator, n_tables: int, *, with_tables: bool) -> Iterator[Batch]:
        """The sums over the cells of tables, and if asked for the tables themselves: batches, or single ones."""
        if not self._is_dense:
            true, pred = (np.repeat(np.arange(len(sizes)), sizes) for sizes in self._sizes)
            for _ in range(n_tables):
                cells, _ = engine_of(true).cells(true, random.permutation(pred), self._shape, None, "cells")
                yield cell_sums(cells.counts.reshape(1, -1, 1)), self._table(cells) if with_tables else None
            return
        counts = drawn_tables(*self._sizes, n_tables, random)
        if not with_tables:
            yield cell_sums(counts), None
            return
        for block in slices(n_tables, max(1, _BLOCK // max(1, self.n_numbers))):
            some = counts[:, :, block]
            yield cell_sums(some), self._table(DenseCells(np.ascontiguousarray(some.transpose(2, 1, 0))))

    def sums(self, n_tables: int, random: np.random.Generator) -> CellSums:
        """The sums over the cells of so many tables, found on all cores."""

        def of_chunk(chunk: tuple[np.random.Generator, int]) -> list[CellSums]:
            return [sums for sums, _ in self.batches(*chunk, with_tables=False)]

        return joined_sums(sums for found in parallel_map(of_chunk, self.chunks(n_tables, random)) for sums in found)

    def _table(self, cells: DenseCells | ListedCells) -> Contingency:
        return Contingency.from_table(Table.of(cells, *self._labels, fixed=True, scales=self._scales))


def joined_sums(sums: Iterable[CellSums]) -> CellSums:
    """The sums of some tables, and then of others."""
    return CellSums(*map(np.concatenate, zip(*sums, strict=True)))


def cell_sums(counts: NDArray) -> CellSums:
    """The sums over the cells of tables that stand side by side, shape (m, r, n_tables)."""
    n_tables = counts.shape[-1]
    squares, logarithms = np.zeros(n_tables, dtype=np.int64), np.zeros(n_tables)
    for some in counts:  # one column after the other, which a cache holds
        squares += np.add.reduce(some * some, axis=0)
        logarithms += np.add.reduce(x_log_x(some), axis=0)
    return CellSums(squares, logarithms)


def x_log_x(x: NDArray) -> NDArray:
    """``x log(x)`` of whole numbers, 0 for 0."""
    return np.asarray(x * np.log(np.maximum(x, 1)))
