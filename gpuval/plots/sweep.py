"""The scores of several labelings, such as those of a sweep over a parameter, a line for each measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Any, Self

import numpy as np

from gpuval.inputs.options import as_number, check_flag, check_option
from gpuval.measures.measure import Direction
from gpuval.plots._axes import Axes, name_on_plot
from gpuval.plots._sweep_drawing import DrawnSweep, Spacing
from gpuval.plots._sweep_parts import (
    NumbersOf,
    check_directions,
    check_ends,
    check_lines,
    check_numbers,
    measures_to_draw,
    name_of_line,
    numbers_in_names,
)
from gpuval.results.columns import head_of_column, is_one_sided
from gpuval.results.evaluations import Comparison
from gpuval.results.inferences import BestLabeling
from gpuval.results.texts import common_direction, common_measure

__all__ = ["SweepDisplay", "plot_sweep"]


class SweepDisplay:
    """Lines of the scores of several labelings, one line for each measure; :func:`plot_sweep` draws it.

    Parameters
    ----------
    names
        The names of the labelings, in the order of the plot.
    scores
        A mapping from the name of each line to its scores, one for each labeling; NaN if a labeling has no score.
    numbers
        The numbers by which the names differ; None if they differ by something else.
    low, high
        The ends of the intervals: mappings from the names of the lines to arrays like the scores. Lines without
        intervals are left out.
    expected
        A mapping from names of lines to what chance gives at each labeling, arrays like the scores: thin dashed lines.
    directions
        A mapping from the name of each line to "higher" or "lower", the better scores, or "" if that is not known.
    best_sets
        A mapping from the names of lines to the places of the labelings that are not told apart from the best one,
        which is among them.
    line_names
        A mapping from the names of lines to what is written at their ends.
    short_names
        The same where there is little room.
    halves
        The lines of measures such as homogeneity, whose scores go up or down with the number of clusters.
    n_clusters
        The number of clusters of each labeling.
    n_classes
        The number of classes.
    axis_name, score_name
        The names of the axes.
    confidence_level
        The level of the intervals, if there are any.

    Attributes
    ----------
    names, scores, numbers, low, high, expected, directions, best_sets, line_names, short_names, halves, n_clusters, \
    n_classes, axis_name, score_name, confidence_level
        The parameters; scores, ends and what is expected as NumPy arrays.
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
    >>> display.best, display.n_clusters, display.n_classes
    ({'adjusted_rand_score': 0}, [2, 3], 2)
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
        expected: Mapping[Any, Any] | None = None,
        directions: Mapping[Any, Direction] | None = None,
        best_sets: Mapping[Any, Sequence[int]] | None = None,
        line_names: Mapping[Any, str] | None = None,
        short_names: Mapping[Any, str] | None = None,
        halves: Sequence[Any] = (),
        n_clusters: Sequence[float] | None = None,
        n_classes: int | None = None,
        axis_name: str = "labeling",
        score_name: str = "score",
        confidence_level: float | None = None,
    ) -> None:
        self.names = list(names)
        self.scores, self.low, self.high, self.expected = (
            {line: np.asarray(x, dtype=float) for line, x in (given or {}).items()}
            for given in (scores, low, high, expected)
        )
        self.numbers = None if numbers is None else [as_number("numbers", x) for x in numbers]
        self.directions = dict(directions or {})
        self.best_sets = {line: tuple(places) for line, places in (best_sets or {}).items()}
        self.line_names = {line: (line_names or {}).get(line, name_on_plot(line, 32)) for line in self.scores}
        self.short_names = dict(short_names or {})
        self.halves = tuple(halves)
        self.n_clusters, self.n_classes = None if n_clusters is None else list(n_clusters), n_classes
        self.axis_name, self.score_name, self.confidence_level = axis_name, score_name, confidence_level
        check_lines(self.names, self.scores, ("low", self.low), ("high", self.high), ("expected", self.expected))
        check_ends(self.low, self.high)
        check_directions(self.directions, self.scores)
        if self.numbers is not None:
            check_numbers(self.names, self.numbers)
        if self.n_clusters is not None and len(self.n_clusters) != len(self.names):
            raise ValueError(
                f"n_clusters must be one for each of the {len(self.names)} names, got {len(self.n_clusters)}"
            )
        self.best = {line: place for line in self.scores if (place := self._best_of(line)) is not None}

    def _best_of(self, line: Any) -> int | None:
        direction, values = self.directions.get(line, ""), self.scores[line]
        if line in self.best_sets:  # by the samples that labelings have in common, the best one is the first
            return self.best_sets[line][0]
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
        chosen = measures_to_draw(comparison, [x for _, x in evaluations], metrics)
        if not is_by:
            lines = {metric: [(name, x, metric) for name, x in evaluations] for metric in chosen}
            names = list(comparison)
        else:
            (metric,) = chosen
            values = dict.fromkeys(name[1] for name, _ in evaluations)
            lines = {v: [(name[0], x, metric) for name, x in evaluations if name[1] == v] for v in values}
            names = list(dict.fromkeys(name[0] for name in comparison))
        best = _best_of_lines(comparison, lines)
        numbers, axis_name = numbers_in_names(names)
        if comparison.levels == ("by",) and axis_name == "labeling":
            axis_name = "value"
        if numbers is not None:
            order = np.argsort(numbers, kind="stable").tolist()
            names, numbers = [names[i] for i in order], [numbers[i] for i in order]
        measures = {metric: common_measure(metric, [x.shown() for x in comparison.values()]) for metric in chosen}
        return cls(
            names,
            **_scores_of(lines, names, best, has_groups="by" in comparison.levels),
            numbers=numbers,
            best_sets={
                line: [names.index(name) for name in x.best_set if name in names]
                for line, x in best.items()
                if x is not None and x.gaps is not None
            },
            line_names={} if is_by else {metric: name_of_line(metric, measures[metric]) for metric in chosen},
            short_names={} if is_by else {metric: head_of_column(metric, measures[metric]) for metric in chosen},
            halves=[] if is_by else [metric for metric in chosen if is_one_sided(measures[metric])],
            **_counts_of(comparison, names),
            axis_name=axis_name,
            score_name=name_of_line(chosen[0], measures[chosen[0]]) if len(chosen) == 1 else "score",
        )

    def plot(self, ax: Any = None, *, width: float | None = None, counts: bool = True, x: Spacing = "equal") -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure. Labelings are at 0, 1, 2, ... along x,
            if ``x`` is "equal", so that axes of :class:`gpuval.plots.TreeDisplay` can share the x axis.
        width
            The width of a new figure in inches.
        counts, x
            As in :func:`plot_sweep`.

        Returns
        -------
        SweepDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        check_flag("counts", counts)
        check_option("x", x, ("equal", "number"))
        self.ax_ = DrawnSweep(self, x, counts).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_sweep(
    comparison: Comparison,
    metrics: Any = None,
    *,
    counts: bool = True,
    x: Spacing = "equal",
    ax: Any = None,
) -> Axes:
    """Plot the scores of several labelings, such as those of a sweep over a resolution, with a line for each measure.

    If the names of the labelings are numbers, or differ by a number only, such as "leiden_0.4" and "leiden_1.0", they
    go by that number. Otherwise, and if the names are versions, dates, fractions or something else that may be no
    single number, the labelings are in their order, and their scores are dots: lines would say that one leads to the
    next.

    Each line has its name at its end. A ring with its value is the best score of a line. With ``confidence_level`` in
    the comparison, filled markers are labelings that are not told apart from the best one, and hollow ones are those
    behind; bands are the intervals of the first three measures. Measures such as homogeneity and completeness, which
    go up or down with the number of clusters, are thin grey dashes without a ring. More than six lines, and measures
    of several scales, have a panel each.

    A comparison with ``by`` has a line for each value, of a single measure; with more than 24 values, these are faint,
    with their median. A labeling with fewer than 30 samples of a value, or with fewer than two classes of at least
    five, has no interval there, and no ring. If only one labeling was evaluated with ``by``, the values are along the x
    axis, and none has a ring.

    Parameters
    ----------
    comparison
        The result of :func:`gpuval.compare`, or of :func:`gpuval.evaluate` with ``by``.
    metrics
        One measure of the comparison or several: full or short names, or the keys of the mapping that defined them. By
        default those by which its verdict is given: AMI, ARI and NCA, as far as they are there, else the first three
        that are better one way; with ``by`` the first of these. Measures without a finite score are left out.
    counts
        Whether bars below the lines show the number of clusters of each labeling, and a line the number of classes.
    x
        "equal" for labelings at equal distances, or "number" for places at their numbers. That axis is logarithmic if
        the numbers are positive, the largest is at least 50 times the smallest, and half of them are far below the
        largest.
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
        has names that the comparison does not have, more than 24 names, or several names with ``by``; if ``x`` is
        "number" and the labelings have none.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> labelings = {"res_0.5": [0, 0, 1, 1], "res_1.0": [0, 1, 2, 2]}
    >>> ax = gpuval.plots.plot_sweep(gpuval.compare([0, 0, 1, 1], labelings), "ari")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('res', 'ARI')
    >>> matplotlib.pyplot.close(ax.figure)
    """
    return SweepDisplay.from_comparison(comparison, metrics).plot(ax, counts=counts, x=x).ax_


