"""The edges of a graph whose vertices are samples, stored by rows, as in a CSR matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpuval.engines.backends import OfOneLibrary
from gpuval.engines.backends.pytrees import as_tree
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.numerics import Array


@as_tree
@dataclass(frozen=True, eq=False)
class Edges(OfOneLibrary):
    """The edges from each sample to others.

    The edges of sample r are the entries ``starts[r]`` to below ``starts[r + 1]`` of ``targets`` and ``weights``.
    ``starts`` has shape (n_samples + 1,), the others (n_edges,). ``weights`` is None if all are 1; an entry of weight 0
    is no edge. ``invalid`` is the number of entries that could not be read, if values stay on the device; else None.
    """

    _like = "targets"

    starts: Array
    targets: Array
    weights: Array | None
    invalid: Array | None

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix of all samples by all samples."""
        return self.n_samples, self.n_samples

    @property
    def n_samples(self) -> int:
        """The number of samples."""
        return int(self.starts.shape[0]) - 1

    @property
    def n_edges(self) -> int:
        """The number of entries."""
        return int(self.targets.shape[0])

    def sources(self) -> Array:
        """The sample at which each edge starts, shape (n_edges,)."""
        backend = self.backend
        if backend.on_host:
            return np.repeat(np.arange(self.n_samples), np.diff(self.starts))
        xp, wide = backend.xp, backend.widest(self.targets).int
        # Of each edge the number of rows that have begun by then, less 1: of a fixed shape, unlike a repetition.
        begun = backend.count(xp.astype(self.starts[:-1], wide), self.n_edges + 1)[:-1]
        sources = backend.cumulative_sum(begun) - 1
        return xp.maximum(sources, xp.zeros_like(sources))  # an index, also where ``starts`` are wrong


def edges_of(nearest: Nearest) -> Edges:
    """An edge of weight 1 from each sample to each of its neighbours."""
    indices, _ = nearest.block(slice(0, nearest.n_samples))
    backend, (n, k) = nearest.backend, indices.shape
    wide = backend.widest(indices).int
    starts = backend.arange_beside(0, n + 1, wide, indices) * k
    return Edges(starts, backend.xp.reshape(indices, (n * k,)), None, nearest.invalid)
