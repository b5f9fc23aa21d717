"""Text for people: of users, made safe to print; numbers; and columns that are no wider than a terminal."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

_CONTROLS = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_UNSAFE = re.compile(f"[\x00-\x1f{_CONTROLS}]")
"""Characters that control a terminal, end lines, or turn the direction of writing; and halves of characters."""

_UNSAFE_IN_JSON = re.compile(f"[{_CONTROLS}]")
"""The same but for those that JSON itself escapes."""

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

_AS_EMOJI = "\N{VARIATION SELECTOR-16}"
"""Makes an emoji of the letter before it, which is as wide as one then."""


def visible(text: str) -> str:
    r"""Write what would control a terminal as an escape, such as ``\x1b``."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def visible_json(text: str) -> str:
    r"""Write what would control a terminal as an escape of JSON, such as ``\u009b``."""
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def readable_name(name: Any) -> str:
    """A name as people read it: a tuple as its parts, a time of NumPy in the coarsest unit that holds it."""
    return ", ".join(map(_part_text, name)) if isinstance(name, tuple) and name else _part_text(name)


def _part_text(part: Any) -> str:
    return str(np.datetime_as_string(part, unit="auto")) if isinstance(part, np.datetime64) else str(part)


def join_texts(texts: Iterable[str]) -> str:
    """Texts with commas between them, and "and" before the last."""
    *before, last = texts
    return f"{', '.join(before)} and {last}" if before else last


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide letter or an emoji, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_width, text))


