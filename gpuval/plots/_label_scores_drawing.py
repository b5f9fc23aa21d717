"""The drawing of scores of labels: dots and intervals, columns of numbers beside them, and their mean."""

from __future__ import annotations

import math
from typing import Any, Literal, Protocol

import numpy as np

from gpuval.display.colors import CATEGORIES, edge_of
from gpuval.display.digits import MINUS
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    is_dark,
    line_height,
    name_axes,
    name_on_plot,
    names_within,
    points_of_height,
    room_on,
    short_score,
    size_of_text,
    thin_out_ticks,
    whole_count,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._margins import FAINT, beyond, wrap_to, write_column, write_heads

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection

FEW_SAMPLES = 20
"""Below which a label is hollow and marked."""
CAUTION = "\N{WHITE UP-POINTING TRIANGLE}"

_LARGEST_DOT, _SMALLEST_DOT = 13.0, 3.0
"""Diameters in points."""
_NARROWEST = 90.0
"""The least room for dots in points, for which the main classes are left out."""


class ScoredLabels(Protocol):
    """What is drawn, as :class:`gpuval.plots.LabelScoresDisplay` describes it."""

    labels: list[Any]
    scores: NDArray
    kind: str
    sizes: NDArray | None
    low: NDArray | None
    high: NDArray | None
    main_classes: list[Any] | None
    colors: list[str] | None
    mean: float | None
    n_more: int
    gap: int


