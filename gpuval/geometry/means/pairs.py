"""Mean distances on the host, of samples sorted by cluster, tile by tile.

Of all samples each pair is gone through once: the distances of a tile are added up for its rows, and for its columns.
For that there are the sums of all samples by cluster; where these would be larger than the samples, and where no more
than half of the samples are asked for, a tile serves its rows alone, and the sums are those of some rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import is_sparse
from gpuval.geometry.distances.precomputed import DistanceMatrix
from gpuval.geometry.distances.products import ProductsOfGroups
from gpuval.geometry.distances.tiles import Tiles, tiles_of
from gpuval.geometry.means.folding import Between, Means, means_of_parts, reorder_means
from gpuval.geometry.means.labelings import Labelings, SampleBlock, blocks_of
from gpuval.geometry.means.near_clusters import far_groups, means_to_near_clusters
from gpuval.geometry.points import Points, take_rows
from gpuval.geometry.progress import Progress
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, parallel_sum_with_blas, slices

_SIZE = 512
"""The most rows, and columns, of a tile: its distances stay in the processor's cache from the product to the sums."""

_COLUMNS = 1024
"""The most columns of a tile of given distances."""

_MULTIPLE = 64
"""Blocks have a multiple of so many samples, as products by blocks want it."""

_BLOCKS = 6
"""The fewest blocks of samples that are too many for one thread: pairs of them for several."""

_LITTLE = 1 << 22
"""Pairs of numbers that one thread goes through in the time that it takes to start others."""

_WHOLE = (512, 0), (1280, 128)
"""Of up to so many samples, with so many features at least, one tile has all: a product of them by BLAS in its threads
takes less time than its blocks in ours."""

_SUMS = 1 << 28
"""Bytes that the sums of all samples may take, if the samples take no more."""

_SUMS_OF_ROWS = 1 << 22
"""Sums of some rows that are there at once."""

_SUMS_OF_TASK = 1 << 19
"""Sums that a task has of its columns, at most, unless its rows have more: all wait until it is their turn."""


def means_by_pairs(
    several: Sequence[Points], metric: str, between: Between, rows: NDArray | None, progress: Progress
) -> list[Means]:
    """Of each of several labelings of the same samples, the mean distances of the rows; None for all samples."""
    points, labelings = several[0], Labelings.of(several)
    if isinstance(points.X, DistanceMatrix):
        found, order = _means_of_distances(points, labelings, between, rows, progress)
    else:
        found, order = _means_of_samples(points, labelings, metric, between, rows, progress)
    return [reorder_means(means, order, points.n_samples, rows) for means in found]


def _means_of_distances(
    points: Points, labelings: Labelings, between: Between, rows: NDArray | None, progress: Progress
) -> tuple[list[Means], NDArray]:
    """Means of given distances, with the indices of their rows: each distance is read once, and nothing is sorted."""
    order = np.flatnonzero(labelings.are_counted) if rows is None else rows
    is_all = rows is None and len(order) == points.n_samples
    tiles = points.X.tiles(None if is_all else order, None, in_any_unit=True)
    blocks = blocks_of(labelings, points.weights, _COLUMNS, dtype=np.float64)
    is_much = len(order) * points.n_samples > _LITTLE // 2
    return _means_of_rows(
        tiles, points.X.height, blocks, labelings.of_samples(order), between, is_much, progress
    ), order


def _means_of_samples(
    points: Points, labelings: Labelings, metric: str, between: Between, rows: NDArray | None, progress: Progress
) -> tuple[list[Means], NDArray]:
    """Means of distances between samples, with the indices of their rows."""
    X, is_product = points.X, metric == "euclidean" and not is_sparse(points.X)
    if is_product and between == "nearest" and len(labelings.codes) == 1:
        found = means_to_near_clusters(points, labelings, rows, progress)
        if found is not None:
            return [found[0]], found[1]
    groups = far_groups(X) if is_product else None
    order = labelings.order(groups)
    sorted_, of_groups = labelings.of_samples(order), take_rows(groups, order)
    size, is_much = _size(len(order), X.shape[1], is_product)
    blocks = blocks_of(sorted_, take_rows(points.weights, order), size, of_groups)

    def tiles(rows: NDArray) -> Tiles:
        if is_product:
            return ProductsOfGroups(X, rows, order, of_groups)
        Y = take_rows(X, order)
        return tiles_of(Y if rows is order else take_rows(X, rows), Y, metric, points.backend)

    is_most = rows is None or len(order) < 2 * len(rows)
    if is_most and 8 * labelings.n_clusters * len(order) <= max(_SUMS, _bytes(X)):
        each = progress if rows is None else progress.part(len(rows) / len(order))
        sums = _sums_of_all_pairs(tiles(order), blocks, labelings.n_clusters, is_much, each)
        return sorted_.means_by_labeling(sums, between), order
    rows = order if rows is None else rows
    height = _size_of_block(len(rows)) if is_much else size
    return _means_of_rows(tiles(rows), height, blocks, labelings.of_samples(rows), between, is_much, progress), rows


