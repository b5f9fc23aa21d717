"""Similarities of two intervals: the length of their intersection, divided by one mean or another of their lengths.

Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. A formula
reads only the shares I/A and I/B. These do not depend on the unit of length, and are 0 where a length is infinite or
where the intervals have nothing in common.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Literal

import numpy as np

from gpuval.engines import without_waiting
from gpuval.engines.backends import is_array
from gpuval.inputs.containers import type_of
from gpuval.inputs.options import check_option
from gpuval.intervals._measure import INTERVALS, Overlap
from gpuval.measures.measure import measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root

__all__ = [
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
    "mean_inclusion_score",
    "ochiai_score",
    "simpson_score",
    "sorensen_score",
]


@measure(INTERVALS, short=("jaccard",), usual=1, is_metric=True)
def jaccard_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the length of their union (Jaccard index, IoU).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / (A + B - I) ([1]_): "intersection over union" (IoU) in the localisation of events in time. The
    union is a set: a gap between two intervals is not part of it. Use it as the default measure of how well predicted
    intervals match true ones.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For arrays of wrong or different shapes, types, libraries or devices, and for no samples. Where values are
        checked, also for an end below its start, for NaN, for a weight that is negative or not finite, and if no sample
        counts. Where values are not checked, such a sample is NaN, and so is the mean.

    Notes
    -----
    It makes no difference whether the end points belong to an interval, because this does not change its length. So
    intervals that only touch have the value 0. A point is an interval whose start is its end. It has the value 1 with
    the same point, and 0 with everything else, also with an interval that contains it.

    Infinite ends: equal intervals have the value 1. If one interval has infinite length and the other one finite
    length, the value is the limit: 0 for this measure and for those of Sørensen, Braun-Blanquet and Ochiai; for Simpson
    I/A, and for Kulczyński half of that, if A is the finite length. If both have infinite length and differ, the
    measure is not defined; see ``on_undefined``.

    Everything is computed in the widest float and without overflow, also for ends near its largest number. If both
    arrays hold integers, of whatever types, ends are compared and subtracted before rounding. If one holds floats,
    integers of the other one that floats do not hold (beyond 2^53) are an error. A share I/A or I/B below the smallest
    normal float has fewer digits, or is 0; for Ochiai, the same is true of its root.

    Nothing leaves the device. Values are checked where they are on the host and not inside ``jax.jit``, ``jax.vmap``
    and ``torch.compile``. The score has a finite gradient with respect to the ends. It is 0 for intervals that have
    nothing in common, so a loss needs another term that brings them together; it is 0 also for equal intervals, where
    the score is largest.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.jaccard_score([0, 4], [1, 7])) * 7, 12)
    3.0
    >>> float(intervals.jaccard_score([0, 4], [0, 4])), float(intervals.jaccard_score([0, 4], [4, 7]))
    (1.0, 0.0)
    >>> intervals.jaccard_score([[0, 4], [0, 4]], [[0, 4], [5, 7]], return_per_sample=True).sample_scores.tolist()
    [1.0, 0.0]
    """
    p, q = overlap.of_true, overlap.of_pred
    return p * ratio(q, p + q * (1 - p), overlap.backend.xp)


