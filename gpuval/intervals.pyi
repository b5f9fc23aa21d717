"""Intervals, such as those of time that models find: how far a predicted one and a true one are the same."""

# Written by .ci/stubs.py.

from typing import Any, Literal

from gpuval.evaluation.intervals.accumulator import IntervalAccumulator as IntervalAccumulator

__all__ = [
    "IntervalAccumulator",
    "braun_blanquet_score",
    "inclusion_score",
    "jaccard_score",
    "kulczynski_score",
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
    """Length of the intersection of two intervals, as a share of that of the longer one.

    I / max(A, B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text). Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """How far one interval is included in the other.

    With the lengths I of the intersection and A of the interval that ``of`` names: I / A (variant 1), or I / (2 A - I)
    (variant 2; both [1]_, not checked against the text). The first is the recall of the true interval, or the precision
    of the predicted one. Higher is better; from 0 to 1, which it is if the interval lies within the other, whose length
    makes no difference. Not symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    of
        "true" or "pred": whose interval is to be found in the other.
    variant
        1 or 2, as for :func:`gpuval.pair_inclusion_score`.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """Length of the intersection of two intervals, as a share of that of their union.

    I / (A + B - I) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): "intersection over union" in the localisation of events in time. The union is
    that of the sets; a gap between two intervals is none of it. Higher is better; from 0, for intervals that have no
    length in common, to 1, for equal ones. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """Length of the intersection of two intervals, by the harmonic mean of their lengths.

    (I/A + I/B) / 2 with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the arithmetic mean of both shares. Higher is better; from 0 to 1, for equal
    intervals. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """Length of the intersection of two intervals, by the geometric mean of their lengths.

    I / sqrt(A B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text). Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """Length of the intersection of two intervals, as a share of that of the shorter one.

    I / min(A, B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the overlap coefficient. Higher is better; from 0 to 1, which it also is if
    one interval lies within the other. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

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
    """Length of the intersection of two intervals, by the arithmetic mean of their lengths.

    2 I / (A + B) with the lengths I of the intersection, A of the true and B of the predicted interval
    ([1]_, not checked against the text): the coefficient of Sørensen and Dice, which is the harmonic mean of I/A and
    I/B. Higher is better; from 0 to 1, for equal intervals. Symmetric.

    Parameters
    ----------
    true_intervals, pred_intervals
        The start and the end of an interval for each sample, shape (n_samples, 2), or (2,) for one sample: arrays of
        one library and device, nested sequences, or data frames of two columns. Ends may be equal, and infinite. Dask
        may hold rows: their sums are added up block by block, and there is no ``return_per_sample``.
    mask
        Which samples count, booleans of shape (n_samples,); the others may have any intervals.
    sample_weight
        The weight of each sample in the mean, shape (n_samples,), not negative. One of weight 0 does not count.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        the default, "zero", "one", or "skip", to leave the sample out of the mean.
    return_per_sample
        Whether to return the value of each sample, too.

    Returns
    -------
    score
        The mean over the samples: of the library of ``true_intervals``, on its device, in its widest float. No unit.
        With ``return_per_sample``, a named tuple of ``score`` and ``sample_scores``, shape (n_samples,).

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """
