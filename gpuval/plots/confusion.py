"""A heatmap of a contingency table, with classes and clusters in matched order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from gpuval.inputs.options import check_option
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes
from gpuval.plots._confusion_drawing import WHOLES, ConfusionDrawing, Normalize
from gpuval.plots._tables import TableDisplay
from gpuval.table.contingency import Contingency

__all__ = ["ConfusionDisplay", "plot_confusion"]


class ConfusionDisplay(TableDisplay):
    """A heatmap of the numbers of samples that classes and clusters share; :func:`plot_confusion` draws it.

    Make one with :meth:`from_labels` or :meth:`from_table`, which put matching classes and clusters in the same order.

    Parameters
    ----------
    counts
        The numbers of samples, in the order of the plot: classes in rows, clusters in columns. If some classes or
        clusters are not shown, their sums are in the last row or the last column.
    classes, clusters
        The labels of the rows and of the columns, without those of the sums.
    n_other_classes, n_other_clusters
        How many classes the last row sums up, and how many clusters the last column; 0 if there is no such row or
        column.
    colors
        As in :func:`plot_confusion`.

    Attributes
    ----------
    counts, classes, clusters, n_other_classes, n_other_clusters, colors
        The parameters; arrays as NumPy arrays, labels as lists.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

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
        max_labels: int | None = 500,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        colors: Mapping[Any, str] | None = None,
    ) -> Self:
        """Count the samples, and put classes and clusters in matched order.

        Parameters
        ----------
        labels_true, labels_pred, max_labels, sample_weight, ignore_labels, colors
            As in :func:`plot_confusion`.

        Returns
        -------
        ConfusionDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> gpuval.plots.ConfusionDisplay.from_labels([0, 0, 1], [5, 5, 7], max_labels=1).n_other_clusters
        1
        """
        return cls._from_labels(labels_true, labels_pred, max_labels, sample_weight, ignore_labels, colors)

    @classmethod
    def from_table(
        cls, table: Contingency, *, max_labels: int | None = 500, colors: Mapping[Any, str] | None = None
    ) -> Self:
        """Put the classes and clusters of a table in matched order.

        Parameters
        ----------
        table
            A :class:`gpuval.Contingency` of at least one sample.
        max_labels, colors
            As in :func:`plot_confusion`.

        Returns
        -------
        ConfusionDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> table = gpuval.Contingency.from_counts([[0, 3], [2, 0]])
        >>> gpuval.plots.ConfusionDisplay.from_table(table).clusters
        [1, 0]
        """
        return cls._of_table(table, max_labels, colors=colors)

    def values(self, normalize: Normalize = "class") -> NDArray:
        """The numbers that are shown: shares, or the counts if ``normalize`` is "none".

        Parameters
        ----------
        normalize
            As in :func:`plot_confusion`.
        """
        check_option("normalize", normalize, tuple(WHOLES))
        if normalize == "none":
            return self.counts
        wholes = self.counts.sum(axis=1 if normalize == "class" else 0, keepdims=True)
        shares: NDArray = np.divide(self.counts, wholes, out=np.zeros(self.counts.shape), where=wholes != 0)
        return shares

    def plot(
        self, ax: Any = None, *, normalize: Normalize = "class", width: float | None = None, unit: str = "samples"
    ) -> Self:
        """Draw the heatmap.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        normalize
            As in :func:`plot_confusion`.
        width
            The width of a new figure in inches, from 2.8 to 13; by default it depends on the number of labels.
        unit
            What the samples are called, such as "cells".

        Returns
        -------
        ConfusionDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        self.ax_ = ConfusionDrawing(self, self.values(normalize), normalize, self._unit(unit)).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_confusion(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    normalize: Normalize = "class",
    max_labels: int | None = 500,
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    colors: Mapping[Any, str] | None = None,
) -> Axes:
    """Plot how many samples classes and clusters share, as a heatmap in matched order.

    Rows are classes, columns are clusters. Classes are matched one to one with clusters so that matched pairs share as
    many samples as possible, and the largest groups come first. A class without a cluster of its own is next to the
    class whose cluster holds most of it. Clusters are below their main class, to which most of their samples belong. So
    a class that was split is a row of dark cells near the diagonal, and classes that were merged are a column of them.

    Up to 16 rows and columns have numbers, whole percents, if the cells have room for them: from 5 % on, or from 1 % on
    with up to 6 rows and columns. A dot is a share of 1 to 5 %, and smaller ones are blank. The largest number of each
    class is bold. Bars at the right and above are the numbers of samples of classes and clusters. A class has the same
    colour in all plots, by its size; a cluster has a shade of that of its main class.

    More rows have shades only, and from 41 on names only of the 12 classes of which the smallest share is in one
    cluster. From 101 on there is a square for each cell with at least 5 % of its class: blue if the class is the main
    class of the cluster, orange if it is another one.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes. Or a
        :class:`gpuval.Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    normalize
        What is shown: "class", the share of the class; "cluster", the share of the cluster; "none", the counts.
    max_labels
        How many classes and how many clusters have a row or column of their own: the largest ones. The others are
        summed up in the last row and column. None shows all.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of labels.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        As for :meth:`gpuval.Contingency.from_labels`: labels of both sides, or a mapping such as ``{"true": 0}``.
    colors
        The colours of classes in hexadecimal digits, such as ``{"B cell": "#0072B2"}``; others are grey.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        As :meth:`gpuval.Contingency.from_labels` does for labels; if there are no samples; if other arguments are not
        as described above.

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
        labels_true,
        labels_pred,
        max_labels=max_labels,
        sample_weight=sample_weight,
        ignore_labels=ignore_labels,
        colors=colors,
    )
    return display.plot(ax, normalize=normalize).ax_
