"""Losses of scores against labels: squared and absolute errors, and the logarithmic loss of probabilities."""

from __future__ import annotations

from math import inf
from typing import Any, Literal

from gpuval.measures.measure import measure
from gpuval.multilabel._measure import LABELS
from gpuval.multilabel.entries import Columns
from gpuval.numerics import Array

__all__ = [
    "log_loss",
    "macro_average_probability_rate",
    "mean_absolute_error",
    "mean_probability_rate",
    "mean_squared_error",
]

_VANISHES = -500.0
"""Half of a logarithm whose exponential is nothing beside 1 in any float."""


@measure(
    LABELS, kind="sums", reads="numbers", average="micro", short=("mse", "brier"), better="lower", range=(0.0, inf)
)
def mean_squared_error(columns: Columns) -> tuple[Array, Array]:
    """Mean of the squared differences between labels and scores (MSE; of probabilities, the Brier score).

    An entry is one sample with one class. Let y be the label of an entry, 0 or 1, and a its score. The loss is the mean
    of (y - a)^2 over the entries, by default over all of them ([1]_). Use it when the scores are probabilities and
    large errors are to count most.

    Returns
    -------
    loss
        A loss in the library and on the device of ``y_true``; with ``average=None``, the values of the classes, shape
        (n_classes,). 0 or more, lower is better; 0 if the scores are equal to the labels. The unit is the square of the
        unit of the scores.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores that are not finite, and for arrays of different shapes,
        libraries or devices. Where values are not checked, on a device, such classes are NaN.

    Notes
    -----
    The loss can be differentiated with respect to ``y_score``. Nothing leaves the device.

    References
    ----------
    .. [1] G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> round(float(multilabel.mean_squared_error(labels, scores)) * 192, 12)
    67.0
    >>> float(multilabel.mean_squared_error([0, 1], [0, 1])), float(multilabel.mean_squared_error([0, 1], [1, 0]))
    (0.0, 1.0)
    """
    difference = _difference(columns)
    return columns.sums(difference * difference)


@measure(LABELS, kind="sums", reads="numbers", average="micro", short=("mae",), better="lower", range=(0.0, inf))
def mean_absolute_error(columns: Columns) -> tuple[Array, Array]:
    """Mean of the absolute differences between labels and scores (MAE).

    An entry is one sample with one class. Let y be the label of an entry, 0 or 1, and a its score. The loss is the mean
    of abs(y - a) over the entries, by default over all of them ([1]_). Use it in place of :func:`mean_squared_error`
    when a few large errors shall not dominate.

    Returns
    -------
    loss
        A loss in the library and on the device of ``y_true``; with ``average=None``, the values of the classes, shape
        (n_classes,). 0 or more, lower is better; 0 if the scores are equal to the labels. The unit is that of the
        scores.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores that are not finite, and for arrays of different shapes,
        libraries or devices. Where values are not checked, on a device, such classes are NaN.

    Notes
    -----
    The loss can be differentiated with respect to ``y_score``. Nothing leaves the device.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> round(float(multilabel.mean_absolute_error(labels, scores)) * 48, 12)
    23.0
    >>> float(multilabel.mean_absolute_error([0, 1], [0, 1])), float(multilabel.mean_absolute_error([0, 1], [1, 0]))
    (0.0, 1.0)
    """
    return columns.sums(columns.backend.xp.abs(_difference(columns)))


