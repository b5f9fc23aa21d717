"""Measures of overlap: how much of each class lies in each cluster; several clusters may belong to one class."""

from __future__ import annotations

from math import inf
from typing import Literal

from gpuval.inputs.options import beta_weights, check_not_negative, check_option
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import exchanged_f, table_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.overlaps import (
    adjusted_share_of_own_class,
    adjusted_share_of_own_cluster,
    best_class,
    f_of_classes,
    f_of_clusters,
    jaccard_of_each_class,
    jaccard_of_each_cluster,
    mean_f_of_clusters,
    place_of_best_class,
    share_in_best_class,
    share_in_best_cluster,
    share_of_own_class,
    share_of_own_cluster,
)
from gpuval.table.table import Table

__all__ = [
    "adjusted_bcubed_f_score",
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "bcubed_f_score",
    "bcubed_precision_score",
    "bcubed_recall_score",
    "class_jaccard_scores",
    "cluster_f_score",
    "cluster_jaccard_scores",
    "cluster_precision",
    "cluster_recall",
    "f_measure_score",
    "inverse_purity_score",
    "purity_score",
]

OVERLAP = Family("overlap of sets", table_measure, of_two=True, interval="jackknife", class_weight=1)


@measure(OVERLAP, short=("purity",), usual=9, exchanged=("inverse_purity_score", {}))
def purity_score(table: Table) -> Array:
    """Purity: share of the samples that are of the most frequent class of their cluster.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. Then purity is ``1/n * sum_j max_i n_ij`` ([1]_,
    section 16.3). It does not fall when a class is split over many clusters: look at :func:`inverse_purity_score`, too.

    Returns
    -------
    float
        Above 0 to 1, which is best. Clusters of one sample each always have 1. Not symmetric: with the arguments
        exchanged it is :func:`inverse_purity_score`.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.

    Examples
    --------
    >>> from gpuval import purity_score
    >>> float(purity_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(purity_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5

    The worked example of Simovici's book:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> float(purity_score(true, pred)) == 2 / 3
    True
    """
    return share_in_best_class(table)


