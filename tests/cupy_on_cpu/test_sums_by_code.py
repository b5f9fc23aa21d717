"""Counts, sums and largest values by code, of CuPy's arrays."""

import cupy
import numpy as np
import pytest

from gpuval.engines.backends import backend_of


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize(("n", "size"), [(0, 3), (1, 1), (300, 5), (2000, 1), (70, 1500)])
def test_sums(n, size):
    """Codes that occur often, once and never; a warp for each, or a block."""
    rng = np.random.default_rng(n)
    codes, whole, floats = rng.integers(0, size, n), rng.integers(-9, 9, n), rng.random(n)
    on_device = [*map(cupy.asarray, (codes, whole, floats))]
    backend = backend_of(on_device[0])
    np.testing.assert_array_equal(backend.count(on_device[0], size).get(), np.bincount(codes, minlength=size))
    of_whole = np.zeros(size, np.int64)
    np.add.at(of_whole, codes, whole)
    np.testing.assert_array_equal(backend.total(on_device[1], on_device[0], size).get(), of_whole)
    found = backend.total(on_device[2], on_device[0], size)
    np.testing.assert_allclose(found.get(), np.bincount(codes, floats, minlength=size), rtol=1e-13)
    assert (found == backend.total(on_device[2], on_device[0], size)).all()
    for values in (floats, np.abs(whole)):
        largest = np.zeros(size, values.dtype)
        np.maximum.at(largest, codes, values)
        np.testing.assert_array_equal(backend.largest(cupy.asarray(values), on_device[0], size).get(), largest)


def test_the_largest_value_keeps_all_its_digits():
    """Which atomicMax of CuPy 14.2 rounds to 32 bits."""
    values, codes = cupy.asarray([0.1, 1 / 3, -0.0]), cupy.asarray([0, 0, 1])
    assert backend_of(values).largest(values, codes, 2).tolist() == [1 / 3, 0.0]


def test_of_nothing():
    nothing = cupy.zeros(0, dtype=np.int64)
    backend = backend_of(nothing)
    assert backend.total(cupy.zeros(0), nothing, 0).shape == backend.count(nothing, 0).shape == (0,)
