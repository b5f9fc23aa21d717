"""Mean distances from samples to clusters, tile by tile: no more than a tile of the distances is ever there.

The samples are sorted by cluster once, so that the columns of a cluster are neighbours, and what a row needs of a
cluster is folded into two numbers as soon as the cluster is complete: memory is that of the samples and of a tile. For
squared and cosine distances the columns are the centres of the clusters: the mean of |x - y|^2 over a cluster is |x -
m|^2 + s / w of its mean m, its scatter s and its weight w, in O(n_samples n_features n_clusters).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, to_host
from gpuval.geometry.distances.between import tiles_between_samples
from gpuval.geometry.distances.derivatives import Slopes, of_sums
from gpuval.geometry.distances.precomputed import Precomputed
from gpuval.geometry.distances.rows import Chosen, Rows, Shifted, taken
from gpuval.geometry.distances.tiles import Tiles, size_of_tile, tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, unit_rows
from gpuval.geometry.kernels import is_for_kernels, means_by_kernel
from gpuval.geometry.moments import moments_of
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.inputs.features import are_extreme
from gpuval.numerics import Array, NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map_with_blas

Between = Literal["nearest", "mean_other", "furthest"]
"""What a silhouette compares the distances to the own cluster with; see :class:`Means`."""

_KERNEL_GIVES: tuple[Between, ...] = ("nearest", "furthest", "mean_other")

CLOSED = ("sqeuclidean", "cosine")
"""The metrics whose means follow from the centres."""


class Means(NamedTuple):
    """What the silhouettes of rows are made of: two arrays of shape (n_rows,), in the widest float.

    Let d(i, c) be the sum of w_j d_ij over the samples j of cluster c, with the weights w_j and the distances d_ij of
    row i, and w_c the sum of these weights.
    """

    own: Array
    """d(i, k) of the row's own cluster k: divided by the weight of the other samples of k, the a of the silhouette."""
    other: Array
    """The b of the silhouette by its mode, over the clusters c other than k: for "nearest" the least d(i, c) / w_c, for
    "furthest" the largest; for "mean_other" the sum of d(i, c), which is yet to be divided by the sum of w_c."""
    which: Array | None = None
    """The cluster that b is of, on the host; it means nothing for "mean_other"."""


class ClusterGroup(NamedTuple):
    """Neighbouring clusters, whose columns are gone through together: several small ones, or one."""

    first: int
    stop: int
    begin: int
    end: int
    """The first column, and the one after the last."""


@dataclass(frozen=True)
class Plan:
    """Rows, and what they are compared with: tiles of distances, sums of a tile by cluster, and groups of clusters."""

    tiles: Tiles
    codes: Array
    """The cluster of each row."""
    height: int
    """The most rows of a tile."""
    width: int
    """The most columns of a tile."""
    sums: Callable[[Array, ClusterGroup, slice, slice], Array]
    """Of a tile, its group, its rows and its columns: the sums over each cluster, shape (n_rows, n_clusters)."""
    groups: list[ClusterGroup]
    masses: Array
    """The weight of each cluster."""


def mean_distances(points: Points, metric: str, between: Between, rows: Array | None, progress: Progress) -> Means:
    """Mean distances of the rows, which are indices beside the codes; None for all samples, in their order.

    What is given for samples that do not count means nothing.
    """
    if (host := _seen_by_numpy(points)) is not None:
        return _with_derivative(points, host, metric, between, rows, progress)
    if metric == "correlation":
        return mean_distances(replace(points, X=CentredRows(points.X)), "cosine", between, rows, progress)
    no_length = have_no_length(points.X, points.masses) if metric == "cosine" else None
    if points.backend.on_host:
        means = _on_host(points, metric, between, rows, no_length, progress)
    else:
        means = _on_device(points, metric, between, rows, no_length, progress)
    if no_length is None:
        return means
    itself = no_length * points.own_weight  # a sample without a length is at 1 from all others, but not from itself
    return means._replace(own=means.own - taken(itself, rows))


# In another library's memory on the host, with a derivative to find.


