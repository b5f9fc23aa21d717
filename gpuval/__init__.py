"""Scores of clusterings, computed where the data is: arrays of NumPy, PyTorch, JAX, CuPy and Dask.

First steps: one score of two label vectors; several measures at once; several clusterings against the same truth.

>>> import gpuval
>>> truth, clusters = ["a", "a", "b", "b"], [0, 0, 1, 2]
>>> round(float(gpuval.adjusted_rand_score(truth, clusters)), 4)
0.5714
>>> gpuval.evaluate(truth, clusters, ["ari", "nmi", "purity"])
adjusted_rand_score           0.571
normalized_mutual_info_score  0.800
purity_score                  1.000
>>> gpuval.compare(truth, {"fine": [0, 1, 2, 3], "right": [5, 5, 7, 7]}, ["ari", "purity"])
2 labelings: 4 samples, 2 classes
       clusters  adjusted_rand_score  purity_score
fine          4  0.000                1.000
right         2  1.000 ●              1.000
● highest

Without names, ``evaluate`` and ``compare`` take the measures that are reported most; ``help(gpuval.evaluate)`` lists
the short names. ``help`` of a measure tells its formula, its range, when to use it, and its sources.

Several scores at once::

    evaluate, compare, pairwise (results: Evaluation, Comparison, Verdict, PairwiseScores), report (a page: Report)
    METRICS, INTERNAL_METRICS: all measures of a clustering by their names

External measures compare clusters with true labels, or with each other::

    pairs of samples: adjusted_rand_score (ARI, AR), rand_score (RI, R), fowlkes_mallows_score (FMI, FM),
        adjusted_fowlkes_mallows_score (AFMI, AFM), pair_precision_score, pair_recall_score, pair_f_score,
        pair_jaccard_score, pair_kulczynski_score, pair_ochiai_score, pair_simpson_score, pair_braun_blanquet_score,
        pair_inclusion_score, mirkin_distance, hubert_gamma_score, rogers_tanimoto_score, russell_rao_score,
        sokal_sneath_score, mcnemar_index, wallace_score, adjusted_wallace_score, pair_confusion_matrix,
        class_adjusted_wallace_scores, cluster_adjusted_wallace_scores
    clusters found again: prediction_strength_scores, prediction_strength_score
    information: entropy, joint_entropy, conditional_entropy, mutual_info_score (MI), expected_mutual_info (EMI),
        normalized_mutual_info_score (NMI), adjusted_mutual_info_score (AMI), homogeneity_score, completeness_score,
        v_measure_score, homogeneity_completeness_v_measure, variation_of_information (VI),
        normalized_variation_of_information (NVI), normalized_information_distance (NID)
    beta-entropies: beta_entropy, beta_joint_entropy, beta_conditional_entropy, beta_mutual_info, beta_entropy_distance,
        gini_index
    overlap of sets: purity_score, inverse_purity_score, cluster_precision, cluster_recall, cluster_f_score,
        class_jaccard_scores, cluster_jaccard_scores, f_measure_score, bcubed_precision_score, bcubed_recall_score,
        bcubed_f_score, adjusted_bcubed_precision_score, adjusted_bcubed_recall_score, adjusted_bcubed_f_score
    element-centric: element_centric_score (ECS), element_centric_samples, element_centric_consistency
    one-to-one matching: clustering_accuracy (ACC), classification_error_distance, normalized_pivoted_accuracy (NPA),
        normalized_clustering_accuracy (NCA), pair_sets_index (PSI), simplified_pair_sets_index (SPSI),
        van_dongen_distance, cluster_edit_distance, match_labels, normalizing_permutation, normalized_confusion_matrix
    distance from chance, in standard deviations: pair_count_moments, standardized_rand_score,
        standardized_mutual_info_score
    agreement of label names, and tables: cohen_kappa_score, contingency_matrix
    several labelings: proportion_of_ambiguous_pairs, cluster_consensus_scores, co_clustering_silhouettes,
        inconsistency_coefficient

Internal measures need the samples, or a graph of them::

    samples and labels (internal): silhouette_samples, silhouette_score (ASW), silhouette_scores,
        calinski_harabasz_score (CH), davies_bouldin_score (DB), inertia (WCSS), ball_hall_index, hartigan_index,
        xie_beni_index, pbm_index, dunn_index, dbcv_score
    edges of a graph and labels: modularity_score, coverage_score, conductance_scores, performance_score,
        graph_connectivity_score

Integration of single cells; ``integration_scores`` computes all (results: IntegrationScores, IntegrationComparison)::

    kbet_samples, kbet_score, lisi_samples, ilisi_score, clisi_score, isolated_labels_score, pcr_score,
    pcr_comparison_score, silhouette_label, silhouette_batch

Statistics: bootstrap, jackknife (ScoreEstimate, ScoreEstimates), permutation_test (PermutationTest, PermutationTests),
compare_scores, compare_many_scores (ScoreDifference, ScoreDifferences), BestLabeling, BestLabelings.

Which resolution, how many clusters: stability (Stability, SettingStability, ClusterStability, RunScores),
repeat_clustering (Runs), gap_statistic (GapStatistic), prediction_strength (PredictionStrength).

Operations on partitions, from labels to labels: partition_meet, partition_join, partition_trace, partition_sum,
is_refinement. What cluster_edit_distance counts: cluster_edit_operations. What measures read: Contingency
(random_tables makes some), Neighbors. Batches and several processes: Accumulator, InternalAccumulator.

More measures and tools are in modules: ``gpuval.ranking`` (nDCG, MAP, MRR), ``gpuval.multilabel`` (F1, AUC, log loss),
``gpuval.intervals`` (IoU), ``gpuval.plots``, ``gpuval.anndata``, ``gpuval.torchmetrics``. The command line: ``gpuval``.
"""

import importlib
from typing import Any

from gpuval._index import NAMES as _NAMES

__version__ = "0.1.0"

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
