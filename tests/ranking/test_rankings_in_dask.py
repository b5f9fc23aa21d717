"""Rows of documents that Dask holds: sums add up block by block, and what cannot is said."""

import functools
import re
from fractions import Fraction

import dask
import dask.array as da
import numpy as np
import pytest

from gpuval import ranking
from gpuval.ranking import RankingAccumulator
from gpuval.torchmetrics import RankingMetric

ROWS = [[0, 1, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]]
SCORES = np.asarray([[0.9, 0.5, 0.25, 0.125]] * 5)
RECIPROCAL = [Fraction(1, 2), None, Fraction(1), Fraction(1, 4), Fraction(1)]
"""Of each row, one by the rank of the first relevant document; None if it has none."""
WEIGHTS = [0, 0, 2, 1, 1]


def in_blocks(x, *sizes):
    return da.from_array(np.asarray(x), chunks=sizes)


def mean(values, weights):
    return Fraction(sum(x * w for x, w in zip(values, weights, strict=True)), sum(weights))


@pytest.mark.parametrize("sizes", [(1, 4), (2, 4), (2, 3), (5, 1)])
@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_blocks_are_one_call(scheduler, sizes):
    """Blocks hold whole rows in the end, however wide they were; the first block has no weight."""
    with dask.config.set(scheduler=scheduler):
        given = in_blocks(ROWS, *sizes), in_blocks(SCORES, 3, 4)
        found = ranking.reciprocal_rank_score(*given)
        assert type(found) is np.float64
        assert found == pytest.approx(float(mean([x or 0 for x in RECIPROCAL], [1] * 5)), abs=1e-15)
        found = ranking.reciprocal_rank_score(*given, sample_weight=in_blocks(WEIGHTS, 2))
        assert found == pytest.approx(float(mean([x or 0 for x in RECIPROCAL], WEIGHTS)), abs=1e-15)
        found = ranking.reciprocal_rank_score(*given, on_undefined="skip")
        assert found == pytest.approx(float(mean([x for x in RECIPROCAL if x is not None], [1] * 4)), abs=1e-15)


def test_other_arguments():
    given = in_blocks(ROWS, 2, 4), in_blocks(SCORES * 0, 2, 4)
    mask = np.asarray([[True, True, False, False]] * 5)
    found = ranking.precision_at_n(*given, n=1, ties="stable", mask=in_blocks(mask, 2, 4))
    assert found == pytest.approx(0.4, abs=1e-15)  # rows three and five start with a relevant document
    found = ranking.precision_at_n(*given, n=1, mask=in_blocks(mask, 2, 4))
    assert found == pytest.approx(0.4, abs=1e-15)  # (1/2 + 0 + 1/2 + 0 + 1)/5, over both orders of two documents
    found = ranking.recall_at_n(given[0], n=1, n_relevant=in_blocks([2, 1, 4, 1, 5], 2))
    assert found == pytest.approx(float((Fraction(1, 4) + Fraction(1, 5)) / 5), abs=1e-15)
    assert ranking.recall_at_n(given[0], n=1, n_relevant=10) == pytest.approx(0.04, abs=1e-15)
    assert ranking.hit_rate(given[0], ignore_relevance=0, sample_weight=in_blocks([1, 0, 1, 1, 1], 3)) == 1


def test_ideals_and_rows_without_documents():
    ideal = in_blocks([[2, 1, 1], [2, 0, 0], [3, 1, 0], [1, 0, 0], [1] * 3], 3, 3)
    mask = in_blocks(np.asarray(ROWS) < 0, 2, 4)
    given = in_blocks(ROWS, 2, 4)[:4]
    found = ranking.ndcg_score(given, ideal=ideal[:4])
    assert found == pytest.approx(ranking.ndcg_score(ROWS[:4], ideal=np.asarray(ideal)[:4]), rel=1e-15)
    assert ranking.recall_at_n(in_blocks(ROWS, 2, 4), mask=mask, ideal=ideal) == 0
    found = ranking.average_precision_score(given, n=1, divisor="relevant", n_relevant=in_blocks([4, 1, 2, 1], 2))
    assert found == pytest.approx(1 / 2 / 4, rel=1e-15)
    with pytest.raises(TypeError, match=r"^y_true and ideal must be of one array library"):
        ranking.ndcg_score(given, ideal=np.asarray(ideal)[:4])


def test_evaluate():
    given = in_blocks(ROWS, 2, 4), in_blocks(SCORES, 3, 4)
    scores = ranking.evaluate(*given, metrics=["mrr", "recall@1"])
    assert scores["mrr"] == pytest.approx(float(mean([x or 0 for x in RECIPROCAL], [1] * 5)), abs=1e-15)
    assert scores["recall@1"] == pytest.approx(float((Fraction(1, 2) + Fraction(1, 4)) / 5), abs=1e-15)
    assert (scores.n_queries, scores.n_undefined) == (5, {})
    parts = [[dask.delayed(np.asarray)(x[i : i + 2]) for i in (0, 2, 4)] for x in (ROWS, SCORES)]
    assert ranking.evaluate(*parts, metrics="mrr")["mrr"] == pytest.approx(float(scores["mrr"]), abs=1e-15)
    assert repr(scores).splitlines()[1].split() == ["reciprocal_rank_score", f"{scores['mrr']:.3f}", "5"]


