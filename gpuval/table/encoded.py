"""From two vectors of codes to the cells of their table, in either layout."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.engines.cells import DenseCells, ListedCells
from gpuval.engines.host.one_pass import joint_counts
from gpuval.engines.host.one_sort import joint_runs
from gpuval.inputs.labels import Codes
from gpuval.inputs.limits import check_dense
from gpuval.numerics import Array
from gpuval.table import self_pairs as _self_pairs

_SMALL = 1 << 16
_LARGEST = 1 << 25
"""Cells of the largest table that is chosen to be dense: 256 MB of int64."""


def dense_is_better(n_classes: int, n_clusters: int, n_samples: int) -> bool:
    """Whether all cells cost less than the non-empty ones: they are few, or not many more than the samples."""
    return n_classes * n_clusters <= most_dense_cells(n_samples)


def most_dense_cells(n_samples: int) -> int:
    """How many cells a dense table may have to be better than the non-empty ones."""
    return min(max(_SMALL, n_samples), _LARGEST)


def dense_cells(true: Codes, pred: Codes, weights: Array | None) -> tuple[DenseCells, Array | None]:
    """All cells, by one scatter of the combined code (without making it, where it lies on the host), and self-pairs."""
    check_dense(true.size, pred.size)
    if weights is None:
        a, b = backend_of(true.codes).host_view(true.codes), backend_of(pred.codes).host_view(pred.codes)
        joint = None if a is None or b is None else joint_counts(a, b, true.size * pred.size)
        if joint is not None:
            return DenseCells(
                backend_of(true.codes).from_host(joint.placed(range(true.size), range(pred.size)), true.codes)
            ), None
    key = combined(true, pred)
    size = true.size * pred.size
    engine = backend_of(key)
    flat = engine.count(key, size) if weights is None else engine.total(weights, key, size)
    self_pairs = _self_pairs.of_weights(weights, key, flat, lambda values: engine.total(values, key, size))
    return DenseCells(backend_of(flat).xp.reshape(flat, (true.size, pred.size))), self_pairs


def listed_cells(true: Codes, pred: Codes, weights: Array | None) -> tuple[ListedCells, Array | None]:
    """The non-empty cells, by one sort (each run of equal pairs is a cell), and self-pairs."""
    xp = backend_of(true.codes).xp
    shape = (true.size, pred.size)
    if weights is None:
        a, b = backend_of(true.codes).host_view(true.codes), backend_of(pred.codes).host_view(pred.codes)
        runs = None if a is None or b is None else joint_runs(a, b, *shape)
        if runs is not None:
            class_of, cluster_of, counts = (backend_of(true.codes).from_host(x, true.codes) for x in runs)
            return ListedCells(counts, class_of, cluster_of, shape), None
    wide = backend_of(true.codes).widest(true.codes)
    a, b = xp.astype(true.codes, wide.int), xp.astype(pred.codes, wide.int)
    if a.shape[0] == 0:
        counts = a if weights is None else weights
        return ListedCells(counts, a, b, shape), _self_pairs.of_counts(counts)
    order = None
    if true.size * pred.size <= xp.iinfo(wide.int).max:
        key = a * pred.size + b
        if weights is None:
            key = xp.sort(key)
        else:
            order = xp.argsort(key)
            key = xp.take(key, order)
        starts = _run_starts(key[1:] != key[:-1], key, xp)
        first = xp.take(key, starts)
        class_of = first // pred.size
        cluster_of = first - class_of * pred.size
    else:  # the combined code would overflow: sort by the second, then stably by the first
        order = xp.argsort(b)
        order = xp.take(order, xp.argsort(xp.take(a, order), stable=True))
        a, b = xp.take(a, order), xp.take(b, order)
        starts = _run_starts((a[1:] != a[:-1]) | (b[1:] != b[:-1]), a, xp)
        class_of, cluster_of = xp.take(a, starts), xp.take(b, starts)
    counts, self_pairs = _run_totals(starts, weights, order, a.shape[0], xp)
    return ListedCells(counts, class_of, cluster_of, shape), self_pairs


def combined(true: Codes, pred: Codes) -> Array:
    """One code for each pair of codes, row by row."""
    xp = backend_of(true.codes).xp
    wide = backend_of(true.codes).widest(true.codes).int
    return xp.astype(true.codes, wide) * pred.size + xp.astype(pred.codes, wide)


def _run_starts(changes: Array, like: Array, xp: Any) -> Array:
    head = xp.ones(min(1, like.shape[0]), dtype=xp.bool, device=backend_of(like).device(like))
    return xp.nonzero(xp.concat([head, changes]))[0]


def _run_totals(
    starts: Array, weights: Array | None, order: Array | None, n: int, xp: Any
) -> tuple[Array, Array | None]:
    if weights is None:
        end = xp.full((1,), n, dtype=starts.dtype, device=backend_of(starts).device(starts))
        counts = xp.concat([starts[1:], end])[: starts.shape[0]] - starts
        return xp.astype(counts, backend_of(starts).widest(starts).int), None
    sample = xp.arange(n, dtype=starts.dtype, device=backend_of(starts).device(starts))
    run = xp.searchsorted(starts, sample, side="right") - 1
    engine, weights = backend_of(weights), xp.take(weights, order)

    def added_up(values: Array) -> Array:
        return engine.total(values, run, starts.shape[0])

    counts = added_up(weights)
    return counts, _self_pairs.of_weights(weights, run, counts, added_up)
