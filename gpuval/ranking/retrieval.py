"""How many relevant documents a list finds, and how early: precision, recall and average precision."""

from __future__ import annotations

from gpuval.measures.measure import measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.ranking._measure import RANKINGS, Divisor
from gpuval.ranking.lists import Lists

__all__ = ["average_precision_score", "concordance_ratio", "precision_at_n", "recall_at_n"]


@measure(RANKINGS, short=("precision",), usual=4, usual_n=10)
def precision_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the first n documents that are relevant (precision@n, P@k).

    The documents of a query are sorted by their scores, the highest first. Let h_n be the number of relevant documents
    among the first n of this list. The value of the query is h_n / n ([1]_). If the first n documents end among tied
    documents, each of these ranks counts the share of the tied documents that is relevant: this is the mean over all
    their orders ([2]_). Use it when users see exactly n results.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents of the list. The
        divisor is ``n`` also for a list that is shorter: the missing documents count as not relevant.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all n documents are relevant. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries``
        and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises, and if ``n`` is not a positive integer.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. torchmetrics 1.9 treats
    a document with a score of 0 or less as not retrieved; gpuval uses scores only to sort. :meth:`Ranked.from_scores`
    says what leaves the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    Two of the first three documents are relevant; two of the first four, in a list of two; then all, and none:

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


