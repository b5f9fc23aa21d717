"""Results by their names, which print as a table, in a terminal and in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from gpuval.display.html import Hidden, HtmlCell, HtmlRow, html_table, html_text
from gpuval.display.middle import hidden, without_middle
from gpuval.display.text_tables import Block, in_blocks, text_of_blocks

Key = TypeVar("Key")
Value = TypeVar("Value")

_MOST_ROWS = 60


class Shown(Protocol):
    """What results are shown as."""

    def blocks(self) -> list[Block]:
        """Blocks of lines of text."""

    def html(self) -> str:
        """The same for a notebook."""


class ShownTable(NamedTuple):
    """A table of text: the first cell of each row is a name."""

    heads: Sequence[str]
    """Empty ones where there is nothing to say."""
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = (0,)
    """The columns whose cells are left-aligned."""

    def blocks(self) -> list[Block]:
        """Its lines, in blocks of columns; without the middle of many rows."""
        runs = without_middle(len(self.rows), _MOST_ROWS)
        rows = [list(row) for row in self.rows[: runs[0].stop]]
        for run, n_hidden in zip(runs[1:], hidden(runs), strict=True):
            rows.append([f"({n_hidden} more)", *[""] * (len(self.heads) - 1)])
            rows += [list(self.rows[place]) for place in run]
        blocks = in_blocks([self.heads, *rows], self.left)
        return blocks if any(self.heads) else [block[1:] for block in blocks]

    def html(self) -> str:
        """The same for a notebook."""
        runs = without_middle(len(self.rows), _MOST_ROWS)
        rows: list[HtmlRow | Hidden] = []
        for run, n_hidden in zip(runs, [0, *hidden(runs)], strict=True):
            rows += [Hidden(n_hidden)] * bool(n_hidden)
            for name, *cells in (self.rows[place] for place in run):
                rows.append(HtmlRow([name], [HtmlCell(cell) for cell in cells]))
        return html_table(self.heads, rows, left=self.left)


class NamedResults(Mapping[Key, Value]):
    """Results by their names; prints as tables, and completes the names where IPython is asked for one."""

    @abstractmethod
    def _tables(self) -> Sequence[Shown]:
        """What they are shown as, if there are any."""

    def __repr__(self) -> str:
        return (
            text_of_blocks([block for table in self._tables() for block in table.blocks()]) if self else self._nothing()
        )

    def _repr_html_(self) -> str:
        return "\n".join(table.html() for table in self._tables()) if self else html_text(self._nothing())

    def _nothing(self) -> str:
        return f"{type(self).__name__}({{}})"

    def _ipython_key_completions_(self) -> list[Key]:
        return list(self)
