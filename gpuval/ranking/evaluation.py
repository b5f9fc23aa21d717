"""Several measures of one ranking, which is sorted only once."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.display.tables import Printable, ResultMapping, TextTable
from gpuval.display.text import readable_name
from gpuval.engines.backends import is_dask
from gpuval.engines.backends.pytrees import as_tree
from gpuval.inputs.options import check_flag, require_extra
from gpuval.measures.documents import document_parameters
from gpuval.measures.requests import MeasureRequest, Metrics, is_all
from gpuval.measures.result import OnUndefined, as_result, check_on_undefined
from gpuval.ranking._measure import (
    BUILDING,
    RANKING,
    QueryValues,
    as_ranked,
    check_add_up,
    check_gives_means,
    mean_of,
    means_over_blocks,
    measure_values,
    query_sums,
)
from gpuval.ranking.names import READER, ranking_name
from gpuval.ranking.ranked import Ranked, Ties
from gpuval.results.scores import equal, is_score, parts, plain, score_line
from gpuval.table.labels import pandas_index

__all__ = ["RankingScores", "evaluate"]


@document_parameters(RANKING, "", BUILDING)
def evaluate(
    y_true: Any,
    y_score: Any = None,
    queries: Any = None,
    *,
    metrics: Metrics = None,
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

    =========  ========================
    short      measure
    =========  ========================
    precision  precision_at_n
    recall     recall_at_n
    ap, map    average_precision_score
    auc        concordance_ratio
    cg         cumulative_gain
    dcg        dcg_score
    ndcg       ndcg_score
    rr, mrr    reciprocal_rank_score
    err        expected_reciprocal_rank
    =========  ========================

    Examples
    --------
    The best order, and an order without a relevant document among the first two:

    >>> from gpuval import ranking
    >>> ranking.evaluate([1, 1, 0], [0.9, 0.8, 0.1], metrics=["map", "ndcg@2"])
                             score  queries  undefined
    average_precision_score  1.000        1          0
    ndcg_score@2             1.000        1          0
    >>> float(ranking.evaluate([0, 0, 1], [0.9, 0.8, 0.1], metrics="ndcg@2")["ndcg@2"])
    0.0

    Queries in any order; the ranking can be used for other measures, too:

    >>> ranked = ranking.Ranked.from_scores([1, 0, 1], [0.2, 0.3, 0.9], ["a", "a", "b"])
    >>> scores = ranking.evaluate(ranked, metrics=["mrr"], return_per_query=True)
    >>> scores.per_query("mrr").query_scores
    array([0.5, 1. ])
    """
    asked = READER.read(metrics)
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
        return _score_blocks(asked, on_undefined, y_true, y_score, building | {"queries": queries})
    ranked = as_ranked(y_true, y_score, queries, **building)
    scores, undefined, per_query = _score_measures(ranked, asked, on_undefined)
    scores |= {name: _user_score(ranked, name, one) for name, one in asked.items() if not one.is_ours}
    return RankingScores(
        tuple(asked),
        [scores[name] for name in asked],
        [undefined.get(name) for name in asked],
        [per_query.get(name) for name in asked] if return_per_query else None,
        ranked.queries if return_per_query else None,
        ranked.shape[:1],
    )


def _score_measures(
    ranked: Ranked, asked: dict[Any, MeasureRequest], on_undefined: OnUndefined | None
) -> tuple[dict[Any, Any], dict[Any, Any], dict[Any, Any]]:
    """By the names of our measures: the score, for how many queries it is undefined, and the value of each query."""
    scores, undefined, per_query = {}, {}, {}
    dtype = ranked.lengths.dtype
    for name, found in zip(asked, measure_values(ranked, asked.values(), on_undefined), strict=True):
        if found is None:
            continue
        values, weights, defined = found
        scores[name] = as_result(mean_of(values, weights, ranked), ranked.given)
        undefined[name] = as_result(ranked.backend.sum(ranked.backend.xp.astype(~defined, dtype)), ranked.given)
        per_query[name] = as_result(values, ranked.given)
    return scores, undefined, per_query


def _score_blocks(
    asked: dict[Any, MeasureRequest],
    on_undefined: OnUndefined | None,
    y_true: Any,
    y_score: Any,
    building: dict[str, Any],
) -> RankingScores:
    """The scores of rows that Dask holds, whose sums add up block by block."""
    add_up = functools.partial(query_sums, asked=tuple(asked.values()), on_undefined=on_undefined)
    means, n_queries = means_over_blocks(add_up, y_true, y_score, building)
    scores = [as_result(means[i, ...]) for i in range(len(asked))]
    return RankingScores(tuple(asked), scores, [None] * len(asked), None, None, (n_queries,))


