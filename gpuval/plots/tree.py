"""How clusters split and merge from one labeling to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.options import as_number
from gpuval.inputs.selection import read_ignored
from gpuval.measures.label_scores import BestClassScores, ClusterScores
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes
from gpuval.plots._sweep_parts import JACCARD, numbers_in_names
from gpuval.plots._tables import check_most_labels
from gpuval.plots._tree_parts import DrawnTree
from gpuval.results.settings import ClusterStability, Stability
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import read_labelings, table_of
from gpuval.table.labels import labels_on_host

__all__ = ["TreeDisplay", "plot_tree"]

_ALWAYS_SHOWN, _MOST_CLUSTERS = 15, 60
_SMALL = 0.005
"""Of clusters that are not among the first so many: the share of the samples below which they are drawn as one."""


class TreeDisplay:
    """The clusters of several labelings, and what those of neighbours share; :func:`plot_tree` draws it.

    Make one with :meth:`from_labelings`.

    Parameters
    ----------
    names
        The names of the labelings, in the order of the plot.
    clusters
        A list with the labels of the clusters of each labeling, from the top.
    sizes
        A list with the numbers of samples of the clusters of each labeling. One more than labels, if small clusters are
        drawn as one: the last number is their sum.
    shared
        A list with the numbers of samples that the clusters of each labeling (rows) and of the next one (columns)
        share.
    n_small
        How many small clusters of each labeling are drawn as one.
    classes
        The labels of the classes, by falling size; none without true labels.
    class_counts
        A list with the numbers of samples that the classes (rows) and the clusters of each labeling (columns) share.
    scores
        A list with a score for each cluster of each labeling; NaN for those that have none.
    places
        Where the labelings are along the x axis; by default 0, 1, 2, ...
    numbers
        The numbers by which the names differ, if that is how they differ.
    axis_name
        The name of the x axis.
    score_name
        What the scores are, which the legend says.

    Attributes
    ----------
    names, clusters, sizes, shared, n_small, classes, class_counts, scores, places, numbers, axis_name, \
    score_name
        The parameters; counts as NumPy arrays.
    colors
        The colour of each class, in their order, which may be set; None for those by size.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> labelings = {"res_0.5": [0, 0, 0, 1], "res_1.0": [0, 2, 2, 1]}
    >>> display = gpuval.plots.TreeDisplay.from_labelings(labelings)
    >>> display.clusters, display.shared[0].tolist()
    ([[0, 1], [2, 0, 1]], [[2, 1, 0], [0, 0, 1]])
    """

    ax_: Axes
    figure_: Any

    def __init__(
        self,
        names: Sequence[Any],
        clusters: Sequence[Sequence[Any]],
        sizes: Sequence[Any],
        shared: Sequence[Any],
        *,
        n_small: Sequence[int] | None = None,
        classes: Sequence[Any] = (),
        class_counts: Sequence[Any] | None = None,
        scores: Sequence[Any] | None = None,
        places: Sequence[float] | None = None,
        numbers: Sequence[float] | None = None,
        axis_name: str = "labeling",
        score_name: str = "",
    ) -> None:
        self.names, self.clusters = list(names), [list(x) for x in clusters]
        self.sizes, self.shared = [np.asarray(x) for x in sizes], [np.asarray(x) for x in shared]
        self.n_small = [0] * len(self.names) if n_small is None else list(n_small)
        self.classes = list(classes)
        self.class_counts = None if class_counts is None else [np.asarray(x) for x in class_counts]
        self.scores = None if scores is None else [np.asarray(x, dtype=float) for x in scores]
        self.places = [float(x) for x in (range(len(self.names)) if places is None else places)]
        self.numbers = None if numbers is None else list(numbers)
        self.axis_name, self.score_name = axis_name, score_name
        self.colors: list[str] | None = None
        self._check()

    def _check(self) -> None:
        n_nodes = [len(x) + (n > 0) for x, n in zip(self.clusters, self.n_small, strict=True)]
        expected: dict[str, tuple[Sequence[NDArray], list[tuple[int, ...]]]] = {
            "sizes": (self.sizes, [(n,) for n in n_nodes]),
            "shared": (self.shared, list(pairwise(n_nodes))),
        }
        if self.class_counts is not None:
            expected["class_counts"] = self.class_counts, [(len(self.classes), n) for n in n_nodes]
        if self.scores is not None:
            expected["scores"] = self.scores, [(n,) for n in n_nodes]
        if not self.names:
            raise ValueError("names must be of at least one labeling, got none")
        for argument, (arrays, shapes) in expected.items():
            if (shapes_now := [x.shape for x in arrays]) != shapes:
                raise ValueError(f"{argument} must be for the clusters, of shapes {shapes}, got {shapes_now}")

    @classmethod
    def from_labelings(
        cls,
        labelings: Any,
        labels_true: Any = None,
        *,
        color: Mapping[Any, Any] | None = None,
        max_labelings: int | None = 12,
        always: Sequence[Any] = (),
        sample_weight: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Count what the clusters of neighbours share, and put clusters below those that they are parts of.

        Parameters
        ----------
        labelings, labels_true, color, max_labelings, always, sample_weight, ignore_labels
            As in :func:`plot_tree`.

        Returns
        -------
        TreeDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> display = gpuval.plots.TreeDisplay.from_labelings([[0, 0, 1], [0, 1, 1]], ["a", "b", "b"])
        >>> display.classes, display.class_counts[0].tolist()
        (['b', 'a'], [[1, 1], [1, 0]])
        """
        most = check_most_labels(max_labelings, "max_labelings")
        ignored, one = ignore_labels, "labeling"
        if isinstance(labelings, Stability):
            if color is None and labels_true is None:
                color = {setting: x.clusters for setting, x in labelings.items()}
            labelings, ignored, one = labelings.labels, [None, *read_ignored(ignore_labels)], "setting"
        names, vectors = labelings_by_name(labelings)
        _check_names("always", always, names)
        _check_names("color", color or (), names)
        numbers, axis_name = numbers_in_names(names)
        axis_name = one if axis_name == "labeling" else axis_name
        if most is not None and len(set(always)) > most:
            raise ValueError(f"always must name at most max_labelings={most} labelings, got {len(set(always))}")
        order = list(range(len(names))) if numbers is None else np.argsort(numbers, kind="stable").tolist()
        chosen = _evenly(len(order), most, [i for i, k in enumerate(order) if names[k] in list(always)])
        vector_names = list(vectors)
        read = {vector_names[order[i]]: vectors[vector_names[order[i]]] for i in chosen}
        truth = {} if labels_true is None else {"labels_true": labels_true}
        sides = read_labelings({**truth, **read}, sample_weight, ignored, None, None, n_true=len(truth))
        columns = sides[len(truth) :]
        own = [_Cells.of(table_of(x, x)) for x in columns]
        nodes = [_Nodes.of(x) for x in own]
        names_of = [x.column_labels for x in own]
        classes, class_counts = (
            _classes_of(
                [_Cells.of(table_of(sides[0], x)).with_columns(y) for x, y in zip(columns, names_of, strict=True)]
            )
            if truth
            else ((), None)
        )
        shared = [
            _Cells.of(table_of(columns[i - 1], columns[i]))
            .with_rows(names_of[i - 1])
            .with_columns(names_of[i])
            .sums(nodes[i - 1].places, nodes[i].places)
            for i in range(1, len(columns))
        ]
        orders = _barycentres(nodes, shared)
        shown = [names[order[i]] for i in chosen]
        labels = [[x.labels[k] for k in o if k < len(x.labels)] for x, o in zip(nodes, orders, strict=True)]
        return cls(
            shown,
            labels,
            [x.sizes[o] for x, o in zip(nodes, orders, strict=True)],
            [x[np.ix_(a, b)] for x, a, b in zip(shared, orders, orders[1:], strict=False)],
            n_small=[x.n_small for x in nodes],
            classes=classes,
            class_counts=None
            if class_counts is None
            else [x.sums(None, y.places)[:, o] for x, y, o in zip(class_counts, nodes, orders, strict=True)],
            scores=None if color is None else [_scores(color, *x) for x in zip(shown, labels, nodes, strict=True)],
            places=chosen,
            numbers=None if numbers is None else [numbers[order[i]] for i in chosen],
            score_name=JACCARD if any(isinstance(x, ClusterStability) for x in (color or {}).values()) else "",
            axis_name=axis_name if len(chosen) == len(names) else f"{axis_name} ({len(chosen)} of {len(names)})",
        )

    def plot(self, ax: Any = None, *, width: float | None = None) -> Self:
        """Draw the clusters of each labeling in a column, and ribbons between them.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure. Labelings are at 0, 1, 2, ... along x, so
            that axes of :class:`gpuval.plots.SweepDisplay` can share the x axis.
        width
            The width of a new figure in inches.

        Returns
        -------
        TreeDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        self.ax_ = DrawnTree(self).draw(ax, width)
        self.figure_ = self.ax_.figure
        return self


def plot_tree(
    labelings: Any,
    labels_true: Any = None,
    *,
    color: Mapping[Any, Any] | None = None,
    max_labelings: int | None = 12,
    always: Sequence[Any] = (),
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot how clusters split and merge from one labeling to the next, as clustree does from the left to the right.

    There is a column for each labeling and in it a bar for each cluster, as high as the cluster has samples. Ribbons
    are as wide as the number of samples that two clusters of neighbouring labelings share; they are the more opaque,
    the larger a share of the cluster on their right they are. Clusters are in the order of those on their left that
    they come from. With true labels each bar is divided into the classes of its samples, so one sees where a class
    becomes a cluster of its own.

    Ribbons of less than 1 % of both clusters are left out, and a line says how many. Of more than 15 clusters those of
    less than 0.5 % of the samples are drawn as one, and so are those after the 60 largest ones.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors, a data frame with a column for each labeling, or a sequence of label
        vectors. If the names differ by a number only, such as "leiden_0.4" and "leiden_1.0", they go by that number.
        What :func:`gpuval.stability` returns has the reference labels of each setting, without the samples that these
        leave out; by default, and without ``labels_true``, its clusters have the colours of their stability.
    labels_true
        The labels of the classes, shape (n_samples,).
    color
        A score for each cluster, such as its stability, whose colour its bar has: a mapping from names of labelings to
        mappings from labels to scores, to what functions such as :func:`gpuval.cluster_precision` return, or to a
        :class:`gpuval.ClusterStability`, of which it is the Jaccard index.
    max_labelings
        How many labelings are drawn at most: of more, evenly chosen ones. None draws all.
    always
        The names of labelings that are drawn in any case, at most ``max_labelings``.
    ax
        The matplotlib Axes to draw on; by default those of a new figure.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        As for :func:`gpuval.compare`: samples with these labels are in no bar of the labeling that has them.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        As :func:`gpuval.compare` does for labels; if ``color`` or ``always`` have names that the labelings do not have;
        if there are no samples; if other arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> labelings = {"res_0.5": [0, 0, 0, 1], "res_1.0": [0, 2, 2, 1]}
    >>> ax = gpuval.plots.plot_tree(labelings, ["a", "b", "b", "b"])
    >>> ax.get_xlabel(), [tick.get_text() for tick in ax.get_xticklabels()]
    ('res', ['0.5', '1'])
    >>> matplotlib.pyplot.close(ax.figure)
    """
    display = TreeDisplay.from_labelings(
        labelings,
        labels_true,
        color=color,
        max_labelings=max_labelings,
        always=always,
        sample_weight=sample_weight,
        ignore_labels=ignore_labels,
    )
    return display.plot(ax).ax_


