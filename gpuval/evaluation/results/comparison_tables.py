"""Tables of evaluations and comparisons, as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.display.html import Hidden, HtmlCell, HtmlRow, html_table
from gpuval.display.middle import hidden, without_middle
from gpuval.display.safe_text import shown_name
from gpuval.display.text_tables import Block, in_blocks, n_lines
from gpuval.evaluation.results.directions import ABOUT_STAR, ARROWS, STAR, Direction
from gpuval.evaluation.results.shown_scores import (
    ShownEvaluation,
    ShownScore,
    about_level,
    best_places,
    measures_of,
    shown_direction,
)

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
    evaluations: Sequence[ShownEvaluation]

    def blocks(self) -> list[Block]:
        """A row for each labeling, if all measures fit beside each other; else whatever takes fewer lines.

        A star marks the best scores of each measure.
        """
        blocks = self._blocks()
        if any(places for of_groups in self._best().values() for places in of_groups):
            blocks[-1] = [*blocks[-1], ABOUT_STAR]
        return blocks

    def _blocks(self) -> list[Block]:
        runs = without_middle(len(self.names), _MOST_LABELINGS, self._kept())
        grid = self._grid(runs)
        by_labeling = in_blocks(grid)
        if len(by_labeling) == 1:
            return by_labeling
        by_measure = in_blocks(list(map(list, zip(*grid, strict=True))), widest_head=_WIDEST_LABELING)
        return min(by_labeling, by_measure, key=n_lines)

    def _grid(self, runs: Sequence[range]) -> Grid:
        """The cells of some labelings: of counts those that are not the same for all, and the scores."""
        shown = [self.evaluations[place] for run in runs for place in run]
        counts = [x for x in _COUNTS if len({getattr(evaluation, x) for evaluation in shown}) > 1]
        measures = measures_of(shown)
        best = self._places_of_best()
        grid = [["", *counts, *map(shown_name, measures)]]
        for run, n_hidden in zip(runs, [0, *hidden(list(runs))], strict=True):
            if n_hidden:
                grid.append([f"({n_hidden} more)", *[""] * (len(grid[0]) - 1)])
            for place in run:
                evaluation = self.evaluations[place]
                scores = [
                    evaluation.scores[x].whole + _mark(place, best.get(x)) if x in evaluation.scores else ""
                    for x in measures
                ]
                grid.append([shown_name(self.names[place]), *(getattr(evaluation, x) for x in counts), *scores])
        return grid

    def html(self) -> str:
        """A row for each labeling, with the best scores of each measure in bold; with ``by`` of each value of it."""
        measures = measures_of(self.evaluations)
        best = self._places_of_best()
        counts = [x for x in _COUNTS if any(getattr(evaluation, x) for evaluation in self.evaluations)]
        rows: list[HtmlRow | Hidden] = []
        runs = without_middle(len(self.names), _MOST_ROWS, self._kept())
        for run, n_hidden in zip(runs, [0, *hidden(runs)], strict=True):
            rows += [Hidden(n_hidden)] * bool(n_hidden)
            for place in run:
                evaluation = self.evaluations[place]
                cells = [HtmlCell(getattr(evaluation, x)) for x in counts]
                cells += [_cell(evaluation.scores.get(x), place in best.get(x, ())) for x in measures]
                rows.append(HtmlRow(self._parts(self.names[place]), cells))
        directions = [shown_direction(x, self.evaluations) for x in measures]
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

    def _kept(self) -> list[int]:
        """The best labelings, of equally good ones the first."""
        return [best[0] for of_groups in self._best().values() for best in of_groups]

    def _parts(self, name: Any) -> list[str]:
        """The parts of a name, one for each level."""
        return list(map(shown_name, name)) if len(self.levels) > 1 else [shown_name(name)]


@dataclass(frozen=True)
class EvaluationTable:
    """The scores of one labeling."""

    evaluation: ShownEvaluation

    def blocks(self) -> list[Block]:
        """A line for each score."""
        rows = [[shown_name(name), score.whole] for name, score in self.evaluation.scores.items()]
        return [block[1:] for block in in_blocks([["", ""], *rows], left=(0, 1))]

    def html(self) -> str:
        """A row for each score; below them how many classes, clusters and samples there are."""
        rows = []
        for name, score in self.evaluation.scores.items():
            direction = shown_direction(name, [self.evaluation])
            rows.append(HtmlRow([_with_arrow(name, direction)], [_cell(score)], _about(direction)))
        return html_table(["measure", "score"], rows, note=self.evaluation.about)


def _mark(place: int, best: set[int] | None) -> str:
    """What stands behind a score: nothing, where none of its measure is the best."""
    return "" if not best else STAR if place in best else " "


def _cell(score: ShownScore | None, is_best: bool = False) -> HtmlCell:
    return HtmlCell() if score is None else HtmlCell(score.text, score.interval, score.exact, is_best)


def _with_arrow(measure: Any, direction: Direction) -> str:
    arrow = ARROWS.get(direction, "")
    return f"{shown_name(measure)} {arrow}" if arrow else shown_name(measure)


def _about(direction: Direction) -> str:
    return f"{direction} is better" if direction else ""
