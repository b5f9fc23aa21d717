"""What plots show of a table: the largest classes and clusters in matched order, and the rest in one sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from gpuval.display.colors import OTHERS, class_colors, cluster_colors, main_classes
from gpuval.engines.backends import to_host
from gpuval.inputs.options import as_number
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_in_dense
from gpuval.plots._axes import Axes, names_within, others_text
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_on_host


def check_most_labels(max_labels: Any, name: str = "max_labels") -> int | None:
    """Check that a number of labels is a positive integer, or None for all."""
    if max_labels is None:
        return None
    if isinstance(max_labels, bool) or not isinstance(max_labels, int | np.integer):
        raise TypeError(f"{name} must be an integer or None, got {max_labels!r}")
    if max_labels < 1:
        raise ValueError(f"{name} must be at least 1, got {max_labels}")
    return int(max_labels)


class TableDisplay:
    """What displays of a table have in common: the counts as they are shown, and the names beside them."""

    ax_: Axes
    figure_: Any

    def __init__(
        self,
        counts: Any,
        classes: Any,
        clusters: Any,
        *,
        n_other_classes: int = 0,
        n_other_clusters: int = 0,
        colors: Mapping[Any, str] | None = None,
    ) -> None:
        self.colors = colors
        self.counts = np.asarray(counts)
        self.classes, self.clusters = list(classes), list(clusters)
        self.n_other_classes, self.n_other_clusters = n_other_classes, n_other_clusters
        needed_shape = len(self.classes) + (n_other_classes > 0), len(self.clusters) + (n_other_clusters > 0)
        if self.counts.shape != needed_shape:
            raise ValueError(
                f"counts must have a row for each class and a column for each cluster, and one for others, shape "
                f"{needed_shape}, got shape {self.counts.shape}"
            )
        _check_counts(self.counts)
        self._colors = self._own_colors()

    def _own_colors(self) -> tuple[list[str], list[str]]:
        """The colours of classes and clusters by what is shown of them."""
        counts = self.counts[: len(self.classes), : len(self.clusters)]
        sizes = [*counts.sum(axis=1).tolist(), *[0] * self.n_other_classes]
        of_classes = _class_colors(self.classes, sizes, self.colors)
        return of_classes, cluster_colors(counts, of_classes)

    @classmethod
    def _of_table(
        cls, table: Contingency, max_labels: int | None, name: str = "a table", colors: Mapping[Any, str] | None = None
    ) -> Self:
        """The display of a table, which messages call ``name``."""
        if not isinstance(table, Contingency):
            raise TypeError(f"table must be a Contingency, got {type(table).__name__}")
        shown = _display_counts(table, cls._most_of, check_most_labels(max_labels), name)
        display = cls(
            shown.counts,
            shown.classes,
            shown.clusters,
            n_other_classes=shown.n_other_classes,
            n_other_clusters=shown.n_other_clusters,
            colors=colors,
        )
        display._colors = _colors_of_table(table.compact(), colors, shown)
        return display

    @classmethod
    def _from_labels(
        cls,
        labels_true: Any,
        labels_pred: Any,
        max_labels: int | None,
        sample_weight: Any,
        ignore_labels: Any,
        colors: Mapping[Any, str] | None,
    ) -> Self:
        if labels_pred is None and not isinstance(labels_true, Contingency):
            raise TypeError(
                "labels_pred must be given, or labels_true be a Contingency in place of both, got "
                f"{type(labels_true).__name__} and None"
            )
        check_most_labels(max_labels)
        table = as_table(labels_true, labels_pred, sample_weight, ignore_labels)
        return cls._of_table(table, max_labels, "a table" if table is labels_true else "labels_true", colors)

    @classmethod
    def _most_of(cls, table: Contingency, max_labels: int | None) -> int | None:
        """How many labels of a table are shown by themselves."""
        return max_labels

    def names_shown(self, size: float, room: float) -> tuple[list[str], list[str]]:
        """The names of the rows and of the columns, none wider than so many points in text of this size."""
        sides = (self.classes, self.n_other_classes), (self.clusters, self.n_other_clusters)
        rows, columns = ([*names_within(labels, size, room), *[others_text(n)] * (n > 0)] for labels, n in sides)
        return rows, columns

    def colors_shown(self) -> tuple[list[str], list[str]]:
        """The colours of the rows and of the columns."""
        return (
            [*self._colors[0], *[OTHERS] * (self.n_other_classes > 0)],
            [*self._colors[1], *[OTHERS] * (self.n_other_clusters > 0)],
        )

    def main_class_names(self) -> list[Any]:
        """The main class of each cluster."""
        n, k = len(self.classes), len(self.clusters)
        return [self.classes[i] for i in main_classes(self.counts[:n, :k]).tolist()]

    def _unit(self, unit: str) -> str:
        """What counts are of: such units, or weight, if they are fractions."""
        return unit if self.counts.dtype.kind in "iu" or (self.counts % 1 == 0).all() else "weight"


def _check_counts(counts: NDArray) -> None:
    """Check that counts are real, finite and not negative, and that not all of them are 0."""
    if counts.dtype.kind not in "iuf":
        raise TypeError(f"counts must be real numbers, got dtype {counts.dtype}")
    if (wrong := counts[~np.isfinite(counts) | (counts < 0)]).size:
        raise ValueError(f"counts must be finite and not negative, got {wrong[0].item()}")
    if not counts.any():
        raise ValueError(f"counts must have at least one sample, got only zeros, shape {counts.shape}")


class _DisplayCounts(NamedTuple):
    """The counts that are shown, in order; those of others are in the last row and in the last column."""

    counts: NDArray
    classes: list[Any]
    clusters: list[Any]
    n_other_classes: int
    n_other_clusters: int
    rows: NDArray
    """The places of the classes in the table, and..."""
    columns: NDArray
    """of the clusters."""


def _display_counts(
    table: Contingency, most_of: Callable[[Contingency, int | None], int | None], max_labels: int | None, name: str
) -> _DisplayCounts:
    """The counts of the largest classes and clusters in matched order (copies to the host)."""
    if len(table.shape) != 2:
        raise ValueError(f"a single table is needed for a plot, got a batch of shape {tuple(table.shape[:-2])}")
    table.check_valid()
    table = table.compact()
    if not all(table.shape) or not as_number("total", to_host(table.total)):
        raise ValueError(f"{name} must have at least one sample to be plotted, got none")
    most = most_of(table, max_labels)
    row_places, n_rows = _largest(to_host(table.class_sizes), most)
    column_places, n_columns = _largest(to_host(table.cluster_sizes), most)
    counts = np.asarray(to_host(table.to_array())) if most is None else _sum_cells(table, row_places, column_places)
    rows, columns = diagonal_order(counts[:n_rows, :n_columns])
    in_table = tuple(
        np.argsort(places, kind="stable")[:n][order]
        for places, n, order in ((row_places, n_rows, rows), (column_places, n_columns, columns))
    )
    classes, clusters = (
        labels_on_host(labels)[places].tolist()
        for labels, places in zip((table.classes, table.clusters), in_table, strict=True)
    )
    n_others = table.shape[0] - n_rows, table.shape[1] - n_columns
    rows, columns = (
        np.append(order, [len(order)] * (n > 0)).astype(np.int64)
        for order, n in zip((rows, columns), n_others, strict=True)
    )
    return _DisplayCounts(counts[np.ix_(rows, columns)], classes, clusters, *n_others, *in_table)


def _largest(sizes: NDArray, most: int | None) -> tuple[NDArray, int]:
    """The place of each label among the largest ones, which keep their order; others have the place after these."""
    kept = len(sizes) if most is None else min(most, len(sizes))
    places = np.full(len(sizes), kept)
    chosen = np.sort(np.argsort(-sizes, kind="stable")[:kept])
    places[chosen] = np.arange(kept)
    return places, kept


def _sum_cells(table: Contingency, row_places: NDArray, column_places: NDArray) -> NDArray:
    """The counts by the places of rows and columns; exact, if they are integers."""
    cells: Any = table.listed().cells
    values = to_host(cells.counts)
    counts = np.zeros((row_places.max() + 1, column_places.max() + 1), dtype=values.dtype)
    np.add.at(counts, (row_places[to_host(cells.class_of)], column_places[to_host(cells.cluster_of)]), values)
    return counts


# Colours, which are the same whatever part of a table is shown.


def _class_colors(classes: Sequence[Any], sizes: Sequence[float], chosen: Mapping[Any, str] | None) -> list[str]:
    """The colours of the first classes by the sizes of all of them, or those that were chosen."""
    if chosen is None:
        return class_colors(sizes)[: len(classes)]
    return class_colors(sizes[: len(classes)], [chosen.get(label, OTHERS) for label in classes])


def _colors_of_table(
    table: Contingency, chosen: Mapping[Any, str] | None, shown: _DisplayCounts
) -> tuple[list[str], list[str]]:
    """The colours of the classes and clusters that are shown, by all cells of the table."""
    sizes = to_host(table.class_sizes)
    classes = labels_on_host(table.classes).tolist() if chosen is not None else range(len(sizes))
    colors = np.asarray(_class_colors(classes, sizes.tolist(), chosen))
    cells: Any = table.listed().cells
    class_of, cluster_of, counts = (to_host(x) for x in (cells.class_of, cells.cluster_of, cells.counts))
    order = np.lexsort((class_of, -sizes[class_of], -counts, cluster_of))
    _, first = np.unique(cluster_of[order], return_index=True)
    main = order[first]  # the cell of each cluster with its main class
    main = main[colors[class_of[main]] != OTHERS]
    rows, places = np.unique(class_of[main], return_inverse=True)
    shared = np.zeros((len(rows), table.shape[1]), dtype=counts.dtype)
    shared[places, cluster_of[main]] = counts[main]
    of_clusters = cluster_colors(shared, colors[rows].tolist())
    return colors[shown.rows].tolist(), [of_clusters[i] for i in shown.columns.tolist()]


# The order of classes and clusters that puts those with most common samples next to each other.


def diagonal_order(counts: NDArray) -> tuple[NDArray, NDArray]:
    """The orders of rows and of columns that bring large counts of a table of NumPy to the diagonal.

    Rows and columns are matched one to one so that they share as much as possible. A row without a column joins the
    group of the row that has a column and shares most of that column with it: so classes that were merged are beside
    each other. Groups go by what their rows add up to, the largest first; within one the matched row comes first, and
    then those that share most with its column. Columns are in the order of the rows that most of each belongs to, and
    among those of one row the one that shares most with it comes first. What is empty comes last.

    Parameters
    ----------
    counts
        Not negative, shape (n_rows, n_columns).

    Returns
    -------
    rows, columns
        Two permutations: ``counts[rows][:, columns]`` is the table in order.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[0, 9, 0], [4, 0, 7], [0, 1, 0]])
    >>> rows, columns = diagonal_order(counts)
    >>> counts[rows][:, columns]
    array([[7, 4, 0],
           [0, 0, 9],
           [0, 0, 1]])
    """
    matched_rows, matched_columns = best_in_dense(counts)
    share = counts[matched_rows, matched_columns] > 0
    matched_rows, matched_columns = matched_rows[share], matched_columns[share]
    n_groups = len(matched_rows)
    groups, shared = _groups(counts, matched_rows, matched_columns)
    sizes = np.bincount(groups, weights=counts.sum(axis=1), minlength=n_groups + 1)[:n_groups]
    rank = np.full(n_groups + 1, n_groups)
    rank[np.lexsort((matched_rows, -sizes))] = np.arange(n_groups)
    rows = np.lexsort((-shared, rank[groups]))
    return rows, _order_of_columns(counts, rows)


def _order_of_columns(counts: NDArray, rows: NDArray) -> NDArray:
    """The order of columns by the place of the row that most of each belongs to; empty ones are last."""
    if not counts.size:
        return np.arange(counts.shape[1])
    place_of = np.empty(len(rows), dtype=np.int64)
    place_of[rows] = np.arange(len(rows))
    mains = main_classes(counts)
    shared = counts[mains, np.arange(counts.shape[1])]
    return np.lexsort((-shared, np.where(shared > 0, place_of[mains], len(rows))))


def _groups(counts: NDArray, rows: NDArray, columns: NDArray) -> tuple[NDArray, NDArray]:
    """The group of each row, and what it shares with the column of it; that of empty rows is ``len(rows)``.

    ``rows`` and ``columns`` are matched, and share infinitely much. No row and column that are left share anything:
    they would have been matched.
    """
    groups, shared = np.full(len(counts), len(rows)), np.zeros(len(counts))
    groups[rows], shared[rows] = np.arange(len(rows)), np.inf
    alone = np.flatnonzero(groups == len(rows))
    if len(alone) and len(columns):
        of_matched = counts[np.ix_(alone, columns)]
        nearest = of_matched.argmax(axis=1)
        shared[alone] = of_matched[np.arange(len(alone)), nearest]
        groups[alone] = np.where(shared[alone] > 0, nearest, len(rows))
    return groups, shared
