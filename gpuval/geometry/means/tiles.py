"""Mean distances in any library: rows stay in place, and the sums of a tile by cluster are a product of matrices."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.distances.precomputed import DistanceMatrix, tiles_between_samples
from gpuval.geometry.distances.tiles import size_of_tile
from gpuval.geometry.kernels import is_for_kernels, means_by_kernel
from gpuval.geometry.means.folding import Between, Means, means_from_sums, means_of_parts, merge_means
from gpuval.geometry.points import Points, Rows, take_rows
from gpuval.geometry.progress import Progress
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import slices

_KERNEL_GIVES: tuple[Between, ...] = ("nearest", "furthest", "mean_other")


def means_on_device(
    several: Sequence[Points], metric: str, between: Between, rows: Array | None, progress: Progress
) -> list[Means]:
    """Of each of several labelings of the same samples, the mean distances of the rows; None for all samples."""
    points = several[0]
    if len(several) == 1 and is_for_kernels(points, metric):
        own, *others = means_by_kernel(points, metric, rows, _row_codes(points.codes, rows), progress)
        return [Means(own, others[_KERNEL_GIVES.index(between)])]
    return _means_by_tiles(several, metric, between, rows, progress)


def _row_codes(x: Array, rows: Array | None) -> Array:
    return x if rows is None else backend_of(x).xp.take(x, rows)


class _Group(NamedTuple):
    """Clusters whose columns are gone through together: of a labeling the neighbouring ones from first to stop."""

    labeling: int
    first: int
    stop: int


class _Part(NamedTuple):
    """Columns, and the groups of clusters that these are all samples of."""

    begin: int
    end: int
    groups: list[_Group]


def _means_by_tiles(
    several: Sequence[Points], metric: str, between: Between, rows: Array | None, progress: Progress
) -> list[Means]:
    points, (height, width) = several[0], size_of_tile(several[0].masses)
    order = _order(points) if len(several) == 1 else None
    if order is not None:
        parts = _cluster_parts(_edges(points), width)
    else:
        parts = [_Part(0, points.n_samples, [_Group(i, 0, x.n_clusters) for i, x in enumerate(several)])]
    of_columns, weights = [take_rows(x.codes, order) for x in several], take_rows(points.weights, order)
    of_rows = [_row_codes(x.codes, rows) for x in several]
    most = max([1, *[sum([x.stop - x.first for x in part.groups]) for part in parts]])
    height = max(1, height * width // max(width, most))
    tiles, height = tiles_between_samples(points, rows, order, metric, height, in_any_unit=True)

    def means_of_part(some: slice) -> list[Means]:
        prepared = tiles.rows(some)
        found: list[list[Means]] = [[] for _ in several]
        for part in parts:
            sums: list[Any] = [0.0] * len(part.groups)
            for columns in slices(part.end, width, part.begin):
                tile = tiles.tile(prepared, columns)
                for i, group in enumerate(part.groups):
                    hits = _hits(of_columns[group.labeling][columns], group, weights, columns, points.masses)
                    sums[i] = sums[i] + points.backend.matmul(tile, hits)
            for group, of_group in zip(part.groups, sums, strict=True):
                masses = several[group.labeling].masses[group.first : group.stop]
                is_own = _is_of(of_rows[group.labeling][some], group).T
                found[group.labeling].append(means_from_sums(of_group.T, is_own, masses, between))
        return [merge_means(of_groups, between) for of_groups in found]

    found = map_parts(means_of_part, slices(of_rows[0].shape[0], height), points, progress)
    return [means_of_parts([of_part[i] for of_part in found], points.masses) for i in range(len(several))]


def map_parts(
    function: Callable[[slice], list[Means]], parts: list[slice], points: Points, progress: Progress
) -> list[list[Means]]:
    """What a function gives for parts of the rows.

    For a gradient, autograd keeps the tiles of one part; of several parts, which would be all distances, it keeps none,
    and finds them once more in the backward pass.
    """
    found = []
    for part in parts:
        of_part = functools.partial(function, part)
        found.append(of_part() if len(parts) == 1 else points.backend.recompute(of_part, *_read(points)))
        progress.advance(part.stop - part.start)
    return found


def _read(points: Points) -> tuple[Any, Any]:
    """The arrays that may have a gradient to find."""
    X = points.X
    while isinstance(X, Rows):
        X = X.source
    return None if isinstance(X, DistanceMatrix) else X, points.weights


def _is_of(codes: Array, group: _Group) -> Array:
    """Which samples are of which clusters of a group, shape (n_samples, n_clusters)."""
    clusters = backend_of(codes).arange_beside(group.first, group.stop, codes.dtype, codes)
    is_of: Array = codes[:, None] == clusters[None, :]
    return is_of


def _hits(codes: Array, group: _Group, weights: Array | None, columns: slice, masses: Array) -> Array:
    """What each column counts for each cluster of a group, shape (n_columns, n_clusters)."""
    hits = backend_of(codes).xp.astype(_is_of(codes, group), masses.dtype)
    return hits if weights is None else hits * weights[columns][:, None]


def _order(points: Points) -> Array | None:
    """The samples that count by cluster, if their sizes may be known and there are positions to sort; else None."""
    backend, codes = points.backend, points.codes
    if points.invalid is not None or backend.is_traced(codes) or not backend.has_positions(codes):
        return None
    return points.xp.argsort(points.codes)[: int(_edges(points)[-1])]


def _edges(points: Points) -> NDArray:
    return np.concatenate([[0], np.cumsum(to_host(points.sizes))])


def _cluster_parts(edges: NDArray, size: int) -> list[_Part]:
    """Neighbouring clusters of no more than ``size`` columns together; larger ones by themselves."""
    parts, first = [], 0
    for stop in range(1, len(edges)):
        if stop + 1 == len(edges) or edges[stop + 1] - edges[first] > size:
            parts.append(_Part(int(edges[first]), int(edges[stop]), [_Group(0, first, stop)]))
            first = stop
    return [part for part in parts if part.begin < part.end]
