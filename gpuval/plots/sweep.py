"""Lines of the scores of several labelings, such as those of a sweep over a parameter, one line for each measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from gpuval.inputs.options import as_number, require_extra
from gpuval.measures.measure import Direction
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes, axes_to_draw_on, label_ticks, lay_out, line_style, name_axes, name_on_plot
from gpuval.plots._sweep_parts import (
    MOST_LINES,
    NumbersOf,
    check_directions,
    check_ends,
    check_lines,
    check_numbers,
    measures_to_draw,
    numbers_in_names,
    span_a_large_ratio,
    write_beside,
    write_within,
)
from gpuval.results.evaluations import Comparison
from gpuval.results.texts import common_direction

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

__all__ = ["SweepDisplay", "plot_sweep"]

_MOST_BARS = 30
"""Labelings whose intervals are bars; of more they are bands, as they are along numbers."""
_SPREAD = 0.5
"""Of the distance of two labelings: how far the bars of one are apart."""


class SweepDisplay:
    """Lines of the scores of several labelings, one line for each measure; :func:`plot_sweep` draws it.

    Parameters
    ----------
    names
        The names of the labelings, in the order of the plot.
    scores
        A mapping from the name of each line to its scores, one for each labeling; NaN if a labeling has no score.
    numbers
        Where the labelings are on the axis; by default one after the other, with their names.
    low, high
        The ends of the intervals: mappings from the names of the lines to arrays like the scores. Lines without
        intervals are left out.
    directions
        A mapping from the name of each line to "higher" or "lower", the better scores, or "" if that is not known.
    axis_name, score_name
        The names of the axes.
    confidence_level
        The level of the intervals, if there are any.

    Attributes
    ----------
    names, scores, numbers, low, high, directions, axis_name, score_name, confidence_level
        The parameters; scores and ends as NumPy arrays.
    best
        A mapping from the name of each line to the place of its best labeling, the first of equally good ones. Lines
        without a direction or without a score are left out.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> labelings = {"res_1.0": [0, 1, 2, 2], "res_0.5": [0, 0, 1, 1]}
    >>> display = gpuval.plots.SweepDisplay.from_comparison(gpuval.compare([0, 0, 1, 1], labelings, ["ari"]))
    >>> display.axis_name, display.numbers, display.scores["adjusted_rand_score"].round(2)
    ('res', [0.5, 1.0], array([1.  , 0.57]))
    >>> display.best
    {'adjusted_rand_score': 0}
    """

    ax_: Axes
    figure_: Any

    def __init__(
        self,
        names: Sequence[Any],
        scores: Mapping[Any, Any],
        *,
        numbers: Sequence[float] | None = None,
        low: Mapping[Any, Any] | None = None,
        high: Mapping[Any, Any] | None = None,
        directions: Mapping[Any, Direction] | None = None,
        axis_name: str = "labeling",
        score_name: str = "score",
        confidence_level: float | None = None,
    ) -> None:
        self.names = list(names)
        self.scores, self.low, self.high = (
            {line: np.asarray(x, dtype=float) for line, x in (given or {}).items()} for given in (scores, low, high)
        )
        self.numbers = None if numbers is None else [as_number("numbers", x) for x in numbers]
        self.directions = dict(directions or {})
        self.axis_name, self.score_name, self.confidence_level = axis_name, score_name, confidence_level
        check_lines(self.names, self.scores, ("low", self.low), ("high", self.high))
        check_ends(self.low, self.high)
        check_directions(self.directions, self.scores)
        if self.numbers is not None:
            check_numbers(self.names, self.numbers)
        self.best = {line: place for line in self.scores if (place := self._best_of(line)) is not None}

    def _best_of(self, line: Any) -> int | None:
        direction, values = self.directions.get(line, ""), self.scores[line]
        if not direction or np.isnan(values).all():
            return None
        return int(np.nanargmin(values) if direction == "lower" else np.nanargmax(values))

    @classmethod
    def from_comparison(cls, comparison: Comparison, metrics: Any = None) -> Self:
        """Take the scores of a comparison.

        Parameters
        ----------
        comparison, metrics
            As in :func:`plot_sweep`.

        Returns
        -------
        SweepDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> comparison = gpuval.compare([0, 0, 1], {"good": [0, 0, 1], "bad": [0, 1, 2]}, ["ari", "vi"])
        >>> list(gpuval.plots.SweepDisplay.from_comparison(comparison).scores)
        ['adjusted_rand_score']
        >>> list(gpuval.plots.SweepDisplay.from_comparison(comparison, "vi").scores)
        ['variation_of_information']
        """
        if not isinstance(comparison, Comparison):
            raise TypeError(f"comparison must be what gpuval.compare gives, got {type(comparison).__name__}")
        if not comparison:
            raise ValueError("comparison must have at least one labeling, got none")
        evaluations = [(name, NumbersOf(evaluation)) for name, evaluation in comparison.items()]
        is_by = comparison.levels == ("labeling", "by")
        chosen = measures_to_draw([x for _, x in evaluations], metrics, is_one=is_by)
        level = next((x.level for _, x in evaluations if x.level is not None), None)
        if not is_by:
            lines = {metric: [(name, x, metric) for name, x in evaluations] for metric in chosen}
            score_name = name_on_plot(chosen[0], 60) if len(chosen) == 1 else "score"
            names = list(comparison)
        else:
            (metric,) = chosen
            values = dict.fromkeys(name[1] for name, _ in evaluations)
            lines = {v: [(name[0], x, metric) for name, x in evaluations if name[1] == v] for v in values}
            score_name = name_on_plot(metric, 60)
            names = list(dict.fromkeys(name[0] for name in comparison))
        return cls._from_lines(lines, names, comparison.levels, score_name, level)

    @classmethod
    def _from_lines(
        cls, lines: Mapping[Any, Any], names: list[Any], levels: Sequence[str], score_name: str, level: float | None
    ) -> Self:
        """The display of lines, each of (name, evaluation, metric)."""
        numbers, axis_name = numbers_in_names(names)
        if levels == ("by",) and axis_name == "labeling":
            axis_name = "value"
        if numbers is not None:
            order = np.argsort(numbers, kind="stable").tolist()
            names, numbers = [names[i] for i in order], [numbers[i] for i in order]
        place = {name: i for i, name in enumerate(names)}
        scores, low, high = ({line: np.full(len(names), np.nan) for line in lines} for _ in range(3))
        directions = {}
        for line, found in lines.items():
            for name, evaluation, metric in found:
                scores[line][place[name]] = evaluation.score(metric)
                low[line][place[name]], high[line][place[name]] = evaluation.interval(metric)
            directions[line] = common_direction(found[0][2], [evaluation for _, evaluation, _ in found])
        known = [line for line in lines if not np.isnan(low[line]).all()]
        return cls(
            names,
            scores,
            numbers=numbers,
            low={line: low[line] for line in known},
            high={line: high[line] for line in known},
            directions=directions,
            axis_name=axis_name,
            score_name=score_name,
            confidence_level=level if known else None,
        )

    def plot(self, ax: Any = None) -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.

        Returns
        -------
        SweepDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        is_own = ax is None
        n = len(self.names)
        width = 5.0 if self.numbers is not None else min(max(0.32 * n, 4.0), 9.5)
        ax = axes_to_draw_on(ax, width + 2.6 * (len(self.scores) > 1), 4.4)
        at = np.arange(n, dtype=float) if self.numbers is None else np.asarray(self.numbers)
        if is_log := self.numbers is not None and span_a_large_ratio(self.numbers):
            ax.set_xscale("log")
        are_many = len(self.scores) > MOST_LINES
        shifts = self._shifts(0.0 if are_many else _SPREAD)
        handles = self._draw_median(ax, at) if are_many else self._draw_lines(ax, at, shifts)
        _limit(ax, at, max(shifts), is_log)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=rcParams["grid.color"], linewidth=0.6, alpha=0.6)
        ax.set_axisbelow(True)
        interval = "" if self.confidence_level is None else f" (intervals: {100 * self.confidence_level:g}%)"
        name_axes(ax, name_on_plot(self.axis_name, 60), f"{name_on_plot(self.score_name, 60)}{interval}")
        is_alone = len(self.scores) == 1
        if named := handles[1:] if is_alone else handles:  # the axis says which measure it is
            (write_beside if is_own and not is_alone else write_within)(ax, named)
        if self.numbers is not None:
            _mark_numbers(ax, at, is_log)
        else:
            if is_own:
                lay_out(ax)  # the legend takes a part of the width
            label_ticks(ax.xaxis, at.tolist(), list(map(name_on_plot, self.names)))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @property
    def _has_bands(self) -> bool:
        return self.numbers is not None or len(self.names) > _MOST_BARS

    def _shifts(self, spread: float) -> list[float]:
        """How far each line is moved to the right, so that bars do not cover one another."""
        n = len(self.scores)
        is_apart = self.low and not self._has_bands
        return [spread * ((i + 0.5) / n - 0.5) if is_apart else 0.0 for i in range(n)]

    def _draw_lines(self, ax: Axes, at: NDArray, shifts: Sequence[float]) -> list[tuple[Any, str]]:
        """A line for each measure, or each value; the best labelings of all have the same star."""
        handles: list[tuple[Any, str]] = []
        marker_size = 5.0 if len(at) <= 60 else 2.5
        for i, ((line, values), shift) in enumerate(zip(self.scores.items(), shifts, strict=True)):
            style: dict[str, Any] = line_style(i)
            (drawn,) = ax.plot(at + shift, values, **style, markersize=marker_size, linewidth=1.4)
            handles.append((drawn, name_on_plot(line, 32)))
            if line in self.low:
                ends = np.minimum(self.low[line], values), np.maximum(self.high[line], values)
                if self._has_bands:
                    ax.fill_between(at, *ends, color=style["color"], alpha=0.15, linewidth=0)
                else:
                    for_bars = np.nan_to_num(np.abs([values - ends[0], ends[1] - values]))
                    ax.errorbar(
                        at + shift, values, yerr=for_bars, fmt="none", ecolor=style["color"], elinewidth=1.0, capsize=2
                    )
            if line in self.best and len(at) > 1:
                best = self.best[line]
                self._draw_star(ax, at[best] + shift, values[best], style["color"])
        if self.best and len(at) > 1:
            star = Line2D([], [], marker="*", linestyle="", color="0.6", markeredgecolor=rcParams["text.color"])
            star.set_markersize(11)
            handles.append((star, "best"))
        return handles

    def _draw_star(self, ax: Axes, x: float, y: float, color: str) -> None:
        ax.plot([x], [y], marker="*", markersize=13, color=color, markeredgecolor=rcParams["text.color"], zorder=4)

    def _draw_median(self, ax: Axes, at: NDArray) -> list[tuple[Any, str]]:
        """All lines faint, and their median."""
        every = np.stack(list(self.scores.values()))
        faint = ax.plot(at, every.T, color="0.6", linewidth=0.5, alpha=0.5)
        medians = [float(np.median(x[~np.isnan(x)])) if not np.isnan(x).all() else math.nan for x in every.T]
        style: dict[str, Any] = line_style(0)
        (median,) = ax.plot(at, medians, **style, markersize=5.0 if len(at) <= 60 else 2.5, linewidth=2.0)
        return [(faint[0], f"each of {len(every)}"), (median, "median")]


def plot_sweep(comparison: Comparison, metrics: Any = None, *, ax: Any = None) -> Axes:
    """Plot the scores of several labelings, such as those of a sweep over a resolution, with a line for each measure.

    If the names of the labelings are numbers, or differ by a number only, such as "leiden_0.4" and "leiden_1.0", the x
    axis is that of the numbers. It is logarithmic if the numbers are positive, the largest is at least 50 times the
    smallest, and half of them are far below the largest. Otherwise, and if the names are versions, dates, fractions or
    something else that may be no single number, the labelings are in their order, at equal distances. A star marks the
    best labeling of each measure.

    Intervals, of a comparison with ``confidence_level``, are bars; along numbers, or with many labelings, they are
    bands. A comparison with ``by`` has a line for each value, of a single measure; with more than 24 values, also their
    median. If only one labeling was evaluated with ``by``, the values are along the x axis. If you give axes, the names
    of the lines are placed where they cover no line, if necessary above the lines, in a longer y axis.

    Parameters
    ----------
    comparison
        The result of :func:`gpuval.compare`, or of :func:`gpuval.evaluate` with ``by``.
    metrics
        One measure of the comparison or several: full or short names, or the keys of the mapping that defined them. By
        default the first dozen measures for which higher is better and all scores are from -1 to 1; with ``by`` the
        first of these. Measures without a finite score are left out.
    ax
        The matplotlib Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If ``comparison`` is not a comparison, or has no labelings or no finite scores of single numbers; if ``metrics``
        has names that the comparison does not have, more than 24 names, or several names with ``by``.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> labelings = {"res_0.5": [0, 0, 1, 1], "res_1.0": [0, 1, 2, 2]}
    >>> ax = gpuval.plots.plot_sweep(gpuval.compare([0, 0, 1, 1], labelings), "ari")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('res', 'adjusted_rand_score')
    >>> matplotlib.pyplot.close(ax.figure)
    """
    return SweepDisplay.from_comparison(comparison, metrics).plot(ax).ax_


def _limit(ax: Axes, at: NDArray, shift: float, is_log: bool) -> None:
    """Set the limits of the x axis: lines that are moved to either side by ``shift`` are within."""
    low, high = np.log10([at.min(), at.max()]) if is_log else (at.min(), at.max())
    margin = shift + max(0.04 * (high - low) or 0.5, 0.4 * shift)  # as wide as half a star
    ends = np.array([low - margin, high + margin])
    ax.set_xlim(*(10.0**ends if is_log else ends))


def _mark_numbers(ax: Axes, at: NDArray, is_log: bool) -> None:
    """Place ticks along numbers; where they are logarithmic, they are written as people write numbers."""
    if not is_log:
        ax.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=bool((at % 1 == 0).all())))
        return
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if at.max() < 1000 * at.min() else (1.0,)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
