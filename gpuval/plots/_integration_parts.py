"""How the scores of integrations are drawn: bars and cells, below each other where they are too wide, or points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from gpuval.display.colors import text_on
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    lay_out,
    name_axes,
    name_on_plot,
    points_along,
    short_score,
    size_of_text,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._canvas import (
    Box,
    axes_in_points,
    fold,
    ground,
    ink,
    is_dark_page,
    mix,
    name_that_fits,
    room_across,
    size_in_points,
    write_near,
)

with require_extra("gpuval.plots", "plots"):
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import MaxNLocator

BIO, BATCH, TOTAL = "Bio conservation", "Batch correction", "Total"
"""The names of the means of :class:`gpuval.IntegrationScores`."""

_SHORT = {TOTAL: ("Total", ".6 bio + .4 batch"), BIO: ("Bio", "conserv."), BATCH: ("Batch", "correct.")}
_SHORT_WORDS = {
    "Connectivity": "Conn.",
    "Comparison": "Comp.",
    "Silhouette": "Silh.",
    "Clustering": "Clust.",
    "Isolated": "Isol.",
}
"""Words in the names of scores that are longer than a cell is wide."""
_BAR_COLORS = {TOTAL: "#4A5568", BIO: "#2B6CB0", BATCH: "#2F7D4F"}
_HUES = {BIO: ("#6BAED6", "#08519C", "#9ECAE1"), BATCH: ("#74C476", "#00682A", "#A1D99B")}
"""Of each group: the middle and the dark end of its colours on a light page, and the light end on a dark one."""

_MOST_WITH_CELLS = 20
_MOST_TALL = 8
_ROW, _TALL_ROW, _LEAST_ROW = 16.5, 22.0, 12.5
"""The heights of rows in points: 22 pixels, those of few methods, and those of many."""
_NAME, _BAR, _GAP, _CELL = 150.0, 82.0, 12.0, 50.0
"""The widest column of names, the width of a bar, a gap, and the widest cell."""
_LEAST_BAR = 66.0
"""Bars that are shorter have their numbers before them."""
_TALLEST = 13.0 * 72 - 12
_INSIDE = 0.35
"""From this value on a number is in its bar."""
_RESCALED = "Rescaled: lowest 0, highest 1"
_DAGGER, _NONE = "\N{DAGGER}", "\N{EN DASH}"


class Scored(Protocol):
    """What is drawn."""

    methods: list[Any]
    values: dict[str, NDArray]
    means: dict[str, NDArray]
    groups: dict[str, tuple[str, ...]]
    low: NDArray
    high: NDArray
    ranked: list[bool]
    unintegrated: Any
    notes: list[str]
    scale: Any


class _Column(NamedTuple):
    """A column of cells, or a gap before those of another group."""

    group: str
    score: str
    head: tuple[str, ...]
    """The lines of its head."""


class _Block(NamedTuple):
    """What stands beside the names in one pass over the methods: bars, cells, or both."""

    has_bars: bool
    columns: list[_Column]


class DrawnTable:
    """The table of a display, drawn in points."""

    def __init__(self, display: Scored) -> None:
        self.display = display
        self.has_reference = display.unintegrated is not None
        """Which is the last row."""
        self.columns = [_Column(group, name, _head(name)) for group, names in display.groups.items() for name in names]
        words = [word for column in self.columns for word in column.head]
        self.cell = min(max(width_in_points(words, SMALLEST_TEXT) + 5, 30.0), _CELL)

    def draw(self, ax: Any, width: float | None) -> Axes:
        """Draw on axes, or on those of a new figure."""
        n = len(self.display.methods)
        names = [name_on_plot(x) for x in self.display.methods]
        self.names = min(width_in_points(names, 9.0, bold=True) + 10, _NAME)
        own = self.names + self._bars_width() + (self._cells_width(self.columns) if n <= _MOST_WITH_CELLS else 0.0)
        room = room_across(ax, width, own)
        row = _TALL_ROW if n <= _MOST_TALL else _ROW if n <= _MOST_WITH_CELLS else _LEAST_ROW + 1
        blocks, row = self._that_fit(room, row, _TALLEST)
        drawn, room, tall = axes_in_points(ax, room, min(self._height(blocks, row, room), _TALLEST))
        blocks, row = self._that_fit(room, row, tall)
        n_shown = n if row >= _LEAST_ROW - 0.1 else max(int(row * n / _LEAST_ROW) - 1, 1)
        self._draw(drawn, blocks, max(row, _LEAST_ROW), room, n_shown)
        return drawn

    def _bars_width(self) -> float:
        return 3 * (_BAR + _GAP)

    def _cells_width(self, columns: Sequence[_Column]) -> float:
        n_gaps = len({x.group for x in columns})
        return len(columns) * (self.cell + 3) + n_gaps * _GAP

    def _blocks(self, room: float) -> list[_Block]:
        """All beside each other if there is room; else bars, and below them as many columns as there is room for."""
        if len(self.display.methods) > _MOST_WITH_CELLS or not self.columns:
            return [_Block(True, [])]
        if self.names + self._bars_width() * 0.8 + self._cells_width(self.columns) <= room:
            return [_Block(True, self.columns)]
        blocks = [_Block(True, [])]
        names = self._names_width(room)
        for group in dict.fromkeys(x.group for x in self.columns):
            of_group = [x for x in self.columns if x.group == group]
            last = blocks[-1].columns
            if last and names + self._cells_width([*last, *of_group]) <= room:
                last.extend(of_group)
                continue
            most = max(int((room - names - _GAP) / (self.cell + 3)), 1)
            n_blocks = math.ceil(len(of_group) / most)
            each = math.ceil(len(of_group) / n_blocks)
            blocks += [_Block(False, of_group[i : i + each]) for i in range(0, len(of_group), each)]
        return blocks

    def _names_width(self, room: float) -> float:
        return min(self.names, 0.3 * room)

    def _notes(self, blocks: Sequence[_Block], room: float) -> list[str]:
        """What is said below, in lines."""
        display = self.display
        has_none = any(np.isnan(x).any() for x in display.values.values())
        shown = [f"{_NONE} {note}" for note in display.notes] if has_none or display.notes else []
        if not all(display.ranked):
            shown.append(f"{_DAGGER} a mean of fewer scores than others have: not ranked")
        if not np.isnan(display.low).all():
            shown.append("Line on a total: from the lowest to the highest of the repeats")
        if self.columns and not any(x.columns for x in blocks):
            shown.append(f"Without the {len(self.columns)} scores that the means are of")
        return [line for note in shown for line in fold(note, SMALLEST_TEXT, room)]

    def _head_height(self, block: _Block) -> float:
        return 25.0 + (17.0 if block.columns else 0.0)

    def _height(self, blocks: Sequence[_Block], row: float, room: float) -> float:
        rows = len(blocks) * (len(self.display.methods) * row + 8)
        return (
            rows + sum(map(self._head_height, blocks)) + 11 * len(self._notes(blocks, room)) + 4 + self._title_height()
        )

    def _title_height(self) -> float:
        return 16.0 if self.display.scale == "minmax" else 0.0

    def _that_fit(self, room: float, row: float, tall: float) -> tuple[list[_Block], float]:
        """The blocks for which there is room, without cells if need be, and the height of a row."""
        for blocks in (self._blocks(room), [_Block(True, [])]):
            rest = tall - self._height(blocks, 0.0, room)
            fits = min(row, rest / (len(blocks) * len(self.display.methods)))
            if fits >= _LEAST_ROW - 0.1:
                break
        return blocks, fits

    def _draw(self, ax: Axes, blocks: Sequence[_Block], row: float, room: float, n_shown: int) -> None:
        display = self.display
        places = list(range(len(display.methods)))
        if n_shown < len(places):  # the highest, and what they are compared with
            last = places[-1:] if self.has_reference else []
            places = [*places[: max(n_shown - len(last), 1)], *last]
        y = 0.0
        if display.scale == "minmax":
            draw_text(ax, 0, 0, _RESCALED, va="top", fontsize=9.5, fontweight="bold")
            y += self._title_height()
        for block in blocks:
            is_alone = not block.has_bars or not block.columns
            names = self._names_width(room) if is_alone else self.names
            y += self._head_height(block)
            self._draw_names(ax, places, y, row, names, room)
            if block.has_bars:
                bars = room - names if is_alone else room - names - self._cells_width(block.columns)
                bars = min(bars, 3 * (1.6 * _BAR + _GAP))
                self._draw_bars(ax, places, (names, bars / 3), y, row)
                names += bars
            if block.columns:
                self._draw_cells(ax, block.columns, places, names, y, row)
            y += row * len(places) + 8
        if n_hidden := len(display.methods) - len(places):
            draw_text(ax, 0, y - 6, f"({n_hidden} more)", va="top", fontsize=SMALLEST_TEXT, color=ink(0.75))
            y += 11
        for line in self._notes(blocks, room):
            draw_text(ax, 0, y, line, va="top", fontsize=SMALLEST_TEXT, color=ink(0.75))
            y += 11

    def _draw_names(self, ax: Axes, places: Sequence[int], top: float, row: float, names: float, room: float) -> None:
        display = self.display
        totals = np.where(display.ranked, display.means[TOTAL], np.nan)
        totals[-1:] = np.nan if self.has_reference else totals[-1:]
        is_first = best_of(totals)
        size = min(9.0, max(0.66 * row, SMALLEST_TEXT))
        for level, place in enumerate(places):
            y = top + (level + 0.5) * row
            method = display.methods[place]
            if self.has_reference and place == len(display.methods) - 1:
                ax.add_patch(Rectangle((0, y - row / 2), room, row, facecolor=ink(0.08), linewidth=0, zorder=0))
            weight = "bold" if is_first[place] else "normal"
            text = name_that_fits(method, names - 8, size, bold=bool(is_first[place]))
            draw_text(ax, 2, y, text, va="center", fontsize=size, fontweight=weight)
        lines = [[(0, top + i * row), (room, top + i * row)] for i in range(1, len(places))] if row >= _ROW else []
        ax.add_collection(LineCollection(lines, colors=[ink(0.15)], linewidths=0.6, zorder=0), autolim=False)

    def _draw_bars(
        self, ax: Axes, places: Sequence[int], at_and_width: tuple[float, float], top: float, row: float
    ) -> None:
        display = self.display
        x, step = at_and_width
        gap = min(_GAP, 0.12 * step)
        bar = step - gap
        size = min(9.0, max(0.6 * row, SMALLEST_TEXT))
        for mean, color in _BAR_COLORS.items():
            first, second = _SHORT[mean]
            fits = size_in_points(second, SMALLEST_TEXT, bold=True)[0] <= step - 4
            _write_head(ax, x, top, (first, second) if fits else (first,), fontweight="bold")
            texts = [self._number(mean, place) for place in places]
            before = 0.0 if bar >= _LEAST_BAR else width_in_points(texts, size, bold=True) + 3
            for level, (place, text) in enumerate(zip(places, texts, strict=True)):
                at = Box(x + before, top + (level + 0.18) * row, x + bar, top + (level + 0.82) * row)
                left, is_inside = self._draw_bar(ax, mean, place, at, color)
                inside = is_inside and not before
                is_on_color = inside and display.ranked[place]
                style: dict[str, Any] = {"color": "white" if is_on_color else ink()}
                if not before:  # the line at the value of the reference may go through it
                    about = color if is_on_color else ground() if inside else ink(0.07)
                    style["path_effects"] = [withStroke(linewidth=2.0, foreground=about)]
                if not before and not inside:
                    left = min(left, x + bar - size_in_points(text, size, bold=True)[0])
                draw_text(
                    ax, x if before else left, top + (level + 0.5) * row, text, va="center", fontsize=size,
                    fontweight="bold", zorder=5, **style,
                )  # fmt: skip
            if self.has_reference and not np.isnan(value := float(display.means[mean][-1])):
                at_value = x + before + (bar - before) * _within(value)
                ends = [top, top + row * len(places)]
                ax.plot([at_value] * 2, ends, color=ink(), linewidth=1, linestyle=(0, (3, 2)), zorder=4)
            x += step

    def _number(self, mean: str, place: int) -> str:
        value = float(self.display.means[mean][place])
        return _NONE if math.isnan(value) else short_score(value) + ("" if self.display.ranked[place] else _DAGGER)

    def _draw_bar(self, ax: Axes, mean: str, place: int, at: Box, color: str) -> tuple[float, bool]:
        """Draw a bar, and the span of repeats on that of a total; where its number begins, and whether in the bar."""
        display = self.display
        bar, high, y = at.right - at.left, at.high - at.low, (at.low + at.high) / 2
        ax.add_patch(Rectangle((at.left, at.low), bar, high, facecolor=ink(0.07), linewidth=0, zorder=1))
        value = float(display.means[mean][place])
        if math.isnan(value):
            return at.left + 3, False
        length = bar * _within(value)
        is_ranked = display.ranked[place]
        face: dict[str, Any] = {"facecolor": color} if is_ranked else {"facecolor": ground(), "edgecolor": color}
        patch = Rectangle((at.left, at.low), length, high, linewidth=0.0 if is_ranked else 1.2, zorder=2, **face)
        ax.add_patch(patch)
        end = length
        if mean == TOTAL and not np.isnan(display.low[place]):
            start, end = (bar * _within(float(x)) for x in (display.low[place], display.high[place]))
            halo = [withStroke(linewidth=3.0, foreground=ground())]
            ax.plot([at.left + start, at.left + end], [y, y], color=ink(), linewidth=1.4, zorder=3, path_effects=halo)
        is_inside = value > _INSIDE and length > 0.3 * _LEAST_BAR + 6
        return at.left + 3 if is_inside else at.left + max(length, end) + 3, is_inside

    def _draw_cells(
        self, ax: Axes, columns: Sequence[_Column], places: Sequence[int], x: float, top: float, row: float
    ) -> None:
        size = min(9.0, max(0.6 * row, SMALLEST_TEXT))
        for i, column in enumerate(columns):
            if not i or columns[i - 1].group != column.group:
                x += _GAP
                self._draw_group(ax, [c for c in columns if c.group == column.group], x, top)
            _write_head(
                ax,
                x + self.cell / 2,
                top,
                [name_that_fits(x, self.cell, SMALLEST_TEXT) for x in column.head],
                ha="center",
            )
            values = self.display.values[column.score]
            is_best = best_of(values)
            for level, place in enumerate(places):
                value, y = float(values[place]), top + (level + 0.5) * row
                if math.isnan(value):
                    draw_text(ax, x + self.cell / 2, y, _NONE, ha="center", va="center", fontsize=size, color=ink(0.75))
                    continue
                color, is_bold = color_of_score(column.group, value), bool(is_best[place])
                high = min(0.8 * row, row - 2)
                patch = Rectangle((x, y - high / 2), self.cell, high, facecolor=color, linewidth=0, zorder=1)
                if is_bold:
                    patch.set(linewidth=1.4, edgecolor=ink(), zorder=2)
                ax.add_patch(patch)
                draw_text(
                    ax, x + self.cell / 2, y, short_score(value), ha="center", va="center", fontsize=size,
                    fontweight="bold" if is_bold else "normal", color=text_on(color), zorder=3,
                )  # fmt: skip
            x += self.cell + 3

    def _draw_group(self, ax: Axes, columns: Sequence[_Column], x: float, top: float) -> None:
        """The name of a group above a line over its columns."""
        group = columns[0].group
        wide = len(columns) * (self.cell + 3) - 3
        text = next(
            (t for t in (group, group.split()[0]) if size_in_points(t, SMALLEST_TEXT, bold=True)[0] <= wide), ""
        )
        draw_text(ax, x + wide / 2, top - 29, text, ha="center", va="bottom", fontsize=SMALLEST_TEXT, fontweight="bold")
        ax.plot([x, x + wide], [top - 28] * 2, color=ink(), linewidth=1)


def _head(name: str) -> tuple[str, ...]:
    """The name of a score in up to two lines, its long words short."""
    words = name_on_plot(name, 40).split(" ")
    for long, short in _SHORT_WORDS.items():
        words = [{long: short, long.lower(): short.lower()}.get(x, x) for x in words]
    first, rest = words[0], " ".join(words[1:])
    return (first, rest) if rest else (first,)


def _write_head(ax: Axes, x: float, top: float, lines: Sequence[str], **style: Any) -> None:
    """Write the lines of a head above the first row."""
    for i, line in enumerate(reversed(lines)):
        draw_text(ax, x, top - 4 - 9.8 * i, line, va="bottom", fontsize=SMALLEST_TEXT, **style)


def _within(value: float) -> float:
    """A score, or the nearest end of 0 to 1."""
    return min(max(value, 0.0), 1.0)


def color_of_score(group: str, value: float) -> str:
    """The colour of a score from 0 to 1: from the ground of the page to the end of the hue of its group."""
    middle, dark, light = _HUES[group]
    value = _within(value)
    if is_dark_page():
        return mix(ground(), dark, 2 * value) if value < 0.5 else mix(dark, light, 2 * value - 1)
    return mix(ground(), middle, 2 * value) if value < 0.5 else mix(middle, dark, 2 * value - 1)


def best_of(values: NDArray) -> NDArray:
    """Which of the values of a column are its highest number, as it is shown."""
    shown = np.round(values, 2)
    is_best: NDArray = shown == np.nanmax(shown) if not np.isnan(shown).all() else np.zeros(len(values), dtype=bool)
    return is_best


# Batch correction against bio conservation.


def draw_scatter(display: Scored, given: Any, width: float | None) -> Axes:
    """A point for each method that has both means, with its name, and lines of equal totals."""
    is_own = given is None
    across = width_of_figure(given, width, 6.0)
    ax = axes_to_draw_on(given, across, min(0.8 * across, 4.8))
    x, y = display.means[BATCH], display.means[BIO]
    shown = np.flatnonzero(~(np.isnan(x) | np.isnan(y))).tolist()
    name_axes(ax, "batch correction", "bio conservation")
    if display.scale == "minmax":
        ax.set_title(_RESCALED, loc="left", fontsize=9.5, fontweight="bold")
    ax.set(xlim=_limits(x[shown]), ylim=_limits(y[shown]))
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=max(SMALLEST_TEXT, size_of_text("xtick.labelsize") - 1))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    if is_own:
        lay_out(ax)
    wide, tall = points_along(ax, "x"), points_along(ax, "y")
    taken = _draw_totals(ax, wide, tall)
    at = {i: tuple((ax.transLimits.transform((x[i], y[i])) * (wide, tall)).tolist()) for i in shown}
    taken += [Box(px - 5, py - 5, px + 5, py + 5) for px, py in at.values()]
    n_hidden = 0
    for i in shown:
        is_reference = i == len(x) - 1 and display.unintegrated is not None
        face = _BAR_COLORS[BIO] if display.ranked[i] and not is_reference else ground()
        edge = ink() if is_reference else _BAR_COLORS[BIO]
        marker = "s" if is_reference else "o"
        ax.plot(x[i], y[i], marker, markersize=7, markerfacecolor=face, markeredgecolor=edge, zorder=3)
        text = name_that_fits(display.methods[i], 0.4 * wide, SMALLEST_TEXT) + ("" if display.ranked[i] else _DAGGER)
        n_hidden += not write_near(ax, text, (float(x[i]), float(y[i])), at[i], taken)
    if n_hidden:
        ax.set_xlabel(f"batch correction ({n_hidden} without a name)")
    return ax


def _draw_totals(ax: Axes, wide: float, tall: float) -> list[Box]:
    """Lines of equal totals, which are named at the upper end; returns the boxes of the names."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    first, last = 0.6 * low + 0.4 * left, 0.6 * high + 0.4 * right
    step = next((x for x in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if (last - first) / x <= 7), 1.0)
    boxes: list[Box] = []
    for total in step * np.arange(math.ceil(first / step), math.floor(last / step) + 1):
        ends = np.array([left, right])
        ax.plot(ends, (total - 0.4 * ends) / 0.6, color=ink(0.25), linewidth=0.8, zorder=0)
        x, y = (
            (left, (total - 0.4 * left) / 0.6)
            if total < 0.6 * high + 0.4 * left
            else ((total - 0.6 * high) / 0.4, high)
        )
        text = f"total {total:.2f}" if not boxes else f"{total:.2f}"
        px, py = ax.transLimits.transform((x, y)) * (wide, tall)
        w, h = size_in_points(text, SMALLEST_TEXT)
        box = Box(px + 3, py - h - 3, px + w + 3, py - 3)
        if box.is_within(Box(0, 0, wide, tall)) and not any(map(box.covers, boxes)):
            boxes.append(box)
            ax.annotate(
                text, (x, y), (3, -3), textcoords="offset points", ha="left", va="top", fontsize=SMALLEST_TEXT,
                color=ink(0.7), **AS_IT_IS,
            )  # fmt: skip
    return boxes


def _limits(values: NDArray) -> tuple[float, float]:
    """The ends of an axis for values."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    margin = max(0.18 * (high - low), 0.03)
    return low - margin, high + margin
