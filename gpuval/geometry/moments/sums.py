"""Sums over the samples of each cluster, and what is computed of each sample, by blocks of rows, dense or sparse."""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry.distances.sparse import without_duplicates
from gpuval.geometry.points import Points, rows_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import parallel_map, slices

_CELLS = 1 << 17, 1 << 19, 1 << 23
"""Numbers in a block of rows: on the host in one thread, where it stays in the cache of a core, and in several, which
take turns between the steps of a block and so take longer with many blocks; and on a device."""

_WORTH_THREADS = 1 << 22
"""Numbers that take longer than threads take to start."""


@dataclass(frozen=True)
class Block:
    """Some rows; on the host with room for what they become, which is used again for the next block."""

    rows: Array
    codes: Array
    weights: Array | None
    room: NDArray | None

    def wide(self) -> Array:
        """The rows in the widest float."""
        if self.room is None:
            return backend_of(self.rows).as_real(self.rows, self.rows)
        if self.rows.dtype == self.room.dtype:
            return self.rows
        room = self.room[: len(self.rows)]
        np.copyto(room, self.rows)
        return room

    def less(self, places: Array) -> Array:
        """The rows less the places of their codes, in the widest float; what does not count is anywhere on the host."""
        if self.room is None:
            return self.wide() - self.take_by_code(places)
        room = self.room[: len(self.rows)]
        np.take(places, self.codes, axis=0, out=room, mode="clip")  # the spare code has no place
        with np.errstate(over="ignore", invalid="ignore"):  # of samples that do not count
            return np.subtract(self.rows, room, out=room)

    def take_by_code(self, of_clusters: Array) -> Array:
        """What the cluster of each row has."""
        if self.room is None:
            return backend_of(of_clusters).xp.take(of_clusters, self.codes, axis=0)
        return np.take(of_clusters, self.codes, axis=0, mode="clip")

    def sum_by_code(self, values: Array, n_clusters: int) -> Array:
        """The sums of values of rows, numbers or vectors, by the codes of the rows, shape (n_clusters, ...)."""
        backend, codes, weights = backend_of(values), self.codes, self.weights
        if backend.on_host and values.ndim == 1:
            weighed = values if weights is None else values * weights
            return np.bincount(codes, weighed, minlength=n_clusters + 1)[:n_clusters]
        if backend.on_host:
            from scipy.sparse import csc_array  # only now: few measures need SciPy

            ones, n = np.ones(len(codes)) if weights is None else weights, len(codes)
            narrow = codes.astype(np.int32), np.arange(n + 1, dtype=np.int32)  # else SciPy looks whether they could be
            by_cluster = csc_array((ones, *narrow), shape=(n_clusters + 1, n))
            return np.asarray(by_cluster @ values)[:n_clusters]
        xp = backend.xp
        clusters = backend.arange_beside(0, n_clusters, codes.dtype, codes)
        hits = xp.astype(clusters[:, None] == codes[None, :], values.dtype)
        return backend.matmul(hits if weights is None else hits * weights[None, :], values)


def sums_over(points: Points, of_block: Callable[[Block], Array]) -> Array:
    """The sums over each cluster of what a function gives for the rows of a block, shape (n_clusters, n_features)."""
    k, (n, n_features) = points.n_clusters, points.X.shape
    step = _height_for_sums(points) if points.backend.on_host else _CELLS[2] // max(n_features, k)

    def sums_of_block(block: Block) -> Array:
        return block.sum_by_code(of_block(block), k)

    return functools.reduce(operator.add, _map_blocks(points, slices(n, max(1, step)) or [slice(0, 0)], sums_of_block))


def sums_of_samples(points: Points) -> Array:
    """The sums over each cluster of the samples, shape (n_clusters, n_features)."""
    X, (n, n_features) = points.X, points.X.shape
    if points.backend.on_host and is_sparse(X):
        return _sums_of_sparse(points)
    if isinstance(X, np.ndarray) and X.dtype == np.float64 and n * n_features < _WORTH_THREADS:  # no block, no room
        return Block(X, points.codes, points.weights, None).sum_by_code(X, points.n_clusters)
    return sums_over(points, Block.wide)


