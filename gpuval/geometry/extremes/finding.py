"""The smallest distance between clusters, and the largest within one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import NUMPY, is_sparse
from gpuval.geometry.distances.between import tiles_between_samples
from gpuval.geometry.distances.precomputed import Precomputed
from gpuval.geometry.distances.rows import Chosen, is_made_of_sparse, rows_of
from gpuval.geometry.distances.tiles import Tiles, size_of_tile, tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, unit_rows
from gpuval.geometry.extremes.pruning import SortedClusters, is_worth_it, largest_within, smallest_between
from gpuval.geometry.kernels import extremes_by_kernel, is_for_kernels
from gpuval.geometry.moments import centres_of
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map_with_blas


class Extremes(NamedTuple):
    """The smallest distance between samples of different clusters, and the largest between two of one."""

    between: Any
    within: Any


def extremes(points: Points, metric: str, progress: Progress) -> Extremes:
    """Both extremes of the distances, as arrays."""
    if metric == "correlation":
        return extremes(replace(points, X=CentredRows(points.X)), "cosine", progress)
    if metric == "cosine":
        return _of_cosines(points, progress)
    if metric == "sqeuclidean":
        return Extremes(*(x * x for x in extremes(points, "euclidean", progress)))
    if points.backend.on_host:
        return Extremes(*(np.asarray(x) for x in _on_host(points, metric, progress)))
    return _on_device(points, metric, progress)


def _of_cosines(points: Points, progress: Progress) -> Extremes:
    """Half the squares between samples of length 1; those of no length are at 1 from every other sample."""
    xp, k = points.xp, points.n_clusters
    has_none = have_no_length(points.X, points.masses) > 0
    counted = points.codes < k
    with_length = replace(
        points,
        X=unit_rows(points.X),
        codes=xp.where(has_none, xp.full_like(points.codes, k), points.codes),
    ).counted_anew()
    squares = extremes(with_length, "sqeuclidean", progress)
    sizes, n = points.own(points.sizes), points.backend.sum(points.sizes)
    has_partner, has_stranger = (xp.any(has_none & counted & of_it) for of_it in (sizes > 1, sizes < n))
    between, within = squares.between / 2, squares.within / 2
    one = xp.ones_like(between)
    return Extremes(
        xp.where(has_stranger, xp.minimum(between, one), between),
        xp.where(has_partner, xp.maximum(within, one), within),
    )


def _on_host(points: Points, metric: str, progress: Progress) -> tuple[float, float]:
    present = np.flatnonzero(points.sizes)
    sizes = points.sizes[present]
    order = np.argsort(points.codes, kind="stable")[: int(sizes.sum())]
    codes = points.codes[order]
    if isinstance(points.X, Precomputed):
        return unpruned(points.X.tiles(order, order), codes, points.X.height, progress, is_symmetric=False)
    X: Any
    if is_made_of_sparse(points.X):
        X = points.X[order] if is_sparse(points.X) else Chosen(points.X, order)
    else:
        X = rows_of(points.X, order).astype(np.float64, copy=False)
        if is_worth_it(sizes):
            return _pruned(points, X, present, metric, progress)
    height, _ = size_of_tile(codes)
    return unpruned(tiles_of(X, X, metric, NUMPY), codes, height, progress)


def _pruned(points: Points, X: NDArray, present: NDArray, metric: str, progress: Progress) -> tuple[float, float]:
    """Both extremes without most of the distances, of samples that are sorted by cluster."""
    sizes = points.sizes[present]
    centres = centres_of(replace(points, weights=None, masses=points.sizes.astype(np.float64))).places[present]
    clusters = SortedClusters(X, np.concatenate([[0], np.cumsum(sizes)]), centres, metric)
    return smallest_between(clusters, progress), largest_within(clusters, progress)


def unpruned(
    tiles: Tiles, codes: NDArray, height: int, progress: Progress, is_symmetric: bool = True
) -> tuple[float, float]:
    """Both extremes of all distances between samples that are sorted by cluster."""
    _, width = size_of_tile(codes)

    def of_rows(rows: slice) -> tuple[float, float]:
        between, within = np.inf, 0.0
        prepared, own = tiles.rows(rows), codes[rows]
        for columns in slices(len(codes), width, rows.start if is_symmetric else 0):
            tile, others = tiles.tile(prepared, columns), codes[columns]
            if own[-1] < others[0] or others[-1] < own[0]:
                between = min(between, float(tile.min()))
            elif own[0] == own[-1] == others[0] == others[-1]:
                within = max(within, float(tile.max()))
            else:
                same = own[:, None] == others
                between = min(between, float(tile.min(where=~same, initial=np.inf)))
                within = max(within, float(tile.max(where=same, initial=0.0)))
        progress.advance(rows.stop - rows.start)
        return between, within

    parts = parallel_map_with_blas(of_rows, slices(len(codes), height))
    return min((x for x, _ in parts), default=np.inf), max((x for _, x in parts), default=0.0)


def _on_device(points: Points, metric: str, progress: Progress) -> Extremes:
    if points.may_sync and is_for_kernels(points, metric):
        by_kernel = extremes_by_kernel(points, metric)
        progress.advance(points.n_samples)
        return Extremes(*by_kernel)
    backend, codes, n = points.backend, points.codes, points.n_samples
    xp = backend.xp
    height, width = size_of_tile(points.masses)
    tiles, height = tiles_between_samples(points, None, None, metric, height)
    is_given = isinstance(points.X, Precomputed)
    counted = codes < points.n_clusters
    within = backend.zeros_beside((), points.masses.dtype, points.masses)
    between = within + float("inf")
    for rows in slices(n, height):
        prepared = tiles.rows(rows)
        for columns in slices(n, width, 0 if is_given else rows.start):
            tile = xp.astype(tiles.tile(prepared, columns), within.dtype)
            both = counted[rows][:, None] & counted[columns][None, :]
            same = codes[rows][:, None] == codes[columns][None, :]
            between = xp.minimum(between, xp.min(xp.where(both & ~same, tile, xp.full_like(tile, float("inf")))))
            within = xp.maximum(within, xp.max(xp.where(both & same, tile, xp.zeros_like(tile))))
        progress.advance(rows.stop - rows.start)
    return Extremes(between, within)
