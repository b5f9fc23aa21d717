"""Separation of clusters, relative to their width, squared: the Xie-Beni (Ray-Turi) index and the PBM index."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.geometry.blocks import InMemory, read_clusters
from gpuval.geometry.moments import Moments, joined, squared
from gpuval.inputs.options import check_option
from gpuval.metrics._common.documents import COMMON, LABELS, SAMPLES_IN_BLOCKS, SAMPLES_OR_MOMENTS, WEIGHTS, documented
from gpuval.metrics.internal._moments import Clusters, centres_apart, read_clusters_or_moments
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root

__all__ = ["pbm_index", "xie_beni_index"]

Separation = Literal["centres", "samples"]


@documented(SAMPLES_OR_MOMENTS, LABELS, "", WEIGHTS, COMMON)
def xie_beni_index(
    X: Any,
    labels: Any = None,
    *,
    separation: Separation = "centres",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Xie-Beni index: how wide the clusters are, relative to the distance between the two closest clusters.

    Also known as Ray and Turi's validity index. Use it to choose a number of clusters for k-means or fuzzy c-means;
    here each sample belongs to one cluster, without fuzziness.

    Let there be n samples, let m_k be the mean of cluster k, and let W be the :func:`inertia`, the sum of the squared
    distances of the samples to the mean of their cluster. Let D be the smallest ``|m_k - m_l|^2`` over all pairs of
    different clusters k and l. The index is ``(W / n) / D`` ([1]_, not checked against the text, of clusters without
    fuzziness; the same is Ray and Turi's validity [2]_, not checked against the text). It ranges from 0 to infinity;
    lower is better.

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
    check_option("separation", separation, get_args(Separation))
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    if separation == "samples" and isinstance(X, Moments):
        raise TypeError(
            "X must be samples with separation='samples', got moments: they do not hold distances between samples"
        )
    clusters = read_clusters_or_moments("xie_beni_index", X, labels, in_any_unit=True, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    if separation == "samples" and isinstance(clusters, InMemory):
        clusters = clusters.in_unit_of_squares()
    moments = clusters.moments()
    return as_score(_xie_beni(moments, _least_apart(clusters, moments, separation)), moments)


def _least_apart(clusters: Clusters, moments: Moments, separation: Separation) -> Array:
    if separation == "centres":
        return centres_apart(moments).least
    if isinstance(clusters, InMemory):
        return clusters.least_apart()
    raise TypeError(
        "X must be in memory with separation='samples', got samples held by Dask; compute them, or take "
        "separation='centres'"
    )


def _xie_beni(moments: Moments, apart: Array) -> Array:
    xp = moments.xp
    width = ratio(joined(moments.spreads), root(xp.sum(moments.masses), xp), xp)
    share = ratio(width, apart, xp, float("inf"))
    return squared(share)


@documented(SAMPLES_IN_BLOCKS, LABELS, WEIGHTS, COMMON)
def pbm_index(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """PBM index: how much clustering brings samples near to a centre, times how far the centres are apart, squared.

    Named after its authors (Pakhira, Bandyopadhyay and Maulik). Use it to choose a number of clusters: it favours few,
    compact and well separated clusters.

    Let there be K clusters. E_1 is the sum of the distances (not squared) of all samples to the mean of all samples,
    and E_K that of their distances to the mean of their own cluster. D is the largest distance between the means of two
    clusters. The index is ``((1 / K) (E_1 / E_K) D)^2`` ([1]_, not checked against the text). It ranges from 0 to
    infinity; higher is better.

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
    if isinstance(X, Moments):
        raise TypeError("X must be samples, got moments: they do not hold the distances to the centres")
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    clusters = read_clusters(X, labels, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    moments, radii = clusters.moments_and_radii()
    return as_score(_pbm(moments, radii, clusters.distances_to_mean()), moments)


def _pbm(moments: Moments, radii: Array, of_one: Array) -> Array:
    backend, xp, masses = moments.backend, moments.xp, moments.masses
    k = xp.astype(backend.count_true(masses > 0), masses.dtype)
    of_clusters = xp.sum(masses * radii)
    largest = centres_apart(moments).largest
    are_apart = (of_one > 0) & (largest > 0)
    if_none = xp.where(are_apart, xp.full_like(of_one, float("inf")), xp.zeros_like(of_one))
    score = ratio(ratio(of_one, of_clusters, xp, if_none) * largest, k, xp)
    return squared(score)
