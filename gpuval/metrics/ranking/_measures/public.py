"""From a formula of ranked lists to a public measure: its arguments, its docstring, and how its score goes out."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, cast, overload

from gpuval.engines.backends import is_dask
from gpuval.inputs.options import check_flag
from gpuval.metrics._common.documents import documented
from gpuval.metrics._common.labelled import in_pandas, printed_by_label
from gpuval.metrics._common.options import Formula, OnUndefined, check_on_undefined
from gpuval.metrics._common.result import finished
from gpuval.metrics.ranking._measures.blocks import check_gives_means, means_over_blocks
from gpuval.metrics.ranking._measures.options import check_adds_up, read_options
from gpuval.metrics.ranking._measures.values import mean_of, of_queries
from gpuval.metrics.ranking.ranked import Ranked, Ties
from gpuval.numerics import Array
from gpuval.numerics.stable import sums_for_means, weighed_sums

RANKING = """\
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
"""
BUILDING = """\
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
"""
_COMMON = f"""\
{BUILDING}\
    on_undefined
        The value of a query for which there is none, by default "{{default}}": "zero", "one", "nan", or "skip", to
        leave the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each, too. The result prints as a table, and has ``to_pandas()``.
"""


class RankingMeasure(Protocol):
    """A measure of a ranking."""

    __name__: str
    formula: Formula
    """What gives a value for each query."""
    on_undefined: OnUndefined
    """What the value of a query is by default for which it is not defined."""

    def __call__(
        self,
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        ties: Ties | None = None,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_relevance: Any = None,
        n_relevant: Any = None,
        n_queries: int | None = None,
        on_undefined: OnUndefined = "zero",
        return_per_query: bool = False,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


class QueryValues(NamedTuple):
    """The mean over the queries and the value of each; what ``return_per_query`` gives."""

    score: Any
    """The mean over the queries."""
    queries: Any
    """The queries, sorted, shape (n_queries,): of the library of ``y_true`` if it has such numbers, else NumPy's."""
    query_scores: Any
    """The value of each query, shape (n_queries,)."""

    def to_pandas(self) -> Any:
        """The scores of the queries as a pandas Series, by query (copies to the host)."""
        return in_pandas(self)

    def __repr__(self) -> str:
        return printed_by_label(self)


@overload
def ranking_metric(formula: Formula) -> RankingMeasure: ...
@overload
def ranking_metric(*, on_undefined: OnUndefined) -> Callable[[Formula], RankingMeasure]: ...
def ranking_metric(formula: Formula | None = None, *, on_undefined: OnUndefined = "zero") -> Any:
    """Make a public measure of a formula ``f(lists, *, options)``, which gives a value for each query.

    Or a pair: the values, and for which queries they are defined; else it is for those that have a relevant document.
    """
    if formula is None:
        return functools.partial(_ranking_metric, default=on_undefined)
    return _ranking_metric(formula, on_undefined)


def _ranking_metric(formula: Formula, default: OnUndefined) -> RankingMeasure:
    @functools.wraps(formula)
    def score(
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        ties: Ties | None = None,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_relevance: Any = None,
        n_relevant: Any = None,
        n_queries: int | None = None,
        on_undefined: OnUndefined = default,
        return_per_query: bool = False,
        **options: Any,
    ) -> Any:
        options = read_options(options, formula)
        check_on_undefined(on_undefined)
        check_flag("return_per_query", return_per_query)
        building = {
            "ties": ties,
            "mask": mask,
            "sample_weight": sample_weight,
            "ignore_relevance": ignore_relevance,
            "n_relevant": n_relevant,
            "n_queries": n_queries,
        }
        if is_dask(y_true) or is_dask(y_score):
            check_gives_means(return_per_query)
            check_adds_up(formula, options)
            add_up = functools.partial(_sums_of_one, formula=formula, options=options, on_undefined=on_undefined)
            means, _ = means_over_blocks(add_up, y_true, y_score, building | {"queries": queries})
            return finished(means[0, ...])
        ranked = as_ranked(y_true, y_score, queries, **building)
        values, weights = of_queries(ranked, formula, options, on_undefined)
        mean = finished(mean_of(values, weights, ranked), ranked.given)
        if not return_per_query:
            return mean
        return QueryValues(mean, ranked.queries, finished(values, ranked.given))

    public = cast(RankingMeasure, score)
    public.formula, public.on_undefined = formula, default
    own = [x for x in inspect.signature(formula).parameters.values() if x.kind is x.KEYWORD_ONLY]
    outer = inspect.signature(score, follow_wrapped=False).parameters.values()
    common = [x for x in outer if x.kind is not x.VAR_KEYWORD]
    keywords = [x for x in common if x.kind is x.KEYWORD_ONLY]
    public.__signature__ = inspect.Signature([*(x for x in common if x not in keywords), *own, *keywords])  # type: ignore[attr-defined]
    return documented(RANKING, "", _COMMON.format(default=default))(public)


def as_ranked(y_true: Any, y_score: Any = None, queries: Any = None, **building: Any) -> Ranked:
    """The ranking that was given in place of relevances, or that of relevances and scores."""
    given = {"y_score": y_score, "queries": queries, **building}
    if not isinstance(y_true, Ranked):
        return Ranked.from_scores(y_true, **{name: x for name, x in given.items() if x is not None})
    for name, x in given.items():
        if x is not None:
            raise TypeError(f"{name}= cannot be given with a Ranked: give it to Ranked.from_scores")
    return y_true


def _sums_of_one(ranked: Ranked, formula: Formula, options: dict[str, Any], on_undefined: OnUndefined) -> Array:
    """The sums of one measure."""
    xp = ranked.backend.xp
    return sums_for_means([weighed_sums(*of_queries(ranked, formula, options, on_undefined), xp)], xp)
