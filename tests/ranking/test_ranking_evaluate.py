"""Many measures of one ranking at once: the values of each by itself, names, the result, and what is wrong."""

import re
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from backends import as_on_a_device, transfers_to_host

from gpuval import ranking
from gpuval.engines.host.engine import Host
from gpuval.ranking import Ranked, RankingScores, evaluate
from gpuval.ranking import ranked as sorting

F = Fraction

RELEVANCE = np.asarray([[0, 1, 1], [0, 0, 0], [1, 0, 0]])
SCORES = np.asarray([[0.5, 0.1, 0.9], [0.3, 0.2, 0.1], [0.4, 0.6, 0.2]])
QUERIES = np.repeat([0, 1, 2], 3)
METRICS = ("map", "mrr", "precision@2", "recall@2", "hit_rate@1")
VALUES = {
    "average_precision_score": (F(5, 6), F(0), F(1, 2)),
    "reciprocal_rank_score": (F(1), F(0), F(1, 2)),
    "precision_at_n@2": (F(1, 2), F(0), F(1, 2)),
    "recall_at_n@2": (F(1, 2), F(0), F(1)),
    "hit_rate@1": (F(1), F(0), F(0)),
}
"""Of the lists 1 0 1, 0 0 0 and 0 1 0, by hand."""


def mean(values):
    return sum(values) / len(values)


def forms(backend):
    """The arguments of the same three lists: by rows, and flat in another order, with and without their number."""
    order = [4, 0, 8, 2, 6, 1, 3, 7, 5]
    flat = [backend.array(x.ravel()[order]) for x in (RELEVANCE, SCORES, QUERIES)]
    yield (backend.array(RELEVANCE), backend.array(SCORES)), {}
    yield flat, {"n_queries": 3}
    if backend.finds_sizes:
        yield flat, {}


def test_scores_are_what_the_lists_say(backend):
    for arrays, building in forms(backend):
        scores = evaluate(*arrays, metrics=METRICS, **building)
        assert list(scores) == list(VALUES)
        for name, values in VALUES.items():
            backend.assert_close(scores[name], mean(values), name)
            backend.assert_at_home(scores[name], arrays[0])
            assert int(backend.numpy(scores.n_undefined[name])) == 1
        assert scores.n_queries == 3


def test_queries_without_a_relevant_document(backend):
    arrays, building = next(forms(backend))
    for way, change in (("one", F(1, 3)), ("skip", None)):
        scores = evaluate(*arrays, metrics=METRICS, on_undefined=way, **building)
        for name, values in VALUES.items():
            expected = mean(values) + change if change else F(sum(values), 2)
            backend.assert_close(scores[name], expected, f"{name} {way}")
    assert np.isnan(backend.numpy(evaluate(*arrays, metrics="map", on_undefined="nan")["map"]))


def test_values_of_queries(backend):
    for arrays, building in forms(backend):
        scores = evaluate(*arrays, metrics=METRICS, return_per_query=True, **building)
        for name, values in VALUES.items():
            found = scores.per_query(name)
            backend.assert_close(found.query_scores, list(values), name)
            backend.assert_close(found.score, mean(values), name)
            assert backend.numpy(found.queries).tolist() == [0, 1, 2]


def test_a_ranking_is_sorted_and_read_once():
    with mock.patch.object(Ranked, "from_scores", wraps=Ranked.from_scores) as sort:
        scores = evaluate(RELEVANCE, SCORES, metrics=METRICS)
    assert sort.call_count == 1
    once = Ranked.from_scores(RELEVANCE, SCORES)
    with mock.patch.object(sorting, "lists_of", wraps=sorting.lists_of) as lists:
        assert evaluate(once, metrics=METRICS) == scores
    assert lists.call_count == 1  # the lists of a block of queries, for all measures
    with (
        mock.patch.object(sorting, "_BLOCK", 2),
        mock.patch.object(sorting, "lists_of", wraps=sorting.lists_of) as lists,
    ):
        assert evaluate(once, metrics=METRICS) == scores
    assert lists.call_count == 3


def test_the_best_order_is_found_once():
    with mock.patch.object(Host, "largest_first", autospec=True, side_effect=Host.largest_first) as best:
        evaluate(RELEVANCE, SCORES, metrics=["ndcg@1", "ndcg@2", "ndcg"])
    assert best.call_count == 1


def test_each_score_is_that_of_the_measure():
    random = np.random.default_rng(0)
    relevance, scores = random.integers(0, 3, (20, 12)), random.integers(0, 8, (20, 12)) / 8
    weights = random.random(20)
    ideal = np.concatenate([relevance, relevance[:, :4]], axis=1)
    building = {"sample_weight": weights, "ties": "stable", "ideal": ideal, "mask": random.random((20, 12)) < 0.9}
    found = evaluate(relevance, scores, **building)
    expected = {
        "average_precision_score": ranking.average_precision_score(relevance, scores, **building),
        "reciprocal_rank_score": ranking.reciprocal_rank_score(relevance, scores, **building),
        "ndcg_score@10": ranking.ndcg_score(relevance, scores, n=10, **building),
        "precision_at_n@10": ranking.precision_at_n(relevance, scores, n=10, **building),
        "recall_at_n@10": ranking.recall_at_n(relevance, scores, n=10, **building),
        "hit_rate@10": ranking.hit_rate(relevance, scores, n=10, **building),
    }
    assert list(found) == list(expected)  # the default
    assert found == expected
    everything = evaluate(relevance, scores, metrics="all")
    for name, score in everything.items():
        assert score == getattr(ranking, name)(relevance, scores), name


