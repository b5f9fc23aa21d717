"""Expected deviances and losses point by point, against exact weights and 60-digit logarithms."""

import math
from functools import cache

import numpy as np
import pytest
from hypergeometric_oracles import exact, exact_loss, variance_of
from oracles import expected_cell, mp

from gpuval.numerics import hypergeometric
from gpuval.numerics.hypergeometric import (
    LARGEST_TOTAL,
    LARGEST_VARIANCE,
    deviance_and_loss_of_short_windows,
    mean_deviance_and_loss,
)

RTOL = 1e-14


def sums(a, times_a, b, times_b, n, of_a):
    a, times_a, b, times_b = (np.asarray(x, dtype=np.float64) for x in (a, times_a, b, times_b))
    means = deviance_and_loss_of_short_windows(a, b, np.float64(n), np.bool_(of_a))
    return None if means is None else tuple(float(times_a @ x @ times_b) for x in means)


def of_pair(a, b, n, of_a=True):
    return sums([a], [1], [b], [1], n, of_a)


def is_within(pair):
    return variance_of(*pair) <= LARGEST_VARIANCE * (1 - 1e-12)


def all_small_pairs():
    return [(a, b, n) for n in range(1, 13) for a in range(1, n + 1) for b in range(1, n + 1)]


def mixed_pairs():
    """Sizes and their complements, log-uniform, with n up to the largest."""
    rng = np.random.default_rng(3)
    pairs = []
    while len(pairs) < 1500:
        n = int(LARGEST_TOTAL ** rng.uniform())
        a, b = (max(1, int(n ** rng.uniform())) for _ in range(2))
        a, b = (max(1, n - x) if rng.uniform() < 0.3 else x for x in (a, b))
        if is_within((a, b, n)):
            pairs.append((a, b, n))
    return pairs


