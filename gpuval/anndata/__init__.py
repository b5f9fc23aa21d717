"""Scores of what is in AnnData: clusterings and annotations of its obs, and embeddings of its obsm."""

from __future__ import annotations

from gpuval.anndata.accessor import register_accessor
from gpuval.anndata.evaluation import evaluate
from gpuval.anndata.integration import integration_scores
from gpuval.anndata.page import report

__all__ = ["evaluate", "integration_scores", "report"]

register_accessor()
