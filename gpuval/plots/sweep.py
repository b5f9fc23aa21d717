"""The scores of several labelings, such as those of a sweep over a parameter, as a line for each measure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np

from gpuval.evaluation.results.evaluations import Comparison, Evaluation
from gpuval.evaluation.results.scores import plain
from gpuval.evaluation.results.shown_scores import measures_of, shown_direction
from gpuval.inputs.options import needed
from gpuval.numerics import NDArray
from gpuval.plots._common.axes import AS_IT_IS, Axes, axes_to_draw_on, label_ticks, lay_out, name_axes, name_on_plot
from gpuval.plots._common.palette import line_style

with needed("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

__all__ = ["SweepDisplay", "plot_sweep"]

_MOST_BY_DEFAULT = 12
"""Measures that are drawn if none is named."""
_MOST_LINES = 24
"""Lines that are told apart; of more, only their median is."""
_MOST_BARS = 30
"""Labelings whose intervals are bars; of more they are bands, as they are along numbers."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PART_OF_NUMBER = re.compile(r"(?:(?:^|(?<=[=\s(]))[-+])?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d*)?|\.)$")
"""The end of what names share that belongs to the number after it; a sign does only at the start, or after "="."""


class SweepDisplay:
    """Scores of several labelings, a line for each measure; what :func:`plot_sweep` draws.

    Parameters
    ----------
    names
        The names of the labelings, in the order in which they are shown.
    scores
        The scores by the names of the lines: of each, one for each labeling, NaN where there is none.
    numbers
        Where the labelings are along the axis; by default one after the other, with their names.
    low, high
        The ends of intervals by the names of the lines, shaped as the scores; lines that have none are left out.
    directions
        By the names of the lines, which scores are the better ones: "higher", "lower" or "".
    axis_name, score_name
        What is along the axes.
    confidence_level
        That of the intervals, if there are any.

    Attributes
    ----------
    names, scores, numbers, low, high, directions, axis_name, score_name, confidence_level
        What was given; scores and ends as arrays of NumPy.
    best
        By the names of the lines, the place of the best labeling, of equally good ones the first; without lines of no
        direction, and without those of no score.
    ax_, figure_
        The axes and their figure, after :meth:`plot`.

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
        directions: Mapping[Any, str] | None = None,
        axis_name: str = "labeling",
        score_name: str = "score",
        confidence_level: float | None = None,
    ) -> None:
        self.names = list(names)
        self.scores, self.low, self.high = (
            {line: np.asarray(x, dtype=float) for line, x in (given or {}).items()} for given in (scores, low, high)
        )
        self.numbers = None if numbers is None else [float(x) for x in numbers]
        self.directions = dict(directions or {})
        self.axis_name, self.score_name, self.confidence_level = axis_name, score_name, confidence_level
        if not self.names or not self.scores:
            raise ValueError(f"scores must be of at least one labeling, got {len(self.scores)} of {len(self.names)}")
        for line, values in self.scores.items():
            if values.shape != (len(self.names),):
                raise ValueError(
                    f"scores must be one for each of the {len(self.names)} names, got shape {values.shape} of {line!r}"
                )
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
            As for :func:`plot_sweep`.

        Returns
        -------
        SweepDisplay
            The display, which is yet to be plotted.

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
        evaluations = [(name, _Numbers(evaluation)) for name, evaluation in comparison.items()]
        of_all: dict[Any, NDArray] = {
            metric: np.asarray([x.score(metric) for _, x in evaluations])
            for metric in measures_of([x.shown for _, x in evaluations])
        }
        chosen = _chosen(of_all, metrics)
        level = next((x.shown.level for _, x in evaluations if x.shown.level is not None), None)
        if comparison.levels != ("labeling", "by"):
            lines = {metric: [(name, x, metric) for name, x in evaluations] for metric in chosen}
            score_name = name_on_plot(chosen[0], 60) if len(chosen) == 1 else "score"
            names = list(comparison)
        else:
            (metric,) = _only_one(chosen, metrics)
            values = dict.fromkeys(name[1] for name, _ in evaluations)
            lines = {v: [(name[0], x, metric) for name, x in evaluations if name[1] == v] for v in values}
            score_name = name_on_plot(metric, 60)
            names = list(dict.fromkeys(name[0] for name in comparison))
        return cls._of_lines(lines, names, comparison.levels, score_name, level)

    @classmethod
    def _of_lines(
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
                directions[line] = shown_direction(metric)
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
        """Draw it.

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
        are_many = len(self.scores) > _MOST_LINES
        handles = self._draw_median(ax, at) if are_many else self._draw_lines(ax, at)
        margin = 0.04 * (at.max() - at.min()) or 0.5
        ax.set_xlim(at.min() - margin, at.max() + margin)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(axis="y", color=rcParams["grid.color"], linewidth=0.6, alpha=0.6)
        ax.set_axisbelow(True)
        interval = "" if self.confidence_level is None else f" (intervals: {100 * self.confidence_level:g}%)"
        name_axes(ax, name_on_plot(self.axis_name, 60), f"{name_on_plot(self.score_name, 60)}{interval}")
        if len(self.scores) == 1:
            _write_legend(ax, handles[1:], "within")  # the axis says which measure it is
        else:
            _write_legend(ax, handles, "beside" if is_own else "within")
        if self.numbers is not None:
            ax.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=bool((at % 1 == 0).all())))
        else:
            if is_own:
                lay_out(ax)  # the legend takes a part of the width
            label_ticks(ax.xaxis, at.tolist(), list(map(name_on_plot, self.names)))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_lines(self, ax: Axes, at: NDArray) -> list[tuple[Any, str]]:
        """A line for each measure, or each value; the best labelings of all have the same star."""
        handles: list[tuple[Any, str]] = []
        is_band = self.numbers is not None or len(at) > _MOST_BARS
        marker_size = 5.0 if len(at) <= 60 else 2.5
        for i, (line, values) in enumerate(self.scores.items()):
            style: dict[str, Any] = line_style(i)
            shift = 0.0 if is_band or not self.low else 0.5 * ((i + 0.5) / len(self.scores) - 0.5)
            (drawn,) = ax.plot(at + shift, values, **style, markersize=marker_size, linewidth=1.4)
            handles.append((drawn, name_on_plot(line, 32)))
            if line in self.low:
                ends = np.minimum(self.low[line], values), np.maximum(self.high[line], values)
                if is_band:
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
    """Plot the scores of several labelings, such as those of a sweep over a resolution, as a line for each measure.

    Where the names of the labelings are numbers, or differ by a number alone, such as "leiden_0.4" and "leiden_1.0",
    they are along an axis of these numbers; else each has a place, in their order. The best labeling of each measure
    has a star. Intervals, of a comparison with ``confidence_level``, are bars, or bands along numbers and of many
    labelings. Of a comparison with ``by``, there is a line for each value, of one measure (of more than 24, their
    median); where only one labeling was evaluated by values, these are along the axis.

    Parameters
    ----------
    comparison
        What :func:`gpuval.compare` gives, or :func:`gpuval.evaluate` with ``by``.
    metrics
        One measure of the comparison or several: names, full or short, or keys that a mapping gave them. By default
        those of which higher scores are better and all scores are from -1 to 1, the first dozen of them; with ``by``
        the first of these.
    ax
        The matplotlib Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        Something else than a comparison, one without labelings or without scores of single numbers, names of measures
        that it does not have, more than 24, and several of them with ``by``.

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


def numbers_in_names(names: Sequence[Any]) -> tuple[list[float] | None, str]:
    """The numbers by which all names differ and what else they say; None if they differ by something else.

    Examples
    --------
    >>> numbers_in_names(["leiden_0.4", "leiden_1.0"])
    ([0.4, 1.0], 'leiden')
    >>> numbers_in_names(["k=8 (pca)", "k=16 (pca)"])
    ([8.0, 16.0], 'k (pca)')
    >>> numbers_in_names(["leiden", "louvain"])
    (None, 'labeling')
    """
    if len(names) < 2:
        return None, "labeling"
    if all(isinstance(x, int | float | np.number) and not isinstance(x, bool) for x in names):
        return _if_apart([float(x) for x in names]), "labeling"
    if not all(isinstance(x, str) for x in names):
        return None, "labeling"
    before = _PART_OF_NUMBER.sub("", _shared_start(names))
    rests = [x[len(before) :] for x in names]
    after = _shared_start([x[::-1] for x in rests])[::-1]
    after = re.sub(r"^[\d.]+", "", after)
    numbers = [x[: len(x) - len(after)] for x in rests]
    if not all(_NUMBER.fullmatch(x) for x in numbers):
        return None, "labeling"
    shared = " ".join(filter(None, [before.strip(" _-=:.,/"), after.strip(" _-=:.,/")]))
    return _if_apart(list(map(float, numbers))), shared or "labeling"


def _shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    return first[: next((i for i, x in enumerate(first) if last[i : i + 1] != x), len(first))]


def _if_apart(numbers: list[float]) -> list[float] | None:
    """The numbers, if they are finite and no two are the same."""
    return numbers if len(set(numbers)) == len(numbers) and all(map(math.isfinite, numbers)) else None


class _Numbers:
    """The scores of an evaluation as numbers, NaN where they are none."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.shown = evaluation.shown()
        self._intervals = dict(evaluation.intervals or {})

    def score(self, metric: Any) -> float:
        shown = self.shown.scores.get(metric)
        return math.nan if shown is None or not math.isfinite(shown.number) else shown.number

    def interval(self, metric: Any) -> tuple[float, float]:
        estimate = self._intervals.get(metric)
        return (math.nan, math.nan) if estimate is None else (float(plain(estimate.low)), float(plain(estimate.high)))


