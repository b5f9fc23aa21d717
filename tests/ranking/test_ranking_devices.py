"""Rankings where values are not looked at: nothing is transferred, what is wrong gives NaN, and all can be compiled."""

from __future__ import annotations

from functools import partial
from math import nan

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import ranking_oracles as oracles
import torch
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host
from ranking_cases import CALLS, IDEAL, LONGEST, N_QUERIES, N_RELEVANT, WEIGHTS, exact, flat, given, rows, rows_of_ideal
from torch.utils import _pytree

import gpuval.ranking
from gpuval.ranking import Ranked, average_precision_score, ndcg_score, precision_at_n, reciprocal_rank_score

MEASURES = {name: getattr(gpuval.ranking, name) for name in oracles.ORACLES}
ON_DEVICES = ("torch", "jax", "strict")


# Transfers


@pytest.mark.parametrize("form", ["rows", "flat", "one"])
@pytest.mark.parametrize("name", ON_DEVICES)
def test_nothing_leaves_the_device(name, form):
    backend = BACKENDS[name]
    with backend.mode():
        if form == "one":
            arrays, building = tuple(backend.array(x) for x in flat()[:2]), {}
            weights, numbers, ideal = backend.array([2.0]), backend.array([20]), backend.array([3.0] * 20)
        else:
            arrays, building = given(backend, form)
            weights, numbers, ideal = (backend.array(x) for x in (WEIGHTS, N_RELEVANT, rows_of_ideal()))
        with transfers_to_host() as copied, jax_values_refused():
            for measure in MEASURES.values():
                measure(*arrays, **building, n=3, return_per_query=True)
            for way in (
                {"sample_weight": weights},
                {"n_relevant": numbers},
                {"ideal": ideal},
                {"ignore_relevance": 0.5},
            ):
                ranking = Ranked.from_scores(*arrays, **building, **way)
                ndcg_score(ranking, on_undefined="skip")
                reciprocal_rank_score(ranking, return_per_query=True)
            ndcg_score(*arrays, **building, ties="stable")
            average_precision_score(arrays[0], None, *arrays[2:], **building)
        assert copied == []


WAYS = {
    "numbers": (lambda backend, queries: backend.array(queries), 2),
    "numbers far apart": (lambda backend, queries: backend.array(queries * 100_000), 2),
    "floats": (lambda backend, queries: backend.array(queries.astype(float)), 3),
    "numbers on the host": (lambda backend, queries: queries, 1),
    "text": (lambda backend, queries: queries.astype(str), 1),
}
"""What queries may be, and how many transfers find them.

The smallest and the largest number; how often each code occurs, with whether all can be evaluated; and of floats before
that, whether they are whole.
"""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ON_DEVICES)
def test_queries_are_found_by_few_transfers(name, way):
    backend, (queries_of, number) = BACKENDS[name], WAYS[way]
    options = {"sample_weight": WEIGHTS, "ideal": rows_of_ideal(), "mask": np.ones(20, dtype=bool)}
    with backend.mode():
        relevance, scores, queries = flat((-3, 0, 7, 8, 1000))
        arrays = backend.array(relevance), backend.array(scores), queries_of(backend, queries)
        for building in ({}, {name: backend.array(x) for name, x in options.items()}):
            with transfers_to_host() as copied:
                ranking = Ranked.from_scores(*arrays, **building)
                for measure in MEASURES.values():
                    measure(ranking)
            assert len(copied) == number


@pytest.mark.parametrize("name", ON_DEVICES)
def test_queries_without_documents_that_count(name):
    """A query of which all documents are masked is one, for an error or with the weight 0; numbers between are none."""
    backend = BACKENDS[name]
    relevance, scores, queries = flat((-3, 0, 7, 8, 1000))
    with backend.mode():
        arrays = [backend.array(x) for x in (relevance, scores, queries)]
        mask = backend.array(queries != 7)
        with pytest.raises(ValueError) as error:
            ndcg_score(*arrays, mask=mask)
        assert str(error.value) == (
            "y_true must have a document that counts for each query, got none for query 7; with n_relevant= or ideal= "
            "it scores 0, with the weight 0 (sample_weight=) it does not count"
        )
        weights = (0.5, 3, 0, 1.25, 2)
        found = ndcg_score(*arrays, mask=mask, sample_weight=backend.array(weights), return_per_query=True)
        assert backend.numpy(found.queries).tolist() == [-3, 0, 7, 8, 1000]
        backend.assert_close(found.score, exact("ndcg_score", {}, weights=weights))
        for wrong in (weights[1:], (*weights, 1), (1,) * 2000):
            with pytest.raises(ValueError) as error:
                ndcg_score(*arrays, sample_weight=backend.array(wrong))
            assert str(error.value) == f"sample_weight must have a weight for each query (5), got {len(wrong)}"


