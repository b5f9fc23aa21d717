"""p-values of differences of scores: of a single one, and of many that are looked at together. Numbers of the host."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from gpuval.inference.intervals import corrections
from gpuval.numerics import NDArray


def from_student(z: float, n_units: int) -> float:
    """Two-sided, of Student's distribution with one degree of freedom less than units."""
    from scipy.special import stdtr

    return float(2 * stdtr(n_units - 1, -abs(z)))


def from_replicates(method: str, difference: float, replicates: NDArray, acceleration: float, n_units: int) -> float:
    """Two-sided: 1 less the level at which the interval of ``of_replicates`` ends at 0; not below 2 / (B + 1).

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
