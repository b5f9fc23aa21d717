"""Clustering evaluation that runs where the data is: external measures from one table, internal ones by tiles."""

# Written by .ci/stubs.py.

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from gpuval import intervals as intervals
from gpuval import multilabel as multilabel
from gpuval import plots as plots
from gpuval import ranking as ranking
from gpuval.evaluation.clustering.evaluation import compare as compare
from gpuval.evaluation.clustering.evaluation import evaluate as evaluate
from gpuval.evaluation.clustering.evaluation import pairwise as pairwise
from gpuval.evaluation.clustering.registry import METRICS as METRICS
from gpuval.evaluation.clustering.samples.internal_metrics import INTERNAL_METRICS as INTERNAL_METRICS
from gpuval.evaluation.inference.beside_scores.best_labeling import BestLabeling as BestLabeling
from gpuval.evaluation.inference.beside_scores.best_labeling import BestLabelings as BestLabelings
from gpuval.evaluation.inference.chance.results import PermutationTest as PermutationTest
from gpuval.evaluation.inference.chance.results import PermutationTests as PermutationTests
from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference as ScoreDifference
from gpuval.evaluation.inference.comparison.score_differences import ScoreDifferences as ScoreDifferences
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate as ScoreEstimate
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimates as ScoreEstimates
from gpuval.evaluation.integration.comparison import IntegrationComparison as IntegrationComparison
from gpuval.evaluation.integration.result import IntegrationScores as IntegrationScores
from gpuval.evaluation.integration.scoring import integration_scores as integration_scores
from gpuval.evaluation.results.evaluations import Comparison as Comparison
from gpuval.evaluation.results.evaluations import Evaluation as Evaluation
from gpuval.evaluation.results.pairwise_scores import PairwiseScores as PairwiseScores
from gpuval.geometry.neighbors.neighbors import Neighbors as Neighbors
from gpuval.metrics._common.labelled import ClassScores, ClusterScores
from gpuval.metrics.external.agreement import Matrix
from gpuval.metrics.external.information import HomogeneityCompletenessVMeasure
from gpuval.metrics.external.matching import LabelMatching
from gpuval.metrics.external.standardized import PairCountMoments
from gpuval.reporting.building import report as report
from gpuval.reporting.result import Report as Report
from gpuval.streaming.accumulator import Accumulator as Accumulator
from gpuval.streaming.internal_accumulator import InternalAccumulator as InternalAccumulator
from gpuval.table.contingency import Contingency as Contingency
from gpuval.table.resampling.chance.of_given_sizes import random_tables as random_tables

