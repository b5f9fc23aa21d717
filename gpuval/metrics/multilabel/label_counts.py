"""How often each class is predicted, rightly and wrongly: what measures of predicted labels read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import backend_of, to_host, trees
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


@dataclass(frozen=True, eq=False, repr=False)
class LabelCounts(Counts):
    """How often each class is predicted, rightly and wrongly, and how often it is not.

    What measures of predicted labels read, and take in place of labels: made by :meth:`from_labels`,
    :meth:`from_contingency` or :meth:`from_counts`. Counts add up: ``a + b`` are those of the samples of both, of the
    same classes. For JAX and PyTorch they are a tree of their arrays: ``jax.lax.psum`` adds up those of several
    devices, and :class:`MultilabelAccumulator` those of several processes.

    Attributes
    ----------
    true_positives, false_positives, false_negatives, true_negatives
        Shape (n_classes,): the number (or the weight) of the samples that have the class and are predicted to have it,
        that do not have it but are, that have it but are not, and neither; ``true_negatives`` is None where that is not
        known.
    classes
        The label of each class: a range for matrices, whose columns are the classes.
    is_multiclass
        Whether each sample has exactly one class and is predicted one.
    broken
        None, or, where values are not looked at, for which classes something is wrong, shape (n_classes,): their scores
        are NaN.

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
        trees.register(cls)
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
        """Count what is predicted of each class.

        Parameters
        ----------
        y_true
            The labels: a matrix of 0 and 1, shape (n_samples, n_classes), or one label for each sample, shape
            (n_samples,), of any kind that :meth:`gpuval.Contingency.from_labels` takes.
        y_pred
            The predicted labels, of the same shape, library and device.
        mask
            Which labels are known, booleans of the shape of a matrix ``y_true``.
        sample_weight
            Weights, shape (n_samples,), not negative; one of an integer type counts as that many samples.
        ignore_labels
            One value of ``y_true`` or several, such as -1, of labels that are not known and do not count.
        n_classes
            The number of classes of vectors, for labels from 0 to below it: with it nothing leaves the device to find
            it out, and what is wrong there makes scores NaN.

        Returns
        -------
        LabelCounts
            In the library and on the device of the labels. Integers, or real where the weights are.

        Raises
        ------
        TypeError, ValueError
            Labels of a matrix that are neither 0 nor 1; arrays of different shapes, libraries, devices or indexes;
            negative weights.

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
        """Read the counts of each label off a table in which classes and clusters are called the same.

        Parameters
        ----------
        table
            The table of labels and predicted labels; its labels are those of either side, sorted, or all of a table of
            given size.

        Returns
        -------
        LabelCounts
            In the library and on the device of the table.

        Raises
        ------
        TypeError, ValueError
            For what is no table, a batch of tables, and labels of both sides that have no common order.

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
        true_positives: Any, false_positives: Any, false_negatives: Any, true_negatives: Any = None
    ) -> LabelCounts:
        """Take counts that are there already.

        Parameters
        ----------
        true_positives, false_positives, false_negatives
            Shape (n_classes,), of one library and on one device: finite and not negative, real or whole.
        true_negatives
            The same; None if they are not known, as few measures read them.

        Returns
        -------
        LabelCounts
            In the library and on the device of the counts.

        Raises
        ------
        TypeError, ValueError
            For what are no numbers, other shapes, negative ones, and those whose sum is too large for their type. Where
            values are not looked at, the score of such a class is NaN, or that of all whose sum is too large.

        Examples
        --------
        >>> from gpuval.multilabel import LabelCounts, precision_score
        >>> counts = LabelCounts.from_counts([2, 5, 10], [2, 10, 40], [0, 0, 0])
        >>> round(float(precision_score(counts)) * 90, 9)
        31.0
        """
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
    right, wrong, missed, left = (arrays.get(name) for name in COUNTS)
    assert right is not None
    assert wrong is not None
    assert missed is not None
    counts = Counts(right, wrong, missed, left, range(int(right.shape[0])), False, broken)
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
