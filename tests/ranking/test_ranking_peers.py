"""The same numbers as scikit-learn and torchmetrics where they agree with the definitions, and where they do not."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics as sklearn
import torch
import torchmetrics.functional.retrieval as retrieval

from gpuval import ranking

TOLERANCE = 1e-12
SINGLE = 2e-6
"""What torchmetrics finds is of 32 bits."""

FIRST = (None, 1, 3, 10)


def lists(levels=None, grades=2):
    """Relevances and scores above 0 of 200 lists of different lengths, each with a document that is relevant."""
    random = np.random.default_rng(11)
    for i in range(200):
        size = int(random.integers(2, 30))
        relevance = random.integers(0, grades, size)
        relevance[random.integers(size)] = grades - 1
        scores = 0.01 + random.random(size) if levels is None else (1 + random.integers(0, levels, size)) / levels
        yield relevance, scores if i % 2 else np.round(scores, 3 if levels is None else 16)


# scikit-learn


@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("n", FIRST)
def test_gains_of_scikit_learn(n, levels):
    for relevance, scores in lists(levels, grades=4):
        for ours, theirs in ((ranking.ndcg_score, sklearn.ndcg_score), (ranking.dcg_score, sklearn.dcg_score)):
            found, wanted = ours(relevance, scores, n=n), theirs([relevance], [scores], k=n)
            assert found == pytest.approx(wanted, rel=TOLERANCE)


def test_exponential_gains_of_scikit_learn():
    """There they are given in place of the relevances."""
    for relevance, scores in lists(4, grades=4):
        found = ranking.ndcg_score(relevance, scores, n=5, gain="exponential")
        assert found == pytest.approx(sklearn.ndcg_score([2.0**relevance - 1], [scores], k=5), rel=TOLERANCE)


def test_average_precision_of_scikit_learn():
    for relevance, scores in lists():
        if len(set(scores)) == len(scores):
            found = ranking.average_precision_score(relevance, scores)
            assert found == pytest.approx(sklearn.average_precision_score(relevance, scores), rel=TOLERANCE)
            found = sklearn.label_ranking_average_precision_score([relevance], [scores])
            assert ranking.average_precision_score(relevance, scores) == pytest.approx(found, rel=TOLERANCE)


def test_average_precision_of_tied_documents_differs():
    """There tied documents are found all at once; here the mean over their orders, 1 and 1/2."""
    assert sklearn.average_precision_score([1, 0], [5, 5]) == 1 / 2
    assert sklearn.label_ranking_average_precision_score([[1, 0]], [[5, 5]]) == 1 / 2
    assert ranking.average_precision_score([1, 0], [5, 5]) == 3 / 4


def test_a_matrix_of_scikit_learn():
    random = np.random.default_rng(4)
    relevance, scores = random.integers(0, 4, (50, 12)), random.integers(0, 6, (50, 12)) / 6
    for n in FIRST:
        for weights in (None, random.integers(0, 4, 50) / 2):
            found = ranking.ndcg_score(relevance, scores, n=n, sample_weight=weights)
            wanted = sklearn.ndcg_score(relevance, scores, k=n, sample_weight=weights)
            assert found == pytest.approx(wanted, rel=TOLERANCE)


# torchmetrics

RETRIEVAL = {
    "precision_at_n": (retrieval.retrieval_precision, {}),
    "recall_at_n": (retrieval.retrieval_recall, {}),
    "hit_rate": (retrieval.retrieval_hit_rate, {}),
    "reciprocal_rank_score": (retrieval.retrieval_reciprocal_rank, {}),
    "ndcg_score": (retrieval.retrieval_normalized_dcg, {}),
}


@pytest.mark.parametrize("n", FIRST)
@pytest.mark.parametrize("name", RETRIEVAL)
def test_torchmetrics(name, n):
    theirs, options = RETRIEVAL[name]
    for relevance, scores in lists(grades=4 if name == "ndcg_score" else 2):
        if len(set(scores.astype(np.float32))) < len(scores):
            continue
        given = torch.asarray(scores, dtype=torch.float32), torch.asarray(relevance)
        wanted = float(theirs(*given, top_k=n, **options))
        assert getattr(ranking, name)(relevance, scores, n=n) == pytest.approx(wanted, rel=SINGLE, abs=SINGLE)


def test_average_precision_of_torchmetrics():
    for relevance, scores in lists():
        if len(set(scores.astype(np.float32))) == len(scores):
            given = torch.asarray(scores, dtype=torch.float32), torch.asarray(relevance)
            wanted = float(retrieval.retrieval_average_precision(*given))
            assert ranking.average_precision_score(relevance, scores) == pytest.approx(wanted, rel=SINGLE)


def test_gains_of_tied_documents_of_torchmetrics():
    for relevance, scores in lists(levels=4, grades=4):
        given = torch.asarray(scores, dtype=torch.float32), torch.asarray(relevance)
        wanted = float(retrieval.retrieval_normalized_dcg(*given))
        assert ranking.ndcg_score(relevance, scores) == pytest.approx(wanted, rel=SINGLE)


def test_torchmetrics_does_not_rank_scores_below_0():
    """What matters here is their order alone."""
    relevance, scores = [1, 0, 1], [-1.0, -2.0, -3.0]
    given = torch.asarray(scores), torch.asarray(relevance)
    for theirs, ours, value in (
        (retrieval.retrieval_average_precision, ranking.average_precision_score, 5 / 6),
        (retrieval.retrieval_reciprocal_rank, ranking.reciprocal_rank_score, 1),
    ):
        assert float(theirs(*given)) == 0
        assert ours(relevance, scores) == pytest.approx(value, rel=TOLERANCE)


def test_torchmetrics_divides_by_the_hits_that_were_found():
    """Of three relevant documents the first n = 3 have one, at the top: 1/3 of what they could be worth, there 1."""
    relevance, scores = [1, 0, 0, 1, 1], [0.9, 0.8, 0.7, 0.6, 0.5]
    given = torch.asarray(scores), torch.asarray(relevance)
    assert float(retrieval.retrieval_average_precision(*given, top_k=3)) == 1
    assert ranking.average_precision_score(relevance, scores, n=3) == pytest.approx(1 / 3, rel=TOLERANCE)
