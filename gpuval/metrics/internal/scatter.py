"""Scatter of samples around their centres: its sum, its mean over clusters, and its ratio to that of the centres."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.moments import Moments
from gpuval.metrics._common.documents import COMMON, IGNORED, LABELS, SAMPLES_OR_MOMENTS, SIZE, WEIGHTS, documented
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.internal._moments import between_and_within, read_clusters_or_moments
from gpuval.metrics.internal._result import OnDegenerate, as_score, as_score_of_any, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["ball_hall_index", "hartigan_index", "inertia"]

_WEIGHTS = """\
    sample_weight
        Weights, shape (n_samples,), not negative. Each squared distance is multiplied by the weight of its sample.
"""
_PER_LABEL = """\
    return_per_label
        Whether to return the value of each cluster, too. The result prints as a table, and has ``to_pandas()``.
"""


@documented(SAMPLES_OR_MOMENTS, LABELS, _WEIGHTS, IGNORED, SIZE, _PER_LABEL)
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
    The inertia is ``W = sum_k W_k`` ([1]_, section 1, not checked against the text). It ranges from 0 to infinity;
    lower is better.

    Returns
    -------
    score
        A number in the array library of X, on its device; 0 if there are no samples. Its unit is that of X squared.
        With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted; in
        the library of X if they are numbers, else in NumPy) and ``label_scores`` (W_k of each cluster), both of shape
        (n_labels,).

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    It is defined for any number of clusters, also for a single cluster, and for clusters of one sample. It equals
    ``inertia_`` of scikit-learn's KMeans if the labels and the centres there belong together.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied. With ``return_per_label`` the total weights of the clusters are,
    too.

    References
    ----------
    .. [1] J. MacQueen, "Some methods for classification and analysis of multivariate observations", Berkeley Symposium
       on Mathematical Statistics and Probability, 1967.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.inertia([[0, 0], [0, 0], [6, 0], [6, 0]], [0, 0, 1, 1]))
    0.0
    >>> float(gpuval.inertia([[0, 0], [2, 2], [6, 0], [8, 2]], [0, 0, 1, 1]))
    8.0

    The elbow begins with a single cluster, and each cluster has its share:

    >>> round(float(gpuval.inertia([[0, 0], [2, 2], [6, 0], [8, 2]], [0, 0, 0, 0])), 12)
    44.0
    >>> found = gpuval.inertia([[0, 0], [2, 2], [6, 0]], ["a", "a", "b"], return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    {'a': 4.0, 'b': 0.0}
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    moments = read_clusters_or_moments("inertia", X, labels, in_any_unit=False, **building).moments()
    scatters = moments.scatters
    return _with_labels(moments.xp.sum(scatters), scatters, moments, return_per_label)


@documented(SAMPLES_OR_MOMENTS, LABELS, WEIGHTS, IGNORED, SIZE, _PER_LABEL)
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
    samples to their mean, as in :func:`inertia`. The index is ``(1 / K) sum_k W_k / n_k`` ([1]_, not checked against
    the text; as in the R package clusterCrit). It ranges from 0 to infinity; lower is better.

    Returns
    -------
    score
        A number in the array library of X, on its device; 0 if there are no samples. Its unit is that of X squared.
        With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted; in
        the library of X if they are numbers, else in NumPy) and ``label_scores`` (W_k / n_k of each cluster), both of
        shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    It is defined for any number of clusters, also for a single cluster, and for clusters of one sample.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied. With ``return_per_label`` the total weights of the clusters are,
    too.

    References
    ----------
    .. [1] G. H. Ball and D. J. Hall, "ISODATA, a novel method of data analysis and pattern classification", Stanford
       Research Institute, 1965.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.ball_hall_index([[0, 0], [0, 0], [6, 0], [6, 0]], [0, 0, 1, 1]))
    0.0
    >>> float(gpuval.ball_hall_index([[0, 0], [2, 2], [6, 0], [10, 4]], [0, 0, 1, 1]))
    5.0
    >>> found = gpuval.ball_hall_index([[0, 0], [2, 2], [6, 0], [10, 4]], [0, 0, 1, 1], return_per_label=True)
    >>> found.label_scores
    array([2., 8.])
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    moments = read_clusters_or_moments("ball_hall_index", X, labels, in_any_unit=False, **building).moments()
    backend, masses = moments.backend, moments.masses
    of_each = ratio(moments.scatters, masses, moments.xp)
    number = moments.xp.astype(backend.count_true(masses > 0), masses.dtype)
    return _with_labels(ratio(moments.xp.sum(of_each), number, moments.xp), of_each, moments, return_per_label)


def _with_labels(score: Array, of_each: Array, moments: Moments, return_per_label: bool) -> Any:
    """The score as it is returned, with those of the clusters that have samples if they were asked for."""
    whole = as_score_of_any(score, moments)
    if not return_per_label:
        return whole
    groups = groups_of(moments)
    each = moments.xp.take(of_each, moments.backend.from_host(groups.codes, moments.masses))
    return LabelValues(whole, groups.labels, as_score_of_any(each, moments))


@documented(SAMPLES_OR_MOMENTS, LABELS, WEIGHTS, COMMON)
def hartigan_index(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Hartigan index: the logarithm of the scatter of the centres over the scatter of the samples around them.

    For clusterings with equal numbers of clusters, it gives the same ranking as :func:`calinski_harabasz_score`. It is
    not Hartigan's rule, which compares the inertia of two numbers of clusters.

    Let m be the mean of all samples, and let cluster k have n_k samples with the mean m_k. The scatter between clusters
    is ``B = sum_k n_k |m_k - m|^2``, and W is the :func:`inertia`, the scatter within clusters. The index is
    ``ln(B / W)`` ([1]_, not checked against the text; the R package clusterCrit has it as Log_SS_Ratio). It ranges from
    -infinity to infinity; higher is better.

    Returns
    -------
    score
        A number in the array library of X, on its device, in nats (the natural logarithm of a ratio without a unit). It
        is infinity if all samples lie on their centres, -infinity if all centres are equal, and 0 if both are so.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied.

    References
    ----------
    .. [1] J. A. Hartigan, "Clustering algorithms", 1975.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.hartigan_index([[0, 0], [0, 0], [6, 0], [6, 0]], [0, 0, 1, 1]))
    inf
    >>> float(gpuval.hartigan_index([[0, 0], [0, 2], [2, 0], [2, 2]], [0, 0, 1, 1]))
    0.0
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    clusters = read_clusters_or_moments("hartigan_index", X, labels, in_any_unit=True, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    moments = clusters.moments()
    return as_score(_hartigan(moments), moments)


def _hartigan(moments: Moments) -> Array:
    xp = moments.xp
    between, within = between_and_within(moments)
    is_usual = (between > 0) & (within > 0)
    one = xp.ones_like(within)
    found = 2 * xp.log(xp.where(is_usual, between, one) / xp.where(is_usual, within, one))
    infinite = xp.full_like(found, float("inf"))
    extreme = xp.where(between > 0, infinite, xp.where(within > 0, -infinite, xp.zeros_like(found)))
    is_known = (between >= 0) & (within >= 0)  # on a device they may be NaN
    return xp.where(is_usual, found, xp.where(is_known, extreme, between - within))
