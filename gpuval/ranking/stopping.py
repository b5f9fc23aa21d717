"""Measures of where a user stops reading a list: at the first relevant document, or at one that satisfies."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import Backend
from gpuval.measures.measure import measure
from gpuval.numerics import Array
from gpuval.numerics.stable import power_of_2_less_1, ratio
from gpuval.ranking._measure import RANKINGS, Stopping
from gpuval.ranking.lists import Lists

__all__ = ["expected_reciprocal_rank", "hit_rate", "reciprocal_rank_score"]


@measure(RANKINGS, usual=6, usual_n=10)
def hit_rate(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the queries that have a relevant document among the first n (hit rate, HR@n, success@n).

    The documents of a query are sorted by their scores, the highest first. The value of the query is 1 if at least one
    of the first n documents of this list is relevant, and 0 otherwise ([1]_). If the first n documents end among tied
    documents, it is the share of their orders that have a relevant document among the first n ([2]_). Use it when one
    good result is enough.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        every query has a relevant document among the first n. No unit. With ``return_per_query=True``, a named tuple of
        ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises, and if ``n`` is not a positive integer.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] M. Deshpande and G. Karypis, "Item-based top-N recommendation algorithms", ACM Transactions on Information
       Systems 22, 2004.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    One of two lists has a relevant document among its first two; then both lists, and none:

    >>> from gpuval import ranking
    >>> float(ranking.hit_rate([[0, 1, 0], [0, 0, 1]], n=2))
    0.5
    >>> float(ranking.hit_rate([[0, 1, 0], [0, 0, 1]], n=3))
    1.0
    >>> float(ranking.hit_rate([[0, 1, 0], [0, 0, 1]], n=1))
    0.0
    """
    return lists.total(lists.within(_first_hits(lists), n))


@measure(RANKINGS, short=("rr", "mrr"), usual=2)
def reciprocal_rank_score(lists: Lists, *, n: int | None = None) -> Array:
    """One divided by the rank of the first relevant document (RR; its mean over queries is MRR).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The value of the query is 1 / k, where k is the rank of the first relevant document, and 0 if
    none of the first n documents is relevant ([1]_). Tied documents count with the mean over all their orders ([2]_).
    Use it when a user reads down to the first good result.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        the first document is relevant. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries``
        and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises, and if ``n`` is not a positive integer.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts. torchmetrics 1.9 treats a document with a score of 0 or less as not
    retrieved; gpuval uses scores only to sort. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] E. M. Voorhees, "The TREC-8 question answering track report", TREC 1999.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    The mean of six lists is 19/36. Then a list of two tied documents, of which one is relevant, so that it is the first
    or the second; a perfect list; and one that finds nothing:

    >>> from gpuval import ranking
    >>> lists = [[0, 0, 1, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0]]
    >>> round(float(ranking.reciprocal_rank_score(lists)) * 36, 12)
    19.0
    >>> float(ranking.reciprocal_rank_score([0, 1], [0.5, 0.5]))
    0.75
    >>> float(ranking.reciprocal_rank_score([1, 0, 0]))
    1.0
    >>> float(ranking.reciprocal_rank_score([0, 0, 1], n=2))
    0.0
    """
    return lists.total(lists.within(_first_hits(lists) / lists.ranks, n))


def _first_hits(lists: Lists) -> Array:
    """The probability that the first relevant document of its list stands at a rank."""
    hits, xp = lists.hits, lists.xp
    is_above = lists.sum_above_group(hits) > 0
    if lists.ties is None:
        return xp.where(is_above, 0.0, hits)
    # If none of the j - 1 documents before it in its group is relevant, one at place j of a group of g, h of them
    # relevant, is with the probability h/(g - j + 1).
    g, j, h = lists.ties.sizes, lists.ties.places, lists.group_sum(hits)
    chance = xp.where(is_above, 0.0, h / (g - j + 1))
    chance = xp.where(chance > 1, 1.0, chance)
    misses = lists.cumulative_product(xp.where(is_above, 0.0, 1 - chance))
    return lists.value_above(misses, 1.0) * chance


