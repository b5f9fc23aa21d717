"""Areas under curves of bins: between what all scores give that could lie in these bins, each tried."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import isnan

import numpy as np
import pytest
from backends import BACKENDS
from hypothesis import given
from hypothesis import strategies as st

from gpuval.multilabel.curves import auc_of_bins, average_precision_of_bins

CASES = {
    "one bin": ([2], [3]),
    "positives above": ([0, 1, 2], [2, 1, 0]),
    "negatives above": ([2, 1, 0], [0, 1, 2]),
    "both in all": ([1, 2, 1], [2, 1, 2]),
    "empty bins": ([0, 3, 0, 1], [1, 1, 0, 2]),
    "one of each": ([1], [1]),
}
"""How many positive and negative entries each bin has."""


def columns(positives, negatives):
    """All orders and ties of entries of which each stays in its bin: lists of a score and whether it is positive."""
    of_bins = []
    for b, (h, m) in enumerate(zip(positives, negatives, strict=True)):
        steps = [b + Fraction(i, h + m) for i in range(h + m)]
        sides = product(combinations_with_replacement(steps, h), combinations_with_replacement(steps, m))
        of_bins.append([[*((x, True) for x in p), *((x, False) for x in q)] for p, q in sides])
    for parts in product(*of_bins):
        yield [entry for part in parts for entry in part]


def auc(column):
    pairs = [(x, y) for x, p in column if p for y, q in column if not q]
    return sum(Fraction(x > y) + Fraction(x == y, 2) for x, y in pairs) / len(pairs)


def average_precision(column):
    scores = [x for x, is_positive in column if is_positive]
    return sum(Fraction(sum(y >= x for y in scores), sum(y >= x for y, _ in column)) for x in scores) / len(scores)


def numbers(values):
    return [float(x) for x in values]


@pytest.mark.parametrize("name", CASES)
def test_no_scores_are_outside_of_the_bounds(name):
    """And some attain them, but the least average precision, which is found by an integral."""
    given = [np.asarray(x) for x in CASES[name]]
    areas, means = zip(*((auc(x), average_precision(x)) for x in columns(*CASES[name])), strict=True)
    value, error = numbers(auc_of_bins(*given))
    assert value - error == pytest.approx(float(min(areas)), abs=1e-15)
    assert value + error == pytest.approx(float(max(areas)), abs=1e-15)
    value, lower, upper = numbers(average_precision_of_bins(*given))
    assert upper == pytest.approx(float(max(means)), abs=1e-15)
    assert min(means) - 0.02 < lower <= min(means) + Fraction(1, 10**15)
    assert lower - 1e-15 <= value <= upper + 1e-15
    lower_of_reals = numbers(average_precision_of_bins(*(x / 1.0 for x in given)))[1]
    assert lower_of_reals <= lower + 1e-15


@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_scores_that_are_bins(name):
    tied = [
        (b, kind)
        for kind, side in zip((True, False), CASES[name], strict=True)
        for b, n in enumerate(side)
        for _ in range(n)
    ]
    given = [np.asarray(x) for x in CASES[name]]
    assert float(auc_of_bins(*given)[0]) == pytest.approx(float(auc(tied)), abs=1e-15)
    assert float(average_precision_of_bins(*given)[0]) == pytest.approx(float(average_precision(tied)), abs=1e-15)


@pytest.mark.by_default
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans(), st.integers(1, 64)), min_size=1, max_size=8))
def test_real_weights_are_within_the_bounds(entries):
    """Of entries that weigh 1/64 to 1: bins 0 to 2, and within a bin in the order that they are given, without ties."""
    weights = np.zeros((2, 3))
    for b, is_positive, w in entries:
        weights[int(not is_positive), b] += w / 64
    _, lower, upper = numbers(average_precision_of_bins(*weights))
    ranked = sorted(entries, key=lambda x: -x[0])
    total = sum(w for _, is_positive, w in ranked if is_positive)
    exact, true, everything = Fraction(0), 0, 0
    for _, is_positive, w in ranked:
        everything += w
        if is_positive:
            true += w
            exact += Fraction(w, total) * Fraction(true, everything)
    if total:
        assert lower - 1e-14 <= exact <= upper + 1e-14
    else:
        assert isnan(lower)
        assert isnan(upper)


def test_classes_on_every_backend(backend):
    """Several at once, of which one has no positive and one no negative entry; of integers and of real weights."""
    h, m = np.asarray([[1, 2, 1], [0, 0, 0], [1, 0, 2]]), np.asarray([[2, 1, 2], [1, 1, 0], [0, 0, 0]])
    for scale in (1, 0.25):
        x, y = backend.array(h * scale), backend.array(m * scale)
        area, error = map(backend.numpy, auc_of_bins(x, y))
        assert area[0] == pytest.approx(0.5, abs=1e-6)
        assert error[0] == pytest.approx(0.15, abs=1e-6)
        assert np.isnan([area[1:], error[1:]]).all()
        value, lower, upper = map(backend.numpy, average_precision_of_bins(x, y))
        assert value[0] == pytest.approx((1 / 3 + 2 * 3 / 6 + 4 / 9) / 4, abs=1e-6)
        assert np.isnan([x[1] for x in (value, lower, upper)]).all()
        assert [x[2] for x in (value, lower, upper)] == [1, 1, 1]


def test_many_entries():
    """More than floats of 32 bits count, where there are no others: the bounds lie near each other."""
    h = np.full((1, 1000), 10**6)
    for name in ("numpy", "jax"):
        backend = BACKENDS[name]
        with backend.mode():
            x = backend.array(h)
            area, error = (float(v[0]) for v in auc_of_bins(x, x))
            value, lower, upper = (float(v[0]) for v in average_precision_of_bins(x, x))
            assert area == pytest.approx(0.5, abs=1e-5)
            assert error == pytest.approx(0.0005, rel=1e-3)
            assert lower <= value + 1e-6
            assert value <= upper + 1e-6
            assert upper - lower < 0.01
