"""A table as a heatmap, its classes and clusters in the order in which they match."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from gpuval.inputs.options import check_option
from gpuval.numerics import NDArray
from gpuval.plots._common.axes import Axes, axes_to_draw_on
from gpuval.plots._common.heatmaps import draw_heatmap, size_of_heatmap
from gpuval.plots._common.tables import TableDisplay
from gpuval.table.contingency import Contingency

__all__ = ["ConfusionDisplay", "plot_confusion"]

Normalize = Literal["true", "pred", "all"] | None

_MEANINGS = {"true": "share of the class", "pred": "share of the cluster", "all": "share of all {}", None: "{}"}


class ConfusionDisplay(TableDisplay):
    """How many samples classes and clusters share, as a heatmap; what :func:`plot_confusion` draws.

    Make one with :meth:`from_labels` or :meth:`from_table`, which bring classes and clusters into the order in which
    they match.

    Parameters
    ----------
    counts
        Classes in rows, clusters in columns, in the order in which they are shown; sums of all others in the last row
        and the last column, if there are any.
    classes, clusters
        The labels of the rows and of the columns, but for the others.
    n_other_classes, n_other_clusters
        How many the last row and the last column are the sums of; 0 for none.

    Attributes
    ----------
    counts, classes, clusters, n_other_classes, n_other_clusters
        What was given; arrays as NumPy's, labels as lists.
    ax_, figure_
        The axes and their figure, after :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> display = gpuval.plots.ConfusionDisplay.from_labels(["a", "b", "b", "b"], [0, 1, 1, 0])
    >>> display.classes, display.clusters
    (['b', 'a'], [1, 0])
    >>> display.counts
    array([[2, 1],
           [0, 1]])
    """

    @classmethod
    def from_labels(
        cls,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        max_labels: int | None = 40,
        sample_weight: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Count the samples, and bring classes and clusters into the order in which they match.

        Parameters
        ----------
        labels_true, labels_pred, max_labels, sample_weight, ignore_labels
            As for :func:`plot_confusion`.

        Returns
        -------
        ConfusionDisplay
            The display, which is yet to be plotted.

        Examples
        --------
        >>> import gpuval.plots
        >>> gpuval.plots.ConfusionDisplay.from_labels([0, 0, 1], [5, 5, 7], max_labels=1).n_other_clusters
        1
        """
        return cls._of_labels(labels_true, labels_pred, max_labels, sample_weight, ignore_labels)

    @classmethod
    def from_table(cls, table: Contingency, *, max_labels: int | None = 40) -> Self:
        """Bring the classes and clusters of a table into the order in which they match.

        Parameters
        ----------
        table
            A :class:`gpuval.Contingency` of at least one sample.
        max_labels
            As for :func:`plot_confusion`.

        Returns
        -------
        ConfusionDisplay
            The display, which is yet to be plotted.

        Examples
        --------
        >>> import gpuval.plots
        >>> table = gpuval.Contingency.from_counts([[0, 3], [2, 0]])
        >>> gpuval.plots.ConfusionDisplay.from_table(table).clusters
        [1, 0]
        """
        return cls._of_table(table, max_labels)

    def values(self, normalize: Normalize = "true") -> NDArray:
        """The numbers that are shown: shares, or for None the counts.

        Parameters
        ----------
        normalize
            As for :func:`plot_confusion`.
        """
        check_option("normalize", normalize, ("true", "pred", "all", None))
        if normalize is None:
            return self.counts
        axis = {"true": 1, "pred": 0, "all": None}[normalize]
        wholes = self.counts.sum(axis=axis, keepdims=True)
        shares: NDArray = np.divide(self.counts, wholes, out=np.zeros(self.counts.shape), where=wholes != 0)
        return shares

    def plot(self, ax: Any = None, *, normalize: Normalize = "true") -> Self:
        """Draw it.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        normalize
            As for :func:`plot_confusion`.

        Returns
        -------
        ConfusionDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        values = self.values(normalize)
        rows, columns = self._names()
        ax = axes_to_draw_on(ax, *size_of_heatmap(rows, columns))
        largest = 1.0 if normalize in ("true", "pred") else float(values.max(initial=0)) or 1.0
        texts = np.asarray([[_text(x, normalize) for x in row] for row in values.tolist()], dtype=object)
        draw_heatmap(
            ax,
            np.asarray(values, dtype=float),
            texts.reshape(values.shape),
            rows,
            columns,
            limits=(0.0, largest),
            labels=("cluster", "class", _MEANINGS[normalize].format(self._unit())),
            keeps_last=(self.n_other_classes > 0, self.n_other_clusters > 0),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self


def plot_confusion(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    normalize: Normalize = "true",
    max_labels: int | None = 40,
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot how many samples classes and clusters share, as a heatmap in matched order.

    Classes are rows and clusters columns, matched one to one so that they share as much as possible. A cluster that
    has no class stands next to that of the class which most of its samples belong to, and a class without a cluster
    next to the class whose cluster has most of it: a class that was split is a row of dark cells about the diagonal,
    and classes that were merged are a column of them. The largest groups come first. Numbers are written into tables of
    up to 16 rows and columns, where cells have room for them.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a
        :class:`gpuval.Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    normalize
        What is shown: "true", the share of the class; "pred", the share of the cluster; "all", the share of all
        samples; None, the counts.
    max_labels
        How many classes, and how many clusters, have a place of their own: the largest ones. The others are one sum, in
        the last row and column. None for all.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, of a size by the number of labels.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One label or several; samples with such a label on either side do not count.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        For labels as of :meth:`gpuval.Contingency.from_labels`, and other arguments that are not as above; no samples.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> ax = gpuval.plots.plot_confusion(["a", "a", "b"], [1, 1, 0])
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('cluster', 'class')
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = ConfusionDisplay.from_labels(
        labels_true, labels_pred, max_labels=max_labels, sample_weight=sample_weight, ignore_labels=ignore_labels
    )
    return display.plot(ax, normalize=normalize).ax_


def _text(value: float, normalize: Normalize) -> str:
    """A number in a cell; nothing where there is nothing."""
    if not value:
        return ""
    if normalize is not None:
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) and value < 10**6 else f"{value:.3g}"
