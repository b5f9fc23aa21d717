"""Whole numbers wider than any integer type: three limbs of 24 bits, exact on every backend with int64.

The pairs of 10^10 samples number 10^20, and their products 10^40. The formulas need the *differences* of such products,
so rounding them first would leave nothing of a score near zero. Here nothing is rounded before the last step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import Array, elementwise

_BITS = 24
_BASE = 1 << _BITS
_MASK = _BASE - 1
LARGEST_ROOT = 3_037_000_499
"""The largest number whose square int64 holds."""


class Limbs(NamedTuple):
    """The whole number ``high 2^48 + middle 2^24 + low``, with ``0 <= middle, low < 2^24``, in int64."""

    high: Array
    middle: Array
    low: Array

    def __add__(self, other: Limbs) -> Limbs:  # type: ignore[override]
        return Limbs(*_added(*self, *other))

    def __sub__(self, other: Limbs) -> Limbs:
        return Limbs(*_subtracted(*self, *other))


def from_int(x: Array) -> Limbs:
    """``x`` itself."""
    return Limbs(*_of_int(x))


def square(x: Array) -> Limbs:
    """``x^2``, for ``0 <= x < 2^39``."""
    return squares_added_up(x, lambda part: part)


def squares_added_up(x: Array, added_up: Callable[[Array], Array]) -> Limbs:
    """The sums of ``x^2``, for ``x >= 0`` that ``added_up`` adds up to less than 2^39."""
    return Limbs(*_carried(*(added_up(part) for part in _square(x))))


def sum_of_squares(x: Array, xp: Any) -> Limbs:
    """The sum of ``x^2`` over the last axis, for ``x >= 0`` whose sum is below 2^39."""
    if xp is np:  # one pass instead of two
        high, low = x >> _BITS, x & _MASK
        return Limbs(*_carried(np.vecdot(high, high), 2 * np.vecdot(high, low), np.vecdot(low, low)))
    # Elsewhere vecdot may be a matrix product, which CUDA has for floats only.
    return squares_added_up(x, lambda part: xp.sum(part, axis=-1, dtype=x.dtype))


def to_float(x: Limbs, xp: Any) -> Array:
    """``x`` rounded once to float64."""
    return _to_float(*x, xp)


def to_int(x: Limbs) -> Array:
    """``x`` as int64, if it fits."""
    return _to_int(*x)


def to_python(x: Limbs) -> np.ndarray[Any, Any]:
    """``x`` as NumPy objects that are Python integers, whatever its size."""
    high, middle, low = (np.asarray(limb).astype(object) for limb in x)
    return np.asarray((high * _BASE + middle) * _BASE + low, dtype=object)


def cross_difference_of_limbs(p: Limbs, q: Limbs, r: Limbs, s: Limbs, xp: Any) -> Array:
    """``p q - r s`` as float64: the products as polynomials in 2^24, subtracted before anything is rounded."""
    return _cross_difference(*p, *q, *r, *s, xp)


# Of limbs, the highest first.


@elementwise
def _cross_difference(*given: Any) -> Array:
    *limbs, xp = given
    p, q, r, s = (Limbs(*limbs[i : i + 3]) for i in range(0, 12, 3))
    coefficients = [x - y for x, y in zip(_product(p, q), _product(r, s), strict=True)]
    carry = coefficients[0] * 0
    digits = []
    for coefficient in coefficients[:-1]:
        coefficient = coefficient + carry
        digits.append(coefficient & _MASK)
        carry = coefficient >> _BITS  # rounds down, so the digits stay non-negative
    value = _as_float(coefficients[-1] + carry, xp)
    for digit in reversed(digits):
        value = value * float(_BASE) + _as_float(digit, xp)
    return value


def _product(x: Limbs, y: Limbs) -> tuple[Array, Array, Array, Array, Array]:
    return (
        x.low * y.low,
        x.low * y.middle + x.middle * y.low,
        x.low * y.high + x.middle * y.middle + x.high * y.low,
        x.middle * y.high + x.high * y.middle,
        x.high * y.high,
    )


@elementwise
def _square(x: Array) -> tuple[Array, Array, Array]:
    high, low = x >> _BITS, x & _MASK
    return high * high, 2 * (high * low), low * low


@elementwise
def _of_int(x: Array) -> tuple[Array, Array, Array]:
    return _carried(x * 0, x * 0, x)


@elementwise
def _added(*x: Array) -> tuple[Array, Array, Array]:
    return _carried(x[0] + x[3], x[1] + x[4], x[2] + x[5])


@elementwise
def _subtracted(*x: Array) -> tuple[Array, Array, Array]:
    return _carried(x[0] - x[3], x[1] - x[4], x[2] - x[5])


@elementwise
def _carried(high: Array, middle: Array, low: Array) -> tuple[Array, Array, Array]:
    middle = middle + (low >> _BITS)
    return high + (middle >> _BITS), middle & _MASK, low & _MASK


@elementwise
def _to_float(high: Array, middle: Array, low: Array, xp: Any) -> Array:
    return _as_float(high, xp) * float(_BASE * _BASE) + _as_float(middle * _BASE + low, xp)


@elementwise
def _to_int(high: Array, middle: Array, low: Array) -> Array:
    return (high * _BASE + middle) * _BASE + low


def _as_float(x: Array, xp: Any) -> Array:
    return x.astype(xp.float64) if xp is np else xp.astype(x, xp.float64)
