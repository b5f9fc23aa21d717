"""Several measures of one ranking, which is sorted only once."""

from __future__ import annotations

import functools
from typing import Any

from gpuval.engines.backends import is_dask
from gpuval.evaluation._common.names import is_all
from gpuval.evaluation.ranking.names import AskedMeasure, RankingMetrics, read_ranking_metrics
from gpuval.evaluation.ranking.result import RankingScores
from gpuval.evaluation.ranking.sums import check_add_up, of_measures, query_sums
from gpuval.evaluation.results.scores import is_score
from gpuval.inputs.options import check_flag
from gpuval.metrics._common.documents import documented
from gpuval.metrics._common.options import OnUndefined, check_on_undefined
from gpuval.metrics._common.result import finished
from gpuval.metrics.ranking._measures.blocks import check_gives_means, means_over_blocks
from gpuval.metrics.ranking._measures.public import BUILDING, RANKING, as_ranked
from gpuval.metrics.ranking._measures.values import mean_of
from gpuval.metrics.ranking.ranked import Ranked, Ties

__all__ = ["evaluate"]


@documented(RANKING, "", BUILDING)
def evaluate(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    metrics: RankingMetrics = None,
    on_undefined: OnUndefined | None = None,
    return_per_query: bool = False,
    ties: Ties | None = None,
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

    Returns
    -------
    RankingScores
        A mapping from names to scores. Each score is the mean over the queries, in the library and on the device of
        ``y_true``. It also has ``n_queries``, the number of queries, and ``n_undefined``, the number of queries for
        which each measure is not defined.

    Raises
    ------
    TypeError, ValueError
        For a name that no measure has, for no measures, and for two functions with one name; for a function that does
        not return scores; for a :class:`Ranked` together with scores or with arguments that it was made of; and for
        everything that a measure raises.

    Notes
    -----
    :meth:`Ranked.from_scores` says what leaves the device. Printing the result brings the scores to the host. For Dask
    arrays, the sums are added up block by block, and the queries for which a measure is undefined are not counted.

    The short names of measures:

    =========  =======================
    short      measure
    =========  =======================
    precision  precision_at_n
    recall     recall_at_n
    ap, map    average_precision_score
    rr, mrr    reciprocal_rank_score
    cg         cumulative_gain
    dcg        dcg_score
    ndcg       ndcg_score
    err        expected_reciprocal_rank
    auc        concordance_ratio
    =========  =======================

    Examples
    --------
    The best order, and an order without a relevant document among the first two:

    >>> from gpuval import ranking
    >>> ranking.evaluate([1, 1, 0], [0.9, 0.8, 0.1], metrics=["map", "ndcg@2"])
                              score  queries  undefined
    average_precision_score  1.0000        1          0
    ndcg_score@2             1.0000        1          0
    >>> float(ranking.evaluate([0, 0, 1], [0.9, 0.8, 0.1], metrics="ndcg@2")["ndcg@2"])
    0.0

    Queries in any order; the ranking can be used for other measures, too:

    >>> ranked = ranking.Ranked.from_scores([1, 0, 1], [0.2, 0.3, 0.9], ["a", "a", "b"])
    >>> scores = ranking.evaluate(ranked, metrics=["mrr"], return_per_query=True)
    >>> scores.per_query("mrr").query_scores
    array([0.5, 1. ])
    """
    asked = read_ranking_metrics(metrics)
    if on_undefined is not None:
        check_on_undefined(on_undefined)
    check_flag("return_per_query", return_per_query)
    building = {
        "ties": ties,
        "mask": mask,
        "sample_weight": sample_weight,
        "ignore_relevance": ignore_relevance,
        "n_relevant": n_relevant,
        "ideal": ideal,
        "n_queries": n_queries,
    }
    if is_dask(y_true) or is_dask(y_score):
        check_gives_means(return_per_query)
        check_add_up(asked.values(), is_all(metrics))
        return _of_blocks(asked, on_undefined, y_true, y_score, building | {"queries": queries})
    ranked = as_ranked(y_true, y_score, queries, **building)
    scores, undefined, per_query = _of_measures(ranked, asked, on_undefined)
    scores |= {name: _of_user(ranked, name, one) for name, one in asked.items() if not one.is_ours}
    return RankingScores(
        tuple(asked),
        [scores[name] for name in asked],
        [undefined.get(name) for name in asked],
        [per_query.get(name) for name in asked] if return_per_query else None,
        ranked.queries if return_per_query else None,
        ranked.shape[:1],
    )


def _of_measures(
    ranked: Ranked, asked: dict[Any, AskedMeasure], on_undefined: OnUndefined | None
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """By the names of our measures: the score, for how many queries it is undefined, and the value of each query."""
    scores, undefined, per_query = {}, {}, {}
    dtype = ranked.lengths.dtype
    for name, found in zip(asked, of_measures(ranked, asked.values(), on_undefined), strict=True):
        if found is None:
            continue
        values, weights, defined = found
        scores[name] = finished(mean_of(values, weights, ranked), ranked.given)
        undefined[name] = finished(ranked.backend.sum(ranked.backend.xp.astype(~defined, dtype)), ranked.given)
        per_query[name] = finished(values, ranked.given)
    return scores, undefined, per_query


def _of_blocks(
    asked: dict[Any, AskedMeasure],
    on_undefined: OnUndefined | None,
    y_true: Any,
    y_score: Any,
    building: dict[str, Any],
) -> RankingScores:
    """The scores of rows that Dask holds, whose sums add up block by block."""
    add_up = functools.partial(query_sums, asked=tuple(asked.values()), on_undefined=on_undefined)
    means, n_queries = means_over_blocks(add_up, y_true, y_score, building)
    scores = [finished(means[i, ...]) for i in range(len(asked))]
    return RankingScores(tuple(asked), scores, [None] * len(asked), None, None, (n_queries,))


def _of_user(ranked: Ranked, name: Any, asked: AskedMeasure) -> Any:
    """What a function of a user gives."""
    score = asked.measure(ranked, **asked.options)
    if not is_score(score):
        raise TypeError(
            f"metrics must give a number, an array, or a tuple of these for a ranking, got {type(score).__name__} from "
            f"{name!r}"
        )
    return score
