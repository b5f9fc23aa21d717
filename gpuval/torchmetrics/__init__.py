"""Metrics for torchmetrics and Lightning: measures of gpuval that keep small sums instead of all samples.

:class:`ClusteringMetric` is for clusters against classes, :class:`RankingMetric` for :mod:`gpuval.ranking`,
:class:`MultilabelMetric` for :mod:`gpuval.multilabel`, and :class:`IntervalMetric` for :mod:`gpuval.intervals`. Without
known classes, :class:`InternalMetric` is for samples and their clusters, and :class:`GraphMetric` for graphs. Their
memory does not grow with the samples, and processes exchange only the sums. The one exception are exact areas under
curves of :class:`MultilabelMetric`, which need all labels and scores.

Examples
--------
>>> import torch
>>> from gpuval.torchmetrics import ClusteringMetric
>>> metric = ClusteringMetric("nmi", n_classes=2, n_clusters=3)
>>> metric.update(torch.tensor([0, 0, 1, 2]), torch.tensor([0, 0, 1, 1]))  # clusters first, as in torchmetrics
>>> metric.compute()
tensor(0.8000, dtype=torch.float64)
"""

from __future__ import annotations

from gpuval.torchmetrics.clustering import ClusteringMetric
from gpuval.torchmetrics.means import IntervalMetric, RankingMetric
from gpuval.torchmetrics.multilabel import MultilabelMetric
from gpuval.torchmetrics.samples import GraphMetric, InternalMetric

__all__ = ["ClusteringMetric", "GraphMetric", "InternalMetric", "IntervalMetric", "MultilabelMetric", "RankingMetric"]
