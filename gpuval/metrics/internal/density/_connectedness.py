"""How dense each cluster is inside: core distances, and a spanning tree without its leaves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.metrics.internal.density._cores import core_distances
from gpuval.metrics.internal.density._distances import Distances, Whole
from gpuval.metrics.internal.density._trees import Tree, tree_on_host, trees_on_device
from gpuval.numerics import Array, NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map_with_blas

_WHOLE = 2048
"""The largest cluster, in samples, of which the host holds all distances in memory at once."""

_CELLS = 1 << 17, 1 << 22
"""How many distances of larger clusters are in memory at once: on the host, and on a device."""


class Connected(NamedTuple):
    """What the spanning trees say of the clusters."""

    cores: Array
    """The core distance of each sample."""
    are_inner: Array
    """Whether each sample is inner, that is, not a leaf of its tree; all samples of a tree that has only leaves."""
    sparseness: Array
    """The longest edge of each cluster between two inner samples; its longest edge, if there is none between two."""


def connected_on_host(
    distances: Distances, clusters: list[NDArray], n_features: int, progress: Progress
) -> list[Connected]:
    """The core distances, inner samples and sparseness of each cluster.

    A cluster is given by the indices of its samples. Each cluster has two samples or more.
    """
    large = [i for i, rows in enumerate(clusters) if len(rows) > _WHOLE]
    blocks = [(i, some) for i in large for some in slices(len(clusters[i]), _height(distances, len(clusters[i])))]

    def cores_of_block(block: tuple[int, slice]) -> NDArray:
        rows, some = clusters[block[0]], block[1]
        tiles = distances.tiles(rows[some], rows)
        tile = tiles.tile(tiles.rows(slice(0, some.stop - some.start)), slice(0, len(rows)))
        found = _cores(tile.astype(np.float64, copy=False), some, n_features)
        progress.advance((some.stop - some.start) / 3)
        return found

    found = parallel_map_with_blas(cores_of_block, blocks)
    cores = {i: np.concatenate([x for x, (j, _) in zip(found, blocks, strict=True) if i == j]) for i in large}

    def of_cluster(i: int) -> Connected:
        rows = clusters[i]
        if i in cores:
            of_it, tree = cores[i], tree_on_host(lambda left: distances.tiles(rows, rows[left]), cores[i])
            progress.advance(len(rows) / 3)
        else:
            whole, of_it = _whole_and_cores(distances, rows, n_features)
            tree = tree_on_host(lambda left: Whole(whole, left), of_it)
            progress.advance(len(rows) * 2 / 3)
        return Connected(of_it, *_inside(tree))

    order = sorted(range(len(clusters)), key=lambda i: -len(clusters[i]))  # the longest first
    of_clusters = dict(zip(order, parallel_map_with_blas(of_cluster, order), strict=True))
    return [of_clusters[i] for i in range(len(clusters))]


def _height(distances: Distances, n_columns: int) -> int:
    return max(1, min(distances.height, _CELLS[0] // n_columns))


def _whole_and_cores(distances: Distances, samples: NDArray, n_features: int) -> tuple[NDArray, NDArray]:
    """All distances between the samples of a cluster, and their core distances."""
    n, tiles = len(samples), distances.tiles(samples, samples)
    whole, cores = np.empty((n, n)), np.empty(n)
    for rows in slices(n, _height(distances, n)):
        whole[rows] = tiles.tile(tiles.rows(rows), slice(0, n))
        cores[rows] = _cores(whole[rows], rows, n_features)
    return whole, cores


def _cores(tile: NDArray, rows: slice, n_features: int) -> NDArray:
    """The core distances of some samples of a cluster, by their distances to all its samples; writes into ``tile``."""
    np.fill_diagonal(tile[:, rows], 0)  # samples of no length are at 1 from all others
    return np.asarray(core_distances(tile, tile.shape[1] - 1, n_features, np))


def _inside(tree: Tree) -> tuple[NDArray, Any]:
    """Which samples are not leaves of the tree, and the longest edge between two such samples."""
    parents, lengths = tree.parents[1:], tree.lengths[1:]
    degrees = np.bincount(parents, minlength=len(tree.parents))
    degrees[1:] += 1
    inner = degrees > 1
    are_inner = inner[1:] & inner[parents]
    sparseness = lengths[are_inner].max() if are_inner.any() else lengths.max()
    return (inner if inner.any() else ~inner), sparseness


def connected_on_device(distances: Distances, points: Points, n_features: int, progress: Progress) -> Connected:
    """What :func:`connected_on_host` gives, of all clusters of two samples or more at once.

    All other samples have the spare code, ``n_clusters``.
    """
    backend, xp, codes, k, n = points.backend, points.xp, points.codes, points.n_clusters, points.n_samples
    tiles = distances.tiles(None, None)
    numbers = backend.arange_beside(0, n, codes.dtype, codes)
    sizes = points.own(xp.astype(points.sizes, points.masses.dtype))
    others = xp.maximum(sizes, xp.ones_like(sizes)) - 1
    parts = []
    for rows in slices(n, max(1, _CELLS[1] // max(1, n))):
        tile = tiles.tile(tiles.rows(rows), slice(0, n))
        is_other = (codes[rows][:, None] == codes[None, :]) & (numbers[rows][:, None] != numbers[None, :])
        tile = xp.where(is_other & (codes[rows] < k)[:, None], tile, xp.zeros_like(tile))
        parts.append(core_distances(tile, others[rows], n_features, xp))
        progress.advance((rows.stop - rows.start) / 3)
    cores = xp.concat(parts)
    parents, lengths = trees_on_device(tiles, codes, k, cores, backend)
    progress.advance(n / 3)
    has_edge = parents >= 0
    ends = xp.where(has_edge, parents, xp.full_like(parents, n))
    degrees = backend.count(ends, n + 1)[:n]
    is_inner = (degrees + xp.astype(has_edge, degrees.dtype)) > 1
    at = xp.where(has_edge, parents, xp.zeros_like(parents))
    between_inner = has_edge & is_inner & xp.take(is_inner, at)

    def longest(which: Array) -> tuple[Array, Array]:
        """The longest of some edges in each cluster, and whether the cluster has such an edge."""
        spare = xp.where(which, codes, xp.full_like(codes, k))
        kept = xp.where(which, lengths, xp.zeros_like(lengths))
        return backend.largest(kept, spare, k + 1)[:k], backend.count(spare, k + 1)[:k] > 0

    (inner, has_inner), (any_edge, _) = longest(between_inner), longest(has_edge)
    has_inner_samples = backend.count(xp.where(is_inner, codes, xp.full_like(codes, k)), k + 1)[:k] > 0
    none_is = points.own(xp.astype(has_inner_samples, codes.dtype)) == 0
    are_inner = (codes < k) & (is_inner | none_is)
    return Connected(cores, are_inner, xp.where(has_inner, inner, any_edge))
