"""Counts of true and false positives and negatives of each class: what measures of predicted labels read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.backends.trees import as_tree
from gpuval.inputs.labels import Vector, check_alike
from gpuval.inputs.matrices.numbers import Form, read_numbers
from gpuval.inputs.matrices.together import host_view
from gpuval.inputs.samples import is_weight
from gpuval.metrics.multilabel._labels.counts import (
    COUNTS,
    Counts,
    counts_of_entries,
    counts_of_labels,
    counts_of_table,
)
from gpuval.metrics.multilabel._labels.entries import is_vector, read_label_matrices
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency

__all__ = ["LabelCounts"]

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
        return cls(**vars(counts.like(like)))

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
            The true labels: a matrix of 0 and 1, shape (n_samples, n_classes), or one label for each sample, shape
            (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes.
        y_pred
            The predicted labels, with the shape, the library and the device of ``y_true``.
        mask
            Which labels are known: booleans of the shape of a matrix ``y_true``. Labels where it is False do not count.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative. An integer weight counts as that many samples.
        ignore_labels
            One value of ``y_true`` or several, such as -1, that mark unknown labels. Labels with such a value do not
            count.
        n_classes
            The number of classes of vectors, if labels are integers from 0 to ``n_classes - 1``. Nothing then leaves
            the device to find this number out, and invalid labels there make scores NaN.

        Returns
        -------
        LabelCounts
            In the library and on the device of the labels; integers, or real numbers if the weights are real.

        Raises
        ------
        TypeError, ValueError
            For labels of a matrix that are neither 0 nor 1; for arrays of different shapes, libraries, devices or
            indexes; and for negative weights.

        Examples
        --------
        >>> from gpuval.multilabel import LabelCounts
        >>> counts = LabelCounts.from_labels(["cat", "dog", "cat"], ["cat", "cat", "cat"])
        >>> counts.classes, counts.true_positives.tolist()
        (['cat', 'dog'], [2, 0])
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
        return LabelCounts.of(counts_of_table(table.with_none_left_invalid()), table.counts)

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