def _seen_by_numpy(points: Points) -> Points | None:
    """The same in NumPy, if samples or weights on the host have a derivative to find, and squares are floats."""
    backend, X = points.backend, points.X
    if backend.on_host or is_sparse(X) or isinstance(X, Rows | Precomputed):
        return None
    if not any(x is not None and backend.is_differentiated(x) for x in (X, points.weights)):
        return None
    seen: dict[str, Any] = {name: _view(getattr(points, name)) for name in _ARRAYS}
    if any(view is None and getattr(points, name) is not None for name, view in seen.items()):
        return None
    if are_extreme(seen["X"]) or not np.isfinite(seen["masses"]).all():
        return None
    return replace(points, **seen, given=seen["X"], invalid=None)


_ARRAYS = ("X", "codes", "weights", "sizes", "masses")
"""The arrays of points."""


def _view(x: Array | None) -> Any:
    return None if x is None else (backend := backend_of(x)).host_view(backend.without_gradient(x))


def _with_derivative(
    points: Points, host: Points, metric: str, between: Between, rows: Array | None, progress: Progress
) -> Means:
    """As on the host, with a derivative that goes through the distances once more: none of them is kept for it."""
    chosen = _view(rows)
    arrays = (points.X,) if points.weights is None else (points.X, points.weights)

    def found() -> tuple[tuple[NDArray, ...], Callable[..., tuple[NDArray, ...]]]:
        means = mean_distances(host, metric, between, chosen, progress)

        def derivatives(*of_means: NDArray) -> tuple[NDArray, ...]:
            return of_sums(host, metric, *_slopes(host, between, chosen, means, *of_means))[: len(arrays)]

        return (means.own, means.other), derivatives

    return Means(*points.backend.with_derivative(found, arrays, points.codes))


def _slopes(
    points: Points, between: Between, rows: NDArray | None, means: Means, of_own: NDArray, of_other: NDArray
) -> tuple[Slopes, NDArray]:
    """The derivatives by sums of distances, and by the masses of the clusters, of those by both means."""
    rows = np.arange(points.n_samples) if rows is None else rows
    counted = points.codes[rows] < points.n_clusters
    rows, of_own, of_other = rows[counted], of_own[counted], of_other[counted]
    if between == "mean_other":
        return Slopes(rows, of_own, of_other, None), np.zeros(points.n_clusters)
    which, other = np.asarray(means.which)[counted], means.other[counted]
    of_other = of_other / points.masses[which]
    return Slopes(rows, of_own, of_other, which), -np.bincount(which, of_other * other, minlength=points.n_clusters)


# On the host: rows, too, are sorted, so that those of a tile are near each other.


def _on_host(
    points: Points, metric: str, between: Between, rows: NDArray | None, no_length: Array | None, progress: Progress
) -> Means:
    present = np.flatnonzero(points.masses > 0)
    edges = np.concatenate([[0], np.cumsum(points.sizes[present])])
    order = np.argsort(points.codes, kind="stable")[: edges[-1]]
    if isinstance(points.X, Precomputed):
        chosen = np.flatnonzero(points.codes < points.n_clusters) if rows is None else rows
    else:
        chosen = order if rows is None else rows[np.argsort(points.codes[rows], kind="stable")]
    codes = np.searchsorted(present, points.codes[chosen])
    if metric in CLOSED:
        plan = _closed_on_host(points, no_length, present, chosen, codes)
    else:
        plan = _sorted_on_host(points, metric, present, edges, order, chosen, codes)

    def of_rows(part: slice) -> NDArray:
        own, other, which = _folded(plan, part, between)
        progress.advance(part.stop - part.start)
        return np.stack([own, other, which])

    parts = parallel_map_with_blas(of_rows, slices(len(chosen), plan.height))
    means = np.zeros((3, points.n_samples))
    if parts:
        means[:, chosen] = np.concatenate(parts, axis=1)
    own, other, which = means if rows is None else means[:, rows]
    return Means(own, other, present[which.astype(np.intp)])


