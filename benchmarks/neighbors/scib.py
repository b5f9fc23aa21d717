"""The scores of scib-metrics' Benchmarker on 700 cells of blood, beside ours: one search for neighbours for both."""

from __future__ import annotations

import csv
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import gpuval
from gpuval.evaluation.k_means import k_means

ROOT = Path(__file__).resolve().parents[2]
CLOSE = 1e-5
"""Numbers of 32 bits, as scib-metrics has them, agree no better."""

HEAD = "| batches | score | gpuval | scib-metrics | difference | why |\n| --- | --- | --- | --- | --- | --- |"


STRONG = "Graph connectivity, strong"
BIO = "Isolated labels", "KMeans NMI", "KMeans ARI", "Silhouette label", "cLISI"
CORRECTION = "BRAS", "iLISI", "KBET", STRONG, "PCR comparison"
MEANS = "Bio conservation", "Batch correction", "Total"

Key = tuple[str, str]
"""What stands for batches, and a score."""

DIFFUSION = "the neighbours that were found, of which those of the label count; there other ones, by diffusion maps"
STARTS = "other clusters: k-means from other starts, here the best of ten, there one, in 32 bits"
WHY = {
    "KMeans NMI": STARTS,
    "KMeans ARI": STARTS,
    "Graph connectivity": "weak components, as of the symmetric graph of scIB; there strong ones of the directed graph",
    "KBET": DIFFUSION,
    "PCR, by default": "their default is a line through the codes of the batches",
    "Bio conservation": "k-means; isolated labels, where none is",
    "Batch correction": "KBET; strong components in both",
    "Total": "k-means, KBET, and isolated labels, where none is",
}
"""The scores that need not be equal, and why."""


def absent() -> str | None:
    """What is missing for the table."""
    missing = [name for name in ("scib_metrics", "sklearn") if not find_spec(name)]
    return f"scib needs {' and '.join(missing)}: pip install scib-metrics==0.5.10 scikit-learn" if missing else None


@dataclass(frozen=True)
class Row:
    """Two values of one score, and why they differ; without a reason they are to be equal."""

    batches: str
    score: str
    ours: float
    theirs: float
    why: str = ""

    @property
    def difference(self) -> float:
        """Ours less theirs."""
        return self.ours - self.theirs

    @property
    def is_wrong(self) -> bool:
        """Whether they differ without a reason."""
        return not self.why and not abs(self.difference) <= CLOSE

    def __str__(self) -> str:
        why = self.why or ("equal" if not self.is_wrong else "NOT EQUAL")
        return (
            f"| {self.batches} | {self.score} | {self.ours:.7f} | {self.theirs:.7f} | {self.difference:.1e} | {why} |"
        )


