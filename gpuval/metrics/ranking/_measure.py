"""From a formula of ranked lists to a public measure: its arguments, the mean over the queries, and how it goes out."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, cast, get_args, overload

import numpy as np

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, is_dask, to_host
from gpuval.inputs.limits import check_size
from gpuval.inputs.options import check_flag, check_not_negative, check_option
from gpuval.metrics._documents import documented
from gpuval.metrics._result import finished
from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking.ranked import Ranked, Ties
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import added_sums, means_of, ratio, sums_for_means

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
        Whether to return the queries and the value of each, too.
"""

_ELSEWHERE = {
    "k": "n",
    "top_k": "n",
    "preds": "y_score",
    "target": "y_true",
    "indexes": "queries",
    "empty_target_action": "on_undefined",
    "ignore_ties": "ties",
    "log_base": "discount",
    "ignore_index": "ignore_relevance",
}
"""What other libraries call arguments, and what these are called here."""

_COMMON_NAMES = ("y_true", "y_score", "queries", "ties", "on_undefined", "ignore_relevance")

OnUndefined = Literal["zero", "one", "nan", "skip"]
Formula = Callable[..., Any]


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
        check_known(options, formula)
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
            if return_per_query:
                raise TypeError(
                    "return_per_query must be False where Dask holds y_true, as blocks give sums alone: compute it"
                )
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


def check_known(options: dict[str, Any], formula: Formula) -> None:
    """Check that a measure has these options."""
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            takes = f"its own are {', '.join(known)}" if known else "it has none of its own"
            if _ELSEWHERE.get(name) in {*known, *_COMMON_NAMES}:
                takes = f"it is called {_ELSEWHERE[name]} here"
            raise TypeError(f"{formula.__name__}() got an unexpected keyword argument {name!r}; {takes}")


def check_on_undefined(on_undefined: Any) -> None:
    """Check what the value of a query is to be for which there is none."""
    check_option("on_undefined", on_undefined, get_args(OnUndefined))


def check_adds_up(formula: Formula, options: dict[str, Any], hint: str = "") -> None:
    """Check that a measure of batches, or of blocks, needs nothing that only all of them together tell.

    ``hint`` says where a measure can be given that has what is missing.
    """
    if options.get("max_relevance") is None and "max_relevance" in (formula.__kwdefaults__ or {}):
        name = formula.__name__
        raise ValueError(
            f"max_relevance must be given to {name} for batches or blocks, of which each may have another largest "
            f"relevance, got None; {hint}functools.partial({name}, max_relevance=...) is a measure with it"
        )


def of_queries(
    ranked: Ranked, formula: Formula, options: dict[str, Any], on_undefined: OnUndefined
) -> tuple[Array, Array | None]:
    """The value of each query, and its weight in the mean, if not all have the same."""
    ((values, defined),) = found_of_queries(ranked, [(formula, options)])
    return with_weights(values, defined, ranked, on_undefined)


def found_of_queries(ranked: Ranked, asked: Sequence[tuple[Formula, dict[str, Any]]]) -> list[tuple[Array, Array]]:
    """For each formula, with its options, the value of each query, and for which queries it is defined.

    The lists are made once for all formulas.
    """
    xp = ranked.backend.xp
    asked = [(formula, _checked(options, formula, ranked)) for formula, options in asked]
    with np.errstate(over="ignore") if ranked.backend.on_host else nullcontext():  # then there is no value
        parts = [[_values(formula(lists, **options), lists) for formula, options in asked] for lists in ranked.lists()]
    found = []
    for (formula, _), of_one in zip(asked, zip(*parts, strict=True), strict=True):
        values, defined = (xp.concat(x) if len(x) > 1 else x[0] for x in zip(*of_one, strict=True))
        if ranked.backend.on_host:
            _check_are_floats(formula.__name__, values, defined, ranked)
        found.append((values, defined))
    return found


def _check_are_floats(name: str, values: NDArray, defined: NDArray, ranked: Ranked) -> None:
    """Check that the value of each query that has a weight is one that the floats of the results hold."""
    results = backend_of(ranked.given)
    floats = results.xp.finfo(results.widest(ranked.given).float)
    too_large = defined & ~(values <= floats.max)  # NaN where a sum was
    if not too_large.any():
        return
    if ranked.weights is not None:
        too_large &= ranked.weights != 0
    if too_large.any():
        largest = float(ranked.largest_relevance())
        raise ValueError(
            f"y_true must have relevances so small that floats of {floats.bits} bits hold {name}, got up to {largest:g}"
        )


def with_weights(
    values: Array, defined: Array, ranked: Ranked, on_undefined: OnUndefined
) -> tuple[Array, Array | None]:
    """The values, with what ``on_undefined`` says where there are none, and the weights, as ``of_queries`` has them."""
    xp, weights = ranked.backend.xp, ranked.weights
    values = xp.where(defined, values, {"zero": 0.0, "one": 1.0}.get(on_undefined, float("nan")))
    if on_undefined == "skip":
        weights = xp.astype(defined, values.dtype) if weights is None else xp.where(defined, weights, 0.0)
    if ranked.broken is not None:
        values = xp.where(ranked.broken, float("nan"), values)
        if weights is not None:  # a query of weight 0 is left out, whatever it has
            counts = ranked.broken if ranked.weights is None else ranked.broken & (ranked.weights != 0)
            weights = xp.where(counts, 1.0, weights)
    return values, weights


