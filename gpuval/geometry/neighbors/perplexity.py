"""Weights of neighbours by their distances, of a given perplexity: exp(-beta d), beta such that the entropy is ln p.

With p = perplexity, beta is the root of H(beta) - ln p, where H falls from the logarithm of the number of neighbours to
that of those tied for the nearest. Distances are taken less the least of their row and divided by the (floor(p) + 1)-th
of what is left, x. Then the root lies in a range that is known beforehand: floor(p) + 1 of the x are at most 1, so that
H(beta) >= ln(floor(p) + 1) - beta; and at most p are below 1, so that beyond ln k + 60 no other of the k neighbours has
a weight that floats could tell. Nor has any other limit an exception: neighbours are weighed alike, if there are no
more than p, as all their x are 0; and so are several tied for the nearest, if these are p or more, as all others are
infinitely far in their unit. The logarithm of beta is found within that range by the method of Halley, or, where that
leaves the range that is left, by halving it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gpuval.engines import lazily, without_waiting
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import room
from gpuval.numerics.stable import ratio

STEPS = 24
"""After so many the weights of any distances were those after 80, to all digits; of common ones after 4 to 6."""

_START = 1.15
"""Near the logarithm of beta for common distances, of a few dimensions or of many."""


def weights_of(distances: Array, perplexity: float, xp: Any) -> Array:
    """The weights of the neighbours of each row, up to a factor, by the standard; infinite distances weigh nothing.

    ``distances`` are floats of shape (n_rows, n_neighbors), not negative.
    """
    x = _rescale(distances, perplexity, xp)
    if perplexity == 1:  # which none but the nearest has, at no finite beta
        return xp.astype(x == 0, x.dtype)
    low, high = _range_of_root(perplexity, int(x.shape[1]))
    u = xp.full_like(x[:, 0], min(max(_START, low), high))
    low, high = xp.full_like(u, low), xp.full_like(u, high)
    for _ in range(STEPS):
        above, step = _step(x, u, perplexity, xp)
        low, high = xp.where(above > 0, u, low), xp.where(above > 0, high, u)
        following = u + step
        u = xp.where((following >= low) & (following <= high), following, (low + high) / 2)
        low, high, u = map(lazily, without_waiting((low, high, u)))  # so that each step has the same kernels
    weights: Array = xp.exp(-xp.exp(u)[:, None] * x)
    return weights


def _rescale(distances: Array, perplexity: float, xp: Any) -> Array:
    """The distances less the least, in the unit in which the root is near 1."""
    is_there, far = distances < math.inf, _far(distances, xp)
    least = xp.min(distances, axis=1, keepdims=True)
    apart = xp.where(is_there, distances - xp.where(least < math.inf, least, 0.0), 0.0)
    apart = xp.where(is_there | (least == math.inf), apart, math.inf)
    column = math.floor(perplexity)
    if column >= distances.shape[1]:
        return xp.where(apart < math.inf, xp.zeros_like(apart), far)
    unit = xp.sort(apart, axis=1)[:, column : column + 1]
    x = xp.where(is_there, apart, 0.0) / xp.where(unit > 0, unit, 1.0)
    x = xp.where((unit == 0) | ~is_there | (x > far), far, x)
    return xp.where(apart == 0, xp.zeros_like(x), x)


def _far(x: Array, xp: Any) -> float:
    """A distance of which exp is 0, and the third power a float."""
    return 1e100 if xp.finfo(x.dtype).bits == 64 else 1e12


def _range_of_root(perplexity: float, n_neighbors: int) -> tuple[float, float]:
    """Where the logarithm of beta is."""
    whole = math.floor(perplexity)
    return math.log(math.log1p((whole + 1 - perplexity) / perplexity)), math.log(60 + math.log(n_neighbors))


def _step(x: Array, u: Array, perplexity: float, xp: Any) -> tuple[Array, Array]:
    """How far the entropy is above that of the perplexity, and the step to it; NaN or 0 where it has no slope."""
    beta = xp.exp(u)
    weights = xp.exp(-beta[:, None] * x)
    total = xp.sum(weights, axis=1, dtype=x.dtype)
    weights = weights * x
    first = xp.sum(weights, axis=1, dtype=x.dtype) / total
    weights = weights * x
    second = xp.sum(weights, axis=1, dtype=x.dtype) / total
    weights = weights * x
    third = xp.sum(weights, axis=1, dtype=x.dtype) / total
    return _halley(beta, total, first, second, third, perplexity, xp)


def _halley(
    beta: Array, total: Array, first: Array, second: Array, third: Array, perplexity: float, xp: Any
) -> tuple[Array, Array]:
    """The same from the sum of the weights and the means of x and of its second and third power.

    By u = ln beta, H' = -beta^2 V and H'' = -2 beta^2 V + beta^3 K, with the variance V and the third central moment K.
    """
    variance = second - first * first
    skewness = third - 3 * first * second + 2 * first * first * first
    above = xp.log(total) + beta * first - math.log(perplexity)
    newton = ratio(above, beta * beta * variance, xp)
    return above, ratio(newton, 1 + newton * (1 - ratio(beta * skewness, 2 * variance, xp)), xp, math.nan)


# Of NumPy: the exponentials in 64 bits take most of the time, so the root is neared in 32.

_NEAR, _CLOSE = 0.02, 5e-5
"""Steps after which the next of Halley's is a small one, and after which that is exact to all digits."""

