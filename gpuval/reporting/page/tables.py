"""The tables of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.safe_text import shortened_inside
from gpuval.evaluation.results.directions import ARROWS, Direction
from gpuval.evaluation.results.shown_scores import ShownEvaluation, measures_of, shown_direction
from gpuval.reporting.found.overlaps import Overlaps, Spread
from gpuval.reporting.found.ranked import Scores, names_of_best
from gpuval.reporting.words.names import count_text, name_text, parts_text, share_text

_MOST_ROWS = 500
"""The largest number of labels in a table; a note says how many more there are."""

_WIDEST_VALUE, _WIDEST_MEASURE = 20, 40
"""The largest widths of a value of ``by`` above its column, and of a measure, which is broken at its underscores."""


class Head(NamedTuple):
    """The head of a column."""

    text: str
    is_number: bool = True
    about: str = ""
    """An explanation, shown as a tooltip; empty if there is none."""


class Cell(NamedTuple):
    """A cell, and what it is sorted by."""

    text: str
    value: float | str
    beside: str = ""
    """Text that is shown after it in a fainter colour."""
    is_best: bool = False


class PageTable(NamedTuple):
    """A table of which the first column is of names."""

    caption: str
    heads: Sequence[Head]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    note: str = ""


def table_of_scores(names: Sequence[Any], scores: Scores, caption: str, note: str) -> PageTable:
    """A row for each labeling, in the order of the names; the best scores of each measure are marked."""
    best = _marked(scores)
    measures = measures_of(list(scores.values()))
    heads = [
        Head("labeling", is_number=False),
        Head("clusters"),
        Head("samples"),
        *(_head(x, shown_direction(x, scores.values())) for x in measures),
    ]
    rows = []
    for name in names:
        shown = scores[name]
        counts = [_count(shown.counts.get("n_clusters", "")), _samples(shown)]
        cells = [_score(shown, x, name in best.get(x, ())) for x in measures]
        rows.append((name_text(name), [*counts, *cells]))
    return PageTable(caption, heads, rows, note)


def _marked(scores: Scores) -> dict[Any, list[Any]]:
    """The best labelings by each measure, which are marked; none if there is only one labeling."""
    return names_of_best(scores) if len(scores) > 1 else {}


def _head(measure: Any, direction: Direction) -> Head:
    text = shortened_inside(name_text(measure), _WIDEST_MEASURE)
    return Head(f"{text} {ARROWS[direction]}", about=f"{direction} is better") if direction else Head(text)


def _count(number: Any) -> Cell:
    return Cell("", "") if number == "" else Cell(count_text(number), float(number))


def _samples(shown: ShownEvaluation) -> Cell:
    return Cell(shown.samples, float(shown.counts.get("n_samples", 0)))


def _score(shown: ShownEvaluation, measure: Any, is_best: bool) -> Cell:
    if measure not in shown.scores:
        return Cell("", "")
    score = shown.scores[measure]
    return Cell(score.text, _sorted_by(score.number), score.interval, is_best)


def _sorted_by(number: float) -> float | str:
    """A number as JavaScript reads it; "" for NaN, which is sorted after all others."""
    if math.isnan(number):
        return ""
    return number if math.isfinite(number) else f"{'-' * (number < 0)}Infinity"


def table_apart(
    names: Sequence[Any], values: Sequence[Any], scores: Mapping[Any, ShownEvaluation], measure: Any, caption: str
) -> PageTable:
    """A row for each labeling and a column for each value of ``by``, of one measure."""
    said = {value: f"{shown.samples} samples" for (_, value), shown in scores.items() if shown.samples}
    heads = [
        Head("labeling", is_number=False),
        *(Head(shortened_inside(name_text(x), _WIDEST_VALUE), about=said.get(x, "")) for x in values),
    ]
    of_values: dict[Any, dict[Any, ShownEvaluation]] = {value: {} for value in values}
    for (name, value), shown in scores.items():
        if value in of_values:
            of_values[value][name] = shown
    best = {value: _marked(found).get(measure, []) for value, found in of_values.items()}
    nothing = Cell("", "")
    rows = []
    for name in names:
        at = {value: scores.get((name, value)) for value in values}
        cells = [nothing if x is None else _score(x, measure, name in best[value]) for value, x in at.items()]
        rows.append((name_text(name), cells))
    return PageTable(caption, heads, rows)


def table_of_classes(overlaps: Overlaps) -> PageTable:
    """Where the samples of each class are; the largest class first."""
    heads = [
        Head("class", is_number=False),
        Head("samples"),
        Head("in its largest cluster", about="the share of the class that is in its largest cluster (recall)"),
        Head("best F", about="the largest F-score with any cluster; 1 is best"),
        Head("clusters", about="the number of clusters that hold samples of the class"),
        Head("where its samples are", is_number=False),
    ]
    return _of_spreads("Each class, and the clusters of its samples", heads, overlaps.class_spreads)


def table_of_clusters(overlaps: Overlaps) -> PageTable:
    """What each cluster holds; the largest cluster first."""
    heads = [
        Head("cluster", is_number=False),
        Head("samples"),
        Head("of its main class", about="the share of the cluster that belongs to its main class (precision)"),
        Head("best F", about="the largest F-score with any class; 1 is best"),
        Head("classes", about="the number of classes that have samples in the cluster"),
        Head("what it holds", is_number=False),
    ]
    return _of_spreads("Each cluster, and the classes of its samples", heads, overlaps.cluster_spreads)


def _of_spreads(caption: str, heads: Sequence[Head], spreads: Sequence[Spread]) -> PageTable:
    in_order = sorted(spreads, key=lambda spread: -spread.size)
    left_out = len(in_order) - _MOST_ROWS
    note = f"{count_text(left_out)} smaller ones are not shown." if left_out > 0 else ""
    return PageTable(caption, heads, [(name_text(x.label), _spread_cells(x)) for x in in_order[:_MOST_ROWS]], note)


def _spread_cells(spread: Spread) -> list[Cell]:
    share = spread.parts[0].share if spread.parts else math.nan
    said = parts_text(spread.parts, spread.n_parts) if spread.parts else ""
    return [
        Cell(count_text(spread.size), spread.size),
        Cell(share_text(share) if spread.parts else "", share if spread.parts else ""),
        Cell(f"{spread.best_f:.3f}", spread.best_f),
        Cell(count_text(spread.n_parts), float(spread.n_parts)),
        Cell(said, said),
    ]
