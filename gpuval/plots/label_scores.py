"""Bars of the scores of single classes or clusters."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from gpuval.display.colors import CATEGORIES
from gpuval.engines.backends import to_host
from gpuval.inputs.options import check_option
from gpuval.measures.label_scores import ClassScores, ClusterScores, LabelScores
from gpuval.plots._axes import (
    SMALLEST_SIZE,
    Axes,
    axes_to_draw_on,
    draw_text,
    label_ticks,
    name_axes,
    name_on_plot,
    points_along,
    score_text,
    size_of_text,
    width_in_points,
)
from gpuval.plots._tables import check_most_labels

__all__ = ["LabelScoresDisplay", "plot_label_scores"]

Order = Literal["lowest", "highest", "label"]

_KINDS = {ClassScores: "class", ClusterScores: "cluster", LabelScores: "label"}


class LabelScoresDisplay:
    """Bars of the scores of single labels; :func:`plot_label_scores` draws it.

    Parameters
    ----------
    labels
        The labels that are shown, from top to bottom.
    scores
        The score of each label, shape (n_labels,).
    kind
        What a label is, such as "class": the name of the axis.
    n_more
        How many further labels are not shown.

    Attributes
    ----------
    labels, scores, kind, n_more
        The parameters; scores as a NumPy array, labels as a list.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> scores = gpuval.cluster_precision([0, 0, 1], ["u", "v", "v"])
    >>> display = gpuval.plots.LabelScoresDisplay.from_scores(scores)
    >>> display.labels, display.scores
    (['v', 'u'], array([0.5, 1. ]))
    """

    ax_: Axes
    figure_: Any

    def __init__(self, labels: Any, scores: Any, *, kind: str = "label", n_more: int = 0) -> None:
        self.labels = list(labels)
        self.scores = np.asarray(scores, dtype=float)
        self.kind, self.n_more = kind, n_more
        if self.scores.shape != (len(self.labels),):
            raise ValueError(
                f"scores must be one for each of the {len(self.labels)} labels, got shape {self.scores.shape}"
            )

    @classmethod
    def from_scores(cls, scores: Any, *, order: Order = "lowest", max_labels: int | None = 40) -> Self:
        """Sort scores, and keep the first ones.

        Parameters
        ----------
        scores, order, max_labels
            As in :func:`plot_label_scores`.

        Returns
        -------
        LabelScoresDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> scores = gpuval.cluster_recall([0, 0, 1], [0, 1, 2])
        >>> gpuval.plots.LabelScoresDisplay.from_scores(scores, max_labels=2).n_more
        1
        """
        most = check_most_labels(max_labels)
        check_option("order", order, ("lowest", "highest", "label"))
        kind = _KINDS.get(type(scores))
        if kind is None:
            raise TypeError(
                "scores must be those of classes or clusters, such as gpuval.cluster_precision gives, got "
                f"{type(scores).__name__}"
            )
        labels, values = (to_host(x) for x in scores)
        values = values.astype(float)
        if values.ndim != 1:
            raise ValueError(f"scores must be those of a single table, got a batch of shape {values.shape[:-1]}")
        if not len(values):
            raise ValueError("scores must be of at least one label, got none")
        keys = {"lowest": values, "highest": -values, "label": np.arange(len(values))}
        shown = np.argsort(keys[order], kind="stable")[:most]  # NaN is after all others
        return cls(labels[shown].tolist(), values[shown], kind=kind, n_more=len(values) - len(shown))

    def plot(self, ax: Any = None, *, score_name: str = "score") -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        score_name
            The name of the score.

        Returns
        -------
        LabelScoresDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        names = [*map(name_on_plot, self.labels), *[f"({self.n_more} more)"] * (self.n_more > 0)]
        ax = axes_to_draw_on(ax, 5.0 + width_in_points(names, 9.0) / 72, 1.1 + 0.23 * len(names))
        places = np.arange(len(self.labels))
        scores = np.nan_to_num(self.scores, nan=0.0, posinf=0.0, neginf=0.0)
        ax.barh(places, scores, height=0.72, color=CATEGORIES[0])
        ax.set_ylim(len(names) - 0.4, -0.6)
        low, high = scores.min(initial=0.0), scores.max(initial=0.0)
        if low >= -1 and high <= 1:
            low, high = (-1.0 if low < -0.5 else low), 1.0
        size = 0.85 * size_of_text("font.size")
        beside = min(
            max(1.6 * width_in_points(map(score_text, self.scores.tolist()), size) / points_along(ax, "x"), 0.1), 0.4
        )
        beside *= (high - low) or 1.0
        ax.set_xlim(low - beside * (low < 0), high + beside)
        self._write_scores(ax, places, scores)
        ax.axvline(0.0, color=ax.spines["left"].get_edgecolor(), linewidth=0.8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        label_ticks(ax.yaxis, range(len(names)), names, keeps_last=self.n_more > 0)
        name_axes(ax, name_on_plot(score_name, 60), name_on_plot(self.kind))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _write_scores(self, ax: Axes, places: Any, ends: Any) -> None:
        """The numbers at the ends of the bars, if there is room."""
        room = points_along(ax, "y") / (len(places) + 1)
        size = min(0.85 * size_of_text("font.size"), 0.8 * room)
        if size < SMALLEST_SIZE:
            return
        away = 0.008 * (ax.get_xlim()[1] - ax.get_xlim()[0])
        for place, score, end in zip(places.tolist(), self.scores.tolist(), ends.tolist(), strict=True):
            is_left = end < 0
            x = end - away if is_left else end + away
            draw_text(ax, x, place, score_text(score), ha="right" if is_left else "left", va="center", fontsize=size)


def plot_label_scores(
    scores: Any,
    *,
    order: Order = "lowest",
    max_labels: int | None = 40,
    score_name: str = "score",
    ax: Any = None,
) -> Axes:
    """Plot the score of each class or cluster as horizontal bars, the lowest score first.

    Parameters
    ----------
    scores
        The scores of a single table, as :func:`gpuval.cluster_precision`, :func:`gpuval.cluster_recall`,
        :func:`gpuval.class_adjusted_wallace_scores` and similar functions return them.
    order
        "lowest" for the lowest score first, "highest" for the highest score first, or "label" for the order of the
        labels. NaN scores are last, and have no bar.
    max_labels
        How many labels are shown: the first ones in this order. A line says how many more there are. None shows all.
    score_name
        The name of the score, for the axis.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of labels.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If ``scores`` are not those of labels, are those of a batch of tables, or have no labels; if other arguments are
        not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> scores = gpuval.cluster_precision([0, 0, 1], ["u", "v", "v"])
    >>> ax = gpuval.plots.plot_label_scores(scores, score_name="precision")
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['v', 'u']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = LabelScoresDisplay.from_scores(scores, order=order, max_labels=max_labels)
    return display.plot(ax, score_name=score_name).ax_
