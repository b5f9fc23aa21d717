"""Rankings, of search and recommendation: measures of the documents of queries in the order of their scores."""

from gpuval.evaluation.ranking.accumulator import *
from gpuval.evaluation.ranking.evaluation import *
from gpuval.evaluation.ranking.result import *
from gpuval.metrics.ranking.concordance import *
from gpuval.metrics.ranking.gains import *
from gpuval.metrics.ranking.ranked import *
from gpuval.metrics.ranking.retrieval import *
from gpuval.metrics.ranking.stopping import *
from gpuval.metrics.ranking.two_lists.overlap import *

__all__ = [
    "Ranked",
    "RankingAccumulator",
    "RankingScores",
    "average_overlap",
    "average_precision_score",
    "concordance_ratio",
    "cumulative_gain",
    "dcg_score",
    "evaluate",
    "expected_reciprocal_rank",
    "hit_rate",
    "ndcg_score",
    "precision_at_n",
    "recall_at_n",
    "reciprocal_rank_score",
]
