"""Silhouettes: how much nearer samples are to their own cluster than to the next one."""

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
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other cluster.

    Use it to find the samples and the clusters that fit badly; :func:`silhouette_score` is its mean.

    For one sample, let a be its mean distance to the other samples of its cluster. For each other cluster, take the
    mean distance of the sample to the samples of that cluster; b is the smallest of these. The silhouette is
    ``(b - a) / max(a, b)`` ([1]_, page 56, not checked against the text). It ranges from -1 to 1; higher is better. It
    is 0 for the only sample of a cluster, and if a = b = 0.

    Parameters
    ----------
    metric
        The distance between two samples:

        - "euclidean" (or "l2");
        - "sqeuclidean": the square of the Euclidean distance;
        - "cosine": 1 minus the cosine of the angle; 1 if one of the two samples is all zeros;
        - "correlation": 1 minus Pearson's correlation of the features; 1 if all features of one of the two are equal;
        - "cityblock" (or "manhattan", "l1"): the sum of absolute differences;
        - "precomputed": X holds all distances, shape (n_samples, n_samples), as an array (which may be mapped from a
          file), a data frame whose columns equal its index, a sparse matrix, or a function. gpuval calls a function as
          ``X(start, stop)``, from several threads at once, and it returns the rows from ``start`` up to ``stop``.
    absent
        The distance of two different samples for which a sparse X of precomputed distances has no entry. It is finite
        and not negative, such as a number above all distances of a neighbour graph: this number then replaces the
        distances that were left out because they are large. By default, a missing entry is an error. A distance of 0
        between two different samples needs an entry, too. Ignored samples need none.

    Returns
    -------
    silhouettes
        Shape (n_samples,), in the array library of X, on its device. No unit. NaN for ignored samples.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    Memory: distances are computed a tile at a time, so memory is that of the samples; on the host, one number for each
    sample and cluster is added, up to 256 MB or the size of X.

    Time is proportional to n_samples^2 n_features. For "sqeuclidean", "cosine" and "correlation" it is proportional to
    n_samples n_features n_clusters, because the mean over a cluster follows from its centre. For "euclidean", on the
    host and without weights, bounds by moments show which clusters cannot be the nearest, and the distances to these
    are not computed; this saves most of the time if there are many well separated clusters with many samples each.

    Weights: an integer weight stands for that many copies of the sample, and a is the mean over the other copies, too.
    With real weights, the weight of the sample itself does not count in a.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels, the
    sizes of the clusters and one number for each check of the input are copied.

    There are gradients with respect to X and to real weights. On the CPU, those of PyTorch store no distances, and
    cannot be differentiated again.

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
    """Silhouette score: how much nearer samples are, on average, to their own cluster than to the nearest other one.

    Also known as the average silhouette width (ASW). It is a usual choice for comparing clusterings with any numbers of
    clusters, by any distance.

    It is the mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives ([1]_, page 59, not checked
    against the text). It ranges from -1 to 1; higher is better.

    Parameters
    ----------
    sample_size
        How many samples to compute silhouettes for, drawn without replacement: the time shrinks to that share. The
        distances are still those to all samples, so that, without weights, the score is an unbiased estimate of the
        score of all samples. (scikit-learn discards the samples that are not drawn, and so makes small clusters smaller
        still.)
    stratified
        Whether to draw from each cluster in proportion to its size, and at least two samples.
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    return_standard_error
        Whether to return the standard error, too; it is 0 if all samples are used.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``.

    Raises
    ------
    TypeError, ValueError
        If samples, labels, weights or options are not as described above; the message names the argument.

    Notes
    -----
    For time, memory, weights and what is copied from a device, see :func:`silhouette_samples`. With ``sample_size``,
    the labels are copied to the host.

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
