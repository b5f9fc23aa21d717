"""Plot clusterings and their scores with matplotlib: functions that draw on axes, and display objects to draw again."""

from __future__ import annotations

from gpuval.plots.agreement import AgreementDisplay, plot_agreement
from gpuval.plots.confusion import ConfusionDisplay, plot_confusion
from gpuval.plots.embedding import EmbeddingDisplay, plot_embedding
from gpuval.plots.flow import FlowDisplay, plot_flow
from gpuval.plots.integration import IntegrationDisplay, plot_integration
from gpuval.plots.label_scores import LabelScoresDisplay, plot_label_scores
from gpuval.plots.silhouettes import SilhouetteDisplay, plot_silhouette
from gpuval.plots.stability_curves import StabilityDisplay, plot_stability
from gpuval.plots.sweep import SweepDisplay, plot_sweep
from gpuval.plots.tree import TreeDisplay, plot_tree

__all__ = [
    "AgreementDisplay",
    "ConfusionDisplay",
    "EmbeddingDisplay",
    "FlowDisplay",
    "IntegrationDisplay",
    "LabelScoresDisplay",
    "SilhouetteDisplay",
    "StabilityDisplay",
    "SweepDisplay",
    "TreeDisplay",
    "plot_agreement",
    "plot_confusion",
    "plot_embedding",
    "plot_flow",
    "plot_integration",
    "plot_label_scores",
    "plot_silhouette",
    "plot_stability",
    "plot_sweep",
    "plot_tree",
]
