"""The scores of several integrations: methods in rows with their means as bars, or batch correction against bio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np

from gpuval.inputs.options import check_option
from gpuval.plots._axes import Axes, name_on_plot
from gpuval.plots._integration_parts import BATCH, BIO, TOTAL, DrawnTable, draw_scatter
from gpuval.results.integration import IntegrationScores
from gpuval.results.scores import plain

__all__ = ["IntegrationDisplay", "plot_integration"]

Scale = Literal["unit", "minmax"]
Kind = Literal["table", "scatter"]

_REFERENCE = "unintegrated"


class IntegrationDisplay:
    """The scores of several integrations, ranked by their totals; :func:`plot_integration` draws it.

    Make one with :meth:`from_scores`.

    Parameters
    ----------
    methods
        The names of the methods, in the order of the plot.
    values
        A mapping from the name of each score to its values, one for each method; NaN where it was left out.
    means
        The same for "Bio conservation", "Batch correction" and "Total".
    groups
        A mapping from "Bio conservation" and "Batch correction" to the names of their scores.
    low, high
        The ends of what the totals of repeats are within, one for each method; NaN without repeats.
    ranked
        Whether each method is ranked: those that are not have means of fewer scores than others.
    unintegrated
        The name of the method, if any, that the others are compared with: the last one.
    notes
        Why scores were left out, in sentences.
    scale
        "unit", or "minmax" if the values were rescaled.

    Attributes
    ----------
    methods, values, means, groups, low, high, ranked, unintegrated, notes, scale
        The parameters; numbers as NumPy arrays.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> scores = {
    ...     "PCA": gpuval.IntegrationScores({"cLISI": 1.0}, {"iLISI": 0.1}),
    ...     "scVI": gpuval.IntegrationScores({"cLISI": 0.9}, {"iLISI": 0.5}),
    ... }
    >>> display = gpuval.plots.IntegrationDisplay.from_scores(scores)
    >>> display.methods, display.means["Total"].round(2)
    (['scVI', 'PCA'], array([0.74, 0.64]))
    """

    ax_: Axes
    figure_: Any

    def __init__(
        self,
        methods: Sequence[Any],
        values: Mapping[str, Any],
        means: Mapping[str, Any],
        groups: Mapping[str, Sequence[str]],
        *,
        low: Any = None,
        high: Any = None,
        ranked: Sequence[bool] | None = None,
        unintegrated: Any = None,
        notes: Sequence[str] = (),
        scale: Scale = "unit",
    ) -> None:
        check_option("scale", scale, ("unit", "minmax"))
        self.methods, self.unintegrated = list(methods), unintegrated
        self.groups = {group: tuple(names) for group, names in groups.items()}
        self.values, self.means = (
            {name: np.asarray(x, dtype=float) for name, x in mapping.items()} for mapping in (values, means)
        )
        n = len(self.methods)
        self.low, self.high = (np.full(n, np.nan) if x is None else np.asarray(x, dtype=float) for x in (low, high))
        self.ranked = [True] * n if ranked is None else list(ranked)
        self.notes, self.scale = list(notes), scale
        if not n:
            raise ValueError("methods must be at least one, got none")
        for name, x in {**self.values, **self.means, "low": self.low, "high": self.high}.items():
            if x.shape != (n,):
                raise ValueError(f"values must be one for each of the {n} methods, got shape {x.shape} of {name!r}")
        if missing := [x for x in (TOTAL, BIO, BATCH) if x not in self.means]:
            raise ValueError(f"means must have {TOTAL!r}, {BIO!r} and {BATCH!r}, got none of {missing[0]!r}")
        if missing := [x for names in self.groups.values() for x in names if x not in self.values]:
            raise ValueError(f"groups must be of scores that values has, {list(self.values)!r}, got {missing[0]!r}")

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[Any, IntegrationScores | Sequence[IntegrationScores]],
        *,
        unintegrated: Any = None,
        scale: Scale = "unit",
    ) -> Self:
        """Take the scores of several methods, and rank these.

        Parameters
        ----------
        scores, unintegrated, scale
            As in :func:`plot_integration`.

        Returns
        -------
        IntegrationDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> one = gpuval.IntegrationScores({"cLISI": 1.0}, {"iLISI": 0.1})
        >>> gpuval.plots.IntegrationDisplay.from_scores({"a": one, "unintegrated": one}).unintegrated
        'unintegrated'
        """
        check_option("scale", scale, ("unit", "minmax"))
        repeats = _check_scores(scores)
        if unintegrated is None:
            unintegrated = next((x for x in repeats if isinstance(x, str) and x.lower() == _REFERENCE), None)
        elif unintegrated not in repeats:
            raise ValueError(f"unintegrated must be one of the methods, {[*repeats]!r}, got {unintegrated!r}")
        groups = _groups(repeats)
        names = [name for group in groups.values() for name in group]
        every = {method: [_numbers(x, names) for x in several] for method, several in repeats.items()}
        notes = _notes(repeats)
        if scale == "minmax":
            every, constant = _rescale(every, names)
            notes += [f"{name}: the same for all methods, and not rescaled" for name in constant]
        totals = {method: [_means(x, groups) for x in several] for method, several in every.items()}
        values = {name: np.asarray([_mean([x[name] for x in several]) for several in every.values()]) for name in names}
        means = {
            name: np.asarray([_mean([x[name] for x in several]) for several in totals.values()])
            for name in (TOTAL, BIO, BATCH)
        }
        counts = [name for name in names if not np.isnan(values[name]).all()]
        is_whole = [
            not any(np.isnan(x[name]) for x in several for name in counts) and not np.isnan(means[TOTAL][i])
            for i, several in enumerate(every.values())
        ]
        methods = list(repeats)
        order = sorted(
            range(len(methods)),
            key=lambda i: (methods[i] == unintegrated, not is_whole[i], _falling(float(means[TOTAL][i]))),
        )
        spans = np.asarray([_span([x[TOTAL] for x in totals[methods[i]]]) for i in order])
        return cls(
            [methods[i] for i in order],
            {name: x[order] for name, x in values.items()},
            {name: x[order] for name, x in means.items()},
            groups,
            low=spans[:, 0],
            high=spans[:, 1],
            ranked=[is_whole[i] for i in order],
            unintegrated=unintegrated,
            notes=notes,
            scale=scale,
        )

    def plot(self, ax: Any = None, *, width: float | None = None, kind: Kind = "table") -> Self:
        """Draw the methods.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        width
            The width of a new figure in inches.
        kind
            As in :func:`plot_integration`.

        Returns
        -------
        IntegrationDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        check_option("kind", kind, ("table", "scatter"))
        self.ax_ = draw_scatter(self, ax, width) if kind == "scatter" else DrawnTable(self).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_integration(
    scores: Mapping[Any, IntegrationScores | Sequence[IntegrationScores]],
    *,
    unintegrated: Any = None,
    scale: Scale = "unit",
    kind: Kind = "table",
    ax: Any = None,
) -> Axes:
    """Plot the scores of several integrations: a row for each method, the highest total first.

    Bars are the total and the means of both groups, cells are the scores. Bars and the colours of cells go from 0 to 1
    whatever the scores are, so a small difference looks small. The best scores of a column are bold and have a frame. A
    score that was left out is "–", with the reason below. The means of a method that has fewer scores than others are
    not comparable with theirs: they have a dagger and hollow bars, and the method stands below those that are ranked.

    With more than 20 methods, or where there is no room, there are bars only.

    Parameters
    ----------
    scores
        A mapping from the names of the methods to their scores, as :func:`gpuval.integration_scores` and
        :func:`gpuval.anndata.integration_scores` return them. Or to a sequence of the scores of repeats: then the bars
        and cells are means, and a line is from the lowest to the highest total.
    unintegrated
        The name of the method that is no integration, to which others are compared: it is the last row, on grey
        ground, and a line at its value goes through the bars. By default the one that is called "unintegrated", if any.
    scale
        "unit" draws the scores as they are. "minmax" rescales each score so that the lowest method has 0 and the
        highest 1, as scib-metrics does, and the title says so: small differences look large then.
    kind
        "table", or "scatter" for batch correction (x) against bio conservation (y), with lines of equal totals.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of methods.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If ``scores`` is no mapping of such scores, or empty; if ``unintegrated`` is none of its names; if other
        arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> scores = {
    ...     "PCA": gpuval.IntegrationScores({"cLISI": 1.0}, {"iLISI": 0.1}),
    ...     "scVI": gpuval.IntegrationScores({"cLISI": 0.9}, {"iLISI": 0.5}),
    ... }
    >>> ax = gpuval.plots.plot_integration(scores, unintegrated="PCA")
    >>> [text.get_text() for text in ax.texts if text.get_text() in scores]
    ['scVI', 'PCA']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    check_option("kind", kind, ("table", "scatter"))
    display = IntegrationDisplay.from_scores(scores, unintegrated=unintegrated, scale=scale)
    return display.plot(ax, kind=kind).ax_


def _check_scores(scores: Any) -> dict[Any, list[IntegrationScores]]:
    """The scores of each method as a list of those of its repeats."""
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores must be a mapping from methods to IntegrationScores, got {type(scores).__name__}")
    if not scores:
        raise ValueError("scores must be of at least one method, got none")
    repeats = {}
    for method, of_method in scores.items():
        several = [of_method] if isinstance(of_method, IntegrationScores) else of_method
        if not isinstance(several, Sequence) or not several or isinstance(several, str):
            raise TypeError(
                f"scores[{method!r}] must be IntegrationScores, or those of at least one repeat, got {of_method!r}"
            )
        if wrong := [x for x in several if not isinstance(x, IntegrationScores)]:
            raise TypeError(f"scores[{method!r}] must be IntegrationScores, got {type(wrong[0]).__name__}")
        repeats[method] = list(several)
    return repeats


def _groups(repeats: Mapping[Any, Sequence[IntegrationScores]]) -> dict[str, tuple[str, ...]]:
    """The names of the scores of each group, over all methods."""
    groups: dict[str, list[str]] = {BIO: [], BATCH: []}
    for scores in (x for several in repeats.values() for x in several):
        for group, names in scores.groups.items():
            groups[group] += [x for x in names if x not in groups[group]]
    return {group: tuple(names) for group, names in groups.items()}


def _numbers(scores: IntegrationScores, names: Sequence[str]) -> dict[str, float]:
    """The scores as numbers, NaN for those that do not count."""
    counts = {x for x in scores if x not in scores.left_out}
    return {name: float(plain(scores[name])) if name in counts else np.nan for name in names}


def _means(numbers: Mapping[str, float], groups: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """The means of the groups and the total."""
    bio, batch = ({x: numbers[x] for x in groups[group] if not np.isnan(numbers[x])} for group in (BIO, BATCH))
    found = IntegrationScores(bio, batch)
    return {name: float(plain(found[name])) for name in (TOTAL, BIO, BATCH)}


def _rescale(
    every: Mapping[Any, Sequence[Mapping[str, float]]], names: Sequence[str]
) -> tuple[dict[Any, list[dict[str, float]]], list[str]]:
    """The scores, each with 0 for its lowest value and 1 for its highest, and the scores that are constant."""
    lows, spans = {}, {}
    for name in names:
        values = [x[name] for several in every.values() for x in several if not np.isnan(x[name])]
        lows[name], spans[name] = (min(values), max(values) - min(values)) if values else (0.0, 1.0)
    constant = [name for name in names if not spans[name]]
    rescaled = {
        method: [
            {name: (x[name] - lows[name]) / spans[name] if spans[name] else np.nan for name in names} for x in several
        ]
        for method, several in every.items()
    }
    return rescaled, constant


def _notes(repeats: Mapping[Any, Sequence[IntegrationScores]]) -> list[str]:
    """Why scores were left out, and of which methods, if not of all."""
    of_reasons: dict[tuple[str, str], list[Any]] = {}
    for method, several in repeats.items():
        for of_score in dict.fromkeys(item for x in several for item in x.left_out.items()):
            of_reasons.setdefault(of_score, []).append(method)
    by_text: dict[tuple[str, tuple[Any, ...]], list[str]] = {}
    for (name, reason), methods in of_reasons.items():
        by_text.setdefault((reason, tuple(methods)), []).append(name_on_plot(name))
    return [
        ", ".join(names) + _of(methods, len(repeats)) + f": {name_on_plot(reason, 120)}"
        for (reason, methods), names in by_text.items()
    ]


def _of(methods: Sequence[Any], n_methods: int) -> str:
    """Which methods something is of, if not of all."""
    if len(methods) == n_methods:
        return ""
    names = [name_on_plot(x) for x in methods[:3]]
    return " of " + ", ".join(names) + (f" and {len(methods) - 3} more" if len(methods) > 3 else "")


def _mean(numbers: Sequence[float]) -> float:
    """The mean of those that are not NaN, which is NaN if there are none."""
    values = [x for x in numbers if not np.isnan(x)]
    return float(np.mean(values)) if values else np.nan


def _falling(total: float) -> float:
    """What sorts totals from the highest to the lowest, and NaN last."""
    return np.inf if np.isnan(total) else -total


def _span(totals: Sequence[float]) -> tuple[float, float]:
    """The lowest and the highest total of repeats; NaN for a single one."""
    values = [x for x in totals if not np.isnan(x)]
    return (min(values), max(values)) if len(values) > 1 else (np.nan, np.nan)
