"""Count samples into an existing NumPy table."""

from __future__ import annotations

import numpy as np

from gpuval.engines.host.one_pass import highest, joint_counts
from gpuval.numerics import NDArray


def add_in_place(counts: NDArray, a: NDArray, b: NDArray) -> bool:
    """Count integer labels, block by block, if all of them are inside; False if nothing was added."""
    rows, columns = map(range, counts.shape)
    joint = joint_counts(a, b, counts.size)
    if joint is None or not joint.fits(rows, columns):
        return False
    joint.add_to(counts, rows, columns)
    return True


def cells_within(a: NDArray, b: NDArray, size: tuple[int, ...]) -> NDArray | None:
    """The flat index of the cell of each sample; None if a label is outside."""
    n_rows, n_columns = size
    if len(a) and not (highest(a) < n_rows and highest(b) < n_columns):
        return None
    cell = np.multiply(a, n_columns, dtype=np.int64, casting="unsafe")
    return np.add(cell, b, out=cell, dtype=np.int64, casting="unsafe")