_MOST_APART = 1 / 64
"""The share of rows that may be left to ``weights_of``, rather than that all rows are neared once more."""


def weights_on_host(distances: NDArray, perplexity: float) -> NDArray:
    """The same weights of arrays of NumPy, in 64 bits: in memory that this thread uses again at the next call."""
    with np.errstate(all="ignore"):  # rows that go wrong here are left to the other way
        x = _rescale_on_host(distances, perplexity)
        if perplexity == 1:
            nearest: NDArray = (x == 0).astype(np.float64)
            return nearest
        weights, is_close = _approximate_weights(x, perplexity)
        if not is_close.all():
            weights[~is_close] = weights_of(distances[~is_close].astype(np.float64), perplexity, np)
    return weights


def _rescale_on_host(distances: NDArray, perplexity: float) -> NDArray:
    """As ``_rescale``, but nothing is sorted that is in order and finite."""
    column = math.floor(perplexity)
    in_order = bool(np.isfinite(distances[:, -1]).all()) and not (distances[:, 1:] < distances[:, :-1]).any()
    if not in_order or column >= distances.shape[1]:
        found: NDArray = _rescale(distances.astype(np.float64, copy=False), perplexity, np)
        return found
    x = room("x", distances.shape, np.float64)
    np.subtract(distances, distances[:, :1], out=x, dtype=np.float64)
    unit = x[:, column : column + 1].copy()
    tied = np.flatnonzero(unit == 0)
    of_tied = np.where(x[tied] > 0, _far(x, np), 0.0)
    x /= unit
    x[tied] = of_tied
    return np.minimum(x, _far(x, np), out=x)


def _approximate_weights(x: NDArray, perplexity: float) -> tuple[NDArray, NDArray]:
    """The weights by few steps, and of which rows they are exact."""
    low, high = _range_of_root(perplexity, x.shape[1])
    short, short_scratch = (room(name, x.shape, np.float32) for name in ("short", "short_scratch"))
    weights, scratch, factor = (room(name, x.shape, np.float64) for name in ("weights", "scratch", "factor"))
    np.minimum(x, _far(short, np), out=short, casting="same_kind")
    u = np.full(len(x), min(max(_START, low), high))
    for _ in range(4):
        step = _step_in_place(short, np.exp(u), perplexity, short_scratch, short_scratch)
        u = np.clip(np.where(np.abs(step) < 2, u + step, u), low, high)
        if np.count_nonzero(np.abs(step) < _NEAR) >= (1 - _MOST_APART) * len(x):
            break
    beta = np.exp(u)
    step = _step_in_place(x, beta, perplexity, weights, scratch)
    is_close = (np.abs(step) < _CLOSE) & (u + step >= low) & (u + step <= high)
    # The weights at the root by the series of exp(change), as that is small wherever a weight is not.
    change = np.multiply(x, -(beta * np.expm1(step))[:, None], out=scratch)
    np.multiply(change, 0.5, out=factor)
    factor += 1.0
    factor *= change
    factor += 1.0
    weights *= factor
    return weights, is_close


def _step_in_place(x: NDArray, beta: NDArray, perplexity: float, weights: NDArray, scratch: NDArray) -> NDArray:
    """Halley's step, of 64 bits; it leaves the weights in ``weights``, unless ``scratch`` is the same array."""
    np.multiply(x, -beta.astype(x.dtype)[:, None], out=weights)
    np.exp(weights, out=weights)
    total = np.add.reduce(weights, axis=1).astype(np.float64)
    first = np.einsum("ij,ij->i", weights, x)
    second = np.einsum("ij,ij->i", np.multiply(weights, x, out=scratch), x)
    third = np.einsum("ij,ij->i", np.multiply(scratch, x, out=scratch), x)
    step: NDArray = _halley(beta, total, first / total, second / total, third / total, perplexity, np)[1]
    return step
