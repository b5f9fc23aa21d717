"""How far samples are from the centres of their clusters: the sum of squares, its mean by cluster, its logarithm."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.moments import Moments
from gpuval.metrics._common.documents import COMMON, IGNORED, LABELS, SIZE, WEIGHTS, documented
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.internal._moments import between_and_within, read_clusters_or_moments
from gpuval.metrics.internal._result import OnDegenerate, as_score, as_score_of_any, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["ball_hall_index", "hartigan_index", "inertia"]

_WEIGHTS = """\
    sample_weight
        Weights, shape (n_samples,), not negative: each square counts as often as its sample weighs.
"""
_PER_LABEL = """\
    return_per_label
        Whether to return the value of each label, too. The result prints as a table, and has ``to_pandas()``.
"""


@documented("", LABELS, _WEIGHTS, IGNORED, SIZE, _PER_LABEL)
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

    Returns
    -------
    score
        Of the library of X, and on its device; 0 of no samples. Its unit is that of X squared. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; of the library of
        X if they are numbers, else of NumPy) and ``label_scores``, W_k of each, both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    Any number of clusters has one: also a single cluster, and clusters of one sample. It is ``inertia_`` of
    scikit-learn's KMeans for labels and centres that belong together. Leaves the device: nothing with ``n_clusters``
    given; else the range of the labels, and one number for each check; with ``return_per_label`` the masses of the
    clusters.

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


@documented("", LABELS, WEIGHTS, IGNORED, SIZE, _PER_LABEL)
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

    Returns
    -------
    score
        Of the library of X, and on its device; 0 of no samples. Its unit is that of X squared. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have samples, sorted; of the library of
        X if they are numbers, else of NumPy) and ``label_scores``, W_k / n_k of each, both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    Any number of clusters has one: also a single cluster, and clusters of one sample. Leaves the device: nothing with
    ``n_clusters`` given; else the range of the labels, and one number for each check; with ``return_per_label`` the
    masses of the clusters.

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
    """A score as it goes out, with those of the clusters that have samples, if they are asked for."""
    whole = as_score_of_any(score, moments)
    if not return_per_label:
        return whole
    groups = groups_of(moments)
    each = moments.xp.take(of_each, moments.backend.from_host(groups.codes, moments.masses))
    return LabelValues(whole, groups.labels, as_score_of_any(each, moments))


@documented("", LABELS, WEIGHTS, COMMON)
def hartigan_index(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
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

    Returns
    -------
    score
        Of the library of X, and on its device; infinity if all samples lie on their centres, -infinity if the centres
        are one, and 0 if both is so. No unit.

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    It ranks clusterings into as many clusters as :func:`calinski_harabasz_score` does. Leaves the device: nothing with
    ``n_clusters`` given; else the range of the labels, and one number for each check.

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
    is_known = (between >= 0) & (within >= 0)  # on a device they may be no numbers
    return xp.where(is_usual, found, xp.where(is_known, extreme, between - within))
