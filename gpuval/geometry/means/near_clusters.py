"""Mean Euclidean distances on the host of each sample to its own cluster and to the nearest other one only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gpuval.geometry.distances.products import ProductsOfGroups, near_share, type_of_products
from gpuval.geometry.means.folding import Means
from gpuval.geometry.means.labelings import Labelings
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, parallel_sum_with_blas, product, slices

_SIZE = 512
"""The most rows, and columns, of a tile."""

_WIDEST = 8
"""How many times as many columns a tile has at most, where clusters have few of the rows."""

_ROWS, _CELLS = 2048, 1 << 18
"""Samples that are gone through at once, and beside all clusters how many numbers."""

_MOST_CACHED = 1 << 19
"""Numbers of the samples of a cluster that are held between two passes over them; more are read again."""

_FEWEST, _OF_EACH = 4096, 64
"""The fewest samples that are worth bounds, and how many for each cluster."""

_LEAST, _ENOUGH = 2, 8
"""How many times as many samples as features a cluster has, on average, where bounds are worth their time: at least, so
that the covariances of all clusters take little memory, and in any case."""

_COVARIANCES = 512
"""Where each cluster has fewer than ``_COVARIANCES d^2 / n`` of n samples of d features, the covariances take too large
a share of the time that all distances would take."""

_TRIED = 512
"""Samples that tell how many clusters bounds leave open."""

_FEWEST_ROWS = 4
"""The fewest rows for each feature that are worth moments of all samples, where means of some rows are asked for."""

_SLACK, _ROUNDING = 1e-9, 1e-14
"""What bounds are off by rounding, as a share of them, and of the squares that they are differences of."""

_ROUNDING_OF_PLACES = 1e-15
"""What differences of places are off, as a share of how far these are from the middle."""

_SHARE = 0.7
"""Of all pairs, each once for both of its samples, or of all pairs of rows: where more are left, all take less time."""


class _Near(NamedTuple):
    """Samples beside other clusters that might be their nearest, by cluster."""

    rows: NDArray
    """Places of samples in the order by cluster."""
    edges: NDArray
    """Where those beside each cluster begin, and the end."""


def means_to_near_clusters(
    points: Points, labelings: Labelings, rows: NDArray | None, progress: Progress
) -> tuple[Means, NDArray] | None:
    """The means of the rows, in an order of all samples that is given, too; None where there is a faster way.

    The rows are all samples for None; of others, which have no means then, the numbers mean nothing. Of most samples
    all are gone through where that takes less time: the pairs within a cluster are then computed once for both.
    """
    X, masses = points.X, labelings.masses
    order = labelings.order()
    n, k, d = len(order), len(masses), X.shape[1]
    if points.weights is not None or n < _FEWEST or k < 3 or _fewest_of_each(n, d) * k > n:
        return None
    if rows is not None and len(rows) < _FEWEST_ROWS * d:
        return None
    edges = np.r_[0, np.cumsum(masses)].astype(np.int64)
    chosen = np.arange(n) if rows is None else _places(order, rows, points.n_samples)
    asked = len(chosen)
    bounds = _Bounds(X, order, edges)

    def pairs_left(near: _Near, places: NDArray) -> tuple[float, float]:
        """Of places those within their clusters, and those beside others."""
        return float(np.diff(np.searchsorted(places, edges)) @ masses), float(np.diff(near.edges) @ masses)

    tried = chosen[:: -(-asked // _TRIED)]
    own_pairs, others = pairs_left(bounds.near(tried), tried)
    of_all, of_rows = own_pairs / 2 + others, asked / n * (own_pairs + others)
    if rows is None or of_all < of_rows:
        rows, chosen = None, np.arange(n)
    if (of_all if rows is None else of_rows) > _SHARE * min(asked / n, 0.5) * len(tried) * n:
        return None
    near = bounds.near(chosen)
    own_pairs, others = pairs_left(near, chosen)
    pairs = (own_pairs / 2 if rows is None else own_pairs) + others
    groups = far_groups(X)
    if groups is not None:  # within each cluster
        codes = labelings.codes[0, order]
        places = np.lexsort((groups[order], codes))
        back = np.empty(n, dtype=np.int64)
        back[places] = np.arange(n)
        order, near, chosen = order[places], near._replace(rows=back[near.rows]), np.sort(back[chosen])
        runs = codes * (int(groups.max()) + 1) + groups[order]
    else:
        runs = labelings.codes[0, order]
    few = 1 if rows is None else max(1, min(_WIDEST, _SIZE * k // len(chosen)))
    blocks = _blocks(edges, runs, _SIZE * few)
    tiles = ProductsOfGroups(X, order, order, runs)
    share = asked / pairs
    if rows is None:
        own = _own_sums(tiles, n, blocks, progress, share)
    else:
        own, of_each = np.zeros(n), np.searchsorted(chosen, edges)
        own[chosen] = _sums_beside(tiles.with_rows(order[chosen]), of_each, blocks, progress, share)
    sums = _sums_beside(tiles.with_rows(order[near.rows]), near.edges, blocks, progress, share)
    other, which = _nearest(sums, near, n, masses)
    return Means(own, other, labelings.present[0][which]), order


def _fewest_of_each(n: int, d: int) -> int:
    """How many of n samples of d features each cluster has on average, at least, where bounds are worth their time."""
    return max(_OF_EACH, min(_ENOUGH * d, max(_LEAST * d, _COVARIANCES * d * d // n)))


def _places(order: NDArray, rows: NDArray, n_samples: int) -> NDArray:
    """Where the rows that count are in the order, sorted."""
    is_chosen = np.zeros(n_samples, dtype=bool)
    is_chosen[rows] = True
    return np.flatnonzero(is_chosen[order])


def _blocks(edges: NDArray, runs: NDArray, size: int) -> list[list[slice]]:
    """Of each cluster its samples in blocks of one run, of up to ``size`` samples."""
    ends = np.flatnonzero(np.diff(runs)) + 1
    blocks = []
    for start, stop in pairwise(edges.tolist()):
        inside = ends[(ends > start) & (ends < stop)].tolist()
        parts = pairwise([start, *inside, stop])
        blocks.append([block for first, last in parts for block in slices(last, size, first)])
    return blocks


# Which clusters might be nearest


class _Moments(NamedTuple):
    """Of the samples of a cluster the mean, and of these less the mean, z, what bounds are made of."""

    mean: NDArray
    covariances: NDArray
    most: float
    """The largest variance along any line."""
    skewed: NDArray
    """The mean of z |z|^2."""
    scatter: float
    """The mean of |z|^2."""
    fourth: float
    """The mean of |z|^4."""


class _Bounds:
    """Which clusters might be nearest to samples, by bounds of the mean distances."""

    def __init__(self, X: NDArray, order: NDArray, edges: NDArray) -> None:
        self._X, self._order, self._edges = X, order, edges
        self._middle = X[order[:: -(-len(order) // _TRIED)]].mean(axis=0, dtype=np.float64)
        counted = X if len(order) == len(X) else X[order]
        largest = float(max(counted.max(), -counted.min()))
        self._unit = 2.0 ** -float(np.frexp(largest)[1]) if largest > 0 else 1.0  # fourth powers are floats then
        self._each = parallel_map_with_blas(self._moments, list(pairwise(edges.tolist())))
        self._means, self._skewed = (np.stack([x[i] for x in self._each]) for i in (0, 3))
        self._most, self._scatters, self._fourths = (np.asarray([x[i] for x in self._each]) for i in (2, 4, 5))
        self._squares = np.einsum("ij,ij->i", self._means, self._means)

    def near(self, rows: NDArray) -> _Near:
        """The clusters that might be nearest to the samples in these places of the order, but for their own."""
        parts = slices(len(rows), max(1, min(_ROWS, _CELLS // len(self._each))))
        found = parallel_map_with_blas(lambda part: self._near(rows[part]), parts)
        clusters, places = (np.concatenate([x[i] for x in found]) for i in range(2))
        by_cluster = np.argsort(clusters, kind="stable")
        return _Near(places[by_cluster], np.searchsorted(clusters[by_cluster], np.arange(len(self._each) + 1)))

    def _read(self, places: NDArray | slice) -> NDArray:
        x: NDArray = np.subtract(self._X[self._order[places]], self._middle)
        x *= self._unit
        return x

    def _moments(self, edges: tuple[int, int]) -> _Moments:
        n, d = edges[1] - edges[0], len(self._middle)

        def parts() -> Iterator[NDArray]:
            return (self._read(part) for part in slices(edges[1], _ROWS, edges[0]))

        held = list(parts()) if n * d <= _MOST_CACHED else None
        mean = sum((x.sum(axis=0) for x in held or parts()), np.zeros(d)) / n
        covariances, skewed, scatter, fourth = np.zeros((d, d)), np.zeros(d), 0.0, 0.0
        for z in held or parts():
            z -= mean
            squares = np.einsum("ij,ij->i", z, z)
            covariances += product(z.T, z.T) / n
            skewed += squares @ z / n
            scatter += float(squares.sum()) / n
            fourth += float(squares @ squares) / n
        most = float(np.linalg.eigvalsh(covariances)[-1]) if np.isfinite(covariances).all() else np.inf
        return _Moments(mean, covariances, most, skewed, scatter, fourth)

    def _near(self, places: NDArray) -> tuple[NDArray, NDArray]:
        """Clusters, and samples to which each might be the nearest."""
        x = self._read(places)
        lengths = np.einsum("ij,ij->i", x, x)[:, None] + self._squares
        squares = np.maximum(lengths - 2 * product(x, self._means), 0)
        error = _ROUNDING * lengths
        own = np.searchsorted(self._edges, places, side="right") - 1
        high = np.sqrt(squares + self._scatters + error)
        high[np.arange(len(x)), own] = np.inf
        most = high.min(axis=1) * (1 + _SLACK)
        # First by what the variance is at most along any line, then by what it is towards the sample.
        skewed = product(x, self._skewed) - np.einsum("ij,ij->i", self._means, self._skewed)
        skewed -= error  # which is no less than what these are off, as |z| is below 2 or so in this unit
        low = _least(squares, self._most * squares, skewed, self._scatters, self._fourths, self._most, error)
        open_ = ~(low > most[:, None])  # what is no number might be anything
        open_[np.arange(len(x)), own] = False
        found = []
        for c in np.flatnonzero(open_.any(axis=0)).tolist():
            rows, one = np.flatnonzero(open_[:, c]), self._each[c]
            u = x[rows] - one.mean
            squares_of_u, along = np.einsum("ij,ij->i", u, u), np.einsum("ij,ij->i", product(u, one.covariances), u)
            off = _ROUNDING_OF_PLACES * np.sqrt(lengths[rows, c])
            off *= off + 2 * (np.sqrt(squares_of_u) + np.sqrt(one.scatter))
            low_of_c = _least(squares_of_u, along, u @ one.skewed, one.scatter, one.fourth, one.most, off)
            rows = rows[~(low_of_c > most[rows])]
            found.append((np.full(len(rows), c), places[rows]))
        nothing = np.zeros(0, dtype=np.int64)
        clusters, kept = zip((nothing, nothing), *found, strict=True)
        return np.concatenate(clusters), np.concatenate(kept)


def _least(
    squares: NDArray, along: NDArray, skewed: NDArray, scatter: Any, fourth: Any, most: Any, error: NDArray
) -> NDArray:
    """The least mean distance that samples may have to a cluster.

    Of a sample less the mean of the cluster, u, there are |u|^2, of which ``error`` is for rounding, the variance along
    u times that, and u times the mean of z |z|^2.
    """
    mean = squares + scatter
    with np.errstate(invalid="ignore", divide="ignore"):
        of_squares = squares * (squares + 2 * scatter) + fourth + 4 * (along - skewed)
        of_squares = np.maximum(of_squares + 4 * error * (mean + error + most), mean * mean)
        low: NDArray = np.maximum(mean - error, 0) ** 1.5 / np.sqrt(of_squares) * (1 - _SLACK)
    return low


# Distances


def _own_sums(
    tiles: ProductsOfGroups, n: int, blocks: Sequence[list[slice]], progress: Progress, share: float
) -> NDArray:
    """The sum of the distances of each sample to those of its cluster; each pair is gone through once."""
    sums = np.zeros(n)

    def sums_of_block(task: tuple[slice, list[slice]]) -> list[tuple[slice, NDArray]]:
        mine, others = task
        prepared, of_mine = tiles.rows(mine), np.zeros(mine.stop - mine.start)
        found = [(mine, of_mine)]
        for theirs in others:
            tile = tiles.tile(prepared, theirs)
            of_mine += tile.sum(axis=1)
            if theirs != mine:
                found.append((theirs, tile.sum(axis=0)))
            progress.advance(tile.size * share * (0.5 if theirs == mine else 1))
        return found

    def add(found: list[tuple[slice, NDArray]]) -> None:
        for samples, some in found:
            sums[samples] += some

    tasks = [(block, of_one[i:]) for of_one in blocks for i, block in enumerate(of_one)]
    parallel_sum_with_blas(sums_of_block, tasks, add)
    return sums


def _sums_beside(
    tiles: ProductsOfGroups, edges: NDArray, blocks: Sequence[list[slice]], progress: Progress, share: float
) -> NDArray:
    """The sum of the distances of rows to all samples of a cluster: of those between two edges, to the one there."""
    sums = np.zeros(int(edges[-1]))

    def add(task: tuple[int, slice]) -> None:
        cluster, rows = task
        prepared = tiles.rows(rows)
        for theirs in blocks[cluster]:
            tile = tiles.tile(prepared, theirs)
            sums[rows] += tile.sum(axis=1)
            progress.advance(tile.size * share)

    beside = enumerate(pairwise(edges.tolist()))
    parallel_map_with_blas(add, [(c, rows) for c, (start, stop) in beside for rows in slices(stop, _SIZE, start)])
    return sums


def _nearest(sums: NDArray, near: _Near, n: int, masses: NDArray) -> tuple[NDArray, NDArray]:
    """The least mean distance of each sample to another cluster, and which that is."""
    other, which = np.full(n, np.inf), np.zeros(n, dtype=np.intp)
    for c, (start, stop) in enumerate(pairwise(near.edges.tolist())):
        rows, means = near.rows[start:stop], sums[start:stop] / masses[c]
        is_nearer = means < other[rows]
        other[rows[is_nearer]], which[rows[is_nearer]] = means[is_nearer], c
    return other, which


# Groups of samples that are far from each other, whatever their labels are.
#
# A product of matrices gives the distances of samples to all digits if these are apart about as far as they are from
# the centre of their tile. Where a tile has samples of groups that are far apart, such as two modalities of
# measurement, most of its distances would be computed again. So samples are sorted by group first, and a tile has rows
# of one group.

_SAMPLE = 64
"""Samples of which the groups are found."""

_FEW = 2.0**-8
"""Groups are looked for where more than this share of the pairs is too near for a product."""

_MOST, _FEWEST_SAMPLES = 16, 128
"""The most groups, and the fewest samples that a group has on average."""

_ROWS_OF_SAMPLES = 4096
"""Samples of which the nearest centre is found at once."""


def far_groups(X: NDArray) -> NDArray | None:
    """The number of the group of each sample, shape (n_samples,); None if one is enough."""
    n, most = len(X), min(_MOST, len(X) // _FEWEST_SAMPLES)
    if most < 2:
        return None
    origin = X[0].astype(np.float64)
    some = X[:: -(-n // _SAMPLE)] - origin
    squares = np.einsum("ij,ij->i", some, some)
    # Rounding is nothing to a choice of centres.
    apart = np.maximum(squares[:, None] + squares + product(-2 * some, some), 0)
    mean, dtype = some.mean(axis=0), type_of_products(n, X.dtype)
    from_centre = np.einsum("ij,ij->i", some - mean, some - mean)
    group, random, centres = np.zeros(len(some), dtype=np.int64), np.random.default_rng(0), [0]
    while near_share(apart, from_centre, group, dtype) > _FEW and len(centres) < most:
        nearest = apart[:, centres].min(axis=1)
        if not nearest.any():
            break
        centres.append(int(random.choice(len(some), p=nearest / nearest.sum())))
        group = apart[:, centres].argmin(axis=1)
        from_centre = apart[:, centres].min(axis=1)
    if len(centres) == 1:
        return None
    return _nearest_centres(X, origin, some[centres])


def _nearest_centres(X: NDArray, origin: NDArray, centres: NDArray) -> NDArray:
    """The number of the nearest centre of each sample; samples and centres less the origin."""
    squares = np.einsum("ij,ij->i", centres, centres)
    parts = [
        (product(X[rows] - origin, -2 * centres) + squares).argmin(axis=1) for rows in slices(len(X), _ROWS_OF_SAMPLES)
    ]
    return np.concatenate(parts)
