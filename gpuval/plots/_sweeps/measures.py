"""Which measures of a comparison a sweep shows, and their scores as numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.evaluation.results.evaluations import Evaluation
from gpuval.evaluation.results.scores import ByMeasure, known, parts, plain
from gpuval.evaluation.results.shown_scores import shown_direction
from gpuval.inputs.options import as_number
from gpuval.numerics import NDArray
from gpuval.plots._common.axes import name_on_plot

MOST_LINES = 24
"""Lines that are told apart; of more, only their median is."""
_MOST_BY_DEFAULT = 12
"""Measures that are drawn if none is named."""
_NOT_FINITE = "all scores are NaN or infinite"


class NumbersOf:
    """The scores of an evaluation as numbers, NaN where they are none."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.scores = {name: known(score) for name, score in parts(evaluation)}
        self.directions = evaluation.directions
        self._intervals = dict(evaluation.intervals or {})
        self.level = next((x.confidence_level for x in self._intervals.values()), None)

    def has_number(self, metric: Any) -> bool:
        """Whether a score is a single real number, which may be NaN."""
        return isinstance(self.scores.get(metric), float | int)

    def score(self, metric: Any) -> float:
        """A score, NaN if it is no finite number."""
        number = as_number("score", self.scores[metric]) if self.has_number(metric) else math.nan
        return number if math.isfinite(number) else math.nan

    def interval(self, metric: Any) -> tuple[float, float]:
        """The ends of the interval of a score, NaN if it has none."""
        estimate = self._intervals.get(metric)
        return (math.nan, math.nan) if estimate is None else (float(plain(estimate.low)), float(plain(estimate.high)))


def chosen_measures(evaluations: Sequence[NumbersOf], metrics: Any, *, is_one: bool) -> list[Any]:
    """The names of the measures to draw, which have a score; with ``is_one`` a single one."""
    names = list(dict.fromkeys(name for x in evaluations for name in x.scores))
    scores = {name: np.asarray([x.score(name) for x in evaluations]) for name in names}
    drawn = [name for name, values in scores.items() if not np.isnan(values).all()]
    numbers = [name for name in names if any(x.has_number(name) for x in evaluations)]
    if metrics is None:
        return _by_default(evaluations, scores, drawn, numbers)[: 1 if is_one else _MOST_BY_DEFAULT]
    asked = [metrics] if _names_one(scores, metrics) else list(metrics)
    if not asked:
        raise ValueError("metrics must have at least one measure, got none")
    found = list(dict.fromkeys(_found(scores, metric) for metric in asked))
    if len(found) > MOST_LINES:
        raise ValueError(f"metrics must be at most {MOST_LINES}, to be told apart, got {len(found)}")
    if is_one and len(found) > 1:
        raise ValueError(f"metrics must be one measure of a comparison with by, got {len(found)}: {_listed(found)}")
    if missing := [x for x in found if x not in numbers]:
        raise ValueError(f"metrics must be of single numbers, got {missing[0]!r}, which has none")
    if kept := [x for x in found if x in drawn]:
        return kept
    raise ValueError(f"metrics must have a measure with finite scores, got {_listed(found)}, of which {_NOT_FINITE}")


def _by_default(
    evaluations: Sequence[NumbersOf], scores: Mapping[Any, NDArray], drawn: list[Any], numbers: list[Any]
) -> list[Any]:
    higher = [x for x in drawn if shown_direction(x, evaluations) == "higher"]
    shown = [x for x in higher if np.nanmax(np.abs(scores[x])) <= 1.0 + 1e-9]
    if shown:
        return shown
    without = [x for x in numbers if x not in drawn]
    raise ValueError(
        "comparison must have a measure whose scores are from -1 to 1, higher ones better; others are to be named in "
        f"metrics, got {_listed(scores)}" + (f"; of {_listed(without)} {_NOT_FINITE}" if without else "")
    )


def _names_one(scores: Mapping[Any, NDArray], metrics: Any) -> bool:
    """Whether one measure is named, and not several: a tuple may be the key that a mapping gave to one."""
    if not isinstance(metrics, Iterable):
        raise TypeError(f"metrics must be names of measures of the comparison, got {metrics!r}")
    return isinstance(metrics, str) or (isinstance(metrics, tuple) and _is_key(scores, metrics))


def _is_key(scores: Mapping[Any, NDArray], metric: Any) -> bool:
    try:
        return metric in scores
    except TypeError:  # a list, or a tuple with one
        return False


def _found(scores: Mapping[Any, NDArray], metric: Any) -> Any:
    """The name that a measure has in the comparison."""
    try:
        return ByMeasure({name: name for name in scores})[metric]
    except (KeyError, TypeError):  # a list is no key
        raise ValueError(f"metrics must be measures of the comparison, {_listed(scores)}, got {metric!r}") from None


def _listed(metrics: Iterable[Any]) -> str:
    names = [name_on_plot(x, 40) for x in metrics]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