# What is wrong


@pytest.mark.parametrize("name", ["torch", "jax", "strict"])
def test_no_query_with_a_weight_where_queries_are_found_out(name):
    backend = BACKENDS[name]
    with backend.mode(), as_on_a_device():
        arrays, _ = given(backend, "found")
        with pytest.raises(ValueError, match=f"must be above 0 for at least one query, got none of {N_QUERIES}"):
            ndcg_score(*arrays, sample_weight=backend.array([0.0] * N_QUERIES))


def wrong_rows():
    """For each mistake in the second of three rows: relevances, scores, and what else is given."""
    relevance, scores = np.asarray([[1.0, 0, 2], [0, 1, 1], [0, 0, 1]]), np.asarray([[3.0, 1, 2], [1, 2, 2], [3, 2, 1]])

    def with_(x, value):
        x = x.copy()
        x[1, 1] = value
        return x

    yield "score", (relevance, with_(scores, nan)), {}
    for value in (-1, nan, np.inf):
        yield f"relevance {value}", (with_(relevance, value), scores), {}
    yield "empty", (relevance, scores), {"mask": np.asarray([[True] * 3, [False] * 3, [True] * 3])}
    yield "n_relevant", (relevance, scores), {"n_relevant": np.asarray([2, 1, 1])}
    yield "ideal", (relevance, scores), {"ideal": np.asarray([[1.0, 2], [1, 3], [1, 0]])}
    yield "relevance of ideal", (relevance, scores), {"ideal": np.asarray([[1.0, 2, 0], [1, 1, nan], [1, 0, 0]])}


WRONG = {name: (arrays, building) for name, arrays, building in wrong_rows()}


@pytest.mark.parametrize("mistake", WRONG)
@pytest.mark.parametrize("name", ON_DEVICES)
def test_a_mistake_makes_the_score_nan(name, mistake):
    backend = BACKENDS[name]
    with backend.mode():
        arrays, building = WRONG[mistake]
        arrays, building = [backend.of(x) for x in arrays], {x: backend.of(y) for x, y in building.items()}
        for measure in (ndcg_score, average_precision_score, reciprocal_rank_score):
            found = measure(*arrays, **building, return_per_query=True)
            assert np.isnan(backend.numpy(found.score))
            assert np.isnan(backend.numpy(found.query_scores)).tolist() == [False, True, False]
            for way in ("one", "skip"):
                assert np.isnan(backend.numpy(measure(*arrays, **building, on_undefined=way)))


@pytest.mark.parametrize("mistake", WRONG)
def test_a_query_of_weight_0_is_left_out_whatever_it_has(backend, mistake):
    """Also where values are looked at, and in vectors; its own value is NaN, or that of a query without any."""
    arrays, building = WRONG[mistake]
    wanted = {name: measure(*(x[[0, 2]] for x in arrays), sample_weight=[1, 3]) for name, measure in MEASURES.items()}
    flat_building = {x: backend.array(y.ravel() if x == "mask" else y) for x, y in building.items()}
    queries = backend.array(np.repeat([0, 1, 2], 3))
    ways = [
        ([backend.array(x) for x in arrays], {x: backend.array(y) for x, y in building.items()}),
        ([*(backend.array(x.ravel()) for x in arrays), queries], {**flat_building, "n_queries": 3}),
    ]
    if backend.finds_sizes:
        ways.append((ways[1][0], flat_building))
    weights = backend.array([1.0, 0, 3])
    for given_arrays, options in ways:
        for name in ("ndcg_score", "average_precision_score"):
            for undefined in ("zero", "skip"):
                found = MEASURES[name](
                    *given_arrays, **options, sample_weight=weights, on_undefined=undefined, return_per_query=True
                )
                backend.assert_close(found.score, float(wanted[name]), f"{name} {mistake}")
                values = backend.numpy(found.query_scores)
                assert np.isnan(values[1]) or (mistake == "empty" and values[1] == 0)