def _checked(options: dict[str, Any], formula: Formula, ranked: Ranked) -> dict[str, Any]:
    """The options of a formula that all have alike, checked, with what a default takes of all the documents."""
    if options.get("n") is not None:
        options = {**options, "n": check_size(options["n"], "n", "")}
    if "max_relevance" in (formula.__kwdefaults__ or {}):
        options = {**options, "max_relevance": _max_relevance(options.get("max_relevance"), ranked)}
    return options


def _max_relevance(given: float | None, ranked: Ranked) -> Any:
    """The largest relevance that documents may have: the given one, or the largest of all queries."""
    if given is None:
        return ranked.largest_relevance()
    given = check_not_negative("max_relevance", given)
    if ranked.backend.on_host and (largest := float(ranked.largest_relevance())) > given:
        raise ValueError(f"max_relevance must be at least the largest relevance, {largest!r}, got {given!r}")
    return given


def _values(found: Any, lists: Lists) -> tuple[Array, Array]:
    return found if isinstance(found, tuple) else (found, lists.n_relevant > 0)


def mean_of(values: Array, weights: Array | None, ranked: Ranked) -> Array:
    """The weighted mean over the queries that have a weight; NaN if none has."""
    total, weight = weighed_sums(values, weights, ranked.backend.xp)
    return ratio(total, weight, ranked.backend.xp, float("nan"))


def weighed_sums(values: Array, weights: Array | None, xp: Any) -> tuple[Array, Any]:
    """The sum of the values of queries, each times its weight, and the sum of these weights."""
    if weights is None:
        return xp.sum(values), float(values.shape[0])
    return xp.sum(xp.where(weights == 0, 0.0, values * weights)), xp.sum(weights)


# Rows that Dask holds


@dataclass(frozen=True)
class _BlockSums:
    """Sums for means over the queries of some blocks."""

    sums: Array | None
    """None if no query has a weight."""
    n_queries: int

    def __add__(self, other: _BlockSums) -> _BlockSums:
        n_queries = self.n_queries + other.n_queries
        if self.sums is None or other.sums is None:
            return _BlockSums(other.sums if self.sums is None else self.sums, n_queries)
        return _BlockSums(added_sums(self.sums, other.sums, backend_of(self.sums).xp), n_queries)


def means_over_blocks(
    add_up: Callable[[Ranked], Array], y_true: Any, y_score: Any, building: dict[str, Any]
) -> tuple[Array, int]:
    """The means of rows of which Dask holds whole ones in each block, and their number.

    ``add_up`` gives the sums of a ranking.
    """
    rows = {"y_true": y_true, "y_score": y_score, "mask": building["mask"]}
    for name in ("queries", "n_queries"):
        if building[name] is not None:
            raise TypeError(
                f"{name} must be left out where Dask holds y_true, as the documents of a query may lie in several "
                "blocks: compute y_true, y_score and queries, or give a row for each query"
            )
    for name, x in rows.items():
        if hasattr(x, "chunks") and x.ndim != 2:
            raise ValueError(
                f"{name} must have a row for each query where Dask holds it, got shape {x.shape}: compute it, or give "
                "rows"
            )
    by_query = {name: building[name] for name in ("sample_weight", "n_relevant") if hasattr(building[name], "__len__")}
    whole = {name: x for name, x in building.items() if name not in (*by_query, "mask") and x is not None}
    build = functools.partial(_sums_of_block, add_up=add_up, whole=whole)
    found = sum_over_blocks(build, {**rows, **by_query}, tuple(rows))
    if found.sums is None:
        raise ValueError(f"sample_weight must be above 0 for at least one query, got none of {found.n_queries}")
    return means_of(found.sums, backend_of(found.sums).xp), found.n_queries


def _sums_of_block(add_up: Callable[[Ranked], Array], whole: dict[str, Any], **block: Any) -> _BlockSums:
    """The sums of a block, which may have no queries, or none with a weight."""
    n_queries, weights = len(block["y_true"]), block.get("sample_weight")
    if not n_queries or (weights is not None and not bool(to_host((weights != 0).any()))):
        return _BlockSums(None, n_queries)  # of all rows of a ranking that is an error, of some it is none
    try:
        return _BlockSums(add_up(Ranked.from_scores(**block, **whole)), n_queries)
    except ValueError as error:
        raise ValueError(f"{error} (in a block of Dask, whose rows are counted from 0)") from None


def _sums_of_one(ranked: Ranked, formula: Formula, options: dict[str, Any], on_undefined: OnUndefined) -> Array:
    """The sums of one measure."""
    xp = ranked.backend.xp
    return sums_for_means([weighed_sums(*of_queries(ranked, formula, options, on_undefined), xp)], xp)
