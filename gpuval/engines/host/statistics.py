"""What formulas read of a table of NumPy, where that is quicker than by the standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.host.one_pass import joint_counts
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.hypergeometric import expected_deviance_and_loss, nodes_for
from gpuval.numerics.threads import mapped

NDArray = np.ndarray[Any, Any]
Number = np.float64

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


def count_pairs(table: Any) -> tuple[Number, Number, Number, Number, Number, Number] | None:
    """The pairs of a single table of counts, in Python's integers: squares of up to ``LARGEST_ROOT`` fit int64."""
    if not table.is_integer or table.total.ndim or table.total > LARGEST_ROOT:
        return None
    n = int(table.total)
    cells, classes, clusters = (
        int(np.vecdot(x, x)) for x in (table.counts.reshape(-1), table.class_sizes, table.cluster_sizes)
    )
    both, true_only, pred_only = cells - n, classes - cells, clusters - cells
    neither = n * n + cells - classes - clusters
    excess, surplus = both * neither - true_only * pred_only, true_only - pred_only
    return Number(both), Number(true_only), Number(pred_only), Number(neither), Number(excess), Number(surplus)


def expected_sums(
    a: NDArray, times_a: NDArray, b: NDArray, times_b: NDArray, n: NDArray, of_a: NDArray
) -> tuple[Any, Any]:
    """The sums over pairs of sizes of mean deviance and mean loss, each as often as it occurs: tiles on all cores."""

    def summed(tile: tuple[slice, slice]) -> NDArray:
        j, i = tile
        pair, times = (a[j, None], b[None, i], n), times_a[j, None] * times_b[None, i]
        values = expected_deviance_and_loss(*pair, of_a, np, nodes=int(nodes_for(*pair).max()))
        return np.asarray([np.sum(times * value) for value in values])

    tiles = [(j, i) for i in _slices(len(b)) for j in _slices(len(a))]
    mutual, conditional = sum(mapped(summed, tiles), np.zeros(2))
    return mutual, conditional


def distinct_pairs(a: NDArray, b: NDArray, most: int) -> tuple[NDArray, NDArray, NDArray] | None:
    """The distinct pairs of two vectors of integers, and how often each occurs; None if their table is too large."""
    joint = joint_counts(a, b, most)
    if joint is None:
        return None
    times = joint.counts.reshape(-1)
    places = np.flatnonzero(times)
    x, y = np.divmod(places, joint.counts.shape[1])
    return x + joint.low_a, y + joint.low_b, times[places]


def _slices(length: int) -> list[slice]:
    return [slice(start, min(length, start + _TILE)) for start in range(0, length, _TILE)]
