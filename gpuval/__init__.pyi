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

# Written by .ci/generate.py.

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from gpuval import intervals as intervals
from gpuval import multilabel as multilabel
from gpuval import plots as plots
from gpuval import ranking as ranking
from gpuval.evaluation.evaluation import compare as compare
from gpuval.evaluation.evaluation import evaluate as evaluate
from gpuval.evaluation.evaluation import pairwise as pairwise
from gpuval.evaluation.integration import integration_scores as integration_scores
from gpuval.geometry.neighbors.neighbors import Neighbors as Neighbors
from gpuval.measures.label_scores import BestClassScores, ClassScores, ClusterScores
from gpuval.metrics.external.agreement import Matrix
from gpuval.metrics.external.information import HomogeneityCompletenessVMeasure
from gpuval.metrics.external.matching import LabelMatching
from gpuval.metrics.external.standardized import PairCountMoments
from gpuval.registry.families import METRICS as METRICS
from gpuval.registry.internal import INTERNAL_METRICS as INTERNAL_METRICS
from gpuval.reporting.building import report as report
from gpuval.reporting.page import Report as Report
from gpuval.results.evaluations import Comparison as Comparison
from gpuval.results.evaluations import Evaluation as Evaluation
from gpuval.results.evaluations import PairwiseScores as PairwiseScores
from gpuval.results.inferences import BestLabeling as BestLabeling
from gpuval.results.inferences import BestLabelings as BestLabelings
from gpuval.results.inferences import PermutationTest as PermutationTest
from gpuval.results.inferences import PermutationTests as PermutationTests
from gpuval.results.inferences import ScoreDifference as ScoreDifference
from gpuval.results.inferences import ScoreDifferences as ScoreDifferences
from gpuval.results.inferences import ScoreEstimate as ScoreEstimate
from gpuval.results.inferences import ScoreEstimates as ScoreEstimates
from gpuval.results.integration import IntegrationComparison as IntegrationComparison
from gpuval.results.integration import IntegrationScores as IntegrationScores
from gpuval.results.settings import ClusterStability as ClusterStability
from gpuval.results.settings import RunScores as RunScores
from gpuval.results.settings import SettingStability as SettingStability
from gpuval.results.settings import Stability as Stability
from gpuval.results.verdict import Verdict as Verdict
from gpuval.streaming.accumulator import Accumulator as Accumulator
from gpuval.streaming.internal_accumulator import InternalAccumulator as InternalAccumulator
from gpuval.sweeps.gap import GapStatistic as GapStatistic
from gpuval.sweeps.gap import gap_statistic as gap_statistic
from gpuval.sweeps.halves import PredictionStrength as PredictionStrength
from gpuval.sweeps.halves import prediction_strength as prediction_strength
from gpuval.sweeps.repetition import Runs as Runs
from gpuval.sweeps.repetition import repeat_clustering as repeat_clustering
from gpuval.sweeps.settings import stability as stability
from gpuval.table.contingency import Contingency as Contingency
from gpuval.table.edit_operations import cluster_edit_operations as cluster_edit_operations
from gpuval.table.partitions import is_refinement as is_refinement
from gpuval.table.partitions import partition_join as partition_join
from gpuval.table.partitions import partition_meet as partition_meet
from gpuval.table.partitions import partition_sum as partition_sum
from gpuval.table.partitions import partition_trace as partition_trace
from gpuval.table.resampling.permuted_tables import random_tables as random_tables

__all__ = [
    "INTERNAL_METRICS",
    "METRICS",
    "Accumulator",
    "BestLabeling",
    "BestLabelings",
    "ClusterStability",
    "Comparison",
    "Contingency",
    "Evaluation",
    "GapStatistic",
    "IntegrationComparison",
    "IntegrationScores",
    "InternalAccumulator",
    "Neighbors",
    "PairwiseScores",
    "PermutationTest",
    "PermutationTests",
    "PredictionStrength",
    "Report",
    "RunScores",
    "Runs",
    "ScoreDifference",
    "ScoreDifferences",
    "ScoreEstimate",
    "ScoreEstimates",
    "SettingStability",
    "Stability",
    "Verdict",
    "adjusted_bcubed_f_score",
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "adjusted_fowlkes_mallows_score",
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "adjusted_wallace_score",
    "ball_hall_index",
    "bcubed_f_score",
    "bcubed_precision_score",
    "bcubed_recall_score",
    "beta_conditional_entropy",
    "beta_entropy",
    "beta_entropy_distance",
    "beta_joint_entropy",
    "beta_mutual_info",
    "bootstrap",
    "calinski_harabasz_score",
    "class_adjusted_wallace_scores",
    "class_jaccard_scores",
    "classification_error_distance",
    "clisi_score",
    "cluster_adjusted_wallace_scores",
    "cluster_consensus_scores",
    "cluster_edit_distance",
    "cluster_edit_operations",
    "cluster_f_score",
    "cluster_jaccard_scores",
    "cluster_precision",
    "cluster_recall",
    "clustering_accuracy",
    "co_clustering_silhouettes",
    "cohen_kappa_score",
    "compare",
    "compare_many_scores",
    "compare_scores",
    "completeness_score",
    "conditional_entropy",
    "conductance_scores",
    "contingency_matrix",
    "coverage_score",
    "davies_bouldin_score",
    "dbcv_score",
    "dunn_index",
    "element_centric_consistency",
    "element_centric_samples",
    "element_centric_score",
    "entropy",
    "evaluate",
    "expected_mutual_info",
    "f_measure_score",
    "fowlkes_mallows_score",
    "gap_statistic",
    "gini_index",
    "graph_connectivity_score",
    "hartigan_index",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "hubert_gamma_score",
    "ilisi_score",
    "inconsistency_coefficient",
    "inertia",
    "integration_scores",
    "inverse_purity_score",
    "is_refinement",
    "isolated_labels_score",
    "jackknife",
    "joint_entropy",
    "kbet_samples",
    "kbet_score",
    "lisi_samples",
    "match_labels",
    "mcnemar_index",
    "mirkin_distance",
    "modularity_score",
    "mutual_info_score",
    "normalized_clustering_accuracy",
    "normalized_confusion_matrix",
    "normalized_information_distance",
    "normalized_mutual_info_score",
    "normalized_pivoted_accuracy",
    "normalized_variation_of_information",
    "normalizing_permutation",
    "pair_braun_blanquet_score",
    "pair_confusion_matrix",
    "pair_count_moments",
    "pair_f_score",
    "pair_inclusion_score",
    "pair_jaccard_score",
    "pair_kulczynski_score",
    "pair_ochiai_score",
    "pair_precision_score",
    "pair_recall_score",
    "pair_sets_index",
    "pair_simpson_score",
    "pairwise",
    "partition_join",
    "partition_meet",
    "partition_sum",
    "partition_trace",
    "pbm_index",
    "pcr_comparison_score",
    "pcr_score",
    "performance_score",
    "permutation_test",
    "prediction_strength",
    "prediction_strength_score",
    "prediction_strength_scores",
    "proportion_of_ambiguous_pairs",
    "purity_score",
    "rand_score",
    "random_tables",
    "repeat_clustering",
    "report",
    "rogers_tanimoto_score",
    "russell_rao_score",
    "silhouette_batch",
    "silhouette_label",
    "silhouette_samples",
    "silhouette_score",
    "silhouette_scores",
    "simplified_pair_sets_index",
    "sokal_sneath_score",
    "stability",
    "standardized_mutual_info_score",
    "standardized_rand_score",
    "v_measure_score",
    "van_dongen_distance",
    "variation_of_information",
    "wallace_score",
    "xie_beni_index",
]
__version__: str

def adjusted_bcubed_f_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Harmonic mean of BCubed precision and BCubed recall, each corrected for chance.

    ``P`` is :func:`adjusted_bcubed_precision_score`, and ``R`` is :func:`adjusted_bcubed_recall_score`: each is
    BCubed's definition ([1]_, section 4), adjusted by its expected value ([2]_, equation 4). The score is
    ``2 * P * R / (P + R)``. If one of the two is above 0 and the other below, they have no harmonic mean, and the score
    is 0.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best. It is 0 if P or R has the value that is expected of a random partition. Symmetric.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    """

def adjusted_bcubed_precision_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """BCubed precision, corrected for chance.

    ``P`` is :func:`bcubed_precision_score` ([1]_, section 4), and ``E`` is its mean over all permutations of the
    labels. The score is ``(P - E) / (1 - E)``, the adjustment of [2]_, equation 4. With m clusters and n samples,
    ``E = (m + (n - m) * w) / n``, where ``w`` is the share of all pairs of samples that are of one class. The reason:
    each sample is of its own class, and each other sample of its cluster is of that class with probability w.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_recall_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    """

def adjusted_bcubed_recall_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """BCubed recall, corrected for chance.

    ``R`` is :func:`bcubed_recall_score` ([1]_, section 4), and ``E`` is its mean over all permutations of the labels.
    The score is ``(R - E) / (1 - E)``, the adjustment of [2]_, equation 4. With r classes and n samples,
    ``E = (r + (n - r) * w) / n``, where ``w`` is the share of all pairs of samples that are in one cluster.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_precision_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    """

def adjusted_fowlkes_mallows_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Fowlkes-Mallows index, corrected for chance.

    ``FM`` is :func:`fowlkes_mallows_score`. ``T`` pairs of samples are together in the true partition, ``P`` in the
    predicted one, and ``all`` is the number of pairs. ``E = sqrt(T * P) / all`` is the expected value of FM for a
    random partition ([1]_, equation 4). The score is ``(FM - E) / (1 - E)``, the adjustment of [2]_, equation 4.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Symmetric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78, 1983.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    """

def adjusted_mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    average_method: Literal["min", "geometric", "arithmetic", "max"] = "arithmetic",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Adjusted mutual information (AMI): mutual information, corrected for chance and normalised.

    ``I`` is :func:`mutual_info_score`, ``E`` its expected value for random partitions, :func:`expected_mutual_info`,
    and H is :func:`entropy`. Then ``AMI = (I - E) / (average(H(true), H(pred)) - E)`` ([1]_, equation 22). Use it to
    compare clusterings whose numbers of clusters differ.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    average_method
        The average of the entropies: ``"arithmetic"``, ``"geometric"``, ``"min"`` or ``"max"``.

    Returns
    -------
    float
        At most 1, which is best. 0 is the value expected of a random partition, and a negative value is worse than
        that. Symmetric. A partition into one cluster, or into single samples, scores 0 against any other partition.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.
    """

def adjusted_rand_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Adjusted Rand index (ARI): share of pairs on which the partitions agree, corrected for chance.

    Of all pairs of samples, ``both`` are together (in one group) in both partitions, ``true_only`` only in the true
    one, ``pred_only`` only in the predicted one, and ``neither`` in none; ``all`` is their sum.
    ``T = both + true_only`` pairs are together in the true partition, ``P = both + pred_only`` in the predicted one. If
    the labels were permuted at random, ``both`` would be ``E = T * P / all`` on average. Then
    ``ARI = (both - E) / ((T + P) / 2 - E)`` ([1]_, equation 2).

    Use it to compare a clustering with known classes; the numbers of clusters and of classes may differ.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From -0.5 ([2]_) to 1, which is best; 0 is the value expected of a random partition. Symmetric. With sample
        weights the lower bound is -1, which is not reached. For example, take three samples with the weights w, 1 and
        1. If the first is together with the second in one partition and with the third in the other, the score is
        ``-w / (w + 1)``.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] J. E. Chacón and A. I. Rastrojo, "Minimum adjusted Rand index for two clusterings of a given size",
       Advances in Data Analysis and Classification 17, 2023.
    """

def adjusted_wallace_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    given: Literal["true", "pred"] = "true",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Wallace coefficient, corrected for chance.

    ``W`` is :func:`wallace_score`, and ``E`` is the share of all pairs that are together in the other partition, the
    one that is not given. The score is ``(W - E) / (1 - E)`` ([1]_, equation 7).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    given
        ``"true"`` or ``"pred"``: the partition in which the pairs are known to be together.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of independent partitions. Not symmetric.

    References
    ----------
    .. [1] A. Severiano, F. R. Pinto, M. Ramirez and J. A. Carriço, "Adjusted Wallace coefficient as a measure of
       congruence between typing methods", Journal of Clinical Microbiology 49, 2011.
    """

def ball_hall_index(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Ball-Hall index: the mean squared distance of samples to the mean of their cluster, averaged over the clusters.

    Use it instead of :func:`inertia` when all clusters are to count equally, however many samples they have.

    Let there be K clusters, the cluster k with n_k samples, and let W_k be the sum of the squared distances of these
    samples to their mean, as in :func:`inertia`. The index is ``(1 / K) sum_k W_k / n_k`` ([1]_; as in the R package
    clusterCrit). It ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy. Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    return_per_label
        Whether to return the value of each cluster, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        A number in the array library of X, on its device; 0 if there are no samples. Its unit is that of X squared.
        With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted; in
        the library of X if they are numbers, else in NumPy) and ``label_scores`` (W_k / n_k of each cluster), both of
        shape (n_labels,).

    References
    ----------
    .. [1] G. H. Ball and D. J. Hall, "ISODATA, a novel method of data analysis and pattern classification", Stanford
       Research Institute, 1965.
    """

def bcubed_f_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 1.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """BCubed F-score: weighted harmonic mean of BCubed precision and BCubed recall.

    With ``P`` of :func:`bcubed_precision_score` and ``R`` of :func:`bcubed_recall_score` it is
    ``(1 + beta^2) * P * R / (beta^2 * P + R)`` ([1]_, section 4.2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        How much more recall counts than precision; with 0, only precision counts.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric for beta = 1.

    References
    ----------
    .. [1] E. Amigó, J. Gonzalo, J. Artiles and F. Verdejo, "A comparison of extrinsic clustering evaluation metrics
       based on formal constraints", Information Retrieval 12, 2009.
    """

def bcubed_precision_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """BCubed precision: share of a sample's cluster that is of the sample's own class, averaged over the samples.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and cluster j has ``b_j`` samples. The precision is
    ``1/n * sum_ij n_ij^2 / b_j`` ([1]_, section 4). It falls when a cluster mixes classes.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`bcubed_recall_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    """

def bcubed_recall_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """BCubed recall: share of a sample's class that is in the sample's own cluster, averaged over the samples.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and class i has ``a_i`` samples. The recall is
    ``1/n * sum_ij n_ij^2 / a_i`` ([1]_, section 4). It falls when a class is split over clusters.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`bcubed_precision_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    """

