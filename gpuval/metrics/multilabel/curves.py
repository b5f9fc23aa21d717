"""How well scores set samples that have a class apart from those that do not: areas under curves of thresholds."""

from __future__ import annotations

from gpuval.engines import engine_of
from gpuval.metrics.multilabel._labels.columns import Columns
from gpuval.metrics.multilabel._measures.public import label_measure
from gpuval.numerics import Array

__all__ = ["average_precision_score", "roc_auc_score"]


@label_measure(kind="curves", reads="scores", on_undefined="nan")
def roc_auc_score(columns: Columns) -> tuple[Array, Array]:
    """Area under the ROC curve: the chance that of two samples the one with the class has the larger score.

    (C + T/2) / (P N), of the P samples that have the class and the N that do not, the C pairs of both kinds of which
    the one with the class has the larger score, and the T pairs of equal scores ([1]_, not checked against the text);
    samples count by their weights. Higher is better, 1 where all that have the class score above all others; from 0 to
    1, and 1/2 for scores that say nothing. Only the order of the scores counts: they are never transformed.

    Returns
    -------
    score
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores that are NaN, and arrays of different shapes, libraries or devices.
        Where values are not looked at, on a device, such classes are NaN.

    Notes
    -----
    A class that all samples have, or none, has no such pair: it is NaN, and so is the mean, unless ``on_undefined``
    says otherwise ("skip" leaves it out). scikit-learn gives NaN, too; torchmetrics counts 0 into the mean, and takes
    scores outside of [0, 1] for logits, whose sigmoid is 1 for many of them in 32 bits, so that they are tied.

    Without weights the pairs are counted in integers, which is exact, where the device has 64 bits. Nothing leaves the
    device.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.

    Examples
    --------
    Four samples and three classes, whose areas are 5/8, 1/2 and 1/3; then perfect scores, and scores that say nothing:

    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> round(float(multilabel.roc_auc_score(labels, scores)) * 72, 12)
    35.0
    >>> round(float(multilabel.roc_auc_score(labels, scores, average="micro")) * 70, 12)
    37.0
    >>> float(multilabel.roc_auc_score(labels, scores, average="samples"))
    0.5625
    >>> float(multilabel.roc_auc_score([0, 0, 1], [-3.0, 0.5, 20.0]))
    1.0
    >>> float(multilabel.roc_auc_score([0, 0, 1], [0.5, 0.5, 0.5]))
    0.5
    """
    engine = engine_of(columns.values)
    pairs, positives, negatives = engine.concordance(
        columns.values, columns.positives, columns.negatives, columns.weights
    )
    return pairs, positives * negatives


@label_measure(kind="curves", reads="scores", on_undefined="nan")
def average_precision_score(columns: Columns) -> tuple[Array, Array]:
    """Mean over the samples that have a class of the precision at the threshold of each.

    The sum over the thresholds k, which are the different scores from the largest on, of (R_k - R_(k-1)) P_k, with the
    precision P_k and the recall R_k of the samples that score at least as high ([1]_, not checked against the text).
    Samples of equal scores stand at one threshold. Higher is better, 1 where all that have the class score above all
    others; above 0, and near the share of samples that have the class for scores that say nothing. Only the order of
    the scores counts: they are never transformed.

    Returns
    -------
    score
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,). No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores that are NaN, and arrays of different shapes, libraries or devices.
        Where values are not looked at, on a device, such classes are NaN.

    Notes
    -----
    A class that no sample has is NaN, and so is the mean, unless ``on_undefined`` says otherwise ("skip" leaves it
    out); scikit-learn gives 0, with a warning. :func:`gpuval.ranking.average_precision_score` gives tied documents the
    mean over all their orders in place of one threshold. Nothing leaves the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    Of four samples the first and the third by score have the class: (1 + 2/3)/2; then perfect scores, and scores that
    say nothing:

    >>> from gpuval import multilabel
    >>> round(float(multilabel.average_precision_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1])) * 6, 12)
    5.0
    >>> float(multilabel.average_precision_score([0, 0, 1], [-3.0, 0.5, 20.0]))
    1.0
    >>> float(multilabel.average_precision_score([0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5]))
    0.25
    """
    engine = engine_of(columns.values)
    return engine.precisions(columns.values, columns.positives, columns.negatives, columns.weights)