class LabelScoresDrawing:
    """One drawing of scores."""

    def __init__(self, display: ScoredLabels, score_name: str, mean_name: str, unit: str) -> None:
        self.display, self.unit = display, unit
        self.score_name, self.mean_name = name_on_plot(score_name, 60), name_on_plot(mean_name)
        self.size = max(SMALLEST_TEXT, min(9.5, size_of_text("ytick.labelsize")))
        self.places = np.arange(len(display.labels), dtype=float)
        self.places[display.gap :] += display.n_more > 0
        self.n_rows = len(display.labels) + (display.n_more > 0)

    def draw(self, given: Any, width: float | None) -> Axes:
        is_own = given is None
        display = self.display
        inches = width_of_figure(given, width, 7.0)
        room, tall = (72 * inches - 16, 0.0) if is_own else room_on(given)
        self.names = names_within(display.labels, self.size, 0.26 * room)
        columns = self._columns(room)
        beside = columns[-1][0] + (columns[-1][3] if columns[-1][2] == "left" else 0.0)
        left = width_in_points(self.names, self.size) + 24
        self.across = room - beside - left
        label = self._label(self.across + 2 * min(left, beside))
        above, below = 2.2 * line_height(self.size), (1.6 + 1.2 * len(label)) * line_height(self.size)
        ax: Axes = given
        if is_own:
            row = min(max(15.0, 70.0 / self.n_rows), 24.0) if self.n_rows <= 40 else 13.2
            ax = axes_to_draw_on(None, inches, (row * (self.n_rows + 0.4) + above + below) / 72)
            height = points_of_height(ax) - above - below
        else:
            height = max(tall - above - below, 20.0)
        self.row = height / (self.n_rows + 0.4)
        ax.grid(False)
        ax.set(ylim=(self.n_rows - 0.3, -0.7), xlim=self._limits())
        self._draw_rows(ax)
        self._draw_mean(ax)
        self._write(ax, columns)
        name_axes(ax, "\n".join(label), f"{name_on_plot(display.kind)}")
        ax.xaxis.label.set_fontsize(self.size)
        return ax

    def _limits(self) -> tuple[float, float]:
        known = [x[np.isfinite(x)] for x in (self.display.scores, self.display.low, self.display.high) if x is not None]
        values = np.concatenate(known)
        low, high = min(float(values.min(initial=0.0)), 0.0), max(float(values.max(initial=0.0)), 0.0)
        if low >= -1.0 and high <= 1.0:
            high = 1.0
        pad = 0.02 * (high - low or 1.0) + 0.6 * _LARGEST_DOT / max(self.across, 60.0) * (high - low or 1.0)
        return low - pad, high + pad

    def _label(self, room: float) -> list[str]:
        """The name of the score, and what lines and dots are, in lines."""
        parts = ["line: its interval"] * (self.display.low is not None)
        parts += [f"area of a dot: {self.unit}"] * (self.display.sizes is not None)
        more = f" ({', '.join(parts)})" if parts else ""
        return wrap_to(f"{self.score_name}{more}", self.size, room)

    # Rows

    def _colors(self) -> list[str]:
        return self.display.colors or [CATEGORIES[0]] * len(self.display.labels)

    def _draw_rows(self, ax: Axes) -> None:
        display, edge_color = self.display, rcParams["axes.edgecolor"]
        low, high = ax.get_xlim()
        rows = [[(low, y), (high, y)] for y in self.places.tolist()]
        ax.add_collection(LineCollection(rows, colors=edge_color, linewidths=0.5, alpha=0.2), autolim=False)
        if low < -0.05:
            ax.axvline(0.0, color=edge_color, linewidth=0.8, alpha=0.6)
        if display.low is not None and display.high is not None:
            known = np.isfinite(display.low) & np.isfinite(display.high)
            ends = zip(self.places[known], display.low[known], display.high[known], strict=True)
            colors = [
                edge_of(color, is_dark(ax)) for color, is_known in zip(self._colors(), known, strict=True) if is_known
            ]
            lines = [[(a, y), (b, y)] for y, a, b in ends]
            ax.add_collection(LineCollection(lines, colors=colors, linewidths=2.0), autolim=False)
        known = np.isfinite(display.scores)
        ground = ax.get_facecolor()
        fills = [ground if few else color for color, few in zip(self._colors(), self._are_few(), strict=True)]
        edges = [edge_of(color, is_dark(ax)) for color in self._colors()]
        ax.scatter(
            display.scores[known],
            self.places[known],
            s=self._areas()[known],
            c=[x for x, is_known in zip(fills, known, strict=True) if is_known],
            edgecolors=[x for x, is_known in zip(edges, known, strict=True) if is_known],
            linewidths=1.0,
            zorder=3,
            clip_on=False,
        )

    def _are_few(self) -> NDArray:
        """Which labels have few samples."""
        sizes = self.display.sizes
        return np.zeros(len(self.places), dtype=bool) if sizes is None else sizes < FEW_SAMPLES

    def _areas(self) -> NDArray:
        """The areas of the dots in square points: proportional to the numbers of samples, if they are known."""
        largest = min(_LARGEST_DOT, 0.85 * self.row)
        if self.display.sizes is None:
            return np.full(len(self.places), min(largest, 7.0) ** 2)
        most = self.display.sizes.max(initial=0.0) or 1.0
        return np.maximum(largest**2 * self.display.sizes / most, _SMALLEST_DOT**2)

    def _draw_mean(self, ax: Axes) -> None:
        """A dashed line at the weighted mean, and its name above the axes."""
        mean = self.display.mean
        if mean is None:
            return
        low, high = ax.get_xlim()
        ax.axvline(mean, color=rcParams["text.color"], linewidth=1.0, linestyle="--", zorder=2)
        text = f"{self.mean_name} {_score(mean)}"
        half = width_in_points([text], self.size) / 2 * (high - low) / max(self.across, 40.0)
        align = "right" if mean + half > high else "left" if mean - half < low else "center"
        style: dict[str, Any] = {"ha": align, "va": "bottom", "fontsize": self.size}
        draw_text(ax, mean, 4.0, text, transform=beyond(ax, "top"), **style)

    # Columns

    def _columns(self, room: float) -> list[tuple[float, str, Literal["left", "right"], float, list[str]]]:
        """The columns at the right: where each is, its head, how it is aligned, how wide it is, and its texts."""
        display = self.display
        texts = [("score", "right", [_score(x) for x in display.scores.tolist()])]
        if display.sizes is not None:
            marks = [f"{CAUTION} " if few else "" for few in self._are_few()]
            sizes = [mark + whole_count(x) for mark, x in zip(marks, display.sizes.tolist(), strict=True)]
            texts.append((self.unit, "right", sizes))
        if display.main_classes is not None:
            texts.append(("main class", "left", names_within(display.main_classes, self.size, 0.22 * room)))
        found: list[Any] = []
        at = 4.0
        for head, align, column in texts:
            widest = width_in_points([head, *column], self.size)
            at += widest if align == "right" else 0.0
            found.append((at, head, align, widest, column))
            at += 9.0 + (widest if align == "left" else 0.0)
        names = width_in_points(self.names, self.size)
        if display.main_classes is not None and room - at - names - 24 < _NARROWEST:
            found.pop()
        return found

    def _write(self, ax: Axes, columns: list[Any]) -> None:
        step = max(1, math.ceil(0.98 * line_height(self.size) / self.row))
        shown = range(0, len(self.places), step)
        places = [float(self.places[i]) for i in shown]
        for at, head, align, _, texts in columns:
            alpha = 1.0 if head != self.unit else FAINT
            column = [texts[i] for i in shown]
            write_column(ax, "right", at, places, column, ha=align, fontsize=self.size, alpha=alpha)
            write_heads(ax, "right", [(at, head, align)], self.size)
        style: dict[str, Any] = {"fontsize": self.size}
        ax.set_yticks(places, labels=[self.names[i] for i in shown], **style, **AS_IT_IS)
        ax.tick_params(axis="y", length=0)
        ax.tick_params(axis="x", labelsize=self.size)
        thin_out_ticks(ax, self.across)
        ax.spines[["top", "right", "left"]].set_visible(False)
        if self.display.n_more:
            low, high = ax.get_xlim()
            text = f"({self.display.n_more:,} more)"
            place = float(self.display.gap)
            draw_text(
                ax, (low + high) / 2, place, text, ha="center", va="center_baseline", fontsize=self.size, alpha=FAINT
            )


def _score(score: float) -> str:
    return short_score(score).replace("-", MINUS)
