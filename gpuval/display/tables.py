"""Results by their names, and tables of numbers with labels: as they print in a terminal and in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol, TypeVar

from gpuval.display.digits import for_terminal
from gpuval.display.html import GapRow, HtmlCell, HtmlRow, html_table, html_text
from gpuval.display.text import (
    ELLIPSIS,
    WIDTH,
    Block,
    align_columns,
    column_blocks,
    gap_sizes,
    number_text,
    readable_name,
    shorten_middle,
    text_of_blocks,
    text_width,
    visible,
    visible_runs,
    wrap,
)

Key = TypeVar("Key")
Value = TypeVar("Value")

_MOST_ROWS = 60


class Printable(Protocol):
    """What results are shown as."""

    def blocks(self) -> list[Block]:
        """Blocks of lines of text."""

    def html(self) -> str:
        """The same for a notebook."""


class TextTable(NamedTuple):
    """A table of text: the first cell of each row is a name."""

    heads: Sequence[str]
    """Empty ones where there is nothing to say."""
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = (0,)
    """The columns whose cells are left-aligned."""

    def blocks(self) -> list[Block]:
        """Its lines, in blocks of columns; without the middle of many rows."""
        runs = visible_runs(len(self.rows), _MOST_ROWS)
        rows = [list(row) for row in self.rows[: runs[0].stop]]
        for run, n_hidden in zip(runs[1:], gap_sizes(runs), strict=True):
            rows.append([f"({n_hidden} more)", *[""] * (len(self.heads) - 1)])
            rows += [list(self.rows[place]) for place in run]
        blocks = column_blocks([self.heads, *rows], self.left)
        return blocks if any(self.heads) else [block[1:] for block in blocks]

    def html(self) -> str:
        """The same for a notebook."""
        runs = visible_runs(len(self.rows), _MOST_ROWS)
        rows: list[HtmlRow | GapRow] = []
        for run, n_hidden in zip(runs, [0, *gap_sizes(runs)], strict=True):
            rows += [GapRow(n_hidden)] * bool(n_hidden)
            for name, *cells in (self.rows[place] for place in run):
                rows.append(HtmlRow([name], [HtmlCell(cell) for cell in cells]))
        return html_table(self.heads, rows, left=self.left)


class Paragraph(NamedTuple):
    """Sentences below a table."""

    text: str

    def blocks(self) -> list[Block]:
        """Its lines."""
        return [wrap(self.text).split("\n")]

    def html(self) -> str:
        """The same for a notebook."""
        return html_text(self.text)


class ResultMapping(Mapping[Key, Value]):
    """Results by their names; prints as tables, and completes the names where IPython is asked for one."""

    @abstractmethod
    def _tables(self) -> Sequence[Printable]:
        """What they are shown as, if there are any."""

    def __repr__(self) -> str:
        if not self:
            return self._nothing()
        return for_terminal(text_of_blocks([block for table in self._tables() for block in table.blocks()]))

    def _repr_html_(self) -> str:
        return "\n".join(table.html() for table in self._tables()) if self else html_text(self._nothing())

    def _nothing(self) -> str:
        return f"{type(self).__name__}({{}})"

    def _ipython_key_completions_(self) -> list[Key]:
        return list(self)


# Tables of numbers with labels, as results print them: as wide as a terminal, and with few lines.

MOST_ROWS = 20
"""The rows of a table that are shown; of more some are left out."""

_LEFT_OUT = "..."
_GAP = "  "
_LONGEST_TEXT, _LONGEST_ROW_NAME, _LONGEST_COLUMN_NAME = 200, 24, 12


def label_text(label: Any) -> str:
    """A label in one line: without what would control a terminal, and of a very long one the beginning."""
    try:
        text = readable_name(label)
    except Exception:  # of a class of a user, or an integer of thousands of digits
        text = f"<{type(label).__name__}>"
    return visible(text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + ELLIPSIS)


def short_label(label: Any, widest: int) -> str:
    """A label in one line of at most so many columns; one that would not be seen, such as a blank, is in quotes."""
    text = shorten_middle(label_text(label), widest)
    return text if text_width(text.strip()) else f"'{text}'"


def columns_of_labels(names: Sequence[str], columns: Sequence[Any], n_names: int = 1, width: int = WIDTH) -> str:
    """Columns of one length below their names: the first ``n_names`` are of labels, the others of numbers.

    Labels are shortened until the lines fit; of more than ``MOST_ROWS`` rows those in the middle are left out. The
    columns are arrays of NumPy.
    """
    n, half = len(columns[0]), MOST_ROWS // 2
    first, last = (n, n) if n <= MOST_ROWS else (half, n - half)
    rows = [list(names)]
    for place in [*range(first), *range(last, n)]:
        if place == last:
            rows.append([_LEFT_OUT] * len(names))
        rows.append([label_text(x[place]) for x in columns[:n_names]])
        rows[-1] += [number_text(x[place].item()) for x in columns[n_names:]]
    aligned = align_columns(_fit_names(rows, n_names, width), n_names)
    return for_terminal("\n".join(_GAP.join(row).rstrip() for row in aligned))


def matrix_of_labels(
    row_labels: Sequence[Any],
    column_labels: Sequence[Any],
    numbers: Sequence[Sequence[Any]],
    shape: tuple[int, int],
    width: int = WIDTH,
) -> str:
    """The corner of a matrix of this shape, beside the labels of its rows and below those of its columns.

    Of the columns that are given, as many as fit. What the matrix has beyond is "...".
    """
    names = ["", *(shorten_middle(label_text(x), _LONGEST_ROW_NAME) for x in row_labels)]
    if len(row_labels) < shape[0]:
        names.append(_LEFT_OUT)
    columns = [
        [shorten_middle(label_text(label), _LONGEST_COLUMN_NAME), *(number_text(row[place]) for row in numbers)]
        for place, label in enumerate(column_labels)
    ]
    room = width - max(map(text_width, names))
    ends = [len(_GAP) + max(map(text_width, column)) for column in columns]
    shown = _how_many_fit(ends, room, is_all=len(columns) == shape[1])
    kept = columns[:shown] + [[_LEFT_OUT] * (1 + len(row_labels))] * (shown < shape[1])
    rows = zip_longest(names, *kept, fillvalue="")  # the last row may be a name alone
    return for_terminal("\n".join(_GAP.join(row).rstrip() for row in align_columns(list(rows))))


def _how_many_fit(widths: Sequence[int], room: int, *, is_all: bool) -> int:
    """How many columns fit: all of them, or as many as leave room for the sign that there are more."""
    if is_all and sum(widths) <= room:
        return len(widths)
    room -= len(_GAP + _LEFT_OUT)
    return next((i for i in range(len(widths)) if sum(widths[: i + 1]) > room), len(widths))


def _fit_names(rows: Sequence[list[str]], n_names: int, width: int) -> list[list[str]]:
    """The rows with their first ``n_names`` texts shortened, all to one length, until the longest row fits."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    room = width - sum(widths[n_names:]) - len(_GAP) * (len(widths) - 1)
    longest = max(widths[:n_names])
    while longest > 2 and sum(min(x, longest) for x in widths[:n_names]) > room:
        longest -= 1
    return [[*(shorten_middle(x, longest) for x in row[:n_names]), *row[n_names:]] for row in rows]
