"""Whole numbers wider than any integer type: three limbs of 24 bits, exact on every backend with int64.

The pairs of 10^10 samples number 10^20, and their products 10^40. The formulas need the *differences* of such products,
so rounding them first would leave nothing of a score near zero. Here nothing is rounded before the last step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import Array

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
        return _carry(self.high + other.high, self.middle + other.middle, self.low + other.low)

    def __sub__(self, other: Limbs) -> Limbs:
        return _carry(self.high - other.high, self.middle - other.middle, self.low - other.low)


def from_int(x: Array) -> Limbs:
    """``x`` itself."""
    return _carry(x * 0, x * 0, x)


def square(x: Array) -> Limbs:
    """``x^2``, for ``0 <= x < 2^39``."""
    return squares_added_up(x, lambda part: part)


def squares_added_up(x: Array, added_up: Callable[[Array], Array]) -> Limbs:
    """The sums of ``x^2``, for ``x >= 0`` that ``added_up`` adds up to less than 2^39."""
    high, low = x >> _BITS, x & _MASK
    return _carry(*(added_up(part) for part in (high * high, 2 * (high * low), low * low)))


def sum_of_squares(x: Array, xp: Any) -> Limbs:
    """The sum of ``x^2`` over the last axis, for ``x >= 0`` whose sum is below 2^39."""
    if xp is np:  # one pass instead of two
        high, low = x >> _BITS, x & _MASK
        return _carry(np.vecdot(high, high), 2 * np.vecdot(high, low), np.vecdot(low, low))
    # Elsewhere vecdot may be a matrix product, which CUDA has for floats only.
    return squares_added_up(x, lambda part: xp.sum(part, axis=-1, dtype=x.dtype))


def to_float(x: Limbs, xp: Any) -> Array:
    """``x`` rounded once to float64."""
    return _as_float(x.high, xp) * float(_BASE * _BASE) + _as_float(x.middle * _BASE + x.low, xp)


def to_int(x: Limbs) -> Array:
    """``x`` as int64, if it fits."""
    return (x.high * _BASE + x.middle) * _BASE + x.low


def to_python(x: Limbs) -> np.ndarray[Any, Any]:
    """``x`` as NumPy objects that are Python integers, whatever its size."""
    high, middle, low = (np.asarray(limb).astype(object) for limb in x)
    return np.asarray((high * _BASE + middle) * _BASE + low, dtype=object)


def cross_difference_of_limbs(p: Limbs, q: Limbs, r: Limbs, s: Limbs, xp: Any) -> Array:
    """``p q - r s`` as float64: the products as polynomials in 2^24, subtracted before anything is rounded."""
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


def _carry(high: Array, middle: Array, low: Array) -> Limbs:
    middle = middle + (low >> _BITS)
    return Limbs(high + (middle >> _BITS), middle & _MASK, low & _MASK)


def _as_float(x: Array, xp: Any) -> Array:
    return x.astype(xp.float64) if xp is np else xp.astype(x, xp.float64)
