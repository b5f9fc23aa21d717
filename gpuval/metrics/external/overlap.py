"""Measures of overlap: how much of each class lies in each cluster, many to one."""

from __future__ import annotations

from typing import Literal

from gpuval.inputs.options import check_not_negative, check_option, in_ratio
from gpuval.metrics._common.metric import metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.statistics.adjusted_overlaps import adjusted_share_of_own_class, adjusted_share_of_own_cluster
from gpuval.table.statistics.overlaps import (
    best_class,
    f_of_classes,
    f_of_clusters,
    mean_f_of_clusters,
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
    "cluster_f_score",
    "cluster_precision",
    "cluster_recall",
    "f_measure_score",
    "inverse_purity_score",
    "purity_score",
]


@metric
def purity_score(table: Table) -> Array:
    """Share of the samples that are of the largest class of their cluster.

    1/n sum_j max_i n_ij ([1]_, section 16.3).

    Returns
    -------
    float
        Above 0 to 1, which is best, and which single samples reach always. Not symmetric: with the arguments
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

    Simovici's example:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> float(purity_score(true, pred)) == 2 / 3
    True
    """
    return share_in_best_class(table)


@metric
def inverse_purity_score(table: Table) -> Array:
    """Share of the samples that are in the largest cluster of their class.

    1/n sum_i max_j n_ij ([1]_, section 3.1, not checked against the text).

    Returns
    -------
    float
        Above 0 to 1, which is best, and which one cluster reaches always. Not symmetric: with the arguments exchanged
        it is :func:`purity_score`.

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


@metric(values="clusters")
def cluster_precision(table: Table) -> Array:
    """Share of the samples of each cluster that are of its best class, the one it has most samples of.

    max_i n_ij / b_j ([1]_, not checked against the text).

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import cluster_precision
    >>> cluster_precision([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster   score
    a        1.0000
    b        1.0000
    >>> cluster_precision([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    Simovici's example, 2/4, 2/3 and 4/5:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_precision(true, pred)
    cluster   score
    1        0.5000
    2        0.6667
    3        0.8000
    """
    overlap, _, clusters = best_class(table)
    return ratio(overlap, clusters, table.xp)


@metric(values="clusters")
def cluster_recall(table: Table) -> Array:
    """Share of the best class of each cluster, the one it has most samples of, that the cluster holds.

    max_i n_ij / a_i of that i ([1]_, not checked against the text). Of classes that tie, the larger one.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import cluster_recall
    >>> cluster_recall([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster   score
    a        1.0000
    b        1.0000
    >>> cluster_recall([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    Simovici's example, 2/5, 2/5 and 4/4:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_recall(true, pred)
    cluster   score
    1        0.4000
    2        0.4000
    3        1.0000
    """
    overlap, classes, _ = best_class(table)
    return ratio(overlap, classes, table.xp)


@metric(values="clusters")
def cluster_f_score(table: Table) -> Array:
    """Harmonic mean of precision and recall of each cluster against its best class.

    2 n_ij / (a_i + b_j) of the i with the largest n_ij ([1]_, not checked against the text). Of classes that
    tie, the larger one.

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is above 0 to 1, which is best. Clusters without samples are left out; with ``n_clusters=`` they are kept
        and have 0. (On a device, leaving them out is a host step.)

    References
    ----------
    .. [1] D. A. Simovici, "Clustering: theoretical and practical aspects", 2021.

    Examples
    --------
    >>> from gpuval import cluster_f_score
    >>> cluster_f_score([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster   score
    a        1.0000
    b        1.0000
    >>> cluster_f_score([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0.5, 0.5])

    Simovici's example, 4/9, 1/2 and 8/9:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_f_score(true, pred)
    cluster   score
    1        0.4444
    2        0.5000
    3        0.8889
    """
    return f_of_clusters(table)


@metric
def f_measure_score(table: Table, *, average: Literal["macro", "weighted"] = "macro") -> Array:
    """Mean F-score of the clusters against their best classes, or of the classes against their best clusters.

    "macro": the mean over the clusters of 2 n_ij / (a_i + b_j), i the class that cluster j has most samples of ([1]_,
    not checked against the text). "weighted": sum_i a_i / n max_j 2 n_ij / (a_i + b_j), over the classes ([2]_,
    section 3.3, not checked against the text; the F is van Rijsbergen's).

    Parameters
    ----------
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

    Examples
    --------
    >>> from gpuval import f_measure_score
    >>> float(f_measure_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(f_measure_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5

    Simovici's example:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(f_measure_score(true, pred)), 15) == round(11 / 18, 15)
    True
    """
    check_option("average", average, ("macro", "weighted"))
    return mean_f_of_clusters(table) if average == "macro" else f_of_classes(table)


@metric
def bcubed_precision_score(table: Table) -> Array:
    """Share of each sample's cluster that is of the sample's class, averaged over the samples.

    1/n sum_ij n_ij^2 / b_j ([1]_, section 4, not checked against the text).

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


@metric
def bcubed_recall_score(table: Table) -> Array:
    """Share of each sample's class that is in the sample's cluster, averaged over the samples.

    1/n sum_ij n_ij^2 / a_i ([1]_, section 4, not checked against the text).

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


@metric
def bcubed_f_score(table: Table, *, beta: float = 1.0) -> Array:
    """Weighted harmonic mean of BCubed precision and recall.

    (1 + beta^2) P R / (beta^2 P + R) ([1]_, section 4.2, not checked against the text).

    Parameters
    ----------
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

    Examples
    --------
    >>> from gpuval import bcubed_f_score
    >>> float(bcubed_f_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(bcubed_f_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.5
    """
    of_precision, of_recall = (x * x for x in in_ratio(check_not_negative("beta", beta)))
    precision, recall = share_of_own_cluster(table), share_of_own_class(table)
    together = of_precision * precision + of_recall * recall
    return ratio((of_precision + of_recall) * precision * recall, together, table.xp)


@metric
def adjusted_bcubed_precision_score(table: Table) -> Array:
    """BCubed precision, corrected for chance.

    (P - E) / (1 - E), the adjustment of [2]_, equation 4, with P = 1/n sum_ij n_ij^2 / b_j ([1]_, section 4, not
    checked against the text) and E its mean over all permutations of the labels. Of m clusters and n samples,
    E = (m + (n - m) w) / n, where w is the share of all pairs that are of one class: each sample is of its own class,
    and each other one of its cluster is so with probability w.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_recall_score`.

    Raises
    ------
    ValueError
        Weights that are no integers, or memberships, of which a table does not tell what each sample with itself weighs
        (in a compiled graph: NaN). Floats that count samples are counts.

    Notes
    -----
    It is the mean over the clusters of what :func:`cluster_adjusted_wallace_scores` gives, each weighted by b_j - 1: a
    cluster counts by its samples, where scores of pairs count it by its pairs. Single samples alone, and one class, are
    0/0: 1 for identical partitions, else 0.

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

    Simovici's example, P = 53/90 and E = 41/88:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_precision_score(true, pred)), 14) == round(487 / 2115, 14)
    True
    """
    return adjusted_share_of_own_cluster(table)


@metric
def adjusted_bcubed_recall_score(table: Table) -> Array:
    """BCubed recall, corrected for chance.

    (R - E) / (1 - E), the adjustment of [2]_, equation 4, with R = 1/n sum_ij n_ij^2 / a_i ([1]_, section 4, not
    checked against the text) and E its mean over all permutations of the labels. Of r classes and n samples,
    E = (r + (n - r) w) / n, where w is the share of all pairs that are in one cluster.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected of a random partition. Not symmetric: with the arguments
        exchanged it is :func:`adjusted_bcubed_precision_score`.

    Raises
    ------
    ValueError
        Weights that are no integers, or memberships, of which a table does not tell what each sample with itself weighs
        (in a compiled graph: NaN). Floats that count samples are counts.

    Notes
    -----
    It is the mean over the classes of what :func:`class_adjusted_wallace_scores` gives, each weighted by a_i - 1.
    Single samples alone, and one cluster, are 0/0: 1 for identical partitions, else 0.

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

    Simovici's example:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_recall_score(true, pred)), 14) == round(619 / 2115, 14)
    True
    """
    return adjusted_share_of_own_class(table)


@metric
def adjusted_bcubed_f_score(table: Table) -> Array:
    """Harmonic mean of BCubed precision and recall, each corrected for chance.

    2 P R / (P + R), with P and R each (x - E) / (1 - E) of its expected value ([2]_, equation 4) over BCubed's
    definition ([1]_, section 4, not checked against the text); 0 where one of them is above 0 and the other below, as
    these have no harmonic mean.

    Returns
    -------
    float
        At most 1, which is best. 0 where P or R is what is expected of a random partition. Symmetric.

    Raises
    ------
    ValueError
        Weights that are no integers, or memberships, of which a table does not tell what each sample with itself weighs
        (in a compiled graph: NaN). Floats that count samples are counts.

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

    Simovici's example:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> round(float(adjusted_bcubed_f_score(true, pred)), 14) == round(301453 / 1169595, 14)
    True
    """
    precision, recall = adjusted_share_of_own_cluster(table), adjusted_share_of_own_class(table)
    product = precision * recall
    return table.xp.where(product < 0, 0.0, ratio(2.0 * product, precision + recall, table.xp))