def pairs_at_the_largest_variance():
    """Balanced, skewed and nearly Poisson; of each the largest that is within."""
    pairs = []
    for share_a, share_b in ((0.5, 0.5), (0.1, 0.1), (0.9, 0.5), (0.9, 0.9), (0.99, 0.01), (1e-3, 1e-3), (0.999, 1e-3)):
        n = 1
        while is_within((int(n * share_a), int(n * share_b), n)) and n < LARGEST_TOTAL:
            n += max(1, n // 500)
        n = min(n - max(1, n // 501), LARGEST_TOTAL)
        pairs += [(max(1, int(m * share_a)), max(1, int(m * share_b)), m) for m in range(n - 8, n + 1)]
    return [pair for pair in pairs if is_within(pair)]


def skewed_pairs():
    """One, all, all but a few, and halves: K may be constant, or one of two numbers that are far from 0."""
    return [
        (a, b, n)
        for n in (1, 2, 3, 10, 101, 700, 10**4, 10**6, LARGEST_TOTAL - 1, LARGEST_TOTAL)
        for a in {1, 2, n // 2, n - 2, n - 1, n}
        for b in {1, 2, 40, n // 2, n - 40, n - 2, n - 1, n}
        if 1 <= a <= n and 1 <= b <= n and is_within((a, b, n))
    ]


MAKERS = [all_small_pairs, mixed_pairs, pairs_at_the_largest_variance, skewed_pairs]


@cache
def cases(maker):
    return [(pair, exact(*pair), exact_loss(*pair)) for pair in maker()]


def check(value, wanted, what, rtol=RTOL):
    """Compare with 60 digits; what is below 1e-30 is what these leave of 0."""
    assert abs(mp.mpf(value) - wanted) <= rtol * wanted + mp.mpf("1e-30"), f"{what}: {value!r}, exactly {wanted}"


def test_oracle_of_the_loss():
    """By its definition, every k weighted with its binomial coefficients."""
    for n in (1, 2, 5, 12, 37):
        for a in range(1, n + 1):
            for b in range(1, n + 1):
                ks = range(max(1, a + b - n), min(a, b) + 1)
                terms = (math.comb(a, k) * math.comb(n - a, b - k) * k * mp.log(mp.mpf(a) / k) for k in ks)
                wanted = sum(terms, mp.mpf(0)) / math.comb(n, b)
                assert abs(exact_loss(a, b, n) - wanted) < 1e-40


def test_checker_rejects_a_shorter_window(monkeypatch):
    pair = 30, 40, 100
    check(of_pair(*pair)[0], exact(*pair), pair)
    monkeypatch.setattr(hypergeometric, "_half_width", lambda variance, xp: 6 * np.sqrt(variance))
    with pytest.raises(AssertionError, match="exactly"):
        check(of_pair(*pair)[0], exact(*pair), pair)


@pytest.mark.parametrize("maker", MAKERS)
def test_each_pair(maker):
    assert len(cases(maker)) > 40
    for pair, deviance, loss in cases(maker):
        a, b, n = pair
        of_a, of_b = of_pair(a, b, n), of_pair(b, a, n, of_a=False)
        check(of_a[0], deviance, pair)
        check(of_b[0], deviance, pair)
        check(of_a[1], loss, pair)
        check(of_b[1], loss, pair)


def test_constant_counts_are_exactly_zero():
    for n in (1, 2, 7, 700, 10**6 + 3, LARGEST_TOTAL):
        for other in {1, n // 3 or 1, n // 2 or 1, n}:
            assert of_pair(n, other, n)[0] == of_pair(other, n, n)[0] == 0


@pytest.mark.parametrize("of_a", [True, False])
@pytest.mark.parametrize(("n", "of_sizes"), [(700, (0.95, 0.6)), (10**5, (0.75, 0.55))])
def test_sums_over_pairs(n, of_sizes, of_a):
    """Short and long windows next to one another, and pairs that occur many times."""
    rng = np.random.default_rng(5)
    a, b = (np.unique((n ** rng.uniform(0, power, 30)).astype(int)) for power in of_sizes)
    a, b = np.append(a, n), np.append(b, n)
    assert all(is_within((int(x), int(y), n)) for x in a for y in b)
    times_a, times_b = (rng.integers(1, 1000, len(x)) for x in (a, b))
    wanted_deviance = wanted_loss = mp.mpf(0)
    for x, m in zip(a.tolist(), times_a.tolist(), strict=True):
        for y, k in zip(b.tolist(), times_b.tolist(), strict=True):
            wanted_deviance += m * k * exact(x, y, n)
            wanted_loss += m * k * (exact_loss(x, y, n) if of_a else exact_loss(y, x, n))
    deviance, loss = sums(a, times_a, b, times_b, n, of_a)
    check(deviance, wanted_deviance, n)
    check(loss, wanted_loss, n)


def test_border():
    """Up to the largest variance and n, and not beyond, where the quadrature goes on with the same value."""
    n = 800
    within = max(a for a in range(1, n // 2) if is_within((a, a, n)))
    assert of_pair(within, within, n) is not None
    assert of_pair(within + 1, within + 1, n) is None
    assert of_pair(5, 5, LARGEST_TOTAL) is not None
    assert of_pair(5, 5, LARGEST_TOTAL + 1) is None
    assert sums([5, 400], [1, 1], [5, 400], [1, 1], n, True) is None
    for pair in ((within, within, n), (5, 5, LARGEST_TOTAL), (n - within, within, n)):
        point_by_point = of_pair(*pair)
        quadrature = mean_deviance_and_loss(*map(np.float64, pair), np.asarray(True), np)
        np.testing.assert_allclose(point_by_point, quadrature, rtol=1e-14)
    for beyond in (within + 1, within + 2):
        check(mean_deviance_and_loss(*map(np.float64, (beyond, beyond, n)), np.asarray(True), np)[0],
              exact(beyond, beyond, n), beyond)  # fmt: skip


def test_the_bound_of_the_weights():
    """What the docstring derives, from the exact moments: below 5e-15 wherever the path is taken."""
    for a, b, n in [*pairs_at_the_largest_variance(), *mixed_pairs()[::10]]:
        sigma = math.sqrt(variance_of(a, b, n))
        if sigma < 0.1:
            continue  # two points, and one step between them
        mu = a * b / n
        ks = np.arange(
            max(0, a + b - n, math.floor(mu - 12 * sigma - 40)), min(a, b, math.ceil(mu + 12 * sigma + 40)) + 1.0
        )
        steps = (a - ks[:-1]) * (b - ks[:-1]) / ((ks[:-1] + 1) * (n - a - b + ks[:-1] + 1))
        weights = np.exp(np.append(0, np.cumsum(np.log(steps))) - np.cumsum(np.log(steps)).max(initial=0))
        weights /= weights.sum()
        distance = np.abs(ks - mu)
        bound = 2.2e-16 * ((weights @ distance**3) / sigma**2 + weights @ distance)
        assert bound < 5e-15


def test_a_cell_is_that_of_the_expected_mutual_information():
    for a, b, n in ((3, 4, 20), (50, 60, 200), (240, 130, 700)):
        check(of_pair(a, b, n)[0], n * expected_cell(a, b, n), (a, b, n))
