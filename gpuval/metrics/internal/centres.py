"""Measures of centres and scatters, in O(n_samples n_features): how wide clusters are, and how far apart."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, Literal, NamedTuple, get_args

from gpuval.geometry.blocks import InBlocks, InMemory
from gpuval.geometry.moments import CentreDistances, Moments, combine_lengths, lengths_of, square_lengths
from gpuval.inputs.options import check_option
from gpuval.measures.measure import measure
from gpuval.metrics.internal._measure import INTERNAL, Clusters
from gpuval.numerics import Array
from gpuval.numerics.parallel import slices
from gpuval.numerics.stable import ratio, root

__all__ = [
    "ball_hall_index",
    "calinski_harabasz_score",
    "davies_bouldin_score",
    "hartigan_index",
    "inertia",
    "pbm_index",
    "xie_beni_index",
]

_CELLS = 1 << 20
"""How many distances between centres are in memory at once."""


@measure(INTERNAL, short=("ch",), title="Calinski-Harabasz", usual=2, range=(0.0, inf), reads="moments", head="CH")
def calinski_harabasz_score(moments: Moments) -> Array:
    """Calinski-Harabasz score: how far cluster centres are spread, relative to the spread of samples around them.

    Also known as the variance ratio criterion. It is fast, and a usual choice for comparing clusterings by k-means with
    different numbers of clusters.

    Let there be n samples in k clusters; m is the mean of all samples, and cluster c has n_c samples with the mean m_c.
    The scatter between clusters is ``B = sum_c n_c |m_c - m|^2``. The scatter within clusters, W, is the sum of the
    squared distances of all samples to the mean of their cluster. The score is ``(B / (k - 1)) / (W / (n - k))`` ([1]_,
    page 10). It ranges from 0 to infinity; higher is better.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 1 if all samples lie on their centres.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    With real weights, n is the number of samples whose weight is not 0.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied.

    References
    ----------
    .. [1] T. Caliński and J. Harabasz, "A dendrite method for cluster analysis", Communications in Statistics 3, 1974.

    Examples
    --------
    >>> import gpuval
    >>> round(float(gpuval.calinski_harabasz_score([[0, 0], [0, 2], [6, 0], [6, 2]], [0, 0, 1, 1])), 12)
    18.0
    >>> float(gpuval.calinski_harabasz_score([[0, 0], [0, 2], [0, 0], [0, 2]], [0, 0, 1, 1]))
    0.0
    """
    xp, masses = moments.xp, moments.masses
    between, within = _scatter_lengths(moments)
    k = xp.astype(moments.backend.count_true(masses > 0), masses.dtype)
    quotient = ratio(between, within, xp)
    score = ratio(quotient * quotient * (moments.n_counted - k), k - 1, xp)
    return xp.where(within == 0, xp.ones_like(score), score)


@measure(
    INTERNAL,
    short=("db",),
    title="Davies-Bouldin",
    usual=3,
    better="lower",
    range=(0.0, inf),
    reads="clusters",
    beyond_moments="the mean distances to the centres",
    head="DB",
)
def davies_bouldin_score(clusters: InMemory | InBlocks) -> Array:
    """Davies-Bouldin score: how much each cluster overlaps, on average, with the cluster most similar to it.

    It is fast and, like k-means, assumes compact clusters around their centres.

    Let cluster i have the mean m_i, and let s_i be the mean distance of its samples to m_i. The similarity of two
    clusters is ``R_ij = (s_i + s_j) / |m_i - m_j|``: the sum of their radii, relative to the distance of their centres.
    The score is the mean over the clusters i of ``max_j R_ij`` ([1]_, definitions 4 and 5, with p = 2 and q = 1). It
    ranges from 0 to infinity; lower is better.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    Two clusters whose means are equal, up to the rounding of their own samples, have similarity 0, as in scikit-learn.
    On a device, the score is NaN if two means are so close, compared with the others, that their squared distance is
    not representable in the same unit.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied.

    References
    ----------
    .. [1] D. L. Davies and D. W. Bouldin, "A cluster separation measure", IEEE Transactions on Pattern Analysis and
       Machine Intelligence PAMI-1, 1979.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.davies_bouldin_score([[0, 0], [0, 0], [9, 0], [9, 0]], [0, 0, 1, 1]))
    0.0
    >>> float(gpuval.davies_bouldin_score([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1]))
    0.5
    """
    moments, radii = clusters.moments_and_radii()
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # skips clusters without samples
        moments, exists, radii = moments.present(), exists[exists], radii[exists]
    xp = backend.xp
    total: Any = 0.0
    for rows, apart, are_one, is_pair in _distances_of_centres(moments, exists):
        likeness = radii[rows][:, None] + radii[None, :]
        counts = is_pair & ~are_one  # so that NaN stays NaN
        likeness = xp.where(counts, likeness, xp.zeros_like(likeness)) / xp.where(counts, apart, xp.ones_like(apart))
        total = total + xp.sum(xp.max(likeness, axis=1))
    return ratio(total, xp.astype(backend.count_true(exists), radii.dtype), xp)


# Scatter of samples around their centres: its sum, its mean over clusters, and its ratio to that of the centres.


@measure(
    INTERNAL, short=("wcss",), better="lower", range=(0.0, inf), reads="moments", has_unit=True, of_each_label=True
)
def inertia(moments: Moments) -> tuple[Array, Array]:
    """Inertia: the sum of the squared distances of the samples to the mean of their cluster.

    Also known as the within-cluster sum of squares; k-means minimizes it. It falls with every cluster that is split, so
    use it to compare clusterings with equal numbers of clusters, or look for the elbow in its curve.

    Let m_k be the mean of the samples of cluster k, and W_k the sum of the squared distances of these samples to m_k.
    The inertia is ``W = sum_k W_k`` ([1]_, section 1). It ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    sample_weight
        Weights, shape (n_samples,), not negative. Each squared distance is multiplied by the weight of its sample.

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
    return moments.xp.sum(moments.scatters), moments.scatters


