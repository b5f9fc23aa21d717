"""The drawing of scores of all pairs: cells, names once on the diagonal, the tree of the labelings, and the scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.display.digits import MINUS
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    line_height,
    name_axes,
    names_on_plot,
    names_within,
    points_of_height,
    room_on,
    short_score,
    size_of_text,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._cells import MOST_NUMBERS, Shades, scale_width, size_in_cells
from gpuval.plots._margins import FAINT, axes_beyond, wrap_to, write_lines

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle

_GAP = 0.35
"""Between the truth and the others, where a cell is 1."""
_TREE = 30.0
"""The height of the tree in points: 40 pixels."""
_NAMES_OF_MANY = 20
"""How many of more labelings than have numbers and names have a name."""
_MOST_NAMES = 40


class AgreementDrawing:
    """One drawing of scores of all pairs: what is drawn depends on their number, and on the room for cells."""

    def __init__(self, scores: NDArray, names: Sequence[Any], has_truth: bool, tree: NDArray | None) -> None:
        self.scores, self.names, self.tree = scores, names, tree
        self.n = len(names)
        self.is_symmetric = bool(np.allclose(scores, scores.T, equal_nan=True))
        self.places = np.arange(self.n) + _GAP * (has_truth & (np.arange(self.n) > 0))
        self.n_first = int(has_truth)
        is_shown = np.tri(self.n, k=-1, dtype=bool) if self.is_symmetric else ~np.eye(self.n, dtype=bool)
        self.shown = np.where(is_shown & np.isfinite(scores), scores, np.nan)
        self.is_missing = is_shown & ~np.isfinite(scores)

    def draw(self, given: Any, width: float | None, metric: str, direction: str) -> Axes:
        is_own = given is None
        self.text_size = max(SMALLEST_TEXT, min(9.5, size_of_text("ytick.labelsize")))
        inches = width_of_figure(given, width, self._own_width())
        room, tall = (72 * inches - 16, 0.0) if is_own else room_on(given)
        texts = names_within(self.names, self.text_size, room if width is None and is_own else 0.34 * room)
        widest = width_in_points(texts, self.text_size) + 6
        self.span = float(self.places[-1]) + 1.0
        self.cell = max(room - (widest if self.is_symmetric else widest + 18), 20.0) / self.span
        steps = self._steps()
        is_tree = self.tree is not None
        said = f"{metric} (lower is nearer)" if direction == "lower" else metric
        low, high = self._limits(direction)
        ends = _end(low), _end(high)
        is_flat = widest - 6 <= 0.94 * self.cell
        names = 0.0 if self.is_symmetric else 20.0 + (line_height(self.text_size) if is_flat else widest)
        self.note_left = 0.0 if self.is_symmetric else -widest - 12
        above = self._height_of_note(said, ends, room) + names
        below = (_TREE + 6 if is_tree else 0.0) + 12
        height = self._cell_height()
        ax: Axes = given
        if is_own:
            ax = axes_to_draw_on(None, inches, (above + below + height * self.span) / 72)
            self.height = (points_of_height(ax) - above - below) / self.span
        else:
            self.height = max(tall - above - below, 20.0) / self.span
        ax.grid(False)  # which a style may have, would strike the numbers through
        ax.set(xlim=(-0.5, self.span - 0.5), ylim=(self.span - 0.5, -0.5))
        self.shades = Shades(ax, low, high, falls=direction == "lower")
        self._draw_cells(ax)
        (self._name_the_diagonal if self.is_symmetric else self._name_the_sides)(ax, texts, steps)
        self._write_numbers()
        if is_tree:
            self._draw_tree(ax)
        self._write_note(ax, said, ends, above, room)
        return ax

    def _own_width(self) -> float:
        names = width_in_points(names_on_plot(self.names), self.text_size) / 72
        return names + (1.0 + 0.45 * self.n if self.n <= MOST_NUMBERS else min(1.6 + 0.16 * self.n, 7.2))

    def _cell_height(self) -> float:
        if self.n <= MOST_NUMBERS:
            return min(max(0.7 * self.cell, 15.0), 30.0)
        return max(self.cell, 12.0) if self.n <= _MOST_NAMES else max(self.cell, 300.0 / self.n)

    def _steps(self) -> int:
        """Each how manieth labeling has a name."""
        if self.n > _MOST_NAMES:
            return math.ceil(self.n / _NAMES_OF_MANY)
        return 1

    def _limits(self, direction: str) -> tuple[float, float]:
        """The ends of the scale: the smallest score rounded down to a tenth, and 1; of distances 0 and the largest."""
        values = self.shown[np.isfinite(self.shown)]
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if not len(values):
            return 0.0, 1.0
        if direction == "lower":
            return min(0.0, low), math.ceil(high * 10) / 10 or 1.0
        low = math.floor(low * 10 + 1e-9) / 10
        high = 1.0 if high <= 1.0 else high
        return (low, high) if low < high else (low - 0.1, high)

    # The cells

    def _draw_cells(self, ax: Axes) -> None:
        for rows in self._blocks():
            for columns in self._blocks():
                part = self.shown[rows, columns]
                if np.isfinite(part).any():
                    self.shades.draw(part, *(float(self.places[x.start]) - 0.5 for x in (columns, rows)))
        style: dict[str, Any] = {"hatch": "////", "facecolor": "none", "edgecolor": "0.6", "linewidth": 0.0}
        for row, column in np.argwhere(self.is_missing).tolist():
            corner = float(self.places[column]) - 0.5, float(self.places[row]) - 0.5
            ax.add_patch(Rectangle(corner, 1.0, 1.0, **style))

    def _blocks(self) -> list[slice]:
        """The runs of labelings without a gap."""
        return [slice(0, self.n_first), slice(self.n_first, self.n)][not self.n_first :]

    def _write_numbers(self) -> None:
        if self.n > MOST_NUMBERS:
            return
        places = np.argwhere(np.isfinite(self.shown)).tolist()
        texts = [short_score(float(self.shown[tuple(place)])).replace("-", MINUS) for place in places]
        if size := size_in_cells(texts, self.cell, self.height, bold=False):
            for (row, column), text in zip(places, texts, strict=True):
                value = float(self.shown[row, column])
                self.shades.write(float(self.places[column]), float(self.places[row]), value, text, size)

    # Names

    def _name_the_diagonal(self, ax: Axes, texts: Sequence[str], steps: int) -> None:
        """Each name once: its row is to the left of it, its column below it."""
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.patch.set_visible(False)
        style: dict[str, Any] = {"va": "center_baseline", "fontsize": self.text_size}
        steps = max(steps, math.ceil(0.98 * line_height(self.text_size) / self.height))
        for place, text in list(zip(self.places.tolist(), texts, strict=True))[::steps]:
            draw_text(ax, place - 0.5 + min(0.12, 4.0 / self.cell), place, text, **style)
        name_axes(ax, "", "")

    def _name_the_sides(self, ax: Axes, texts: Sequence[str], steps: int) -> None:
        ax.spines[:].set_visible(False)
        style: dict[str, Any] = {"fontsize": self.text_size, "parse_math": False, "usetex": False}
        by_row = max(steps, math.ceil(0.98 * line_height(self.text_size) / self.height))
        ax.set_yticks(self.places[::by_row], labels=texts[::by_row], **style)
        is_flat = width_in_points(texts, self.text_size) <= 0.94 * self.cell
        by_column = 1 if is_flat else max(steps, math.ceil(0.98 * line_height(self.text_size) / self.cell))
        ax.set_xticks(self.places[::by_column], labels=texts[::by_column], rotation=0 if is_flat else 90, **style)
        ax.tick_params(length=0, pad=3, bottom=False, labelbottom=False, top=True, labeltop=True)
        ax.xaxis.set_label_position("top")
        name_axes(ax, "as the prediction", "as the truth")

    # The tree and the note

    def _draw_tree(self, ax: Axes) -> None:
        """Draw the clustering below the columns, its root at the bottom."""
        assert self.tree is not None
        at = self.places[self.n_first :].tolist()
        heights = [0.0] * len(at)
        lines = []
        for left, right, height, _ in self.tree.tolist():
            a, b = int(left), int(right)
            lines.append([(at[a], heights[a]), (at[a], height), (at[b], height), (at[b], heights[b])])
            at.append((at[a] + at[b]) / 2)
            heights.append(height)
        below = axes_beyond(ax, "bottom", 4.0, _TREE)
        thickness = min(0.8, 0.3 * self.cell)
        style: dict[str, Any] = {"colors": rcParams["text.color"], "linewidths": thickness, "alpha": FAINT}
        below.add_collection(LineCollection(lines, **style), autolim=False)
        below.set(xlim=ax.get_xlim(), ylim=(1.04 * max(heights) or 1.0, 0.0))

    def _height_of_note(self, said: str, ends: tuple[str, str], room: float) -> float:
        is_one_line = scale_width(said, *ends, SMALLEST_TEXT) <= room
        lines = 1 if is_one_line else 1 + len(wrap_to(said, SMALLEST_TEXT, room))
        return lines * line_height(SMALLEST_TEXT) + 10

    def _write_note(self, ax: Axes, said: str, ends: tuple[str, str], above: float, room: float) -> None:
        bottom = above - self._height_of_note(said, ends, room) + 6
        left = self.note_left
        if scale_width(said, *ends, SMALLEST_TEXT) > room:
            lines = wrap_to(said, SMALLEST_TEXT, room)
            write_lines(ax, lines, left, bottom + line_height(SMALLEST_TEXT), SMALLEST_TEXT)
            said = ""
        self.shades.draw_scale(said, *ends, left, bottom, SMALLEST_TEXT)


def _end(score: float) -> str:
    """An end of the scale."""
    return f"{score:.1f}".removesuffix(".0").replace("-", MINUS)