@measure(OVERLAP, exchanged=("purity_score", {}))
def inverse_purity_score(table: Table) -> Array:
    """Inverse purity: share of the samples that are in the largest cluster of their class.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j. Then inverse purity is ``1/n * sum_i max_j n_ij``
    ([1]_, section 3.1). It does not fall when clusters merge classes: look at :func:`purity_score`, too.

    Returns
    -------
    float
        Above 0 to 1, which is best. A single cluster always has 1. Not symmetric: with the arguments exchanged it is
        :func:`purity_score`.

    References
    ----------
    .. [1] E. Amigó, J. Gonzalo, J. Artiles and F. Verdejo, "A comparison of extrinsic clustering evaluation metrics
       based on formal constraints", Information Retrieval 12, 2009.

    Examples
    --------
    >>> from gpuval import inverse_purity_score
    >>> float(inverse_purity_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(inverse_purity_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    return share_in_best_cluster(table)


@measure(OVERLAP, exchanged=None, values="best_classes", host_steps_found=1)
def cluster_precision(table: Table) -> tuple[Array, Array]:
    """Precision of each cluster: share of its samples that are of its best class.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, and cluster j has ``b_j`` samples. The precision is
    ``max_i n_ij / b_j`` ([1]_). Use it to see which clusters mix classes.

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

    Examples
    --------
    >>> from gpuval import cluster_precision
    >>> cluster_precision([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster  class  score
    a        1      1.000
    b        0      1.000
    >>> cluster_precision([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    The worked example of Simovici's book, 2/4, 2/3 and 4/5:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_precision(true, pred)
    cluster  class  score
    1        2      0.500
    2        2      0.667
    3        3      0.800
    <BLANKLINE>
    3 clusters: mean 0.656, sd 0.123; least 0.500 (1), most 0.800 (3)
    """
    overlap, _, clusters = best_class(table)
    return ratio(overlap, clusters, table.xp), place_of_best_class(table)


@measure(OVERLAP, exchanged=None, values="best_classes", host_steps_found=1)
def cluster_recall(table: Table) -> tuple[Array, Array]:
    """Recall of each cluster: share of the samples of its best class that are in the cluster.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, and class i has ``a_i`` samples. The recall is ``n_ij / a_i`` with
    the best class i ([1]_). Use it to see which clusters have only a part of their class.

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

    Examples
    --------
    >>> from gpuval import cluster_recall
    >>> cluster_recall([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster  class  score
    a        1      1.000
    b        0      1.000
    >>> cluster_recall([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    The worked example of Simovici's book, 2/5, 2/5 and 4/4:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_recall(true, pred)
    cluster  class  score
    1        2      0.400
    2        2      0.400
    3        3      1.000
    <BLANKLINE>
    3 clusters: mean 0.600, sd 0.283; least 0.400 (1), most 1.000 (3)
    """
    overlap, classes, _ = best_class(table)
    return ratio(overlap, classes, table.xp), place_of_best_class(table)


@measure(OVERLAP, exchanged=None, values="best_classes", host_steps_found=1)
def cluster_f_score(table: Table) -> tuple[Array, Array]:
    """F-score of each cluster: harmonic mean of its precision and its recall.

    The best class of a cluster is the one with the most samples in it; of several such classes, the largest one.
    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The
    F-score is ``2 * n_ij / (a_i + b_j)`` with the best class i ([1]_). It combines :func:`cluster_precision` and
    :func:`cluster_recall`.

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

    Examples
    --------
    >>> from gpuval import cluster_f_score
    >>> cluster_f_score([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster  class  score
    a        1      1.000
    b        0      1.000
    >>> cluster_f_score([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    The worked example of Simovici's book, 4/9, 1/2 and 8/9:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_f_score(true, pred)
    cluster  class  score
    1        2      0.444
    2        2      0.500
    3        3      0.889
    <BLANKLINE>
    3 clusters: mean 0.611, sd 0.198; least 0.444 (1), most 0.889 (3)
    """
    return f_of_clusters(table), place_of_best_class(table)


@measure(OVERLAP, exchanged=("cluster_jaccard_scores", {}), values="classes", host_steps_found=1)
def class_jaccard_scores(table: Table) -> Array:
    """Jaccard index of each class and its most similar cluster: how well a clustering recovers the class.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The score
    is ``max_j n_ij / (a_i + b_j - n_ij)``: of the samples that are in class i or in cluster j, the share that is in
    both, for the cluster where it is largest ([1]_, section 3). Use it to see which clusters of a clustering are found
    again when the data are clustered once more: give that clustering as ``labels_true``, and the mean over several runs
    is the stability of each of its clusters. Samples that a run leaves out are labels to ignore.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels, and ``scores``, each of shape (n_classes,); ``to_pandas()`` gives a Series. A
        score is above 0 to 1, which is best. It is not corrected for chance. Classes without samples are left out (on a
        device this is a host step: data are copied to the CPU); with ``n_classes=`` they are kept and have the score 0.
        With the arguments exchanged the scores are those of :func:`cluster_jaccard_scores`.

    Notes
    -----
    The R package fpc calls a cluster dissolved in a run if its score is at most 0.5, and recovered if it is above 0.75.

    References
    ----------
    .. [1] C. Hennig, "Cluster-wise assessment of cluster stability", Computational Statistics & Data Analysis 52, 2007.

    Examples
    --------
    >>> from gpuval import class_jaccard_scores
    >>> class_jaccard_scores(["a", "a", "b", "b"], [1, 1, 0, 0])
    class  score
    a      1.000
    b      1.000
    >>> class_jaccard_scores([0, 0, 0, 0], [0, 1, 2, 3]).scores
    array([0.25])

    Three clusters and another run, 3/4, 3/5 and 2/3:

    >>> class_jaccard_scores([0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
    class  score
    0      0.750
    1      0.600
    2      0.667
    <BLANKLINE>
    3 classes: mean 0.672, sd 0.061; least 0.600 (1), most 0.750 (0)
    """
    return jaccard_of_each_class(table)


@measure(OVERLAP, exchanged=("class_jaccard_scores", {}), values="clusters", host_steps_found=1)
def cluster_jaccard_scores(table: Table) -> Array:
    """Jaccard index of each cluster and its most similar class: how well the cluster matches one class.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has ``b_j``. The score
    is ``max_i n_ij / (a_i + b_j - n_ij)``: of the samples that are in class i or in cluster j, the share that is in
    both, for the class where it is largest ([1]_, section 3).

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

    Examples
    --------
    >>> from gpuval import cluster_jaccard_scores
    >>> cluster_jaccard_scores([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster  score
    a        1.000
    b        1.000
    >>> cluster_jaccard_scores([0, 1, 2, 3], [0, 0, 0, 0]).scores
    array([0.25])

    Three clusters, 3/4, 3/5 and 2/3:

    >>> cluster_jaccard_scores([0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
    cluster  score
    0        0.750
    1        0.600
    2        0.667
    <BLANKLINE>
    3 clusters: mean 0.672, sd 0.061; least 0.600 (1), most 0.750 (0)
    """
    return jaccard_of_each_cluster(table)


@measure(
    OVERLAP,
    short=("f1",),
    title="F-measure",
    usual=11,
    exchanged=None,
    class_weight=lambda average: 0 if average == "macro" else 1,
    tried={"average": ("weighted",)},
)
def f_measure_score(table: Table, *, average: Literal["macro", "weighted"] = "macro") -> Array:
    """F-measure: mean F-score of the clusters with their best classes, or of the classes with their best clusters.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, class i has ``a_i`` samples, and cluster j has
    ``b_j``. The F-score of a class and a cluster is ``F_ij = 2 * n_ij / (a_i + b_j)``, van Rijsbergen's F.

    - ``"macro"``: the mean over the clusters j of F_ij, where i is the class with the most samples in cluster j ([1]_).
      Each cluster counts the same.
    - ``"weighted"``: ``sum_i a_i / n * max_j F_ij``, over the classes ([2]_, section 3.3). Each class counts by its
      size.

    Parameters
    ----------
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

    Examples
    --------
    >>> from gpuval import f_measure_score
    >>> float(f_measure_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(f_measure_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5

    The worked example of Simovici's book:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(f_measure_score(true, pred)), 15) == round(11 / 18, 15)
    True
    """
    check_option("average", average, ("macro", "weighted"))
    return mean_f_of_clusters(table) if average == "macro" else f_of_classes(table)


@measure(OVERLAP, short=("precision",), exchanged=("bcubed_recall_score", {}))
def bcubed_precision_score(table: Table) -> Array:
    """BCubed precision: share of a sample's cluster that is of the sample's own class, averaged over the samples.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and cluster j has ``b_j`` samples. The precision is
    ``1/n * sum_ij n_ij^2 / b_j`` ([1]_, section 4). It falls when a cluster mixes classes.

    Returns
    -------
    float
        Above 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`bcubed_recall_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.

    Examples
    --------
    >>> from gpuval import bcubed_precision_score
    >>> float(bcubed_precision_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(bcubed_precision_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    return share_of_own_cluster(table)


@measure(OVERLAP, short=("recall",), exchanged=("bcubed_precision_score", {}))
def bcubed_recall_score(table: Table) -> Array:
    """BCubed recall: share of a sample's class that is in the sample's own cluster, averaged over the samples.

    ``n_ij`` of the ``n`` samples are in class i and in cluster j, and class i has ``a_i`` samples. The recall is
    ``1/n * sum_ij n_ij^2 / a_i`` ([1]_, section 4). It falls when a class is split over clusters.

    Returns
    -------
    float
        Above 0 to 1, which is best. Not symmetric: with the arguments exchanged it is :func:`bcubed_precision_score`.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.

    Examples
    --------
    >>> from gpuval import bcubed_recall_score
    >>> float(bcubed_recall_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(bcubed_recall_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    return share_of_own_class(table)


@measure(
    OVERLAP,
    short=("bcubed", "f1"),
    title="BCubed F",
    usual=10,
    exchanged=exchanged_f("bcubed_f_score", "bcubed_recall_score"),
    tried={"beta": (2, 0)},
    head="BCubed",
)
def bcubed_f_score(table: Table, *, beta: float = 1.0) -> Array:
    """BCubed F-score: weighted harmonic mean of BCubed precision and BCubed recall.

    With ``P`` of :func:`bcubed_precision_score` and ``R`` of :func:`bcubed_recall_score` it is
    ``(1 + beta^2) * P * R / (beta^2 * P + R)`` ([1]_, section 4.2).

    Parameters
    ----------
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

    Examples
    --------
    >>> from gpuval import bcubed_f_score
    >>> float(bcubed_f_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(bcubed_f_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    of_precision, of_recall = (x * x for x in beta_weights(check_not_negative("beta", beta)))
    precision, recall = share_of_own_cluster(table), share_of_own_class(table)
    together = of_precision * precision + of_recall * recall
    return ratio((of_precision + of_recall) * precision * recall, together, table.xp)


@measure(OVERLAP, range=(-inf, 1.0), exchanged=("adjusted_bcubed_recall_score", {}), adjusted=True, needs_counts=True)
def adjusted_bcubed_precision_score(table: Table) -> Array:
    """BCubed precision, corrected for chance.

    ``P`` is :func:`bcubed_precision_score` ([1]_, section 4), and ``E`` is its mean over all permutations of the
    labels. The score is ``(P - E) / (1 - E)``, the adjustment of [2]_, equation 4. With m clusters and n samples,
    ``E = (m + (n - m) * w) / n``, where ``w`` is the share of all pairs of samples that are of one class. The reason:
    each sample is of its own class, and each other sample of its cluster is of that class with probability w.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_recall_score`.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much each
        sample weighs together with itself. (In a compiled graph the result is NaN instead.) Floats that count samples
        are allowed.

    Notes
    -----
    It is the weighted mean of :func:`cluster_adjusted_wallace_scores` over the clusters. Cluster j, with b_j samples,
    has the weight b_j - 1. So a cluster counts by its samples, where scores of pairs count it by its pairs. If every
    cluster is a single sample, or if there is only one class, the formula is 0/0. Then the score is 1 for identical
    partitions, else 0.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.

    Examples
    --------
    >>> from gpuval import adjusted_bcubed_precision_score
    >>> float(adjusted_bcubed_precision_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_bcubed_precision_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0

    The worked example of Simovici's book, P = 53/90 and E = 41/88:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_precision_score(true, pred)), 14) == round(487 / 2115, 14)
    True
    """
    return adjusted_share_of_own_cluster(table)


@measure(
    OVERLAP, range=(-inf, 1.0), exchanged=("adjusted_bcubed_precision_score", {}), adjusted=True, needs_counts=True
)
def adjusted_bcubed_recall_score(table: Table) -> Array:
    """BCubed recall, corrected for chance.

    ``R`` is :func:`bcubed_recall_score` ([1]_, section 4), and ``E`` is its mean over all permutations of the labels.
    The score is ``(R - E) / (1 - E)``, the adjustment of [2]_, equation 4. With r classes and n samples,
    ``E = (r + (n - r) * w) / n``, where ``w`` is the share of all pairs of samples that are in one cluster.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_precision_score`.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much each
        sample weighs together with itself. (In a compiled graph the result is NaN instead.) Floats that count samples
        are allowed.

    Notes
    -----
    It is the weighted mean of :func:`class_adjusted_wallace_scores` over the classes. Class i, with a_i samples, has
    the weight a_i - 1. If every class is a single sample, or if there is only one cluster, the formula is 0/0. Then the
    score is 1 for identical partitions, else 0.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.

    Examples
    --------
    >>> from gpuval import adjusted_bcubed_recall_score
    >>> float(adjusted_bcubed_recall_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_bcubed_recall_score([0, 0, 0, 0], [0, 0, 1, 1]))
    0.0

    The worked example of Simovici's book:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_recall_score(true, pred)), 14) == round(619 / 2115, 14)
    True
    """
    return adjusted_share_of_own_class(table)


@measure(OVERLAP, range=(-inf, 1.0), needs_counts=True)
def adjusted_bcubed_f_score(table: Table) -> Array:
    """Harmonic mean of BCubed precision and BCubed recall, each corrected for chance.

    ``P`` is :func:`adjusted_bcubed_precision_score`, and ``R`` is :func:`adjusted_bcubed_recall_score`: each is
    BCubed's definition ([1]_, section 4), adjusted by its expected value ([2]_, equation 4). The score is
    ``2 * P * R / (P + R)``. If one of the two is above 0 and the other below, they have no harmonic mean, and the score
    is 0.

    Returns
    -------
    float
        At most 1, which is best. It is 0 if P or R has the value that is expected of a random partition. Symmetric.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much each
        sample weighs together with itself. (In a compiled graph the result is NaN instead.) Floats that count samples
        are allowed.

    References
    ----------
    .. [1] A. Bagga and B. Baldwin, "Entity-based cross-document coreferencing using the vector space model", ACL 1998.
    .. [2] L. Hubert and P. Arabie, "Comparing partitions", Journal of Classification 2, 1985.

    Examples
    --------
    >>> from gpuval import adjusted_bcubed_f_score
    >>> float(adjusted_bcubed_f_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(adjusted_bcubed_f_score([0, 0, 1, 1], [0, 0, 0, 0]))
    0.0

    The worked example of Simovici's book:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_f_score(true, pred)), 14) == round(301453 / 1169595, 14)
    True
    """
    precision, recall = adjusted_share_of_own_cluster(table), adjusted_share_of_own_class(table)
    product = precision * recall
    return table.xp.where(product < 0, 0.0, ratio(2.0 * product, precision + recall, table.xp))
