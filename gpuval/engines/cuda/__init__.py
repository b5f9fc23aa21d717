"""The CUDA engine: what the kernels give for labels on a GPU, in the library of the labels; None for all other labels.

``joint.cu`` has the kernels that count and ``plan`` chooses between them, ``table.cu`` those of what scores read of a
table, ``expected.cu`` that of the expected mutual information, ``distances.cu`` those of what internal indices read of
all distances; ``kernels`` compiles them, ``count``, ``table``, ``expected``, ``distances`` and ``formulas`` call them,
and ``door`` is where arrays come in and go out. CuPy has to be there; without it labels go through their own library.
"""

from __future__ import annotations

import math

from gpuval.engines.backends import backend_of, is_array
from gpuval.engines.cuda import arrays as door
from gpuval.engines.cuda import distances, expected, formulas, table
from gpuval.engines.cuda import tabulate as count
from gpuval.numerics import Array

Limits = tuple[int, int]
Three = tuple[Array, Array, Array]
Six = tuple[Array, Array, Array, Array, Array, Array]


def limits(a: Array, b: Array) -> tuple[Limits, Limits] | None:
    """The smallest and the largest label of both vectors, in one pass and one transfer."""
    if not (a.shape[0] and _are_for_kernels(a, b)):
        return None
    with door.as_cupy(a, b) as (x, y):
        return count.limits_of(x, y)


def dense(a: Array, b: Array, rows: range, columns: range, weights: Array | None = None) -> tuple[Array, Array] | None:
    """The table of all cells, and how many samples do not count, without a synchronisation; weights are of 64 bits."""
    given = () if weights is None else (weights,)
    if len(rows) * len(columns) >= 1 << 32 or not _are_for_kernels(a, b):
        return None
    if given and not (backend_of(a).widest(a).is_64bit and door.are_on_one_gpu(a, *given)):
        return None
    with door.as_cupy(a, b, *given) as (x, y, *others):
        counts, outside = count.counted(x, y, rows, columns, others[0] if others else None)
        return door.brought_back(counts, a), door.brought_back(outside, a)


def add(counts: Array, outside: Array, furthest: Array, a: Array, b: Array, weights: Array | None = None) -> bool:
    """Count into a table that is there, how many samples do not count, and which labels were seen; False if none can.

    Nothing is allocated but for tables beyond shared memory and for booleans, and nothing waits.
    """
    sums, given = (counts, outside, furthest), (a, b) if weights is None else (a, b, weights)
    n_rows, n_columns = counts.shape
    if not backend_of(counts).is_writable or n_rows * n_columns >= 1 << 32 or not _are_for_kernels(a, b):
        return False  # arrays of JAX are not to be written into
    if not door.are_on_one_gpu(*sums, *given):
        return False
    with door.as_cupy(*sums, *given) as (table, strays, lowest, x, y, *others):
        x, y = count.readable(x), count.readable(y)  # once for both
        count.add_to(table, strays, x, y, range(n_rows), range(n_columns), others[0] if others else None)
        count.look_at(lowest, strays, x, y)
    return True


def listed(a: Array, b: Array, rows: range, columns: range) -> Three | None:
    """The row, column and count of each cell that is not empty, for labels that lie inside."""
    if not _are_for_kernels(a, b):
        return None
    with door.as_cupy(a, b) as (x, y):
        runs = count.runs_of(x, y, rows, columns)
        if runs is None:
            return None
        row, column, counts = (door.brought_back(found, a) for found in runs)
        return row, column, counts


def are_of_one_table(counts: Array, *others: Array) -> bool:
    """Whether arrays on a GPU are those of one table of counts, all of 64 bits, of a size that kernels have."""
    if backend_of(counts).on_host:
        return False
    wide = backend_of(counts).widest(counts)
    if not wide.is_64bit or any(x.dtype != wide.int for x in (counts, *others)):
        return False
    is_single = len(others) == 0 or len(others[2].shape) == 0  # its total
    return is_single and math.prod(counts.shape) < 1 << 32 and door.are_on_one_gpu(counts, *others)


