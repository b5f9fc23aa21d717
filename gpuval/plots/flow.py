"""How samples flow from classes to clusters: two stacks of bars, and ribbons between them."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from gpuval.display.colors import OTHERS, class_colors, edge_of
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    AS_IT_IS,
    Axes,
    axes_to_draw_on,
    line_height,
    name_axes,
    points_along,
    size_of_text,
    texts_that_fit,
)
from gpuval.plots._tables import TableDisplay
from gpuval.table.contingency import Contingency

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import PathCollection, PolyCollection
    from matplotlib.path import Path

__all__ = ["FlowDisplay", "plot_flow"]

_WIDTH = 0.04
"""Of a bar, where the distance of the stacks is 1."""
_GAPS = 0.25
"""The most of the height that gaps between bars take."""
_RIBBON = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
"""A curve to the right, and one back."""
_THINNEST = 1 / 2000
"""The share of all samples below which a ribbon would not be seen."""
_OF_CLUSTERS = "0.6"


class _Stack(NamedTuple):
    """Bars from above to below."""

    tops: NDArray
    heights: NDArray

    @property
    def centres(self) -> list[float]:
        found: list[float] = (self.tops - self.heights / 2).tolist()
        return found


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

    Attributes
    ----------
    counts, classes, clusters, n_other_classes, n_other_clusters
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
        max_labels: int | None = 30,
        sample_weight: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Count the samples, and put classes and clusters in matched order.

        Parameters
        ----------
        labels_true, labels_pred, max_labels, sample_weight, ignore_labels
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
        return cls._from_labels(labels_true, labels_pred, max_labels, sample_weight, ignore_labels)

    @classmethod
    def from_table(cls, table: Contingency, *, max_labels: int | None = 30) -> Self:
        """Put the classes and clusters of a table in matched order.

        Parameters
        ----------
        table
            A :class:`gpuval.Contingency` of at least one sample.
        max_labels
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
        return cls._of_table(table, max_labels)

    def plot(self, ax: Any = None) -> Self:
        """Draw the bars and ribbons.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.

        Returns
        -------
        FlowDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        names = self._names()
        ax = axes_to_draw_on(ax, 7.5, 2.8 + 0.2 * max(map(len, names)))
        counts = self.counts / self.counts.sum()
        left, right = _stack(counts.sum(axis=1)), _stack(counts.sum(axis=0))
        colors: list[Any] = list(class_colors(counts.sum(axis=1)))
        if self.n_other_classes:
            colors[-1] = OTHERS
        _draw_ribbons(ax, counts, left, right, colors)
        for stack, at, fills in ((left, 0.0, colors), (right, 1.0, [_OF_CLUSTERS] * len(names[1]))):
            _draw_bars(ax, stack, at, fills)
        ax.set(xlim=(-_WIDTH / 2 - 0.004, 1.0 + _WIDTH / 2 + 0.004), ylim=(-0.01, 1.01))
        beside = ax.secondary_yaxis("right")
        for axes, stack, texts in ((ax, left, names[0]), (beside, right, names[1])):
            _write_names(axes, stack, texts, points_along(ax, "y"))
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
        ax.set_xticks([0.0, 1.0], labels=["classes", "clusters"])
        name_axes(ax, "", f"{_total(self.counts)} {self._unit()}")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def plot_flow(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    max_labels: int | None = 30,
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot how classes are divided among clusters, with a ribbon for each pair that shares samples.

    The bars on the left are the classes, those on the right the clusters, in matched order as in
    :func:`plot_confusion`, so that few ribbons cross. A ribbon is as wide as the number of samples that a class and a
    cluster share, and has the colour of the class. Ribbons of less than one sample in 2,000 are left out, because they
    would not be visible. Names are written where there is room, those of larger bars first.

    Parameters
    ----------
    labels_true
        The labels of the classes, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes. Or
        a :class:`gpuval.Contingency`, instead of both label vectors.
    labels_pred
        The labels of the clusters, shape (n_samples,), of the same library and on the same device.
    max_labels
        How many classes and how many clusters have a bar of their own: the largest ones. The others share one bar, the
        last. None shows all.
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
    >>> ax = gpuval.plots.plot_flow(["a", "a", "b"], [1, 1, 0])
    >>> ax.get_ylabel()
    '3 samples'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = FlowDisplay.from_labels(
        labels_true, labels_pred, max_labels=max_labels, sample_weight=sample_weight, ignore_labels=ignore_labels
    )
    return display.plot(ax).ax_


def _stack(sizes: NDArray) -> _Stack:
    """Bars of a height of 1 in all, with gaps between them."""
    gap = min(_GAPS / max(len(sizes) - 1, 1), 0.03)
    gaps = gap * (len(sizes) - 1)
    heights = sizes * (1.0 - gaps)
    below = np.cumsum(heights + gap)
    return _Stack(1.0 - (below - heights - gap), heights)


def _draw_ribbons(ax: Axes, counts: NDArray, left: _Stack, right: _Stack, colors: list[Any]) -> None:
    """Draw the ribbons, at each bar in the order of the bars at their other ends, so that they do not cross there."""
    places = np.nonzero(counts >= _THINNEST)
    heights = [counts * (stack.heights.sum()) for stack in (left, right)]
    from_top = left.tops[:, None] - (np.cumsum(heights[0], axis=1) - heights[0])
    to_top = right.tops[None, :] - (np.cumsum(heights[1], axis=0) - heights[1])
    x = _WIDTH / 2 + (1.0 - _WIDTH) * np.array([0.0, 1.0, 2.0, 3.0]) / 3  # of a cubic curve that begins and ends level
    across = np.concatenate([x, x[::-1], x[:1]])
    starts, ends = ((tops, tops - thick) for tops, thick in zip((from_top, to_top), heights, strict=True))
    corners = (y[places] for y in (starts[0], ends[0], ends[1], starts[1]))
    outlines = [
        Path(np.column_stack([across, [a, a, b, b, c, c, d, d, a]]), _RIBBON)
        for a, b, c, d in zip(*corners, strict=True)
    ]
    of_classes = [colors[i] for i in places[0].tolist()]
    edges = [edge_of(x) for x in of_classes]
    ax.add_collection(PathCollection(outlines, facecolors=of_classes, edgecolors=edges, linewidths=0.3, alpha=0.55))


def _draw_bars(ax: Axes, stack: _Stack, at: float, fills: list[Any]) -> None:
    x = np.array([-1, 1, 1, -1]) * _WIDTH / 2 + at
    outlines = [
        np.column_stack([x, [top, top, top - height, top - height]])
        for top, height in zip(stack.tops.tolist(), stack.heights.tolist(), strict=True)
    ]
    edge = rcParams["axes.edgecolor"]
    ax.add_collection(PolyCollection(outlines, facecolors=fills, edgecolors=edge, linewidths=0.5))


def _write_names(ax: Any, stack: _Stack, texts: list[str], length: float) -> None:
    """Write the names of bars, those of high bars first, as far as there is room on an axis of this length (points)."""
    size = size_of_text("ytick.labelsize") * 0.9
    kept = texts_that_fit(stack.centres, stack.heights.tolist(), 1.02 * line_height(size) / length)
    ax.set_yticks([stack.centres[i] for i in kept], labels=[texts[i] for i in kept], fontsize=size, **AS_IT_IS)


def _total(counts: NDArray) -> str:
    total = counts.sum().item()
    return f"{total:,}" if isinstance(total, int) else f"{total:,.6g}"
