"""Tables of numbers with labels, as results print them: as wide as a terminal, and with few lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from gpuval.display.numbers import number_text
from gpuval.display.safe_text import ELLIPSIS, shortened_inside, shown_name, text_width, visible
from gpuval.display.text_tables import WIDTH, aligned

MOST_ROWS = 20
"""The rows of a table that are shown; of more some are left out."""

_LEFT_OUT = "..."
_GAP = "  "
_LONGEST_TEXT, _LONGEST_ROW_NAME, _LONGEST_COLUMN_NAME = 200, 24, 12


def label_text(label: Any) -> str:
    """A label in one line: without what would control a terminal, and of a very long one the beginning."""
    try:
        text = shown_name(label)
    except Exception:  # of a class of a user, or an integer of thousands of digits
        text = f"<{type(label).__name__}>"
    return visible(text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + ELLIPSIS)


def seen_name(label: Any, widest: int) -> str:
    """A label in one line of at most so many columns; one that would not be seen, such as a blank, is in quotes."""
    text = shortened_inside(label_text(label), widest)
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
    return "\n".join(_GAP.join(row).rstrip() for row in aligned(_fitted(rows, n_names, width), n_names))


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
    names = ["", *(shortened_inside(label_text(x), _LONGEST_ROW_NAME) for x in row_labels)]
    if len(row_labels) < shape[0]:
        names.append(_LEFT_OUT)
    columns = [
        [shortened_inside(label_text(label), _LONGEST_COLUMN_NAME), *(number_text(row[place]) for row in numbers)]
        for place, label in enumerate(column_labels)
    ]
    room = width - max(map(text_width, names))
    ends = [len(_GAP) + max(map(text_width, column)) for column in columns]
    shown = _how_many_fit(ends, room, is_all=len(columns) == shape[1])
    kept = columns[:shown] + [[_LEFT_OUT] * (1 + len(row_labels))] * (shown < shape[1])
    rows = zip_longest(names, *kept, fillvalue="")  # the last row may be a name alone
    return "\n".join(_GAP.join(row).rstrip() for row in aligned(list(rows)))


def _how_many_fit(widths: Sequence[int], room: int, *, is_all: bool) -> int:
    """How many columns fit: all of them, or as many as leave room for the sign that there are more."""
    if is_all and sum(widths) <= room:
        return len(widths)
    room -= len(_GAP + _LEFT_OUT)
    return next((i for i in range(len(widths)) if sum(widths[: i + 1]) > room), len(widths))


def _fitted(rows: Sequence[list[str]], n_names: int, width: int) -> list[list[str]]:
    """The rows with their first ``n_names`` texts shortened, all to one length, until the longest row fits."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    room = width - sum(widths[n_names:]) - len(_GAP) * (len(widths) - 1)
    longest = max(widths[:n_names])
    while longest > 2 and sum(min(x, longest) for x in widths[:n_names]) > room:
        longest -= 1
    return [[*(shortened_inside(x, longest) for x in row[:n_names]), *row[n_names:]] for row in rows]