def margins(counts: Array) -> Three | None:
    """The sums of the rows, of the columns and of all of a dense table of counts."""
    if not are_of_one_table(counts) or len(counts.shape) != 2:
        return None
    with door.as_cupy(counts) as (seen,):
        rows, columns, total = (door.brought_back(x, counts) for x in table.margins_of(seen))
        return rows, columns, total


def pair_parts(counts: Array, class_sizes: Array, cluster_sizes: Array, total: Array) -> Six | None:
    """The fields of ``_pairs.Pairs``; see ``table``."""
    given = counts, class_sizes, cluster_sizes, total
    if not are_of_one_table(*given):
        return None
    with door.as_cupy(*given) as seen:
        parts = door.brought_back(table.pair_parts(*seen), counts)
    both, true_only, pred_only, neither, excess, surplus = (parts[i] for i in range(6))
    return both, true_only, pred_only, neither, excess, surplus


def information_parts(
    counts: Array, class_sizes: Array, cluster_sizes: Array, total: Array, *cells: Array
) -> Three | None:
    """The fields of ``_entropies.Information``; see ``table``."""
    given = counts, class_sizes, cluster_sizes, total, *cells
    if not are_of_one_table(*given):
        return None
    with door.as_cupy(*given) as seen:
        parts = door.brought_back(table.information_parts(*seen), counts)
    mutual, true_given_pred, pred_given_true = (parts[i] for i in range(3))
    return mutual, true_given_pred, pred_given_true


def formula(text: str, inputs: list[Array], size: int) -> Array:
    """What a kernel of single numbers gives, shape (size,); see ``formulas``."""
    with door.as_cupy(*inputs) as seen:
        return door.brought_back(formulas.evaluated(text, seen, size), inputs[0])


def has_expected_sums(*arrays: Array) -> bool:
    """Whether :func:`expected_sums` takes arrays that lie where these do."""
    return backend_of(arrays[0]).widest(arrays[0]).is_64bit and door.are_on_one_gpu(*arrays)


def expected_sums(*arrays: Array) -> tuple[Array, Array]:
    """The sums of the expected mutual information; see ``expected``."""
    with door.as_cupy(*arrays) as seen:
        mutual, conditional = expected.expected_sums(*seen)
        return door.brought_back(mutual, arrays[0]), door.brought_back(conditional, arrays[0])


def are_points_for_kernels(X: Array) -> bool:
    """Whether distances between samples come from the kernels: not where a gradient is asked for."""
    if (
        not (is_array(X) and not backend_of(X).on_host)
        or backend_of(X).is_traced(X)
        or backend_of(X).is_differentiated(X)
    ):
        return False
    return backend_of(X).widest(X).is_64bit and door.are_on_one_gpu(X)


def cluster_means(
    rows: Array, row_codes: Array, columns: Array, edges: Array, weights: Array | None, masses: Array, metric: str
) -> Array:
    """The sums and means of distances to clusters, shape (4, m); see ``distances``."""
    given = rows, row_codes, columns, edges, masses, *(() if weights is None else (weights,))
    with door.as_cupy(*given) as (x, codes, y, borders, sizes, *others):
        means = distances.cluster_means(x, codes, y, borders, others[0] if others else None, sizes, metric)
        return door.brought_back(means, rows)


def cluster_extremes(rows: Array, row_codes: Array, columns: Array, edges: Array, metric: str) -> Array:
    """The distances to the nearest column of another cluster and to the furthest of the own one, shape (2, m)."""
    with door.as_cupy(rows, row_codes, columns, edges) as (x, codes, y, borders):
        return door.brought_back(distances.cluster_extremes(x, codes, y, borders, metric), rows)


def _are_for_kernels(a: Array, b: Array) -> bool:
    return (
        backend_of(a).kind(a) in ("integer", "bool")
        and backend_of(b).kind(b) in ("integer", "bool")
        and door.are_on_one_gpu(a, b)
    )
