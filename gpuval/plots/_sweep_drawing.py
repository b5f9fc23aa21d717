"""How the scores of several labelings are drawn: lines with names at their ends, dots, panels, and a strip of bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gpuval.display.colors import LINES
from gpuval.display.digits import decimals, score_text
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    MARKERS,
    SMALLEST_TEXT,
    Axes,
    axes_to_draw_on,
    draw_text,
    name_axes,
    name_on_plot,
    points_along,
    width_in_points,
    width_of_figure,
)
from gpuval.plots._below import name_places
from gpuval.plots._canvas import Box, ground, ink, name_that_fits, settle, size_in_points, write_near
from gpuval.plots._line_ends import AWAY, LineEnd, share_along, spread_ends, write_ends
from gpuval.plots._sweep_parts import MOST_LINES, LineStyle, SweepNumbers, span_a_large_ratio, texts_of_numbers

with require_extra("gpuval.plots", "plots"):
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

Spacing = Literal["equal", "number"]

_ORDER = (0, 3, 2, 1, 4, 5, 6, 7, 8, 9)
"""Of the colours of lines: the first three are those that differ most."""
_DASHES = ((0, (4, 2)), (0, (1, 1.5)), (0, (4, 1.5, 1, 1.5)), (0, (8, 3)))
_BY_CHANCE = (0, (2, 2))
_MOST_TOGETHER = 6
"""Lines in one plot; of more each has a panel."""
_LARGE = 5.0
"""How many times as large, and as 1, the scores of a measure are that takes another scale than those of the others."""
_MOST_BANDS = 3
_MOST_MARKERS = 40
"""Labelings whose scores have markers."""
_STRIP = 56.0
"""The points of the strip of numbers of clusters."""
_LEAST_WITH_STRIP = 150.0
"""The height of axes from which on there is such a strip."""
_SPREAD = 0.5
"""Of the distance of two labelings: how far the dots of one are apart."""
_BARS = 0.22
"""How much ink bars have, on which numbers are read, on light and on dark pages."""


def _have_scales(lines: Iterable[NDArray]) -> bool:
    """Whether the scores of lines are of several scales, as those of silhouettes and of Calinski-Harabasz are."""
    largest = [max(1.0, float(np.abs(x[np.isfinite(x)]).max(initial=0.0))) for x in lines]
    return max(largest) > _LARGE * min(largest)


class DrawnSweep:
    """The lines of a display."""

    def __init__(self, display: SweepNumbers, spacing: Spacing, counts: bool) -> None:
        self.display = display
        if spacing == "number" and display.numbers is None:
            raise ValueError(
                f"x must be 'equal' where the names of labelings do not differ by a number only, got {spacing!r}"
            )
        self.has_scale = spacing == "number"
        self.is_log = self.has_scale and display.numbers is not None and span_a_large_ratio(display.numbers)
        n = len(display.names)
        self.at = np.asarray(display.numbers, dtype=float) if self.has_scale else np.arange(n, dtype=float)
        self.has_lines = display.numbers is not None or n == 1
        self.counts = display.n_clusters if counts else None
        self.are_many = len(display.scores) > MOST_LINES
        self.is_one_measure = display.score_name != "score"  # of several values, which can be compared
        has_scales = not self.is_one_measure and _have_scales(display.scores.values())
        self.has_panels = not self.are_many and (len(display.scores) > _MOST_TOGETHER or has_scales)
        self.styles = self._styles()

    def _styles(self) -> dict[Any, LineStyle]:
        styles, n_full, n_half = {}, 0, 0
        for line in self.display.scores:
            if line in self.display.halves:
                dashes = _DASHES[n_half % len(_DASHES)]
                marker = MARKERS[-1 - n_half % len(MARKERS)]
                styles[line] = LineStyle(ink(0.62), marker, dashes, 1.1, True, self.has_panels)
                n_half += 1
            else:
                color = LINES[_ORDER[n_full % len(LINES)]]
                has_band = n_full < _MOST_BANDS or self.has_panels
                styles[line] = LineStyle(color, ("o", "s", "D", *MARKERS[2:])[n_full % 8], "-", 2.0, False, has_band)
                n_full += 1
        return styles

    def draw(self, given: Any, width: float | None) -> Axes:
        """Draw on axes, or on those of a new figure."""
        n, n_lines = len(self.display.names), len(self.display.scores)
        across = width_of_figure(given, width, max(0.5 * n + 2.4, 6.4))
        height = 3.9 + _STRIP / 72 * (self.counts is not None)
        if self.has_panels:
            n_panels = n_lines + (self.counts is not None)
            n_rows = math.ceil(n_panels / _panel_columns(72 * across, n_panels))
            height = 1.45 * n_rows + 0.5
        ax = axes_to_draw_on(given, across, height)
        if self.has_panels:
            self._draw_panels(ax)
        else:
            self._draw_together(ax, 0.32 if given is None else 0.5)
        return ax

    # All lines in one plot.

    def _draw_together(self, ax: Axes, margin: float) -> None:
        self._set_x(ax, margin)
        marks = self._draw_many(ax) if self.are_many else self._draw_lines(ax, self.display.scores)
        limits = self._limits(list(self.display.scores), points_along(ax, "y"))
        ax.set_ylim(*limits)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(False)
        ax.grid(axis="y", color=ink(0.15), linewidth=0.6)
        ax.set_axisbelow(True)
        self._name_axes(ax)
        ends = [] if len(marks) == 1 and not self.are_many and not self.display.expected else self._ends(marks)
        heads = {name: self.display.short_names.get(line, "") for line, name in self.display.line_names.items()}
        names = write_ends(ax, ends, heads)
        classes = self._write_classes(ax)
        settle(ax)
        self._mark_x(ax)
        settle(ax)
        floor = 0.0
        if self.counts is not None and points_along(ax, "y") >= _LEAST_WITH_STRIP:
            floor = self._draw_strip(ax, classes)
        elif classes is not None:
            classes.remove()
        self._mark_y(ax, limits, floor)
        spread_ends(ax, ends, names, floor)
        if not self.are_many:
            self._write_best(ax, marks, floor)

    def _set_x(self, ax: Axes, margin: float = 0.32) -> None:
        if not self.has_scale:
            ax.set_xlim(-margin, len(self.at) - 1 + margin)
            return
        if self.is_log:
            ax.set_xscale("log")
        low, high = np.log10([self.at.min(), self.at.max()]) if self.is_log else (self.at.min(), self.at.max())
        margin = 0.04 * (high - low) or 0.5
        ends = np.array([low - margin, high + margin])
        ax.set_xlim(*(10.0**ends if self.is_log else ends))

    def _mark_x(self, ax: Axes) -> None:
        """Name the labelings along the x axis, or place ticks along their numbers."""
        if not self.has_scale:
            numbers = self.display.numbers
            names = self.display.names if numbers is None else texts_of_numbers(numbers)
            name_places(ax, self.at.tolist(), names)
            return
        axis = ax.xaxis
        if not self.is_log:
            axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], integer=bool((self.at % 1 == 0).all())))
            return
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if self.at.max() < 1000 * self.at.min() else (1.0,)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))

    def _name_axes(self, ax: Axes) -> None:
        display = self.display
        level = display.confidence_level
        interval = "" if level is None else f", {100 * level:g} % intervals"
        of_ticks = ax.xaxis.get_tick_params()  # matplotlib 3.8 names those of both axes as those of y
        has_names = of_ticks.get("labelbottom", of_ticks.get("labelleft", True))  # else axes below have them
        name_axes(
            ax,
            name_on_plot(display.axis_name, 60) if has_names else "",
            name_on_plot(display.score_name, 40) + interval,
        )

    def _limits(self, lines: Sequence[Any], tall: float) -> tuple[float, float]:
        """The ends of a y axis of so many points: scores and intervals, with room for what is written above them."""
        display = self.display
        parts = [of_line[x] for x in lines for of_line in (display.scores, display.expected) if x in of_line]
        for line in lines:
            if line in display.low and not self.are_many and (self.styles[line].has_band or not self.has_lines):
                parts += [display.low[line], display.high[line]]
        values = np.concatenate(parts)
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        span = (high - low) or 0.1 * max(abs(high), 1.0)
        return low - max(0.09, 7.0 / tall) * span, high + max(0.1, 26.0 / max(tall - 33.0, 20.0)) * span

    def _mark_y(self, ax: Axes, limits: tuple[float, float], floor: float) -> None:
        """Ticks within the limits of the scores, which end above the strip."""
        low, high = limits
        tall = points_along(ax, "y")
        if floor:
            ax.set_ylim(high - (high - low) * tall / max(tall - floor, 1.0), high)
            ax.spines["left"].set_bounds(low, high)
            ax.yaxis.label.set_y((1 + floor / tall) / 2)
        label: Any = ax.yaxis.label
        if width_in_points([label.get_text()], label.get_fontsize()) > tall - floor:
            label.set_text(name_on_plot(self.display.score_name, 40))  # without the level of the intervals
        most = max(int((tall - floor) / 26), 1)
        ticks = MaxNLocator(min(most, 7), steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
        within = [float(x) for x in ticks if low <= x <= high]
        ax.set_yticks(within if tall - floor >= 14 * len(within) else within[-1:])
        ax.tick_params(axis="y", labelsize=max(SMALLEST_TEXT, 9.0))

    # Lines, bands and dots.

    def _draw_lines(self, ax: Axes, lines: Mapping[Any, NDArray]) -> dict[Any, tuple[NDArray, NDArray]]:
        """Draw lines, or dots where labelings have no order; returns where the scores of each line are."""
        marks = {}
        for i, (line, values) in enumerate(lines.items()):
            shift = 0.0 if self.has_lines or len(lines) == 1 else _SPREAD * ((i + 0.5) / len(lines) - 0.5)
            at = self.at + shift
            self._draw_line(ax, line, at, values)
            marks[line] = at, values
        return marks

    def _draw_line(self, ax: Axes, line: Any, at: NDArray, values: NDArray) -> None:
        style, display = self.styles[line], self.display
        dashes = style.dashes if self.has_lines else ""
        size = (5.5 if not style.is_half else 4.0) if len(at) <= _MOST_MARKERS or not self.has_lines else 0.0
        drawn: dict[str, Any] = {"color": style.color, "zorder": 2 if style.is_half else 3}
        ax.plot(
            at,
            values,
            linestyle=dashes,
            linewidth=style.width,
            marker=style.marker,
            markersize=size,
            label=str(line),
            **drawn,
        )
        if size and line in display.best_sets and not style.is_half:
            behind = [i for i in range(len(at)) if i not in display.best_sets[line]]
            ax.plot(
                at[behind], values[behind], linestyle="", marker=style.marker, markersize=size,
                markerfacecolor=ground(), markeredgecolor=style.color, markeredgewidth=1.3, zorder=4,
            )  # fmt: skip
        if line in display.low:
            ends = np.minimum(display.low[line], values), np.maximum(display.high[line], values)
            if not self.has_lines or len(at) == 1:
                lengths = np.nan_to_num(np.abs([values - ends[0], ends[1] - values]))
                ax.errorbar(at, values, yerr=lengths, fmt="none", ecolor=style.color, elinewidth=1.1, zorder=2)
            elif style.has_band and not style.is_half:
                ax.fill_between(at, *ends, color=style.color, alpha=0.16, linewidth=0, zorder=1)
        if line in display.expected:
            way: dict[str, Any] = {"linestyle": _BY_CHANCE, "linewidth": 1.0}
            if not self.has_lines or len(at) == 1:
                way = {"linestyle": "", "marker": "_", "markersize": 12}
            ax.plot(at, display.expected[line], color=style.color, zorder=2, **way)
        if line in display.best and len(at) > 1 and not style.is_half:
            best = display.best[line]
            ring: dict[str, Any] = {"markersize": 12.5, "markerfacecolor": "none", "markeredgewidth": 1.6}
            ax.plot(at[best], values[best], marker="o", markeredgecolor=style.color, zorder=5, linestyle="", **ring)

    def _draw_many(self, ax: Axes) -> dict[Any, tuple[NDArray, NDArray]]:
        """All lines faint, and their median."""
        every = np.stack(list(self.display.scores.values()))
        ax.plot(self.at, every.T, color=ink(0.35), linewidth=0.5, alpha=0.5)
        medians = np.array([np.median(x[~np.isnan(x)]) if not np.isnan(x).all() else math.nan for x in every.T])
        ax.plot(self.at, medians, color=LINES[0], linewidth=2.2, marker="o", markersize=5)
        high = np.array([np.nanmax(x) if not np.isnan(x).all() else math.nan for x in every.T])
        return {"median": (self.at, medians), f"each of {len(every)}": (self.at, high)}

    # The names of lines at their right ends.

    def _ends(self, marks: Mapping[Any, tuple[NDArray, NDArray]]) -> list[LineEnd]:
        """The end of each line, and of what chance gives."""
        ends = []
        for line, (at, values) in marks.items():
            known = np.flatnonzero(~np.isnan(values))
            if len(known):
                last = int(known[-1])
                name, color, is_bold = str(line), ink(0.65), line == "median"
                if not self.are_many:
                    style = self.styles[line]
                    name, is_bold = self.display.line_names[line], not style.is_half
                    color = ink(0.65) if style.is_half else ink()
                elif is_bold:
                    color = ink()
                ends.append(LineEnd(name, color, float(at[last]), float(values[last]), is_bold))
            chance = self.display.expected.get(line, np.asarray([math.nan]))
            if not np.isnan(chance[-1]):
                name = f"{self.display.short_names.get(line, line)} chance"
                ends.append(LineEnd(name, ink(0.65), float(at[-1]), float(chance[-1]), False))
        return ends

    def _write_best(self, ax: Axes, marks: Mapping[Any, tuple[NDArray, NDArray]], floor: float) -> None:
        """Write the best score of each line beside its ring."""
        display = self.display
        wide, tall = points_along(ax, "x"), points_along(ax, "y")
        low, high = ax.get_ylim()
        rings = {}
        taken = [Box(0, 0, wide, floor)] if floor else []
        for line, (at, values) in marks.items():
            places = [
                (wide * share_along(ax, x), tall * (y - low) / (high - low)) for x, y in zip(at, values, strict=True)
            ]
            if line in display.best and len(at) > 1 and not self.styles[line].is_half:
                rings[line] = places[display.best[line]]
            elif len(marks) > 1:
                continue
        taken += [Box(x - 6, y - 6, x + 6, y + 6) for x, y in rings.values()]
        for line, (x, y) in rings.items():
            place = display.best[line]
            at, values = marks[line]
            ends = (display.low[line].tolist(), display.high[line].tolist()) if line in display.low else ()
            text = score_text(float(values[place]), decimals(values.tolist(), *ends))
            point = float(at[place]), float(values[place])
            style: dict[str, Any] = {"color": ink(), "fontweight": "bold", "zorder": 6}
            style["path_effects"] = [withStroke(linewidth=2.0, foreground=ground())]
            others = [box for box in taken if not box.is_within(Box(x - 6.1, y - 6.1, x + 6.1, y + 6.1))]
            n_before = len(others)
            write_near(ax, text, point, (x, y), others, nearest=8.0, above_first=True, **style)
            taken += others[n_before:]

    # The strip of numbers of clusters.

    def _write_classes(self, ax: Axes) -> Any:
        """The number of classes, to the right of the axes, whose line has no height yet; None if it is not known."""
        n = self.display.n_classes
        if self.counts is None or n is None:
            return None
        style: dict[str, Any] = {"xycoords": ax.transAxes, "textcoords": "offset points", "annotation_clip": False}
        style |= {"ha": "left", "va": "center", "fontsize": SMALLEST_TEXT, **AS_IT_IS}
        return ax.annotate(f"{n:,} class" + "es" * (n != 1), (1, 0), (AWAY, 0), **style)

    def _draw_strip(self, ax: Axes, classes: Any) -> float:
        """Draw a bar for the number of clusters of each labeling, and a line at that of classes; returns its height."""
        assert self.counts is not None
        tall, wide = points_along(ax, "y"), points_along(ax, "x")
        strip = min(_STRIP, 0.3 * tall)
        over = ax.get_xaxis_transform()
        n_classes = self.display.n_classes
        most = max(*self.counts, n_classes or 0, 1)
        room = (strip - 24) / tall
        step = wide / abs(ax.get_xlim()[1] - ax.get_xlim()[0]) if not self.is_log else wide / len(self.at)
        distance = float(np.diff(np.sort(self.at)).min()) if len(self.at) > 1 and not self.is_log else 1.0
        thick = min(0.5 * distance, 40.0 / step)
        color = ink(_BARS)
        if self.is_log:
            for x, k in zip(self.at, self.counts, strict=True):
                ax.plot([x, x], [0, room * k / most], color=color, linewidth=6, solid_capstyle="butt", transform=over)
        else:
            ax.bar(self.at, [room * k / most for k in self.counts], thick, color=color, transform=over, zorder=1)
        texts = [f"{k:,}" for k in self.counts]
        every = max(1, math.ceil((width_in_points(texts, SMALLEST_TEXT) + 4) / (step * distance)))
        style: dict[str, Any] = {"fontsize": SMALLEST_TEXT, "transform": over, "zorder": 4}
        for x, text, k in list(zip(self.at.tolist(), texts, self.counts, strict=True))[::every]:
            # Within the bar, if the line at the number of classes does not go through it there.
            y = 1.5 / tall if (n_classes or most) * room / most * tall > 12 else room * max(k, n_classes or 0) / most
            draw_text(ax, x, y + 0.5 / tall, text, ha="center", va="bottom", **style)
        faint: dict[str, Any] = {**style, "transform": ax.transAxes, "color": ink(0.65)}
        draw_text(ax, 0.0, (strip + 1) / tall, "clusters", ha="left", va="top", **faint)
        if n_classes is not None:
            y = room * n_classes / most
            ax.plot([0, 1], [y, y], color=ink(), linewidth=1, linestyle=(0, (4, 3)), transform=ax.transAxes, zorder=3)
            classes.xy = (1, y)
        return strip + 6

    # A panel for each line.

    def _draw_panels(self, ax: Axes) -> None:
        """Draw each line in a panel, two beside each other if there is room."""
        ax.set_axis_off()
        settle(ax)
        wide, tall = points_along(ax, "x"), points_along(ax, "y")
        n = len(self.display.scores) + (self.counts is not None)
        n_columns = _panel_columns(wide, n)
        n_rows = math.ceil(n / n_columns)
        below, left, top, gap = 36.0, 34.0, 16.0, 14.0
        panel_wide = (wide - n_columns * left - (n_columns - 1) * gap) / n_columns
        panel_tall = max((tall - below - n_rows * top) / n_rows - 6, 12.0)
        for i, line in enumerate([*self.display.scores, *([None] if self.counts is not None else [])]):
            row, column = divmod(i, n_columns)
            x = left + column * (panel_wide + left + gap)
            y = tall - (row + 1) * (panel_tall + top + 6) + 6
            panel: Any = ax.inset_axes((x / wide, y / tall, panel_wide / wide, panel_tall / tall))
            self._draw_panel(panel, line, is_last=i + n_columns >= n)

    def _draw_panel(self, ax: Axes, line: Any, *, is_last: bool) -> None:
        self._set_x(ax)
        ax.spines[["top", "right"]].set_visible(False)
        title: dict[str, Any] = {
            "loc": "left",
            "fontsize": SMALLEST_TEXT + 0.5,
            "fontweight": "bold",
            "pad": 3,
            **AS_IT_IS,
        }
        if line is None:
            assert self.counts is not None
            ax.bar(self.at, self.counts, 0.5, color=ink(_BARS))
            limits = (0.0, 1.15 * max(*self.counts, self.display.n_classes or 0, 1))
            text = "clusters"
            if self.display.n_classes is not None:
                ax.axhline(self.display.n_classes, color=ink(), linewidth=1, linestyle=(0, (4, 3)))
                longer = f"{text} (line: {self.display.n_classes:,} classes)"
                text = longer if size_in_points(longer, SMALLEST_TEXT, bold=True)[0] < points_along(ax, "x") else text
        else:
            lines = [*self.display.scores] if self.is_one_measure else [line]
            limits = self._limits(lines, points_along(ax, "y"))
            marks = self._draw_lines(ax, {line: self.display.scores[line]})
            text = self.display.line_names[line]
            text += f": {name_on_plot(self.display.score_name, 40)}" if self.is_one_measure else ""
        ax.set_ylim(*limits)
        room = points_along(ax, "x") + 8
        ax.set_title(name_that_fits(text, room, SMALLEST_TEXT + 0.5, bold=True, widest=60), **title)
        self._mark_y(ax, limits, 0.0)
        if line is not None:
            self._write_best(ax, marks, 0.0)
        if is_last:
            self._mark_x(ax)
            ax.set_xlabel(name_on_plot(self.display.axis_name, 40), fontsize=SMALLEST_TEXT + 0.5, **AS_IT_IS)
        else:
            ax.set_xticks([])


def _panel_columns(wide: float, n_panels: int) -> int:
    """How many panels are beside each other on so many points: one only where that is narrow and there are few."""
    return 2 if wide >= 380 or n_panels > 10 else 1