def _chosen(scores: Mapping[Any, NDArray], metrics: Any) -> list[Any]:
    """The names of the measures to draw."""
    known = [metric for metric, values in scores.items() if not np.isnan(values).all()]
    if metrics is None:
        shown = [x for x in known if shown_direction(x) == "higher" and np.nanmax(np.abs(scores[x])) <= 1.0 + 1e-9]
        if not shown:
            raise ValueError(
                "comparison must have a measure whose scores are from -1 to 1, higher ones better; others are to be "
                f"named in metrics, got {_listed(scores)}"
            )
        return shown[:_MOST_BY_DEFAULT]
    asked = [metrics] if _is_one(scores, metrics) else list(metrics)
    if not asked:
        raise ValueError("metrics must have at least one measure, got none")
    found = list(dict.fromkeys(_found(scores, metric) for metric in asked))
    if len(found) > _MOST_LINES:
        raise ValueError(f"metrics must be at most {_MOST_LINES}, to be told apart, got {len(found)}")
    if missing := [x for x in found if x not in known]:
        raise ValueError(f"metrics must be of single numbers, got {missing[0]!r}, which has none")
    return found


def _is_one(scores: Mapping[Any, NDArray], metrics: Any) -> bool:
    """Whether one measure is named, and not several: a tuple may be the key that a mapping gave to one."""
    if not isinstance(metrics, Iterable):
        raise TypeError(f"metrics must be names of measures of the comparison, got {metrics!r}")
    return isinstance(metrics, str) or (isinstance(metrics, tuple) and _is_key(scores, metrics))


