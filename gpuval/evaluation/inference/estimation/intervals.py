"""Intervals of a score: from its standard error, or from its values for resampled tables. Numbers of the host."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpuval.inputs.options import as_number
from gpuval.numerics import NDArray


class LeftOutErrors(NamedTuple):
    """What the scores without each sample, or each group of them, tell of a score."""

    standard_error: float
    bias: float
    acceleration: float


def check_level(confidence_level: float) -> float:
    """Check that a level is between 0 and 1."""
    level = as_number("confidence_level", confidence_level)
    if not 0 < level < 1:
        raise ValueError(f"confidence_level must be between 0 and 1, got {confidence_level!r}")
    return level


def from_left_out(score: float, scores: NDArray, times: NDArray) -> LeftOutErrors:
    """Of the scores without one unit, where ``times`` says how many units give each.

    With N units and t_u the score without unit u: SE^2 = (N - 1)/N sum (t_u - mean)^2, bias = (N - 1)(mean - t), and
    the acceleration is sum d^3 / (6 (sum d^2)^1.5), d = mean - t_u (0 if all are equal).
    """
    n = times.sum()
    shifts = scores - score  # small numbers, so that the mean keeps its digits
    mean = np.vecdot(times, shifts) / n
    d = mean - shifts
    squares, cubes = np.vecdot(times, d * d), np.vecdot(times, d**3)
    rounding = n * (2.0**-48 * max(1.0, abs(score))) ** 2
    acceleration = cubes / (6 * squares**1.5) if squares > rounding else 0.0
    return LeftOutErrors(float(np.sqrt((n - 1) / n * squares)), float((n - 1) * mean), float(acceleration))


def normal(score: float, standard_error: float, level: float) -> tuple[float, float]:
    """``score -+ z standard_error``, of a normal distribution."""
    from scipy.special import ndtri

    width = float(ndtri((1 + level) / 2)) * standard_error
    return score - width, score + width


def of_replicates(
    method: str, score: float, replicates: NDArray, level: float, acceleration: float
) -> tuple[float, float]:
    """The interval of a method of the bootstrap; only "bca" asks for the acceleration."""
    if method == "bca":
        return bca(score, replicates, level, acceleration)
    return basic(score, replicates, level) if method == "basic" else percentile(replicates, level)


def percentile(replicates: NDArray, level: float) -> tuple[float, float]:
    """The quantiles (1 - level)/2 and (1 + level)/2 of the scores of resampled tables."""
    return _quantiles(replicates, (1 - level) / 2, (1 + level) / 2)


def basic(score: float, replicates: NDArray, level: float) -> tuple[float, float]:
    """The quantiles, reflected at the score; may leave its range."""
    low, high = percentile(replicates, level)
    return 2 * score - high, 2 * score - low


def bca(score: float, replicates: NDArray, level: float, acceleration: float) -> tuple[float, float]:
    """Bias-corrected and accelerated: other quantiles, by how many of the scores are below that of the table.

    Where all of them are on one side of it, the correction is not finite, and the interval is that of percentiles.
    """
    from scipy.special import ndtr, ndtri

    near = np.abs(replicates - score) <= 2.0**-40 * max(1.0, abs(score))  # but for rounding the same
    below = np.mean(np.where(near, 0.5, replicates < score))
    if not 0 < below < 1:
        return percentile(replicates, level)
    z0, z = ndtri(below), ndtri((1 + level) / 2)
    low, high = (z0 + (z0 + side) / (1 - acceleration * (z0 + side)) for side in (-z, z))
    return _quantiles(replicates, float(ndtr(low)), float(ndtr(high)))


def _quantiles(replicates: NDArray, low: float, high: float) -> tuple[float, float]:
    if not np.isfinite(replicates).all():
        return np.nan, np.nan
    first, second = np.quantile(replicates, (low, high))
    return float(first), float(second)
