"""Minimum spanning trees of the samples of each cluster, by Prim's algorithm.

The length of an edge is the mutual reachability of two samples: the largest of their distance and of their two core
distances. The tree begins with the first sample of the cluster. In each step it takes the sample that is nearest to any
sample in the tree; among equally near ones, the one with the smallest index. That sample is connected to the sample of
the tree that is nearest to it; among equally near ones, again the one with the smallest index. Ties are common: a
sample with a large core distance is equally near to all samples that are nearer than its core distance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gpuval.engines.backends import Backend
from gpuval.geometry.distances.tiles import Tiles
from gpuval.numerics import Array, NDArray

_COMPACTED = 1 / 4
"""When this share of the columns is in the tree, these columns are removed."""

_FEWEST = 64
"""With so few columns, removing some saves no time."""


class Tree(NamedTuple):
    """The sample to which each sample was connected, and the length of that edge; -1 and 0 for the first sample."""

    parents: Array
    lengths: Array


def tree_on_host(tiles_to: Callable[[NDArray], Tiles], cores: NDArray) -> Tree:
    """The tree of a cluster; ``tiles_to`` gives the distances of all its samples to those with some indices."""
    n = len(cores)
    tree = Tree(np.full(n, -1), np.zeros(n))
    left, newest, n_done = np.arange(n), 0, 0
    tiles, others = tiles_to(left), cores.copy()
    nearest, parents = np.full(n, np.inf), np.zeros(n, dtype=np.int64)
    others[0] = np.inf  # samples in the tree are not reached again
    for _ in range(n - 1):
        (distances,) = tiles.tile(tiles.rows(slice(newest, newest + 1)), slice(0, len(left)))
        reach = np.maximum(distances, others)
        np.maximum(reach, cores[newest], out=reach)
        np.minimum(parents, newest, out=parents, where=reach == nearest)
        parents[reach < nearest] = newest
        np.minimum(nearest, reach, out=nearest)
        at = int(nearest.argmin())
        newest = int(left[at])
        tree.parents[newest], tree.lengths[newest] = parents[at], nearest[at]
        nearest[at] = others[at] = np.inf
        n_done += 1
        if n_done > _COMPACTED * len(left) and len(left) > _FEWEST:
            kept = np.flatnonzero(others < np.inf)
            left, others, nearest, parents = (x[kept] for x in (left, others, nearest, parents))
            tiles, n_done = tiles_to(left), 0
    return tree


def trees_on_device(tiles: Tiles, codes: Array, n_clusters: int, cores: Array, backend: Backend) -> Tree:
    """The trees of all clusters, one after the other: as many steps as samples; no value is copied to the host."""
    xp, n = backend.xp, codes.shape[0]
    numbers = backend.arange_beside(0, n, codes.dtype, codes)
    furthest = xp.finfo(cores.dtype).max
    infinite = xp.full_like(cores, float("inf"))

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        newest, nearest, parents, is_done = state
        is_done = is_done | (numbers == newest)
        distances = tiles.tile(tiles.rows(newest), slice(0, n))[0, :]
        reach = xp.maximum(xp.maximum(distances, cores), xp.take(cores, newest))
        is_reached = ~is_done & (codes == xp.take(codes, newest))
        is_first = (reach == nearest) & (newest < parents)
        is_nearer = is_reached & ((reach < nearest) | is_first)
        nearest = xp.where(is_nearer, reach, nearest)
        parents = xp.where(is_nearer, newest, parents)
        # When a cluster is complete, all other samples are equally far: the next cluster begins with its first sample.
        keys = xp.where(is_done, infinite, nearest)
        following = xp.min(xp.where(keys == xp.min(keys), numbers, xp.full_like(numbers, n)))
        return xp.reshape(following, (1,)), nearest, parents, is_done

    state = (
        numbers[:1],
        xp.full_like(cores, furthest),
        xp.full_like(codes, -1),
        codes >= n_clusters,
    )
    _, nearest, parents, _ = backend.repeated(step, state, n)
    return Tree(parents, xp.where(parents >= 0, nearest, xp.zeros_like(nearest)))
