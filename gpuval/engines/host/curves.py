"""The sums from which areas under curves are computed, for NumPy: positive and negative scores are sorted apart.

Sorting values is several times faster than sorting positions. The number of negative scores below each positive one is
then found by merging both, part by part, so that each part stays in the caches of the processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gpuval.engines import curves
from gpuval.engines.backends import NUMPY, Backend
from gpuval.engines.curves import ScoreColumns
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import ratio

_FEW, _ENTRIES = 512, 1 << 16
"""Columns of up to so many samples are sorted together, as rows; so many entries at a time."""

_MANY = 1 << 14
"""From so many samples on threads pay; for shorter columns they would wait for the interpreter's lock."""

_LINE, _COPIED = 8, 1 << 21
"""At least so many columns, which share lines of the cache, are copied at a time, or as many as have such entries."""

_CHUNK = 1 << 15
"""How many entries are copied, or looked up, in one go, within the caches."""

_PART = 1 << 15
"""How many positive scores are merged at a time with the negative ones between them."""

_RARE = 8
"""Positive scores are searched for among so many times as many negative ones, and merged with fewer."""

ColumnSums = tuple[NDArray, ...]
ColumnFunction = Callable[[NDArray, NDArray, NDArray, NDArray | None], Sequence[float | NDArray]]
"""What is found of the scores, the positives, the negatives and the weights of one column."""


class _Side(NamedTuple):
    """The positive or the negative scores of a column, which rise, and their weights."""

    scores: NDArray
    weights: NDArray | None
    """In float64, and a 0 behind them."""
    total: float
    """The weight of all."""

    def before(self) -> Callable[[NDArray], NDArray]:
        """What is the weight of all scores before each of some places; the weights become these sums."""
        sums = self.weights
        if sums is None:
            return lambda places: places
        np.cumsum(sums[:-1], out=sums[:-1])
        return lambda places: sums[places - 1]  # before the first place comes the 0, which is the last

    def onwards(self) -> Callable[[NDArray], NDArray]:
        """What is the weight of all scores from each of some places on; the weights become these sums."""
        sums = self.weights
        if sums is None:
            return lambda places: len(self.scores) - places
        np.cumsum(sums[::-1], out=sums[::-1])
        return lambda places: sums[places]


def concordance(columns: ScoreColumns) -> ColumnSums:
    """What ``Engine.concordance`` says, of columns of NumPy."""
    return _map_columns(_concordance, curves.concordance, columns)


def precisions(columns: ScoreColumns) -> ColumnSums:
    """What ``Engine.precisions`` says, of columns of NumPy."""
    return _map_columns(_precisions, curves.precisions, columns)


def column_histograms(columns: ScoreColumns, n_bins: int, low: float, high: float) -> ColumnSums:
    """What ``Engine.binned`` says, of columns of NumPy."""

    def histograms_of_column(
        scores: NDArray, positives: NDArray, negatives: NDArray, weights: NDArray | None
    ) -> list[NDArray]:
        return [_histogram(scores, chosen, weights) for chosen in (positives, negatives)]

    def _histogram(scores: NDArray, chosen: NDArray, weights: NDArray | None) -> NDArray:
        bins = NUMPY.bin_of(np.compress(chosen, scores).astype(np.float64), n_bins, low, high)
        if weights is None:
            return np.bincount(bins, minlength=n_bins)
        return NUMPY.total(np.compress(chosen, weights), bins, n_bins)

    return _map_columns(
        histograms_of_column, lambda part, backend: curves.histograms(part, n_bins, low, high, backend), columns
    )


# Columns, by themselves or together


