"""Separation of each cluster: the smallest reachability between one of its inner samples and one of another cluster."""

from __future__ import annotations

from threading import Lock

import numpy as np

from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.metrics.internal.density._connectedness import Connected
from gpuval.metrics.internal.density._distances import Distances
from gpuval.numerics import Array, NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map_with_blas

_TILE = 512
"""Rows and columns of a tile on the host."""

_CELLS = 1 << 22
"""How many distances are in memory at once on a device."""


def separations_on_host(
    distances: Distances, clusters: list[NDArray], connected: list[Connected], progress: Progress
) -> NDArray:
    """The separation of each cluster; infinity if there is no other cluster."""
    inner = [rows[x.are_inner] for rows, x in zip(clusters, connected, strict=True)]
    samples = np.concatenate(inner)
    codes = np.repeat(np.arange(len(inner)), [len(rows) for rows in inner])
    cores = np.concatenate([x.cores[x.are_inner] for x in connected])
    n, least, lock = len(samples), np.full(len(clusters), np.inf), Lock()
    tiles = distances.tiles(samples, samples, are_ties_seen=False)

    def of_rows(rows: slice) -> None:
        prepared, own = tiles.rows(rows), codes[rows]
        for columns in slices(n, _TILE, rows.start if distances.is_symmetric else 0):
            others = codes[columns]
            if own[0] == others[-1] and own[-1] == others[0]:
                continue  # all of one cluster
            reach = np.maximum(tiles.tile(prepared, columns), cores[columns])
            np.maximum(reach, cores[rows][:, None], out=reach)
            if own[-1] >= others[0] and others[-1] >= own[0]:
                reach[own[:, None] == others] = np.inf
            with lock:
                np.minimum.at(least, own, reach.min(axis=1))
                if distances.is_symmetric:
                    np.minimum.at(least, others, reach.min(axis=0))
        progress.advance((rows.stop - rows.start) / 3)

    parallel_map_with_blas(of_rows, slices(n, min(_TILE, distances.height)))
    return least


def separations_on_device(distances: Distances, points: Points, connected: Connected, progress: Progress) -> Array:
    """What :func:`separations_on_host` gives, of all clusters at once."""
    backend, xp, k, n = points.backend, points.xp, points.n_clusters, points.n_samples
    cores, tiles = connected.cores, distances.tiles(None, None)
    codes = xp.where(connected.are_inner, points.codes, xp.full_like(points.codes, k))
    clusters = backend.arange_beside(0, k, codes.dtype, codes)
    least = backend.zeros_beside((k,), cores.dtype, cores) + float("inf")
    for rows in slices(n, max(1, _CELLS // max(1, n, k))):
        own = codes[rows]
        reach = xp.maximum(tiles.tile(tiles.rows(rows), slice(0, n)), xp.maximum(cores[rows][:, None], cores[None, :]))
        are_two = (own[:, None] != codes[None, :]) & (own < k)[:, None] & (codes < k)[None, :]
        nearest = xp.min(xp.where(are_two, reach, xp.full_like(reach, float("inf"))), axis=1)
        hits = clusters[:, None] == own[None, :]
        of_each = xp.broadcast_to(nearest[None, :], hits.shape)
        of_each = xp.where(hits, of_each, xp.full_like(of_each, float("inf")))
        least = xp.minimum(least, xp.min(of_each, axis=1))
        progress.advance((rows.stop - rows.start) / 3)
    return least
