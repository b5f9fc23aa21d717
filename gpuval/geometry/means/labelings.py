"""Several labelings of the same samples as one list of clusters, and an order of samples that keeps these together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from gpuval.geometry.means.folding import Between, Means, means_from_sums, means_of_parts
from gpuval.geometry.points import Points
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import slices

_FEW_CELLS = 4
"""Where a block has so many times as many samples as cells, its sums go by cells first."""

_LITTLE = 1 << 14
"""Numbers that are added up before a sparse matrix for that is made."""

_STRIDES = 32
"""Columns of a tile that become rows at once."""

_CELLS = 1 << 20
"""Sums by cluster that are folded at once."""


@dataclass(frozen=True)
class Labelings:
    """The clusters of one or several labelings, one labeling after the other; on the host."""

    codes: NDArray
    """The cluster of each sample in each labeling, shape (n_labelings, n_samples), counted over all labelings;
    ``n_clusters`` for a sample that does not count there."""
    edges: NDArray
    """The first cluster of each labeling, and the number of all clusters."""
    masses: NDArray
    """The weight of each cluster, more than 0."""
    present: list[NDArray]
    """Of each labeling the clusters of its points that these are."""

    @classmethod
    def of(cls, several: Sequence[Points]) -> Labelings:
        """The labelings of points, which have the same samples."""
        present = [np.flatnonzero(points.masses > 0) for points in several]
        edges = np.cumsum([0, *map(len, present)])
        codes = np.empty((len(several), several[0].n_samples), dtype=np.int64)
        for i, (points, clusters) in enumerate(zip(several, present, strict=True)):
            number = np.full(points.n_clusters + 1, edges[-1])
            number[clusters] = edges[i] + np.arange(len(clusters))
            codes[i] = number[points.codes]
        masses = [points.masses[clusters] for points, clusters in zip(several, present, strict=True)]
        return cls(codes, edges, np.concatenate(masses), present)

    @property
    def n_clusters(self) -> int:
        """The number of clusters of all labelings."""
        return len(self.masses)

    @property
    def are_counted(self) -> NDArray:
        """Whether each sample counts in a labeling."""
        return np.asarray((self.codes < self.n_clusters).any(axis=0))

    def of_samples(self, samples: NDArray | slice) -> Labelings:
        """The same of some samples, in their order."""
        return replace(self, codes=self.codes[:, samples])

    def order(self, groups: NDArray | None = None) -> NDArray:
        """The samples that count in a labeling, sorted by their groups, if they have some, then by their clusters.

        The labeling of the fewest clusters comes first: in a sweep over resolutions the others divide its clusters.
        """
        fewest_last = np.argsort(-np.diff(self.edges), kind="stable")
        narrow = np.uint16 if self.n_clusters < 1 << 16 else np.int64  # NumPy sorts 16 bits by radix
        order = np.lexsort([*self.codes[fewest_last].astype(narrow), *([] if groups is None else [groups])])
        return order[self.are_counted[order]]

    def means_by_labeling(self, sums: NDArray, between: Between) -> list[Means]:
        """Of each labeling, what the samples need of their sums by cluster, shape (n_clusters, n_samples)."""
        return [self._means_of_labeling(i, sums, between) for i in range(len(self.codes))]

    def _means_of_labeling(self, i: int, sums: NDArray, between: Between) -> Means:
        first, stop = self.edges[i], self.edges[i + 1]
        clusters, masses = np.arange(first, stop)[:, None], self.masses[first:stop]
        parts = [
            means_from_sums(sums[first:stop, rows], clusters == self.codes[i, rows], masses, between)
            for rows in slices(sums.shape[1], max(1, _CELLS // max(1, stop - first)))
        ]
        means = means_of_parts(parts, self.masses)
        return means if means.which is None else means._replace(which=self.present[i][means.which])


class SampleBlock:
    """Neighbouring samples of a tile, and how numbers of theirs are added up by cluster.

    A cell of the block is a run of samples that are of the same clusters in all labelings.
    """

    def __init__(self, rows: slice, labelings: Labelings, weights: NDArray | None, dtype: Any = None) -> None:
        self.rows, self._dtype = rows, dtype
        self.size = rows.stop - rows.start
        self._weights = None if weights is None else weights[rows]
        codes = labelings.codes[:, rows]
        self._starts = np.flatnonzero(np.r_[True, (codes[:, 1:] != codes[:, :-1]).any(axis=0)])
        self._codes = codes[:, self._starts]
        used = np.unique(self._codes)
        used = self._used = used[used < labelings.n_clusters]
        self.clusters: Any = used if len(used) == 0 or np.ptp(used) >= len(used) else slice(used[0], used[-1] + 1)
        """The clusters that have samples here."""
        self.n_clusters = len(used)
        """How many clusters these are."""
        self._cells_are_clusters = len(codes) == 1 and np.array_equal(self._codes[0], used)
        self._of_type: dict[str, tuple[Any, ...]] = {}

    def sum_rows(self, tile: NDArray) -> NDArray:
        """The sums by cluster of numbers whose rows are the samples, shape (n_samples, m): (n_clusters, m)."""
        for matrix in self._matrices(tile.dtype.str):
            tile = matrix @ tile
        return tile

    def sum_columns(self, tile: NDArray) -> NDArray:
        """The sums by cluster of numbers whose columns are the samples, shape (m, n_samples): (n_clusters, m)."""
        if self._cells_are_clusters and (12 * len(self._starts) <= self.size or tile.size <= _LITTLE):
            tile = tile if self._weights is None else tile * self._weights
            return np.add.reduceat(tile, self._starts, axis=1, dtype=self._dtype).T
        return self.sum_rows(_transpose(tile, self._dtype))

    def sum_symmetric(self, tile: NDArray) -> NDArray:
        """The same of numbers that are symmetric, whose rows and columns are the samples."""
        return self.sum_columns(tile) if tile.size <= _LITTLE else self.sum_rows(tile)

    def _matrices(self, dtype: str) -> tuple[Any, ...]:
        """What sums by cell, then by cluster; one that does both, where cells are about as many as samples."""
        if dtype not in self._of_type:
            self._of_type[dtype] = self._new_matrices(dtype)
        return self._of_type[dtype]

    def _new_matrices(self, dtype: str) -> tuple[Any, ...]:
        from scipy.sparse import csr_array  # only now: few measures need SciPy

        number = np.dtype(dtype).type
        n_cells = len(self._starts)
        weights = np.ones(self.size, dtype=number) if self._weights is None else self._weights
        ends = np.append(self._starts, self.size).astype(np.int32)
        by_cell = csr_array((weights, np.arange(self.size, dtype=np.int32), ends), shape=(n_cells, self.size))
        if self._cells_are_clusters:
            return (by_cell,)
        row, column = np.nonzero(self._codes <= self._used.max(initial=-1))
        place = np.searchsorted(self._used, self._codes[row, column]).astype(np.int32)
        ones = np.ones(len(place), dtype=number)
        by_cluster = csr_array((ones, (place, column.astype(np.int32))), shape=(len(self._used), n_cells))
        return (by_cell, by_cluster) if _FEW_CELLS * n_cells <= self.size else (by_cluster @ by_cell,)


def _transpose(tile: NDArray, dtype: Any) -> NDArray:
    """The columns of a tile as rows, some at a time: all at once push one another out of the processor's cache."""
    rows = np.empty(tile.shape[::-1], dtype=tile.dtype if dtype is None else dtype)
    for part in slices(tile.shape[1], _STRIDES):
        rows[part] = tile[:, part].T
    return rows


def blocks_of(
    labelings: Labelings, weights: NDArray | None, size: int, groups: NDArray | None = None, dtype: Any = None
) -> list[SampleBlock]:
    """All samples in blocks of up to ``size`` neighbours, each of one group, if there are groups.

    Numbers are added up in their own type, or in ``dtype``.
    """
    n = labelings.codes.shape[1]
    ends: Any = [] if groups is None else np.flatnonzero(np.diff(groups)) + 1
    parts = [part for start, stop in pairwise([0, *ends, n]) for part in slices(int(stop), size, int(start))]
    return [SampleBlock(part, labelings, weights, dtype) for part in parts]
