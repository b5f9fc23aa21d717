"""The drawing of a flow: two stacks of bars, ribbons between them, and names with sizes outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.display.colors import edge_of
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    NARROW,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    count_on_plot,
    draw_text,
    is_dark,
    line_height,
    points_of_height,
    room_on,
    share_on_plot,
    size_of_text,
    whole_count,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._margins import FAINT, Side, draw_leaders, move_apart, points_from, wrap_to, write_column
from gpuval.plots._tables import TableDisplay

with require_extra("gpuval.plots", "plots"):
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.path import Path

_WIDTH = 10.0
"""Of a bar in points."""
_LEADER, _SHORT_LEADER = 22.0, 10.0
"""The length of a leader in points, and that on a narrow figure."""
_GAPS = 0.25
"""The most of the height that gaps between bars take."""
_THINNEST = 1.5
"""The least height of a bar in points: 2 pixels."""
_SMALL = 0.02
"""The share of its class below which a ribbon is not drawn."""
_OPACITY, _ON_DARK = 0.5, 0.75
"""Of ribbons, on a light and on a dark ground, where dark ones would not be seen otherwise."""
_RIBBON = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
"""A curve to the right, and one back."""


class _Stack(NamedTuple):
    """Bars from above to below."""

    tops: NDArray
    heights: NDArray

    @property
    def centres(self) -> list[float]:
        found: list[float] = (self.tops - self.heights / 2).tolist()
        return found


class FlowDrawing:
    """One drawing of a flow, on an axis that is 1 high."""

    def __init__(self, display: TableDisplay, unit: str) -> None:
        self.display, self.unit = display, unit
        self.counts = display.counts / display.counts.sum()
        self.sizes = display.counts.sum(axis=1).tolist(), display.counts.sum(axis=0).tolist()
        self.colors = display.colors_shown()

    def draw(self, given: Any, width: float | None) -> Axes:
        is_own = given is None
        inches = width_of_figure(given, width, 8.0)
        room, tall = (72 * inches - 12, 0.0) if is_own else room_on(given)
        self.is_narrow = room < NARROW
        self.size = SMALLEST_TEXT if self.is_narrow else max(SMALLEST_TEXT, min(9.5, size_of_text("ytick.labelsize")))
        self.leader = _SHORT_LEADER if self.is_narrow else _LEADER
        texts = self._texts(room)
        note = wrap_to(self._note(), SMALLEST_TEXT, room)
        outside = 2 * line_height(self.size) + len(note) * line_height(SMALLEST_TEXT) + 10
        ax: Axes = given
        if is_own:
            rows = max(len(texts[0]), len(texts[1]))
            height = max(2.6 if width is None else min(0.5 * inches, 2.6), 1.7 * line_height(self.size) * rows / 72)
            ax = axes_to_draw_on(None, inches, outside / 72 + height)
            self.height = points_of_height(ax) - outside
        else:
            self.height = max(tall - outside, 20.0)
        ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        sides = [width_in_points([*x, y], self.size) + 4 for x, y in zip(texts, self._heads(), strict=True)]
        across = room - sum(sides) - 2 * self.leader
        self.bar = _WIDTH / max(across, 40.0)
        left, right = self._stacks()
        self._draw_ribbons(ax, left, right)
        for side, stack, at in (("left", left, 0), ("right", right, 1)):
            self._draw_bars(ax, stack, at)
            self._write_names(ax, "left" if side == "left" else "right", stack, texts[at], self._heads()[at])
        self._write_note(ax, note, room, sides[0] + self.leader)
        return ax

    # What is written

    def _texts(self, room: float) -> list[list[str]]:
        """The names of the bars of each side with their numbers of samples."""
        names = self.display.names_shown(self.size, 0.21 * room)
        count = count_on_plot if self.is_narrow else whole_count
        return [
            [f"{name}  {count(size)}" for name, size in zip(found, sizes, strict=True)]
            for found, sizes in zip(names, self.sizes, strict=True)
        ]

    def _heads(self) -> tuple[str, str]:
        return ("class", "cluster") if self.is_narrow else (f"class, {self.unit}", f"cluster, {self.unit}")

    def _is_drawn(self) -> NDArray:
        """Which ribbons are drawn."""
        wholes = self.counts.sum(axis=1, keepdims=True)
        drawn: NDArray = (self.counts > 0) & (self.counts >= _SMALL * wholes)
        return drawn

    def _note(self) -> str:
        total = f"{whole_count(self.display.counts.sum().item())} {self.unit}"
        left_out = float(self.counts[~self._is_drawn()].sum())
        if not left_out:
            return total
        share = share_on_plot(left_out) if left_out < 0.01 else f"{100 * left_out:.1f} %"
        return f"{total}. Flows under 2 % of their class are not drawn: {share} of the {self.unit}."

    # The bars and ribbons

    def _stacks(self) -> tuple[_Stack, _Stack]:
        """The bars of both sides, on one scale."""
        sizes = self.counts.sum(axis=1), self.counts.sum(axis=0)
        n_most = max(map(len, sizes))
        least = min(_THINNEST / self.height, 0.5 / n_most)
        gap = min(_GAPS / max(n_most - 1, 1), 8.0 / self.height)
        gaps = gap * (n_most - 1)
        enlarged = max(float(np.maximum(least - x, 0.0).sum()) for x in sizes)
        scale = max(1.0 - gaps - enlarged, 0.3)
        return self._stack(sizes[0] * scale, gap, least), self._stack(sizes[1] * scale, gap, least)

    def _stack(self, heights: NDArray, gap: float, least: float) -> _Stack:
        """Bars about the middle of the axis, with as much more room between them as there is, up to three gaps."""
        heights = np.maximum(heights, least)
        n_gaps = max(len(heights) - 1, 1)
        gap = min((1.0 - heights.sum()) / n_gaps, 3 * gap)
        whole = heights.sum() + gap * (len(heights) - 1)
        tops = (1.0 + whole) / 2 - (np.cumsum(heights + gap) - heights - gap)
        return _Stack(tops, heights)

    def _draw_ribbons(self, ax: Axes, left: _Stack, right: _Stack) -> None:
        """Draw the ribbons, at each bar in the order of the bars at the other ends: they do not cross there."""
        places = np.nonzero(self._is_drawn())
        sums = self.counts.sum(axis=1, keepdims=True), self.counts.sum(axis=0, keepdims=True)
        parts = [np.divide(self.counts, x, out=np.zeros(self.counts.shape), where=x > 0) for x in sums]
        thick = parts[0] * left.heights[:, None], parts[1] * right.heights[None, :]
        from_top = left.tops[:, None] - (np.cumsum(thick[0], axis=1) - thick[0])
        to_top = right.tops[None, :] - (np.cumsum(thick[1], axis=0) - thick[1])
        x = self.bar + (1.0 - 2 * self.bar) * np.array([0.0, 1.0, 2.0, 3.0]) / 3  # of a curve that ends level
        across = np.concatenate([x, x[::-1], x[:1]])
        starts, ends = ((tops, tops - high) for tops, high in zip((from_top, to_top), thick, strict=True))
        corners = (y[places] for y in (starts[0], ends[0], ends[1], starts[1]))
        outlines = [
            Path(np.column_stack([across, [a, a, b, b, c, c, d, d, a]]), _RIBBON)
            for a, b, c, d in zip(*corners, strict=True)
        ]
        fills = [self.colors[0][i] for i in places[0].tolist()]
        edges: Any = [edge_of(color, dark=True) for color in fills] if is_dark(ax) else _ground(ax)
        style: dict[str, Any] = {"linewidths": 0.4, "alpha": _ON_DARK if is_dark(ax) else _OPACITY}
        ax.add_collection(PathCollection(outlines, facecolors=fills, edgecolors=edges, **style), autolim=False)

    def _draw_bars(self, ax: Axes, stack: _Stack, at: int) -> None:
        x = np.array([0, 1, 1, 0]) * self.bar + at * (1.0 - self.bar)
        outlines = [
            np.column_stack([x, [top, top, top - height, top - height]])
            for top, height in zip(stack.tops.tolist(), stack.heights.tolist(), strict=True)
        ]
        fills = self.colors[at]
        edges = [edge_of(color, is_dark(ax)) for color in fills]
        bars = PolyCollection(outlines, facecolors=fills, edgecolors=edges, linewidths=0.5, clip_on=False)
        ax.add_collection(bars, autolim=False)

    def _write_names(self, ax: Axes, side: Side, stack: _Stack, texts: Sequence[str], head: str) -> None:
        """Write the names beside the bars, moved apart; those of the largest bars, if there is no room for all."""
        apart = line_height(self.size) / self.height
        most = int(1.0 / apart) + 1
        by_size = np.argsort(-stack.heights, kind="stable")[:most]
        shown = sorted(by_size.tolist())
        at = move_apart([-stack.centres[i] for i in shown], apart, -1.0, 0.0)
        ends = [(stack.centres[i], -y) for i, y in zip(shown, at, strict=True)]
        sign = -1.0 if side == "left" else 1.0
        style: dict[str, Any] = {"fontsize": self.size, "ha": "right" if side == "left" else "left"}
        write_column(ax, side, sign * (self.leader + 2), [y for _, y in ends], [texts[i] for i in shown], **style)
        draw_leaders(ax, side, sign * 1.5, sign * self.leader, ends)
        corner = points_from(ax, float(side == "right"), 1.0)
        style |= {"transform": corner, "va": "bottom", "alpha": FAINT}
        draw_text(ax, sign * (self.leader + 2), 0.7 * line_height(self.size), head, **style)

    def _write_note(self, ax: Axes, lines: Sequence[str], room: float, left: float) -> None:
        below = points_from(ax, 0.0, 0.0)
        for i, line in enumerate(lines):
            y = -(0.8 * line_height(self.size) + i * line_height(SMALLEST_TEXT))
            x = room / 2 - left
            style: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": SMALLEST_TEXT, "alpha": FAINT}
            draw_text(ax, x, y, line, transform=below, **style)


def _ground(ax: Axes) -> Any:
    """The colour of the ground, which separates ribbons."""
    figure: Any = ax.figure
    return ax.get_facecolor() if ax.patch.get_visible() else figure.get_facecolor()
