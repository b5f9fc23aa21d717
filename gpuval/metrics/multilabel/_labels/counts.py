"""How often columns are predicted, rightly and wrongly: counted of entries and of tables, and added up."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gpuval.engines.backends import Backend, backend_of, is_dask, library_of, moved
from gpuval.inputs.selection import Ignored, read_ignored
from gpuval.metrics._common.naming import called
from gpuval.metrics.multilabel._labels.columns import Columns
from gpuval.metrics.multilabel._labels.entries import Entries
from gpuval.numerics import Array
from gpuval.table.labels import common_places
from gpuval.table.reading import use_table
from gpuval.table.table import Table

COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")

AnyCounts = TypeVar("AnyCounts", bound="Counts")


@dataclass(frozen=True, eq=False, repr=False)
class Counts:
    """How often each class is predicted, rightly and wrongly, and how often it is not; see :class:`LabelCounts`."""

    true_positives: Array
    false_positives: Array | None
    false_negatives: Array | None
    true_negatives: Array | None
    classes: Any
    is_multiclass: bool = False
    broken: Array | None = None

    def __add__(self: AnyCounts, other: Counts) -> AnyCounts:
        """Add the counts of other samples of the same classes."""
        if not isinstance(other, Counts):
            return NotImplemented
        self._check_same_classes(other)
        broken = [x.broken for x in (self, other) if x.broken is not None]
        parts = [[getattr(x, name) for x in (self, other)] for name in COUNTS]
        sums = [None if any(x is None for x in both) else self._sum(*both) for both in parts]
        found = self._with(sums, broken[0] | broken[-1] if broken else None)
        return replace(found, is_multiclass=self.is_multiclass and other.is_multiclass)

    def __radd__(self: AnyCounts, other: Any) -> AnyCounts:
        """Add to 0, as ``sum`` begins."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_classes} classes, {library_of(self.true_positives)})"

    # What measures read

    @property
    def backend(self) -> Backend:
        """The array library."""
        return backend_of(self.true_positives)

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.true_positives.shape[0])

    @property
    def positives(self) -> Array:
        """How many samples have each class, as a real number."""
        return self.real(self.true_positives) + self.known("false_negatives")

    @property
    def negatives(self) -> Array:
        """How many samples do not have each class, as a real number."""
        return self.known("true_negatives") + self.known("false_positives")

    def known(self, name: str) -> Array:
        """Counts of one kind as real numbers; raises if they are not known."""
        found = getattr(self, name)
        if found is None:
            raise ValueError(f"{name} must be given to LabelCounts.from_counts for this measure, got None")
        return self.real(found)

    def real(self, x: Array) -> Array:
        """Counts in the widest float."""
        return self.backend.as_real(x, self.true_positives)

    def total(self: AnyCounts) -> AnyCounts:
        """The counts of all classes as those of one."""
        backend, xp = self.backend, self.backend.xp
        given = (getattr(self, name) for name in COUNTS)
        sums = [None if x is None else xp.reshape(backend.sum(x), (1,)) for x in given]
        broken = None if self.broken is None else xp.reshape(xp.any(self.broken), (1,))
        return replace(self._with(sums, broken), classes=range(1))

    def like(self: AnyCounts, given: Array) -> AnyCounts:
        """The same in the library and on the device of an array."""
        if backend_of(given) is self.backend:
            return self
        *counts, broken = (getattr(self, name) for name in (*COUNTS, "broken"))
        return self._with(
            [x if x is None else moved(x, given) for x in counts], None if broken is None else moved(broken, given)
        )

    def for_tree(self: AnyCounts) -> AnyCounts:
        """The counts that are taken apart into a tree, which is always of the same arrays.

        The names of the classes, which are no array, are in a tuple.
        """
        xp, classes, broken = self.backend.xp, self.classes, self.broken
        broken = xp.zeros_like(self.true_positives, dtype=xp.bool) if broken is None else broken
        return replace(self, classes=classes if isinstance(classes, range) else tuple(classes), broken=broken)

    # Within

    def _with(self: AnyCounts, counts: Sequence[Any], broken: Array | None) -> AnyCounts:
        """The same with other counts, in the order of their names."""
        return replace(self, **dict(zip(COUNTS, counts, strict=True)) | {"broken": broken})

    def _check_same_classes(self, other: Counts) -> None:
        if self.backend is not other.backend:
            libraries = [library_of(x.true_positives) for x in (self, other)]
            raise TypeError(f"counts must be of one array library to be added, got {' and '.join(libraries)}")
        if not self.backend.are_together(self.true_positives, other.true_positives):
            devices = [self.backend.device(x.true_positives) for x in (self, other)]
            raise ValueError(f"counts must be on one device to be added, got {devices[0]} and {devices[1]}")
        if self.classes != other.classes and list(self.classes) != list(other.classes):
            classes = " and ".join(shown_classes(x.classes) for x in (self, other))
            raise ValueError(
                f"counts must be of the same classes to be added, got {classes}; give n_classes= for labels from 0, or "
                "add up tables (Contingency) first"
            )

    def _sum(self, x: Array, y: Array) -> Array:
        return x + y if x.dtype == y.dtype else self.real(x) + self.real(y)


