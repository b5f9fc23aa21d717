"""Calls that are errors for type checkers: each in one line, with what their messages name."""

from __future__ import annotations

from typing import Any

import gpuval


def names() -> None:
    gpuval.no_such_name  # error: no_such_name
    gpuval.ranking.no_such_name  # error: no_such_name
    gpuval.adjusted_rand_scores([0], [0])  # error: adjusted_rand_scores


def measures_of_a_table(a: Any, b: Any) -> None:
    gpuval.adjusted_rand_score(a, b, averge=1)  # error: averge
    gpuval.adjusted_rand_score(a, b, None)  # error: positional
    gpuval.adjusted_rand_score()  # error: labels_true
    gpuval.adjusted_rand_score(a, b, n_classes="2")  # error: n_classes
    gpuval.adjusted_mutual_info_score(a, b, average_method="arithmetc")  # error: arithmetc
    gpuval.adjusted_mutual_info_score(a, b, average_method="joint")  # error: joint
    gpuval.entropy(a, base="2")  # error: base
    gpuval.entropy(a, of="left")  # error: left
    gpuval.wallace_score(a, b, given="labels")  # error: labels
    gpuval.sokal_sneath_score(a, b, variant=3)  # error: variant
    gpuval.f_measure_score(a, b, average="micro")  # error: micro
    gpuval.cohen_kappa_score(a, b, weights="linaer")  # error: linaer
    gpuval.standardized_mutual_info_score(a, b, method="fast")  # error: fast
    gpuval.homogeneity_completeness_v_measure(a, b).homogenity  # error: homogenity
    gpuval.cluster_precision(a, b).values  # error: values
    gpuval.Contingency.from_labels(a, b, layout="sparse")  # error: sparse
    gpuval.Contingency.from_labels(a, b, n_class=2)  # error: n_class
    gpuval.Contingency.from_counts(a, labels=b)  # error: labels
    gpuval.Accumulator(2, 2, weights=a)  # error: weights


def measures_of_samples(X: Any, labels: Any) -> None:
    gpuval.silhouette_score(X, labels, metric="euclid")  # error: euclid
    gpuval.silhouette_score(X, labels, on_degenerate="ignore")  # error: ignore
    gpuval.silhouette_batch(X, labels, labels, between_cluster_distances="mean")  # error: between_cluster_distances
    gpuval.xie_beni_index(X, labels, separation="center")  # error: center
    gpuval.pcr_score(X, labels, kind="numeric")  # error: numeric
    gpuval.graph_connectivity_score(X, labels, connection="any")  # error: connection
    gpuval.isolated_labels_score(labels, labels, X=X, others="alone")  # error: alone
    gpuval.integration_scores(X, labels, labels, neighbours=X)  # error: neighbours
    gpuval.InternalAccumulator(3, n_features=2)  # error: n_features


def evaluations(a: Any, b: Any) -> None:
    gpuval.evaluate(a, b, confidence=0.9)  # error: evaluate
    gpuval.evaluate(a, b, 5)  # error: evaluate
    gpuval.compare(a, b, samples=a)  # error: samples
    gpuval.pairwise(a, 5)  # error: pairwise
    gpuval.bootstrap("ari", a, b, method="bcaa")  # error: bcaa
    gpuval.bootstrap(5, a, b)  # error: bootstrap
    gpuval.permutation_test("ari", a, b, method="exact")  # error: exact
    gpuval.compare_scores(a, b, b, method="bootstrap")  # error: bootstrap
    gpuval.repeat_clustering(a, a, b, resampling="jackknife")  # error: jackknife
    gpuval.gap_statistic(a, a, b, space="cube")  # error: cube
    gpuval.prediction_strength(a, a, b, n_splits="20")  # error: n_splits
    gpuval.compare_many_scores(a, b, n_resamples="999")  # error: n_resamples
    gpuval.report(a, b, sample_size="all")  # error: all
    gpuval.report(a, b, titel="x")  # error: titel


