"""Measures with one value for each class or each cluster: they show which of these make a score of pairs low."""

from __future__ import annotations

from math import inf, nan

from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import table_measure
from gpuval.metrics.external.pair_counting import PAIRS
from gpuval.numerics import Array
from gpuval.table.adjusted_pairs import (
    adjusted_by_class,
    adjusted_by_cluster,
    lowest_share_of_pairs_together,
    share_of_pairs_together,
)
from gpuval.table.table import Table

__all__ = [
    "class_adjusted_wallace_scores",
    "cluster_adjusted_wallace_scores",
    "prediction_strength_score",
    "prediction_strength_scores",
]

PREDICTIONS = Family("clusters found again", table_measure, of_two=True, interval="jackknife")


@measure(
    PAIRS,
    range=(-inf, 1.0),
    exchanged=("cluster_adjusted_wallace_scores", {}),
    adjusted=True,
    values="classes",
    of_nothing=nan,
    needs_counts=True,
    host_steps_found=1,
)
def class_adjusted_wallace_scores(table: Table) -> Array:
    """Adjusted Wallace coefficient of each class: how far the clusters keep it together, corrected for chance.

    ``n_ij`` samples are in class i and in cluster j, class i has ``a_i`` samples, and ``C(x, 2)`` is the number of
    pairs of x samples. ``W_i = sum_j C(n_ij, 2) / C(a_i, 2)`` is the share of the pairs of class i that are in one
    cluster. ``E`` is the share of all pairs that are in one cluster. The score is ``w_i = (W_i - E) / (1 - E)`` ([1]_).
    Use it to see which classes the clustering splits.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels, and ``scores``, each of shape (n_classes,); ``to_pandas()`` gives a Series. A
        score is at most 1, which is best; 0 is the value expected of a random partition. It is NaN for a class of one
        sample, which has no pairs. Classes without samples are left out (on a device this is a host step: data are
        copied to the CPU); with ``n_classes=`` they are kept and have NaN. With the arguments exchanged the scores are
        those of :func:`cluster_adjusted_wallace_scores`.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much the
        pairs of each class weigh. (In a compiled graph the result is NaN instead.) Floats that count samples are
        allowed.

    Notes
    -----
    The mean of the values, where each class is weighted by the number of its pairs, is :func:`adjusted_wallace_score`.
    The harmonic mean of that and of the same with ``given="pred"`` is :func:`adjusted_rand_score`. So classes that have
    many pairs and a low value explain a low score. If one cluster has all samples, the formula is 0/0. Then the value
    is 1 if one class has all samples, too, else 0.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.

    Examples
    --------
    >>> from gpuval import class_adjusted_wallace_scores
    >>> class_adjusted_wallace_scores(["a", "a", "b", "b"], [1, 1, 0, 0])
    class  score
    a      1.000
    b      1.000
    >>> class_adjusted_wallace_scores([0, 0, 1, 1], [0, 0, 0, 0]).scores
    array([0., 0.])

    The worked example of Simovici's book, 3/47, -29/235 and 1; the second class is spread over all clusters:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> class_adjusted_wallace_scores(true, pred)
    class   score
    1       0.064
    2      -0.123
    3       1.000
    <BLANKLINE>
    3 classes: mean 0.313, sd 0.491; least -0.123 (2), most 1.000 (3)
    """
    return table.backend.copied(adjusted_by_class(table))


@measure(
    PAIRS,
    range=(-inf, 1.0),
    exchanged=("class_adjusted_wallace_scores", {}),
    adjusted=True,
    values="clusters",
    of_nothing=nan,
    needs_counts=True,
    host_steps_found=1,
)
def cluster_adjusted_wallace_scores(table: Table) -> Array:
    """Adjusted Wallace coefficient of each cluster: how far it is of one class, corrected for chance.

    ``n_ij`` samples are in class i and in cluster j, cluster j has ``b_j`` samples, and ``C(x, 2)`` is the number of
    pairs of x samples. ``W_j = sum_i C(n_ij, 2) / C(b_j, 2)`` is the share of the pairs of cluster j that are of one
    class. ``E`` is the share of all pairs that are of one class. The score is ``w_j = (W_j - E) / (1 - E)`` ([1]_). Use
    it to see which clusters mix classes.

    Returns
    -------
    ClusterScores
        ``clusters``, the sorted labels, and ``scores``, each of shape (n_clusters,); ``to_pandas()`` gives a Series. A
        score is at most 1, which is best; 0 is the value expected of a random partition. It is NaN for a cluster of one
        sample, which has no pairs. Clusters without samples are left out (on a device this is a host step: data are
        copied to the CPU); with ``n_clusters=`` they are kept and have NaN. With the arguments exchanged the scores are
        those of :func:`class_adjusted_wallace_scores`.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much the
        pairs of each cluster weigh. (In a compiled graph the result is NaN instead.) Floats that count samples are
        allowed.

    Notes
    -----
    The mean of the values, where each cluster is weighted by the number of its pairs, is :func:`adjusted_wallace_score`
    with ``given="pred"``. If one class has all samples, the formula is 0/0. Then the value is 1 if one cluster has all
    samples, too, else 0.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.

    Examples
    --------
    >>> from gpuval import cluster_adjusted_wallace_scores
    >>> cluster_adjusted_wallace_scores([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster  score
    a        1.000
    b        1.000
    >>> cluster_adjusted_wallace_scores([0, 0, 0, 0], [0, 0, 1, 1]).scores
    array([0., 0.])

    The worked example of Simovici's book, 3/47, 3/47 and 103/235:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_adjusted_wallace_scores(true, pred)
    cluster  score
    1        0.064
    2        0.064
    3        0.438
    <BLANKLINE>
    3 clusters: mean 0.189, sd 0.177; least 0.064 (1), most 0.438 (3)
    """
    return table.backend.copied(adjusted_by_cluster(table))


