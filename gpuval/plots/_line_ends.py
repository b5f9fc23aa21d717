"""Names at the right ends of lines: as short as they must be, moved apart, and joined with the ends they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.plots._axes import AS_IT_IS, SMALLEST_TEXT, Axes, names_within, points_along, width_in_points
from gpuval.plots._canvas import ground, mix
from gpuval.plots._margins import move_apart

AWAY = 7.0
"""The points from the last score to the names."""
_LINE_HEIGHT = 11.0
_LEADER = 6.0
"""The points that a name is moved at least to have a line to its end."""
_LEADER_STYLE: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.8, "shrinkA": 0, "shrinkB": 5}


class LineEnd(NamedTuple):
    """The name of a line, and where it ends."""

    name: str
    color: str
    x: float
    y: float
    is_bold: bool


def write_ends(ax: Axes, ends: Sequence[LineEnd], short: Mapping[str, str]) -> list[Any]:
    """Write the names to the right of the axes, each at the height of its end at first.

    Names that take too much room are replaced by their ``short`` ones, if they have such.
    """
    room = 0.3 * points_along(ax, "x")
    texts = [end.name for end in ends]
    if width_in_points(texts, SMALLEST_TEXT) > room:
        texts = names_within([short.get(name) or name for name in texts], SMALLEST_TEXT, room)
    right = ax.get_xlim()[1]
    return [
        ax.annotate(
            text, (right, end.y), (AWAY, 0), textcoords="offset points", ha="left", va="center", color=end.color,
            fontsize=SMALLEST_TEXT, fontweight="bold" if end.is_bold else "normal", annotation_clip=False, **AS_IT_IS,
        )
        for text, end in zip(texts, ends, strict=True)
    ]  # fmt: skip


def spread_ends(ax: Axes, ends: Sequence[LineEnd], names: Sequence[Any], floor: float) -> None:
    """Move the names apart, and join those that were moved with the ends of their lines.

    ``names`` are what was written; none goes below ``floor`` points above the lower end of the axes.
    """
    if not ends:
        return
    tall, wide = points_along(ax, "y"), points_along(ax, "x")
    low, high = ax.get_ylim()
    heights = [tall * (end.y - low) / (high - low) for end in ends]
    lowest = floor - 6 if floor else _LINE_HEIGHT / 2
    lowest += _LINE_HEIGHT * bool(floor)
    highest = tall - _LINE_HEIGHT / 2
    distance = min(_LINE_HEIGHT, max(highest - lowest, 0.0) / max(len(ends) - 1, 1))
    order = np.argsort(heights, kind="stable").tolist()
    places = move_apart([heights[i] for i in order], distance, lowest, highest)
    for i, place in zip(order, places, strict=True):
        name, end, height = names[i], ends[i], heights[i]
        name.set_position((AWAY, place - height))
        from_end = wide * share_along(ax, end.x)
        if abs(place - height) > _LEADER or wide - from_end > 2:
            ax.annotate(
                "", (end.x, end.y), (wide - from_end + AWAY - 1.5, place - height), textcoords="offset points",
                annotation_clip=False, zorder=1,
                arrowprops={**_LEADER_STYLE, "color": mix(ground(), end.color, 0.5)},
            )  # fmt: skip


def share_along(ax: Axes, x: float) -> float:
    """Where a place of the x axis is, from 0 at its left end to 1."""
    return float(ax.transAxes.inverted().transform(ax.transData.transform((x, ax.get_ylim()[0])))[0])
