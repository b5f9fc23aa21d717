"""What scores read of a table of counts on a GPU, by the kernels: CuPy arrays of int64 in, CuPy arrays out.

No value is copied to the host, and the digits are the same each time on one kind of device.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, kernel
from gpuval.engines.cuda.plan import device, grid_for

_BLOCK = 256
_TILE = 64, 256
"""Rows and columns of what a block adds up for the margins."""

_ALIGNED = 32
"""Where an array may start in another: each 256 bytes, as XLA wants its own to start."""


def margins_of(counts: CupyArray) -> tuple[CupyArray, CupyArray, CupyArray]:
    """The sums of the rows, of the columns and of all of a table."""
    import cupy

    n_rows, n_columns = counts.shape
    second = -(-n_rows // _ALIGNED) * _ALIGNED
    third = second + -(-n_columns // _ALIGNED) * _ALIGNED
    sums = cupy.zeros(third + 1, dtype=np.int64)  # cleared at once
    sides = sums[:n_rows], sums[second : second + n_columns], sums[third:].reshape(())
    if n_rows and n_columns:
        counts = cupy.ascontiguousarray(counts)
        grid = -(-n_rows // _TILE[0]) * -(-n_columns // _TILE[1])
        kernel("margins", "margins")((grid,), (_BLOCK,), (counts, *map(np.uint64, counts.shape), *sides))
    return sides


def pair_parts(counts: CupyArray, class_sizes: CupyArray, cluster_sizes: CupyArray, total: CupyArray) -> CupyArray:
    """The fields of ``PairCounts``, shape (6,), float64; counts of any shape."""
    import cupy

    counts, class_sizes, cluster_sizes = map(cupy.ascontiguousarray, (counts, class_sizes, cluster_sizes))
    grid = _grid(counts)
    sums, parts = cupy.empty((grid, 6), dtype=np.uint64), cupy.empty(6, dtype=np.float64)
    sized = (y for x in (counts, class_sizes, cluster_sizes) for y in (x, np.uint64(x.size)))
    kernel("pairs", "pair_sums")((grid,), (_BLOCK,), (*sized, total, sums, parts))
    if grid > 1:
        kernel("pairs", "pair_parts")((1,), (_BLOCK,), (sums, np.uint32(grid), total, parts))
    return parts


def information_parts(
    counts: CupyArray, class_sizes: CupyArray, cluster_sizes: CupyArray, total: CupyArray, *cells: CupyArray
) -> CupyArray:
    """The fields of ``Information``, shape (3,), float64.

    ``cells`` are the row and the column of each of listed counts.
    """
    import cupy

    counts, class_sizes, cluster_sizes = map(cupy.ascontiguousarray, (counts, class_sizes, cluster_sizes))
    grid = _grid(counts)
    met, sums = cupy.empty((grid, 2), dtype=np.uint64), cupy.empty((grid, 3), dtype=np.float64)
    parts = cupy.empty(3, dtype=np.float64)
    is_listed = len(cells) > 0
    places = map(cupy.ascontiguousarray, cells or (counts, counts))  # never read of a dense table
    layout = np.uint32(max(1, counts.shape[-1])), np.uint32(is_listed), *places
    given = counts, np.uint64(counts.size), *layout, class_sizes, cluster_sizes, total
    kernel("information", "information_sums")((grid,), (_BLOCK,), (*given, met, sums))
    kernel("information", "information_parts")((1,), (_BLOCK,), (met, sums, np.uint32(grid), total, parts))
    return parts


def overlap_parts(counts: CupyArray, class_sizes: CupyArray, cluster_sizes: CupyArray, total: CupyArray) -> CupyArray:
    """The fields of ``Overlaps``, shape (6,), float64; counts of shape (n_classes, n_clusters)."""
    import cupy

    counts, class_sizes, cluster_sizes = map(cupy.ascontiguousarray, (counts, class_sizes, cluster_sizes))
    (n_rows, n_columns), chip = counts.shape, device(counts.device.id)
    grid = max(1, min(chip.processors * (chip.threads // _BLOCK), max(-(-n_rows // 8), -(-n_columns // 32))))
    largest, sums = cupy.empty((grid, 2), dtype=np.uint64), cupy.empty((grid, 4), dtype=np.float64)
    parts = cupy.empty(6, dtype=np.float64)
    given = counts, np.uint64(n_rows), np.uint64(n_columns), class_sizes, cluster_sizes
    kernel("overlaps", "overlap_sums")((grid,), (_BLOCK,), (*given, largest, sums))
    sizes = cluster_sizes, np.uint64(n_columns), total
    kernel("overlaps", "overlap_parts")((1,), (_BLOCK,), (largest, sums, np.uint32(grid), *sizes, parts))
    return parts


def _grid(counts: CupyArray) -> int:
    return grid_for(counts.size, 4, _BLOCK, device(counts.device.id))
