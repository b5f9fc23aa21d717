"""The mean deviance of a hypergeometric count to 60 digits, from exact weights.

It is n times ``oracles.expected_cell``, which knows the weights to 40 digits only and goes in strides: of a deviance of
10^-20 beside n = 10^10 that leaves too few. A test of the quadrature compares the two where both are good.
"""

import math
from functools import cache

from oracles import mp


def variance_of(a, b, n):
    return a * b * (n - a) * (n - b) / (n * n * max(n - 1, 1))


def phi(k, mu):
    return mu if k == 0 else k * mp.log(k / mu) - k + mu


@cache
def logarithm(k):
    """In units of 2^-220."""
    return int(mp.ldexp(mp.log(k), 220))


def exact(a, b, n):
    """The mean deviance, of sets that may be exchanged."""
    return exact_in_order(min(a, b), max(a, b), n)


@cache
def exact_in_order(a, b, n):
    """
    Every k within 15 sigma + 80, weighted by exact ratios from the mode in 220-bit integers.

    Bernstein's inequality leaves exp(-110) = 1e-48 outside, and each step loses at most a unit of
    2^-220 = 1e-66 of the weight of the mode. So the sum of the weights is the whole probability to
    that precision, and dividing by it is exact for every tolerance of the tests.

    The parts of phi are summed up apart, so that each k has one logarithm in all pairs. What cancels between
    them is below 10^10 log(10^10) and what is left above 10^-20: of 60 digits that leaves 28.
    """
    mu = mp.mpf(a) * b / n
    lowest, highest = max(0, a + b - n), min(a, b)
    if lowest == highest:
        return mp.mpf(0)
    sigma = math.sqrt(variance_of(a, b, n))
    width = int(15 * sigma + 80)
    mode = min(max((a + 1) * (b + 1) // (n + 2), lowest), highest)
    weights = {mode: 1 << 220}
    weight = 1 << 220
    for k in range(mode, min(highest, mode + width)):
        weight = weight * (a - k) * (b - k) // ((k + 1) * (n - a - b + k + 1))
        if weight == 0:
            break
        weights[k + 1] = weight
    weight = 1 << 220
    for k in range(mode, max(lowest, mode - width), -1):
        weight = weight * k * (n - a - b + k) // ((a - k + 1) * (b - k + 1))
        if weight == 0:
            break
        weights[k - 1] = weight
    total, counted = sum(weights.values()), sum(k * weight for k, weight in weights.items())
    of_logarithms = mp.ldexp(sum(k * weight * logarithm(k) for k, weight in weights.items() if k), -220)
    return (of_logarithms - counted * mp.log(mu) - counted + total * mu) / total


def exact_loss(a, b, n):
    """The mean of K log(a / K): mu log(n / b), less the mean of K log(K / mu), which is that deviance."""
    if b in (0, n) or a <= 1:  # K is 0 or a
        return mp.mpf(0)
    return mp.mpf(a * b) / n * mp.log(mp.mpf(n) / b) - exact(a, b, n)
