"""Measures of rankings, as in search and recommendation.

Each query has documents with a true relevance and a predicted score. The scores sort the documents of a query, and a
measure tells how early the relevant ones come. Each measure takes ``y_true`` (relevances) and ``y_score``, with a row
for each query, and returns the mean over the queries. :func:`evaluate` computes several measures at once:

- :func:`ndcg_score` (nDCG), :func:`dcg_score` and :func:`cumulative_gain`, for relevance in grades;
- :func:`average_precision_score` (MAP), :func:`precision_at_n` and :func:`recall_at_n`, for relevant or not;
- :func:`reciprocal_rank_score` (MRR), :func:`hit_rate` and :func:`expected_reciprocal_rank` (ERR), for a user who stops
  at the first good document;
- :func:`concordance_ratio` (AUC of a query), for the whole order;
- :func:`average_overlap`, which compares two ranked lists of items;
- :func:`kendall_tau`, :func:`spearman_rho` and :func:`weighted_tau`, which correlate two orders of the same items.

:class:`Ranked` is a ranking that is sorted once for several calls, and :class:`RankingAccumulator` takes batches.

Examples
--------
>>> from gpuval import ranking
>>> y_true, y_score = [[0, 1, 0], [1, 0, 1]], [[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]]
>>> float(ranking.reciprocal_rank_score(y_true, y_score))
0.75
"""

# Written by .ci/generate.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from gpuval.ranking.accumulator import RankingAccumulator as RankingAccumulator
from gpuval.ranking.evaluation import RankingScores as RankingScores
from gpuval.ranking.ranked import Ranked as Ranked

__all__ = [
    "Ranked",
    "RankingAccumulator",
    "RankingScores",
    "average_overlap",
    "average_precision_score",
    "concordance_ratio",
    "cumulative_gain",
    "dcg_score",
    "evaluate",
    "expected_reciprocal_rank",
    "hit_rate",
    "kendall_tau",
    "ndcg_score",
    "precision_at_n",
    "recall_at_n",
    "reciprocal_rank_score",
    "spearman_rho",
    "weighted_tau",
]

def average_overlap(
    first: Any,
    second: Any,
    *,
    n: int | None = None,
    depths: Iterable[int] | None = None,
    ignore_items: Any = None,
    return_per_query: bool = False,
) -> Any:
    """Mean, over several depths, of the share of items that two ranked lists have in common down to a depth.

    Let A_z and B_z be the sets of the first z items of the two lists. The overlap at the depth z is the number of items
    that are in both sets, divided by z. The value of a query is the mean of the overlaps at z = 1, ..., n ([1]_), or at
    the given ``depths``. If a list has fewer than z items, its set is smaller, but the divisor is still z. Use it to
    compare two orders of the same kind of items where the top matters most, such as the marker genes that two methods
    find.

    Parameters
    ----------
    first, second
        The items of each list from the top down; no list contains an item twice. Give two vectors, of any type that
        labels may have except real numbers (they may have different lengths); or two matrices of shape (n_queries,
        n_items), with a row for each query. Both must be of one library and on one device.
    n
        The depth down to which the lists are compared. None goes down to the end of the longer list of each query.
    depths
        The depths over which the mean is taken, such as ``(2, 4)``, in place of ``n``.
    ignore_items
        One item or several, such as -1, with which rows are padded. They do not count and take no rank.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``first``. From 0, for lists that have nothing in
        common, to 1, for equal lists; higher is better. Symmetric. No unit. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` (the numbers of the rows) and ``query_scores``, the last two of shape
        (n_queries,).

    References
    ----------
    .. [1] W. Webber, A. Moffat and J. Zobel, "A similarity measure for indefinite rankings", ACM Transactions on
       Information Systems 28, 2010.
    """

