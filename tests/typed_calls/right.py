"""Calls that type checkers take, in their strict modes, and that run."""

from __future__ import annotations

import functools
from typing import Any

import gpuval

TRUE = [0, 0, 0, 1, 1, 1]
PRED = [0, 0, 1, 1, 1, 2]
X = [[0.0, 0.1], [0.2, 0.0], [0.1, 0.2], [5.0, 5.1], [5.2, 5.0], [5.1, 5.2]]
SCORES = [[0.9, 0.1], [0.8, 0.4], [0.3, 0.6], [0.2, 0.7]]
BOTH = [[1, 0], [1, 0], [0, 1], [0, 1]]


def k_parts(rows: Any, k: int) -> list[int]:
    return [place % k for place in range(len(rows))]


def measures_of_a_table() -> None:
    table = gpuval.Contingency.from_labels(TRUE, PRED, ignore_labels=[2], layout="dense")
    gpuval.adjusted_rand_score(TRUE, PRED, sample_weight=[1] * 6, n_classes=2, n_clusters=3)
    gpuval.adjusted_mutual_info_score(table, average_method="max")
    gpuval.normalized_mutual_info_score(TRUE, PRED, average_method="joint")
    gpuval.entropy(table, of="pred", base=2)
    gpuval.wallace_score(TRUE, PRED, given="pred")
    gpuval.sokal_sneath_score(TRUE, PRED, variant=2)
    gpuval.cohen_kappa_score(TRUE, PRED, weights="linear")
    gpuval.cohen_kappa_score([0, 1], [0, 1], weights=[[0.0, 1.0], [1.0, 0.0]])
    gpuval.standardized_mutual_info_score(TRUE, PRED, method="exact", random_state=0)
    found: float = gpuval.homogeneity_completeness_v_measure(TRUE, PRED, beta=2.0).v_measure
    labels, classes, scores = gpuval.cluster_precision(TRUE, PRED)
    assert 0 <= found <= 1
    assert len(labels) == len(classes) == len(scores) == len(gpuval.cluster_recall(TRUE, PRED).clusters)


def measures_of_samples() -> None:
    gpuval.silhouette_score(X, TRUE, metric="cosine", on_degenerate="nan", sample_size=4, random_state=0)
    gpuval.xie_beni_index(X, TRUE, separation="samples")
    gpuval.pcr_score(X, TRUE, kind="categorical", n_components=1)
    graph = gpuval.Neighbors.from_knn([[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]])
    gpuval.graph_connectivity_score(graph, TRUE, connection="strong", return_per_label=True)


def evaluations() -> None:
    functions = {"F2": functools.partial(gpuval.pair_f_score, beta=2.0)}
    gpuval.evaluate(TRUE, PRED, ["ari", "ami"], confidence_level=0.9).to_dict()
    gpuval.compare(TRUE, {"one": PRED, "other": TRUE}, functions, random_state=0)
    gpuval.pairwise([TRUE, PRED], gpuval.rand_score).to_pandas()
    gpuval.bootstrap("ari", TRUE, PRED, n_resamples=19, method="basic", resampling="poisson", pairs="all")
    gpuval.jackknife("ami", TRUE, PRED, average_method="max")
    gpuval.permutation_test(["ari", "rand_score"], TRUE, PRED, n_resamples=19, method="moments")
    gpuval.compare_scores(TRUE, PRED, TRUE, "ari", method="jackknife").better.upper()
    gpuval.repeat_clustering(k_parts, X, [2], n_runs=2, resampling="bootstrap", on_error="skip").full[2]
    gpuval.gap_statistic(k_parts, X, [1, 2], n_references=2, space="box").bends()


def rankings_labels_and_intervals() -> None:
    gpuval.ranking.ndcg_score(BOTH, SCORES, n=2, gain="exponential", discount="jarvelin", ties="stable")
    gpuval.ranking.evaluate(BOTH, SCORES, metrics=["ndcg@2", "map"], on_undefined="skip").to_dict()
    gpuval.ranking.RankingAccumulator("map", ties="average").update(BOTH, SCORES)
    gpuval.multilabel.f_score(BOTH, BOTH, average=None, beta=0.5, on_undefined="one")
    gpuval.multilabel.log_loss(BOTH, SCORES, form="binary", eps="auto")
    gpuval.multilabel.balanced_accuracy_score(BOTH, BOTH, definition="min_recall_specificity", adjusted=False)
    gpuval.multilabel.MultilabelAccumulator("f1", ["macro", "micro"], n_bins=4).update(BOTH, SCORES)
    gpuval.intervals.inclusion_score([[0, 2]], [[1, 3]], of="pred", variant=2, on_undefined="skip")
    gpuval.intervals.mean_inclusion_score([0, 2], [1, 3], mean=(lambda x: x**2, lambda y: y**0.5))
    gpuval.ranking.kendall_tau(BOTH, SCORES, variant="c", on_undefined="skip")


def plots() -> None:
    gpuval.plots.plot_confusion(TRUE, PRED, normalize="cluster")
    gpuval.plots.plot_silhouette(X, TRUE, metric="euclidean")
    gpuval.plots.plot_label_scores(gpuval.cluster_precision(TRUE, PRED), order="score")
    gpuval.plots.SweepDisplay([2, 3], {"ari": [0.1, 0.2]}, directions={"ari": "higher"}).plot(x="equal", width=7)
    gpuval.plots.plot_tree([TRUE, PRED], TRUE, color={0: {0: 0.5}}, max_labelings=None)
    gpuval.plots.plot_embedding(X, TRUE, PRED, names=("types", "leiden"))
    gpuval.plots.plot_integration({"a": gpuval.IntegrationScores({"x": 1.0}, {"y": 0.5})}, kind="scatter")


def metrics_of_torchmetrics() -> None:
    from gpuval.torchmetrics import ClusteringMetric, IntervalMetric, MultilabelMetric, RankingMetric

    ClusteringMetric("ari", n_classes=2, n_clusters=3, sync_on_compute=False).reset()
    RankingMetric("ndcg@10", ties="stable", on_undefined="skip", compute_on_cpu=True)
    MultilabelMetric(["f1", "precision"], "macro", n_classes=2, n_bins=10)
    IntervalMetric("jaccard", on_undefined="zero", dist_sync_on_step=True)


def scores_of_anndata(adata: Any) -> None:
    from gpuval.anndata import evaluate, integration_scores

    evaluate(adata, "cell_type", "leiden", metrics=["ari"]).to_pandas()
    neighbors = {"X_pca": gpuval.Neighbors.from_knn(list(adata.obsm["indices"]), adata.obsm["distances"])}
    integration_scores(adata, "batch", "cell_type", "X_pca", neighbors=neighbors, connection="strong")
    integration_scores(adata, "batch", "cell_type", "X_pca", neighbors="pynndescent")