@measure(INTERNAL, better="lower", range=(0.0, inf), reads="moments", has_unit=True, of_each_label=True)
def ball_hall_index(moments: Moments) -> tuple[Array, Array]:
    """Ball-Hall index: the mean squared distance of samples to the mean of their cluster, averaged over the clusters.

    Use it instead of :func:`inertia` when all clusters are to count equally, however many samples they have.

    Let there be K clusters, the cluster k with n_k samples, and let W_k be the sum of the squared distances of these
    samples to their mean, as in :func:`inertia`. The index is ``(1 / K) sum_k W_k / n_k`` ([1]_; as in the R package
    clusterCrit). It ranges from 0 to infinity; lower is better.

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
    xp, masses = moments.xp, moments.masses
    of_each = ratio(moments.scatters, masses, xp)
    return ratio(xp.sum(of_each), xp.astype(moments.backend.count_true(masses > 0), masses.dtype), xp), of_each


@measure(INTERNAL, range=(-inf, inf), reads="moments")
def hartigan_index(moments: Moments) -> Array:
    """Hartigan index: the logarithm of the scatter of the centres over the scatter of the samples around them.

    For clusterings with equal numbers of clusters, it gives the same ranking as :func:`calinski_harabasz_score`. It is
    not Hartigan's rule, which compares the inertia of two numbers of clusters.

    Let m be the mean of all samples, and let cluster k have n_k samples with the mean m_k. The scatter between clusters
    is ``B = sum_k n_k |m_k - m|^2``, and W is the :func:`inertia`, the scatter within clusters. The index is
    ``ln(B / W)`` ([1]_; the R package clusterCrit has it as Log_SS_Ratio). It ranges from -infinity to infinity; higher
    is better.

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
    xp = moments.xp
    between, within = _scatter_lengths(moments)
    is_usual = (between > 0) & (within > 0)
    one = xp.ones_like(within)
    found = 2 * xp.log(xp.where(is_usual, between, one) / xp.where(is_usual, within, one))
    infinite = xp.full_like(found, float("inf"))
    extreme = xp.where(between > 0, infinite, xp.where(within > 0, -infinite, xp.zeros_like(found)))
    is_known = (between >= 0) & (within >= 0)  # on a device they may be NaN
    return xp.where(is_usual, found, xp.where(is_known, extreme, between - within))