@measure(
    LABELS,
    kind="sums",
    reads="probabilities",
    averages=(),
    on_undefined="nan",
    average="micro",
    better="lower",
    range=(0.0, inf),
)
def log_loss(
    columns: Columns,
    *,
    form: Literal["categorical", "binary"] = "categorical",
    from_logits: bool = False,
    eps: float | Literal["auto"] = "auto",
) -> tuple[Array, Array]:
    """Mean negative logarithm of the probabilities that were predicted for the labels (log loss, cross-entropy).

    Let m be the number of samples, y_ij the label of sample i and class j, 0 or 1, and a_ij the predicted probability
    of this class. The loss is -(1/m) times the sum over i and j of y_ij log a_ij ([1]_), with the natural logarithm:
    the cross-entropy if each sample has one label. If a sample can have several labels, use ``form="binary"``: the mean
    over all entries of -(y log a + (1 - y) log(1 - a)), the binary cross-entropy. The default form ignores the classes
    that a sample does not have, so that it would become smaller if all probabilities were raised.

    Parameters
    ----------
    form
        "categorical" or "binary", see above. If the scores are a vector or have one column, it is "binary" in any case.
    from_logits
        Whether ``y_score`` holds logits, which are finite numbers. In the categorical form, their softmax over the
        classes that count gives the probabilities; in the binary form, their sigmoid. The logarithms are computed
        without computing the probabilities, so none of them is the logarithm of 0.
    eps
        Probabilities are clipped to the range from ``eps`` to 1 - ``eps``. By default, it is the machine epsilon of the
        type of the scores (for half precision, that of 32 bits). With 0, the loss is infinite if a label has the
        probability 0.

    Returns
    -------
    loss
        A number in the library and on the device of ``y_true``. 0 or more, lower is better; 0 if all labels have the
        probability 1. The unit is the nat.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores outside of [0, 1], for logits that are not finite, and for
        arrays of different shapes, libraries or devices. Where values are not checked, on a device, the loss is NaN.

    Notes
    -----
    The loss can be differentiated with respect to ``y_score``. A sample whose labels are all unknown does not count.
    Nothing leaves the device.

    References
    ----------
    .. [1] C. M. Bishop, "Pattern Recognition and Machine Learning", 2006.

    Examples
    --------
    Three samples with one label each, given as a matrix and as a vector. Then perfect probabilities, and those of a
    fair coin:

    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 0.5, 0.25]]
    >>> round(float(multilabel.log_loss(labels, scores)), 12)
    0.789041204711
    >>> round(float(multilabel.log_loss([0, 1, 2], scores)), 12)
    0.789041204711
    >>> float(multilabel.log_loss([0, 1, 1], [0, 1, 1], eps=0))
    0.0
    >>> round(float(multilabel.log_loss([0, 1, 1], [0.5, 0.5, 0.5])), 12)
    0.69314718056
    """
    is_binary = form == "binary" or columns.n_columns == 1
    losses = (_binary if is_binary else _categorical)(columns, from_logits, eps)
    totals, weights = columns.sums(losses)
    if is_binary:
        return totals, weights
    return totals, columns.n_rows_in_the_first


def _difference(columns: Columns) -> Array:
    return columns.real(columns.values) - columns.real(columns.positives)


def _binary(columns: Columns, from_logits: bool, eps: Any) -> Array:
    """The loss of each entry: of the probability of what it is, positive or not."""
    xp, values = columns.backend.xp, columns.real(columns.values)
    if from_logits:
        return xp.logaddexp(xp.zeros_like(values), xp.where(columns.positives, -values, values))
    clipped, positives = _clip(columns, eps), columns.positives
    of_positives = _minus_log(xp.where(positives, clipped, 1.0), xp)
    of_negatives = _minus_log1p(xp.where(positives, 0.0, -clipped), xp)
    return xp.where(positives, of_positives, of_negatives)


def _categorical(columns: Columns, from_logits: bool, eps: Any) -> Array:
    """The loss of each entry: of the probability of a positive one, 0 of others."""
    xp = columns.backend.xp
    if from_logits:
        if len(columns.values.shape) == 1:
            raise ValueError('form must be "binary" for from_logits=True and sparse y_score, got "categorical"')
        losses = _softmax_losses(columns)
    else:
        losses = _minus_log(xp.where(columns.positives, _clip(columns, eps), 1.0), xp)
    return xp.where(columns.positives, losses, 0.0)


def _softmax_losses(columns: Columns) -> Array:
    """The negative logarithms of the softmax of logits over the classes that count."""
    xp, counted = columns.backend.xp, columns.count_mask
    halves = xp.where(counted, columns.real(columns.values) / 2, 0.0)
    lowest = float(xp.finfo(halves.dtype).min)
    top = xp.max(xp.where(counted, halves, lowest), axis=1)[:, None]
    below = xp.where(counted, halves - top, 0.0)  # of halves, whose differences are finite
    total = xp.sum(xp.where(counted, xp.exp(2 * xp.where(below < _VANISHES, _VANISHES, below)), 0.0), axis=1)
    return xp.log(xp.where(total == 0, 1.0, total))[:, None] - 2 * xp.where(columns.positives, below, 0.0)


