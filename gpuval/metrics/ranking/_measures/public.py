"""Turns a formula of ranked lists into a public measure: its arguments, its docstring, and the score it returns."""

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
"""
BUILDING = """\
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
"""
_COMMON = f"""\
{BUILDING}\
    on_undefined
        The value of a query for which the measure is not defined, by default "{{default}}": "zero", "one", "nan", or
        "skip", which leaves the query out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.
"""


class RankingMeasure(Protocol):
    """A measure of a ranking."""

    __name__: str
    formula: Formula
    """The function that computes a value for each query."""
    on_undefined: OnUndefined
    """The default value of a query for which the measure is not defined."""

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
        ideal: Any = None,
        n_queries: int | None = None,
        on_undefined: OnUndefined = "zero",
        return_per_query: bool = False,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


class QueryValues(NamedTuple):
    """The mean over the queries, and the value of each query: the result with ``return_per_query=True``."""

    score: Any
    """The mean over the queries."""
    queries: Any
    """The queries, sorted, shape (n_queries,): in the library of ``y_true`` if that has such numbers, else in NumPy."""
    query_scores: Any
    """The value of each query, shape (n_queries,)."""

    def to_pandas(self) -> Any:
        """The scores of the queries as a pandas Series with the queries as its index (copies to the host)."""
        return in_pandas(self)

    def __repr__(self) -> str:
        return printed_by_label(self)


@overload
def ranking_metric(formula: Formula) -> RankingMeasure: ...
@overload
def ranking_metric(
    *, on_undefined: OnUndefined = "zero", needs_ideal: bool = False
) -> Callable[[Formula], RankingMeasure]: ...
def ranking_metric(
    formula: Formula | None = None, *, on_undefined: OnUndefined = "zero", needs_ideal: bool = False
) -> Any:
    """Make a public measure of a formula ``f(lists, *, options)``, which returns a value for each query.

    The formula may return a pair instead: the values, and for which queries they are defined. Without the second part,
    they are defined for the queries that have a relevant document. One that ``needs_ideal`` is NaN where relevant
    documents are missing whose relevances are not known.
    """
    if formula is None:
        return functools.partial(_ranking_metric, default=on_undefined, needs_ideal=needs_ideal)
    return _ranking_metric(formula, on_undefined, needs_ideal)


def _ranking_metric(formula: Formula, default: OnUndefined, needs_ideal: bool) -> RankingMeasure:
    formula.needs_ideal = needs_ideal  # type: ignore[attr-defined]

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
        ideal: Any = None,
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
            "ideal": ideal,
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


def as_ranked(
    y_true: Any, y_score: Any = None, queries: Any = None, needs_weight: bool = True, **building: Any
) -> Ranked:
    """The ranking that was given as ``y_true``, or the one of the given relevances and scores.

    ``needs_weight`` says that one of its queries must have a weight, as in all that is no batch.
    """
    given = {"y_score": y_score, "queries": queries, **building}
    if not isinstance(y_true, Ranked):
        known = {name: x for name, x in given.items() if x is not None}
        if needs_weight:
            return Ranked.from_scores(y_true, **known)
        return Ranked.read(y_true, needs_weight=False, **known)
    for name, x in given.items():
        if x is not None:
            raise TypeError(f"{name}= cannot be given with a Ranked: give it to Ranked.from_scores")
    return y_true


def _sums_of_one(ranked: Ranked, formula: Formula, options: dict[str, Any], on_undefined: OnUndefined) -> Array:
    """The sums of one measure."""
    xp = ranked.backend.xp
    return sums_for_means([weighed_sums(*of_queries(ranked, formula, options, on_undefined), xp)], xp)