# Separation of clusters, relative to their width, squared: the Xie-Beni (Ray-Turi) index and the PBM index.

Separation = Literal["centres", "samples"]


def _check_separation(X: Any, *, separation: Separation, **_: Any) -> None:
    check_option("separation", separation, get_args(Separation))
    if separation == "samples" and isinstance(X, Moments):
        raise TypeError(
            "X must be samples with separation='samples', got moments: they do not hold distances between samples"
        )


@measure(
    INTERNAL,
    better="lower",
    range=(0.0, inf),
    tried={"separation": ("samples",)},
    reads="clusters",
    check=_check_separation,
)
def xie_beni_index(clusters: Clusters, *, separation: Separation = "centres") -> Array:
    """Xie-Beni index: how wide the clusters are, relative to the distance between the two closest clusters.

    Also known as Ray and Turi's validity index. Use it to choose a number of clusters for k-means or fuzzy c-means;
    here each sample belongs to one cluster, without fuzziness.

    Let there be n samples, let m_k be the mean of cluster k, and let W be the :func:`inertia`, the sum of the squared
    distances of the samples to the mean of their cluster. Let D be the smallest ``|m_k - m_l|^2`` over all pairs of
    different clusters k and l. The index is ``(W / n) / D`` ([1]_, of clusters without fuzziness; the same is Ray and
    Turi's validity [2]_). It ranges from 0 to infinity; lower is better.

    Parameters
    ----------
    separation
        How the squared distance D between two clusters is measured. "centres": between their means, as in the sources.
        "samples": the smallest squared distance between samples of two clusters, as in the R package clusterCrit [3]_.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is infinity if two centres are equal up to
        rounding or, with "samples", if two samples of different clusters are equal.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    With weights, n is their sum. ``separation="samples"`` needs samples in memory, not moments or Dask arrays, and
    takes as long as :func:`dunn_index`.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied.

    References
    ----------
    .. [1] X. L. Xie and G. Beni, "A validity measure for fuzzy clustering", IEEE Transactions on Pattern Analysis and
       Machine Intelligence 13, 1991.
    .. [2] S. Ray and R. H. Turi, "Determination of number of clusters in K-means clustering and application in colour
       image segmentation", International Conference on Advances in Pattern Recognition and Digital Techniques, 1999.
    .. [3] B. Desgraupes, "Clustering indices", vignette of the R package clusterCrit, 2013.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0, 0], [0, 2], [4, 0], [4, 2]]
    >>> float(gpuval.xie_beni_index(X, [0, 0, 1, 1]))
    0.0625
    >>> float(gpuval.xie_beni_index([[0], [2], [6], [8]], [0, 0, 1, 1], separation="samples"))
    0.0625
    >>> float(gpuval.xie_beni_index([[0, 0], [0, 0], [9, 0], [9, 0]], [0, 0, 1, 1]))
    0.0
    >>> float(gpuval.xie_beni_index([[0, 0], [0, 2], [0, 0], [0, 2]], [0, 0, 1, 1]))
    inf
    """
    if separation == "samples" and isinstance(clusters, InMemory):
        clusters = clusters.with_unit_for_squares()
    moments = clusters.moments()
    xp, apart = moments.xp, _least_apart(clusters, moments, separation)
    width = ratio(combine_lengths(moments.spreads), root(xp.sum(moments.masses), xp), xp)
    return square_lengths(ratio(width, apart, xp, float("inf")))


def _least_apart(clusters: Clusters, moments: Moments, separation: Separation) -> Array:
    if separation == "centres":
        return _centre_distances(moments).least
    if isinstance(clusters, InMemory):
        return clusters.least_apart()
    raise TypeError(
        "X must be in memory with separation='samples', got samples held by Dask; compute them, or take "
        "separation='centres'"
    )


