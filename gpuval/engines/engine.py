"""The interface of an engine, and the answers that work for arrays anywhere.

``engine_of`` chooses an engine by the device and the library of the arrays. An engine returns arrays and cells, never a
table. None means that it has no better way than the standard one, which the caller then uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_array
from gpuval.engines.cells import DenseCells, SampleCells, SparseCells
from gpuval.numerics import Array

Formula = Callable[..., Any]
Layout = Literal["dense", "cells"]
Three = tuple[Array, Array, Array]
Six = tuple[Array, Array, Array, Array, Array, Array]
_NOTHING_TO_ENTER = nullcontext()


class Request(NamedTuple):
    """What a table is to be like."""

    size: tuple[int, int] | None = None
    """The number of rows and of columns, for labels from 0 to below it; None: as the labels say."""
    layout: Layout | None = None
    """The layout of the cells; None: whichever is smaller."""
    ignores: bool = False
    """Whether rows and columns of labels to ignore will be left out of it."""


class Tabulation(NamedTuple):
    """The cells of a table, the labels of its rows and columns, and what is known of the samples."""

    cells: DenseCells | SparseCells
    """Those of ``Host`` are NumPy's, and dense ones of ``Cuda`` may be CuPy's, whatever the library of the labels."""
    rows: range
    columns: range
    invalid: Array | None = None
    """How many samples could not be counted, where their values are not looked at."""
    placed: SampleCells | None = None
    """The samples in their cells, for ``self_pairs_of_weights``; None for counts."""


class Engine:
    """The engine of arrays anywhere: all in the arrays' own library, by the standard and its backend."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    def at_work(self, like: Array) -> AbstractContextManager[Any]:
        """Within, labels of the library and the place of ``like`` are tabulated, and their table scored."""
        return _NOTHING_TO_ENTER

    # From labels to cells

    def tabulate(self, true: Array, pred: Array, weights: Array | None, request: Request) -> Tabulation | None:
        """Count integer labels as they are, without codes, while the engine is at work."""
        return None

    def cells(
        self, true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, layout: Layout
    ) -> tuple[DenseCells | SparseCells, SampleCells | None]:
        """Count codes, which are below the numbers of rows and of columns."""
        if layout == "dense":
            return _dense_cells(true, pred, shape, weights, self.backend)
        return sparse_cells(true, pred, shape, weights, self.backend)

    def by_cell(self, true: Array, pred: Array, shape: tuple[int, int]) -> tuple[Array, Array]:
        """The order of codes by class and then by cluster, and where each but the first is in another cell there."""
        return _cell_order(true, pred, shape, self.backend)

    def add(self, sums: Any, true: Array, pred: Array, weights: Array | None) -> bool:
        """Count integer labels into the sums of an accumulator, in place; False if nothing was added."""
        return False

    def add_in_place(self, counts: Array, true: Array, pred: Array) -> bool:
        """Count many integer labels into a table that is there, if all are inside; False if nothing was added."""
        return False

    def cells_within(self, true: Array, pred: Array, size: tuple[int, ...]) -> Array | None:
        """The flat index of the cell of each sample in a table of this size; None if a label is outside."""
        return None

    def back(self, x: Array, like: Array) -> Array:
        """An array of counted cells in the library and on the device of the labels ``like``."""
        return x

    def margins(self, cells: DenseCells | SparseCells) -> Three:
        """The sums of the rows, of the columns and of all of a table."""
        return _margins(cells, self.backend)

    # From a table to what formulas read of it

    def count_pairs(self, table: Any) -> Six | None:
        """The fields of ``table.pairs.PairCounts``."""
        return None

    def information(self, table: Any) -> Three | None:
        """The fields of ``table.information.Information``."""
        return None

    def expected_sums(self, table: Any, of_a: Array) -> tuple[Array, Array] | None:
        """The sums over all pairs of sizes of mean deviance and of mean loss, of which the expected values are made.

        The loss is that of the classes where ``of_a`` is true, else of the clusters.
        """
        return None

    def expected_parts(self, table: Any, conditional: Callable[[], tuple[Array, Array]]) -> Three | None:
        """What is expected of random partitions: of the mutual information, and of the smaller conditional entropy.

        And whether the sizes settle it. ``conditional()`` are H(true | pred) and H(pred | true).
        """
        return None

    def overlaps(self, table: Any) -> tuple[Array, ...] | None:
        """The six means of ``table.overlaps``."""
        return None

    def distinct_pairs(self, a: Array, b: Array, most: int) -> Three | None:
        """The distinct pairs of two vectors of integers, and how often each occurs, if they are at most ``most``."""
        return None

    # From samples in space to what internal measures read of them

    def has_distances(self, X: Any, metric: str, weights: Array | None = None) -> bool:
        """Whether means, extremes and densities of clusters are found here for these samples and weights."""
        return False

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
        """The sums and means of distances to clusters, shape (4, m)."""
        raise NotImplementedError

    def cluster_extremes(self, rows: Array, row_codes: Array, columns: Array, edges: Array, metric: str) -> Array:
        """The distances to the nearest column of another cluster and to the furthest of the own one, shape (2, m)."""
        raise NotImplementedError

    def densities(self, X: Array, codes: Array, edges: Array, metric: str) -> tuple[Array, Array]:
        """The sparseness and the separation of each cluster, of samples by cluster; those of no cluster are last."""
        raise NotImplementedError

    # From scores of documents to ranked lists

    def order_within(
        self, codes: Array | None, values: Array | None, lengths: Array | None = None, *, is_stable: bool
    ) -> Array:
        """The positions by code, and within a code from the largest value on; without values in their order.

        ``lengths`` is how often each code occurs, if that is known. With it NumPy needs no codes that never fall: they
        may be None. Equal values of a code stay in their order, if that is asked for; they may in any case.
        """
        return self.backend.order_within(codes, values)

    def largest_first(self, values: Array, codes: Array | None, lengths: Array) -> Array:
        """The values of each code from the largest on; codes never fall, and occur as often as ``lengths`` says.

        NumPy needs no codes: they may be None.
        """
        order = self.order_within(codes, values, lengths, is_stable=False)
        return self.backend.xp.take(values, order)

    # From matrices of labels and scores to areas under curves: entries that are neither positive nor negative, both
    # matrices of booleans, do not count. Weights are those of rows, or, but for bins, of samples that have several rows
    # each, one after the other. What is found is in the widest float, but for counts by bin.

    def concordance(self, scores: Array, positives: Array, negatives: Array, weights: Array | None) -> Three:
        """The pairs of a positive and a negative entry of a column of which the positive one has the larger score.

        By their weights, which are the products of those of their rows, and tied ones as one half; and the weights of
        the positive and of the negative entries. Each has shape (k,).
        """
        from gpuval.engines import curves  # only now, here and below: it is for matrices of scores

        pairs, n_positives, n_negatives = curves.concordance(
            curves.ScoreColumns(scores, positives, negatives, weights), self.backend
        )
        return pairs, n_positives, n_negatives

    def precisions(
        self, scores: Array, positives: Array, negatives: Array, weights: Array | None
    ) -> tuple[Array, Array]:
        """The sum over the positive entries of a column of the share of positive ones among those that score as high.

        All by their weights; and the weights of the positive entries. Each has shape (k,).
        """
        from gpuval.engines import curves

        sums, n_positives = curves.precisions(curves.ScoreColumns(scores, positives, negatives, weights), self.backend)
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
        """The weights of the positive and of the negative entries of a column by bin of their scores.

        The bins are equally wide, from ``low`` to ``high``; scores outside are in the first and the last. Each has
        shape (k, n_bins): integers, if the weights are, or without weights.
        """
        from gpuval.engines import curves

        columns = curves.ScoreColumns(scores, positives, negatives, weights)
        of_positives, of_negatives = curves.histograms(columns, n_bins, low, high, self.backend)
        return of_positives, of_negatives

    # From a formula to a score

    def score(self, formula: Formula, table: Any, options: dict[str, Any], like: Array | None = None) -> Any:
        """The value of a formula of a table; NaN where samples could not be counted.

        It is in the library of the table; or, if the table is only seen here and ``like`` is an array of the library
        of the labels, in either of the two.
        """
        return self.where_valid(formula(table, **options), table)

    def scores(self, formulas: Sequence[Formula], table: Any) -> list[Any]:
        """The values of several formulas that are found at once; None for each that is to be found by itself."""
        return [None] * len(formulas)

    def for_evaluation(self, table: Any) -> Any:
        """The same table, for a score or several, which may share more of what they read of it."""
        return table

    def where_valid(self, value: Any, table: Any) -> Any:
        """The value of a formula, or each of a tuple, with NaN where samples of the table could not be counted."""
        if table.invalid is None:
            return value
        if isinstance(value, tuple):
            return each(value, lambda x: self.where_valid(x, table))
        if not (is_array(value) or isinstance(value, np.generic)) or backend_of(value).kind(value) != "real":
            return value
        xp = table.xp
        is_valid = table.invalid == 0  # one for each table; a value may have more dimensions
        is_valid = is_valid[..., *(None,) * (len(value.shape) - len(is_valid.shape))]
        return xp.where(is_valid, value, float("nan"))


