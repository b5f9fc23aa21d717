"""What silhouettes and the Dunn index read of all distances, by the kernels: CuPy arrays in, CuPy arrays out.

No distance is written to memory, no value is copied to the host, and the digits are the same each time on one kind of
device. Points are of type float32 or float64, the same for rows and columns. Columns are sorted by cluster: those of
cluster c are ``edges[c]`` up to before ``edges[c + 1]``; a cluster may have none. A block has 128 rows (64 of float64),
so calls with few rows leave processors idle: a caller that works in slices makes them tens of thousands of rows long.
Distances of float32 have an error of at most 2^-23 from their square root.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, kernel

_BLOCK = 256
_ROWS = {"float32": 128, "float64": 64}
"""Threads of a block, and the rows that it has."""

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
