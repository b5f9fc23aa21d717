"""Pairs of a relevant and an irrelevant document: how many are in the right order."""

from __future__ import annotations

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measures.public import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["concordance_ratio"]


@ranking_metric(on_undefined="nan")
def concordance_ratio(lists: Lists) -> tuple[Array, Array]:
    """Share of the pairs of a relevant and an irrelevant document that are in the right order.

    The documents of a query are sorted by their scores, the highest first. Let r be the number of relevant documents in
    the list and u the number of the other documents, so that there are r u pairs of one of each kind. Let C be the
    number of pairs whose relevant document stands higher, and T the number of pairs whose documents have equal scores.
    The value of the query is (C + T/2) / (r u): the area under the ROC curve (AUC) of one query ([1]_, not checked
    against the text). Use it when the whole order matters, not only the top of the list.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``: from 0 to 1, higher is better; 1 if
        all relevant documents are above all others, 1/2 for a random order. No unit. With ``return_per_query=True``, a
        named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises.

    Notes
    -----
    A list has no such pair if none of its documents is relevant, or if all are. The value of such a query is NaN, and
    so is the mean, unless ``on_undefined`` says otherwise ("skip" leaves the query out). Relevant documents that are
    missing from the list are in no pair, so ``n_relevant`` and ``ideal`` change nothing; an empty list has no pair.

    Some authors use the name for C / (C + D), where D is the number of pairs in the wrong order. That ratio leaves tied
    pairs out; here a tied pair counts one half. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.

    Examples
    --------
    Of the documents E, D, C, B, A the first and the fourth are relevant: 4 of 6 pairs are in the right
    order. Then a perfect list, the worst list, and a list whose documents are all tied:

    >>> from gpuval import ranking
    >>> float(ranking.concordance_ratio([1, 0, 0, 1, 0])) == 4 / 6
    True
    >>> float(ranking.concordance_ratio([1, 1, 0]))
    1.0
    >>> float(ranking.concordance_ratio([0, 1, 1]))
    0.0
    >>> float(ranking.concordance_ratio([0, 1, 1], [0.5, 0.5, 0.5]))
    0.5
    """
    hits = lists.hits
    misses, above = 1 - hits, lists.above_group(hits)
    if lists.ties is not None:
        above = above + lists.in_group(hits) / 2
    pairs = lists.total(hits) * lists.total(misses)
    return ratio(lists.total(misses * above), pairs, lists.xp), pairs > 0
