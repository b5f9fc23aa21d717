"""Which labelings have the best scores."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gpuval.evaluation.results.shown_scores import ShownEvaluation, best_places, measures_of, shown_direction

_USUAL = "adjusted_rand_score"

Scores = Mapping[Any, ShownEvaluation]
"""What is shown of each labeling, by its name."""


def names_of_best(scores: Scores) -> dict[Any, list[Any]]:
    """By the name of each measure that is better one way the labelings with the best score, if that is known."""
    names = list(scores)
    if len(names) == 1:  # of one there is no best place among others
        return {name: names * (not math.isnan(shown_number(scores, names[0], name))) for name in _directed(scores)}
    found = best_places(list(scores.values()), [None] * len(names))
    return {name: [names[place] for places in groups for place in places] for name, groups in found.items()}


def _directed(scores: Scores) -> list[Any]:
    return [name for name in measures_of(list(scores.values())) if shown_direction(name, scores.values())]


def shown_number(scores: Scores, labeling: Any, measure: Any) -> float:
    """The score of a labeling; NaN where there is no number."""
    shown = scores[labeling].scores.get(measure)
    return math.nan if shown is None else shown.number


def first_measure(scores: Scores, are_named: bool) -> Any:
    """The measure that orders the labelings: the first for which the better direction is known, or the first of all.

    If the measures were not given by their names (``are_named``), it is the adjusted Rand index, if that is among them.
    """
    names = measures_of(list(scores.values()))
    if not are_named and _USUAL in names:
        return _USUAL
    return next(iter(_directed(scores)), names[0])


def in_order_of(scores: Scores, measure: Any) -> list[Any]:
    """The names of the labelings from the best to the worst by a measure; those without a score are last.

    If the better direction is not known, the order does not change.
    """
    direction = shown_direction(measure, scores.values())
    if not direction:
        return list(scores)
    sign = 1 if direction == "lower" else -1

    def key(name: Any) -> tuple[bool, float]:
        number = shown_number(scores, name, measure)
        return math.isnan(number), sign * number

    return sorted(scores, key=key)


def measures_on_one_axis(scores: Scores, most: int) -> list[Any]:
    """The first measures whose scores are all from -1 to 1, where some are known, and higher is better."""
    found = []
    for name in _directed(scores):
        numbers = [shown_number(scores, labeling, name) for labeling in scores]
        known = [x for x in numbers if not math.isnan(x)]
        if shown_direction(name, scores.values()) == "higher" and known and all(-1 <= x <= 1 for x in known):
            found.append(name)
    return found[:most]
