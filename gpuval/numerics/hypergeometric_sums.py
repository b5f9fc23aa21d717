"""Sums of mean deviances and mean losses over pairs of sizes, point by point: for NumPy, where the windows are short.

See ``hypergeometric`` for what the two are, and for its quadrature, which takes pairs of any sizes.
"""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.hypergeometric import TINY, half_width, mean_and_variance
from gpuval.numerics.stable import deviance_of_counts

LARGEST_VARIANCE = 50
"""Beyond, roundings of the weights add up to more than 5e-15, and the quadrature leaves out points of the window."""

LARGEST_TOTAL = 1 << 26
"""The largest n of which the square, and so every product of two counts, is exact in float64."""


def deviance_and_loss_of_short_windows(
    a: NDArray, times_a: NDArray, b: NDArray, times_b: NDArray, n: NDArray, of_a: NDArray
) -> tuple[float, float] | None:
    """
    Sums over all pairs of sizes of ``E[phi(K)]`` and ``E[K log(a / K)]``, or ``E[K log(b / K)]``.

    All points of all windows stand one after the other, so that no operation sees a point of no window.

    *Weights.* They follow from one another: ``w(k) / w(k-1) = (a-k+1)(b-k+1) / (k (n-a-b+k))``, from the first point of
    the window on, and are divided by their sum. Up to n = 2^26 the products are exact, so that each step rounds twice,
    by 1.1e-16 each. What the steps from the first point to mu have in common falls out in the division. So, with
    s standard deviations, ``E[phi(K)]``, whose terms grow like ``(k - mu)^2``, errs by at most
    ``2.2e-16 (E|K - mu|^3 / s^2 + E|K - mu|)`` of itself, for a normal K ``5.3e-16 s``: 4e-15 at a variance of 50.

    *Differences.* ``k - mu = (k n - a b) / n`` is rounded once, so that no pair need be reflected.

    Parameters
    ----------
    a, times_a, b, times_b
        Sizes, whole numbers from 1 to n, and how often each occurs; vectors of float64.
    n
        The number of samples.
    of_a
        Whether the loss is that of a (else of b).

    Returns
    -------
    None, or tuple of two floats
        None where the variance of a pair is above ``LARGEST_VARIANCE``, or n above ``LARGEST_TOTAL``.
    """
    times = np.multiply.outer(times_a, times_b).reshape(-1)
    a, b = _pairs(a, b)
    mean, variance = mean_and_variance(a, b, n, np)
    if n > LARGEST_TOTAL or np.maximum.reduce(variance) > LARGEST_VARIANCE:
        return None
    first, lengths = _windows(a, b, n, mean, variance)
    starts = np.cumsum(lengths) - lengths

    def of_points(x: NDArray) -> NDArray:
        return np.repeat(x, lengths)

    k = np.arange(float(starts[-1] + lengths[-1])) + of_points(first - starts)
    a_only, b_only, by_chance = of_points(a) - k, of_points(b) - k, of_points(a * b)
    excess = k * n - by_chance
    diagonal = excess + a_only * b_only  # k (n-a-b+k)
    weights = _weights((a_only + 1) * (b_only + 1) / np.maximum(diagonal, 1), starts)
    weights *= of_points(times / np.add.reduceat(weights, starts))
    mutual = weights * deviance_of_counts(k, by_chance / n, excess / n)
    loss = weights * k * np.log1p((a_only if of_a else b_only) / np.maximum(k, 1))
    return float(np.add.reduce(mutual)), float(np.add.reduce(loss))


def _pairs(a: NDArray, b: NDArray) -> NDArray:
    pairs = np.empty((2, len(a), len(b)))
    pairs[0], pairs[1] = a[:, None], b
    return pairs.reshape(2, -1)


def _windows(a: NDArray, b: NDArray, n: NDArray, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray]:
    """The first point of each window, and how many points it has: for K that is constant, that of K."""
    width = half_width(np.maximum(variance, TINY), np)
    first = np.maximum(np.maximum(np.floor(mean - width), a + b - n), 0)
    last = np.minimum(np.minimum(np.ceil(mean + width), a), b)
    return first, (last - first).astype(np.int64) + 1


def _weights(steps: NDArray, starts: NDArray) -> NDArray:
    """Of each point, from its quotient to that of the point before; the first of each window is near 1."""
    steps[starts] = 1
    steps[starts[1:]] = 1 / np.multiply.reduceat(steps, starts)[:-1]
    return np.asarray(np.multiply.accumulate(steps))
