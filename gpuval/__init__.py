"""Scores of clusterings, computed where the data is: arrays of NumPy, PyTorch, JAX, CuPy and Dask.

First steps: one score of two label vectors; several measures at once; several clusterings against the same truth.

>>> import gpuval
>>> truth, clusters = ["a", "a", "b", "b"], [0, 0, 1, 2]
>>> round(float(gpuval.adjusted_rand_score(truth, clusters)), 4)
0.5714
>>> gpuval.evaluate(truth, clusters, ["ari", "nmi", "purity"])
adjusted_rand_score           0.5714
normalized_mutual_info_score  0.8000
purity_score                  1.0000
>>> gpuval.compare(truth, {"fine": [0, 1, 2, 3], "right": [5, 5, 7, 7]}, ["ari", "purity"])
       clusters  adjusted_rand_score  purity_score
fine          4              0.0000        1.0000*
right         2              1.0000*       1.0000*
* best

Without names, ``evaluate`` and ``compare`` take the measures that are reported most; ``help(gpuval.evaluate)`` lists
the short names. ``help`` of a measure tells its formula, its range, when to use it, and its sources.

Several scores at once::

    evaluate, compare, pairwise (results: Evaluation, Comparison, PairwiseScores), report (an HTML page: Report)
    METRICS, INTERNAL_METRICS: all measures of a clustering by their names

External measures compare clusters with true labels::

    pairs of samples  adjusted_rand_score (ARI), rand_score, fowlkes_mallows_score, adjusted_fowlkes_mallows_score,
                      pair_jaccard_score, pair_precision_score, pair_recall_score, pair_f_score, wallace_score,
                      adjusted_wallace_score, class_adjusted_wallace_scores, cluster_adjusted_wallace_scores,
                      mirkin_distance, hubert_gamma_score, mcnemar_index, pair_braun_blanquet_score,
                      pair_inclusion_score, pair_kulczynski_score, pair_ochiai_score, pair_simpson_score,
                      rogers_tanimoto_score, russell_rao_score, sokal_sneath_score, pair_confusion_matrix
    information       normalized_mutual_info_score (NMI), adjusted_mutual_info_score (AMI), mutual_info_score,
                      expected_mutual_info, variation_of_information (VI), normalized_variation_of_information,
                      normalized_information_distance, homogeneity_score, completeness_score, v_measure_score,
                      homogeneity_completeness_v_measure, entropy, joint_entropy, conditional_entropy
    beta-entropies    beta_entropy, beta_joint_entropy, beta_conditional_entropy, beta_mutual_info,
                      beta_entropy_distance, gini_index
    overlap           purity_score, inverse_purity_score, f_measure_score, bcubed_precision_score,
                      bcubed_recall_score, bcubed_f_score, adjusted_bcubed_precision_score,
                      adjusted_bcubed_recall_score, adjusted_bcubed_f_score, cluster_precision, cluster_recall,
                      cluster_f_score, element_centric_score, element_centric_samples, element_centric_consistency
    matching          clustering_accuracy (ACC), match_labels, van_dongen_distance (split-join),
                      classification_error_distance, cluster_edit_distance, normalized_clustering_accuracy,
                      normalized_pivoted_accuracy, pair_sets_index, simplified_pair_sets_index,
                      normalized_confusion_matrix, normalizing_permutation
    chance            standardized_rand_score, standardized_mutual_info_score, pair_count_moments
    same label names  cohen_kappa_score
    tables            Contingency, contingency_matrix, random_tables

Internal measures need the samples, or a graph of them::

    silhouettes       silhouette_score (ASW), silhouette_samples, silhouette_scores
    others            calinski_harabasz_score, davies_bouldin_score, dunn_index, xie_beni_index, pbm_index,
                      hartigan_index, ball_hall_index, inertia, dbcv_score
    graphs            modularity_score, conductance_scores, coverage_score, performance_score,
                      graph_connectivity_score, Neighbors

Integration of single cells, where batches shall mix and cell types stay apart::

    integration_scores (results: IntegrationScores, IntegrationComparison), silhouette_label, silhouette_batch,
    isolated_labels_score, ilisi_score, clisi_score, lisi_samples, kbet_score, kbet_samples, pcr_score,
    pcr_comparison_score

Statistics say how certain a score or a difference is::

    bootstrap, jackknife (ScoreEstimate, ScoreEstimates), permutation_test (PermutationTest, PermutationTests),
    compare_scores, compare_many_scores (ScoreDifference, ScoreDifferences), BestLabeling, BestLabelings

Batches and several processes: Accumulator, InternalAccumulator.

More measures and tools are in modules: ``gpuval.ranking`` (nDCG, MAP, MRR), ``gpuval.multilabel`` (F1, AUC, log loss),
``gpuval.intervals`` (IoU), ``gpuval.plots``, ``gpuval.anndata``, ``gpuval.torchmetrics``. The command line: ``gpuval``.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_NAMES = {
    "metrics.external.pair_counting": (
        "adjusted_fowlkes_mallows_score",
        "adjusted_rand_score",
        "adjusted_wallace_score",
        "fowlkes_mallows_score",
        "hubert_gamma_score",
        "mcnemar_index",
        "mirkin_distance",
        "pair_braun_blanquet_score",
        "pair_confusion_matrix",
        "pair_f_score",
        "pair_inclusion_score",
        "pair_jaccard_score",
        "pair_kulczynski_score",
        "pair_ochiai_score",
        "pair_precision_score",
        "pair_recall_score",
        "pair_simpson_score",
        "rand_score",
        "rogers_tanimoto_score",
        "russell_rao_score",
        "sokal_sneath_score",
        "wallace_score",
    ),
    "metrics.external.per_class": (
        "class_adjusted_wallace_scores",
        "cluster_adjusted_wallace_scores",
    ),
    "metrics.external.information": (
        "adjusted_mutual_info_score",
        "completeness_score",
        "conditional_entropy",
        "entropy",
        "expected_mutual_info",
        "homogeneity_completeness_v_measure",
        "homogeneity_score",
        "joint_entropy",
        "mutual_info_score",
        "normalized_information_distance",
        "normalized_mutual_info_score",
        "normalized_variation_of_information",
        "v_measure_score",
        "variation_of_information",
    ),
    "metrics.external.beta_entropies": (
        "beta_conditional_entropy",
        "beta_entropy",
        "beta_entropy_distance",
        "beta_joint_entropy",
        "beta_mutual_info",
        "gini_index",
    ),
    "metrics.external.overlap": (
        "adjusted_bcubed_f_score",
        "adjusted_bcubed_precision_score",
        "adjusted_bcubed_recall_score",
        "bcubed_f_score",
        "bcubed_precision_score",
        "bcubed_recall_score",
        "cluster_f_score",
        "cluster_precision",
        "cluster_recall",
        "f_measure_score",
        "inverse_purity_score",
        "purity_score",
    ),
    "metrics.external.element_centric": (
        "element_centric_consistency",
        "element_centric_samples",
        "element_centric_score",
    ),
    "metrics.external.matching": (
        "classification_error_distance",
        "cluster_edit_distance",
        "clustering_accuracy",
        "match_labels",
        "normalized_clustering_accuracy",
        "normalized_confusion_matrix",
        "normalized_pivoted_accuracy",
        "normalizing_permutation",
        "pair_sets_index",
        "simplified_pair_sets_index",
        "van_dongen_distance",
    ),
    "metrics.external.standardized": (
        "pair_count_moments",
        "standardized_mutual_info_score",
        "standardized_rand_score",
    ),
    "metrics.external.agreement": ("cohen_kappa_score",),
    "metrics.external.tables": ("contingency_matrix",),
    "metrics.internal.silhouette": (
        "silhouette_samples",
        "silhouette_score",
        "silhouette_scores",
    ),
    "metrics.internal.dbcv": ("dbcv_score",),
    "metrics.internal.centres": (
        "ball_hall_index",
        "calinski_harabasz_score",
        "davies_bouldin_score",
        "hartigan_index",
        "inertia",
        "pbm_index",
        "xie_beni_index",
    ),
    "metrics.internal.dunn": ("dunn_index",),
    "metrics.graph": (
        "conductance_scores",
        "coverage_score",
        "graph_connectivity_score",
        "modularity_score",
        "performance_score",
    ),
    "metrics.integration.kbet": (
        "kbet_samples",
        "kbet_score",
    ),
    "metrics.integration.lisi": (
        "clisi_score",
        "ilisi_score",
        "lisi_samples",
    ),
    "metrics.integration.isolated_labels": ("isolated_labels_score",),
    "metrics.integration.pcr": (
        "pcr_comparison_score",
        "pcr_score",
    ),
    "metrics.integration.silhouettes": (
        "silhouette_batch",
        "silhouette_label",
    ),
    "table.contingency": ("Contingency",),
    "geometry.neighbors.neighbors": ("Neighbors",),
    "table.resampling.permuted_tables": ("random_tables",),
    "streaming.accumulator": ("Accumulator",),
    "streaming.internal_accumulator": ("InternalAccumulator",),
    "evaluation.evaluation": (
        "compare",
        "evaluate",
        "pairwise",
    ),
    "results.inferences": (
        "BestLabeling",
        "BestLabelings",
        "PermutationTest",
        "PermutationTests",
        "ScoreDifference",
        "ScoreDifferences",
        "ScoreEstimate",
        "ScoreEstimates",
    ),
    "inference.estimation": (
        "bootstrap",
        "jackknife",
    ),
    "inference.permutation": ("permutation_test",),
    "inference.comparison": (
        "compare_many_scores",
        "compare_scores",
    ),
    "results.integration": (
        "IntegrationComparison",
        "IntegrationScores",
    ),
    "evaluation.integration": ("integration_scores",),
    "registry.families": ("METRICS",),
    "registry.internal": ("INTERNAL_METRICS",),
    "reporting.building": ("report",),
    "reporting.page": ("Report",),
    "results.evaluations": (
        "Comparison",
        "Evaluation",
        "PairwiseScores",
    ),
}
"""The public names, by the module that has them."""

_NAMESPACES = ("intervals", "multilabel", "plots", "ranking")
"""Modules of public names that do not stand here."""

_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULE_OF, key=lambda name: (not name.isupper(), not name[0].isupper(), name))


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for, so that ``import gpuval`` costs next to nothing."""
    if name in _NAMESPACES:
        return importlib.import_module(f"gpuval.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'gpuval' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"gpuval.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All public names, loaded or not, for completion."""
    return sorted({*globals(), *__all__, *_NAMESPACES})
