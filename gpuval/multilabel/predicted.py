"""Measures of predicted labels: precision, recall, F, balanced accuracy, and the share of wrong labels."""

from __future__ import annotations

from typing import Any, Literal

from gpuval.inputs.options import beta_weights
from gpuval.measures.measure import measure
from gpuval.multilabel._inputs import AVERAGES
from gpuval.multilabel._measure import LABELS
from gpuval.multilabel.counts import Counts
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["balanced_accuracy_score", "f_score", "hamming_loss", "precision_score", "recall_score"]

_GEOMETRIC = (*AVERAGES[:-1], "geometric", None)


@measure(LABELS, kind="counts", averages=_GEOMETRIC, of_counts=("false_positives",), usual=1)
def precision_score(counts: Counts) -> tuple[Array, Array]:
    """Share of the samples predicted to have a class that do have it (precision, positive predictive value).

    For each class, let TP be the number of true positives, that is, samples that have the class and are predicted to
    have it; and FP the number of false positives, samples that do not have the class but are predicted to have it. The
    precision is TP / (TP + FP) ([1]_). Use it when a wrongly predicted class is costly. ``average`` decides how the
    values of the classes become one score.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all predicted labels are right. Not symmetric: exchanging
        labels and predictions gives :func:`recall_score`. No unit.

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`LabelCounts.from_labels` raises, and for ``average="samples"`` where labels are not
        matrices.

    Notes
    -----
    The precision of a class that is never predicted is 0/0. It counts 0, as in scikit-learn (``zero_division``), or
    what ``on_undefined`` says. From the macro mean, torchmetrics leaves out the classes that neither occur nor are
    predicted; "skip" leaves out all the classes that are 0/0.

    Labels of a matrix never leave the device; :func:`gpuval.evaluate` says what leaves it for vectors.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.

    Examples
    --------
    Three classes with the precisions 1/2, 1/3 and 1/5: their mean is 31/90, and the precision of all entries together
    is 17/69. Then perfect labels, and labels that are all wrong:

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
    right = counts.real(counts.true_positives)
    return right, right + counts.known("false_positives")


@measure(LABELS, kind="counts", averages=_GEOMETRIC, of_counts=("false_negatives",), usual=2)
def recall_score(counts: Counts) -> tuple[Array, Array]:
    """Share of the samples that have a class which are predicted to have it (recall, sensitivity, true positive rate).

    For each class, let TP be the number of true positives, that is, samples that have the class and are predicted to
    have it; and FN the number of false negatives, samples that have the class but are not predicted to have it. The
    recall is TP / (TP + FN) ([1]_). Use it when missing a class is costly. ``average`` decides how the values of the
    classes become one score.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if every class is found in all the samples that have it. Not
        symmetric: exchanging labels and predictions gives :func:`precision_score`. No unit.

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`LabelCounts.from_labels` raises, and for ``average="samples"`` where labels are not
        matrices.

    Notes
    -----
    The recall of a class that no sample has is 0/0. It counts 0, as in scikit-learn (``zero_division``), or what
    ``on_undefined`` says.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.

    Examples
    --------
    The first class is found in one of two samples, the second in both. Then perfect labels, and labels that are all
    wrong:

    >>> from gpuval import multilabel
    >>> multilabel.recall_score([[1, 0], [1, 1]], [[1, 0], [0, 1]], average=None).tolist()
    [0.5, 1.0]
    >>> float(multilabel.recall_score([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.recall_score(["cat", "dog"], ["dog", "cat"]))
    0.0
    """
    return counts.real(counts.true_positives), counts.positives


def _f_of_means(precision: Array, recall: Array, xp: Any, *, beta: float = 1.0) -> Array:
    of_recall, of_precision = beta_weights(beta * beta)
    if 0 in (of_recall, of_precision):
        return recall if of_recall else precision
    both = (of_recall + of_precision) * precision * recall
    return ratio(both, of_precision * recall + of_recall * precision, xp)


@measure(
    LABELS,
    kind="counts",
    averages=(*_GEOMETRIC[:-1], "macro_of_means", None),
    of_counts=("false_positives", "false_negatives"),
    of_means=(precision_score, recall_score, _f_of_means),
    usual=3,
)
def f_score(counts: Counts, *, beta: float = 1.0) -> tuple[Array, Array]:
    """Weighted harmonic mean of the precision and the recall of a class (F score; F1 for ``beta=1``).

    For each class, let TP, FP and FN be the numbers of true positives, false positives and false negatives, as in
    :func:`precision_score` and :func:`recall_score`, and let b be ``beta``. The value is (1 + b^2) TP / ((1 + b^2) TP +
    b^2 FN + FP) ([1]_). For b = 1 it is also known as the Dice coefficient. Use it when precision and recall both
    matter. ``average`` decides how the values of the classes become one score: macro-F1 counts all classes the same,
    micro-F1 all labels.

    Parameters
    ----------
    beta
        How many times as important recall is as precision: from 0, which gives the precision, to infinity, which gives
        the recall.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all labels are right. Symmetric for ``beta=1``. No unit.

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`LabelCounts.from_labels` raises; for a ``beta`` that is negative or not a number; and
        for ``average="samples"`` where labels are not matrices.

    Notes
    -----
    A class that neither occurs nor is predicted is 0/0. It counts 0, as in scikit-learn (``zero_division``), or what
    ``on_undefined`` says.

    There are two definitions of macro-F1. "macro", the mean over the classes of their F, is the one of scikit-learn and
    torchmetrics. "macro_of_means" computes F from the mean precision and the mean recall. It is at least as large, and
    can be far larger ([2]_).

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.
    .. [2] J. Opitz and S. Burst, "Macro F1 and Macro F1", arXiv:1911.03347, 2019.

    Examples
    --------
    A table of three classes, whose two macro-F1 are 32/63 and 19/37. Then perfect labels, and labels that are all
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
    of_recall, of_precision = beta_weights(beta * beta)
    right = (of_recall + of_precision) * counts.real(counts.true_positives)
    missed, wrong = counts.known("false_negatives"), counts.known("false_positives")
    return right, right + of_recall * missed + of_precision * wrong


@measure(
    LABELS,
    kind="counts",
    averages=(),
    on_undefined="skip",
    of_counts=("false_negatives",),
    range=lambda adjusted: (-1.0 if adjusted else 0.0, 1.0),
)
def balanced_accuracy_score(
    counts: Counts,
    *,
    definition: Literal[
        "recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity"
    ] = "recall",
    adjusted: bool = False,
) -> tuple[Array, Array]:
    """Mean over the classes of how well each is predicted, so that a large class counts as much as a small one.

    For each class, let TP, FP, TN and FN be the numbers of true and false positives and of true and false negatives.
    Let P = TP / (TP + FP) be the precision, R = TP / (TP + FN) the recall, and S = TN / (TN + FP) the specificity of
    the class. The score is the mean over the classes of R ([1]_), of min(P, R) ([2]_), of min(R, S) ([3]_), or of (R +
    S) / 2 ([4]_), as ``definition`` says. Use it in place of accuracy when the classes have very different sizes.

    Parameters
    ----------
    definition
        Which value of a class the mean is taken of. "recall" is R: this is the score of scikit-learn, and for two
        classes the mean of sensitivity and specificity. "min_precision_recall" is min(P, R), known as class balance
        accuracy. "min_recall_specificity" is min(R, S), and "mean_recall_specificity" is (R + S) / 2.
    adjusted
        Whether to adjust for chance, so that random predictions have the expected score 0. The score is then (R - 1/k)
        / (1 - 1/k), where R is the mean recall and k the number of classes that occur; it ranges from -1/(k - 1) to 1.
        Only for ``definition="recall"``, and one label for each sample.

    Returns
    -------
    score
        A number in the library and on the device of the labels. From 0 to 1 (but see ``adjusted``), higher is better; 1
        if all labels are right. No unit.

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`LabelCounts.from_labels` raises; for an unknown ``definition``; and for
        ``adjusted=True`` with a definition other than "recall".

    Notes
    -----
    Classes whose value is 0/0 are left out, unless ``on_undefined`` says otherwise. For "recall", these are the classes
    that no sample has; for "min_precision_recall", those that neither occur nor are predicted; for the last two
    definitions, those that no sample has or that all samples have. If no class is left, the mean is NaN. The adjusted
    score of a single class is NaN, too.

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
    A table of three classes, scored by each definition, and adjusted for chance. Then perfect labels, and labels that
    are all wrong:

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
        wrong, missed = counts.known("false_positives"), counts.known("false_negatives")
        return right, right + xp.where(wrong > missed, wrong, missed)
    negatives = counts.negatives
    recall, specificity = ratio(right, positives, xp), ratio(counts.known("true_negatives"), negatives, xp)
    is_defined = xp.where((positives != 0) & (negatives != 0), xp.ones_like(right), 0.0)
    if definition == "min_recall_specificity":
        return xp.where(recall < specificity, recall, specificity) * is_defined, is_defined
    return (recall + specificity) / 2 * is_defined, is_defined


def _error_rate(counts: Counts) -> tuple[Array, Array]:
    """The share of the samples whose one label is wrong."""
    return counts.known("false_negatives"), counts.positives


@measure(
    LABELS,
    kind="counts",
    average="micro",
    of_one_label=_error_rate,
    of_counts=("false_positives", "false_negatives", "true_negatives"),
    short=("hamming",),
    usual=6,
    better="lower",
)
def hamming_loss(counts: Counts) -> tuple[Array, Array]:
    """Share of the labels that are wrong.

    For each class, let TP, FP, TN and FN be the numbers of true and false positives and of true and false negatives.
    The loss is (FP + FN) / (TP + FP + FN + TN). By default all labels of all samples are counted together ([1]_). If
    each sample has exactly one label, given as a vector, it is the share of the samples whose label is wrong: 1 minus
    the accuracy. Use it when every single label of a sample counts the same.

    Returns
    -------
    loss
        A loss in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, lower is better; 0 if all labels are right. Symmetric. No unit.

    Raises
    ------
    TypeError, ValueError
        For everything that :meth:`LabelCounts.from_labels` raises, and for ``average="samples"`` where labels are not
        matrices.

    Notes
    -----
    torchmetrics takes scores, and predicts a label where the score is above the threshold, but not where it is equal to
    it. Use :func:`predicted_labels` to turn scores into labels. Without a mask, the mean over the classes and the mean
    over the samples are the same.

    References
    ----------
    .. [1] G. Tsoumakas and I. Katakis, "Multi-label classification: an overview", International Journal of Data
       Warehousing and Mining 3, 2007.

    Examples
    --------
    Five of twelve labels are wrong; the label of one of two samples is wrong; all labels are right, and all are wrong:

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
    wrong = counts.known("false_positives") + counts.known("false_negatives")
    return wrong, counts.positives + counts.negatives