def shown_classes(classes: Any) -> str:
    """The labels of classes, for messages."""
    names = list(classes)
    return str(names) if len(names) <= 6 else f"{len(names)} classes from {names[0]!r} to {names[-1]!r}"


def counts_of_labels(
    y_true: Any,
    y_pred: Any,
    *,
    mask: Any,
    sample_weight: Any,
    ignore_labels: Any,
    n_classes: int | None,
    are_all: bool = True,
) -> tuple[Counts, Array]:
    """The counts of one label for each sample, where they are found, and an array that results are to be like.

    Of samples that ``are_all`` of a call one must count; of a batch or a block none may.
    """
    if mask is not None:
        raise TypeError("mask must be left out where y_true has one label for each sample; give ignore_labels=")
    if are_all and not is_dask(y_true) and not (y_true.shape[0] if hasattr(y_true, "shape") else len(y_true)):
        raise ValueError("y_true must have at least one sample, got none")

    def found(table: Table, like: Array | None) -> tuple[Counts, Array]:
        counts = counts_of_table(table.with_none_left_invalid())
        return counts, counts.true_positives if like is None else like

    ignored = Ignored(true=read_ignored(ignore_labels))  # unknown labels: no prediction is one
    names = {"n_classes and n_clusters": "n_classes", "ignore_labels['true']": "ignore_labels"}
    with called(**names, labels_true="y_true", labels_pred="y_pred", n_clusters="n_classes"):
        return use_table(found, y_true, y_pred, sample_weight, ignored, n_classes, n_classes, are_all=are_all)


def counts_of_entries(entries: Entries) -> Counts:
    """The counts of all entries by class."""
    return functools.reduce(operator.add, entries.of_blocks(lambda block: counts_of_columns(block.columns("classes"))))


def joined_counts(parts: Iterable[Counts]) -> Counts:
    """The counts of the columns of all parts, which lie on the host if there are several."""
    first, *others = parts
    if not others:
        return first
    given = [[getattr(x, name) for x in (first, *others)] for name in COUNTS]
    counts = [first.backend.xp.concat(x) for x in given]
    return replace(first._with(counts, None), classes=range(int(counts[0].shape[0])))


def counts_of_columns(columns: Columns) -> Counts:
    """The counts of columns of predicted labels."""
    backend, predicted = columns.backend, columns.values
    positives, negatives = columns.positives, columns.negatives
    right, wrong = columns.total(positives & predicted), columns.total(negatives & predicted)
    if backend.kind(right) == "real":  # a difference of sums of reals would lose digits
        missed, left = columns.total(positives & ~predicted), columns.total(negatives & ~predicted)
    else:
        missed, left = columns.total(positives) - right, columns.total(negatives) - wrong
    return Counts(right, wrong, missed, left, range(int(predicted.shape[1])), broken=columns.broken)


def counts_of_table(table: Table) -> Counts:
    """The counts of the labels of a table."""
    backend, xp, table = table.backend, table.xp, table.occurring()
    rows, columns, classes, _ = common_places(
        table.classes, table.clusters, table.scales, table.counts, "LabelCounts", keeps_empty=False
    )
    cells, size = table.cells, len(classes)
    are_same = cells.by_class(rows) == cells.by_cluster(columns)
    nothing = xp.zeros_like(table.counts)
    right, other = xp.where(are_same, table.counts, nothing), xp.where(are_same, nothing, table.counts)
    by_row = [backend.total(cells.sum_by_class(x), rows, size) for x in (right, other)]
    wrong = backend.total(cells.sum_by_cluster(other), columns, size)
    left = table.total - by_row[0] - by_row[1] - wrong
    broken = None if table.invalid is None else xp.broadcast_to(table.invalid != 0, (size,))
    return Counts(by_row[0], wrong, by_row[1], left, classes, True, broken)
