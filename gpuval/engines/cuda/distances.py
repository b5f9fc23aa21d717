"""What measures of samples read of all distances, by the kernels: CuPy arrays in, CuPy arrays out.

No distance is written to memory, no value is copied to the host, and the digits are the same each time on one kind of
device. Points are of type float32 or float64.

For silhouettes and the Dunn index, rows and columns are of the same type. Columns are sorted by cluster: those of
cluster c are ``edges[c]`` up to before ``edges[c + 1]``; a cluster may have none. A block has 128 rows (64 of float64),
so calls with few rows leave processors idle: a caller that works in slices makes them tens of thousands of rows long.
Distances of float32 have an error of at most 2^-23 from their square root.

For density-based validation, distances are of type float64, as ties matter there.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, kernel

_BLOCK, _MOST_THREADS = 256, 512
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
    return _of_rows("cluster_means", 4, rows, row_codes, columns, edges, metric, (given, masses), (kind,))


def cluster_extremes(
    rows: CupyArray, row_codes: CupyArray, columns: CupyArray, edges: CupyArray, metric: str
) -> CupyArray:
    """The distances of each row to the nearest column of another cluster, and to the furthest one of its own.

    Shape (2, m), float64; inf and 0 where there is none. The other arguments are those of :func:`cluster_means`.
    """
    return _of_rows("cluster_extremes", 2, rows, row_codes, columns, edges, metric)


def _of_rows(
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
        run((-(-m // _ROWS[rows.dtype.name]),), (_BLOCK,), (*points, *others_, found))
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
    _by_warps("separations", by_feature, codes, edges, metric, cores, degrees, separations.view(np.uint64))
    return sparseness, cupy.where(cupy.isnan(cupy.max(cores)), np.nan, separations)


def cores_of(by_feature: CupyArray, codes: CupyArray, edges: CupyArray, metric: str) -> CupyArray:
    """The core distance of each sample; ``by_feature`` has the shape (d, n), here and below."""
    import cupy

    cores = cupy.empty(codes.shape, dtype=np.float64)
    _by_warps("core_distances", by_feature, codes, edges, metric, cores)
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


def _by_warps(
    name: str, by_feature: CupyArray, codes: CupyArray, edges: CupyArray, metric: str, *others: CupyArray
) -> None:
    """Run a kernel that has a warp for each sample."""
    d, n = by_feature.shape
    run = kernel("trees", name, METRICS[metric])
    sizes = np.uint64(n), np.uint32(d)
    run((-(-n * 32 // _BLOCK),), (_BLOCK,), (by_feature, *sizes, codes, edges, np.uint64(edges.shape[0] - 1), *others))
