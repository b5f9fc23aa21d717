"""The sums of the expected mutual information on a GPU, by the kernel: CuPy arrays in, CuPy arrays out."""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, device, kernel

_BLOCK = 128


def expected_sums(
    a: CupyArray, times_a: CupyArray, b: CupyArray, times_b: CupyArray, n: CupyArray, of_a: CupyArray
) -> tuple[CupyArray, CupyArray]:
    """The sums over pairs of sizes of mean deviance and mean loss, each as often as it occurs.

    Nothing leaves the device, and the digits are the same each time on one kind of device.

    Parameters
    ----------
    a, times_a, b, times_b
        Sizes of classes and of clusters, and how often each occurs, float64.
    n
        Number of samples, shape (), float64.
    of_a
        Whether the loss is that of a, shape (), bool.
    """
    import cupy

    chip = device(a.device.id)
    most = chip.processors * (chip.threads // _BLOCK)
    grid = max(1, min(most, -(-a.size * b.size // (_BLOCK // 32))))
    sums = cupy.empty((2, grid * (_BLOCK // 32)), dtype=np.float64)
    sides = a, times_a, np.uint64(a.size), b, times_b, np.uint64(b.size)
    kernel("expected", "expected_sums")((grid,), (_BLOCK,), (*sides, n, of_a.view(np.uint8), sums))
    return sums[0].sum(), sums[1].sum()
