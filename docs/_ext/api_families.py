"""The families of public names: which page of the API has which names.

The names themselves are read from the package. A measure that is added to a module that stands here is on its page; a
module that does not stand here stops the build.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import gpuval

NAMESPACES = ("anndata", "intervals", "multilabel", "plots", "ranking", "torchmetrics")
"""Modules of ``gpuval`` that have public names of their own, in their ``__all__``."""


@dataclass(frozen=True)
class Family:
    """A page of the API."""

    slug: str
    title: str
    about: str
    modules: tuple[str, ...]
    """Keys of ``gpuval._NAMES``, or parents of such keys; or namespaces."""

    def names(self) -> list[tuple[str, str]]:
        """The module and the name of what the page has, in the order in which it is shown."""
        found = []
        for module, names in public_names().items():
            if any(f"{module}.".startswith(f"{part}.") for part in self.modules):
                found += [(_namespace_of(module), name) for name in names]
        return sorted(found, key=lambda x: (x[0], x[1][0].isupper(), x[1].lower()))


GROUPS = {
    "Many measures at once": (
        Family(
            "evaluation",
            "Evaluate and compare",
            "Several measures of one clustering, of many clusterings, or of all pairs of clusterings.",
            ("evaluation.evaluation", "registry", "results.evaluations", "results.verdict"),
        ),
        Family(
            "inference",
            "Intervals and tests",
            "How sure a score is: standard errors, confidence intervals, differences and permutation tests.",
            ("inference", "results.inferences", "table.resampling"),
        ),
        Family(
            "tables",
            "Tables",
            "The contingency table that all external measures read, and how it is built from batches.",
            ("table.contingency", "streaming.accumulator", "metrics.external.tables"),
        ),
        Family(
            "sweeps",
            "Settings of a clusterer",
            "Which resolution, how many clusters: repeated runs, their stability, gap statistic, prediction strength.",
            ("sweeps", "results.settings"),
        ),
        Family("plots", "Plots", "One function for each picture, in `gpuval.plots`.", ("plots",)),
        Family("report", "Reports", "A page of HTML about clusterings.", ("reporting",)),
    ),
    "Two clusterings, or a clustering and true labels": (
        Family(
            "pairs",
            "Pairs of samples",
            "Which pairs of samples are together in both partitions: ARI, Rand, Fowlkes-Mallows, Jaccard, Wallace.",
            ("metrics.external.pair_counting", "metrics.external.per_class"),
        ),
        Family(
            "information",
            "Information",
            "Entropies and mutual information: NMI, AMI, V-measure, variation of information.",
            ("metrics.external.information",),
        ),
        Family(
            "beta-entropies",
            "Beta-entropies",
            "Generalised entropies, among them the Gini index.",
            ("metrics.external.beta_entropies",),
        ),
        Family(
            "overlap",
            "Overlap of sets",
            "How clusters and classes overlap: purity, F-measure, BCubed.",
            ("metrics.external.overlap",),
        ),
        Family(
            "element-centric",
            "Element-centric similarity",
            "How similar the clusters of each sample are.",
            ("metrics.external.element_centric",),
        ),
        Family(
            "matching",
            "One-to-one matching",
            "Each class is matched with one cluster: clustering accuracy, pair sets index, van Dongen's distance.",
            ("metrics.external.matching", "table.edit_operations"),
        ),
        Family(
            "standardized",
            "Standard deviations from chance",
            "How many standard deviations a score lies from the mean of random partitions.",
            ("metrics.external.standardized",),
        ),
        Family(
            "agreement",
            "Agreement of labels",
            "Labelings that use the same names of labels.",
            ("metrics.external.agreement",),
        ),
        Family(
            "partitions",
            "Operations on partitions",
            "Labels from labels: intersections, unions of blocks that overlap, parts and sums.",
            ("table.partitions",),
        ),
    ),
    "Without true labels": (
        Family(
            "internal",
            "Samples and clusters",
            "Internal measures of samples and their clusters: silhouettes, Dunn, Davies-Bouldin, DBCV, inertia.",
            ("metrics.internal", "streaming.internal_accumulator"),
        ),
        Family(
            "runs",
            "Several labelings",
            "How far several labelings, the runs of a method, have the same samples together: PAC, consensus.",
            ("metrics.runs",),
        ),
        Family(
            "graphs",
            "Graphs",
            "Measures of the edges of a graph and its clusters, and the neighbours that they read.",
            ("metrics.graph", "geometry.neighbors"),
        ),
    ),
    "Single cells": (
        Family(
            "integration",
            "Integration of batches",
            "How well an embedding mixes batches and keeps cell types apart: LISI, kBET, PCR, silhouettes.",
            ("metrics.integration", "evaluation.integration", "results.integration"),
        ),
        Family(
            "anndata",
            "AnnData",
            "Scores of what is in an `AnnData`, by the names of its columns and arrays, in `gpuval.anndata`.",
            ("anndata",),
        ),
    ),
    "Other tasks": (
        Family("ranking", "Rankings", "Search and recommendation, in `gpuval.ranking`.", ("ranking",)),
        Family("multilabel", "Several labels", "Several labels a sample, in `gpuval.multilabel`.", ("multilabel",)),
        Family("intervals", "Intervals", "True and predicted intervals, in `gpuval.intervals`.", ("intervals",)),
        Family("torchmetrics", "TorchMetrics", "Metrics for its loops, in `gpuval.torchmetrics`.", ("torchmetrics",)),
    ),
}
"""The families by the headings of the first page of the API."""


def public_names() -> dict[str, tuple[str, ...]]:
    """Every public name, by the module that has it."""
    of_namespaces = {name: tuple(importlib.import_module(f"gpuval.{name}").__all__) for name in NAMESPACES}
    return gpuval._NAMES | of_namespaces


def _namespace_of(module: str) -> str:
    return f"gpuval.{module}" if module in NAMESPACES else "gpuval"
