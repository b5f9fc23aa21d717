"""Measures of centres and scatters, each in O(n_samples n_features): Calinski-Harabasz and Davies-Bouldin."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.blocks import read_clusters
from gpuval.geometry.moments import Apart, Moments
from gpuval.metrics._common.documents import COMMON, LABELS, WEIGHTS, documented
from gpuval.metrics.internal._moments import between_and_within, read_clusters_or_moments
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import ratio

__all__ = ["calinski_harabasz_score", "davies_bouldin_score"]

_CELLS = 1 << 20
"""Distances of clusters to all others that are there at once."""


@documented("", LABELS, WEIGHTS, COMMON)
def calinski_harabasz_score(
    X: Any,
    labels: Any = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Scatter of the centres over scatter of the samples around them, each by its degrees of freedom.

    (B / (k - 1)) / (W / (n - k)) for n samples in k clusters, with B = sum_k n_k |m_k - m|^2 of the means m_k and
    W = sum_i |x_i - m_{k(i)}|^2 ([1]_, page 10, not checked against the text: the variance ratio criterion).
    From 0 to infinity; higher is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy; or the ``moments`` of an
        :class:`InternalAccumulator` instead of samples and labels.

    Returns
    -------
    score
        Of the library of X, and on its device; 1 if all samples lie on their centres. No unit.

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    With real weights, n is the number of samples whose weight is not 0. Leaves the device: nothing with ``n_clusters``
    given; else the range of the labels, and one number for each check.

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


@documented("", LABELS, WEIGHTS, COMMON)
def davies_bouldin_score(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
) -> Any:
    """Mean over the clusters of their likeness to the cluster most like them.

    The likeness of two clusters is R_ij = (s_i + s_j) / |m_i - m_j|, of the mean distances s of their samples to their
    means m, and the score is the mean of max_j R_ij ([1]_, definitions 4 and 5, not checked against the
    text, with p = 2 and q = 1). From 0 to infinity; lower is better.

    Parameters
    ----------
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, of Dask (as are labels,
        then), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit.

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    Clusters whose means are equal, but for the rounding of their own samples, have no likeness, as in scikit-learn. On
    a device, NaN where means are so near each other beside the others that squares in one unit are not floats. Leaves
    the device: nothing with ``n_clusters`` given; else the range of the labels, and one number for each check.

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
        raise TypeError("X must be samples here, got moments: the mean distances to the centres are not among them")
    clusters = read_clusters(X, labels, in_any_unit=True, **building)
    if is_degenerate(clusters.clustered, on_degenerate):
        return no_score(clusters.clustered)
    moments, radii = clusters.moments_and_radii()
    return as_score(_davies_bouldin(moments, radii), moments)


def _davies_bouldin(moments: Moments, radii: Array) -> Array:
    backend, exists = moments.backend, moments.masses > 0
    if backend.on_host:  # clusters without samples need not be gone through
        moments, exists, radii = moments.present(), exists[exists], radii[exists]
    xp, k, apart_from = backend.xp, radii.shape[0], Apart(moments)
    numbers = backend.arange_beside(0, k, None, radii)
    total: Any = 0.0
    for rows in slices(k, max(1, _CELLS // max(1, k))):
        apart, are_one = apart_from.of(rows)
        likeness = radii[rows][:, None] + radii[None, :]
        is_pair = exists[rows][:, None] & exists[None, :] & (numbers[rows][:, None] != numbers[None, :])
        counts = is_pair & ~are_one  # so that what is no number stays none
        likeness = xp.where(counts, likeness, xp.zeros_like(likeness)) / xp.where(counts, apart, xp.ones_like(apart))
        total = total + xp.sum(xp.max(likeness, axis=1))
    return ratio(total, xp.astype(backend.count_true(exists), radii.dtype), xp)
