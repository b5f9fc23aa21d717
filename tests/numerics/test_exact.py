"""Whole numbers in limbs, against Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuval.numerics import exact

LARGEST = (1 << 39) - 1
"""The largest number of which pairs are counted."""


@given(st.integers(0, LARGEST), st.integers(0, LARGEST))
def test_a_difference_of_squares_is_rounded_once(x, y):
    found = exact.square(np.asarray([x])) - exact.square(np.asarray([y]))
    assert exact.to_python(found)[0] == x * x - y * y
    assert exact.to_float(found, np)[0] == float(x * x - y * y)


@pytest.mark.parametrize("low", [1, (1 << 24) + 1, (1 << 24) - 1])
def test_halves_above_53_bits_are_not_rounded_twice(low):
    """2^77 + 2^24 is halfway between two floats: whatever is below it decides."""
    number = (1 << 77) + (1 << 24) + low
    limbs = exact.Limbs(*(np.asarray([part]) for part in (number >> 48, number >> 24 & 0xFFFFFF, number & 0xFFFFFF)))
    assert exact.to_python(limbs)[0] == number
    assert exact.to_float(limbs, np)[0] == float(number)
