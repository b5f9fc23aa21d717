"""From scores to predicted labels: those that reach a threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array
from gpuval.inputs.containers import type_of
from gpuval.inputs.labels import Vector, are_same_names, check_beside_or_on_host, first_difference, has_index
from gpuval.inputs.numbers import Form, host_view, read_argument, read_numbers
from gpuval.inputs.options import as_number, check_flag
from gpuval.multilabel.entries import FORM
from gpuval.multilabel.label_sets import StoredRows, is_sparse_matrix
from gpuval.numerics import Array

__all__ = ["predicted_labels"]

_OF_CLASSES = Form("class", "(n_classes,)")


def labels_of_scores(y_score: Any, threshold: Any, *, at_least_one: bool, may_be_nan: bool = True) -> Array:
    """Labels of scores; those that do not count may be NaN, and reach no threshold."""
    check_flag("at_least_one", at_least_one)
    if is_sparse_matrix(y_score):
        raise TypeError(
            f"y_score must be dense for predicted_labels, got {type_of(y_score)}; "
            "evaluate(y_true, y_score, threshold=) takes sparse scores"
        )
    scores = read_numbers(y_score, "y_score", FORM)
    shape, backend = tuple(scores.shape), backend_of(scores)
    if at_least_one and (len(shape) != 2 or not shape[1]):
        raise ValueError(f"y_score must be a matrix of some classes for at_least_one=True, got shape {shape}")
    is_real = backend.kind(scores) == "real"
    if not may_be_nan and is_real and (view := host_view(scores)) is not None and (view != view).any():
        raise ValueError(f"y_score must not hold NaN, got {int((view != view).sum())} of {view.size}")
    scores = scores if is_real else backend.as_real(scores, scores)
    own = _thresholds(threshold, Vector("y_score", y_score, scores), shape[1] if len(shape) == 2 else 1)
    if at_least_one:
        xp = backend.xp
        best = xp.max(xp.where(scores == scores, scores, float("-inf")), axis=1)[:, None]
        own = xp.where(best < own, best, own)
    return scores >= own


def labels_of_stored(scores: StoredRows, threshold: Any, *, at_least_one: bool) -> tuple[Array, Array | None]:
    """Labels of the scores that are stored, where all others are 0 and no labels; and whether something is wrong."""
    check_flag("at_least_one", at_least_one)
    if at_least_one:
        raise ValueError("at_least_one must be False where y_score is sparse, got True: rows may have no score above 0")
    backend, values = scores.backend, scores.values
    values = values if backend.kind(values) == "real" else backend.as_real(values, values)
    own = _thresholds(threshold, Vector("y_score", None, values), scores.n_columns)
    is_low = own <= 0
    is_broken = None
    if is_array(own):
        view = host_view(own)
        is_low, is_broken = (False, backend.xp.any(is_low)) if view is None else ((view <= 0).any(), None)
    if is_low:
        raise ValueError(
            f"threshold must be above 0 where y_score is sparse, got {threshold!r}: all scores that are not stored "
            "would be labels"
        )
    each = backend.xp.take(own, scores.columns) if is_array(own) and len(own.shape) else own
    return values >= each, is_broken


def _thresholds(threshold: Any, scores: Vector, n_classes: int) -> Any:
    """A number, or one for each class in the type of the scores: so 0.7 in 32 bits reaches a threshold of 0.7."""
    backend, like = scores.backend, scores.data
    shape = getattr(threshold, "shape", None)
    has_one = shape is None and not hasattr(threshold, "__len__")
    if has_one or isinstance(threshold, str | np.generic):
        number = as_number("threshold", threshold)
        if number != number:
            raise ValueError(f"threshold must not be NaN, got {threshold!r}")
        return number
    read = read_argument if shape == () else read_numbers
    own = read(threshold, "threshold", _OF_CLASSES)
    if tuple(own.shape) not in ((), (n_classes,)):
        raise ValueError(
            f"threshold must be a number, or one for each class ({n_classes}), got shape {tuple(own.shape)}"
        )
    _check_index(threshold, scores)
    check_beside_or_on_host(scores, threshold=own)
    if (view := host_view(own)) is not None and (view != view).any():
        raise ValueError(f"threshold must not hold NaN, got {int((view != view).sum())} of {view.size}")
    return backend.xp.astype(backend.from_host(own, like) if backend_of(own).on_host else own, like.dtype)


def _check_index(threshold: Any, scores: Vector) -> None:
    """Check that thresholds in a Series have the columns of a frame as their index, in one order, or have no names."""
    if not (has_index(threshold) and hasattr(scores.given, "columns")):
        return
    index, columns = list(threshold.index), list(scores.given.columns)
    is_numbered = index == list(range(len(columns))) and set(index) != set(columns)
    if not (is_numbered or are_same_names(index, columns)):
        raise ValueError(
            f"threshold must have the columns of {scores.name} as its index, in their order, got "
            f"{first_difference(index, columns)}; reorder it, or pass threshold.to_numpy()"
        )


# For users


def predicted_labels(y_score: Any, threshold: Any = 0.5, *, at_least_one: bool = False) -> Array:
    """Turn scores into predicted labels: a class is predicted where its score reaches a threshold.

    Class j is predicted for sample i if its score g_ij is at least the threshold c. With ``at_least_one``, it is
    predicted if g_ij is at least the smaller of c and the largest score of sample i, so that each sample has at least
    its best class ([1]_).

    Parameters
    ----------
    y_score
        The scores, shape (n_samples, n_classes), or (n_samples,) for one class: real numbers, but not NaN. Integers are
        compared as floats. Sparse scores are for :func:`evaluate`, which takes a threshold, too.
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