def _sorted_on_host(
    points: Points,
    metric: str,
    present: NDArray,
    edges: NDArray,
    order: NDArray,
    chosen: NDArray,
    codes: NDArray,
) -> Plan:
    weights = None if points.weights is None else points.weights[order]

    def sums(tile: Array, group: ClusterGroup, rows: slice, columns: slice) -> Array:
        if weights is not None:
            tile = tile * weights[columns]
        starts = np.maximum(edges[group.first : group.stop] - columns.start, 0)
        return np.add.reduceat(tile, starts, axis=1, dtype=np.float64)

    height, width = size_of_tile(codes)
    tiles, height = tiles_between_samples(points, chosen, order, metric, height)
    return Plan(tiles, codes, height, width, sums, _groups(edges, width), points.masses[present])


def _closed_on_host(points: Points, no_length: Array | None, present: NDArray, chosen: NDArray, codes: NDArray) -> Plan:
    X, places, sums = _closed(points, no_length, chosen, present)
    tiles = tiles_of(X, places, "sqeuclidean", points.backend)
    k, height = len(present), max(64, min(1024, (1 << 20) // max(places.shape)))
    return Plan(tiles, codes, height, k, sums, [ClusterGroup(0, k, 0, k)], points.masses[present])


# On a device: rows stay as they are, and columns are sorted where sizes and positions may be known.


def _on_device(
    points: Points, metric: str, between: Between, chosen: Array | None, no_length: Array | None, progress: Progress
) -> Means:
    xp = points.xp
    codes = points.codes if chosen is None else xp.take(points.codes, chosen)
    if is_for_kernels(points, metric):
        own, *others = means_by_kernel(points, metric, chosen, codes, progress)
        return Means(own, others[_KERNEL_GIVES.index(between)])
    if metric in CLOSED:
        plan = _closed_on_device(points, no_length, chosen, codes)
    else:
        plan = _tiled_on_device(points, metric, chosen, codes)
    parts = []
    for part in (every := slices(codes.shape[0], plan.height)):
        of_rows = functools.partial(_folded, plan, part, between)
        # Of one tile autograd may keep what it needs; of more it would keep all distances.
        found = of_rows() if len(every) == 1 else points.backend.found_anew(of_rows, *_read(points))
        parts.append(found[:2])
        progress.advance(part.stop - part.start)
    nothing = points.masses[:0]
    if not parts:
        return Means(nothing, nothing)
    return Means(*(xp.concat([nothing, *of_parts]) for of_parts in zip(*parts, strict=True)))


def _read(points: Points) -> tuple[Any, Any]:
    """The arrays that may have a gradient to find."""
    X = points.X
    while isinstance(X, Rows):
        X = X.source
    return None if isinstance(X, Precomputed) else X, points.weights


def _tiled_on_device(points: Points, metric: str, chosen: Array | None, codes: Array) -> Plan:
    backend, k, wide = points.backend, points.n_clusters, points.masses.dtype
    xp = backend.xp
    order = _order(points)
    of_columns, weights = taken(points.codes, order), taken(points.weights, order)

    def sums(tile: Array, group: ClusterGroup, rows: slice, columns: slice) -> Array:
        clusters = backend.arange_beside(group.first, group.stop, codes.dtype, codes)
        hits = xp.astype(of_columns[columns][:, None] == clusters[None, :], wide)
        if weights is not None:
            hits = hits * weights[columns][:, None]
        return backend.matmul(tile, hits)

    height, width = size_of_tile(points.masses)
    groups = [ClusterGroup(0, k, 0, points.n_samples)] if order is None else _groups(_edges(points), width)
    fewer = max(1, height * width // max(width, *(group.stop - group.first for group in groups), 1))
    tiles, height = tiles_between_samples(points, chosen, order, metric, fewer)
    return Plan(tiles, codes, height, width, sums, groups, points.masses)


def _closed_on_device(points: Points, no_length: Array | None, chosen: Array | None, codes: Array) -> Plan:
    X, places, sums = _closed(points, no_length, chosen)
    tiles = tiles_of(X, places, "sqeuclidean", points.backend)
    k, (height, width) = points.n_clusters, size_of_tile(points.masses)
    return Plan(tiles, codes, max(1, height * width // k), k, sums, [ClusterGroup(0, k, 0, k)], points.masses)


def _order(points: Points) -> Array | None:
    """The samples that count by cluster, if their sizes may be known and there are positions to sort; else None."""
    backend, codes = points.backend, points.codes
    if points.invalid is not None or backend.is_traced(codes) or not backend.has_positions(codes):
        return None
    return points.xp.argsort(points.codes)[: int(_edges(points)[-1])]


def _edges(points: Points) -> NDArray:
    return np.concatenate([[0], np.cumsum(to_host(points.sizes))])


# In both.


def _closed(
    points: Points, no_length: Array | None, chosen: Array | None, present: NDArray | None = None
) -> tuple[Any, Array, Callable[[Array, ClusterGroup, slice, slice], Array]]:
    """Rows, the centres of the present clusters, and a function.

    The function goes from squared distances to these centres to sums of distances over the clusters. Cosine distances
    are half the squares between samples of length 1; one of no length, for which ``no_length`` is 1 and not 0, is at 1
    from every other sample.
    """
    X = points.X if no_length is None else unit_rows(points.X)
    moments = moments_of(replace(points, X=X))
    masses, scatters, places = (taken(x, present) for x in (moments.masses, moments.scatters, moments.means))
    shifted = Shifted(X, moments.origin)
    rows = shifted if chosen is None else Chosen(shifted, chosen)
    nothing = moments.rounding**2

    def squares(tile: Array) -> Array:
        return points.xp.where(tile <= nothing, points.xp.zeros_like(tile), tile)

    def sums_of_squares(tile: Array, group: ClusterGroup, rows: slice, columns: slice) -> Array:
        return squares(tile) * masses[None, :] + scatters[None, :]

    if no_length is None:
        return rows, places, sums_of_squares
    weighed = no_length if points.weights is None else no_length * points.weights
    k = points.n_clusters
    of_none = taken(points.backend.total(weighed, points.codes, k + 1)[:k], present)
    of_rows = taken(no_length, chosen)

    def sums_of_cosines(tile: Array, group: ClusterGroup, rows: slice, columns: slice) -> Array:
        return ((squares(tile) + of_rows[rows][:, None]) * masses[None, :] + (scatters + of_none)[None, :]) / 2

    return rows, places, sums_of_cosines


def _groups(edges: NDArray, size: int) -> list[ClusterGroup]:
    """Neighbouring clusters of no more than ``size`` columns together; larger ones by themselves."""
    groups, first = [], 0
    for stop in range(1, len(edges)):
        if stop + 1 == len(edges) or edges[stop + 1] - edges[first] > size:
            groups.append(ClusterGroup(first, stop, int(edges[first]), int(edges[stop])))
            first = stop
    return [group for group in groups if group.begin < group.end]


def _folded(plan: Plan, rows: slice, between: Between) -> tuple[Array, Array, Array]:
    """What the rows of a tile need of all columns: ``own``, ``other``, and on the host ``which``, of :class:`Means`."""
    codes = plan.codes[rows]
    backend = backend_of(codes)
    xp = backend.xp
    start = {"nearest": float("inf"), "furthest": -float("inf"), "mean_other": 0.0}[between]
    own = backend.zeros_beside(codes.shape, backend.widest(codes).float, codes)
    other, which = own + start, own
    prepared = plan.tiles.rows(rows)
    for group in plan.groups:
        total: Any = 0.0
        for part in slices(group.end, plan.width, group.begin):
            total = total + plan.sums(plan.tiles.tile(prepared, part), group, rows, part)
        clusters = backend.arange_beside(group.first, group.stop, codes.dtype, codes)
        is_own, masses = codes[:, None] == clusters[None, :], plan.masses[group.first : group.stop]
        own = own + xp.sum(xp.where(is_own, total, xp.zeros_like(total)), axis=1)
        if between == "mean_other":
            other = other + xp.sum(xp.where(is_own, xp.zeros_like(total), total), axis=1)
            continue
        is_other = ~is_own & (masses > 0)[None, :]
        means = total / xp.where(masses > 0, masses, xp.ones_like(masses))[None, :]
        means = xp.where(is_other, means, xp.full_like(means, start))
        best = xp.min(means, axis=1) if between == "nearest" else xp.max(means, axis=1)
        if backend.on_host:
            place = np.argmax(means == best[:, None], axis=1)
            which = np.where(best < other if between == "nearest" else best > other, group.first + place, which)
        other = xp.minimum(other, best) if between == "nearest" else xp.maximum(other, best)
    return own, other, which
