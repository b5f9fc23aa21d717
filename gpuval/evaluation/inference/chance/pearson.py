"""The law of T, the pairs together in both partitions, by three moments: a shifted gamma law, Pearson's type III."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.metrics.external.standardized import pair_count_moments, standardized_rand_score
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.chance.null_statistics import null_statistics
from gpuval.table.resampling.chance.null_tables import CellSums


def upper_tail(z: float, skewness: float) -> float:
    """P(Z >= z) of a gamma law, shifted to mean 0 and scaled to variance 1; the normal law for a skewness of 0.

    With k = 4 / skewness^2 it is Q(k, k + z sqrt(k)), of the regularised incomplete gamma function; mirrored, if the
    skewness is negative.
    """
    from scipy.special import gammainc, gammaincc, ndtr

    if abs(skewness) < 1e-8:
        return float(ndtr(-z))
    k = 4 / skewness**2
    if skewness < 0:
        return float(gammainc(k, max(0.0, k - z * math.sqrt(k))))
    return float(gammaincc(k, max(0.0, k + z * math.sqrt(k))))


def p_value_of_pairs(table: Contingency) -> float:
    """The probability of as many pairs together in both partitions, or more; 1 where the sizes settle their number."""
    z = float(standardized_rand_score(table))
    return 1.0 if math.isnan(z) else upper_tail(z, float(pair_count_moments(table).skewness))


def mean_and_deviation_by_moments(function: Callable[..., Any], table: Contingency) -> tuple[float, float]:
    """Of a score that is linear in T, exactly; of any other by a line through its values one deviation off the mean."""
    n, moments = int(table.total), pair_count_moments(table)
    mean, deviation = float(moments.mean), math.sqrt(moments.variance)
    if deviation == 0:
        return float(function(table)), 0.0
    low, high = max(0, math.floor(mean - deviation)), math.ceil(mean + deviation)
    squares = np.asarray([2 * low + n, 2 * high + n])
    first, last = np.asarray(function(null_statistics(table, CellSums(squares, np.zeros(2)))), dtype=np.float64)
    slope = float(last - first) / (high - low)
    return float(first) + slope * (mean - low), abs(slope) * deviation


def check_squares(table: Contingency) -> None:
    """Check that the squares of counts, added up, fit into 64 bits."""
    if table.total > LARGEST_ROOT:
        raise ValueError(f"permutation tests take at most {LARGEST_ROOT} samples, got {int(table.total)}")
