"""Turns a formula of ranked lists into a public measure: its arguments and docstring, its values, and their mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, Literal, NamedTuple, Protocol, cast, get_args

import numpy as np

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, is_array, is_dask, library_of, move_to, to_host
from gpuval.inputs.containers import type_of
from gpuval.inputs.options import check_flag, check_known_options, check_not_negative, check_option, check_size
from gpuval.measures.documents import publish
from gpuval.measures.label_scores import pandas_by_label, text_by_label
from gpuval.measures.means import BlockSums, MeanSums
from gpuval.measures.measure import Family
from gpuval.measures.result import Formula, OnUndefined, as_result, check_on_undefined, value_if_undefined
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio, sum_with_weights, sums_for_means
from gpuval.ranking.documents import Documents
from gpuval.ranking.lists import Lists
from gpuval.ranking.ranked import Ranked, Ties

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
    usual_n: int | None
    """How many documents count in the default of evaluations; None for all."""

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
        return pandas_by_label(self)

    def __repr__(self) -> str:
        return text_by_label(self)


def ranking_metric(
    formula: Formula, on_undefined: OnUndefined = "zero", needs_ideal: bool = False, usual_n: int | None = None
) -> RankingMeasure:
    """Make a public measure of a formula ``f(lists, *, options)``, which returns a value for each query.

    The formula may return a pair instead: the values, and for which queries they are defined. Without the second part,
    they are defined for the queries that have a relevant document. One that ``needs_ideal`` is NaN where relevant
    documents are missing whose relevances are not known. Reports have it of the first ``usual_n`` documents.
    """
    default = on_undefined
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
            return as_result(means[0, ...])
        ranked = as_ranked(y_true, y_score, queries, **building)
        values, weights = values_and_weights(ranked, formula, options, on_undefined)
        mean = as_result(mean_of(values, weights, ranked), ranked.given)
        if not return_per_query:
            return mean
        return QueryValues(mean, ranked.queries, as_result(values, ranked.given))

    public = cast(RankingMeasure, publish(score, formula, (RANKING, "", _COMMON.format(default=default))))
    public.formula, public.on_undefined, public.usual_n = formula, default, usual_n
    return public


RANKINGS = Family("rankings (documents of queries)", ranking_metric)


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
    return sums_for_means([sum_with_weights(*values_and_weights(ranked, formula, options, on_undefined), xp)], xp)


# The value of each query by formulas of ranked lists, and the mean over the queries.


def values_and_weights(
    ranked: Ranked, formula: Formula, options: dict[str, Any], on_undefined: OnUndefined
) -> tuple[Array, Array | None]:
    """The value of each query, and its weight in the mean, if not all have the same."""
    ((values, defined),) = formula_values(ranked, [(formula, options)])
    return with_weights(values, defined, ranked, on_undefined)


def formula_values(ranked: Ranked, asked: Sequence[tuple[Formula, dict[str, Any]]]) -> list[tuple[Array, Array]]:
    """For each formula, with its options, the value of each query, and for which queries it is defined.

    The lists are made once for all formulas.
    """
    xp = ranked.backend.xp
    asked = [(formula, _with_max_relevance(options, formula, ranked)) for formula, options in asked]
    with np.errstate(over="ignore") if ranked.backend.on_host else nullcontext():  # then there is no value
        parts = [[_values(formula(lists, **options), lists) for formula, options in asked] for lists in ranked.lists()]
    found = []
    for (formula, _), of_one in zip(asked, zip(*parts, strict=True), strict=True):
        values, defined = (xp.concat(x) if len(x) > 1 else x[0] for x in zip(*of_one, strict=True))
        if ranked.backend.on_host:
            _check_are_floats(formula, values, defined, ranked)
        found.append((values, defined))
    return found


def _check_are_floats(formula: Formula, values: NDArray, defined: NDArray, ranked: Ranked) -> None:
    """Check that the value of each query that has a weight is known, and that the floats of the results hold it."""
    results = backend_of(ranked.given)
    floats = results.xp.finfo(results.widest(ranked.given).float)
    too_large = defined & ~(values <= floats.max)  # NaN where a sum was
    if not too_large.any():
        return
    if ranked.weights is not None:
        too_large &= ranked.weights != 0
    if not too_large.any():
        return
    name, largest = formula.__name__, float(ranked.largest_relevance())
    if ranked.has_grades() and formula.needs_ideal:  # type: ignore[attr-defined]
        i = int(np.flatnonzero(too_large)[0])
        query, n_relevant = to_host(ranked.queries).tolist()[i], ranked.n_relevant
        raise ValueError(
            f"ideal= must be given for {name} in place of n_relevant=, where relevances are not only 0 and 1: those of "
            f"the relevant documents that a list lacks are not known, got n_relevant "
            f"{0 if n_relevant is None else int(n_relevant[i])} for query {query!r} and relevances up to {largest:g}"
        )
    raise ValueError(
        f"y_true must have relevances so small that floats of {floats.bits} bits hold {name}, got up to {largest:g}"
    )


def with_weights(
    values: Array, defined: Array, ranked: Ranked | Documents, on_undefined: OnUndefined
) -> tuple[Array, Array | None]:
    """The values, or that of ``on_undefined`` where there is none, and the weights of ``values_and_weights``."""
    xp, weights = ranked.backend.xp, ranked.weights
    values = xp.where(defined, values, value_if_undefined(on_undefined))
    if on_undefined == "skip":
        weights = xp.astype(defined, values.dtype) if weights is None else xp.where(defined, weights, 0.0)
    if ranked.broken is not None:
        values = xp.where(ranked.broken, float("nan"), values)
        if weights is not None:  # a query of weight 0 is left out, whatever it has
            counts = ranked.broken if ranked.weights is None else ranked.broken & (ranked.weights != 0)
            weights = xp.where(counts, 1.0, weights)
    return values, weights


def _with_max_relevance(options: dict[str, Any], formula: Formula, ranked: Ranked) -> dict[str, Any]:
    """The options with the largest relevance that documents may have, if the formula asks for it."""
    if "max_relevance" not in (formula.__kwdefaults__ or {}):
        return options
    given = options.get("max_relevance")
    if options.get("relevance") == "probability":
        if ranked.backend.on_host and (largest := float(ranked.largest_relevance())) > 1:
            raise ValueError(
                f'y_true must hold probabilities, from 0 to 1, with relevance="probability", got up to {largest!r}'
            )
        return {**options, "max_relevance": 1.0}
    if given is None:
        return {**options, "max_relevance": ranked.largest_relevance()}
    if ranked.backend.on_host and (largest := float(ranked.largest_relevance())) > given:
        raise ValueError(f"max_relevance must be at least the largest relevance, {largest!r}, got {given!r}")
    return options


def _values(found: Any, lists: Lists) -> tuple[Array, Array]:
    return found if isinstance(found, tuple) else (found, lists.n_relevant > 0)


def mean_of(values: Array, weights: Array | None, ranked: Ranked | Documents) -> Array:
    """The weighted mean over the queries that have a weight; NaN if none has."""
    total, weight = sum_with_weights(values, weights, ranked.backend.xp)
    return ratio(total, weight, ranked.backend.xp, float("nan"))


# The options of measures of rankings: what is wrong with them is said before anything is found.

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

Gain = Literal["linear", "exponential"]
Discount = Literal["log2", "jarvelin"]
Divisor = Literal["cutoff", "relevant", "found"]
Stopping = Literal["grade", "probability"]

_CHOICES = {
    "gain": get_args(Gain),
    "discount": get_args(Discount),
    "divisor": get_args(Divisor),
    "relevance": get_args(Stopping),
}
"""The values of options that have few."""


def read_options(options: dict[str, Any], formula: Formula) -> dict[str, Any]:
    """The options that were given to a measure, as its formula takes them."""
    check_known_options(options, formula, _ELSEWHERE, _COMMON_NAMES)
    for name, x in options.items():
        if name in _CHOICES:
            check_option(name, x, _CHOICES[name])
    found = dict(options)
    if options.get("n") is not None:
        found["n"] = check_size(options["n"], "n", "")
    if options.get("max_relevance") is not None:
        found["max_relevance"] = check_not_negative("max_relevance", options["max_relevance"])
        if options.get("relevance") == "probability":
            raise TypeError(
                'max_relevance= cannot be given with relevance="probability", of which the largest is 1, got '
                f"{options['max_relevance']!r}"
            )
    if "divide_by_n" in options:
        check_flag("divide_by_n", options["divide_by_n"])
    return found


def check_adds_up(formula: Formula, options: dict[str, Any], hint: str = "") -> None:
    """Check that a measure of batches, or of blocks, needs nothing that only all of them together tell.

    ``hint`` says where a measure can be given that has what is missing.
    """
    is_open = options.get("max_relevance") is None and options.get("relevance") != "probability"
    if is_open and "max_relevance" in (formula.__kwdefaults__ or {}):
        name = formula.__name__
        raise ValueError(
            f"max_relevance must be given to {name} for batches or blocks, of which each may have another largest "
            f"relevance, got None; {hint}functools.partial({name}, max_relevance=...) is a measure with it"
        )


# The means over the queries of rows that Dask holds, of which each block gives sums.


def check_gives_means(return_per_query: bool) -> None:
    """Check that the values of queries are not asked for, which blocks do not give."""
    if return_per_query:
        raise TypeError("return_per_query must be False where Dask holds y_true, as blocks give sums alone: compute it")


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
    of_queries = ("sample_weight", "n_relevant", "ideal")
    by_query = {name: building[name] for name in of_queries if hasattr(building[name], "__len__")}
    whole = {name: x for name, x in building.items() if name not in (*by_query, "mask") and x is not None}
    build = functools.partial(_sums_of_block, add_up=add_up, whole=whole)
    found: BlockSums[MeanSums] = sum_over_blocks(build, {**rows, **by_query}, (*rows, "ideal"))
    (n_queries,) = found.numbers
    if found.sums is None:
        raise ValueError(f"sample_weight must be above 0 for at least one query, got none of {n_queries}")
    return found.sums.means(), n_queries


def _sums_of_block(add_up: Callable[[Ranked], Array], whole: dict[str, Any], **block: Any) -> BlockSums[MeanSums]:
    """The sums of a block, which may have no queries, or none with a weight."""
    n_queries, weights = len(block["y_true"]), block.get("sample_weight")
    if not n_queries or (weights is not None and not bool(to_host((weights != 0).any()))):
        return BlockSums(None, (n_queries,))  # of all rows of a ranking that is an error, of some it is none
    return BlockSums(MeanSums(add_up(Ranked.from_scores(**block, **whole))), (n_queries,))


# Sums over the queries of a ranking, from which means are computed; no document is kept.


MeasureCall = tuple[Callable[..., Any], dict[str, Any]]
"""A measure, or a function of a ranking that gives a value for each query, and its options."""


def check_add_up(asked: Iterable[MeasureCall], are_all: bool) -> None:
    """Check that the measures, which may be those of "all", need nothing that only all batches together tell."""
    hint = 'in place of metrics="all" give a list of measures, in which ' if are_all else ""
    for measure, options in asked:
        if hasattr(measure, "formula"):
            check_adds_up(measure.formula, options, hint)


def measure_values(
    ranked: Ranked, asked: Iterable[MeasureCall], on_undefined: OnUndefined | None
) -> list[tuple[Array, Array | None, Array] | None]:
    """For each measure the value of each query, its weight in the mean, and for which queries there is a value.

    The lists are made once for all measures. None for a function of a user.
    """
    given = list(asked)
    ours = [(cast(RankingMeasure, measure), options) for measure, options in given if hasattr(measure, "formula")]
    formulas = [(x.formula, {name: y for name, y in own.items() if name != "on_undefined"}) for x, own in ours]
    found = []
    for (measure, options), (values, defined) in zip(ours, formula_values(ranked, formulas), strict=True):
        undefined = options.get("on_undefined") or on_undefined or measure.on_undefined
        found.append((*with_weights(values, defined, ranked, undefined), defined))
    in_turn = iter(found)
    return [next(in_turn) if hasattr(measure, "formula") else None for measure, _ in given]


def query_sums(ranked: Ranked, asked: Iterable[MeasureCall], on_undefined: OnUndefined | None = None) -> Array:
    """The sums of measures over the queries, as ``sums_for_means`` has them, of the library of the ranking.

    The weights of a measure are without those of the queries that it leaves out.
    """
    given, xp = list(asked), ranked.backend.xp
    found = [
        _user_values(ranked, *one) if own is None else own[:2]
        for one, own in zip(given, measure_values(ranked, given, on_undefined), strict=True)
    ]
    return sums_for_means((sum_with_weights(*x, xp) for x in found), xp)


def _user_values(ranked: Ranked, measure: Callable[..., Any], options: dict[str, Any]) -> tuple[Array, Array | None]:
    """What a function of a user gives for each query, and its weight in the mean, if not all have the same."""
    values, backend = measure(ranked, **options), ranked.backend
    name = getattr(measure, "__name__", measure)
    if not is_array(values) or backend_of(values) not in (backend, backend_of(ranked.given)):
        raise TypeError(
            f"metrics must give an array of {library_of(ranked.given)} with a value for each query to be added up, got "
            f"{type_of(values)} of {name}"
        )
    if tuple(values.shape) != (ranked.n_queries,):
        raise ValueError(
            f"metrics must give a value for each query, shape ({ranked.n_queries},), to be added up, got shape "
            f"{tuple(values.shape)} of {name}"
        )
    values = values if backend_of(values) is backend else move_to(values, ranked.relevance)
    values = backend.as_real(values, values)
    return values if ranked.broken is None else backend.xp.where(ranked.broken, float("nan"), values), ranked.weights