@measure(RANKINGS, short=("recall",), usual=5, usual_n=10)
def recall_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the relevant documents that are among the first n (recall@n).

    The documents of a query are sorted by their scores, the highest first. Let h_n be the number of relevant documents
    among the first n of this list, and r the number of documents that are relevant to the query: those in the list, or
    as ``n_relevant`` or ``ideal`` say it. The value of the query is h_n / r ([1]_). If the first n documents end among
    tied documents, each of these ranks counts the share of the tied documents that is relevant: this is the mean over
    all their orders ([2]_). Use it when missing a relevant document is costly. For the share of queries with at least
    one relevant document, see :func:`hit_rate`.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all relevant documents are found. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

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
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    One of two relevant documents is found; then both, and none:

    >>> from gpuval import ranking
    >>> float(ranking.recall_at_n([1, 0, 1, 0], n=2))
    0.5
    >>> float(ranking.recall_at_n([1, 1, 0, 0], n=2))
    1.0
    >>> float(ranking.recall_at_n([0, 0, 1], n=2))
    0.0
    """
    return ratio(lists.total(lists.within(lists.expected(lists.hits), n)), lists.n_relevant, lists.xp)


@measure(RANKINGS, short=("ap", "map"), usual=1)
def average_precision_score(lists: Lists, *, n: int | None = None, divisor: Divisor = "cutoff") -> Array:
    """Mean, over the relevant documents, of the precision at the rank of each (AP; its mean over queries is MAP).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. Let h_k be the number of relevant documents among the first k, so that h_k / k is the
    precision at rank k. Let r be the number of documents that are relevant to the query: those in the list, or as
    ``n_relevant`` or ``ideal`` say it. The value of the query is the sum of h_k / k over the ranks k <= n whose
    document is relevant, divided by min(n, r) ([1]_), or by r or h_n, see ``divisor``. Tied documents count with the
    mean over all their orders ([2]_). Use it when a document is either relevant or not, and all relevant documents
    shall come early.

    Parameters
    ----------
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    divisor
        By what the sum is divided: "cutoff" is min(n, r), the most hits that n documents can have; "relevant" is r, as
        in TREC's MAP@n (``map_cut``), so that a list of n documents cannot have 1 if r > n; "found" is h_n, the hits
        that were found, as in torchmetrics, so that missing a document costs nothing. Without n, "cutoff" is r, too.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all relevant documents come first. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`Ranked.from_scores` raises, if ``n`` is not a positive integer, and for an unknown
        option.

    Notes
    -----
    A query without relevant documents has the value 0, or the one that ``on_undefined`` names. If ``n`` is larger than
    the length of a list, the whole list counts.

    For one query without ties and without ``n``, the value is that of ``sklearn.metrics.average_precision_score``.
    scikit-learn treats tied documents as one place of the list, and has no ``n``. With ``divisor="found"``, a list that
    finds one of three relevant documents, at its first rank, is perfect, as in torchmetrics 1.9, which also treats a
    document with a score of 0 or less as not retrieved.

    :meth:`Ranked.from_scores` says what leaves the device. With ``divisor="found"``, tied documents and ``n`` above
    255, so does the largest number of tied documents among the first n, if lists may be so long (not in JAX).

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.

    Examples
    --------
    Six lists, for queries with three relevant documents each: the mean is 52/135. Then a list of two tied documents, of
    which one is relevant, so that it is the first or the second; a perfect list; and one that finds nothing:

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

    The first two documents of a list of three relevant ones, by the three divisors:

    >>> [float(ranking.average_precision_score([0, 1, 1, 1, 0], n=2, divisor=x)) for x in ("cutoff", "found")]
    [0.25, 0.5]
    >>> float(ranking.average_precision_score([0, 1, 1, 1, 0], n=2, divisor="relevant")) == 1 / 6
    True
    """
    hits, xp = lists.hits, lists.xp
    above = lists.sum_above_group(hits) + 1
    if lists.ties is not None:
        # A relevant one at place j of a group of g, h of them relevant, has (j - 1)(h - 1)/(g - 1) such ones before it.
        g, j, h = lists.ties.sizes, lists.ties.places, lists.group_sum(hits)
        above = above + (j - 1) * ratio(h - 1, g - 1, xp)
    precisions = lists.within(lists.expected(hits) * above / lists.ranks, n)
    if divisor == "found":
        return _mean_precision(precisions, lists, n)
    most = lists.n_relevant
    if divisor == "cutoff" and n is not None:
        most = xp.where(most > n, float(n), most)
    return ratio(lists.total(precisions), most, xp)


def _mean_precision(precisions: Array, lists: Lists, n: int | None) -> Array:
    """The sum of precisions by the number of hits among the first n, which differs between orders of tied documents.

    It does where a tied group, of g documents of which h are relevant, has m places among the first n, and not its
    last. Then x of those at these places are relevant with the hypergeometric probability p(x), and with a above the
    group and s the sum of their precisions, the mean is that of (s + x/m (a + 1) sum 1/k + x (x - 1)/(m (m - 1)) sum
    (j - 1)/k)/(a + x): the sums are over the m places j, which have the ranks k.
    """
    hits, xp, backend, ties = lists.hits, lists.xp, lists.backend, lists.ties
    if ties is None or n is None:
        return ratio(lists.total(precisions), lists.total(lists.within(hits, n)), xp)

    def total(values: Array, which: Array) -> Array:
        return lists.total(xp.where(which, values, xp.zeros_like(values)))

    top = lists.ranks - ties.places
    is_divided = (top < n) & (top + ties.sizes > n)
    is_within = lists.ranks <= n
    s, a = total(precisions, ~is_divided), total(hits, is_within & ~is_divided)
    is_place = is_divided & is_within
    one = xp.ones_like(hits)
    g, h, m = total(one, is_divided), total(hits, is_divided), total(one, is_place)
    reciprocals, weighed = total(1 / lists.ranks, is_place), total((ties.places - 1) / lists.ranks, is_place)
    by_hit, by_pair = ratio((a + 1) * reciprocals, m, xp), ratio(weighed, m * (m - 1), xp)
    low, high = xp.where(m > g - h, m - g + h, 0.0), xp.where(m < h, m, h)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        x, chance, mean = state  # of p(low), ..., p(x): the share of the last, and the mean by these
        value = ratio(s + x * by_hit + x * (x - 1) * by_pair, a + x, xp)
        mean = xp.where(x <= high, mean + chance * (value - mean), mean)
        odds = ratio((h - x) * (m - x), (x + 1) * (g - h - m + x + 1), xp) * chance  # p(x + 1) by all up to p(x)
        odds = xp.where(x < high, odds, xp.zeros_like(odds))
        return x + 1, odds / (1 + odds), mean

    needed = xp.max(high - low) + 1
    times = int(needed) if backend.on_host else backend.number_of_steps(needed, min(n, lists.longest) + 1)
    found: Array = backend.repeated(step, (low, xp.ones_like(low), xp.zeros_like(low)), times)[2]
    return found


# Pairs of a relevant and an irrelevant document: how many are in the right order.


@measure(RANKINGS, on_undefined="nan", short=("auc",))
def concordance_ratio(lists: Lists) -> tuple[Array, Array]:
    """Share of the pairs of a relevant and an irrelevant document that are in the right order.

    The documents of a query are sorted by their scores, the highest first. Let r be the number of relevant documents in
    the list and u the number of the other documents, so that there are r u pairs of one of each kind. Let C be the
    number of pairs whose relevant document stands higher, and T the number of pairs whose documents have equal scores.
    The value of the query is (C + T/2) / (r u): the area under the ROC curve (AUC) of one query ([1]_). Use it when the
    whole order matters, not only the top of the list.

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
    misses, above = 1 - hits, lists.sum_above_group(hits)
    if lists.ties is not None:
        above = above + lists.group_sum(hits) / 2
    pairs = lists.total(hits) * lists.total(misses)
    return ratio(lists.total(misses * above), pairs, lists.xp), pairs > 0
