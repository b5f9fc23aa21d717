"""Rankings, of search and recommendation: measures of the documents of queries in the order of their scores."""

from gpuval.metrics.ranking.gains import *
from gpuval.metrics.ranking.ranked import *
from gpuval.metrics.ranking.retrieval import *
from gpuval.metrics.ranking.stopping import *

__all__ = [
    "Ranked",
    "average_precision_score",
    "cumulative_gain",
    "dcg_score",
    "hit_rate",
    "ndcg_score",
    "precision_at_n",
    "recall_at_n",
    "reciprocal_rank_score",
]