@measure(INTERNAL, range=(0.0, inf), reads="clusters", beyond_moments="the distances to the centres", has_unit=True)
def pbm_index(clusters: InMemory | InBlocks) -> Array:
    """PBM index: how much clustering brings samples near to a centre, times how far the centres are apart, squared.

    Named after its authors (Pakhira, Bandyopadhyay and Maulik). Use it to choose a number of clusters: it favours few,
    compact and well separated clusters.

    Let there be K clusters. E_1 is the sum of the distances (not squared) of all samples to the mean of all samples,
    and E_K that of their distances to the mean of their own cluster. D is the largest distance between the means of two
    clusters. The index is ``((1 / K) (E_1 / E_K) D)^2`` ([1]_). It ranges from 0 to infinity; higher is better.

    Returns
    -------
    score
        A number in the array library of X, on its device. Its unit is that of X squared. It is infinity if all samples
        lie on their centres, and 0 if these centres are also all equal.

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
    .. [1] M. K. Pakhira, S. Bandyopadhyay and U. Maulik, "Validity index for crisp and fuzzy clusters", Pattern
       Recognition 37, 2004.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.pbm_index([[0, 0], [0, 0], [6, 0], [6, 0]], [0, 0, 1, 1]))
    inf
    >>> float(gpuval.pbm_index([[0], [2], [6], [8]], [0, 0, 1, 1]))
    81.0
    >>> float(gpuval.pbm_index([[0, 0], [0, 2], [0, 0], [0, 2]], [0, 0, 1, 1]))
    0.0
    """
    moments, radii = clusters.moments_and_radii()
    of_one = clusters.distances_to_mean()
    backend, xp, masses = moments.backend, moments.xp, moments.masses
    k = xp.astype(backend.count_true(masses > 0), masses.dtype)
    of_clusters = xp.sum(masses * radii)
    largest = _centre_distances(moments).largest
    are_apart = (of_one > 0) & (largest > 0)
    if_none = xp.where(are_apart, xp.full_like(of_one, float("inf")), xp.zeros_like(of_one))
    score = ratio(ratio(of_one, of_clusters, xp, if_none) * largest, k, xp)
    return square_lengths(score)


# Lengths of scatters, and distances between centres.


class _Lengths(NamedTuple):
    """Square roots of sums of squares: the sums themselves might overflow or underflow, their roots do not."""

    between: Array
    """Of the distances of the centres to the mean of all samples; each centre counts once for each of its samples."""
    within: Array
    """Of the distances of the samples to the centres of their clusters."""


def _scatter_lengths(moments: Moments) -> _Lengths:
    """The square root of the scatter of the centres, and that of the scatter of the samples around the centres."""
    between = combine_lengths(root(moments.masses, moments.xp) * lengths_of(moments.about_mean))
    return _Lengths(between, combine_lengths(moments.spreads))


class _CentreDistances(NamedTuple):
    """The smallest and the largest distance between the centres of two clusters that have samples."""

    least: Array
    largest: Array


def _centre_distances(moments: Moments) -> _CentreDistances:
    """Find the smallest and the largest distance between two centres; 0 if two centres are equal up to rounding."""
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # skips clusters without samples
        moments, exists = moments.present(), exists[exists]
    xp = backend.xp
    largest = backend.zeros_beside((), moments.masses.dtype, moments.masses)
    least = largest + float("inf")
    for _, apart, are_one, is_pair in _distances_of_centres(moments, exists):
        apart = xp.where(are_one, xp.zeros_like(apart), apart)
        least = xp.minimum(least, xp.min(xp.where(is_pair, apart, xp.full_like(apart, float("inf")))))
        is_far = is_pair & ~xp.isnan(apart)  # a distance that may be rounding alone is not the largest
        largest = xp.maximum(largest, xp.max(xp.where(is_far, apart, xp.zeros_like(apart))))
    return _CentreDistances(least, largest)


def _distances_of_centres(moments: Moments, exists: Array) -> Iterator[tuple[slice, Array, Array, Array]]:
    """Some rows at a time: these, the distances, which of them are 0 up to rounding, and which are of two clusters."""
    k, apart_from = exists.shape[0], CentreDistances(moments)
    numbers = moments.backend.arange_beside(0, k, None, moments.masses)
    for rows in slices(k, max(1, _CELLS // max(1, k))):
        is_pair = exists[rows][:, None] & exists[None, :] & (numbers[rows][:, None] != numbers[None, :])
        yield rows, *apart_from.of(rows), is_pair
