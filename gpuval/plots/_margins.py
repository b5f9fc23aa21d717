"""What stands beside the axes, at distances in points: columns of text, small bars, leaders, notes above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from gpuval.display.colors import edge_of
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes, draw_text, is_dark, line_height, width_in_points

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Affine2D, ScaledTranslation, Transform, blended_transform_factory

Side = Literal["left", "right", "top", "bottom"]

_LONGEST_LINE = 68
"""Letters of a line."""

FAINT = 0.72
"""The opacity of text that comes second: it has the colour of other text on any ground."""


def points_from(ax: Axes, x: float, y: float) -> Transform:
    """Points to the right and up from a place within the axes: (0, 0) is their lower left corner, (1, 1) the other."""
    figure: Any = ax.figure
    corner: Any = ax.transAxes
    found: Transform = Affine2D().scale(1 / 72) + figure.dpi_scale_trans + ScaledTranslation(x, y, corner)
    return found


def beyond(ax: Axes, side: Side) -> Transform:
    """The data along a side of the axes, and across it points to the right or up."""
    if side in ("top", "bottom"):
        return blended_transform_factory(ax.transData, points_from(ax, 0.0, float(side == "top")))
    return blended_transform_factory(points_from(ax, float(side == "right"), 0.0), ax.transData)


def axes_beyond(ax: Axes, side: Side, gap: float, size: float) -> Axes:
    """Axes without a frame beside a side of others, as long as that, at a distance and of a size in points."""
    if side in ("top", "bottom"):
        bounds = (0.0, gap if side == "top" else -gap - size, 1.0, size)
        along = blended_transform_factory(ax.transAxes, points_from(ax, 0.0, float(side == "top")))
    else:
        bounds = (gap if side == "right" else -gap - size, 0.0, size, 1.0)
        along = blended_transform_factory(points_from(ax, float(side == "right"), 0.0), ax.transAxes)
    found = ax.inset_axes(bounds, transform=along)
    found.axis("off")
    return found


def draw_bars(ax: Axes, side: Side, sizes: Sequence[float], colors: Sequence[str], gap: float, length: float) -> None:
    """Draw a bar for each place along a side of the axes, the longest of this length in points."""
    beside = axes_beyond(ax, side, gap, length)
    most = max(sizes) or 1.0
    edges = [edge_of(color, is_dark(ax)) for color in colors]
    style: dict[str, Any] = {"color": list(colors), "edgecolor": edges, "linewidth": 0.6}
    if side == "top":
        beside.bar(range(len(sizes)), sizes, width=0.8, **style)
        beside.set(xlim=ax.get_xlim(), ylim=(0, most))
    else:
        beside.barh(range(len(sizes)), sizes, height=0.74, **style)
        beside.set(ylim=ax.get_ylim(), xlim=(0, most))


def write_column(
    ax: Axes, side: Side, at: float, places: Sequence[float], texts: Sequence[str], **options: Any
) -> list[Any]:
    """Write texts at places along the left or right side, at a distance in points; it is negative to the left."""
    across = beyond(ax, side)
    style = {"va": "center_baseline", **options}
    return [
        draw_text(ax, at, place, text, transform=across, **style)
        for place, text in zip(places, texts, strict=True)
        if text
    ]


def write_heads(ax: Axes, side: Side, heads: Sequence[tuple[float, str, str]], size: float) -> None:
    """Write what columns are above them: each at a distance in points from the side, aligned as "left" or "right"."""
    above = points_from(ax, float(side == "right"), 1.0)
    for at, text, align in heads:
        draw_text(ax, at, 4.0, text, transform=above, ha=align, va="bottom", fontsize=size, alpha=FAINT)


def draw_leaders(ax: Axes, side: Side, near: float, far: float, ends: Sequence[tuple[float, float]]) -> None:
    """Draw a thin line for each pair of places along a side, between two distances in points."""
    across = beyond(ax, side)
    bend = near + (far - near) * 0.3
    lines = [[(near, start), (bend, start), (far - (far - near) * 0.15, end), (far, end)] for start, end in ends]
    style: dict[str, Any] = {"colors": rcParams["text.color"], "linewidths": 0.5, "alpha": 0.55, "clip_on": False}
    ax.add_collection(LineCollection(lines, transform=across, **style), autolim=False)


def move_apart(centres: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Places as near as possible to centres, which rise, so that no two are nearer than a distance.

    They are within ``low`` and ``high`` if there is room; the sum of the squares of their moves is the least.
    """
    n = len(centres)
    steps = distance * np.arange(n)
    blocks: list[list[float]] = []  # the mean and the number of places that move together
    for aim in (np.asarray(centres, dtype=float) - steps).tolist():
        blocks.append([aim, 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, number = blocks.pop()
            before = blocks[-1]
            before[0] = (before[0] * before[1] + mean * number) / (before[1] + number)
            before[1] += number
    found: NDArray = np.repeat([x for x, _ in blocks], [int(k) for _, k in blocks])
    places: list[float] = (np.clip(found, low, max(high - distance * (n - 1), low)) + steps).tolist()
    return places


def wrap_to(text: str, size: float, room: float) -> list[str]:
    """A sentence in lines that are no wider than so many points, and no longer than is easily read."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else ""
        if lines and len(longer) <= _LONGEST_LINE and width_in_points([longer], size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def write_lines(ax: Axes, lines: Sequence[str], left: float, bottom: float, size: float) -> None:
    """Write lines above the axes, so many points to the right of their left side and above them."""
    above = points_from(ax, 0.0, 1.0)
    for i, line in enumerate(reversed(lines)):
        if not line:
            continue
        y = bottom + i * line_height(size)
        draw_text(ax, left, y, line, transform=above, va="bottom", fontsize=size, alpha=FAINT)


def write_key(ax: Axes, text: str, color: str, left: float, bottom: float, size: float) -> None:
    """Write what a colour stands for above the axes, behind a square of this colour."""
    above = points_from(ax, 0.0, 1.0)
    ax.add_artist(Rectangle((left, bottom + 0.3 * size), 7.0, 7.0, transform=above, color=color, clip_on=False))
    draw_text(ax, left + 11, bottom, text, transform=above, va="bottom", fontsize=size, alpha=FAINT)
