"""The kernel of the expected mutual information on the emulator, against exact weights and 60-digit logarithms."""

import functools

import fake_cupy
import numpy as np
import pytest
from hypergeometric_oracles import exact
from oracles import mp

from gpuval.engines.cuda.expected import expected_sums
from gpuval.numerics.hypergeometric import expected_deviance_and_loss

pytestmark = pytest.mark.usefixtures("emulated")


on_device = functools.partial(fake_cupy.on_device, dtype=np.float64)


def found(a, times_a, b, times_b, n, of_a=True):
    flag = np.array(of_a).view(fake_cupy.ndarray)
    return expected_sums(on_device(a), on_device(times_a), on_device(b), on_device(times_b), on_device(n), flag)


PAIRS = [(1, 1, 2), (3, 4, 20), (10, 7, 12), (50, 60, 200), (1000, 800, 5000), (1, 500, 1000), (19, 19, 20)]
LARGE = [(20_000, 30_000, 10**6), (5, 7, 10**9), (10**6, 10**6, 10**9), (10**9, 10**9 + 1, 10**10), (999_999, 5, 10**6)]


@pytest.mark.parametrize(("a", "b", "n"), PAIRS + LARGE)
def test_one_pair(a, b, n):
    mutual, _ = found([a], [1], [b], [1], n)
    wanted = exact(a, b, n)
    assert abs(mp.mpf(float(mutual)) - wanted) <= 1e-14 * wanted


@pytest.mark.parametrize(("a", "b", "n"), [(0, 3, 9), (9, 3, 9), (4, 9, 9), (4, 0, 9), (0, 0, 0), (1, 1, 1)])
def test_nothing_to_expect(a, b, n):
    mutual, _ = found([a], [1], [b], [1], n)
    assert float(mutual) == 0


@pytest.mark.parametrize("of_a", [True, False])
def test_sums_of_many(of_a):
    """As the host's function of the same quadrature, which tests of its own compare with exact sums."""
    rng = np.random.default_rng(1)
    a, b = np.unique(rng.integers(1, 3000, 37)), np.unique(rng.integers(1, 3000, 23))
    times_a, times_b = rng.integers(0, 4, a.size), rng.integers(1, 4, b.size)
    sums = found(a, times_a, b, times_b, 5000, of_a)
    real = [x.astype(np.float64) for x in (a[:, None], b[None, :])]
    values = expected_deviance_and_loss(*real, np.asarray(5000.0), np.asarray(of_a), np)
    for summed, value in zip(sums, values, strict=True):
        assert float(summed) == pytest.approx(np.sum(value * times_a[:, None] * times_b[None, :]), rel=1e-13)


def test_no_classes():
    assert [float(x) for x in found([], [], [], [], 0)] == [0, 0]
