"""Means over queries batch by batch: the forms of queries, the measures, and what is refused."""

import functools
import re
from fractions import Fraction

import numpy as np
import pytest
from ranking_cases import BATCHED_METRICS, batched_means
from ranking_cases import BATCHED_ROWS as ROWS
from ranking_cases import BATCHED_SCORES as SCORES
from ranking_cases import BATCHED_WEIGHTS as WEIGHTS

from gpuval import ranking
from gpuval.ranking import Ranked, RankingAccumulator


def filled(backend, accumulator):
    for rows in np.split(np.arange(9), 3):
        weights = backend.array(WEIGHTS[rows])
        accumulator.update(backend.array(ROWS[rows]), backend.array(SCORES[rows]), sample_weight=weights)
    return accumulator


def scores_of(accumulator):
    return {name: float(np.asarray(x)) for name, x in accumulator.scores.items()}


def test_what_is_no_batch_without_queries():
    accumulator, nothing = RankingAccumulator(BATCHED_METRICS), np.zeros(0)
    accumulator.update([], [])
    with pytest.raises(ValueError, match=r"^y_true must have at least one document, got shape \(0,\)$"):
        accumulator.update(nothing, nothing)  # one query
    with pytest.raises(ValueError, match=r"^y_true must have at least one document, got shape \(0,\)$"):
        accumulator.update(nothing, nothing, nothing, n_queries=2)
    with pytest.raises(ValueError, match=r"^y_score must have the shape of y_true, \(0, 3\), got \(0, 2\)$"):
        accumulator.update(np.zeros((0, 3)), np.zeros((0, 2)))


@pytest.mark.parametrize("as_queries", [False, True])
def test_batches_without_a_weight_change_nothing(backend, as_queries):
    """Whatever their documents have, NaN among it; if no batch has a weight there is no mean."""
    accumulator = RankingAccumulator(BATCHED_METRICS)
    weights = backend.array(np.zeros(3))
    rows, scores = ROWS[:3], SCORES[:3]

    def update_without_weight():
        for relevance in (rows, np.where(rows == 0, np.nan, rows)):
            arrays = [np.ravel(x) if as_queries else x for x in (relevance, scores)]
            queries = [np.repeat([0, 1, 2], 4)] if as_queries else []
            options = {"n_queries": 3} if as_queries and not backend.finds_sizes else {}
            accumulator.update(*map(backend.array, arrays + queries), sample_weight=weights, **options)

    update_without_weight()
    assert all(np.isnan(backend.numpy(x)) for x in accumulator.scores.values())
    filled(backend, accumulator)
    update_without_weight()
    for score, exact in zip(accumulator.scores.values(), batched_means(), strict=True):
        backend.assert_close(score, exact)


def test_weights_of_a_batch_are_checked_though_none_is_above_0():
    accumulator = RankingAccumulator("map")
    with pytest.raises(ValueError, match=r"^sample_weight must have a weight for each query \(2\), got 1$"):
        accumulator.update([[1, 0], [0, 1]], sample_weight=[0])
    with pytest.raises(ValueError, match=r"^sample_weight must be above 0 for at least one query, got none of 1$"):
        ranking.average_precision_score([[1, 0]], sample_weight=[0])


def test_queries_without_documents():
    accumulator = RankingAccumulator(["map", "ndcg"])
    accumulator.update([1, 0], n_relevant=1)
    accumulator.update([], n_relevant=np.asarray(3))
    accumulator.update(np.zeros((2, 0)), ideal=[[2, 1], [3]])
    accumulator.update([], n_relevant=[])  # no query
    assert scores_of(accumulator) == {"average_precision_score": 0.25, "ndcg_score": 0.25}
    accumulator.update([3, 0], ideal=[3, 2, 1])
    wanted = (1 + 3 / (3 + 2 / np.log2(3) + 1 / 2)) / 5
    assert scores_of(accumulator)["ndcg_score"] == pytest.approx(wanted, rel=1e-15)
    accumulator = RankingAccumulator("recall")
    accumulator.update([1, 0], None, ["a", "a"], n_relevant={"a": 2, "b": 1})
    assert scores_of(accumulator) == {"recall_at_n": 0.25}


def test_vectors_with_their_queries(backend):
    """Unsorted; with ``n_queries`` where the numbers of queries are not to be found out."""
    accumulator, order = RankingAccumulator(BATCHED_METRICS), np.asarray([7, 3, 11, 0, 5, 9, 2, 10, 1, 8, 6, 4])
    for rows in np.split(np.arange(9), 3):
        arrays = (x.reshape(-1)[order] for x in (ROWS[rows], SCORES[rows], np.repeat(np.arange(3), 4)))
        accumulator.update(*map(backend.array, arrays), n_queries=3)
    for score, exact in zip(accumulator.scores.values(), batched_means(weighed=False), strict=True):
        backend.assert_close(score, exact)


