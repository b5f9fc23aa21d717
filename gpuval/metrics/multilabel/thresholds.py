"""From scores to predicted labels."""

from __future__ import annotations

from typing import Any

from gpuval.metrics.multilabel._labels.predicting import labels_of_scores
from gpuval.numerics import Array

__all__ = ["predicted_labels"]


def predicted_labels(y_score: Any, threshold: Any = 0.5, *, at_least_one: bool = False) -> Array:
    """Turn scores into predicted labels: a class is predicted where its score reaches a threshold.

    Class j is predicted for sample i if its score g_ij is at least the threshold c. With ``at_least_one``, it is
    predicted if g_ij is at least the smaller of c and the largest score of sample i, so that each sample has at least
    its best class ([1]_, not checked against the text).

    Parameters
    ----------
    y_score
        The scores, shape (n_samples, n_classes), or (n_samples,) for one class: real numbers, but not NaN. Integers are
        compared as floats.
    threshold
        One number for all classes, or one for each class, shape (n_classes,).
    at_least_one
        Whether each sample gets at least one label: that of its largest score, or of all its largest scores if they are
        equal.

    Returns
    -------
    labels
        Booleans of the shape of the scores, in their library and on their device.

    Raises
    ------
    TypeError, ValueError
        If ``y_score`` does not hold scores, for NaN (where values are not checked, on a device, such a label is not
        predicted), and if ``threshold`` is neither one number nor one for each class.

    Notes
    -----
    A score that is equal to the threshold is predicted; torchmetrics does not predict it. Nothing leaves the device.

    References
    ----------
    .. [1] I. Partalas et al., "LSHTC: a benchmark for large-scale text classification", arXiv:1503.08581, 2015.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> multilabel.predicted_labels([[0.75, 0.5, 0.25], [0.25, 0.4, 0.1]]).tolist()
    [[True, True, False], [False, False, False]]
    >>> multilabel.predicted_labels([[0.75, 0.5, 0.25], [0.25, 0.4, 0.1]], at_least_one=True).tolist()
    [[True, True, False], [False, True, False]]
    """
    return labels_of_scores(y_score, threshold, at_least_one=at_least_one, may_be_nan=False)