def beta_conditional_entropy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 2.0,
    given: Literal["true", "pred"] = "pred",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Conditional beta-entropy: the beta-entropy of one partition that is left if the other one is known.

    ``b_j`` of the ``n`` samples are in cluster j, and H_b is :func:`beta_entropy` with the order ``b = beta``. For
    ``given="pred"`` it is ``H_b(true | pred) = sum_j (b_j / n)^b * H_b(true restricted to cluster j)``. For
    ``given="true"`` the roles of classes and clusters are exchanged ([1]_, definition 2.2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        The order; 1 gives the conditional entropy in bits.
    given
        ``"pred"`` or ``"true"``: the partition that is known.

    Returns
    -------
    float
        From 0, which is best. Not symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.
    """

def beta_entropy(
    labels: Any,
    *,
    beta: float = 2.0,
    of: Literal["true", "pred"] = "true",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
) -> Any:
    """Beta-entropy (Havrda-Charvat entropy) of one labeling: a family of entropies with an order.

    ``p_i`` is the share of the samples that have label i. Then ``H_b = (1 - sum_i p_i^b) / (1 - 2^(1-b))`` with the
    order ``b = beta``. At b = 1 it is the limit of this formula, which is Shannon's entropy in bits ([1]_, equation 3).
    The Tsallis entropy of order b is the same up to a factor that depends on b only.

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency`; then ``of`` names its side.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        do not count.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes
        The number of different labels, if they are integers from 0 to one below this number.
        With it, no data are copied from the device to find out the size of the contingency table.
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.
    beta
        The order: 0 gives the number of groups less 1, 1 gives Shannon's entropy in bits, 2 gives twice the Gini index.

    Returns
    -------
    float
        From 0, for one group, to ``(1 - n^(1-b)) / (1 - 2^(1-b))``, for n groups of one sample each.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.
    """

def beta_entropy_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 2.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Distance of partitions by beta-entropy: a generalised variation of information.

    It is ``d_b = H_b(true | pred) + H_b(pred | true)``, where H_b is :func:`beta_conditional_entropy` ([1]_, theorem
    3.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        The order: 1 gives the variation of information in bits, 2 gives twice the normalised Mirkin distance.

    Returns
    -------
    float
        From 0, which is best. Symmetric; a metric for beta >= 1.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "Generalized entropy and decision trees", EGC 2003.
    """

def beta_joint_entropy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 2.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Beta-entropy of both labels together.

    It is :func:`beta_entropy` of the meet of the two partitions: the partition whose groups are the non-empty cells of
    the contingency table ([1]_, section 2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        The order: 0 gives the number of non-empty cells less 1, 1 gives the joint entropy in bits.

    Returns
    -------
    float
        At least the larger of the two beta-entropies. Symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.
    """

def beta_mutual_info(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 2.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Mutual information of order beta: by how much knowing one partition lowers the beta-entropy of the other.

    It is ``H_b(true) - H_b(true | pred)``, of :func:`beta_entropy` and :func:`beta_conditional_entropy` ([1]_, section
    3). With the roles of the partitions exchanged it is the same number.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        The order; 1 gives the mutual information in bits.

    Returns
    -------
    float
        At most the smaller of the two beta-entropies. For independent partitions it is 0 at beta = 1 only. It may be
        negative for beta < 1. Symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.
    """

def bootstrap(
    metrics: str
    | Callable[..., Any]
    | Iterable[str | Callable[..., Any]]
    | Mapping[Any, str | Callable[..., Any]]
    | None,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Literal["bca", "percentile", "basic"] = "bca",
    confidence_level: float = 0.95,
    resampling: Literal["multinomial", "poisson"] = "multinomial",
    pairs: Literal["distinct", "all"] = "distinct",
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Confidence intervals of scores by the bootstrap: samples are drawn again, with replacement, and scored.

    From the n samples, n are drawn with replacement; this is repeated ``n_resamples`` times, and the spread of the
    scores gives the interval. Use it to tell how much a score would vary with other samples of the same population. A
    score depends only on how many samples are in each cell of the table (each pair of a class and a cluster). So a
    resample is a multinomial draw of the counts of the cells: many tables are drawn and scored at once, and the labels
    are read only once.

    Copies of a sample. A resample may contain a sample several times. Two copies of one sample are always in the same
    class and in the same cluster, so their pair says nothing about the clustering. By default such pairs do not count:
    of m samples drawn from the n_ij samples of the cell in row i and column j, m (m - 1) / (2 n_ij) pairs are pairs of
    copies, on average. With ``pairs="all"`` they count, as if the labels themselves were resampled. The scores of pairs
    are then centred on the score of a table in which each sample is also paired with itself; with many clusters the
    intervals miss the score altogether.

    When to use something else. Let r be the number of classes, m the number of clusters, and K the number of cells that
    are not empty. Measures of information have a bias of about (K - r - m + 1) / (2 n), and resampling adds as much
    again. Measures of overlap, such as BCubed, have a similar problem, because they count the copies. Prefer
    :func:`jackknife` for both, and use neither with fewer than about 5 samples for each of the r m cells. Samples must
    be independent. The cells of one donor are not, and intervals are far too narrow if they are treated as independent
    samples; use ``groups``. If labels were found from the same data, the interval does not include this uncertainty.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
    n_resamples
        The number of tables that are drawn.
    method
        "percentile" takes the quantiles of the scores of the resamples. "basic" reflects these quantiles at the score.
        "bca" is bias-corrected and accelerated ([1]_, section 14.3); its intervals are the nearest to their level. If
        all scores of resamples are on one side of the score, "bca" takes percentiles. Of N samples, or groups, all
        three take the tails of Student's distribution with N - 1 degrees of freedom: those of a normal distribution at
        sqrt(N / (N - 1)) times its quantile ([3]_). Intervals are cut at the ends of the range of the measure.
    confidence_level
        A number between 0 and 1.
    resampling
        "multinomial"; or "poisson", where each sample is drawn Poisson(1) times, independently of the others, so that
        the number of samples varies ([2]_).
    pairs
        "distinct" leaves out the pairs of copies of one sample; "all" counts them.
    groups
        The group of each sample, shape (n_samples,), such as its donor. Then whole groups are drawn, with all their
        samples, and pairs of two copies of a group do not count. For fewer than about ten groups prefer
        :func:`jackknife`: in simulations, intervals of level 0.95 by "bca" contained the truth in 0.87 to 0.95 of the
        data sets with 5 to 8 groups, and in 0.93 to 0.97 with 10 to 30.
    random_state
        A seed, or a NumPy generator. The same seed gives the same interval on every backend.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        The estimate of one measure; or, for several measures, a mapping from their names to estimates, all from the
        same resampled tables. A table in which a class has disappeared is scored like any other.

        If all scores are the same, the interval has no width and the standard error is 0. This is so, for instance, if
        the clusters are exactly the classes, and does not mean that errors are impossible. NaN for fewer than 2
        samples, and if a function returns NaN or an infinite number for a table. This function runs on the host: the
        counts of the table are transferred, and tables are drawn and scored there.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] N. Chamandy, O. Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams",
       technical report, 2012.
    .. [3] T. C. Hesterberg, "What teachers should know about the bootstrap: resampling in the undergraduate statistics
       curriculum", The American Statistician 69, 2015.
    """

def calinski_harabasz_score(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
) -> Any:
    """Calinski-Harabasz score: how far cluster centres are spread, relative to the spread of samples around them.

    Also known as the variance ratio criterion. It is fast, and a usual choice for comparing clusterings by k-means with
    different numbers of clusters.

    Let there be n samples in k clusters; m is the mean of all samples, and cluster c has n_c samples with the mean m_c.
    The scatter between clusters is ``B = sum_c n_c |m_c - m|^2``. The scatter within clusters, W, is the sum of the
    squared distances of all samples to the mean of their cluster. The score is ``(B / (k - 1)) / (W / (n - k))`` ([1]_,
    page 10). It ranges from 0 to infinity; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy. Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 1 if all samples lie on their centres.

    References
    ----------
    .. [1] T. Caliński and J. Harabasz, "A dendrite method for cluster analysis", Communications in Statistics 3, 1974.
    """

def class_adjusted_wallace_scores(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClassScores:
    """Adjusted Wallace coefficient of each class: how far the clusters keep it together, corrected for chance.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and ``C(x, 2)`` is the number of
    pairs of x samples. ``W_i = sum_j C(n_ij, 2) / C(a_i, 2)`` is the share of the pairs of class i that are in one
    cluster. ``E`` is the share of all pairs that are in one cluster. The score is ``w_i = (W_i - E) / (1 - E)`` ([1]_).
    Use it to see which classes the clustering splits.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels, and ``scores``, each of shape (n_classes,); ``to_pandas()`` gives a Series. A
        score is at most 1, which is best; 0 is the value expected of a random partition. It is NaN for a class of one
        sample, which has no pairs. Classes without samples are left out (on a device this is a host step: data are
        copied to the CPU); with ``n_classes=`` they are kept and have NaN. With the arguments exchanged the scores are
        those of :func:`cluster_adjusted_wallace_scores`.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.
    """

def class_jaccard_scores(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClassScores:
    """Jaccard index of each class and its most similar cluster: how well a clustering recovers the class.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The score
    is ``max_j n_ij / (a_i + b_j - n_ij)``: of the samples that are in class i or in cluster j, the share that is in
    both, for the cluster where it is largest ([1]_, section 3). Use it to see which clusters of a clustering are found
    again when the data are clustered once more: give that clustering as ``labels_true``, and the mean over several runs
    is the stability of each of its clusters. Samples that a run leaves out are labels to ignore.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels, and ``scores``, each of shape (n_classes,); ``to_pandas()`` gives a Series. A
        score is above 0 to 1, which is best. It is not corrected for chance. Classes without samples are left out (on a
        device this is a host step: data are copied to the CPU); with ``n_classes=`` they are kept and have the score 0.
        With the arguments exchanged the scores are those of :func:`cluster_jaccard_scores`.

    References
    ----------
    .. [1] C. Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics & Data Analysis 52, 2007.
    """

def classification_error_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Classification error: share of wrong samples if clusters are named after classes in the best way.

    It is ``1 - ACC``, where ACC is :func:`clustering_accuracy` ([1]_, equation 6). Use it as a distance between
    partitions. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0, which is best, to below 1. Symmetric; a metric.

    References
    ----------
    .. [1] M. Meilă and D. Heckerman, "An experimental comparison of model-based clustering methods", Machine Learning
       42, 2001.
    """

def clisi_score(
    neighbors: Any,
    labels: Any,
    *,
    perplexity: float | None = None,
    scale: bool = True,
    ignore_labels: Any = None,
    n_labels: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Cell-type LISI (cLISI): how well cell types are kept apart, by the number of labels around a typical cell.

    Use it to see whether an integration has mixed cell types, together with :func:`ilisi_score` for the batches.

    Let x be the median over the cells of :func:`lisi_samples` of the labels ([1]_), and L the number of labels that
    have cells. The score is ``(L - x) / (L - 1)`` ([2]_). It ranges from 0, for labels that are mixed evenly, to 1, for
    separate labels; higher is better. Without ``scale`` the score is x, from 1 to L; then lower is better.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or anything that
        one can be made of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the
        attributes ``indices`` and ``distances``. A cell does not count as its own neighbour.
    labels
        The label of each cell, such as its cell type, shape (n_cells,): on the device of the neighbours, or on the
        host.
    scale
        Whether to rescale the score to the range 0 to 1.
    return_per_label
        Whether to return the score of each label, too, by the median over its cells. The result prints as a table, and
        has ``to_pandas()``.
    perplexity
        The effective number of neighbours of a cell, from 1 to the number k of its neighbours: nearer neighbours weigh
        more. By default floor((k + 1) / 3), and at least 1: a third of the columns of a search that also finds the cell
        itself.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_labels
        The number of labels, if these are the integers from 0 to below it. Nothing is then copied from a device to find
        the number, and errors in the labels or the neighbours there make the result NaN.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN for a single label, and if no
        cell counts. With ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted;
        in the library of the neighbours if they are numbers, else in NumPy; with ``n_labels`` all from 0 to below it)
        and ``label_scores``, both of shape (n_labels,).

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def cluster_adjusted_wallace_scores(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClusterScores:
    """Adjusted Wallace coefficient of each cluster: how far it is of one class, corrected for chance.

    ``n_ij`` samples are in class i and in cluster j, cluster j has ``b_j`` samples, and ``C(x, 2)`` is the number of
    pairs of x samples. ``W_j = sum_i C(n_ij, 2) / C(b_j, 2)`` is the share of the pairs of cluster j that are of one
    class. ``E`` is the share of all pairs that are of one class. The score is ``w_j = (W_j - E) / (1 - E)`` ([1]_). Use
    it to see which clusters mix classes.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    ClusterScores
        ``clusters``, the sorted labels, and ``scores``, each of shape (n_clusters,); ``to_pandas()`` gives a Series. A
        score is at most 1, which is best; 0 is the value expected of a random partition. It is NaN for a cluster of one
        sample, which has no pairs. Clusters without samples are left out (on a device this is a host step: data are
        copied to the CPU); with ``n_clusters=`` they are kept and have NaN. With the arguments exchanged the scores are
        those of :func:`class_adjusted_wallace_scores`.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.
    """

def cluster_consensus_scores(labels: Any, labelings: Any, *, ignore_labels: Any = None) -> ClusterScores:
    """Consensus of each cluster: how often the runs have its samples together, on average over its pairs.

    The frequency f of a pair of samples is the number of runs that give both the same label, divided by the number of
    runs that have both. The consensus of a cluster is the mean of f over the pairs of its samples ([1]_). Pairs that no
    run has are left out. Use it to see which clusters other runs split.

    Parameters
    ----------
    labels
        The clusters to look at, a label vector of shape (n_samples,), of any kind that :meth:`Contingency.from_labels`
        takes, except those of Dask. Samples with a missing label (NaN, None) do not count.
    labelings
        The labels that each run gives the same samples: a mapping from names to label vectors (a dictionary, a pandas
        or polars DataFrame), or a sequence of label vectors. There must be one or more, of any kind that
        :meth:`Contingency.from_labels` takes, except those of Dask. A run leaves out the samples for which it has a
        missing label (NaN, None).
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A run leaves out
        the samples for which it has such a label.

    Returns
    -------
    ClusterScores
        ``clusters``, the sorted labels, and ``scores``, each of shape (n_clusters,), of the library and on the device
        of the labels; ``to_pandas()`` gives a Series. A score is from 0 to 1, which is best. It is NaN for a cluster of
        one sample, which has no pairs, and for one of which no run has two samples. It does not fall if runs merge
        clusters.

    References
    ----------
    .. [1] S. Monti, P. Tamayo, J. Mesirov and T. Golub, "Consensus clustering: a resampling-based method for class
       discovery and visualization of gene expression microarray data", Machine Learning 52, 2003.
    """

def cluster_edit_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    take_cost: float = 1.0,
    put_cost: float = 1.0,
    make_cost: float = 1.0,
    remove_cost: float = 1.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Edit distance of partitions: smallest number, or cost, of operations that turn the clusters into the classes.

    The operations are: take a sample out of a cluster of several, put a sample into a cluster, make a new cluster of a
    sample, or remove a cluster of one sample ([1]_). If each costs 1, each sample outside the best one-to-one matching
    of classes and clusters is taken out once and put in once. With ``n_ij`` of the ``n`` samples in class i and in
    cluster j, and ``s(i)`` for the cluster that class i is matched with, the distance is then
    ``2 * (n - max_s sum_i n_(i, s(i)))``. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    take_cost, put_cost, make_cost, remove_cost
        The cost of each operation, finite and not negative.

    Returns
    -------
    float
        The smallest sum of costs: from 0, which is best, to below 2n if each cost is 1. It is symmetric and, if no cost
        is 0, a metric, if ``take_cost`` is ``put_cost`` and ``make_cost`` is ``remove_cost``. With other costs,
        exchanging the arguments is the same as exchanging these costs.

    References
    ----------
    .. [1] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    """

def cluster_f_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> BestClassScores:
    """F-score of each cluster: harmonic mean of its precision and its recall.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The
    F-score is ``2 * n_ij / (a_i + b_j)`` with the best class i ([1]_). It combines :func:`cluster_precision` and
    :func:`cluster_recall`.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    BestClassScores
        ``clusters``, the sorted labels, ``classes``, the label of the best class of each, and ``scores``, each of shape
        (n_clusters,); ``to_pandas()`` gives a DataFrame. A score is above 0 to 1, which is best. Of classes that are
        equally good and equally large, ``classes`` has the first. Clusters without samples are left out (on a device
        this is a host step: data are copied to the CPU); with ``n_clusters=`` they are kept and have the class -1 and
        the score 0.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    """

def cluster_jaccard_scores(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClusterScores:
    """Jaccard index of each cluster and its most similar class: how well the cluster matches one class.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The score
    is ``max_i n_ij / (a_i + b_j - n_ij)``: of the samples that are in class i or in cluster j, the share that is in
    both, for the class where it is largest ([1]_, section 3).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    ClusterScores
        ``clusters``, the sorted labels, and ``scores``, each of shape (n_clusters,); ``to_pandas()`` gives a Series. A
        score is above 0 to 1, which is best. It is not corrected for chance. Clusters without samples are left out (on
        a device this is a host step: data are copied to the CPU); with ``n_clusters=`` they are kept and have the score
        0. With the arguments exchanged the scores are those of :func:`class_jaccard_scores`.

    References
    ----------
    .. [1] C. Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics & Data Analysis 52, 2007.
    """

def cluster_precision(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> BestClassScores:
    """Precision of each cluster: share of its samples that are of its best class.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, and cluster j has ``b_j`` samples. The precision is
    ``max_i n_ij / b_j`` ([1]_). Use it to see which clusters mix classes.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    BestClassScores
        ``clusters``, the sorted labels, ``classes``, the label of the best class of each, and ``scores``, each of shape
        (n_clusters,); ``to_pandas()`` gives a DataFrame. A score is above 0 to 1, which is best. Of classes that are
        equally good and equally large, ``classes`` has the first. Clusters without samples are left out (on a device
        this is a host step: data are copied to the CPU); with ``n_clusters=`` they are kept and have the class -1 and
        the score 0.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    """

def cluster_recall(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> BestClassScores:
    """Recall of each cluster: share of the samples of its best class that are in the cluster.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, and class i has ``a_i`` samples. The recall is ``n_ij / a_i`` with
    the best class i ([1]_). Use it to see which clusters have only a part of their class.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    BestClassScores
        ``clusters``, the sorted labels, ``classes``, the label of the best class of each, and ``scores``, each of shape
        (n_clusters,); ``to_pandas()`` gives a DataFrame. A score is above 0 to 1, which is best. Of classes that are
        equally good and equally large, ``classes`` has the first. Clusters without samples are left out (on a device
        this is a host step: data are copied to the CPU); with ``n_clusters=`` they are kept and have the class -1 and
        the score 0.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    """

def clustering_accuracy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Clustering accuracy (ACC): share of correct samples if clusters are named after classes in the best way.

    Each cluster is matched with at most one class and each class with at most one cluster. ``n_ij`` of the ``n``
    samples are in class i and in cluster j, and ``s(i)`` is the cluster that class i is matched with. Then
    ``ACC = 1/n * max_s sum_i n_(i, s(i))``: the matching that gets most samples right counts ([1]_, equation 18). It is
    also known as unsupervised clustering accuracy, Hungarian accuracy (after the algorithm that finds the matching) and
    pivoted accuracy. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] Y. Yang, D. Xu, F. Nie, S. Yan and Y. Zhuang, "Image clustering using local discriminant models and global
       integration", IEEE Transactions on Image Processing 19, 2010.
    """

def co_clustering_silhouettes(
    labels: Any,
    labelings: Any,
    *,
    method: Literal["pooled", "pairs"] = "pooled",
    sample_size: int | None = None,
    random_state: Any = None,
    ignore_labels: Any = None,
) -> Any:
    """Silhouette of each sample, where samples are near each other if many runs have them together.

    The distance of two samples is 1 less the share of the runs that give both the same label. A sample has the mean
    distance a to the other samples of its own cluster, and the mean distance b to the samples of the nearest other
    cluster, for which it is smallest. Its silhouette is ``(b - a) / max(a, b)``, or 0 if both are 0 ([1]_ uses this
    distance). Use it to see which samples lie between clusters.

    It is circular: it judges clusters by other runs of the method that made them. Clusters that are wrong in the same
    way in each run have high values. Report it, but do not choose a clustering by it alone.

    Parameters
    ----------
    labels
        The clusters to look at, a label vector of shape (n_samples,), of any kind that :meth:`Contingency.from_labels`
        takes, except those of Dask. Samples with a missing label (NaN, None) do not count.
    labelings
        The labels that each run gives the same samples: a mapping from names to label vectors (a dictionary, a pandas
        or polars DataFrame), or a sequence of label vectors. There must be one or more, of any kind that
        :meth:`Contingency.from_labels` takes, except those of Dask. A run leaves out the samples for which it has a
        missing label (NaN, None).
    method
        What the mean distance of a sample and a cluster is, if runs leave samples out; else both are the same:

        - "pooled": 1 less the number of times that a run has the sample and a sample of the cluster together, divided
          by the number of times that a run has both, each added up over the runs and over the samples of the cluster;
        - "pairs": the mean over the samples of the cluster of 1 less the share of the runs with both samples that have
          them together. Pairs that no run has are left out.
    sample_size
        With "pairs", for how many samples to find it, drawn without replacement; the others have NaN. Each is compared
        with all samples. The default is all samples.
    random_state
        A seed or a generator of NumPy, for the samples to draw.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A run leaves out
        the samples for which it has such a label.

    Returns
    -------
    array of shape (n_samples,)
        From -1 to 1, which is best, of the library and on the device of the labels. 0 for a sample that runs have
        together with no other sample of its cluster, or with no other cluster. NaN for samples that do not count, that
        every run leaves out, or that were not drawn.

    References
    ----------
    .. [1] R. Patterson-Cross, A. J. Levine and V. Menon, "Selecting single cell clustering parameter values using
       subsampling-based robustness metrics", BMC Bioinformatics 22, 2021.
    """

def cohen_kappa_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    weights: Literal["linear", "quadratic"] | Matrix | Sequence[Sequence[float]] | None = None,
    labels: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Cohen's kappa: agreement of two labelings that use the same set of labels, corrected for chance.

    ``n_ij`` of the ``n`` samples have label i on the first side and label j on the second, ``a_i`` samples have label i
    on the first side, ``b_j`` have label j on the second, and ``w_ij`` is the cost of giving label j in place of i.
    Then ``kappa = 1 - (sum_ij w_ij * n_ij) / (sum_ij w_ij * a_i * b_j / n)`` ([1]_, equation 5). Use it for labels with
    a fixed meaning, such as those of two annotators. Measures of clusterings do not depend on the names of the labels,
    but kappa does.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    weights
        The costs of disagreement. None: every disagreement costs 1. ``"linear"``: it costs the distance of the two
        labels on their scale (see Notes), of which neighbours have the distance 1. ``"quadratic"``: the square of this
        distance. Or a matrix of costs, shape (n_labels, n_labels), finite, not negative, and 0 on the diagonal. Its
        rows and columns are the labels of the scale, in this order. If no label occurs, a square matrix of any size is
        allowed. A data frame that has the labels as its index and its columns needs no scale.
    labels
        The scale: all labels in their order, as a list or any other vector. A label that occurs must be on it, unlike
        in scikit-learn, which leaves out samples with other labels; ``ignore_labels`` leaves samples out.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected by chance. It is at least -1, unless a matrix of costs is
        given. Symmetric if the costs are.

    References
    ----------
    .. [1] J. Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit",
       Psychological Bulletin 70, 1968.
    """

def compare_many_scores(
    labels_true: Any,
    labelings: Any,
    metric: str | Callable[..., Any] = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: Literal["bca", "percentile", "basic", "jackknife"] | None = None,
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifferences:
    """Compare the scores of many clusterings of the same samples: which is the best, and is its lead more than noise.

    It works like :func:`compare_scores` with the method "jackknife", which explains the null hypothesis, and when not
    to use it. Each sample, or group, is left out for all clusterings, so that any two of them are compared on the same
    samples.

    One of many clusterings is always the best, even if all are equally good. So all pairs are adjusted together, and
    you may look at any of them afterwards:

    - *family-wise*: whichever clusterings really differ, the probability that any pair without a difference has a
      p-value of at most 0.05 is about 0.05, or less. With m pairs, the p-value is m times that of the pair alone, but
      at most 1 (Bonferroni). The intervals of the differences are adjusted in the same way: each has the level
      1 - 0.05 / m, and all of them together contain the true differences in about 95 of 100 data sets, or more. So an
      interval excludes 0 exactly where the family-wise p-value is at most 0.05. In simulations of four clusterings that
      are equally good, with 60 or 200 samples, or with 5 or 10 groups, some family-wise p-value was at most 0.05 in
      0.02 to 0.07 of the data sets;
    - *false discovery*: of the pairs with a p-value below 0.05, on average about 5 of 100, or fewer, have no difference
      ([1]_; by ``scipy.stats.false_discovery_control``).

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,).
    labelings
        At least two clusterings: a mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or
        a sequence of label vectors.
    metric
        As for :func:`compare_scores`, but a measure with a better direction: the entropy, for example, has none.
    n_resamples, method, confidence_level, groups, random_state
        As for :func:`compare_scores`. ``method`` is that of the intervals of the scores, which are not adjusted; the
        differences are always by the jackknife.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples. A
        sample that is ignored in one labeling is left out of all of them.
    **options
        Options of the measure.

    Returns
    -------
    ScoreDifferences
        The scores with their intervals, the ranks, the best clustering, and the differences of all pairs with their
        p-values. The scores of the resamples are kept in ``scores[name].replicates``; all names have the same
        resamples.

    References
    ----------
    .. [1] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.
    """

def compare_scores(
    labels_true: Any,
    first: Any,
    second: Any,
    metric: str | Callable[..., Any] = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: Literal["bca", "percentile", "basic", "jackknife"] | None = None,
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifference:
    """Compare the scores of two clusterings of the same samples: their difference, its interval and its p-value.

    Use it to tell whether one method is really better than another one, or only on these samples. Samples are resampled
    together with their three labels, and both clusterings are scored on the same resamples. What makes a sample hard
    for both clusterings is then in both scores, and cancels in their difference. So a difference may be beyond doubt
    even if the intervals of the two scores overlap. Samples with the same three labels are counted once, and the tables
    of both clusterings are sums of these counts.

    The null hypothesis is that both clusterings have the same score in the population of samples. The p-value is 1 less
    the level at which the interval would end at 0. For the jackknife, the difference divided by its standard error is
    compared with Student's distribution with N - 1 degrees of freedom ([1]_). N is the number of groups, or the
    effective number of samples: ``(sum |d_u|)^2 / sum d_u^2``, where d_u is how far the difference without sample u is
    from the mean of these. It is about the number of samples whose two labels differ. For the bootstrap, that level is
    found from the shares of resampled differences that are at most, or at least, 0, with the data as one more of them.
    If both clusterings have the same score in every resample, the difference is exactly 0 and p = 1. For the jackknife,
    p is NaN if the difference is not 0 but is the same whichever sample is left out, because this does not tell how it
    would vary.

    When not to use it:

    - for samples that are not independent, such as the cells of a few donors: p-values are then far too small. Give the
      donors as ``groups``, which are resampled as a whole;
    - if the true labels were made from the same data, or by one of the two methods: the test is about the agreement
      with these labels on more such samples, not about which clustering is right;
    - for the uncertainty of the clustering itself: the clusterings are fixed, and nothing is clustered again;
    - to test a clustering against chance: see :func:`permutation_test`.

    Some tests of two classifiers exchange their predictions sample by sample ([2]_). This must not be done with
    clusterings: cluster 1 of one clustering has nothing to do with cluster 1 of the other one, and exchanging the
    labels of some samples makes a clustering that neither method has found.

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,).
    first, second
        The labels of the two clusterings, shape (n_samples,).
    metric
        The name of a measure, full or short as for :func:`evaluate`; or a function that takes a :class:`Contingency` of
        NumPy and returns a number. For a function, higher is better, whatever its name is.
    n_resamples
        How many times samples are drawn. The smallest p-value is 2 / (n_resamples + 1).
    method
        "bca", "percentile" or "basic", as for :func:`bootstrap`; or "jackknife", which draws nothing, see
        :func:`jackknife`. None takes what :func:`evaluate` takes: "jackknife" for ``groups`` and for measures of
        information, overlap and matching, else "bca".
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor (five groups or more). Then whole groups are
        drawn or left out, with all their samples.
    random_state
        A seed, or a NumPy generator. The same seed gives the same interval on every backend.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples. A
        sample that is ignored in one of the three label vectors is left out of all of them.
    **options
        Options of the measure.

    Returns
    -------
    ScoreDifference
        The difference ``first - second``, also for distances, where lower is better; ``better`` says which of the two
        is better. Pairs of copies of one sample, or of one group, do not count, as in :func:`bootstrap`. NaN for fewer
        than 2 samples; of infinite differences no p-value is known. The interval has no width if the difference is the
        same in all resamples. This function runs on the host: the counts are transferred, and tables are drawn and
        scored there.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.
    """

def completeness_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Completeness: how far all samples of a class are in a single cluster.

    H(pred) is the :func:`entropy` of the clusters, and H(pred | true) is their :func:`conditional_entropy` if the
    classes are known. Then ``c = 1 - H(pred | true) / H(pred)`` ([1]_, equation 2). It falls when a class is split over
    clusters, but stays 1 when whole classes are merged into one cluster: look at :func:`homogeneity_score`, too.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 if there is only one cluster. Not symmetric: with the arguments
        exchanged it is :func:`homogeneity_score`.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.
    """

def conditional_entropy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    given: Literal["true", "pred"] = "pred",
    base: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Conditional entropy: the information in one label of a sample if the other label is known.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, ``p_ij = n_ij / n``, and cluster j has ``b_j``
    samples. For ``given="pred"`` it is ``H(true | pred) = sum_ij p_ij log(b_j / n_ij)``. For ``given="true"`` it is
    H(pred | true), with the size of the class in place of that of the cluster ([1]_, equation 2.12). Use H(true | pred)
    to see how mixed the clusters are, and H(pred | true) to see how the classes are split.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    given
        ``"pred"`` or ``"true"``: the partition that is known.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, which is best, to the entropy of the other partition. Not symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.
    """

def conductance_scores(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Conductance of each label: the share of the edge weight at its samples that leads to other labels.

    Use it to find the labels that the graph does not separate from the rest.

    Let the strength of a sample be the weight of all edges at it. K_c is the sum of the strengths of the samples of
    label c, K that of all samples, and X_c the weight of the edges between c and other labels. The conductance of c is
    ``X_c / min(K_c, K - K_c)`` ([1]_). It ranges from 0 to 1; lower is better. It is 0 for a label without edges to
    other labels.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.

    Returns
    -------
    LabelScores
        A named tuple with ``to_pandas()`` of ``labels``, sorted, and ``scores``, both of shape (n_labels,). The scores
        are in the array library of the graph, on its device. No unit. Labels without samples are left out (on a device,
        this is a host step); with ``n_labels`` they are kept and have NaN. The score is also NaN, for 0/0, if a label
        has no edges, or if one label has all edges: one more weak edge could make it 0 as well as 1.

    References
    ----------
    .. [1] R. Kannan, S. Vempala and A. Vetta, "On clusterings: good, bad and spectral", Journal of the ACM 51, 2004.
    """

def contingency_matrix(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: Any = None,
    as_frame: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Contingency table as a matrix: how many samples each class shares with each cluster.

    Entry (i, j) is the number of samples of class i in cluster j. As in scikit-learn, rows are the classes and columns
    the clusters that occur, in sorted order. With ``n_classes=`` and ``n_clusters=`` all of them are kept. On a device
    this is a host step, a copy of data to the CPU: it finds out which labels occur, or checks that all samples could be
    counted.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    eps
        A number to add to every cell. The result is then of the widest floating-point type of the device.
    sparse
        Whether to return a SciPy matrix in CSR format, on the host.
    dtype
        The type of the counts. The default is the widest integer type, or a floating-point type if the weights have
        one.
    as_frame
        Whether to return a pandas DataFrame, on the host. The classes are its index and the clusters are its columns.

    Returns
    -------
    array of shape (n_classes, n_clusters)
        The counts. Exchanging the arguments transposes the matrix.
    """

def coverage_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Coverage: the share of the weight of all edges that lies inside labels.

    It is easy to read, but a single label for all samples always has the best score. :func:`modularity_score` subtracts
    what is expected by chance.

    Let W_c be the weight of the edges whose two ends both have label c, and S the weight of all edges. The coverage is
    ``sum_c W_c / S`` ([1]_). It ranges from 0 to 1; higher is better. It is 1 if no edge connects two different labels.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are no edges.

    References
    ----------
    .. [1] S. Fortunato, "Community detection in graphs", Physics Reports 486, 2010.
    """

def davies_bouldin_score(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
) -> Any:
    """Davies-Bouldin score: how much each cluster overlaps, on average, with the cluster most similar to it.

    It is fast and, like k-means, assumes compact clusters around their centres.

    Let cluster i have the mean m_i, and let s_i be the mean distance of its samples to m_i. The similarity of two
    clusters is ``R_ij = (s_i + s_j) / |m_i - m_j|``: the sum of their radii, relative to the distance of their centres.
    The score is the mean over the clusters i of ``max_j R_ij`` ([1]_, definitions 4 and 5, with p = 2 and q = 1). It
    ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit.

    References
    ----------
    .. [1] D. L. Davies and D. W. Bouldin, "A cluster separation measure", IEEE Transactions on Pattern Analysis and
       Machine Intelligence PAMI-1, 1979.
    """

def dbcv_score(
    X: Any,
    labels: Any,
    *,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    n_features: int | None = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    return_per_label: bool = False,
    progress: bool = False,
) -> Any:
    """Density-based clustering validation (DBCV): how well sparse regions separate clusters of any shape.

    Use it for HDBSCAN, DBSCAN and other density-based clusterings: unlike silhouettes, it does not prefer round
    clusters, and it takes noise into account.

    Let d(x, y) be the distance of two samples, p the number of features, and n the number of all samples, including
    those with ignored labels. A cluster C has ``|C|`` samples. The definitions are ([1]_, definitions 1 to 8):

    - The core distance of a sample x of C is ``(sum_y d(x, y)^-p / (|C| - 1))^(-1/p)``. The sum is over the other
      samples y of C, without those with d(x, y) = 0. The core distance is 0 if there are no others.
    - The reachability of two samples is the largest of their distance and of their two core distances.
    - Build a minimum spanning tree of the samples of C, with reachabilities as lengths of the edges. Its inner samples
      are those with more than one edge; both samples of a cluster of two are inner.
    - D_C, the sparseness of C, is the longest edge between two inner samples. If there is no such edge, it is the
      longest edge of the tree.
    - S_C, the separation of C, is the smallest reachability between an inner sample of C and an inner sample of another
      cluster.
    - V_C, the validity of C, is ``(S_C - D_C) / max(S_C, D_C)``.

    The score is ``sum_C (|C| / n) V_C``. It ranges from -1 to 1; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    metric
        The distance between two samples; :func:`silhouette_samples` lists the choices.
    absent
        The distance between two samples for which a sparse matrix of precomputed distances has no entry; see
        :func:`silhouette_samples`.
    n_features
        The number of features p, a positive integer. Give it with metric="precomputed" only; otherwise it is that of X.
    ignore_labels
        One label or several, such as -1 for the noise of HDBSCAN. Samples with such a label are in no cluster, but they
        count in n: the more there are, the nearer to 0 is the score.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    return_per_label
        Whether to return the value of each cluster, too. The result prints as a table, and has ``to_pandas()``.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 0 if fewer than two clusters have 2 samples or
        more. With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted;
        in the library of X if they are numbers, else in NumPy) and ``label_scores`` (V_C of each cluster), both of
        shape (n_labels,). V_C is NaN for a cluster of one sample, which counts as noise.

    References
    ----------
    .. [1] D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek and J. Sander, "Density-based clustering
       validation", SIAM International Conference on Data Mining, 2014.
    """

def dunn_index(
    X: Any,
    labels: Any,
    *,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Dunn index: the smallest distance between clusters over the largest distance within a cluster.

    It judges the worst case: the two closest clusters and the widest one. Use it when every cluster must be compact and
    well separated; a single outlier can change it much.

    Let d(x, y) be the distance of the samples x and y, and k(x) the cluster of x. The index is the smallest d(x, y)
    over all pairs of samples with k(x) != k(y), divided by the largest d(x, y) over all pairs with k(x) = k(y) ([1]_,
    equation 3: the index of compact separated partitions). Some libraries use centres and radii instead; this is the
    index of the samples themselves. It ranges from 0 to infinity; higher is better. If it is above 1, each sample is
    nearer to all samples of its own cluster than to any other sample.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    metric
        The distance between two samples; :func:`silhouette_samples` lists the choices.
    absent
        The distance between two samples for which a sparse matrix of precomputed distances has no entry; see
        :func:`silhouette_samples`.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is infinity if the samples of each cluster are
        equal and no two clusters are at the same place. It is 0 if both distances are 0.

    References
    ----------
    .. [1] J. C. Dunn, "Well-separated clusters and optimal fuzzy partitions", Journal of Cybernetics 4, 1974.
    """

def element_centric_consistency(labelings: Any, *, ignore_labels: Any = None, sample_weight: Any = None) -> Any:
    """Element-centric consistency of each sample: how similar its clusters are in several labelings.

    It is the mean of :func:`element_centric_samples` over all pairs of labelings ([1]_). Give it the labelings of one
    method with several seeds: samples with low values have clusters that are not stable.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors. There must be two or more, of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A pair of
        labelings leaves out the samples that have such a label in either of the two. The mean of a sample is taken over
        the other pairs.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels. NaN for samples that every pair
        leaves out, and for those with the weight 0.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.
    """

def element_centric_samples(
    labels_true: Any,
    labels_pred: Any,
    *,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    sample_weight: Any = None,
) -> Any:
    """Element-centric similarity of each sample: how much its class and its cluster overlap.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. A sample
    in class i and in cluster j has the value ``n_ij / max(a_i, b_j)`` ([1]_). Use it to see which samples the two
    partitions group differently.

    Parameters
    ----------
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, except those of
        Dask.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. A mapping names the side, such as ``{"true": 0}``.
    n_classes, n_clusters
        The numbers of classes and of clusters, for labels that are integers from 0 to one below these numbers. With
        both, no data are copied from the device to find them out, and labels outside this range make all values NaN
        there.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels. NaN for samples that do not count:
        those with a label to ignore, or with the weight 0.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.
    """

def element_centric_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Element-centric similarity: how much the class and the cluster of a sample overlap, on average.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. A sample in class i and in cluster j has the value ``n_ij / max(a_i, b_j)``, as in
    :func:`element_centric_samples`. The score is the mean over the samples, ``1/n * sum_ij n_ij^2 / max(a_i, b_j)``
    ([1]_).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric. Not corrected for chance: the value for random partitions depends on the
        number of groups and on their sizes. Every score is at least 1/n, as each sample is in the overlap of its own
        class and cluster.

    References
    ----------
    .. [1] A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn, "Element-centric clustering comparison unifies overlaps
       and hierarchy", Scientific Reports 9, 2019.
    """

def entropy(
    labels: Any,
    *,
    base: float | None = None,
    of: Literal["true", "pred"] = "true",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
) -> Any:
    """Shannon entropy of one labeling: the information in the label of a random sample.

    ``a_i`` of the ``n`` samples have label i, and ``p_i = a_i / n``. Then ``H = -sum_i p_i log p_i`` ([1]_, section
    2.1). It grows with the number of groups, and with the evenness of their sizes.

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency`; then ``of`` names its side.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        do not count.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes
        The number of different labels, if they are integers from 0 to one below this number.
        With it, no data are copied from the device to find out the size of the contingency table.
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, for one group, to log(n), for n groups of one sample each.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.
    """

def expected_mutual_info(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    base: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Expected mutual information (EMI): the mutual information of random partitions with these group sizes.

    It is the mean of :func:`mutual_info_score` over all permutations of the labels. The sizes of the classes and of the
    clusters stay the same, so the number in each cell of the contingency table has a hypergeometric distribution ([1]_,
    equation 24a). :func:`adjusted_mutual_info_score` uses it to correct for chance.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0 to the smaller of the two entropies. Symmetric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.
    """

def f_measure_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    average: Literal["macro", "weighted"] = "macro",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """F-measure: mean F-score of the clusters with their best classes, or of the classes with their best clusters.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. The F-score of a class and a cluster is ``F_ij = 2 * n_ij / (a_i + b_j)``, van Rijsbergen's F.

    - ``"macro"``: the mean over the clusters j of F_ij, where i is the class with the most samples in cluster j ([1]_).
      Each cluster counts the same.
    - ``"weighted"``: ``sum_i a_i / n * max_j F_ij``, over the classes ([2]_, section 3.3). Each class counts by its
      size.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    average
        ``"macro"`` or ``"weighted"``.

    Returns
    -------
    float
        Above 0 to 1, which is best. Not symmetric.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    .. [2] B. Larsen and C. Aone, "Fast and effective text mining using linear-time document clustering", KDD 1999.
    """

def fowlkes_mallows_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Fowlkes-Mallows index: geometric mean of pair precision and pair recall.

    ``T`` pairs of samples are together (in one group) in the true partition, ``P`` in the predicted one, and ``both``
    in both of them. Then ``FM = both / sqrt(T * P)`` ([1]_, equation 3). Pairs that are apart in both partitions do not
    count. See :func:`adjusted_fowlkes_mallows_score` for the same, corrected for chance.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Two equal partitions into single samples score 1 as well. Symmetric.

    References
    ----------
    .. [1] E. B. Fowlkes and C. L. Mallows, "A method for comparing two hierarchical clusterings", JASA 78, 1983.
    """

def gini_index(
    labels: Any,
    *,
    of: Literal["true", "pred"] = "true",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
) -> Any:
    """Gini index (Gini impurity): probability that two random samples have different labels.

    The two samples are drawn with replacement. ``p_i`` is the share of the samples that have label i. The index is
    ``1 - sum_i p_i^2`` ([1]_, section 4.2). It is half the beta-entropy of order 2.

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency`; then ``of`` names its side.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        do not count.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes
        The number of different labels, if they are integers from 0 to one below this number.
        With it, no data are copied from the device to find out the size of the contingency table.
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.

    Returns
    -------
    float
        From 0, for one group, to 1 - 1/n, for n groups of one sample each.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", 1984.
    """

def graph_connectivity_score(
    graph: Any,
    labels: Any,
    *,
    connection: Literal["weak", "strong"] = "weak",
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """Graph connectivity: how far the samples of each label are connected to one another in a graph.

    Single-cell benchmarks use it to see whether cells of one type stay together when batches are integrated.

    For each label, take the graph of its samples alone, and divide the number of samples in its largest connected
    component by the number of samples of the label. The score is the mean of these shares over the labels ([1]_); each
    label counts equally, whatever its size. It is above 0 and at most 1; higher is better. It is 1 if the samples of
    each label are all connected.

    Parameters
    ----------
    graph
        The edges between the samples, as one of:

        - a :class:`Neighbors`;
        - a square sparse matrix of weights, of SciPy or CuPy, a sparse tensor, or the three arrays
          ``(data, indices, indptr)`` of a matrix in CSR format;
        - a pair ``(indices, distances)`` of nearest neighbours: each sample has an edge of weight 1 to each neighbour;
        - an object with a matrix ``connectivities``, such as AnnData in its ``obsp``.

        Weights are finite and not negative; a weight of 0 is no edge. A larger weight means a closer connection, so
        give a matrix of distances as ``Neighbors.from_distances(matrix)``.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
    connection
        When two samples are in one component. "weak": a path of edges connects them, whatever the directions of the
        edges. "strong": directed paths lead from each to the other. Both are the same for a symmetric matrix.
    return_per_label
        Whether to return the labels and the share of each label, too. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. NaN if there are no samples. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; all labels, if
        ``n_labels`` is given) and ``label_scores`` (the shares; NaN for a label without samples), both of shape
        (n_labels,).

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def hartigan_index(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
) -> Any:
    """Hartigan index: the logarithm of the scatter of the centres over the scatter of the samples around them.

    For clusterings with equal numbers of clusters, it gives the same ranking as :func:`calinski_harabasz_score`. It is
    not Hartigan's rule, which compares the inertia of two numbers of clusters.

    Let m be the mean of all samples, and let cluster k have n_k samples with the mean m_k. The scatter between clusters
    is ``B = sum_k n_k |m_k - m|^2``, and W is the :func:`inertia`, the scatter within clusters. The index is
    ``ln(B / W)`` ([1]_; the R package clusterCrit has it as Log_SS_Ratio). It ranges from -infinity to infinity; higher
    is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy. Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.

    Returns
    -------
    score
        A number in the array library of X, on its device, in nats (the natural logarithm of a ratio without a unit). It
        is infinity if all samples lie on their centres, -infinity if all centres are equal, and 0 if both are so.

    References
    ----------
    .. [1] J. A. Hartigan, "Clustering algorithms", 1975.
    """

def homogeneity_completeness_v_measure(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 1.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> HomogeneityCompletenessVMeasure:
    """Homogeneity, completeness and V-measure in one call.

    It returns :func:`homogeneity_score`, :func:`completeness_score` and :func:`v_measure_score` ([1]_), from a single
    contingency table.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        How much more completeness counts than homogeneity in the V-measure.

    Returns
    -------
    tuple of three floats
        ``homogeneity``, ``completeness`` and ``v_measure``, each from 0 to 1, which is best. Exchanging the arguments
        exchanges the first two.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.
    """

def homogeneity_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Homogeneity: how far each cluster has samples of a single class only.

    H(true) is the :func:`entropy` of the classes, and H(true | pred) is their :func:`conditional_entropy` if the
    clusters are known. Then ``h = 1 - H(true | pred) / H(true)`` ([1]_, equation 1). It falls when a cluster mixes
    classes, and does not fall when a class is split over clusters: look at :func:`completeness_score`, too.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 if there is only one class. Not symmetric: with the arguments exchanged
        it is :func:`completeness_score`.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.
    """

def hubert_gamma_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Hubert's gamma: correlation, over all pairs, of being together in one partition and in the other.

    Of ``all`` pairs of samples, ``both`` are together in both partitions, ``true_only`` only in the true one,
    ``pred_only`` only in the predicted one, and ``neither`` in none. ``T = both + true_only`` and
    ``P = both + pred_only``. The score is the phi coefficient (the correlation of two yes/no variables) of the pairs:
    ``(both * neither - true_only * pred_only) / sqrt(T * P * (all - T) * (all - P))`` ([1]_; [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From -1 to 1, which is best; 0 means no correlation. Symmetric.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """

def ilisi_score(
    neighbors: Any,
    batch: Any,
    *,
    perplexity: float | None = None,
    scale: bool = True,
    ignore_labels: Any = None,
    n_batches: int | None = None,
) -> Any:
    """Integration LISI (iLISI): how well batches are mixed, by the number of batches around a typical cell.

    Use it to judge the removal of batch effects, together with a measure that shows that cell types are kept apart,
    such as :func:`clisi_score`.

    Let x be the median over the cells of :func:`lisi_samples` of the batches ([1]_), and B the number of batches that
    have cells. The score is ``(x - 1) / (B - 1)`` ([2]_). It ranges from 0, for separate batches, to 1, for batches
    that are mixed evenly; higher is better. Without ``scale`` the score is x, from 1 to B.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or anything that
        one can be made of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the
        attributes ``indices`` and ``distances``. A cell does not count as its own neighbour.
    batch
        The batch of each cell, shape (n_cells,): on the device of the neighbours, or on the host.
    scale
        Whether to rescale the score to the range 0 to 1.
    perplexity
        The effective number of neighbours of a cell, from 1 to the number k of its neighbours: nearer neighbours weigh
        more. By default floor((k + 1) / 3), and at least 1: a third of the columns of a search that also finds the cell
        itself.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_batches
        The number of batches, if these are the integers from 0 to below it. Nothing is then copied from a device to find
        the number, and errors in the batches or the neighbours there make the result NaN.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN if no cell counts, and for a
        single batch, of which one cannot say whether it is mixed.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def inconsistency_coefficient(labelings: Any, *, ignore_labels: Any = None) -> Any:
    """Inconsistency coefficient (IC): how much the labelings of several runs differ; 1 if they are the same partition.

    With ``S_rs``, the :func:`element_centric_score` of the runs r and s, and B runs it is ``B^2 / sum_rs S_rs``. The
    sum has all B^2 ordered pairs, also those of a run with itself, which have 1. Equivalently it is 1 divided by
    ``p' S p``, where p are the shares of runs that give the same partition, and S is the matrix of the scores of
    different partitions ([1]_).

    Parameters
    ----------
    labelings
        The labels that each run gives the same samples: a mapping from names to label vectors (a dictionary, a pandas
        or polars DataFrame), or a sequence of label vectors. There must be two or more, of any kind that
        :meth:`Contingency.from_labels` takes, except those of Dask. A run leaves out the samples for which it has a
        missing label (NaN, None).
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A run leaves out
        the samples for which it has such a label.

    Returns
    -------
    score
        From 1, which is best, to the number of runs, in the array library of the labels, on their device. No unit. It
        is not corrected for chance: few clusters have a low value.

    References
    ----------
    .. [1] H. Kim, I. Park, J.-E. Park, J. K. Kim, M. Seo and J. K. Kim, "scICE: enhancing clustering reliability and
       efficiency of scRNA-seq data with multi-cluster label consistency evaluation", Nature Communications 16, 2025.
    """

def inertia(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Inertia: the sum of the squared distances of the samples to the mean of their cluster.

    Also known as the within-cluster sum of squares; k-means minimizes it. It falls with every cluster that is split, so
    use it to compare clusterings with equal numbers of clusters, or look for the elbow in its curve.

    Let m_k be the mean of the samples of cluster k, and W_k the sum of the squared distances of these samples to m_k.
    The inertia is ``W = sum_k W_k`` ([1]_, section 1). It ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy. Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. Each squared distance is multiplied by the weight of its sample.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    return_per_label
        Whether to return the value of each cluster, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        A number in the array library of X, on its device; 0 if there are no samples. Its unit is that of X squared.
        With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted; in
        the library of X if they are numbers, else in NumPy) and ``label_scores`` (W_k of each cluster), both of shape
        (n_labels,).

    References
    ----------
    .. [1] J. MacQueen, "Some methods for classification and analysis of multivariate observations", Berkeley Symposium
       on Mathematical Statistics and Probability, 1967.
    """

def inverse_purity_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Inverse purity: share of the samples that are in the largest cluster of their class.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. Then inverse purity is ``1/n * sum_i max_j n_ij``
    ([1]_, section 3.1). It does not fall when clusters merge classes: look at :func:`purity_score`, too.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. A single cluster always has 1. Not symmetric: with the arguments exchanged it is
        :func:`purity_score`.

    References
    ----------
    .. [1] E. Amigó, J. Gonzalo, J. Artiles and F. Verdejo, "A comparison of extrinsic clustering evaluation metrics
       based on formal constraints", Information Retrieval 12, 2009.
    """

def isolated_labels_score(
    labels: Any,
    batch: Any,
    *,
    X: Any = None,
    clusterings: Any = None,
    others: Literal["apart", "together"] = "apart",
    rescale: bool = True,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    most_batches: int | None = None,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
    n_batches: int | None = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Isolated label score: how well labels that only a few batches have are separate from all other labels.

    Single-cell benchmarks use it to see whether an integration keeps rare cell types apart. Isolated labels are those
    that are present in the fewest batches. The score is the mean over the isolated labels of one of two scores ([1]_):

    - With ``clusterings``, the F1 score. Label i has a_i cells, cluster j has b_j cells, and n_ij cells are in both.
      The score of label i is the largest ``2 n_ij / (a_i + b_j)`` over all clusters j of all clusterings.
    - With ``X``, an embedding, the average silhouette width (ASW). With the mean silhouette s of the cells of the label
      (see :func:`silhouette_samples`), the score is ``(s + 1) / 2``.

    It ranges from 0 to 1; higher is better.

    Parameters
    ----------
    labels
        The label of each cell, such as its cell type, shape (n_cells,).
    batch
        The batch of each cell, shape (n_cells,), in the library and on the device of the labels. If both have an index,
        it must be the same.
    X
        The cells, shape (n_cells, n_features), such as an embedding, in any form that :func:`silhouette_samples` takes,
        for the score of silhouettes. Labels and batches are on the device of X, or on the host.
    clusterings
        Clusterings of the cells, such as those of a sweep over resolutions, for the F1 score: a mapping from names to
        label vectors (a dictionary, or a DataFrame of pandas or polars), a sequence of label vectors, or one label
        vector. Give either this or ``X``. If a clustering ignores all cells of a label, the F1 of the label there is 0.
    others
        What a silhouette compares an isolated label with. "apart": the nearest of the other labels (as in
        scib-metrics). "together": all other cells as one cluster (as in scib).
    rescale
        Whether to rescale silhouettes to the range 0 to 1. If not, the score is the mean of s, from -1 to 1.
    metric
        The distance of two cells for silhouettes: see :func:`silhouette_samples`. "precomputed" is not possible.
    most_batches
        A label is isolated if it is in at most this many batches. By default, labels in the fewest batches are.
    return_per_label
        Whether to return the score of each isolated label, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label, batch or cluster do not count.
    n_labels, n_batches, n_clusters
        The numbers of labels, of batches and, with ``clusterings``, of clusters, if these are integers from 0 to below
        the number. Give all or none. Nothing is then copied from a device to find the numbers, and errors in the labels
        there make the score NaN.
    on_degenerate
        What to do if there is no score: "raise" a ValueError, or return "nan". There is none if no label is isolated
        (all are in all batches, or none is in at most ``most_batches``), if no cell counts, and, for silhouettes, with
        fewer than 2 labels or as many labels as cells. On a device, with the numbers given, the score is NaN in any
        case.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, or of the labels, on its device. No unit. With ``return_per_label``, a named
        tuple of ``score``, ``labels`` (the isolated ones, sorted; in that library if they are numbers, else in NumPy),
        ``label_scores`` and ``label_batches`` (the number of batches of each), the last three of shape (n_isolated,).

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def jackknife(
    metrics: str
    | Callable[..., Any]
    | Iterable[str | Callable[..., Any]]
    | Mapping[Any, str | Callable[..., Any]]
    | None,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    confidence_level: float = 0.95,
    groups: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Standard error, bias and confidence interval of scores by the jackknife: each sample is left out once.

    The result is exact; nothing is drawn at random. Let n be the number of samples, t the score of all of them, n_ij
    the number of samples in the cell (i, j) of the table (class i and cluster j), and t_ij the score without one sample
    of this cell. Let m be the mean of these scores, the sum over i and j of n_ij t_ij / n. The variance is (n - 1)/n
    times the sum over i and j of n_ij (t_ij - m)^2, and the bias is (n - 1)(m - t) ([1]_, equations 11.5 and 11.11).
    The standard error SE is the square root of the variance. The interval reaches from t - q SE to t + q SE, where q is
    the quantile of Student's distribution for the level, with n - 1 degrees of freedom. For groups, n is their number.
    The interval is cut at the ends of the range of the measure.

    All samples of one cell are alike, so one score is needed for each cell that is not empty. For measures of pairs, of
    information and of overlap, it is found from what changes when a sample is left out, in as many steps as there are
    cells. For all other measures, as many tables are scored as there are such cells.

    Prefer it to :func:`bootstrap` for measures of information, because the bootstrap adds their bias a second time.
    With fewer than about 5 samples for each cell of the table (number of classes times number of clusters), the bias is
    larger than the standard error. For other measures, the intervals of :func:`bootstrap` are nearer to their level.
    Samples must be independent. The cells of one donor are not; use ``groups``. If labels were found from the same
    data, the interval does not include this uncertainty.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor. Then whole groups are left out, one at a time.
        Five groups or more are needed: in simulations with 5 to 30 groups, intervals of level 0.95 of the ARI, the NMI
        and the AMI contained the truth in 0.92 to 0.96 of the data sets.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        The estimate of one measure; or, for several measures, a mapping from their names to estimates. Standard error,
        bias and interval are NaN for fewer than 2 samples, and if a function returns NaN or an infinite number for a
        table. The standard error is 0 if all samples lie in one cell, or if the clusters are exactly the classes; here,
        too, this does not mean that errors are impossible. This function runs on the host: the counts of the table are
        transferred.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    """

def joint_entropy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    base: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Joint entropy: the information in the two labels of a random sample together.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and ``p_ij = n_ij / n``. Then
    ``H(true, pred) = -sum_ij p_ij log p_ij`` ([1]_, equation 2.8). It is the entropy of the partition whose groups are
    the non-empty cells of the contingency table.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From max(H(true), H(pred)) to H(true) + H(pred), where H is :func:`entropy`. Symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.
    """

def kbet_samples(
    neighbors: Any,
    batch: Any,
    *,
    labels: Any = None,
    include_self: bool = True,
    ignore_labels: Any = None,
    n_batches: int | None = None,
    n_labels: int | None = None,
    return_p_values: bool = False,
) -> Any:
    """Statistic of kBET for each cell: how far the batches among its neighbours differ from those among all cells.

    kBET is the k-nearest-neighbour batch effect test. Use this function to find the cells around which batches are not
    mixed; :func:`kbet_score` is the share of cells that the test accepts.

    A cell has k neighbours, o_b of which are of batch b; f_b is the share of batch b among all cells. The chi-square
    statistic of the cell is ``sum_b (o_b - k f_b)^2 / (k f_b)`` ([1]_). It is 0 if the batches have the same shares as
    among all cells, and has no fixed upper limit; lower means better mixed. With ``labels``, only neighbours of the
    cell's own label count: k is their number, and f_b is the share among the cells of that label.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell: a :class:`Neighbors`, or anything that one can be made of, such as
        ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices`` and
        ``distances``. The values of the distances do not matter.
    batch
        The batch of each cell, shape (n_cells,): on the device of the neighbours, or on the host.
    labels
        The label of each cell, such as its cell type, shape (n_cells,). If given, the cells of each label are tested
        separately.
    include_self
        Whether a cell counts among its own neighbours, as in the authors' definition.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count, not even as neighbours.
    n_batches, n_labels
        The number of batches and of labels, if these are integers from 0 to below the number. Nothing is then copied
        from a device to find the numbers, and errors in batches, labels or neighbours there make the result NaN.
    return_p_values
        Whether to return the p-values, too. With B batches (among the cells of the label), the p-value is the upper
        tail of the chi-square distribution with B - 1 degrees of freedom.

    Returns
    -------
    statistics
        Shape (n_cells,), in the array library of the neighbours, on their device. No unit. NaN for cells that are not
        tested: cells that do not count, cells without a neighbour that counts, and all cells if there is only one batch
        (with ``labels``, all cells of a label with only one batch). With ``return_p_values``, a named tuple of
        ``statistic`` and ``p_value``.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.
    """

def kbet_score(
    neighbors: Any,
    batch: Any,
    *,
    labels: Any = None,
    include_self: bool = True,
    alpha: float = 0.05,
    ignore_labels: Any = None,
    n_batches: int | None = None,
    n_labels: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Acceptance rate of kBET: the share of cells around which the batches are mixed as among all cells.

    kBET is the k-nearest-neighbour batch effect test. Use it to see whether an integration has removed batch effects
    everywhere, not only on average.

    A cell is accepted if its statistic (see :func:`kbet_samples`) is no larger than the 1 - ``alpha`` quantile of the
    chi-square distribution with B - 1 degrees of freedom, for B batches ([1]_). The score is the share of the tested
    cells that are accepted. With ``labels`` this share is computed for each label, and the score is their mean, without
    labels that have no tested cell, such as those that have only one batch ([2]_). It ranges from 0 to 1; higher means
    better mixed.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell: a :class:`Neighbors`, or anything that one can be made of, such as
        ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices`` and
        ``distances``. The values of the distances do not matter.
    batch
        The batch of each cell, shape (n_cells,): on the device of the neighbours, or on the host.
    labels
        The label of each cell, such as its cell type, shape (n_cells,). If given, the cells of each label are tested
        separately.
    include_self
        Whether a cell counts among its own neighbours, as in the authors' definition.
    alpha
        The significance level of the test, above 0 and below 1.
    return_per_label
        Whether to return the score of each label, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count, not even as neighbours.
    n_batches, n_labels
        The number of batches and of labels, if these are integers from 0 to below the number. Nothing is then copied
        from a device to find the numbers, and errors in batches, labels or neighbours there make the result NaN.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN if no cell is tested, as with a
        single batch. With ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted;
        in the library of the neighbours if they are numbers, else in NumPy; with ``n_labels`` all from 0 to below it)
        and ``label_scores`` (NaN for labels without tested cells), both of shape (n_labels,).

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def lisi_samples(
    neighbors: Any,
    labels: Any,
    *,
    perplexity: float | None = None,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """LISI of each cell, the local inverse Simpson's index: the effective number of labels among its neighbours.

    Use it with batches to find cells around which batches are not mixed, and with cell types to find cells around which
    types are mixed. :func:`ilisi_score` and :func:`clisi_score` summarize it.

    Each neighbour j of a cell has a weight P_j. The weights add up to 1, and decrease with the distance d_j as
    ``exp(-beta d_j)``. The number beta is the one for which the entropy ``-sum_j P_j ln P_j`` is the logarithm of
    ``perplexity``. For each label l, let Q_l be the sum of the weights of the neighbours with label l. The index is
    ``1 / sum_l Q_l^2`` ([1]_). It is 1 if all neighbours have one label, and the number of labels if all labels have
    the same weight. Renaming the labels does not change it.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or anything that
        one can be made of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the
        attributes ``indices`` and ``distances``. A cell does not count as its own neighbour.
    labels
        The label of each cell, such as its batch or its cell type, shape (n_cells,): on the device of the neighbours,
        or on the host.
    perplexity
        The effective number of neighbours of a cell, from 1 to the number k of its neighbours: nearer neighbours weigh
        more. By default floor((k + 1) / 3), and at least 1: a third of the columns of a search that also finds the cell
        itself.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_labels
        The number of labels, if these are the integers from 0 to below it. Nothing is then copied from a device to find
        the number, and errors in the labels or the neighbours there make the result NaN.

    Returns
    -------
    lisi
        Shape (n_cells,), in the array library of the neighbours, on their device. Its unit is labels. NaN for cells
        that do not count, and for cells without a neighbour that counts.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    """

def match_labels(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    objective: Literal["count", "recall", "precision", "f"] = "count",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> LabelMatching:
    """Match classes and clusters one to one so that they share as many samples as possible.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The
    matching maximises the sum of n_ij over the matched pairs, or of another ``objective``: this is the assignment
    problem, which the Hungarian method solves ([1]_). Pairs that share no sample are not listed. Use it to name
    clusters after classes. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    objective
        What to sum over the matched pairs. ``"count"`` is n_ij, so that most samples are right, as in
        :func:`clustering_accuracy`. ``"recall"`` is ``n_ij / a_i``, so that each class counts the same, as in
        :func:`normalized_clustering_accuracy`. ``"precision"`` is ``n_ij / b_j``, so that each cluster counts the same.
        ``"f"`` is ``2 * n_ij / (a_i + b_j)``, the harmonic mean of both.

    Returns
    -------
    LabelMatching
        ``classes`` and ``clusters`` are the labels of each pair, and ``counts`` says how many samples they share. Each
        has the shape (n_pairs,), in the order of the classes. The method ``relabel`` replaces clusters by their classes
        in a label vector, and ``to_pandas`` gives a DataFrame.

    References
    ----------
    .. [1] H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.
    """

def mcnemar_index(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """McNemar's statistic: whether one partition puts more pairs together than the other.

    ``true_only`` pairs of samples are together only in the true partition, ``pred_only`` pairs only in the predicted
    one; each pair counts once. The statistic is ``(true_only - pred_only) / sqrt(true_only + pred_only)``: the root of
    McNemar's chi-square, with its sign ([1]_). It shows whether a clustering is too fine or too coarse, not whether it
    is right.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        0 if both partitions put equally many pairs together (these need not be the same pairs). Positive if the true
        partition puts more pairs together. Exchanging the arguments changes the sign.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.
    """

def mirkin_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    normalized: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Mirkin distance: number of ordered pairs of samples on which the two partitions disagree.

    The partitions disagree on a pair if it is together in one and apart in the other. ``true_only`` pairs are together
    only in the true partition, ``pred_only`` pairs only in the predicted one. Each pair has two orders, so the distance
    is ``2 * (true_only + pred_only)`` ([1]_; [2]_, equation 7).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    normalized
        Whether to divide by ``n^2``, the square of the number of samples.

    Returns
    -------
    float
        From 0, which is best, to n (n - 1), or to 1 - 1/n if normalised. Symmetric; a metric.

    References
    ----------
    .. [1] B. Mirkin, "Mathematical classification and clustering", 1996.
    .. [2] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98, 2007.
    """

def modularity_score(
    graph: Any,
    labels: Any,
    *,
    resolution: float = 1.0,
    directed: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """Modularity: how much more edge weight lies inside the labels than one would expect by chance.

    It is what the Louvain and Leiden algorithms maximize; use it to compare partitions of one graph.

    Let A be the matrix of weights: the entry in row i and column j is the weight of the edge from sample i to sample j.
    S is the sum of all entries. For each label c, W_c is the sum of the entries whose two ends both have label c; O_c
    is the sum of the rows of its samples (the weight going out), and I_c that of their columns (the weight coming in).
    With ``K_c = (O_c + I_c) / 2`` and the resolution g, the modularity is ``sum_c (W_c / S - g K_c^2 / S^2)`` ([1]_,
    [2]_). With ``directed`` it is ``sum_c (W_c / S - g O_c I_c / S^2)`` ([3]_). Higher is better. At resolution 1 it is
    at least -1/2 and below 1, and it is 0 if there is a single label.

    Parameters
    ----------
    graph
        The edges between the samples, as one of:

        - a :class:`Neighbors`;
        - a square sparse matrix of weights, of SciPy or CuPy, a sparse tensor, or the three arrays
          ``(data, indices, indptr)`` of a matrix in CSR format;
        - a pair ``(indices, distances)`` of nearest neighbours: each sample has an edge of weight 1 to each neighbour;
        - an object with a matrix ``connectivities``, such as AnnData in its ``obsp``.

        Weights are finite and not negative; a weight of 0 is no edge. A larger weight means a closer connection, so
        give a matrix of distances as ``Neighbors.from_distances(matrix)``.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
    resolution
        The factor g of the expected weight, 0 or more. With a larger one, labels with fewer samples score best.
    directed
        Whether the directions of the edges count. It makes no difference for a symmetric matrix.
    return_per_label
        Whether to return the labels and the term of each label, too. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are no edges. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; all labels, if
        ``n_labels`` is given) and ``label_scores`` (the term of each label in the sum), both of shape (n_labels,).

    References
    ----------
    .. [1] M. E. J. Newman and M. Girvan, "Finding and evaluating community structure in networks", Physical Review E
       69, 2004.
    .. [2] J. Reichardt and S. Bornholdt, "Statistical mechanics of community detection", Physical Review E 74, 2006.
    .. [3] E. A. Leicht and M. E. J. Newman, "Community structure in directed networks", Physical Review Letters 100,
       2008.
    """

def mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    base: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Mutual information (MI): the information that the two partitions share.

    ``p_ij`` is the share of the samples that are in class i and in cluster j, ``p_i`` the share of class i, and ``p_j``
    the share of cluster j. Then ``I = sum_ij p_ij log(p_ij / (p_i * p_j))`` ([1]_, equation 2.28). To compare
    clusterings, use one of its normalised or adjusted forms, :func:`normalized_mutual_info_score` or
    :func:`adjusted_mutual_info_score`.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, for independent partitions, to the smaller of the two entropies. Symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.
    """

def normalized_clustering_accuracy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Normalised clustering accuracy (NCA): mean recall of the classes under the best matching, rescaled.

    Each cluster is matched with at most one class and each class with at most one cluster. ``n_ij`` samples are in
    class i and in cluster j, class i has ``a_i`` samples, and ``s(i)`` is the cluster that class i is matched with. The
    recall of class i is ``n_(i, s(i)) / a_i``, or 0 if it is matched with no cluster. ``s`` is the matching with the
    largest sum of recalls. ``k`` is the number of classes or the number of clusters, whichever is larger. The score is
    the mean over the classes of ``(recall - 1/k) / (1 - 1/k)`` ([1]_, equation 8). Each class counts the same, so it
    suits classes of very different sizes. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best; 0 for a contingency table whose cells are all equal. Not symmetric: the reference is
        ``labels_true``.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity measure", Journal of
       Classification 42, 2025.
    """

def normalized_confusion_matrix(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    objective: Literal["count", "recall", "precision", "f"] = "count",
    as_frame: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Contingency table with its columns in the order that makes the sum of the diagonal as large as possible.

    The order is :func:`normalizing_permutation`, for counts the same as in the Python package genieclust. If there are
    more classes than clusters, empty columns are added. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    objective
        What to sum over the diagonal: ``"count"``, ``"recall"``, ``"precision"`` or ``"f"``, as in
        :func:`match_labels`.
    as_frame
        Whether to return a pandas DataFrame, on the host. The classes are its index and the clusters are its columns;
        an added column has the label None.

    Returns
    -------
    array of shape (n_classes, max(n_classes, n_clusters))
        The counts.
    """

def normalized_information_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Normalised information distance (NID): the share of the larger entropy that the partitions do not have in common.

    ``I`` is :func:`mutual_info_score`, and H is :func:`entropy`. Then ``NID = 1 - I / max(H(true), H(pred))`` ([1]_,
    table 2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0, which is best, to 1, for independent partitions. Symmetric; a metric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.
    """

def normalized_mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    average_method: Literal["min", "geometric", "arithmetic", "max"] | Literal["joint"] = "arithmetic",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Normalised mutual information (NMI): mutual information divided by an average of the two entropies.

    ``I`` is :func:`mutual_info_score`, and H is :func:`entropy`. Then ``NMI = I / average(H(true), H(pred))`` ([1]_,
    table 2). With ``average_method="joint"`` it is ``I / H(true, pred)``, where H(true, pred) is :func:`joint_entropy`.
    With the arithmetic mean it is the V-measure, :func:`v_measure_score`.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    average_method
        The average of the entropies: ``"arithmetic"``, ``"geometric"``, ``"min"``, ``"max"``, or ``"joint"`` for the
        joint entropy in its place.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric. Not corrected for chance: it grows with the number of clusters.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.
    """

def normalized_pivoted_accuracy(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Clustering accuracy, rescaled: 0 is the value of a contingency table whose cells are all equal.

    ``ACC`` is :func:`clustering_accuracy`, and ``k`` is the number of classes or the number of clusters, whichever is
    larger. The score is ``(ACC - 1/k) / (1 - 1/k)`` ([1]_, section 4). This is a host step: SciPy finds the matching on
    the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        At most 1, which is best; 0 for a table whose cells are all equal. Symmetric.

    References
    ----------
    .. [1] M. Gagolewski, "Normalised clustering accuracy: an asymmetric external cluster validity measure", Journal of
       Classification 42, 2025.
    """

def normalized_variation_of_information(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Normalised variation of information (NVI): variation of information divided by the joint entropy.

    ``VI`` is :func:`variation_of_information`, ``I`` is :func:`mutual_info_score`, and H(true, pred) is
    :func:`joint_entropy`. Then ``NVI = VI / H(true, pred) = 1 - I / H(true, pred)`` ([1]_, table 2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0, which is best, to 1, for independent partitions. Symmetric; a metric.

    References
    ----------
    .. [1] N. X. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
       2010.
    """

def normalizing_permutation(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    objective: Literal["count", "recall", "precision", "f"] = "count",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Order of the columns that makes the sum of the diagonal of the contingency table as large as possible.

    It is that of :func:`match_labels`, and for counts the same as in the Python package genieclust. The columns are
    those of :func:`contingency_matrix` and of the frame that :meth:`Contingency.to_pandas` gives. If there are more
    classes than clusters, the order also has the numbers from n_clusters on. These stand for empty columns, which
    :func:`normalized_confusion_matrix` adds and a frame does not have. So ``order[order < n_clusters]`` is the order
    for the columns of a frame. This is a host step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    objective
        What to sum over the diagonal: ``"count"``, ``"recall"``, ``"precision"`` or ``"f"``, as in
        :func:`match_labels`.

    Returns
    -------
    array of shape (max(n_classes, n_clusters),)
        For each place, the number of the column to put there.
    """

def pair_braun_blanquet_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Braun-Blanquet index of pairs: the smaller one of pair precision and pair recall.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / max(T, P)``, which equals min(precision, recall) ([1]_, table 2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.
    """

def pair_confusion_matrix(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Pair confusion matrix: ordered pairs of samples, counted by whether they are together in each partition.

    The matrix is ``[[neither, pred_only], [true_only, both]]``, as in scikit-learn. ``both`` pairs are together in both
    partitions, ``true_only`` only in the true one, ``pred_only`` only in the predicted one, and ``neither`` in none.
    Each pair counts in both orders, so each number is twice the number of unordered pairs.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    array of shape (2, 2)
        Rows: apart and together in the true partition; columns: the same for the predicted one. The numbers are exact
        integers of type int64. Where int64 is too small, NumPy gets Python integers in an object array. A table of
        floats, or a device without 64-bit integers, gives floats. Exchanging the arguments transposes the matrix.
    """

def pair_count_moments(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> PairCountMoments:
    """Mean, variance and skewness of the number of pairs together in both partitions, by chance.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, cluster j has ``b_j``,
    and ``C(x, 2)`` is the number of pairs of x samples. ``T = sum_ij C(n_ij, 2)`` pairs are together in both
    partitions. The moments of T are taken over all permutations of the samples, where the sizes of classes and clusters
    stay the same. The mean is ``A * B / N``, with ``A = sum_i C(a_i, 2)`` pairs within classes, ``B = sum_j C(b_j, 2)``
    pairs within clusters, and ``N = C(n, 2)`` pairs in all. The variance is that of [1]_.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    PairCountMoments
        ``mean``, ``variance`` and ``skewness``; the skewness is the third central moment divided by variance^(3/2).
        Symmetric. In some cases the sizes alone determine T: one side has one group, or only single samples; or one
        side has one sample and one other group, and all groups of the other side have the same size. Then the variance
        is 0 and the skewness is NaN.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    """

def pair_f_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 1.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """F-score of pairs: weighted harmonic mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``(1 + beta^2) * p * r / (beta^2 * p + r)`` ([1]_, section 16.3). With beta = 1 it is the coefficient of Sørensen,
    Dice and Czekanowski.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        How much more recall counts than precision; with 0, only precision counts.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric for beta = 1.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    """

def pair_inclusion_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    of: Literal["true", "pred"] = "true",
    variant: Literal[1, 2] = 1,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Share of the pairs together in one partition that are also together in the other.

    ``A`` pairs of samples are together in the partition that ``of`` names, and ``both`` pairs in both partitions.
    Variant 1 is ``both / A``. Variant 2 is ``both / (2 * A - both)``, where a pair that is not together in the other
    partition counts twice ([1]_).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    of
        ``"true"`` or ``"pred"``: the partition whose pairs are looked for in the other one.
    variant
        1 or 2.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric.

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    """

def pair_jaccard_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Jaccard index of pairs: of the pairs together in at least one partition, the share together in both.

    ``both`` pairs of samples are together in both partitions, ``true_only`` only in the true one, and ``pred_only``
    only in the predicted one. The score is ``both / (both + true_only + pred_only)`` ([1]_, section 2). Pairs that are
    apart in both partitions do not count.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. Ben-Hur, A. Elisseeff and I. Guyon, "A stability based method for discovering structure in clustered
       data", Pacific Symposium on Biocomputing, 2002.
    """

def pair_kulczynski_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Kulczynski index: arithmetic mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``(p + r) / 2`` ([1]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """

def pair_ochiai_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Ochiai index: geometric mean of pair precision and pair recall.

    With the precision ``p`` of :func:`pair_precision_score` and the recall ``r`` of :func:`pair_recall_score` it is
    ``sqrt(p * r)`` ([1]_, table 2). It is the same number as :func:`fowlkes_mallows_score`; this is its name in
    ecology.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.
    """

def pair_precision_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Share of the pairs in the same cluster that are also in the same class.

    ``both`` pairs of samples are together in both partitions, and ``pred_only`` pairs in the predicted one only. The
    precision is ``both / (both + pred_only)`` ([1]_, section 16.3). It falls when a cluster mixes classes.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`pair_recall_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    """

def pair_recall_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Share of the pairs in the same class that are also in the same cluster.

    ``both`` pairs of samples are together in both partitions, and ``true_only`` pairs in the true one only. The recall
    is ``both / (both + true_only)`` ([1]_, section 16.3). It falls when a class is split over clusters.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`pair_precision_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    """

def pair_sets_index(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    clipped: bool = True,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Pair sets index (PSI): similarity of matched classes and clusters, corrected for chance.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. A class and a cluster that are matched have the similarity ``n_ij / max(a_i, b_j)``. ``S`` is the sum of
    these similarities over the one-to-one matching that makes it largest.
    ``E = 1/n * sum_i a_(i) * b_(i) / max(a_(i), b_(i))`` is what chance would give: ``a_(i)`` and ``b_(i)`` are the
    i-th largest class and the i-th largest cluster. ``k`` is the number of classes or the number of clusters, whichever
    is larger. Then ``PSI = (S - E) / (k - E)`` ([1]_, equation 18). This is a host step: SciPy finds the matching on
    the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    clipped
        Whether to return 0 in place of a negative value.

    Returns
    -------
    float
        From 0 to 1, which is best. If not clipped, it may be negative. Symmetric.

    References
    ----------
    .. [1] M. Rezaei and P. Fränti, "Set matching measures for external cluster validity", IEEE Transactions on
       Knowledge and Data Engineering 28, 2016.
    """

def pair_simpson_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Simpson index of pairs: the larger one of pair precision and pair recall.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / min(T, P)``, which equals max(precision, recall) ([1]_, table 2).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. It is also 1 when one partition refines the other (splits its groups) and has
        at least one pair together. Symmetric.

    References
    ----------
    .. [1] A. N. Albatineh, M. Niewiadomska-Bugaj and D. Mihalko, "On similarity indices and correction for chance
       agreement", Journal of Classification 23, 2006.
    """

def pbm_index(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
) -> Any:
    """PBM index: how much clustering brings samples near to a centre, times how far the centres are apart, squared.

    Named after its authors (Pakhira, Bandyopadhyay and Maulik). Use it to choose a number of clusters: it favours few,
    compact and well separated clusters.

    Let there be K clusters. E_1 is the sum of the distances (not squared) of all samples to the mean of all samples,
    and E_K that of their distances to the mean of their own cluster. D is the largest distance between the means of two
    clusters. The index is ``((1 / K) (E_1 / E_K) D)^2`` ([1]_). It ranges from 0 to infinity; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.

    Returns
    -------
    score
        A number in the array library of X, on its device. Its unit is that of X squared. It is infinity if all samples
        lie on their centres, and 0 if these centres are also all equal.

    References
    ----------
    .. [1] M. K. Pakhira, S. Bandyopadhyay and U. Maulik, "Validity index for crisp and fuzzy clusters", Pattern
       Recognition 37, 2004.
    """

def pcr_comparison_score(
    X_before: Any,
    X_after: Any,
    covariate: Any,
    *,
    kind: Literal["categorical", "continuous"] = "categorical",
    n_components: int | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_categories: int | None = None,
) -> Any:
    """PCR comparison: how much less of the variance the batch explains after an integration than before.

    Single-cell benchmarks use it to measure how much of a batch effect an integration removed, by principal component
    regression (PCR).

    Let p be the :func:`pcr_score` before the integration, and q the one after it. The score is ``max(0, (p - q) / p)``
    ([1]_). It ranges from 0, if the covariate explains as much as before or more, to 1, if it explains nothing; higher
    is better.

    Parameters
    ----------
    X_before, X_after
        The cells before and after the integration, shapes (n_cells, n_features), in the same order and of the same
        array library, in any form that :func:`pcr_score` takes. Their features may differ.
    covariate
        The value of each cell, such as its batch, shape (n_cells,): on the device of the cells, or on the host. If both
        have an index, it must be the same.
    kind
        "categorical": values are names of groups, even if they are numbers, such as the codes of batches.
        "continuous": values are quantities, such as a number of genes, and the regression is linear in them.
    n_components
        The number of principal components to use, those with the largest variance. By default all, which needs no
        decomposition. With fewer, the samples must be in memory, and n_features^2 numbers more are.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One value or several of a categorical covariate; cells with such a value do not count.
    n_categories
        The number of categories, if values are integers from 0 to below it. Nothing is then copied from a device to
        find the number, and errors in the values there make the score NaN.

    Returns
    -------
    score
        A number in the array library of the cells, on the device of X_after. No unit. It is 0 if the covariate
        explained nothing before.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def pcr_score(
    X: Any,
    covariate: Any,
    *,
    kind: Literal["categorical", "continuous"] = "categorical",
    n_components: int | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_categories: int | None = None,
) -> Any:
    """Principal component regression (PCR): the share of the variance of the cells that a covariate explains.

    Use it with the batch as the covariate, to measure how strong the batch effect is.

    Let c be a principal component of the cells, v_c its variance, and R_c^2 the share of v_c that a regression on the
    covariate explains. The score is ``sum_c v_c R_c^2 / sum_c v_c`` over the components ([1]_). It ranges from 0 to 1;
    if the covariate is a batch, lower is better.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), real and finite: an array of any library (if it is of Dask, the
        covariate is, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    covariate
        The value of each cell, such as its batch, shape (n_cells,): on the device of the cells, or on the host. If both
        have an index, it must be the same.
    kind
        "categorical": values are names of groups, even if they are numbers, such as the codes of batches.
        "continuous": values are quantities, such as a number of genes, and the regression is linear in them.
    n_components
        The number of principal components to use, those with the largest variance. By default all, which needs no
        decomposition. With fewer, the samples must be in memory, and n_features^2 numbers more are.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One value or several of a categorical covariate; cells with such a value do not count.
    n_categories
        The number of categories, if values are integers from 0 to below it. Nothing is then copied from a device to
        find the number, and errors in the values there make the score NaN.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 0 if all cells are equal, and for a single
        category.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.
    """

def performance_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Performance: the share of the pairs of samples on which the graph and the labels agree.

    They agree on a pair if the samples are linked and have one label, or are not linked and have two labels. It treats
    the graph as the truth about which samples belong together, without weights.

    Let N be the number of all pairs of two samples, L the number of linked pairs of one label, and U the number of
    pairs of two labels that are not linked. The performance is ``(L + U) / N`` ([1]_). Two samples are linked by an
    edge in either direction. It ranges from 0 to 1; higher is better. It is 1 if samples are linked if and only if they
    have one label.

    Parameters
    ----------
    graph
        The edges between the samples, in any form that :func:`modularity_score` takes.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: on the
        device of the graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, and neither do their edges.
    n_labels
        The number of labels, if they are the integers from 0 to ``n_labels - 1``. Nothing is then copied from a device
        to find the number, and errors in the labels or the graph there make the score NaN.

    Returns
    -------
    score
        A number in the array library of the graph, on its device. No unit. It is 0 if there are fewer than two samples.

    References
    ----------
    .. [1] S. Fortunato, "Community detection in graphs", Physics Reports 486, 2010.
    """

def permutation_test(
    metrics: str
    | Callable[..., Any]
    | Iterable[str | Callable[..., Any]]
    | Mapping[Any, str | Callable[..., Any]]
    | None,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Literal["sampling", "moments"] = "sampling",
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> PermutationTest | PermutationTests:
    """Permutation test of a score: how likely is a score as good as this, or better, by chance.

    Use it to tell whether two labelings have anything in common. The null hypothesis is that they are independent,
    given the sizes of their groups: every permutation of one of them is equally likely. Let M be ``n_resamples``, the
    number of random tables with these sizes (:func:`random_tables`), and b the number of them whose score is as good or
    better. Then p = (b + 1) / (M + 1) ([1]_). So p is at least 1 / (M + 1) and never 0; and under the null hypothesis p
    is at most alpha with a probability of at most alpha, whatever M is.

    All measures are tested with the same tables. With fixed sizes of the groups, many measures rise and fall together,
    and have the same p-value: all measures of pairs except ``mcnemar_index`` depend only on the number of pairs that
    are together in both labelings, and all entropies only on the mutual information.

    Do not use it for labels that were made from the same data, because they are dependent by construction. It says
    little for large n: with 10^5 samples, nearly any two labelings are significantly dependent, and z, or an interval
    (:func:`bootstrap`), says more.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number, where higher is better; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
        With one measure, ``labels_pred`` may hold several labelings: a mapping from names to label vectors, or a list
        or tuple of label vectors, whose names are then 0, 1, ... All of them are compared with the same permuted
        ``labels_true``, and get p-values that are adjusted for the number of labelings, too.
    n_resamples
        The number of random tables that are drawn.
    method
        "sampling"; or "moments", for measures that depend only on the number of pairs that are together in both
        labelings. "moments" draws nothing. It approximates the distribution of this number by the gamma distribution
        with the same mean, variance and skewness (Pearson's type III; [2]_). Its p-value approximates the mid-p-value;
        the error is a few percent of p at p = 0.01, and larger for very unequal sizes and for smaller p.
    random_state
        A seed, or a NumPy generator. The same seed gives the same p-values on every backend and any number of cores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    PermutationTest or PermutationTests
        The test of one measure; or, for several measures, a mapping from their names to tests. p is 1 if all tables
        with these sizes are equally good: if a labeling has one single group, or groups of single samples. NaN if a
        function returns NaN. An infinite score is better, or worse, than all that are finite.

        For several labelings it is a mapping from their names to tests. They also have the probability that the best of
        all the labelings, measured in standard deviations, is as good by chance ([3]_), and p-values that are adjusted
        for the false discovery rate ([4]_). This function runs on the host: the counts of the table are transferred,
        and tables are drawn and scored there.

    References
    ----------
    .. [1] B. Phipson and G. K. Smyth, "Permutation p-values should never be zero: calculating exact p-values when
       permutations are randomly drawn", Statistical Applications in Genetics and Molecular Biology 9, 2010.
    .. [2] P. W. Mielke and K. J. Berry, "Permutation methods: a distance function approach", 2nd edition, 2007.
    .. [3] P. H. Westfall and S. S. Young, "Resampling-based multiple testing", 1993.
    .. [4] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.
    """

def prediction_strength_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Prediction strength: the lowest score of a cluster that :func:`prediction_strength_scores` gives.

    ``labels_true`` are the clusters of one half of the samples, and ``labels_pred`` what a rule learnt from the
    clusters of the other half predicts for the same samples. The score is the minimum over the clusters i with two
    samples or more of ``sum_j n_ij (n_ij - 1) / (a_i (a_i - 1))``, where ``n_ij`` samples are in cluster i and are
    predicted to be in cluster j, and cluster i has ``a_i`` samples ([1]_, equation 2.1). To compare numbers of
    clusters, average it over both halves and over several divisions.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. NaN if no cluster has two samples. Not symmetric. A single predicted cluster always
        has 1, and the score is not corrected for chance.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster validation by prediction strength", Journal of Computational and
       Graphical Statistics 14, 2005.
    """

def prediction_strength_scores(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClassScores:
    """Prediction strength of each cluster: share of its pairs that a rule learnt on other samples keeps together.

    Samples are divided into two halves, and each half is clustered. ``labels_true`` are the clusters of one half, and
    ``labels_pred`` what a rule learnt from the clusters of the other half predicts for the same samples, for example
    the nearest centre. ``n_ij`` samples are in cluster i and are predicted to be in cluster j, and cluster i has
    ``a_i`` samples. The score is ``sum_j n_ij (n_ij - 1) / (a_i (a_i - 1))`` ([1]_, equation 2.1). Use it to see which
    clusters are not found again.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels of ``labels_true``, and ``scores``, each of shape (n_classes,); ``to_pandas()``
        gives a Series. A score is from 0 to 1, which is best. It is NaN for a cluster of one sample, which has no
        pairs. It does not fall if the rule merges clusters, and is not corrected for chance. Clusters without samples
        are left out (on a device this is a host step: data are copied to the CPU); with ``n_classes=`` they are kept
        and have NaN.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster validation by prediction strength", Journal of Computational and
       Graphical Statistics 14, 2005.
    """

def proportion_of_ambiguous_pairs(
    labelings: Any,
    *,
    low: float = 0.1,
    high: float = 0.9,
    n_pairs: int = 1000000,
    random_state: Any = None,
    return_standard_error: bool = False,
    ignore_labels: Any = None,
) -> Any:
    """Proportion of ambiguous pairs (PAC): how many pairs of samples are together in some runs, but not in others.

    The frequency f of a pair of samples is the number of runs that give both the same label, divided by the number of
    runs that have both. The score is the share of the pairs with ``low < f <= high`` ([1]_). Pairs that no run has are
    left out.

    Parameters
    ----------
    labelings
        The labels that each run gives the same samples: a mapping from names to label vectors (a dictionary, a pandas
        or polars DataFrame), or a sequence of label vectors. There must be two or more, of any kind that
        :meth:`Contingency.from_labels` takes, except those of Dask. A run leaves out the samples for which it has a
        missing label (NaN, None).
    low, high
        The limits of an ambiguous frequency, from 0 to 1. A frequency that equals ``low`` is not ambiguous, and one
        that equals ``high`` is.
    n_pairs
        How many pairs are drawn, if there are too many to look at all.
    random_state
        A seed or a generator of NumPy, for the pairs to draw.
    return_standard_error
        Whether to return the standard error, too.
    ignore_labels
        One label or several, for example the label of noise; no mapping, as no side is the true one. A run leaves out
        the samples for which it has such a label.

    Returns
    -------
    score
        From 0, which is best, to 1, in the array library of the labels, on their device. No unit. With
        ``return_standard_error``, a named tuple of ``score`` and ``standard_error``, which is 0 if no pairs were drawn.

    References
    ----------
    .. [1] Y. Senbabaoglu, G. Michailidis and J. Z. Li, "Critical limitations of consensus clustering in class
       discovery", Scientific Reports 4, 2014.
    """

def purity_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Purity: share of the samples that are of the most frequent class of their cluster.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. Then purity is ``1/n * sum_j max_i n_ij`` ([1]_,
    section 16.3). It does not fall when a class is split over many clusters: look at :func:`inverse_purity_score`, too.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Above 0 to 1, which is best. Clusters of one sample each always have 1. Not symmetric: with the arguments
        exchanged it is :func:`inverse_purity_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    """

def rand_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Rand index: share of the pairs of samples on which the two partitions agree.

    The partitions agree on a pair if it is together (in one group) in both, or apart in both. Of ``all`` pairs,
    ``both`` are together in both partitions and ``neither`` are apart in both. The score is ``(both + neither) / all``
    ([1]_, section 3). To compare clusterings with different numbers of clusters, prefer :func:`adjusted_rand_score`.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric. Not corrected for chance: random partitions score far above 0.

    References
    ----------
    .. [1] W. M. Rand, "Objective criteria for the evaluation of clustering methods", JASA 66, 1971.
    """

def rogers_tanimoto_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Rogers-Tanimoto index: share of pairs on which the partitions agree; disagreements count twice.

    ``both`` pairs of samples are together in both partitions, ``neither`` pairs are apart in both, and on ``d`` pairs
    the partitions disagree. The score is ``(both + neither) / (both + neither + 2 * d)`` ([1]_; for pairs [2]_, section
    2.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] D. J. Rogers and T. T. Tanimoto, "A computer program for classifying plants", Science 132, 1960.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """

def russell_rao_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Russell-Rao index: share of all pairs that are together in both partitions.

    Of ``all`` pairs of samples, ``both`` are together in both partitions. The score is ``both / all`` ([1]_; for pairs
    [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        From 0 to 1. Only partitions into one single group reach 1: the value also depends on how many pairs are
        together at all. Symmetric.

    References
    ----------
    .. [1] P. F. Russell and T. R. Rao, "On habitat and association of species of anopheline larvae in south-eastern
       Madras", Journal of the Malaria Institute of India 3, 1940.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """

def silhouette_batch(
    X: Any,
    labels: Any,
    batch: Any,
    *,
    rescale: bool = True,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    between_cluster_distances: Literal["nearest", "mean_other", "furthest"] = "nearest",
    sample_size: int | None = None,
    random_state: Any = None,
    return_standard_error: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Batch silhouette: how well the batches are mixed within each label.

    Single-cell benchmarks call it the average silhouette width (ASW) of batches. Use it to see whether an integration
    has removed the batch effect. With ``between_cluster_distances="mean_other"`` and ``metric="cosine"`` it is BRAS,
    the batch removal adapted silhouette.

    Take the cells of one label alone, and let s be the silhouette of each cell with the batches as clusters. The score
    of the label is the mean of ``1 - |s|`` over its cells. The score is the mean over the labels [1]_. Labels whose
    cells are all of one batch, or each of a batch of its own, are left out. It ranges from 0 to 1; higher is better. It
    is 1 if all silhouettes are 0: the batches are mixed perfectly. Without ``rescale`` it is the mean of ``|s|``; then
    lower is better.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), such as an embedding, in any form that :func:`silhouette_samples` takes.
    labels
        The label of each cell, such as its cell type, shape (n_cells,): on the device of X, or on the host.
    batch
        The batch of each cell, shape (n_cells,): on the device of X, or on the host. If X, labels and batch have an
        index, it must be the same.
    rescale
        Whether to rescale the score to the range 0 to 1, with 1 as the best value.
    metric
        The distance of two cells: see :func:`silhouette_samples`.
    between_cluster_distances
        What a silhouette compares the mean distance to the own batch with: the mean distance to the "nearest" other
        batch, to the "furthest" other batch, or to all cells of other batches, "mean_other" [2]_.
    sample_size
        How many cells to compute silhouettes for, over all labels that have a score. They are drawn without
        replacement, equally many from each label, because labels count equally, and at least two. If a label has fewer
        cells, all are taken, and the other labels give the rest. The distances are still those to all cells of the
        label, so that the score is an unbiased estimate of the score of all cells.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    return_standard_error
        Whether to return the standard error, too; it is 0 if all cells are used.
    return_per_label
        Whether to return the score of each label, too, and all standard errors. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count.
    on_degenerate
        What to do if all labels are left out: "raise" a ValueError, or return "nan".
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``. With ``return_per_label``, a named tuple of ``score``, ``standard_error``,
        ``labels`` (those that have cells, sorted; in the library of X if they are numbers, else in NumPy),
        ``label_scores`` (NaN for the labels that are left out) and ``label_standard_errors``, the last three of shape
        (n_labels,).

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    .. [2] P. Rautenstrauch and U. Ohler, "Shortcomings of silhouette in single-cell integration benchmarking", Nature
       Biotechnology, 2025.
    .. [3] W. G. Cochran, "Sampling techniques", 3rd edition, 1977.
    """

def silhouette_label(
    X: Any,
    labels: Any,
    *,
    rescale: bool = True,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    stratified: bool = False,
    random_state: Any = None,
    return_standard_error: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Cell-type silhouette: how well an embedding keeps the cells of different labels apart.

    Single-cell benchmarks call it the average silhouette width (ASW) of labels. Use it to see whether an integration
    keeps cell types apart.

    Let S be the mean silhouette of the cells by their labels, see :func:`silhouette_score`. The score is
    ``(S + 1) / 2``, from 0 to 1 [1]_. Without ``rescale`` it is S, from -1 to 1. Higher is better.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), such as an embedding, in any form that :func:`silhouette_samples` takes.
    labels
        The label of each cell, such as its cell type, shape (n_cells,): on the device of X, or on the host.
    rescale
        Whether to rescale the score to the range 0 to 1, with 1 as the best value.
    metric
        The distance of two cells: see :func:`silhouette_samples`.
    absent
        The distance of two cells for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_size
        How many cells to compute silhouettes for, drawn without replacement: the time shrinks to that share. The
        distances are still those to all cells, so that the score is an unbiased estimate of the score of all cells.
    stratified
        Whether to draw from each label in proportion to its number of cells, and at least two cells.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    return_standard_error
        Whether to return the standard error, too; it is 0 if all cells are used.
    return_per_label
        Whether to return the score of each label, too, and all standard errors. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label do not count.
    on_degenerate
        What to do with fewer than 2 labels, or with as many as cells: "raise" a ValueError, or return "nan".
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``. With ``return_per_label``, a named tuple of ``score``, ``standard_error``,
        ``labels`` (those that have cells, sorted; in the library of X if they are numbers, else in NumPy),
        ``label_scores`` (by the mean silhouette of the cells of each label) and ``label_standard_errors``, the last
        three of shape (n_labels,).

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    """

def silhouette_samples(
    X: Any,
    labels: Any,
    *,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other cluster.

    Use it to find the samples and the clusters that fit badly; :func:`silhouette_score` is its mean.

    For one sample, let a be its mean distance to the other samples of its cluster. For each other cluster, take the
    mean distance of the sample to the samples of that cluster; b is the smallest of these. The silhouette is
    ``(b - a) / max(a, b)`` ([1]_, page 56). It ranges from -1 to 1; higher is better. It is 0 for the only sample of a
    cluster, and if a = b = 0.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    metric
        The distance between two samples:

        - "euclidean" (or "l2");
        - "sqeuclidean": the square of the Euclidean distance;
        - "cosine": 1 minus the cosine of the angle; 1 if one of the two samples is all zeros;
        - "correlation": 1 minus Pearson's correlation of the features; 1 if all features of one of the two are equal;
        - "cityblock" (or "manhattan", "l1"): the sum of absolute differences;
        - "precomputed": X holds all distances, shape (n_samples, n_samples), as an array (which may be mapped from a
          file), a data frame whose columns equal its index, a sparse matrix, or a function. gpuval calls a function as
          ``X(start, stop)``, from several threads at once, and it returns the rows from ``start`` up to ``stop``.
    absent
        The distance of two different samples for which a sparse X of precomputed distances has no entry. It is finite
        and not negative, such as a number above all distances of a neighbour graph: this number then replaces the
        distances that were left out because they are large. By default, a missing entry is an error. A distance of 0
        between two different samples needs an entry, too. Ignored samples need none.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    silhouettes
        Shape (n_samples,), in the array library of X, on its device. No unit. NaN for ignored samples.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.
    """

def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    sample_among: Literal["all", "sample"] = "all",
    stratified: bool = False,
    random_state: Any = None,
    return_standard_error: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette score: how much nearer samples are, on average, to their own cluster than to the nearest other one.

    Also known as the average silhouette width (ASW). It is a usual choice for comparing clusterings with any numbers of
    clusters, by any distance.

    It is the mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives ([1]_, page 59). It ranges
    from -1 to 1; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    metric
        The distance between two samples; :func:`silhouette_samples` lists the choices.
    absent
        The distance between two samples for which a sparse matrix of precomputed distances has no entry; see
        :func:`silhouette_samples`.
    sample_size
        How many samples to compute silhouettes for, drawn without replacement. See ``sample_among`` for what they are
        compared with, and Notes for the time.
    sample_among
        The samples that those which are drawn are compared with:

        - "all": all samples, so that, without weights, the score is an unbiased estimate of the score of all samples;
        - "sample": those which are drawn, as in scikit-learn. This takes the time of so few samples. The score is that
          of the drawn samples alone, and as an estimate of the score of all samples it has a bias, which is large where
          few samples of a cluster are drawn: of a cluster with one drawn sample, this counts as 0. It has no standard
          error, and needs samples: of given distances, give those among the samples of your choice.
    stratified
        Whether to draw from each cluster in proportion to its size, and at least two samples.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    return_standard_error
        Whether to return the standard error, too; it is 0 if all samples are used.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.
    """

def silhouette_scores(
    X: Any,
    labelings: Any,
    *,
    metric: Literal[
        "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
    ] = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette score of each of several labelings of the same samples, such as a sweep over resolutions.

    Use it to choose among many clusterings, such as a number of clusters or a resolution. Each score is the one that
    :func:`silhouette_score` gives ([1]_, page 59), but the distances between samples are computed once for all
    labelings. Scores range from -1 to 1; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
    labelings
        A mapping from names to label vectors (a dictionary, or a DataFrame of pandas or polars), or a sequence of label
        vectors. Each has shape (n_samples,), and is of any kind that :meth:`Contingency.from_labels` takes.
    metric
        The distance between two samples; :func:`silhouette_samples` lists the choices.
    absent
        The distance between two samples for which a sparse matrix of precomputed distances has no entry; see
        :func:`silhouette_samples`.
    sample_size
        How many samples to compute silhouettes for, the same ones for all labelings: see :func:`silhouette_score`.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.
    progress
        Whether to show a progress bar (by tqdm).

    Returns
    -------
    scores
        Shape (n_labelings,), in the order of the labelings, in the array library of X, on its device. No unit. With
        ``on_degenerate="nan"``, NaN for a labeling of fewer than 2 clusters or of as many clusters as samples.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.
    """

def simplified_pair_sets_index(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    clipped: bool = True,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Simplified pair sets index: the pair sets index with 1 as the value expected by chance.

    It is ``(S - 1) / (k - 1)``. As in :func:`pair_sets_index`, S is the largest sum of similarities of matched classes
    and clusters, and k is the number of classes or of clusters, whichever is larger ([1]_, equation 20). This is a host
    step: SciPy finds the matching on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    clipped
        Whether to return 0 in place of a negative value.

    Returns
    -------
    float
        From 0 to 1, which is best. If not clipped, it may be negative. Symmetric.

    References
    ----------
    .. [1] M. Rezaei and P. Fränti, "Set matching measures for external cluster validity", IEEE Transactions on
       Knowledge and Data Engineering 28, 2016.
    """

def sokal_sneath_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    variant: Literal[1, 2] = 1,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Sokal-Sneath index: share of pairs on which the partitions agree; disagreements count twice or half.

    ``both`` pairs of samples are together in both partitions, ``neither`` pairs are apart in both, and on ``d`` pairs
    the partitions disagree. Variant 1 is ``both / (both + 2 * d)``. Variant 2 is
    ``(both + neither) / (both + neither + d / 2)`` ([1]_; for pairs [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    variant
        1: disagreements count twice, and pairs that are apart in both partitions do not count. 2: disagreements count
        half.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] R. R. Sokal and P. H. A. Sneath, "Principles of numerical taxonomy", 1963.
    .. [2] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """

def standardized_mutual_info_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    method: Literal["auto", "exact", "sampling"] = "auto",
    n_resamples: int = 999,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Standardised mutual information (SMI): by how many standard deviations it exceeds that of a random partition.

    ``I`` is :func:`mutual_info_score`. The score is ``SMI = (I - E[I]) / sd(I)``, with the mean E[I] and the standard
    deviation sd(I) over all permutations of the samples, where the sizes of classes and clusters stay the same ([1]_).
    This is a host step: it runs on the CPU.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    method
        How to find the variance. ``"exact"``: as a sum over pairs of distinct class and cluster sizes, each of which
        takes a few microseconds. ``"sampling"``: from random tables; the relative error of the score is about
        ``1 / sqrt(2 * n_resamples)``. ``"auto"``: exact, unless this takes more than about a second and longer than
        sampling.
    n_resamples
        How many random tables are drawn.
    random_state
        A seed or a generator of NumPy; the same seed gives the same tables.

    Returns
    -------
    float
        Higher is better, without a bound. 0 is the value expected of a random partition. Symmetric. NaN if the sizes
        alone determine the information (:func:`pair_count_moments` says when). This is also the case for some identical
        partitions.

    References
    ----------
    .. [1] S. Romano, J. Bailey, N. X. Vinh and K. Verspoor, "Standardized mutual information for clustering
       comparisons: one step further in adjustment for chance", ICML 2014.
    """

def standardized_rand_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Standardised Rand index: by how many standard deviations more pairs agree than in a random partition.

    ``T`` is the number of pairs together in both partitions. The score is ``z = (T - E[T]) / sd(T)``, with the mean
    E[T] and the standard deviation sd(T) over all permutations of the samples, where the sizes of classes and clusters
    stay the same ([1]_; [2]_). The Rand index and the adjusted Rand index have the same z, because both are linear in
    T.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.

    Returns
    -------
    float
        Higher is better, without a bound: it grows like sqrt(n) with the number n of samples. 0 is the value expected
        of a random partition. Symmetric. NaN if the sizes alone determine T (:func:`pair_count_moments` says when).
        This is also the case for some identical partitions.

    References
    ----------
    .. [1] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.
    .. [2] S. Romano, J. Bailey, N. X. Vinh and K. Verspoor, "Standardized mutual information for clustering
       comparisons: one step further in adjustment for chance", ICML 2014.
    """

def v_measure_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    beta: float = 1.0,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """V-measure: weighted harmonic mean of homogeneity and completeness.

    ``h`` is :func:`homogeneity_score`, and ``c`` is :func:`completeness_score`. Then
    ``V = (1 + beta) * h * c / (beta * h + c)`` ([1]_, equation 3). With beta = 1 it is the normalised mutual
    information (NMI) with the arithmetic mean.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    beta
        How much more completeness counts than homogeneity. With 0 the score is the homogeneity, or 0 where the
        completeness is 0.

    Returns
    -------
    float
        From 0 to 1, which is best. Symmetric for beta = 1.

    References
    ----------
    .. [1] A. Rosenberg and J. Hirschberg, "V-Measure: a conditional entropy-based external cluster evaluation measure",
       EMNLP-CoNLL 2007.
    """

def van_dongen_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    normalized: bool = True,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Van Dongen's distance (split-join distance): samples outside the best match of their class or cluster.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. The best match of a class is the cluster with the
    largest number of its samples. The best match of a cluster is the class with the largest number of samples in it.
    Several classes may have the same best match. The distance is ``2 * n - sum_i max_j n_ij - sum_j max_i n_ij`` ([1]_,
    section 2): the samples outside the best match of their class, plus those outside the best match of their cluster.
    All of it is computed on the device of the labels.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    normalized
        Whether to divide by ``2 * n``, twice the number of samples.

    Returns
    -------
    float
        From 0, which is best, to below 1, or to below 2n if not normalised. Symmetric; a metric.

    References
    ----------
    .. [1] S. van Dongen, "Performance criteria for graph clustering and Markov cluster experiments", CWI report
       INS-R0012, 2000.
    """

def variation_of_information(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    base: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Variation of information (VI): the information in which the two partitions differ.

    H(true | pred) is the :func:`conditional_entropy` of the classes if the clusters are known, and H(pred | true) that
    of the clusters if the classes are known. Then ``VI = H(true | pred) + H(pred | true)`` ([1]_, equation 16). Use it
    as a distance between partitions.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    base
        The base of the logarithm, above 1: None gives nats, 2 gives bits.

    Returns
    -------
    float
        From 0, which is best, to log(n) for n samples. Symmetric; a metric.

    References
    ----------
    .. [1] M. Meilă, "Comparing clusterings: an information based distance", Journal of Multivariate Analysis 98, 2007.
    """

def wallace_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    given: Literal["true", "pred"] = "true",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Wallace coefficient: probability that a pair together in one partition is also together in the other.

    ``T`` pairs of samples are together in the true partition, ``P`` in the predicted one, and ``both`` in both of them.
    The score is ``both / T`` for ``given="true"`` and ``both / P`` for ``given="pred"`` ([1]_, equations 1 and 2).
    These are :func:`pair_recall_score` and :func:`pair_precision_score`.

    Parameters
    ----------
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        on either side do not count. To keep a cluster that is called like the noise of a reference, name the side:
        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    n_classes, n_clusters
        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.
        With both, no data are copied from the device to find out the size of the contingency table.
    given
        ``"true"`` or ``"pred"``: the partition in which the pairs are known to be together.

    Returns
    -------
    float
        From 0 to 1, which is best. Not symmetric.

    References
    ----------
    .. [1] D. L. Wallace, "A method for comparing two hierarchical clusterings: comment", JASA 78, 1983.
    """

def xie_beni_index(
    X: Any,
    labels: Any = None,
    *,
    separation: Literal["centres", "samples"] = "centres",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
) -> Any:
    """Xie-Beni index: how wide the clusters are, relative to the distance between the two closest clusters.

    Also known as Ray and Turi's validity index. Use it to choose a number of clusters for k-means or fuzzy c-means;
    here each sample belongs to one cluster, without fuzziness.

    Let there be n samples, let m_k be the mean of cluster k, and let W be the :func:`inertia`, the sum of the squared
    distances of the samples to the mean of their cluster. Let D be the smallest ``|m_k - m_l|^2`` over all pairs of
    different clusters k and l. The index is ``(W / n) / D`` ([1]_, of clusters without fuzziness; the same is Ray and
    Turi's validity [2]_). It ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy. Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
    separation
        How the squared distance D between two clusters is measured. "centres": between their means, as in the sources.
        "samples": the smallest squared distance between samples of two clusters, as in the R package clusterCrit [3]_.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is infinity if two centres are equal up to
        rounding or, with "samples", if two samples of different clusters are equal.

    References
    ----------
    .. [1] X. L. Xie and G. Beni, "A validity measure for fuzzy clustering", IEEE Transactions on Pattern Analysis and
       Machine Intelligence 13, 1991.
    .. [2] S. Ray and R. H. Turi, "Determination of number of clusters in K-means clustering and application in colour
       image segmentation", International Conference on Advances in Pattern Recognition and Digital Techniques, 1999.
    .. [3] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """
