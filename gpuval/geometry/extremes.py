"""The smallest distance between clusters, and the largest within one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry import pruning as _pruned
from gpuval.geometry.distances import differences as _standard
from gpuval.geometry.distances import products as _host
from gpuval.geometry.distances.precomputed import Precomputed
from gpuval.geometry.distances.rows import Chosen, is_made_of_sparse, rows_of, slices
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, unit_rows
from gpuval.geometry.kernels import extremes_by_kernel, is_for_kernels
from gpuval.geometry.moments import centres_of
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import threads as _threads

NDArray = np.ndarray[Any, Any]


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
    if backend_of(points.codes).on_host:
        return Extremes(*(np.asarray(x) for x in _on_host(points, metric, progress)))
    return _on_device(points, metric, progress)


def _of_cosines(points: Points, progress: Progress) -> Extremes:
    """Half the squares between samples of length 1; those of no length are at 1 from every other sample."""
    xp = points.xp
    none = have_no_length(points.X, points.masses) > 0
    counted = points.codes < points.n_clusters
    X, k = unit_rows(points.X), points.n_clusters
    directed = replace(points, X=X, codes=xp.where(none, xp.full_like(points.codes, k), points.codes))
    directed = directed.counted_anew()
    found = extremes(directed, "sqeuclidean", progress)
    sizes, n = points.own(points.sizes), backend_of(points.sizes).sum(points.sizes)
    has_partner, has_stranger = (xp.any(none & counted & of_it) for of_it in (sizes > 1, sizes < n))
    one = xp.ones_like(found.between)
    between, within = found.between / 2, found.within / 2
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
    if is_made_of_sparse(points.X):
        X = points.X[order] if is_sparse(points.X) else Chosen(points.X, order)
        return unpruned(_host.tiles_of(X, X, metric), codes, _host.ROWS, progress)
    X = rows_of(points.X, order).astype(np.float64, copy=False)
    if not _pruned.is_worth_it(sizes):
        return unpruned(_host.tiles_of(X, X, metric), codes, _host.ROWS, progress)
    centres = centres_of(replace(points, weights=None, masses=points.sizes.astype(np.float64))).places[present]
    clusters = _pruned.Clusters(X, np.concatenate([[0], np.cumsum(sizes)]), centres, metric)
    return _pruned.smallest_between(clusters, progress), _pruned.largest_within(clusters, progress)


def unpruned(
    tiles: Any, codes: NDArray, height: int, progress: Progress, is_symmetric: bool = True
) -> tuple[float, float]:
    """Both extremes of all distances between samples that are sorted by cluster."""

    def of_rows(rows: slice) -> tuple[float, float]:
        between, within = np.inf, 0.0
        prepared, own = tiles.rows(rows), codes[rows]
        for columns in slices(len(codes), _host.COLUMNS, rows.start if is_symmetric else 0):
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

    found = _threads.mapped_with_blas(of_rows, slices(len(codes), height))
    return min((x for x, _ in found), default=np.inf), max((x for _, x in found), default=0.0)


def _on_device(points: Points, metric: str, progress: Progress) -> Extremes:
    if points.looks and is_for_kernels(points, metric):
        found = extremes_by_kernel(points, metric)
        progress.advance(points.n_samples)
        return Extremes(*found)
    xp, codes, wide = points.xp, points.codes, points.masses.dtype
    side = _standard.side_of_tile(points.masses)
    tiles: Any
    is_given = isinstance(points.X, Precomputed)
    if is_given:
        tiles, height = points.X.tiles(None, None), points.X.height
    else:
        tiles, height = _standard.tiles_of(points.X, points.X, metric), side
    counted = codes < points.n_clusters
    between = xp.full((), float("inf"), dtype=wide, device=backend_of(codes).device(codes))
    within = xp.zeros((), dtype=wide, device=backend_of(codes).device(codes))
    for rows in slices(points.n_samples, height):
        prepared = tiles.rows(rows)
        for columns in slices(points.n_samples, side, 0 if is_given else rows.start):
            tile = xp.astype(tiles.tile(prepared, columns), wide)
            both = counted[rows][:, None] & counted[columns][None, :]
            same = codes[rows][:, None] == codes[columns][None, :]
            between = xp.minimum(between, xp.min(xp.where(both & ~same, tile, xp.full_like(tile, float("inf")))))
            within = xp.maximum(within, xp.max(xp.where(both & same, tile, xp.zeros_like(tile))))
        progress.advance(rows.stop - rows.start)
    return Extremes(between, within)
