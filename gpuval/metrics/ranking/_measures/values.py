"""The value of each query by formulas of ranked lists, and the mean over the queries."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.metrics._common.options import Formula, OnUndefined
from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking.ranked import Ranked
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio, weighed_sums


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
    asked = [(formula, _completed(options, formula, ranked)) for formula, options in asked]
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


def _completed(options: dict[str, Any], formula: Formula, ranked: Ranked) -> dict[str, Any]:
    """The options with the largest relevance that documents may have, if the formula asks for it."""
    if "max_relevance" not in (formula.__kwdefaults__ or {}):
        return options
    given = options.get("max_relevance")
    if given is None:
        return {**options, "max_relevance": ranked.largest_relevance()}
    if ranked.backend.on_host and (largest := float(ranked.largest_relevance())) > given:
        raise ValueError(f"max_relevance must be at least the largest relevance, {largest!r}, got {given!r}")
    return options


def _values(found: Any, lists: Lists) -> tuple[Array, Array]:
    return found if isinstance(found, tuple) else (found, lists.n_relevant > 0)


def mean_of(values: Array, weights: Array | None, ranked: Ranked) -> Array:
    """The weighted mean over the queries that have a weight; NaN if none has."""
    total, weight = weighed_sums(values, weights, ranked.backend.xp)
    return ratio(total, weight, ranked.backend.xp, float("nan"))
