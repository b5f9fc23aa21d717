"""The engine of NVIDIA GPUs: kernels for arrays of any library there, without a copy; CuPy compiles them.

A method returns None for arrays that the kernels do not take; these are processed by their own library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from gpuval.engines import lazily
from gpuval.engines.backends import backend_of, is_array
from gpuval.engines.cells import DenseCells, SampleCells, SparseCells, dense_is_better, is_narrow
from gpuval.engines.cuda import statistics, tabulate
from gpuval.engines.cuda.arithmetic import fusion
from gpuval.engines.cuda.kernels import CupyArray, are_on_one_gpu
from gpuval.engines.engine import Engine, Formula, Request, Six, Tabulation, Three, each
from gpuval.numerics import Array

_MOST_CELLS = 1 << 32
"""The kernels number cells in 32 bits."""

_MANY_PAIRS = 1 << 16
"""Pairs of sizes from which on it pays to sort the sizes, of which few are distinct: at some ns a pair, half a ms."""


class Cuda(Engine):
    """Labels, tables and distances by kernels; scores by one kernel for the arithmetic of a formula."""

    def at_work(self, like: Array) -> AbstractContextManager[Any]:
        return self.backend.entered(like)

    def tabulate(self, true: Array, pred: Array, weights: Array | None, request: Request) -> Tabulation | None:
        size, layout, ignores = request
        if not self._are_labels(true, pred) or (layout == "cells" and (size is not None or weights is not None)):
            return None
        if weights is not None and not self._are_weights(weights, true):
            return None
        a, b = (tabulate.readable(self.backend.to_cupy(x)) for x in (true, pred))
        if size is not None:
            rows, columns = map(range, size)
        else:
            n_samples, largest = true.shape[0], self.backend.xp.iinfo(self.backend.widest(true).int).max
            limits = tabulate.limits_of(a, b) if n_samples else None
            if limits is None or not all(is_narrow(x, n_samples, largest) for x in limits):
                return None
            rows, columns = (range(low, high + 1) for low, high in limits)
            if layout == "cells" or (layout is None and not dense_is_better(len(rows), len(columns), n_samples)):
                return None if weights is not None else self._listed(a, b, rows, columns, true)
        if len(rows) * len(columns) >= _MOST_CELLS:
            return None
        if weights is None and not ignores:
            counts, outside = tabulate.dense_counts(a, b, rows, columns)
            return Tabulation(DenseCells(counts), rows, columns, outside)
        counts, outside = self._sums(a, b, rows, columns, weights, true)
        placed = None
        if weights is not None and self.backend.kind(weights) == "real":
            placed = self._sample_cells(true, pred, rows, columns, weights, a, b)
        return Tabulation(DenseCells(counts), rows, columns, outside, placed)

    def add(self, sums: Any, true: Array, pred: Array, weights: Array | None) -> bool:
        """Count into a table that is there, how many samples do not count, and which labels were seen.

        Nothing is allocated but for tables beyond shared memory and for booleans, and nothing waits.
        """
        n_rows, n_columns = sums.counts.shape
        if not self.backend.is_writable or n_rows * n_columns >= _MOST_CELLS or not self._are_labels(true, pred):
            return False
        arrays = sums.counts, sums.invalid, sums.label_bounds, true, pred, weights
        if not are_on_one_gpu(*arrays):
            return False
        with self.backend.as_cupy(*arrays) as (counts, outside, bounds, a, b, w):
            a, b = tabulate.readable(a), tabulate.readable(b)  # once for both
            rows, columns = range(n_rows), range(n_columns)
            tabulate.add_to(counts, outside, a, b, rows, columns, w)
            tabulate.lower_bounds(bounds, outside, a, b)
        return True

    def back(self, x: Array, like: Array) -> Array:
        is_on_host = backend_of(x).on_host
        return self.backend.from_host(x, like) if is_on_host else self.backend.from_cupy(x, like)

    def margins(self, cells: DenseCells | SparseCells) -> Three:
        counts = cells.counts
        if not isinstance(cells, DenseCells) or len(counts.shape) != 2 or not self._are_counts(counts):
            return super().margins(cells)
        with self.backend.as_cupy(counts) as (seen,):
            rows, columns, total = (self.backend.from_cupy(x, counts) for x in statistics.margins_of(seen))
            return rows, columns, total

    def count_pairs(self, table_: Any) -> Six | None:
        given = _sums_of(table_)
        if not self._is_single(table_):
            return None
        with self.backend.as_cupy(*given) as seen:
            parts = self.backend.from_cupy(statistics.pair_parts(*seen), given[0])
        both, true_only, pred_only, neither, excess, surplus = (parts[i] for i in range(6))
        return both, true_only, pred_only, neither, excess, surplus

    def information(self, table_: Any) -> Three | None:
        if not self._is_single(table_):
            return None
        given = (*_sums_of(table_), *_places_of(table_))
        with self.backend.as_cupy(*given) as seen:
            parts = self.backend.from_cupy(statistics.information_parts(*seen), given[0])
        mutual, true_given_pred, pred_given_true = (parts[i] for i in range(3))
        return mutual, true_given_pred, pred_given_true

    def expected_parts(self, table_: Any, conditional: Callable[[], tuple[Array, Array]]) -> Three | None:
        if not self._is_single(table_):
            return None
        _, *sizes = _sums_of(table_)
        may_sort = table_.may_sync and math.prod(table_.shape) > _MANY_PAIRS
        with self.backend.as_cupy(*sizes, *conditional()) as (a, b, n, *entropies):
            classes, clusters = (statistics.distinct(x) if may_sort else (x, None) for x in (a, b))
            parts, is_settled = statistics.expectation_parts(classes, clusters, n, *entropies)
            parts, settled = (self.backend.from_cupy(x, table_.total) for x in (parts, is_settled))
        return parts[0], parts[1], settled

    def overlaps(self, table_: Any) -> tuple[Array, ...] | None:
        if not (isinstance(table_.cells, DenseCells) and self._is_single(table_)):
            return None
        given = _sums_of(table_)
        with self.backend.as_cupy(*given) as seen:
            parts = self.backend.from_cupy(statistics.overlap_parts(*seen), given[0])
        return tuple(parts[i] for i in range(6))

    def has_distances(self, X: Any, metric: str, weights: Array | None = None) -> bool:
        if metric not in statistics.METRICS or not is_array(X) or backend_of(X) is not self.backend:
            return False
        if any(self.backend.is_traced(x) or self.backend.is_differentiated(x) for x in (X, weights) if x is not None):
            return False  # no gradient comes back from a kernel
        return self.backend.widest(X).is_64bit and are_on_one_gpu(X)

    def cluster_means(
        self,
        rows: Array,
        row_codes: Array,
        columns: Array,
        edges: Array,
        weights: Array | None,
        masses: Array,
        metric: str,
    ) -> Array:
        with self.backend.as_cupy(rows, row_codes, columns, edges, weights, masses) as (x, codes, y, borders, w, sizes):
            return self.backend.from_cupy(statistics.cluster_means(x, codes, y, borders, w, sizes, metric), rows)

    def cluster_extremes(self, rows: Array, row_codes: Array, columns: Array, edges: Array, metric: str) -> Array:
        with self.backend.as_cupy(rows, row_codes, columns, edges) as (x, codes, y, borders):
            return self.backend.from_cupy(statistics.cluster_extremes(x, codes, y, borders, metric), rows)

    def densities(self, X: Array, codes: Array, edges: Array, metric: str) -> tuple[Array, Array]:
        with self.backend.as_cupy(X, codes, edges) as (x, of_rows, borders):
            found = statistics.densities(x, of_rows, borders, metric)
            sparseness, separations = (self.backend.from_cupy(y, X) for y in found)
            return sparseness, separations

    def score(self, formula: Formula, table_: Any, options: dict[str, Any], like: Array | None = None) -> Any:
        if like is None and not self._is_single(table_):
            return super().score(formula, table_, options)
        found = self._formula_values(((formula, options),), table_, like)[0]
        if found is not None:
            return found
        if like is not None:  # what is no single kernel goes through the library of the labels
            home = backend_of(like)
            table_ = table_.mapped(lambda x: home.from_cupy(x, like))
        return super().score(formula, self.for_evaluation(table_), options)

    def scores(self, formulas: Sequence[Formula], table_: Any) -> list[Any]:
        if not self._is_single(table_):
            return super().scores(formulas, table_)
        return self._formula_values(tuple((formula, {}) for formula in formulas), table_)

    def for_evaluation(self, table_: Any) -> Any:
        if table_.results is None and self._is_single(table_):
            table_ = table_.with_results()
        if lazily(table_.total) is table_.total:
            return table_
        found = table_.mapped(lazily)
        vars(found).update(results=table_.results, _on_host=vars(table_).setdefault("_on_host", {}))
        return found

    def _formula_values(self, formulas: fusion.Formulas, table_: Any, like: Array | None = None) -> list[Any]:
        """The values of formulas, by one kernel; None for those that read more of the table than numbers.

        The statistics that it reads are found of CuPy's view of the table: arrays come in once, and only values go out.
        """
        given = table_.counts if like is None else like
        home = backend_of(given)
        with self.backend.entered(table_.counts) if like is None else nullcontext():
            # That of labels has been made for this score, of CuPy's arrays.
            view = table_ if like is not None else table_.mapped(self.backend.to_cupy, of_labels=lambda x: x)
            vars(view)["_is_single"] = True
            results, values = fusion.evaluate_formulas(formulas, view, home.widest(given).is_64bit)
            if results is None:
                return values
            found = home.from_cupy(results, given)
        return [None if x is None else each(x, lambda i: found[i] if found.shape else found) for x in values]

    # What the kernels take

    def _are_labels(self, true: Array, pred: Array) -> bool:
        return {self.backend.kind(x) for x in (true, pred)} <= {"integer", "bool"}

    def _are_weights(self, weights: Array, labels: Array) -> bool:
        """Whether weights are of 64 bits, on the GPU of the labels, and ask for no gradient, which kernels lack."""
        if self.backend.is_differentiated(weights):
            return False
        return self.backend.widest(labels).is_64bit and are_on_one_gpu(labels, weights)

    def _are_counts(self, counts: Array, *others: Array) -> bool:
        """Whether arrays are integers of 64 bits on one GPU, of a size that kernels have."""
        wide = self.backend.widest(counts)
        if not wide.is_64bit or any(x.dtype != wide.int for x in (counts, *others)):
            return False
        return math.prod(counts.shape) < _MOST_CELLS and are_on_one_gpu(counts, *others)

    def _is_single(self, table_: Any) -> bool:
        """Whether a table is one of counts, not a batch; looked at once."""
        known = vars(table_)
        if "_is_single" not in known:
            own = (*_sums_of(table_), *_places_of(table_), *(() if table_.invalid is None else (table_.invalid,)))
            known["_is_single"] = len(table_.total.shape) == 0 and self._are_counts(*own)
        return bool(known["_is_single"])

    # Labels

    def _sums(
        self, a: CupyArray, b: CupyArray, rows: range, columns: range, weights: Array | None, like: Array
    ) -> tuple[Array, Array]:
        """All cells, and how many samples do not count, in the library of the labels ``like``."""
        w = None if weights is None else self.backend.to_cupy(weights)
        counts, outside = (self.backend.from_cupy(x, like) for x in tabulate.dense_counts(a, b, rows, columns, w))
        return counts, outside

    def _sample_cells(
        self, true: Array, pred: Array, rows: range, columns: range, weights: Array, a: CupyArray, b: CupyArray
    ) -> SampleCells:
        """Samples of real weights in their cells; ``a`` and ``b`` are the labels as kernels read them."""
        xp, wide = self.backend.xp, self.backend.widest(weights).int
        row, column = (
            xp.astype(self.backend.comparable(x), wide) - side.start for x, side in ((true, rows), (pred, columns))
        )
        is_inside = (row >= 0) & (row < len(rows)) & (column >= 0) & (column < len(columns))
        is_weight = (weights >= 0) & (weights < float("inf"))
        cell = xp.where(is_inside, row * len(columns) + column, 0)

        def sums(values: Array) -> Array:
            return xp.reshape(self._sums(a, b, rows, columns, values, true)[0], (-1,))

        return SampleCells(xp.where(is_inside & is_weight, weights, xp.zeros_like(weights)), cell, sums)

    def _listed(self, a: CupyArray, b: CupyArray, rows: range, columns: range, like: Array) -> Tabulation | None:
        """The cells that are not empty, for labels that lie inside."""
        runs = tabulate.runs_of(a, b, rows, columns)
        if runs is None:
            return None
        class_of, cluster_of, counts = (self.backend.from_cupy(x, like) for x in runs)
        cells = SparseCells(counts, class_of, cluster_of, (len(rows), len(columns)))
        return Tabulation(cells, rows, columns)


def _places_of(table_: Any) -> tuple[Array, ...]:
    """The row and the column of each of listed cells; nothing of dense ones."""
    cells = table_.cells
    return (cells.class_of, cells.cluster_of) if isinstance(cells, SparseCells) else ()


def _sums_of(table_: Any) -> tuple[Array, Array, Array, Array]:
    return table_.counts, table_.class_sizes, table_.cluster_sizes, table_.total
