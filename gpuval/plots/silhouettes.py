"""The silhouettes of samples, sorted within each cluster, the clusters above each other."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from gpuval.display.colors import OTHERS, class_colors, cluster_colors
from gpuval.display.names import natural_order
from gpuval.engines.backends import is_array, to_host
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.points import Distance, distance_name
from gpuval.geometry.sampling import check_sampling, draw_sample
from gpuval.inputs.codes import is_ordered
from gpuval.inputs.options import check_option
from gpuval.measures.samples import is_degenerate
from gpuval.metrics.internal.silhouette import mean_silhouette
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes
from gpuval.plots._silhouette_drawing import Band, SilhouetteDrawing
from gpuval.plots._tables import check_most_labels
from gpuval.table.labelings import read_labelings
from gpuval.table.labels import labels_on_host

__all__ = ["SilhouetteDisplay", "plot_silhouette"]

Order = Literal["natural", "mean"]


class SilhouetteDisplay:
    """The silhouettes of samples by cluster; :func:`plot_silhouette` draws it.

    Parameters
    ----------
    silhouettes
        The silhouette of each sample, shape (n_samples,), of any library, as :func:`gpuval.silhouette_samples` returns
        them; NaN for samples that do not count.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes.
    labels_true
        The class of each sample, shape (n_samples,), for the colours only: as in :func:`plot_silhouette`.

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
    colors
        The colour of each cluster, a list in the same order, or None: by the sizes of clusters then.
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

    def __init__(self, silhouettes: Any, labels: Any, labels_true: Any = None) -> None:
        values = to_host(silhouettes) if is_array(silhouettes) else np.asarray(silhouettes)
        if values.ndim != 1 or values.dtype.kind not in "fiu":
            raise TypeError(
                f"silhouettes must be a vector of real numbers, got shape {values.shape} and dtype {values.dtype}"
            )
        codes, clusters = _cluster_codes(labels)
        if len(codes) != len(values):
            raise ValueError(f"labels must have as many samples as silhouettes ({len(values)}), got {len(codes)}")
        self._group(values.astype(float), codes, clusters, _classes_of(labels_true, len(codes)))
        self._declared = _declared_order(labels)

    def _group(self, values: NDArray, codes: NDArray, clusters: list[Any], classes: NDArray | None) -> None:
        """Take the values of each cluster apart, without NaN."""
        counts = np.isfinite(values)
        values, codes = values[counts], codes[counts]
        classes = None if classes is None else classes[counts]
        if not len(values):
            raise ValueError("silhouettes must have at least one number that is not NaN, got none")
        order = np.lexsort((-values, codes))
        sizes = np.bincount(codes, minlength=len(clusters))
        parts = np.split(values[order], np.cumsum(sizes)[:-1])
        self.silhouettes = [part for part in parts if len(part)]
        self.clusters = [label for label, part in zip(clusters, parts, strict=True) if len(part)]
        self.cluster_means = np.asarray([part.mean() for part in self.silhouettes])
        self.mean = float(values.mean())
        self.colors = None if classes is None else _matched_colors(classes, codes, np.flatnonzero(sizes))

    @classmethod
    def from_samples(
        cls,
        X: Any,
        labels: Any,
        *,
        labels_true: Any = None,
        metric: Distance = "euclidean",
        sample_size: int | None = None,
        random_state: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Compute the silhouettes of all samples, or of some.

        Parameters
        ----------
        X, labels, labels_true, metric, sample_size, random_state, ignore_labels
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
        classes = _classes_of(labels_true, len(codes))
        if sample is not None:
            codes = codes[sample.rows]
            classes = None if classes is None else classes[to_host(sample.rows)]
        counted = codes < points.n_clusters
        classes = None if classes is None else classes[counted]
        display = cls.__new__(cls)
        clusters = labels_on_host(points.values).tolist()
        display._group(to_host(values).astype(float)[counted], codes[counted], clusters, classes)
        display._declared = _declared_order(labels)
        return display

    def plot(
        self,
        ax: Any = None,
        *,
        order: Order = "natural",
        max_labels: int | None = 40,
        width: float | None = None,
        unit: str = "samples",
    ) -> Self:
        """Draw the silhouettes.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        order, max_labels
            As in :func:`plot_silhouette`.
        width
            The width of a new figure in inches, from 2.8 to 13; 7 by default.
        unit
            What the samples are called, such as "cells".

        Returns
        -------
        SilhouetteDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        check_option("order", order, ("natural", "mean"))
        bands = self._bands(order, check_most_labels(max_labels))
        self.ax_ = SilhouetteDrawing(bands, self.mean, unit).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self

    def _bands(self, order: Order, most: int | None) -> list[Band]:
        """What is drawn of the largest clusters, in order, and of the others together."""
        sizes = np.asarray([len(part) for part in self.silhouettes])
        largest = np.argsort(-sizes, kind="stable")[:most].tolist()
        others = sorted({*range(len(sizes))} - {*largest})
        if order == "mean":
            in_order = sorted(largest, key=lambda i: (-self.cluster_means[i], i))
        else:
            chosen = sorted(largest)
            names = [self.clusters[i] for i in chosen]
            is_declared = set(names) <= set(self._declared)
            in_order = (
                sorted(chosen, key=lambda i: self._declared.index(self.clusters[i]))
                if is_declared
                else [chosen[i] for i in natural_order(names)]
            )
        colors = class_colors(sizes.tolist()) if self.colors is None else self.colors
        bands = [Band(self.clusters[i], self.silhouettes[i], colors[i]) for i in in_order]
        if others:
            rest = np.sort(np.concatenate([self.silhouettes[i] for i in others]))[::-1]
            bands.append(Band(None, rest, OTHERS, len(others)))
        return bands


def plot_silhouette(
    X: Any,
    labels: Any,
    *,
    labels_true: Any = None,
    order: Order = "natural",
    metric: Distance = "euclidean",
    sample_size: int | None = None,
    random_state: Any = None,
    max_labels: int | None = 40,
    ax: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot the silhouettes of samples, sorted within each cluster, the clusters above each other.

    The height of a cluster is proportional to its number of samples, but small ones are enlarged to the height of a
    line of text. Columns beside it are its number of samples, its mean, which a short line marks, too, and the share of
    its samples below 0: these are nearer to another cluster. Shares from 40 % on are red and bold. The dashed line is
    the mean of all samples. The outline of a cluster has up to 300 points; for larger clusters they are quantiles.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite, of any kind that :func:`gpuval.silhouette_score`
        takes.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes.
    labels_true
        The class of each sample, shape (n_samples,). Clusters have the colours of their main classes then, as in
        :func:`plot_confusion`; otherwise they have colours by their own sizes.
    order
        "natural" for the order of the names, in which 2 is before 10, or for that of ordered categories; "mean" for the
        highest mean first.
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
    ['a', 'b']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    check_most_labels(max_labels)
    check_option("order", order, ("natural", "mean"))
    display = SilhouetteDisplay.from_samples(
        X,
        labels,
        labels_true=labels_true,
        metric=metric,
        sample_size=sample_size,
        random_state=random_state,
        ignore_labels=ignore_labels,
    )
    return display.plot(ax, order=order, max_labels=max_labels).ax_


def _cluster_codes(labels: Any, name: str = "labels") -> tuple[NDArray, list[Any]]:
    """The place of each sample's cluster among the clusters, and their labels (copies to the host)."""
    (labeling,) = read_labelings({name: labels}, None, None, None, None)
    if labeling.codes is None:
        raise TypeError(f"{name} must be in memory, got {type(labels).__name__}")
    return to_host(labeling.codes.codes), labels_on_host(labeling.codes.values).tolist()


def _classes_of(labels_true: Any, n_samples: int) -> NDArray | None:
    """The place of each sample's class among the classes; None if there are none."""
    if labels_true is None:
        return None
    codes, _ = _cluster_codes(labels_true, "labels_true")
    if len(codes) != n_samples:
        raise ValueError(f"labels_true must have as many samples as labels ({n_samples}), got {len(codes)}")
    return codes


def _declared_order(labels: Any) -> list[Any]:
    """The categories of labels in their order, if it was declared; else none."""
    return list(labels.dtype.categories) if is_ordered(labels) else []


def _matched_colors(classes: NDArray, codes: NDArray, clusters: NDArray) -> list[str]:
    """The colours of clusters, by the samples that each shares with classes."""
    counts = np.zeros((int(classes.max()) + 1, int(codes.max()) + 1), dtype=np.int64)
    np.add.at(counts, (classes, codes), 1)
    counts = counts[:, clusters]
    return cluster_colors(counts, class_colors(counts.sum(axis=1).tolist()))