def each(value: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of a value, or of each item of a tuple, which stays of its type."""
    if not isinstance(value, tuple):
        return function(value)
    items = map(function, value)
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


# From two vectors of codes to the cells of their table and their sums, with the standard and backends only.


def _dense_cells(
    true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> tuple[DenseCells, SampleCells | None]:
    """All cells, by one sum by the flat index of the cell."""
    wide, (n_rows, n_columns) = backend.widest(true).int, shape
    cell = backend.xp.astype(true, wide) * n_columns + backend.xp.astype(pred, wide)
    size = n_rows * n_columns
    flat = backend.count(cell, size) if weights is None else backend.total(weights, cell, size)
    return DenseCells(backend.xp.reshape(flat, shape)), _sample_cells(weights, cell, size, backend)


def sparse_cells(
    true: Array, pred: Array, shape: tuple[int, int], weights: Array | None, backend: Backend
) -> tuple[SparseCells, SampleCells | None]:
    """The non-empty cells, by one sort: each run of equal pairs is a cell."""
    xp, wide = backend.xp, backend.widest(true)
    a, b = xp.astype(true, wide.int), xp.astype(pred, wide.int)
    n_samples = a.shape[0]
    if n_samples == 0:
        counts = a if weights is None else weights
        return SparseCells(counts, a, b, shape), _sample_cells(weights, a, 0, backend)
    order = None
    if weights is None and _has_flat_index(shape, a, backend):
        key = xp.sort(a * shape[1] + b)
        starts = _starts_of_runs(key[1:] != key[:-1], key, backend)
        first = xp.take(key, starts)
        class_of = first // shape[1]
        cluster_of = first - class_of * shape[1]
    else:
        order, changes = _cell_order(a, b, shape, backend)
        starts = _starts_of_runs(changes, a, backend)
        first = xp.take(order, starts)
        class_of, cluster_of = xp.take(a, first), xp.take(b, first)
    if weights is None:
        end = xp.full((1,), n_samples, dtype=starts.dtype, device=backend.device(starts))
        counts = xp.astype(xp.concat([starts[1:], end]) - starts, wide.int)
        return SparseCells(counts, class_of, cluster_of, shape), None
    sample = xp.arange(n_samples, dtype=starts.dtype, device=backend.device(starts))
    run = xp.searchsorted(starts, sample, side="right") - 1
    weights = xp.take(weights, order)
    counts = backend.total(weights, run, starts.shape[0])
    return SparseCells(counts, class_of, cluster_of, shape), _sample_cells(weights, run, starts.shape[0], backend)


def _cell_order(a: Array, b: Array, shape: tuple[int, int], backend: Backend) -> tuple[Array, Array]:
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


def _margins(cells: DenseCells | SparseCells, backend: Backend) -> tuple[Array, Array, Array]:
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


def _sample_cells(weights: Array | None, cell: Array, size: int, backend: Backend) -> SampleCells | None:
    if weights is None or backend.kind(weights) == "integer":
        return None

    def sums(values: Any) -> Array:
        return backend.total(values, cell, size)

    return SampleCells(weights, cell, sums)
