"""Cumulative gains of ranked lists: the plain sum, the discounted sum (DCG) and the normalised one (nDCG)."""

from __future__ import annotations

from math import inf
from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.measures.measure import measure
from gpuval.numerics import Array
from gpuval.numerics.stable import LOGARITHMS_FROM, power_of_2_less_1, ratio, reciprocal_logarithms
from gpuval.ranking._measure import RANKINGS, Discount, Gain
from gpuval.ranking.lists import Lists

__all__ = ["cumulative_gain", "dcg_score", "ndcg_score"]

_NO_OVERFLOW = 900
"""Gains of smaller relevances have sums that floats of 64 bits hold, whatever their form."""


@measure(RANKINGS, short=("cg",), range=(0.0, inf))
def cumulative_gain(lists: Lists, *, n: int | None = None, gain: Gain = "linear") -> Array:
    """Sum of the gains of the first n documents of a list (CG).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The gain g_k of the document at rank k is its relevance, and the value of the query is the sum
    of g_k over the ranks k <= n ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is
    2^g - 1 ([2]_). If the first n documents end among tied documents, each of these ranks has the mean gain of the tied
    documents: this is the mean over all their orders ([3]_). Use it to see how much relevance the first n documents
    have in total, in whatever order.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; 0 or more, without
        an upper bound. It has the unit of the relevances if gains are linear. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises; if ``n`` is not a positive integer; for an unknown
        option; and, where values are checked, if the value of a query is too large for a float (one relevance of 1024
        with ``gain="exponential"``, or of 128 in 32 bits). Where values are not checked, such a query is NaN.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    >>> from gpuval import ranking
    >>> float(ranking.cumulative_gain([3, 2, 3, 0, 1, 2]))
    11.0
    >>> float(ranking.cumulative_gain([3, 2, 3, 0, 1, 2], n=2, gain="exponential"))
    10.0
    >>> float(ranking.cumulative_gain([0, 0, 1], n=2))
    0.0
    """
    return _total(lists, lists.expected(_gains(lists.relevance, gain, lists.xp)), n)


@measure(RANKINGS, short=("dcg",), range=(0.0, inf))
def dcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Sum of the gains of the first n documents, each divided by a discount that grows with the rank (DCG).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The gain g_k of the document at rank k is its relevance, and d_k is the discount of this rank:
    log2(k + 1), or max(1, log2(k)) with ``discount="jarvelin"``. The value of the query is the sum of g_k / d_k over
    the ranks k <= n ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is 2^g - 1 ([2]_).
    Tied documents all have their mean gain: this is the mean over all their orders ([3]_). Use :func:`ndcg_score` to
    compare queries with different numbers of relevant documents.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.
    discount
        The number by which the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two
        ranks and log2(k) from there on.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; 0 or more, without
        an upper bound. It has the unit of the relevances if gains are linear. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises; if ``n`` is not a positive integer; for an unknown
        option; and, where values are checked, if the value of a query is too large for a float (one relevance of 1024
        with ``gain="exponential"``, or of 128 in 32 bits). Where values are not checked, such a query is NaN.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts.

    scikit-learn and torchmetrics have only linear gains and the discount "log2". :meth:`Ranked.from_scores` says what
    leaves the device.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    >>> from gpuval import ranking
    >>> gains = [3, 2, 3, 0, 1, 2]
    >>> round(float(ranking.dcg_score(gains)), 9)
    6.861126689
    >>> round(float(ranking.dcg_score(gains, gain="exponential")), 9)
    13.848263629
    >>> round(float(ranking.dcg_score(gains, discount="jarvelin")), 9)
    8.097171433
    >>> round(float(ranking.dcg_score(gains, [0.9, 0.9, 0.5, 0.5, 0.2, 0.1])), 9)
    6.572606402
    >>> float(ranking.dcg_score([0, 0, 1], n=2))
    0.0
    """
    gains = lists.expected(_gains(lists.relevance, gain, lists.xp))
    return _total(lists, gains / _discounts(lists.ranks, discount, lists.xp), n)


@measure(RANKINGS, needs_ideal=True, short=("ndcg",), usual=3, usual_n=10)
def ndcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Discounted cumulative gain, divided by that of the best possible order (nDCG).

    The documents of a query are sorted by their scores, the highest first. The value of the query is DCG / IDCG. DCG is
    the sum that :func:`dcg_score` computes for the first n documents of this list. IDCG, the "ideal" DCG, is the same
    sum of the relevant documents of the query, those in the list or ``ideal``, sorted by their relevances, the largest
    first ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is 2^g - 1 ([2]_). Tied
    documents count with the mean over all their orders ([3]_). Use it when relevance has several grades and early ranks
    matter most.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.
    discount
        The number by which the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two
        ranks and log2(k) from there on.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 for
        the best order. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries`` and
        ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises, if ``n`` is not a positive integer, and for an unknown
        option; and, where values are checked, for ``n_relevant`` where ``ideal`` is needed (see Notes).

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. A list of one relevant
    document has the value 1. If ``n`` is larger than the length of a list, the whole list counts.

    If lists lack relevant documents, give the relevances of all of them as ``ideal``: the best order is then that of
    these, cut at n too, as in TREC's evaluation. Without it the best order has only the documents of the list, and a
    list that lacks the best documents scores too high. ``n_relevant`` alone is enough if all relevances are 0 and 1.
    With others, a query that has relevant documents in its list and lacks some is an error, or NaN where values are not
    checked.

    Relevances may be as large as floats allow: gains that are too large for a float are divided by a power of 2 first.

    scikit-learn and torchmetrics have only linear gains and the discount "log2"; scikit-learn does not accept a list of
    one document. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    >>> from gpuval import ranking
    >>> gains = [3, 2, 3, 0, 1, 2]
    >>> round(float(ranking.ndcg_score(gains)), 9)
    0.960808194
    >>> round(float(ranking.ndcg_score(gains, gain="exponential")), 9)
    0.948810749
    >>> round(float(ranking.ndcg_score(gains, [0.9, 0.9, 0.5, 0.5, 0.2, 0.1])), 9)
    0.920404822
    >>> float(ranking.ndcg_score([3, 2, 1]))
    1.0
    >>> float(ranking.ndcg_score([0, 0, 1], n=2))
    0.0

    A list that has one of the three relevant documents of its query:

    >>> round(float(ranking.ndcg_score([3, 0], ideal=[3, 2, 1])), 4)
    0.63
    """
    xp, discounts = lists.xp, _discounts(lists.ranks, discount, lists.xp)
    exponents = _exponents(lists, gain)
    found = lists.expected(_gains(lists.relevance, gain, xp, exponents)) / discounts
    gain_found = lists.total(lists.within(found, n))
    if lists.ideal is not None:
        most = _ideal_gains(lists.ideal, n, gain, discount, is_scaled=not isinstance(exponents, int))
    else:
        best = _gains(lists.from_the_best(), gain, xp, exponents) / discounts
        most = lists.total(lists.within(best, n))
        if lists.has_missing:
            hits = lists.total(lists.hits)
            one = xp.ones_like(hits)
            unit = _gains(one, gain, xp, 0 if isinstance(exponents, int) else _exponents_of(one, gain, xp))
            is_missing = lists.n_relevant > hits
            most = xp.where(is_missing, unit * _sum_of_shares(lists, n, discount), most)
            most = xp.where(is_missing & lists.has_grades & (hits > 0), float("nan"), most)
    return ratio(xp.where(gain_found > most, most, gain_found), most, xp)  # above by rounding alone


