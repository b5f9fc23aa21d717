"""The sums of the expected mutual information of a NumPy table, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.hypergeometric import expected_deviance_and_loss, nodes_for
from gpuval.numerics.hypergeometric_sums import deviance_and_loss_of_short_windows
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


_FEW = 1 << 13
"""Samples up to which counting the groups of each size costs less than sorting the sizes."""


def expected_sums(table: Any, of_a: NDArray) -> tuple[Any, Any]:
    """The sums over pairs of sizes of mean deviance and mean loss, each as often as it occurs: tiles on all cores."""
    n = table.real(table.total)
    (a, times_a), (b, times_b) = (_distinct(sizes, n) for sizes in (table.class_sizes, table.cluster_sizes))

    def summed(tile: tuple[slice, slice]) -> NDArray:
        j, i = tile
        found = deviance_and_loss_of_short_windows(a[j], times_a[j], b[i], times_b[i], n, of_a)
        if found is not None:
            return np.asarray(found)
        pair, times = (a[j, None], b[None, i], n), times_a[j, None] * times_b[None, i]
        values = expected_deviance_and_loss(*pair, of_a, np, nodes=int(nodes_for(*pair).max()))
        return np.asarray([np.sum(times * value) for value in values])

    tiles = [(j, i) for i in slices(len(b), _TILE) for j in slices(len(a), _TILE)]
    mutual, conditional = sum(parallel_map(summed, tiles), np.zeros(2))
    return mutual, conditional


def _distinct(sizes: NDArray, n: NDArray) -> tuple[NDArray, NDArray]:
    """The sizes above 0 that occur, sorted, and how often each does."""
    sizes = sizes[sizes > 0]
    if sizes.dtype.kind == "i" and n <= _FEW:
        times = np.bincount(sizes)
        values = np.flatnonzero(times)
        times = times[values]
    else:
        values, times = np.unique(sizes, return_counts=True)
    return values.astype(np.float64), times.astype(np.float64)
