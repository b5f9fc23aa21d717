"""Mean probabilities that a model predicts for the true labels."""

from __future__ import annotations

from gpuval.metrics.multilabel._labels.columns import Columns
from gpuval.metrics.multilabel._measures.public import label_measure
from gpuval.numerics import Array

__all__ = ["macro_average_probability_rate", "mean_probability_rate"]


@label_measure(kind="sums", reads="probabilities", averages=(), on_undefined="nan", average="micro")
def mean_probability_rate(columns: Columns) -> tuple[Array, Array]:
    """Mean over the samples of the probability that was predicted for their true label (MPR).

    Let m be the number of samples, y_ij the label of sample i and class j, 0 or 1, and a_ij the predicted probability
    of this class. The score is 1/m times the sum over i and j of y_ij a_ij ([1]_, not checked against the text). A
    sample with several labels counts the sum of their probabilities. Use it for a score of probabilities that is easier
    to read than :func:`log_loss`.

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
    found, _ = columns.sums(_of_positives(columns))
    return found, columns.n_rows_in_the_first


@label_measure(kind="sums", reads="probabilities", averages=(), on_undefined="skip")
def macro_average_probability_rate(columns: Columns) -> tuple[Array, Array]:
    """Mean over the classes of the mean probability that was predicted for the class where it is true (MAPR).

    Let y_ij be the label of sample i and class j, 0 or 1, and a_ij the predicted probability of this class. The value
    of class j is the sum over i of y_ij a_ij, divided by the sum over i of y_ij, and the score is the mean over the
    classes ([1]_, not checked against the text). Use it in place of :func:`mean_probability_rate` when the classes have
    very different sizes.

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
    found, _ = columns.sums(_of_positives(columns))
    return found, columns.in_unit(columns.n_positives)


def _of_positives(columns: Columns) -> Array:
    return columns.backend.xp.where(columns.positives, columns.real(columns.values), 0.0)