def rankings_labels_and_intervals(a: Any, b: Any) -> None:
    gpuval.ranking.ndcg_score(a, b, k=10)  # error: "k"
    gpuval.ranking.ndcg_score(a, b, gain="exp")  # error: exp
    gpuval.ranking.ndcg_score(a, b, ties="first")  # error: first
    gpuval.ranking.evaluate(a, b, metric="map")  # error: "metric"
    gpuval.ranking.Ranked.from_scores(a, b, ties="random")  # error: random
    gpuval.ranking.RankingAccumulator("map", on_undefined="zeros")  # error: zeros
    gpuval.multilabel.f_score(a, b, average="macr")  # error: macr
    gpuval.multilabel.roc_auc_score(a, b, average="geometric")  # error: geometric
    gpuval.multilabel.log_loss(a, b, form="multilabel")  # error: multilabel
    gpuval.multilabel.log_loss(a, b, eps="tiny")  # error: tiny
    gpuval.multilabel.evaluate(a, b, averages="macr")  # error: macr
    gpuval.multilabel.evaluate(a, b, averages=["macro", "macr"])  # error: macr
    gpuval.multilabel.MultilabelAccumulator("f1", threshold_=0.5)  # error: threshold_
    gpuval.intervals.inclusion_score(a, b, of="both")  # error: both
    gpuval.intervals.inclusion_score(a, b, variant=0)  # error: variant
    gpuval.intervals.mean_inclusion_score(a, b, mean="cubic")  # error: cubic
    gpuval.ranking.kendall_tau(a, b, variant="cubic")  # error: cubic
    gpuval.intervals.jaccard_score(a, b, of="true")  # error: "of"
    gpuval.intervals.IntervalAccumulator("jaccard", on_undefined="no")  # error: no


def plots(a: Any, b: Any) -> None:
    gpuval.plots.plot_confusion(a, b, normalize="rows")  # error: rows
    gpuval.plots.plot_confusion(a, b, colour="red")  # error: colour
    gpuval.plots.plot_silhouette(a, b, metric="euclid")  # error: euclid
    gpuval.plots.plot_label_scores(a, order="first")  # error: first
    gpuval.plots.plot_agreement(a, metric=5)  # error: metric
    gpuval.plots.SweepDisplay(a, b, directions={"ari": "up"})  # error: lower
    gpuval.plots.plot_sweep(a, x="log")  # error: log
    gpuval.plots.plot_tree(a, color=5)  # error: color
    gpuval.plots.plot_integration(a, kind="bars")  # error: bars
    gpuval.plots.ConfusionDisplay.from_labels(a, b, normalize="class")  # error: normalize


def metrics_of_torchmetrics() -> None:
    from gpuval.torchmetrics import ClusteringMetric, IntervalMetric, MultilabelMetric, RankingMetric

    ClusteringMetric("ari", n_classes=2)  # error: n_clusters
    ClusteringMetric("ari", n_classes=2, n_clusters=2, num_classes=2)  # error: num_classes
    ClusteringMetric("ari", n_classes=2, n_clusters=2, sync_on_compute="yes")  # error: sync_on_compute
    RankingMetric("map", ties="first")  # error: first
    RankingMetric("map", empty_target_action="skip")  # error: empty_target_action
    MultilabelMetric("f1", "macr", n_classes=2)  # error: macr
    MultilabelMetric("f1", num_labels=2, n_classes=2)  # error: num_labels
    IntervalMetric("jaccard", on_undefined="no")  # error: no


def scores_of_anndata(adata: Any) -> None:
    from gpuval.anndata import evaluate, integration_scores, report

    evaluate(adata, "cell_type", "leiden", embeding="X_pca")  # error: embeding
    integration_scores(adata, "batch", "cell_type", "X_pca", neighbors="fast")  # error: fast
    integration_scores(adata, "batch", "cell_type", "X_pca", connection="any")  # error: connection
    report(adata, "cell_type", "leiden", sample_size="all")  # error: all
