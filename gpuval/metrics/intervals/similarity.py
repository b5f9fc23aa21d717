"""Similarities of intervals: the length that two have in common, by one mean or another of their lengths.

With I for the length of the intersection and A and B for those of the true and the predicted interval, a formula has
the shares I/A and I/B alone: these need no scale, and are 0 where a length is infinite or where there is nothing in
common.
"""

from __future__ import annotations

from typing import Literal

from gpuval.engines.backends import backend_of
from gpuval.inputs.options import check_option
from gpuval.metrics.intervals._measure import interval_metric
from gpuval.metrics.intervals._overlap import Overlap
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root

__all__ = [
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
    "ochiai_score",
    "simpson_score",
    "sorensen_score",
]


@interval_metric
def jaccard_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, as a share of that of their union.

    I / (A + B - I) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): "intersection over union" in the localisation of events in time. The union is
    that of the sets; a gap between two intervals is none of it. Higher is better; from 0, for intervals that have no
    length in common, to 1, for equal ones. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For arrays of another shape, type, library or device, or without samples; and, where values are looked at, for
        an end below its start, NaN, a weight that is negative or not finite, and if no sample counts. Where they are
        not, such a sample is NaN, and the mean, too.

    Notes
    -----
    Whether ends belong to an interval makes no difference, as lengths do not tell. So intervals that touch have 0. A
    point, whose start is its end, is 1 against the same point and 0 against all else, also against an interval that it
    lies in.

    With infinite ends, equal intervals have 1. One of infinite length and one of finite length have the limit:
    0 for this measure, Sørensen, Braun-Blanquet and Ochiai; I/A for Simpson and half of it for Kulczynski, if A is
    finite. Two different ones that both are of infinite length have no value, see ``on_undefined``.

    All is found in the widest float, without overflow, also of ends near its largest number. Integers are subtracted
    before they are rounded, if both arrays hold integers; beside floats they are rounded to such, as is uint64 beside
    integers with a sign. A share I/A or I/B below the smallest normal float has fewer digits, or is 0, and of Ochiai
    so is its root.

    Nothing leaves the device. Values are looked at where they lie on the host, outside of ``jax.jit``, ``jax.vmap``
    and ``torch.compile``. The score has a gradient by the ends, which is finite: 0 for intervals that have nothing in
    common, so that a loss needs another term to bring these together, and 0 for equal ones, where it is largest.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.jaccard_score([0, 4], [1, 7])) * 7, 12)
    3.0
    >>> float(intervals.jaccard_score([0, 4], [0, 4])), float(intervals.jaccard_score([0, 4], [4, 7]))
    (1.0, 0.0)
    >>> intervals.jaccard_score([[0, 4], [0, 4]], [[0, 4], [5, 7]], return_per_sample=True).sample_scores.tolist()
    [1.0, 0.0]
    """
    p, q = overlap.of_true, overlap.of_pred
    return p * ratio(q, p + q * (1 - p), backend_of(p).xp)


@interval_metric
def simpson_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, as a share of that of the shorter one.

    I / min(A, B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the overlap coefficient. Higher is better; from 0 to 1, which it also is if
    one interval lies within the other. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> float(intervals.simpson_score([0, 4], [1, 7]))
    0.75
    >>> float(intervals.simpson_score([0, 4], [0, 4])), float(intervals.simpson_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return backend_of(overlap.of_true).xp.maximum(overlap.of_true, overlap.of_pred)


@interval_metric
def braun_blanquet_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, as a share of that of the longer one.

    I / max(A, B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text). Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> float(intervals.braun_blanquet_score([0, 4], [1, 7]))
    0.5
    >>> float(intervals.braun_blanquet_score([0, 4], [0, 4])), float(intervals.braun_blanquet_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return backend_of(overlap.of_true).xp.minimum(overlap.of_true, overlap.of_pred)


@interval_metric
def sorensen_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, by the arithmetic mean of their lengths.

    2 I / (A + B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the coefficient of Sørensen and Dice, which is the harmonic mean of I/A and
    I/B. Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.sorensen_score([0, 4], [1, 7])), 12)
    0.6
    >>> float(intervals.sorensen_score([0, 4], [0, 4])), float(intervals.sorensen_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    p, q = overlap.of_true, overlap.of_pred
    return 2 * p * ratio(q, p + q, backend_of(p).xp)


@interval_metric
def kulczynski_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, by the harmonic mean of their lengths.

    (I/A + I/B) / 2 with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the arithmetic mean of both shares. Higher is better; from 0 to 1, for equal
    intervals. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> float(intervals.kulczynski_score([0, 4], [1, 7]))
    0.625
    >>> float(intervals.kulczynski_score([0, 4], [0, 4])), float(intervals.kulczynski_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return (overlap.of_true + overlap.of_pred) / 2


@interval_metric
def ochiai_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, by the geometric mean of their lengths.

    I / sqrt(A B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text). Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.ochiai_score([0, 4], [1, 7])) ** 2, 12)
    0.375
    >>> float(intervals.ochiai_score([0, 4], [0, 4])), float(intervals.ochiai_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    xp = backend_of(overlap.of_true).xp
    return root(overlap.of_true, xp) * root(overlap.of_pred, xp)


@interval_metric
def inclusion_score(overlap: Overlap, *, of: Literal["true", "pred"] = "true", variant: Literal[1, 2] = 1) -> Array:
    """How far one interval is included in the other.

    With the lengths I of the intersection and A of the interval that ``of`` names: I / A (variant 1), or I / (2 A - I)
    (variant 2; both [1]_, not checked against the text). The first is the recall of the true interval, or the precision
    of the predicted one. Higher is better; from 0 to 1, which it is if the interval lies within the other, whose length
    makes no difference. Not symmetric.

    Parameters
    ----------
    of
        "true" or "pred": whose interval is to be found in the other.
    variant
        1 or 2, as for :func:`gpuval.pair_inclusion_score`.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`jaccard_score` raises, and for another ``of`` or ``variant``.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`. An
    interval of infinite length against one of finite length has 0, and this one against the other I / A.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    One of length 4 and one of length 6, which have 3 in common; equal ones; and such as only touch:

    >>> from gpuval import intervals
    >>> [float(intervals.inclusion_score([0, 4], [1, 7], of=x)) for x in ("true", "pred")]
    [0.75, 0.5]
    >>> round(float(intervals.inclusion_score([0, 4], [1, 7], variant=2)), 12)
    0.6
    >>> float(intervals.inclusion_score([0, 4], [0, 4])), float(intervals.inclusion_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    check_option("of", of, ("true", "pred"))
    check_option("variant", variant, (1, 2))
    share = overlap.of_true if of == "true" else overlap.of_pred
    return share if variant == 1 else share / (2 - share)
