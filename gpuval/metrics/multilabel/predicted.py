"""How right predicted labels are: precision, recall, F, balanced accuracy, and the share of wrong labels."""

from __future__ import annotations

from typing import Any, Literal

from gpuval.inputs.options import in_ratio
from gpuval.metrics.multilabel._labels.counts import Counts
from gpuval.metrics.multilabel._measures.definition import AVERAGES
from gpuval.metrics.multilabel._measures.public import label_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["balanced_accuracy_score", "f_score", "hamming_loss", "precision_score", "recall_score"]

_GEOMETRIC = (*AVERAGES[:-1], "geometric", None)


@label_measure(kind="counts", averages=_GEOMETRIC)
def precision_score(counts: Counts) -> tuple[Array, Array]:
    """Share of the samples that are predicted to have a class that have it.

    TP / (TP + FP), of the true and the false positives of a class ([1]_, not checked against the text). Higher is
    better, 1 where all that are predicted have the class; from 0 to 1. Exchanged labels and predictions give
    :func:`recall_score`.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        As for :meth:`LabelCounts.from_labels`; for ``average="samples"`` without matrices.

    Notes
    -----
    A class that is never predicted is 0/0: 0, as in scikit-learn (``zero_division``), or what ``on_undefined`` says.
    torchmetrics leaves classes out of macro means that neither occur nor are predicted; "skip" leaves out all that are
    0/0. Labels of a matrix leave the device never; :func:`gpuval.evaluate` says what of vectors does.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.

    Examples
    --------
    Classes with precisions 1/2, 1/3 and 1/5, whose mean is 31/90, of all entries 17/69; then perfect labels, and labels
    that are all wrong:

    >>> from gpuval import multilabel
    >>> counts = multilabel.LabelCounts.from_counts([2, 5, 10], [2, 10, 40], [0, 0, 0])
    >>> round(float(multilabel.precision_score(counts)) * 90, 12)
    31.0
    >>> round(float(multilabel.precision_score(counts, average="micro")) * 69, 12)
    17.0
    >>> float(multilabel.precision_score([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.precision_score(["cat", "dog"], ["dog", "cat"]))
    0.0
    """
    return counts.real(counts.true_positives), counts.real(counts.true_positives + counts.false_positives)


@label_measure(kind="counts", averages=_GEOMETRIC)
def recall_score(counts: Counts) -> tuple[Array, Array]:
    """Share of the samples that have a class that are predicted to have it.

    TP / (TP + FN), of the true positives and the false negatives of a class ([1]_, not checked against the text).
    Higher is better, 1 where all that have the class are found; from 0 to 1. Exchanged labels and predictions give
    :func:`precision_score`.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        As for :meth:`LabelCounts.from_labels`; for ``average="samples"`` without matrices.

    Notes
    -----
    A class that no sample has is 0/0: 0, as in scikit-learn (``zero_division``), or what ``on_undefined`` says.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.

    Examples
    --------
    Of the first class one of two is found, of the second one of one; then labels that are all wrong:

    >>> from gpuval import multilabel
    >>> multilabel.recall_score([[1, 0], [1, 1]], [[1, 0], [0, 1]], average=None).tolist()
    [0.5, 1.0]
    >>> float(multilabel.recall_score([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.recall_score(["cat", "dog"], ["dog", "cat"]))
    0.0
    """
    return counts.real(counts.true_positives), counts.real(counts.true_positives + counts.false_negatives)


def _f_of_means(precision: Array, recall: Array, xp: Any, *, beta: float = 1.0) -> Array:
    of_recall, of_precision = in_ratio(beta * beta)
    both = (of_recall + of_precision) * precision * recall
    return ratio(both, of_precision * recall + of_recall * precision, xp)


