"""Silhouettes: how much nearer samples are to their own cluster than to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.geometry.distances.precomputed import read_for_labelings, read_samples_or_distances
from gpuval.geometry.means.folding import Between, Means
from gpuval.geometry.means.mean_distances import mean_distances, mean_distances_of_all
from gpuval.geometry.points import Distance, Points, distance_name, take_rows
from gpuval.geometry.progress import Progress
from gpuval.geometry.sampling import Estimate, RowSample, check_sampling, draw_sample, estimate_mean
from gpuval.inputs.containers import read_again
from gpuval.inputs.labels import labelings_by_name, read_labels
from gpuval.inputs.options import check_option
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.measures.measure import measure
from gpuval.measures.result import as_result
from gpuval.measures.samples import OnDegenerate, as_score, is_degenerate, no_score, score_or_nan
from gpuval.metrics.internal._measure import INTERNAL
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["silhouette_samples", "silhouette_score", "silhouette_scores"]

SampleAmong = Literal["all", "sample"]
"""The samples that those which are drawn are compared with."""


@measure(INTERNAL, range=(-1.0, 1.0), values="samples", reads="distances")
def silhouette_samples(points: Points, metric: str, progress: Progress) -> Array:
    """Silhouette of each sample: how much nearer it is to its own cluster than to the nearest other cluster.

    Use it to find the samples and the clusters that fit badly; :func:`silhouette_score` is its mean.

    For one sample, let a be its mean distance to the other samples of its cluster. For each other cluster, take the
    mean distance of the sample to the samples of that cluster; b is the smallest of these. The silhouette is
    ``(b - a) / max(a, b)`` ([1]_, page 56). It ranges from -1 to 1; higher is better. It is 0 for the only sample of a
    cluster, and if a = b = 0.

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
    values = silhouettes(points, metric, "nearest", None, progress)
    return points.xp.where(points.codes < points.n_clusters, values, points.xp.full_like(values, float("nan")))


@measure(INTERNAL, short=("asw", "silhouette"), usual=1, range=(-1.0, 1.0), head="silh.")
def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    sample_among: SampleAmong = "all",
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

    It is the mean, weighted by ``sample_weight``, of what :func:`silhouette_samples` gives ([1]_, page 59). It ranges
    from -1 to 1; higher is better.

    Parameters
    ----------
    sample_size
        How many samples to compute silhouettes for, drawn without replacement. See ``sample_among`` for what they are
        compared with, and Notes for the time.
    sample_among
        The samples that those which are drawn are compared with:

        - "all": all samples, so that, without weights, the score is an unbiased estimate of the score of all samples;
        - "sample": those which are drawn, as in scikit-learn. This takes the time of so few samples. The score is that
          of the drawn samples alone, and as an estimate of the score of all samples it has a bias, which is large where
          few samples of a cluster are drawn: of a cluster with one drawn sample, this counts as 0. It has no standard
          error, and needs samples: of given distances, give those among the samples of your choice.
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

    Time with ``sample_size``, and all samples compared with: that share of the time for all samples, and about twenty
    passes over all samples, to check them and to find bounds. Where clusters overlap so much that bounds save nothing,
    all distances are needed. A score of all samples computes each once for both of its samples, and so does one of more
    than half of them; of a smaller share, each is computed for one, which takes up to twice the share.

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
    metric = distance_name(metric)
    check_sampling(sample_size, stratified, random_state)
    _check_among(sample_among, sample_size, metric, return_standard_error)
    points = read_samples_or_distances(X, labels, metric, absent, **building)
    if is_degenerate(points, on_degenerate):
        return Estimate(no_score(points), no_score(points)) if return_standard_error else no_score(points)
    sample = None if sample_size is None else draw_sample(points, sample_size, random_state, stratified)
    if sample is not None and sample_among == "sample":
        points, sample = _only(points, sample.rows), None
        if is_degenerate(points, on_degenerate):
            return no_score(points)
    _, estimate = mean_silhouette(points, metric, sample, progress)
    estimate = Estimate(*(as_score(x, points) for x in estimate))
    return estimate if return_standard_error else estimate.score


