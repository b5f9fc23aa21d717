"""HTML tables for notebooks. Text is escaped, and the colours of the notebook are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from gpuval.display.text import shorten, shorten_middle, visible

_WIDEST_NAME = 40
_WIDEST_CELL = 100
_QUIET = "font-size:85%;opacity:0.7"
"""The style of what stands beside the numbers: the colour of the text, but fainter."""


class HtmlCell(NamedTuple):
    """A cell of a table."""

    text: str = ""
    beside: str = ""
    """What is shown smaller and fainter after it."""
    title: str = ""
    """What is shown when the pointer is on it."""
    is_best: bool = False
    """Whether it is bold."""


class HtmlRow(NamedTuple):
    """A row of a table."""

    names: Sequence[str]
    """What it is called: a heading of the row each."""
    cells: Sequence[HtmlCell]
    title: str = ""
    """What is shown when the pointer is on a name."""


class GapRow(NamedTuple):
    """A row that says how many rows are not shown in its place."""

    n_rows: int


def html_table(
    heads: Sequence[str],
    rows: Iterable[HtmlRow | GapRow],
    titles: Sequence[str] = (),
    left: Sequence[int] = (0,),
    note: str = "",
) -> str:
    """A table with these headings, of which ``titles`` are more about the first ones; a note stands below it.

    Long names are shortened, and their titles have all of them. The columns ``left`` are left-aligned.
    """
    titles = [*titles, *[""] * (len(heads) - len(titles))]
    sides = ["left" if place in left else "right" for place in range(len(heads))]
    lines = ["<table>"]
    if any(heads):
        head = "".join(_name(*cell, "col") for cell in zip(heads, titles, sides, strict=True))
        lines.append(f"<thead><tr>{head}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        if isinstance(row, GapRow):
            gap = _element("td", escape(f"({row.n_rows} more)"), "", f"text-align:left;{_QUIET}", len(heads))
            lines.append(f"<tr>{gap}</tr>")
            continue
        names = "".join(_name(name, row.title, "left", "row") for name in row.names)
        cells = "".join(_cell(*cell) for cell in zip(row.cells, sides[len(row.names) :], strict=True))
        lines.append(f"<tr>{names}{cells}</tr>")
    lines.append("</tbody></table>")
    if note:
        lines.append(_element("div", escape(visible(note)), "", _QUIET))
    return "\n".join(lines)


def html_text(text: str) -> str:
    """A line that is no table."""
    return _element("div", escape(visible(text)))


def _name(name: str, title: str, side: str, scope: str) -> str:
    """A heading; one that begins with spaces is moved to the right."""
    safe = visible(name)
    short = shorten_middle(safe, _WIDEST_NAME)
    title = ": ".join(filter(None, [safe if short != safe else "", visible(title)]))
    style = f"text-align:{side}"
    if indent := len(short) - len(short.lstrip(" ")):
        style += f";padding-left:{indent + 1}em"
    return _element(f'th scope="{scope}"', escape(short.strip(" ")), title, style)


def _cell(cell: HtmlCell, side: str) -> str:
    safe = visible(cell.text)
    short = shorten(safe, _WIDEST_CELL)
    title = visible(cell.title) or (safe if short != safe else "")
    text = escape(short)
    if cell.is_best:
        text = f"<b>{text}</b>"
    if cell.beside:
        text += f' <span style="{_QUIET}">{escape(visible(cell.beside))}</span>'
    return _element("td", text, title, f"text-align:{side}{';white-space:nowrap' * (side == 'right')}")


def _element(start: str, inside: str, title: str = "", style: str = "", n_columns: int = 1) -> str:
    """An element of what is HTML already."""
    attributes = {"style": style, "title": title, "colspan": str(n_columns) if n_columns > 1 else ""}
    given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<{start}{given}>{inside}</{start.partition(' ')[0]}>"
