"""The smallest distance between clusters and the largest within one, on the host without most of the distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import NUMPY, is_sparse
from gpuval.geometry.distances.precomputed import DistanceMatrix, tiles_between_samples
from gpuval.geometry.distances.tiles import Tiles, size_of_tile, tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, unit_rows
from gpuval.geometry.kernels import extremes_by_kernel, is_for_kernels
from gpuval.geometry.moments import centres_of
from gpuval.geometry.points import Points, RowSubset, is_made_of_sparse, rows_of
from gpuval.geometry.progress import Progress
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, product, slices


class _Extremes(NamedTuple):
    """The smallest distance between samples of different clusters, and the largest between two of one."""

    between: Any
    within: Any


def extremes(points: Points, metric: str, progress: Progress) -> _Extremes:
    """Both extremes of the distances, as arrays."""
    if metric == "correlation":
        return extremes(replace(points, X=CentredRows(points.X)), "cosine", progress)
    if metric == "cosine":
        return _cosine_extremes(points, progress)
    if metric == "sqeuclidean":
        return _Extremes(*(x * x for x in extremes(points, "euclidean", progress)))
    if points.backend.on_host:
        return _Extremes(*(np.asarray(x) for x in _host_extremes(points, metric, progress)))
    return _device_extremes(points, metric, progress)


def _cosine_extremes(points: Points, progress: Progress) -> _Extremes:
    """Half the squares between samples of length 1; those of no length are at 1 from every other sample."""
    xp, k = points.xp, points.n_clusters
    has_none = have_no_length(points.X, points.masses) > 0
    counted = points.codes < k
    with_length = replace(
        points,
        X=unit_rows(points.X),
        codes=xp.where(has_none, xp.full_like(points.codes, k), points.codes),
    ).with_new_sizes()
    squares = extremes(with_length, "sqeuclidean", progress)
    sizes, n = points.own(points.sizes), points.backend.sum(points.sizes)
    has_partner, has_stranger = (xp.any(has_none & counted & of_it) for of_it in (sizes > 1, sizes < n))
    between, within = squares.between / 2, squares.within / 2
    one = xp.ones_like(between)
    return _Extremes(
        xp.where(has_stranger, xp.minimum(between, one), between),
        xp.where(has_partner, xp.maximum(within, one), within),
    )


def _host_extremes(points: Points, metric: str, progress: Progress) -> tuple[float, float]:
    present = np.flatnonzero(points.sizes)
    sizes = points.sizes[present]
    order = np.argsort(points.codes, kind="stable")[: int(sizes.sum())]
    codes = points.codes[order]
    if isinstance(points.X, DistanceMatrix):
        return extremes_by_tiles(points.X.tiles(order, order), codes, points.X.height, progress, is_symmetric=False)
    X: Any
    if is_made_of_sparse(points.X):
        X = points.X[order] if is_sparse(points.X) else RowSubset(points.X, order)
    else:
        X = rows_of(points.X, order).astype(np.float64, copy=False)
        if _is_worth_it(sizes):
            return _extremes_by_bounds(points, X, present, metric, progress)
    height, _ = size_of_tile(codes)
    return extremes_by_tiles(tiles_of(X, X, metric, NUMPY), codes, height, progress)


def _extremes_by_bounds(
    points: Points, X: NDArray, present: NDArray, metric: str, progress: Progress
) -> tuple[float, float]:
    """Both extremes without most of the distances, of samples that are sorted by cluster."""
    sizes = points.sizes[present]
    centres = centres_of(replace(points, weights=None, masses=points.sizes.astype(np.float64))).places[present]
    clusters = _Clusters(X, np.concatenate([[0], np.cumsum(sizes)]), centres, metric)
    return _smallest_between(clusters, progress), _largest_within(clusters, progress)


def extremes_by_tiles(
    tiles: Tiles, codes: NDArray, height: int, progress: Progress, is_symmetric: bool = True
) -> tuple[float, float]:
    """Both extremes of all distances between samples that are sorted by cluster."""
    _, width = size_of_tile(codes)

    def extremes_of_rows(rows: slice) -> tuple[float, float]:
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

    parts = parallel_map_with_blas(extremes_of_rows, slices(len(codes), height))
    return min((x for x, _ in parts), default=np.inf), max((x for _, x in parts), default=0.0)


def _device_extremes(points: Points, metric: str, progress: Progress) -> _Extremes:
    if points.may_sync and is_for_kernels(points, metric):
        by_kernel = extremes_by_kernel(points, metric)
        progress.advance(points.n_samples)
        return _Extremes(*by_kernel)
    backend, codes, n = points.backend, points.codes, points.n_samples
    xp = backend.xp
    height, width = size_of_tile(points.masses)
    tiles, height = tiles_between_samples(points, None, None, metric, height)
    is_given = isinstance(points.X, DistanceMatrix)
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
    return _Extremes(between, within)


# Both extremes on the host, without most of the distances.
#
# Both are exact: what is left out cannot be the extreme. Let x be a sample of cluster I with the centre m_I, and y one
# of cluster J with m_J. Along the line through both centres, x and y are apart by |m_J - m_I|, less how far x lies from
# m_I towards m_J, and less how far y lies from m_J towards m_I: their Euclidean distance is no less. For "cityblock"
# the bound is the distance of x to m_J less that of y to m_J. Two samples of one cluster are apart by no more than the
# sum of their distances to its centre. Pairs are gone through in the order of these bounds, up to where a bound is no
# better than the extreme so far.

_SLACK = 1e-9
"""Relative slack of the bounds for rounding: a share of the numbers that a bound is a sum or a difference of."""

_CELLS = 1 << 20
"""Numbers that are there at once for samples beside all centres."""

_AT_ONCE = 16
"""Pairs of clusters that are gone through before the next bound is compared with the smallest distance so far."""

_PAIR = 1 << 15
"""How many distances take as long as the bounds of one pair of clusters."""


def _is_worth_it(sizes: NDArray) -> bool:
    """Whether bounds of each pair of clusters cost less than all distances."""
    return _PAIR * len(sizes) ** 2 < int(sizes.sum()) ** 2 and len(sizes) <= 4096


class _Clusters:
    """Samples sorted by cluster, the centres of the clusters, and how far samples are from them."""

    def __init__(self, X: NDArray, edges: NDArray, centres: NDArray, metric: str) -> None:
        self.X, self.edges, self.centres, self.metric = X, edges, centres, metric
        self.k = len(centres)
        self.radii = np.concatenate(self.each(lambda i: self.distances(self.of(i), centres[i : i + 1])[:, 0]))

    def each(self, function: Callable[[int], Any], clusters: Any = None) -> list[Any]:
        """A function of the numbers of all clusters, or of some, on as many cores as there are."""
        return parallel_map_with_blas(function, range(self.k) if clusters is None else clusters)

    def of(self, i: int) -> NDArray:
        """The samples of a cluster."""
        return self.X[self.edges[i] : self.edges[i + 1]]

    def radii_of(self, i: int) -> NDArray:
        """The distances of the samples of a cluster to its centre."""
        return self.radii[self.edges[i] : self.edges[i + 1]]

    def nearest_to(self, places: NDArray, i: int) -> NDArray:
        """The smallest distance of the samples of a cluster to each of the places."""
        nearest = np.full(len(places), np.inf)
        for _, columns, tile in _tiles_between(self.of(i), places, self.metric):
            np.minimum(nearest[columns], tile.min(axis=0), out=nearest[columns])
        return nearest

    def parts(self, i: int) -> int:
        """In how many parts to go through the samples of a cluster beside all centres."""
        return -(-len(self.of(i)) // max(1, _CELLS // self.k))

    def distances(self, x: NDArray, y: NDArray) -> NDArray:
        """All distances of x to y, of which one has few."""
        distances = np.empty((len(x), len(y)))
        for rows, columns, tile in _tiles_between(x, y, self.metric):
            distances[rows, columns] = tile
        return distances


def _tiles_between(x: NDArray, y: NDArray, metric: str) -> Iterator[tuple[slice, slice, NDArray]]:
    """The distances of x to y, a tile at a time, with its rows and columns."""
    tiles, (height, width) = tiles_of(x, y, metric, NUMPY), size_of_tile(x)
    for rows in slices(len(x), height):
        prepared = tiles.rows(rows)
        for columns in slices(len(y), width):
            yield rows, columns, tiles.tile(prepared, columns)


def _largest_within(clusters: _Clusters, progress: Progress) -> float:
    """The largest distance between two samples of one cluster."""
    outermost = [np.sort(clusters.radii_of(i))[-2:] for i in range(clusters.k)]
    bounds = [float(pair.sum()) if len(pair) == 2 else 0.0 for pair in outermost]
    largest = 0.0  # so far: threads may overwrite one another's, which leaves a bound that is less sharp

    def largest_of(i: int) -> float:
        nonlocal largest
        diameter = 0.0
        if bounds[i] * (1 + _SLACK) > largest:
            diameter = _diameter(clusters, i, largest)
            largest = max(diameter, largest)
        progress.advance(len(clusters.of(i)) / 2)
        return diameter

    return float(max(clusters.each(largest_of, np.argsort([-x for x in bounds], kind="stable").tolist())))


def _diameter(clusters: _Clusters, i: int, largest: float) -> float:
    """The largest distance between two samples of a cluster, if it is larger than ``largest``."""
    x, radii = clusters.of(i), clusters.radii_of(i)
    order = np.argsort(-radii, kind="stable")  # the outermost first
    x, radii = x[order], radii[order]
    height, _ = size_of_tile(x)
    for rows in slices(len(x), height):
        enough = largest - radii[rows.start] - _SLACK * (largest + radii[rows.start])
        last = int(np.searchsorted(-radii, -enough, side="right"))  # further in, no sum of two radii is larger
        if last <= rows.start:
            break
        for _, _, tile in _tiles_between(x[rows], x[rows.start : last], clusters.metric):
            largest = max(largest, float(tile.max()))
    return largest


def _smallest_between(clusters: _Clusters, progress: Progress) -> float:
    """The smallest distance between two samples of different clusters."""
    i, j = np.triu_indices(clusters.k, 1)
    bounds = _bounds(clusters)[i, j]
    order = np.argsort(bounds, kind="stable")
    smallest = np.inf  # so far, as above

    def smallest_of(pair: int) -> float:
        nonlocal smallest
        separation = np.inf
        if bounds[pair] < smallest:
            separation = _separation(clusters, int(i[pair]), int(j[pair]), smallest)
            smallest = min(separation, smallest)
        return separation

    separations = [np.inf]
    for some in slices(len(order), _AT_ONCE):
        if bounds[order[some.start]] >= min(separations):
            break
        separations += clusters.each(smallest_of, order[some].tolist())
    progress.advance(len(clusters.X) / 2)
    return float(min(separations))


def _bounds(clusters: _Clusters) -> NDArray:
    """For each pair of clusters, what their samples are apart by at least."""
    centres = clusters.centres
    if clusters.metric == "cityblock":
        nearest = np.stack(clusters.each(lambda i: clusters.nearest_to(centres, i)))
        extents = np.asarray([clusters.radii_of(i).max() for i in range(clusters.k)])
        bounds = (nearest - extents) - _SLACK * (nearest + extents)
        both: NDArray = np.maximum(bounds, bounds.T)
        return both
    apart = clusters.distances(centres, centres)

    def reach_of(i: int) -> NDArray:
        along = (centres - centres[i]) / np.where(apart[i] > 0, apart[i], 1.0)[:, None]
        parts = np.array_split(clusters.of(i), clusters.parts(i))
        return np.asarray(np.max([product(x - centres[i], along).max(axis=0) for x in parts], axis=0))

    reach = np.stack(clusters.each(reach_of))
    return np.asarray(apart - (reach + reach.T) - _SLACK * (apart + abs(reach) + abs(reach.T)))


def _separation(clusters: _Clusters, i: int, j: int, smallest: float) -> float:
    """The smallest distance between samples of two clusters, if it is smaller than ``smallest``."""
    x, y = clusters.of(i), clusters.of(j)
    apart, towards_j, towards_i = _keys(clusters, i, j)
    order_x, order_y = (np.argsort(-keys, kind="stable") for keys in (towards_j, towards_i))  # the nearest first
    x, y, towards_j, towards_i = x[order_x], y[order_y], towards_j[order_x], towards_i[order_y]
    slack = _SLACK * (abs(apart) + abs(towards_j).max() + abs(towards_i).max())
    height, _ = size_of_tile(x)
    for rows in slices(len(x), height):
        needed = apart - towards_j[rows.start] - smallest - slack
        last = int(np.searchsorted(-towards_i, -needed, side="right"))  # further back, none is that near
        if last == 0:
            break
        for _, _, tile in _tiles_between(x[rows], y[:last], clusters.metric):
            smallest = min(smallest, float(tile.min()))
    return smallest


def _keys(clusters: _Clusters, i: int, j: int) -> tuple[float, NDArray, NDArray]:
    """c, a and b of the bound d(x, y) >= c - a(x) - b(y), for the samples x of cluster i and y of cluster j."""
    x, y, here, there = clusters.of(i), clusters.of(j), clusters.centres[i], clusters.centres[j]
    if clusters.metric == "cityblock":
        return 0.0, -clusters.distances(x, there[None, :])[:, 0], clusters.radii_of(j)
    apart = float(np.linalg.norm(there - here))
    along = (there - here) / (apart or 1.0)
    return apart, np.einsum("ij,j->i", x - here, along), np.einsum("ij,j->i", there - y, along)
