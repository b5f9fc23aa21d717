"""How samples in the plane are drawn: as points, or as the pixels of a grid; and where the names of groups stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.display.colors import AGREE, OTHERS, edge_of
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    lay_out,
    name_on_plot,
    points_along,
    width_of_figure,
)
from gpuval.plots._below import height_of_legend, write_legend
from gpuval.plots._canvas import Box, figure_of_panels, fold, ground, ink, is_dark_page, mix, size_in_points

with require_extra("gpuval.plots", "plots"):
    from matplotlib.colors import to_rgb
    from matplotlib.patheffects import withStroke

_RASTER_FROM, _GRID_FROM = 2_000, 200_000
"""From so many samples on, points are one raster within vector graphics, and a grid takes their place."""
_GRID = 700
_LEVELS = 8
"""Of the opacity and of the mixtures of pixels, so that pictures are small."""
_LEAST_OPACITY = 0.4
_AREA, _LEAST_AREA, _MOST_AREA = 120_000.0, 1.0, 30.0
"""Of the points: that of all together, and the ends of that of one."""
_WIDTH, _NARROW = 12.0, 6.5
"""The width of a figure in inches, and that below which panels are below each other."""
_TITLE = 9.5
_MARGIN = 0.04
"""Of the extent of the samples, on each side."""


class Groups(NamedTuple):
    """Groups of samples: the group of each sample, and the colours and the names of groups."""

    codes: NDArray
    colors: Sequence[str]
    names: Sequence[str]


class Panel(NamedTuple):
    """What one panel shows; with ``is_off`` only some samples have the colours of their groups."""

    title: str
    points: Groups
    is_off: NDArray | None = None
    coordinates: Any = None


def draw_panels(
    panels: Sequence[Panel],
    classes: Sequence[tuple[str, str, int]],
    axis_names: tuple[str, str],
    given: Any,
    width: float | None,
    *,
    has_units: bool,
) -> list[Axes]:
    """Draw the panels on axes, or on those of a new figure, and a legend below.

    With ``has_units`` each axis has a scale of its own, with numbers.
    """
    xy = panels[0].coordinates
    low, high = xy.min(axis=0), xy.max(axis=0)
    margin = np.maximum(_MARGIN * (high - low), 1e-9 + 1e-6 * np.abs(high))
    low, high = low - margin, high + margin
    ratio = 1.0 if has_units else float(np.clip((high[1] - low[1]) / (high[0] - low[0]), 0.5, 1.3))
    entries = _entries(classes)
    is_own = given is None
    if is_own:
        wide = width_of_figure(given, width, _WIDTH if len(panels) > 1 else 5.0)
        n_columns = len(panels) if wide >= _NARROW else 1
        room = 72 * wide - 12
        below = height_of_legend([text for _, text in entries], room)
        axes = figure_of_panels(len(panels), n_columns, wide, ratio, below)
    else:
        width_of_figure(given, width, _WIDTH)  # which is not for axes of the user
        n_columns, axes = len(panels), _axes_of_panels(given, len(panels))
    for i, (ax, panel) in enumerate(zip(axes, panels, strict=True)):
        is_first = not i or not is_own or n_columns == 1
        _prepare(ax, (low, high), axis_names, is_first=is_first, has_units=has_units)
        draw_points(ax, panel)
    if is_own:
        lay_out(axes[0])
    for ax, panel in zip(axes, panels, strict=True):
        ax.apply_aspect()
        text = "\n".join(fold(panel.title, _TITLE, 0.97 * points_along(ax, "x"), bold=True))
        ax.set_title(text, loc="left", fontsize=_TITLE, fontweight="bold", **AS_IT_IS)
    if is_own:
        lay_out(axes[0])
        write_legend(axes[0], entries, room=room)
    else:
        middle = axes[len(axes) // 2]
        write_legend(middle, entries, 12 * has_units + (18 if any(axis_names) else 6))
    for ax, panel in zip(axes, panels, strict=True):
        if panel.is_off is None:
            write_names(ax, panel)
    return axes


def _axes_of_panels(given: Any, n_panels: int) -> list[Axes]:
    """The axes as a list."""
    axes = [given] if n_panels == 1 and not isinstance(given, list | tuple | np.ndarray) else given
    if not isinstance(axes, list | tuple | np.ndarray) or len(axes) != n_panels:
        n = len(axes) if isinstance(axes, list | tuple | np.ndarray) else type(axes).__name__
        what = "a matplotlib Axes" if n_panels == 1 else f"{n_panels} matplotlib Axes, one for each panel"
        raise TypeError(f"ax must be {what}, got {n}")
    return [axes_to_draw_on(ax, 0.0, 0.0) for ax in axes]


def _entries(classes: Sequence[tuple[str, str, int]]) -> list[tuple[dict[str, Any], str]]:
    """The signs of the legend and what they are; classes without a colour of their own are one."""
    dark = is_dark_page()
    signs = [
        ({"marker": "o", "color": color, "markeredgecolor": edge_of(color, dark)}, f"{name}  {n:,}")
        for color, name, n in classes
        if color != OTHERS
    ]
    rest = [n for color, _, n in classes if color == OTHERS]
    if rest:
        signs.append(({"marker": "o", "color": OTHERS}, f"{len(rest)} others  {sum(rest):,}"))
    return signs


def _prepare(
    ax: Axes, limits: tuple[NDArray, NDArray], axis_names: tuple[str, str], *, is_first: bool, has_units: bool
) -> None:
    """Set limits and names; there are no ticks in an embedding, whose distances have no unit."""
    (left, bottom), (right, top) = limits
    ax.grid(False)
    ax.set(xlim=(left, right), ylim=(bottom, top))
    style: dict[str, Any] = {"fontsize": SMALLEST_TEXT, "color": ink(0.7), **AS_IT_IS}
    if has_units:
        ax.spines[["top", "right"]].set_visible(False)
        ax.locator_params(nbins=5)
        ax.tick_params(labelsize=SMALLEST_TEXT, labelcolor=ink(0.7), color=ink(0.4), length=2)
        ax.tick_params(labelleft=is_first)
    else:
        ax.set(xticks=[], yticks=[])
        ax.set_aspect("equal", adjustable="box", anchor="S")  # so that what is below stays where the layout has room
        ax.spines[:].set_visible(False)
    arrow = " \N{RIGHTWARDS ARROW}"
    if axis_names[0]:
        ax.set_xlabel(name_on_plot(axis_names[0]) + arrow, loc="left", **style)
    if axis_names[1] and is_first:
        ax.set_ylabel(name_on_plot(axis_names[1]) + arrow, loc="bottom", **style)


# Groups, and pixels where they are too many.


def draw_points(ax: Axes, panel: Panel) -> None:
    """Draw the samples in the colours of their groups, in a random order that is the same each time."""
    xy, (codes, colors, _) = panel.coordinates, panel.points
    n = len(xy)
    if n >= _GRID_FROM:
        draw_pixels(ax, panel)
        return
    area = min(max(_AREA / n, _LEAST_AREA), _MOST_AREA)
    order = np.random.default_rng(0).permutation(n)
    style: dict[str, Any] = {"rasterized": n >= _RASTER_FROM}
    x, y = xy.T
    width = 0.3 if n < _RASTER_FROM else 0.0
    if panel.is_off is not None:
        agree = order[~panel.is_off[order]]
        ax.scatter(x[agree], y[agree], s=0.6 * area, c=_grey(), linewidths=0, zorder=1, **style)
        order, width = order[panel.is_off[order]], 0.5 if n < _RASTER_FROM else 0.25
    faces = np.array([to_rgb(x) for x in colors])[codes[order]]
    edges: Any = np.array([to_rgb(edge_of(x, is_dark_page())) for x in colors])[codes[order]]
    if panel.is_off is not None:
        edges = ink()
    ax.scatter(x[order], y[order], s=area, c=faces, linewidths=width, edgecolors=edges, zorder=2, **style)


def _grey() -> str:
    """The colour of samples that are as expected."""
    return mix(ground(), AGREE, 0.45) if is_dark_page() else AGREE


def draw_pixels(ax: Axes, panel: Panel) -> None:
    """Draw pixels: the colour is that of most of their samples, the opacity goes by the logarithm of their number.

    Where only some samples have colours, a pixel in which half of them have is all in colour, and others are mixtures.
    """
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    xy, codes = panel.coordinates, panel.points.codes
    column = np.minimum((xy[:, 0] - left) * (_GRID / (right - left)), _GRID - 1).astype(np.int64)
    row = np.minimum((xy[:, 1] - bottom) * (_GRID / (top - bottom)), _GRID - 1).astype(np.int64)
    pixels = row * _GRID + column
    counts = np.bincount(pixels, minlength=_GRID**2)
    picture = np.zeros((_GRID**2, 4), dtype=np.uint8)
    shown = counts > 0
    if panel.is_off is None:
        picture[:, :3] = _rgb(panel.points.colors)[majorities(pixels, codes, len(panel.points.colors))]
    else:
        off = panel.is_off
        n_off = np.bincount(pixels[off], minlength=_GRID**2)
        main = majorities(pixels[off], codes[off], len(panel.points.colors))
        share = np.ceil(_LEVELS * np.minimum(2.0 * n_off / np.maximum(counts, 1), 1.0)) / _LEVELS
        grey = _rgb([_grey()])[0]
        mixed = grey + share[:, None] * (_rgb(panel.points.colors)[main].astype(float) - grey)
        picture[:, :3] = np.round(mixed)
    level = np.log1p(counts) / np.log1p(counts.max())
    picture[:, 3] = np.where(
        shown, 255 * (_LEAST_OPACITY + (1 - _LEAST_OPACITY) * np.ceil(_LEVELS * level) / _LEVELS), 0
    )
    picture[~shown] = 0
    ax.imshow(
        picture.reshape(_GRID, _GRID, 4),
        extent=(left, right, bottom, top),
        origin="lower",
        interpolation="none",
        zorder=1,
    )


def majorities(pixels: NDArray, codes: NDArray, n_groups: int) -> NDArray:
    """The group that most samples of each pixel belong to; 0 where there are none."""
    keys, counts = np.unique(pixels * n_groups + codes, return_counts=True)
    main = np.zeros(_GRID**2, dtype=np.int64)
    order = np.argsort(counts, kind="stable")  # so that the largest one is written last
    main[keys[order] // n_groups] = keys[order] % n_groups
    return main


def _rgb(colors: Sequence[str]) -> NDArray:
    return np.array([[round(255 * x) for x in to_rgb(color)] for color in colors], dtype=np.uint8)


# Names of groups.


def write_names(ax: Axes, panel: Panel) -> None:
    """Write the names of groups where these are densest, the largest ones first; those that would cover one are not."""
    codes, _, names = panel.points
    ax.apply_aspect()
    wide, tall = points_along(ax, "x"), points_along(ax, "y")
    whole = Box(0.0, 0.0, wide, tall)
    taken: list[Box] = []
    places = densest(panel.coordinates, codes, len(names))
    to_axes = ax.transData + ax.transAxes.inverted()
    halo = [withStroke(linewidth=2.4, foreground=ground())]
    for group in np.argsort(-np.bincount(codes, minlength=len(names)), kind="stable").tolist():
        if np.isnan(places[group, 0]):
            continue
        width, height = size_in_points(names[group], SMALLEST_TEXT, bold=True)
        x, y = to_axes.transform(places[group]) * (wide, tall)
        x = min(max(x, width / 2), max(wide - width / 2, width / 2))
        y = min(max(y, height / 2), max(tall - height / 2, height / 2))
        box = Box(x - width / 2 - 1, y - height / 2, x + width / 2 + 1, y + height / 2)
        if any(map(box.covers, taken)) or width > whole.right:
            continue
        taken.append(box)
        style: dict[str, Any] = {"fontsize": SMALLEST_TEXT, "fontweight": "bold", "path_effects": halo, "zorder": 5}
        draw_text(ax, x / wide, y / tall, names[group], ha="center", va="center", transform=ax.transAxes, **style)


def densest(xy: NDArray, codes: NDArray, n_groups: int) -> NDArray:
    """A place for each group: the mean of its samples in the square with most of them; NaN for an empty one.

    Not the median of all: that may lie between two islands.
    """
    low, high = xy.min(axis=0), xy.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    sizes = np.bincount(codes, minlength=n_groups)
    order = np.argsort(codes, kind="stable")
    places = np.full((n_groups, 2), np.nan)
    for group, of_group in enumerate(np.split(order, np.cumsum(sizes)[:-1])):
        if not len(of_group):
            continue
        n_squares = int(np.clip(np.sqrt(len(of_group)), 3, 40))
        square = np.minimum(((xy[of_group] - low) / span * n_squares).astype(int), n_squares - 1)
        counts = np.zeros((n_squares + 2, n_squares + 2))
        np.add.at(counts[1:-1, 1:-1], (square[:, 0], square[:, 1]), 1)
        about = sum(
            counts[1 + a : n_squares + 1 + a, 1 + b : n_squares + 1 + b] for a in (-1, 0, 1) for b in (-1, 0, 1)
        )
        best = np.unravel_index(int(np.argmax(np.asarray(about) + counts[1:-1, 1:-1])), (n_squares, n_squares))
        is_near = (np.abs(square - best) <= 1).all(axis=1)
        places[group] = xy[of_group][is_near].mean(axis=0)
    return places
