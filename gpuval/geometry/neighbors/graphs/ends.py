"""The ends of the edges of a graph, and their labels: by blocks on all cores of the host, all at once on a device."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from gpuval.engines.backends import Backend, backend_of
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.points import Points
from gpuval.numerics import Array
from gpuval.numerics.threads import parallel_map

Found = TypeVar("Found")

BLOCK = 1 << 15
"""About as many edges as are read at once on the host: what is made of them stays in the caches."""


class Ends(NamedTuple):
    """Some edges: the samples at their ends and the codes of these, shape (n_edges,) of each.

    An edge of a sample that does not count has the spare code at both ends, and no weight. ``weights`` are of the type
    that was given; None if all are 1.
    """

    sources: Array
    targets: Array
    of_sources: Array
    of_targets: Array
    weights: Array | None
    spare: int
    places: slice
    """Which of all edges they are."""

    @property
    def backend(self) -> Backend:
        """The backend of all arrays."""
        return backend_of(self.of_sources)

    @property
    def are_inside(self) -> Array:
        """Which edges have one label at both ends, including those that do not count."""
        found: Array = self.of_sources == self.of_targets
        return found

    @property
    def are_edges(self) -> Array:
        """Which entries count and do not have the weight 0."""
        counted: Array = self.of_sources != self.spare
        return counted if self.weights is None else counted & (self.weights > 0)


def of_blocks(function: Callable[[Ends], Found], points: Points) -> list[Found]:
    """The results of a function of all edges; on the host, of blocks of edges in the order of their first ends."""
    edges: Edges = points.X
    if not points.backend.on_host:
        return [function(_ends(points, edges.sources(), slice(0, edges.n_edges)))]
    starts = edges.starts

    def of_rows(rows: tuple[int, int]) -> Found:
        first, last = rows
        sources = np.repeat(np.arange(first, last), np.diff(starts[first : last + 1]))
        return function(_ends(points, sources, slice(int(starts[first]), int(starts[last]))))

    size = max(BLOCK, 8 * points.n_clusters)  # sums by label are to be few beside the edges
    borders = np.searchsorted(starts, np.arange(0, max(1, edges.n_edges), size), side="right") - 1
    borders[0] = 0  # with the samples before the first that has edges
    return parallel_map(of_rows, list(pairwise([*np.unique(borders).tolist(), edges.n_samples])))


def _ends(points: Points, sources: Array, part: slice) -> Ends:
    edges, spare, xp = points.X, points.n_clusters, points.xp
    targets = edges.targets[part]
    weights = None if edges.weights is None else edges.weights[part]
    of_sources, of_targets = xp.take(points.codes, sources), xp.take(points.codes, targets)
    if points.backend.on_host and int(points.sizes.sum()) == points.n_samples:
        return Ends(sources, targets, of_sources, of_targets, weights, spare, part)
    counted = (of_sources != spare) & (of_targets != spare)
    of_sources, of_targets = (xp.where(counted, x, xp.full_like(x, spare)) for x in (of_sources, of_targets))
    weights = None if weights is None else xp.where(counted, weights, xp.zeros_like(weights))
    return Ends(sources, targets, of_sources, of_targets, weights, spare, part)
