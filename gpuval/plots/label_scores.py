"""The scores of single classes or clusters: a dot for each, as large as it has samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np

from gpuval.display.colors import OTHERS
from gpuval.engines.backends import to_host
from gpuval.inputs.options import check_option
from gpuval.measures.label_scores import BestClassScores, ClassScores, ClusterScores, LabelScores
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes
from gpuval.plots._label_scores_drawing import LabelScoresDrawing
from gpuval.plots._tables import TableDisplay, check_most_labels
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_on_host

__all__ = ["LabelScoresDisplay", "plot_label_scores"]

Order = Literal["score", "size", "matched"]

_KINDS = {ClassScores: "class", BestClassScores: "cluster", ClusterScores: "cluster", LabelScores: "label"}

_MOST = 60
"""Labels that are all shown."""
_WORST, _LARGEST = 30, 10
"""How many of more are shown: those with the lowest scores, and the largest of the others."""
_MOST_IN_A_TABLE = 500
"""The largest labels of each side, of which main classes and the matched order are of interest."""


class LabelScoresDisplay:
    """Dots of the scores of single labels; :func:`plot_label_scores` draws it.

    Parameters
    ----------
    labels
        The labels that are shown, from top to bottom.
    scores
        The score of each label, shape (n_labels,).
    kind
        What a label is, such as "class": the name of the axis.
    sizes
        The number of samples of each label, shape (n_labels,).
    low, high
        The ends of an interval of each score, shape (n_labels,).
    main_classes
        The name of the class that most samples of each label belong to.
    colors
        The colour of each label, in hexadecimal digits.
    mean
        The mean of the scores of all labels, weighted by their numbers of samples.
    n_more
        How many further labels are not shown.
    gap
        Before which of the labels that are shown these are; by default they are after all.

    Attributes
    ----------
    labels, scores, kind, sizes, low, high, main_classes, colors, mean, n_more, gap
        The parameters; numbers as NumPy arrays, or None.
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

    def __init__(
        self,
        labels: Any,
        scores: Any,
        *,
        kind: str = "label",
        sizes: Any = None,
        low: Any = None,
        high: Any = None,
        main_classes: Any = None,
        colors: Any = None,
        mean: float | None = None,
        n_more: int = 0,
        gap: int | None = None,
    ) -> None:
        self.labels = list(labels)
        self.kind, self.mean, self.n_more = kind, mean, n_more
        self.gap = len(self.labels) if gap is None else gap
        self.scores = self._numbers("scores", scores)
        self.sizes: NDArray | None = None if sizes is None else self._numbers("sizes", sizes)
        if (low is None) != (high is None):
            raise ValueError(f"low and high must be given together, got only {'low' if high is None else 'high'}")
        self.low = None if low is None else self._numbers("low", low)
        self.high = None if high is None else self._numbers("high", high)
        self.main_classes: list[Any] | None = None if main_classes is None else list(main_classes)
        self.colors: list[str] | None = None if colors is None else list(colors)
        for name, texts in (("main_classes", self.main_classes), ("colors", self.colors)):
            if texts is not None and len(texts) != len(self.labels):
                raise ValueError(f"{name} must be one for each of the {len(self.labels)} labels, got {len(texts)}")

    def _numbers(self, name: str, values: Any) -> NDArray:
        found = np.asarray(values, dtype=float)
        if found.shape != (len(self.labels),):
            raise ValueError(f"{name} must be one for each of the {len(self.labels)} labels, got shape {found.shape}")
        return found

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        table: Contingency | None = None,
        *,
        order: Order = "score",
        max_labels: int | None = None,
        low: Any = None,
        high: Any = None,
        colors: Mapping[Any, str] | None = None,
    ) -> Self:
        """Sort scores, and look up what the table says of their labels.

        Parameters
        ----------
        scores, table, order, max_labels, low, high, colors
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
        check_option("order", order, ("score", "size", "matched"))
        kind = _KINDS.get(type(scores))
        if kind is None:
            raise TypeError(
                "scores must be those of classes or clusters, such as gpuval.cluster_precision gives, got "
                f"{type(scores).__name__}"
            )
        labels, values = to_host(scores[0]), to_host(scores.scores)
        values = values.astype(float)
        if values.ndim != 1:
            raise ValueError(f"scores must be those of a single table, got a batch of shape {values.shape[:-1]}")
        if not len(values):
            raise ValueError("scores must be of at least one label, got none")
        whole = cls(labels.tolist(), values, kind=kind, low=low, high=high)
        if table is not None:
            places = whole._look_up(table, colors)
        elif order != "score":
            raise ValueError(f"table must be given for order={order!r}, got None")
        else:
            places = np.zeros(len(values))
        keys = {"score": values, "size": values if whole.sizes is None else -whole.sizes, "matched": places}
        return whole._shown(np.argsort(keys[order], kind="stable"), most)  # NaN is after all others

    def _look_up(self, table: Contingency, colors: Mapping[Any, str] | None) -> NDArray:
        """Take sizes, main classes and colours from the table; the place of each label in its matched order."""
        if not isinstance(table, Contingency):
            raise TypeError(f"table must be a Contingency, got {type(table).__name__}")
        shown = TableDisplay._of_table(table, _MOST_IN_A_TABLE, colors=colors)
        table = table.compact()
        is_class = self.kind == "class"
        names, sizes = (table.classes, table.class_sizes) if is_class else (table.clusters, table.cluster_sizes)
        size_of = dict(zip(labels_on_host(names).tolist(), to_host(sizes).tolist(), strict=True))
        if lacking := [label for label in self.labels if label not in size_of]:
            raise ValueError(f"table must have a {self.kind} for each label of scores, got none for {lacking[0]!r}")
        self.sizes = np.asarray([size_of[label] for label in self.labels], dtype=float)
        in_order = shown.classes if is_class else shown.clusters
        color_of = dict(zip(in_order, shown.colors_shown()[0 if is_class else 1], strict=False))
        self.colors = [color_of.get(label, OTHERS) for label in self.labels]
        if not is_class:
            main_of = dict(zip(in_order, shown.main_class_names(), strict=True))
            self.main_classes = [main_of.get(label, "") for label in self.labels]
        known = np.isfinite(self.scores) & (self.sizes > 0)
        if known.any():
            self.mean = float(np.average(self.scores[known], weights=self.sizes[known]))
        place_of = {label: place for place, label in enumerate(in_order)}
        return np.asarray([place_of.get(label, len(in_order)) for label in self.labels], dtype=float)

    def _shown(self, order: NDArray, most: int | None) -> Self:
        """The labels in this order that are shown: the first, or, if no number is given, the worst and the largest."""
        gap = None
        if most is None and len(order) > _MOST:
            gap = _WORST
            sizes = np.zeros(len(order)) if self.sizes is None else self.sizes[order]
            by_score = np.argsort(self.scores[order], kind="stable")
            worst, others = by_score[:_WORST], by_score[_WORST:]
            largest = others[np.argsort(-sizes[others], kind="stable")[:_LARGEST]]
            chosen = order[np.concatenate([np.sort(worst), np.sort(largest)])]
        else:
            chosen = order[:most]
        numbers = {
            name: None if (values := getattr(self, name)) is None else values[chosen]
            for name in ("sizes", "low", "high")
        }
        texts = {
            name: None if (values := getattr(self, name)) is None else [values[i] for i in chosen.tolist()]
            for name in ("main_classes", "colors")
        }
        return type(self)(
            [self.labels[i] for i in chosen.tolist()],
            self.scores[chosen],
            kind=self.kind,
            mean=self.mean,
            n_more=len(order) - len(chosen),
            gap=gap,
            **numbers,
            **texts,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        score_name: str = "score",
        mean_name: str = "mean",
        width: float | None = None,
        unit: str = "samples",
    ) -> Self:
        """Draw the dots.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        score_name, mean_name
            As in :func:`plot_label_scores`.
        width
            The width of a new figure in inches, from 2.8 to 13; 7 by default.
        unit
            What the samples are called, such as "cells".

        Returns
        -------
        LabelScoresDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        self.ax_ = LabelScoresDrawing(self, score_name, mean_name, unit).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_label_scores(
    scores: Any,
    table: Contingency | None = None,
    *,
    order: Order = "score",
    max_labels: int | None = None,
    low: Any = None,
    high: Any = None,
    score_name: str = "score",
    mean_name: str = "mean",
    ax: Any = None,
    colors: Mapping[Any, str] | None = None,
) -> Axes:
    """Plot the score of each class or cluster as a dot, the lowest score first.

    With the table, the area of a dot is proportional to the number of samples, very small ones are enlarged, and
    columns beside the dots are the score, the number of samples and, for clusters, the main class, to which most of
    their samples belong. Labels of fewer than 20 samples are hollow, and their number has a triangle. A dashed line is
    the mean of all labels, weighted by their numbers of samples. A class has the same colour in all plots, by its size;
    a cluster has a shade of that of its main class.

    Parameters
    ----------
    scores
        The scores of a single table, as :func:`gpuval.cluster_precision`, :func:`gpuval.cluster_recall`,
        :func:`gpuval.class_adjusted_wallace_scores` and similar functions return them.
    table
        The :class:`gpuval.Contingency` that the scores are of.
    order
        "score" for the lowest score first, "size" for the largest label first, or "matched" for the order in
        :func:`plot_confusion`; the last two need the table. NaN scores are after all others, and have no dot.
    max_labels
        How many labels are shown: the first ones in this order. By default all are, if there are up to 60; of more the
        30 with the lowest scores, and the 10 largest of the others. A line says how many more there are.
    low, high
        The ends of an interval of each score, shape (n_labels,), in the order of ``scores``: they are drawn as a line.
    score_name
        The name of the score, for the axis.
    mean_name
        The name of the weighted mean, such as "purity", which is that of precisions.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of labels.
    colors
        The colours of classes in hexadecimal digits, such as ``{"B cell": "#0072B2"}``; others are grey.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If ``scores`` are not those of labels, are those of a batch of tables, or have no labels; if the table lacks one
        of them; if other arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> table = gpuval.Contingency.from_labels([0, 0, 1], ["u", "v", "v"])
    >>> ax = gpuval.plots.plot_label_scores(gpuval.cluster_precision(table), table, score_name="precision")
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['v', 'u']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = LabelScoresDisplay.from_scores(
        scores, table, order=order, max_labels=max_labels, low=low, high=high, colors=colors
    )
    return display.plot(ax, score_name=score_name, mean_name=mean_name).ax_
