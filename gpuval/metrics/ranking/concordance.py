"""Which pairs of a relevant and an irrelevant document are in the right order."""

from __future__ import annotations

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measures.public import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["concordance_ratio"]


@ranking_metric(on_undefined="nan")
def concordance_ratio(lists: Lists) -> tuple[Array, Array]:
    """Share of the pairs of a relevant and an irrelevant document of which the relevant one is higher in the list.

    (C + T/2) / (r u), of the r relevant and the u other documents of a list, the C pairs of both kinds of which the
    relevant one is higher, and the T tied ones: the area under the ROC curve of one query ([1]_, not checked against
    the text). Higher is better, 1 where all relevant documents are above all others; from 0 to 1, and 1/2 for a random
    order.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For what :meth:`Ranked.from_scores` raises.

    Notes
    -----
    A list without relevant documents, or with no others, has no such pair: the query, and with it the mean, is NaN,
    unless ``on_undefined`` says otherwise ("skip" leaves it out). Relevant documents that a list lacks are in no pair,
    so that ``n_relevant`` changes nothing.

    The name is used for C / (C + D), too, with the D pairs in the wrong order, which leaves tied pairs out; here they
    count one half. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.

    Examples
    --------
    Of the documents E, D, C, B, A the first and the fourth are relevant: 4 of 6 pairs are in order. Then a perfect
    list, the worst, and one of which all documents are tied:

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
