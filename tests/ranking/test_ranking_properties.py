"""Promises of the measures of rankings, tried on random lists: what changes nothing, what bounds them, what is best."""

from __future__ import annotations

import numpy as np
import pytest
import ranking_oracles as oracles
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuval.ranking
from gpuval.ranking import Ranked

MEASURES = {name: getattr(gpuval.ranking, name) for name in oracles.ORACLES}
EVERY = settings(max_examples=30)
NEAR = 1e-12


@st.composite
def rankings(draw, most=12):
    """Relevances, scores of few levels and queries of several lists, and a number of documents or None."""
    lengths = draw(st.lists(st.integers(1, most), min_size=1, max_size=4))
    size = sum(lengths)
    relevance = draw(st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3.5]), min_size=size, max_size=size))
    scores = draw(st.lists(st.integers(-4, 4), min_size=size, max_size=size))
    n = draw(st.one_of(st.none(), st.integers(1, most + 2)))
    return np.asarray(relevance, dtype=float), np.asarray(scores) / 4, np.repeat(np.arange(len(lengths)), lengths), n


def values(name, *arrays, **options):
    return MEASURES[name](*arrays, **options, return_per_query=True).query_scores


def all_values(*arrays, **options):
    return {name: values(name, *arrays, **options) for name in MEASURES}


def assert_same(found, wanted):
    for name, x in found.items():
        np.testing.assert_allclose(x, wanted[name], rtol=NEAR, atol=NEAR, err_msg=name)


@EVERY
@given(rankings(), st.randoms(use_true_random=False))
def test_the_order_of_documents_changes_nothing(ranking, random):
    *arrays, n = ranking
    order = list(range(len(arrays[0])))
    random.shuffle(order)
    assert_same(all_values(*(x[order] for x in arrays), n=n), all_values(*arrays, n=n))


@EVERY
@given(rankings(), st.sampled_from([np.exp, np.cbrt, lambda x: 3 * x - 100, lambda x: x.astype(np.float32), np.arctan]))
def test_rising_maps_of_scores_change_nothing(ranking, rising):
    relevance, scores, queries, n = ranking
    for ties in ("average", "stable"):
        found = all_values(relevance, rising(scores), queries, n=n, ties=ties)
        wanted = all_values(relevance, scores, queries, n=n, ties=ties)
        assert {name: x.tolist() for name, x in found.items()} == {name: x.tolist() for name, x in wanted.items()}


def test_a_falling_map_changes_something():
    assert values("ndcg_score", [2, 1, 0], [3, 2, 1]) != values("ndcg_score", [2, 1, 0], [-3, -2, -1])


@EVERY
@given(rankings())
def test_bounds(ranking):
    *arrays, n = ranking
    ranked = Ranked.from_scores(*arrays)
    for name in MEASURES:
        found = values(name, ranked, n=n)
        lowest, highest = MEASURES[name].measure.range
        assert (lowest <= found).all(), name
        assert (found <= highest + NEAR).all(), name


@EVERY
@given(rankings())
def test_the_best_order(ranking):
    """All but precision are 1 there, where a document is relevant; and no order is worth more."""
    relevance, scores, queries, n = ranking
    has_any = np.bincount(queries, relevance) > 0
    best, found = all_values(relevance, relevance, queries, n=n), all_values(relevance, scores, queries, n=n)
    for name in MEASURES:
        assert (found[name] <= best[name] + 1e-11).all(), name
        if name in ("hit_rate", "average_precision_score", "reciprocal_rank_score", "ndcg_score"):
            np.testing.assert_allclose(best[name], has_any, atol=NEAR, err_msg=name)


@EVERY
@given(rankings())
def test_the_worst_order(ranking):
    """No order is worth less; and with as many irrelevant documents first, the first n are worth nothing."""
    relevance, scores, queries, n = ranking
    worst, found = all_values(relevance, -relevance, queries, n=n), all_values(relevance, scores, queries, n=n)
    irrelevant = np.bincount(queries, relevance == 0)
    for name in MEASURES:
        assert (found[name] >= worst[name] - 1e-11).all(), name
        if n is not None:
            assert (worst[name][irrelevant >= n] == 0).all(), name


@EVERY
@given(rankings())
def test_more_documents_find_no_fewer(ranking):
    *arrays, _ = ranking
    ranked = Ranked.from_scores(*arrays)
    for name in ("recall_at_n", "hit_rate", "reciprocal_rank_score", "cumulative_gain", "dcg_score"):
        rising = [values(name, ranked, n=n) for n in range(1, 14)]
        assert (np.diff(rising, axis=0) >= -NEAR).all(), name
        np.testing.assert_allclose(rising[-1], values(name, ranked), rtol=NEAR, err_msg=name)


@EVERY
@given(rankings(most=5))
def test_ties_lie_between_the_best_and_the_worst_order(ranking):
    relevance, scores, queries, n = ranking
    found = all_values(relevance, scores, queries, n=n, on_undefined="nan")
    for i in range(queries[-1] + 1):
        own = relevance[queries == i].tolist(), scores[queries == i].tolist()
        for name in MEASURES:
            orders = oracles.of_orders(name, *own, n=n)
            if orders[0] is None:
                assert np.isnan(found[name][i])
            else:
                assert float(min(orders)) - NEAR <= found[name][i] <= float(max(orders)) + NEAR, name


@EVERY
@given(rankings(), st.randoms(use_true_random=False))
def test_a_mask_leaves_out(ranking, random):
    *arrays, n = ranking
    keep = np.asarray([random.random() < 0.7 for _ in arrays[0]])
    keep[np.unique(arrays[2], return_index=True)[1]] = True  # a document of each query
    assert_same(all_values(*arrays, n=n, mask=keep), all_values(*(x[keep] for x in arrays), n=n))


@EVERY
@given(rankings(), st.data())
def test_a_weight_of_2_is_a_query_twice(ranking, data):
    relevance, scores, queries, n = ranking
    size = int(queries[-1]) + 1
    weights = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any))
    copies = [(i, copy) for i, weight in enumerate(weights) for copy in range(weight)]
    parts = [np.flatnonzero(queries == i) for i, _ in copies]
    places, names = np.concatenate(parts), np.repeat(np.arange(len(copies)), [len(x) for x in parts])
    for name, measure in MEASURES.items():
        found = measure(relevance, scores, queries, sample_weight=weights, n=n)
        wanted = measure(relevance[places], scores[places], names, n=n)
        assert found == pytest.approx(wanted, rel=NEAR, abs=NEAR), name


@EVERY
@given(rankings())
def test_names_of_queries_change_nothing(ranking):
    *arrays, queries, n = ranking
    names = np.asarray(["a", "b", "c", "d"])[queries]
    assert_same(all_values(*arrays, names, n=n), all_values(*arrays, queries, n=n))
    assert_same(all_values(*arrays, queries * 10**9 - 5, n=n), all_values(*arrays, queries, n=n))


@EVERY
@given(rankings())
def test_gains_grow_with_relevances(ranking):
    relevance, scores, queries, n = ranking
    for name in ("cumulative_gain", "dcg_score"):
        for options in ({}, {"gain": "exponential"}):
            low = values(name, relevance, scores, queries, n=n, **options)
            high = values(name, relevance + (relevance > 0), scores, queries, n=n, **options)
            assert (high >= low - NEAR).all()
    doubled = values("ndcg_score", 2 * relevance, scores, queries, n=n)
    np.testing.assert_allclose(doubled, values("ndcg_score", relevance, scores, queries, n=n), rtol=NEAR)
