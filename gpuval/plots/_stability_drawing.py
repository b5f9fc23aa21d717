"""How the stability of settings is drawn: dots of clusters and of pairs of runs, curves of pairs, and samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.display.colors import AGREE, CATEGORIES, LINES
from gpuval.display.digits import score_text
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    lay_out,
    name_axes,
    name_on_plot,
    points_along,
    size_of_text,
    width_of_figure,
)
from gpuval.plots._below import height_below, height_of_legend, name_places, write_legend
from gpuval.plots._canvas import Box, fold, ground, grow_to, ink, is_dark_page, mix, settle, write_near
from gpuval.plots._embedding_parts import Groups, Panel, draw_panels
from gpuval.plots._label_scores_drawing import FEW_SAMPLES
from gpuval.results.settings import DISSOLVED, RECOVERED

STABLE, UNSURE, UNSTABLE = LINES[0], LINES[1], LINES[3]

_TALL = 265.0
"""The points of the height of axes."""
_LARGEST, _SMALLEST, _OF_PAIRS = 15.0, 3.5, 3.6
"""Diameters of dots in points: of the largest and of the smallest cluster, and of a pair of runs."""
_WIDEST_SPREAD = 0.42
"""Of a step from one setting to the next: how far its dots are to each side of it."""
_MOST_STACKED = 150
"""The dots of a setting that are put beside each other; more are strewn."""
_MOST_NAMES = 40


class Dots(NamedTuple):
    """The dots of one setting."""

    values: NDArray
    sizes: NDArray | None = None
    names: Sequence[str] = ()
    mean: float = math.nan
    low: float = math.nan
    high: float = math.nan
    expected: float = math.nan


class Level(NamedTuple):
    """A horizontal line and what it is."""

    at: float
    text: str


def draw_dots(
    ticks: Sequence[Any],
    dots: Sequence[Dots],
    levels: Sequence[Level],
    axis_names: tuple[str, str],
    given: Any,
    width: float | None,
) -> Axes:
    """Draw the dots of each setting beside each other, where they would be over each other.

    Those with names are coloured by the levels of dissolved and recovered clusters; others have their mean.
    """
    n = len(ticks)
    ax = axes_to_draw_on(given, width_of_figure(given, width, max(0.7 * n + 1.9, 5.0)), (_TALL + 60) / 72)
    ax.set_xlim(-0.5, n - 0.5)
    values = np.concatenate([[x.expected, x.low, x.high, *x.values] for x in dots])
    values = values[np.isfinite(values)]
    low = 0.0 if levels or not len(values) else min(float(values.min()), 0.0)
    high = 1.0 if levels or not len(values) else max(float(values.max()), 1.0)
    ax.set_ylim(low - 0.04 * (high - low), high + 0.05 * (high - low))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(False)
    ax.grid(axis="y", color=ink(0.12), linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", labelsize=max(SMALLEST_TEXT, 9.0))
    _name_axes(ax, *axis_names)
    for level in levels:
        ax.axhline(level.at, color=ink(0.6), linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        _write_beside(ax, level.at, level.text)
    if any(not math.isnan(x.expected) for x in dots):
        at = next(x.expected for x in reversed(dots) if not math.isnan(x.expected))
        _write_beside(ax, at, "by chance")
    name_places(ax, list(range(n)), ticks)
    settle(ax)
    largest = max((float(x.sizes.max(initial=0)) for x in dots if x.sizes is not None), default=1.0)
    shown = [_Drawn.of(ax, place, x, largest) for place, x in enumerate(dots)]
    for x in shown:
        x.draw(ax)
    _write_names(ax, shown)
    return ax


def _name_axes(ax: Axes, across: str, up: str) -> None:
    """Say what is along each axis, in several lines if there is little room."""
    size = size_of_text("axes.labelsize")
    name_axes(ax, "\n".join(fold(across, size, 0.95 * points_along(ax, "x"))), up)


def _write_beside(ax: Axes, at: float, text: str) -> None:
    style: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False, "color": ink(0.65)}
    right = ax.get_xlim()[1]
    ax.annotate(text, (right, at), (5, 0), ha="left", va="center", fontsize=SMALLEST_TEXT, **style, **AS_IT_IS)


class _Drawn(NamedTuple):
    """Dots with their places."""

    place: int
    dots: Dots
    at: NDArray
    """Along x."""
    diameters: NDArray

    @classmethod
    def of(cls, ax: Axes, place: int, dots: Dots, largest: float) -> _Drawn:
        """Find places so that no dot is over another, if there is room."""
        tall, wide = points_along(ax, "y"), points_along(ax, "x")
        low, high = ax.get_ylim()
        step = wide / (ax.get_xlim()[1] - ax.get_xlim()[0])
        if dots.sizes is None:
            diameters = np.full(len(dots.values), _OF_PAIRS)
        else:
            biggest = min(_LARGEST, 0.5 * step)
            diameters = np.maximum(biggest * np.sqrt(dots.sizes / max(largest, 1.0)), _SMALLEST)
        heights = tall * (dots.values - low) / (high - low)
        shifts = _shifts(np.nan_to_num(heights), diameters, _WIDEST_SPREAD * step)
        return cls(place, dots, place + shifts / step, diameters)

    def draw(self, ax: Axes) -> None:
        """Draw them."""
        dots = self.dots
        known = np.isfinite(dots.values)
        if dots.sizes is None:
            style: dict[str, Any] = {"c": CATEGORIES[5] if is_dark_page() else LINES[0], "alpha": 0.5, "linewidths": 0}
            ax.scatter(self.at[known], dots.values[known], s=self.diameters[known] ** 2, zorder=2, **style)
            self._draw_mean(ax)
            return
        colors = np.asarray([_color(x) for x in dots.values])
        faces = np.where(dots.sizes < FEW_SAMPLES, ground(), colors)
        style = {"c": faces[known], "edgecolors": colors[known], "linewidths": 1.0, "zorder": 3}
        ax.scatter(self.at[known], dots.values[known], s=self.diameters[known] ** 2, **style)

    def _draw_mean(self, ax: Axes) -> None:
        dots, half = self.dots, 0.3
        if math.isfinite(dots.expected):
            ends = [self.place - half, self.place + half]
            ax.plot(ends, [dots.expected] * 2, color=ink(0.6), linewidth=1.2, linestyle=(0, (2, 2)), zorder=1)
        if not math.isfinite(dots.mean):
            return
        style: dict[str, Any] = {"color": ink(), "zorder": 4}
        ax.plot([self.place - half, self.place + half], [dots.mean] * 2, linewidth=1.8, **style)
        if math.isfinite(dots.low):
            ax.plot([self.place] * 2, [dots.low, dots.high], linewidth=1.4, **style)


def _color(jaccard: float) -> str:
    return STABLE if jaccard > RECOVERED else UNSURE if jaccard > DISSOLVED else UNSTABLE


def _shifts(heights: NDArray, diameters: NDArray, widest: float) -> NDArray:
    """How far dots at these heights go to a side, so that none is over one that is placed before; in points."""
    if len(heights) > _MOST_STACKED:
        return np.random.default_rng(0).uniform(-widest, widest, len(heights))
    shifts = np.zeros(len(heights))
    placed: list[int] = []
    tries = [sign * k for k in np.arange(0.0, widest, 1.0).tolist() for sign in (1.0, -1.0)]
    for i in np.argsort(-diameters, kind="stable").tolist():
        others = np.asarray(placed, dtype=int)
        least = (diameters[others] + diameters[i]) / 2 + 0.6
        up = heights[others] - heights[i]
        is_free = (bool((np.hypot(shifts[others] - x, up) >= least).all()) for x in tries)
        shifts[i] = next((x for x, free in zip(tries, is_free, strict=True) if free), 0.0)
        placed.append(i)
    return shifts


def _write_names(ax: Axes, shown: Sequence[_Drawn]) -> None:
    """Write the names of the clusters that are not recovered, those that dissolve first, where there is room."""
    wide, tall = points_along(ax, "x"), points_along(ax, "y")
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    named, taken = [], []
    for x in shown:
        for i, name in enumerate(x.dots.names):
            value, half = float(x.dots.values[i]), float(x.diameters[i]) / 2
            if not math.isfinite(value):
                continue
            at = wide * (x.at[i] - left) / (right - left), tall * (value - low) / (high - low)
            taken.append(Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half))
            if value <= RECOVERED:
                named.append((value, name, (float(x.at[i]), value), at, half))
    for _, name, point, at, half in sorted(named)[:_MOST_NAMES]:
        own = Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half)
        others = [box for box in taken if not box.is_within(own)]
        n_before = len(others)
        write_near(ax, name_on_plot(name, 14), point, at, others, nearest=half + 1.5, color=ink(0.8), zorder=5)
        taken += others[n_before:]


# How often pairs of samples are together.


class Curve(NamedTuple):
    """The shares of runs in which pairs are together, and the share of pairs that have at most this."""

    name: str
    frequencies: NDArray
    shares: NDArray
    ambiguous: float


def draw_curves(
    curves: Sequence[Curve], band: tuple[float, float], axis_name: str, given: Any, width: float | None
) -> Axes:
    """Draw a step for each frequency, and what is ambiguous as a band."""
    is_own = given is None
    across = width_of_figure(given, width, 5.6)
    entries: list[tuple[dict[str, Any], str]] = [
        ({"marker": "s", "color": color}, f"{curve.name}  PAC {score_text(curve.ambiguous, 3)}")
        for curve, color in zip(curves, LINES, strict=False)
    ]
    below = height_of_legend([text for _, text in entries], 72 * across - 18)
    ax = axes_to_draw_on(given, across, (_TALL + 50 + below) / 72)
    least = min((float(x.shares[x.frequencies <= band[0]].max(initial=0.0)) for x in curves), default=0.0)
    margin = 0.12 * (1 - least) or 0.1
    ax.set(xlim=(-0.02, 1.02), ylim=(max(least - margin, -0.02), 1 + margin / 4))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(False)
    ax.tick_params(labelsize=max(SMALLEST_TEXT, 9.0))
    ax.axvspan(*band, color=ink(0.08), linewidth=0, zorder=0)
    style: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": SMALLEST_TEXT, "color": ink(0.65), **AS_IT_IS}
    style["transform"] = ax.get_xaxis_transform()
    ax.text(sum(band) / 2, 0.015, "ambiguous: neither together nor apart", **style)
    for curve, color in zip(curves, LINES, strict=False):
        at = np.concatenate([[-0.02], curve.frequencies, [1.02]])
        shares = np.concatenate([[0.0], curve.shares, [1.0]])
        ax.step(at, shares, where="post", color=color, linewidth=1.8, zorder=3, label=curve.name)
    _name_axes(ax, axis_name, "share of pairs with at most this")
    if is_own:
        lay_out(ax)
    if entries:
        write_legend(ax, entries, height_below(ax) + 5)
    if is_own:
        grow_to(ax, _TALL)
    return ax


# Samples in the plane.

_LEVELS = 10


def draw_samples(
    coordinates: NDArray,
    consistency: NDArray,
    title: str,
    axis_names: tuple[str, str],
    given: Any,
    width: float | None,
) -> Axes:
    """Draw samples in grey that are as consistent as can be, and in colour the less they are."""
    levels = np.clip(np.ceil(consistency * _LEVELS - 1e-9), 1, _LEVELS).astype(int) - 1
    grey = mix(ground(), AGREE, 0.45) if is_dark_page() else AGREE
    colors = [mix(UNSTABLE, grey, level / (_LEVELS - 1)) for level in range(_LEVELS)]
    counts = np.bincount(levels, minlength=_LEVELS).tolist()
    legend = [
        (colors[i], f"{i / _LEVELS:.1f}–{(i + 1) / _LEVELS:.1f}", counts[i])
        for i in reversed(range(_LEVELS))
        if counts[i]
    ]
    panel = Panel(title, Groups(levels, colors, [""] * _LEVELS), coordinates=coordinates)
    return draw_panels([panel], legend, axis_names, given, width, has_units=False)[0]
