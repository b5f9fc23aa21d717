"""What stands below the axes: the names of places along the x axis, and a legend in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gpuval.inputs.options import require_extra
from gpuval.plots._axes import (
    AS_IT_IS,
    SMALLEST_TEXT,
    WIDEST_NAME,
    Axes,
    name_on_plot,
    names_within,
    points_along,
    size_of_text,
    width_in_points,
)
from gpuval.plots._canvas import size_in_points

with require_extra("gpuval.plots", "plots"):
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

_LINE = 1.25
_HANDLE, _BETWEEN = 16.0, 12.0
"""The points that the sign before a name takes, and those between two columns."""
_SIDES = 10.0
"""The points beside a legend, on both sides together."""
_FOOT = 4.0
"""The points between the last line of a legend and the edge of the figure."""
_TWO_COLUMNS = 190.0
"""The points from which on a legend has two columns, if need be of shortened names."""


def name_places(ax: Axes, places: Sequence[float], names: Sequence[Any]) -> None:
    """Write names at places along the x axis: turned where they are wide, and only some where there is no room."""
    size = max(SMALLEST_TEXT, min(size_of_text("xtick.labelsize"), 9.5))
    low, high = ax.get_xlim()
    step = points_along(ax, "x") / (abs(high - low) or 1.0)
    room = step * min((abs(b - a) for a, b in pairwise(places)), default=abs(high - low))
    style: dict[str, Any] = {"fontsize": size, **AS_IT_IS}
    every = max(1, math.ceil(_LINE * size / room))
    texts = names_within(names[::every], size, room * every - 4)
    widest = width_in_points(texts, size)
    if widest > room * every - 4 and widest <= 4 * size:
        every = math.ceil((widest + 4) / room)
        texts = names_within(names[::every], size, room * every - 4)
    elif widest > room * every - 4:
        texts = names_within(names[::every], size, 1.6 * 72)
        angle = 45 if room * every >= 1.7 * size * _LINE else 90
        vertical = "center" if angle == 90 else "top"
        style |= {"rotation": angle, "ha": "right", "rotation_mode": "anchor", "va": vertical}
    ax.set_xticks(list(places)[::every], labels=texts, **style)


def height_below(ax: Axes) -> float:
    """The points that the ticks and the name of the x axis take below the axes."""
    box = ax.xaxis.get_tightbbox()
    return 0.0 if box is None else max(ax.bbox.y0 - box.y0, 0.0) * 72 / float(ax.figure.dpi)


def legend_rows(texts: Sequence[str], room: float) -> tuple[list[str], int]:
    """The texts of a legend, shortened so that two columns fit, and the number of columns."""
    size = SMALLEST_TEXT
    least = 2 if len(texts) > 2 and room >= _TWO_COLUMNS else 1
    wide = room / least - _HANDLE - _BETWEEN
    fitting = [x if size_in_points(x, size)[0] <= wide else _shorten(x, wide, size) for x in texts]
    most = int((room + _BETWEEN) / (width_in_points(fitting, size) + _HANDLE + _BETWEEN))
    n_rows = math.ceil(len(texts) / max(most, 1))
    return fitting, math.ceil(len(texts) / n_rows)


def _shorten(text: str, room: float, size: float) -> str:
    """A name and its number, the name shortened."""
    name, gap, number = text.rpartition("  ")
    for widest in range(WIDEST_NAME, 3, -1):
        short = f"{name_on_plot(name, widest)}{gap}{number}" if gap else name_on_plot(text, widest)
        if size_in_points(short, size)[0] <= room:
            break
    return short


def room_below(ax: Axes) -> tuple[float, float]:
    """The points across the part of a figure that the axes are in, and its middle, as a share of the figure.

    That is wider than the axes, by what is beside them.
    """
    figure: Any = ax.figure
    spec = ax.get_subplotspec()
    if spec is None or spec.get_topmost_subplotspec() is not spec:
        box = ax.get_window_extent()
        return points_along(ax, "x"), float((box.x0 + box.x1) / 2 - figure.bbox.x0) / float(figure.bbox.width)
    columns, ratios = spec.colspan, np.asarray(spec.get_gridspec().get_width_ratios(), dtype=float).tolist()
    ends = [sum(ratios[:n]) / sum(ratios) for n in (columns.start, columns.stop)]
    return (ends[1] - ends[0]) * float(figure.bbox.width) * 72 / float(figure.dpi) - _SIDES, sum(ends) / 2


def write_legend(
    ax: Axes,
    entries: Sequence[tuple[dict[str, Any], str]],
    below: float = 0.0,
    *,
    room: float | None = None,
    title: str = "",
) -> Legend:
    """Write a legend so many points below the axes, or, with ``room`` across it, at the foot of the figure.

    The entries are signs, which are options of markers, and their texts. At its foot the layout of the figure must
    leave room for the legend.
    """
    at_foot = room is not None
    room, middle = (room, 0.5) if room is not None else room_below(ax)
    texts, n_columns = legend_rows([text for _, text in entries], room)
    handles = [Line2D([], [], linestyle="", markersize=7, **options) for options, _ in entries]
    move = ScaledTranslation(0, -below / 72, ax.figure.dpi_scale_trans)
    figure: Any = ax.figure
    across = blended_transform_factory(figure.transSubfigure, ax.transAxes + move)
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (middle, 0.0), "bbox_transform": across}
    if at_foot:
        move = ScaledTranslation(0, _FOOT / 72, ax.figure.dpi_scale_trans)
        place = {**place, "loc": "lower center", "bbox_transform": figure.transFigure + move}
    # Texts are written afterwards: matplotlib takes some, such as those that begin with "_", for its own.
    legend = ax.legend(
        handles,
        [str(i) for i in range(len(texts))],
        ncols=n_columns,
        **place,
        fontsize=SMALLEST_TEXT,
        frameon=False,
        borderaxespad=0.0,
        borderpad=0.0,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=_BETWEEN / SMALLEST_TEXT,
        labelspacing=0.35,
        title=title or None,
        title_fontsize=SMALLEST_TEXT,
    )
    legend.get_title().set(**AS_IT_IS)
    legend.set_in_layout(not at_foot)
    for text, shown in zip(legend.get_texts(), texts, strict=True):
        text.set(text=shown, **AS_IT_IS)
    return legend


def height_of_legend(texts: Sequence[str], room: float, title: str = "") -> float:
    """The points that a legend of these texts takes."""
    n_columns = legend_rows(texts, room)[1]
    return (math.ceil(len(texts) / n_columns) + bool(title)) * SMALLEST_TEXT * 1.45 + _FOOT + 4
