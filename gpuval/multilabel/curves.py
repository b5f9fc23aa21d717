"""Areas under curves: how well scores separate the samples that have a class from those that do not."""

from __future__ import annotations

from gpuval.engines.backends import Backend, backend_of
from gpuval.measures.measure import measure
from gpuval.multilabel._measure import LABELS
from gpuval.multilabel.entries import Columns
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["average_precision_score", "roc_auc_score"]


@measure(LABELS, kind="curves", reads="scores", on_undefined="nan", short=("auc",), usual=4)
def roc_auc_score(columns: Columns) -> tuple[Array, Array]:
    """Area under the ROC curve: how likely a sample with the class has a larger score than one without it (AUC, AUROC).

    For each class, let P be the number of samples that have the class and N the number of those that do not, so that
    there are P N pairs of one of each. Let C be the number of pairs in which the sample with the class has the larger
    score, and T the number of pairs with equal scores. The area is (C + T/2) / (P N) ([1]_). Samples count by their
    weights. Only the order of the scores matters, so they are never transformed. Use it to judge scores before a
    threshold is chosen.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all samples that have the class score above all others, 1/2
        for scores without information. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores that are NaN, and for arrays of different shapes, libraries or
        devices. Where values are not checked, on a device, such classes are NaN.

    Notes
    -----
    A class that all samples have, or that none has, has no such pair. Its value is NaN, and so is the mean, unless
    ``on_undefined`` says otherwise ("skip" leaves the class out). scikit-learn returns NaN, too. torchmetrics counts it
    as 0 in the mean. It also treats scores outside of [0, 1] as logits, and in 32 bits the sigmoid of many of them is
    1, so that they become tied.

    Without weights, pairs are counted in integers, which is exact where the device has 64 bits. Nothing leaves the
    device.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.

    Examples
    --------
    Four samples and three classes, whose areas are 5/8, 1/2 and 1/3. Then perfect scores, and scores without
    information:

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
    pairs, positives, negatives = columns.concordance()
    return pairs, positives * negatives


@measure(LABELS, kind="curves", reads="scores", on_undefined="nan", short=("ap",), usual=5)
def average_precision_score(columns: Columns) -> tuple[Array, Array]:
    """Mean, over the samples that have a class, of the precision at the threshold of each (AP).

    For each class, let the thresholds be the different scores, sorted from the largest on, with k = 1, 2, ... for the
    first, the second and so on. Let P_k be the precision and R_k the recall if all samples that score at least the k-th
    threshold are predicted to have the class; R_0 is 0. The value is the sum over k of (R_k - R_(k-1)) P_k ([1]_).
    Samples with equal scores share one threshold. Only the order of the scores matters, so they are never transformed.
    It summarises the precision-recall curve. Use it in place of :func:`roc_auc_score` when few samples have the class.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). Above 0 and up to 1, higher is better; 1 if all samples that have the class score above all
        others. For scores without information, it is near the share of the samples that have the class. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores that are NaN, and for arrays of different shapes, libraries or
        devices. Where values are not checked, on a device, such classes are NaN.

    Notes
    -----
    The value of a class that no sample has is NaN, and so is the mean, unless ``on_undefined`` says otherwise ("skip"
    leaves the class out). scikit-learn returns 0, with a warning. :func:`gpuval.ranking.average_precision_score` treats
    ties in another way: it takes the mean over all orders of tied documents instead of one threshold. Nothing leaves
    the device.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    Of four samples, those with the largest and the third largest score have the class: (1 + 2/3)/2. Then perfect
    scores, and scores without information:

    >>> from gpuval import multilabel
    >>> round(float(multilabel.average_precision_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1])) * 6, 12)
    5.0
    >>> float(multilabel.average_precision_score([0, 0, 1], [-3.0, 0.5, 20.0]))
    1.0
    >>> float(multilabel.average_precision_score([0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5]))
    0.25
    """
    return columns.precisions()


# Areas of which only the weights of positive and negative entries by bin of their scores are known. Both have shape
# (k, n_bins), for k classes, in bins of rising scores: integers, if entries weigh whole numbers, which then are as many
# entries of one score; else real numbers. What is said to hold always holds but for rounding.


def auc_of_bins(positives: Array, negatives: Array) -> tuple[Array, Array]:
    """The area under the ROC curve with the pairs of one bin as ties, and the largest error; NaN without pairs.

    A pair of one bin counts 1/2 here, and 0, 1/2 or 1 if the scores are known: so the exact area differs by at most
    half of the weight of such pairs, divided by that of all pairs, always.
    """
    backend = backend_of(positives)
    h, m, below = (_real(x, backend) for x in (positives, negatives, _weight_below(negatives, backend)))
    all_pairs = backend.sum(h, -1) * backend.sum(m, -1)
    half = backend.sum(h * m, -1) / 2
    value, error = backend.sum(h * below, -1) + half, half
    nan = float("nan")
    return ratio(value, all_pairs, backend.xp, nan), ratio(error, all_pairs, backend.xp, nan)


def average_precision_of_bins(positives: Array, negatives: Array) -> tuple[Array, Array, Array]:
    """The average precision with one threshold for each bin, and the least and the largest; NaN without positives.

    Of a bin with the weights h and m, and the weights H and M above it, the positive entries have at most H + h
    true and at least M false ones that score as high: each has at most the precision (H + h)/(H + h + M).

    With c = M + m, the j-th of them has at least H + j true and at most c false ones: f(H + j) with f(x) = x/(x + c) is
    its least precision. As f is concave, that is not below the mean of f from H + j - 1/2 to H + j + 1/2, and the sum
    over j is at least the integral of f from H + 1/2 to H + h + 1/2, h - c log(1 + h/(H + c + 1/2)). With real
    weights, of which each may be small, it is as f rises at least the integral from H to H + h.
    """
    backend = backend_of(positives)
    xp = backend.xp
    h, m = _real(positives, backend), _real(negatives, backend)
    h_above, m_above = (_real(_weight_above(x, backend), backend) for x in (positives, negatives))
    true, false = h_above + h, m_above + m
    step = 0.0 if backend.kind(positives) == "real" else 0.5
    mean = h * ratio(true, true + false, xp)
    least = h - false * xp.log1p(ratio(h, h_above + false + step, xp))
    most = h * ratio(true, true + m_above, xp)
    total = backend.sum(h, -1)
    value, lower, upper = (ratio(backend.sum(x, -1), total, xp, float("nan")) for x in (mean, least, most))
    return value, lower, upper


def _weight_below(weights: Array, backend: Backend) -> Array:
    """The weight of the bins below each."""
    return backend.xp.concat(
        [backend.xp.zeros_like(weights[..., :1]), backend.cumulative_sum(weights)[..., :-1]], axis=-1
    )


def _weight_above(weights: Array, backend: Backend) -> Array:
    """The weight of the bins above each."""
    xp = backend.xp
    return xp.flip(_weight_below(xp.flip(weights, axis=-1), backend), axis=-1)


def _real(x: Array, backend: Backend) -> Array:
    return backend.as_real(x, x)
