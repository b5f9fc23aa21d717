"""A heatmap of a contingency table, with classes and clusters in matched order."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from gpuval.inputs.options import check_option
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes, axes_to_draw_on, draw_heatmap, size_of_heatmap
from gpuval.plots._tables import TableDisplay
from gpuval.table.contingency import Contingency

__all__ = ["ConfusionDisplay", "plot_confusion"]

Normalize = Literal["true", "pred", "all"] | None

_MEANINGS = {"true": "share of the class", "pred": "share of the cluster", "all": "share of all {}", None: "{}"}


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

    Attributes
    ----------
    counts, classes, clusters, n_other_classes, n_other_clusters
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
        max_labels: int | None = 40,
        sample_weight: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Count the samples, and put classes and clusters in matched order.

        Parameters
        ----------
        labels_true, labels_pred, max_labels, sample_weight, ignore_labels
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
        return cls._from_labels(labels_true, labels_pred, max_labels, sample_weight, ignore_labels)

    @classmethod
    def from_table(cls, table: Contingency, *, max_labels: int | None = 40) -> Self:
        """Put the classes and clusters of a table in matched order.

        Parameters
        ----------
        table
            A :class:`gpuval.Contingency` of at least one sample.
        max_labels
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
        return cls._of_table(table, max_labels)

    def values(self, normalize: Normalize = "true") -> NDArray:
        """The numbers that are shown: shares, or the counts if ``normalize`` is None.

        Parameters
        ----------
        normalize
            As in :func:`plot_confusion`.
        """
        check_option("normalize", normalize, ("true", "pred", "all", None))
        if normalize is None:
            return self.counts
        axis = {"true": 1, "pred": 0, "all": None}[normalize]
        wholes = self.counts.sum(axis=axis, keepdims=True)
        shares: NDArray = np.divide(self.counts, wholes, out=np.zeros(self.counts.shape), where=wholes != 0)
        return shares

    def plot(self, ax: Any = None, *, normalize: Normalize = "true") -> Self:
        """Draw the heatmap.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        normalize
            As in :func:`plot_confusion`.

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

    Rows are classes, columns are clusters. They are matched one to one so that matched pairs share as many samples as
    possible, and matched pairs are along the diagonal, the largest groups first. A cluster without a class of its own
    is next to the cluster of the class to which most of its samples belong. A class without a cluster is next to the
    class whose cluster holds most of it. So a class that was split is a row of dark cells near the diagonal, and
    classes that were merged are a column of dark cells. Tables of up to 16 rows and columns show numbers, if the cells
    have room for them.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes. Or a
        :class:`gpuval.Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    normalize
        What is shown: "true", the share of the class; "pred", the share of the cluster; "all", the share of all
        samples; None, the counts.
    max_labels
        How many classes and how many clusters have a row or column of their own: the largest ones. The others are
        summed up in the last row and column. None shows all.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of labels.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        As for :meth:`gpuval.Contingency.from_labels`: labels of both sides, or a mapping such as ``{"true": 0}``.

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
        labels_true, labels_pred, max_labels=max_labels, sample_weight=sample_weight, ignore_labels=ignore_labels
    )
    return display.plot(ax, normalize=normalize).ax_


def _text(value: float, normalize: Normalize) -> str:
    """A number in a cell; empty for 0."""
    if not value:
        return ""
    if normalize is not None:
        return f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) and value < 10**6 else f"{value:.3g}"
