"""From two vectors of codes to the cells of their table and their sums, with the standard and backends only."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import Backend
from gpuval.engines.cells import DenseCells, ListedCells, Placed
from gpuval.numerics import Array


def dense_cells(
    true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> tuple[DenseCells, Placed | None]:
    """All cells, by one sum by the flat index of the cell."""
    wide, (n_rows, n_columns) = backend.widest(true).int, shape
    cell = backend.xp.astype(true, wide) * n_columns + backend.xp.astype(pred, wide)
    size = n_rows * n_columns
    flat = backend.count(cell, size) if weights is None else backend.total(weights, cell, size)
    return DenseCells(backend.xp.reshape(flat, shape)), _placed(weights, cell, size, backend)


def listed_cells(
    true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> tuple[ListedCells, Placed | None]:
    """The non-empty cells, by one sort: each run of equal pairs is a cell."""
    xp, wide = backend.xp, backend.widest(true)
    a, b = xp.astype(true, wide.int), xp.astype(pred, wide.int)
    n_samples = a.shape[0]
    if n_samples == 0:
        counts = a if weights is None else weights
        return ListedCells(counts, a, b, shape), _placed(weights, a, 0, backend)
    order = None
    if weights is None and _has_flat_index(shape, a, backend):
        key = xp.sort(a * shape[1] + b)
        starts = _starts_of_runs(key[1:] != key[:-1], key, backend)
        first = xp.take(key, starts)
        class_of = first // shape[1]
        cluster_of = first - class_of * shape[1]
    else:
        order, changes = by_cell(a, b, shape, backend)
        starts = _starts_of_runs(changes, a, backend)
        first = xp.take(order, starts)
        class_of, cluster_of = xp.take(a, first), xp.take(b, first)
    if weights is None:
        end = xp.full((1,), n_samples, dtype=starts.dtype, device=backend.device(starts))
        counts = xp.astype(xp.concat([starts[1:], end]) - starts, wide.int)
        return ListedCells(counts, class_of, cluster_of, shape), None
    sample = xp.arange(n_samples, dtype=starts.dtype, device=backend.device(starts))
    run = xp.searchsorted(starts, sample, side="right") - 1
    weights = xp.take(weights, order)
    counts = backend.total(weights, run, starts.shape[0])
    return ListedCells(counts, class_of, cluster_of, shape), _placed(weights, run, starts.shape[0], backend)


def by_cell(a: Array, b: Array, shape: tuple[int, int], backend: Backend) -> tuple[Array, Array]:
    """The order of samples by class and then by cluster, and where each but the first is in another cell there."""
    xp = backend.xp
    if _has_flat_index(shape, a, backend):
        key = a * shape[1] + b
        order = xp.argsort(key)
        key = xp.take(key, order)
        return order, key[1:] != key[:-1]
    order = xp.argsort(b)
    order = xp.take(order, xp.argsort(xp.take(a, order), stable=True))
    a, b = xp.take(a, order), xp.take(b, order)
    return order, (a[1:] != a[:-1]) | (b[1:] != b[:-1])


def _has_flat_index(shape: tuple[int, int], codes: Array, backend: Backend) -> bool:
    """Whether the number of each cell fits the widest integer."""
    return shape[0] * shape[1] <= int(backend.xp.iinfo(backend.widest(codes).int).max)


def margins(cells: DenseCells | ListedCells, backend: Backend) -> tuple[Array, Array, Array]:
    """The sums of the rows, of the columns and of all."""
    class_sizes, cluster_sizes = cells.sum_by_class(cells.counts), cells.sum_by_cluster(cells.counts)
    total = backend.sum(class_sizes, -1)
    if backend.kind(total) != "real":
        return class_sizes, cluster_sizes, total
    # If one class occurs alone, its size is to be the total to the last digit, or rounding makes a number of 0/0; and
    # so for clusters.
    xp = backend.xp
    for sizes in (class_sizes, cluster_sizes):
        occur = sizes != 0
        # Masked: of a sum of sums XLA would make one sum of all cells, which rounds in another order.
        alone = backend.sum(xp.where(occur, sizes, xp.zeros_like(sizes)), -1)
        total = xp.where(backend.count_true(occur, -1) == 1, alone, total)
    return class_sizes, cluster_sizes, total


def _starts_of_runs(changes: Array, like: Array, backend: Backend) -> Array:
    xp = backend.xp
    head = xp.ones(min(1, like.shape[0]), dtype=xp.bool, device=backend.device(like))
    return xp.nonzero(xp.concat([head, changes]))[0]


def _placed(weights: Array | None, cell: Array, size: int, backend: Backend) -> Placed | None:
    if weights is None or backend.kind(weights) == "integer":
        return None

    def sums(values: Any) -> Array:
        return backend.total(values, cell, size)

    return Placed(weights, cell, sums)