@measure(RANKINGS, short=("err",))
def expected_reciprocal_rank(
    lists: Lists,
    *,
    n: int | None = None,
    max_relevance: float | None = None,
    relevance: Stopping = "grade",
    divide_by_n: bool = False,
) -> Array:
    """Expected value of one divided by the rank at which a user stops, satisfied by a document (ERR).

    A user reads a list from the top and stops at the first document that satisfies. Let g_k be the relevance of the
    document at rank k, m the largest relevance that a document can have, and p_k = (2^g_k - 1) / 2^m the probability
    that this document satisfies. The user stops at rank k with the probability q_k = p_k (1 - p_1) (1 - p_2) ... (1 -
    p_(k-1)). The value of the query is the sum of q_k / k over the ranks k <= n ([1]_). Tied documents count with the
    mean over all their orders. Use it when relevance has several grades and a very good document makes the ones below
    it less useful.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    max_relevance
        The largest relevance m that a document may have, finite and not negative. None takes the largest relevance of
        all the documents that were given, also in ``ideal``. Other documents may change that number, so give
        ``max_relevance`` to compare scores, or to take the mean of several scores.
    relevance
        What ``y_true`` holds: with "grade", relevances g_k, of which p_k is found; with "probability", each p_k itself,
        from 0 to 1, such as a share of users whom the document satisfied. ``max_relevance`` is then left out.
    divide_by_n
        Whether to divide the value of each query by the number of its documents that count: ``n``, or the length of the
        list if that is smaller. A lecture ([2]_) has this factor 1/n. Scores of lists of different lengths cannot be
        compared with it, and the best value is 1/n.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; from 0, if nothing
        is relevant, to below 1, which it approaches the larger the first relevances are. It is 1 if the first document
        satisfies with the given probability 1. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises; if ``n`` is not a positive integer; if ``max_relevance``
        is not a finite number of 0 or more, or is given with probabilities; for another option that is unknown; and,
        where values are checked, if a relevance is larger than ``max_relevance``, or a probability than 1. Where values
        are not checked, a query with such a relevance is NaN.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts.

    The sum is already a mean over the ranks at which a user may stop, so by default it is not divided by n.

    Ties take time: a group of g tied documents takes g steps, each on g numbers. In NumPy only tied documents take
    part, and with ``n`` only the first n ranks. Elsewhere all documents take part in as many steps as the largest group
    of tied documents has members. If lists may have more than 256 documents, this number of steps is brought to the
    host, which breaks a graph of torch.compile; JAX does not bring it to the host. Up to 256, the length of the longest
    list is used instead. ``ties="stable"`` avoids these steps. Apart from that number, nothing leaves the device but
    what :meth:`Ranked.from_scores` needs.

    References
    ----------
    .. [1] O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, "Expected reciprocal rank for graded relevance", CIKM
       2009.
    .. [2] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Three documents that satisfy with the probability 1/2 each: 1/2 + 1/8 + 1/24. Then relevances up to 3; two tied
    documents; and a list that finds nothing:

    >>> from gpuval import ranking
    >>> round(float(ranking.expected_reciprocal_rank([1, 1, 1])) * 3, 12)
    2.0
    >>> round(float(ranking.expected_reciprocal_rank([3, 2, 3, 0, 1, 2])) * 196608, 6)
    181273.0
    >>> float(ranking.expected_reciprocal_rank([1, 0], [0.5, 0.5]))
    0.375
    >>> float(ranking.expected_reciprocal_rank([0, 0, 1], n=2))
    0.0

    Given probabilities: 1/4 + 3/4 * 1/2 * 1/2; and a first document that always satisfies. Then the first value of all
    divided by 3, as in the lecture:

    >>> float(ranking.expected_reciprocal_rank([0.25, 0.5], relevance="probability"))
    0.4375
    >>> float(ranking.expected_reciprocal_rank([1, 0.5], relevance="probability"))
    1.0
    >>> round(float(ranking.expected_reciprocal_rank([1, 1, 1], divide_by_n=True)) * 9, 12)
    2.0
    """
    xp = lists.xp
    satisfied = _satisfaction(lists.relevance, max_relevance, relevance, xp)
    values = lists.total(lists.within(_stops(satisfied, lists, n) / lists.ranks, n))
    if not divide_by_n:
        return values
    return ratio(values, lists.total(lists.within(xp.ones_like(lists.ranks), n)), xp)