def _user_score(ranked: Ranked, name: Any, asked: MeasureRequest) -> Any:
    """What a function of a user gives."""
    score = asked.measure(ranked, **asked.options)
    if not is_score(score):
        raise TypeError(
            f"metrics must give a number, an array, or a tuple of these for a ranking, got {type(score).__name__} from "
            f"{name!r}"
        )
    return score


# The result of ``gpuval.ranking.evaluate``: scores by their names, which print as a table and convert to pandas.


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class RankingScores(ResultMapping[Any, Any]):
    """Scores of a ranking by the names of their measures: the result of :func:`evaluate`. It prints as a table.

    The names are the full names of the measures, with "@n" if that was asked for, or the names that a mapping gave
    them. ``scores["map"]`` finds a score by the short name of its measure, too. For JAX and PyTorch it is a tree of its
    numbers, so a function under ``jax.jit`` can return it. Two results are equal if they have the same names and the
    same scores, on whatever devices the scores are.

    Examples
    --------
    >>> from gpuval import ranking
    >>> scores = ranking.evaluate([[1, 0, 0], [0, 0, 0]], [[0.1, 0.9, 0.5], [0.3, 0.2, 0.1]], metrics=["map", "mrr"])
    >>> scores
                             score  queries  undefined
    average_precision_score  0.167        2          1
    reciprocal_rank_score    0.167        2          1
    >>> round(float(scores["map"]), 4), scores.n_queries
    (0.1667, 2)
    """

    names: tuple[Any, ...]
    """The names of the scores."""
    values_of_names: list[Any]
    """The score of each name."""
    counts_of_undefined: list[Any]
    """For each name the number of queries for which its measure is not defined; None for your own function."""
    values_of_queries: list[Any] | None
    """For each name the value of each query, or None for your own function; only with ``return_per_query=True``."""
    queries: Any
    """The sorted queries with ``return_per_query=True``; else None."""
    shape: tuple[int]
    """The number of queries."""

    @property
    def n_queries(self) -> int:
        """The number of queries."""
        return self.shape[0]

    @property
    def n_undefined(self) -> dict[Any, Any]:
        """The number of queries for which each measure is not defined.

        For most measures these are the queries without a relevant document. ``on_undefined`` decides what such a query
        counts. Your own functions are not in this mapping.
        """
        counts = zip(self.names, self.counts_of_undefined, strict=True)
        return {name: count for name, count in counts if count is not None}

    def per_query(self, name: Any) -> QueryValues:
        """The score of one measure with the queries and the value of each query, as the measure itself returns them.

        Raises
        ------
        ValueError
            Without ``return_per_query=True`` in :func:`evaluate`.
        KeyError
            If there is no such name, or if it is the name of your own function.
        """
        if self.values_of_queries is None:
            raise ValueError("per_query() needs the values of queries; give return_per_query=True to evaluate")
        values = self.values_of_queries[self._place(name)]
        if values is None:
            raise KeyError(name)
        return QueryValues(self[name], self.queries, values)

    def _place(self, name: Any) -> int:
        for known in (name, ranking_name(name)):
            if known in self.names:
                return self.names.index(known)
        raise KeyError(name)

    def __getitem__(self, name: Any) -> Any:
        return self.values_of_names[self._place(name)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def _tables(self) -> Sequence[Printable]:
        undefined = self.n_undefined
        rows = []
        for name, score in parts(self):
            count = score_line(undefined[name]) if name in undefined else ""
            rows.append([readable_name(name), score_line(score), str(self.n_queries), count])
        return [TextTable(["", "score", "queries", "undefined"], rows)]

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host)."""
        return {name: plain(score) for name, score in parts(self)}

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        It has a row for each measure and the columns ``score``, ``n_queries`` and ``n_undefined``. ``n_undefined`` is
        missing for your own functions.
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        scores, undefined = self.to_dict(), self.n_undefined
        counts = [plain(undefined[name]) if name in undefined else None for name in scores]
        columns = {
            "score": list(scores.values()),
            "n_queries": self.n_queries,
            "n_undefined": pd.array(counts, dtype="Int64"),
        }
        return pd.DataFrame(columns, index=pandas_index(pd, list(scores), tupleize_cols=False))
