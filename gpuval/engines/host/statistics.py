"""What formulas read of a NumPy table, where NumPy is faster than the standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.host.one_pass import joint_counts
from gpuval.numerics import NDArray
from gpuval.numerics.exact import LARGEST_ROOT

Number = np.float64


def count_pairs(table: Any) -> tuple[Number, Number, Number, Number, Number, Number] | None:
    """The pairs of a single table of counts, in Python's integers: squares of up to ``LARGEST_ROOT`` fit int64."""
    if not table.is_integer or table.total.ndim or table.total > LARGEST_ROOT:
        return None
    n, x, a, b = int(table.total), table.counts.reshape(-1), table.class_sizes, table.cluster_sizes
    cells, classes, clusters = int(x.dot(x)), int(a.dot(a)), int(b.dot(b))
    both, true_only, pred_only = cells - n, classes - cells, clusters - cells
    neither = n * n + cells - classes - clusters
    excess, surplus = both * neither - true_only * pred_only, true_only - pred_only
    return Number(both), Number(true_only), Number(pred_only), Number(neither), Number(excess), Number(surplus)


def distinct_pairs(a: NDArray, b: NDArray, most: int) -> tuple[NDArray, NDArray, NDArray] | None:
    """The distinct pairs of two vectors of integers, and how often each occurs; None if their table is too large."""
    joint = joint_counts(a, b, most)
    if joint is None:
        return None
    times = joint.counts.reshape(-1)
    places = np.flatnonzero(times)
    x, y = np.divmod(places, joint.counts.shape[1])
    return x + joint.low_a, y + joint.low_b, times[places]
