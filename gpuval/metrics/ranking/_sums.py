"""Means over queries as sums that add up: over batches, blocks and processes; nothing of a document is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from gpuval.engines.backends import backend_of, is_array, library_of, moved
from gpuval.inputs.containers import type_of
from gpuval.metrics.ranking._measure import OnUndefined, RankingMeasure, of_queries, sums_of
from gpuval.metrics.ranking.ranked import Ranked
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, two_sum

Asked = tuple[Callable[..., Any], dict[str, Any]]
"""A measure, or a function of a ranking that gives a value for each query, and its options."""


def query_sums(ranked: Ranked, asked: Iterable[Asked], on_undefined: OnUndefined | None = None) -> Array:
    """The sums of measures over the queries, shape (2, 2, n_measures), of the library of the ranking.

    The first row of the first matrix has for each measure the sum of the values of the queries, each times its weight;
    the second the sum of these weights, without those of queries that the measure leaves out. The second matrix has
    what rounding has left of these sums when they were added up: 0 here.
    """
    xp = ranked.backend.xp
    found = [sums_of(*_of_queries(ranked, *one, on_undefined), xp) for one in asked]
    totals = xp.stack([total for total, _ in found])
    weights = xp.stack([xp.zeros_like(total) + weight for total, weight in found])
    sums = xp.stack([totals, weights])
    return xp.stack([sums, xp.zeros_like(sums)])


def added_sums(x: Array, y: Array) -> Array:
    """The sums over the queries of both: compensated, so that many small batches lose no digits."""
    xp = backend_of(x).xp
    total, rest = two_sum(x[0, ...], y[0, ...], xp)
    return xp.stack([total, rest + x[1, ...] + y[1, ...]])


def means_of(sums: Array) -> Array:
    """The mean of each measure over the queries that have a weight, shape (n_measures,); NaN if none has."""
    xp = backend_of(sums).xp
    totals = sums[0, ...] + sums[1, ...]
    return ratio(totals[0, ...], totals[1, ...], xp, float("nan"))


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
