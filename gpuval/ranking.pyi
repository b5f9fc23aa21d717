"""Rankings, of search and recommendation: measures of the documents of queries in the order of their scores."""

# Written by .ci/stubs.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from gpuval.evaluation.ranking.accumulator import RankingAccumulator as RankingAccumulator
from gpuval.evaluation.ranking.result import RankingScores as RankingScores
from gpuval.metrics.ranking.ranked import Ranked as Ranked
from gpuval.metrics.ranking.two_lists.overlap import average_overlap as average_overlap

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
    "ndcg_score",
    "precision_at_n",
    "recall_at_n",
    "reciprocal_rank_score",
]

def average_precision_score(
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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Mean over the relevant documents of the precision at the rank of each.

    The sum of h_k / k over the ranks k <= n of relevant documents, with the h_k relevant ones down to rank k, by min(n,
    r), of the r documents that are relevant to the query: those of the list, or ``n_relevant`` ([1]_, not checked
    against the text). Its mean over the queries is known as MAP. Tied documents have the mean over all their orders
    ([2]_, not checked against the text). Higher is better, 1 where all relevant documents come first; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_query: bool = False,
) -> Any:
    """Share of the pairs of a relevant and an irrelevant document of which the relevant one is higher in the list.

    (C + T/2) / (r u), of the r relevant and the u other documents of a list, the C pairs of both kinds of which the
    relevant one is higher, and the T tied ones: the area under the ROC curve of one query ([1]_, not checked against
    the text). Higher is better, 1 where all relevant documents are above all others; from 0 to 1, and 1/2 for a random
    order.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "nan": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Sum of the gains of the first n documents.

    sum_k g_k over the ranks k <= n, of the gain g_k of the document at rank k ([1]_, not checked against the text); or
    with ``gain="exponential"`` of 2^g_k - 1 ([2]_, not checked against the text). Where the first n end among tied
    documents, each place has the mean gain of them: the mean over all their orders ([3]_, not checked against the
    text). Higher is better; 0 or more, without a bound.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. In the unit of the relevances if
        gains are linear. With ``return_per_query``, a named tuple of ``score``, ``queries`` and ``query_scores``, both
        of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Sum of the gains of the first n documents, each discounted by its rank.

    sum_k g_k / d_k over the ranks k <= n, of the gain g_k of the document at rank k and the discount d_k: log2(k + 1),
    or with ``discount="jarvelin"`` max(1, log2(k)) ([1]_, not checked against the text). With ``gain="exponential"``
    the gain is 2^g_k - 1 ([2]_, not checked against the text). Among tied documents each rank has the mean gain of
    them: the mean over all their orders ([3]_, not checked against the text). Higher is better; 0 or more, without a
    bound.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.

    discount
        By what the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two ranks and
        log2(k) from there on.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. In the unit of the relevances if
        gains are linear. With ``return_per_query``, a named tuple of ``score``, ``queries`` and ``query_scores``, both
        of shape (n_queries,).

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
    n_queries: int | None = None,
) -> RankingScores:
    """Evaluate many measures of one ranking, which is sorted once.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    metrics
        Names of measures, full or short (below), in any case, with "@10" where only the first 10 documents count; or
        functions of a :class:`Ranked` that give a number, an array, or a tuple of these. A mapping names them anew;
        "all" stands for all measures. By default "map", "mrr", "ndcg@10", "precision@10", "recall@10" and
        "hit_rate@10". Of rows that Dask holds a function gives the value of each query in place of a score, shape
        (n_queries,), and "all" is an error, as the expected reciprocal rank of blocks needs its ``max_relevance``.
    on_undefined
        The value of a query for which a measure has none: "zero", "one", "nan", or "skip", to leave the query out of
        the mean. By default as each measure has it.
    return_per_query
        Whether to keep the value of each query, for :meth:`RankingScores.per_query`.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.

    Returns
    -------
    RankingScores
        A mapping from names to scores, the means over the queries, each in the library and on the device of ``y_true``;
        with ``n_queries``, and ``n_undefined``, the number of queries for which a measure is not defined.
    """

def expected_reciprocal_rank(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    n: int | None = None,
    max_relevance: float | None = None,
    ties: Literal["average", "stable"] | None = None,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Mean of one by the rank at which a user stops, whom each document satisfies with a chance by its relevance.

    sum_k p_k / k prod_{i<k} (1 - p_i) over the ranks k <= n, where p = (2^g - 1) / 2^m is the chance that a document of
    relevance g satisfies, and m the largest relevance that there is ([1]_, not checked against the text). The sum is a
    mean over the ranks already: a further factor 1/n, which a lecture ([2]_, not checked against the text) has, is
    wrong. Tied documents have the mean over all their orders. Higher is better; from 0, where nothing is relevant, to
    below 1, which it is nearer to the larger the first relevances are.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.
    max_relevance
        The largest relevance m that a document may have, finite and not negative. None takes the largest of all
        documents that were given, which other documents may change: give it to compare scores, or to take the mean of
        several.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the queries with a relevant document among the first n.

    The value of a query is 1 if one of the first n documents of its list is relevant, and else 0 ([1]_, not checked
    against the text). Where the first n end among tied documents, it is the share of their orders that bring a relevant
    one ([2]_, not checked against the text). Higher is better, 1 where every list has one; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    References
    ----------
    .. [1] M. Deshpande and G. Karypis, "Item-based top-N recommendation algorithms", ACM Transactions on Information
       Systems 22, 2004.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Discounted cumulative gain by that of the best order.

    The sum of :func:`dcg_score` down to rank n by the same sum for the documents of the list in the order of their
    relevances ([1]_, not checked against the text). With ``gain="exponential"`` the gains are 2^g - 1 ([2]_, not
    checked against the text). Tied documents have the mean over all their orders ([3]_, not checked against the text).
    Higher is better, 1 for the best order; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.

    gain
        "linear": the gain of a document is its relevance g; "exponential": it is 2^g - 1.

    discount
        By what the gain at rank k is divided: "log2" is log2(k + 1); "jarvelin" is 1 for the first two ranks and
        log2(k) from there on.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the first n documents that are relevant.

    h_n / n, of the h_n relevant documents among the first n of a list ([1]_, not checked against the text). Among tied
    documents each place has the share of them that is relevant: the mean over all their orders ([2]_, not checked
    against the text). Higher is better, 1 where all n are relevant; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all that the list has. A list of fewer than n is
        divided by n all the same: what it lacks is not relevant.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """Share of the relevant documents that are among the first n.

    h_n / r, of the h_n relevant documents among the first n of a list, and the r that are relevant to its query: those
    of the list, or ``n_relevant`` ([1]_, not checked against the text). Among tied documents each place has the share
    of them that is relevant: the mean over all their orders ([2]_, not checked against the text). Higher is better, 1
    where all are found; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

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
    n_queries: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
    return_per_query: bool = False,
) -> Any:
    """One by the rank of the first relevant document.

    1 / k for the first relevant document at rank k, and 0 if none is among the first n; its mean over the queries is
    known as MRR ([1]_, not checked against the text). Tied documents have the mean over all their orders ([2]_, not
    checked against the text). Higher is better, 1 where the first document is relevant; from 0 to 1.

    Parameters
    ----------
    y_true
        The relevance of each document to its query, finite and not negative: a matrix of shape
        (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``; or a
        :class:`Ranked` in place of all that it is made of. A document is relevant if that is above 0. Dask may hold
        rows: their sums are added up block by block, each with whole rows, and there is no ``return_per_query``.
    y_score
        The score of each document, of the same shape, library and device; more is higher in the list. None if the
        documents stand in the order of their lists.
    queries
        The query of each document of a vector, in any order, of any kind that labels may be of.
    n
        How many documents count, from the top of each list; None for all.
    ties
        Documents of one query with equal scores: "average", the default, gives the mean over all their orders, exactly;
        "stable" takes the one as given.
    mask
        Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
        sorted queries.
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    n_relevant
        How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of them.
    n_queries
        The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong there makes the score NaN.
    on_undefined
        The value of a query for which there is none, by default "zero": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries: of the library of ``y_true``, and on its device. No unit. With ``return_per_query``,
        a named tuple of ``score``, ``queries`` and ``query_scores``, both of shape (n_queries,).

    References
    ----------
    .. [1] E. M. Voorhees, "The TREC-8 question answering track report", TREC 1999.
    .. [2] F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the presence
       of tied scores", ECIR 2008.
    """
