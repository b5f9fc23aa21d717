"""From scores to predicted labels."""

from __future__ import annotations

from typing import Any

from gpuval.metrics.multilabel._labels.predicting import labels_of_scores
from gpuval.numerics import Array

__all__ = ["predicted_labels"]


def predicted_labels(y_score: Any, threshold: Any = 0.5, *, at_least_one: bool = False) -> Array:
    """Labels of scores: those that reach a threshold.

    a_ij = [g_ij >= c] of the score g_ij of sample i and class j, and the threshold c; with ``at_least_one``
    a_ij = [g_ij >= min(c, max_j g_ij)], so that each sample has its best label ([1]_, not checked against the text).

    Parameters
    ----------
    y_score
        The scores, shape (n_samples, n_classes), or (n_samples,) of one class: real, not NaN. Integers are compared as
        floats.
    threshold
        A number, or one for each class, shape (n_classes,).
    at_least_one
        Whether each sample is to have at least one label: that of its largest score, or several if they are tied.

    Returns
    -------
    labels
        Booleans of the shape of the scores, in their library and on their device.

    Raises
    ------
    TypeError, ValueError
        For what are no scores, for NaN (where values are not looked at, on a device, such a label is not predicted),
        and for thresholds of another shape than one for each class.

    Notes
    -----
    A score at the threshold is a label; torchmetrics predicts none there. Nothing leaves the device.

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
