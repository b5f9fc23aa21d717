"""The sums of the expected mutual information of a table of NumPy, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.hypergeometric import expected_deviance_and_loss, nodes_for
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


def expected_sums(
    a: NDArray, times_a: NDArray, b: NDArray, times_b: NDArray, n: NDArray, of_a: NDArray
) -> tuple[Any, Any]:
    """The sums over pairs of sizes of mean deviance and mean loss, each as often as it occurs: tiles on all cores."""

    def summed(tile: tuple[slice, slice]) -> NDArray:
        j, i = tile
        pair, times = (a[j, None], b[None, i], n), times_a[j, None] * times_b[None, i]
        values = expected_deviance_and_loss(*pair, of_a, np, nodes=int(nodes_for(*pair).max()))
        return np.asarray([np.sum(times * value) for value in values])

    tiles = [(j, i) for i in slices(len(b), _TILE) for j in slices(len(a), _TILE)]
    mutual, conditional = sum(parallel_map(summed, tiles), np.zeros(2))
    return mutual, conditional
