"""Where a user stops: at the first relevant document, or at one that satisfies."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import Backend
from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measure import ranking_metric
from gpuval.numerics import Array

__all__ = ["expected_reciprocal_rank", "hit_rate", "reciprocal_rank_score"]


@ranking_metric
def hit_rate(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the queries with a relevant document among the first n."""
    return lists.total(lists.within(_first_hits(lists), n))


@ranking_metric
def reciprocal_rank_score(lists: Lists, *, n: int | None = None) -> Array:
    """One by the rank of the first relevant document."""
    return lists.total(lists.within(_first_hits(lists) / lists.ranks, n))


def _first_hits(lists: Lists) -> Array:
    """The probability that the first relevant document of its list stands at a rank."""
    hits, xp = lists.hits, lists.xp
    is_above = lists.above_group(hits) > 0
    if lists.ties is None:
        return xp.where(is_above, 0.0, hits)
    # Of a group of g of which h are relevant, none of the first j is with the probability (g - h - j + 1)/(g - j + 1)
    # more than none of the first j - 1.
    g, j, h = lists.ties.sizes, lists.ties.places, lists.in_group(hits)
    misses = xp.where(is_above, 0.0, (g - h - j + 1) / (g - j + 1))
    misses = xp.where(misses < 0, 0.0, misses)
    return lists.above(lists.running_product(misses), 1.0) * (1 - misses)


@ranking_metric
def expected_reciprocal_rank(lists: Lists, *, n: int | None = None, max_relevance: float | None = None) -> Array:
    """Mean of one by the rank at which a user stops, whom each document satisfies by its relevance."""
    satisfied = _satisfied(lists.relevance, max_relevance, lists.xp)
    return lists.total(lists.within(_stops(satisfied, lists, n) / lists.ranks, n))


def _satisfied(relevance: Array, most: Any, xp: Any) -> Array:
    """The probability (2^g - 1) / 2^most that a document of relevance g satisfies; NaN above the largest relevance.

    It is a difference of powers with exponents of at most 0, none of which overflows.
    """
    twos = xp.full_like(relevance, 2.0)
    found = xp.pow(twos, relevance - most) - xp.pow(twos, xp.zeros_like(relevance) - most)
    return xp.where(relevance <= most, found, float("nan"))


def _stops(satisfied: Array, lists: Lists, n: int | None) -> Array:
    """The probability that a user stops at a rank: no document above satisfies, and the one there does."""
    reached = lists.above(lists.running_product(1 - satisfied), 1.0)
    ties, backend, xp = lists.ties, lists.backend, lists.xp
    if ties is None:
        return reached * satisfied
    reached = xp.take(reached, ties.first)
    if not backend.on_host:
        return reached * _stops_in_group(satisfied, ties.sizes, ties.places, ties.first, lists.longest, backend)
    found, is_tied = satisfied.copy(), ties.sizes > 1
    if n is not None:
        is_tied &= lists.ranks <= n
    for size in np.unique(ties.sizes[is_tied]):
        own = np.flatnonzero(is_tied & (ties.sizes == size))
        found[own] = _stops_in_group(satisfied, size, ties.places[own], ties.first[own], int(size), backend)
    return reached * found


def _stops_in_group(satisfied: Array, sizes: Any, places: Array, first: Array, times: int, backend: Backend) -> Array:
    """The probability to stop at each place of a group, if its first place is reached: the mean over all its orders.

    Of the first t documents of a group, let P_j be the mean over their orders of the probability that none of the first
    j satisfies, and S_j that of a stop at place j. In a random order, document t + 1 is one of the first j - 1 of the
    t + 1 with the probability (j - 1)/(t + 1), the j-th with 1/(t + 1), and a later one with (t + 1 - j)/(t + 1). So it
    adds itself to the means in one step, of sums of what is not negative.

    The vectors ``places`` and ``first`` may be those of some places of each group: all up to one of them.
    """
    xp, last = backend.xp, satisfied.shape[0] - 1

    def shifted(x: Array, before_first: float) -> Array:
        return xp.where(places == 1, before_first, xp.concat([x[:1], x[:-1]]))

    def with_one_more(state: tuple[Array, ...]) -> tuple[Array, ...]:
        t, passed, stopped = state
        at = first + xp.astype(t, first.dtype)
        p = xp.take(satisfied, xp.where(at > last, last, at))
        t, before, j = t + 1, shifted(passed, 1.0), places
        is_in = (j <= t) & (t <= sizes)
        more_stopped = ((t - j) * stopped + (j - 1) * (1 - p) * shifted(stopped, 0.0) + p * before) / t
        more_passed = ((t - j) * passed + j * (1 - p) * before) / t
        return t, xp.where(is_in, more_passed, passed), xp.where(is_in, more_stopped, stopped)

    zeros = xp.zeros_like(places)
    state = backend.zeros_beside((), places.dtype, places), zeros, zeros
    found: Array = backend.repeated(with_one_more, state, times)[2]
    return found
