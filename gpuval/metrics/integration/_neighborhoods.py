"""Counts, or sums of weights, of the labels among the neighbours of each cell, by tiles of cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gpuval.engines.backends import Backend, backend_of
from gpuval.numerics import Array
from gpuval.numerics.parallel import parallel_map, room, slices

_ENTRIES_ON_HOST, _ENTRIES = 1 << 18, 1 << 23
"""Numbers of a tile: on the host such that a core keeps it near, elsewhere such that it keeps a device busy."""


def map_tiles(function: Callable[[slice], Array], n_cells: int, width: int, like: Array) -> Array:
    """The results of ``function`` for slices of the cells, joined; each cell has ``width`` numbers in memory.

    On the host the slices run on all cores.
    """
    backend = backend_of(like)
    if backend.on_host:
        tiles = slices(n_cells, max(1, _ENTRIES_ON_HOST // max(1, width))) or [slice(0, 0)]
        return np.concatenate(parallel_map(function, tiles))
    tiles = slices(n_cells, max(1, _ENTRIES // max(1, width))) or [slice(0, 0)]
    parts = [function(rows) for rows in tiles]
    return parts[0] if len(parts) == 1 else backend.xp.concat(parts)


def sums_of_rows(codes: Array, size: int, weights: Array | None, backend: Backend) -> Array:
    """The sum of the weights of each code in each row, or its count without weights: floats, shape (n_rows, size).

    ``codes`` of shape (n_rows, n_neighbors) are from 0 to ``size``, which stands for no label.
    """
    n, k = (int(x) for x in codes.shape)
    if backend.on_host:
        from scipy.sparse import csr_array  # imported here, as few measures need SciPy

        if weights is None:
            weights = room("ones", (n, k), np.int32)
            weights.fill(1)
        starts = np.arange(0, n * k + 1, k, dtype=np.int32)
        rows = csr_array((weights.reshape(-1), codes.reshape(-1), starts), shape=(n, size + 1))
        return rows.toarray()[:, :size].astype(np.float64, copy=False)
    xp, wide = backend.xp, backend.widest(codes)
    own = backend.arange_beside(0, n, wide.int, codes)[:, None] * (size + 1)
    places, length = xp.reshape(own + codes, (n * k,)), n * (size + 1)
    if weights is None:
        sums = xp.astype(backend.count(places, length), wide.float)
    else:
        sums = backend.total(xp.reshape(weights, (n * k,)), places, length)
    return xp.reshape(sums, (n, size + 1))[:, :size]


def with_own(counts: Array, own: Array, backend: Backend) -> Array:
    """Counts by label, plus 1 for the label that each row has itself; on the host it writes into the counts."""
    if backend.on_host:
        counts[np.arange(len(own)), own] += 1
        return counts
    each = backend.arange_beside(0, int(counts.shape[1]), own.dtype, own)
    return counts + backend.xp.astype(own[:, None] == each[None, :], counts.dtype)


def codes_of_neighbors(codes: Array, indices: Array) -> Array:
    """The code of each neighbour, in the shape of the indices; on the host, in memory that this thread uses again."""
    backend = backend_of(codes)
    if backend.on_host:
        return np.take(codes, indices, out=room("codes", indices.shape, codes.dtype), mode="clip")
    flat = backend.xp.take(codes, backend.xp.reshape(indices, (-1,)))
    return backend.xp.reshape(flat, tuple(indices.shape))


def narrow_codes(codes: Array) -> Array:
    """Codes of the type with which SciPy counts fastest: 32 bits on the host, unchanged elsewhere."""
    return codes.astype(np.int32) if backend_of(codes).on_host else codes


def median_of(values: Array, counted: Array) -> Array:
    """The median of the values that count; NaN if none does."""
    backend = backend_of(values)
    xp = backend.xp
    if backend.on_host:
        chosen = values[counted]
        return np.asarray(np.median(chosen) if len(chosen) else np.nan)
    if values.shape[0] == 0:
        return backend.zeros_beside((), values.dtype, values) + float("nan")
    in_order = xp.sort(xp.where(counted, values, xp.full_like(values, float("inf"))))
    n = backend.count_true(counted)
    middle = xp.stack([(n - 1) // 2, n // 2])
    two = xp.take(in_order, xp.where(middle < 0, xp.zeros_like(middle), middle))
    return xp.where(n > 0, backend.sum(two) / 2, float("nan"))
