"""The Dunn index: the distance between the closest clusters, relative to the widest cluster."""

from __future__ import annotations

from math import inf

from gpuval.geometry.extremes import extremes
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.measures.measure import measure
from gpuval.metrics.internal._measure import INTERNAL
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["dunn_index"]


@measure(INTERNAL, short=("dunn",), title="Dunn index", range=(0.0, inf), reads="distances", weighs=False, head="Dunn")
def dunn_index(points: Points, metric: str, progress: Progress) -> Array:
    """Dunn index: the smallest distance between clusters over the largest distance within a cluster.

    It judges the worst case: the two closest clusters and the widest one. Use it when every cluster must be compact and
    well separated; a single outlier can change it much.

    Let d(x, y) be the distance of the samples x and y, and k(x) the cluster of x. The index is the smallest d(x, y)
    over all pairs of samples with k(x) != k(y), divided by the largest d(x, y) over all pairs with k(x) = k(y) ([1]_,
    equation 3: the index of compact separated partitions). Some libraries use centres and radii instead; this is the
    index of the samples themselves. It ranges from 0 to infinity; higher is better. If it is above 1, each sample is
    nearer to all samples of its own cluster than to any other sample.

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
    between, within = extremes(points, metric, progress)
    quotient = ratio(between, within, points.xp)
    infinite = points.xp.full_like(quotient, float("inf"))
    return points.xp.where((within == 0) & (between > 0), infinite, quotient)
