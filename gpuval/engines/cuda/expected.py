"""The expected mutual information of a table on a GPU, by the kernels: CuPy arrays in, CuPy arrays out.

No value is copied to the host, and the digits are the same each time on one kind of device.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, kernel
from gpuval.engines.cuda.plan import device

_BLOCK = 128

Sizes = tuple[CupyArray, CupyArray | None]
"""Sizes of groups, int64, and how often each occurs; None: each once."""


def distinct(sizes: CupyArray) -> Sizes:
    """The distinct ones of sizes, and how often each occurs: the host waits for how many there are."""
    import cupy

    values, times = cupy.unique(sizes, return_counts=True)
    return values, times


def expected_parts(
    classes: Sizes, clusters: Sizes, total: CupyArray, true_given_pred: CupyArray, pred_given_true: CupyArray
) -> tuple[CupyArray, CupyArray]:
    """What is expected of random partitions with these sizes, shape (2,), and whether the sizes settle it, shape ().

    The expected values are those of the mutual information, and of the smaller one of the conditional entropies.

    Parameters
    ----------
    classes, clusters
        The sizes; either side may be without counts of how often each occurs only if both are.
    total
        Number of samples, shape (), int64.
    true_given_pred, pred_given_true
        The conditional entropies, shape (), float64, of which the smaller one is meant.
    """
    import cupy

    a, b, is_distinct = classes[0], clusters[0], classes[1] is not None
    chip = device(a.device.id)
    most = chip.processors * (chip.threads // _BLOCK)
    grid = max(1, min(most, -(-a.size * b.size // (_BLOCK // 32))))
    warps = grid * (_BLOCK // 32)
    sums, parts = cupy.empty((warps, 2), dtype=np.float64), cupy.empty(2, dtype=np.float64)
    is_settled = cupy.empty((), dtype=np.uint8)
    sides = (y for x, times in (classes, clusters) for y in (x, x if times is None else times, np.uint64(x.size)))
    given = *sides, np.uint32(is_distinct), total, true_given_pred, pred_given_true, sums
    kernel("expected", "expected_sums")((grid,), (_BLOCK,), given)
    sizes = a, np.uint64(a.size), b, np.uint64(b.size)
    kernel("expected", "expected_parts")((1,), (256,), (sums, np.uint32(warps), *sizes, total, parts, is_settled))
    return parts, is_settled.view(bool)
