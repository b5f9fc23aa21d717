"""Quotients, means, logarithms, powers and differences that keep their digits where the textbook formula loses them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gpuval.numerics import Array, NDArray

_LN_2 = 0.6931471805599453

_NEAR = 0.2
"""Below it, deviances are found by their series in v."""

_SERIES = tuple(2 / (2 * j + 1) for j in range(10, 0, -1))

LOGARITHMS_FROM = 128
"""From this number on the expansion of :func:`reciprocal_logarithms` has all digits of a float."""

_GAMMA = 0.5772156649015329
"""Euler's constant."""
_REST = -0.24323834289098076
"""What the sum of 1/ln(m) over m = 2..n has beyond its expansion for large n: the limit of the difference."""
_TERMS = 128
"""So many terms of the series of li have all digits for every integer of 64 bits."""


def ratio(numerator: Array, denominator: Array, xp: Any, if_zero: Any = 0.0) -> Array:
    """``numerator / denominator``, and ``if_zero`` where the denominator is 0; differentiable."""
    if isinstance(denominator, float) and denominator != 0:
        return numerator / denominator  # a number of NumPy, of which nothing need be left out
    zero = denominator == 0
    return xp.where(zero, if_zero, numerator / xp.where(zero, 1.0, denominator))


def _two_sum(x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
    """``x + y`` as it is rounded, and exactly what rounding has left of it, in any order; 0 if that is not finite."""
    total = x + y
    finite = xp.isfinite(total)
    x, y = (xp.where(finite, z, xp.zeros_like(z)) for z in (x, y))
    both = x + y
    of_y = both - x
    return total, (x - (both - of_y)) + (y - of_y)


def unit_of_sums(x: Array, xp: Any) -> float:
    """What values, and their weights, are multiplied by before they are added up for a mean.

    So sums of numbers near the largest float are floats, as their mean is. It is a power of two, and rounds no number
    that is not beside the smallest ones.
    """
    return 2.0**-64 if x.dtype == xp.float64 else 2.0**-24


def sum_with_weights(values: Array, weights: Array | None, xp: Any) -> tuple[Array, Any]:
    """The sum of values, each times its weight, and that of the weights, in the unit of sums.

    A value of weight 0 may be NaN or infinite; it has no gradient.
    """
    unit = unit_of_sums(values, xp)
    if weights is None:
        return xp.sum(values * unit), float(values.shape[0]) * unit
    is_zero, weights = weights == 0, weights * unit
    return xp.sum(xp.where(is_zero, 0.0, xp.where(is_zero, 0.0, values) * weights)), xp.sum(weights)


def sums_for_means(pairs: Iterable[tuple[Array, Any]], xp: Any) -> Array:
    """Sums that add up to means, from pairs: of values times weights, and of weights; shape (2, 2, n).

    The first row of the first matrix has, for each of n means, the sum of values times weights, the second the sum of
    the weights; the second matrix has what rounding has left of these when they were added up.
    """
    found = list(pairs)
    totals = xp.stack([total for total, _ in found])
    weights = xp.stack([xp.zeros_like(total) + weight for total, weight in found])
    sums = xp.stack([totals, weights])
    return xp.stack([sums, xp.zeros_like(sums)])


def add_sums(x: Array, y: Array, xp: Any) -> Array:
    """The sums for means of both: compensated, so that many small ones lose no digits."""
    total, rest = _two_sum(x[0, ...], y[0, ...], xp)
    return xp.stack([total, rest + x[1, ...] + y[1, ...]])


def means_of(sums: Array, xp: Any, if_none: float = float("nan")) -> Array:
    """The means of sums for them, shape (n,), and ``if_none`` where the weights are 0."""
    totals = sums[0, ...] + sums[1, ...]
    return ratio(totals[0, ...], totals[1, ...], xp, if_none)


def root(x: Array, xp: Any) -> Array:
    """``sqrt(x)`` for x >= 0, with a derivative of 0 at 0 where it has none, so that no gradient is NaN."""
    zero = x == 0
    return xp.where(zero, 0.0, xp.sqrt(xp.where(zero, 1.0, x)))


def normalise(numerator: Array, denominator: Array, identical: Array, xp: Any) -> Array:
    """A normalised score: 1 for identical partitions, whatever they are, and 0 for 0/0 between others."""
    if isinstance(identical, np.bool_):
        return np.float64(1.0) if identical else ratio(numerator, denominator, xp)
    return xp.where(identical, 1.0, ratio(numerator, denominator, xp))


def rest_of(part: Array, whole: Array, added_up: Callable[[Array], Array], xp: Any) -> Array:
    """``whole - part`` of floats, each part of its whole, to all digits, however near to its whole a part is.

    ``added_up`` gives, for each part, the sum of all parts of its whole. At most one of them is more than half: for
    that one, and no other, the difference would lose digits, and the sum of the others is the rest.
    """
    is_most = part > whole / 2.0
    if xp is np and not is_most.any():
        return whole - part
    return xp.where(is_most, added_up(xp.where(is_most, xp.zeros_like(part), part)), whole - part)


def surprise(part: Array, rest: Array, xp: Any) -> Array:
    """``log(whole / part)`` in nats, where ``whole = part + rest``; 0 for an empty part.

    Written with log1p of the rest, which is an exact difference of counts (of real weights, see :func:`rest_of`), so
    that a part that is nearly the whole keeps all its digits.
    """
    empty = part == 0
    return xp.where(empty, 0.0, xp.log1p(xp.where(empty, 0.0, rest) / xp.where(empty, 1.0, part)))


def deviance(observed: Array, expected: Array, difference: Array, xp: Any) -> Array:
    """``x log(x / m) - x + m >= 0`` for ``x = observed``, ``m = expected`` and ``difference = x - m``; m at x = 0.

    Where x and m are near each other the three terms cancel; there it is the series ``bd0`` of Loader ([1]_, section 3)
    in v = (x - m)/(x + m), cut after v^20: with |v| < 0.2 the rest is below 1e-16 of the value.

    References
    ----------
    .. [1] C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
    """
    both = observed + expected
    v = difference / xp.where(both > 0, both, 1.0)
    near = xp.abs(v) < _NEAR
    close = _near_deviance(observed, difference, v)
    if xp is np and near.all():
        return close  # and spare the logarithms
    # Not log1p, which XLA has less exact: this far from 1 the logarithm loses nothing.
    far = ~near & (observed > 0) & (expected > 0)
    quotient = xp.where(far, observed, 1.0) / xp.where(far, expected, 1.0)
    return xp.where(near, close, observed * xp.log(quotient) - difference)


def slopes_of_deviance(observed: Array, expected: Array, difference: Array, xp: Any) -> tuple[Array, Array, float]:
    """The partial derivatives of :func:`deviance`, for x > 0, by x and by m: the difference follows from these."""
    some = (observed > 0) & (expected > 0)
    x, m, apart = xp.where(some, observed, 1.0), xp.where(some, expected, 1.0), xp.where(some, difference, 0.0)
    share = apart / m
    near = xp.abs(share) < 0.5  # elsewhere log1p may be at its end, where its own derivative is infinite
    return xp.where(near, xp.log1p(xp.where(near, share, 0.0)), xp.log(x / m)), -share, 0.0


def deviance_of_counts(observed: NDArray, expected: NDArray, difference: NDArray) -> NDArray:
    """As :func:`deviance`, of vectors of NumPy: whole numbers, and expected ones above 0.

    The logarithms are found for all, the series only for those that are near.
    """
    value: NDArray = observed * np.log(np.maximum(observed, 1) / expected) - difference
    v = difference / (observed + expected)
    near = np.flatnonzero(np.abs(v) < _NEAR)
    value[near] = _near_deviance(observed[near], difference[near], v[near])
    return value


def _near_deviance(observed: Array, difference: Array, v: Array) -> Array:
    """The series of ``deviance``, for v between -``_NEAR`` and ``_NEAR``."""
    square = v * v
    return v * (difference + observed * square * polynomial(_SERIES, square))


def power_of_2_less_1(x: Array, exponents: Any, xp: Any) -> Array:
    """(2^x - 1) / 2^e for x >= 0 and exponents e >= 0, to the last digits of small x, also if no float holds 2^x."""
    unit = 2.0**-exponents
    found = xp.where(x > 0, 2.0 ** (x - exponents) - unit, 0.0)  # at 0 the powers may differ in the last digit
    is_small = (x > 0) & (x < 1)
    if isinstance(x, np.ndarray) and not is_small.any():
        return found
    return xp.where(is_small, xp.expm1(xp.where(is_small, x, 0.0) * _LN_2) * unit, found)


def polynomial(coefficients: Sequence[float], x: Array) -> Array:
    """The polynomial of ``x``, from the coefficient of the highest power to the constant."""
    value = coefficients[0] * x + coefficients[1]
    if isinstance(value, np.ndarray):  # in its own memory: new memory takes as long again as the numbers
        for coefficient in coefficients[2:]:
            value *= x
            value += coefficient
        return value
    for coefficient in coefficients[2:]:
        value = value * x + coefficient
    return value


def cross_difference(p: Array, q: Array, r: Array, s: Array, xp: Any) -> Array:
    """``p q - r s`` for whole numbers held in floats, with one rounding, however near the products are.

    Each factor is split at half the digits of its type by ``floor``, so that every partial product and every difference
    of partial products is exact (up to about 2^36 in float64). Splitting by a multiplication, as Dekker does, would
    break under compilers that contract it into a fused multiply-add; this does not.
    """
    half = 2.0**26 if p.dtype == xp.float64 else 2.0**12
    (p1, p0), (q1, q0), (r1, r0), (s1, s0) = (_split(x, half, xp) for x in (p, q, r, s))
    high = p1 * q1 - r1 * s1
    middle = (p1 * q0 + p0 * q1) - (r1 * s0 + r0 * s1)
    low = p0 * q0 - r0 * s0
    return (high * half + middle) * half + low


def _split(x: Array, half: float, xp: Any) -> tuple[Array, Array]:
    high = xp.floor(x / half)
    return high, x - high * half


def reciprocal_logarithms(n: Array, backend: Any) -> Array:
    """The sum of 1/log2(m) over the integers m from 2 to n, for real n of ``LOGARITHMS_FROM`` or more.

    By the formula of Euler and Maclaurin the sum of f(m) = 1/ln(m) is li(n) + f(n)/2 + f'(n)/12 - f'''(n)/720 + ... and
    a constant. With u = ln(n), li(n) is the sum of ln(u), Euler's constant, and u^k/(k k!) over k >= 1, in which
    nothing cancels.
    """
    u = backend.xp.log(n)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, power, total = state
        power = power * u / k
        return k + 1, power, total + power / k

    one = backend.xp.ones_like(u)
    li = backend.repeated(step, (one, one, backend.xp.log(u) + _GAMMA), _TERMS)[2]
    v = 1 / u
    first, third = -v * v / n, -v * v * (2 + 6 * v + 6 * v * v) / (n * n * n)
    return _LN_2 * (li + _REST + v / 2 + first / 12 - third / 720)
