"""Tables of scores that are no wider than a terminal: headings are folded, and wide tables are cut."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from gpuval.cli.output.folding import parts_that_fit
from gpuval.cli.output.grids import Grid, are_many, per_labeling, per_measure
from gpuval.cli.scoring.scored import Scores
from gpuval.cli.terminal import UNLIMITED, Paper
from gpuval.display.safe_text import text_width
from gpuval.evaluation.results.directions import ARROWS

_GAP = 2
"""Spaces between columns."""

_NARROWEST = 12
"""The least room for the names of measures, or of labelings."""

_MOST_LINES = 5
"""Lines that a name is folded into; a longer one is cut."""


def as_tables(scores: Scores, by: str | None, paper: Paper) -> str:
    """A table of a row per measure, if it is no wider than ``paper``; else of a row per labeling, in parts."""
    if not are_many(scores):
        for has_column in (True, False):
            grid = per_measure(scores, paper, has_column=has_column).with_stars()
            if _width_of(_widths(grid)) <= paper.width:
                return _drawn(grid, _widths(grid), paper)
        numbers = _number_widths(grid, paper)
        room = paper.width - _width_of(numbers) - _GAP
        if room >= _NARROWEST or len(scores) == 1:
            return _drawn(grid, [max(room, _NARROWEST), *numbers], paper)
    grid = per_labeling(scores, by, paper, has_all_counts=False).with_stars()
    if paper.width >= UNLIMITED:
        return _drawn(grid, _widths(grid), paper)
    numbers = _number_widths(grid, paper)
    room = max(paper.width // 3, paper.width - _width_of(numbers)) // grid.n_names - _GAP
    names = [min(width, max(room, _NARROWEST)) for width in _widths(grid)[: grid.n_names]]
    return _in_parts(grid, [*names, *numbers], paper)


def _widths(grid: Grid) -> list[int]:
    return [max(map(text_width, column)) for column in zip(grid.titles, *grid.rows, strict=True)]


def _width_of(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _number_widths(grid: Grid, paper: Paper) -> list[int]:
    """Columns as narrow as their numbers, and as the pieces of their titles where these are not long."""
    columns = list(zip(grid.titles, *grid.rows, strict=True))[grid.n_names :]
    longest = max(_NARROWEST, paper.width // 4)
    pieces = [min(max(map(text_width, _pieces(title))), longest) for title, *_ in columns]
    return [max(width, *map(text_width, numbers)) for width, (_, *numbers) in zip(pieces, columns, strict=True)]


def _in_parts(grid: Grid, widths: Sequence[int], paper: Paper) -> str:
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
        tables.append(_drawn(Grid(titles, rows, grid.n_names, notes), [widths[x] for x in chosen], paper))
    return "\n".join(tables)


def _drawn(grid: Grid, widths: Sequence[int], paper: Paper) -> str:
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
    cells = [_folded(text, width, paper) for text, width in zip(row, widths, strict=True)]
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
    return re.findall(rf"[^_ ]*_+|[^_ ]+(?: [{''.join(ARROWS.values())}])?| +", text) or [text]


def _folded(text: str, width: int, paper: Paper) -> list[str]:
    """A text as lines of at most ``width``; what takes more than a few is cut."""
    if text_width(text) <= width:
        return [text]
    lines = [""]
    for piece in _pieces(paper.cut(text, width * (_MOST_LINES + 2))):
        for part in parts_that_fit(piece, width):
            if text_width(lines[-1] + part) <= width:
                lines[-1] += part
            else:
                lines.append(part.lstrip())
    lines = [line.rstrip() for line in lines if line.strip()] or [""]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], paper.cut("".join(lines[_MOST_LINES - 1 :]), width)]
    return lines
