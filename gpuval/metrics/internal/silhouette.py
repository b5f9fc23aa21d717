"""How much nearer samples are to their own cluster than to the next: silhouettes."""

from __future__ import annotations

from typing import Any

from gpuval.geometry.distances.names import Distance, known_distance
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.progress import Progress
from gpuval.geometry.sampling import Estimate, check_sampling, drawn
from gpuval.metrics._common.documents import COMMON, DISTANCE, LABELS, PROGRESS, SAMPLES, WEIGHTS, documented
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.metrics.internal._silhouettes import mean_silhouette, silhouettes

__all__ = ["silhouette_samples", "silhouette_score"]


@documented(SAMPLES, LABELS, "", WEIGHTS, COMMON, PROGRESS)
def silhouette_samples(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other one.

    s = (b - a) / max(a, b) ([1]_, page 56, not checked against the text), with a the mean distance to the other samples
    of its cluster, and b the smallest mean distance to the samples of another cluster. From -1 to 1; higher is better.
    0 for the only sample of a cluster, and where a = b = 0.

    Parameters
    ----------
    metric
        The distance of two samples: "euclidean" (or "l2"), "sqeuclidean" (its square), "cosine" (1 less the cosine; 1
        from a sample of zeros to any other), "correlation" (1 less Pearson's correlation of their features; 1 from a
        sample whose features are all equal to any other), "cityblock" (or "manhattan", "l1"), or "precomputed": X then
        has all distances, shape (n_samples, n_samples), as an array (which may be mapped from a file), as a data frame
        whose columns are its index, as a sparse matrix, or as a function that gives the rows from ``start`` to ``stop``
        when it is called as ``X(start, stop)``, by several threads at once.
    absent
        The distance of different samples for which a sparse X of precomputed distances has no entry, finite and not
        negative, such as a number above those of a graph of neighbours: the score is then that of distances of which
        the large ones are replaced by this one. By default such an X is an error; distances of 0 between different
        samples are entries, too. Samples that do not count need none.

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
    Distances are there a tile at a time: memory is that of the samples, however many there are, and on the host that of
    a number for each sample and cluster, up to 256 MB or the size of X. Time is proportional to
    n_samples^2 n_features; for "sqeuclidean", "cosine" and "correlation" to n_samples n_features n_clusters, as there
    the mean over a cluster follows from its centre. For "euclidean", on the host and without weights, distances to the
    clusters that bounds by moments tell not to be the nearest are left out: with many samples in each of many clusters
    that are apart, that is most of the time. With integer weights a is over the other copies of the sample, too;
    with real ones it is without its own weight. Leaves the device: nothing with ``n_clusters`` given; else the labels'
    range, the sizes of the clusters, and one number for each check. It has gradients by X and by real weights; on the
    CPU, PyTorch's keep no distances, and have no derivatives themselves.

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
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    metric = known_distance(metric)
    points = read_samples_or_distances(X, labels, metric, absent, **building)
    if is_degenerate(points, on_degenerate):
        return no_score(points, (points.n_samples,))
    with Progress(points.n_samples, progress) as bar:
        values = silhouettes(points, metric, "nearest", None, bar)
    xp = points.xp
    values = xp.where(points.codes < points.n_clusters, values, xp.full_like(values, float("nan")))
    return as_score(values, points)


@documented(SAMPLES, LABELS, DISTANCE, "", WEIGHTS, COMMON, PROGRESS)
def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
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

    The mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives ([1]_, page 59, not checked
    against the text). From -1 to 1; higher is better.

    Parameters
    ----------
    sample_size
        How many samples to find the silhouettes of, drawn without replacement: the time is that share of the whole.
        Their distances are to all samples: without weights, the score is an estimate without bias of that of all.
        (scikit-learn takes what is drawn for all there is, and small clusters are smaller still in it.)
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
       Journal of Computational and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.silhouette_score([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1]))
    1.0
    >>> float(gpuval.silhouette_score([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1]))
    -0.5
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    metric = known_distance(metric)
    check_sampling(sample_size, stratified, random_state)
    points = read_samples_or_distances(X, labels, metric, absent, **building)
    if is_degenerate(points, on_degenerate):
        return Estimate(no_score(points), no_score(points)) if return_standard_error else no_score(points)
    sample = None if sample_size is None else drawn(points, sample_size, random_state, stratified)
    _, estimate = mean_silhouette(points, metric, sample, progress)
    estimate = Estimate(*(as_score(x, points) for x in estimate))
    return estimate if return_standard_error else estimate.score
