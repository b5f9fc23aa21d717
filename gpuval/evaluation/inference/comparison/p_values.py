"""p-values of differences of scores: of a single one, and of many that are looked at together. Numbers of the host."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from gpuval.numerics import NDArray


def from_normal(z: float) -> float:
    """Two-sided, of a normal distribution."""
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))


def from_replicates(differences: NDArray) -> float:
    """Two-sided: 2 min(1 + #{d* <= 0}, 1 + #{d* >= 0}) / (B + 1) of B resampled differences d*, and at most 1."""
    if np.isnan(differences).any():
        return np.nan
    below, above = np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0)
    return min(1.0, 2 * (1 + min(below, above)) / (len(differences) + 1))


def step_down(differences: NDArray, errors: NDArray, resampled: Callable[[int], NDArray]) -> NDArray:
    """Family-wise p-values of several differences by the largest of their |t|, step by step.

    Parameters
    ----------
    differences, errors
        Each difference d and its standard error s, shape (n_differences,).
    resampled
        The resampled differences d* of one of them, shape (n_resamples,), of the same draws for all.

    Notes
    -----
    With t = |d| / s and t* = |d* - d| / s, which imitates it where there is no difference, the p-value of the k-th
    largest t is the share of draws in which the largest t* of this and of all smaller t reaches it, the data among
    them; and no p-value is smaller than that of a larger t.
    """
    t = _ratio(np.abs(differences), errors)
    order = np.argsort(-t, kind="stable")
    p = np.ones(len(t))
    largest = None
    for k in order[::-1]:
        own = _ratio(np.abs(resampled(int(k)) - differences[k]), errors[k])
        largest = own if largest is None else np.maximum(largest, own)
        p[k] = (1 + np.count_nonzero(largest >= t[k])) / (len(own) + 1)
    p[order] = np.maximum.accumulate(p[order])
    return p


def _ratio(x: NDArray, errors: NDArray) -> NDArray:
    """The differences by their errors; no difference without an error is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x == 0, 0.0, x / errors)


def _of_known(adjust: Callable[[NDArray], NDArray]) -> Callable[[NDArray], NDArray]:
    """Adjust the p-values that are no NaN, as if the others had not been asked for."""

    @functools.wraps(adjust)
    def adjusted(p: NDArray) -> NDArray:
        known = ~np.isnan(p)
        found = np.full(len(p), np.nan)
        if known.any():
            found[known] = adjust(p[known])
        return found

    return adjusted


@_of_known
def holm(p: NDArray) -> NDArray:
    """Family-wise p-values: the k-th smallest of m times m - k + 1, none smaller than that of a smaller one."""
    order = np.argsort(p, kind="stable")
    found = np.empty(len(p))
    found[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return found


@_of_known
def false_discoveries(p: NDArray) -> NDArray:
    """The false discovery rates by Benjamini and Hochberg."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p))
