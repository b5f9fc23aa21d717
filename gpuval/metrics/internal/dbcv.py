"""Density-based clustering validation (DBCV)."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines import engine_of
from gpuval.geometry.kernels import is_for_kernels
from gpuval.geometry.points import Points, take_rows
from gpuval.geometry.progress import Progress
from gpuval.inputs.options import check_size
from gpuval.measures.measure import measure
from gpuval.metrics.internal._measure import INTERNAL
from gpuval.metrics.internal._spanning_trees import (
    Distances,
    Tree,
    Whole,
    core_distances,
    tree_on_host,
    trees_on_device,
)
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, slices
from gpuval.numerics.stable import ratio

__all__ = ["dbcv_score"]

_MOST_OF_KERNELS = 1 << 36
"""Up to so many pairs of samples times features kernels find trees, where one processor has a cluster.

At 8 bytes each and 100 GB/s of a processor that is 6 seconds if all are of one cluster, and nothing interrupts it.
"""


def _check_features(X: Any, *, metric: str, n_features: Any, **_: Any) -> None:
    if metric == "precomputed" and n_features is None:
        raise ValueError(
            "n_features must be given with metric='precomputed', because distances do not show it, got None"
        )
    if metric != "precomputed" and n_features is not None:
        raise ValueError(f"n_features must be None unless metric='precomputed', got {n_features!r}")
    if n_features is not None:
        check_size(n_features, "n_features")


@measure(
    INTERNAL,
    short=("dbcv",),
    title="DBCV",
    range=(-1.0, 1.0),
    reads="distances",
    weighs=False,
    of_each_label=True,
    check=_check_features,
)
def dbcv_score(
    points: Points, metric: str, progress: Progress, *, n_features: int | None = None
) -> tuple[Array, Array]:
    """Density-based clustering validation (DBCV): how well sparse regions separate clusters of any shape.

    Use it for HDBSCAN, DBSCAN and other density-based clusterings: unlike silhouettes, it does not prefer round
    clusters, and it takes noise into account.

    Let d(x, y) be the distance of two samples, p the number of features, and n the number of all samples, including
    those with ignored labels. A cluster C has ``|C|`` samples. The definitions are ([1]_, definitions 1 to 8):

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
    if metric == "precomputed":
        points.X.check_symmetric()
    if metric == "cityblock":
        points = points.finite(in_any_unit=True)
    p = int(points.X.shape[1] if n_features is None else n_features)
    points, values = _validities(points, metric, p, progress)
    xp, sizes = points.xp, points.xp.astype(points.sizes, values.dtype)
    score = xp.sum(sizes * values) / max(1, points.n_samples)
    return score, xp.where(points.sizes > 0, values, xp.full_like(values, float("nan")))


def _validities(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Points, Array]:
    """The clusters of two samples or more, and the validity of each cluster; 0 for all other clusters."""
    xp = points.xp
    alone = points.own(xp.astype(points.sizes, points.codes.dtype)) < 2
    points = replace(points, codes=xp.where(alone, xp.full_like(points.codes, points.n_clusters), points.codes))
    points = points.with_new_sizes()
    wide = xp.zeros_like(points.masses)
    if 0 in (points.n_samples, points.n_clusters):
        return points, wide
    if points.backend.on_host:
        present = np.flatnonzero(points.sizes)
        if len(present) < 2:
            return points, wide
        sparseness, separation = np.zeros_like(wide), np.full_like(wide, np.inf)
        sparseness[present], separation[present] = _densities_on_host(points, metric, n_features, progress)
    else:
        sparseness, separation = _densities_on_device(points, metric, n_features, progress)
    is_one_of_several = (points.sizes > 0) & (points.backend.count_true(points.sizes > 0) > 1)
    separation = xp.where(is_one_of_several, separation, wide)
    sparseness = xp.where(is_one_of_several, sparseness, wide)
    return points, ratio(separation - sparseness, xp.maximum(separation, sparseness), xp)