class _Cells(NamedTuple):
    """The cells of a table on the host, with the labels of both sides."""

    counts: NDArray
    rows: NDArray
    columns: NDArray
    row_labels: list[Any]
    column_labels: list[Any]

    @classmethod
    def of(cls, table: Contingency) -> Self:
        """Copy those of a table."""
        cells: Any = table.listed().cells
        counts, rows, columns = map(to_host, (cells.counts, cells.class_of, cells.cluster_of))
        row_labels, column_labels = (labels_on_host(x).tolist() for x in (table.classes, table.clusters))
        return cls(counts, rows, columns, row_labels, column_labels)

    def with_rows(self, labels: Sequence[Any]) -> Self:
        """The same cells among rows of all these labels: a table lacks those without samples in it."""
        places = {label: place for place, label in enumerate(labels)}
        rows = np.asarray([places[label] for label in self.row_labels], dtype=np.intp)[self.rows]
        return self._replace(rows=rows, row_labels=list(labels))

    def with_columns(self, labels: Sequence[Any]) -> Self:
        """The same among columns of all these labels."""
        places = {label: place for place, label in enumerate(labels)}
        columns = np.asarray([places[label] for label in self.column_labels], dtype=np.intp)[self.columns]
        return self._replace(columns=columns, column_labels=list(labels))

    def sums(self, row_places: NDArray | None, column_places: NDArray) -> NDArray:
        """The counts by the new places of rows, if they have new ones, and of columns."""
        places = np.arange(len(self.row_labels)) if row_places is None else row_places
        sums = np.zeros((places.max(initial=-1) + 1, column_places.max(initial=-1) + 1), dtype=self.counts.dtype)
        np.add.at(sums, (places[self.rows], column_places[self.columns]), self.counts)
        return sums