@measure(INTERVALS, short=("simpson",), usual=2)
def simpson_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the length of the shorter one (overlap coefficient).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / min(A, B) ([1]_), also called the Szymkiewicz-Simpson coefficient. Use it when one interval may
    lie within the other without being wrong.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, if one interval lies within the other; higher is better.
        Symmetric. No unit. With ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the
        latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> float(intervals.simpson_score([0, 4], [1, 7]))
    0.75
    >>> float(intervals.simpson_score([0, 4], [0, 4])), float(intervals.simpson_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return overlap.backend.xp.maximum(overlap.of_true, overlap.of_pred)


@measure(INTERVALS, short=("braun_blanquet",), usual=3, is_metric=True)
def braun_blanquet_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the length of the longer one (Braun-Blanquet).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / max(A, B) ([1]_). For an interval that lies within the other one, it is the ratio of their
    lengths.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> float(intervals.braun_blanquet_score([0, 4], [1, 7]))
    0.5
    >>> float(intervals.braun_blanquet_score([0, 4], [0, 4])), float(intervals.braun_blanquet_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return overlap.backend.xp.minimum(overlap.of_true, overlap.of_pred)


@measure(INTERVALS, short=("sorensen",), usual=4)
def sorensen_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the arithmetic mean of their lengths (Sørensen-Dice).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is 2 I / (A + B) ([1]_). This is the Dice coefficient, or F1: the harmonic mean of I/A and I/B. It
    orders pairs of intervals as :func:`jaccard_score` does; its values are at least as large.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.sorensen_score([0, 4], [1, 7])), 12)
    0.6
    >>> float(intervals.sorensen_score([0, 4], [0, 4])), float(intervals.sorensen_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    p, q = overlap.of_true, overlap.of_pred
    return 2 * p * ratio(q, p + q, overlap.backend.xp)


@measure(INTERVALS, short=("kulczynski",), usual=5)
def kulczynski_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the harmonic mean of their lengths (Kulczyński).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is (I/A + I/B) / 2 ([1]_): the arithmetic mean of the two shares. Use it when an interval that lies
    within the other shall still have at least the value 1/2.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> float(intervals.kulczynski_score([0, 4], [1, 7]))
    0.625
    >>> float(intervals.kulczynski_score([0, 4], [0, 4])), float(intervals.kulczynski_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    return (overlap.of_true + overlap.of_pred) / 2


@measure(INTERVALS, short=("ochiai",), usual=6)
def ochiai_score(overlap: Overlap) -> Array:
    """Length of the intersection of two intervals, divided by the geometric mean of their lengths (Ochiai, cosine).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / sqrt(A B) ([1]_): the geometric mean of the shares I/A and I/B. It lies between
    :func:`sorensen_score` and :func:`kulczynski_score`.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

    >>> from gpuval import intervals
    >>> round(float(intervals.ochiai_score([0, 4], [1, 7])) ** 2, 12)
    0.375
    >>> float(intervals.ochiai_score([0, 4], [0, 4])), float(intervals.ochiai_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    xp = overlap.backend.xp
    return root(overlap.of_true, xp) * root(overlap.of_pred, xp)


@measure(
    INTERVALS,
    short=("inclusion",),
    exchanged=lambda of, variant: ("inclusion_score", {"of": "pred" if of == "true" else "true", "variant": variant}),
)
def inclusion_score(overlap: Overlap, *, of: Literal["true", "pred"] = "true", variant: Literal[1, 2] = 1) -> Array:
    """Share of one interval that lies within the other.

    Let I be the length of the intersection, and A the length of the interval that ``of`` names. The value of a sample
    is I / A for ``variant=1``, and I / (2 A - I) for ``variant=2`` (both [1]_). Variant 1 is the recall if
    ``of="true"``, and the precision if ``of="pred"``. Use it to tell whether predicted intervals are too short or too
    long.

    Parameters
    ----------
    of
        "true" or "pred": the interval whose share is taken.
    variant
        1 or 2, as for :func:`gpuval.pair_inclusion_score`.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, if the interval lies within the other, however long that is;
        higher is better. Not symmetric. No unit. With ``return_per_sample=True``, a named tuple of ``score`` and
        ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises, and for an unknown ``of`` or ``variant``.

    Notes
    -----
    For points, infinite intervals, devices and gradients see :func:`jaccard_score`. An interval of infinite length has
    the value 0 with one of finite length; the finite one has the value I / A with the infinite one (variant 1).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common; then equal intervals, and intervals that only
    touch:

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


Mean = Literal["arithmetic", "geometric", "harmonic"] | tuple[Callable[[Any], Any], Callable[[Any], Any]]

_MEANS: dict[str, Any] = {"arithmetic": kulczynski_score, "geometric": ochiai_score, "harmonic": sorensen_score}
"""The measures that are means of both shares."""


@measure(INTERVALS, short=("mean_inclusion",), tried={"mean": ("geometric", "harmonic")})
def mean_inclusion_score(overlap: Overlap, *, mean: Mean = "arithmetic") -> Array:
    """Mean of the shares of the two intervals that lie within one another: Kolmogorov's mean of both inclusions.

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval, and f a
    function that rises or falls everywhere. The value of a sample is the mean of p = I/A and q = I/B in the sense of
    Kolmogorov, g((f(p) + f(q))/2), where g is the inverse of f ([1]_). p is the recall of the true interval and q the
    precision of the predicted one, see :func:`inclusion_score`. Use it to choose how much a bad one of the two matters.

    Parameters
    ----------
    mean
        "arithmetic" (f(x) = x), which is :func:`kulczynski_score`; "geometric" (f(x) = log x), which is
        :func:`ochiai_score`; "harmonic" (f(x) = 1/x), which is :func:`sorensen_score`; or a pair of functions (f, g) of
        an array, which give an array of the same shape. They get an array of the library of the intervals, but of NumPy
        if these lie in the memory of the host and need no gradient; so operators are best, as in
        ``(lambda x: x**3, lambda y: y ** (1 / 3))``.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`jaccard_score` raises; for a ``mean`` that is neither a name nor two functions; and
        for a function that does not give an array of the same shape.

    Notes
    -----
    The geometric and the harmonic mean are 0 where a share is 0, as f is infinite there, and so is g((f(p) + f(q))/2)
    for a given f that is. The mean over samples is arithmetic for every ``mean``: so a sample without overlap lowers it
    by its own share, and does not make it 0. Of the means x^k of powers, :func:`braun_blanquet_score` is the limit for
    k to minus infinity, and :func:`simpson_score` for k to infinity. For points, infinite intervals, devices and
    gradients see :func:`jaccard_score`.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.

    Examples
    --------
    Intervals of the lengths 4 and 6 that have the length 3 in common, so that the shares are 3/4 and 1/2: by the means
    of their squares, and by those that have names; then equal intervals, and intervals that only touch:

    >>> from gpuval import intervals
    >>> squares = (lambda x: x**2, lambda y: y**0.5)
    >>> round(float(intervals.mean_inclusion_score([0, 4], [1, 7], mean=squares)) ** 2 * 32, 12)
    13.0
    >>> [round(float(intervals.mean_inclusion_score([0, 4], [1, 7], mean=x)), 4) for x in ("arithmetic", "harmonic")]
    [0.625, 0.6]
    >>> float(intervals.mean_inclusion_score([0, 4], [0, 4])), float(intervals.mean_inclusion_score([0, 4], [4, 7]))
    (1.0, 0.0)
    """
    if isinstance(mean, str):
        check_option("mean", mean, tuple(_MEANS))
        found: Array = _MEANS[mean].formula(overlap)
        return found
    if not (isinstance(mean, tuple | list) and len(mean) == 2 and all(map(callable, mean))):
        raise TypeError(f"mean must be one of {', '.join(map(repr, _MEANS))}, or two functions, got {mean!r}")
    function, inverse = (functools.partial(_apply, x) for x in mean)
    p, q = without_waiting((overlap.of_true, overlap.of_pred))
    with np.errstate(divide="ignore") if overlap.backend.on_host else nullcontext():  # a logarithm of 0 is no mistake
        return inverse((function(p) + function(q)) / 2)


def _apply(function: Callable[[Any], Any], x: Array) -> Array:
    """What a function of the user gives of an array."""
    found = function(x)
    if not is_array(found) or tuple(found.shape) != tuple(x.shape):
        got = f"shape {tuple(found.shape)}" if is_array(found) else type_of(found)
        raise TypeError(
            f"mean must have functions that give an array of the shape of theirs, {tuple(x.shape)}, got {got}"
        )
    return found
