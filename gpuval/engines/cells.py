"""The two layouts of the cells of a table behind one interface, so that formulas do not depend on the layout.

The interface: ``counts`` (one number per cell), ``shape`` (of all cells) and ``axes`` (the axes of ``counts`` that
belong to one table); ``by_class``, ``by_cluster`` and ``everywhere`` (align a value per class, per cluster or per table
with the cells); ``sum`` (over all cells); ``sum_by_class`` and ``sum_by_cluster``; ``max_by_class`` and
``max_by_cluster``; ``corner`` (some of the numbers, for printing). Other cells of the same layout are given by
``transposed``, ``taken`` and ``mapped``, which applies a function to ``arrays`` in their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.numerics import Array, NDArray

_SMALL = 1 << 16
_LARGEST = 1 << 25
"""Cells of the largest table that is chosen to be dense: 256 MB of int64."""


def dense_is_better(n_classes: int, n_clusters: int, n_samples: int) -> bool:
    """Whether all cells cost less than the non-empty ones: they are few, or not many more than the samples."""
    return n_classes * n_clusters <= most_dense_cells(n_samples)


def most_dense_cells(n_samples: int) -> int:
    """How many cells a dense table may have to be better than the non-empty ones."""
    return min(max(_SMALL, n_samples), _LARGEST)


def may_be_dense(shape: tuple[int, ...]) -> bool:
    """Whether all cells are few enough to be there where nobody has asked for them."""
    return math.prod(shape) <= _LARGEST


def has_few_samples(n_samples: int, n_cells: int) -> bool:
    """Whether adding sample by sample to a table that is there costs less than a table of the samples, of all cells."""
    return 8 * n_samples < n_cells


def is_narrow(limits: tuple[int, int], n_samples: int, largest: int) -> bool:
    """Whether labels may be codes as they are, less the smallest: their range is little more than the samples.

    ``largest`` is the largest number that codes may be.
    """
    low, high = limits
    return high - low < max(1 << 16, 4 * n_samples) and high <= largest


@as_tree
@dataclass(frozen=True, eq=False)
class DenseCells:
    """All cells, shape (..., n_classes, n_clusters): of fixed shape, and with leading dimensions a batch of tables."""

    counts: Array

    axes: ClassVar[tuple[int, ...] | None] = (-2, -1)
    arrays: ClassVar[tuple[str, ...]] = ("counts",)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of all cells."""
        return tuple(self.counts.shape)

    def by_class(self, x: Array) -> Array:
        """Align one value per class with the cells."""
        return x[..., :, None]

    def by_cluster(self, x: Array) -> Array:
        """Align one value per cluster with the cells."""
        return x[..., None, :]

    def everywhere(self, x: Array) -> Array:
        """Align one value per table with the cells."""
        return x[..., None, None]

    def sum(self, values: Array) -> Array:
        """Sum over all cells of each table."""
        return backend_of(values).sum(values, axis=(-2, -1))

    def sum_by_class(self, values: Array) -> Array:
        """Sum over the cells of each class."""
        return backend_of(values).sum(values, axis=-1)

    def sum_by_cluster(self, values: Array) -> Array:
        """Sum over the cells of each cluster."""
        return backend_of(values).sum(values, axis=-2)

    def max_by_class(self, values: Array) -> Array:
        """Find the largest value among the cells of each class; 0 if there is no cluster."""
        if values.shape[-1] == 0:
            return self.sum_by_class(values)
        return backend_of(values).xp.max(values, axis=-1)

    def max_by_cluster(self, values: Array) -> Array:
        """Find the largest value among the cells of each cluster; 0 if there is no class."""
        if values.shape[-2] == 0:
            return self.sum_by_cluster(values)
        return backend_of(values).xp.max(values, axis=-2)

    def transposed(self) -> DenseCells:
        """The cells with the roles of classes and clusters exchanged."""
        return DenseCells(backend_of(self.counts).xp.matrix_transpose(self.counts))

    def taken(self, rows: Array, columns: Array) -> DenseCells:
        """The cells of some rows and columns, by their places, sorted; outside of these all cells are empty."""
        xp = backend_of(self.counts).xp
        return DenseCells(xp.take(xp.take(self.counts, rows, axis=-2), columns, axis=-1))

    def corner(self, rows: NDArray, columns: NDArray) -> NDArray:
        """The numbers in some of the first rows and columns, by their places on the host, where they go."""
        rows_there, columns_there = (backend_of(self.counts).from_host(x, self.counts) for x in (rows, columns))
        return to_host(self.taken(rows_there, columns_there).counts)

    def mapped(self, function: Callable[[Array], Array]) -> DenseCells:
        """The cells with each of their arrays as ``function`` gives it."""
        return DenseCells(function(self.counts))


