"""The engine of NVIDIA GPUs: kernels for arrays of any library that lie on one, without a copy; CuPy compiles them.

A method gives None for what the kernels do not take; then it goes through the arrays' own library.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gpuval.engines.backends import backend_of, is_array
from gpuval.engines.cells import DenseCells, ListedCells, Placed, dense_is_better, is_narrow
from gpuval.engines.cuda import distances, expected, fusion, table, tabulate
from gpuval.engines.cuda.arrays import are_on_one_gpu
from gpuval.engines.engine import Counted, Engine, Request, Six, Three
from gpuval.numerics import Array

_MOST_CELLS = 1 << 32
"""The kernels number cells in 32 bits."""


class Cuda(Engine):
    """Labels, tables and distances by kernels; scores by one kernel for the arithmetic of a formula."""

    def tabulate(self, true: Array, pred: Array, weights: Array | None, request: Request) -> Counted | None:
        if request.size is not None:
            rows, columns = (range(x) for x in request.size)
            return None if request.layout == "cells" else self._dense(true, pred, rows, columns, weights)
        if weights is not None and request.layout == "cells":
            return None
        limits = self._limits(true, pred)
        n_samples, largest = true.shape[0], self.backend.xp.iinfo(self.backend.widest(true).int).max
        if limits is None or not all(is_narrow(x, n_samples, largest) for x in limits):
            return None
        rows, columns = (range(low, high + 1) for low, high in limits)
        is_dense = dense_is_better(len(rows), len(columns), n_samples)
        if request.layout == "dense" or (request.layout is None and is_dense):
            return self._dense(true, pred, rows, columns, weights)
        return None if weights is not None else self._listed(true, pred, rows, columns)

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

    def margins(self, cells: DenseCells | ListedCells) -> Three:
        counts = cells.counts
        if not isinstance(cells, DenseCells) or len(counts.shape) != 2 or not self._are_counts(counts):
            return super().margins(cells)
        with self.backend.as_cupy(counts) as (seen,):
            rows, columns, total = (self.backend.from_cupy(x, counts) for x in table.margins_of(seen))
            return rows, columns, total

    def count_pairs(self, table_: Any) -> Six | None:
        given = _sums_of(table_)
        if not self._is_single(table_):
            return None
        with self.backend.as_cupy(*given) as seen:
            parts = self.backend.from_cupy(table.pair_parts(*seen), given[0])
        both, true_only, pred_only, neither, excess, surplus = (parts[i] for i in range(6))
        return both, true_only, pred_only, neither, excess, surplus

    def information(self, table_: Any) -> Three | None:
        cells = table_.cells
        places = (cells.class_of, cells.cluster_of) if isinstance(cells, ListedCells) else ()
        given = (*_sums_of(table_), *places)
        if not (self._is_single(table_) and self._are_counts(table_.counts, *places)):
            return None
        with self.backend.as_cupy(*given) as seen:
            parts = self.backend.from_cupy(table.information_parts(*seen), given[0])
        mutual, true_given_pred, pred_given_true = (parts[i] for i in range(3))
        return mutual, true_given_pred, pred_given_true

    def expected_sums(self, table_: Any, sides: Callable[[], tuple[Array, ...]], of_a: Array) -> Any:
        sizes = table_.class_sizes, table_.cluster_sizes, table_.total, of_a
        if not (table_.is_integer and self.backend.widest(sizes[0]).is_64bit and are_on_one_gpu(*sizes)):
            return None
        arrays = *sides(), table_.real(table_.total), of_a
        with self.backend.as_cupy(*arrays) as seen:
            mutual, conditional = expected.expected_sums(*seen)
            return self.backend.from_cupy(mutual, arrays[0]), self.backend.from_cupy(conditional, arrays[0])

    def has_distances(self, X: Any, metric: str, weights: Array | None = None) -> bool:
        if metric not in distances.METRICS or not is_array(X) or backend_of(X) is not self.backend:
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
            return self.backend.from_cupy(distances.cluster_means(x, codes, y, borders, w, sizes, metric), rows)

    def cluster_extremes(self, rows: Array, row_codes: Array, columns: Array, edges: Array, metric: str) -> Array:
        with self.backend.as_cupy(rows, row_codes, columns, edges) as (x, codes, y, borders):
            return self.backend.from_cupy(distances.cluster_extremes(x, codes, y, borders, metric), rows)

    def score(self, formula: Callable[..., Any], table_: Any, options: dict[str, Any]) -> Any:
        if not self._is_single(table_):
            return super().score(formula, table_, options)
        table_ = table_.for_one_score()
        value = fusion.fused(formula, table_, options)
        return super().score(formula, table_, options) if value is None else value

    # What the kernels take

    def _are_labels(self, true: Array, pred: Array) -> bool:
        kinds = {self.backend.kind(x) for x in (true, pred)}
        return kinds <= {"integer", "bool"} and are_on_one_gpu(true, pred)

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
        """Whether a table is one of counts, not a batch."""
        return len(table_.total.shape) == 0 and self._are_counts(*_sums_of(table_))

    # Labels

    def _limits(self, true: Array, pred: Array) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The smallest and the largest label of both vectors, in one pass and one transfer."""
        if not (true.shape[0] and self._are_labels(true, pred)):
            return None
        with self.backend.as_cupy(true, pred) as (a, b):
            return tabulate.limits_of(a, b)

    def _dense(self, true: Array, pred: Array, rows: range, columns: range, weights: Array | None) -> Counted | None:
        """All cells, and how many samples do not count, without a synchronisation; weights are of 64 bits."""
        found = self._counts(true, pred, rows, columns, weights)
        if found is None:
            return None
        counts, outside = found
        placed = None
        if weights is not None and self.backend.kind(weights) == "real":
            placed = self._placed(true, pred, rows, columns, weights)
        return Counted(DenseCells(counts), rows, columns, outside, placed)

    def _counts(
        self, true: Array, pred: Array, rows: range, columns: range, weights: Array | None
    ) -> tuple[Array, Array] | None:
        if len(rows) * len(columns) >= _MOST_CELLS or not self._are_labels(true, pred):
            return None
        if weights is not None and not self._are_weights(weights, true):
            return None
        with self.backend.as_cupy(true, pred, weights) as (a, b, w):
            counts, outside = (self.backend.from_cupy(x, true) for x in tabulate.counted(a, b, rows, columns, w))
            return counts, outside

    def _placed(self, true: Array, pred: Array, rows: range, columns: range, weights: Array) -> Placed:
        xp, wide = self.backend.xp, self.backend.widest(weights).int
        row, column = (
            xp.astype(self.backend.comparable(x), wide) - side.start for x, side in ((true, rows), (pred, columns))
        )
        is_inside = (row >= 0) & (row < len(rows)) & (column >= 0) & (column < len(columns))
        is_weight = (weights >= 0) & (weights < float("inf"))
        cell = xp.where(is_inside, row * len(columns) + column, 0)

        def sums(values: Array) -> Array:
            found = self._counts(true, pred, rows, columns, values)
            assert found is not None  # as it was for the weights
            return xp.reshape(found[0], (-1,))

        return Placed(xp.where(is_inside & is_weight, weights, xp.zeros_like(weights)), cell, sums)

    def _listed(self, true: Array, pred: Array, rows: range, columns: range) -> Counted | None:
        """The cells that are not empty, for labels that lie inside."""
        with self.backend.as_cupy(true, pred) as (a, b):
            runs = tabulate.runs_of(a, b, rows, columns)
            if runs is None:
                return None
            class_of, cluster_of, counts = (self.backend.from_cupy(x, true) for x in runs)
        cells = ListedCells(counts, class_of, cluster_of, (len(rows), len(columns)))
        return Counted(cells, rows, columns)


def _sums_of(table_: Any) -> tuple[Array, Array, Array, Array]:
    return table_.counts, table_.class_sizes, table_.cluster_sizes, table_.total