@label_measure(
    kind="counts",
    averages=(*_GEOMETRIC[:-1], "macro_of_means", None),
    of_means=(precision_score, recall_score, _f_of_means),
)
def f_score(counts: Counts, *, beta: float = 1.0) -> tuple[Array, Array]:
    """Weighted harmonic mean of the precision and the recall of a class.

    (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP), of the true positives, the false negatives and the false
    positives of a class ([1]_, not checked against the text). Higher is better, 1 where all labels are right; from 0 to
    1. Symmetric for ``beta=1``.

    Parameters
    ----------
    beta
        How many times as important recall is as precision, from 0 for the precision to infinity for the recall.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        As for :meth:`LabelCounts.from_labels`; for a ``beta`` that is negative or no number; for ``average="samples"``
        without matrices.

    Notes
    -----
    A class that neither occurs nor is predicted is 0/0: 0, as in scikit-learn (``zero_division``), or what
    ``on_undefined`` says. The mean over the classes ("macro") is that of scikit-learn and torchmetrics; the value of
    the mean precision and the mean recall ("macro_of_means") is at least as large, and can be far larger ([2]_, not
    checked against the text).

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.
    .. [2] J. Opitz and S. Burst, "Macro F1 and Macro F1", arXiv:1911.03347, 2019.

    Examples
    --------
    The two macro means of a table of three classes, 32/63 and 19/37; then perfect labels, and labels that are all
    wrong:

    >>> import gpuval
    >>> from gpuval import multilabel
    >>> table = gpuval.Contingency.from_counts([[2, 2, 0], [1, 1, 1], [0, 1, 2]])
    >>> counts = multilabel.LabelCounts.from_contingency(table)
    >>> round(float(multilabel.f_score(counts)) * 63, 12)
    32.0
    >>> round(float(multilabel.f_score(counts, average="macro_of_means")) * 37, 12)
    19.0
    >>> float(multilabel.f_score([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.f_score(["cat", "dog"], ["dog", "cat"]))
    0.0
    """
    of_recall, of_precision = in_ratio(beta * beta)
    right = (of_recall + of_precision) * counts.real(counts.true_positives)
    missed, wrong = counts.real(counts.false_negatives), counts.real(counts.false_positives)
    return right, right + of_recall * missed + of_precision * wrong