class _Nodes(NamedTuple):
    """The clusters of a labeling by falling size, the small ones as one, and the place of each by its code."""

    labels: list[Any]
    sizes: NDArray
    n_small: int
    places: NDArray

    @classmethod
    def of(cls, own: _Cells) -> Self:
        """Those of the table of a labeling with itself."""
        sizes = np.zeros(len(own.column_labels), dtype=own.counts.dtype)
        np.add.at(sizes, own.columns, own.counts)
        total = sizes.sum()
        if not total:
            raise ValueError("labelings must have at least one sample to be plotted, got none")
        order = [i for i in np.argsort(-sizes, kind="stable").tolist() if sizes[i]]
        large = [
            i
            for rank, i in enumerate(order)
            if rank < _ALWAYS_SHOWN or (rank < _MOST_CLUSTERS and sizes[i] >= _SMALL * total)
        ]
        n_small = len(order) - len(large)
        if n_small == 1:  # which would be as high by itself
            large, n_small = order, 0
        places = np.full(len(sizes), len(large) if n_small else 0)
        places[large] = np.arange(len(large))
        of_nodes = sizes[large]
        if n_small:
            of_nodes = np.append(of_nodes, total - of_nodes.sum())
        return cls([own.column_labels[i] for i in large], of_nodes, n_small, places)


