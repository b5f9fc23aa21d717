"""Which probabilities the labels of samples were given on average."""

from __future__ import annotations

from gpuval.metrics.multilabel._labels.columns import Columns
from gpuval.metrics.multilabel._measures.public import label_measure
from gpuval.numerics import Array

__all__ = ["macro_average_probability_rate", "mean_probability_rate"]


@label_measure(kind="sums", reads="probabilities", averages=(), on_undefined="nan", average="micro")
def mean_probability_rate(columns: Columns) -> tuple[Array, Array]:
    """Mean over the samples of the probabilities that their labels were given.

    (1/m) sum_ij y_ij a_ij, of m samples i and their labels j ([1]_, not checked against the text). Of one label for
    each sample from 0 to 1, and higher is better, 1 where all labels have the probability 1; a sample of several labels
    has the sum of their probabilities.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores outside of [0, 1], and arrays of different shapes, libraries or
        devices. Where values are not looked at, on a device, the score is NaN.

    Notes
    -----
    It can be differentiated by the scores. A sample whose labels are all unknown does not count. Nothing leaves the
    device.

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
    """Mean over the classes of the mean probability that samples with the class were given it.

    The mean over the classes j of sum_i y_ij a_ij / sum_i y_ij ([1]_, not checked against the text). Higher is better,
    1 where all labels have the probability 1; from 0 to 1.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. No unit.

    Raises
    ------
    TypeError, ValueError
        For labels that are neither 0 nor 1, scores outside of [0, 1], and arrays of different shapes, libraries or
        devices. Where values are not looked at, on a device, the score is NaN.

    Notes
    -----
    A class that no sample has is left out, unless ``on_undefined`` says otherwise; the mean of no classes is NaN. It
    can be differentiated by the scores. Nothing leaves the device.

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
    return found, columns.real(columns.n_positives)


def _of_positives(columns: Columns) -> Array:
    return columns.backend.xp.where(columns.positives, columns.real(columns.values), 0.0)
