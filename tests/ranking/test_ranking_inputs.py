"""What rankings may be made of: queries of any kind, numbers of every type, and scores that are hard to tell apart."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf

import numpy as np
import pytest
import ranking_oracles as oracles
from backends import BACKENDS
from packages import pd, pl
from ranking_cases import IDEAL, LISTS, N_QUERIES, WEIGHTS, exact, flat, of_each, rows

import gpuval.ranking
from gpuval.ranking import (
    Ranked,
    average_precision_score,
    concordance_ratio,
    ndcg_score,
    precision_at_n,
    recall_at_n,
    reciprocal_rank_score,
)

MEASURES = {name: getattr(gpuval.ranking, name) for name in oracles.ORACLES}
LIBRARIES = ("numpy", "torch-host", "torch", "jax-x64", "strict")


# Queries

TEXT = ("aa", "b", "ba", "c", "zz")
NAMES = {
    "text": TEXT,
    "bytes": (b"a", b"b", b"c", b"d", b"e"),
    "gaps": (3, 10, 500, 10**12, 2**62),
    "negative": (-(10**15), -7, -6, 0, 4),
    "whole floats": (-2.0, 0.0, 1.0, 1e6, 2.0**40),
    "unsigned": tuple(np.arange(5, dtype=np.uint64) + np.uint64(2**63)),
}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("library", ["numpy", "torch-host", "jax-x64"])
def test_names_of_queries(library, kind):
    """Queries that are on the host go with relevances of any library."""
    backend = BACKENDS[library]
    with backend.mode():
        relevance, scores, queries = flat(NAMES[kind])
        found = ndcg_score(backend.array(relevance), backend.array(scores), queries, return_per_query=True)
        backend.assert_close(found.query_scores, oracles.filled(of_each("ndcg_score", {}), "zero"))
        assert found.queries.tolist() == np.asarray(NAMES[kind]).tolist()


def test_names_of_a_list():
    relevance, scores, queries = (x.tolist() for x in flat(TEXT))
    found = ndcg_score(relevance, scores, queries, sample_weight=list(WEIGHTS), return_per_query=True)
    assert float(found.score) == pytest.approx(float(exact("ndcg_score", {}, weights=WEIGHTS)), rel=1e-14)
    assert found.queries.tolist() == list(TEXT)


def test_names_of_pandas():
    """Categories that do not occur are no queries; those that do come in their order."""
    relevance, scores, queries = flat(TEXT)
    frame = pd.DataFrame({"relevance": relevance, "score": scores, "query": queries}, index=np.arange(20)[::-1])
    wanted = oracles.filled(of_each("average_precision_score", {}), "zero")
    categories = ["none", *TEXT, "nobody"]
    for column in (
        frame["query"],
        frame["query"].astype("category"),
        pd.Categorical(frame["query"], categories),
        frame["query"].astype("string"),
    ):
        found = average_precision_score(frame["relevance"], frame["score"], column, return_per_query=True)
        BACKENDS["numpy"].assert_close(found.query_scores, wanted)
        assert list(found.queries) == list(TEXT)


def test_columns_of_polars():
    relevance, scores, queries = flat(TEXT)
    frame = pl.DataFrame({"relevance": relevance, "score": scores, "query": queries})
    found = ndcg_score(frame["relevance"], frame["score"], frame["query"], return_per_query=True)
    BACKENDS["numpy"].assert_close(found.query_scores, oracles.filled(of_each("ndcg_score", {}), "zero"))


def test_frames_of_rows():
    relevance, scores, mask = rows()
    BACKENDS["numpy"].assert_close(
        ndcg_score(pd.DataFrame(relevance), pd.DataFrame(scores), mask=mask), exact("ndcg_score", {})
    )


def test_queries_of_few_bits():
    """As many queries as the type of their numbers has values, so that a spare one does not fit."""
    relevance, queries = np.tile([1, 0], 256), np.repeat(np.arange(256), 2).astype(np.uint8)
    scores = np.tile([1.0, 2.0], 256)
    for name in LIBRARIES:
        backend = BACKENDS[name]
        with backend.mode():
            arrays = [backend.of(x) for x in (relevance, scores, queries)]
            for options in ({}, {"n_queries": 256}):
                backend.assert_close(reciprocal_rank_score(*arrays, **options), Fraction(1, 2))
            signed = backend.of((queries.astype(int) - 128).astype(np.int8))
            backend.assert_close(reciprocal_rank_score(*arrays[:2], signed), Fraction(1, 2))


def test_numbers_of_queries_without_documents():
    """Of NumPy, with the weight 0."""
    found = precision_at_n([1, 0, 1], [3, 2, 1], [0, 0, 2], n_queries=3, sample_weight=[1, 0, 3], return_per_query=True)
    assert found.query_scores.tolist() == [0.5, 0, 1]
    assert found.score == (0.5 + 3) / 4
    assert found.queries.tolist() == [0, 1, 2]


# Types of numbers

SCORES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
NO_FLOAT16 = ("strict", "float16")
"""The standard has none."""

OF_LIBRARIES = [(name, x) for name in (*LIBRARIES, "jax") for x in (*SCORES, "bool") if (name, x) != NO_FLOAT16]


@pytest.mark.parametrize(("library", "dtype"), OF_LIBRARIES)
def test_types_of_scores(library, dtype):
    backend = BACKENDS[library]
    own = [0, 1, 1, 0, 0, 1] if dtype == "bool" else [3, 1, 3, 100, 0, 1]
    relevance = [1, 0, 2, 0, 3, 0]
    with backend.mode():
        for ties in ("average", "stable"):
            score = ndcg_score(backend.array(relevance), backend.of(np.asarray(own, dtype)), ties=ties)
            order = oracles.stable(relevance, own)
            given = (order, None) if ties == "stable" else (relevance, own)
            backend.assert_close(score, oracles.of_scores("ndcg_score", *given), f"{dtype} {ties}")


@pytest.mark.parametrize("library", ["torch", "torch-host", "jax-x64", "jax"])
def test_bfloat16(library):
    """Which NumPy has not."""
    import jax.numpy
    import torch

    relevance, scores = [1, 0, 2, 0, 3, 0], [3, 1, 3, 100, 0, -1]
    made, dtype = (torch.asarray, torch.bfloat16) if "torch" in library else (jax.numpy.asarray, jax.numpy.bfloat16)
    backend = BACKENDS[library]
    with backend.mode():
        for of_truth in (None, dtype):
            score = ndcg_score(made(relevance, dtype=of_truth), made(scores, dtype=dtype))
            backend.assert_close(score, oracles.of_scores("ndcg_score", relevance, scores))
            backend.assert_at_home(score, made(relevance))


@pytest.mark.parametrize(("library", "dtype"), [x for x in OF_LIBRARIES if x[1][-2:] not in ("16", "32")])
def test_types_of_relevances(library, dtype):
    backend = BACKENDS[library]
    relevance = [1, 0, 1, 0, 1, 0] if dtype == "bool" else [1, 0, 2, 0, 3, 0]
    scores = [3, 1, 3, 100, 0, 1]
    with backend.mode():
        truth = backend.of(np.asarray(relevance, dtype))
        for name in ("ndcg_score", "average_precision_score"):
            score = MEASURES[name](truth, backend.array(scores))
            backend.assert_close(score, oracles.of_scores(name, relevance, scores), f"{dtype} {name}")
            backend.assert_at_home(score, truth)


@pytest.mark.parametrize(
    "held", [list, lambda x: np.asarray(x, dtype=object), lambda x: pd.Series(x, dtype=object, index=range(1, 6))]
)
def test_objects_that_are_numbers(held):
    relevance, scores = [2, False, Fraction(1, 2), np.float32(0), 3.0], [True, Fraction(1, 3), Decimal("0.5"), 0, -1.5]
    wanted = oracles.of_scores("ndcg_score", list(map(Fraction, map(float, relevance))), scores)
    assert ndcg_score(held(relevance), held(scores)) == pytest.approx(float(wanted), rel=1e-14)
    numbers = held([2**62 + 1, 2**62, 2**63 - 1, 0, -5])  # which floats cannot tell apart
    assert reciprocal_rank_score([0, 1, 0, 0, 0], numbers) == pytest.approx(1 / 3, rel=1e-14)
    mask = held([True, True, False, True, True])
    assert reciprocal_rank_score([0, 1, 0, 0, 0], numbers, mask=mask) == 0.5
    assert reciprocal_rank_score([0, 1, 0, 0, 0], held([2.0**70, 2**70, 2**71, 0, -5]), ties="stable") == 1 / 3
    assert reciprocal_rank_score([0, 1, 0, 0, 0], held([Decimal("inf"), inf, Fraction(1), -inf, 0])) == 0.75


def test_columns_of_objects():
    """Beside those of numbers; numbers of relevant documents may be objects, too."""
    relevance = pd.DataFrame({"a": pd.Series([1, Decimal(0)], dtype=object), "b": [0, 2]})
    assert precision_at_n(relevance, [[2, 1], [2, 1]], n=1) == 0.5
    found = np.asarray([4, np.int8(2)], dtype=object)
    assert recall_at_n(relevance, [[2, 1], [2, 1]], n=1, n_relevant=found) == 1 / 8


@pytest.mark.parametrize("library", [*LIBRARIES, "jax"])
def test_huge_scores_that_floats_cannot_tell_apart(library):
    backend = BACKENDS[library]
    top = 2**62 if backend.has_int64 else 2**30
    scores = np.asarray([top, top + 1, top + 2, -top, -top - 1, top + 2], np.int64 if backend.has_int64 else np.int32)
    relevance = [1, 0, 2, 0, 1, 0]
    with backend.mode():
        for x in (scores, scores.astype(np.uint64) if backend.has_int64 and library == "numpy" else scores):
            score = ndcg_score(backend.array(relevance), backend.of(x))
            backend.assert_close(score, oracles.of_scores("ndcg_score", relevance, x.tolist()))


@pytest.mark.parametrize("ties", ["average", "stable"])
def test_infinite_scores_and_zeros_of_both_signs(backend, ties):
    """Infinities are scores, equal ones tied; and so are 0.0 and -0.0."""
    relevance, scores = [1, 0, 0, 1, 2, 1], [inf, -0.0, inf, 0.0, -inf, -0.0]
    score = ndcg_score(backend.array(relevance), backend.array(scores), ties=ties)
    given = (oracles.stable(relevance, scores), None) if ties == "stable" else (relevance, scores)
    backend.assert_close(score, oracles.of_scores("ndcg_score", *given))


def test_lowest_integers_are_the_last(backend):
    """Their negative is none of their type."""
    kind = np.iinfo(np.int64 if backend.has_int64 else np.int32)
    scores = backend.array([kind.min, 0, kind.max, -1, kind.min + 1, 5])
    backend.assert_close(reciprocal_rank_score(backend.array([1, 0, 0, 0, 0, 0]), scores), Fraction(1, 6))
    backend.assert_close(reciprocal_rank_score(backend.array([0, 0, 1, 0, 0, 0]), scores), Fraction(1))


# Forms


def test_a_row_alone_is_a_vector(backend):
    relevance, scores = LISTS[0]
    whole = [backend.array([x]) for x in (relevance, scores)]
    backend.assert_close(ndcg_score(*whole), oracles.of_scores("ndcg_score", relevance, scores))


def test_lists_of_rows():
    relevance, scores, mask = (x.tolist() for x in rows())
    assert ndcg_score(relevance, scores, mask=mask) == pytest.approx(float(exact("ndcg_score", {})), rel=1e-14)


@pytest.mark.parametrize("library", ["torch", "torch-host", "jax-x64", "strict"])
def test_what_is_on_the_host_goes_to_the_device(library):
    backend = BACKENDS[library]
    with backend.mode():
        relevance, scores, queries = flat()
        truth = backend.array(relevance)
        found = ndcg_score(truth, backend.array(scores), queries.tolist(), sample_weight=list(WEIGHTS), ideal=IDEAL)
        backend.assert_close(found, exact("ndcg_score", {}, weights=WEIGHTS, ideal=IDEAL))
        backend.assert_at_home(found, truth)


@pytest.mark.parametrize("library", ["jax", "jax-x64", "strict", "torch", "strict-no-x64"])
def test_names_that_a_device_has_not(library):
    """Text; and integers of 64 bits, which would be others in 32."""
    backend = BACKENDS[library]
    with backend.mode():
        arrays = [backend.array(x) for x in flat()[:2]]
        for names in (TEXT, (0, 1, 2**32, 2**32 + 1, 2**33), (2**40, 2**40 + 1, 2**40 + 2, 2**40 + 3, 2**40 + 4)):
            found = reciprocal_rank_score(*arrays, flat(names)[2], return_per_query=True)
            backend.assert_close(found.query_scores, oracles.filled(of_each("reciprocal_rank_score", {}), "zero"))
            own = found.queries if isinstance(found.queries, np.ndarray) else backend.back(found.queries)
            assert own.tolist() == list(names)


@pytest.mark.parametrize("library", ["jax", "strict", "torch"])
def test_names_beyond_the_number_of_queries(library):
    """Where that is given they are wrong, also where 32 bits would make a query of them; and text is an error."""
    backend = BACKENDS[library]
    with backend.mode():
        arrays = [backend.array(x) for x in flat()[:2]]
        queries = np.where(np.arange(20) == 4, 2**32, flat()[2])
        assert np.isnan(backend.numpy(ndcg_score(*arrays, queries, n_queries=N_QUERIES)))
        as_objects = np.asarray(flat()[2].tolist(), dtype=object)
        backend.assert_close(ndcg_score(*arrays, as_objects, n_queries=N_QUERIES), exact("ndcg_score", {}))
        with pytest.raises(TypeError) as error:
            ndcg_score(*arrays, flat(TEXT)[2], n_queries=N_QUERIES)
        assert str(error.value) == "queries must hold integers in [0, n_queries) where n_queries= is given, got 'aa'"


def test_names_that_are_known_while_jit_traces():
    import jax
    import jax.numpy as jnp

    relevance, scores, queries = flat(TEXT)
    with jax.enable_x64(True):
        score = jax.jit(lambda y, s: ndcg_score(y, s, queries))(jnp.asarray(relevance), jnp.asarray(scores))
        BACKENDS["jax-x64"].assert_close(score, exact("ndcg_score", {}))


def test_nothing_that_was_given_is_changed():
    given = [x.copy() for x in flat()]
    for ties in ("average", "stable"):
        ndcg_score(*given, ties=ties, mask=np.arange(20) != 0, ignore_relevance=3)
    for x, y in zip(given, flat(), strict=True):
        np.testing.assert_array_equal(x, y)


def test_a_ranking_stays_as_it_was():
    """It has memory of its own: what is written into the arrays later does not reach it."""
    relevance, scores = np.asarray([[1.0, 0, 2], [0, 0, 1]]), np.asarray([[3.0, 2, 1], [3, 2, 1]])
    ranking = Ranked.from_scores(relevance, scores, sample_weight=(weights := np.asarray([1.0, 3])))
    before = ndcg_score(ranking)
    relevance[:], scores[:], weights[:] = 0, 0, 0
    assert ndcg_score(ranking) == before


def test_categories_in_another_order():
    """Queries are sorted, whatever order their categories have: weights and numbers go with the sorted names."""
    names = ["x", "y", "x", "y"]
    kinds = (
        names,
        pd.Categorical(names, categories=["y", "x"]),
        pd.Series(pd.Categorical(names, categories=["z", "y", "x"], ordered=True)),
        pl.Series(names, dtype=pl.Enum(["y", "x"])),
    )
    for queries in kinds:
        # Of x the list is 1 0, of y 0 0: (1 * 1 + 3 * 0)/4.
        found = average_precision_score(
            [1, 0, 0, 0], [4, 3, 1, 1], queries, sample_weight=[1, 3], return_per_query=True
        )
        assert (found.score, found.queries.tolist(), found.query_scores.tolist()) == (0.25, ["x", "y"], [1, 0])


def test_a_ranking_keeps_nothing_of_what_was_given():
    y = np.ones(1000)
    assert Ranked.from_scores(y, y).given.base is None


def test_scores_of_64_bits_without_a_sign_are_in_order_in_torch():
    import torch

    scores = np.asarray([2**63 + 5, 2**62, 1], dtype=np.uint64)
    assert concordance_ratio(torch.asarray([1, 0, 0]), torch.asarray(scores)) == 1
    assert concordance_ratio(torch.asarray([0, 0, 1]), torch.asarray(scores)) == 0


def test_missing_objects_that_are_left_out():
    """Of three documents the second does not count, so that the relevant one is the second of two."""
    mask = [[True, False, True]]
    for missing in (None, float("nan"), pd.NA):
        relevance, scores = np.asarray([[[0, missing, 1]], [[0.75, missing, 0.5]]], dtype=object)
        assert reciprocal_rank_score(relevance, scores, mask=mask) == 1 / 2
        assert reciprocal_rank_score(relevance.tolist(), [[3, 2, 1]], ignore_relevance=[None]) == 1 / 2
