"""What rankings of NumPy's arrays take: little memory; and one score for any order of the documents."""

import tracemalloc

import numpy as np
import pytest

from gpuval import ranking

N_QUERIES, LENGTH = 4000, 50


def three(relevance, y_score, queries=None, **building):
    ranked = ranking.Ranked.from_scores(relevance, y_score, queries, **building)
    ranking.average_precision_score(ranked)
    ranking.reciprocal_rank_score(ranked)
    ranking.ndcg_score(ranked, n=10)


def peak(call):
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def grown(lengths, scores_of, relevance_of=lambda random, n: random.integers(0, 3, n)):
    """By how much the peak of memory grows with the documents, as a share of what their scores do.

    The blocks that formulas go by are as large for few documents as for many, so they cancel.
    """
    random, found = np.random.default_rng(0), []
    for repeats in (2, 8):
        queries = random.permutation(np.repeat(np.arange(repeats * len(lengths)), np.tile(lengths, repeats)))
        scores = scores_of(random, len(queries))
        relevance = relevance_of(random, len(queries))
        found.append((peak(lambda x=relevance, y=scores, z=queries: three(x, y, z)), scores.nbytes))
    return (found[1][0] - found[0][0]) / (found[1][1] - found[0][1])


@pytest.mark.parametrize("lengths", [np.full(N_QUERIES, LENGTH), np.arange(N_QUERIES) % (2 * LENGTH) + 1])
def test_memory_is_at_most_four_times_the_scores(lengths):
    assert grown(lengths, lambda random, n: random.random(n)) < 3
    assert grown(lengths, lambda random, n: random.integers(0, 10, n) / 10) < 3
    assert grown(lengths, lambda random, n: random.integers(0, 10, n) / 10, lambda random, n: random.random(n)) < 3


@pytest.mark.parametrize("way", ["full", "mask", "sample_weight", "y_score"])
def test_memory_of_rows_is_at_most_four_times_the_scores(way):
    """Of scores of 32 bits: full rows, with a weight of 0, without scores; masked with relevances of 32 bits, too."""
    random, peaks = np.random.default_rng(3), []
    for n in (8 * N_QUERIES, 16 * N_QUERIES):
        scores, relevance = random.random((n, LENGTH), dtype=np.float32), random.integers(0, 3, (n, LENGTH))
        relevance = relevance.astype(np.float32) if way == "mask" else relevance
        own = {"mask": scores < 0.9, "sample_weight": np.arange(n), "y_score": None}
        given = {"y_score": scores, **{name: x for name, x in own.items() if name == way}}
        peaks.append((peak(lambda x=relevance, given=given: three(x, **given)), scores.nbytes))
    assert (peaks[1][0] - peaks[0][0]) / (peaks[1][1] - peaks[0][1]) < 4


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_memory_of_queries_with_gaps(dtype):
    """Codes of them take no more than they have to."""
    random, peaks = np.random.default_rng(4), []
    for n in (2 * N_QUERIES, 8 * N_QUERIES):
        queries = (random.permutation(np.repeat(np.arange(n), LENGTH)) * 3).astype(dtype)
        scores, relevance = random.random(len(queries)).astype(np.float32), random.random(len(queries)) < 0.1
        peaks.append((peak(lambda x=relevance, y=scores, z=queries: three(x, y, z)), scores.nbytes))
    assert (peaks[1][0] - peaks[0][0]) / (peaks[1][1] - peaks[0][1]) < 4


def test_memory_that_grows_is_found():
    share = grown(np.full(N_QUERIES, LENGTH), lambda random, n: random.random(n).astype(np.float16))
    assert share > 4  # positions take as much whatever the scores are of


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_the_same_bits_for_any_order_of_equal_scores(gain):
    random = np.random.default_rng(1)
    n = 600
    relevance, scores, queries = random.random(n), random.integers(0, 3, n) / 4, random.integers(0, 20, n)
    first = ranking.ndcg_score(relevance, scores, queries, gain=gain, return_per_query=True).query_scores
    for _ in range(10):
        order = random.permutation(n)
        given = relevance[order], scores[order], queries[order]
        assert (ranking.ndcg_score(*given, gain=gain, return_per_query=True).query_scores == first).all()


def test_blocks_do_not_change_a_bit(monkeypatch):
    random = np.random.default_rng(2)
    n = 600
    given = random.random(n), random.integers(0, 5, n) / 4, random.integers(0, 20, n)
    whole = [f(*given, n=4) for f in (ranking.average_precision_score, ranking.ndcg_score, ranking.hit_rate)]
    monkeypatch.setattr("gpuval.ranking.ranked._BLOCK", 16)
    parts = [f(*given, n=4) for f in (ranking.average_precision_score, ranking.ndcg_score, ranking.hit_rate)]
    assert parts == whole
