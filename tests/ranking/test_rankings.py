"""Measures of ranked lists are what their definitions say, on every backend, in every form and with every option."""

from __future__ import annotations

from fractions import Fraction
from math import fsum, nan

import numpy as np
import pytest
import ranking_oracles as oracles
from backends import assert_close
from ranking_cases import (
    CALLS,
    IDEAL,
    N_QUERIES,
    N_RELEVANT,
    WEIGHTS,
    exact,
    flat,
    forms,
    given,
    of_each,
    rows,
    rows_of_ideal,
)

import gpuval.ranking
from gpuval.ranking import (
    Ranked,
    average_precision_score,
    cumulative_gain,
    dcg_score,
    ndcg_score,
    precision_at_n,
    ranked,
    reciprocal_rank_score,
)

MEASURES = {name: getattr(gpuval.ranking, name) for name in oracles.ORACLES}


# Definitions


@pytest.mark.by_default
@pytest.mark.parametrize("call", CALLS)
def test_definitions(backend, call):
    name, options = CALLS[call]
    for form in forms(backend):
        arrays, building = given(backend, form)
        score = MEASURES[name](*arrays, **building, **options)
        backend.assert_close(score, exact(name, options), f"{call} {form}")
        backend.assert_at_home(score, arrays[0])


@pytest.mark.parametrize("name", MEASURES)
def test_options_of_queries(backend, name):
    """Weights, of which one is 0; numbers of relevant documents; the order as it is; and what has no value."""
    ways = [
        {"weights": WEIGHTS},
        {"ideal": IDEAL},
        {"ideal": IDEAL, "weights": WEIGHTS, "ties": "stable"},
        {"ties": "stable"},
        *({"on_undefined": x} for x in ("one", "nan", "skip")),
        {"on_undefined": "skip", "weights": WEIGHTS},
    ]
    if name != "ndcg_score":  # which has no value then, see test_ideal.py
        ways += [{"n_relevant": N_RELEVANT}, {"n_relevant": 6, "weights": WEIGHTS}]
    options = {"n": 3}
    for form in ("flat", "rows"):
        arrays, building = given(backend, form)
        for way in ways:
            more = {("sample_weight" if x == "weights" else x): y for x, y in way.items()}
            more |= {"ideal": rows_of_ideal()} if "ideal" in way else {}
            more = {x: backend.array(y) if isinstance(y, tuple | np.ndarray) else y for x, y in more.items()}
            score = MEASURES[name](*arrays, **building, **more, **options)
            backend.assert_close(score, exact(name, options, **way), f"{name} {form} {way}")


@pytest.mark.parametrize("name", MEASURES)
def test_values_of_queries(backend, name):
    for form in forms(backend):
        arrays, building = given(backend, form)
        for way in ("zero", "nan"):
            found = MEASURES[name](*arrays, **building, on_undefined=way, return_per_query=True)
            assert found._fields == ("score", "queries", "query_scores")
            backend.assert_close(found.query_scores, oracles.filled(of_each(name, {}), way), f"{name} {form}")
            backend.assert_at_home(found.query_scores, arrays[0], (N_QUERIES,))
            wanted = [-3, 0, 7, 8, 1000] if form == "found" else list(range(N_QUERIES))
            assert backend.numpy(found.queries).tolist() == wanted
            assert type(found.queries) is type(arrays[0])
            mean = MEASURES[name](*arrays, **building, on_undefined=way)
            np.testing.assert_array_equal(backend.numpy(found.score), backend.numpy(mean))


@pytest.mark.parametrize("name", MEASURES)
def test_a_ranking_in_place_of_scores(backend, name):
    for form in forms(backend):
        arrays, building = given(backend, form)
        for ties in ("average", "stable"):
            ranking = Ranked.from_scores(*arrays, **building, ties=ties)
            assert (ranking.n_queries, repr(ranking)[:17]) == (N_QUERIES, "Ranked(5 queries,")
            found = MEASURES[name](ranking, n=3, return_per_query=True)
            wanted = MEASURES[name](*arrays, **building, ties=ties, n=3, return_per_query=True)
            for x, y in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(backend.numpy(x), backend.numpy(y))


@pytest.mark.parametrize("name", MEASURES)
def test_documents_in_their_order(backend, name):
    relevance = [[2, 0, 1, 0, 0, 3], [0, 0, 0, 1, 0, 1]]
    score = MEASURES[name](backend.array(relevance))
    backend.assert_close(score, oracles.of_queries([oracles.of_scores(name, x, None) for x in relevance]))
    queries = backend.array([1, 0] * 6)
    score = MEASURES[name](backend.array(np.transpose(relevance).ravel()), None, queries, n_queries=2)
    backend.assert_close(score, oracles.of_queries([oracles.of_scores(name, x, None) for x in reversed(relevance)]))


def test_one_list(backend):
    relevance, scores = backend.array([0, 1, 0, 1, 1, 0]), backend.array([3.0, 1.0, 3.0, 3.0, 0.0, -2.0])
    for name, measure in MEASURES.items():
        score = measure(relevance, scores, n=4)
        backend.assert_close(score, oracles.of_scores(name, (0, 1, 0, 1, 1, 0), (3, 1, 3, 3, 0, -2), n=4), name)


