"""The engine of the host: NumPy, for arrays of any library in the memory of the host whose values are known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gpuval.engines.cells import DenseCells, SampleCells, SparseCells, most_dense_cells
from gpuval.engines.engine import Engine, Formula, Layout, Request, Six, Tabulation, Three, each
from gpuval.engines.host.counting import add_in_place, cells_within, joint_counts, joint_runs
from gpuval.numerics import Array, NDArray
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.parallel import highest


class Host(Engine):
    """One pass or one sort of the labels, tables of distinct numbers, tiles on all cores, scores of NumPy views."""

    def tabulate(self, true: Array, pred: Array, weights: Array | None, request: Request) -> Tabulation | None:
        if weights is not None or request.layout == "cells":
            return None
        if request.ignores and not self.backend.on_host:
            return None  # elsewhere a table has a row for each label of the range, also for those that do not occur
        a, b = (true, pred) if self.backend.on_host else (self._view(true), self._view(pred))
        if a is None or b is None or a.dtype.kind not in "biu" or b.dtype.kind not in "biu":
            return None
        most = most_dense_cells(len(a))
        if request.size is not None and math.prod(request.size) > most:
            return _sparse_tabulation(a, b, request.size) if request.layout is None else None
        joint = joint_counts(a, b, most)
        if joint is None:
            return None
        if request.size is None:
            return Tabulation(DenseCells(joint.counts), joint.rows, joint.columns)
        rows, columns = map(range, request.size)
        return Tabulation(DenseCells(joint.within(rows, columns)), rows, columns) if joint.fits(rows, columns) else None

    def cells(
        self, true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, layout: Layout
    ) -> tuple[DenseCells | SparseCells, SampleCells | None]:
        a, b = self._view(true), self._view(pred)
        if weights is None and a is not None and b is not None:
            if layout == "dense":
                joint = joint_counts(a, b, shape[0] * shape[1])
                if joint is not None:
                    return DenseCells(self.back(joint.within(range(shape[0]), range(shape[1])), true)), None
            else:
                runs = joint_runs(a, b, *shape)
                if runs is not None:
                    class_of, cluster_of, counts = (self.back(x, true) for x in runs)
                    return SparseCells(counts, class_of, cluster_of, shape), None
        return super().cells(true, pred, shape, weights, layout)

    def add_in_place(self, counts: Array, true: Array, pred: Array) -> bool:
        return self.backend.on_host and add_in_place(counts, true, pred)

    def cells_within(self, true: Array, pred: Array, size: tuple[int, ...]) -> Array | None:
        return cells_within(true, pred, size) if self.backend.on_host else None

    def order_within(
        self, codes: Array | None, values: Array | None, lengths: Array | None = None, *, is_stable: bool
    ) -> Array:
        from gpuval.engines.host.order import order_within  # only now: it is for rankings

        if self.backend.on_host:
            return order_within(codes, values, lengths, is_stable=is_stable)
        return super().order_within(codes, values, lengths, is_stable=is_stable)

    def largest_first(self, values: Array, codes: Array | None, lengths: Array) -> Array:
        from gpuval.engines.host.order import largest_first  # only now: it is for rankings

        if self.backend.on_host:
            return largest_first(values, lengths)
        return super().largest_first(values, codes, lengths)

    def concordance(self, scores: Array, positives: Array, negatives: Array, weights: Array | None) -> Three:
        columns = self._columns(scores, positives, negatives, weights)
        if columns is None:
            return super().concordance(scores, positives, negatives, weights)
        from gpuval.engines.host.curves import concordance  # only now, here and below: it is for matrices of scores

        pairs, n_positives, n_negatives = (self.back(x, scores) for x in concordance(columns))
        return pairs, n_positives, n_negatives

    def precisions(
        self, scores: Array, positives: Array, negatives: Array, weights: Array | None
    ) -> tuple[Array, Array]:
        columns = self._columns(scores, positives, negatives, weights)
        if columns is None:
            return super().precisions(scores, positives, negatives, weights)
        from gpuval.engines.host.curves import precisions

        sums, n_positives = (self.back(x, scores) for x in precisions(columns))
        return sums, n_positives

    def binned(
        self,
        scores: Array,
        positives: Array,
        negatives: Array,
        weights: Array | None,
        n_bins: int,
        low: float,
        high: float,
    ) -> tuple[Array, Array]:
        columns = self._columns(scores, positives, negatives, weights)
        if columns is None:
            return super().binned(scores, positives, negatives, weights, n_bins, low, high)
        from gpuval.engines.host.curves import column_histograms

        of_positives, of_negatives = (self.back(x, scores) for x in column_histograms(columns, n_bins, low, high))
        return of_positives, of_negatives

    def _columns(self, scores: Array, positives: Array, negatives: Array, weights: Array | None) -> Any:
        """Views of NumPy, and a copy of scores of which it lacks the type; None where there is no memory to view."""
        from gpuval.engines.curves import ScoreColumns

        if self._view(scores) is None and self.backend.kind(scores) == "real":
            scores = self.backend.in_32_bits(scores)
        views = [None if x is None else self._view(x) for x in (scores, positives, negatives, weights)]
        if any(view is None for view in views[:3]) or (weights is not None and views[3] is None):
            return None
        return ScoreColumns(*views)

    def margins(self, cells: DenseCells | SparseCells) -> Three:
        counts = cells.counts
        if not (self.backend.on_host and isinstance(cells, DenseCells) and counts.dtype.kind == "i"):
            return super().margins(cells)
        class_sizes, cluster_sizes = np.add.reduce(counts, axis=-1), np.add.reduce(counts, axis=-2)
        return class_sizes, cluster_sizes, np.add.reduce(class_sizes, axis=-1)

    def count_pairs(self, table: Any) -> Six | None:
        return _count_pairs(table) if self.backend.on_host else None

    def information(self, table: Any) -> Three | None:
        if not self.backend.on_host:
            return None
        from gpuval.engines.host.information import parts_of_joint_entropy  # only now: scores of pairs do not need it

        return parts_of_joint_entropy(table)

    def expected_sums(self, table: Any, of_a: Array) -> Any:
        if not self.backend.on_host:
            return None
        from gpuval.engines.host.information import expectation_sums  # only now: most scores do not need it

        return expectation_sums(table, of_a)

    def distinct_pairs(self, a: Array, b: Array, most: int) -> Three | None:
        return _distinct_pairs(a, b, most) if self.backend.on_host else None

    def score(self, formula: Formula, table: Any, options: dict[str, Any], like: Array | None = None) -> Any:
        if self.backend.on_host:
            view = table
        elif (view := table.host_view()) is None:
            return super().score(formula, table, options)
        if view.invalid is None:
            value = formula(view, **options)
        else:
            with np.errstate(all="ignore"):  # where the score is NaN
                value = self.where_valid(formula(view, **options), view)
        return value if view is table else each(value, lambda x: self.back(x, table.counts))

    def _view(self, x: Array) -> NDArray | None:
        return x if self.backend.on_host else self.backend.host_view(x)

    def back(self, x: Array, like: Array) -> Array:
        return x if self.backend.on_host else self.backend.from_host(x, like)


def _sparse_tabulation(a: NDArray, b: NDArray, size: tuple[int, int]) -> Tabulation | None:
    """The non-empty cells of a table of given size; None if a label is outside."""
    if len(a) and not (highest(a) < size[0] and highest(b) < size[1]):
        return None
    runs = joint_runs(a, b, *size)
    if runs is None:
        return None
    class_of, cluster_of, counts = runs
    rows, columns = map(range, size)
    return Tabulation(SparseCells(counts, class_of, cluster_of, size), rows, columns)


# What formulas read of a NumPy table, where NumPy is faster than the standard.

Number = np.float64


def _count_pairs(table: Any) -> tuple[Number, Number, Number, Number, Number, Number] | None:
    """The pairs of a single table of counts, in Python's integers: squares of up to ``LARGEST_ROOT`` fit int64."""
    if table.total.ndim or table.counts.dtype.kind not in "iu" or (n := int(table.total)) > LARGEST_ROOT:
        return None
    x, a, b = table.counts.reshape(-1), table.class_sizes, table.cluster_sizes
    cells, classes, clusters = int(x.dot(x)), int(a.dot(a)), int(b.dot(b))
    both, true_only, pred_only = cells - n, classes - cells, clusters - cells
    neither = n * n + cells - classes - clusters
    excess, surplus = both * neither - true_only * pred_only, true_only - pred_only
    return Number(both), Number(true_only), Number(pred_only), Number(neither), Number(excess), Number(surplus)


def _distinct_pairs(a: NDArray, b: NDArray, most: int) -> tuple[NDArray, NDArray, NDArray] | None:
    """The distinct pairs of two vectors of integers, and how often each occurs; None if their table is too large."""
    joint = joint_counts(a, b, most)
    if joint is None:
        return None
    times = joint.counts.reshape(-1)
    places = np.flatnonzero(times)
    x, y = np.divmod(places, joint.counts.shape[1])
    return x + joint.rows.start, y + joint.columns.start, times[places]
