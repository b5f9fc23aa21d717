"""The Dunn index: the distance between the closest clusters, relative to the widest cluster."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.extremes import extremes
from gpuval.geometry.points import Distance, distance_name
from gpuval.geometry.progress import Progress
from gpuval.measures.documents import COMMON, LABELS, PROGRESS, SAMPLES, document_parameters
from gpuval.measures.samples import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["dunn_index"]


@document_parameters(SAMPLES, LABELS, "", COMMON, PROGRESS)
def dunn_index(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Dunn index: the smallest distance between clusters over the largest distance within a cluster.

    It judges the worst case: the two closest clusters and the widest one. Use it when every cluster must be compact and
    well separated; a single outlier can change it much.

    Let d(x, y) be the distance of the samples x and y, and k(x) the cluster of x. The index is the smallest d(x, y)
    over all pairs of samples with k(x) != k(y), divided by the largest d(x, y) over all pairs with k(x) = k(y) ([1]_,
    equation 3, not checked against the text: the index of compact separated partitions). Some libraries use centres and
    radii instead; this is the index of the samples themselves. It ranges from 0 to infinity; higher is better. If it is
    above 1, each sample is nearer to all samples of its own cluster than to any other sample.

    Parameters
    ----------
    metric
        The distance between two samples: see :func:`silhouette_samples`.
    absent
        The distance of two samples for which sparse precomputed distances have no entry; see
        :func:`silhouette_samples`.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is infinity if the samples of each cluster are
        equal and no two clusters are at the same place. It is 0 if both distances are 0.

    Raises
    ------
    TypeError, ValueError
        If samples, labels or options are not as described above; the message names the argument.

    Notes
    -----
    The value is exact. On the host, bounds by the centres of the clusters show that most distances are not extreme, and
    these are not computed; how many depends on how far the clusters are apart. Otherwise, all distances are computed, a
    tile at a time.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels, one
    number for each check of the input and, if kernels run, the number of samples that count are copied.

    References
    ----------
    .. [1] J. C. Dunn, "Well-separated clusters and optimal fuzzy partitions", Journal of Cybernetics 4, 1974.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.dunn_index([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1]))
    inf
    >>> float(gpuval.dunn_index([[0.0], [2.0], [5.0], [6.0]], [0, 0, 1, 1]))
    1.5
    >>> float(gpuval.dunn_index([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1]))
    0.0
    """
    metric = distance_name(metric)
    points = read_samples_or_distances(X, labels, metric, absent, ignore_labels=ignore_labels, n_clusters=n_clusters)
    if is_degenerate(points, on_degenerate):
        return no_score(points)
    with Progress(points.n_samples, progress) as bar:
        between, within = extremes(points, metric, bar)
    return as_score(_quotient(between, within), points)


def _quotient(between: Array, within: Array) -> Array:
    xp = backend_of(between).xp
    quotient = ratio(between, within, xp)
    return xp.where((within == 0) & (between > 0), xp.full_like(quotient, float("inf")), quotient)