# Many lists


def some_lists(seed, n_queries=25, longest=7, levels=4):
    """Lists of different lengths, with as few distinct scores that many are tied."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, longest + 1, n_queries)
    queries = np.repeat(np.arange(n_queries), lengths)
    relevance = random.integers(0, 4, len(queries)) * (random.random(len(queries)) < 0.6)
    scores = random.integers(0, levels, len(queries)) / 8 - 0.125
    lists = [(relevance[queries == i].tolist(), scores[queries == i].tolist()) for i in range(n_queries)]
    order = random.permutation(len(queries))
    return lists, (relevance[order], scores[order], queries[order])


@pytest.mark.parametrize("call", [x for x in CALLS if not x.endswith("9")])
def test_many_lists(call):
    name, options = CALLS[call]
    for seed, longest, levels in ((1, 6, 6), (2, 6, 3), (3, 5, 1)):
        lists, arrays = some_lists(seed, 12, longest, levels)
        found = MEASURES[name](*arrays, **options, return_per_query=True, on_undefined="nan")
        wanted = [oracles.of_scores(name, *x, **options) for x in lists]
        assert_close(found.query_scores, oracles.filled(wanted, "nan"), f"{call} {seed}")


@pytest.mark.parametrize("call", CALLS)
def test_blocks_of_queries_give_the_same_bits(call, monkeypatch):
    name, options = CALLS[call]
    for levels in (2, 20):
        ranking = Ranked.from_scores(*some_lists(5, 40, 7, levels)[1])
        whole = MEASURES[name](ranking, return_per_query=True, **options)
        assert len(list(ranking.lists())) == 1
        with monkeypatch.context() as patched:
            patched.setattr(ranked, "_BLOCK", 3)
            assert len(list(ranking.lists())) > 20
            parts = MEASURES[name](ranking, return_per_query=True, **options)
        assert parts.score == whole.score
        assert parts.query_scores.tolist() == whole.query_scores.tolist()


def test_a_list_that_is_longer_than_a_block(monkeypatch):
    monkeypatch.setattr(ranked, "_BLOCK", 5)
    relevance, queries = np.zeros(60), np.repeat([0, 1, 2], [2, 50, 8])
    relevance[[1, 30, 55]] = 1
    scores = np.arange(60)[::-1]
    found = reciprocal_rank_score(relevance, scores, queries, return_per_query=True)
    assert_close(found.query_scores, [Fraction(1, 2), Fraction(1, 29), Fraction(1, 4)])


# Worked values

SIX = ([0, 0, 1], [0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0])
"""Lists of three relevant documents each, of which some are not in the list."""


def test_six_lists(backend):
    relevance, mask = np.zeros((6, 5), dtype=np.int64), np.zeros((6, 5), dtype=bool)
    for i, own in enumerate(SIX):
        relevance[i, : len(own)], mask[i, : len(own)] = own, True
    arguments = {"mask": backend.array(mask), "n_relevant": 3, "return_per_query": True}
    found = average_precision_score(backend.array(relevance), **arguments)
    backend.assert_close(
        found.query_scores,
        [Fraction(1, 9), Fraction(7, 18), Fraction(1, 3), Fraction(0), Fraction(43, 90), Fraction(1)],
    )
    backend.assert_close(found.score, Fraction(52, 135))
    backend.assert_close(reciprocal_rank_score(backend.array(relevance), **arguments).score, Fraction(19, 36))


FORMS = {
    ("linear", "log2"): (6.861126688593501, 7.140995184095700, 0.960808194336062),
    ("exponential", "log2"): (13.848263629272981, 14.595390756454924, 0.948810748567899),
    ("linear", "jarvelin"): (8.097171433256849, 8.692536065216310, 0.931508523232726),
}
"""Of the gains 3, 2, 3, 0, 1, 2: discounted, the same of the best order, and normalised."""


@pytest.mark.parametrize("form", FORMS)
def test_gains(form):
    gains, options = [3, 2, 3, 0, 1, 2], dict(zip(("gain", "discount"), form, strict=True))
    assert cumulative_gain(gains) == 11
    found, best, normalised = FORMS[form]
    assert dcg_score(gains, **options) == pytest.approx(found, rel=1e-12)
    assert dcg_score(sorted(gains)[::-1], **options) == pytest.approx(best, rel=1e-12)
    assert ndcg_score(gains, **options) == pytest.approx(normalised, rel=1e-12)


def test_gains_of_tied_documents():
    given = [3, 2, 3, 0, 1, 2], [0.9, 0.9, 0.5, 0.5, 0.2, 0.1]
    assert dcg_score(*given) == pytest.approx(6.572606402489320, rel=1e-12)
    assert ndcg_score(*given) == pytest.approx(0.920404822163683, rel=1e-12)
    assert dcg_score(*given, gain="exponential") == pytest.approx(12.867491089672772, rel=1e-12)
    assert ndcg_score(*given, gain="exponential") == pytest.approx(0.881613332892922, rel=1e-12)


def test_average_precision_of_tied_documents():
    """By hand: of two tied documents with one relevant it is (1 + 1/2)/2; of two above one, (1 + (1/2 + 2/3)/2)/2."""
    assert average_precision_score([1, 0], [5, 5]) == 3 / 4
    assert reciprocal_rank_score([1, 0], [5, 5]) == 3 / 4
    assert average_precision_score([1, 1, 0], [2, 1, 1]) == pytest.approx((1 + (1 + 2 / 3) / 2) / 2, rel=1e-15)
    assert average_precision_score([1, 0, 0], [1, 1, 1]) == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, rel=1e-15)
    assert average_precision_score([1, 1, 0, 0], [1, 1, 1, 1], n=1) == 1 / 2


def test_three_of_which_the_first_was_found():
    """Of 1, 0, 0, 1, 1, of which three are relevant, the first three are worth 1/3."""
    assert average_precision_score([1, 0, 0, 1, 1], n=3) == pytest.approx(1 / 3, rel=1e-15)


def test_precision_beyond_the_list():
    assert precision_at_n([1, 1], n=8) == 1 / 4
    assert precision_at_n([1, 1]) == 1


# Ties


def test_a_large_group_of_tied_documents():
    """The mean of 1 by the first rank of h relevant ones of g is the sum of C(g - k, h - 1)/C(g, h) by k."""
    from math import comb

    g, h = 400, 3
    relevance = [1] * h + [0] * (g - h)
    exact = sum(Fraction(comb(g - k, h - 1), comb(g, h) * k) for k in range(1, g - h + 2))
    assert_close(np.asarray(reciprocal_rank_score(relevance, [7] * g)), exact)


def test_all_relevant_and_tied(backend):
    relevance, scores = backend.array(np.ones((5, 6), dtype=np.int64)), backend.array(np.zeros((5, 6)))
    for name in ("precision_at_n", "recall_at_n", "hit_rate", "average_precision_score", "reciprocal_rank_score"):
        backend.assert_close(MEASURES[name](relevance, scores), Fraction(1), name)


def test_the_order_as_given(backend):
    """Of tied documents the one that is given first is the first."""
    relevance, scores = backend.array([0, 1, 1, 0, 0, 1]), backend.array([1, 1, 2, 2, 2, 1])
    backend.assert_close(
        average_precision_score(relevance, scores, ties="stable"), (1 + Fraction(2, 5) + Fraction(3, 6)) / 3
    )


def test_a_document_that_is_not_tied_changes_nothing():
    """Only documents of one query can be tied."""
    found = reciprocal_rank_score([0, 1], [5.0, 5.0], ["a", "b"], return_per_query=True)
    assert found.query_scores.tolist() == [0, 1]


# What does not count


@pytest.mark.parametrize("name", MEASURES)
def test_masked_documents_are_left_out(backend, name):
    relevance, scores, queries = flat()
    keep = np.random.default_rng(8).random(20) < 0.8
    arrays = [backend.array(x) for x in (np.where(keep, relevance, nan), np.where(keep, scores, nan), queries)]
    found = MEASURES[name](*arrays, mask=backend.array(keep), n_queries=N_QUERIES)
    wanted = MEASURES[name](relevance[keep], scores[keep], queries[keep])
    backend.assert_close(found, float(wanted))


@pytest.mark.parametrize("name", MEASURES)
def test_ignored_relevances_are_left_out(backend, name):
    relevance, scores, mask = rows()
    arrays = [backend.array(relevance), backend.array(np.where(mask, scores, 0.5))]
    backend.assert_close(MEASURES[name](*arrays, ignore_relevance=-7), exact(name, {}))
    relevance = np.where(np.arange(6) >= 5, -8, relevance)
    mask &= np.arange(6) < 5
    keep = mask.ravel()
    found = MEASURES[name](backend.array(relevance), arrays[1], ignore_relevance=(-7, -8))
    queries = np.repeat(np.arange(N_QUERIES), 6)[keep]
    backend.assert_close(found, float(MEASURES[name](relevance.ravel()[keep], scores.ravel()[keep], queries)))


def test_one_relevant_document_among_many_tied():
    """It stands at each rank with the same probability: H_g/g, of the harmonic number of the g documents."""
    g = 100_000
    exact = fsum(1 / k for k in range(1, g + 1)) / g
    relevance = np.arange(g) == 7
    assert abs(reciprocal_rank_score(relevance, np.zeros(g)) / exact - 1) < 1e-12
    assert abs(gpuval.ranking.hit_rate(relevance, np.zeros(g), n=10) / (10 / g) - 1) < 1e-12


def test_frames_with_columns_in_another_order():
    from packages import pd

    relevance = pd.DataFrame([[1, 0]], columns=["a", "b"])
    scores = pd.DataFrame([[0.1, 0.9]], columns=["b", "a"])
    with pytest.raises(ValueError) as error:
        average_precision_score(relevance, scores)
    assert str(error.value) == (
        "y_true and y_score must have the same columns in one order, got 'a' and 'b' at position 0; reorder them, or "
        "pass y_score.to_numpy()"
    )
    assert average_precision_score(relevance, scores[["a", "b"]]) == 1