def average_precision_score(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    divisor: Literal["cutoff", "relevant", "found"] = "cutoff",
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
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
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    divisor
        By what the sum is divided: "cutoff" is min(n, r), the most hits that n documents can have; "relevant" is r, as
        in TREC's MAP@n (``map_cut``), so that a list of n documents cannot have 1 if r > n; "found" is h_n, the hits
        that were found, as in torchmetrics, so that missing a document costs nothing. Without n, "cutoff" is r, too.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all relevant documents come first. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def concordance_ratio(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_query: bool = False,
) -> Any:
    """Share of the pairs of a relevant and an irrelevant document that are in the right order.

    The documents of a query are sorted by their scores, the highest first. Let r be the number of relevant documents in
    the list and u the number of the other documents, so that there are r u pairs of one of each kind. Let C be the
    number of pairs whose relevant document stands higher, and T the number of pairs whose documents have equal scores.
    The value of the query is (C + T/2) / (r u): the area under the ROC curve (AUC) of one query ([1]_). Use it when the
    whole order matters, not only the top of the list.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "nan": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``: from 0 to 1, higher is better; 1 if
        all relevant documents are above all others, 1/2 for a random order. No unit. With ``return_per_query=True``, a
        named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.
    """

def cumulative_gain(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    gain: Literal["linear", "exponential"] = "linear",
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Sum of the gains of the first n documents of a list (CG).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The gain g_k of the document at rank k is its relevance, and the value of the query is the sum
    of g_k over the ranks k <= n ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is
    2^g - 1 ([2]_). If the first n documents end among tied documents, each of these ranks has the mean gain of the tied
    documents: this is the mean over all their orders ([3]_). Use it to see how much relevance the first n documents
    have in total, in whatever order.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; 0 or more, without
        an upper bound. It has the unit of the relevances if gains are linear. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def dcg_score(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    gain: Literal["linear", "exponential"] = "linear",
    discount: Literal["log2", "jarvelin"] = "log2",
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Sum of the gains of the first n documents, each divided by a discount that grows with the rank (DCG).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The gain g_k of the document at rank k is its relevance, and d_k is the discount of this rank:
    log2(k + 1), or max(1, log2(k)) with ``discount="jarvelin"``. The value of the query is the sum of g_k / d_k over
    the ranks k <= n ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is 2^g - 1 ([2]_).
    Tied documents all have their mean gain: this is the mean over all their orders ([3]_). Use :func:`ndcg_score` to
    compare queries with different numbers of relevant documents.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.
    discount
        The number by which the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two
        ranks and log2(k) from there on.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; 0 or more, without
        an upper bound. It has the unit of the relevances if gains are linear. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def evaluate(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    metrics: str
    | Callable[..., Any]
    | Iterable[str | Callable[..., Any]]
    | Mapping[Any, str | Callable[..., Any]]
    | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] | None = None,
    return_per_query: bool = False,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
) -> RankingScores:
    """Compute several measures of one ranking, which is sorted only once.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    metrics
        Names of measures, full or short (see Notes), upper or lower case; "@10" after a name means that only the first
        10 documents count, as in "ndcg@10". Or your own functions of a :class:`Ranked` that return a number, an array,
        or a tuple of these. A mapping gives the measures new names; "all" stands for all measures. By default "map",
        "mrr", "ndcg@10", "precision@10", "recall@10" and "hit_rate@10". For a Dask array, a function returns the value
        of each query instead, shape (n_queries,), and "all" is an error, because the expected reciprocal rank then
        needs its ``max_relevance``.
    on_undefined
        The value of a query for which a measure is not defined: "zero", "one", "nan", or "skip", which leaves the query
        out of the mean. By default each measure uses its own default.
    return_per_query
        Whether to keep the value of each query, for :meth:`RankingScores.per_query`.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.

    Returns
    -------
    RankingScores
        A mapping from names to scores. Each score is the mean over the queries, in the library and on the device of
        ``y_true``. It also has ``n_queries``, the number of queries, and ``n_undefined``, the number of queries for
        which each measure is not defined.
    """

def expected_reciprocal_rank(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    max_relevance: float | None = None,
    relevance: Literal["grade", "probability"] = "grade",
    divide_by_n: bool = False,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Expected value of one divided by the rank at which a user stops, satisfied by a document (ERR).

    A user reads a list from the top and stops at the first document that satisfies. Let g_k be the relevance of the
    document at rank k, m the largest relevance that a document can have, and p_k = (2^g_k - 1) / 2^m the probability
    that this document satisfies. The user stops at rank k with the probability q_k = p_k (1 - p_1) (1 - p_2) ... (1 -
    p_(k-1)). The value of the query is the sum of q_k / k over the ranks k <= n ([1]_). Tied documents count with the
    mean over all their orders. Use it when relevance has several grades and a very good document makes the ones below
    it less useful.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
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
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. Higher is better; from 0, if nothing
        is relevant, to below 1, which it approaches the larger the first relevances are. It is 1 if the first document
        satisfies with the given probability 1. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan, "Expected reciprocal rank for graded relevance", CIKM
       2009.
    .. [2] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def hit_rate(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the queries that have a relevant document among the first n (hit rate, HR@n, success@n).

    The documents of a query are sorted by their scores, the highest first. The value of the query is 1 if at least one
    of the first n documents of this list is relevant, and 0 otherwise ([1]_). If the first n documents end among tied
    documents, it is the share of their orders that have a relevant document among the first n ([2]_). Use it when one
    good result is enough.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        every query has a relevant document among the first n. No unit. With ``return_per_query=True``, a named tuple of
        ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] M. Deshpande and G. Karypis, "Item-based top-N recommendation algorithms", ACM Transactions on Information
       Systems 22, 2004.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def kendall_tau(
    x: Any,
    y: Any,
    queries: Any = None,
    *,
    variant: Literal["b", "c"] = "b",
    mask: Any = None,
    sample_weight: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_query: bool = False,
) -> Any:
    """Kendall's tau: the pairs of items in the same order, less those in opposite order, as a share of the pairs.

    Of the n (n - 1)/2 pairs of the n items of a query, let C be the number of those that x and y have in the same
    order, and D of those in opposite order. A pair that is tied in x or in y is in neither. Let P be the number of
    pairs that are not tied in x, and Q of those not tied in y. Variant "b" is (C - D) / sqrt(P Q) ([1]_). Variant "c"
    is 2 m (C - D) / (n^2 (m - 1)), where m is the smaller of the numbers of different values that x and y have ([2]_).
    Without ties both are (C - D) / (C + D). Use it to compare the orders that two programs give, or an order with the
    right one, where each pair of items matters as much.

    Parameters
    ----------
    x, y
        Two numbers of each item, such as its scores by two programs: of one shape, library and device, and no NaN. Only
        their order counts. A matrix of shape (n_queries, n_items) has a row for each query; a vector of shape
        (n_items,) is one query, or several with ``queries``.
    queries
        The query of each item, where ``x`` and ``y`` are vectors: in any order, and of any type that labels may have
        (integers, strings, categories).
    variant
        "b" or "c". With "b" only orders with the same ties have the value 1. "c" is for grades on two scales, such as
        five stars and three.
    mask
        Which items exist: booleans of the shape of ``x``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the correlation NaN.
    on_undefined
        The value of a query for which the correlation is not defined, because ``x`` or ``y`` has the same number for
        all its items (or it has fewer than two): "nan", the default, "zero", "one", or "skip", which leaves the query
        out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better, and 0 is the mean over all orders of y. Symmetric. No unit. With
        ``return_per_query=True``, a named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape
        (n_queries,).

    References
    ----------
    .. [1] M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
    .. [2] A. Stuart, "The estimation and comparison of strengths of association in contingency tables", Biometrika 40,
       1953.
    """

def ndcg_score(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    gain: Literal["linear", "exponential"] = "linear",
    discount: Literal["log2", "jarvelin"] = "log2",
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Discounted cumulative gain, divided by that of the best possible order (nDCG).

    The documents of a query are sorted by their scores, the highest first. The value of the query is DCG / IDCG. DCG is
    the sum that :func:`dcg_score` computes for the first n documents of this list. IDCG, the "ideal" DCG, is the same
    sum of the relevant documents of the query, those in the list or ``ideal``, sorted by their relevances, the largest
    first ([1]_). With ``gain="exponential"``, the gain of a document with the relevance g is 2^g - 1 ([2]_). Tied
    documents count with the mean over all their orders ([3]_). Use it when relevance has several grades and early ranks
    matter most.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    gain
        The gain of a document with the relevance g: "linear" is g, "exponential" is 2^g - 1.
    discount
        The number by which the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two
        ranks and log2(k) from there on.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 for
        the best order. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries`` and
        ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Transactions on
       Information Systems 20, 2002.
    .. [2] C. Burges et al., "Learning to rank using gradient descent", ICML 2005.
    .. [3] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def precision_at_n(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the first n documents that are relevant (precision@n, P@k).

    The documents of a query are sorted by their scores, the highest first. Let h_n be the number of relevant documents
    among the first n of this list. The value of the query is h_n / n ([1]_). If the first n documents end among tied
    documents, each of these ranks counts the share of the tied documents that is relevant: this is the mean over all
    their orders ([2]_). Use it when users see exactly n results.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents of the list. The
        divisor is ``n`` also for a list that is shorter: the missing documents count as not relevant.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all n documents are relevant. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries``
        and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def recall_at_n(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the relevant documents that are among the first n (recall@n).

    The documents of a query are sorted by their scores, the highest first. Let h_n be the number of relevant documents
    among the first n of this list, and r the number of documents that are relevant to the query: those in the list, or
    as ``n_relevant`` or ``ideal`` say it. The value of the query is h_n / r ([1]_). If the first n documents end among
    tied documents, each of these ranks counts the share of the tied documents that is relevant: this is the mean over
    all their orders ([2]_). Use it when missing a relevant document is costly. For the share of queries with at least
    one relevant document, see :func:`hit_rate`.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        all relevant documents are found. No unit. With ``return_per_query=True``, a named tuple of ``score``,
        ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def reciprocal_rank_score(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """One divided by the rank of the first relevant document (RR; its mean over queries is MRR).

    The documents of a query are sorted by their scores, the highest first; the rank k of a document is its position in
    this list, from 1 on. The value of the query is 1 / k, where k is the rank of the first relevant document, and 0 if
    none of the first n documents is relevant ([1]_). Tied documents count with the mean over all their orders ([2]_).
    Use it when a user reads down to the first good result.

    Parameters
    ----------
    y_true
        The relevance of each document to its query: numbers that are finite and not negative. A document is relevant if
        its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each query; or a vector
        of shape (n_documents,), which is one query, or several with ``queries``; or a :class:`Ranked`, which replaces
        all the arguments that it was made of. Matrices may be Dask arrays: they are read in blocks of whole rows, whose
        sums are added up, and ``return_per_query`` is not available.
    y_score
        The score of each document, with the shape, the library and the device of ``y_true``. A document with a higher
        score stands higher in the list of its query. None means that the documents are already in the order of their
        lists, the best first.
    queries
        The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
        (integers, strings, categories).
    n
        The cut-off: only the first ``n`` documents of each list count. None counts all documents.
    ties
        What to do with tied documents, that is, documents of one query with equal scores. "average", the default, takes
        the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they were given.
    mask
        Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    n_relevant
        How many documents are relevant to each query, for lists that do not contain all of them: one number, or shape
        (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of the queries
        to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in order); those
        that have no document in ``queries`` count, too. A query whose list is empty, of which something is relevant, is
        a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
    ideal
        In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its list
        among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in zeros; a
        vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the score NaN.
    on_undefined
        The value of a query for which the measure is not defined, by default "zero": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if
        the first document is relevant. No unit. With ``return_per_query=True``, a named tuple of ``score``, ``queries``
        and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] E. M. Voorhees, "The TREC-8 question answering track report", TREC 1999.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """

def spearman_rho(
    x: Any,
    y: Any,
    queries: Any = None,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_query: bool = False,
) -> Any:
    """Spearman's rho: the correlation of the ranks of the items, of which tied ones have the mean of theirs.

    Let r_i be the rank of item i of a query by x, and s_i that by y; tied items have the mean of the ranks that they
    take together. The value is the correlation of Pearson of r and s ([1]_). Without ties it is
    1 - 6 sum (r_i - s_i)^2 / (n^3 - n) for n items. An item counts the more, the further it is from its place; in
    :func:`kendall_tau` each pair in the wrong order counts the same.

    Parameters
    ----------
    x, y
        Two numbers of each item, such as its scores by two programs: of one shape, library and device, and no NaN. Only
        their order counts. A matrix of shape (n_queries, n_items) has a row for each query; a vector of shape
        (n_items,) is one query, or several with ``queries``.
    queries
        The query of each item, where ``x`` and ``y`` are vectors: in any order, and of any type that labels may have
        (integers, strings, categories).
    mask
        Which items exist: booleans of the shape of ``x``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the correlation NaN.
    on_undefined
        The value of a query for which the correlation is not defined, because ``x`` or ``y`` has the same number for
        all its items (or it has fewer than two): "nan", the default, "zero", "one", or "skip", which leaves the query
        out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better, and 0 is the mean over all orders of y. Symmetric. No unit. With
        ``return_per_query=True``, a named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape
        (n_queries,).

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American Journal of Psychology
       15, 1904.
    """

def weighted_tau(
    x: Any,
    y: Any,
    queries: Any = None,
    *,
    ranks: Literal["both", "x", "y"] = "both",
    mask: Any = None,
    sample_weight: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_query: bool = False,
) -> Any:
    """Kendall's tau in which pairs weigh the more, the nearer their items are to the top of an order.

    Let r_i be the rank of item i of a query, from 1 on for the largest number. A pair of items i and j has the weight
    1/r_i + 1/r_j. Let C be the weight of all pairs that x and y have in the same order, D of those in opposite order, P
    of those that are not tied in x, and Q of those not tied in y. The value is (C - D) / sqrt(P Q) ([1]_): once with
    the ranks by x, where those tied in x are ranked by y, and once with the ranks by y, then by x; the mean of both
    counts. Use it to compare the orders of two programs where the top matters most.

    Parameters
    ----------
    x, y
        Two numbers of each item, such as its scores by two programs: of one shape, library and device, and no NaN. Only
        their order counts. A matrix of shape (n_queries, n_items) has a row for each query; a vector of shape
        (n_items,) is one query, or several with ``queries``.
    queries
        The query of each item, where ``x`` and ``y`` are vectors: in any order, and of any type that labels may have
        (integers, strings, categories).
    ranks
        By which order items are ranked: "x" (then y), "y" (then x), or "both", the mean of both values.
    mask
        Which items exist: booleans of the shape of ``x``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the correlation NaN.
    on_undefined
        The value of a query for which the correlation is not defined, because ``x`` or ``y`` has the same number for
        all its items (or it has fewer than two): "nan", the default, "zero", "one", or "skip", which leaves the query
        out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better. Symmetric with ``ranks="both"``. No unit. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    References
    ----------
    .. [1] S. Vigna, "A weighted correlation index for rankings with ties", WWW 2015.
    """
