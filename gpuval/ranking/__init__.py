"""Measures of rankings, as in search and recommendation.

Each query has documents with a true relevance and a predicted score. The scores sort the documents of a query, and a
measure tells how early the relevant ones come. Each measure takes ``y_true`` (relevances) and ``y_score``, with a row
for each query, and returns the mean over the queries. :func:`evaluate` computes several measures at once:

- :func:`ndcg_score` (nDCG), :func:`dcg_score` and :func:`cumulative_gain`, for relevance in grades;
- :func:`average_precision_score` (MAP), :func:`precision_at_n` and :func:`recall_at_n`, for relevant or not;
- :func:`reciprocal_rank_score` (MRR), :func:`hit_rate` and :func:`expected_reciprocal_rank` (ERR), for a user who stops
  at the first good document;
- :func:`concordance_ratio` (AUC of a query), for the whole order;
- :func:`average_overlap`, which compares two ranked lists of items;
- :func:`kendall_tau`, :func:`spearman_rho` and :func:`weighted_tau`, which correlate two orders of the same items.

:class:`Ranked` is a ranking that is sorted once for several calls, and :class:`RankingAccumulator` takes batches.

Examples
--------
>>> from gpuval import ranking
>>> y_true, y_score = [[0, 1, 0], [1, 0, 1]], [[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]]
>>> float(ranking.reciprocal_rank_score(y_true, y_score))
0.75
"""

from gpuval.ranking.accumulator import *
from gpuval.ranking.correlations import *
from gpuval.ranking.evaluation import *
from gpuval.ranking.gains import *
from gpuval.ranking.overlap import *
from gpuval.ranking.ranked import *
from gpuval.ranking.retrieval import *
from gpuval.ranking.stopping import *

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
    "kendall_tau",
    "ndcg_score",
    "precision_at_n",
    "recall_at_n",
    "reciprocal_rank_score",
    "spearman_rho",
    "weighted_tau",
]


def __dir__() -> list[str]:
    """The public names, for completion."""
    return list(__all__)
