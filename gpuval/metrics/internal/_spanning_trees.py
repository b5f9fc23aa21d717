"""Minimum spanning trees of the samples of each cluster, by Prim's algorithm.

The length of an edge is the mutual reachability of two samples: the largest of their distance and of their two core
distances. The tree begins with the first sample of the cluster. In each step it takes the sample that is nearest to any
sample in the tree; among equally near ones, the one with the smallest index. That sample is connected to the sample of
the tree that is nearest to it; among equally near ones, again the one with the smallest index. Ties are common: a
sample with a large core distance is equally near to all samples that are nearer than its core distance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_sparse
from gpuval.geometry.distances.precomputed import DistanceMatrix
from gpuval.geometry.distances.tiles import Tiles, tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, square_of_rounding, unit_rows
from gpuval.geometry.points import Differences, Points, rows_of, take_rows
from gpuval.numerics import Array, NDArray

_COMPACTED = 1 / 4
"""When this share of the columns is in the tree, these columns are removed."""

_FEWEST = 64
"""With so few columns, removing some saves no time."""


class Tree(NamedTuple):
    """The sample to which each sample was connected, and the length of that edge; -1 and 0 for the first sample."""

    parents: Array
    lengths: Array


def tree_on_host(tiles_to: Callable[[NDArray], Tiles], cores: NDArray) -> Tree:
    """The tree of a cluster; ``tiles_to`` gives the distances of all its samples to those with some indices."""
    n = len(cores)
    tree = Tree(np.full(n, -1), np.zeros(n))
    left, newest, n_done = np.arange(n), 0, 0
    tiles, others = tiles_to(left), cores.copy()
    nearest, parents = np.full(n, np.inf), np.zeros(n, dtype=np.int64)
    others[0] = np.inf  # samples in the tree are not reached again
    for _ in range(n - 1):
        (distances,) = tiles.tile(tiles.rows(slice(newest, newest + 1)), slice(0, len(left)))
        reach = np.maximum(distances, others)
        np.maximum(reach, cores[newest], out=reach)
        np.minimum(parents, newest, out=parents, where=reach == nearest)
        parents[reach < nearest] = newest
        np.minimum(nearest, reach, out=nearest)
        at = int(nearest.argmin())
        newest = int(left[at])
        tree.parents[newest], tree.lengths[newest] = parents[at], nearest[at]
        nearest[at] = others[at] = np.inf
        n_done += 1
        if n_done > _COMPACTED * len(left) and len(left) > _FEWEST:
            kept = np.flatnonzero(others < np.inf)
            left, others, nearest, parents = (x[kept] for x in (left, others, nearest, parents))
            tiles, n_done = tiles_to(left), 0
    return tree


def trees_on_device(tiles: Tiles, codes: Array, n_clusters: int, cores: Array, backend: Backend) -> Tree:
    """The trees of all clusters, one after the other: as many steps as samples; no value is copied to the host."""
    xp, n = backend.xp, codes.shape[0]
    numbers = backend.arange_beside(0, n, codes.dtype, codes)
    furthest = xp.finfo(cores.dtype).max
    infinite = xp.full_like(cores, float("inf"))

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        newest, nearest, parents, is_done = state
        is_done = is_done | (numbers == newest)
        distances = tiles.tile(tiles.rows(newest), slice(0, n))[0, :]
        reach = xp.maximum(xp.maximum(distances, cores), xp.take(cores, newest))
        is_reached = ~is_done & (codes == xp.take(codes, newest))
        is_first = (reach == nearest) & (newest < parents)
        is_nearer = is_reached & ((reach < nearest) | is_first)
        nearest = xp.where(is_nearer, reach, nearest)
        parents = xp.where(is_nearer, newest, parents)
        # When a cluster is complete, all other samples are equally far: the next cluster begins with its first sample.
        keys = xp.where(is_done, infinite, nearest)
        following = xp.min(xp.where(keys == xp.min(keys), numbers, xp.full_like(numbers, n)))
        return xp.reshape(following, (1,)), nearest, parents, is_done

    state = (
        numbers[:1],
        xp.full_like(cores, furthest),
        xp.full_like(codes, -1),
        codes >= n_clusters,
    )
    _, nearest, parents, _ = backend.repeated(step, state, n)
    return Tree(parents, xp.where(parents >= 0, nearest, xp.zeros_like(nearest)))


# Core distances: how sparse the samples of a cluster lie around one of them, in any number of features.


def core_distances(distances: Array, n_others: Any, n_features: int, xp: Any) -> Array:
    """The core distance of each row: (sum of d^-p over the other samples / their number)^(-1/p), with p = n_features.

    ``distances`` are those to the samples of the same cluster, shape (n_rows, n_columns). They are 0 for samples of
    other clusters, and for samples at the same place; such samples add nothing to the sum. ``n_others`` is the number
    of samples of the cluster without the one of the row. The core distance is 0 if all others are at the same place.

    Distances are divided by the smallest of their row. The powers are then those of numbers up to 1, and their sum is
    from 1 to n_others: nothing overflows, and what underflows would not change a sum of 1 or more.
    """
    apart = xp.where(distances > 0, distances, float("inf"))
    nearest = xp.min(apart, axis=1)
    has_any = nearest < float("inf")
    nearest = xp.where(has_any, nearest, xp.ones_like(nearest))
    sums = xp.sum(_power(nearest[:, None] / apart, n_features), axis=1)
    cores = nearest * (n_others / xp.where(has_any, sums, xp.ones_like(sums))) ** (1.0 / n_features)
    # A NaN among the distances is neither above 0 nor infinite: this makes the core distance of its row NaN.
    broken = xp.max(distances, axis=1) * 0.0
    return xp.where(has_any, cores, xp.zeros_like(cores)) + broken


def _power(x: Array, exponent: int) -> Array:
    """``x`` to the power of a positive integer, by multiplication: this gives the same bits in any library."""
    found = None
    while exponent:
        if exponent & 1:
            found = x if found is None else found * x
        exponent >>= 1
        if exponent:
            x = x * x
    assert found is not None
    return found


# Distances between some samples and others, a tile at a time, in 64 bits where the device has them.
#
# Which samples a spanning tree connects depends on which distances are equal. So distances are computed by differences
# of features, which gives equal values for equal distances, wherever the samples lie.


class Distances:
    """The distances between samples, by one metric; they are constants to derivatives.

    On a device, tiles have all samples as columns, and rows may be given by indices whose values are not on the host.
    """

    def __init__(self, points: Points, metric: str) -> None:
        self._backend, self._X, self._metric = points.backend, points.X, metric
        self._has_none: Array | None = None
        self.is_symmetric = True
        """Whether d(x, y) = d(y, x) is known to hold."""
        self.height = points.n_samples
        """How many rows are read at once, at most."""
        if isinstance(points.X, DistanceMatrix):
            self.is_symmetric, self.height = False, points.X.height
            if not self._backend.on_host:  # which rows are needed is not known on the host
                self._X = Whole(self._backend.as_real(points.X.rows(0, points.n_samples - 1), points.masses))
            return
        if metric == "correlation":
            self._X = CentredRows(self._X)
        if metric in ("correlation", "cosine"):
            self._has_none = have_no_length(self._X, points.masses) > 0
            self._X = unit_rows(self._X)
        if not is_sparse(self._X):
            X = rows_of(self._X, slice(0, points.n_samples))
            self._X = self._backend.without_gradient(self._backend.as_real(X, points.masses))

    def tiles(self, rows: Array | None, columns: Array | None, *, are_ties_seen: bool = True) -> Tiles:
        """The distances of some samples to others, given by their indices; None stands for all samples.

        If ties do not matter, ``are_ties_seen=False`` allows products of matrices, which are faster.
        """
        if isinstance(self._X, Whole):
            return self._X
        if isinstance(self._X, DistanceMatrix):
            return self._X.tiles(rows, columns)
        x, y = take_rows(self._X, rows), take_rows(self._X, columns)
        metric = "cityblock" if self._metric == "cityblock" else "euclidean"
        by_differences = are_ties_seen and not is_sparse(self._X)
        tiles = Differences(x, y, metric) if by_differences else tiles_of(x, y, metric, self._backend)
        if self._metric in ("euclidean", "cityblock"):
            return tiles
        has_none = self._has_none
        return _OfSquares(
            tiles, None if has_none is None else (take_rows(has_none, rows), take_rows(has_none, columns))
        )


class Whole:
    """Tiles of distances that are in memory, to some of the samples, or to all if ``columns`` is None."""

    def __init__(self, distances: Array, columns: Array | None = None) -> None:
        self._distances, self._columns = distances, columns

    def rows(self, rows: Any) -> Array:
        """The rows of a tile, prepared for any columns."""
        some = rows_of(self._distances, rows)
        return some if self._columns is None else some[:, self._columns]

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return prepared[:, columns]


class _OfSquares:
    """Squared distances; with ``have_none`` half the squared distances of samples of length 1.

    ``have_none`` says which samples have no length, being all zeros; their distance to any other is 1.
    """

    def __init__(self, tiles: Tiles, have_none: tuple[Array, Array] | None) -> None:
        self._tiles, self._have_none = tiles, have_none

    def rows(self, rows: Any) -> Any:
        """The rows of a tile, prepared for any columns."""
        have_none = None if self._have_none is None else _some(self._have_none[0], rows)
        return have_none, self._tiles.rows(rows)

    def tile(self, prepared: Any, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        of_x, of_rows = prepared
        tile = self._tiles.tile(of_rows, columns)
        tile = tile * tile
        if self._have_none is None:
            return tile
        of_y = self._have_none[1][columns]
        xp = backend_of(tile).xp
        half = xp.where(tile <= square_of_rounding(tile), xp.zeros_like(tile), tile / 2)  # 0 in one direction
        return xp.where(of_x[:, None] | of_y[None, :], xp.ones_like(tile), half)


def _some(x: Array, rows: Any) -> Array:
    return x[rows] if isinstance(rows, slice) else take_rows(x, rows)
