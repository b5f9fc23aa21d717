"""Cells of a heatmap: shades, numbers in them, and the scale of the shades above the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.display.colors import text_on
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    SMALLEST_TEXT,
    Axes,
    draw_text,
    is_dark,
    line_height,
    map_of_numbers,
    size_of_text,
    width_in_points,
)
from gpuval.plots._margins import FAINT, points_from

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize, to_hex

MOST_NUMBERS = 16
"""Rows and columns of a heatmap that has numbers in its cells."""

_SCALE = 70.0, 7.0
"""The width and the height of the scale of shades, in points."""
_SHORTEST_SCALE = 24.0


class Shades:
    """The shades of numbers from ``low`` to ``high`` on the ground of axes; strong are the small ones if they fall."""

    def __init__(self, ax: Axes, low: float, high: float, *, falls: bool = False) -> None:
        self.ax, self.low, self.high = ax, low, high
        self._map = map_of_numbers(falls=falls, dark=is_dark(ax))
        self._norm = Normalize(low, high, clip=True)

    def draw(self, values: NDArray, left: float = -0.5, top: float = -0.5) -> Any:
        """Draw cells of size 1; those that are NaN have no colour."""
        n_rows, n_columns = values.shape
        extent = (left, left + n_columns, top + n_rows, top)
        style: dict[str, Any] = {"extent": extent, "aspect": "auto", "interpolation": "nearest"}
        return self.ax.imshow(values, cmap=self._map, norm=self._norm, **style)

    def color(self, value: float) -> str:
        """The shade of a number."""
        return to_hex(self._map(self._norm(value)))

    def write(self, x: float, y: float, value: float, text: str, size: float, *, bold: bool = False) -> None:
        """Write a number into its cell, in black or white, whichever is read more easily."""
        style = {"color": text_on(self.color(value)), "fontweight": "bold" if bold else "normal"}
        draw_text(self.ax, x, y, text, ha="center", va="center_baseline", fontsize=size, **style)

    def draw_scale(
        self, before: str, low: str, high: str, left: float, bottom: float, size: float, room: float = np.inf
    ) -> None:
        """Draw the scale above the axes, so many points from their left side: what it is of, and its ends."""
        above = points_from(self.ax, 0.0, 1.0)
        start = left + width_in_points([f"{before}  {low}"], size) + 4
        length = max(_SCALE[0] - max(scale_width(before, low, high, size) - room, 0.0), _SHORTEST_SCALE)
        style: dict[str, Any] = {"transform": above, "va": "bottom", "fontsize": size, "alpha": FAINT}
        draw_text(self.ax, start - 4, bottom, f"{before}  {low}", ha="right", **style)
        draw_text(self.ax, start + length + 4, bottom, high, **style)
        scale = self.ax.inset_axes((start, bottom + 0.2 * size, length, _SCALE[1]), transform=above)
        steps = np.linspace(self.low, self.high, 64)[None, :]
        scale.imshow(steps, cmap=self._map, norm=self._norm, aspect="auto")
        scale.set(xticks=[], yticks=[])
        scale.spines[:].set(linewidth=0.5, alpha=0.5)


def scale_width(before: str, low: str, high: str, size: float) -> float:
    """How wide a scale with what is written beside it is, in points."""
    return width_in_points([f"{before}  {low}"], size) + _SCALE[0] + 8 + width_in_points([high], size)


def size_in_cells(texts: Sequence[str], width: float, height: float, *, bold: bool) -> float:
    """The size of the numbers in cells of these points; 0 if there is no room for the widest one."""
    size = min(size_of_text("font.size"), 0.92 * width / (width_in_points(texts, 1.0, bold=bold) or 1.0), 0.78 * height)
    return size if size >= SMALLEST_TEXT else 0.0


def draw_grid(ax: Axes, n_rows: int, n_columns: int) -> None:
    """Draw faint lines between cells, so that rows and columns are followed over empty ones."""
    down = [[(x - 0.5, -0.5), (x - 0.5, n_rows - 0.5)] for x in range(n_columns + 1)]
    across = [[(-0.5, y - 0.5), (n_columns - 0.5, y - 0.5)] for y in range(n_rows + 1)]
    color = rcParams["axes.edgecolor"]
    ax.add_collection(LineCollection(down + across, colors=color, linewidths=0.5, alpha=0.18), autolim=False)


def name_ticks(ax: Axes, rows: Sequence[str], columns: Sequence[str], width: float, height: float) -> None:
    """Name the rows and columns of cells of these points; where there is no room each second, third, ... one."""
    size = max(SMALLEST_TEXT, min(size_of_text("xtick.labelsize"), 0.8 * height))
    steps = max(1, int(np.ceil(0.98 * line_height(size) / height)))
    style: dict[str, Any] = {"fontsize": size, "parse_math": False, "usetex": False}
    ax.set_yticks(range(0, len(rows), steps), labels=rows[::steps], **style)
    is_flat = width_in_points(columns, size) <= 0.94 * width
    steps = 1 if is_flat else max(1, int(np.ceil(0.98 * line_height(size) / width)))
    ax.set_xticks(range(0, len(columns), steps), labels=columns[::steps], rotation=0 if is_flat else 90, **style)
    ax.tick_params(length=0, pad=3)


def height_of_column_names(columns: Sequence[str], width: float) -> float:
    """How many points the names of columns of this width take below the axes."""
    size = size_of_text("xtick.labelsize")
    widest = width_in_points(columns, size)
    return line_height(size) if widest <= 0.94 * width else widest
