"""Measures with one value for each class or each cluster: which of them make a score of pairs low."""

from __future__ import annotations

from gpuval.metrics._common.metric import metric
from gpuval.numerics import Array
from gpuval.table.statistics.group_pairs import adjusted_by_class, adjusted_by_cluster
from gpuval.table.table import Table

__all__ = ["class_adjusted_wallace_scores", "cluster_adjusted_wallace_scores"]


@metric(values="classes")
def class_adjusted_wallace_scores(table: Table) -> Array:
    """How far each class is kept together by the clustering, corrected for chance.

    w_i = (W_i - E) / (1 - E), where W_i = sum_j C(n_ij, 2) / C(a_i, 2) is the share of the pairs of class i that are in
    one cluster, and E the share of all pairs that are ([1]_, not checked against the text).

    Returns
    -------
    ClassScores
        ``classes``, the labels in their order, and ``scores``, each of shape (n_classes,), with ``to_pandas()``. A
        score is at most 1, which is best; 0 is the value expected of a random partition, and NaN that of a class of one
        sample, which has no pairs. Classes without samples are left out; with ``n_classes=`` they are kept and have
        NaN. (On a device, leaving them out is a host step.) With the arguments exchanged the scores are those of
        :func:`cluster_adjusted_wallace_scores`.

    Raises
    ------
    ValueError
        Weights that are no integers, or memberships, of which a table does not tell what the pairs of each class weigh
        (in a compiled graph: NaN). Floats that count samples are counts.

    Notes
    -----
    The mean of the values, each weighted by the pairs of its class C(a_i, 2), is :func:`adjusted_wallace_score`; the
    harmonic mean of that and of the same with ``given="pred"`` is :func:`adjusted_rand_score`. So a class with many
    pairs and a low value is why these are low. Where one cluster holds all samples, 0/0: then it is 1 if one class
    does, too, else 0.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.

    Examples
    --------
    >>> from gpuval import class_adjusted_wallace_scores
    >>> class_adjusted_wallace_scores(["a", "a", "b", "b"], [1, 1, 0, 0])
    class   score
    a      1.0000
    b      1.0000
    >>> class_adjusted_wallace_scores([0, 0, 1, 1], [0, 0, 0, 0]).scores
    array([0., 0.])

    Simovici's example, 3/47, -29/235 and 1; the second class is spread over all clusters:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> class_adjusted_wallace_scores(true, pred)
    class    score
    1       0.0638
    2      -0.1234
    3       1.0000
    """
    return table.backend.copied(adjusted_by_class(table))


@metric(values="clusters")
def cluster_adjusted_wallace_scores(table: Table) -> Array:
    """How far each cluster is of one class, corrected for chance.

    w_j = (W_j - E) / (1 - E), where W_j = sum_i C(n_ij, 2) / C(b_j, 2) is the share of the pairs of cluster j that are
    of one class, and E the share of all pairs that are ([1]_, not checked against the text).

    Returns
    -------
    ClusterScores
        ``clusters``, the labels in their order, and ``scores``, each of shape (n_clusters,), with ``to_pandas()``. A
        score is at most 1, which is best; 0 is the value expected of a random partition, and NaN that of a cluster of
        one sample, which has no pairs. Clusters without samples are left out; with ``n_clusters=`` they are kept and
        have NaN. (On a device, leaving them out is a host step.) With the arguments exchanged the scores are those of
        :func:`class_adjusted_wallace_scores`.

    Raises
    ------
    ValueError
        Weights that are no integers, or memberships, of which a table does not tell what the pairs of each cluster
        weigh (in a compiled graph: NaN). Floats that count samples are counts.

    Notes
    -----
    The mean of the values, each weighted by the pairs of its cluster C(b_j, 2), is :func:`adjusted_wallace_score` with
    ``given="pred"``. Where one class holds all samples, 0/0: then it is 1 if one cluster does, too, else 0.

    References
    ----------
    .. [1] M. J. Warrens and H. van der Hoef, "Understanding the adjusted Rand index and other partition comparison
       indices based on counting object pairs", Journal of Classification 39, 2022.

    Examples
    --------
    >>> from gpuval import cluster_adjusted_wallace_scores
    >>> cluster_adjusted_wallace_scores([0, 0, 1, 1], ["b", "b", "a", "a"])
    cluster   score
    a        1.0000
    b        1.0000
    >>> cluster_adjusted_wallace_scores([0, 0, 0, 0], [0, 0, 1, 1]).scores
    array([0., 0.])

    Simovici's example, 3/47, 3/47 and 103/235:

    >>> true = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> pred = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> cluster_adjusted_wallace_scores(true, pred)
    cluster   score
    1        0.0638
    2        0.0638
    3        0.4383
    """
    return table.backend.copied(adjusted_by_cluster(table))
