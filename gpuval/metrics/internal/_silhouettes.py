"""From mean distances to silhouettes, and from silhouettes to their mean."""

from __future__ import annotations

from collections.abc import Sequence

from gpuval.geometry.distances.rows import taken
from gpuval.geometry.means import Between, Means, mean_distances, mean_distances_of_all
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.geometry.sampling import Drawn, Estimate, estimated
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


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


def mean_silhouette(points: Points, metric: str, sample: Drawn | None, progress: bool) -> tuple[Array, Estimate]:
    """The silhouettes of the drawn samples, or of all samples, and the estimate of the mean over all samples."""
    return mean_silhouettes([points], metric, sample, progress)[0]


def mean_silhouettes(
    several: Sequence[Points], metric: str, sample: Drawn | None, progress: bool
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
            found.append((values, estimated(values, taken(points.weights, rows), sample)))
    return found


def _mean_of(values: Array, points: Points) -> Array:
    """The weighted mean over the samples that count."""
    xp = points.xp
    counted = points.codes < points.n_clusters
    weights = xp.ones_like(values) if points.weights is None else points.weights
    weights = xp.where(counted, weights, xp.zeros_like(weights))
    values = xp.where(counted, values, xp.zeros_like(values))
    return ratio(xp.sum(weights * values), xp.sum(weights), xp)
