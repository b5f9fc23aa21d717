"""The kernel of the expected mutual information over the stand-ins, against exact weights and 60-digit logarithms."""

import functools

import numpy as np
import pytest
from hypergeometric_oracles import exact
from oracles import mp

from cupy_on_cpu import arrays
from gpuval.engines.cuda.statistics import expectation_parts
from gpuval.numerics.hypergeometric import mean_deviance_and_loss

pytestmark = pytest.mark.usefixtures("checked")


on_device = functools.partial(arrays.on_device, dtype=np.int64)


def expected(a, b, n, times_a=None, times_b=None, of_a=True):
    """What the kernels find, as floats; the smaller conditional entropy is H(pred | true) if ``of_a``."""
    sides = [(on_device(x), None if times is None else on_device(times)) for x, times in ((a, times_a), (b, times_b))]
    conditional = (arrays.on_device(x, dtype=np.float64) for x in ((2, 1) if of_a else (1, 2)))
    parts, is_settled = expectation_parts(*sides, on_device(n), *conditional)
    return *parts.get().tolist(), bool(is_settled.get())


PAIRS = [(1, 1, 2), (3, 4, 20), (10, 7, 12), (50, 60, 200), (1000, 800, 5000), (1, 500, 1000), (19, 19, 20)]
LARGE = [(20_000, 30_000, 10**6), (5, 7, 10**9), (10**6, 10**6, 10**9), (10**9, 10**9 + 1, 10**10), (999_999, 5, 10**6)]


@pytest.mark.parametrize(("a", "b", "n"), PAIRS + LARGE)
def test_one_pair(a, b, n):
    mutual, _, _ = expected([a], [b], n)
    wanted = exact(a, b, n) / n
    assert abs(mp.mpf(mutual) - wanted) <= 1e-14 * wanted


@pytest.mark.parametrize(("a", "b", "n"), [(0, 3, 9), (9, 3, 9), (4, 9, 9), (4, 0, 9), (0, 0, 0), (1, 1, 1)])
def test_nothing_to_expect(a, b, n):
    assert expected([a], [b], n)[0] == 0


@pytest.mark.parametrize("of_a", [True, False])
@pytest.mark.parametrize("is_distinct", [True, False])
def test_means_over_many_pairs(of_a, is_distinct):
    """As the host's function of the same quadrature, which tests of its own compare with exact sums."""
    rng = np.random.default_rng(1)
    a, b = np.unique(rng.integers(1, 3000, 37)), np.unique(rng.integers(1, 3000, 23))
    times_a, times_b = rng.integers(0, 4, a.size), rng.integers(1, 4, b.size)
    if is_distinct:
        found = expected(a, b, 5000, times_a, times_b, of_a)
    else:
        found = expected(np.repeat(a, times_a), np.repeat(b, times_b), 5000, of_a=of_a)
    real = [x.astype(np.float64) for x in (a[:, None], b[None, :])]
    values = mean_deviance_and_loss(*real, np.asarray(5000.0), np.asarray(of_a), np)
    for mean, value in zip(found, values, strict=False):
        assert mean == pytest.approx(np.sum(value * times_a[:, None] * times_b[None, :]) / 5000, rel=1e-13)


@pytest.mark.parametrize(
    ("a", "b", "is_settled"),
    [
        ([5, 4], [3, 3, 3], False),
        ([9], [3, 3, 3], True),
        ([5, 4], [0, 9], True),
        ([1] * 9, [3, 3, 3], True),
        ([5, 4], [1] * 9, True),
        ([2, 7], [2] + [1] * 7, False),
        (range(300), [10, sum(range(300)) - 10], False),
        ([], [], True),
    ],
)
def test_sizes_that_settle_it(a, b, is_settled):
    """One group, or single samples, on either side; of more sizes than a block has threads, too."""
    assert expected(list(a), list(b), sum(a))[2] is is_settled


def test_no_classes():
    assert expected([], [], 0)[:2] == (0, 0)
