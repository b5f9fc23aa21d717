"""How much nearer samples are to their own cluster than to the next: silhouettes."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gpuval import _namespace as ns
from gpuval._metric import check_option
from gpuval._namespace import Array
from gpuval._numerics import ratio
from gpuval.internal._documents import COMMON, PROGRESS, SAMPLES, WEIGHTS, documented
from gpuval.internal._means import CLOSED, Between, mean_distances
from gpuval.internal._points import OnDegenerate, Points, check_degenerate, finished, read_points
from gpuval.internal._precomputed import read_precomputed
from gpuval.internal._progress import Progress
from gpuval.internal._sample import Estimate, drawn, estimated

__all__ = ["silhouette_samples", "silhouette_score"]

Metric = Literal["euclidean", "sqeuclidean", "cosine", "cityblock", "precomputed"]
METRICS = ("euclidean", "cityblock", *CLOSED, "precomputed")


@documented(SAMPLES, "", WEIGHTS, COMMON, PROGRESS)
def silhouette_samples(
    X: Any,
    labels: Any,
    *,
    metric: Metric = "euclidean",
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other one.

    s = (b - a) / max(a, b) [1]_ (page 56), with a the mean distance to the other samples of its cluster, and b the
    smallest mean distance to the samples of another cluster. From -1 to 1; higher is better. 0 for the only sample of a
    cluster, and where a = b = 0.

    Parameters
    ----------
    metric
        The distance of two samples: "euclidean", "sqeuclidean" (its square), "cosine" (1 less the cosine; 1 from a
        sample of zeros to any other), "cityblock", or "precomputed": X then has all distances, shape (n_samples,
        n_samples), as an array (which may be mapped from a file), as a sparse matrix, or as a function that gives the
        rows from ``start`` to ``stop`` when it is called as ``X(start, stop)``.

    Returns
    -------
    silhouettes
        Shape (n_samples,), of the library of X, and on its device; NaN for samples that do not count. No unit.

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    Distances are there a tile at a time: memory is that of the samples, however many there are. Time is proportional to
    n_samples^2 n_features; for "sqeuclidean" and "cosine" to n_samples n_features n_clusters, as there the mean over a
    cluster follows from its centre. With integer weights a is over the other copies of the sample, too; with real ones
    it is without its own weight. Leaves the device: nothing with ``n_clusters`` given; else the labels' range, the
    sizes of the clusters, and one number for each check.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.silhouette_samples([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1])
    array([1., 1., 1., 1.])
    >>> gpuval.silhouette_samples([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1])
    array([-0.5, -0.5, -0.5, -0.5])
    """
    points = _read(X, labels, metric, sample_weight, ignore_labels, n_clusters)
    check_degenerate(points, on_degenerate)
    values = _silhouettes(points, metric, "nearest", None, progress)
    xp = points.xp
    values = xp.where(points.codes < points.n_clusters, values, xp.full_like(values, float("nan")))
    return finished(values, points)


@documented(SAMPLES, "", WEIGHTS, COMMON, PROGRESS)
def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Metric = "euclidean",
    sample_size: int | None = None,
    stratified: bool = False,
    random_state: Any = None,
    return_standard_error: bool = False,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Mean silhouette of the samples: how much nearer they are to their own clusters than to the nearest other ones.

    The mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives [1]_. From -1 to 1; higher is
    better.

    Parameters
    ----------
    metric
        The distance of two samples; see :func:`silhouette_samples`.
    sample_size
        How many samples to find the silhouettes of, drawn without replacement: the time is that share of the whole.
        Their distances are to all samples, so that the score is an estimate without bias of that of all. (scikit-learn
        clusters what is drawn by itself, in which small clusters are smaller still.)
    stratified
        Whether each cluster is drawn from in proportion to its size, and at least twice.
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    return_standard_error
        Whether to return the standard error, too: 0 for all samples.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``.

    Raises
    ------
    TypeError, ValueError
        For samples, labels, weights or options that are not as above, with the argument named.

    Notes
    -----
    Time, memory, weights and what leaves the device: see :func:`silhouette_samples`; with ``sample_size``, the labels.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987, page 59.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.silhouette_score([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1]))
    1.0
    >>> float(gpuval.silhouette_score([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1]))
    -0.5
    """
    points = _read(X, labels, metric, sample_weight, ignore_labels, n_clusters)
    check_degenerate(points, on_degenerate)
    if sample_size is not None:
        sample = drawn(points, sample_size, random_state, stratified)
        values = _silhouettes(points, metric, "nearest", sample.rows, progress)
        weights = points.real_weights
        chosen = ns.from_host(sample.rows, points.codes)
        found = estimated(values, None if weights is None else points.xp.take(weights, chosen), sample)
    else:
        values = _silhouettes(points, metric, "nearest", None, progress)
        score = mean_of(values, points)
        found = Estimate(score, points.xp.zeros_like(score))
    found = Estimate(*(finished(x, points) for x in found))
    return found if return_standard_error else found.score


def _read(X: Any, labels: Any, metric: str, sample_weight: Any, ignore_labels: Any, n_clusters: int | None) -> Points:
    check_option("metric", metric, METRICS)
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    if metric != "precomputed":
        return read_points(X, labels, **building)
    return read_points(X, labels, **building, read=read_precomputed)


def _silhouettes(
    points: Points, metric: str, between: Between, rows: np.ndarray[Any, Any] | None, progress: bool
) -> Array:
    """The silhouettes of the rows, by default of all; of samples that do not count they mean nothing."""
    xp = points.xp
    with Progress(points.n_samples if rows is None else len(rows), progress) as bar:
        means = mean_distances(points, metric, between, rows, bar)
    masses = points.own(points.masses)
    itself = points.of_itself
    others = xp.where(points.own(points.sizes) > 1, masses - itself, xp.zeros_like(masses))
    if points.counts_samples:
        others = masses - itself
    total = xp.sum(points.masses)
    if rows is not None:
        chosen = ns.from_host(rows, points.codes)
        masses, others = xp.take(masses, chosen), xp.take(others, chosen)
    a = ratio(means.own, others, xp)
    b = ratio(means.other, total - masses, xp) if between == "mean_other" else means.other
    s = ratio(b - a, xp.maximum(a, b), xp)
    return xp.where((others > 0) & xp.isfinite(b), s, xp.zeros_like(s))


def mean_of(values: Array, points: Points) -> Array:
    """The mean of the values of the samples that count, each with its weight."""
    xp = points.xp
    counted = points.codes < points.n_clusters
    weights = xp.ones_like(values) if points.real_weights is None else points.real_weights
    weights = xp.where(counted, weights, xp.zeros_like(weights))
    values = xp.where(counted, values, xp.zeros_like(values))
    return ratio(xp.sum(weights * values), xp.sum(weights), xp)
