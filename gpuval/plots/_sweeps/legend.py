"""The names of the lines of a sweep, beside its axes or where they cover as little as can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from gpuval.inputs.options import needed
from gpuval.numerics import NDArray
from gpuval.plots._common.axes import AS_IT_IS, SMALLEST_SIZE, Axes, points_along, width_in_points

with needed("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties
    from matplotlib.legend import Legend

Handles = Sequence[tuple[Any, str]]
"""What is drawn, and its name."""

_SMALL = "small"
_HANDLE, _GAP, _LINE = 3.6, 2.0, 1.5
"""The width of the sign before a name, the gap between columns, and the height of a line, for text of size 1."""
_SHARE = 0.3
"""Of the height of the axes that a legend takes, if its text is not too small then."""
_MOST_ROOM = 0.5
"""Of the height of the axes that is given to a legend alone."""


def write_beside(ax: Axes, handles: Handles) -> None:
    """Write the names beside the axes, for which the figure has room."""
    _write(ax, handles, fontsize=_SMALL, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def write_within(ax: Axes, handles: Handles) -> None:
    """Write the names within the axes, where they cover no line; if need be, make a place above the lines."""
    width, height = points_along(ax, "x"), points_along(ax, "y")
    widest = width_in_points([name for _, name in handles], 1.0) + _HANDLE
    size = FontProperties(size=_SMALL).get_size_in_points()
    size = max(min(size, _SHARE * height / (_LINE * len(handles)), 0.9 * width / widest), min(size, SMALLEST_SIZE))
    legend = _write(ax, handles, fontsize=size, loc="best")
    if _covers_lines(ax, legend):
        n_columns = min(max(int((width - 2 * size) / (size * (widest + _GAP))), 1), len(handles))
        legend = _write(ax, handles, fontsize=size, loc="best", ncols=n_columns)
        low, high = ax.get_ylim()
        ax.set_ylim(low, low + (high - low) / (1.0 - min(_part_of(ax, legend)[1], _MOST_ROOM)))


def _write(ax: Axes, handles: Handles, **options: Any) -> Legend:
    # Labels are written afterwards: matplotlib takes some, such as those that begin with "_", for its own.
    legend = ax.legend([x for x, _ in handles], [str(i) for i in range(len(handles))], **options)
    for text, (_, name) in zip(legend.get_texts(), handles, strict=True):
        text.set(text=name, **AS_IT_IS)
    legend.get_frame().set(facecolor=rcParams["axes.facecolor"], edgecolor="none", alpha=0.8)
    return legend


def _part_of(ax: Axes, legend: Legend) -> tuple[float, float]:
    """The shares of the width and of the height of the axes that a legend takes, with the space about it."""
    box, whole, space = legend.get_window_extent(), ax.get_window_extent(), 0.02
    return box.width / whole.width + space, box.height / whole.height + space


def _covers_lines(ax: Axes, legend: Legend) -> bool:
    """Whether there are lines at all places that matplotlib may put a legend at."""
    width, height = _part_of(ax, legend)
    x, y = np.concatenate([_along(line, ax) for line in ax.lines]).T
    return all(
        ((x >= left) & (x <= left + width) & (y >= low) & (y <= low + height)).any()
        for left, low in product((0.0, (1.0 - width) / 2, 1.0 - width), (0.0, (1.0 - height) / 2, 1.0 - height))
    )


def _along(line: Any, ax: Axes) -> NDArray:
    """Points along a line, as shares of the axes."""
    ends = line.get_transform().transform(np.asarray(line.get_xydata(), dtype=float))
    corners = ax.transAxes.inverted().transform(ends)
    between = np.linspace(0.0, 1.0, 20)[:, None, None]
    found: NDArray = np.concatenate([corners, (corners[:-1] + between * np.diff(corners, axis=0)).reshape(-1, 2)])
    return found