def _densities_on_host(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Array, Array]:
    distances = Distances(points, metric)
    order = np.argsort(points.codes, kind="stable")
    ends = np.cumsum(points.sizes)
    clusters = [order[end - size : end] for end, size in zip(ends, points.sizes, strict=True) if size]
    connected = _tree_statistics_on_host(distances, clusters, n_features, progress)
    separation = _separations_on_host(distances, clusters, connected, progress)
    return np.asarray([x.sparseness for x in connected]), separation


def _densities_on_device(points: Points, metric: str, n_features: int, progress: Progress) -> tuple[Array, Array]:
    if is_for_kernels(points, metric) and points.n_samples**2 * points.X.shape[1] <= _MOST_OF_KERNELS:
        return _densities_by_kernels(points, metric, progress)
    distances = Distances(points, metric)
    connected = _tree_statistics_on_device(distances, points, n_features, progress)
    return connected.sparseness, _separations_on_device(distances, points, connected, progress)


def _densities_by_kernels(points: Points, metric: str, progress: Progress) -> tuple[Array, Array]:
    """What :func:`_densities_on_device` gives, where there are kernels for the metric."""
    xp, order, ends = points.xp, points.xp.argsort(points.codes), points.backend.cumulative_sum(points.sizes)
    X, codes = take_rows(points.X, order), take_rows(points.codes, order)
    found = engine_of(points.codes).densities(X, codes, xp.concat([xp.zeros_like(ends[:1]), ends]), metric)
    progress.advance(points.n_samples)
    return found


# How dense each cluster is inside: core distances, and a spanning tree without its leaves.

_WHOLE = 2048
"""The largest cluster, in samples, of which the host holds all distances in memory at once."""

_CELLS_OF_BLOCKS = 1 << 17, 1 << 22
"""How many distances of larger clusters are in memory at once: on the host, and on a device."""


class _TreeStatistics(NamedTuple):
    """What the spanning trees say of the clusters."""

    cores: Array
    """The core distance of each sample."""
    are_inner: Array
    """Whether each sample is inner, that is, not a leaf of its tree; all samples of a tree that has only leaves."""
    sparseness: Array
    """The longest edge of each cluster between two inner samples; its longest edge, if there is none between two."""


def _tree_statistics_on_host(
    distances: Distances, clusters: list[NDArray], n_features: int, progress: Progress
) -> list[_TreeStatistics]:
    """The core distances, inner samples and sparseness of each cluster.

    A cluster is given by the indices of its samples. Each cluster has two samples or more.
    """
    large = [i for i, rows in enumerate(clusters) if len(rows) > _WHOLE]
    blocks = [(i, some) for i in large for some in slices(len(clusters[i]), _height(distances, len(clusters[i])))]

    def cores_of_block(block: tuple[int, slice]) -> NDArray:
        rows, some = clusters[block[0]], block[1]
        tiles = distances.tiles(rows[some], rows)
        tile = tiles.tile(tiles.rows(slice(0, some.stop - some.start)), slice(0, len(rows)))
        found = _cores(tile.astype(np.float64, copy=False), some, n_features)
        progress.advance((some.stop - some.start) / 3)
        return found

    found = parallel_map_with_blas(cores_of_block, blocks)
    cores = {i: np.concatenate([x for x, (j, _) in zip(found, blocks, strict=True) if i == j]) for i in large}

    def cluster_statistics(i: int) -> _TreeStatistics:
        rows = clusters[i]
        if i in cores:
            of_it, tree = cores[i], tree_on_host(lambda left: distances.tiles(rows, rows[left]), cores[i])
            progress.advance(len(rows) / 3)
        else:
            whole, of_it = _whole_and_cores(distances, rows, n_features)
            tree = tree_on_host(lambda left: Whole(whole, left), of_it)
            progress.advance(len(rows) * 2 / 3)
        return _TreeStatistics(of_it, *_inside(tree))

    order = sorted(range(len(clusters)), key=lambda i: -len(clusters[i]))  # the longest first
    of_clusters = dict(zip(order, parallel_map_with_blas(cluster_statistics, order), strict=True))
    return [of_clusters[i] for i in range(len(clusters))]