def map_rows(points: Points, of_block: Callable[[Block], Array]) -> Array:
    """What a function gives for the rows of each block, a number for each, shape (n_samples,)."""
    n, n_features = points.X.shape
    if not points.backend.on_host:
        step = max(1, _CELLS[2] // n_features)
        parts = _map_blocks(points, slices(n, step) or [slice(0, 0)], of_block)
        return parts[0] if len(parts) == 1 else points.xp.concat(parts)
    parts = _map_blocks(points, slices(n, _height(points)), of_block)
    return np.concatenate(parts) if parts else np.zeros(0)


def sums_unless_none(points: Points, of_block: Callable[[Block], list[NDArray] | None]) -> list[NDArray] | None:
    """On the host, the sums over each cluster of several numbers of each row; None if a block of rows gives None."""
    k = points.n_clusters

    def sums_of_block(block: Block) -> NDArray | None:
        found = of_block(block)
        return None if found is None else np.stack([block.sum_by_code(x, k) for x in found])

    blocks = slices(points.n_samples, _height_for_sums(points)) or [slice(0, 0)]
    parts = _map_blocks(points, blocks, sums_of_block)
    return None if any(x is None for x in parts) else list(functools.reduce(operator.add, parts))


def _is_worth_threads(points: Points) -> bool:
    n, n_features = points.X.shape
    return bool(n * n_features >= _WORTH_THREADS)


def _height(points: Points) -> int:
    """Rows in a block on the host."""
    return int(max(1, _CELLS[_is_worth_threads(points)] // points.X.shape[1]))


def _height_for_sums(points: Points) -> int:
    """Rows in a block on the host that is larger than the sums over it."""
    return int(max(_height(points), min(4 * points.n_clusters, _CELLS[2] // points.X.shape[1])))


def _map_blocks(points: Points, blocks: list[slice], function: Callable[[Block], Any]) -> list[Any]:
    """What a function gives for each block of rows, in their order."""

    def apply_to_rows(rows: slice, room: NDArray | None = None) -> Any:
        weights = None if points.weights is None else points.weights[rows]
        return function(Block(rows_of(points.X, rows), points.codes[rows], weights, room))

    if not points.backend.on_host:
        return [apply_to_rows(rows) for rows in blocks]
    rooms, n_features = threading.local(), points.X.shape[1]
    height = max((rows.stop - rows.start for rows in blocks), default=0)

    def with_room(rows: slice) -> Any:
        if not hasattr(rooms, "own"):
            rooms.own = np.empty((height, n_features))
        return apply_to_rows(rows, rooms.own)

    return parallel_map(with_room, blocks) if _is_worth_threads(points) else [with_room(rows) for rows in blocks]


def sums_by_cluster(values: Array, points: Points) -> Array:
    """The weighted sums over each cluster of a number of each sample, shape (n_clusters,)."""
    k = points.n_clusters
    if points.backend.on_host:
        with np.errstate(invalid="ignore"):  # of what does not count
            return Block(values, points.codes, points.weights, None).sum_by_code(values, k)

    def sums_of_rows(rows: slice) -> Any:
        weights = None if points.weights is None else points.weights[rows]
        return Block(values[rows], points.codes[rows], weights, None).sum_by_code(values[rows], k)

    blocks = slices(points.n_samples, max(1, _CELLS[2] // max(1, k))) or [slice(0, 0)]
    return functools.reduce(operator.add, map(sums_of_rows, blocks))


# Sums of sparse samples of the host, and their distances to centres, by their entries alone.
#
# With the entries x_j of a sample and its centre m, |x - m|^2 is the sum of (x_j - m_j)^2 over the entries, and of
# m_j^2 over all other features: |m|^2 less those of the entries. Where little is left of |m|^2 that difference has no
# digits.

_ENTRIES = 1 << 18
"""Entries in a block of rows, about."""

_LEFT = 1 / 8
"""What must be left of |m|^2."""

_LEAST = 2.0**-800
"""Squares that have all their digits."""


def _sums_of_sparse(points: Points) -> NDArray:
    """The sums over each cluster of the samples, shape (n_clusters, n_features)."""
    from scipy.sparse import csc_array  # only now: few measures need SciPy

    n, k = points.n_samples, points.n_clusters
    ones = np.ones(n) if points.weights is None else points.weights
    by_cluster = csc_array((ones, points.codes, np.arange(n + 1)), shape=(k + 1, n)).tocsr()
    sums: NDArray = (by_cluster[:k] @ points.X.astype(np.float64, copy=False)).toarray()
    return sums


def distances_of_entries(points: Points, places: NDArray) -> tuple[NDArray, NDArray]:
    """The distance of each sample to the place of its code, and the indices of those that are not known so."""
    X = without_duplicates(points.X)
    codes = np.minimum(points.codes, len(places) - 1)  # what does not count is anywhere
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        whole = np.einsum("ij,ij->i", places, places)[codes]
        squares = np.zeros(points.n_samples)
        step = max(1, _ENTRIES * points.n_samples // max(1, X.nnz))
        for rows in slices(points.n_samples, step):
            squares[rows] = _entry_sums(X[rows], codes[rows], places)
        squares += whole
        is_known = (squares > _LEFT * whole) & (squares > _LEAST) & (squares < np.inf)
        found = np.sqrt(np.where(is_known, squares, 0.0))
    return found, np.flatnonzero(~is_known)


def _entry_sums(X: Any, codes: NDArray, places: NDArray) -> NDArray:
    """Of each row the sum of (x_j - m_j)^2 - m_j^2 over its entries."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    centre = places[codes[rows], X.indices]
    apart = X.data - centre
    return np.bincount(rows, apart * apart - centre * centre, minlength=X.shape[0])