def _check_among(among: SampleAmong, size: int | None, metric: str, return_standard_error: bool) -> None:
    """Check what the drawn samples are compared with, beside the other options."""
    check_option("sample_among", among, get_args(SampleAmong))
    if among == "all":
        return
    if size is None:
        raise ValueError("sample_size must be given with sample_among='sample', got None")
    if metric == "precomputed":
        raise ValueError("metric must be a distance of samples with sample_among='sample', got 'precomputed'")
    if return_standard_error:
        raise ValueError(
            "return_standard_error must be False with sample_among='sample', whose bias is not known, got True"
        )


def _only(points: Points, rows: Any) -> Points:
    """The samples of these rows, and no others."""
    at = points.indices(rows)
    X, weights = take_rows(points.X, at), take_rows(points.weights, at)
    return replace(points, X=X, codes=points.xp.take(points.codes, at), weights=weights).with_new_sizes()


# Silhouette scores of many labelings of the same samples, with one pass over the distances.


@measure(INTERNAL, range=(-1.0, 1.0), values="labelings")
def silhouette_scores(
    X: Any,
    labelings: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette score of each of several labelings of the same samples, such as a sweep over resolutions.

    Use it to choose among many clusterings, such as a number of clusters or a resolution. Each score is the one that
    :func:`silhouette_score` gives ([1]_, page 59), but the distances between samples are computed once for all
    labelings. Scores range from -1 to 1; higher is better.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, or a DataFrame of pandas or polars), or a sequence of label
        vectors. Each has shape (n_samples,), and is of any kind that :meth:`Contingency.from_labels` takes.
    sample_size
        How many samples to compute silhouettes for, the same ones for all labelings: see :func:`silhouette_score`.
    random_state
        A seed, or a random generator of NumPy, for the drawing.

    Returns
    -------
    scores
        Shape (n_labelings,), in the order of the labelings, in the array library of X, on its device. No unit. With
        ``on_degenerate="nan"``, NaN for a labeling of fewer than 2 clusters or of as many clusters as samples.

    Raises
    ------
    TypeError, ValueError
        If samples, labelings, weights or options are not as described above; the message names the argument. With
        ``sample_size``, also if the labelings ignore different samples.

    Notes
    -----
    Time is that of one :func:`silhouette_score`, plus that of adding up the distances once for each labeling. Adding up
    takes less time if samples share their clusters in many labelings, as in a sweep; little is saved with few features
    and many unrelated clusters. With gradients on the host, and for "sqeuclidean", "cosine" and "correlation", it takes
    as long as separate scores.

    Memory is that of the samples, plus one number for each sample and each cluster of all labelings, up to 256 MB or
    the size of X; beyond that, distances are computed twice. On a GPU, distances are computed a tile at a time by array
    operations, not by a kernel. For what is copied from a device, see :func:`silhouette_samples`.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.0], [8.0], [8.0]]
    >>> gpuval.silhouette_scores(X, {"0.5": [0, 0, 1, 1], "1.0": [0, 1, 2, 2]})
    array([1. , 0.5])
    >>> gpuval.silhouette_scores([[0.0], [1.0], [0.0], [1.0]], [[0, 0, 1, 1], [1, 1, 0, 0]])
    array([-0.5, -0.5])
    """
    check_sampling(sample_size, False, random_state)
    _, vectors = labelings_by_name(labelings)
    metric = distance_name(metric)
    ignore = read_ignored(ignore_labels)
    building = {"sample_weight": read_again(sample_weight), "ignore_labels": ignore, "n_clusters": n_clusters}
    several = read_for_labelings(X, vectors, metric, absent, ignored_elsewhere=True, **building)
    if ignore:  # each of a type that one of the labelings could hold
        check_ignored(ignore, *(read_labels(x, name) for name, x in vectors.items()))
    have_score = [not is_degenerate(x, on_degenerate, name) for name, x in zip(vectors, several, strict=True)]
    left = [points for points, has in zip(several, have_score, strict=True) if has]
    sample = None if sample_size is None or not left else _draw_rows(left, sample_size, random_state)
    scores = iter(mean_silhouettes(left, metric, sample, progress) if left else [])
    every = [
        score_or_nan(next(scores)[1].score if has else None, x) for has, x in zip(have_score, several, strict=True)
    ]
    return as_result(several[0].xp.stack(every), several[0].like)


def _draw_rows(several: Sequence[Points], size: int, random_state: Any) -> RowSample:
    """Draw rows among the samples that count, which must be the same by each labeling."""
    counted = [to_host(points.codes < points.n_clusters) for points in several]
    for of_one in counted[1:]:
        if not np.array_equal(of_one, counted[0]):
            raise ValueError(
                "labelings must ignore the same samples with sample_size, got "
                f"{int((~counted[0]).sum())} and {int((~of_one).sum())} ignored samples; score them one by one"
            )
    return draw_sample(several[0], size, random_state, stratified=False)


# From mean distances to silhouettes, and from silhouettes to their mean.


def silhouettes(points: Points, metric: str, between: Between, rows: Array | None, progress: Progress) -> Array:
    """The silhouettes of some rows, or of all samples if ``rows`` is None; those of ignored samples have no meaning."""
    return _from_means(points, mean_distances(points, metric, between, rows, progress), between, rows)


def _from_means(points: Points, means: Means, between: Between, rows: Array | None) -> Array:
    xp = points.xp
    others, elsewhere = points.weight_of_others(), points.weight_elsewhere()
    if rows is not None:
        others, elsewhere = xp.take(others, rows), xp.take(elsewhere, rows)
    a = ratio(means.own, others, xp)
    b = ratio(means.other, elsewhere, xp) if between == "mean_other" else means.other
    b = xp.where(elsewhere > 0, b, xp.zeros_like(b))
    s = ratio(b - a, xp.maximum(a, b), xp)
    return xp.where(others > 0, s, xp.zeros_like(s))


def mean_silhouette(points: Points, metric: str, sample: RowSample | None, progress: bool) -> tuple[Array, Estimate]:
    """The silhouettes of the drawn samples, or of all samples, and the estimate of the mean over all samples."""
    return mean_silhouettes([points], metric, sample, progress)[0]


def mean_silhouettes(
    several: Sequence[Points], metric: str, sample: RowSample | None, progress: bool
) -> list[tuple[Array, Estimate]]:
    """What :func:`mean_silhouette` gives, for each of several labelings; distances are computed once for all."""
    points = several[0]
    rows = None if sample is None else points.indices(sample.rows)
    with Progress(points.n_samples if sample is None else len(sample.rows), progress) as bar:
        means = mean_distances_of_all(several, metric, "nearest", rows, bar)
    found = []
    for points, of_one in zip(several, means, strict=True):
        values = _from_means(points, of_one, "nearest", rows)
        if sample is None:
            mean = _mean_of(values, points)
            found.append((values, Estimate(mean, points.xp.zeros_like(mean))))
        else:
            found.append((values, estimate_mean(values, take_rows(points.weights, rows), sample)))
    return found


def _mean_of(values: Array, points: Points) -> Array:
    """The weighted mean over the samples that count."""
    xp = points.xp
    counted = points.codes < points.n_clusters
    weights = xp.ones_like(values) if points.weights is None else points.weights
    weights = xp.where(counted, weights, xp.zeros_like(weights))
    values = xp.where(counted, values, xp.zeros_like(values))
    return ratio(xp.sum(weights * values), xp.sum(weights), xp)