def _map_columns(
    of_column: ColumnFunction, of_rows: Callable[[ScoreColumns, Backend], ColumnSums], columns: ScoreColumns
) -> ColumnSums:
    """What is found of each column, put together."""
    n, k = columns.scores.shape
    if n <= _FEW or not k:
        step = max(1, _ENTRIES // max(1, n))
        parts = parallel_map(lambda part: of_rows(columns.part(part), NUMPY), slices(k, step) or [slice(0, 0)])
        return tuple(map(np.concatenate, zip(*parts, strict=True)))
    of_each = [x for part in slices(k, max(_LINE, _COPIED // n)) for x in _one_by_one(of_column, columns.part(part))]
    return tuple(map(np.asarray, zip(*of_each, strict=True)))


def _one_by_one(of_column: ColumnFunction, columns: ScoreColumns) -> list[Sequence[float | NDArray]]:
    scores, positives, negatives = map(_as_rows, columns[:3])

    def row_sums(i: int) -> Sequence[float | NDArray]:
        return of_column(scores[i], positives[i], negatives[i], columns.weights)

    rows = range(len(scores))
    return parallel_map(row_sums, rows) if scores.shape[1] >= _MANY else list(map(row_sums, rows))


def _as_rows(columns: NDArray) -> NDArray:
    """The columns as rows that lie one after the other."""
    if columns.T.flags.c_contiguous:
        return columns.T
    n, k = columns.shape
    rows = np.empty((k, n), dtype=columns.dtype)

    def copy(chunk: slice) -> None:
        rows[:, chunk] = columns[chunk].T

    parallel_map(copy, slices(n, max(1, _CHUNK // k)))
    return rows


# One column


def _concordance(
    scores: NDArray, positives: NDArray, negatives: NDArray, weights: NDArray | None
) -> tuple[float, float, float]:
    positive, negative = _side(scores, positives, weights), _side(scores, negatives, weights)
    before = negative.before()
    twice: float = 0  # an integer without weights, of any size
    for part, below in _merge_parts(positive.scores, negative.scores):
        above = before(below) + before(_up_to(positive.scores[part], negative.scores, below))
        twice += (above if positive.weights is None else above * positive.weights[part]).sum().item()
    return twice / 2, positive.total, negative.total


def _precisions(
    scores: NDArray, positives: NDArray, negatives: NDArray, weights: NDArray | None
) -> tuple[float, float]:
    positive, negative = _side(scores, positives, weights), _side(scores, negatives, weights)
    own = None if positive.weights is None else positive.weights.copy()
    true_from, false_from, total = positive.onwards(), negative.onwards(), 0.0
    for part, below in _merge_parts(positive.scores, negative.scores):
        true = true_from(_starts_of_runs(positive.scores, part))
        found = ratio(true, true + false_from(below), np)
        total += (found if own is None else found * own[part]).sum().item()
    return total, positive.total


def _side(scores: NDArray, chosen: NDArray, weights: NDArray | None) -> _Side:
    if weights is None:
        scores = np.compress(chosen, scores)
        scores.sort()
        return _Side(scores, None, float(len(scores)))
    is_narrow = scores.dtype.kind == "f" and scores.dtype.itemsize <= 4 and len(weights) <= 1 << 32
    sort = _sort_packed if is_narrow and len(scores) >= _MANY else _sort_by_order
    scores, own = sort(scores, chosen, weights)
    return _Side(scores, own, float(own.sum()))


def _sort_by_order(scores: NDArray, chosen: NDArray, weights: NDArray) -> tuple[NDArray, NDArray]:
    """The chosen scores, sorted, and the weight of each, with a 0 behind them; of many in the memory of the order."""
    each = len(scores) // len(weights)
    scores = np.compress(chosen, scores)
    if len(scores) <= _CHUNK:
        order, own = np.argsort(scores), np.zeros(len(scores) + 1)
        own[:-1] = _weights_of(chosen, weights, each)[order]
        return scores[order], own
    order = np.zeros(len(scores) + 1, dtype=np.int64)
    order[:-1] = np.argsort(scores)
    scores = scores[order[:-1]]
    own, unsorted = order.view(np.float64), _weights_of(chosen, weights, each)
    for chunk in slices(len(scores), _CHUNK):
        own[chunk] = unsorted[order[chunk]]
    return scores, own


def _weights_of(chosen: NDArray, weights: NDArray, each: int) -> NDArray:
    """The weight of each entry that is chosen, of rows of so many entries each; in the memory of their rows."""
    if each == 1:
        return np.compress(chosen, weights)
    rows = _rows_of(chosen, each)
    found = rows.view(np.float64)
    for chunk in slices(len(rows), _CHUNK):
        found[chunk] = weights[rows[chunk]]
    return found


def _sort_packed(scores: NDArray, chosen: NDArray, weights: NDArray) -> tuple[NDArray, NDArray]:
    """What ``_sort_by_order`` gives, of scores of up to 32 bits: an integer of 64 bits has a score and its row."""
    each, start = len(scores) // len(weights), 0
    packed = np.zeros(np.count_nonzero(chosen) + 1, dtype=np.int64)
    for chunk in slices(len(scores), _CHUNK):
        found = np.compress(chosen[chunk], scores[chunk]).astype(np.float32, copy=False)
        part = packed[start : start + len(found)]
        np.left_shift(_as_ordered(found.view(np.int32)), 32, out=part, dtype=np.int64)
        part |= _rows_of(chosen[chunk], each, chunk.start)
        start += len(found)
    packed[:-1].sort()
    bits, own = np.empty(start, dtype=np.int32), packed.view(np.float64)
    for chunk in slices(start, _CHUNK):
        part = packed[chunk]
        bits[chunk] = _as_ordered((part >> 32).astype(np.int32))
        own[chunk] = weights[part & ((1 << 32) - 1)]
    return bits.view(np.float32), own


def _rows_of(chosen: NDArray, each: int, start: int = 0) -> NDArray:
    """The rows, of so many entries each, of the entries that are chosen of those from one on."""
    places = np.flatnonzero(chosen).astype(np.int64, copy=False)
    places += start
    if each > 1:
        places //= each
    return places


def _as_ordered(bits: NDArray) -> NDArray:
    """The bits of floats of 32 bits as integers of the same order; and such integers as these bits."""
    found: NDArray = bits ^ (bits >> 31 & 0x7FFFFFFF)
    return found


def _merge_parts(positives: NDArray, negatives: NDArray) -> Iterator[tuple[slice, NDArray]]:
    """Parts of positive scores, and how many negative ones are below each of a part; both rise."""
    for part in slices(len(positives), _PART):
        own = positives[part]
        first, last = np.searchsorted(negatives, own[[0, -1]])
        between = negatives[first:last]
        if len(between) > _RARE * len(own):
            yield part, first + np.searchsorted(between, own)
        else:
            # Of equal ones the positive is first. A stable sort finds that both are sorted, and merges them.
            order = np.argsort(np.concatenate([own, between]), kind="stable")
            places = np.flatnonzero(order < len(own))
            yield part, places + np.arange(first, first - len(own), -1)


def _up_to(positives: NDArray, negatives: NDArray, below: NDArray) -> NDArray:
    """How many negative scores are at most each positive one, where it is known how many are below."""
    if len(negatives) == 0:
        return below
    tied = np.flatnonzero(np.take(negatives, below, mode="clip") == positives)
    if len(tied) == 0:
        return below
    own = positives[tied]
    starts = np.flatnonzero(np.append(True, own[1:] != own[:-1]))
    found = below.copy()
    found[tied] = np.repeat(np.searchsorted(negatives, own[starts], side="right"), np.diff(starts, append=len(own)))
    return found


def _starts_of_runs(scores: NDArray, part: slice) -> NDArray:
    """Where the scores begin that are equal to each of a part."""
    own = scores[part]
    places = np.arange(part.start, part.stop)
    places[1:][own[1:] == own[:-1]] = 0
    places[0] = np.searchsorted(scores, own[0])
    found: NDArray = np.maximum.accumulate(places)
    return found
