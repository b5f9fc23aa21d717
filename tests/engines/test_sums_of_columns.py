"""Sums of the columns of matrices of NumPy, beside those of each column in Python's integers."""

import numpy as np
import pytest

from gpuval.engines.backends import NUMPY

SHAPES = [(0, 3), (1, 1), (5, 3), (1000, 1), (262_001, 1), (600, 1000), (3, 2000), (520, 1025), (0, 0), (3, 0)]
ORDERS = {"rows": np.ascontiguousarray, "columns": np.asfortranarray, "every second": lambda x: np.repeat(x, 2, 0)[::2]}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_they_are_those_of_each_column(shape, order):
    numbers = ORDERS[order](np.random.default_rng(0).integers(-9, 10, shape))
    counts, sums = NUMPY.count_true(numbers >= 0, 0), NUMPY.sum(numbers, 0)
    assert counts.dtype == sums.dtype == np.int64
    assert counts.tolist() == [sum(x >= 0 for x in column) for column in numbers.T.tolist()]
    assert sums.tolist() == list(map(sum, numbers.T.tolist()))


def test_more_are_true_than_a_byte_holds():
    assert NUMPY.count_true(np.ones((512, 700), dtype=bool), 0).tolist() == [512] * 700


def test_many_more_are_true_than_a_byte_holds():
    assert NUMPY.count_true(np.ones((70_000, 700), dtype=bool), 0).tolist() == [70_000] * 700


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
def test_a_sum_has_the_type_of_the_numbers(dtype):
    assert NUMPY.sum(np.ones((3, 2), dtype=dtype), 0).dtype == dtype