def _bytes(X: Any) -> int:
    return int(X.data.nbytes if is_sparse(X) else X.nbytes)


def _size(n_samples: int, n_features: int, is_product: bool) -> tuple[int, bool]:
    """The most samples of a block, and whether tiles are worth threads of ours."""
    if is_product and any(n_samples <= most and n_features >= least for most, least in _WHOLE):
        return max(1, n_samples), False
    if n_samples**2 * n_features <= _LITTLE:
        return _SIZE, False
    return _size_of_block(n_samples), True


def _size_of_block(n_samples: int) -> int:
    """The most samples of a block, so that there are several blocks for the threads."""
    return min(_SIZE, max(2 * _MULTIPLE, -(-n_samples // (_BLOCKS * _MULTIPLE)) * _MULTIPLE))


def _each(function: Callable[[Any], Any], items: list[Any], is_much: bool) -> list[Any]:
    return parallel_map_with_blas(function, items) if is_much else list(map(function, items))


def _sums_of_all_pairs(
    tiles: Tiles, blocks: list[SampleBlock], n_clusters: int, is_much: bool, progress: Progress
) -> NDArray:
    """The sums of all samples by cluster, shape (n_clusters, n_samples)."""
    n = blocks[-1].rows.stop if blocks else 0
    sums = np.zeros((n_clusters, n))

    def sums_of_pairs(pairs: tuple[SampleBlock, list[SampleBlock]]) -> list[tuple[Any, slice, NDArray]]:
        mine, others = pairs
        prepared, of_mine = tiles.rows(mine.rows), np.zeros((n_clusters, mine.size))
        found: list[tuple[Any, slice, NDArray]] = [(slice(None), mine.rows, of_mine)]
        for theirs in others:
            tile = tiles.tile(prepared, theirs.rows)
            if theirs is mine:
                of_mine[mine.clusters] += mine.sum_symmetric(tile)
            else:
                of_mine[theirs.clusters] += theirs.sum_columns(tile)
                found.append((mine.clusters, theirs.rows, mine.sum_rows(tile)))
            progress.advance(mine.size * theirs.size / n * (1 if theirs is mine else 2))
        return found

    def add(found: list[tuple[Any, slice, NDArray]]) -> None:
        for clusters, samples, some in found:
            sums[clusters, samples] += some

    tasks = []
    largest = max((block.size for block in blocks), default=0)
    for i, block in enumerate(blocks):
        most = max(_SUMS_OF_TASK, n_clusters * block.size)
        at_once = min(len(blocks) // 2, most // (block.n_clusters * largest))
        tasks += [(block, blocks[part]) for part in slices(len(blocks), max(1, at_once), i)]
    if is_much:
        parallel_sum_with_blas(sums_of_pairs, tasks, add)
    else:
        for task in tasks:
            add(sums_of_pairs(task))
    return sums


def _means_of_rows(
    tiles: Tiles,
    height: int,
    blocks: list[SampleBlock],
    rows: Labelings,
    between: Between,
    is_much: bool,
    progress: Progress,
) -> list[Means]:
    """What some rows need of their sums, which are there for as many rows as a tile has, at most ``height``."""

    def means_of_part(part: slice) -> list[Means]:
        prepared = tiles.rows(part)
        sums = np.zeros((rows.n_clusters, part.stop - part.start))
        for theirs in blocks:
            sums[theirs.clusters] += theirs.sum_columns(tiles.tile(prepared, theirs.rows))
        progress.advance(part.stop - part.start)
        return rows.of_samples(part).means_by_labeling(sums, between)

    height = max(1, min(height, _SUMS_OF_ROWS // max(1, rows.n_clusters)))
    parts = _each(means_of_part, slices(rows.codes.shape[1], height), is_much)
    return [means_of_parts(means, rows.masses) for means in zip(*parts, strict=True)] or rows.means_by_labeling(
        np.zeros((rows.n_clusters, 0)), between
    )
