"""Measures with one value for each class or each cluster: they show which of these make a score of pairs low."""

from __future__ import annotations

from math import inf, nan

from gpuval.measures.measure import measure
from gpuval.metrics.external.pair_counting import PAIRS
from gpuval.numerics import Array
from gpuval.table.pairs import adjusted_by_class, adjusted_by_cluster
from gpuval.table.table import Table

__all__ = ["class_adjusted_wallace_scores", "cluster_adjusted_wallace_scores"]


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
