"""How samples flow from classes to clusters: two stacks of bars, and ribbons between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from gpuval.plots._axes import Axes
from gpuval.plots._flow_drawing import FlowDrawing
from gpuval.plots._tables import TableDisplay
from gpuval.table.contingency import Contingency

__all__ = ["FlowDisplay", "plot_flow"]

_MOST = 60
"""Bars of one stack that are drawn at most."""
_MOST_BY_THEMSELVES = 25
"""How many of the largest have a bar of their own, if there are more and no number is given."""


class FlowDisplay(TableDisplay):
    """Ribbons between two stacks of bars that show how classes are divided among clusters; :func:`plot_flow` draws it.

    Make one with :meth:`from_labels` or :meth:`from_table`, which put classes and clusters in matched order, so that
    few ribbons cross.

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
        As in :func:`plot_flow`.

    Attributes
    ----------
    counts, classes, clusters, n_other_classes, n_other_clusters, colors
        The parameters; arrays as NumPy arrays, labels as lists.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> display = gpuval.plots.FlowDisplay.from_labels(["a", "b", "b", "b"], [0, 1, 1, 0])
    >>> display.classes, display.clusters
    (['b', 'a'], [1, 0])
    """

    @classmethod
    def from_labels(
        cls,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        max_labels: int | None = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        colors: Mapping[Any, str] | None = None,
    ) -> Self:
        """Count the samples, and put classes and clusters in matched order.

        Parameters
        ----------
        labels_true, labels_pred, max_labels, sample_weight, ignore_labels, colors
            As in :func:`plot_flow`.

        Returns
        -------
        FlowDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> gpuval.plots.FlowDisplay.from_labels([0, 0, 1], [5, 5, 7]).clusters
        [5, 7]
        """
        return cls._from_labels(labels_true, labels_pred, max_labels, sample_weight, ignore_labels, colors)

    @classmethod
    def from_table(
        cls, table: Contingency, *, max_labels: int | None = None, colors: Mapping[Any, str] | None = None
    ) -> Self:
        """Put the classes and clusters of a table in matched order.

        Parameters
        ----------
        table
            A :class:`gpuval.Contingency` of at least one sample.
        max_labels, colors
            As in :func:`plot_flow`.

        Returns
        -------
        FlowDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> table = gpuval.Contingency.from_counts([[0, 3], [2, 0]])
        >>> gpuval.plots.FlowDisplay.from_table(table).clusters
        [1, 0]
        """
        return cls._of_table(table, max_labels, colors=colors)

    @classmethod
    def _most_of(cls, table: Contingency, max_labels: int | None) -> int | None:
        """How many labels of a table have a bar of their own."""
        if max_labels is not None:
            if max_labels > _MOST:
                raise ValueError(f"max_labels must be at most {_MOST} for a flow, got {max_labels}")
            return max_labels
        for size, what in zip(table.shape, ("classes", "clusters"), strict=True):
            if size > _MOST:
                raise ValueError(
                    f"labels must be at most {_MOST} {what} for a flow, got {size:,}; plot_confusion shows more, and "
                    "max_labels= draws the largest"
                )
        return None if max(table.shape) <= _MOST_BY_THEMSELVES else _MOST_BY_THEMSELVES

    def plot(self, ax: Any = None, *, width: float | None = None, unit: str = "samples") -> Self:
        """Draw the bars and ribbons.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        width
            The width of a new figure in inches, from 2.8 to 13; 8 by default.
        unit
            What the samples are called, such as "cells".

        Returns
        -------
        FlowDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        self.ax_ = FlowDrawing(self, self._unit(unit)).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_flow(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    max_labels: int | None = None,
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    colors: Mapping[Any, str] | None = None,
) -> Axes:
    """Plot how classes are divided among clusters, with a ribbon for each pair that shares samples.

    The bars on the left are the classes, those on the right the clusters, in matched order as in
    :func:`plot_confusion`: each cluster is near its main class, so few ribbons cross. The heights of bars and ribbons
    are proportional to numbers of samples, on one scale for both sides; very small bars are enlarged to 2 pixels. A
    ribbon has the colour of its class, and a cluster a shade of the colour of its main class. Ribbons of less than 2 %
    of their class are not drawn; a line below says how many samples these are. Each bar has its name and its number of
    samples; on axes without room for all names, those of the largest bars.

    Parameters
    ----------
    labels_true
        The labels of the classes, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes. Or
        a :class:`gpuval.Contingency`, instead of both label vectors.
    labels_pred
        The labels of the clusters, shape (n_samples,), of the same library and on the same device.
    max_labels
        How many classes and how many clusters have a bar of their own, at most 60: the largest ones. The others share
        one bar, the last. By default all have one if there are up to 25, and the 25 largest if there are up to 60.
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
        As :meth:`gpuval.Contingency.from_labels` does for labels; if there are no samples; if there are more than 60
        classes or clusters and ``max_labels`` is not given; if other arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> ax = gpuval.plots.plot_flow(["a", "a", "b"], [1, 1, 0])
    >>> ax.texts[0].get_text()
    'a  2'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = FlowDisplay.from_labels(
        labels_true,
        labels_pred,
        max_labels=max_labels,
        sample_weight=sample_weight,
        ignore_labels=ignore_labels,
        colors=colors,
    )
    return display.plot(ax).ax_