@lru_cache(4096)
def _width(letter: str) -> int:
    if letter in (_AS_EMOJI, "\N{SOFT HYPHEN}"):  # terminals show this hyphen anywhere
        return 1
    category = unicodedata.category(letter)
    if category in ("Mn", "Me") or (category == "Cf" and unicodedata.bidirectional(letter) in ("BN", "ON")):
        return 0  # other letters of "Cf" are signs of Arabic and its kin, which are seen
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def shorten(text: str, width: int) -> str:
    """A text that takes at most ``width`` columns, at least 1: of a longer one the beginning and an ellipsis."""
    if text_width(text) <= width:
        return text
    kept, room = [], width - 1
    for letter in text:
        room -= _width(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join([*kept, ELLIPSIS])


def shorten_middle(text: str, width: int) -> str:
    """A text that takes at most ``width`` columns, at least 2: of a longer one the beginning, an ellipsis and the end.

    Names that begin alike are often told apart by their ends.
    """
    if text_width(text) <= width:
        return text
    end: list[str] = []
    room = (width - 1) // 2
    for letter in reversed(text):
        room -= _width(letter)
        if room < 0:
            break
        end.append(letter)
    while end and (end[-1] == _AS_EMOJI or not _width(end[-1])):  # a mark on the letter that is left out
        end.pop()
    last = "".join(reversed(end))
    return shorten(text, width - text_width(last)) + last


# How numbers are printed for people.

_SMALL, _LARGE = 1e-3, 1e6
"""Outside of these, three decimals are too few or too many."""


def number_text(number: Any) -> str:
    """A number of Python: three decimals of a float, or three digits where that says more."""
    if not isinstance(number, float):
        return str(number)
    is_plain = number == 0 or not math.isfinite(number) or _SMALL <= abs(number) < _LARGE
    return f"{number + 0.0:.3f}" if is_plain else f"{number:.3g}"


# Long tables are printed without the rows in their middle.


def visible_runs(n: int, most: int, kept: Iterable[int] = ()) -> list[range]:
    """The runs of places that are shown of ``n`` ones: all of at most ``most``, else the first and the last of these.

    At most as many of the places ``kept``, the first of them, are shown, too. No gap is of a single place: that is
    shown as well.

    Examples
    --------
    >>> visible_runs(4, 10)
    [range(0, 4)]
    >>> visible_runs(100, 10)
    [range(0, 5), range(95, 100)]
    >>> visible_runs(100, 10, kept=[50, 93])
    [range(0, 5), range(50, 51), range(93, 100)]
    """
    if n <= most:
        return [range(n)]
    half = most // 2
    places = {*range(half), *range(n - half, n), *sorted(set(kept))[:most]}
    runs: list[range] = []
    for place in sorted(places):
        if runs and place - runs[-1].stop <= 1:
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
    return runs


def gap_sizes(runs: list[range]) -> list[int]:
    """How many places are left out before each run but the first."""
    return [after.start - before.stop for before, after in pairwise(runs)]


# Columns of text, split into blocks so that none is wider than a terminal.

WIDTH = 80
"""Columns of a terminal that all that is printed fits into."""

_WIDEST_NAME = 40
"""Beside several columns."""
_NARROWEST_NAME = 20
"""To what names are shortened, if other cells need not be then."""

_GAP = "  "

Block = list[str]
"""Lines."""


def align_columns(rows: Sequence[Sequence[str]], n_names: int = 1) -> list[list[str]]:
    """Pad the cells of each column to one width.

    The first ``n_names`` columns are left-aligned, the others right-aligned.
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    is_name = [place < n_names for place in range(len(widths))]
    return [[_pad(*cell) for cell in zip(row, widths, is_name, strict=True)] for row in rows]


def _pad(cell: str, width: int, is_name: bool) -> str:
    spaces = " " * (width - text_width(cell))
    return cell + spaces if is_name else spaces + cell


def column_blocks(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,), widest_head: int = WIDTH) -> list[Block]:
    """Rows of cells as lines of at most ``WIDTH`` columns, and as many blocks of columns as that takes.

    The first cell of each row, a name, begins its line in every block. What is too long is shortened: names inside,
    those in the first row, too, and other cells at their ends. Of the columns ``left`` the cells are left-aligned.
    """
    head, *body = [[visible(cell) for cell in row[1:]] for row in rows]
    head = [shorten_middle(cell, widest_head) for cell in head]
    beside_all = WIDTH - len(_GAP) - max((text_width(cell) for row in [head, *body] for cell in row), default=0)
    is_room = beside_all >= _NARROWEST_NAME
    most = beside_all if is_room and (len(head) == 1 or beside_all < _WIDEST_NAME) else _WIDEST_NAME
    (first,) = _columns([[shorten_middle(visible(name), most)] for name, *_ in rows], [True])
    room = WIDTH - len(_GAP) - text_width(first[0])
    head = [shorten_middle(cell, room) for cell in head]
    cells = [head, *([shorten(cell, room) for cell in row] for row in body)]
    columns = list(_columns(cells, [place in left for place in range(1, len(head) + 1)]))
    return [_lines([first, *some]) for some in _that_fit(columns, room)]


def _columns(rows: Sequence[Sequence[str]], are_left: Sequence[bool]) -> Iterator[list[str]]:
    """The columns of rows, the cells of each padded to one width."""
    for column, is_left in zip(zip(*rows, strict=True), are_left, strict=True):
        yield [cell for (cell,) in align_columns([[cell] for cell in column], int(is_left))]


def _that_fit(columns: Sequence[list[str]], room: int) -> list[list[list[str]]]:
    """Columns in as few runs as there is room for, and these about as wide as each other."""
    fewest = len(_runs(columns, room))
    return next(runs for width in range(room + 1) if len(runs := _runs(columns, width)) == fewest)


def _runs(columns: Sequence[list[str]], room: int) -> list[list[list[str]]]:
    """Columns in runs, each as long as there is room for, and at least of one; one run if there are no columns."""
    runs: list[list[list[str]]] = [[]]
    taken = 0
    for column in columns:
        width = len(_GAP) + text_width(column[0])
        if runs[-1] and taken + width > len(_GAP) + room:
            runs.append([])
            taken = 0
        runs[-1].append(column)
        taken += width
    return runs


def _lines(columns: Sequence[list[str]]) -> Block:
    return [_GAP.join(row).rstrip() for row in zip(*columns, strict=True)]


def n_lines(blocks: Sequence[Block]) -> int:
    """How many lines blocks take, with an empty one between each two."""
    return sum(map(len, blocks)) + len(blocks) - 1


def text_of_blocks(blocks: Sequence[Block]) -> str:
    """Blocks as one text, with an empty line between each two."""
    return "\n\n".join("\n".join(block) for block in blocks)


def wrap(sentence: str, n_indented: int = 0) -> str:
    """A sentence in lines of at most ``WIDTH`` columns, broken between words; a word that is too long is shortened.

    All of them begin with so many spaces.
    """
    indent = " " * n_indented
    room = WIDTH - n_indented
    lines: list[str] = []
    for word in visible(sentence).split(" "):
        short = shorten(word, room)
        if lines and text_width(lines[-1]) + 1 + text_width(short) <= room:
            lines[-1] += f" {short}"
        else:
            lines.append(short)
    return "\n".join(indent + line for line in lines)