def _satisfaction(relevance: Array, most: Any, kind: Stopping, xp: Any) -> Array:
    """The probability (2^g - 1) / 2^most that a document of relevance g satisfies; NaN above the largest relevance."""
    chance = relevance if kind == "probability" else power_of_2_less_1(relevance, most, xp)
    return xp.where(relevance <= most, chance, float("nan"))


def _stops(satisfied: Array, lists: Lists, n: int | None) -> Array:
    """The probability that a user stops at a rank: no document above satisfies, and the one there does."""
    reached = lists.value_above(lists.cumulative_product(1 - satisfied), 1.0)
    ties, backend, xp = lists.ties, lists.backend, lists.xp
    if ties is None:
        return reached * satisfied
    reached = xp.take(reached, ties.first)
    if not backend.on_host:
        in_lists = xp.where(lists.queries < lists.n_queries, ties.sizes, 0.0)
        times = backend.number_of_steps(xp.max(in_lists), lists.longest)
        return reached * _stops_in_group(satisfied, ties.sizes, ties.places, ties.first, times, backend)
    found, is_tied = satisfied.copy(), ties.sizes > 1
    if n is not None:
        is_tied &= lists.ranks <= n
    for size in np.unique(ties.sizes[is_tied]):
        own = np.flatnonzero(is_tied & (ties.sizes == size))
        found[own] = _stops_in_group(satisfied, size, ties.places[own], ties.first[own], int(size), backend)
    return reached * found


def _stops_in_group(satisfied: Array, sizes: Any, places: Array, first: Array, times: Any, backend: Backend) -> Array:
    """The probability to stop at each place of a group, if its first place is reached: the mean over all its orders.

    Of the first t documents of a group, let P_j be the mean over their orders of the probability that none of the first
    j satisfies, and S_j that of a stop at place j. In a random order, document t + 1 is one of the first j - 1 of the t
    + 1 with the probability (j - 1)/(t + 1), the j-th with 1/(t + 1), and a later one with (t + 1 - j)/(t + 1). So it
    adds itself to the means in one step, of sums of what is not negative.

    The vectors ``places`` and ``first`` may be those of some places of each group: all up to one of them.
    """
    xp, last = backend.xp, satisfied.shape[0] - 1

    def shift(x: Array, before_first: float) -> Array:
        return xp.where(places == 1, before_first, xp.concat([x[:1], x[:-1]]))

    def with_one_more(state: tuple[Array, ...]) -> tuple[Array, ...]:
        t, passed, stopped = state
        at = first + xp.astype(t, first.dtype)
        p = xp.take(satisfied, xp.where(at > last, last, at))
        t, before, j = t + 1, shift(passed, 1.0), places
        is_in = (j <= t) & (t <= sizes)
        more_stopped = ((t - j) * stopped + (j - 1) * (1 - p) * shift(stopped, 0.0) + p * before) / t
        more_passed = ((t - j) * passed + j * (1 - p) * before) / t
        return t, xp.where(is_in, more_passed, passed), xp.where(is_in, more_stopped, stopped)

    zeros = xp.zeros_like(places)
    state = backend.zeros_beside((), places.dtype, places), zeros, zeros
    found: Array = backend.repeated(with_one_more, state, times)[2]
    return found
