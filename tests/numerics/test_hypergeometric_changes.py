"""How expected deviances and losses change where a set has one sample less, against exact weights and 60 digits."""

from itertools import product

import numpy as np
import pytest
from hypergeometric_oracles import exact, exact_loss
from oracles import mp

from gpuval.numerics import hypergeometric
from gpuval.numerics.hypergeometric import deviance_and_loss_changes, mean_deviance_and_loss, nodes_for

TOLERANCE = 2e-14
"""Of a change of 1 over the size of the set, or over both sizes. But for the deviance without a sample of one set, it
is multiplied by the mean of K if that is above 1: such changes are differences of numbers of this size."""


def small_sizes():
    return [(a, b, n) for n in range(1, 10) for a, b in product(range(n + 1), repeat=2)]


def many_sizes():
    """From few samples to many, also of sets that have nearly all."""
    random, found = np.random.default_rng(0), []
    while len(found) < 120:
        n = int(10 ** random.uniform(1, 6))
        a, b = (max(1, int(n ** random.uniform())) for _ in range(2))
        found.append((n - a if random.random() < 0.3 else a, n - b if random.random() < 0.3 else b, n))
    return found


def check_changes(a, b, n, of_a):
    sizes = [np.float64(x) for x in (a, b, n)]
    nodes = int(nodes_for(*sizes))
    found = deviance_and_loss_changes(*sizes, nodes, of_a=of_a)
    whole = mean_deviance_and_loss(*sizes, np.bool_(of_a), np, nodes=nodes)
    assert tuple(x.whole for x in found) == whole
    loss = exact_loss if of_a else lambda a, b, n: exact_loss(b, a, n)
    less_a, less_b = max(a - 1, 0), max(b - 1, 0)
    for name, changes, function in (("deviance", found[0], exact), ("loss", found[1], loss)):
        f, f_a, f_b, f_both = (function(*x, n) for x in ((a, b), (less_a, b), (a, less_b), (less_a, less_b)))
        wanted = f_a - f, f_b - f, f - f_a - f_b + f_both
        mean = max(1, a * b / n)
        scales = (1, 1, mean) if name == "deviance" else (mean, mean, mean)
        for change, right, size, scale in zip(changes[1:], wanted, (a, b, a * b), scales, strict=True):
            error = abs(float(change) - float(right)) * max(size, 1)
            assert error <= TOLERANCE * scale, f"{name} of {a}, {b}, {n}: {change}, exactly {right}"


@pytest.mark.parametrize("of_a", [True, False])
@pytest.mark.parametrize("sizes", [small_sizes, many_sizes])
def test_changes_are_exact(sizes, of_a):
    for a, b, n in sizes():
        check_changes(a, b, n, of_a)


def test_without_samples_nothing_changes():
    none = np.zeros(3)
    for of_a in (True, False):
        found = deviance_and_loss_changes(none, none, none, 5, of_a=of_a)
        assert not any(np.any(x) for changes in found for x in changes)


@pytest.mark.parametrize("factor", [1 + 1e-9, -1])
def test_a_wrong_change_is_seen(factor, monkeypatch):
    right = hypergeometric._rho
    monkeypatch.setattr(hypergeometric, "_rho", lambda k: factor * right(k))
    with pytest.raises(AssertionError, match="exactly"):
        check_changes(30, 40, 100, True)


def test_the_series_goes_on_where_logarithms_end():
    """From 16 on, and with fewer terms where all numbers are large."""
    for numbers in ([*range(40), 999], [16, 100, 999], [1000, 10**6, 2**53]):
        found = hypergeometric._rho(np.asarray(numbers, dtype=np.float64))
        for k, value in zip(numbers, found, strict=True):
            exact_value = -mp.mpf(k) * (1 + (k - 1) * mp.log(1 - mp.mpf(1) / k)) if k > 1 else mp.mpf(-k)
            assert abs(mp.mpf(float(value)) - exact_value) < 3e-15