@pytest.mark.parametrize("name", ON_DEVICES)
def test_wrong_weights_and_queries_make_the_score_nan(name):
    backend = BACKENDS[name]
    with backend.mode():
        arrays, building = given(backend, "flat")
        for value in (-1, nan, np.inf):
            weights = backend.array([1.0, value, 1, 0, 1])
            assert np.isnan(backend.numpy(ndcg_score(*arrays, **building, sample_weight=weights)))
        assert np.isnan(backend.numpy(ndcg_score(*arrays, **building, sample_weight=backend.array([0.0] * 5))))
        for outside in (-1, N_QUERIES):
            queries = backend.array(np.where(np.arange(20) == 3, outside, flat()[2]))
            weights = backend.array(WEIGHTS)
            for options in ({}, {"sample_weight": weights}, {"on_undefined": "skip"}):
                assert np.isnan(backend.numpy(ndcg_score(*arrays[:2], queries, **building, **options)))


def test_where_masked_a_document_may_have_any_query(backend):
    relevance, scores, mask = rows()
    queries = np.where(mask, np.arange(N_QUERIES)[:, None], 99)
    arrays = [backend.array(x.ravel()) for x in (relevance, scores, queries)]
    score = ndcg_score(*arrays, mask=backend.array(mask.ravel()), n_queries=N_QUERIES)
    backend.assert_close(score, exact("ndcg_score", {}))


# JAX


def args_of_rows(library):
    relevance, scores, mask = map(library, rows())
    return relevance, scores, mask


def test_jit():
    @jax.jit
    def of_rows(relevance, scores, mask):
        return {
            call: MEASURES[name](relevance, scores, mask=mask, **options) for call, (name, options) in CALLS.items()
        }

    @jax.jit
    def of_flat(relevance, scores, queries):
        given = relevance, scores, queries
        return {name: measure(*given, n_queries=N_QUERIES, n=3, ties="stable") for name, measure in MEASURES.items()}

    with jax.enable_x64(True):
        for call, score in of_rows(*args_of_rows(jnp.asarray)).items():
            BACKENDS["jax-x64"].assert_close(score, exact(*CALLS[call]), call)
        with as_on_a_device():
            for name, score in of_flat(*map(jnp.asarray, flat())).items():
                BACKENDS["jax-x64"].assert_close(score, exact(name, {"n": 3}, ties="stable"), name)


def test_jit_needs_the_number_of_queries():
    with pytest.raises(TypeError) as error:
        jax.jit(ndcg_score)(*map(jnp.asarray, flat()))
    assert str(error.value) == (
        "n_queries must be given inside jax.jit or jax.vmap, where the queries are not known yet"
    )


def test_jax_vmap():
    """Of the rows, each as a vector; and of several matrices."""
    with jax.enable_x64(True):
        relevance, scores, mask = args_of_rows(jnp.asarray)
        for name in ("ndcg_score", "average_precision_score", "reciprocal_rank_score"):
            found = jax.vmap(lambda y, s, m, name=name: MEASURES[name](y, s, mask=m))(relevance, scores, mask)
            wanted = MEASURES[name](*rows()[:2], mask=rows()[2], return_per_query=True).query_scores
            np.testing.assert_allclose(found, wanted, rtol=1e-14)
        several = [jnp.stack([x, x[::-1]]) for x in (relevance, scores, mask)]
        found = jax.vmap(lambda y, s, m: ndcg_score(y, s, mask=m, n=3))(*several)
        np.testing.assert_allclose(found, [float(exact("ndcg_score", {"n": 3}))] * 2, rtol=1e-14)


def rankings():
    """Of all kinds: of NumPy, JAX on the host and JAX as on a device; with names, weights and what is broken."""
    relevance, scores, queries = flat()
    text = np.asarray(["b", "c", "d", "e", "f"])[queries]
    arrays = [jnp.asarray(x) for x in (relevance, scores, queries)]
    options = {"sample_weight": WEIGHTS, "ideal": IDEAL}
    yield Ranked.from_scores(relevance, scores, queries, **options)
    yield Ranked.from_scores(relevance, scores, text, **options)
    yield Ranked.from_scores(arrays[0], arrays[1], text, **options)
    yield Ranked.from_scores(arrays[0], arrays[1], queries * 10**7, **options, ties="average")
    with as_on_a_device():
        yield Ranked.from_scores(*arrays, n_queries=N_QUERIES, **options)
        yield Ranked.from_scores(arrays[0], arrays[1], text, **options)