@measure(PREDICTIONS, exchanged=None, values="classes", of_nothing=nan, needs_counts=True, host_steps_found=1)
def prediction_strength_scores(table: Table) -> Array:
    """Prediction strength of each cluster: share of its pairs that a rule learnt on other samples keeps together.

    Samples are divided into two halves, and each half is clustered. ``labels_true`` are the clusters of one half, and
    ``labels_pred`` what a rule learnt from the clusters of the other half predicts for the same samples, for example
    the nearest centre. ``n_ij`` samples are in cluster i and are predicted to be in cluster j, and cluster i has
    ``a_i`` samples. The score is ``sum_j n_ij (n_ij - 1) / (a_i (a_i - 1))`` ([1]_, equation 2.1). Use it to see which
    clusters are not found again.

    Returns
    -------
    ClassScores
        ``classes``, the sorted labels of ``labels_true``, and ``scores``, each of shape (n_classes,); ``to_pandas()``
        gives a Series. A score is from 0 to 1, which is best. It is NaN for a cluster of one sample, which has no
        pairs. It does not fall if the rule merges clusters, and is not corrected for chance. Clusters without samples
        are left out (on a device this is a host step: data are copied to the CPU); with ``n_classes=`` they are kept
        and have NaN.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much the
        pairs of each cluster weigh. (In a compiled graph the result is NaN instead.) Floats that count samples are
        allowed.

    Notes
    -----
    Of any two labelings it is the share of the pairs of each class that are in one cluster, which is not corrected for
    chance; :func:`class_adjusted_wallace_scores` is.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster validation by prediction strength", Journal of Computational and
       Graphical Statistics 14, 2005.

    Examples
    --------
    >>> from gpuval import prediction_strength_scores
    >>> prediction_strength_scores(["a", "a", "b", "b"], [1, 1, 0, 0])
    class  score
    a      1.000
    b      1.000
    >>> prediction_strength_scores([0, 0, 1, 1], [0, 1, 0, 1]).scores
    array([0., 0.])

    Three clusters, 1/2, 1 and 1/3:

    >>> prediction_strength_scores([0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
    class  score
    0      0.500
    1      1.000
    2      0.333
    <BLANKLINE>
    3 classes: mean 0.611, sd 0.283; least 0.333 (2), most 1.000 (1)
    """
    return table.backend.copied(share_of_pairs_together(table))


@measure(PREDICTIONS, exchanged=None, one_sided=True, needs_counts=True, of_nothing=nan)
def prediction_strength_score(table: Table) -> Array:
    """Prediction strength: the lowest score of a cluster that :func:`prediction_strength_scores` gives.

    ``labels_true`` are the clusters of one half of the samples, and ``labels_pred`` what a rule learnt from the
    clusters of the other half predicts for the same samples. The score is the minimum over the clusters i with two
    samples or more of ``sum_j n_ij (n_ij - 1) / (a_i (a_i - 1))``, where ``n_ij`` samples are in cluster i and are
    predicted to be in cluster j, and cluster i has ``a_i`` samples ([1]_, equation 2.1). To compare numbers of
    clusters, average it over both halves and over several divisions.

    Returns
    -------
    float
        From 0 to 1, which is best. NaN if no cluster has two samples. Not symmetric. A single predicted cluster always
        has 1, and the score is not corrected for chance.

    Raises
    ------
    ValueError
        The weights are not integers, or the table is built from memberships. Such a table does not tell how much the
        pairs of each cluster weigh. (In a compiled graph the result is NaN instead.) Floats that count samples are
        allowed.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster validation by prediction strength", Journal of Computational and
       Graphical Statistics 14, 2005.

    Examples
    --------
    >>> from gpuval import prediction_strength_score
    >>> float(prediction_strength_score([0, 0, 1, 1], [1, 1, 0, 0]))
    1.0
    >>> float(prediction_strength_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    >>> float(prediction_strength_score([0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2])) == 1 / 3
    True
    """
    return lowest_share_of_pairs_together(table)
