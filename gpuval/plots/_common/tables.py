"""What plots show of a table: the largest classes and clusters in matched order, and the rest in one sum."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.options import as_number
from gpuval.metrics._common.metric import as_table
from gpuval.numerics import NDArray
from gpuval.plots._common.axes import Axes, name_on_plot, others_text
from gpuval.plots._common.ordering import matched_order
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_on_host


def check_most_labels(max_labels: Any) -> int | None:
    """Check that a number of labels is a positive integer, or None for all."""
    if max_labels is None:
        return None
    if isinstance(max_labels, bool) or not isinstance(max_labels, int | np.integer):
        raise TypeError(f"max_labels must be an integer or None, got {max_labels!r}")
    if max_labels < 1:
        raise ValueError(f"max_labels must be at least 1, got {max_labels}")
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
        shown = _shown_counts(table, check_most_labels(max_labels), name)
        return cls(
            shown.counts,
            shown.classes,
            shown.clusters,
            n_other_classes=shown.n_other_classes,
            n_other_clusters=shown.n_other_clusters,
        )

    @classmethod
    def _of_labels(
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


class _ShownCounts(NamedTuple):
    """The counts that are shown, in order; those of others are in the last row and in the last column."""

    counts: NDArray
    classes: list[Any]
    clusters: list[Any]
    n_other_classes: int
    n_other_clusters: int


def _shown_counts(table: Contingency, most: int | None, name: str) -> _ShownCounts:
    """The counts of the largest classes and clusters in matched order (copies to the host)."""
    if len(table.shape) != 2:
        raise ValueError(f"a single table is needed for a plot, got a batch of shape {tuple(table.shape[:-2])}")
    table.check_valid()
    table = table.compact()
    if not all(table.shape) or not as_number("total", to_host(table.total)):
        raise ValueError(f"{name} must have at least one sample to be plotted, got none")
    row_places, n_rows = _largest(to_host(table.class_sizes), most)
    column_places, n_columns = _largest(to_host(table.cluster_sizes), most)
    counts = np.asarray(to_host(table.to_array())) if most is None else _summed(table, row_places, column_places)
    rows, columns = matched_order(counts[:n_rows, :n_columns])
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
    return _ShownCounts(counts[np.ix_(rows, columns)], classes.tolist(), clusters.tolist(), *n_others)


def _largest(sizes: NDArray, most: int | None) -> tuple[NDArray, int]:
    """The place of each label among the largest ones, which keep their order; others have the place after these."""
    kept = len(sizes) if most is None else min(most, len(sizes))
    places = np.full(len(sizes), kept)
    chosen = np.sort(np.argsort(-sizes, kind="stable")[:kept])
    places[chosen] = np.arange(kept)
    return places, kept


def _summed(table: Contingency, row_places: NDArray, column_places: NDArray) -> NDArray:
    """The counts by the places of rows and columns; exact, if they are integers."""
    cells: Any = table.listed().cells
    values = to_host(cells.counts)
    counts = np.zeros((row_places.max() + 1, column_places.max() + 1), dtype=values.dtype)
    np.add.at(counts, (row_places[to_host(cells.class_of)], column_places[to_host(cells.cluster_of)]), values)
    return counts
