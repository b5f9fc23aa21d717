"""What a section of a page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from gpuval.reporting.panels import GroupPanel
from gpuval.reporting.tables import PageTable


class Text(NamedTuple):
    """A sentence."""

    text: str

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "text"


class TableOnPage(NamedTuple):
    """A table, and what it is copied as."""

    table: PageTable
    csv: str = ""

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "table"


Form = Literal["full", "wide", "narrow"]
"""For which width of a page a figure is drawn."""


class PageFigure(NamedTuple):
    """A plot, drawn for several widths, and what it shows."""

    forms: Sequence[tuple[Form, str]]
    """SVG, the widest first."""
    caption: str

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "figure"


class PanelsOnPage(NamedTuple):
    """Small panels beside each other."""

    panels: Sequence[GroupPanel]
    caption: str

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "panels"


class Closed(NamedTuple):
    """What is shown when somebody opens it."""

    title: str
    parts: Sequence[Any]

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "closed"


class Facts(NamedTuple):
    """Names and values below a heading."""

    title: str
    values: Sequence[tuple[str, str]]

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "facts"


class CsvOnPage(NamedTuple):
    """Text that is copied or read as it is."""

    name: str
    text: str

    @property
    def form(self) -> str:
        """Which part of the template shows it."""
        return "csv"


class Section(NamedTuple):
    """A part of the page with a heading of its own."""

    key: str
    """Its address within the page."""
    title: str
    parts: Sequence[Any]
    is_beside: bool = False
    """Whether it stands beside the section before it, where there is room."""
    link: str = ""
    """What the line of links calls it; empty for its title."""
    is_closed: bool = False
    """Whether it is shown when somebody opens it."""
