"""How far scores are from labels: squared and absolute errors, and the logarithmic loss of probabilities."""

from __future__ import annotations

from typing import Any, Literal

from gpuval.metrics.multilabel._labels.columns import Columns
from gpuval.metrics.multilabel._measures.public import label_measure
from gpuval.numerics import Array

__all__ = ["log_loss", "mean_absolute_error", "mean_squared_error"]

_VANISHES = -500.0
"""Half of a logarithm whose exponential is nothing beside 1 in any float."""


@label_measure(kind="sums", reads="numbers", average="micro")
def mean_squared_error(columns: Columns) -> tuple[Array, Array]:
    """Mean of the squared differences of labels and scores.

    The mean of (y - a)^2 over the entries, by default all of them ([1]_, not checked against the text). Of
    probabilities it is the Brier score. Lower is better, 0 where scores are the labels; not negative. The unit is that
    of the scores, squared.

    Returns
    -------
    loss
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,).

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores that are not finite, and arrays of different shapes, libraries or
        devices. Where values are not looked at, on a device, such classes are NaN.

    Notes
    -----
    It can be differentiated by the scores. Nothing leaves the device.

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


@label_measure(kind="sums", reads="numbers", average="micro")
def mean_absolute_error(columns: Columns) -> tuple[Array, Array]:
    """Mean of the absolute differences of labels and scores.

    The mean of abs(y - a) over the entries, by default all of them ([1]_, not checked against the text). Lower is
    better, 0 where scores are the labels; not negative. The unit is that of the scores.

    Returns
    -------
    loss
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,).

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores that are not finite, and arrays of different shapes, libraries or
        devices. Where values are not looked at, on a device, such classes are NaN.

    Notes
    -----
    It can be differentiated by the scores. Nothing leaves the device.

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


@label_measure(kind="sums", reads="probabilities", averages=(), on_undefined="nan", average="micro")
def log_loss(
    columns: Columns,
    *,
    form: Literal["categorical", "binary"] = "categorical",
    from_logits: bool = False,
    eps: float | Literal["auto"] = "auto",
) -> tuple[Array, Array]:
    """Mean logarithm of the probabilities that labels were given, negative.

    -(1/m) sum_ij y_ij log a_ij, of m samples i and their labels j ([1]_, not checked against the text):
    the cross-entropy of one label for each sample. With several labels for a sample it says nothing of those that the
    sample does not have, so that raising all probabilities lowers it; the mean over all entries of
    -(y log a + (1 - y) log(1 - a)), ``form="binary"``, does. Lower is better, 0 where all labels have the probability
    1; not negative. In nats.

    Parameters
    ----------
    form
        "categorical" or "binary"; of one column, as of vectors, it is "binary" in any case.
    from_logits
        Whether ``y_score`` holds logits: finite numbers, whose softmax over the classes that count, or in the binary
        form whose sigmoid, are the probabilities. The logarithms are found without these, so that none is that of 0.
    eps
        Probabilities are taken to be from ``eps`` to 1 - ``eps``: by default the machine epsilon of the type of the
        scores, of half precision that of 32 bits. With 0 the loss of a label that was given the probability 0 is
        infinite.

    Returns
    -------
    loss
        A number in the library and on the device of ``y_true``.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores outside of [0, 1], logits that are not finite, and arrays of
        different shapes, libraries or devices. Where values are not looked at, on a device, the loss is NaN.

    Notes
    -----
    It can be differentiated by the scores. A sample whose labels are all unknown does not count. Nothing leaves the
    device.

    References
    ----------
    .. [1] C. M. Bishop, "Pattern Recognition and Machine Learning", 2006.

    Examples
    --------
    Three samples of one label each, and the same in the binary form; then perfect probabilities, and those of a coin:

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
    is_binary = form == "binary" or columns.values.shape[1] == 1
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
    clipped, positives = _clipped(columns, eps), columns.positives
    of_positives = _minus_log(xp.where(positives, clipped, 1.0), xp)
    of_negatives = _minus_log1p(xp.where(positives, 0.0, -clipped), xp)
    return xp.where(positives, of_positives, of_negatives)


def _categorical(columns: Columns, from_logits: bool, eps: Any) -> Array:
    """The loss of each entry: of the probability of a positive one, 0 of others."""
    xp = columns.backend.xp
    if from_logits:
        losses = _of_softmax(columns)
    else:
        losses = _minus_log(xp.where(columns.positives, _clipped(columns, eps), 1.0), xp)
    return xp.where(columns.positives, losses, 0.0)


def _of_softmax(columns: Columns) -> Array:
    """The negative logarithms of the softmax of logits over the classes that count."""
    xp, counted = columns.backend.xp, columns.counted
    halves = xp.where(counted, columns.real(columns.values) / 2, 0.0)
    lowest = float(xp.finfo(halves.dtype).min)
    top = xp.max(xp.where(counted, halves, lowest), axis=1)[:, None]
    below = xp.where(counted, halves - top, 0.0)  # of halves, whose differences are finite
    total = xp.sum(xp.where(counted, xp.exp(2 * xp.where(below < _VANISHES, _VANISHES, below)), 0.0), axis=1)
    return xp.log(xp.where(total == 0, 1.0, total))[:, None] - 2 * xp.where(columns.positives, below, 0.0)


def _clipped(columns: Columns, eps: Any) -> Array:
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
