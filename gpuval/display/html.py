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

_GROUND = "var(--jp-layout-color0,var(--vscode-editor-background,Canvas))"
"""The ground of a notebook, which a column that stays in its place needs to cover the others."""

_SCROLLER = (
    "max-width:100%;overflow-x:auto;background:"
    f"linear-gradient(to right,{_GROUND} 30%,transparent) left/3em 100% no-repeat local,"
    f"linear-gradient(to left,{_GROUND} 30%,transparent) right/3em 100% no-repeat local,"
    "linear-gradient(to left,rgba(128,128,128,.35),transparent) right/1em 100% no-repeat scroll"
)
"""A shadow at the right edge, which is covered where there is no more to be seen."""

_STICKY, _SPAN = f"position:sticky;left:0;background:{_GROUND}", f"text-align:center;{_QUIET}"


class HtmlCell(NamedTuple):
    """A cell of a table."""

    text: str = ""
    beside: str = ""
    """What is shown smaller and fainter after it."""
    title: str = ""
    """What is shown when the pointer is on it."""
    is_best: bool = False
    """Whether it is bold."""
    mark: str = ""
    """What stands before it."""


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
    spans: Sequence[tuple[str, int]] = (),
) -> str:
    """A table with these headings, of which ``titles`` are more about the first ones; a note stands below it.

    ``spans`` are headings above them, each of so many columns. Long names are shortened, and their titles have all of
    them. The columns ``left`` are left-aligned. A table that is too wide is scrolled beside its first column.
    """
    titles = [*titles, *[""] * (len(heads) - len(titles))]
    sides = ["left" if place in left else "right" for place in range(len(heads))]
    lines = [f'<div style="{_SCROLLER}" tabindex="0" role="region" aria-label="Table"><table>']
    if any(heads):
        above = "".join(_span(*span) for span in spans) if len(spans) > 1 else ""
        head = "".join(_name(*cell, "col") for cell in zip(heads, titles, sides, strict=True))
        lines.append(f"<thead>{f'<tr>{above}</tr>' * bool(above)}<tr>{head}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        if isinstance(row, GapRow):
            gap = _element("td", escape(f"({row.n_rows} more)"), "", f"text-align:left;{_QUIET}", len(heads))
            lines.append(f"<tr>{gap}</tr>")
            continue
        names = "".join(_name(name, row.title, "left", "row", place == 0) for place, name in enumerate(row.names))
        cells = "".join(_cell(*cell) for cell in zip(row.cells, sides[len(row.names) :], strict=True))
        lines.append(f"<tr>{names}{cells}</tr>")
    lines.append("</tbody></table></div>")
    if note:
        lines.append(_element("div", escape(visible(note)), "", _QUIET))
    return "\n".join(lines)


def html_text(text: str) -> str:
    """A line that is no table."""
    return _element("div", escape(visible(text)))


def _span(title: str, n_columns: int) -> str:
    """A heading of several columns; the first of them may have none."""
    return _element("td" if not title else 'th scope="colgroup"', escape(title), "", _SPAN, n_columns)


def _name(name: str, title: str, side: str, scope: str, is_sticky: bool = False) -> str:
    """A heading; one that begins with spaces is moved to the right."""
    safe = visible(name)
    short = shorten_middle(safe, _WIDEST_NAME)
    title = ": ".join(filter(None, [safe if short != safe else "", visible(title)]))
    style = f"text-align:{side}" + f";{_STICKY}" * is_sticky
    if indent := len(short) - len(short.lstrip(" ")):
        style += f";padding-left:{indent + 1}em"
    return _element(f'th scope="{scope}"', escape(short.strip(" ")), title, style)


def _cell(cell: HtmlCell, side: str) -> str:
    safe = visible(cell.text)
    short = shorten(safe, _WIDEST_CELL)
    title = visible(cell.title) or (safe if short != safe else "")
    text = escape(f"{cell.mark} {short}" if cell.mark else short)
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
