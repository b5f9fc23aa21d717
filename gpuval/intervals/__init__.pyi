"""Measures of intervals: how well predicted intervals, such as events in time, match the true ones.

Each measure takes ``true_intervals`` and ``pred_intervals``, arrays of shape (n_samples, 2) with the start and the end
of one interval for each sample, and returns the mean over the samples. Start with :func:`jaccard_score` (intersection
over union, IoU). The other symmetric measures are :func:`sorensen_score` (Dice), :func:`simpson_score` (overlap),
:func:`braun_blanquet_score`, :func:`kulczynski_score` and :func:`ochiai_score` (cosine); :func:`inclusion_score` is the
precision or the recall of an interval, and :func:`mean_inclusion_score` any mean of both. :class:`IntervalAccumulator`
takes batches.

Examples
--------
>>> from gpuval import intervals
>>> float(intervals.jaccard_score([[0, 4], [2, 3]], [[0, 2], [2, 3]]))
0.75
"""

# Written by .ci/generate.py.

from collections.abc import Callable
from typing import Any, Literal

from gpuval.intervals.accumulator import IntervalAccumulator as IntervalAccumulator

__all__ = [
    "IntervalAccumulator",
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
    "mean_inclusion_score",
    "ochiai_score",
    "simpson_score",
    "sorensen_score",
]

def braun_blanquet_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the length of the longer one (Braun-Blanquet).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / max(A, B) ([1]_). For an interval that lies within the other one, it is the ratio of their
    lengths.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def inclusion_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    of: Literal["true", "pred"] = "true",
    variant: Literal[1, 2] = 1,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Share of one interval that lies within the other.

    Let I be the length of the intersection, and A the length of the interval that ``of`` names. The value of a sample
    is I / A for ``variant=1``, and I / (2 A - I) for ``variant=2`` (both [1]_). Variant 1 is the recall if
    ``of="true"``, and the precision if ``of="pred"``. Use it to tell whether predicted intervals are too short or too
    long.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    of
        "true" or "pred": the interval whose share is taken.
    variant
        1 or 2, as for :func:`gpuval.pair_inclusion_score`.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, if the interval lies within the other, however long that is;
        higher is better. Not symmetric. No unit. With ``return_per_sample=True``, a named tuple of ``score`` and
        ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def jaccard_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the length of their union (Jaccard index, IoU).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / (A + B - I) ([1]_): "intersection over union" (IoU) in the localisation of events in time. The
    union is a set: a gap between two intervals is not part of it. Use it as the default measure of how well predicted
    intervals match true ones.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def kulczynski_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the harmonic mean of their lengths (Kulczyński).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is (I/A + I/B) / 2 ([1]_): the arithmetic mean of the two shares. Use it when an interval that lies
    within the other shall still have at least the value 1/2.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def mean_inclusion_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mean: Literal["arithmetic", "geometric", "harmonic"]
    | tuple[Callable[[Any], Any], Callable[[Any], Any]] = "arithmetic",
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Mean of the shares of the two intervals that lie within one another: Kolmogorov's mean of both inclusions.

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval, and f a
    function that rises or falls everywhere. The value of a sample is the mean of p = I/A and q = I/B in the sense of
    Kolmogorov, g((f(p) + f(q))/2), where g is the inverse of f ([1]_). p is the recall of the true interval and q the
    precision of the predicted one, see :func:`inclusion_score`. Use it to choose how much a bad one of the two matters.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mean
        "arithmetic" (f(x) = x), which is :func:`kulczynski_score`; "geometric" (f(x) = log x), which is
        :func:`ochiai_score`; "harmonic" (f(x) = 1/x), which is :func:`sorensen_score`; or a pair of functions (f, g) of
        an array, which give an array of the same shape. They get an array of the library of the intervals, but of NumPy
        if these lie in the memory of the host and need no gradient; so operators are best, as in
        ``(lambda x: x**3, lambda y: y ** (1 / 3))``.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def ochiai_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the geometric mean of their lengths (Ochiai, cosine).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / sqrt(A B) ([1]_): the geometric mean of the shares I/A and I/B. It lies between
    :func:`sorensen_score` and :func:`kulczynski_score`.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def simpson_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the length of the shorter one (overlap coefficient).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is I / min(A, B) ([1]_), also called the Szymkiewicz-Simpson coefficient. Use it when one interval may
    lie within the other without being wrong.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, if one interval lies within the other; higher is better.
        Symmetric. No unit. With ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the
        latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def sorensen_score(
    true_intervals: Any,
    pred_intervals: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
    return_per_sample: bool = False,
) -> Any:
    """Length of the intersection of two intervals, divided by the arithmetic mean of their lengths (Sørensen-Dice).

    Let I be the length of the intersection, A that of the true interval and B that of the predicted interval. The value
    of a sample is 2 I / (A + B) ([1]_). This is the Dice coefficient, or F1: the harmonic mean of I/A and I/B. It
    orders pairs of intervals as :func:`jaccard_score` does; its values are at least as large.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of the true and of the predicted interval of each sample, shape (n_samples, 2), or (2,)
        for one sample: arrays of one library and on one device, nested sequences, or data frames of two columns. Start
        and end may be equal or infinite. Dask arrays are read in blocks of rows, whose sums are added up;
        ``return_per_sample`` is then not available.
    mask
        Which samples count: booleans of shape (n_samples,). The other samples may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. A sample with the weight 0 does not
        count.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", the default, "zero", "one", or "skip", which leaves the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples, in the library and on the device of ``true_intervals``, in the widest float. From 0,
        for intervals that have no length in common, to 1, for equal ones; higher is better. Symmetric. No unit. With
        ``return_per_sample=True``, a named tuple of ``score`` and ``sample_scores``, the latter of shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """
