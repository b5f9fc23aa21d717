"""The sums over the queries of a ranking, for means that add up; nothing of a document is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from gpuval.engines.backends import backend_of, is_array, library_of, moved
from gpuval.inputs.containers import type_of
from gpuval.metrics.ranking._measure import OnUndefined, RankingMeasure, check_adds_up, of_queries, weighed_sums
from gpuval.metrics.ranking.ranked import Ranked
from gpuval.numerics import Array
from gpuval.numerics.stable import sums_for_means

Asked = tuple[Callable[..., Any], dict[str, Any]]
"""A measure, or a function of a ranking that gives a value for each query, and its options."""


def check_add_up(asked: Iterable[Asked]) -> None:
    """Check that the measures need nothing that only all batches together tell."""
    for measure, options in asked:
        if hasattr(measure, "formula"):
            check_adds_up(measure.formula, options)


def query_sums(ranked: Ranked, asked: Iterable[Asked], on_undefined: OnUndefined | None = None) -> Array:
    """The sums of measures over the queries, as ``sums_for_means`` has them, of the library of the ranking.

    The weights of a measure are without those of the queries that it leaves out.
    """
    xp = ranked.backend.xp
    return sums_for_means((weighed_sums(*_of_queries(ranked, *one, on_undefined), xp) for one in asked), xp)


def _of_queries(
    ranked: Ranked, measure: Callable[..., Any], options: dict[str, Any], on_undefined: OnUndefined | None
) -> tuple[Array, Array | None]:
    """The value of each query, and its weight in the mean, if not all have the same."""
    if hasattr(measure, "formula"):
        own = cast(RankingMeasure, measure)
        undefined = options.get("on_undefined") or on_undefined or own.on_undefined
        return of_queries(ranked, own.formula, {x: y for x, y in options.items() if x != "on_undefined"}, undefined)
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
    values = values if backend_of(values) is backend else moved(values, ranked.relevance)
    values = backend.as_real(values, values)
    return values if ranked.broken is None else backend.xp.where(ranked.broken, float("nan"), values), ranked.weights
