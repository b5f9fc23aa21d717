"""Sums of tables: cell by cell if their size was given, else by label; in a type that holds the labels of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, library_of, to_host
from gpuval.engines.cells import DenseCells, SparseCells
from gpuval.inputs.codes import Codes, Scale, extend_scale, merge_orders
from gpuval.inputs.options import out_of_range, sum_range_text
from gpuval.numerics import Array
from gpuval.table.building import from_codes, from_triples
from gpuval.table.labels import labels_on_host
from gpuval.table.self_pairs import pairs_between, self_pairs_of_table, sum_of_self_pairs
from gpuval.table.table import Table


def add_tables(a: Table, b: Table) -> Table:
    """The table of the samples of both tables; rows and columns are matched by their labels."""
    backend = a.backend
    if backend is not b.backend:
        raise TypeError(
            f"tables must be of one array library to be added, got {library_of(a.counts)} and {library_of(b.counts)}"
        )
    if not backend.are_together(a.counts, b.counts):
        devices = backend.device(a.counts), backend.device(b.counts)
        raise ValueError(f"tables must be on one device to be added, got {devices[0]} and {devices[1]}")
    if a.fixed != b.fixed:
        raise ValueError(
            "tables must both be of given size, or both be sized by their labels, to be added: give n_classes= and "
            "n_clusters= for both"
        )
    table = _add_by_cell(a, b) if a.fixed else _add_by_label(a, b)
    return replace(
        table,
        invalid=invalid_of_sum(table, a.invalid, b.invalid),
        self_pairs=_self_pairs_of_sum(a, b, table),
        given=_sum_of_given(a, b),
    )


def _sum_of_given(a: Table, b: Table) -> Array | None:
    """The sum of ``given`` of both tables; a table where it is not known adds nothing."""
    if a.given is None or b.given is None:
        return b.given if a.given is None else a.given
    return a.given + b.given


def _add_by_cell(a: Table, b: Table) -> Table:
    """The sum of tables of one given size."""
    ours, theirs = a.shape, b.shape
    if ours[-2:] != theirs[-2:] or (ours != theirs and 2 not in (len(ours), len(theirs))):
        raise ValueError(f"tables of given size must have the same size to be added, got {ours} and {theirs}")
    if isinstance(a.cells, SparseCells) and isinstance(b.cells, SparseCells):
        (rows, columns, n), (more_rows, more_columns, m) = a.triples(), b.triples()
        true, pred = (
            Codes(a.xp.concat(x), size, range(size))
            for x, size in zip(((rows, more_rows), (columns, more_columns)), ours, strict=True)
        )
        return from_codes(true, pred, _together(a, n, b, m), "cells", fixed=True)
    return Table.of(DenseCells(_sum_of_cells(a.dense(), b.dense())), a.classes, a.clusters, fixed=True)


def _sum_of_cells(a: Table, b: Table) -> Array:
    return a.counts + b.counts if a.is_integer == b.is_integer else a.real(a.counts) + b.real(b.counts)


def _are_alike(a: Table, b: Table) -> bool:
    """Whether dense tables of the host have the same ranges of labels, without an order."""
    sides = (a.classes, b.classes), (a.clusters, b.clusters)
    return (
        a.backend.on_host
        and isinstance(a.cells, DenseCells)
        and isinstance(b.cells, DenseCells)
        and a.scales == b.scales == (None, None)
        and all(type(x) is type(y) is range and x == y for x, y in sides)
    )


def _add_by_label(a: Table, b: Table) -> Table:
    """The sum as the table of the cells: each is a (class, cluster) that weighs its count."""
    if _are_alike(a, b):  # as those of blocks of Dask mostly are: this takes a fraction of the time
        return Table.of(DenseCells(_sum_of_cells(a, b)), a.classes, a.clusters, fixed=False).compact()
    (rows, columns, n), (more_rows, more_columns, m) = a.triples(), b.triples()
    classes, clusters = _concatenate(rows, more_rows), _concatenate(columns, more_columns)
    scales = (
        scale_of_both((a.scales[0], b.scales[0]), (a.classes, b.classes)),
        scale_of_both((a.scales[1], b.scales[1]), (a.clusters, b.clusters)),
    )
    return from_triples(classes, clusters, _together(a, n, b, m), scales)


def scale_of_both(scales: tuple[Scale, Scale], labels: tuple[range | Array, range | Array]) -> Scale:
    """The order of the labels of one side of two tables, of which each may declare one."""
    first, second = scales
    if first == second or () in scales:
        return first if first == second else ()
    if first is not None and second is not None:
        return merge_orders(first, second)
    known, others = (first, labels[1]) if second is None else (second, labels[0])
    return None if known is None else extend_scale(known, labels_on_host(others).tolist())


def _together(a: Table, n: Array, b: Table, m: Array) -> Array:
    return a.xp.concat([n, m] if a.is_integer == b.is_integer else [a.real(n), b.real(m)])


def _self_pairs_of_sum(a: Table, b: Table, total: Table) -> Array | None:
    """The self-pairs of two tables; of those added as triples, the pairs between the triples are between the tables."""
    if total.is_integer:
        return None
    numbers = [self_pairs_of_table(x.counts, x.self_pairs, x.cell_axes) for x in (a, b)]
    if total.self_pairs is None:
        ours, theirs = (x.real(x.to_array()) for x in (a, b))
        between = pairs_between(ours, theirs, (-2, -1))
    else:
        between = total.self_pairs[..., 4]
    return sum_of_self_pairs(numbers[0] + numbers[1], between)


def invalid_of_sum(table: Table, *known: Array | None) -> Array | None:
    """How many samples of a table that was added up could not be counted, and whether the sum is too large to be."""
    backend = table.backend
    too_large = out_of_range(table.total[..., None], -1)
    counted = [x for x in known if x is not None]
    if backend.on_host:
        if too_large.any():
            raise ValueError(f"tables must add up to {sum_range_text(table.counts)}, got {table.total.max()}")
        return sum(counted) if any(x.any() for x in counted) else None
    return sum(counted, table.xp.astype(too_large, backend.widest(table.counts).int))


# Labels of several tables in one type


def _concatenate(a: Array, b: Array) -> Array:
    """Two vectors of labels, one after the other (a host step, if they are unsigned and signed integers)."""
    if not (a.shape[0] and b.shape[0]):
        return a if a.shape[0] else b
    xp = backend_of(a).xp
    if a.dtype == b.dtype:
        return xp.concat([a, b])
    common = _common_type(a, b)
    return xp.concat([a, b] if common is None else [xp.astype(x, common) for x in (a, b)])


def _common_type(a: Array, b: Array) -> Any:
    """The type of labels of two types; None for text, of which NumPy takes the longest."""
    backend = backend_of(a)
    xp = backend.xp
    if backend.on_host:
        if a.dtype.kind == b.dtype.kind == "U":
            return None
        if not (a.dtype.kind in "iu" and b.dtype.kind in "iu"):
            return np.dtype(object)
    wide = backend.widest(a).int
    largest = int(xp.iinfo(wide).max)
    unsigned = [x.dtype for x in (a, b) if xp.iinfo(x.dtype).max > largest]
    if not unsigned:
        return wide
    low = min(int(to_host(xp.min(x))) for x in (a, b))
    high = max(int(to_host(xp.max(x))) for x in (a, b))
    if high <= largest:
        return wide
    if low >= 0:
        return unsigned[0]
    if backend.on_host:
        return np.dtype(object)
    raise ValueError(
        f"labels of tables to be added must be integers of one type, got {low} and {high}, and {library_of(a)} has no "
        "integers that hold both; number the labels anew"
    )
