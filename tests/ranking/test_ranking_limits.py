"""Relevances near the largest and the smallest that there are: quotients stay exact, and sums are numbers or errors."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import ranking_oracles as oracles
from backends import as_on_a_device
from oracles import mp

from gpuval.ranking import Ranked, cumulative_gain, dcg_score, evaluate, expected_reciprocal_rank, ndcg_score

LISTS = (
    (0, 2, 3, 1),
    (127, 126, 0, 3),
    (126.75, 3, 127.5, 126.75),
    (2000, 1998.5, 2000, 0),
    (2.0**-30, 0.75, 0.5, 2.0**-24),
    (2.0**-40, 0, 2.0**-41, 2.0**-40),
)
"""Relevances that every float holds, and not all of their powers."""
LARGEST = (2.0**127, 2.0**127, 2.0**126, 2.0**128 - 2.0**104)
"""Relevances that every float holds, up to the largest of 32 bits, and not their sum."""
SCORES = (0.25, 0.5, 0.5, 0.125)
"""Of each list; the two in the middle are tied."""
LARGE = {
    8: ((2.0**1023,) * 4, (1000, 1023, 1024, 1030)),
    4: ((2.0**127,) * 4, (100, 127, 128, 130)),
}
"""For floats of 8 and of 4 bytes: relevances and exponents of 2 of which no such float is the sum."""
SMALL = (1, 0, 1, 0)
"""The last of these documents has the lowest score."""


def lists(gain):
    return (*LISTS, LARGEST) if gain == "linear" else LISTS


@cache
def exact(gain, n):
    return [
        oracles.of_scores("ndcg_score", [Fraction(x) for x in own], [Fraction(x) for x in SCORES], gain=gain, n=n)
        for own in lists(gain)
    ]


def of_queries(backend, measure, relevances, **options):
    scores = np.broadcast_to(SCORES, np.shape(relevances))
    return measure(backend.array(relevances), backend.array(scores), return_per_query=True, **options).query_scores


@pytest.mark.parametrize("n", [None, 2])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_normalised_gains_of_any_relevances(backend, gain, n):
    backend.assert_close(of_queries(backend, ndcg_score, lists(gain), gain=gain, n=n), exact(gain, n))


def test_the_largest_floats_of_numpy():
    relevances = (1.5e308, 1e308, 0, sys.float_info.max)
    wanted = oracles.of_scores("ndcg_score", [Fraction(x) for x in relevances], SCORES)
    assert abs(float(ndcg_score(relevances, SCORES)) / float(wanted) - 1) < 1e-14


def test_gains_that_floats_hold_and_not_their_sum():
    relevances = (1023, 1023.5, 1023, 1022)
    wanted = oracles.of_scores("ndcg_score", [Fraction(x) for x in relevances], SCORES, gain="exponential")
    assert abs(float(ndcg_score(relevances, SCORES, gain="exponential")) / float(wanted) - 1) < 1e-14


def test_small_exponential_gains_keep_their_digits():
    """2^g - 1 is g ln 2 to the first order, of which subtracting 1 leaves no digits."""
    relevances = [1e-17, 3e-17, 0, 2e-17]
    gains = [mp.expm1(mp.mpf(x) * mp.log(2)) for x in relevances]
    wanted = sum(gain / mp.log(k + 1, 2) for k, gain in enumerate(gains, 1))
    assert abs(float(dcg_score(relevances, gain="exponential")) / wanted - 1) < 1e-14
    p = [gain / 4 for gain in gains]
    wanted = p[0] + (1 - p[0]) * (p[1] / 2 + (1 - p[1]) * (1 - p[2]) * p[3] / 4)
    assert abs(float(expected_reciprocal_rank(relevances, max_relevance=2)) / wanted - 1) < 1e-14


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("measure", [cumulative_gain, dcg_score])
def test_sums_that_no_float_holds(backend, measure, gain):
    """An error where values are looked at, else NaN; a sum that leaves the largest documents out is one."""
    large = LARGE[8 if backend.has_float64 else 4][gain == "exponential"]
    if backend.name in ("numpy", "torch-host"):
        with pytest.raises(ValueError, match="y_true must have relevances so small that floats of 64 bits hold"):
            of_queries(backend, measure, [large, SMALL], gain=gain)
        return
    with as_on_a_device(), np.errstate(over="ignore"):  # of array-api-strict, which warns as NumPy does
        found = of_queries(backend, measure, [large, SMALL], gain=gain)
        first = of_queries(backend, measure, [(*SMALL[:3], large[3]), SMALL], gain=gain, n=2)
    name = measure.__name__
    backend.assert_close(found, [float("nan"), oracles.of_scores(name, SMALL, SCORES, gain=gain)])
    backend.assert_close(first, [oracles.of_scores(name, SMALL, SCORES, gain=gain, n=2)] * 2)


def test_what_the_error_says():
    with pytest.raises(ValueError) as raised:
        dcg_score([[2000, 1], [1, 0]], gain="exponential")
    assert str(raised.value) == (
        "y_true must have relevances so small that floats of 64 bits hold dcg_score, got up to 2000"
    )


def test_floats_of_jax_hold_less():
    import jax.numpy as jnp

    with pytest.raises(ValueError, match=r"floats of 32 bits hold cumulative_gain, got up to 3e\+38"):
        cumulative_gain(jnp.asarray([3e38, 3e38]))


def test_queries_of_weight_0_are_left_out():
    rows = Ranked.from_scores([[2000, 1], [3, 0]], sample_weight=[0, 2])
    assert dcg_score(rows, gain="exponential") == 7
    assert evaluate(rows, metrics={"gain": "cg"})["gain"] == 3
