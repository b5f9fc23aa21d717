"""Labels and predictions of which only some are stored: label sets and sparse matrices, which are never made dense.

All other entries of the matrix have no label, and are not predicted, or have the score 0. What formulas find of such an
entry is the same for all, and counts as often as there are such entries in a column.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, OfOneLibrary
from gpuval.multilabel.entries import Columns, Of
from gpuval.multilabel.label_sets import StoredRows
from gpuval.multilabel.listed_curves import ListedScores, listed_concordance, listed_precisions
from gpuval.numerics import Array
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import unit_of_sums

Result = TypeVar("Result")

_BLOCK = 1 << 17
"""How many stored entries NumPy goes through at a time, at least."""


@dataclass(frozen=True)
class ListedEntries(OfOneLibrary):
    """The labels of n samples and c classes, and what is predicted of them, as far as they are stored."""

    _like = "values"

    true: StoredRows
    """Whether each stored label is positive, as booleans."""
    predicted: StoredRows
    is_ignored: Array | None
    """Which of the stored labels do not count; None if all count."""
    ignored_rows: Array | None
    """Which samples do not count with any label, shape (n,); None if all count."""
    weights: Array | None
    """The weights of the samples, shape (n,)."""
    classes: Any
    wrong: tuple[Array, Array] | None
    """Of which stored labels, and of which predictions, nothing can be made; None where values are looked at."""
    is_broken: Array | None
    """Whether something is wrong with all of them, such as a weight, if values are not looked at."""
    given: Array
    """What results are like."""

    @property
    def values(self) -> Array:
        """What is predicted, as far as it is stored: booleans, or numbers."""
        return self.predicted.values

    def is_any_known(self) -> bool:
        """Whether a label counts; of a device this waits for it."""
        n, k = self.true.shape
        if self.ignored_rows is not None:
            return bool(self.backend.to_host(self.backend.xp.any(~self.ignored_rows)))
        if self.is_ignored is None or int(self.is_ignored.shape[0]) < n * k:
            return n * k > 0
        return bool(self.backend.to_host(self.backend.xp.any(~self.is_ignored)))

    def map_blocks(self, found: Callable[[ListedEntries], Result]) -> list[Result]:
        """What a function finds of each block of samples, on all cores; elsewhere than in NumPy, of all at once."""
        if not self.backend.on_host:
            return [found(self)]
        n, k = self.true.shape
        n_entries = len(self.true.columns) + len(self.predicted.columns)
        step = n * max(_BLOCK, 2 * k) // max(1, n_entries)
        return parallel_map(lambda own: found(self._part(own)), slices(n, max(1, step)) or [slice(0, 0)])

    def columns(self, of: Of) -> Columns:
        """The entries by class, by sample, in which no sample has a weight of its own, or all in one column."""
        places, backend, (n, k) = self._places, self.backend, self.true.shape
        xp, n_each, all_weights = backend.xp, n * k, self._sample_weights
        if of == "classes":
            codes, size, n_each = places.columns, k, n
        elif of == "samples":
            codes, size, n_each, all_weights = places.rows, n, k, None
        else:
            codes, size = xp.zeros_like(places.columns), 1
        weights = None if all_weights is None else xp.take(all_weights, places.rows)
        rest = self._rest(places, all_weights, codes, size, n_each)
        if of == "samples" and self.ignored_rows is not None:
            rest = xp.where(self.ignored_rows, xp.zeros_like(rest), rest)
        end = backend.zeros_beside((1,), xp.bool, codes)
        return ListedColumns(
            xp.concat([places.values, xp.astype(end, places.values.dtype)]),
            xp.concat([places.positives, end]),
            xp.concat([places.negatives, ~end]),
            weights,
            self._broken(places, codes, size),
            codes,
            rest,
            self._row_weight(places),
        )

    def with_labels(self, labels: Array, is_broken: Array | None) -> ListedEntries:
        """The same with other predictions where some are stored, and what is wrong with all of them."""
        broken = [x for x in (self.is_broken, is_broken) if x is not None]
        predicted = replace(self.predicted, values=labels)
        return replace(self, predicted=predicted, is_broken=broken[0] | broken[-1] if broken else None)

    # Within

    def _rest(self, places: _Places, weights: Array | None, codes: Array, size: int, n_each: int) -> Array:
        """The weight of the entries of each column that are not stored, of ``n_each`` entries in each.

        The difference of two sums of reals would lose the digits of small weights beside large ones. So each weight is
        taken apart into a multiple of a unit, such that sums of multiples are exact, and what is left of it.
        """
        backend, xp = self.backend, self.backend.xp
        if weights is None:
            return n_each - places.stored_weights(None, codes, size)
        n_in_row = n_each // max(1, self.true.shape[0])

        def difference(part: Array) -> Array:
            return backend.sum(part) * n_in_row - places.stored_weights(xp.take(part, places.rows), codes, size)

        if backend.kind(weights) != "real":
            return difference(weights)
        weights = backend.as_real(weights, self.values)
        large = 4 * n_in_row * backend.sum(weights)
        multiples = (large + weights) - large
        rest = difference(multiples) + difference(weights - multiples)
        weighs = xp.astype(weights != 0, weights.dtype)  # where all that weigh are stored, rounding leaves nothing
        n_stored = places.stored_weights(xp.take(weighs, places.rows), codes, size)
        is_left = (n_stored < backend.sum(weighs) * n_in_row) & (rest > 0)
        return xp.where(is_left, rest, xp.zeros_like(rest))

    def _part(self, own: slice) -> ListedEntries:
        first, last = self.true.starts[own.start], self.true.starts[own.stop]
        return replace(
            self,
            true=self.true.part(own),
            predicted=self.predicted.part(own),
            is_ignored=None if self.is_ignored is None else self.is_ignored[first:last],
            ignored_rows=None if self.ignored_rows is None else self.ignored_rows[own],
            weights=None if self.weights is None else self.weights[own],
        )

    @cached_property
    def _sample_weights(self) -> Array | None:
        """The weights of the samples, 0 of those that do not count.

        They are 1, if there are none, where integers have too few bits for all entries, or a sample does not count.
        """
        (n, k), weights = self.true.shape, self.weights
        backend = self.backend
        wide = backend.widest(self.values)
        if n * k > int(backend.xp.iinfo(wide.int).max):
            weights = self._ones(wide.float) if weights is None else backend.as_real(weights, self.values)
        if self.ignored_rows is not None:
            weights = self._ones(wide.int) if weights is None else weights
            weights = backend.xp.where(self.ignored_rows, backend.xp.zeros_like(weights), weights)
        return weights

    def _ones(self, dtype: Any) -> Array:
        """A weight of 1 for each sample."""
        return self.backend.zeros_beside((self.true.shape[0],), dtype, self.values) + 1

    def _row_weight(self, places: _Places) -> Array:
        """The weight of the samples that have an entry that counts."""
        backend, (n, k), weights = self.backend, self.true.shape, self._sample_weights
        if weights is None:
            weights = self._ones(backend.widest(self.values).int)
        if self.is_ignored is not None:
            are_out = ~(places.positives | places.negatives)
            if places.are_stored is not None:
                are_out = are_out & places.are_stored
            n_out = _total_of(are_out, None, places.rows, n, backend)
            weights = backend.xp.where(n_out < k, weights, backend.xp.zeros_like(weights))
        return backend.sum(weights)

    def _broken(self, places: _Places, codes: Array, size: int) -> Array | None:
        if places.wrong is None:
            return None
        backend = self.backend
        broken = backend.total(backend.xp.astype(places.wrong, backend.widest(codes).int), codes, size) > 0
        return broken if self.is_broken is None else broken | self.is_broken

    @cached_property
    def _places(self) -> _Places:
        """The places that are stored, of NumPy block by block."""
        if not self.backend.on_host:
            return self._merge()
        blocks = self.map_blocks(lambda block: (block.true.shape[0], block._merge()))
        sizes = np.asarray([n for n, _ in blocks], dtype=np.int32)
        firsts = np.cumsum(sizes, dtype=np.int32) - sizes
        parts = [replace(part, rows=part.rows + first) for (_, part), first in zip(blocks, firsts, strict=True)]
        names = ("rows", "columns", "values", "positives", "negatives")
        return _Places(**{name: np.concatenate([getattr(x, name) for x in parts]) for name in names})

    def _merge(self) -> _Places:
        """The places of stored labels and predictions, each once."""
        true, predicted, backend = self.true, self.predicted, self.backend
        xp, n_true = backend.xp, int(true.columns.shape[0])
        n_predicted = int(predicted.columns.shape[0])

        def both(of_true: Array, of_predicted: Array) -> Array:
            return xp.take(xp.concat([of_true, of_predicted]), order)

        def zeros(n: int, like: Array) -> Array:
            return backend.zeros_beside((n,), like.dtype, self.values)

        rows, columns = (xp.concat(x) for x in ((true.rows, predicted.rows), (true.columns, predicted.columns)))
        order = _order_of_places(rows, columns, true.shape, backend)
        rows, columns = xp.take(rows, order), xp.take(columns, order)
        end = backend.zeros_beside((min(1, n_true + n_predicted),), xp.bool, self.values)
        follows = (rows[1:] == rows[:-1]) & (columns[1:] == columns[:-1])
        are_first, have_second = ~xp.concat([end, follows]), xp.concat([follows, end])
        positives = both(true.values, zeros(n_predicted, true.values)) & are_first
        values = both(zeros(n_true, self.values), self.values)
        values = xp.where(have_second, xp.concat([values[1:], values[:1]]), values)
        negatives = are_first & ~positives
        if self.is_ignored is not None:
            known = ~both(self.is_ignored, zeros(n_predicted, self.is_ignored))
            positives, negatives = positives & known, negatives & known
        if self.ignored_rows is not None:
            known = ~xp.take(self.ignored_rows, rows)
            positives, negatives = positives & known, negatives & known
        wrong = None
        if self.wrong is not None:
            is_true = order < n_true
            wrong = both(*self.wrong) | xp.concat([end, follows & (is_true[1:] == is_true[:-1])])
        if backend.on_host:
            first = are_first.nonzero()[0]
            return _Places(*(x.take(first) for x in (rows, columns, values, positives, negatives)))
        return _Places(rows, columns, values, positives, negatives, are_first, wrong)


@dataclass(frozen=True)
class _Places(OfOneLibrary):
    """The places of a matrix at which a label or a prediction is stored, by row."""

    _like = "columns"

    rows: Array
    columns: Array
    values: Array
    positives: Array
    negatives: Array
    """Which places count and have no label."""
    are_stored: Array | None = None
    """Which of them are places, and not repeated; None if all are."""
    wrong: Array | None = None
    """Of which of them nothing can be made; None where values are looked at."""

    def stored_weights(self, weights: Array | None, codes: Array, size: int) -> Array:
        """The weight of the places of each code, by the weight of each place."""
        return _total_of(self.are_stored, weights, codes, size, self.backend)


@dataclass(frozen=True)
class ListedColumns(Columns):
    """Columns of which m entries are stored, and all others are alike: these are the last of m + 1 places."""

    codes: Array
    """The column of each stored entry, shape (m,)."""
    rest: Array
    """The weight of the entries of each column that are not stored, shape (k,)."""
    row_weight: Array
    """The weight of the samples that have an entry that counts."""

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return int(self.rest.shape[0])

    def weight_of_rows(self) -> Array:
        """The weight of the rows with an entry that counts."""
        return self.row_weight

    def total(self, which: Array) -> Array:
        """The weight of the entries for which a boolean is true, for each column: integers where the weights are."""
        stored = _total_of(which[:-1], self.weights, self.codes, self.n_columns, self.backend)
        return stored + self.backend.xp.astype(which[-1:], self.rest.dtype) * self.rest

    def sums(self, x: Array) -> tuple[Array, Array]:
        """For each column the sum of real numbers over the entries that count, times their weights, and that of these.

        Both are in the unit of sums. Numbers of entries that do not count may be anything.
        """
        backend, counts = self.backend, self.count_mask[:-1]
        xp, weights = backend.xp, unit_of_sums(x, backend.xp)
        own: Any = weights
        if self.weights is not None:
            own, counts = self.real(self.weights) * weights, counts & (self.weights != 0)
        stored = backend.total(xp.where(counts, x[:-1], 0.0) * own, self.codes, self.n_columns)
        others = x[-1:] * (self.real(self.rest) * weights)
        others = xp.where(self.rest != 0, others, xp.zeros_like(others))
        return stored + others, self.to_unit(self.total(self.count_mask))

    def concordance(self) -> tuple[Array, Array, Array]:
        """What ``Engine.concordance`` says of the columns."""
        if self._is_one_on_host:
            return engine_of(self.values).concordance(*self._one_column())
        pairs, n_positives, n_negatives = self._map_blocks(listed_concordance)
        return pairs, n_positives, n_negatives

    def precisions(self) -> tuple[Array, Array]:
        """What ``Engine.precisions`` says of the columns."""
        if self._is_one_on_host:
            return engine_of(self.values).precisions(*self._one_column())
        sums, n_positives = self._map_blocks(listed_precisions)
        return sums, n_positives

    def binned(self, n_bins: int, low: float, high: float) -> tuple[Array, Array]:
        """What ``Engine.binned`` says of the columns."""
        backend, k = self.backend, self.n_columns
        real = self.real(backend.without_gradient(self.values))
        bins = backend.bin_of(real, n_bins, low, high)
        codes = backend.xp.astype(self.codes, bins.dtype) * n_bins + bins[:-1]
        of_both = [
            backend.xp.reshape(_total_of(x[:-1], self.weights, codes, k * n_bins, backend), (k, n_bins))
            for x in (self.positives, self.negatives)
        ]
        is_bin = backend.arange_beside(0, n_bins, bins.dtype, bins) == bins[-1:]
        others = backend.xp.where(is_bin[None, :], self.rest[:, None], backend.xp.zeros_like(self.rest[:, None]))
        return of_both[0], of_both[1] + others

    @property
    def _is_one_on_host(self) -> bool:
        return self.backend.on_host and self.n_columns == 1

    def _one_column(self) -> tuple[Array, Array, Array, Array]:
        """All places as those of a matrix of one column, of which the last weighs as much as all that it stands for."""
        weights = np.ones(len(self.codes)) if self.weights is None else self.weights
        matrices = self.values[:, None], self.positives[:, None], self.negatives[:, None]
        return *matrices, np.concatenate([weights, self.rest])

    def _map_blocks(self, found_of: Callable[[ListedScores, Backend], tuple[Array, ...]]) -> tuple[Array, ...]:
        """What is found of the columns, of NumPy of some at a time, which bounds the memory."""
        n, k = int(self.codes.shape[0]), self.n_columns
        if not self.backend.on_host or n + k <= 2 * _BLOCK:
            return found_of(self._by_score(), self.backend)
        lengths = np.bincount(self.codes, minlength=k)
        order, ends = engine_of(self.codes).order_within(self.codes, None, lengths, is_stable=True), lengths.cumsum()
        firsts = np.unique(np.searchsorted(ends + np.arange(1, k + 1), np.arange(0, n + k, _BLOCK), side="right"))
        own = [slice(*x) for x in zip(firsts, np.append(firsts[1:], k), strict=True)]

        def block_sums(block: slice) -> tuple[Array, ...]:
            first = ends[block.start - 1] if block.start else 0
            places = order[first : ends[block.stop - 1]]
            at_end = np.append(places, n)
            columns = replace(
                self,
                **{name: getattr(self, name)[at_end] for name in ("values", "positives", "negatives")},
                weights=None if self.weights is None else self.weights[places],
                codes=self.codes[places] - block.start,
                rest=self.rest[block],
            )
            return found_of(columns._by_score(), self.backend)

        parts = parallel_map(block_sums, own)
        return tuple(np.concatenate(x) for x in zip(*parts, strict=True))

    def _by_score(self) -> ListedScores:
        """All entries by column and score; those that are not stored are one of each column."""
        backend, k = self.backend, self.n_columns
        xp, wide = backend.xp, backend.widest(self.codes).int
        keys = backend.sortable(backend.without_gradient(self.values[:-1]))
        keys = xp.where(self.count_mask[:-1] & (keys != 0), keys, xp.zeros_like(keys))  # no NaN, and no -0.0
        keys = xp.concat([keys, backend.zeros_beside((k,), keys.dtype, keys)])
        codes = xp.astype(self.codes, wide, copy=False)
        codes = xp.concat([codes, backend.arange_beside(0, k, wide, codes)])
        order = engine_of(keys).order_within(codes, keys, is_stable=False)
        codes, keys = xp.take(codes, order), xp.take(keys, order)
        is_last = (codes[1:] != codes[:-1]) | (keys[1:] != keys[:-1])
        del keys
        is_last = xp.concat([is_last, backend.zeros_beside((1,), xp.bool, codes) | True])
        nothing = xp.zeros_like(self.rest)
        both = [
            xp.take(xp.concat([_weights_of(which[:-1], self.weights, self.rest.dtype, xp), others]), order)
            for which, others in ((self.positives, nothing), (self.negatives, self.rest))
        ]
        return ListedScores(codes, both[0], both[1], is_last, k)


def _order_of_places(rows: Array, columns: Array, shape: tuple[int, int], backend: Backend) -> Array:
    """The positions by row and column; what is of one place stays in its order."""
    xp, wide = backend.xp, backend.widest(rows).int
    if backend.has_positions(rows) and shape[0] * shape[1] <= int(xp.iinfo(wide).max):
        return xp.argsort(xp.astype(rows, wide) * shape[1] + columns, stable=True)
    return backend.order_within(rows, columns)


def _weights_of(which: Array, weights: Array | None, dtype: Any, xp: Any) -> Array:
    """The weights of what is chosen, and 0 for others, in a type."""
    if weights is None:
        return xp.astype(which, dtype)
    return xp.astype(xp.where(which, weights, xp.zeros_like(weights)), dtype, copy=False)


def _total_of(which: Array | None, weights: Array | None, codes: Array, size: int, backend: Backend) -> Array:
    """The weight of what is chosen by code; None for all, or weights of 1."""
    if weights is None:
        if which is None or backend.on_host:
            return backend.count(codes if which is None else codes.take(which.nonzero()[0]), size)
        return backend.total(backend.xp.astype(which, backend.widest(codes).int), codes, size)
    if which is not None:
        weights = backend.xp.where(which, weights, backend.xp.zeros_like(weights))
    return backend.total(weights, codes, size)