def test_batches_of_different_queries():
    """Of any lengths and names."""
    accumulator = RankingAccumulator("map")
    accumulator.update([1, 0, 1], [0.3, 0.2, 0.1], ["b", "b", "a"])
    accumulator.update([0, 1], [0.3, 0.2])
    accumulator.update(Ranked.from_scores([[0, 0, 1]], [[3, 2, 1]]))
    assert scores_of(accumulator)["average_precision_score"] == pytest.approx(float(Fraction(17, 24)), abs=1e-15)
    # 17/24 = (1 + 1 + 1/2 + 1/3)/4


def test_settings_are_those_of_each_measure():
    tied = [[0, 1, -1]], [[0.5, 0.5, 0.9]]
    for ties, exact in ((None, Fraction(3, 4)), ("average", Fraction(3, 4)), ("stable", Fraction(1, 2))):
        accumulator = RankingAccumulator("mrr", ties=ties, ignore_relevance=-1)
        accumulator.update(*tied)
        assert scores_of(accumulator) == {"reciprocal_rank_score": exact}
    partial = functools.partial(ranking.dcg_score, gain="exponential", n=1, on_undefined="one")
    accumulator = RankingAccumulator({"gain": partial, "default": "dcg@1"})
    accumulator.update([[3, 0], [0, 0]], [[2, 1], [2, 1]])
    assert scores_of(accumulator) == {"gain": 4.0, "default": 1.5}  # (2^3 - 1 + 1)/2 and (3 + 0)/2


def test_arguments_of_a_batch():
    accumulator = RankingAccumulator(["recall@1"])
    accumulator.update([[1, 0, 0]], [[3, 2, 1]], mask=[[True, True, False]], n_relevant=4)
    accumulator.update([[1, 1], [0, 1]], [[2, 1], [2, 1]], n_relevant=[2, 1], sample_weight=[2, 1])
    assert scores_of(accumulator) == {"recall_at_n@1": (1 / 4 + 2 * 1 / 2) / 4}


def first_relevance(ranked):
    """A value for each query, as users may have: the relevance of the first document."""
    return ranking.cumulative_gain(ranked, n=1, return_per_query=True).query_scores


def test_functions_of_users(backend):
    accumulator = filled(backend, RankingAccumulator({"first": first_relevance}))
    exact = Fraction(int(ROWS[:, 0] @ WEIGHTS), int(WEIGHTS.sum()))
    backend.assert_close(accumulator.scores["first"], exact)


def test_functions_that_do_not_add_up():
    accumulator = RankingAccumulator(ranking.hit_rate)
    accumulator.update([[1]])
    for function, error, message in (
        (
            lambda ranked: 1.0,
            TypeError,
            "metrics must give an array of numpy with a value for each query to be added up, got float of <lambda>",
        ),
        (
            lambda ranked: np.ones(3),
            ValueError,
            "metrics must give a value for each query, shape (1,), to be added up, got shape (3,) of <lambda>",
        ),
    ):
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            RankingAccumulator(function).update([[1]])


# ---- sums ------------------------------------------------------------------------------------------


def test_gains_without_bound():
    accumulator = RankingAccumulator("cg")
    with pytest.raises(ValueError, match=r"floats of 64 bits hold cumulative_gain, got up to 1\.5e\+308"):
        accumulator.update([[1.5e308, 1.5e308]])
    for _ in range(2):
        accumulator.update([[1.5e308]])
    assert list(scores_of(accumulator).values()) == [1.5e308]  # the mean is a float, as the sum over the queries is not


def test_queries_that_all_are_left_out():
    accumulator = RankingAccumulator(["map", "cg"], on_undefined="skip")
    accumulator.update([[0, 0]])
    assert np.isnan(scores_of(accumulator)["average_precision_score"])
    accumulator.update([[1, 0]])
    assert scores_of(accumulator) == {"average_precision_score": 1.0, "cumulative_gain": 1.0}


def test_lists_that_were_made_inside_jit():
    import jax

    x = jax.numpy.asarray([[1.0, 0.0]])
    accumulator = RankingAccumulator("map")
    accumulator.update(jax.jit(Ranked.from_scores)(x, x))
    assert scores_of(accumulator) == {"average_precision_score": 1.0}


# ---- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda x: RankingAccumulator("map", ties="mean"),
            ValueError,
            "ties must be one of 'average', 'stable', got 'mean'",
        ),
        (
            lambda x: x.update(Ranked.from_scores([[1]]), [[1]]),
            TypeError,
            "y_score= cannot be given with a Ranked: give it to Ranked.from_scores",
        ),
        (
            lambda x: RankingAccumulator("map", ties="stable").update(Ranked.from_scores([[1]])),
            TypeError,
            "ties= cannot be given with a Ranked: give it to Ranked.from_scores",
        ),
    ],
)
def test_whole_messages(call, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(RankingAccumulator("map"))


def test_a_relevance_below_0_changes_nothing():
    accumulator = RankingAccumulator("map")
    accumulator.update([[0, 1]])
    with pytest.raises(ValueError, match=r"^y_true must be finite and not negative, got -1 at row 0, column 1"):
        accumulator.update([[1, -1]])
    assert scores_of(accumulator) == {"average_precision_score": 0.5}
