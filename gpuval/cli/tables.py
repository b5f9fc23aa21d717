"""Scores for people, in tables that are no wider than a terminal: headings are folded, and wide tables are cut."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpuval.cli.requests import NO_EMPHASIS, REFERENCE, Emphasis, Scores
from gpuval.cli.terminal import UNLIMITED, Paper
from gpuval.display.digits import count_text
from gpuval.display.text import text_width
from gpuval.measures.measure import ARROW
from gpuval.results.scores import COUNTS

if TYPE_CHECKING:
    from gpuval.results.evaluations import Comparison


_GAP = 2
"""Spaces between columns."""

_NARROWEST = 12
"""The least room for the names of measures, or of labelings."""

_MOST_LINES = 5
"""Lines that a name is folded into; a longer one is cut."""


def as_tables(scores: Scores, by: str | None, paper: Paper, emphasis: Emphasis = NO_EMPHASIS) -> str:
    """A table of a row per measure, if it is no wider than ``paper``; else of a row per labeling, in parts."""
    if not are_many(scores):
        for has_column in (True, False):
            grid = measure_grid(scores, paper, emphasis, has_column=has_column).with_marks(paper)
            if _width_of(_widths(grid)) <= paper.width:
                return _draw(grid, _widths(grid), paper)
        numbers = _number_widths(grid, paper)
        room = paper.width - _width_of(numbers) - _GAP
        if room >= _NARROWEST or len(scores) == 1:
            return _draw(grid, [max(room, _NARROWEST), *numbers], paper)
    return _fit(labeling_grid(scores, by, paper, emphasis, has_all_counts=False).with_marks(paper), paper)


def table_that_fits(titles: Sequence[str], rows: Sequence[Sequence[str]], n_names: int, paper: Paper) -> str:
    """A table, in parts where it is wider than ``paper``; the first ``n_names`` columns stand in each part."""
    return _fit(_Grid(list(titles), list(map(list, rows)), n_names), paper)


def _fit(grid: _Grid, paper: Paper) -> str:
    if paper.width >= UNLIMITED:
        return _draw(grid, _widths(grid), paper)
    numbers = _number_widths(grid, paper)
    room = max(paper.width // 3, paper.width - _width_of(numbers)) // grid.n_names - _GAP
    names = [min(width, max(room, _NARROWEST)) for width in _widths(grid)[: grid.n_names]]
    return _split_table(grid, [*names, *numbers], paper)


def _widths(grid: _Grid) -> list[int]:
    return [max(map(text_width, column)) for column in zip(grid.titles, *grid.rows, strict=True)]


def _width_of(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _number_widths(grid: _Grid, paper: Paper) -> list[int]:
    """Columns as narrow as their numbers, and as the pieces of their titles where these are not long."""
    columns = list(zip(grid.titles, *grid.rows, strict=True))[grid.n_names :]
    longest = max(_NARROWEST, paper.width // 4)
    pieces = [min(max(map(text_width, _pieces(title))), longest) for title, *_ in columns]
    return [max(width, *map(text_width, numbers)) for width, (_, *numbers) in zip(pieces, columns, strict=True)]


def _split_table(grid: _Grid, widths: Sequence[int], paper: Paper) -> str:
    """One table below the other, each with the names and as many columns as there is room for."""
    names, places = list(range(grid.n_names)), list(range(grid.n_names, len(widths)))
    tables = []
    while places:
        count = 1
        while count < len(places) and _width_of([widths[x] for x in names + places[: count + 1]]) <= paper.width:
            count += 1
        chosen, places = names + places[:count], places[count:]
        titles = [grid.titles[x] for x in chosen]
        rows = [[row[x] for x in chosen] for row in grid.rows]
        notes = () if places else grid.notes
        tables.append(_draw(_Grid(titles, rows, grid.n_names, notes), [widths[x] for x in chosen], paper))
    return "\n".join(tables)


def _draw(grid: _Grid, widths: Sequence[int], paper: Paper) -> str:
    rule = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" if paper.has("\N{BOX DRAWINGS LIGHT HORIZONTAL}") else "-"
    titles = _lines(grid.titles, widths, grid.n_names, paper, are_titles=True)
    if paper.is_styled:
        titles = [f"\x1b[1m{line}\x1b[0m" for line in titles]
    lines = [*titles, rule * _width_of(widths)]
    for row in grid.rows:
        lines += _lines(row, widths, grid.n_names, paper)
    for note in grid.notes:
        lines += textwrap.wrap(note, paper.width) if paper.width < UNLIMITED else [note]
    return "".join(f"{line}\n" for line in lines)


def _lines(
    row: Sequence[str], widths: Sequence[int], n_names: int, paper: Paper, *, are_titles: bool = False
) -> list[str]:
    """A row as lines without spaces at their ends; titles end, and cells begin, in the same line."""
    cells = [_fold(text, width, paper) for text, width in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    lines = []
    for place in range(height):
        parts = []
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            at = place - (height - len(cell)) if are_titles else place
            text = cell[at] if 0 <= at < len(cell) else ""
            spaces = " " * (width - text_width(text))
            parts.append(text + spaces if number < n_names else spaces + text)
        lines.append((" " * _GAP).join(parts).rstrip(" "))
    return lines


def _pieces(text: str) -> list[str]:
    """Where a name may be folded: behind underscores, and at spaces but that before an arrow."""
    return re.findall(rf"[^_ ]*_+|[^_ ]+(?: {ARROW})?| +", text) or [text]


def _fold(text: str, width: int, paper: Paper) -> list[str]:
    """A text as lines of at most ``width``; what takes more than a few is cut."""
    if text_width(text) <= width:
        return [text]
    lines = [""]
    for piece in _pieces(paper.cut(text, width * (_MOST_LINES + 2))):
        for part in _parts_that_fit(piece, width):
            if text_width(lines[-1] + part) <= width:
                lines[-1] += part
            else:
                lines.append(part.lstrip())
    lines = [line.rstrip() for line in lines if line.strip()] or [""]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], paper.cut("".join(lines[_MOST_LINES - 1 :]), width)]
    return lines


# Scores for people in rows and columns: a row per measure, or per labeling if there are many.


class _Grid(NamedTuple):
    """Titles, rows below them, how many columns from the first on are names, and what is said below all."""

    titles: list[str]
    rows: list[list[str]]
    n_names: int
    notes: Sequence[str] = ()
    marks: Mapping[tuple[int, int], str] = MappingProxyType({})
    """By row and column the mark of a score that is the best of its measure, or is not told apart from it."""
    about_marks: str = ""

    def with_marks(self, paper: Paper) -> _Grid:
        """The same with a mark behind scores, a space behind others of their columns, and what marks mean below."""
        if not self.marks:
            return self
        columns = {column for _, column in self.marks}
        behind = {place: f" {paper.with_marks(mark)}" for place, mark in self.marks.items()}
        rows = [
            [cell + behind.get((i, j), "  ") * (j in columns) for j, cell in enumerate(row)]
            for i, row in enumerate(self.rows)
        ]
        return _Grid(self.titles, rows, self.n_names, [*self.notes, paper.with_marks(self.about_marks)], self.marks)


def are_many(scores: Scores) -> bool:
    """Whether there are more labelings than there is to say of each."""
    return len(scores) > len(_names_of(scores))


def measure_grid(scores: Scores, paper: Paper, emphasis: Emphasis = NO_EMPHASIS, *, has_column: bool = True) -> _Grid:
    """A row per count and measure; which scores are better stands in a column of its own, or behind the name."""
    labelings = [paper.printable(", ".join(parts_of_key(name))) for name in scores]
    names = _names_of(scores)
    texts = _Texts(scores, paper, emphasis)
    numbers = [[texts.of(key, name) for key in scores] for name in names]
    n_names = 2 if has_column else 1
    columns = {key: n_names + j for j, key in enumerate(scores)}
    marks = {(names.index(name), columns[key]): mark for (key, name), mark in texts.marks.items()}
    if has_column:
        rows = [[name, _better(name), *row] for name, row in zip(names, numbers, strict=True)]
        return _Grid(["metric", "better", *labelings], rows, n_names, [], marks, texts.about_marks)
    rows = [[_with_direction(name, paper), *row] for name, row in zip(names, numbers, strict=True)]
    return _Grid(["metric", *labelings], rows, n_names, _legend(names, paper), marks, texts.about_marks)


def labeling_grid(
    scores: Scores, by: str | None, paper: Paper, emphasis: Emphasis = NO_EMPHASIS, *, has_all_counts: bool = True
) -> _Grid:
    """A row per labeling, or per labeling and value of a column.

    Without ``has_all_counts``, counts but that of clusters are in a note if all labelings have the same.
    """
    names = _names_of(scores)
    alike = [name for name in names if name in COUNTS and name != "n_clusters" and not has_all_counts]
    alike = [name for name in alike if len({values[name] for values in scores.values()}) == 1]
    shown = [name for name in names if name not in alike]
    texts = _Texts(scores, paper, emphasis)
    keys = ["labeling"] if by is None else ["labeling", paper.printable(by)]
    rows = [[*map(paper.printable, parts_of_key(key)), *(texts.of(key, name) for name in shown)] for key in scores]
    first = next(iter(scores.values()))
    notes = [f"each labeling: {', '.join(f'{name} {first[name]}' for name in alike)}"] if alike else []
    titles = [*keys, *(_with_direction(name, paper) for name in shown)]
    places = {key: i for i, key in enumerate(scores)}
    marks = {(places[key], len(keys) + shown.index(name)): mark for (key, name), mark in texts.marks.items()}
    return _Grid(titles, rows, len(keys), [*notes, *_legend(shown, paper)], marks, texts.about_marks)


def _with_direction(name: str, paper: Paper) -> str:
    """The name of a measure, and an arrow if lower scores are better; a word, where there are no arrows."""
    if _better(name) != "lower":
        return name
    return f"{name} {ARROW}" if paper.has(ARROW) else f"{name} (lower)"


def _legend(names: Sequence[str], paper: Paper) -> list[str]:
    """What arrows mean, if there are any."""
    return [f"{ARROW} lower is better"] if paper.has(ARROW) and "lower" in map(_better, names) else []


def _better(name: str) -> str:
    from gpuval.results.texts import direction_of_name

    return "" if name in (*COUNTS, REFERENCE) else direction_of_name(name)


class _Texts:
    """The texts of counts and scores, and the marks of the best ones."""

    def __init__(self, scores: Scores, paper: Paper, emphasis: Emphasis) -> None:
        from gpuval.results.texts import about_marks, decimals_by_measure

        comparison = _as_comparison(scores)
        evaluations = [x.shown() for x in comparison.values()]
        self._counts, self._paper = scores, paper
        self._texts = {key: x.scores for key, x in zip(comparison, evaluations, strict=True)}
        self._small = emphasis.small
        self._decimals = decimals_by_measure(evaluations)
        marks = emphasis.marks
        if marks is None:
            large = {key: x for key, x in scores.items() if key not in self._small}
            marks = (_as_comparison(large) if self._small else comparison).marks()
        self.marks = {of: mark for of, mark in marks.items() if of[1] not in COUNTS}
        self.about_marks = about_marks(self.marks, evaluations, of_common_samples=emphasis.of_common_samples)

    def of(self, key: Any, name: str) -> str:
        """A count; or a score, with its interval if it has one."""
        found: Any = self._counts[key]
        if name in COUNTS:
            return count_text(found[name])
        if name == REFERENCE:
            return self._paper.printable(found[name])
        of = found.get(f"{name}.{REFERENCE}", found.get(REFERENCE))
        other = f" ({self._paper.printable(of)})" if of != found.get(REFERENCE) else ""
        text, n_decimals = self._texts[key][name], self._decimals[name]
        interval = "" if key in self._small else text.interval(n_decimals)
        return self._paper.with_marks(f"{text.text(n_decimals)} {interval}".rstrip()) + other


def _as_comparison(scores: Scores) -> Comparison:
    from gpuval.results.evaluations import Comparison, Evaluation
    from gpuval.results.inferences import ScoreEstimates
    from gpuval.results.scores import SampleCounts

    evaluations = {}
    for key, values in scores.items():
        numbers = {name: x for name, x in values.items() if name not in COUNTS and not isinstance(x, str)}
        estimates: dict[Any, Any] = {name: x for name, x in numbers.items() if ends_of(x)}
        plain = numbers | {name: x.score for name, x in estimates.items()}
        counts: Mapping[str, Any] = values
        total = np.asarray(counts.get("n_samples", 0))
        counted = SampleCounts(counts.get("n_classes", 0), counts.get("n_clusters", 0), total)
        evaluations[key] = Evaluation(plain, ScoreEstimates(estimates), counted)
    has_by = any(isinstance(key, tuple) for key in scores)
    return Comparison(evaluations, levels=("labeling", "by") if has_by else ("labeling",))


# Folds text into lines that are no wider than a terminal.

_INDENT = "  "


def fold_sentence(sentence: str, width: int) -> list[str]:
    """A sentence as lines of at most ``width`` columns, broken between words, and within those that are too long.

    The lines after the first are indented.
    """
    lines = [""]
    for word in re.findall("[^ ]+ *| +", sentence):
        for part in _parts_that_fit(word, max(width - len(_INDENT), 2)):
            if text_width(lines[-1]) + text_width(part.rstrip(" ")) <= width:
                lines[-1] += part
            else:
                lines.append(_INDENT + part)
    return [line.rstrip(" ") for line in lines]


def _parts_that_fit(text: str, width: int) -> list[str]:
    """A text as parts of at most ``width`` columns, at least 2: of the widest letters."""
    parts, begin, taken = [], 0, 0
    for place, letter in enumerate(text):
        wide = text_width(letter)
        if taken + wide > width:
            parts.append(text[begin:place])
            begin, taken = place, 0
        taken += wide
    return [*parts, text[begin:]]


# How counts and scores are written.


def ends_of(x: Any) -> dict[str, Any]:
    """The ends of the interval of a score; nothing of a score, or a count, without one."""
    return {"low": x.low, "high": x.high} if hasattr(x, "low") else {}


def _names_of(scores: Scores) -> list[str]:
    """The counts and the metrics that every labeling has; of several references the one that the counts are of."""
    return [name for name in next(iter(scores.values())) if not name.endswith(f".{REFERENCE}")]


def parts_of_key(labeling: str | tuple[str, ...]) -> tuple[str, ...]:
    """The name of a labeling, and the value of --by that its scores are of."""
    return labeling if isinstance(labeling, tuple) else (labeling,)
