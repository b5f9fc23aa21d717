"""What measures read on a GPU, by the kernels: of a table of counts, and of all distances between samples.

CuPy arrays in, CuPy arrays out. No value is copied to the host, and the digits are the same each time on one kind of
device.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, device, grid_for, kernel

_TABLE_BLOCK = 256
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
        kernel("margins", "margins")((grid,), (_TABLE_BLOCK,), (counts, *map(np.uint64, counts.shape), *sides))
    return sides


def pair_parts(counts: CupyArray, class_sizes: CupyArray, cluster_sizes: CupyArray, total: CupyArray) -> CupyArray:
    """The fields of ``PairCounts``, shape (6,), float64; counts of any shape."""
    import cupy

    counts, class_sizes, cluster_sizes = map(cupy.ascontiguousarray, (counts, class_sizes, cluster_sizes))
    grid = _grid(counts)
    sums, parts = cupy.empty((grid, 6), dtype=np.uint64), cupy.empty(6, dtype=np.float64)
    sized = (y for x in (counts, class_sizes, cluster_sizes) for y in (x, np.uint64(x.size)))
    kernel("pairs", "pair_sums")((grid,), (_TABLE_BLOCK,), (*sized, total, sums, parts))
    if grid > 1:
        kernel("pairs", "pair_parts")((1,), (_TABLE_BLOCK,), (sums, np.uint32(grid), total, parts))
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
    kernel("information", "information_sums")((grid,), (_TABLE_BLOCK,), (*given, met, sums))
    kernel("information", "information_parts")((1,), (_TABLE_BLOCK,), (met, sums, np.uint32(grid), total, parts))
    return parts


def overlap_parts(counts: CupyArray, class_sizes: CupyArray, cluster_sizes: CupyArray, total: CupyArray) -> CupyArray:
    """The fields of ``Overlaps``, shape (6,), float64; counts of shape (n_classes, n_clusters)."""
    import cupy

    counts, class_sizes, cluster_sizes = map(cupy.ascontiguousarray, (counts, class_sizes, cluster_sizes))
    (n_rows, n_columns), chip = counts.shape, device(counts.device.id)
    grid = max(1, min(chip.processors * (chip.threads // _TABLE_BLOCK), max(-(-n_rows // 8), -(-n_columns // 32))))
    largest, sums = cupy.empty((grid, 2), dtype=np.uint64), cupy.empty((grid, 4), dtype=np.float64)
    parts = cupy.empty(6, dtype=np.float64)
    given = counts, np.uint64(n_rows), np.uint64(n_columns), class_sizes, cluster_sizes
    kernel("overlaps", "overlap_sums")((grid,), (_TABLE_BLOCK,), (*given, largest, sums))
    sizes = cluster_sizes, np.uint64(n_columns), total
    kernel("overlaps", "overlap_parts")((1,), (_TABLE_BLOCK,), (largest, sums, np.uint32(grid), *sizes, parts))
    return parts


def _grid(counts: CupyArray) -> int:
    return grid_for(counts.size, 4, _TABLE_BLOCK, device(counts.device.id))


# The expected mutual information

_EXPECTED_BLOCK = 128

Sizes = tuple[CupyArray, CupyArray | None]
"""Sizes of groups, int64, and how often each occurs; None: each once."""


def distinct(sizes: CupyArray) -> Sizes:
    """The distinct ones of sizes, and how often each occurs: the host waits for how many there are."""
    import cupy

    values, times = cupy.unique(sizes, return_counts=True)
    return values, times


def expectation_parts(
    classes: Sizes, clusters: Sizes, total: CupyArray, true_given_pred: CupyArray, pred_given_true: CupyArray
) -> tuple[CupyArray, CupyArray]:
    """What is expected of random partitions with these sizes, shape (2,), and whether the sizes settle it, shape ().

    The expected values are those of the mutual information, and of the smaller one of the conditional entropies.

    Parameters
    ----------
    classes, clusters
        The sizes; either side may be without counts of how often each occurs only if both are.
    total
        Number of samples, shape (), int64.
    true_given_pred, pred_given_true
        The conditional entropies, shape (), float64, of which the smaller one is meant.
    """
    import cupy

    a, b, is_distinct = classes[0], clusters[0], classes[1] is not None
    chip = device(a.device.id)
    most = chip.processors * (chip.threads // _EXPECTED_BLOCK)
    grid = max(1, min(most, -(-a.size * b.size // (_EXPECTED_BLOCK // 32))))
    warps = grid * (_EXPECTED_BLOCK // 32)
    sums, parts = cupy.empty((warps, 2), dtype=np.float64), cupy.empty(2, dtype=np.float64)
    is_settled = cupy.empty((), dtype=np.uint8)
    sides = (y for x, times in (classes, clusters) for y in (x, x if times is None else times, np.uint64(x.size)))
    given = *sides, np.uint32(is_distinct), total, true_given_pred, pred_given_true, sums
    kernel("expected", "expected_sums")((grid,), (_EXPECTED_BLOCK,), given)
    sizes = a, np.uint64(a.size), b, np.uint64(b.size)
    kernel("expected", "expected_parts")((1,), (256,), (sums, np.uint32(warps), *sizes, total, parts, is_settled))
    return parts, is_settled.view(bool)


# What measures of samples read of all distances, by the kernels: CuPy arrays in, CuPy arrays out.
#
# No distance is written to memory, no value is copied to the host, and the digits are the same each time on one kind of
# device. Points are of type float32 or float64.
#
# For silhouettes and the Dunn index, rows and columns are of the same type. Columns are sorted by cluster: those of
# cluster c are ``edges[c]`` up to before ``edges[c + 1]``; a cluster may have none. A block has 128 rows (64 of
# float64), so calls with few rows leave processors idle: a caller that works in slices makes them tens of thousands of
# rows long. Distances of float32 have an error of at most 2^-23 from their square root.
#
# For density-based validation, distances are of type float64, as ties matter there.

_DISTANCES_BLOCK, _MOST_THREADS = 256, 512
_ROWS = {"float32": 128, "float64": 64}
"""Threads of a block, at most those of a spanning tree, and the rows that a block has for each type."""

METRICS = {"euclidean": "gpuval::Euclidean", "cityblock": "gpuval::Cityblock"}
_REALS = {"float32": "float", "float64": "double"}


def cluster_means(
    rows: CupyArray,
    row_codes: CupyArray,
    columns: CupyArray,
    edges: CupyArray,
    weights: CupyArray | None,
    masses: CupyArray,
    metric: str,
) -> CupyArray:
    """Sums and means of the distances between each row and the clusters of the columns, shape (4, m), float64.

    These are the sum over the columns of the row's own cluster; the smallest and the largest mean over another cluster,
    and the sum over all others: inf, -inf and 0 if there are none. A cluster whose mass is 0 is as an empty one.

    Parameters
    ----------
    rows, columns
        Points, shapes (m, d) and (n, d).
    row_codes
        The cluster of each row, shape (m,), int64.
    edges
        Where in the columns each cluster begins, and n, shape (k + 1,), int64.
    weights
        None, or what each column counts, shape (n,), float64.
    masses
        What a sum over each cluster is divided by, shape (k,), float64.
    metric
        "euclidean" or "cityblock".
    """
    kind = "gpuval::One" if weights is None else "double"
    given = rows if weights is None else weights  # never read without weights
    return _launch_row_kernel("cluster_means", 4, rows, row_codes, columns, edges, metric, (given, masses), (kind,))


def cluster_extremes(
    rows: CupyArray, row_codes: CupyArray, columns: CupyArray, edges: CupyArray, metric: str
) -> CupyArray:
    """The distances of each row to the nearest column of another cluster, and to the furthest one of its own.

    Shape (2, m), float64; inf and 0 where there is none. The other arguments are those of :func:`cluster_means`.
    """
    return _launch_row_kernel("cluster_extremes", 2, rows, row_codes, columns, edges, metric)


def _launch_row_kernel(
    name: str,
    size: int,
    rows: CupyArray,
    row_codes: CupyArray,
    columns: CupyArray,
    edges: CupyArray,
    metric: str,
    others: tuple[CupyArray, ...] = (),
    types: tuple[str, ...] = (),
) -> CupyArray:
    import cupy

    rows, row_codes, columns, edges, *others_ = map(cupy.ascontiguousarray, (rows, row_codes, columns, edges, *others))
    (m, d), n = rows.shape, columns.shape[0]
    found = cupy.empty((size, m), dtype=np.float64)
    if m:
        run = kernel("distances", name, _REALS[rows.dtype.name], METRICS[metric], *types)
        points = rows, np.uint64(m), row_codes, columns, np.uint64(n), np.uint32(d), edges
        run((-(-m // _ROWS[rows.dtype.name]),), (_DISTANCES_BLOCK,), (*points, *others_, found))
    return found


def densities(points: CupyArray, codes: CupyArray, edges: CupyArray, metric: str) -> tuple[CupyArray, CupyArray]:
    """The sparseness and the separation of each cluster, by three kernels; both are defined by ``dbcv_score``.

    Separations are NaN if a distance within a cluster is infinite or NaN, and infinite if there is no other cluster.

    Parameters
    ----------
    points
        Samples by cluster, shape (n, d), those of no cluster last; within a cluster, ties go to the first.
    codes
        The cluster of each sample, shape (n,), int64; k for those of no cluster.
    edges
        Where each of k clusters begins, and where the last one ends, shape (k + 1,), int64. None has one sample.
    metric
        "euclidean" or "cityblock".
    """
    import cupy

    by_feature = cupy.ascontiguousarray(points.T, dtype=np.float64)
    codes, edges = map(cupy.ascontiguousarray, (codes, edges))
    cores = cores_of(by_feature, codes, edges, metric)
    _, _, degrees, sparseness = trees(by_feature, edges, cores, metric)
    separations = cupy.full(sparseness.shape, np.inf)
    _launch_warp_kernel("separations", by_feature, codes, edges, metric, cores, degrees, separations.view(np.uint64))
    return sparseness, cupy.where(cupy.isnan(cupy.max(cores)), np.nan, separations)


def cores_of(by_feature: CupyArray, codes: CupyArray, edges: CupyArray, metric: str) -> CupyArray:
    """The core distance of each sample; ``by_feature`` has the shape (d, n), here and below."""
    import cupy

    cores = cupy.empty(codes.shape, dtype=np.float64)
    _launch_warp_kernel("core_distances", by_feature, codes, edges, metric, cores)
    return cores


def trees(by_feature: CupyArray, edges: CupyArray, cores: CupyArray, metric: str) -> tuple[CupyArray, ...]:
    """The minimum spanning trees of all clusters: parents, lengths, degrees and sparseness.

    Parents are positions of samples, and lengths those of the edges to them; the first sample of a cluster has neither.
    The degree is the number of edges of a sample, twice that in a cluster of two.
    """
    import cupy

    (d, n), k = by_feature.shape, edges.shape[0] - 1
    parents, degrees = cupy.empty(n, dtype=np.int64), cupy.zeros(n, dtype=np.uint32)
    lengths, sparseness = cupy.empty(n), cupy.empty(k)
    found = parents, lengths, degrees, sparseness
    n_threads = min(_MOST_THREADS, -(-n // 32) * 32)
    run = kernel("trees", "trees", METRICS[metric])
    run((k,), (n_threads,), (by_feature, np.uint64(n), np.uint32(d), edges, cores, *found))
    return found


def _launch_warp_kernel(
    name: str, by_feature: CupyArray, codes: CupyArray, edges: CupyArray, metric: str, *others: CupyArray
) -> None:
    """Run a kernel that has a warp for each sample."""
    d, n = by_feature.shape
    run = kernel("trees", name, METRICS[metric])
    sizes = np.uint64(n), np.uint32(d)
    run(
        (-(-n * 32 // _DISTANCES_BLOCK),),
        (_DISTANCES_BLOCK,),
        (by_feature, *sizes, codes, edges, np.uint64(edges.shape[0] - 1), *others),
    )
