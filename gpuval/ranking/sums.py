"""Sums over the queries of a ranking, from which means are computed; no document is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from gpuval.engines.backends import backend_of, is_array, library_of, move_to
from gpuval.inputs.containers import type_of
from gpuval.measures.result import OnUndefined
from gpuval.numerics import Array
from gpuval.numerics.stable import sum_with_weights, sums_for_means
from gpuval.ranking._measure import RankingMeasure, check_adds_up, formula_values, with_weights
from gpuval.ranking.ranked import Ranked

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
