"""Measures as metrics of torchmetrics: sums are all that they hold and synchronise, never labels or documents."""

from __future__ import annotations

from gpuval.torchmetrics.clustering import ClusteringMetric
from gpuval.torchmetrics.ranking import RankingMetric

__all__ = ["ClusteringMetric", "RankingMetric"]