_Lines = Mapping[Any, Sequence[tuple[Any, NumbersOf, Any]]]
"""The name of each line, and the name, the scores and the measure of each of its labelings."""


def _scores_of(lines: _Lines, names: Sequence[Any], best: Container[Any], *, has_groups: bool) -> dict[str, Any]:
    """The scores of lines, the level, the directions of those that have a best one, and the ends of intervals.

    In groups scores of few samples have no interval.
    """
    place = {name: i for i, name in enumerate(names)}
    scores, low, high = ({line: np.full(len(names), np.nan) for line in lines} for _ in range(3))
    directions = {}
    for line, of_line in lines.items():
        for name, evaluation, metric in of_line:
            scores[line][place[name]] = evaluation.score(metric)
            if not (has_groups and evaluation.is_small):
                low[line][place[name]], high[line][place[name]] = evaluation.interval(metric)
        if line in best:
            directions[line] = common_direction(of_line[0][2], [evaluation for _, evaluation, _ in of_line])
    known = [line for line in lines if not np.isnan(low[line]).all()]
    levels = (x.level for of_line in lines.values() for _, x, _ in of_line if x.level is not None)
    return {
        "scores": scores,
        "low": {line: low[line] for line in known},
        "high": {line: high[line] for line in known},
        "directions": directions,
        "confidence_level": next(levels, None) if known else None,
    }


def _best_of_lines(comparison: Comparison, lines: _Lines) -> dict[Any, BestLabeling | None]:
    """The lines that have a best labeling, and which it is, where several were compared.

    Groups of samples have none among each other, and none within each if the best labeling has few samples there.
    """
    known, found = comparison.best, {}
    for line, of_line in lines.items():
        metric = of_line[0][2]
        if comparison.levels == ("labeling",):
            found[line] = known.get(metric)
        elif (best := known.get((metric, line))) is not None:
            is_small = {name: x.is_small for name, x, _ in of_line}
            if not is_small[best.name]:
                found[line] = best
    return found


def _counts_of(comparison: Comparison, names: Sequence[Any]) -> dict[str, Any]:
    """The number of clusters of each labeling, and the number of classes of most."""
    if comparison.levels != ("labeling",):
        return {}
    counts = [comparison[name].counts for name in names]
    if any(x is None or x.get("n_clusters") is None for x in counts):
        return {}
    n_classes = Counter(x["n_classes"] for x in counts if x and x.get("n_classes"))
    return {
        "n_clusters": [int(x["n_clusters"]) for x in counts if x],
        "n_classes": int(n_classes.most_common(1)[0][0]) if n_classes else None,
    }
