"""The sums from which areas under curves are computed, of columns of which only some entries are stored."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpuval.engines.backends import Backend
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


class ListedScores(NamedTuple):
    """Entries of several columns, one column after the other, and in each from the largest score on."""

    columns: Array
    """The column of each entry, shape (m,), which never falls; each column has an entry."""
    positives: Array
    """The weights of the positive entries, and 0 for others; an entry may stand for many."""
    negatives: Array
    is_last: Array
    """Whether the next entry is of another column, or has a smaller score."""
    n_columns: int


class _Runs(NamedTuple):
    """Runs of equal scores, each at its last entry; elsewhere, if other places are there, a run of weight 0."""

    columns: Array
    of_run: tuple[Array, Array]
    """The weights of the positive and of the negative entries, real."""
    above: tuple[Array, Array]
    """The same of all entries of the column that score higher."""


def listed_concordance(listed: ListedScores, backend: Backend) -> tuple[Array, ...]:
    """What :func:`concordance` says, of columns of which some entries are stored."""
    runs = _runs_of(listed, backend)
    (true, false), (true_above, _) = runs.of_run, runs.above
    return _sums_of_columns((false * (true_above + true / 2), true, false), runs, listed, backend)


def listed_precisions(listed: ListedScores, backend: Backend) -> tuple[Array, ...]:
    """What :func:`precisions` says, of columns of which some entries are stored."""
    runs = _runs_of(listed, backend)
    true, false = (own + above for own, above in zip(runs.of_run, runs.above, strict=True))
    sums = runs.of_run[0] * ratio(true, true + false, backend.xp)
    return _sums_of_columns((sums, runs.of_run[0]), runs, listed, backend)


def _runs_of(listed: ListedScores, backend: Backend) -> _Runs:
    xp, columns, is_last = backend.xp, listed.columns, listed.is_last
    places = backend.arange_beside(0, columns.shape[0], backend.widest(columns).int, columns)
    if backend.on_host:
        places = places[is_last]
        before = np.concatenate([places[:1] * 0, places[:-1]])
        columns = columns[places]
    else:
        ends = backend.cumulative_max(xp.where(is_last, places, xp.zeros_like(places)))
        before = xp.concat([xp.zeros_like(ends[:1]), ends[:-1]])
    follows = (xp.take(listed.columns, before) == columns) & (before != places) & xp.take(is_last, before)
    of_run, above = [], []
    for weights in (listed.positives, listed.negatives):
        running = _running_sums(weights, listed, backend)
        higher = xp.where(follows, xp.take(running, before), xp.zeros_like(running[:1]))
        own = (running[places] if backend.on_host else running) - higher
        if not backend.on_host:
            own = xp.where(is_last, own, xp.zeros_like(own))
        of_run.append(backend.as_real(own, own))
        above.append(backend.as_real(higher, higher))
    return _Runs(columns, (of_run[0], of_run[1]), (above[0], above[1]))


def _running_sums(weights: Array, listed: ListedScores, backend: Backend) -> Array:
    """The sum of the weights of each column up to each of its entries."""
    if listed.n_columns == 1:
        return backend.cumulative_sum(weights)
    if backend.kind(weights) == "real":  # a difference of sums of reals would lose digits
        return backend.running_total(weights, listed.columns)
    xp, running = backend.xp, backend.cumulative_sum(weights)
    ends = backend.cumulative_sum(backend.count(listed.columns, listed.n_columns))
    before = xp.concat([xp.zeros_like(running[:1]), xp.take(running, ends[:-1] - 1)])
    return running - xp.take(before, listed.columns)


def _sums_of_columns(
    parts: tuple[Array, ...], runs: _Runs, listed: ListedScores, backend: Backend
) -> tuple[Array, ...]:
    return tuple(backend.total(x, runs.columns, listed.n_columns) for x in parts)
