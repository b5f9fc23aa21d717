"""Heatmaps with the names of rows and columns, numbers where there is room, and a colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.numerics import NDArray
from gpuval.plots._common.axes import (
    AS_IT_IS,
    SMALLEST_SIZE,
    Axes,
    label_ticks,
    name_axes,
    points_along,
    put_text,
    size_of_text,
    width_in_points,
)
from gpuval.plots._common.palette import map_of_numbers, text_on

_MOST_NUMBERS = 16
"""Rows and columns of a heatmap that has its numbers written into it."""


def size_of_heatmap(row_names: Sequence[str], column_names: Sequence[str]) -> tuple[float, float]:
    """Inches of a figure in which cells are about square, and names and the colour bar have room."""
    cell = min(max(9.0 / max(len(row_names), len(column_names), 1), 0.19), 0.62)
    beside = width_in_points(row_names, 9.0) / 72 + 1.6
    below = 0.7 * width_in_points(column_names, 9.0) / 72 + 0.8
    return min(cell * len(column_names), 9.5) + beside, min(cell * len(row_names), 9.5) + below


def draw_heatmap(
    ax: Axes,
    values: NDArray,
    texts: NDArray,
    row_names: Sequence[str],
    column_names: Sequence[str],
    *,
    limits: tuple[float, float],
    labels: tuple[str, str, str],
    falls: bool = False,
    keeps_last: tuple[bool, bool] = (False, False),
) -> None:
    """Draw cells, hatched where they are NaN; ``labels`` are of the x axis, the y axis and the colour bar."""
    n_rows, n_columns = values.shape
    colors = map_of_numbers(falls=falls)
    ax.grid(False)  # which a style may have, would strike the numbers through
    image = ax.imshow(values, cmap=colors, vmin=limits[0], vmax=limits[1], aspect="auto", interpolation="nearest")
    if np.isnan(values).any():
        ax.patch.set(hatch="////", facecolor="0.92", edgecolor="0.6")
    ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, fraction=0.06, aspect=30)
    bar.set_label(labels[2], **AS_IT_IS)
    bar.outline.set_visible(False)
    ax.tick_params(length=0 if max(values.shape) > _MOST_NUMBERS else 2)
    label_ticks(ax.xaxis, range(n_columns), column_names, keeps_last=keeps_last[1])
    label_ticks(ax.yaxis, range(n_rows), row_names, keeps_last=keeps_last[0])
    name_axes(ax, labels[0], labels[1])
    if max(values.shape) <= _MOST_NUMBERS:
        _write_numbers(ax, image, values, texts)


def _write_numbers(ax: Axes, image: Any, values: NDArray, texts: NDArray) -> None:
    """Write the numbers into the cells, if there is room for the longest one."""
    width = points_along(ax, "x") / values.shape[1]
    height = points_along(ax, "y") / values.shape[0]
    longest = width_in_points(texts.ravel().tolist(), 1.0) or 1.0
    size = min(size_of_text("font.size"), 0.8 * width / longest, 0.6 * height)
    if size < SMALLEST_SIZE:
        return
    colors = image.cmap(image.norm(np.nan_to_num(values)))
    for (row, column), text in np.ndenumerate(texts):
        if text:
            put_text(ax, column, row, text, ha="center", va="center", fontsize=size, color=text_on(colors[row, column]))
