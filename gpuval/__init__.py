"""Clustering evaluation that runs where the data is: external measures from one table, internal ones by tiles."""

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
    ),
    "metrics.internal.sweep": ("silhouette_scores",),
    "metrics.internal.density.validity": ("dbcv_score",),
    "metrics.internal.dispersion": (
        "calinski_harabasz_score",
        "davies_bouldin_score",
    ),
    "metrics.internal.dunn": ("dunn_index",),
    "metrics.internal.scatter": (
        "ball_hall_index",
        "hartigan_index",
        "inertia",
    ),
    "metrics.internal.separation": (
        "pbm_index",
        "xie_beni_index",
    ),
    "metrics.graph.connectivity": ("graph_connectivity_score",),
    "metrics.graph.partitions": (
        "conductance_scores",
        "coverage_score",
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
    "metrics.integration.regression": (
        "pcr_comparison_score",
        "pcr_score",
    ),
    "metrics.integration.silhouettes": (
        "silhouette_batch",
        "silhouette_label",
    ),
    "table.contingency": ("Contingency",),
    "geometry.neighbors.neighbors": ("Neighbors",),
    "table.resampling.chance.of_given_sizes": ("random_tables",),
    "streaming.accumulator": ("Accumulator",),
    "streaming.internal_accumulator": ("InternalAccumulator",),
    "evaluation.clustering.evaluation": (
        "compare",
        "evaluate",
        "pairwise",
    ),
    "evaluation.inference.beside_scores.best_labeling": (
        "BestLabeling",
        "BestLabelings",
    ),
    "evaluation.inference.estimation.bootstrapping": ("bootstrap",),
    "evaluation.inference.chance.permutation": ("permutation_test",),
    "evaluation.inference.chance.results": (
        "PermutationTest",
        "PermutationTests",
    ),
    "evaluation.inference.comparison.many": ("compare_many_scores",),
    "evaluation.inference.comparison.score_difference": ("ScoreDifference",),
    "evaluation.inference.comparison.score_differences": ("ScoreDifferences",),
    "evaluation.inference.comparison.two": ("compare_scores",),
    "evaluation.inference.estimation.estimates": (
        "ScoreEstimate",
        "ScoreEstimates",
    ),
    "evaluation.inference.estimation.jackknifing": ("jackknife",),
    "evaluation.integration.comparison": ("IntegrationComparison",),
    "evaluation.integration.result": ("IntegrationScores",),
    "evaluation.integration.scoring": ("integration_scores",),
    "evaluation.clustering.registry": ("METRICS",),
    "evaluation.clustering.samples.internal_metrics": ("INTERNAL_METRICS",),
    "reporting.building": ("report",),
    "reporting.result": ("Report",),
    "evaluation.results.evaluations": (
        "Comparison",
        "Evaluation",
    ),
    "evaluation.results.pairwise_scores": ("PairwiseScores",),
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
