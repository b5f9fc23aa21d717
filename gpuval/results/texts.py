"""The texts of scores and intervals that evaluations print, in tables, and which scores are the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from gpuval.display.html import GapRow, HtmlCell, HtmlRow, html_table
from gpuval.display.text import (
    ABOUT_STAR,
    ARROWS,
    STAR,
    Block,
    column_blocks,
    gap_sizes,
    n_lines,
    readable_name,
    visible_runs,
)
from gpuval.measures.measure import Direction
from gpuval.registry.families import measure_named, measure_of
from gpuval.results.inferences import ScoreEstimate
from gpuval.results.scores import SampleCounts, host_value, one_line_text, plain, score_line, short_number

_ROUNDING = 2.0**-44
"""How far scores of 1 may be apart that are the same but for rounding."""


@dataclass(frozen=True)
class ScoreText:
    """A score, or a part of one, as it is shown."""

    text: str
    interval: str
    """Empty without one."""
    exact: str
    """All digits."""
    number: float
    """NaN where it is no real number, or has no value yet."""

    @classmethod
    def of(cls, score: Any, estimate: ScoreEstimate | None) -> ScoreText:
        """Four decimals; with an interval three."""
        value = host_value(score)
        number = _real(value)
        if estimate is None:
            return cls(score_line(value), "", one_line_text(value), number)
        ends = [estimate.low, estimate.high]
        exact = f"{one_line_text(value)} [{', '.join(str(plain(x)) for x in ends)}]"
        return cls(short_number(value), f"[{', '.join(map(short_number, ends))}]", exact, number)

    @property
    def whole(self) -> str:
        """With the interval."""
        return f"{self.text} {self.interval}".rstrip()


@dataclass(frozen=True)
class EvaluationTexts:
    """The scores of an evaluation by their names, those of a tuple apart; and its counts, none where not known."""

    scores: Mapping[Any, ScoreText]
    directions: Mapping[Any, Direction]
    """Which scores are the better ones, of the measures of which that is known."""
    counted: SampleCounts | None
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


def measures_of(evaluations: Sequence[EvaluationTexts]) -> list[Any]:
    """The names of all scores, each once."""
    return list(dict.fromkeys(name for x in evaluations for name in x.scores))


class _HasDirections(Protocol):
    """What knows which of its scores are the better ones."""

    @property
    def directions(self) -> Mapping[Any, Direction]:
        """By the name of each measure of which it is known."""


def common_direction(name: Any, evaluations: Iterable[_HasDirections]) -> Direction:
    """Which scores of a measure are the better ones: "higher", "lower", or "" where that is not known."""
    return next((x.directions[name] for x in evaluations if name in x.directions), "")


def directions_of(functions: Mapping[Any, Callable[..., Any]]) -> dict[Any, Direction]:
    """Which scores of measures of tables are the better ones, by the names they are given; not of users' functions."""
    measures = {name: measure_of(function) for name, function in functions.items()}
    return {name: measure.better for name, measure in measures.items() if measure is not None}


def direction_of_name(name: Any) -> Direction:
    """That of the measure of gpuval which has the name; "" for any other name."""
    measure = measure_named(name) if isinstance(name, str) else None
    return "" if measure is None else measure.better