def test_the_largest_relevance_of_a_block_is_not_that_of_all():
    given = in_blocks([[1, 0], [3, 0]], 1, 2)
    found = ranking.expected_reciprocal_rank(given, max_relevance=3)
    assert found == pytest.approx(float((Fraction(2 - 1, 8) + Fraction(8 - 1, 8)) / 2), abs=1e-15)
    must = (
        "max_relevance must be given to expected_reciprocal_rank for batches or blocks, of which each may have another "
        "largest relevance, got None; "
    )
    instead = 'in place of metrics="all" give a list of measures, in which '
    partial = "functools.partial(expected_reciprocal_rank, max_relevance=...) is a measure with it"
    for call, hint in (
        (lambda: ranking.expected_reciprocal_rank(given), partial),
        (lambda: ranking.evaluate(given, metrics="err"), partial),
        (lambda: RankingAccumulator(["map", "err"]), partial),
        (lambda: ranking.evaluate(given, metrics="all"), instead + partial),
        (lambda: RankingAccumulator("ALL"), instead + partial),
        (lambda: RankingMetric("all"), instead + partial),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(must + hint)}$"):
            call()
    accumulator = RankingAccumulator(functools.partial(ranking.expected_reciprocal_rank, max_relevance=3))
    for row in ([1, 0], [3, 0]):
        accumulator.update(row)
    assert list(accumulator.scores.values()) == [found]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            lambda: ranking.ndcg_score(SCORES, in_blocks(SCORES, 2, 4)),
            (
                "y_true and y_score must be of one array library, got numpy.ndarray and dask.Array; hold both in Dask "
                "(dask.array.from_array), or neither (.compute())"
            ),
        ),
        (
            lambda: ranking.evaluate(in_blocks(ROWS, 2, 4), return_per_query=True),
            "return_per_query must be False where Dask holds y_true, as blocks give sums alone: compute it",
        ),
    ],
)
def test_what_blocks_cannot_do(given, error):
    with pytest.raises(TypeError, match=f"^{re.escape(error)}$"):
        given()


def test_no_worker_holds_all_rows():
    """Each block is made, read and forgotten."""
    rows = []

    def block(block_info=None):
        lengths = block_info[None]["chunk-shape"]
        rows.append(lengths)
        return np.ones(lengths)

    given = da.map_blocks(block, chunks=((3,) * 20, (4,)), dtype=float, meta=np.empty((0, 0)))
    with dask.config.set(scheduler="synchronous"):
        assert ranking.hit_rate(given) == 1
    assert rows == [(3, 4)] * 20


def test_blocks_without_rows_and_of_unknown_length():
    given = da.concatenate([in_blocks(ROWS, 2, 4)[:0], in_blocks(ROWS, 2, 4)])
    wanted = ranking.average_precision_score(ROWS)
    assert ranking.average_precision_score(given) == pytest.approx(wanted, abs=1e-15)
    rows = in_blocks(ROWS, 2, 4)
    kept = rows[da.any(rows > 0, axis=1)]  # of which nobody knows how many there are
    assert np.isnan(kept.shape[0])
    wanted = ranking.average_precision_score(ROWS, on_undefined="skip")
    assert ranking.average_precision_score(kept) == pytest.approx(wanted, abs=1e-15)


MATRIX, VECTOR = in_blocks(ROWS, 2, 4), in_blocks(ROWS, 2, 4).reshape(-1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: ranking.hit_rate(VECTOR, VECTOR, in_blocks(np.repeat(np.arange(5), 4), 4)),
            TypeError,
            (
                "queries must be left out where Dask holds y_true, as the documents of a query may lie in several "
                "blocks: compute y_true, y_score and queries, or give a row for each query"
            ),
        ),
        (
            lambda: ranking.hit_rate(MATRIX, n_queries=5),
            TypeError,
            (
                "n_queries must be left out where Dask holds y_true, as the documents of a query may lie in several "
                "blocks: compute y_true, y_score and queries, or give a row for each query"
            ),
        ),
        (
            lambda: ranking.hit_rate(VECTOR),
            ValueError,
            "y_true must have a row for each query where Dask holds it, got shape (20,): compute it, or give rows",
        ),
        (
            lambda: ranking.hit_rate(MATRIX, VECTOR),
            ValueError,
            "y_score must have a row for each query where Dask holds it, got shape (20,): compute it, or give rows",
        ),
        (
            lambda: ranking.hit_rate(MATRIX, return_per_query=True),
            TypeError,
            "return_per_query must be False where Dask holds y_true, as blocks give sums alone: compute it",
        ),
        (
            lambda: ranking.hit_rate(MATRIX, SCORES),
            TypeError,
            (
                "y_true and y_score must be of one array library, got dask.Array and numpy.ndarray; hold both in Dask "
                "(dask.array.from_array), or neither (.compute())"
            ),
        ),
        (
            lambda: ranking.hit_rate(MATRIX, sample_weight=[1, 1, 1, 1, 1]),
            TypeError,
            (
                "y_true and sample_weight must be of one array library, got dask.Array and builtins.list; hold both in "
                "Dask (dask.array.from_array), or neither (.compute())"
            ),
        ),
        (
            lambda: ranking.hit_rate(MATRIX, sample_weight=in_blocks([0] * 5, 2)),
            ValueError,
            "sample_weight must be above 0 for at least one query, got none of 5",
        ),
        (
            lambda: ranking.hit_rate(in_blocks([[1, 1], [1, 1], [1, 1], [1, -1]], 2, 2)),
            ValueError,
            (
                "y_true must be finite and not negative, got -1 at row 1, column 1; ignore_relevance= leaves documents "
                "out (in a block of Dask, whose rows are counted from 0)"
            ),
        ),
        (
            lambda: RankingAccumulator("map").update(MATRIX),
            TypeError,
            "y_true must be in memory here, got dask.Array; compute it",
        ),
    ],
)
def test_what_is_refused(call, error, message):
    with dask.config.set(scheduler="synchronous"), pytest.raises(error, match=f"^{re.escape(message)}$"):
        call()