def cells() -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """The principal components of the cells, their types, and what stands for batches.

    The cells have none: another clustering of theirs is one that depends on the types, and a draw one that does not.
    """
    X = np.load(ROOT / "tests" / "data" / "pbmc68k_reduced_pca.npz")["X_pca"]
    with (ROOT / "gpuval" / "data" / "pbmc68k_reduced.csv").open(encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    labels = np.asarray([row["bulk_labels"] for row in read])
    clusters = np.asarray([int(row["louvain"]) for row in read])
    return X, labels, {"louvain": clusters, "drawn": np.random.default_rng(0).integers(0, 3, len(X))}


def unintegrated(X: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """What stands for the cells before an integration: those whose batches differ by half as much again."""
    names, of_batch = np.unique(batch, return_inverse=True)
    means = np.stack([X[batch == name].mean(axis=0) for name in names])
    return (X + 0.5 * means[of_batch]).astype(np.float32)


def search(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances of the 90 nearest neighbours, the cell itself first."""
    from sklearn.neighbors import NearestNeighbors

    distances, indices = NearestNeighbors(n_neighbors=90).fit(X).kneighbors(X)
    return indices, distances


def own_scores() -> dict[Key, float]:
    """All scores by gpuval."""
    X, labels, batches = cells()
    neighbors = gpuval.Neighbors.from_knn(*search(X))
    clusters, nearest = k_means(X, len(set(labels)), 0), neighbors.nearest(14)
    found: dict[Key, Any] = {
        ("-", "Silhouette label"): gpuval.silhouette_label(X, labels),
        ("-", "KMeans NMI"): gpuval.normalized_mutual_info_score(labels, clusters),
        ("-", "KMeans ARI"): gpuval.adjusted_rand_score(labels, clusters),
        ("-", "cLISI"): gpuval.clisi_score(neighbors, labels),
        ("-", STRONG): gpuval.graph_connectivity_score(nearest, labels, connection="strong"),
        ("-", "Graph connectivity"): gpuval.graph_connectivity_score(nearest, labels),
    }
    for name, batch in batches.items():
        before, tests, n_batches = unintegrated(X, batch), neighbors.nearest(49), len(np.unique(batch))
        most = n_batches if name == "drawn" else None  # there all labels are in all batches
        scores = gpuval.integration_scores(
            X, batch, labels, neighbors=neighbors, unintegrated=before, connection="strong"
        )
        of_batch = {
            "Isolated labels": gpuval.isolated_labels_score(labels, batch, X=X, most_batches=most),
            "BRAS": gpuval.silhouette_batch(X, labels, batch, metric="cosine", between_cluster_distances="mean_other"),
            "iLISI": gpuval.ilisi_score(neighbors, batch),
            "KBET, all cells at once": gpuval.kbet_score(tests, batch),
            "KBET": gpuval.kbet_score(tests, batch, labels=labels),
            "PCR comparison": gpuval.pcr_comparison_score(before, X, batch),
            "PCR": gpuval.pcr_score(X, batch),
            "PCR, 10 components": gpuval.pcr_score(X, batch, n_components=10),
            "PCR, a line": gpuval.pcr_score(X, batch, kind="continuous"),
            "PCR, by default": gpuval.pcr_score(X, batch),
            **{score: scores[score] for score in MEANS},
        }
        found |= {(name, score): value for score, value in of_batch.items()}
    return {key: float(value) for key, value in found.items()}


def their_scores() -> dict[Key, float]:
    """The same by scib-metrics; the means and the total as ``Benchmarker.get_results`` finds them."""
    import scib_metrics
    from scib_metrics.nearest_neighbors import NeighborsResults
    from scib_metrics.utils import principal_component_regression as pcr

    logging.getLogger("scib_metrics").setLevel(logging.WARNING)  # else it tells of labels among the rows
    X, labels, batches = cells()
    indices, distances = search(X)
    neighbors = NeighborsResults(indices=indices, distances=distances)
    clusters = scib_metrics.nmi_ari_cluster_labels_kmeans(X, labels)
    connected = scib_metrics.graph_connectivity(neighbors.subset_neighbors(15), labels)
    of_labels: dict[str, Any] = {
        "Silhouette label": scib_metrics.silhouette_label(X, labels),
        "KMeans NMI": clusters["nmi"],
        "KMeans ARI": clusters["ari"],
        "cLISI": scib_metrics.clisi_knn(neighbors, labels),
        STRONG: connected,
        "Graph connectivity": connected,
    }
    found: dict[Key, Any] = {("-", score): value for score, value in of_labels.items()}
    for name, batch in batches.items():
        before, tests = unintegrated(X, batch), neighbors.subset_neighbors(50)
        by_name = pcr(X, batch, categorical=True)
        of_batch: dict[str, Any] = {
            "Isolated labels": scib_metrics.isolated_labels(X, labels, batch),
            "BRAS": scib_metrics.bras(X, labels, batch),
            "iLISI": scib_metrics.ilisi_knn(neighbors, batch),
            "KBET, all cells at once": scib_metrics.kbet(tests, batch)[0],
            "KBET": scib_metrics.kbet_per_label(tests, batch, labels),
            "PCR comparison": scib_metrics.pcr_comparison(before, X, batch, categorical=True),
            "PCR": by_name,
            "PCR, 10 components": pcr(X, batch, categorical=True, n_components=10),
            "PCR, a line": pcr(X, batch),
            "PCR, by default": pcr(X, batch),
        }
        every = of_labels | of_batch
        bio, correction = (float(np.mean([every[x] for x in names])) for names in (BIO, CORRECTION))
        of_batch |= dict(zip(MEANS, (bio, correction, 0.4 * correction + 0.6 * bio), strict=True))
        found |= {(name, score): value for score, value in of_batch.items()}
    return {key: float(value) for key, value in found.items()}


def rows() -> list[Row]:
    """All scores by both libraries, and those of the clusters that scib-metrics finds."""
    from scib_metrics.utils import KMeans

    ours, theirs = own_scores(), their_scores()
    found = [Row(*key, value, theirs[key], WHY.get(key[1], "")) for key, value in ours.items()]
    X, labels, _ = cells()
    clusters = KMeans(len(set(labels))).fit(X).labels_
    for score, measure in (("NMI", gpuval.normalized_mutual_info_score), ("ARI", gpuval.adjusted_rand_score)):
        value = float(measure(labels, clusters))
        found.append(Row("-", f"{score} of their clusters", value, theirs["-", f"KMeans {score}"]))
    return found


def lines(found: list[Row]) -> Iterator[str]:
    """The table in Markdown, and what it is of."""
    names = "scib-metrics", "jax", "numpy", "scipy", "scikit-learn"
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    yield f"- date: {datetime.now(UTC).isoformat(timespec='seconds')}"
    yield f"- versions: gpuval {gpuval.__version__}, {versions}"
    yield "- command: `python -m benchmarks.neighbors scib`\n"
    yield HEAD
    for row in found:
        yield str(row)
