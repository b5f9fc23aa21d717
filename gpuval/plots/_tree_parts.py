"""How clusters of neighbouring labelings are drawn: bars in columns, ribbons between them, names and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from gpuval.display.colors import AGREE, OTHERS, class_colors
from gpuval.display.digits import count_text, share_text
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
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
    width_of_figure,
)
from gpuval.plots._below import height_below, height_of_legend, name_places, write_legend
from gpuval.plots._canvas import fold, ground, grow_to, ink, is_dark_page, mix, name_that_fits, size_in_points
from gpuval.plots._sweep_parts import texts_of_numbers

with require_extra("gpuval.plots", "plots"):
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.colors import to_rgba
    from matplotlib.path import Path

_STEP, _LEAST_INCHES, _MOST_INCHES = 1.15, 4.0, 13.0
"""Inches from one labeling to the next, and the ends of the size of a figure."""
_LEAST_HEIGHT = 250.0
"""The points of the columns of a figure with few clusters."""
_BAR, _SHARE_OF_STEP = 13.0, 0.22
"""The widest bar in points, and the share of a step that it takes at most."""
_FOOT = 4.0
"""The points between the lowest bars and the x axis."""
_GAP = 3.0
"""The least points between two bars."""
_LINE = 10.8
"""The points from one name to the next."""
_THINNEST = 0.01
"""The share of both its ends below which a ribbon is left out."""
_RIBBON = "#7E8998"
_HUE = ("#9ECAE1", "#08519C", "#08306B")
_CODES = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]


class TreeNumbers(Protocol):
    """What is drawn."""

    names: list[Any]
    clusters: list[list[Any]]
    sizes: list[NDArray]
    shared: list[NDArray]
    n_small: list[int]
    classes: list[Any]
    class_counts: list[NDArray] | None
    scores: list[NDArray] | None
    places: list[float]
    numbers: list[float] | None
    axis_name: str
    score_name: str
    colors: list[str] | None


class DrawnTree:
    """The clusters of a display, drawn in points along y."""

    def __init__(self, display: TreeNumbers) -> None:
        self.display = display
        self.shares = [x / max(float(y.sum()) for y in display.sizes) for x in display.sizes]
        """Of the samples of the labeling that has most of them, some of which others may ignore."""

    def draw(self, given: Any, width: float | None) -> Axes:
        """Draw on axes, or on those of a new figure."""
        display, is_own = self.display, given is None
        own = min(max(_STEP * len(display.names) + 0.8, _LEAST_INCHES), _MOST_INCHES)
        entries = self._legend()
        across = width_of_figure(given, width, own)
        room = 72 * across - 18
        most = max(map(len, display.sizes))
        texts = [text for _, text in entries]
        wanted = min(max(1.5 * _LINE * most, _LEAST_HEIGHT), _MOST_INCHES * 72 - 140)
        title = name_on_plot(display.score_name, 60) if display.score_name else ""
        tall = wanted + 40 + (height_of_legend(texts, room, title) if entries else 0.0)
        ax = axes_to_draw_on(given, across, tall / 72)
        after = self._room_after(room) if is_own else 0.5
        ax.set_xlim(min(display.places) - 0.5, max(display.places) + after)
        ax.set_yticks([])
        ax.grid(False)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ticks = display.names if display.numbers is None else texts_of_numbers(display.numbers)
        name_places(ax, display.places, ticks)
        below = self._note()
        if is_own:
            lay_out(ax)  # names that are turned take a part of the width
        wide = points_along(ax, "x")
        size = size_of_text("axes.labelsize")
        note = "\n".join(["", *fold(below, size, 0.95 * wide)] if below else [])
        name_axes(ax, name_on_plot(display.axis_name, 60) + note, "")
        if is_own:
            lay_out(ax)
        if entries:
            write_legend(ax, entries, height_below(ax) + 5, title=title)
        if is_own:
            grow_to(ax, wanted)
        self._draw(ax)
        return ax

    def _room_after(self, room: float) -> float:
        """How far the axis goes on behind the last labeling, so that the names of its clusters have room."""
        names = [name_on_plot(x) for x in self.display.clusters[-1]]
        needed = min(max((size_in_points(x, SMALLEST_TEXT)[0] for x in names), default=0.0) + 14, 0.3 * room)
        span = max(self.display.places) - min(self.display.places) + 0.5
        return max(0.5, needed * span / (room - needed))

    # What stands below.

    def _note(self) -> str:
        """How many ribbons are left out, and what share of the samples they are."""
        n, sums = 0, []
        for counts, left, right in zip(self.display.shared, self.display.sizes, self.display.sizes[1:], strict=False):
            is_thin = (counts > 0) & (counts < _THINNEST * left[:, None]) & (counts < _THINNEST * right)
            n += int(is_thin.sum())
            sums.append(float(counts[is_thin].sum() / max(float(counts.sum()), 1e-300)))
        if not n:
            return ""
        share = max(sums)
        text = "under 1 %" if share < 0.01 else f"up to {share_text(share)}"
        return f"({n:,} ribbon{'s' * (n != 1)} under 1 % left out, {text} of the samples)"

    def _legend(self) -> list[tuple[dict[str, Any], str]]:
        """The signs of the legend and what they are."""
        display = self.display
        if display.scores is not None:
            low, high = self._limits()
            values = np.linspace(low, high, 5) if high > low else np.array([low])
            return [({"marker": "s", "color": self._color(x)}, short_score(float(x))) for x in values]
        if display.class_counts is None:
            return []
        sizes = self._class_sizes()
        colors = self._class_colors()
        entries = [
            ({"marker": "s", "color": color}, f"{name_on_plot(name)}  {_count(size)}")
            for name, color, size in zip(display.classes, colors, sizes, strict=True)
            if color != OTHERS
        ]
        if n_others := len(colors) - len(entries):
            rest = sum(size for color, size in zip(colors, sizes, strict=True) if color == OTHERS)
            entries.append(({"marker": "s", "color": OTHERS}, f"{n_others} others  {_count(rest)}"))
        return entries

    def _class_colors(self) -> list[str]:
        return self.display.colors or class_colors(self._class_sizes())

    def _class_sizes(self) -> list[float]:
        assert self.display.class_counts is not None
        sizes: list[float] = np.max([x.sum(axis=1) for x in self.display.class_counts], axis=0).tolist()
        return sizes

    def _limits(self) -> tuple[float, float]:
        """The ends of the scores: 0 and 1, if all are between."""
        assert self.display.scores is not None
        scores = np.concatenate(self.display.scores)
        scores = scores[np.isfinite(scores)]
        if not len(scores) or (scores.min() >= 0 and scores.max() <= 1):
            return 0.0, 1.0
        return float(scores.min()), float(scores.max())

    def _color(self, score: float) -> str:
        if not np.isfinite(score):
            return OTHERS
        low, high = self._limits()
        share = (score - low) / (high - low) if high > low else 1.0
        light, dark, darkest = _HUE
        return mix(ground(), light if is_dark_page() else darkest if share > 0.9 else dark, 0.08 + 0.9 * share)

    # Bars, ribbons and names.

    def _draw(self, ax: Axes) -> None:
        tall = points_along(ax, "y")
        ax.set_ylim(tall, 0.0)
        tall -= _FOOT
        step = points_along(ax, "x") / abs(ax.get_xlim()[1] - ax.get_xlim()[0])
        distance = min(np.diff(self.display.places), default=1.0)
        half = min(_BAR, _SHARE_OF_STEP * step * distance) / step / 2
        tops, scale = self._stack(tall)
        self._draw_ribbons(ax, tops, scale, half)
        for i, place in enumerate(self.display.places):
            self._draw_bars(ax, i, place, half, tops[i], scale)
            is_last = i == len(self.display.places) - 1
            after = ax.get_xlim()[1] - place
            room = step * ((after if is_last else distance - half) - half) - 5
            self._write_names(ax, i, (place + half, 2.5 / step), tops[i], scale, room)

    def _stack(self, tall: float) -> tuple[list[NDArray], float]:
        """The upper ends of all bars in points, and the height of all samples together."""
        line = _LINE
        low, high = 0.0, tall
        while line > 0 and max(self._height(x, 0.0, line) for x in self.shares) > 0.7 * tall:
            line -= 0.9  # there is no room for all names
        for _ in range(40):
            scale = (low + high) / 2
            low, high = (
                (scale, high) if max(self._height(x, scale, line) for x in self.shares) <= tall else (low, scale)
            )
        tops = []
        for shares in self.shares:
            heights = low * shares
            gaps = _gaps(heights, line)
            start = (tall - heights.sum() - gaps.sum()) / 2
            tops.append(start + np.cumsum(heights + np.append(gaps, 0.0)) - heights - np.append(gaps, 0.0))
        return tops, low

    def _height(self, shares: NDArray, scale: float, line: float) -> float:
        heights = scale * shares
        return float(heights.sum() + _gaps(heights, line).sum())

    def _draw_ribbons(self, ax: Axes, tops: Sequence[NDArray], scale: float, half: float) -> None:
        display = self.display
        total = max(float(x.sum()) for x in display.sizes)
        outlines, colors = [], []
        for i, counts in enumerate(display.shared):
            heights = counts * (scale / total)
            starts = tops[i][:, None] + np.cumsum(heights, axis=1) - heights
            ends = tops[i + 1] + np.cumsum(heights, axis=0) - heights
            left, right = display.places[i] + half, display.places[i + 1] - half
            middle = (left + right) / 2
            across = [left, middle, middle, right, right, middle, middle, left, left]
            is_drawn = (counts >= _THINNEST * display.sizes[i][:, None]) | (counts >= _THINNEST * display.sizes[i + 1])
            for a, b in np.argwhere(is_drawn & (counts > 0)).tolist():
                y, z, thick = starts[a, b], ends[a, b], heights[a, b]
                along = [y, y, z, z, z + thick, z + thick, y + thick, y + thick, y]
                outlines.append(Path(np.column_stack([across, along]), _CODES))
                colors.append(to_rgba(_RIBBON, 0.15 + 0.45 * float(counts[a, b] / display.sizes[i + 1][b])))
        ax.add_collection(PathCollection(outlines, facecolors=colors, linewidths=0, zorder=1), autolim=False)

    def _draw_bars(self, ax: Axes, i: int, place: float, half: float, tops: NDArray, scale: float) -> None:
        display = self.display
        heights = scale * self.shares[i]
        ends = (place - half, place + half)
        if display.scores is None and display.class_counts is not None:
            counts, colors = display.class_counts[i], self._class_colors()
            parts = counts * (heights / np.maximum(counts.sum(axis=0), 1e-300))
            starts = tops + np.cumsum(parts, axis=0) - parts
            drawn = np.argwhere(counts > 0).tolist()
            boxes = [_corners(ends, starts[k, j], parts[k, j]) for k, j in drawn]
            faces = [colors[k] for k, _ in drawn]
            ax.add_collection(PolyCollection(boxes, facecolors=faces, linewidths=0, zorder=2), autolim=False)
            whole: Any = "none"
        elif display.scores is not None:
            whole = [self._color(float(x)) for x in display.scores[i]]
        else:
            whole = mix(ground(), AGREE if is_dark_page() else "#4A78A8", 0.85)
        boxes = [_corners(ends, top, height) for top, height in zip(tops, heights, strict=True)]
        outline = PolyCollection(boxes, facecolors=whole, edgecolors=ink(0.85), linewidths=0.6, zorder=3)
        ax.add_collection(outline, autolim=False)

    def _write_names(self, ax: Axes, i: int, at: tuple[float, float], tops: NDArray, scale: float, room: float) -> None:
        """Write the names of clusters to the right of their bars, those of large ones first."""
        display = self.display
        names = [name_that_fits(x, max(room, 1.0), SMALLEST_TEXT) for x in display.clusters[i]]
        if display.n_small[i]:
            many = f"{display.n_small[i]:,} small"
            names.append(many if size_in_points(many, SMALLEST_TEXT)[0] <= room else f"+{display.n_small[i]:,}")
        centres = tops + scale * self.shares[i] / 2
        taken: list[float] = []
        for k in np.argsort(-self.shares[i], kind="stable").tolist():
            fits = size_in_points(names[k], SMALLEST_TEXT)[0] <= max(room, 14.0)
            if fits and all(abs(centres[k] - y) >= _LINE - 1.2 for y in taken):
                taken.append(float(centres[k]))
                draw_text(ax, at[0] + at[1], centres[k], names[k], va="center", fontsize=SMALLEST_TEXT, zorder=4)


def _gaps(heights: NDArray, line: float) -> NDArray:
    """The points between bars: enough for a name in the middle of each."""
    gaps: NDArray = np.maximum(_GAP, line - (heights[:-1] + heights[1:]) / 2)
    return gaps


def _corners(ends: tuple[float, float], top: float, height: float) -> list[tuple[float, float]]:
    left, right = ends
    return [(left, top), (right, top), (right, top + height), (left, top + height)]


def _count(size: float) -> str:
    return count_text(int(size) if size == int(size) else size)