@as_tree
@dataclass(frozen=True, eq=False)
class SparseCells:
    """The non-empty cells only, by class and then by cluster: 10^5 x 10^5 clusters fit."""

    counts: Array
    class_of: Array
    cluster_of: Array
    shape: tuple[int, int]

    axes: ClassVar[tuple[int, ...] | None] = None
    arrays: ClassVar[tuple[str, ...]] = ("counts", "class_of", "cluster_of")

    def by_class(self, x: Array) -> Array:
        """Align one value per class with the cells."""
        return backend_of(x).value_of_each(x, self.class_of)

    def by_cluster(self, x: Array) -> Array:
        """Align one value per cluster with the cells."""
        return backend_of(x).value_of_each(x, self.cluster_of)

    def everywhere(self, x: Array) -> Array:
        """Align one value per table with the cells."""
        return x

    def sum(self, values: Array) -> Array:
        """Sum over all cells."""
        return backend_of(values).sum(values)

    def sum_by_class(self, values: Array) -> Array:
        """Sum over the cells of each class."""
        return backend_of(values).total(values, self.class_of, self.shape[0])

    def sum_by_cluster(self, values: Array) -> Array:
        """Sum over the cells of each cluster."""
        return backend_of(values).total(values, self.cluster_of, self.shape[1])

    def max_by_class(self, values: Array) -> Array:
        """Find the largest value (>= 0) among the cells of each class."""
        return backend_of(values).largest(values, self.class_of, self.shape[0])

    def max_by_cluster(self, values: Array) -> Array:
        """Find the largest value (>= 0) among the cells of each cluster."""
        return backend_of(values).largest(values, self.cluster_of, self.shape[1])

    def transposed(self) -> SparseCells:
        """The cells with the roles of classes and clusters exchanged."""
        xp = backend_of(self.counts).xp
        order = xp.argsort(self.cluster_of, stable=True)
        counts, rows, columns = (xp.take(x, order) for x in (self.counts, self.cluster_of, self.class_of))
        return SparseCells(counts, rows, columns, self.shape[::-1])

    def taken(self, rows: Array, columns: Array) -> SparseCells:
        """The cells of some rows and columns, by their places, sorted; outside of these all cells are empty."""
        class_of = _renumber(self.class_of, rows, self.shape[0])
        cluster_of = _renumber(self.cluster_of, columns, self.shape[1])
        return SparseCells(self.counts, class_of, cluster_of, (rows.shape[0], columns.shape[0]))

    def corner(self, rows: NDArray, columns: NDArray) -> NDArray:
        """The numbers in some of the first rows and columns, by their places on the host, where they go.

        Cells are sorted by class: no more of them leave the device than those up to the last of these rows.
        """
        stop = 0
        if len(rows):
            stop = int(to_host(backend_of(self.counts).count_true(self.class_of <= int(rows[-1]))))
        counts, class_of, cluster_of = (to_host(getattr(self, name)[:stop]) for name in self.arrays)
        is_inside = np.isin(class_of, rows) & np.isin(cluster_of, columns)
        places = np.searchsorted(rows, class_of[is_inside]), np.searchsorted(columns, cluster_of[is_inside])
        found = np.zeros((len(rows), len(columns)), dtype=counts.dtype)
        found[places] = counts[is_inside]
        return found

    def mapped(self, function: Callable[[Array], Array]) -> SparseCells:
        """The cells with each of their arrays as ``function`` gives it."""
        return SparseCells(function(self.counts), function(self.class_of), function(self.cluster_of), self.shape)


def _renumber(codes: Array, places: Array, size: int) -> Array:
    """Codes below ``size`` as places among sorted ``places``, one of which each of them is."""
    backend = backend_of(codes)
    return backend.value_of_each(backend.cumulative_sum(backend.count(places, size)) - 1, codes)


class SampleCells(NamedTuple):
    """Samples of real weights in their cells, of which pairs of samples are found."""

    weights: Array
    cells: Array
    """The flat index of the cell of each sample."""
    sums: Callable[[Array], Array]
    """From a value for each sample to the sum of each cell."""
