"""The two layouts of a table's cells, behind one interface, so that formulas never know which they read.

The interface: ``counts`` (one number per cell); ``by_class``, ``by_cluster`` and ``everywhere`` (align a value per
class, per cluster or per table with the cells); ``sum`` (over all cells); ``sum_by_class`` and ``sum_by_cluster``;
``max_by_class`` and ``max_by_cluster``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array

_SMALL = 1 << 16
_LARGEST = 1 << 25
"""Cells of the largest table that is chosen to be dense: 256 MB of int64."""


def dense_is_better(n_classes: int, n_clusters: int, n_samples: int) -> bool:
    """Whether all cells cost less than the non-empty ones: they are few, or not many more than the samples."""
    return n_classes * n_clusters <= most_dense_cells(n_samples)


def most_dense_cells(n_samples: int) -> int:
    """How many cells a dense table may have to be better than the non-empty ones."""
    return min(max(_SMALL, n_samples), _LARGEST)


def has_few_samples(n_samples: int, n_cells: int) -> bool:
    """Whether adding sample by sample to a table that is there costs less than a table of the samples, of all cells."""
    return 8 * n_samples < n_cells


def is_narrow(limits: tuple[int, int], n_samples: int, largest: int) -> bool:
    """Whether labels may be codes as they are, less the smallest: their range is little more than the samples.

    ``largest`` is the largest number that codes may be.
    """
    low, high = limits
    return high - low < max(1 << 16, 4 * n_samples) and high <= largest


@dataclass(frozen=True, eq=False)
class DenseCells:
    """All cells, shape (..., n_classes, n_clusters): of fixed shape, and with leading dimensions a batch of tables."""

    counts: Array

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


@dataclass(frozen=True, eq=False)
class ListedCells:
    """The non-empty cells only, by class and then by cluster: 10^5 x 10^5 clusters fit."""

    counts: Array
    class_of: Array
    cluster_of: Array
    shape: tuple[int, int]

    def by_class(self, x: Array) -> Array:
        """Align one value per class with the cells."""
        return backend_of(x).xp.take(x, self.class_of)

    def by_cluster(self, x: Array) -> Array:
        """Align one value per cluster with the cells."""
        return backend_of(x).xp.take(x, self.cluster_of)

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


class Placed(NamedTuple):
    """Samples of real weights in their cells, of which pairs of samples are found."""

    weights: Array
    cells: Array
    """The flat index of the cell of each sample."""
    sums: Callable[[Array], Array]
    """From a value for each sample to the sum of each cell."""