def _is_key(scores: Mapping[Any, NDArray], metric: Any) -> bool:
    try:
        return metric in scores
    except TypeError:  # a list, or a tuple with one
        return False


def _found(scores: Mapping[Any, NDArray], metric: Any) -> Any:
    """The name that a measure has in the comparison."""
    from gpuval.evaluation.clustering.registry import SHORT_INTERNAL_NAMES, SHORT_NAMES

    if _is_key(scores, metric):
        return metric
    if isinstance(metric, str):
        short = metric.lower()
        full = SHORT_NAMES.get(short) or SHORT_INTERNAL_NAMES.get(short, short)
        if full in scores:
            return full
    raise ValueError(f"metrics must be measures of the comparison, {_listed(scores)}, got {metric!r}")


def _only_one(chosen: list[Any], metrics: Any) -> list[Any]:
    if metrics is not None and len(chosen) > 1:
        raise ValueError(f"metrics must be one measure of a comparison with by, got {len(chosen)}: {_listed(chosen)}")
    return chosen[:1]


def _listed(metrics: Any) -> str:
    names = [name_on_plot(x, 40) for x in metrics]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _write_legend(ax: Axes, handles: list[tuple[Any, str]], where: Literal["beside", "within"]) -> None:
    """The names of lines, if there are any, beside the axes, for which a figure of ours has room, or within them."""
    if not handles:
        return
    placed: dict[str, Any] = {"loc": "best"}
    if where == "beside":
        placed = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
    # Labels are written afterwards: matplotlib takes some, such as those that begin with "_", for its own.
    legend = ax.legend([x for x, _ in handles], [str(i) for i in range(len(handles))], fontsize="small", **placed)
    for text, (_, name) in zip(legend.get_texts(), handles, strict=True):
        text.set(text=name, **AS_IT_IS)
    legend.get_frame().set(facecolor=rcParams["axes.facecolor"], edgecolor="none", alpha=0.8)
