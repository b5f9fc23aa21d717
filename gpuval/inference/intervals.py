"""Intervals and p-values, from standard errors or resampled tables, and the method that suits a measure."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.inference.inputs import less
from gpuval.inputs.options import as_number
from gpuval.numerics import NDArray
from gpuval.registry.families import measure_of


class JackknifeErrors(NamedTuple):
    """What the scores without each sample, or each group of them, tell of a score."""

    standard_error: float
    bias: float
    acceleration: float
    n_effective: float
    """How many units that weigh the same would give this standard error: of a difference of two clusterings about those
    whose labels differ, because the others add nothing to it."""


UNKNOWN = JackknifeErrors(np.nan, np.nan, np.nan, np.nan)


def check_level(confidence_level: float) -> float:
    """Check that a level is between 0 and 1."""
    level = as_number("confidence_level", confidence_level)
    if not 0 < level < 1:
        raise ValueError(f"confidence_level must be between 0 and 1, got {confidence_level!r}")
    return level


@np.errstate(invalid="ignore")
def from_left_out(score: float, scores: NDArray, times: NDArray) -> JackknifeErrors:
    """Of the scores without one unit, where ``times`` says how many units give each.

    With N units, t_u the score without unit u, and d_u = mean - t_u: SE^2 = (N - 1)/N sum d_u^2, bias = (N - 1)(mean -
    t), the acceleration is sum d_u^3 / (6 (sum d_u^2)^1.5), and the effective number is Kish's, (sum |d_u|)^2 / sum
    d_u^2; 0 and N if all are equal. Of infinite scores nothing is known.
    """
    if not (np.isfinite(score) and np.isfinite(scores).all()):
        return UNKNOWN
    n = times.sum()
    times = times.astype(np.float64)  # once: each product with whole numbers would convert them again
    shifts = scores - score  # small numbers, so that the mean keeps its digits
    mean = np.vecdot(times, shifts) / n
    d = mean - shifts
    of_units = d * d
    squares, cubes = np.vecdot(times, of_units), np.vecdot(times, of_units * d)  # a product is faster than a power
    rounding = n * (2.0**-48 * max(1.0, abs(score))) ** 2
    acceleration, n_effective = 0.0, float(n)
    if squares > rounding:
        acceleration = float(cubes / (6 * squares**1.5))
        n_effective = float(np.vecdot(times, np.abs(d)) ** 2 / squares)
    return JackknifeErrors(float(np.sqrt((n - 1) / n * squares)), float((n - 1) * mean), acceleration, n_effective)


def student(score: float, standard_error: float, level: float, n_units: float) -> tuple[float, float]:
    """``score -+ t standard_error``, t of Student's distribution with one degree of freedom less than units."""
    from scipy.special import stdtrit

    width = float(stdtrit(n_units - 1, (1 + level) / 2)) * standard_error
    return score - width, score + width


def clip_interval(ends: tuple[float, float], score: float, low: float, high: float) -> tuple[float, float]:
    """An interval, cut at the ends of the range of the score."""
    least, most = min(ends[0], score), max(ends[1], score)  # the score itself may be beyond them by rounding
    return float(np.clip(low, least, most)), float(np.clip(high, least, most))


def bootstrap_interval(
    method: str, score: float, replicates: NDArray, level: float, acceleration: float, n_units: int
) -> tuple[float, float]:
    """The interval of a method of the bootstrap; only "bca" asks for the acceleration.

    Draws of N units vary by (N - 1)/N of what they should, and imitate the normal distribution, not Student's. So the
    tails are those of the normal quantile z = sqrt(N / (N - 1)) t (Hesterberg 2015).
    """
    from scipy.special import stdtrit

    if n_units < 2 or not (np.isfinite(score) and np.isfinite(replicates).all()):
        return np.nan, np.nan
    z = float(np.sqrt(n_units / (n_units - 1)) * stdtrit(n_units - 1, (1 + level) / 2))
    if method == "bca":
        return bca(score, replicates, z, acceleration)
    return _basic(score, replicates, z) if method == "basic" else _percentile(replicates, z)


