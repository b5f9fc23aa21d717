"""How many relevant documents lists have, and how early: precision, recall, hits and average precision."""

from __future__ import annotations

from typing import Any

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measures.public import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["average_precision_score", "precision_at_n", "recall_at_n"]


@ranking_metric
def precision_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the first n documents that are relevant.

    h_n / n, of the h_n relevant documents among the first n of a list ([1]_, not checked against the text). Among tied
    documents each place has the share of them that is relevant: the mean over all their orders ([2]_, not checked
    against the text). Higher is better, 1 where all n are relevant; from 0 to 1.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all that the list has. A list of fewer than n is
        divided by n all the same: what it lacks is not relevant.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, and for an ``n`` that is no positive integer.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says. torchmetrics 1.9 takes a document with a
    score of 0 or less for one that was not retrieved; here scores are an order and no more. :meth:`Ranked.from_scores`
    says what leaves the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    Of the first three documents two are relevant; of the first four of a list of two, two; all; and none:

    >>> from gpuval import ranking
    >>> float(ranking.precision_at_n([1, 0, 1, 0], n=3)) == 2 / 3
    True
    >>> float(ranking.precision_at_n([1, 1], n=4))
    0.5
    >>> float(ranking.precision_at_n([1, 1], n=2))
    1.0
    >>> float(ranking.precision_at_n([0, 0, 1], n=2))
    0.0
    """
    found = lists.total(lists.within(lists.expected(lists.hits), n))
    return (
        found / n
        if n is not None
        else ratio(found, lists.xp.astype(lists.lengths[: lists.n_queries], found.dtype), lists.xp)
    )


@ranking_metric
def recall_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the relevant documents that are among the first n.

    h_n / r, of the h_n relevant documents among the first n of a list, and the r that are relevant to its query: those
    of the list, or ``n_relevant`` ([1]_, not checked against the text). Among tied documents each place has the share
    of them that is relevant: the mean over all their orders ([2]_, not checked against the text). Higher is better, 1
    where all are found; from 0 to 1.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, and for an ``n`` that is no positive integer.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says. With an n beyond the list, all of the list
    counts. torchmetrics 1.9 takes a document with a score of 0 or less for one that was not retrieved; here scores are
    an order and no more. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    One of two relevant documents, both, and none:

    >>> from gpuval import ranking
    >>> float(ranking.recall_at_n([1, 0, 1, 0], n=2))
    0.5
    >>> float(ranking.recall_at_n([1, 1, 0, 0], n=2))
    1.0
    >>> float(ranking.recall_at_n([0, 0, 1], n=2))
    0.0
    """
    return ratio(lists.total(lists.within(lists.expected(lists.hits), n)), lists.n_relevant, lists.xp)


@ranking_metric
def average_precision_score(lists: Lists, *, n: int | None = None) -> Array:
    """Mean over the relevant documents of the precision at the rank of each.

    The sum of h_k / k over the ranks k <= n of relevant documents, with the h_k relevant ones down to rank k, by min(n,
    r), of the r documents that are relevant to the query: those of the list, or ``n_relevant`` ([1]_, not checked
    against the text). Its mean over the queries is known as MAP. Tied documents have the mean over all their orders
    ([2]_, not checked against the text). Higher is better, 1 where all relevant documents come first; from 0 to 1.

    Parameters
    ----------
    n
        How many documents count, from the top of each list; None for all.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises, and for an ``n`` that is no positive integer.

    Notes
    -----
    A query without relevant documents has 0, or what ``on_undefined`` says. With an n beyond the list, all of the list
    counts.

    Of one query without ties and without ``n`` it is scikit-learn's score of this name, which takes tied documents for
    one place of the list and has no n. torchmetrics 1.9 divides by the relevant documents that are among the first n,
    so that a list which finds one of three, and has it first, is perfect; and it takes a document with a score of 0 or
    less for one that was not retrieved.

    :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    Six lists to queries with three relevant documents each, 52/135; one of two tied documents is relevant, so that it
    is the first or the second; and a perfect and a null list:

    >>> from gpuval import ranking
    >>> lists = [[0, 0, 1, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0]]
    >>> round(float(ranking.average_precision_score(lists, n=5, n_relevant=3)) * 135, 12)
    52.0
    >>> float(ranking.average_precision_score([0, 1], [0.5, 0.5]))
    0.75
    >>> float(ranking.average_precision_score([1, 1, 0], [0.9, 0.5, 0.1]))
    1.0
    >>> float(ranking.average_precision_score([0, 0, 1], [0.9, 0.5, 0.1], n=2))
    0.0
    """
    hits, xp = lists.hits, lists.xp
    above = lists.above_group(hits) + 1
    if lists.ties is not None:
        # A relevant one at place j of a group of g, h of them relevant, has (j - 1)(h - 1)/(g - 1) such ones before it.
        g, j, h = lists.ties.sizes, lists.ties.places, lists.in_group(hits)
        above = above + (j - 1) * ratio(h - 1, g - 1, xp)
    found = lists.total(lists.within(lists.expected(hits) * above / lists.ranks, n))
    most = _at_most(lists.n_relevant, n, xp)
    return ratio(found, most, xp)


def _at_most(numbers: Array, n: int | None, xp: Any) -> Array:
    return numbers if n is None else xp.where(numbers > n, float(n), numbers)