def _gains(relevance: Array, gain: Gain, xp: Any, exponents: Any = 0) -> Array:
    """The gains of documents, divided by 2 to the power of ``exponents``."""
    if gain == "exponential":
        return power_of_2_less_1(relevance, exponents, xp)
    return relevance if isinstance(exponents, int) else relevance / 2.0**exponents


def _exponents(lists: Lists, gain: Gain) -> Any:
    """For each document an exponent of 2 such that no gain of its list, divided by that power, is above 4.

    So no sum of them overflows, and a quotient of two such sums is that of the gains. 0 for all where none would.
    """
    xp, best = lists.xp, lists.from_the_best() if lists.ideal is None else lists.ideal[:, 0]
    if lists.backend.on_host and (not len(best) or best.max() < _NO_OVERFLOW):
        return 0
    if lists.ideal is None:
        largest = xp.take(best, lists.starts)
    else:  # documents that do not count are of a spare query
        largest = xp.take(xp.concat([best, best[:1]]), lists.queries)
    return _exponents_of(largest, gain, xp)


def _exponents_of(largest: Array, gain: Gain, xp: Any) -> Array:
    """The exponents of lists with these largest relevances."""
    largest = xp.where(largest < 1, 1.0, largest)
    if gain == "exponential":
        return xp.ceil(largest)
    return xp.floor(xp.log2(largest / 2))  # the logarithm of the largest float may be rounded up, to a power beyond it


def _ideal_gains(ideal: Array, n: int | None, gain: Gain, discount: Discount, *, is_scaled: bool) -> Array:
    """The discounted gains of the first n relevances of the given ideal."""
    backend, ideal = backend_of(ideal), ideal if n is None else ideal[:, : min(n, ideal.shape[1])]
    xp = backend.xp
    ranks = xp.astype(backend.arange_beside(1, ideal.shape[1] + 1, backend.widest(ideal).int, ideal), ideal.dtype)
    exponents = _exponents_of(ideal[:, :1], gain, xp) if is_scaled else 0
    return backend.sum(_gains(ideal, gain, xp, exponents) / _discounts(ranks, discount, xp), 1)


def _sum_of_shares(lists: Lists, n: int | None, discount: Discount) -> Array:
    """The sum of 1/d_k over the ranks k up to the number of relevant documents of each query, and to n."""
    backend, xp, last = lists.backend, lists.xp, lists.n_relevant
    last = last if n is None else xp.where(last > n, float(n), last)
    width = LOGARITHMS_FROM if n is None else min(n, LOGARITHMS_FROM)
    ranks = xp.astype(backend.arange_beside(1, width + 1, backend.widest(last).int, last), last.dtype)
    first = backend.sum(xp.where(ranks <= last[:, None], 1 / _discounts(ranks, discount, xp), 0.0), 1)
    if width < LOGARITHMS_FROM:
        return first
    more = last + 1 if discount == "log2" else last  # d_k is log2 of 2, 3, ..., but for a rank before, where it is 1
    total = reciprocal_logarithms(xp.where(more < LOGARITHMS_FROM, float(LOGARITHMS_FROM), more), backend)
    return xp.where(last >= LOGARITHMS_FROM, total + float(discount == "jarvelin"), first)


def _total(lists: Lists, values: Array, n: int | None) -> Array:
    """The sum of values of the first n documents for each query; NaN where it is too large for a float."""
    total = lists.total(lists.within(values, n))
    return lists.xp.where(lists.xp.isinf(total), float("nan"), total)


def _discounts(ranks: Array, discount: Discount, xp: Any) -> Array:
    if discount == "log2":
        return xp.log2(ranks + 1)
    return xp.where(ranks <= 2, 1.0, xp.log2(ranks))
