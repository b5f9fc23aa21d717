"""Distances in any library, a tile at a time, by differences: nothing cancels, wherever the samples lie.

PyTorch and JAX have them in one kernel of their own; with nothing but the standard, they grow feature by feature.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gpuval.engines.backends import namespace as ns
from gpuval.geometry.distances.sparse import SparseEuclidean
from gpuval.inputs.features import is_sparse, rows_of
from gpuval.numerics import Array
from gpuval.numerics.stable import root

_BYTES = 1 << 26, 1 << 22
"""The most that a tile takes, and the least that it is worth."""


def pairwise(x: Array, y: Array, metric: str) -> Array:
    """The distances of the rows of x to those of y: "euclidean", "sqeuclidean" or "cityblock"."""
    if ns.is_torch(x):
        torch: Any = ns.namespace(x)
        found = torch.cdist(x, y, p=1.0 if metric == "cityblock" else 2.0, compute_mode="donot_use_mm_for_euclid_dist")
        return found * found if metric == "sqeuclidean" else found
    found = _jitted()(x, y, metric) if ns.is_jax(x) else _by_feature(x, y, metric)
    return root(found, ns.namespace(x)) if metric == "euclidean" else found


def _by_feature(x: Array, y: Array, metric: str) -> Array:
    total: Any = 0
    for i in range(x.shape[1]):
        total = total + _of_differences(x[:, None, i] - y[None, :, i], metric, ns.namespace(x))
    return total


def _of_differences(apart: Array, metric: str, xp: Any) -> Array:
    return xp.abs(apart) if metric == "cityblock" else apart * apart


@functools.cache
def _jitted() -> Any:
    """All features at once: XLA makes one loop of it, without the differences in memory."""
    import jax

    def of_all(x: Any, y: Any, metric: str) -> Any:
        xp = ns.namespace(x)
        return xp.sum(_of_differences(x[:, None, :] - y[None, :, :], metric, xp), axis=-1)

    return jax.jit(of_all, static_argnames="metric")


class Tiles:
    """The distances of the rows of X to those of Y, by the tile."""

    def __init__(self, X: Any, Y: Any, metric: str) -> None:
        self._X, self._Y, self._metric = X, Y, metric

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return pairwise(prepared, rows_of(self._Y, columns), self._metric)


def tiles_of(X: Any, Y: Any, metric: str) -> Any:
    """The distances of the rows of X to those of Y, by the tile."""
    return SparseEuclidean(X, Y) if is_sparse(X) and metric == "euclidean" else Tiles(X, Y, metric)


def side_of_tile(like: Array) -> int:
    """How many rows, and columns, a tile of the device has: a sixteenth of what memory is free, within bounds."""
    most, least = _BYTES
    free = _free_bytes(like)
    size = most if free is None else max(least, min(most, free // 16))
    return 1 << (int(np.sqrt(size // 8)).bit_length() - 1)


def _free_bytes(like: Array) -> int | None:
    """The free memory of a GPU; None where it cannot be asked for, or need not be."""
    if ns.is_torch(like):
        torch: Any = ns.namespace(like)
        return int(torch.cuda.mem_get_info(like.device)[0]) if like.device.type == "cuda" else None
    if ns.is_cupy(like):
        return int(like.device.mem_info[0])
    if ns.is_jax(like) and not ns.is_traced(like):
        known = next(iter(like.devices())).memory_stats() or {}
        return int(known["bytes_limit"] - known["bytes_in_use"]) if "bytes_limit" in known else None
    return None
