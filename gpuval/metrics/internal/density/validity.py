"""Density-based clustering validation (DBCV)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.geometry.distances.names import Distance, known_distance
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.distances.rows import taken
from gpuval.geometry.kernels import is_for_kernels
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.inputs.limits import check_size
from gpuval.metrics._common.documents import DISTANCE, LABELS, PROGRESS, SAMPLES, SIZE, documented
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.internal._result import as_score_of_any
from gpuval.metrics.internal.density._connectedness import connected_on_device, connected_on_host
from gpuval.metrics.internal.density._distances import Distances
from gpuval.metrics.internal.density._separations import separations_on_device, separations_on_host
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["dbcv_score"]

_MOST_OF_KERNELS = 1 << 36
"""Up to so many pairs of samples times features kernels find trees, where one processor has a cluster.

At 8 bytes each and 100 GB/s of a processor that is 6 seconds if all are of one cluster, and nothing interrupts it.
"""


@documented(SAMPLES, LABELS, DISTANCE, "", SIZE, PROGRESS)
def dbcv_score(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    n_features: int | None = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    return_per_label: bool = False,
    progress: bool = False,
) -> Any:
    """Density-based clustering validation (DBCV): how well sparse regions separate clusters of any shape.

    Use it for HDBSCAN, DBSCAN and other density-based clusterings: unlike silhouettes, it does not prefer round
    clusters, and it takes noise into account.

    Let d(x, y) be the distance of two samples, p the number of features, and n the number of all samples, including
    those with ignored labels. A cluster C has ``|C|`` samples. The definitions are ([1]_, definitions 1 to 8, not
    checked against the text):

    - The core distance of a sample x of C is ``(sum_y d(x, y)^-p / (|C| - 1))^(-1/p)``. The sum is over the other
      samples y of C, without those with d(x, y) = 0. The core distance is 0 if there are no others.
    - The reachability of two samples is the largest of their distance and of their two core distances.
    - Build a minimum spanning tree of the samples of C, with reachabilities as lengths of the edges. Its inner samples
      are those with more than one edge; both samples of a cluster of two are inner.
    - D_C, the sparseness of C, is the longest edge between two inner samples. If there is no such edge, it is the
      longest edge of the tree.
    - S_C, the separation of C, is the smallest reachability between an inner sample of C and an inner sample of another
      cluster.
    - V_C, the validity of C, is ``(S_C - D_C) / max(S_C, D_C)``.

    The score is ``sum_C (|C| / n) V_C``. It ranges from -1 to 1; higher is better.

    Parameters
    ----------
    n_features
        The number of features p, a positive integer. Give it with metric="precomputed" only; otherwise it is that of X.
    ignore_labels
        One label or several, such as -1 for the noise of HDBSCAN. Samples with such a label are in no cluster, but they
        count in n: the more there are, the nearer to 0 is the score.
    return_per_label
        Whether to return the validity of each cluster, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 0 if fewer than two clusters have 2 samples or
        more. With ``return_per_label``, a named tuple of ``score``, ``labels`` (the clusters that have samples, sorted;
        in the library of X if they are numbers, else in NumPy) and ``label_scores`` (V_C of each cluster), both of
        shape (n_labels,). V_C is NaN for a cluster of one sample, which counts as noise.

    Raises
    ------
    TypeError, ValueError
        If samples, labels or options are not as described above; the message names the argument.

    Notes
    -----
    Ties: the definition leaves the value open, because a sample with a large core distance is equally near to all
    samples that are nearer than its core distance, and the spanning tree decides which samples are inner. Here the tree
    begins with the first sample of the cluster, and then always takes the sample that is nearest to the tree. Among
    equally near ones, both the sample that is taken and the sample it is connected to are those with the smallest
    index.

    Other programs: ``validity_index`` of the package hdbscan breaks ties in the same way, and gives this value with
    "euclidean". (There, a cluster of one sample is an error, and only the first sample of a cluster of two is inner.)
    The authors' own program squares the distances ("sqeuclidean"), and connects a sample to the equally near one that
    came first into the tree. Precomputed distances must be symmetric: others are an error, but those of a function, and
    those whose values are not checked.

    Let q be the sum of the squared sizes of the clusters, plus the square of the number of all inner samples. Time is
    proportional to n_features q. On the host, distances are computed a tile at a time; those of a cluster of up to
    2,048 samples are in memory at once. On an NVIDIA GPU, three kernels find all with "euclidean" and "cityblock"; each
    spanning tree is found by one processor, so many clusters take less time than one large one. Otherwise, and on other
    devices, the trees take as many steps as there are samples, each over all samples; precomputed distances are all in
    memory at once; torch.compile takes time in proportion to the number of samples.

    If ``n_clusters`` is given, no value is copied from the device to the host. Otherwise the range of the labels and
    one number for each check of the input are copied. With ``return_per_label`` the sizes of the clusters are, too. The
    score is a constant to derivatives.

    References
    ----------
    .. [1] D. Moulavi, P. A. Jaskowiak, R. J. G. B. Campello, A. Zimek and J. Sander, "Density-based clustering
       validation", SIAM International Conference on Data Mining, 2014.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.dbcv_score([[0.0], [0.0], [8.0], [8.0]], [0, 0, 1, 1]))
    1.0
    >>> float(gpuval.dbcv_score([[0.0], [2.0], [0.0], [2.0]], [0, 0, 1, 1]))
    0.0
    >>> float(gpuval.dbcv_score([[0.0], [4.0], [1.0], [5.0]], [0, 0, 1, 1]))
    0.0

    Of each label; noise counts as 0, and the single sample of a label is noise:

    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [10.0], [12.0], [14.0], [99.0], [99.0]]
    >>> labels = ["a", "a", "a", "a", "a", "b", "b", "b", "c", "noise"]
    >>> found = gpuval.dbcv_score(X, labels, ignore_labels="noise", return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.round(12).tolist(), strict=True))
    {'a': 0.843137254902, 'b': 0.703703703704, 'c': nan}
    """
    metric = known_distance(metric)
    p = _check_features(n_features, metric)
    given = read_samples_or_distances(X, labels, metric, absent, ignore_labels=ignore_labels, n_clusters=n_clusters)
    if metric == "precomputed":
        given.X.check_symmetric()
    if metric == "cityblock":
        given = given.finite(in_any_unit=True)
    with Progress(given.n_samples, progress) as bar:
        points, values = _validities(given, metric, int(given.X.shape[1]) if p is None else p, bar)
    xp, sizes = points.xp, points.xp.astype(points.sizes, values.dtype)
    score = as_score_of_any(xp.sum(sizes * values) / max(1, points.n_samples), given)
    if not return_per_label:
        return score
    groups = groups_of(given)
    each = xp.where(points.sizes > 0, values, xp.full_like(values, float("nan")))
    each = xp.take(each, points.indices(groups.codes))
    return LabelValues(score, groups.labels, as_score_of_any(each, given))


def _check_features(n_features: Any, metric: str) -> int | None:
    if metric == "precomputed":
        if n_features is None:
            raise ValueError(
                "n_features must be given with metric='precomputed', because distances do not show it, got None"
            )
        return check_size(n_features, "n_features")
    if n_features is not None:
        raise ValueError(f"n_features must be None unless metric='precomputed', got {n_features!r}")
    return None


def _validities(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Points, Array]:
    """The clusters of two samples or more, and the validity of each cluster; 0 for all other clusters."""
    xp = points.xp
    alone = points.own(xp.astype(points.sizes, points.codes.dtype)) < 2
    points = replace(points, codes=xp.where(alone, xp.full_like(points.codes, points.n_clusters), points.codes))
    points = points.counted_anew()
    wide = xp.zeros_like(points.masses)
    if 0 in (points.n_samples, points.n_clusters):
        return points, wide
    if points.backend.on_host:
        present = np.flatnonzero(points.sizes)
        if len(present) < 2:
            return points, wide
        sparseness, separation = np.zeros_like(wide), np.full_like(wide, np.inf)
        sparseness[present], separation[present] = _on_host(points, metric, n_features, progress)
    else:
        sparseness, separation = _on_device(points, metric, n_features, progress)
    is_one_of_several = (points.sizes > 0) & (points.backend.count_true(points.sizes > 0) > 1)
    separation = xp.where(is_one_of_several, separation, wide)
    sparseness = xp.where(is_one_of_several, sparseness, wide)
    return points, ratio(separation - sparseness, xp.maximum(separation, sparseness), xp)


def _on_host(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Array, Array]:
    distances = Distances(points, metric)
    order = np.argsort(points.codes, kind="stable")
    ends = np.cumsum(points.sizes)
    clusters = [order[end - size : end] for end, size in zip(ends, points.sizes, strict=True) if size]
    connected = connected_on_host(distances, clusters, n_features, progress)
    separation = separations_on_host(distances, clusters, connected, progress)
    return np.asarray([x.sparseness for x in connected]), separation


def _on_device(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Array, Array]:
    if is_for_kernels(points, metric) and points.n_samples**2 * points.X.shape[1] <= _MOST_OF_KERNELS:
        return _by_kernels(points, metric, progress)
    distances = Distances(points, metric)
    connected = connected_on_device(distances, points, n_features, progress)
    return connected.sparseness, separations_on_device(distances, points, connected, progress)


def _by_kernels(points: Points, metric: str, progress: Progress) -> tuple[Array, Array]:
    """What :func:`_on_device` gives, where there are kernels for the metric."""
    xp, order, ends = points.xp, points.xp.argsort(points.codes), points.backend.cumulative_sum(points.sizes)
    X, codes = taken(points.X, order), taken(points.codes, order)
    found = engine_of(points.codes).densities(X, codes, xp.concat([xp.zeros_like(ends[:1]), ends]), metric)
    progress.advance(points.n_samples)
    return found
