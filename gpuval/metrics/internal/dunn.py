"""How far clusters are apart, in units of how wide they are: the Dunn index."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.geometry.distances.names import Distance, known_distance
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.extremes import extremes
from gpuval.geometry.progress import Progress
from gpuval.metrics._common.documents import COMMON, LABELS, PROGRESS, SAMPLES, documented
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate, no_score
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["dunn_index"]


@documented(SAMPLES, LABELS, "", COMMON, PROGRESS)
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
    """Smallest distance between samples of different clusters over the largest between two samples of one.

    min_{k(x) != k(y)} d(x, y) / max_{k(x) = k(y)} d(x, y) ([1]_, equation 3, not checked against the text: the index of
    compact separated partitions, of samples themselves: not of centres and radii, as some libraries have it). From 0 to
    infinity; higher is better; above 1, all samples are nearer to those of their cluster than to any other.

    Parameters
    ----------
    metric
        The distance of two samples: see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.

    Returns
    -------
    score
        Of the library of X, and on its device; infinity where the samples of each cluster are equal, and those of
        different clusters are not; 0 for 0/0. No unit.

    Raises
    ------
    TypeError, ValueError
        For samples, labels or options that are not as above, with the argument named.

    Notes
    -----
    Exact. On the host most distances are not computed, as bounds by the centres of the clusters tell that they are no
    extremes: how many depends on how far the clusters are apart; in any other case it is a pass over all distances, a
    tile at a time. Leaves the device: nothing with ``n_clusters`` given; else the range of the labels, one number for
    each check, and, with kernels, how many samples count.

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
    metric = known_distance(metric)
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
