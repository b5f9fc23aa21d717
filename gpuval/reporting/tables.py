"""Tables of a page: heads, cells and rows, and how long tables and wide ones are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import NONE
from gpuval.measures.measure import Direction

MOST_ROWS = 500
"""The largest number of rows of a table of labels; a note says how many more there are."""


class Head(NamedTuple):
    """The head of a column."""

    text: str
    is_number: bool = True
    about: str = ""
    """An explanation, shown as a tooltip; empty if there is none."""
    below: str = ""
    """What stands below it in a fainter colour."""
    better: Direction = "higher"
    """Which numbers come first when the column is sorted for the first time."""
    kind: str = ""
    """The class of its cells in the style of the page."""
    begins: bool = False
    """Whether a group of columns begins with it."""
    is_sorted: bool = False
    """Whether the rows come sorted by it."""


class Span(NamedTuple):
    """A head over several columns."""

    text: str
    n_columns: int


class Bar(NamedTuple):
    """An interval and its score as shares of the width of a column."""

    low: float
    high: float
    score: float


class Piece(NamedTuple):
    """A part of a stacked bar."""

    share: float
    color: str
    text_color: str
    text: str
    """What is written in it; empty where there is no room."""
    about: str
    is_wide_only: bool = False
    """Whether its text has no room where the table is narrow."""


class Cell(NamedTuple):
    """A cell, and what it is sorted by."""

    text: str
    value: float | str
    beside: str = ""
    """Text that is shown after it in a fainter colour."""
    mark: str = ""
    """A sign before it."""
    fill: str = ""
    """"best" or "tie"; empty for no colour behind it."""
    bar: Bar | None = None
    pieces: Sequence[Piece] = ()
    about: str = ""
    kind: str = ""
    """A class of its own in the style of the page."""


class Row(NamedTuple):
    """A row of which the first column is a name."""

    name: str
    cells: Sequence[Cell]
    about: str = ""
    """The whole name, where it is shortened."""
    is_chosen: bool = False
    """Whether it is the row that the page is about."""
    is_first: bool = True
    """Whether it is shown before somebody opens the rest."""


class PageTable(NamedTuple):
    """A table of which the first column is of names."""

    caption: str
    heads: Sequence[Head]
    rows: Sequence[Row]
    spans: Sequence[Span] = ()
    note: str = ""
    kind: str = ""
    is_searched: bool = False
    """Whether there is a box to find rows by their names."""

    @property
    def n_more(self) -> int:
        """How many rows are only shown when somebody opens the rest."""
        return sum(not row.is_first for row in self.rows)


EMPTY = Cell(NONE, "")
"""The cell of what has no value."""


def sort_key(number: float) -> float | str:
    """A number as JavaScript reads it; "" for NaN, which is sorted after all others."""
    if math.isnan(number):
        return ""
    return number if math.isfinite(number) else f"{'-' * (number < 0)}Infinity"


def csv_text(heads: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """Rows of texts and numbers as CSV, numbers with all digits; what has no number is empty."""
    return "".join(",".join(map(_csv_cell, row)) + "\n" for row in [heads, *rows])


def _csv_cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    text = str(value)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(x in text for x in ',"\n\r') else text
