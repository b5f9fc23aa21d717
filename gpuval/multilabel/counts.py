"""Counts of true and false positives and negatives of each class: what measures of predicted labels read."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gpuval.engines.backends import OfOneLibrary, backend_of, fields_of, is_dask, library_of, move_to, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.inputs.labels import Vector, check_alike
from gpuval.inputs.numbers import Form, host_view, read_numbers
from gpuval.inputs.samples import is_weight
from gpuval.inputs.selection import LabelsToIgnore, read_ignored
from gpuval.measures.result import rename_arguments
from gpuval.multilabel.entries import Columns, is_vector
from gpuval.multilabel.reading import AnyEntries, read_label_matrices
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency
from gpuval.table.labels import common_places
from gpuval.table.reading import use_table
from gpuval.table.table import Table

__all__ = ["LabelCounts"]


# How often columns are predicted, rightly and wrongly: counted of entries and of tables, and added up.

COUNTS = ("true_positives", "false_positives", "false_negatives", "true_negatives")

AnyCounts = TypeVar("AnyCounts", bound="Counts")


@dataclass(frozen=True, eq=False, repr=False)
class Counts(OfOneLibrary):
    """How often each class is predicted, rightly and wrongly, and how often it is not; see :class:`LabelCounts`."""

    _like = "true_positives"

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
            [x if x is None else move_to(x, given) for x in counts], None if broken is None else move_to(broken, given)
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
            classes = " and ".join(text_of_classes(x.classes) for x in (self, other))
            raise ValueError(
                f"counts must be of the same classes to be added, got {classes}; give n_classes= for labels from 0, or "
                "add up tables (Contingency) first"
            )

    def _sum(self, x: Array, y: Array) -> Array:
        return x + y if x.dtype == y.dtype else self.real(x) + self.real(y)


def text_of_classes(classes: Any) -> str:
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

    def count(table: Table, like: Array | None) -> tuple[Counts, Array]:
        counts = _counts_of_table(table.with_none_left_invalid())
        return counts, counts.true_positives if like is None else like

    ignored = LabelsToIgnore(true=read_ignored(ignore_labels))  # unknown labels: no prediction is one
    names = {"n_classes and n_clusters": "n_classes", "ignore_labels['true']": "ignore_labels"}
    with rename_arguments(**names, labels_true="y_true", labels_pred="y_pred", n_clusters="n_classes"):
        return use_table(count, y_true, y_pred, sample_weight, ignored, n_classes, n_classes, are_all=are_all)


def counts_of_entries(entries: AnyEntries) -> Counts:
    """The counts of all entries by class."""
    parts = entries.map_blocks(lambda block: counts_of_columns(block.columns("classes")))
    return replace(functools.reduce(operator.add, parts), classes=entries.classes)


def join_counts(parts: Iterable[Counts]) -> Counts:
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
    return Counts(right, wrong, missed, left, range(columns.n_columns), broken=columns.broken)


def _counts_of_table(table: Table) -> Counts:
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


# As users see them

_FORM = Form("class", "(n_classes,)")


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class LabelCounts(Counts):
    """The numbers of true and false positives and negatives of each class (a confusion matrix for each class).

    All measures of predicted labels read these counts, and take them in place of labels. Make them with
    :meth:`from_labels`, :meth:`from_contingency` or :meth:`from_counts`. Counts of the same classes can be added: ``a +
    b`` are the counts of the samples of both. For JAX and PyTorch they are a tree of their arrays: ``jax.lax.psum``
    adds up those of several devices, and :class:`MultilabelAccumulator` those of several processes.

    Attributes
    ----------
    true_positives, false_positives, false_negatives, true_negatives
        Arrays of shape (n_classes,): the number of samples, or their weight. True positives have the class and are
        predicted to have it; false positives do not have it but are predicted to have it; false negatives have it but
        are not predicted to have it; true negatives are the rest. All but ``true_positives`` may be None: not known.
    classes
        The label of each class; for matrices a range, since their columns are the classes.
    is_multiclass
        Whether each sample has exactly one class and is predicted to have exactly one.
    broken
        None, or a boolean for each class, shape (n_classes,), that says where input was invalid although values were
        not checked. The scores of such classes are NaN.

    Examples
    --------
    >>> from gpuval.multilabel import LabelCounts, precision_score
    >>> counts = LabelCounts.from_labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]])
    >>> counts
    LabelCounts(2 classes, numpy)
    >>> counts.true_positives.tolist(), counts.false_positives.tolist(), counts.false_negatives.tolist()
    ([1, 2], [1, 0], [1, 0])
    >>> precision_score(counts, average=None).tolist()
    [0.5, 1.0]
    >>> float(precision_score(counts + counts))
    0.75
    """

    @classmethod
    def of(cls, counts: Counts, like: Array) -> LabelCounts:
        """Counts as users see them, in the library and on the device of an array."""
        return cls(**fields_of(counts.like(like)))

    @staticmethod
    def from_labels(
        y_true: Any,
        y_pred: Any,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
    ) -> LabelCounts:
        """Count true and false positives and negatives of each class.

        Parameters
        ----------
        y_true
            The true labels: a matrix of 0 and 1, shape (n_samples, n_classes), dense or sparse (of SciPy, CuPy, PyTorch
            or ``jax.experimental.sparse``); a label set for each sample; or one label for each sample, shape
            (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes.
        y_pred
            The predicted labels, with the shape, the library and the device of ``y_true``.
        mask
            Which labels are known: booleans of the shape of a dense matrix ``y_true``. Labels where it is False do not
            count.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative. An integer weight counts as that many samples.
        ignore_labels
            One value of ``y_true`` or several, such as -1, that mark unknown labels. Labels with such a value do not
            count. Of a sparse matrix they must be stored.
        n_classes
            The number of classes of vectors and label sets, if labels are integers from 0 to ``n_classes - 1``. Of
            vectors nothing then leaves the device to find this number out, and invalid labels there make scores NaN.

        Returns
        -------
        LabelCounts
            In the library and on the device of the labels; integers, or real numbers if the weights are real.

        Raises
        ------
        TypeError, ValueError
            For labels of a matrix that are neither 0 nor 1; for arrays of different shapes, libraries, devices or
            indexes; for negative weights; for a list that has a label twice; and for labels that are neither all
            integers nor all text.

        Notes
        -----
        Rows are label sets if they are Python sets, if they hold text, if they have different lengths and other labels
        than 0 and 1, and beside other label sets, where lists of one length with only 0 and 1 are an error; so is a
        column of lists in a data frame, and an array of lists. Other lists of one length are a matrix, where any number
        but 0 and 1 is an error: make sets of such rows if they hold labels. The classes of sets are all labels of both
        arguments, sorted. Beside a matrix, or with ``n_classes``, labels are the numbers of its columns.

        Label sets and sparse matrices are not made dense, unless the other argument is a dense matrix. What is not
        stored in a sparse matrix is 0, and entries of one place are added up.

        Examples
        --------
        >>> from gpuval.multilabel import LabelCounts
        >>> counts = LabelCounts.from_labels(["cat", "dog", "cat"], ["cat", "cat", "cat"])
        >>> counts.classes, counts.true_positives.tolist()
        (['cat', 'dog'], [2, 0])
        >>> counts = LabelCounts.from_labels([{12, 35, 200}, {54, 55}], [{12}, {35, 54, 55}])
        >>> counts.classes, counts.true_positives.tolist()
        ([12, 35, 54, 55, 200], [1, 0, 1, 1, 0])
        """
        building = {"mask": mask, "sample_weight": sample_weight, "ignore_labels": ignore_labels}
        if is_vector(y_true) and is_vector(y_pred):
            counts, given = counts_of_labels(y_true, y_pred, n_classes=n_classes, **building)
            return LabelCounts.of(counts, given)
        entries = read_label_matrices(y_true, y_pred, n_classes, **building)
        return LabelCounts.of(counts_of_entries(entries), entries.given)

    @staticmethod
    def from_contingency(table: Contingency) -> LabelCounts:
        """Count from a table in which classes and clusters have the same names.

        Parameters
        ----------
        table
            The table of true and predicted labels. Its labels are those that occur on either side, in the order that
            the data declare (ordered categories, or the rows of a data frame of counts), and sorted where there is no
            such order, or more than one; or all labels, if the table has a given size.

        Returns
        -------
        LabelCounts
            In the library and on the device of the table.

        Raises
        ------
        TypeError, ValueError
            If ``table`` is not a table or is a batch of tables, and if the labels of the two sides have no common
            order.

        Examples
        --------
        >>> import gpuval
        >>> from gpuval.multilabel import LabelCounts, recall_score
        >>> table = gpuval.Contingency.from_counts([[2, 2, 0], [1, 1, 1], [0, 1, 2]])
        >>> float(recall_score(LabelCounts.from_contingency(table)))
        0.5
        """
        if not isinstance(table, Contingency):
            raise TypeError(f"table must be a Contingency, got {type(table).__name__}")
        if len(table.shape) != 2:
            raise ValueError(f"table must be a single one, got a batch of shape {tuple(table.shape[:-2])}")
        return LabelCounts.of(_counts_of_table(table.with_none_left_invalid()), table.counts)

    @staticmethod
    def from_counts(
        true_positives: Any, false_positives: Any, false_negatives: Any = None, true_negatives: Any = None
    ) -> LabelCounts:
        """Take counts that you have already.

        Parameters
        ----------
        true_positives, false_positives, false_negatives, true_negatives
            Arrays of shape (n_classes,), of one library and on one device: finite numbers that are not negative, whole
            or not. All but ``true_positives`` may be None, if they are not known: precision needs no false negatives,
            recall no false positives, and few measures need true negatives. A measure that needs what is not known is
            an error.

        Returns
        -------
        LabelCounts
            In the library and on the device of the counts.

        Raises
        ------
        TypeError, ValueError
            For values that are not numbers, for other shapes, for negative numbers, and for numbers whose sum is too
            large for their type. Where values are not checked, the score of a class with a wrong number is NaN; if a
            sum is too large, the scores of all classes are.

        Examples
        --------
        >>> from gpuval.multilabel import LabelCounts, precision_score
        >>> counts = LabelCounts.from_counts([2, 5, 10], [2, 10, 40], [0, 0, 0])
        >>> round(float(precision_score(counts)) * 90, 9)
        31.0
        """
        if true_positives is None:
            raise TypeError("true_positives must be given, a number for each class, got None")
        given = (true_positives, false_positives, false_negatives, true_negatives)
        return _counts_as_given({name: x for name, x in zip(COUNTS, given, strict=True) if x is not None})


def _counts_as_given(given: dict[str, Any]) -> LabelCounts:
    arrays = {name: _vector(x, name) for name, x in given.items()}
    first = Vector("true_positives", given["true_positives"], arrays["true_positives"])
    for name, x in arrays.items():
        if x.shape != first.data.shape:
            raise ValueError(f"{name} must have as many classes as true_positives ({first.size}), got {x.shape[0]}")
        check_alike(first, Vector(name, given[name], x))
    arrays = {name: backend_of(x).widened(backend_of(x).comparable(x)) for name, x in arrays.items()}
    broken = None
    for name, x in arrays.items():
        backend, most = backend_of(x), _most(x)
        wrong, total = ~is_weight(x), backend.sum(backend.as_real(x, x))
        if (view := host_view(wrong)) is None:
            wrong = wrong | (total > most)
            broken = wrong if broken is None else broken | wrong
        elif view.any():
            raise ValueError(f"{name} must be finite and not negative, got {to_host(x)[view][0]}")
        elif to_host(total) > most:
            found = float(to_host(total))
            raise ValueError(f"{name} must add up to at most {most:.3g}, got {found:.3g}; scale all counts")
    wrong, missed, left = (arrays.get(name) for name in COUNTS[1:])
    counts = Counts(arrays[COUNTS[0]], wrong, missed, left, range(first.size), False, broken)
    return LabelCounts.of(counts, first.data)


def _most(x: Array) -> float:
    """What counts of one kind may add up to: measures add two kinds, and the sum of floats of 32 bits is rounded."""
    backend = backend_of(x)
    limits = backend.xp.iinfo if backend.kind(x) == "integer" else backend.xp.finfo
    return float(limits(x.dtype).max) / 4


def _vector(x: Any, name: str) -> Array:
    """A number for each class, of at least one."""
    if not is_vector(x):
        what = f"shape {tuple(x.shape)}" if hasattr(x, "shape") else repr(x)
        raise ValueError(f"{name} must have a number for each class, shape (n_classes,), got {what}")
    array = read_numbers(x, name, _FORM)
    if not array.shape[0]:
        raise ValueError(f"{name} must have at least one class, got none")
    return array
