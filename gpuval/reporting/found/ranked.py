"""Which labelings have the best scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gpuval.evaluation.results.shown_scores import ShownEvaluation, best_places, measures_of, shown_direction

_USUAL = "adjusted_rand_score"


def places_of_best(scores: Mapping[Any, ShownEvaluation]) -> dict[Any, list[int]]:
    """By the name of each measure that is better one way the places of the labelings with the best score."""
    found = best_places(list(scores.values()), [None] * len(scores))
    return {name: next(iter(groups), []) for name, groups in found.items()}


def first_measure(scores: Mapping[Any, ShownEvaluation], are_named: bool) -> Any:
    """The measure by which labelings are put in order: the first that is better one way; the first of all if none is.

    Where measures are not ``are_named`` one by one, it is the adjusted Rand index, if that is among them.
    """
    names = measures_of(list(scores.values()))
    if not are_named and _USUAL in names:
        return _USUAL
    return next((name for name in names if shown_direction(name)), names[0])


def in_order_of(scores: Mapping[Any, ShownEvaluation], measure: Any) -> list[Any]:
    """The names of the labelings from the best by a measure on; those without a score are the last."""
    sign = 1 if shown_direction(measure) == "lower" else -1

    def key(name: Any) -> tuple[bool, float]:
        shown = scores[name].scores.get(measure)
        number = math.nan if shown is None else shown.number
        return math.isnan(number), sign * number

    return sorted(scores, key=key)