@pytest.mark.parametrize("i", range(6))
def test_a_ranking_is_a_tree(i):
    with jax.enable_x64(True):
        ranking = list(rankings())[i]
        score = jax.jit(lambda x: (ndcg_score(x, n=3), reciprocal_rank_score(x), precision_at_n(x)))
        for name, value in zip(("ndcg_score", "reciprocal_rank_score", "precision_at_n"), score(ranking), strict=True):
            options = {"n": 3} if name == "ndcg_score" else {}
            wanted = exact(name, options, weights=WEIGHTS, ideal=IDEAL)
            BACKENDS["jax-x64"].assert_close(value, wanted, name)
        leaves, structure = jax.tree_util.tree_flatten(ranking)
        others, other_structure = _pytree.tree_flatten(ranking)
        back = jax.tree_util.tree_unflatten(structure, leaves), _pytree.tree_unflatten(others, other_structure)
        for again in back:
            assert isinstance(again, Ranked)
            assert again.n_queries == N_QUERIES
            assert np.asarray(again.queries).tolist() == np.asarray(ranking.queries).tolist()
            assert again.queries.dtype == ranking.queries.dtype
            found = average_precision_score(again, return_per_query=True)
            wanted = average_precision_score(ranking, return_per_query=True)
            np.testing.assert_allclose(found.query_scores, wanted.query_scores, rtol=1e-15)
            assert type(found.score) is type(wanted.score)


def test_a_ranking_is_what_jit_gives():
    with jax.enable_x64(True):
        relevance, scores, mask = args_of_rows(jnp.asarray)
        ranking = jax.jit(lambda y, s, m: Ranked.from_scores(y, s, mask=m))(relevance, scores, mask)
        assert isinstance(ranking, Ranked)
        assert ranking.shape == (N_QUERIES, LONGEST)
        BACKENDS["jax-x64"].assert_close(ndcg_score(ranking), exact("ndcg_score", {}))


# PyTorch


@pytest.fixture
def fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def test_torch_compile(fresh):
    def of_rows(relevance, scores, mask):
        ranking = Ranked.from_scores(relevance, scores, mask=mask)
        return [measure(ranking, n=3) for measure in MEASURES.values()]

    def of_flat(relevance, scores, queries, weights):
        given = relevance, scores, queries
        score = ndcg_score(*given, n_queries=N_QUERIES, sample_weight=weights, gain="exponential")
        return score, ndcg_score(*given, n_queries=N_QUERIES, ties="stable", on_undefined="skip")

    backend = BACKENDS["torch-host"]
    found = torch.compile(of_rows, fullgraph=True, backend="eager")(*args_of_rows(torch.asarray))
    for name, score in zip(MEASURES, found, strict=True):
        backend.assert_close(score, exact(name, {"n": 3}), name)
    compiled = torch.compile(of_flat, fullgraph=True, backend="aot_eager")
    score, stable = compiled(*map(torch.asarray, flat()), torch.asarray(WEIGHTS, dtype=torch.float64))
    backend.assert_close(score, exact("ndcg_score", {"gain": "exponential"}, weights=WEIGHTS))
    backend.assert_close(stable, exact("ndcg_score", {}, ties="stable", on_undefined="skip"))


@pytest.mark.by_default
def test_a_ranking_goes_into_compiled_code(fresh):
    backend = BACKENDS["torch"]
    with backend.mode():
        ranking = Ranked.from_scores(*map(torch.asarray, flat()), n_queries=N_QUERIES)
    score = torch.compile(partial(ndcg_score, n=3), fullgraph=True, backend="eager")(ranking)
    backend.assert_close(score, exact("ndcg_score", {"n": 3}))


def test_torch_vmap():
    relevance, scores, mask = args_of_rows(torch.asarray)
    for name in ("ndcg_score", "average_precision_score", "reciprocal_rank_score"):
        found = torch.func.vmap(lambda y, s, m, name=name: MEASURES[name](y, s, mask=m))(relevance, scores, mask)
        wanted = MEASURES[name](*rows()[:2], mask=rows()[2], return_per_query=True).query_scores
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


# Gradients


@pytest.mark.parametrize("name", ["torch", "torch-host"])
def test_scores_that_require_a_gradient(name):
    backend = BACKENDS[name]
    with backend.mode():
        relevance, scores, mask = args_of_rows(torch.asarray)
        scores.requires_grad_()
        relevance.requires_grad_()
        for measure, call in MEASURES.items():
            score = call(relevance, scores, mask=mask, n=3)
            assert not score.requires_grad
            backend.assert_close(score, exact(measure, {"n": 3}))


def test_a_gradient_of_jax_is_0():
    with jax.enable_x64(True):
        relevance, scores, mask = args_of_rows(jnp.asarray)
        scores = jnp.where(mask, scores, 0)
        for measure in (ndcg_score, average_precision_score):
            value, slope = jax.value_and_grad(lambda s, measure=measure: measure(relevance, s, mask=mask))(scores)
            assert np.asarray(slope).tolist() == np.zeros((N_QUERIES, LONGEST)).tolist()
            assert float(value) == pytest.approx(float(exact(measure.__name__, {})), rel=1e-14)
