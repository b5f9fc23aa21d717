"""Measures of centres and scatters, in O(n_samples n_features): Calinski-Harabasz and Davies-Bouldin."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.blocks import read_clusters
from gpuval.geometry.moments import Apart, Moments
from gpuval.metrics._common.documents import COMMON, LABELS, SAMPLES_IN_BLOCKS, SAMPLES_OR_MOMENTS, WEIGHTS, documented
from gpuval.metrics.internal._moments import between_and_within, read_clusters_or_moments
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import ratio

__all__ = ["calinski_harabasz_score", "davies_bouldin_score"]

_CELLS = 1 << 20
"""How many distances between centres are in memory at once."""


@documented(SAMPLES_OR_MOMENTS, LABELS, WEIGHTS, COMMON)
def calinski_harabasz_score(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Calinski-Harabasz score: how far cluster centres are spread, relative to the spread of samples around them.

    Also known as the variance ratio criterion. It is fast, and a usual choice for comparing clusterings by k-means with
    different numbers of clusters.

    Let there be n samples in k clusters; m is the mean of all samples, and cluster c has n_c samples with the mean m_c.
    The scatter between clusters is ``B = sum_c n_c |m_c - m|^2``. The scatter within clusters, W, is the sum of the
    squared distances of all samples to the mean of their cluster. The score is ``(B / (k - 1)) / (W / (n - k))`` ([1]_,
    page 10, not checked against the text). It ranges from 0 to infinity; higher is better.

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
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    clusters = read_clusters_or_moments("calinski_harabasz_score", X, labels, in_any_unit=True, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    moments = clusters.moments()
    return as_score(_calinski_harabasz(moments), moments)


def _calinski_harabasz(moments: Moments) -> Array:
    xp, masses = moments.xp, moments.masses
    between, within = between_and_within(moments)
    k = xp.astype(moments.backend.count_true(masses > 0), masses.dtype)
    quotient = ratio(between, within, xp)
    score = ratio(quotient * quotient * (moments.n_counted - k), k - 1, xp)
    return xp.where(within == 0, xp.ones_like(score), score)


@documented(SAMPLES_IN_BLOCKS, LABELS, WEIGHTS, COMMON)
def davies_bouldin_score(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Davies-Bouldin score: how much each cluster overlaps, on average, with the cluster most similar to it.

    It is fast and, like k-means, assumes compact clusters around their centres.

    Let cluster i have the mean m_i, and let s_i be the mean distance of its samples to m_i. The similarity of two
    clusters is ``R_ij = (s_i + s_j) / |m_i - m_j|``: the sum of their radii, relative to the distance of their centres.
    The score is the mean over the clusters i of ``max_j R_ij`` ([1]_, definitions 4 and 5, not checked against the
    text, with p = 2 and q = 1). It ranges from 0 to infinity; lower is better.

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
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    if isinstance(X, Moments):
        raise TypeError("X must be samples, got moments: they do not hold the mean distances to the centres")
    clusters = read_clusters(X, labels, in_any_unit=True, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    moments, radii = clusters.moments_and_radii()
    return as_score(_davies_bouldin(moments, radii), moments)


def _davies_bouldin(moments: Moments, radii: Array) -> Array:
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # skips clusters without samples
        moments, exists, radii = moments.present(), exists[exists], radii[exists]
    xp, k, apart_from = backend.xp, radii.shape[0], Apart(moments)
    numbers = backend.arange_beside(0, k, None, radii)
    total: Any = 0.0
    for rows in slices(k, max(1, _CELLS // max(1, k))):
        apart, are_one = apart_from.of(rows)
        likeness = radii[rows][:, None] + radii[None, :]
        is_pair = exists[rows][:, None] & exists[None, :] & (numbers[rows][:, None] != numbers[None, :])
        counts = is_pair & ~are_one  # so that NaN stays NaN
        likeness = xp.where(counts, likeness, xp.zeros_like(likeness)) / xp.where(counts, apart, xp.ones_like(apart))
        total = total + xp.sum(xp.max(likeness, axis=1))
    return ratio(total, xp.astype(backend.count_true(exists), radii.dtype), xp)
