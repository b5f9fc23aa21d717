"""Samples in the plane: their classes, their clusters, and those that are not of their cluster's main class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from gpuval.display.colors import class_colors, cluster_colors, main_classes
from gpuval.display.digits import share_text
from gpuval.engines.backends import is_dask, to_host
from gpuval.inputs.features import as_array
from gpuval.inputs.options import check_flag
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes, name_on_plot
from gpuval.plots._embedding_parts import Groups, Panel, draw_panels
from gpuval.table.labelings import Labeling, read_labelings
from gpuval.table.labels import labels_on_host

__all__ = ["EmbeddingDisplay", "plot_embedding"]


class EmbeddingDisplay:
    """Samples in the plane in the colours of their classes and clusters; :func:`plot_embedding` draws it.

    Make one with :meth:`from_labels`.

    Parameters
    ----------
    coordinates
        The places of the samples, shape (n_samples, 2).
    class_codes
        The place of the class of each sample in ``classes``, shape (n_samples,).
    classes
        The labels of the classes.
    cluster_codes, clusters
        The same for the clusters; None without clusters.
    colors
        The colour of each class, in hexadecimal digits; by default by falling size.
    axis_names
        What is along x and along y; "" where there is nothing to say.
    names
        What the classes and what the clusters are called; "" where there is nothing to say.
    has_units
        Whether the coordinates are features, which have units of their own.

    Attributes
    ----------
    coordinates, class_codes, classes, cluster_codes, clusters, colors, axis_names, names, has_units
        The parameters; arrays as NumPy arrays, labels as lists.
    cluster_colors
        The colour of each cluster: a shade of that of its main class.
    is_off
        Whether each sample is of another class than most of its cluster; None without clusters.
    axes_
        A list of the axes, set by :meth:`plot`: of the classes, the clusters, and the samples that are off.
    figure_
        Their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> places = [[0.0, 0.0], [0.0, 1.0], [4.0, 1.0], [4.0, 0.0]]
    >>> display = gpuval.plots.EmbeddingDisplay.from_labels(places, ["a", "a", "a", "b"], [0, 0, 1, 1])
    >>> display.colors, display.is_off.tolist()
    (['#0072B2', '#E69F00'], [False, False, False, True])
    """

    axes_: list[Axes]
    figure_: Any

    def __init__(
        self,
        coordinates: Any,
        class_codes: Any,
        classes: Sequence[Any],
        *,
        cluster_codes: Any = None,
        clusters: Sequence[Any] = (),
        colors: Sequence[str] | None = None,
        axis_names: tuple[str, str] = ("", ""),
        names: tuple[str, str] = ("", ""),
        has_units: bool = False,
    ) -> None:
        self.coordinates = np.asarray(coordinates, dtype=float)
        self.class_codes, self.classes = np.asarray(class_codes), list(classes)
        self.cluster_codes = None if cluster_codes is None else np.asarray(cluster_codes)
        self.clusters = list(clusters)
        check_flag("has_units", has_units)
        self.axis_names, self.names, self.has_units = axis_names, names, has_units
        if self.coordinates.ndim != 2 or self.coordinates.shape[1] != 2:
            raise ValueError(f"coordinates must have two columns, got shape {self.coordinates.shape}")
        if not len(self.coordinates):
            raise ValueError("coordinates must be of at least one sample, got none")
        if not np.isfinite(self.coordinates).all():
            raise ValueError("coordinates must be finite, got NaN or infinite ones")
        for argument, codes, labels in (
            ("class_codes", self.class_codes, self.classes),
            ("cluster_codes", self.cluster_codes, self.clusters),
        ):
            if codes is not None:
                _check_codes(argument, codes, len(self.coordinates), len(labels))
        sizes = np.bincount(self.class_codes, minlength=len(self.classes))
        self.colors = class_colors(sizes.tolist()) if colors is None else list(colors)
        self.cluster_colors: list[str] = []
        self.is_off: NDArray | None = None
        if self.cluster_codes is not None:
            pairs = self.class_codes.astype(np.int64) * len(self.clusters) + self.cluster_codes
            n_pairs = len(self.classes) * len(self.clusters)
            counts = np.bincount(pairs, minlength=n_pairs).reshape(len(self.classes), len(self.clusters))
            self.cluster_colors = cluster_colors(counts, self.colors)
            self.is_off = np.asarray(main_classes(counts))[self.cluster_codes] != self.class_codes

    @classmethod
    def from_labels(
        cls,
        coordinates: Any,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        colors: Mapping[Any, str] | None = None,
        named: Sequence[Any] = (),
        axis_names: tuple[str, str] | None = None,
        names: tuple[str, str] = ("", ""),
        has_units: bool = False,
        ignore_labels: Any = None,
    ) -> Self:
        """Read coordinates and labels.

        Parameters
        ----------
        coordinates, labels_true, labels_pred, colors, named, axis_names, names, has_units, ignore_labels
            As in :func:`plot_embedding`.

        Returns
        -------
        EmbeddingDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> display = gpuval.plots.EmbeddingDisplay.from_labels([[0.0, 0.0], [0.0, 1.0]], ["a", "b"])
        >>> display.classes, display.class_codes.tolist()
        (['a', 'b'], [0, 1])
        """
        in_memory = np.asarray(coordinates) if is_dask(coordinates) else coordinates
        places = np.asarray(to_host(as_array(in_memory, "coordinates")), dtype=float)
        vectors = {"labels_true": labels_true} | ({} if labels_pred is None else {"labels_pred": labels_pred})
        on_host = {name: np.asarray(x) if is_dask(x) else x for name, x in vectors.items()}
        sides = read_labelings(on_host, None, ignore_labels, None, None, n_true=1)
        if len(places) != sides[0].vector.size:
            raise ValueError(
                f"labels_true must have as many samples as coordinates ({len(places)}), got {sides[0].vector.size}"
            )
        (true_codes, classes), *of_clusters = map(_codes_of, sides)
        keep = true_codes < len(classes)
        if of_clusters:
            keep &= of_clusters[0][0] < len(of_clusters[0][1])
        if not keep.all():
            places, true_codes = places[keep], true_codes[keep]
        pred_codes, clusters = of_clusters[0] if of_clusters else (None, [])
        sizes = np.bincount(true_codes, minlength=len(classes)).tolist()
        spoken_of = [classes.index(x) for x in named if x in classes]
        found = class_colors(sizes, named=spoken_of)
        if axis_names is None:
            columns = [*getattr(coordinates, "columns", ())]
            axis_names = (str(columns[0]), str(columns[1])) if len(columns) == 2 else ("", "")
        return cls(
            places,
            true_codes,
            classes,
            cluster_codes=None if pred_codes is None else pred_codes[keep],
            clusters=clusters,
            colors=[(colors or {}).get(label, color) for label, color in zip(classes, found, strict=True)],
            axis_names=axis_names,
            names=names,
            has_units=has_units,
        )

    def plot(self, ax: Any = None, *, width: float | None = None) -> Self:
        """Draw the panels.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on, or a sequence of three, one for each panel, if there are clusters; by
            default those of a new figure.
        width
            The width of a new figure in inches.

        Returns
        -------
        EmbeddingDisplay
            This object, with ``axes_`` and ``figure_``.
        """
        legend, has_units = self._legend(), self.has_units
        self.axes_ = draw_panels(self._panels(), legend, self.axis_names, ax, width, has_units=has_units)
        self.figure_ = self.axes_[0].figure
        return self

    def _panels(self) -> list[Panel]:
        n = len(self.coordinates)
        truth = Groups(self.class_codes, self.colors, [name_on_plot(x, 18) for x in self.classes])
        n_classes = len(np.unique(self.class_codes))
        if self.cluster_codes is None or self.is_off is None:  # they may be clusters as well
            return [Panel(_title(self.names[0], n_classes, "label", "labels"), truth, coordinates=self.coordinates)]
        panels = [Panel(_title(self.names[0], n_classes, "class", "classes"), truth)]
        found = Groups(self.cluster_codes, self.cluster_colors, [name_on_plot(x, 18) for x in self.clusters])
        n_clusters = len(np.unique(self.cluster_codes))
        panels.append(Panel(_title(self.names[1], n_clusters, "cluster", "clusters"), found))
        n_off = int(self.is_off.sum())
        text = f"Not of their cluster's main class: {n_off:,} of {n:,} ({share_text(n_off / n)})"
        panels.append(Panel(text, truth, is_off=self.is_off))
        return [panel._replace(coordinates=self.coordinates) for panel in panels]

    def _legend(self) -> list[tuple[str, str, int]]:
        """The colour, the name and the size of each class, the largest first."""
        sizes = np.bincount(self.class_codes, minlength=len(self.classes)).tolist()
        order = np.argsort(np.negative(sizes), kind="stable").tolist()
        return [(self.colors[i], name_on_plot(self.classes[i]), sizes[i]) for i in order if sizes[i]]


def plot_embedding(
    coordinates: Any,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    colors: Mapping[Any, str] | None = None,
    named: Sequence[Any] = (),
    axis_names: tuple[str, str] | None = None,
    names: tuple[str, str] = ("", ""),
    has_units: bool = False,
    ax: Any = None,
    ignore_labels: Any = None,
) -> Any:
    """Plot samples in the plane: their classes, their clusters, and those that are not of their cluster's main class.

    A cluster has the colour of the class that most of its samples belong to; further clusters of this class are
    lighter or darker. The third panel shows the samples of other classes in the colours of these, and all others in
    grey: their share is 1 minus :func:`gpuval.purity_score`. A class that was split is no error there. Names are where
    the samples of a class or of a cluster are densest, those of large ones first, and not over each other; all classes
    are in the legend.

    From 200,000 samples on, a grid of 700 x 700 pixels is drawn instead of points: a pixel has the colour of most of
    its samples, and is the more opaque, the more they are.

    Parameters
    ----------
    coordinates
        The places of the samples, shape (n_samples, 2): an array of any library and device, or a data frame. They are
        those of an embedding, or two features of the samples (see ``has_units``).
    labels_true
        The labels of the classes, shape (n_samples,).
    labels_pred
        The labels of the clusters, shape (n_samples,). Without them there is only the panel of the classes.
    colors
        A mapping from classes to their colours in hexadecimal digits, such as "#0072B2". By default classes have
        colours by their size; of more than 24, only the 12 largest and those that are ``named``.
    named
        Labels of classes that have a colour of their own even if there are more than 24.
    axis_names
        What is along x and along y; by default the names of the columns of a data frame.
    names
        What classes and clusters are called above their panels.
    has_units
        Whether the two columns are features, such as lengths and weights: the axes then have numbers, and each a scale
        of its own. By default both have one scale without numbers, as distances in an embedding have no unit.
    ax
        The matplotlib Axes to draw on, or a sequence of three if there are clusters; by default those of a new figure.
    ignore_labels
        As for :func:`gpuval.compare`: samples with these labels are not drawn.

    Returns
    -------
    matplotlib.axes.Axes, or numpy.ndarray of three
        The axes.

    Raises
    ------
    TypeError, ValueError
        As :func:`gpuval.compare` does for labels; if coordinates are not finite numbers in two columns, with a row for
        each sample; if other arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> places = [[0.0, 0.0], [0.0, 1.0], [4.0, 1.0], [4.0, 0.0]]
    >>> axes = gpuval.plots.plot_embedding(places, ["a", "a", "a", "b"], [0, 0, 1, 1])
    >>> [ax.get_title(loc="left").split(":")[0] for ax in axes]
    ['2 classes', '2 clusters', "Not of their cluster's main class"]
    >>> matplotlib.pyplot.close(axes[0].figure)
    """
    display = EmbeddingDisplay.from_labels(
        coordinates,
        labels_true,
        labels_pred,
        colors=colors,
        named=named,
        axis_names=axis_names,
        names=names,
        has_units=has_units,
        ignore_labels=ignore_labels,
    )
    axes = display.plot(ax).axes_
    return axes[0] if len(axes) == 1 else np.array(axes, dtype=object)


def _codes_of(side: Labeling) -> tuple[NDArray, list[Any]]:
    """The codes of the labels of samples, those that are ignored after all others, and the labels."""
    return to_host(side.encoded.codes), labels_on_host(side.encoded.values).tolist()


def _check_codes(argument: str, codes: NDArray, n_samples: int, n_labels: int) -> None:
    if codes.shape != (n_samples,):
        raise ValueError(f"{argument} must be one for each of the {n_samples} samples, got shape {codes.shape}")
    if codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() >= n_labels:
        raise ValueError(f"{argument} must be integers from 0 to {n_labels - 1}, the places of labels")


def _title(name: str, n: int, one: str, many: str) -> str:
    """What a panel shows, and how many groups there are."""
    number = f"{n:,} {one if n == 1 else many}"
    return f"{name_on_plot(name, 40)} ({number})" if name else number