def best_places(evaluations: Sequence[EvaluationTexts], groups: Sequence[Any]) -> dict[Any, list[list[int]]]:
    """By the name of each measure that is better one way the places of the best scores, for each group.

    There are none in a group of one; all that are the same but for rounding are the best.
    """
    places: dict[Any, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    several = [some for some in places.values() if len(some) > 1]
    found = {}
    for name in measures_of(evaluations):
        if direction := common_direction(name, evaluations):
            best = [_best_of(name, direction, evaluations, some) for some in several]
            found[name] = [places for places in best if places]
    return found


def _best_of(name: Any, direction: str, evaluations: Sequence[EvaluationTexts], places: Sequence[int]) -> list[int]:
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


# Tables of evaluations and comparisons, as text and as HTML.

_MOST_LABELINGS = 40
"""How many labelings are printed before those in the middle are left out; but never the best ones."""

_MOST_ROWS = 60
"""The same of a notebook."""

_WIDEST_LABELING = 24
"""Of names of labelings above their columns."""

_COUNTS = ("clusters", "samples")

Grid = list[list[str]]
"""The cells of a table, row by row."""


@dataclass(frozen=True)
class ComparisonTable:
    """The scores of several labelings."""

    levels: Sequence[str]
    """What names are: labelings, values of ``by``, or tuples of both."""
    names: Sequence[Any]
    evaluations: Sequence[EvaluationTexts]

    def blocks(self) -> list[Block]:
        """A row for each labeling, if all measures fit beside each other; else whatever takes fewer lines.

        A star marks the best scores of each measure.
        """
        blocks = self._blocks()
        if any(places for of_groups in self._best().values() for places in of_groups):
            blocks[-1] = [*blocks[-1], ABOUT_STAR]
        return blocks

    def _blocks(self) -> list[Block]:
        runs = visible_runs(len(self.names), _MOST_LABELINGS, self._best_places())
        grid = self._grid(runs)
        by_labeling = column_blocks(grid)
        if len(by_labeling) == 1:
            return by_labeling
        by_measure = column_blocks(list(map(list, zip(*grid, strict=True))), widest_head=_WIDEST_LABELING)
        return min(by_labeling, by_measure, key=n_lines)

    def _grid(self, runs: Sequence[range]) -> Grid:
        """The cells of some labelings: of counts those that are not the same for all, and the scores."""
        shown = [self.evaluations[place] for run in runs for place in run]
        counts = [x for x in _COUNTS if len({getattr(evaluation, x) for evaluation in shown}) > 1]
        measures = measures_of(shown)
        best = self._places_of_best()
        grid = [["", *counts, *map(readable_name, measures)]]
        for run, n_hidden in zip(runs, [0, *gap_sizes(list(runs))], strict=True):
            if n_hidden:
                grid.append([f"({n_hidden} more)", *[""] * (len(grid[0]) - 1)])
            for place in run:
                evaluation = self.evaluations[place]
                scores = [
                    evaluation.scores[x].whole + _mark(place, best.get(x)) if x in evaluation.scores else ""
                    for x in measures
                ]
                grid.append([readable_name(self.names[place]), *(getattr(evaluation, x) for x in counts), *scores])
        return grid

    def html(self) -> str:
        """A row for each labeling, with the best scores of each measure in bold; with ``by`` of each value of it."""
        measures = measures_of(self.evaluations)
        best = self._places_of_best()
        counts = [x for x in _COUNTS if any(getattr(evaluation, x) for evaluation in self.evaluations)]
        rows: list[HtmlRow | GapRow] = []
        runs = visible_runs(len(self.names), _MOST_ROWS, self._best_places())
        for run, n_hidden in zip(runs, [0, *gap_sizes(runs)], strict=True):
            rows += [GapRow(n_hidden)] * bool(n_hidden)
            for place in run:
                evaluation = self.evaluations[place]
                cells = [HtmlCell(getattr(evaluation, x)) for x in counts]
                cells += [_cell(evaluation.scores.get(x), place in best.get(x, ())) for x in measures]
                rows.append(HtmlRow(self._parts(self.names[place]), cells))
        directions = [common_direction(x, self.evaluations) for x in measures]
        heads = [*self.levels, *counts, *map(_with_arrow, measures, directions)]
        titles = [*[""] * (len(self.levels) + len(counts)), *map(_about, directions)]
        levels = {evaluation.level for evaluation in self.evaluations}
        note = ", ".join(about_level(levels.pop())) if len(levels) == 1 else ""
        return html_table(heads, rows, titles, left=range(len(self.levels)), note=note)

    def _places_of_best(self) -> dict[Any, set[int]]:
        return {name: {place for some in of_groups for place in some} for name, of_groups in self._best().items()}

    def _best(self) -> dict[Any, list[list[int]]]:
        """The places of the best labelings by each measure, for each value of ``by``, if there is such."""
        if "by" not in self.levels:
            return best_places(self.evaluations, [None] * len(self.names))
        return best_places(self.evaluations, [name[-1] if len(self.levels) > 1 else name for name in self.names])

    def _best_places(self) -> list[int]:
        """The best labelings, of equally good ones the first."""
        return [best[0] for of_groups in self._best().values() for best in of_groups]

    def _parts(self, name: Any) -> list[str]:
        """The parts of a name, one for each level."""
        return list(map(readable_name, name)) if len(self.levels) > 1 else [readable_name(name)]


@dataclass(frozen=True)
class EvaluationTable:
    """The scores of one labeling."""

    evaluation: EvaluationTexts

    def blocks(self) -> list[Block]:
        """A line for each score."""
        rows = [[readable_name(name), score.whole] for name, score in self.evaluation.scores.items()]
        return [block[1:] for block in column_blocks([["", ""], *rows], left=(0, 1))]

    def html(self) -> str:
        """A row for each score; below them how many classes, clusters and samples there are."""
        rows = []
        for name, score in self.evaluation.scores.items():
            direction = common_direction(name, [self.evaluation])
            rows.append(HtmlRow([_with_arrow(name, direction)], [_cell(score)], _about(direction)))
        return html_table(["measure", "score"], rows, note=self.evaluation.about)


def _mark(place: int, best: set[int] | None) -> str:
    """What stands behind a score: nothing, where none of its measure is the best."""
    return "" if not best else STAR if place in best else " "


def _cell(score: ScoreText | None, is_best: bool = False) -> HtmlCell:
    return HtmlCell() if score is None else HtmlCell(score.text, score.interval, score.exact, is_best)


def _with_arrow(measure: Any, direction: Direction) -> str:
    arrow = ARROWS.get(direction, "")
    return f"{readable_name(measure)} {arrow}" if arrow else readable_name(measure)


def _about(direction: Direction) -> str:
    return f"{direction} is better" if direction else ""
