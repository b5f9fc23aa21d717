"""Promises of the measures of intervals, tried on random ones: what changes nothing, what bounds them, what is best."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import inf

import interval_oracles as oracles
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interval_oracles import CALLS

from gpuval import intervals
from gpuval.intervals import inclusion_score, jaccard_score

MEASURES = {name: getattr(intervals, name) for name in oracles.ORACLES}
FROM_THE_LARGEST = (*oracles.OF_LENGTHS, "jaccard_score")
EVERY = settings(max_examples=50)
NEAR = 1e-14
TINY = 1e-150
"""Above the root of the smallest normal float: below that, shares have fewer digits, and Ochiai takes their root."""

whole = st.integers(-12, 12)
infinite = st.sampled_from([-inf, inf])
any_float = st.floats(allow_nan=False, allow_subnormal=False)


def pairs_of(ends, most=6):
    """Some pairs of intervals with such ends."""
    interval = st.tuples(ends, ends).map(lambda x: tuple(sorted(x)))
    return st.lists(st.tuples(interval, interval), min_size=1, max_size=most)


def all_values(pairs, **more):
    true, pred = (np.asarray(x, dtype=float) for x in zip(*pairs, strict=True))
    return {
        call: MEASURES[name](true, pred, **options, **more, return_per_sample=True).sample_scores
        for call, (name, options) in CALLS.items()
    }


def assert_same(found, wanted):
    for call, x in found.items():
        np.testing.assert_allclose(x, wanted[call], rtol=NEAR, atol=NEAR, err_msg=call)


@EVERY
@given(pairs_of(st.one_of(whole, whole, infinite, any_float)))
def test_definitions(pairs):
    for call, found in all_values(pairs).items():
        name, options = CALLS[call]
        for x, pair in zip(found.tolist(), pairs, strict=True):
            exact = oracles.of_sample(name, *pair, **options)
            if exact is None:
                assert np.isnan(x)
            else:
                assert x == pytest.approx(float(exact), rel=1e-12, abs=TINY), (call, pair)


@EVERY
@given(pairs_of(st.integers(-(2**63), 2**63 - 1)))
def test_integers(pairs):
    true, pred = (np.asarray(x, dtype=np.int64) for x in zip(*pairs, strict=True))
    for call, (name, options) in CALLS.items():
        found = MEASURES[name](true, pred, **options, return_per_sample=True).sample_scores
        wanted = [float(oracles.of_sample(name, *pair, **options)) for pair in pairs]
        assert found.tolist() == pytest.approx(wanted, rel=1e-14, abs=0), call
        assert (found <= 1).all()


@EVERY
@given(pairs_of(any_float))
def test_bounds_and_their_order(pairs):
    found = all_values(pairs)
    for call, x in found.items():
        assert (x[~np.isnan(x)] >= 0).all(), call
        assert (x[~np.isnan(x)] <= 1).all(), call
    for larger, smaller in itertools.pairwise(FROM_THE_LARGEST):
        assert not (found[larger] < found[smaller] * (1 - NEAR) - TINY).any(), (larger, smaller)


@EVERY
@given(pairs_of(any_float))
def test_exchanging_the_intervals_does_what_is_declared(pairs):
    found, exchanged = all_values(pairs), all_values([(pred, true) for true, pred in pairs])
    assert_same({call: exchanged[other_call(call)] for call in CALLS}, found)


def other_call(call):
    """The call that gives the same if the intervals are exchanged."""
    name, options = CALLS[call]
    declared = MEASURES[name].measure.with_options(options).exchanged
    return call if declared == "same" else next(x for x, wanted in CALLS.items() if wanted == declared)


WITHIN = [(a, b) for a in range(6) for b in range(a, 6)]
"""All intervals with ends from 0 to 5."""


@pytest.mark.parametrize("name", MEASURES)
def test_what_is_declared_to_be_a_metric_is_one_and_nothing_else(name):
    """1 minus the score: 0 for equal intervals alone, the same if they are exchanged, and no way round is shorter."""
    d = np.asarray([[float(1 - oracles.of_sample(name, x, y)) for y in WITHIN] for x in WITHIN])
    tells_apart = (d > 0)[~np.eye(len(d), dtype=bool)].all()
    is_metric = tells_apart and (d == d.T).all() and (d[:, None] <= d[:, :, None] + d[None] + 1e-12).all()
    assert MEASURES[name].measure.is_metric == is_metric


def test_inclusion_is_not_symmetric():
    assert inclusion_score([0, 4], [1, 7]) != inclusion_score([1, 7], [0, 4])


@EVERY
@given(pairs_of(st.one_of(whole, infinite)), st.integers(-100, 100), st.sampled_from([0.25, 1, 3, 1e-30, 1e30]))
def test_shifts_scales_and_reflections_change_nothing(pairs, shift, scale):
    def mapped(f):
        return [tuple(tuple(sorted(f(x) for x in interval)) for interval in pair) for pair in pairs]

    found = all_values(pairs)
    assert_same(all_values(mapped(lambda x: x + shift)), found)
    assert_same(all_values(mapped(lambda x: x * scale)), found)
    assert_same(all_values(mapped(lambda x: -x)), found)


def test_a_map_that_stretches_changes_something():
    assert jaccard_score([0, 4], [1, 7]) != jaccard_score([0, 16], [1, 49])


@EVERY
@given(pairs_of(st.one_of(whole, infinite, any_float)))
def test_equal_intervals_are_best(pairs):
    for call, x in all_values([(true, true) for true, _ in pairs]).items():
        assert (x == 1).all(), call


@EVERY
@given(pairs_of(whole))
def test_only_equal_intervals_have_a_jaccard_score_of_1(pairs):
    found = all_values(pairs)
    assert (found["jaccard_score"] == 1).tolist() == [true == pred for true, pred in pairs]


@EVERY
@given(pairs_of(st.integers(0, 30), most=3))
def test_intervals_are_sets(pairs):
    """Of unit intervals: all similarities by counting those of one interval, of the other, and of both."""
    found = all_values(pairs)
    for i, pair in enumerate(pairs):
        a, b = (set(range(*interval)) for interval in pair)
        if a and b:
            assert found["jaccard_score"][i] == pytest.approx(float(Fraction(len(a & b), len(a | b))), rel=NEAR)
            assert found["simpson_score"][i] == pytest.approx(len(a & b) / min(len(a), len(b)), rel=NEAR)
            assert found["inclusion_score"][i] == pytest.approx(len(a & b) / len(a), rel=NEAR)


@EVERY
@given(pairs_of(whole), st.randoms(use_true_random=False))
def test_weights_are_repetitions_and_0_leaves_out(pairs, random):
    weights = [random.randint(0, 3) for _ in pairs[1:]] + [1]
    repeated = [pair for pair, weight in zip(pairs, weights, strict=True) for _ in range(weight)]
    true, pred = (np.asarray(x) for x in zip(*pairs, strict=True))
    for measure in MEASURES.values():
        found = measure(true, pred, sample_weight=weights)
        assert found == pytest.approx(measure(*zip(*repeated, strict=True)), rel=NEAR, abs=NEAR)
        mask = np.asarray(weights) > 0
        assert measure(true, pred, mask=mask) == pytest.approx(measure(true[mask], pred[mask]), rel=NEAR, abs=NEAR)
