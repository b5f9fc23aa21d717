"""What plots show of a table: the largest classes and clusters in matched order, and the rest in one sum."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.options import as_number
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_in_dense
from gpuval.plots._axes import Axes, name_on_plot, others_text
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
        self, counts: Any, classes: Any, clusters: Any, *, n_other_classes: int = 0, n_other_clusters: int = 0
    ) -> None:
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

    @classmethod
    def _of_table(cls, table: Contingency, max_labels: int | None, name: str = "a table") -> Self:
        """The display of a table, which messages call ``name``."""
        if not isinstance(table, Contingency):
            raise TypeError(f"table must be a Contingency, got {type(table).__name__}")
        shown = _display_counts(table, check_most_labels(max_labels), name)
        return cls(
            shown.counts,
            shown.classes,
            shown.clusters,
            n_other_classes=shown.n_other_classes,
            n_other_clusters=shown.n_other_clusters,
        )

    @classmethod
    def _from_labels(
        cls, labels_true: Any, labels_pred: Any, max_labels: int | None, sample_weight: Any, ignore_labels: Any
    ) -> Self:
        if labels_pred is None and not isinstance(labels_true, Contingency):
            raise TypeError(
                "labels_pred must be given, or labels_true be a Contingency in place of both, got "
                f"{type(labels_true).__name__} and None"
            )
        check_most_labels(max_labels)
        table = as_table(labels_true, labels_pred, sample_weight, ignore_labels)
        return cls._of_table(table, max_labels, "a table" if table is labels_true else "labels_true")

    def _names(self) -> tuple[list[str], list[str]]:
        """The names of the rows and of the columns as they are written."""
        sides = (self.classes, self.n_other_classes), (self.clusters, self.n_other_clusters)
        rows, columns = ([*map(name_on_plot, labels), *[others_text(n)] * (n > 0)] for labels, n in sides)
        return rows, columns

    def _unit(self) -> str:
        """What counts are of: samples, or weight, if they are fractions."""
        return "samples" if self.counts.dtype.kind in "iu" or (self.counts % 1 == 0).all() else "weight"


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


def _display_counts(table: Contingency, most: int | None, name: str) -> _DisplayCounts:
    """The counts of the largest classes and clusters in matched order (copies to the host)."""
    if len(table.shape) != 2:
        raise ValueError(f"a single table is needed for a plot, got a batch of shape {tuple(table.shape[:-2])}")
    table.check_valid()
    table = table.compact()
    if not all(table.shape) or not as_number("total", to_host(table.total)):
        raise ValueError(f"{name} must have at least one sample to be plotted, got none")
    row_places, n_rows = _largest(to_host(table.class_sizes), most)
    column_places, n_columns = _largest(to_host(table.cluster_sizes), most)
    counts = np.asarray(to_host(table.to_array())) if most is None else _sum_cells(table, row_places, column_places)
    rows, columns = diagonal_order(counts[:n_rows, :n_columns])
    classes, clusters = (
        labels_on_host(labels)[np.argsort(places, kind="stable")[:n][order]]
        for labels, places, n, order in (
            (table.classes, row_places, n_rows, rows),
            (table.clusters, column_places, n_columns, columns),
        )
    )
    n_others = table.shape[0] - n_rows, table.shape[1] - n_columns
    rows, columns = (
        np.append(order, [len(order)] * (n > 0)).astype(np.int64)
        for order, n in zip((rows, columns), n_others, strict=True)
    )
    return _DisplayCounts(counts[np.ix_(rows, columns)], classes.tolist(), clusters.tolist(), *n_others)


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


# The order of classes and clusters that puts those with most common samples next to each other.


def diagonal_order(counts: NDArray) -> tuple[NDArray, NDArray]:
    """The orders of rows and of columns that bring large counts of a table of NumPy to the diagonal.

    Rows and columns are matched one to one so that they share as much as possible. A column without a row joins the
    group of the row that most of it belongs to, a row without a column that of the column that has most of it: so a
    class that was split, or classes that were merged, are a block. Groups go by what their rows add up to, the largest
    first; within one the matched row and column come first, and then those that share most with them. What is empty
    comes last.

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
    rows, columns = best_in_dense(counts)
    share = counts[rows, columns] > 0
    rows, columns = rows[share], columns[share]
    n_groups = len(rows)
    groups_of_rows, shared_by_rows = _groups(counts, rows, columns)
    groups_of_columns, shared_by_columns = _groups(counts.T, columns, rows)
    sizes = np.bincount(groups_of_rows, weights=counts.sum(axis=1), minlength=n_groups + 1)[:n_groups]
    rank = np.full(n_groups + 1, n_groups)
    rank[np.lexsort((rows, -sizes))] = np.arange(n_groups)
    return np.lexsort((-shared_by_rows, rank[groups_of_rows])), np.lexsort(
        (-shared_by_columns, rank[groups_of_columns])
    )


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
