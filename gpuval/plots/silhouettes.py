"""The silhouettes of samples, sorted within each cluster, the clusters above each other."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gpuval.display.colors import OTHERS, class_colors, edge_of
from gpuval.engines.backends import is_array, to_host
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.points import Distance, distance_name
from gpuval.geometry.sampling import check_sampling, draw_sample
from gpuval.inputs.options import require_extra
from gpuval.measures.samples import is_degenerate
from gpuval.metrics.internal.silhouette import mean_silhouette
from gpuval.numerics import NDArray
from gpuval.plots._axes import (
    Axes,
    axes_to_draw_on,
    draw_text,
    label_ticks,
    line_height,
    name_axes,
    name_on_plot,
    others_text,
    points_along,
    score_text,
    size_of_text,
    texts_that_fit,
)
from gpuval.plots._tables import check_most_labels
from gpuval.table.labelings import read_labelings
from gpuval.table.labels import labels_on_host

with require_extra("gpuval.plots", "plots"):
    from matplotlib import rcParams
    from matplotlib.collections import LineCollection, PolyCollection

__all__ = ["SilhouetteDisplay", "plot_silhouette"]

_MOST_POINTS = 300
"""Of the outline of a cluster."""


class SilhouetteDisplay:
    """The silhouettes of samples by cluster; :func:`plot_silhouette` draws it.

    Parameters
    ----------
    silhouettes
        The silhouette of each sample, shape (n_samples,), of any library, as :func:`gpuval.silhouette_samples` returns
        them; NaN for samples that do not count.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes.

    Attributes
    ----------
    silhouettes
        A list of NumPy arrays, the silhouettes of the samples of each cluster, the largest first.
    clusters
        The label of each cluster, in the same order.
    cluster_means
        The mean of each cluster, shape (n_clusters,).
    mean
        The mean of all samples.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> display = gpuval.plots.SilhouetteDisplay([0.5, 0.75, -0.25], ["a", "a", "b"])
    >>> display.clusters, display.cluster_means
    (['a', 'b'], array([ 0.625, -0.25 ]))
    """

    ax_: Axes
    figure_: Any

    def __init__(self, silhouettes: Any, labels: Any) -> None:
        values = to_host(silhouettes) if is_array(silhouettes) else np.asarray(silhouettes)
        if values.ndim != 1 or values.dtype.kind not in "fiu":
            raise TypeError(
                f"silhouettes must be a vector of real numbers, got shape {values.shape} and dtype {values.dtype}"
            )
        codes, clusters = _cluster_codes(labels)
        if len(codes) != len(values):
            raise ValueError(f"labels must have as many samples as silhouettes ({len(values)}), got {len(codes)}")
        self._group(values.astype(float), codes, clusters)

    def _group(self, values: NDArray, codes: NDArray, clusters: list[Any]) -> None:
        """Take the values of each cluster apart, without NaN."""
        counts = np.isfinite(values)
        values, codes = values[counts], codes[counts]
        if not len(values):
            raise ValueError("silhouettes must have at least one number that is not NaN, got none")
        order = np.lexsort((-values, codes))
        sizes = np.bincount(codes, minlength=len(clusters))
        parts = np.split(values[order], np.cumsum(sizes)[:-1])
        self.silhouettes = [part for part in parts if len(part)]
        self.clusters = [label for label, part in zip(clusters, parts, strict=True) if len(part)]
        self.cluster_means = np.asarray([part.mean() for part in self.silhouettes])
        self.mean = float(values.mean())

    @classmethod
    def from_samples(
        cls,
        X: Any,
        labels: Any,
        *,
        metric: Distance = "euclidean",
        sample_size: int | None = None,
        random_state: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Compute the silhouettes of all samples, or of some.

        Parameters
        ----------
        X, labels, metric, sample_size, random_state, ignore_labels
            As in :func:`plot_silhouette`.

        Returns
        -------
        SilhouetteDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> display = gpuval.plots.SilhouetteDisplay.from_samples([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1])
        >>> display.mean
        1.0
        """
        check_sampling(sample_size, False, random_state)
        metric = distance_name(metric)
        points = read_samples_or_distances(X, labels, metric, ignore_labels=ignore_labels)
        if is_degenerate(points, "nan"):
            n_clusters, n_samples = (
                int(to_host(x)) for x in (points.backend.count_true(points.masses > 0), points.n_counted)
            )
            raise ValueError(
                "labels must have at least 2 clusters, and fewer clusters than samples, to be plotted, got "
                f"{n_clusters} cluster{'s' * (n_clusters != 1)} of {n_samples} samples"
            )
        sample = None if sample_size is None else draw_sample(points, sample_size, random_state, False)
        values, _ = mean_silhouette(points, metric, sample, False)
        codes = to_host(points.codes)
        codes = codes if sample is None else codes[sample.rows]
        counted = codes < points.n_clusters
        display = cls.__new__(cls)
        display._group(to_host(values).astype(float)[counted], codes[counted], labels_on_host(points.values).tolist())
        return display

    def plot(self, ax: Any = None, *, max_labels: int | None = 40) -> Self:
        """Draw the silhouettes.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        max_labels
            As in :func:`plot_silhouette`.

        Returns
        -------
        SilhouetteDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        most = check_most_labels(max_labels)
        parts, names = self._largest_clusters(most)
        has_others = most is not None and most < len(self.clusters)
        ax = axes_to_draw_on(ax, 6.4, max(1.6 + 0.24 * len(parts), 3.6))
        heights = _heights([len(part) for part in parts], has_others)
        gap = 0.18 * float(heights.sum()) / max(len(heights), 4)
        tops = np.cumsum(heights + gap) - heights - gap
        means = [float(part.mean()) for part in parts]
        colors: list[Any] = list(class_colors(map(len, parts)))
        if has_others:
            colors[-1] = OTHERS
        outlines = [
            _outline(part, top, height)
            for part, top, height in zip(parts, tops.tolist(), heights.tolist(), strict=True)
        ]
        ax.add_collection(
            PolyCollection(outlines, facecolors=colors, edgecolors=[edge_of(x) for x in colors], linewidths=0.5)
        )
        lines = [[(m, top), (m, top + height)] for m, top, height in zip(means, tops, heights, strict=True)]
        ax.add_collection(LineCollection(lines, colors=rcParams["text.color"], linewidths=1.2))
        ax.axvline(0.0, color=rcParams["axes.edgecolor"], linewidth=0.8)
        ax.axvline(self.mean, color=rcParams["text.color"], linewidth=1.0, linestyle="--")
        lowest = min(float(part[-1]) for part in parts)
        highest = max(float(part[0]) for part in parts)
        ax.set(xlim=(min(lowest - 0.03, -0.05), max(highest + 0.03, 0.05)), ylim=(tops[-1] + heights[-1] + gap, -gap))
        self._write(ax, (tops + heights / 2).tolist(), heights.tolist(), names, means)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _largest_clusters(self, most: int | None) -> tuple[list[NDArray], list[str]]:
        """The silhouettes and the names of the largest clusters, and of the others together."""
        sizes = np.asarray([len(part) for part in self.silhouettes])
        largest = np.sort(np.argsort(-sizes, kind="stable")[:most]).tolist()
        parts = [self.silhouettes[i] for i in largest]
        names = [name_on_plot(self.clusters[i]) for i in largest]
        others = sorted({*range(len(sizes))} - set(largest))
        if others:
            parts.append(np.sort(np.concatenate([self.silhouettes[i] for i in others]))[::-1])
            names.append(others_text(len(others)))
        return parts, names

    def _write(
        self, ax: Axes, centres: list[float], heights: list[float], names: list[str], means: list[float]
    ) -> None:
        """The names and the means of clusters, where there is room, the higher clusters first; and the mean of all."""
        size = min(size_of_text("ytick.labelsize"), 9.0)
        height = abs(ax.get_ylim()[1] - ax.get_ylim()[0])
        kept = texts_that_fit(centres, heights, line_height(size) * height / points_along(ax, "y"))
        texts = [f"{names[i]}  {score_text(means[i])}" for i in kept]
        axis = ax.yaxis
        label_ticks(axis, [centres[i] for i in kept], texts)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        draw_text(
            ax,
            self.mean,
            1.0,
            f"mean {score_text(self.mean)}",
            transform=ax.get_xaxis_transform(),
            ha="center",
            va="bottom",
            fontsize=size,
        )
        name_axes(ax, "silhouette", "cluster and its mean")


def plot_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    sample_size: int | None = None,
    random_state: Any = None,
    max_labels: int | None = 40,
    ax: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot the silhouettes of samples, sorted within each cluster, the clusters above each other.

    The clusters are in the order of their labels. The height of a cluster grows with its number of samples. It is at
    least 0.6 of the mean height, so that there is room for the name, and the clusters that are drawn together get at
    most three times the mean height. A short line and the number next to the name of a cluster are its mean; the dashed
    line is the mean of all samples. Names are written where there is room, those of higher clusters first. The outline
    of a cluster has up to 300 points; for larger clusters they are quantiles.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite, of any kind that :func:`gpuval.silhouette_score`
        takes.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes.
    metric
        The distance of two samples, as in :func:`gpuval.silhouette_samples`.
    sample_size
        How many samples to compute silhouettes for, drawn without replacement: the time shrinks to that share. The
        distances are still those to all samples, so each silhouette is the same as among all.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    max_labels
        How many clusters are drawn separately: the largest ones. The others are drawn together as the last one. None
        draws all separately.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of clusters.
    ignore_labels
        One label or several; samples with such a label do not count.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        As :func:`gpuval.silhouette_score` does for samples, labels and options; if other arguments are not as described
        above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> ax = gpuval.plots.plot_silhouette([[0.0], [0.0], [8.0], [8.0]], ["a", "a", "b", "b"])
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['a  1.00', 'b  1.00']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    check_most_labels(max_labels)
    display = SilhouetteDisplay.from_samples(
        X, labels, metric=metric, sample_size=sample_size, random_state=random_state, ignore_labels=ignore_labels
    )
    return display.plot(ax, max_labels=max_labels).ax_


def _cluster_codes(labels: Any) -> tuple[NDArray, list[Any]]:
    """The place of each sample's cluster among the clusters, and their labels (copies to the host)."""
    (labeling,) = read_labelings({"labels": labels}, None, None, None, None)
    if labeling.codes is None:
        raise TypeError(f"labels must be in memory, got {type(labels).__name__}")
    return to_host(labeling.codes.codes), labels_on_host(labeling.codes.values).tolist()


def _heights(sizes: list[int], has_others: bool) -> NDArray:
    """The heights of clusters of these sizes, the last of which may be that of others."""
    heights = np.asarray(sizes, dtype=float)
    of_single = heights[:-1] if has_others else heights
    mean = of_single.mean()
    if has_others:
        heights[-1] = min(heights[-1], 3.0 * mean)
    found: NDArray = np.maximum(heights, 0.6 * mean)
    return found


def _outline(values: NDArray, top: float, height: float) -> NDArray:
    """The outline of sorted values from above to below: bars of one height, or a line through quantiles of many."""
    n = len(values)
    if n <= _MOST_POINTS // 2:
        x, y = np.repeat(values, 2), np.repeat(np.arange(n + 1.0), 2)[1:-1]
    else:
        y = np.linspace(0.0, n, _MOST_POINTS)
        x = np.interp(y, np.arange(n) + 0.5, values)
    y = top + y * height / n
    return np.column_stack([np.concatenate([[0.0], x, [0.0]]), np.concatenate([y[:1], y, y[-1:]])])
