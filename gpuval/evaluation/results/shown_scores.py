"""The texts of scores and intervals that evaluations print, and which scores are the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from gpuval.evaluation.clustering.registry import METRICS, OF_SAME_NAMES, SHORT_INTERNAL_NAMES, SHORT_NAMES, measure_of
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate
from gpuval.evaluation.results.directions import Direction, better
from gpuval.evaluation.results.evaluated_samples import EvaluatedSamples
from gpuval.evaluation.results.scores import in_one_line, known, plain, printed, rounded

_ROUNDING = 2.0**-44
"""How far scores of 1 may be apart that are the same but for rounding."""


@dataclass(frozen=True)
class ShownScore:
    """A score, or a part of one, as it is shown."""

    text: str
    interval: str
    """Empty without one."""
    exact: str
    """All digits."""
    number: float
    """NaN where it is no real number, or has no value yet."""

    @classmethod
    def of(cls, score: Any, estimate: ScoreEstimate | None) -> ShownScore:
        """Four decimals; with an interval three."""
        value = known(score)
        number = _real(value)
        if estimate is None:
            return cls(printed(value), "", in_one_line(value), number)
        ends = [estimate.low, estimate.high]
        exact = f"{in_one_line(value)} [{', '.join(str(plain(x)) for x in ends)}]"
        return cls(rounded(value), f"[{', '.join(map(rounded, ends))}]", exact, number)

    @property
    def whole(self) -> str:
        """With the interval."""
        return f"{self.text} {self.interval}".rstrip()


@dataclass(frozen=True)
class ShownEvaluation:
    """The scores of an evaluation by their names, those of a tuple apart; and its counts, none where not known."""

    scores: Mapping[Any, ShownScore]
    directions: Mapping[Any, Direction]
    """Which scores are the better ones, of the measures of which that is known."""
    counted: EvaluatedSamples | None
    level: float | None
    """The confidence level of the intervals, if there are any."""

    @cached_property
    def counts(self) -> Mapping[str, Any]:
        """The counts, found when a table asks for them (copies to the host)."""
        return {} if self.counted is None else self.counted.numbers() or {}

    @property
    def clusters(self) -> str:
        """How many clusters there are; empty where that is not known."""
        return str(self.counts.get("n_clusters", ""))

    @property
    def samples(self) -> str:
        """How many samples count, and of how many, if some do not."""
        if "n_samples" not in self.counts:
            return ""
        used, dropped = self.counts["n_samples"], self.counts.get("n_dropped", 0)
        return f"{_count(used)} of {_count(used + dropped)}" if dropped else _count(used)

    @property
    def about(self) -> str:
        """The counts in words, and the level; empty if nothing is known."""
        known_counts = [(self.counts.get(f"n_{name}", ""), name) for name in ("classes", "clusters")]
        words = [f"{number} {name}" for number, name in [*known_counts, (self.samples, "samples")] if number != ""]
        return ", ".join(words + about_level(self.level))


def about_level(level: float | None) -> list[str]:
    """What is said of the level of intervals; nothing without any."""
    return [] if level is None else [f"intervals of confidence level {level}"]


def measures_of(evaluations: Sequence[ShownEvaluation]) -> list[Any]:
    """The names of all scores, each once."""
    return list(dict.fromkeys(name for x in evaluations for name in x.scores))


class Directed(Protocol):
    """What knows which of its scores are the better ones."""

    @property
    def directions(self) -> Mapping[Any, Direction]:
        """By the name of each measure of which it is known."""


def shown_direction(name: Any, evaluations: Iterable[Directed]) -> Direction:
    """Which scores of a measure are the better ones: "higher", "lower", or "" where that is not known."""
    return next((x.directions[name] for x in evaluations if name in x.directions), "")


def directions_of(functions: Mapping[Any, Callable[..., Any]]) -> dict[Any, Direction]:
    """Which scores of measures of tables are the better ones, by the names they are given; not of users' functions."""
    measures = {name: measure_of(function) for name, function in functions.items()}
    return {name: better(measure) for name, measure in measures.items() if measure is not None}


def direction_of_name(name: Any) -> Direction:
    """That of the measure of gpuval which has the name; "" for any other name."""
    if not isinstance(name, str):
        return ""
    key = name.lower()
    full = SHORT_NAMES.get(key) or SHORT_INTERNAL_NAMES.get(key, name)
    if full in METRICS or full in OF_SAME_NAMES:
        return better(full)
    from gpuval.evaluation.clustering.samples.internal_metrics import (
        INTERNAL_METRICS,  # only now: few results have them
    )

    return better(full) if full in INTERNAL_METRICS else ""


def best_places(evaluations: Sequence[ShownEvaluation], groups: Sequence[Any]) -> dict[Any, list[list[int]]]:
    """By the name of each measure that is better one way the places of the best scores, for each group.

    There are none in a group of one; all that are the same but for rounding are the best.
    """
    places: dict[Any, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    several = [some for some in places.values() if len(some) > 1]
    found = {}
    for name in measures_of(evaluations):
        if direction := shown_direction(name, evaluations):
            best = [_best_of(name, direction, evaluations, some) for some in several]
            found[name] = [places for places in best if places]
    return found


def _best_of(name: Any, direction: str, evaluations: Sequence[ShownEvaluation], places: Sequence[int]) -> list[int]:
    found = {place: evaluations[place].scores[name].number for place in places if name in evaluations[place].scores}
    numbers = {place: number for place, number in found.items() if not math.isnan(number)}
    if not numbers:
        return []
    best = (min if direction == "lower" else max)(numbers.values())
    return [place for place, x in numbers.items() if math.isclose(x, best, rel_tol=_ROUNDING, abs_tol=_ROUNDING)]


def _count(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.6g}"


def _real(value: Any) -> float:
    try:
        return float(value) if isinstance(value, float | int) else math.nan
    except OverflowError:
        return math.inf if value > 0 else -math.inf
