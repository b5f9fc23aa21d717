"""The same measures by torchmetrics' retrieval classes and by scikit-learn."""

from __future__ import annotations

from typing import Any

from benchmarks.ranking.documents import Flat


def of_torchmetrics(given: Flat) -> list[float]:
    """Mean average precision, mean reciprocal rank and nDCG at 10, each by one update and one ``compute``.

    The first two take relevances of 0 and 1 alone.
    """
    from torchmetrics.retrieval import RetrievalMAP, RetrievalMRR, RetrievalNormalizedDCG

    is_relevant = given.relevance > 0
    found = []
    for metric, target in (
        (RetrievalMAP(), is_relevant),
        (RetrievalMRR(), is_relevant),
        (RetrievalNormalizedDCG(top_k=10), given.relevance),
    ):
        metric.update(given.scores, target, indexes=given.queries)
        found.append(float(metric.compute()))
    return found


def of_one_query(name: str, relevance: Any, scores: Any) -> float:
    """A score of one list by scikit-learn."""
    from sklearn import metrics

    if name == "average_precision_score":
        return float(metrics.average_precision_score(relevance > 0, scores))
    return float(metrics.ndcg_score(relevance[None], scores[None]))
