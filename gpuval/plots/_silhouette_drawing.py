"""The drawing of silhouettes: a band for each cluster, and columns of numbers beside the bands."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.display.colors import WARNING, WARNING_ON_DARK, edge_of
from gpuval.display.digits import MINUS
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    NARROW,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    is_dark,
    line_height,
    name_axes,
    names_within,
    others_text,
    points_of_height,
    room_on,
    share_on_plot,
    short_score,
    size_of_text,
    texts_that_fit,
    thin_out_ticks,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._margins import FAINT, beyond, write_column, write_heads

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection, PolyCollection

_MOST_POINTS = 300
"""Of the outline of a cluster."""
_MANY_BELOW = 0.4
"""The share of samples below 0 that is marked."""
_GAP = 2.5
"""Between two bands, in points."""


class Band(NamedTuple):
    """What is drawn of one cluster, or of some others together."""

    cluster: Any
    values: NDArray
    """The silhouettes, the largest first."""
    color: str
    n_others: int = 0
    """How many clusters are together; 0 for a single one."""


class SilhouetteDrawing:
    """One drawing of bands; the vertical axis is in points."""

    def __init__(self, bands: list[Band], mean: float, unit: str) -> None:
        self.bands, self.mean, self.unit = bands, mean, unit
        self.numbers = np.asarray([len(band.values) for band in bands], dtype=float)

    def draw(self, given: Any, width: float | None) -> Axes:
        is_own = given is None
        inches = width_of_figure(given, width, 7.0)
        room, tall = (72 * inches - 16, 0.0) if is_own else room_on(given)
        self.is_narrow = room < NARROW
        self.size = SMALLEST_TEXT if self.is_narrow else max(SMALLEST_TEXT, min(9.5, size_of_text("ytick.labelsize")))
        texts = self._texts(room)
        outside = 5.2 * line_height(self.size)
        ax: Axes = given
        if is_own:
            heights = self._heights(max(170.0, 16.0 * len(self.bands)))
            ax = axes_to_draw_on(None, inches, (heights.sum() + _GAP * len(heights) + outside) / 72)
            heights = self._heights(points_of_height(ax) - outside - _GAP * len(heights))
        else:
            heights = self._heights(max(tall - outside - _GAP * len(self.bands), 20.0))
        tops = np.cumsum(heights + _GAP) - heights
        ax.set(xlim=self._limits(), ylim=(float(tops[-1] + heights[-1] + _GAP), 0.0))
        ax.grid(False)
        self._draw_bands(ax, tops, heights)
        self._draw_mean(ax)
        self._write(ax, texts, tops + heights / 2, heights)
        return ax

    def _heights(self, whole: float) -> NDArray:
        """The heights of the bands: proportional to numbers of samples, but at least that of a line of text.

        If there is no room for that many lines, all are proportional.
        """
        least = 1.04 * line_height(self.size)
        heights: NDArray = whole * self.numbers / self.numbers.sum()
        while least * len(heights) < whole and heights.min() < least * (1 - 1e-9):
            is_small = heights <= least
            scale = (whole - least * is_small.sum()) / self.numbers[~is_small].sum()
            heights = np.where(is_small, least, self.numbers * scale)
        return heights

    def _limits(self) -> tuple[float, float]:
        low = min(float(band.values[-1]) for band in self.bands)
        high = max(float(band.values[0]) for band in self.bands)
        low, high = min(low - 0.02, 0.0), max(high, 0.0)
        return low, high

    # Bands

    def _draw_bands(self, ax: Axes, tops: NDArray, heights: NDArray) -> None:
        places = list(zip(self.bands, tops.tolist(), heights.tolist(), strict=True))
        outlines = [_outline(band.values, top, height) for band, top, height in places]
        colors = [band.color for band in self.bands]
        edges = [edge_of(color, is_dark(ax)) for color in colors]
        bands = PolyCollection(outlines, facecolors=colors, edgecolors=edges, linewidths=0.5, clip_on=False)
        ax.add_collection(bands, autolim=False)
        means = [[(band.values.mean(), top), (band.values.mean(), top + height)] for band, top, height in places]
        ax.add_collection(LineCollection(means, colors=rcParams["text.color"], linewidths=1.4), autolim=False)
        ax.axvline(0.0, color=rcParams["axes.edgecolor"], linewidth=0.8)

    def _draw_mean(self, ax: Axes) -> None:
        ax.axvline(self.mean, color=rcParams["text.color"], linewidth=1.0, linestyle="--")
        low, high = ax.get_xlim()
        text = "mean " + short_score(self.mean).replace("-", MINUS)
        half = width_in_points([text], self.size) / 2 * (high - low) / max(self.across, 40.0)
        align = "right" if self.mean + half > high else "left" if self.mean - half < low else "center"
        style: dict[str, Any] = {"ha": align, "va": "bottom", "fontsize": self.size}
        draw_text(ax, self.mean, self.head, text, transform=beyond(ax, "top"), **style)

    # Columns

    def _texts(self, room: float) -> list[list[str]]:
        """The columns: names and numbers of samples at the left, means and shares below 0 at the right."""
        clusters = [band.cluster for band in self.bands if not band.n_others]
        names = names_within(clusters, 1.06 * self.size, 0.26 * room)
        names += [others_text(band.n_others) for band in self.bands if band.n_others]
        columns = [
            names,
            [f"{len(band.values):,}" for band in self.bands],
            [_number(float(band.values.mean())) for band in self.bands],
            [share_on_plot(x) for x in self._shares_below()],
        ]
        self.heads = ["cluster", "n", "mean", "< 0"] if self.is_narrow else ["cluster", self.unit, "mean", "below 0"]
        widths = [
            max(width_in_points(texts, self.size, bold=i in (0, 3)), width_in_points([head], self.size))
            for i, (head, texts) in enumerate(zip(self.heads, columns, strict=True))
        ]
        self.lefts = [-widths[1] - 14, -6.0]
        self.rights = [6.0 + widths[2], 14.0 + widths[2] + widths[3]]
        self.across = room - widths[0] - widths[1] - 22 - self.rights[1]
        self.head = 4.0
        if width_in_points(["mean 0.00"], self.size) > self.across - 10:
            self.head = 4.0 + line_height(self.size)
        return columns

    def _shares_below(self) -> list[float]:
        return [float((band.values < 0).mean()) for band in self.bands]

    def _write(self, ax: Axes, columns: list[list[str]], centres: NDArray, heights: NDArray) -> None:
        shown = texts_that_fit(centres.tolist(), heights.tolist(), 0.98 * line_height(self.size))
        places = [float(centres[i]) for i in shown]
        names, sizes, means, shares = ([column[i] for i in shown] for column in columns)
        style: dict[str, Any] = {"fontsize": self.size}
        ax.set_yticks(places, labels=names, fontweight="bold", va="center", **style, **AS_IT_IS)
        ax.tick_params(axis="y", length=0, pad=-self.lefts[0] - 2)
        ax.tick_params(axis="x", labelsize=self.size)
        thin_out_ticks(ax, self.across)
        write_column(ax, "left", self.lefts[1], places, sizes, ha="right", va="center", alpha=FAINT, **style)
        write_column(ax, "right", self.rights[0], places, means, ha="right", va="center", **style)
        below = self._shares_below()
        for place, text, i in zip(places, shares, shown, strict=True):
            marked: dict[str, Any] = {"alpha": FAINT}
            if below[i] >= _MANY_BELOW:
                marked = {"color": WARNING_ON_DARK if is_dark(ax) else WARNING, "fontweight": "bold"}
            write_column(ax, "right", self.rights[1], [place], [text], ha="right", va="center", **marked, **style)
        write_heads(ax, "left", [(self.lefts[0] - 2, self.heads[0], "right")], self.size)
        write_heads(ax, "left", [(self.lefts[1], self.heads[1], "right")], self.size)
        heads = [(at, head, "right") for at, head in zip(self.rights, self.heads[2:], strict=True)]
        write_heads(ax, "right", heads, self.size)
        ax.spines[["top", "right", "left"]].set_visible(False)
        name_axes(ax, "silhouette", "")


def _number(score: float) -> str:
    """A score with its sign."""
    text = short_score(score).replace("-", MINUS)
    return text if text.startswith(MINUS) or not text.strip("0.") else f"+{text}"


def _outline(values: NDArray, top: float, height: float) -> NDArray:
    """The outline of sorted values from above to below: bars of one height, or a line through quantiles of many."""
    n = len(values)
    if n <= _MOST_POINTS // 2:
        x, y = np.repeat(values, 2), np.repeat(np.arange(n + 1.0), 2)[1:-1]
    else:
        y = np.linspace(0.0, n, _MOST_POINTS)
        x = np.interp(y, np.arange(n) + 0.5, values)
    y = top + y * height / n
    return np.column_stack([np.concatenate([[0.0], x, [0.0]]), np.concatenate([y[:1], y, y[-1:]])])