__all__ = [
    "INTERNAL_METRICS",
    "METRICS",
    "Accumulator",
    "BestLabeling",
    "BestLabelings",
    "Comparison",
    "Contingency",
    "Evaluation",
    "IntegrationComparison",
    "IntegrationScores",
    "InternalAccumulator",
    "Neighbors",
    "PairwiseScores",
    "PermutationTest",
    "PermutationTests",
    "Report",
    "ScoreDifference",
    "ScoreDifferences",
    "ScoreEstimate",
    "ScoreEstimates",
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
    "classification_error_distance",
    "clisi_score",
    "cluster_adjusted_wallace_scores",
    "cluster_edit_distance",
    "cluster_f_score",
    "cluster_precision",
    "cluster_recall",
    "clustering_accuracy",
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
    "gini_index",
    "graph_connectivity_score",
    "hartigan_index",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "hubert_gamma_score",
    "ilisi_score",
    "inertia",
    "integration_scores",
    "inverse_purity_score",
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
    "pbm_index",
    "pcr_comparison_score",
    "pcr_score",
    "performance_score",
    "permutation_test",
    "purity_score",
    "rand_score",
    "random_tables",
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
    """Harmonic mean of BCubed precision and recall, each corrected for chance.

    2 P R / (P + R), with P and R each (x - E) / (1 - E) of its expected value ([2]_, equation 4) over BCubed's
    definition ([1]_, section 4, not checked against the text); 0 where one of them is above 0 and the other below, as
    these have no harmonic mean.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        At most 1, which is best. 0 where P or R is what is expected of a random partition. Symmetric.

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

    (P - E) / (1 - E), the adjustment of [2]_, equation 4, with P = 1/n sum_ij n_ij^2 / b_j ([1]_, section 4, not
    checked against the text) and E its mean over all permutations of the labels. Of m clusters and n samples,
    E = (m + (n - m) w) / n, where w is the share of all pairs that are of one class: each sample is of its own class,
    and each other one of its cluster is so with probability w.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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

    (R - E) / (1 - E), the adjustment of [2]_, equation 4, with R = 1/n sum_ij n_ij^2 / a_i ([1]_, section 4, not
    checked against the text) and E its mean over all permutations of the labels. Of r classes and n samples,
    E = (r + (n - r) w) / n, where w is the share of all pairs that are in one cluster.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Fowlkes-Mallows score, corrected for chance.

    (FM - E) / (1 - E), the adjustment of [2]_, equation 4, with E = sqrt(T P) / all, its expected value ([1]_, equation
    4, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Mutual information, corrected for the information that random partitions would share.

    AMI = (I - E) / (avg(H(true), H(pred)) - E), with E the expected mutual information ([1]_, equation 22, not
    checked against the text). Without ``n_classes=`` and ``n_clusters=``, finding the distinct sizes on a device is a
    host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    average_method
        "min", "geometric", "arithmetic" or "max".

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition, and negative is worse than that.
        Symmetric. A partition into one cluster or into single samples scores 0 against any other.

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
    """Share of agreeing pairs, corrected for the agreement that chance alone would give.

    ARI = (both - E) / ((T + P) / 2 - E), where T and P are the pairs together in the true and in the predicted
    partition and E = T P / all is the expected value of ``both`` ([1]_, equation 2). It is computed as
    2 (both neither - true_only pred_only) / (T (true_only + neither) + P (pred_only + neither)), which is the same
    number from differences that are exact.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From -0.5 ([2]_) to 1, which is best; 0 is the value expected of a random partition. Symmetric. With weights
        of samples the least is -1, not reached: of three samples of weights w, 1 and 1, the first together with the
        second in one partition and with the third in the other, the score is -w / (w + 1).

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
    """Wallace's coefficient, corrected for chance.

    (W - E) / (1 - E) with E the share of all pairs that the other partition puts together ([1]_, equation 7, not
    checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    given
        "true" or "pred": the partition that is known.

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
    """Mean over the clusters of the mean squared distance of their samples to their mean.

    (1 / K) sum_k W_k / n_k for K clusters k of n_k samples, with W_k as :func:`inertia` has it ([1]_, not checked
    against the text; as the R package clusterCrit has it). From 0 to infinity; lower is better. Clusters count alike,
    however many samples they have.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    return_per_label
        Whether to return the value of each label, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        Of the library of X, and on its device; 0 of no samples. Its unit is that of X squared. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; of the library of
        X if they are numbers, else of NumPy) and ``label_scores``, W_k / n_k of each, both of shape (n_labels,).

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
    """Weighted harmonic mean of BCubed precision and recall.

    (1 + beta^2) P R / (beta^2 P + R) ([1]_, section 4.2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        How much more recall counts than precision; 0 leaves precision alone.

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
    """Share of each sample's cluster that is of the sample's class, averaged over the samples.

    1/n sum_ij n_ij^2 / b_j ([1]_, section 4, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Share of each sample's class that is in the sample's cluster, averaged over the samples.

    1/n sum_ij n_ij^2 / a_i ([1]_, section 4, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Generalised entropy that one partition leaves open about the other.

    H_b(true | pred) = sum_j (b_j / n)^b H_b(true restricted to cluster j) for ``given="pred"``, and with the roles
    exchanged for ``given="true"`` ([1]_, definition 2.2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        The order; 1 gives the conditional entropy in bits.
    given
        "pred" or "true": the partition that is known.

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
    """Generalised entropy of one labeling.

    H_b = (1 - sum_i p_i^b) / (1 - 2^(1-b)), and its limit at b = 1, Shannon's entropy in bits ([1]_, equation 3,
    not checked against the text).

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, of which ``of`` names the side.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    of
        "true" or "pred": the side of a table; of no consequence for labels.
    beta
        The order: 0 gives the number of groups less 1, 1 Shannon's entropy in bits, 2 twice the Gini index.

    Returns
    -------
    float
        From 0, for one group, to (1 - n^(1-b)) / (1 - 2^(1-b)), for n single samples.

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
    """Generalised variation of information.

    d_b = H_b(true | pred) + H_b(pred | true) ([1]_, theorem 3.4, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        The order; 1 gives the variation of information in bits, 2 the normalised Mirkin distance times 2.

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
    """Generalised entropy of the partition that both partitions together make.

    H_b of the meet of the partitions, whose groups are the non-empty cells ([1]_, section 2, not checked against the
    text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        The order: 0 gives the number of non-empty cells less 1, 1 the joint entropy in bits.

    Returns
    -------
    float
        At least the larger of the two entropies. Symmetric.

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
    """Generalised entropy of one partition that the other takes away.

    H_b(true) - H_b(true | pred) ([1]_, section 3, not checked against the text), which is the same from either side.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        The order; 1 gives the mutual information in bits.

    Returns
    -------
    float
        At most the smaller entropy. 0 for independent partitions at beta = 1 only, and it may be negative for beta < 1.
        Symmetric.

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
    """Confidence intervals of scores, from tables of n samples that are drawn with replacement from the n there are.

    A sample lies in a cell, so a resample is a multinomial draw of the cells' counts: many tables are drawn and scored
    at once, and no label is looked at again.

    Pairs of two copies of one sample are together in both partitions, whatever these are. They do not count by default:
    of m samples drawn from the n_ij of a cell, m (m - 1) / (2 n_ij) pairs are of copies, on average. Where they do
    (``pairs="all"``, as if the labels were resampled), scores of pairs centre on that of a table of which each sample
    is paired with itself, too, and with many clusters their intervals miss the score altogether.

    Measures of information are biased by about (K - r - m + 1) / (2 n), for K non-empty cells, and resampling adds
    as much again; so do copies in measures of overlap, such as BCubed, which count them. Prefer :func:`jackknife`
    for both, and neither below about 5 samples for each of the r m cells. Samples are taken for independent: cells
    of one donor are not, and with them as samples intervals are far too narrow (``groups``). Labels that were found
    from the same data make no interval wider.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts.
    n_resamples
        How many tables are drawn.
    method
        "percentile": the quantiles of the scores of the tables. "basic": these, reflected at the score. "bca":
        bias-corrected and accelerated ([1]_, section 14.3, not checked against the text), which is the nearest to its
        level; by percentiles, where all scores are on one side of that of all samples.
    confidence_level
        Between 0 and 1.
    resampling
        "multinomial", or "poisson": each sample is drawn Poisson(1) times, independently, so that n varies ([2]_, not
        checked against the text).
    pairs
        "distinct" or "all": whether pairs of copies are left out.
    groups
        The group of each sample, shape (n_samples,), such as its donor (about ten or more): then groups are drawn,
        with all their samples, and of two copies of a group no pairs are counted.
    random_state
        A seed or a generator of NumPy; the same seed gives the same interval, on every backend.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        Of one measure its estimate, of several a mapping from their names, of the same tables. Tables in which a class
        has died out are scored as any table. The interval has no width, and the standard error is 0, where all scores
        are the same: for clusters that are the classes, for instance, which does not mean that no error is possible.
        NaN for fewer than 2 samples, and where a function gives NaN for a table. A host step: the counts of the table
        are transferred, and drawn and scored on the host.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] N. Chamandy, O. Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams",
       technical report, 2012.
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
    """Scatter of the centres over scatter of the samples around them, each by its degrees of freedom.

    (B / (k - 1)) / (W / (n - k)) for n samples in k clusters, with B = sum_k n_k |m_k - m|^2 of the means m_k and
    W = sum_i |x_i - m_{k(i)}|^2 ([1]_, page 10, not checked against the text: the variance ratio criterion).
    From 0 to infinity; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.

    Returns
    -------
    score
        Of the library of X, and on its device; 1 if all samples lie on their centres. No unit.

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
    """How far each class is kept together by the clustering, corrected for chance.

    w_i = (W_i - E) / (1 - E), where W_i = sum_j C(n_ij, 2) / C(a_i, 2) is the share of the pairs of class i that are in
    one cluster, and E the share of all pairs that are ([1]_, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    ClassScores
        ``classes``, the labels in their order, and ``scores``, each of shape (n_classes,), with ``to_pandas()``. A
        score is at most 1, which is best; 0 is the value expected of a random partition, and NaN that of a class of one
        sample, which has no pairs. Classes without samples are left out; with ``n_classes=`` they are kept and have
        NaN. (On a device, leaving them out is a host step.) With the arguments exchanged the scores are those of
        :func:`cluster_adjusted_wallace_scores`.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.
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
    """Share of samples in the wrong cluster, under the best one-to-one naming of the clusters.

    1 - ACC ([1]_, equation 6, not checked against the text). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Cell-type LISI: how few labels there are around a cell, by the median over the cells.

    (L - x) / (L - 1), with the median x of :func:`lisi_samples` ([1]_, not checked against the text) and the number L
    of labels that have cells ([2]_, not checked against the text). From 0, all mixed evenly, to 1, each label apart:
    higher is better. Without ``scale`` x itself, from 1 to L, of which lower is better.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or what one is made
        of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices``
        and ``distances``. A cell is no neighbour of itself.
    labels
        The label of each cell, such as its type, shape (n_cells,): beside the neighbours, or on the host.
    scale
        Whether to bring the score to the range of 0 to 1.
    return_per_label
        Whether to return the score of each label, too: of the median over its cells. The result prints as a table, and
        has ``to_pandas()``.
    perplexity
        As how many neighbours those of a cell count, from 1 to their number. None is a third of the number of columns
        of a search that finds the cell itself, too: floor((k + 1) / 3) of k neighbours, and at least 1.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with them or with the neighbours there makes the result NaN.

    Returns
    -------
    score
        Of the library of the neighbours, and on their device. No unit; NaN of one label, and if no cell counts. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted; of the library of
        the neighbours if they are numbers, else of NumPy; with ``n_labels`` all from 0 to below it) and
        ``label_scores``, both of shape (n_labels,).

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
    """How far each cluster is of one class, corrected for chance.

    w_j = (W_j - E) / (1 - E), where W_j = sum_i C(n_ij, 2) / C(b_j, 2) is the share of the pairs of cluster j that are
    of one class, and E the share of all pairs that are ([1]_, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is at most 1, which is best; 0 is the value expected of a random partition, and NaN that of a cluster of
        one sample, which has no pairs. Clusters without samples are left out; with ``n_clusters=`` they are kept and
        have NaN. (On a device, leaving them out is a host step.) With the arguments exchanged the scores are those of
        :func:`class_adjusted_wallace_scores`.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.
    """

def cluster_edit_distance(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Fewest operations that turn one partition into the other.

    The operations ([1]_, not checked against the text): take an object out of a cluster, put it into a cluster, make a
    cluster of it, or remove a cluster that holds it alone. Each sample outside the best one-to-one matching is taken
    out once and put in once: 2 (n - max_s sum_i n_(i, s(i))). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0, which is best, to below 2n. Symmetric; a metric.

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
) -> ClusterScores:
    """Harmonic mean of precision and recall of each cluster against its best class.

    2 n_ij / (a_i + b_j) of the i with the largest n_ij ([1]_, not checked against the text). Of classes that
    tie, the larger one.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.
    """

def cluster_precision(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> ClusterScores:
    """Share of the samples of each cluster that are of its best class, the one it has most samples of.

    max_i n_ij / b_j ([1]_, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

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
) -> ClusterScores:
    """Share of the best class of each cluster, the one it has most samples of, that the cluster holds.

    max_i n_ij / a_i of that i ([1]_, not checked against the text). Of classes that tie, the larger one.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

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
    """Share of samples in the right cluster, under the best one-to-one naming of the clusters.

    ACC = 1/n max_s sum_i n_(i, s(i)) over the one-to-one maps s ([1]_, equation 18, not checked against the text): also
    known as Hungarian accuracy, and as pivoted accuracy. A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric.

    References
    ----------
    .. [1] Y. Yang, D. Xu, F. Nie, S. Yan and Y. Zhuang, "Image clustering using local discriminant models and global
       integration", IEEE Transactions on Image Processing 19, 2010.
    """

def cohen_kappa_score(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    weights: Literal["linear", "quadratic"] | Matrix | Sequence[Sequence[float]] | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Agreement of two labelings that use the same labels, corrected for chance.

    kappa = 1 - sum_ij w_ij n_ij / sum_ij w_ij (a_i b_j / n), where w_ij is the cost of saying j for i ([1]_, equation
    5, not checked against the text). Unlike the measures of clusterings, it depends on which labels are used.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    weights
        None: every disagreement costs 1. "linear" or "quadratic": it costs the distance of the labels in the sorted
        order of those that occur on either side, or its square. Or a matrix of costs, shape (n_labels, n_labels),
        finite, not negative and 0 on the diagonal, over the labels that occur on either side, sorted; with
        ``n_classes=`` and ``n_clusters=``, and for a table of given size, over all labels 0, 1, ... below the larger. A
        data frame must have these labels as its index and its columns, in this order, or places from 0. Where no label
        occurs, a square matrix of any size.

    Returns
    -------
    float
        At most 1, which is best, and not below -1 without a matrix of costs; 0 is the value expected by chance.
        Symmetric, if the costs are.

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
    method: Literal["bca", "percentile", "basic", "jackknife"] = "bca",
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifferences:
    """Compare the scores of many clusterings of the same samples: which is the best, and is it more than noise.

    As :func:`compare_scores`, which says what is resampled, what the null hypothesis is, and when not to use it; one
    resample of the samples serves all clusterings, so that each two of them are paired.

    The best of many clusterings is ahead of others also where all are equally good. So p-values of all pairs are
    adjusted together, whichever of them are looked at afterwards:

    - *family-wise*: whichever clusterings differ, in at most 5 of 100 data sets any pair that does not differ has a
      p-value below 0.05. By the bootstrap with the step-down method of the largest t ([1]_, not checked against the
      text): t is the size of a difference by its standard deviation over the resamples, and its distribution that of
      the resampled differences less the difference of all samples. It takes into account that differences of the same
      clusterings depend on each other; no p-value is below that of the pair by itself. By the jackknife with Holm's
      method ([2]_, not checked against the text), which assumes nothing of how they depend;
    - *false discovery*: of the pairs with a p-value below 0.05, at most 5 of 100 do not differ, on average ([3]_, not
      checked against the text; by ``scipy.stats.false_discovery_control``).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,).
    labelings
        At least two clusterings: a mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or
        a sequence of label vectors.
    metric
        As for :func:`compare_scores`; of the measures without a better direction, such as the entropy, none.
    n_resamples, method, confidence_level, groups, random_state
        As for :func:`compare_scores`. Intervals are not adjusted: each contains its difference as often as the level
        says. ``better`` of a pair follows its interval, and the p-value of the bootstrap counts resampled differences:
        near the confidence level they may disagree. The smallest family-wise p-value of the bootstrap is
        2 / (n_resamples + 1).
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples. A sample that is
        ignored in one labeling is left out of all.
    **options
        Those of the measure.

    Returns
    -------
    ScoreDifferences
        The scores with their intervals, ranks, the best, and the differences of all pairs with their p-values. What is
        resampled is kept with each score: ``scores[name].replicates``, of the same draws for all.

    References
    ----------
    .. [1] P. H. Westfall and S. S. Young, "Resampling-based multiple testing", 1993.
    .. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
       1979.
    .. [3] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.
    """

def compare_scores(
    labels_true: Any,
    first: Any,
    second: Any,
    metric: str | Callable[..., Any] = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: Literal["bca", "percentile", "basic", "jackknife"] = "bca",
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifference:
    """Compare the scores of two clusterings of the same samples: their difference, its interval and p-value.

    Samples are resampled, each with its three labels, and both clusterings are scored on the same resamples. So what
    makes a sample hard for both is in both scores, and not in their difference: two intervals that overlap may belong
    to a difference that is beyond doubt. The samples that have the same three labels are alike; they are counted once,
    and the tables of both clusterings are sums of these counts.

    The null hypothesis is that over the population of samples both clusterings have the same score, whatever it is.
    With B resampled differences d*, the p-value of the bootstrap is 2 min(1 + #{d* <= 0}, 1 + #{d* >= 0}) / (B + 1),
    and at most 1: the level at which an interval of percentiles would end at 0. That of the jackknife is of a normal
    distribution, for the difference by its standard error ([1]_, not checked against the text). Clusterings that have
    the same score in every resample differ by exactly 0, with p = 1. By the jackknife, where the difference is not 0
    and is the same whichever sample is left out, p is NaN: that tells nothing of how it would vary. ``better`` follows
    the interval, and the p-value of the bootstrap counts resampled differences: near the confidence level they may
    disagree.

    When not to use it:

    - samples that are not independent, such as the cells of some donors: then p-values are far too small. Give the
      donors as ``groups``, which are resampled as wholes;
    - a reference that was made from the same data, or by one of the two methods: what is tested is agreement with this
      reference on more of such samples, not which clustering is right;
    - the uncertainty of the clustering itself: the clusterings are fixed, nothing is clustered again;
    - as a test of a clustering against chance.

    Predictions must not be exchanged between the two clusterings sample by sample, as tests of two classifiers do
    ([2]_, not checked against the text): cluster 1 of one clustering has nothing to do with cluster 1 of the other, and
    labels that are exchanged for some samples make a partition that neither method has found.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,).
    first, second
        The labels of the two clusterings, shape (n_samples,).
    metric
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number, the higher the better, whatever the function is called.
    n_resamples
        How many times samples are drawn; the smallest p-value is 2 / (n_resamples + 1).
    method
        "bca", "percentile" or "basic", as for :func:`bootstrap`, or "jackknife": nothing is drawn, and the interval is
        normal. Prefer it for measures of information, as for :func:`jackknife`.
    confidence_level
        Between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor: then groups are drawn or left out, with all
        their samples.
    random_state
        A seed or a generator of NumPy; the same seed gives the same interval, on every backend.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples. A sample that is
        ignored in one of the three is left out of all.
    **options
        Those of the measure.

    Returns
    -------
    ScoreDifference
        The difference ``first - second``, also of distances, of which lower is better: ``better`` says which of the two
        is. Pairs of copies of one sample, or of one group, are left out, as in :func:`bootstrap`. NaN for fewer than 2
        samples. The interval has no width where the difference is the same in all resamples. A host step: the counts
        are transferred, and drawn and scored on the host.

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
    """How far the samples of each class are in one cluster only.

    c = 1 - H(pred | true) / H(pred) ([1]_, equation 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0 to 1, which is best (also if there is one cluster only). Not symmetric: with the arguments exchanged it
        is :func:`homogeneity_score`.

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
    """What one partition leaves open about the other.

    H(true | pred) = sum_ij p_ij log(b_j / n_ij) for ``given="pred"``, H(pred | true) for ``given="true"`` ([1]_,
    equation 2.12).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    given
        "pred" or "true": the partition that is known.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

    Returns
    -------
    float
        From 0, which is best, to the entropy of the other partition. Not symmetric.

    References
    ----------
    .. [1] T. M. Cover and J. A. Thomas, "Elements of Information Theory", 2nd edition, 2006.
    """

def conductance_scores(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the weight at each label that is on edges to other labels.

    For label c the weight of the edges between it and other labels by min(K_c, K - K_c), of the sum K_c of the
    strengths of its samples, and that of all samples, K ([1]_, not checked against the text). Lower is better, 0 for a
    label without edges to others; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.

    Returns
    -------
    LabelScores
        ``labels``, in their order, and ``scores``, each of shape (n_labels,), with ``to_pandas()``. The scores are of
        the library of the graph, and on its device. No unit. Labels without samples are left out; with ``n_labels``
        they are kept and have NaN. (On a device, leaving them out is a host step.) NaN, too, for a label without edges,
        and for one that has all: 0/0, which one weak edge more could make 0 as well as 1.

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
    """How many samples each class shares with each cluster.

    n_ij, with the classes and the clusters that occur in sorted order, as scikit-learn has it; with ``n_classes=``
    and ``n_clusters=`` all of them are kept. On a device a host step: to leave out what does not occur, or to check
    that all samples could be counted.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    eps
        A number to add to every cell, which makes floats of counts: the widest that the device has.
    sparse
        Whether to return a SciPy matrix in CSR format, on the host.
    dtype
        The type of the counts; by default the widest integer, or float if the weights are.
    as_frame
        Whether to return a pandas DataFrame, on the host, with the labels of the classes as its index and those of the
        clusters as its columns.

    Returns
    -------
    array of shape (n_classes, n_clusters)
        The counts. Exchanging the arguments transposes it.
    """

def coverage_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the weight of all edges that is inside labels.

    sum_c W_c / S, of the weight W_c of the edges of which both ends have label c, and that of all, S ([1]_, not checked
    against the text). Higher is better, 1 where no edge is between two labels; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Without edges it is 0.

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
    """Mean over the clusters of their likeness to the cluster most like them.

    The likeness of two clusters is R_ij = (s_i + s_j) / |m_i - m_j|, of the mean distances s of their samples to their
    means m, and the score is the mean of max_j R_ij ([1]_, definitions 4 and 5, not checked against the
    text, with p = 2 and q = 1). From 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit.

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
    """How much further clusters are from one another than their samples are within, by densities, whatever their shape.

    The score is sum_C (|C| / n) V_C over the clusters C of |C| samples, with n all samples, those of ignored labels
    among them; and V_C = (S_C - D_C) / max(S_C, D_C) ([1]_, definitions 1 to 8, not checked against the text). From
    -1 to 1; higher is better. Of distances d and samples in p features:

    - The core distance of a sample x is (sum_y d(x, y)^-p / (|C| - 1))^(-1/p) over the other samples y of its cluster,
      without those with d(x, y) = 0; 0 if all are such.
    - The reachability of two samples is the largest of their distance and of both core distances.
    - D_C, the sparseness of C, is the longest edge between two inner samples of a minimum spanning tree of C by
      reachabilities: samples with more than one edge. It is the longest edge of all, if there is no such edge.
    - S_C, the separation of C, is the least reachability between an inner sample of C and one of any other cluster; all
      samples of a cluster of 2 are inner.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    metric
        The distance of two samples; see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    n_features
        p for metric="precomputed", a positive integer; else it is that of X.
    ignore_labels
        One label or several, such as -1 for the noise of HDBSCAN; samples with such a label are in no cluster, and
        count in n: the more there are, the nearer to 0 the score is.
    return_per_label
        Whether to return the validity of each label, too. The result prints as a table, and has ``to_pandas()``.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, and on its device; 0 for fewer than two clusters of 2 samples or more. No unit. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; of the library of
        X if they are numbers, else of NumPy) and ``label_scores``, V_C of each, both of shape (n_labels,); NaN for
        labels of one sample, which is noise.

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
    """Smallest distance between samples of different clusters over the largest between two samples of one.

    min_{k(x) != k(y)} d(x, y) / max_{k(x) = k(y)} d(x, y) ([1]_, equation 3, not checked against the text: the index of
    compact separated partitions, of samples themselves: not of centres and radii, as some libraries have it). From 0 to
    infinity; higher is better; above 1, all samples are nearer to those of their cluster than to any other.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    metric
        The distance of two samples: see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, and on its device; infinity where the samples of each cluster are equal, and those of
        different clusters are not; 0 for 0/0. No unit.

    References
    ----------
    .. [1] J. C. Dunn, "Well-separated clusters and optimal fuzzy partitions", Journal of Cybernetics 4, 1974.
    """

def element_centric_consistency(labelings: Any, *, ignore_labels: Any = None, sample_weight: Any = None) -> Any:
    """Element-centric consistency of each sample over many labelings: how alike the clusters are that they put it in.

    The mean over all pairs of labelings of what :func:`element_centric_samples` gives ([1]_, not checked against the
    text): of one method with other seeds, low values are of samples whose clusters are not stable.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors: two or more, of any kind that :meth:`Contingency.from_labels` takes, but for those that Dask holds.
    ignore_labels
        One label or several, such as that of noise; a pair of labelings leaves out the samples that have such a label
        in either, and the mean of a sample is over the pairs that have it.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels; NaN for samples that no pair has,
        and for those of weight 0.

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
    """Element-centric similarity of each sample: how alike its class and its cluster are.

    n_ij / max(a_i, b_j) for a sample in class i and in cluster j ([1]_, not checked against the text).

    Parameters
    ----------
    labels_true, labels_pred
        Two vectors of labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, but for those
        that Dask holds.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
    n_classes, n_clusters
        The numbers of classes and of clusters, for integer labels from 0 to below them: with both, nothing leaves the
        device to find them out, and labels that are outside make all values NaN there.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.

    Returns
    -------
    array of shape (n_samples,)
        Above 0 to 1, which is best, of the library and on the device of the labels; NaN for samples that do not count:
        with labels to ignore, or of weight 0.

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
    """Element-centric similarity of two partitions: how alike each sample's class and cluster are, on average.

    1/n sum_ij n_ij^2 / max(a_i, b_j): a sample in class i and in cluster j has n_ij / max(a_i, b_j), what
    :func:`element_centric_samples` gives. It is 1 - |p - q| / (2 alpha) for the personalised PageRanks p and q of the
    sample, with any alpha, on the graphs in which the samples of one class, or of one cluster, are all linked, which
    is the definition ([1]_, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        Above 0 to 1, which is best. Symmetric. Not corrected for chance: random partitions into more groups, or into
        more uneven ones, have other scores; any partition has at least 1/n, as each sample shares itself.

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
    """Entropy of one labeling: the information in the label of a random sample.

    H = -sum_i p_i log p_i with p_i = a_i / n ([1]_, section 2.1).

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, of which ``of`` names the side.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    of
        "true" or "pred": the side of a table; of no consequence for labels.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

    Returns
    -------
    float
        From 0, for one group, to log(n), for n single samples.

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
    """Mutual information expected of two random partitions with these class and cluster sizes.

    The mean of I over all permutations of the labels: each cell is hypergeometric ([1]_, equation 24a, not checked
    against the text). Without ``n_classes=`` and ``n_clusters=``, finding the distinct sizes on a device is a host
    step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

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
    """Mean F-score of the clusters against their best classes, or of the classes against their best clusters.

    "macro": the mean over the clusters of 2 n_ij / (a_i + b_j), i the class that cluster j has most samples of ([1]_,
    not checked against the text). "weighted": sum_i a_i / n max_j 2 n_ij / (a_i + b_j), over the classes ([2]_,
    section 3.3, not checked against the text; the F is van Rijsbergen's).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    average
        "macro" or "weighted".

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
    """Geometric mean of pair precision and pair recall.

    FM = both / sqrt(T P), where T and P are the pairs together in the true and in the predicted partition ([1]_,
    equation 3, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0 to 1, which is best; two equal partitions into single samples score 1 as well. Symmetric.

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
    """Probability that two random samples, drawn with replacement, have different labels.

    1 - sum_i p_i^2 ([1]_, section 4.2, not checked against the text): half the beta-entropy of order 2.

    Parameters
    ----------
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, of which ``of`` names the side.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    of
        "true" or "pred": the side of a table; of no consequence for labels.

    Returns
    -------
    float
        From 0, for one group, to 1 - 1/n, for n single samples.

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
    """Mean over the labels of the share of their samples that hang together.

    For each label the number of samples in the largest component of the graph of its samples alone, by the number of
    its samples ([1]_, not checked against the text). Each label counts alike, whatever its size. Higher is better, 1
    if the samples of each label are all connected; above 0.

    Parameters
    ----------
    graph
        The edges between the samples: a :class:`Neighbors`; a square sparse matrix of weights, of SciPy or CuPy, a
        sparse tensor, or its arrays ``(data, indices, indptr)`` by rows; a pair ``(indices, distances)`` of the nearest
        neighbours, to each of which there is an edge of weight 1; or an object with a matrix ``connectivities``, such
        as AnnData in its ``obsp``. Weights are finite and not negative; one of 0 is no edge. A larger weight is a
        closer tie: a matrix of distances is to be given as ``Neighbors.from_distances(matrix)``.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
    connection
        When two samples are in one component: "weak", if edges connect them, whatever their directions; "strong", if
        edges lead from each to the other. Of a symmetric matrix that is the same.
    return_per_label
        Whether to return the labels and the share of each, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. NaN without samples. With ``return_per_label``, a named
        tuple of ``score``, ``labels`` (those that have samples, sorted; all, if ``n_labels`` is given) and
        ``label_scores``, the shares, NaN for a label without samples, both of shape (n_labels,).

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
    """Logarithm of the scatter of the centres over the scatter of the samples around them.

    ln(B / W) in nats, with B = sum_k n_k |m_k - m|^2 of the means m_k of clusters of n_k samples about the mean m of
    all, and W as :func:`inertia` has it ([1]_, not checked against the text; as the R package clusterCrit has it, there
    Log_SS_Ratio). From -infinity to infinity; higher is better. It is not the rule that goes by the same name, which
    compares W of two numbers of clusters.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.

    Returns
    -------
    score
        Of the library of X, and on its device; infinity if all samples lie on their centres, -infinity if the centres
        are one, and 0 if both is so. No unit.

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
    """Homogeneity, completeness and V-measure at once.

    See :func:`homogeneity_score`, :func:`completeness_score` and :func:`v_measure_score` ([1]_).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
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
    """How far each cluster holds samples of one class only.

    h = 1 - H(true | pred) / H(true) ([1]_, equation 1, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0 to 1, which is best (also if there is one class only). Not symmetric: with the arguments exchanged it is
        :func:`completeness_score`.

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
    """Correlation over all pairs of samples between being together in one partition and in the other.

    (both neither - true_only pred_only) / sqrt(T P (all - T) (all - P)): the phi coefficient of the pairs ([1]_;
    [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From -1 to 1, which is best; 0 without correlation. Symmetric.

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
    """Integration LISI: how many batches there are around a cell, as the median over the cells.

    (x - 1) / (B - 1), with the median x of :func:`lisi_samples` ([1]_, not checked against the text) and the number B
    of batches that have cells ([2]_, not checked against the text). From 0, each batch apart, to 1, all mixed evenly:
    higher is better. Without ``scale`` x itself, from 1 to B.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or what one is made
        of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices``
        and ``distances``. A cell is no neighbour of itself.
    batch
        The batch of each cell, shape (n_cells,): beside the neighbours, or on the host.
    scale
        Whether to bring the score to the range of 0 to 1.
    perplexity
        As how many neighbours those of a cell count, from 1 to their number. None is a third of the number of columns
        of a search that finds the cell itself, too: floor((k + 1) / 3) of k neighbours, and at least 1.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_batches
        The number of batches, for batches from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with them or with the neighbours there makes the result NaN.

    Returns
    -------
    score
        Of the library of the neighbours, and on their device. No unit; NaN of one batch, which neither is mixed nor is
        not, and if no cell counts.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
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
    """Sum of the squared distances of samples to the mean of their cluster.

    W = sum_k W_k with W_k = sum_{i in k} |x_i - m_k|^2 of the mean m_k of the samples i of cluster k ([1]_, section 1,
    not checked against the text: the within-cluster sum of squares). From 0 to infinity; lower is better, and it gets
    lower with every cluster that is split: it compares clusterings of as many clusters, or is read off its elbow.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative: each square counts as often as its sample weighs.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    return_per_label
        Whether to return the value of each label, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        Of the library of X, and on its device; 0 of no samples. Its unit is that of X squared. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; of the library of
        X if they are numbers, else of NumPy) and ``label_scores``, W_k of each, both of shape (n_labels,).

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
    """Share of the samples that are in the largest cluster of their class.

    1/n sum_i max_j n_ij ([1]_, section 3.1, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        Above 0 to 1, which is best, and which one cluster reaches always. Not symmetric: with the arguments exchanged
        it is :func:`purity_score`.

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
    """How well labels that few batches have, such as rare cell types, are told from all others.

    The mean over the isolated labels, those in the fewest batches, of a score of each label i: by ``clusterings`` the
    largest F1 = 2 n_ij / (a_i + b_j) over the clusters j of all of them, for n_ij of the a_i cells of the label among
    the b_j cells of the cluster; by ``X``, an embedding, (s + 1) / 2 of the mean silhouette s of its cells, see
    :func:`silhouette_samples` ([1]_, not checked against the text). Higher is better; from 0 to 1.

    Parameters
    ----------
    labels
        The label of each cell, such as its type, shape (n_cells,).
    batch
        The batch of each cell, shape (n_cells,), of the same library and on the same device; with the index of the
        labels, if both have one.
    X
        The cells, shape (n_cells, n_features), such as an embedding, for a score of silhouettes: as
        :func:`silhouette_samples` takes samples; labels and batches lie beside it, or on the host.
    clusterings
        Clusterings of the cells, for a score of F1: a mapping from names to label vectors (a dictionary, a pandas or
        polars DataFrame), or a sequence of label vectors, as those of a sweep over resolutions; or one label vector.
        Either ``X`` or this. Where all cells of a label are ignored in a clustering, its F1 there is 0.
    others
        What a silhouette compares a label with: the nearest of the other labels, which are "apart" (scib-metrics), or
        all other cells "together" (scib).
    rescale
        Whether to bring silhouettes to the range of 0 to 1; else the score is the mean of s, from -1.
    metric
        The distance of two cells, for silhouettes: see :func:`silhouette_samples`. Not "precomputed".
    most_batches
        Labels in at most so many batches are isolated; by default those in the fewest.
    return_per_label
        Whether to return the score of each isolated label, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label, batch or cluster do not count.
    n_labels, n_batches, n_clusters
        The numbers of labels, of batches, and, of clusterings, of clusters, all given together, for labels from 0 to
        below them: with them nothing leaves the device to find them out, and what is wrong with the labels there makes
        the score NaN.
    on_degenerate
        What to do where no label is isolated, as all are in all batches, or none in as few as ``most_batches``, where
        no cell counts, and where a silhouette has fewer than 2 labels or as many as cells: "raise" a ValueError, or
        return "nan". On a device, with the numbers given, it is NaN in any case.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, or of the labels, and on its device. No unit. With ``return_per_label``, a named tuple of
        ``score``, ``labels`` (the isolated ones, sorted; of that library if they are numbers, else of NumPy),
        ``label_scores`` and ``label_batches`` (in how many batches each is), the last three of shape (n_isolated,).

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
    """Standard error, bias and interval of scores, from the scores without each sample: exact, nothing is drawn.

    With t the score of all n samples, t_ij that without a sample of cell (i, j), and m = sum_ij n_ij t_ij / n: the
    variance is (n - 1)/n sum_ij n_ij (t_ij - m)^2, the bias (n - 1)(m - t) ([1]_, equations 11.5 and 11.11, not checked
    against the text), and the interval t -+ z SE, which may leave the range of the score. A sample of one cell is like
    any other of it, so there is one score for each non-empty cell; those of pairs, information and overlap are found
    from what leaving out a sample changes, in as many steps as cells, all others from K tables of K cells.

    It is the interval to take for measures of information, as the bootstrap shifts them by as much as they are biased
    already; below about 5 samples for each cell of the table, r m cells, the bias outgrows the standard error. For
    others :func:`bootstrap` is nearer to its level. It takes samples for independent: cells of one donor are not, which
    ``groups`` is for; and it says nothing of labels that were found from the same data.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts.
    confidence_level
        Between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor (about ten or more): then groups are left
        out, one at a time.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        Of one measure its estimate, of several a mapping from their names. Standard error, bias and interval are NaN
        for fewer than 2 samples. The standard error is 0 where all samples lie in one cell, and where the clusters are
        the classes: there, too, it says nothing of what is rare. A host step: the counts of the table are transferred.

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
    """Entropy of the pairs of labels: of the partition that both partitions together make.

    H(true, pred) = -sum_ij p_ij log p_ij with p_ij = n_ij / n ([1]_, equation 2.8).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

    Returns
    -------
    float
        From max(H(true), H(pred)) to H(true) + H(pred). Symmetric.

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
    """The chi-square statistic of the batches around each cell: how far they are from those of all cells.

    x = sum_b (o_b - k f_b)^2 / (k f_b), with o_b of the k neighbours of batch b and its share f_b of all cells ([1]_,
    not checked against the text). From 0, the batches in their shares, upwards; lower is better mixed. With ``labels``
    neighbours are those of the cell's label, k is their number, and f_b the share among the cells of the label.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell: a :class:`Neighbors`, or what one is made of, such as ``(indices,
        distances)``, a sparse matrix of distances, or an object with the attributes ``indices`` and ``distances``.
        Distances are not read.
    batch
        The batch of each cell, shape (n_cells,): beside the neighbours, or on the host.
    labels
        The label of each cell, such as its type, shape (n_cells,): then each label is tested by itself.
    include_self
        Whether a cell counts among its own neighbours, as the authors have it.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count, not even as neighbours.
    n_batches, n_labels
        The number of batches and of labels, for those from 0 to below it: with them nothing leaves the device to find
        them out, and what is wrong with batches, labels or neighbours there makes the result NaN.
    return_p_values
        Whether to return the p-values, too: the upper tail of the chi-square distribution with B - 1 degrees of
        freedom, for B batches (of the label).

    Returns
    -------
    statistics
        Shape (n_cells,), of the library of the neighbours, and on their device. No unit. NaN for cells that are not
        tested: those that do not count, of whose neighbours none does, and where there is one batch only. With
        ``return_p_values``, a named tuple of ``statistic`` and ``p_value``.

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
    """The share of cells around which the batches are as likely as not to be drawn from all: kBET's acceptance rate.

    A cell is accepted if its statistic x (see :func:`kbet_samples`) is no larger than by chance with probability
    1 - alpha: below the quantile of the chi-square distribution with B - 1 degrees of freedom, for B batches ([1]_, not
    checked against the text). With ``labels`` it is the mean over the labels of the shares of their cells ([2]_, not
    checked against the text), without those of one batch. From 0 to 1, all mixed: higher is better.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell: a :class:`Neighbors`, or what one is made of, such as ``(indices,
        distances)``, a sparse matrix of distances, or an object with the attributes ``indices`` and ``distances``.
        Distances are not read.
    batch
        The batch of each cell, shape (n_cells,): beside the neighbours, or on the host.
    labels
        The label of each cell, such as its type, shape (n_cells,): then each label is tested by itself.
    include_self
        Whether a cell counts among its own neighbours, as the authors have it.
    alpha
        The level of the test, above 0 and below 1.
    return_per_label
        Whether to return the score of each label, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count, not even as neighbours.
    n_batches, n_labels
        The number of batches and of labels, for those from 0 to below it: with them nothing leaves the device to find
        them out, and what is wrong with batches, labels or neighbours there makes the result NaN.

    Returns
    -------
    score
        Of the library of the neighbours, and on their device. No unit; NaN if no cell is tested, as of one batch. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted; of the library of
        the neighbours if they are numbers, else of NumPy; with ``n_labels`` all from 0 to below it) and
        ``label_scores``, both of shape (n_labels,), NaN for labels of which no cell is tested.

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
    """Local inverse Simpson's index of each cell: how many labels there are among its neighbours.

    1 / sum_l (sum_j P_j)^2, the inner sum over the neighbours j with label l ([1]_, not checked against the text). The
    P_j of a cell add up to 1 and are proportional to exp(-beta d_j), with the distances d_j and the beta for which
    their entropy, -sum_j P_j ln P_j, is the logarithm of the perplexity. From 1, all neighbours of one label, to the
    number of labels, each with as much of P; symmetric in the names of the labels.

    Parameters
    ----------
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or what one is made
        of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices``
        and ``distances``. A cell is no neighbour of itself.
    labels
        The label of each cell, such as its batch or its type, shape (n_cells,): beside the neighbours, or on the host.
    perplexity
        As how many neighbours those of a cell count, from 1 to their number. None is a third of the number of columns
        of a search that finds the cell itself, too: floor((k + 1) / 3) of k neighbours, and at least 1.
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with them or with the neighbours there makes the result NaN.

    Returns
    -------
    lisi
        Shape (n_cells,), of the library of the neighbours, and on their device; NaN for cells that do not count, and
        for those of whose neighbours none does. In labels.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    """

def match_labels(
    labels_true: Any,
    labels_pred: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> LabelMatching:
    """Match classes and clusters one to one so that they share as many samples as possible.

    The assignment that maximises the sum of n_ij ([1]_). Pairs that share nothing are not listed. A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    LabelMatching
        ``classes`` and ``clusters``, the labels of each pair, and ``counts``, how many samples they share, each of
        shape (n_pairs,), in the order of the classes. Its method ``relabel`` renames the clusters of a labeling, and
        ``to_pandas`` gives a DataFrame.

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

    (true_only - pred_only) / sqrt(true_only + pred_only), in unordered pairs ([1]_, the root of his chi-square, with
    its sign).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        0 if both put equally many pairs together (which does not make them alike), positive if the true partition puts
        more of them together. Exchanging the arguments changes the sign.

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
    """Number of ordered pairs of samples on which the two partitions disagree.

    2 (true_only + pred_only) in unordered pairs ([1]_; [2]_, equation 7, not checked against the text);
    ``normalized`` divides it by n^2.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    normalized
        Whether to divide by the square of the number of samples.

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
    """Share of the edges' weight inside labels, beyond what their strengths let one expect.

    Let A be the matrix of weights, of which the entry in row i and column j is an edge from i to j; S the sum of all of
    it, W_c the sum of the entries of which both ends have label c, and O_c and I_c those of the rows and of the columns
    of its samples. Then Q = sum_c (W_c / S - g K_c^2 / S^2) with K_c = (O_c + I_c) / 2 and the resolution g
    ([1]_, [2]_, not checked against the text), and with ``directed`` Q = sum_c (W_c / S - g O_c I_c / S^2)
    ([3]_, not checked against the text). Higher is better; at resolution 1 from -1/2 to below 1, and 0 for one label.

    Parameters
    ----------
    graph
        The edges between the samples: a :class:`Neighbors`; a square sparse matrix of weights, of SciPy or CuPy, a
        sparse tensor, or its arrays ``(data, indices, indptr)`` by rows; a pair ``(indices, distances)`` of the nearest
        neighbours, to each of which there is an edge of weight 1; or an object with a matrix ``connectivities``, such
        as AnnData in its ``obsp``. Weights are finite and not negative; one of 0 is no edge. A larger weight is a
        closer tie: a matrix of distances is to be given as ``Neighbors.from_distances(matrix)``.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
    resolution
        The weight g of what is expected, 0 or more; labels of fewer samples have the best score if it is larger.
    directed
        Whether the directions of edges count: those of a symmetric matrix make no difference.
    return_per_label
        Whether to return the labels and the part of each, too. The result prints as a table, and has ``to_pandas()``.
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Without edges it is 0. With ``return_per_label``, a
        named tuple of ``score``, ``labels`` (those that have samples, sorted; all, if ``n_labels`` is given) and
        ``label_scores``, the terms of the sum, both of shape (n_labels,).

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
    """Information that the two partitions share.

    I = sum_ij p_ij log(p_ij / (p_i p_j)) ([1]_, equation 2.28), summed as terms that are not negative.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

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
    """Mean recall of the classes under the best one-to-one matching, rescaled so that equal shares give 0.

    The mean over the classes of (n_(i, s(i)) / a_i - 1/k) / (1 - 1/k), under the matching s that maximises the sum of
    these recalls; k is the larger of the numbers of classes and clusters, and a class without a cluster has recall 0
    ([1]_, equation 8, not checked against the text). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        At most 1, which is best; 0 for a table whose cells are all equal. Not symmetric: the reference is
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
    as_frame: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Counts with the columns in the order that makes the sum of the diagonal as large as possible.

    As in genieclust; with more classes than clusters, empty columns are added. A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    as_frame
        Whether to return a pandas DataFrame, on the host, with the labels of the classes as its index and those of the
        clusters as its columns; the label of a column that is added is None.

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
    """What the partitions do not share, as a share of the larger entropy.

    NID = 1 - I / max(H(true), H(pred)) ([1]_, table 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Mutual information as a share of an average of the two entropies.

    NMI = I / avg(H(true), H(pred)) ([1]_, table 2, not checked against the text), or I / H(true, pred) for
    "joint".

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    average_method
        "min", "geometric", "arithmetic", "max" or "joint".

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
    """Clustering accuracy, rescaled so that what equal shares everywhere would give is 0.

    (ACC - 1/k) / (1 - 1/k) with k the larger of the numbers of classes and clusters ([1]_, section 4, not checked
    against the text). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Variation of information as a share of the joint entropy.

    NVI = VI / H(true, pred) = 1 - I / H(true, pred) ([1]_, table 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Any:
    """Order of the columns that makes the sum of the table's diagonal as large as possible.

    As in genieclust. A host step. The columns are those of :func:`contingency_matrix` and of the frame that
    :meth:`Contingency.to_pandas` gives. With more classes than clusters, numbers from n_clusters on stand for empty
    columns, which :func:`normalized_confusion_matrix` adds and a frame does not have: ``order[order < n_clusters]``
    orders its columns.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Pairs together in both partitions, as a share of the more together in either one.

    both / max(T, P) = min(precision, recall) ([1]_, table 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Ordered pairs of samples by whether they are together in the true (row) and in the predicted (column) partition.

    [[neither, pred_only], [true_only, both]], each twice the number of unordered pairs, as scikit-learn has it.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    array of shape (2, 2)
        Exact integers (int64; Python integers in an object array on NumPy where the pairs outgrow it), or floats for a
        table of floats and where the device has no 64 bits. Exchanging the arguments transposes it. On a device it is a
        host step (one transfer) to check that int64 holds it; a table of more samples than that raises OverflowError
        there.
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
    """Moments of the number T of pairs together in both partitions, if samples are permuted.

    T = sum_ij C(n_ij, 2), with all class and cluster sizes held fixed. The mean is A B / N for the pairs within classes
    A = sum_i C(a_i, 2), those within clusters B = sum_j C(b_j, 2), and all pairs N = C(n, 2). The variance is that of
    [1]_ (not checked against the text) in a form in which nothing cancels, so that it keeps its digits however many
    samples there are; the third moment is found in Python's integers.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    PairCountMoments
        ``mean``, ``variance`` and ``skewness``, the third central moment as a share of variance^(3/2). Symmetric. Where
        the sizes settle T (one group, or single samples, on either side; one sample beside a group, where all groups of
        the other side are of one size) the variance is 0, and the skewness NaN. The skewness is a host step: on a
        device the sizes are transferred, and in a compiled graph it is NaN.

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
    """Weighted harmonic mean of pair precision and pair recall.

    (1 + beta^2) P R / (beta^2 P + R) ([1]_, section 16.3); with beta = 1 it is the coefficient of Sørensen, Dice and
    Czekanowski.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        How much more recall counts than precision; 0 leaves precision alone.

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
    """How far the pairs of one partition are included among those of the other.

    With A the pairs together in the partition that ``of`` names: both / A (variant 1), or both / (2 A - both)
    (variant 2; [1]_, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    of
        "true" or "pred": whose pairs are to be found in the other.
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
    """Share of the pairs together in either partition that are together in both.

    both / (both + true_only + pred_only) ([1]_, section 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Arithmetic mean of pair precision and pair recall.

    (P + R) / 2 ([1]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Geometric mean of pair precision and pair recall; the name that ecology has for Fowlkes-Mallows.

    sqrt(P R) ([1]_, table 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Share of the pairs put together by the clustering that belong together.

    P = both / (both + pred_only) ([1]_, section 16.3).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Share of the pairs that belong together that the clustering puts together.

    R = both / (both + true_only) ([1]_, section 16.3).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Similarity of matched classes and clusters, corrected for the similarity that chance would give.

    PSI = (S - E) / (k - E): S is the sum of n_ij / max(a_i, b_j) over the matching that makes it largest,
    E = 1/n sum_i a_(i) b_(i) / max(a_(i), b_(i)) over the sizes of both sides in falling order, and k the larger of the
    numbers of classes and clusters ([1]_, equation 18). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    clipped
        Whether to give 0 instead of a negative value.

    Returns
    -------
    float
        From 0 (or below, if not clipped) to 1, which is best. Symmetric.

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
    """Pairs together in both partitions, as a share of the fewer together in either one.

    both / min(T, P) = max(precision, recall) ([1]_, table 2, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0 to 1, which is best, also when one partition refines the other. Symmetric.

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
    """Square of how much nearer samples are to their centres than to the mean of all, times how far centres are apart.

    ((1 / K) (E_1 / E_K) D)^2 for K clusters, with E_1 the sum of the distances (not squared) of all samples to their
    mean, E_K that of their distances to the mean of their cluster, and D the largest distance between the means of two
    clusters ([1]_, not checked against the text). From 0 to infinity; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.

    Returns
    -------
    score
        Of the library of X, and on its device; infinity if all samples lie on their centres, and 0 if these are one,
        too. Its unit is that of X squared.

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
    """How much less of the variance a covariate, such as the batch, explains after an integration than before.

    max(0, (p - q) / p) of :func:`pcr_score` before, p, and after, q ([1]_, not checked against the text). Higher is
    better; from 0, if it explains as much as before or more, to 1, if nothing.

    Parameters
    ----------
    X_before, X_after
        The cells before and after the integration, shapes (n_cells, n_features), in the same order, each with features
        of its own: as :func:`pcr_score` takes cells, of one library.
    covariate
        What may explain the cells, such as their batch, shape (n_cells,): beside the cells, or on the host; with their
        index, if both have one.
    kind
        "categorical": values are names of groups, numbers too, so that the codes of batches are what they stand for.
        "continuous": values are quantities, such as a number of genes, and the regression is linear in them.
    n_components
        How many principal components to regress, those of the largest variance; all by default, which takes no
        decomposition. One less than all needs samples in memory, and n_features^2 numbers.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One value or several of a categorical covariate; cells with such a value do not count.
    n_categories
        The number of categories, for values from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the values there makes the score NaN.

    Returns
    -------
    score
        Of the library of the cells, and on the device of X_after. No unit. 0 if nothing was explained before.

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
    """Share of the variance of the cells that a covariate, such as their batch, explains.

    sum_c v_c R_c^2 / sum_c v_c over the principal components c of the cells, with the variance v_c of each and the
    share R_c^2 of it that a regression on the covariate explains ([1]_, not checked against the text). From 0 to 1;
    lower is better where the covariate is a batch.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), real and finite: an array of any library, of Dask (as is the covariate,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
    covariate
        What may explain the cells, such as their batch, shape (n_cells,): beside the cells, or on the host; with their
        index, if both have one.
    kind
        "categorical": values are names of groups, numbers too, so that the codes of batches are what they stand for.
        "continuous": values are quantities, such as a number of genes, and the regression is linear in them.
    n_components
        How many principal components to regress, those of the largest variance; all by default, which takes no
        decomposition. One less than all needs samples in memory, and n_features^2 numbers.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One value or several of a categorical covariate; cells with such a value do not count.
    n_categories
        The number of categories, for values from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the values there makes the score NaN.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. 0 for cells that are all equal, and for one category.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.
    """

def performance_score(graph: Any, labels: Any, *, ignore_labels: Any = None, n_labels: int | None = None) -> Any:
    """Share of the pairs of samples that are linked and of one label, or neither linked nor of one label.

    (L + U) / N, of the N pairs of two samples, the L linked ones of one label, and the U of two labels that are not
    linked ([1]_, not checked against the text). Two samples are linked by an edge in either direction; weights do not
    matter. Higher is better, 1 where samples are linked if and only if they have one label; from 0 to 1.

    Parameters
    ----------
    graph
        The edges between the samples, as :func:`modularity_score` takes them.
    labels
        The label of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside the
        graph, or on the host.
    ignore_labels
        One label or several; samples with such a label do not count, nor do the edges from and to them.
    n_labels
        The number of labels, for labels from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with the labels or the graph there makes the score NaN.

    Returns
    -------
    score
        Of the library of the graph, and on its device. No unit. Of fewer than two samples it is 0.

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
    """Probability of a score as good as this, or better, if the labels are permuted.

    Null hypothesis: the two labelings are independent, given the sizes of their groups; each permutation of one of them
    is as likely as any other. Of m random tables with these sizes (:func:`random_tables`) b are as good or better, and
    p = (b + 1) / (m + 1) ([1]_, not checked against the text): it is never 0, at least 1 / (m + 1), and at most alpha
    with a probability of at most alpha by chance, whatever m is. All measures are tested with the same tables. With
    fixed sizes many of them go up and down together: all measures of pairs but ``mcnemar_index`` with the pairs
    together in both partitions, all entropies with the mutual information; such measures have one p-value.

    It is not for labels that were made from the same data, which are dependent by construction; nor for large n: with
    10^5 samples next to any two labelings are found dependent, and z, or an interval (:func:`bootstrap`), says more.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number, the higher the better; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts. With one measure,
        ``labels_pred`` may be a mapping from names to label vectors, or a list or tuple of label vectors, of which the
        names are 0, 1, ...: all of them are compared with the same permuted ``labels_true``, and get p-values for all
        of them together, too.
    n_resamples
        How many random tables are drawn.
    method
        "sampling"; or "moments", for measures that go up and down with the pairs together in both partitions: by the
        gamma law that has the mean, the variance and the skewness of their number (Pearson's type III; [2]_, not
        checked against the text), of which nothing is drawn. It stands for the mid-p-value, and is off by a few percent
        of itself at p = 0.01, by more for very unequal sizes and beyond.
    random_state
        A seed or a generator of NumPy; the same seed gives the same p-values, on every backend and number of cores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    PermutationTest or PermutationTests
        Of one measure its test, of several a mapping from their names. p is 1 where all tables of the sizes are as
        good: one group, or single samples. NaN where a function gives NaN. Of several labelings a mapping from their
        names, with the probability that the best of them all, in standard deviations, is as good by chance ([3]_,
        not checked against the text), and p-values adjusted for the rate of false discoveries ([4]_, not
        checked against the text). A host step: the counts of the table are transferred, and tables are drawn and scored
        on the host.

    References
    ----------
    .. [1] B. Phipson and G. K. Smyth, "Permutation p-values should never be zero: calculating exact p-values when
       permutations are randomly drawn", Statistical Applications in Genetics and Molecular Biology 9, 2010.
    .. [2] P. W. Mielke and K. J. Berry, "Permutation methods: a distance function approach", 2nd edition, 2007.
    .. [3] P. H. Westfall and S. S. Young, "Resampling-based multiple testing", 1993.
    .. [4] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.
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
    """Share of the samples that are of the largest class of their cluster.

    1/n sum_j max_i n_ij ([1]_, section 16.3).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        Above 0 to 1, which is best, and which single samples reach always. Not symmetric: with the arguments
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
    """Share of the pairs of samples on which the two partitions agree.

    (both + neither) / all ([1]_, section 3, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Share of agreeing pairs, where a pair that differs counts twice.

    (both + neither) / (both + neither + 2 d) with d = true_only + pred_only ([1]_; for pairs [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

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
    """Share of all pairs that are together in both partitions.

    both / all ([1]_; for pairs [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        From 0 to 1, which only one cluster reaches: the value says how many pairs are together, too. Symmetric.

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
    """Mean over the labels of how little cells are nearer to those of their own batch.

    For each label the mean of 1 - |s| over its cells, with the silhouettes s of their batches among them alone; and of
    these the mean over the labels, without those whose cells are all of one batch, or each of its own [1]_ (the average
    silhouette width of batches). Higher is better, 1 if batches are mixed as if there were none; from 0 to 1. Without
    ``rescale`` the mean of |s|, of which lower is better.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), such as an embedding: as :func:`silhouette_samples` takes samples.
    labels
        The label of each cell, such as its type, shape (n_cells,): beside X, or on the host.
    batch
        The batch of each cell, shape (n_cells,): beside X, or on the host; with the index of X and labels, if it has
        one and they do.
    rescale
        Whether to bring the score to the range of 0 to 1.
    metric
        The distance of two samples: see :func:`silhouette_samples`.
    between_cluster_distances
        What a silhouette compares the distances to the own batch with: the mean distance to the "nearest" other batch,
        to the "furthest", or to all cells of other batches, "mean_other" [2]_: with the metric "cosine" it is
        their BRAS.
    sample_size
        How many cells to find the silhouettes of, over all labels that have a score: drawn without replacement from
        each of these equally often, as each counts alike, and at least twice; of a label with fewer cells than that all
        are, and the others give the rest. Their distances are to all cells of the label: the score is an estimate
        without bias of that of all cells.
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    return_standard_error
        Whether to return the standard error, too: 0 for all cells.
    return_per_label
        Whether to return the score of each label, too, and all standard errors. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count.
    on_degenerate
        What to do if no label has cells of two batches: "raise" a ValueError, or return "nan".
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``; with ``return_per_label``, one of ``score``, ``standard_error``, ``labels`` (those that have
        cells, sorted; of the library of X if they are numbers, else of NumPy), ``label_scores`` (NaN for labels whose
        cells are all of one batch, or each of its own) and ``label_standard_errors``, the last three of shape
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
    """Mean silhouette of the cells by their labels: how well an embedding keeps cell types apart.

    (S + 1) / 2 of the mean silhouette S, see :func:`silhouette_score`; S itself without ``rescale`` [1]_ (the average
    silhouette width of cell types). Higher is better; from 0 to 1.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), such as an embedding: as :func:`silhouette_samples` takes samples.
    labels
        The label of each cell, such as its type, shape (n_cells,): beside X, or on the host.
    rescale
        Whether to bring the score to the range of 0 to 1.
    metric
        The distance of two samples: see :func:`silhouette_samples`.
    absent
        The distance of cells for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_size
        How many cells to find the silhouettes of, drawn without replacement: the time is that share of the whole.
        Their distances are to all cells: the score is an estimate without bias of that of all.
    stratified
        Whether each label is drawn from in proportion to its cells, and at least twice.
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    return_standard_error
        Whether to return the standard error, too: 0 for all cells.
    return_per_label
        Whether to return the score of each label, too, and all standard errors. The result prints as a table, and has
        ``to_pandas()``.
    ignore_labels
        One label or several; cells with such a label do not count.
    on_degenerate
        What to do with fewer than 2 labels, or with as many as cells: "raise" a ValueError, or return "nan".
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``; with ``return_per_label``, one of ``score``, ``standard_error``, ``labels`` (those that have
        cells, sorted; of the library of X if they are numbers, else of NumPy), ``label_scores`` (of the mean silhouette
        of each label's cells) and ``label_standard_errors``, the last three of shape (n_labels,).

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
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other one.

    s = (b - a) / max(a, b) ([1]_, page 56, not checked against the text), with a the mean distance to the other samples
    of its cluster, and b the smallest mean distance to the samples of another cluster. From -1 to 1; higher is better.
    0 for the only sample of a cluster, and where a = b = 0.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    metric
        The distance of two samples: "euclidean" (or "l2"), "sqeuclidean" (its square), "cosine" (1 less the cosine; 1
        from a sample of zeros to any other), "correlation" (1 less Pearson's correlation of their features; 1 from a
        sample whose features are all equal to any other), "cityblock" (or "manhattan", "l1"), or "precomputed": X then
        has all distances, shape (n_samples, n_samples), as an array (which may be mapped from a file), as a data frame
        whose columns are its index, as a sparse matrix, or as a function that gives the rows from ``start`` to ``stop``
        when it is called as ``X(start, stop)``, by several threads at once.
    absent
        The distance of different samples for which a sparse X of precomputed distances has no entry, finite and not
        negative, such as a number above those of a graph of neighbours: the score is then that of distances of which
        the large ones are replaced by this one. By default such an X is an error; distances of 0 between different
        samples are entries, too. Samples that do not count need none.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    silhouettes
        Shape (n_samples,), of the library of X, and on its device; NaN for samples that do not count. No unit.

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
    stratified: bool = False,
    random_state: Any = None,
    return_standard_error: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: Literal["raise", "nan"] = "raise",
    progress: bool = False,
) -> Any:
    """Mean silhouette of the samples: how much nearer they are to their own clusters than to the nearest other ones.

    The mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives ([1]_, page 59, not checked
    against the text). From -1 to 1; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    metric
        The distance of two samples; see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_size
        How many samples to find the silhouettes of, drawn without replacement: the time is that share of the whole.
        Their distances are to all samples: without weights, the score is an estimate without bias of that of all.
        (scikit-learn takes what is drawn for all there is, and small clusters are smaller still in it.)
    stratified
        Whether each cluster is drawn from in proportion to its size, and at least twice.
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    return_standard_error
        Whether to return the standard error, too: 0 for all samples.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``.

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
    """Mean silhouettes of the samples by each of several labelings, such as those of a sweep over resolutions.

    Each is what :func:`silhouette_score` gives; the distances between samples are found once for all ([1]_, page 59,
    not checked against the text). From -1 to 1; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors, each of shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes.
    sample_size
        How many samples to find the silhouettes of, the same for all labelings: see :func:`silhouette_score`.
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    metric
        The distance of two samples; see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.
    progress
        Whether to show a bar, of tqdm.

    Returns
    -------
    scores
        Shape (n_labelings,), in the order of the labelings; of the library of X, and on its device. No unit. NaN for
        a labeling of fewer than 2 clusters or of as many as samples, with ``on_degenerate="nan"``.

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
    """Pair sets index with 1 in place of the expected value.

    (S - 1) / (k - 1), with S and k as in :func:`pair_sets_index` ([1]_, equation 20). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    clipped
        Whether to give 0 instead of a negative value.

    Returns
    -------
    float
        From 0 (or below, if not clipped) to 1, which is best. Symmetric.

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
    """Share of agreeing pairs, where a pair that differs counts twice (1) or half (2).

    With d = true_only + pred_only: both / (both + 2 d) (variant 1), or (both + neither) / (both + neither + d / 2)
    (variant 2; [1]_; for pairs [2]_, section 2.4).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    variant
        1 or 2.

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
    """How many standard deviations more information is shared than with a random partition of these sizes.

    SMI = (I - E[I]) / sd(I), with the mean and the standard deviation over all permutations of the samples ([1]_, not
    checked against the text). A host step.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    method
        "exact": the variance is a sum over pairs of distinct class and cluster sizes, a few microseconds each.
        "sampling": that of random tables, which errs by a share of about 1 / sqrt(2 n_resamples) of the score. "auto":
        exact, unless that takes more than about a second, and longer than the random tables.
    n_resamples
        How many random tables are drawn.
    random_state
        A seed or a generator of NumPy; the same seed gives the same tables.

    Returns
    -------
    float
        Higher is better, without a bound. 0 is the value expected of a random partition. Symmetric. NaN where the sizes
        settle the information, as :func:`pair_count_moments` says: also for some identical partitions.

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
    """How many standard deviations more pairs agree than in a random partition of these sizes.

    z = (T - E[T]) / sd(T) for the number T of pairs together in both partitions, with the mean and the standard
    deviation over all permutations of the samples ([1]_, not checked against the text; [2]_, not checked against the
    text). The Rand index and its adjusted form have the same z, as they are linear in T.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.

    Returns
    -------
    float
        Higher is better, without a bound: it grows like sqrt(n). 0 is the value expected of a random partition.
        Symmetric. NaN where the sizes settle T, as :func:`pair_count_moments` says: also for some identical partitions.

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
    """Weighted harmonic mean of homogeneity and completeness.

    V = (1 + beta) h c / (beta h + c) ([1]_, equation 3, not checked against the text), computed as (1 + beta) I /
    (beta H(pred) + H(true)). With beta = 1 it is the normalised mutual information with the arithmetic mean.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    beta
        How much more completeness counts than homogeneity; 0 gives homogeneity, or 0 where completeness is 0.

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
    """Samples outside the best match of their class, plus samples outside the best match of their cluster.

    2n - sum_i max_j n_ij - sum_j max_i n_ij ([1]_, section 2, not checked against the text), also known as the
    split-join distance; ``normalized`` divides it by 2n. The matches are many to one, so nothing leaves the device.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    normalized
        Whether to divide by twice the number of samples.

    Returns
    -------
    float
        From 0, which is best, to below 1, or 2n if not normalised. Symmetric; a metric.

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
    """Information that is lost and gained on the way from one partition to the other.

    VI = H(true | pred) + H(pred | true) ([1]_, equation 16, not checked against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    base
        The base of the logarithm, above 1: None for nats, 2 for bits.

    Returns
    -------
    float
        From 0, which is best, to log(n). Symmetric; a metric.

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
    """Probability that a pair together in the given partition is together in the other.

    both / T for ``given="true"``, both / P for ``given="pred"`` ([1]_, equations 1 and 2, not checked
    against the text).

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes; or a
        :class:`Contingency`, instead of both label vectors.
    labels_pred
        The labels to evaluate, shape (n_samples,), of the same library and on the same device.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, of types that the labels may be of; samples with such a label on either side do not count.
        An error if no sample is left (NaN on a device where ``n_classes`` is given).
    n_classes, n_clusters
        The size of the table, for integer labels from 0 to below it: with it nothing leaves the device to find it out.
    given
        "true" or "pred": the partition that is known.

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
    """Mean squared distance of samples to the mean of their cluster, over the least squared distance between clusters.

    (W / n) / min_{k != l} |m_k - m_l|^2 for n samples, with W as :func:`inertia` has it and the means m_k ([1]_, not
    checked against the text, of clusters without fuzziness; the same is Ray and Turi's validity [2]_, not checked
    against the text). From 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
    separation
        What of two clusters is to be apart: their "centres", as in the sources, or their "samples": the least squared
        distance between samples of two clusters, as the R package clusterCrit has it [3]_.
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.

    Returns
    -------
    score
        Of the library of X, and on its device; infinity if two centres, but for rounding, or two samples of different
        clusters are at one place. No unit.

    References
    ----------
    .. [1] X. L. Xie and G. Beni, "A validity measure for fuzzy clustering", IEEE Transactions on Pattern Analysis and
       Machine Intelligence 13, 1991.
    .. [2] S. Ray and R. H. Turi, "Determination of number of clusters in K-means clustering and application in colour
       image segmentation", International Conference on Advances in Pattern Recognition and Digital Techniques, 1999.
    .. [3] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.
    """