def _clip(columns: Columns, eps: Any) -> Array:
    """Probabilities as real numbers, from ``eps`` to 1 - ``eps``."""
    backend, values = columns.backend, columns.real(columns.values)
    xp = backend.xp
    if eps == "auto":
        narrow = backend.kind(columns.values) == "real" and columns.values.dtype != values.dtype
        eps = float(xp.finfo(xp.float32 if narrow else values.dtype).eps)
    values = xp.where(values < eps, eps, values)
    return xp.where(values > 1 - eps, 1 - eps, values)


def _minus_log(x: Array, xp: Any) -> Array:
    """The negative logarithm, of 0 infinite."""
    zero = x == 0
    return xp.where(zero, float("inf"), -xp.log(xp.where(zero, 1.0, x)))


def _minus_log1p(x: Array, xp: Any) -> Array:
    """The negative logarithm of 1 + x, of x = -1 infinite."""
    zero = x == -1
    return xp.where(zero, float("inf"), -xp.log1p(xp.where(zero, 0.0, x)))


# Mean probabilities that a model predicts for the true labels.


@measure(
    LABELS,
    kind="sums",
    reads="probabilities",
    averages=(),
    on_undefined="nan",
    average="micro",
    short=("mpr",),
    range=(0.0, inf),
)
def mean_probability_rate(columns: Columns) -> tuple[Array, Array]:
    """Mean over the samples of the probability that was predicted for their true label (MPR).

    Let m be the number of samples, y_ij the label of sample i and class j, 0 or 1, and a_ij the predicted probability
    of this class. The score is 1/m times the sum over i and j of y_ij a_ij ([1]_). A sample with several labels counts
    the sum of their probabilities. Use it for a score of probabilities that is easier to read than :func:`log_loss`.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. If each sample has one label, from 0 to 1; higher is
        better; 1 if all true labels have the probability 1. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores outside of [0, 1], and for arrays of different shapes, libraries
        or devices. Where values are not checked, on a device, the score is NaN.

    Notes
    -----
    The score can be differentiated with respect to ``y_score``. A sample whose labels are all unknown does not count.
    Nothing leaves the device.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> float(multilabel.mean_probability_rate(labels, scores))
    0.4375
    >>> float(multilabel.mean_probability_rate([0, 1], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.mean_probability_rate([0, 1], [[0, 1], [1, 0]]))
    0.0
    """
    found, _ = columns.sums(_positive_values(columns))
    return found, columns.n_rows_in_the_first


@measure(LABELS, kind="sums", reads="probabilities", averages=(), on_undefined="skip", short=("mapr",))
def macro_average_probability_rate(columns: Columns) -> tuple[Array, Array]:
    """Mean over the classes of the mean probability that was predicted for the class where it is true (MAPR).

    Let y_ij be the label of sample i and class j, 0 or 1, and a_ij the predicted probability of this class. The value
    of class j is the sum over i of y_ij a_ij, divided by the sum over i of y_ij, and the score is the mean over the
    classes ([1]_). Use it in place of :func:`mean_probability_rate` when the classes have very different sizes.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if all true labels
        have the probability 1. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, for scores outside of [0, 1], and for arrays of different shapes, libraries
        or devices. Where values are not checked, on a device, the score is NaN.

    Notes
    -----
    A class that no sample has is left out, unless ``on_undefined`` says otherwise; if no class is left, the score is
    NaN. The score can be differentiated with respect to ``y_score``. Nothing leaves the device.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> round(float(multilabel.macro_average_probability_rate(labels, scores)) * 3, 12)
    1.0
    >>> float(multilabel.macro_average_probability_rate([0, 1], [[1, 0], [0, 1]]))
    1.0
    >>> float(multilabel.macro_average_probability_rate([0, 1], [[0, 1], [1, 0]]))
    0.0
    """
    found, _ = columns.sums(_positive_values(columns))
    return found, columns.to_unit(columns.n_positives)


def _positive_values(columns: Columns) -> Array:
    return columns.backend.xp.where(columns.positives, columns.real(columns.values), 0.0)