def _height(distances: Distances, n_columns: int) -> int:
    return max(1, min(distances.height, _CELLS_OF_BLOCKS[0] // n_columns))


def _whole_and_cores(distances: Distances, samples: NDArray, n_features: int) -> tuple[NDArray, NDArray]:
    """All distances between the samples of a cluster, and their core distances."""
    n, tiles = len(samples), distances.tiles(samples, samples)
    whole, cores = np.empty((n, n)), np.empty(n)
    for rows in slices(n, _height(distances, n)):
        whole[rows] = tiles.tile(tiles.rows(rows), slice(0, n))
        cores[rows] = _cores(whole[rows], rows, n_features)
    return whole, cores


def _cores(tile: NDArray, rows: slice, n_features: int) -> NDArray:
    """The core distances of some samples of a cluster, by their distances to all its samples; writes into ``tile``."""
    np.fill_diagonal(tile[:, rows], 0)  # samples of no length are at 1 from all others
    return np.asarray(core_distances(tile, tile.shape[1] - 1, n_features, np))


def _inside(tree: Tree) -> tuple[NDArray, Any]:
    """Which samples are not leaves of the tree, and the longest edge between two such samples."""
    parents, lengths = tree.parents[1:], tree.lengths[1:]
    degrees = np.bincount(parents, minlength=len(tree.parents))
    degrees[1:] += 1
    inner = degrees > 1
    are_inner = inner[1:] & inner[parents]
    sparseness = lengths[are_inner].max() if are_inner.any() else lengths.max()
    return (inner if inner.any() else ~inner), sparseness


def _tree_statistics_on_device(
    distances: Distances, points: Points, n_features: int, progress: Progress
) -> _TreeStatistics:
    """What :func:`_tree_statistics_on_host` gives, of all clusters of two samples or more at once.

    All other samples have the spare code, ``n_clusters``.
    """
    backend, xp, codes, k, n = points.backend, points.xp, points.codes, points.n_clusters, points.n_samples
    tiles = distances.tiles(None, None)
    numbers = backend.arange_beside(0, n, codes.dtype, codes)
    sizes = points.own(xp.astype(points.sizes, points.masses.dtype))
    others = xp.maximum(sizes, xp.ones_like(sizes)) - 1
    parts = []
    for rows in slices(n, max(1, _CELLS_OF_BLOCKS[1] // max(1, n))):
        tile = tiles.tile(tiles.rows(rows), slice(0, n))
        is_other = (codes[rows][:, None] == codes[None, :]) & (numbers[rows][:, None] != numbers[None, :])
        tile = xp.where(is_other & (codes[rows] < k)[:, None], tile, xp.zeros_like(tile))
        parts.append(core_distances(tile, others[rows], n_features, xp))
        progress.advance((rows.stop - rows.start) / 3)
    cores = xp.concat(parts)
    parents, lengths = trees_on_device(tiles, codes, k, cores, backend)
    progress.advance(n / 3)
    has_edge = parents >= 0
    ends = xp.where(has_edge, parents, xp.full_like(parents, n))
    degrees = backend.count(ends, n + 1)[:n]
    is_inner = (degrees + xp.astype(has_edge, degrees.dtype)) > 1
    at = xp.where(has_edge, parents, xp.zeros_like(parents))
    between_inner = has_edge & is_inner & xp.take(is_inner, at)

    def longest(which: Array) -> tuple[Array, Array]:
        """The longest of some edges in each cluster, and whether the cluster has such an edge."""
        spare = xp.where(which, codes, xp.full_like(codes, k))
        kept = xp.where(which, lengths, xp.zeros_like(lengths))
        return backend.largest(kept, spare, k + 1)[:k], backend.count(spare, k + 1)[:k] > 0

    (inner, has_inner), (any_edge, _) = longest(between_inner), longest(has_edge)
    has_inner_samples = backend.count(xp.where(is_inner, codes, xp.full_like(codes, k)), k + 1)[:k] > 0
    none_is = points.own(xp.astype(has_inner_samples, codes.dtype)) == 0
    are_inner = (codes < k) & (is_inner | none_is)
    return _TreeStatistics(cores, are_inner, xp.where(has_inner, inner, any_edge))


# Separation of each cluster: the smallest reachability between one of its inner samples and one of another cluster.

_TILE = 512
"""Rows and columns of a tile on the host."""

_CELLS = 1 << 22
"""How many distances are in memory at once on a device."""


def _separations_on_host(
    distances: Distances, clusters: list[NDArray], connected: list[_TreeStatistics], progress: Progress
) -> NDArray:
    """The separation of each cluster; infinity if there is no other cluster."""
    inner = [rows[x.are_inner] for rows, x in zip(clusters, connected, strict=True)]
    samples = np.concatenate(inner)
    codes = np.repeat(np.arange(len(inner)), [len(rows) for rows in inner])
    cores = np.concatenate([x.cores[x.are_inner] for x in connected])
    n, least, lock = len(samples), np.full(len(clusters), np.inf), Lock()
    tiles = distances.tiles(samples, samples, are_ties_seen=False)

    def separate_rows(rows: slice) -> None:
        prepared, own = tiles.rows(rows), codes[rows]
        for columns in slices(n, _TILE, rows.start if distances.is_symmetric else 0):
            others = codes[columns]
            if own[0] == others[-1] and own[-1] == others[0]:
                continue  # all of one cluster
            reach = np.maximum(tiles.tile(prepared, columns), cores[columns])
            np.maximum(reach, cores[rows][:, None], out=reach)
            if own[-1] >= others[0] and others[-1] >= own[0]:
                reach[own[:, None] == others] = np.inf
            with lock:
                np.minimum.at(least, own, reach.min(axis=1))
                if distances.is_symmetric:
                    np.minimum.at(least, others, reach.min(axis=0))
        progress.advance((rows.stop - rows.start) / 3)

    parallel_map_with_blas(separate_rows, slices(n, min(_TILE, distances.height)))
    return least


def _separations_on_device(
    distances: Distances, points: Points, connected: _TreeStatistics, progress: Progress
) -> Array:
    """What :func:`_separations_on_host` gives, of all clusters at once."""
    backend, xp, k, n = points.backend, points.xp, points.n_clusters, points.n_samples
    cores, tiles = connected.cores, distances.tiles(None, None)
    codes = xp.where(connected.are_inner, points.codes, xp.full_like(points.codes, k))
    clusters = backend.arange_beside(0, k, codes.dtype, codes)
    least = backend.zeros_beside((k,), cores.dtype, cores) + float("inf")
    for rows in slices(n, max(1, _CELLS // max(1, n, k))):
        own = codes[rows]
        reach = xp.maximum(tiles.tile(tiles.rows(rows), slice(0, n)), xp.maximum(cores[rows][:, None], cores[None, :]))
        are_two = (own[:, None] != codes[None, :]) & (own < k)[:, None] & (codes < k)[None, :]
        nearest = xp.min(xp.where(are_two, reach, xp.full_like(reach, float("inf"))), axis=1)
        hits = clusters[:, None] == own[None, :]
        of_each = xp.broadcast_to(nearest[None, :], hits.shape)
        of_each = xp.where(hits, of_each, xp.full_like(of_each, float("inf")))
        least = xp.minimum(least, xp.min(of_each, axis=1))
        progress.advance((rows.stop - rows.start) / 3)
    return least
