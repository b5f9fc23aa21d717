"""From samples, codes, cells, counts and memberships to a table: the only place that decides how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import Engine, Layout, Request, Tabulation, engine_of
from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.cells import DenseCells, SampleCells, SparseCells, dense_is_better, is_narrow
from gpuval.inputs.codes import Codes, Scale, size_of_codes
from gpuval.inputs.counts import read_counts, widen_counts
from gpuval.inputs.labels import Vector
from gpuval.inputs.options import check_dense, out_of_range
from gpuval.inputs.samples import (
    Samples,
    check_samples_left,
    codes_of,
    codes_of_given_size,
    encode_samples,
    is_weight,
    label_masks,
)
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.numerics import Array
from gpuval.table.labels import labels_at, move_labels
from gpuval.table.self_pairs import self_pairs_of_counts, self_pairs_of_memberships, self_pairs_of_weights
from gpuval.table.table import Table, all_occur, table_of_own_counts

Size = tuple[int, int] | None

# Samples


def from_samples(
    samples: Samples, n_classes: int | None = None, n_clusters: int | None = None, layout: Layout | None = None
) -> Table:
    """Count samples that have been read and checked: a table in their library, on their device."""
    size, like, engine = _size(n_classes, n_clusters), samples.true.data, samples.engine
    with engine.at_work(like):
        table = _tabulate(samples, size, layout, engine)
        table = _from_codes_of(samples, size, layout) if table is None else table
        if engine.backend is table.backend:
            return table
        return table.mapped(lambda x: engine.back(x, like), of_labels=lambda x: move_labels(x, like))


def table_for_score(samples: Samples, n_classes: int | None, n_clusters: int | None, engine: Engine) -> Table:
    """The table of samples for a score: where the engine counts them, whatever their library."""
    size = _size(n_classes, n_clusters)
    if size is None and samples.all_count_once and not samples.backend.on_host:
        view = samples.host_view()
        if view is not None:
            samples, engine = view, view.engine
    table = _tabulate(samples, size, None, engine)
    return _from_codes_of(samples, size, None) if table is None else table


def _size(n_classes: int | None, n_clusters: int | None) -> Size:
    return None if n_classes is None or n_clusters is None else (n_classes, n_clusters)


def _tabulate(samples: Samples, size: Size, layout: Layout | None, engine: Engine) -> Table | None:
    """The table of integer labels as they are, if the engine counts such; it lies where the engine works."""
    true, pred = samples.true, samples.pred
    if true.values is not None or pred.values is not None:
        return None
    all_count_once = samples.all_count_once
    ignores = not all_count_once and bool(samples.ignore)
    if ignores and not (size is None and samples.weights is None):
        return None
    counted = engine.tabulate(true.data, pred.data, samples.weights, Request(size, layout, ignores))
    if counted is None:
        return None
    cells = counted.cells
    if size is None and all_count_once and isinstance(cells, DenseCells) and isinstance(cells.counts, np.ndarray):
        return _compact_table(cells, (counted.rows, counted.columns), true.size)
    return _from_counted(counted, samples, layout, is_fixed=size is not None)


def _compact_table(cells: DenseCells, labels: tuple[range, range], n_samples: int) -> Table:
    """The table of counts in NumPy that is sized by its labels: it is what a score waits for."""
    total = np.int64(n_samples)
    class_sizes, cluster_sizes = np.add.reduce(cells.counts, axis=1), np.add.reduce(cells.counts, axis=0)
    if all_occur(class_sizes) and all_occur(cluster_sizes):
        return table_of_own_counts(cells, (class_sizes, cluster_sizes), total, labels)
    rows, columns = np.flatnonzero(class_sizes), np.flatnonzero(cluster_sizes)
    names = (labels_at(x, places) for x, places in zip(labels, (rows, columns), strict=True))
    return Table(cells.taken(rows, columns), class_sizes[rows], cluster_sizes[columns], total, *names)


def _from_counted(counted: Tabulation, samples: Samples, layout: Layout | None, *, is_fixed: bool) -> Table | None:
    """The table of what an engine has counted; None if something is wrong with weights.

    The caller then encodes the samples, and the error is raised there.
    """
    cells, rows, columns, invalid, placed = counted
    if samples.ignore:
        table = _drop_ignored(samples, cells, rows, columns)
        if table.backend.on_host and layout is None:
            table = choose_layout(table, int(table.total))  # as if the samples to ignore had never been there
        if samples.are_all:
            check_samples_left(samples, bool(to_host(table.total) != 0))
        return table
    if samples.weights is not None:
        weights, backend = samples.weights, backend_of(samples.weights)
        assert invalid is not None  # kernels count what they leave out
        if is_fixed:
            counting = backend.xp.where(is_weight(weights), weights, backend.xp.zeros_like(weights))
            invalid = invalid + backend.xp.astype(out_of_range(counting), invalid.dtype)
        elif not _are_sums_of_weights(invalid, weights):
            return None
    invalid = invalid if is_fixed else None
    table = Table.of(cells, rows, columns, fixed=is_fixed, invalid=invalid, self_pairs=_pairs_of(placed, cells))
    return table.with_given(samples.true.size) if is_fixed and samples.are_all else _drop_empty(table)


def _drop_empty(table: Table) -> Table:
    """Listed cells, and tables of NumPy, without what does not occur; on a device dense tables are not transferred."""
    return table.occurring() if isinstance(table.cells, SparseCells) or table.backend.on_host else table


def _pairs_of(placed: SampleCells | None, cells: DenseCells | SparseCells) -> Array | None:
    """The self-pairs of samples of real weights."""
    if placed is None:
        return None
    sizes = backend_of(cells.counts).xp.reshape(cells.counts, (-1,))
    return self_pairs_of_weights(placed.weights, placed.cells, sizes, placed.sums)


def _are_sums_of_weights(broken: Array, weights: Array) -> bool:
    """Whether all weights count, some are above 0, and they add up to what a table may hold (a host step)."""
    xp = backend_of(weights).xp
    return not bool(to_host(xp.any(xp.stack([broken > 0, out_of_range(weights), xp.all(weights == 0)]))))


def _drop_ignored(samples: Samples, cells: DenseCells | SparseCells, rows: range, columns: range) -> Table:
    """The table of counted cells, without the rows and columns of the labels to ignore."""
    backend = backend_of(cells.counts)
    keep = label_masks(samples, rows, columns)
    xp = backend.xp
    if isinstance(cells, SparseCells):
        keep_row, keep_column = (backend.from_host(x, cells.counts) for x in keep)
        filled = xp.take(keep_row, cells.class_of) & xp.take(keep_column, cells.cluster_of)
        counts, class_of, cluster_of = (x[filled] for x in (cells.counts, cells.class_of, cells.cluster_of))
        listed = SparseCells(counts, class_of, cluster_of, cells.shape)
        return Table.of(listed, rows, columns, fixed=False).compact()
    row_places, column_places = (backend.from_host(np.flatnonzero(x), cells.counts) for x in keep)
    counts = xp.take(xp.take(cells.counts, row_places, axis=-2), column_places, axis=-1)
    classes, clusters = labels_at(rows, row_places), labels_at(columns, column_places)
    table = _drop_empty(Table.of(DenseCells(counts), classes, clusters, fixed=False))
    if not backend.on_host:
        return table
    if _has_no_gap(table.classes) and _has_no_gap(table.clusters):
        n_rows, n_columns = table.shape
        first, other = (int(x[0]) if len(x) else 0 for x in (table.classes, table.clusters))
        return replace(table, classes=range(first, first + n_rows), clusters=range(other, other + n_columns))
    n_counted = int(table.total)
    classes = _as_encoded(table.classes, samples.true, n_counted)
    return replace(table, classes=classes, clusters=_as_encoded(table.clusters, samples.pred, n_counted))


def _as_encoded(labels: Array, vector: Vector, n_counted: int) -> Array:
    """Labels in the type that they would have as codes: their own, if their range is wide for so many samples."""
    if not len(labels) or is_narrow((int(labels[0]), int(labels[-1])), n_counted, np.iinfo(np.int64).max):
        return labels
    return labels.astype(vector.backend.comparable(vector.data).dtype)


def _has_no_gap(labels: Array) -> bool:
    """Whether sorted labels are all integers of a range, which is what labels without gaps are kept as."""
    return len(labels) == 0 or int(labels[-1]) - int(labels[0]) + 1 == len(labels)


def _from_codes_of(samples: Samples, size: Size, layout: Layout | None) -> Table:
    if size is not None and layout != "cells" and not samples.backend.on_host:
        few = None if layout == "dense" or dense_is_better(*size, samples.true.size) else samples.host_view()
        table = _dense_table(samples, size) if few is None else _cell_table(few, size, samples.true.data)
        return table.with_given(samples.true.size) if samples.are_all else table
    return from_codes(*encode_samples(samples, *(size or (None, None))), layout, fixed=size is not None)


def _dense_table(samples: Samples, size: tuple[int, int]) -> Table:
    """The table of given size of samples on a device, without a look at their values."""
    check_dense(*size)
    true, pred, weights, invalid = codes_of_given_size(samples, *size)
    return from_codes(true, pred, weights, "dense", fixed=True, invalid=invalid)


def _cell_table(view: Samples, size: tuple[int, int], like: Array) -> Table:
    """The same for samples seen in NumPy, where they are few for the size: a table of the cells that they fill."""
    true, pred, weights, broken = codes_of_given_size(view, *size, like)
    counted = true.codes < true.size
    rows, columns = replace(true, codes=true.codes[counted], has_spare=False), replace(pred, codes=pred.codes[counted])
    weights = None if weights is None else weights[counted]
    return from_codes(rows, columns, weights, "cells", fixed=True, invalid=broken if broken else None)


def empty_table(size: tuple[int, int], like: Array, *, is_real: bool) -> Table:
    """The table of given size of no samples, in the library and on the device of ``like``."""
    backend = backend_of(like)
    wide = backend.widest(like)
    none = Vector("like", None, backend.zeros_beside((0,), wide.int, like))
    weights = backend.zeros_beside((0,), wide.float, like) if is_real else None
    return from_samples(Samples(none, none, weights, LabelsToIgnore()), *size)


# Codes and cells


def from_codes(
    true: Codes,
    pred: Codes,
    weights: Array | None = None,
    layout: Layout | None = None,
    *,
    fixed: bool = False,
    invalid: Array | None = None,
) -> Table:
    """Count samples that have been encoded, except those of a spare code."""
    if layout is None:
        layout = "dense" if dense_is_better(true.size, pred.size, true.codes.shape[0]) else "cells"
    if layout == "dense":
        check_dense(true.size, pred.size)
    elif weights is not None:  # a sample that weighs nothing fills no cell
        keep = weights > 0
        true, pred = (replace(x, codes=x.codes[keep]) for x in (true, pred))
        weights = weights[keep]
    shape = true.size + true.has_spare, pred.size + pred.has_spare
    engine = engine_of(true.codes, pred.codes)
    cells, placed = engine.cells(true.codes, pred.codes, shape, weights, layout)
    self_pairs = _pairs_of(placed, cells)
    if true.has_spare or pred.has_spare:
        assert isinstance(cells, DenseCells)  # where cells are listed, samples that do not count have been left out
        cells = DenseCells(cells.counts[: true.size, : pred.size])
    labels, scales = (true.values, pred.values), (true.scale, pred.scale)
    return _drop_empty(Table.of(cells, *labels, fixed=fixed, invalid=invalid, self_pairs=self_pairs, scales=scales))


def from_cells(counts: Array, class_of: Array, cluster_of: Array, shape: tuple[int, int]) -> Table:
    """The table of given size of its non-empty cells, sorted by class and then by cluster."""
    cells, self_pairs = SparseCells(counts, class_of, cluster_of, shape), self_pairs_of_counts(counts)
    return Table.of(cells, range(shape[0]), range(shape[1]), fixed=True, self_pairs=self_pairs)


def from_triples(classes: Array, clusters: Array, counts: Array, scales: tuple[Scale, Scale] = (None, None)) -> Table:
    """The table of (label of the class, label of the cluster, count); equal pairs of labels add up (a host step)."""
    table = from_codes(codes_of(classes, scales[0]), codes_of(clusters, scales[1]), counts)
    return table.compact() if isinstance(table.cells, DenseCells) and not table.backend.on_host else table


def from_counts(counts: Any) -> Table:
    """The table of counts that users give, after their checks."""
    array, classes, clusters, invalid, scales = read_counts(counts)
    fixed = isinstance(classes, range)  # a crosstab is sized by its labels
    self_pairs = self_pairs_of_counts(array, (-2, -1))
    labels = classes, clusters
    return Table.of(DenseCells(array), *labels, fixed=fixed, invalid=invalid, self_pairs=self_pairs, scales=scales)


def from_sparse(counts: Any) -> Table:
    """The table of a sparse matrix of SciPy."""
    if counts.ndim != 2:
        raise ValueError(f"counts must have two dimensions, got shape {counts.shape}")
    from gpuval.inputs.features import to_format  # only now: tables of labels do without it

    coo = to_format(counts, "coo", "counts")  # its duplicates are added up below, in the widest type
    weights, _ = widen_counts(coo.data, "counts")
    rows, columns = (
        Codes(np.asarray(x, dtype=np.int64), size, range(size))
        for x, size in zip((coo.row, coo.col), counts.shape, strict=True)
    )
    table = from_codes(rows, columns, weights, "cells", fixed=True)
    return replace(table, self_pairs=self_pairs_of_counts(table.counts))


def from_memberships(u: Array, v: Array, weights: Array | None) -> Table:
    """The table of two soft partitions that have been read and checked; no sample need have a weight."""
    table: Table = backend_of(u).at_once(_from_memberships, u, v, weights)
    return replace(table, given=None)  # not 0, which stands for it in a tree


def _from_memberships(u: Array, v: Array, weights: Array | None) -> Table:
    backend = backend_of(u)
    xp = backend.xp
    weighted = u if weights is None else u * xp.astype(weights, u.dtype)[:, None]
    table = from_counts(backend.matmul(xp.matrix_transpose(weighted), v))
    table = replace(table, self_pairs=self_pairs_of_memberships(u, v, weights, table.counts))
    if backend.on_host:
        return table
    broken = sum(backend.count_true(~is_weight(x)) for x in (u, v, weights) if x is not None)
    return replace(table, invalid=table.invalid + broken)


def choose_layout(table: Table, samples: int) -> Table:
    """The table in the layout of one call with so many samples, so that scores are the same to the last digit."""
    sizes = [
        size_of_codes(values, size, samples)
        for values, size in zip((table.classes, table.clusters), table.shape, strict=True)
    ]
    return table.dense() if dense_is_better(sizes[0], sizes[1], samples) else table.listed()
