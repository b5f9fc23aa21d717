"""The sums from which areas under curves are computed, column by column, with the Array API standard and backends only.

A column has scores, and entries that are positive, negative, or neither; the last do not count. All columns are sorted
together, as rows of one matrix. Equal scores are a run, which is known by its end. All shapes are fixed by the inputs,
and nothing is transferred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gpuval.engines.backends import Backend
from gpuval.numerics import Array
from gpuval.numerics.parallel import slices
from gpuval.numerics.stable import ratio

_BLOCK = 1 << 23
"""How many entries are sorted at a time, in whole columns, which bounds the memory: about 100 bytes for each."""


class ScoreColumns(NamedTuple):
    """Scores, and which entries are positive and negative, all of shape (n, k); and the weights of samples.

    There is a weight for each of the n rows; or, where the entries of a matrix of m samples are one column, m weights,
    each of the n/m entries of a sample, which are one after the other.
    """

    scores: Array
    positives: Array
    negatives: Array
    weights: Array | None

    def part(self, columns: slice) -> ScoreColumns:
        """Some of the columns."""
        return ScoreColumns(
            self.scores[:, columns], self.positives[:, columns], self.negatives[:, columns], self.weights
        )


class _RowsByScore(NamedTuple):
    """Columns as rows, each from its largest score on; entries that do not count are anywhere, and weigh 0."""

    positives: Array
    """The weights of the positive entries, and 0 for others."""
    negatives: Array
    is_last: Array
    """Whether the next score of the row is smaller, or there is none."""


def concordance(columns: ScoreColumns, backend: Backend) -> tuple[Array, ...]:
    """The weight of the pairs of a positive and a negative entry that are in order, and of both kinds of entries.

    Counts of up to 2^30 entries fit 32 bits, and pairs of 2^31 fit 64 bits, if ties are not halved before the end.
    """

    def block_sums(block: ScoreColumns) -> tuple[Array, ...]:
        rows = _rows_by_score(block, backend)
        above = backend.cumulative_sum(rows.positives)
        twice = rows.negatives * (
            _sums_before_run(above, rows.is_last, backend) + _sums_through_run(above, rows.is_last, backend)
        )
        return _sum(twice, backend) / 2, _sum(rows.positives, backend), _sum(rows.negatives, backend)

    return _map_blocks(block_sums, columns, backend)


def precisions(columns: ScoreColumns, backend: Backend) -> tuple[Array, ...]:
    """The sum over the positive entries of the precision at their score, by weight, and their weight."""

    def block_sums(block: ScoreColumns) -> tuple[Array, ...]:
        rows = _rows_by_score(block, backend)
        true, false = (
            _real(_sums_through_run(backend.cumulative_sum(x), rows.is_last, backend), backend)
            for x in (rows.positives, rows.negatives)
        )
        weights = _real(rows.positives, backend)
        return _sum(weights * ratio(true, true + false, backend.xp), backend), _sum(weights, backend)

    return _map_blocks(block_sums, columns, backend)


def histograms(columns: ScoreColumns, n_bins: int, low: float, high: float, backend: Backend) -> tuple[Array, ...]:
    """The weights of the positive and of the negative entries of a column by bin of their scores, each (k, n_bins)."""
    xp = backend.xp

    def block_histograms(block: ScoreColumns) -> tuple[Array, ...]:
        k = block.scores.shape[1]
        counts = block.positives | block.negatives
        real = backend.as_real(backend.without_gradient(block.scores), block.scores)
        bins = backend.bin_of(xp.where(counts, real, low), n_bins, low, high)
        codes = bins + backend.arange_beside(0, k, bins.dtype, bins)[None, :] * n_bins
        weights = None if block.weights is None else backend.widened(block.weights)[:, None]
        return tuple(
            xp.reshape(
                backend.total(xp.reshape(_weights(x, weights, backend), (-1,)), xp.reshape(codes, (-1,)), k * n_bins),
                (k, n_bins),
            )
            for x in (block.positives, block.negatives)
        )

    return _map_blocks(block_histograms, columns, backend, n_bins)


def _map_blocks(
    found_of: Callable[[ScoreColumns], tuple[Array, ...]], columns: ScoreColumns, backend: Backend, least: int = 1
) -> tuple[Array, ...]:
    """What is found of blocks of columns, put together."""
    n, k = columns.scores.shape
    step = max(1, _BLOCK // max(n, least))
    parts = [found_of(columns.part(x)) for x in slices(k, step) or [slice(0, 0)]]
    return parts[0] if len(parts) == 1 else tuple(backend.xp.concat(x) for x in zip(*parts, strict=True))


def _rows_by_score(columns: ScoreColumns, backend: Backend) -> _RowsByScore:
    xp = backend.xp
    positives, negatives = columns.positives.T, columns.negatives.T
    keys = backend.sortable(backend.without_gradient(columns.scores)).T
    keys = xp.where((positives | negatives) & (keys != 0), keys, xp.zeros_like(keys))  # no NaN, and no -0.0
    order = backend.order_of_rows(keys)
    weights = None if columns.weights is None else _real(columns.weights, backend)[None, :]
    if weights is not None and weights.shape[1] != keys.shape[1]:
        each = keys.shape[1] // weights.shape[1]
        weights = xp.reshape(xp.broadcast_to(weights.T, (weights.shape[1], each)), (1, -1))
    keys, positives, negatives = (
        xp.take_along_axis(x, order, axis=1)
        for x in (keys, _weights(positives, weights, backend), _weights(negatives, weights, backend))
    )
    head = xp.ones((keys.shape[0], 1), dtype=xp.bool, device=backend.device(keys))
    return _RowsByScore(positives, negatives, xp.concat([keys[:, 1:] != keys[:, :-1], head], axis=1))


def _weights(chosen: Array, weights: Array | None, backend: Backend) -> Array:
    """The weights of the entries that are chosen, and 0 for others; without weights 1, in the widest integers."""
    if weights is None:
        return backend.xp.astype(chosen, backend.widest(chosen).int)
    return backend.xp.where(chosen, weights, backend.xp.zeros_like(weights))


# Running sums of rows, which never fall, at the ends of runs


def _sums_through_run(running: Array, is_last: Array, backend: Backend) -> Array:
    """The running sum at the end of the run of each place: the least of those at this and at later ends."""
    xp = backend.xp
    lowest = xp.full_like(running, float("-inf") if backend.kind(running) == "real" else xp.iinfo(running.dtype).min)
    return -xp.flip(backend.cumulative_max(xp.flip(xp.where(is_last, -running, lowest), axis=1)), axis=1)


def _sums_before_run(running: Array, is_last: Array, backend: Backend) -> Array:
    """The running sum at the end of the run before that of each place, and 0 if there is none."""
    xp = backend.xp
    at_ends = backend.cumulative_max(xp.where(is_last, running, xp.zeros_like(running)))
    return xp.concat([xp.zeros_like(running[:, :1]), at_ends[:, :-1]], axis=1)


def _sum(rows: Array, backend: Backend) -> Array:
    """The sums of rows in the widest float: exact for integers of 64 bits.

    Of 32 bits the last of the running sums, which XLA adds up as a tree: one by one, a million would lose digits.
    """
    xp = backend.xp
    if rows.dtype in (xp.int64, xp.float64):
        return _real(backend.sum(rows, -1), backend)
    return backend.cumulative_sum(_real(rows, backend))[:, -1]


def _real(x: Array, backend: Backend) -> Array:
    return backend.as_real(x, x)