def _classes_of(tables: Sequence[_Cells]) -> tuple[list[Any], list[_Cells]]:
    """The classes by falling size, and the tables with their rows in this order."""
    known = list(dict.fromkeys(label for table in tables for label in table.row_labels))
    tables = [table.with_rows(known) for table in tables]
    sizes = np.zeros(len(known))
    for table in tables:  # samples may be ignored in some of them
        of_table = np.zeros(len(sizes))
        np.add.at(of_table, table.rows, table.counts)
        sizes = np.maximum(sizes, of_table)
    order = [i for i in np.argsort(-sizes, kind="stable").tolist() if sizes[i]]
    places = np.full(len(sizes), len(order))
    places[order] = np.arange(len(order))
    labels = [known[i] for i in order]
    return labels, [x._replace(rows=places[x.rows], row_labels=labels) for x in tables]


def _barycentres(nodes: Sequence[_Nodes], shared: Sequence[NDArray]) -> list[NDArray]:
    """The order of the clusters of each labeling: by where those are, on average, that they share samples with.

    The sum of small clusters is the last one.
    """
    orders = [np.arange(len(nodes[0].sizes))]
    for counts, before, these in zip(shared, nodes, nodes[1:], strict=False):
        heights = before.sizes[orders[-1]] / before.sizes.sum()
        centres = np.empty(len(heights))
        centres[orders[-1]] = np.cumsum(heights) - heights / 2
        totals = counts.sum(axis=0)
        means = np.divide(centres @ counts, totals, out=np.full(len(these.sizes), 2.0), where=totals > 0)
        means[len(these.labels) :] = np.inf
        orders.append(np.argsort(means, kind="stable"))
    return orders


def _evenly(n: int, most: int | None, always: Sequence[int]) -> list[int]:
    """Places of at most so many of ``n``: evenly spread, the first and the last among them, and some always."""
    if most is None or n <= most:
        return list(range(n))
    chosen = np.linspace(0, n - 1, most).round().astype(int).tolist()
    for place in always:
        if place not in chosen:
            free = [i for i in chosen if i not in always]
            nearest = min(free or chosen, key=lambda i: abs(i - place))
            chosen[chosen.index(nearest)] = place
    return sorted(chosen)


def _check_names(argument: str, some: Any, names: Sequence[Any]) -> None:
    """Check that names are those of labelings."""
    if missing := [x for x in some if x not in names]:
        raise ValueError(f"{argument} must be of the labelings {names!r}, got {missing[0]!r}")


def _scores(color: Mapping[Any, Any], name: Any, labels: Sequence[Any], nodes: _Nodes) -> NDArray:
    """The score of each cluster of a labeling, NaN for those without one."""
    of_labels = color.get(name, {})
    if isinstance(of_labels, ClusterScores | BestClassScores | ClusterStability):
        values = of_labels.jaccard if isinstance(of_labels, ClusterStability) else of_labels.scores
        of_labels = dict(zip(labels_on_host(of_labels.clusters).tolist(), to_host(values).tolist(), strict=True))
    if not isinstance(of_labels, Mapping):
        raise TypeError(
            f"color[{name!r}] must be a mapping from labels to scores, or scores of clusters, got "
            f"{type(of_labels).__name__}"
        )
    scores = [as_number(f"color[{name!r}]", of_labels.get(label, np.nan)) for label in labels]
    return np.asarray([*scores, *[np.nan] * (nodes.n_small > 0)])