@label_measure(kind="counts", averages=(), on_undefined="skip")
def balanced_accuracy_score(
    counts: Counts,
    *,
    definition: Literal[
        "recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity"
    ] = "recall",
    adjusted: bool = False,
) -> tuple[Array, Array]:
    """Mean over the classes of how right the predictions are of each, so that large classes count no more than small.

    With the precision P, the recall R and the specificity S = TN / (TN + FP) of a class, the mean of R ([1]_, not
    checked against the text), of min(P, R) ([2]_, not checked against the text), of min(R, S) ([3]_, not checked
    against the text), or of (R + S)/2 ([4]_, not checked against the text). Higher is better, 1 where all labels are
    right; from 0 to 1.

    Parameters
    ----------
    definition
        "recall", that of scikit-learn and for two classes the mean of sensitivity and specificity;
        "min_precision_recall", known as class balance accuracy; "min_recall_specificity"; or "mean_recall_specificity".
    adjusted
        Whether the mean recall is to be 0 for predictions by chance, (R - 1/k) / (1 - 1/k) of the k classes that occur:
        from -1/(k - 1) to 1. Only for ``definition="recall"``, of one label for each sample.

    Returns
    -------
    score
        A number in the library and on the device of the labels. No unit.

    Raises
    ------
    TypeError, ValueError
        As for :meth:`LabelCounts.from_labels`; for an unknown definition, and for ``adjusted`` with another one than
        "recall".

    Notes
    -----
    Classes that are 0/0 are left out, unless ``on_undefined`` says otherwise: those that no sample has, or for
    "min_precision_recall" those that neither occur nor are predicted. For the last two definitions those that no sample
    has, or all have. The mean of no classes is NaN, as is the adjusted score of one class.

    References
    ----------
    .. [1] K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, "The balanced accuracy and its posterior
       distribution", ICPR 2010.
    .. [2] L. Mosley, "A balanced approach to the multi-class imbalance problem", dissertation, Iowa State University,
       2013.
    .. [3] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    .. [4] R. J. Urbanowicz and J. H. Moore, "ExSTraCS 2.0: description and evaluation of a scalable learning classifier
       system", Evolutionary Intelligence 8, 2015.

    Examples
    --------
    A table of three classes by each definition, and by chance 0; then perfect labels, and labels that are all wrong:

    >>> import gpuval
    >>> from gpuval.multilabel import LabelCounts, balanced_accuracy_score
    >>> table = gpuval.Contingency.from_counts([[2, 2, 0], [1, 1, 1], [0, 1, 2]])
    >>> counts = LabelCounts.from_contingency(table)
    >>> float(balanced_accuracy_score(counts)), float(balanced_accuracy_score(counts, adjusted=True))
    (0.5, 0.25)
    >>> round(float(balanced_accuracy_score(counts, definition="min_precision_recall")) * 36, 12)
    17.0
    >>> float(balanced_accuracy_score(counts, definition="min_recall_specificity"))
    0.5
    >>> round(float(balanced_accuracy_score(counts, definition="mean_recall_specificity")) * 126, 12)
    79.0
    >>> float(balanced_accuracy_score(["cat", "dog"], ["cat", "dog"]))
    1.0
    >>> float(balanced_accuracy_score(["cat", "dog"], ["dog", "cat"]))
    0.0
    """
    right, positives, xp = counts.real(counts.true_positives), counts.positives, counts.backend.xp
    if adjusted and definition != "recall":
        raise ValueError(f"adjusted must be False for definition={definition!r}, got True")
    if adjusted and not counts.is_multiclass:
        raise ValueError("adjusted must be False unless each sample has one label, of vectors or of a table, got True")
    if definition == "recall":
        if not adjusted:
            return right, positives
        n_classes = xp.sum(xp.where(positives != 0, xp.ones_like(positives), 0.0))
        return n_classes * right - positives, (n_classes - 1) * positives
    if definition == "min_precision_recall":
        wrong, missed = counts.real(counts.false_positives), counts.real(counts.false_negatives)
        return right, right + xp.where(wrong > missed, wrong, missed)
    negatives = counts.negatives
    recall, specificity = ratio(right, positives, xp), ratio(counts.real(counts.true_negatives), negatives, xp)
    is_defined = xp.where((positives != 0) & (negatives != 0), xp.ones_like(right), 0.0)
    if definition == "min_recall_specificity":
        return xp.where(recall < specificity, recall, specificity) * is_defined, is_defined
    return (recall + specificity) / 2 * is_defined, is_defined


def _error_rate(counts: Counts) -> tuple[Array, Array]:
    """The share of the samples whose one label is wrong."""
    return counts.real(counts.false_negatives), counts.positives


@label_measure(kind="counts", average="micro", of_one_label=_error_rate, reads_true_negatives=True)
def hamming_loss(counts: Counts) -> tuple[Array, Array]:
    """Share of the labels that are wrong.

    (FP + FN) / (TP + FP + FN + TN), by default of all labels of all samples ([1]_, not checked against the text); of
    one label for each sample the share of the samples whose label is wrong. Lower is better, 0 where all labels are
    right; from 0 to 1. Symmetric.

    Returns
    -------
    loss
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        As for :meth:`LabelCounts.from_labels`; for ``average="samples"`` without matrices.

    Notes
    -----
    torchmetrics takes scores, and a label for predicted where a score is above the threshold, not at it;
    :func:`predicted_labels` makes labels of scores. Without a mask the means over the classes and over the samples are
    the same.

    References
    ----------
    .. [1] G. Tsoumakas and I. Katakis, "Multi-label classification: an overview", International Journal of Data
       Warehousing and Mining 3, 2007.

    Examples
    --------
    Five of twelve labels are wrong; one of two samples; all are right, and all wrong:

    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> round(float(multilabel.hamming_loss(labels, multilabel.predicted_labels(scores))) * 12, 12)
    5.0
    >>> float(multilabel.hamming_loss(["cat", "dog"], ["cat", "cat"]))
    0.5
    >>> float(multilabel.hamming_loss([[1, 0]], [[1, 0]])), float(multilabel.hamming_loss([[1, 0]], [[0, 1]]))
    (0.0, 1.0)
    """
    wrong = counts.real(counts.false_positives) + counts.real(counts.false_negatives)
    return wrong, counts.positives + counts.negatives
