"""The drawing of a confusion matrix: cells, the sizes of classes and clusters beside them, and what the cells are."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gpuval.display.colors import CATEGORIES, main_classes
from gpuval.display.digits import TO
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    count_on_plot,
    draw_text,
    line_height,
    name_axes,
    names_on_plot,
    names_within,
    points_of_height,
    room_on,
    share_on_plot,
    size_of_text,
    whole_count,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._cells import MOST_NUMBERS, Shades, draw_grid, height_of_column_names, name_ticks, size_in_cells
from gpuval.plots._margins import (
    beyond,
    draw_bars,
    draw_leaders,
    move_apart,
    wrap_to,
    write_column,
    write_heads,
    write_key,
    write_lines,
)
from gpuval.plots._tables import TableDisplay

Normalize = Literal["class", "cluster", "none"]

WHOLES = {"class": "class", "cluster": "cluster", "none": ""}

_FEW = 6
"""Rows and columns up to which also small shares are numbers."""
_MOST_NAMES = 40
"""Rows or columns that have their names and sizes beside them."""
_NAMES_OF_MANY = 12
"""How many of more have a name."""
_MOST_SHADES = 100
"""Rows and columns up to which cells have shades; cells of more are only drawn if their share is large."""

_LEAST_NUMBER = 5
"""The share in percent from which on it is written."""
_LEAST_DOT = 0.01
"""The share that is seen at all."""
_DOT = "."
_OF_DOTS = "#808080"
_SMALLEST_DOT = 2.25
"""Points: 3 pixels."""

_OF_MAIN, _OTHER_THAN_MAIN = CATEGORIES[0], CATEGORIES[3]
_KEYS = "of the main class of the cluster", "of another class"
_KEY = 12.0
"""The width of the square before what it stands for, in points."""


class ConfusionDrawing:
    """One drawing of a display: what is drawn depends on the number of rows and columns, and on the room for cells."""

    def __init__(self, display: TableDisplay, values: NDArray, normalize: Normalize, unit: str) -> None:
        self.display, self.values, self.normalize, self.unit = display, values, normalize, unit
        self.n_rows, self.n_columns = len(values), len(values.T)
        self.larger = max(self.n_rows, self.n_columns)
        self.colors = display.colors_shown()
        self.sizes = display.counts.sum(axis=1).tolist(), display.counts.sum(axis=0).tolist()
        self.largest = display.counts.max(axis=1) / np.maximum(display.counts.sum(axis=1), 1e-300)
        self.small = SMALLEST_TEXT

    def draw(self, given: Any, width: float | None) -> Axes:
        is_own = given is None
        inches = width_of_figure(given, width, self._own_width())
        room, tall = (72 * inches - 16, 0.0) if is_own else room_on(given)
        is_free = is_own and width is None  # the figure is as wide as names take
        names = self.display.names_shown(size_of_text("ytick.labelsize"), room if is_free else 0.34 * room)
        self.room = room - 24
        self.right = self._right_margin(room)
        is_named = self.n_rows <= _MOST_NAMES
        beside = width_in_points(names[0], size_of_text("ytick.labelsize")) + 6 if is_named else 0.0
        self.cell_width = max(room - beside - 18 - self.right, 20.0) / self.n_columns
        self.cell_height = self._cell_height()
        below = (height_of_column_names(names[1], self.cell_width) if self.n_columns <= _MOST_NAMES else 0.0) + 34
        self.lines = self._note(room - 12)
        above = self._top_margin() + line_height(self.small) * len(self.lines) + 8
        ax: Axes = given
        if is_own:
            ax = axes_to_draw_on(None, inches, (above + below + self.cell_height * self.n_rows) / 72)
            self.cell_height = (points_of_height(ax) - above - below) / self.n_rows
        else:
            self.cell_height = max(tall - above - below, 20.0) / self.n_rows
        ax.grid(False)  # which a style may have, would strike the numbers through
        ax.set(xlim=(-0.5, self.n_columns - 0.5), ylim=(self.n_rows - 0.5, -0.5))
        self._draw_cells(ax)
        self._name(ax, *names)
        self._draw_margins(ax)
        self._write_note(ax, -beside)
        return ax

    def _is_dotted(self) -> bool:
        return self.larger > _MOST_SHADES

    def _own_width(self) -> float:
        if self.n_rows > _MOST_NAMES or self.n_columns > _MOST_NAMES:
            return 8.4
        names = width_in_points(names_on_plot(self.display.classes), size_of_text("ytick.labelsize")) / 72
        cells = 1.7 + 0.5 * self.n_columns if self.larger <= MOST_NUMBERS else 2.0 + 0.17 * self.n_columns
        return max(names + cells, 3.8)

    def _cell_height(self) -> float:
        if self.larger <= MOST_NUMBERS:
            return min(max(0.8 * self.cell_width, 19.0), 34.0)
        if self.n_rows <= _MOST_NAMES:
            return min(max(self.cell_width, 13.0), 16.0)
        return max(self.cell_width * self.n_columns, 280.0) / self.n_rows

    # The cells

    def _texts(self) -> NDArray:
        """What is written into each cell: a number, a dot, or nothing."""
        if self.normalize == "none":
            counts = [[count_on_plot(x) if x else "" for x in row] for row in self.values.tolist()]
            return np.asarray(counts, dtype=object).reshape(self.values.shape)
        least = 1 if self.larger <= _FEW else _LEAST_NUMBER
        texts = np.full(self.values.shape, "", dtype=object)
        texts[self.values >= _LEAST_DOT] = _DOT
        for place in np.argwhere(self.values >= least / 100).tolist():
            texts[tuple(place)] = str(round(100 * self.values[tuple(place)]))
        return texts

    def _size_of_numbers(self) -> float:
        """The size of the numbers in the cells; 0 if they have no numbers."""
        if self.larger > MOST_NUMBERS:
            return 0.0
        texts = [x for x in self._texts().ravel().tolist() if x != _DOT]
        return size_in_cells(texts, self.cell_width, self.cell_height, bold=True)

    def _draw_cells(self, ax: Axes) -> None:
        if self._is_dotted():
            self._draw_dots(ax)
            return
        least = 1e-300 if self.normalize == "none" else _LEAST_DOT
        self.shades = Shades(ax, 0.0, self._most())
        self.shades.draw(np.where(self.values >= least, self.values, np.nan).astype(float))
        if self.larger <= _MOST_NAMES:
            draw_grid(ax, self.n_rows, self.n_columns)
        if size := self._size_of_numbers():
            self._write_numbers(ax, size)

    def _most(self) -> float:
        """The number that has the strongest shade."""
        return float(self.values.max(initial=0)) or 1.0 if self.normalize == "none" else 1.0

    def _write_numbers(self, ax: Axes, size: float) -> None:
        texts = self._texts()
        largest = self.values.argmax(axis=0 if self.normalize == "cluster" else 1).tolist()
        for row, column in np.argwhere((texts != "") & (texts != _DOT)).tolist():
            is_largest = row == largest[column] if self.normalize == "cluster" else column == largest[row]
            value, text = float(self.values[row, column]), texts[row, column]
            self.shades.write(column, row, value, text, size, bold=is_largest)
        rows, columns = np.nonzero(texts == _DOT)
        ax.plot(columns, rows, ".", color=_OF_DOTS, markersize=4.0)

    def _draw_dots(self, ax: Axes) -> None:
        """Draw a square for each cell that has at least 5 % of its class or cluster, in one of two colours."""
        wholes = self.display.counts.sum(axis=0 if self.normalize == "cluster" else 1, keepdims=True)
        shares = np.divide(self.display.counts, wholes, out=np.zeros(self.values.shape), where=wholes != 0)
        rows, columns = np.nonzero(shares >= _LEAST_NUMBER / 100)
        is_main = main_classes(self.display.counts)[columns] == rows
        side = max(_SMALLEST_DOT, min(self.cell_width, self.cell_height))
        for color, which in ((_OTHER_THAN_MAIN, ~is_main), (_OF_MAIN, is_main)):
            ax.scatter(columns[which], rows[which], s=side**2, marker="s", color=color, linewidths=0, clip_on=False)

    # Names, margins and the note

    def _name(self, ax: Axes, rows: list[str], columns: list[str]) -> None:
        are_rows, are_columns = self.n_rows <= _MOST_NAMES, self.n_columns <= _MOST_NAMES
        name_ticks(ax, rows if are_rows else [], columns if are_columns else [], self.cell_width, self.cell_height)
        what = ("cluster", "class")
        if not are_columns:
            what = (f"{len(self.display.clusters) + self.display.n_other_clusters:,} clusters", what[1])
        if not are_rows:
            what = (what[0], f"{len(self.display.classes) + self.display.n_other_classes:,} classes")
            self._name_scattered(ax)
        name_axes(ax, *what)

    def _scattered(self) -> list[int]:
        """The classes that are least in one cluster: those that are named where not all can be."""
        shares = self.largest[: len(self.display.classes)]
        most = max(2, min(_NAMES_OF_MANY, int(self.cell_height * self.n_rows / (1.6 * line_height(self.small)))))
        return sorted(np.argsort(shares, kind="stable")[:most].tolist())

    def _name_scattered(self, ax: Axes) -> None:
        places = self._scattered()
        apart = 1.15 * line_height(self.small) / self.cell_height
        at = move_apart(places, apart, 0.0, self.n_rows - 1.0)
        more = [f"  {share_on_plot(self.largest[i])} of {whole_count(self.sizes[0][i])}" for i in places]
        room = self.right - 24 - width_in_points(more, self.small)
        names = names_within([self.display.classes[i] for i in places], self.small, room)
        texts = [name + text for name, text in zip(names, more, strict=True)]
        write_column(ax, "right", 20.0, at, texts, fontsize=self.small)
        draw_leaders(ax, "right", 2.0, 18.0, list(zip(map(float, places), at, strict=True)))

    def _right_margin(self, room: float) -> float:
        """The width of what stands at the right, in points."""
        if self.n_rows > _MOST_NAMES:
            return min(max(0.34 * room, 118.0), 175.0)
        self.bar = 36.0 if room > 360 else 16.0
        return self.bar + width_in_points(map(count_on_plot, self.sizes[0]), self.small) + 12

    def _top_margin(self) -> float:
        if self.n_columns > _MOST_NAMES:
            return 6.0
        self.top_texts = [count_on_plot(x) for x in self.sizes[1]]
        widest = width_in_points(self.top_texts, self.small)
        self.is_flat = widest <= 0.96 * self.cell_width
        self.top_length = 36.0 if self.cell_height * self.n_rows > 120 else 22.0
        if not self.is_flat and 0.96 * self.cell_width < line_height(self.small):
            self.top_texts, widest = [], 0.0
        return self.top_length + 10 + (line_height(self.small) if self.is_flat else widest + 2)

    def _draw_margins(self, ax: Axes) -> None:
        if self.n_columns <= _MOST_NAMES:
            draw_bars(ax, "top", self.sizes[1], self.colors[1], 4.0, self.top_length)
            ends = 4.0 + self.top_length * np.asarray(self.sizes[1]) / max(self.sizes[1])
            style: dict[str, Any] = {"rotation": 0 if self.is_flat else 90, "fontsize": self.small}
            for place, (end, text) in enumerate(zip(ends.tolist(), self.top_texts, strict=False)):
                draw_text(ax, place, end + 2, text, transform=beyond(ax, "top"), ha="center", va="bottom", **style)
        if self.n_rows <= _MOST_NAMES:
            draw_bars(ax, "right", self.sizes[0], self.colors[0], 4.0, self.bar)
            if self.cell_height >= 0.95 * line_height(self.small):
                ends = 4.0 + self.bar * np.asarray(self.sizes[0]) / max(self.sizes[0])
                for place, (end, size) in enumerate(zip(ends.tolist(), self.sizes[0], strict=True)):
                    write_column(ax, "right", end + 3, [place], [count_on_plot(size)], fontsize=self.small)
            write_heads(ax, "right", [(4.0, self.unit, "left")], self.small)

    def _note(self, room: float) -> list[str]:
        """What the cells are, in lines; the last of them is the scale of the shades, if there are no numbers."""
        whole = WHOLES[self.normalize]
        if self._is_dotted():
            whole = "class" if self.normalize == "none" else whole
            keys = ["", ""] if self._are_keys_below_each_other() else [""]
            return [*wrap_to(f"Squares: at least 5 % of the {whole}", self.small, room), *keys]
        if not self._size_of_numbers():
            return [""]
        bold = f"bold: the largest of the {'cluster' if whole == 'cluster' else 'class'}"
        if self.normalize == "none":
            return wrap_to(f"Number of {self.unit}; {bold}", self.small, room)
        dot = "" if self.larger <= _FEW else f"dot: 1{TO}5 %, "
        return wrap_to(f"% of the {whole}; {dot}blank: under 1 %, {bold}", self.small, room)

    def _are_keys_below_each_other(self) -> bool:
        return sum(width_in_points([x], self.small) + _KEY for x in _KEYS) + 10 > self.room

    def _write_note(self, ax: Axes, left: float) -> None:
        bottom = self._top_margin() + 2
        if self._is_dotted():
            write_lines(ax, self.lines, left, bottom, self.small)
            right = left + width_in_points(_KEYS[:1], self.small) + _KEY + 10
            places = [(left, bottom), (right, bottom)]
            if self._are_keys_below_each_other():
                places = [(left, bottom + line_height(self.small)), (left, bottom)]
            for text, color, place in zip(_KEYS, (_OF_MAIN, _OTHER_THAN_MAIN), places, strict=True):
                write_key(ax, text, color, *place, self.small)
        elif self._size_of_numbers():
            write_lines(ax, self.lines, left, bottom, self.small)
        elif self.normalize == "none":
            ends = "0", count_on_plot(self._most())
            self.shades.draw_scale(self.unit, *ends, left, bottom, self.small, self.room)
        else:
            said = f"share of the {WHOLES[self.normalize]}"
            self.shades.draw_scale(said, "0 %", "100 %", left, bottom, self.small, self.room)