def _percentile(replicates: NDArray, z: float) -> tuple[float, float]:
    """The quantiles of the scores of resampled tables that -z and z are of a normal distribution."""
    return _quantiles(replicates, -z, z)


def _basic(score: float, replicates: NDArray, z: float) -> tuple[float, float]:
    """The quantiles, reflected at the score."""
    low, high = _percentile(replicates, z)
    return 2 * score - high, 2 * score - low


def bca(score: float, replicates: NDArray, z: float, acceleration: float) -> tuple[float, float]:
    """Bias-corrected and accelerated: other quantiles, by how many of the scores are below that of the table."""
    z0, acceleration = corrections(score, replicates, acceleration)
    shifts = z0 - z, z0 + z
    low, high = (z0 + shift / max(1 - acceleration * shift, np.finfo(float).tiny) for shift in shifts)
    return _quantiles(replicates, low, high)


def corrections(score: float, replicates: NDArray, acceleration: float) -> tuple[float, float]:
    """The bias z0 and the acceleration of BCa.

    Where all scores are on one side of that of the table, the bias is not finite: both are 0, as of percentiles.
    """
    from scipy.special import ndtri

    excess = less(replicates, score, 2.0**-40)
    below = np.mean(np.where(excess == 0, 0.5, excess < 0))
    return (float(ndtri(below)), acceleration) if 0 < below < 1 else (0.0, 0.0)


def _quantiles(replicates: NDArray, low: float, high: float) -> tuple[float, float]:
    from scipy.special import ndtr

    first, second = np.quantile(replicates, (float(ndtr(low)), float(ndtr(high))))
    return float(first), float(second)


# Which method suits a measure: the one that evaluations take, and comparisons by default.


def choose_method(function: Callable[..., Any], *, has_groups: bool) -> Literal["bca", "jackknife"]:
    """The jackknife for groups, which are few, and for measures that drawing samples again shifts; else BCa."""
    measure = measure_of(function)
    return "jackknife" if has_groups else "bca" if measure is None else measure.family.interval


# p-values of differences of scores: of a single one, and of many that are looked at together. Numbers of the host.


def from_student(z: float, n_units: float) -> float:
    """Two-sided, of Student's distribution with one degree of freedom less than units."""
    from scipy.special import stdtr

    return float(2 * stdtr(n_units - 1, -abs(z)))


def from_replicates(method: str, difference: float, replicates: NDArray, acceleration: float, n_units: int) -> float:
    """Two-sided: 1 less the level at which the interval of ``bootstrap_interval`` ends at 0; not below 2 / (B + 1).

    NaN where that interval is.
    """
    from scipy.special import ndtri, stdtr

    if not (np.isfinite(difference) and np.isfinite(replicates).all()):
        return np.nan
    z0, acceleration = corrections(difference, replicates, acceleration) if method == "bca" else (0.0, 0.0)
    end = 2 * difference if method == "basic" else 0.0
    n, tails = len(replicates), [1.0]
    for side, n_beyond in ((1, np.count_nonzero(replicates <= end)), (-1, np.count_nonzero(replicates >= end))):
        if n_beyond < n:
            shift = side * float(ndtri((1 + n_beyond) / (n + 1))) - z0
            z = side * (z0 - shift / max(1 + acceleration * shift, np.finfo(float).tiny))
            tails.append(2 * float(stdtr(n_units - 1, -z * np.sqrt((n_units - 1) / n_units))))
    return max(2 / (n + 1), min(tails))


def _ignore_nan(adjust: Callable[[NDArray], NDArray]) -> Callable[[NDArray], NDArray]:
    """Adjust the p-values that are no NaN, as if the others had not been asked for."""

    @functools.wraps(adjust)
    def adjust_known(p: NDArray) -> NDArray:
        known = ~np.isnan(p)
        found = np.full(len(p), np.nan)
        if known.any():
            found[known] = adjust(p[known])
        return found

    return adjust_known


@_ignore_nan
def false_discoveries(p: NDArray) -> NDArray:
    """The false discovery rates by Benjamini and Hochberg."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p))
