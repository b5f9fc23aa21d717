"""What the documents of lists are worth at their ranks: cumulative gains, discounted and normalised."""

from __future__ import annotations

from typing import Any

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measures.options import Discount, Gain
from gpuval.metrics.ranking._measures.public import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import power_of_2_less_1, ratio

__all__ = ["cumulative_gain", "dcg_score", "ndcg_score"]

_NO_OVERFLOW = 900
"""Gains of smaller relevances have sums that floats of 64 bits hold, whatever their form."""


@ranking_metric
def cumulative_gain(lists: Lists, *, n: int | None = None, gain: Gain = "linear") -> Array:
    """Sum of the gains of the first n documents.

    sum_k g_k over the ranks k <= n, of the gain g_k of the document at rank k ([1]_, not checked against the text); or
    with ``gain="exponential"`` of 2^g_k - 1 ([2]_, not checked against the text). Where the first n end among tied
    documents, each place has the mean gain of them: the mean over all their orders ([3]_, not checked against the
    text). Higher is better; 0 or more, without a bound.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. In the unit of the relevances if
        gains are linear. With ``return_per_query``, a named tuple of ``score``, ``queries`` and ``query_scores``, both
        of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, an ``n`` that is no positive integer, other options than those
        above, and, where values are looked at, a query whose value is too large for a float: that of one relevance of
        1024 with ``gain="exponential"``, or of 128 in 32 bits. Where they are not, such a query is NaN.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says. With an n beyond the list, all of the list
    counts. :meth:`Ranked.from_scores` says what leaves the device.

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


@ranking_metric
def dcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Sum of the gains of the first n documents, each discounted by its rank.

    sum_k g_k / d_k over the ranks k <= n, of the gain g_k of the document at rank k and the discount d_k: log2(k + 1),
    or with ``discount="jarvelin"`` max(1, log2(k)) ([1]_, not checked against the text). With ``gain="exponential"``
    the gain is 2^g_k - 1 ([2]_, not checked against the text). Among tied documents each rank has the mean gain of
    them: the mean over all their orders ([3]_, not checked against the text). Higher is better; 0 or more, without a
    bound.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.

    discount
        By what the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two ranks and
        log2(k) from there on.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. In the unit of the relevances if
        gains are linear. With ``return_per_query``, a named tuple of ``score``, ``queries`` and ``query_scores``, both
        of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, an ``n`` that is no positive integer, other options than those
        above, and, where values are looked at, a query whose value is too large for a float: that of one relevance of
        1024 with ``gain="exponential"``, or of 128 in 32 bits. Where they are not, such a query is NaN.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says. With an n beyond the list, all of the list
    counts.

    Linear gains and "log2" are what scikit-learn and torchmetrics have, and no other gains. :meth:`Ranked.from_scores`
    says what leaves the device.

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
    return _total(lists, gains / _discounts(lists, discount), n)


@ranking_metric
def ndcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Discounted cumulative gain by that of the best order.

    The sum of :func:`dcg_score` down to rank n by the same sum for the documents of the list in the order of their
    relevances ([1]_, not checked against the text). With ``gain="exponential"`` the gains are 2^g - 1 ([2]_, not
    checked against the text). Tied documents have the mean over all their orders ([3]_, not checked against the text).
    Higher is better, 1 for the best order; from 0 to 1.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.

    discount
        By what the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two ranks and
        log2(k) from there on.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, an ``n`` that is no positive integer, and other options than
        those above.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says; a list of one relevant document has 1. With
    an n beyond the list, all of the list counts. The best order is that of the list: relevant documents that it lacks
    are not known with their relevances, and ``n_relevant`` does not change it; a query of which all are lacking has 0.
    Relevances may be as large as floats are: gains that no float holds are divided by a power of 2 first.

    Linear gains and "log2" are what scikit-learn and torchmetrics have, and no other gains; scikit-learn refuses a list
    of one document. :meth:`Ranked.from_scores` says what leaves the device.

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
    """
    xp, discounts, exponents = lists.xp, _discounts(lists, discount), _exponents(lists, gain)
    found = lists.expected(_gains(lists.relevance, gain, xp, exponents)) / discounts
    best = _gains(lists.from_the_best(), gain, xp, exponents) / discounts
    gain_found, most = lists.total(lists.within(found, n)), lists.total(lists.within(best, n))
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
    xp, best = lists.xp, lists.from_the_best()
    if lists.backend.on_host and best.max() < _NO_OVERFLOW:
        return 0
    largest = xp.take(best, lists.starts)
    largest = xp.where(largest < 1, 1.0, largest)
    if gain == "exponential":
        return xp.ceil(largest)
    return xp.floor(xp.log2(largest / 2))  # the logarithm of the largest float may be rounded up, to a power beyond it


def _total(lists: Lists, values: Array, n: int | None) -> Array:
    """The sum of values of the first n documents for each query; NaN where it is too large for a float."""
    total = lists.total(lists.within(values, n))
    return lists.xp.where(lists.xp.isinf(total), float("nan"), total)


def _discounts(lists: Lists, discount: Discount) -> Array:
    xp = lists.xp
    if discount == "log2":
        return xp.log2(lists.ranks + 1)
    return xp.where(lists.ranks <= 2, 1.0, xp.log2(lists.ranks))