def test_ignored_relevances_are_left_out():
    relevance = np.asarray([[1, -1, 0]])
    scores = evaluate(relevance, [[0.1, 0.9, 0.5]], metrics="mrr", ignore_relevance=-1)
    assert float(scores["mrr"]) == 0.5


# Names and functions


def test_names():
    scores = evaluate(RELEVANCE, SCORES, metrics={"a": "map", ("b", 2): "Precision@2"})
    assert list(scores) == ["a", ("b", 2)]
    scores = evaluate(RELEVANCE, SCORES, metrics=METRICS)
    assert scores["MAP"] == scores["ap"] == scores["average_precision_score"]
    assert scores["Precision@2"] == scores["precision_at_n@2"]
    assert "mrr" in scores
    for name in ("precision@3", "ndcg", 7):
        assert name not in scores


def test_functions_of_users():
    metrics = {"lists": lambda x: x.n_queries, "two": lambda x: (x.n_documents, 0.5), "map": "map"}
    scores = evaluate(RELEVANCE, SCORES, metrics=metrics, return_per_query=True)
    assert scores["lists"] == 3
    assert list(scores.n_undefined) == ["map"]
    assert repr(scores).splitlines() == [
        "       score  queries  undefined",
        "lists      3        3",
        "two.0      9        3",
        "two.1  0.500        3",
        "map    0.444        3          1",
    ]
    assert scores.to_dict() == {"lists": 3, "two.0": 9, "two.1": 0.5, "map": pytest.approx(4 / 9, abs=1e-15)}
    with pytest.raises(KeyError, match="lists"):
        scores.per_query("lists")


def test_to_pandas():
    scores = evaluate(RELEVANCE, SCORES, metrics={"lists": lambda x: x.n_queries, "map": "map"})
    table = scores.to_pandas()
    assert table.columns.tolist() == ["score", "n_queries", "n_undefined"]
    assert table.index.tolist() == ["lists", "map"]
    assert table["score"].tolist() == [3, float(scores["map"])]
    assert table["n_queries"].tolist() == [3, 3]
    assert table["n_undefined"].isna().tolist() == [True, False]


def test_equality():
    scores = evaluate(RELEVANCE, SCORES, metrics=["map"])
    assert scores == evaluate(RELEVANCE, SCORES, metrics="map") == {"average_precision_score": scores["map"]}
    assert scores != evaluate(RELEVANCE, SCORES, metrics="mrr")
    assert scores != evaluate(1 - RELEVANCE, SCORES, metrics="map")
    assert scores != 1


# On a device


def test_nothing_leaves_the_device(backend):
    if backend.name == "numpy":
        with transfers_to_host() as copied:
            evaluate(RELEVANCE, SCORES)
        assert copied == []
        return
    with as_on_a_device(), transfers_to_host() as copied:
        for arrays, building in forms(backend):
            if len(arrays) == 2 or building:
                evaluate(*arrays, metrics=METRICS, return_per_query=True, **building)
        assert copied == []


@pytest.mark.by_default
def test_jit():
    import jax

    arrays = jax.numpy.asarray(RELEVANCE), jax.numpy.asarray(SCORES)
    scores = jax.jit(lambda *x: evaluate(*x, metrics=METRICS, return_per_query=True))(*arrays)
    assert type(scores) is RankingScores
    assert (list(scores), scores.n_queries) == (list(VALUES), 3)
    for name, values in VALUES.items():
        np.testing.assert_allclose(scores[name], float(mean(values)), rtol=1e-6)
        np.testing.assert_allclose(scores.per_query(name).query_scores, list(map(float, values)), rtol=1e-6)
        assert int(scores.n_undefined[name]) == 1
    ranked = Ranked.from_scores(*arrays)
    assert jax.jit(lambda x: evaluate(x, metrics=METRICS))(ranked).to_dict() == pytest.approx(scores.to_dict())
    seen = []
    jax.jit(lambda *x: seen.append(repr(evaluate(*x, metrics="map"))))(*arrays)
    assert "average_precision_score" in seen[0]


def test_vmap():
    import jax

    flat = jax.numpy.asarray(RELEVANCE), jax.numpy.asarray(SCORES)
    scores = jax.vmap(lambda *x: evaluate(*x, metrics="map"))(*flat)  # each list by itself
    np.testing.assert_allclose(scores["map"], list(map(float, VALUES["average_precision_score"])), rtol=1e-6)
    assert scores.n_undefined["average_precision_score"].tolist() == [0, 1, 0]


def test_compiled_by_pytorch():
    import torch

    arrays = torch.asarray(RELEVANCE), torch.asarray(SCORES)
    step = torch.compile(lambda *x: dict(evaluate(*x, metrics=("map", "mrr"))), fullgraph=True, backend="eager")
    assert {name: float(x) for name, x in step(*arrays).items()} == evaluate(*arrays, metrics=("map", "mrr")).to_dict()


def test_values_of_queries_that_were_not_kept():
    message = "per_query() needs the values of queries; give return_per_query=True to evaluate"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        evaluate(RELEVANCE, SCORES).per_query("map")
    with pytest.raises(KeyError, match="ndcg"):
        evaluate(RELEVANCE, SCORES, metrics="map", return_per_query=True).per_query("ndcg")
