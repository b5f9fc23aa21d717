"""Measures as metrics of torchmetrics: sums are all that they hold and synchronise, but for exact areas of labels."""

from __future__ import annotations

from gpuval.torchmetrics.clustering import ClusteringMetric
from gpuval.torchmetrics.intervals import IntervalMetric
from gpuval.torchmetrics.multilabel import MultilabelMetric
from gpuval.torchmetrics.ranking import RankingMetric

__all__ = ["ClusteringMetric", "IntervalMetric", "MultilabelMetric", "RankingMetric"]
