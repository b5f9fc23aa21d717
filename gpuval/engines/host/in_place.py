"""Samples counted into a table of NumPy that is there already."""

from __future__ import annotations

import numpy as np

from gpuval.engines.cells import has_few_samples
from gpuval.engines.host.one_pass import highest, joint_counts
from gpuval.numerics import NDArray

_AT_ONCE = 1 << 15
"""Samples of a batch that go into a table that is there; more are counted in a table of their own, which is added."""


def add_in_place(counts: NDArray, a: NDArray, b: NDArray) -> bool:
    """Count integer labels into a table, if all of them are inside; False if nothing was added."""
    n_rows, n_columns = counts.shape
    if len(a) > _AT_ONCE:
        joint, rows, columns = joint_counts(a, b, counts.size), range(n_rows), range(n_columns)
        if joint is None or not joint.fits(rows, columns):
            return False
        joint.add_to(counts, rows, columns)
        return True
    cells = cells_within(a, b, counts.shape)
    if cells is None:
        return False
    flat = counts.reshape(-1)
    if has_few_samples(len(cells), len(flat)):
        np.add.at(flat, cells, 1)
    else:
        flat += np.bincount(cells, minlength=len(flat))
    return True


def cells_within(a: NDArray, b: NDArray, size: tuple[int, ...]) -> NDArray | None:
    """The flat index of the cell of each sample; None if a label is outside."""
    n_rows, n_columns = size
    if not (highest(a) < n_rows and highest(b) < n_columns):
        return None
    cell = np.multiply(a, n_columns, dtype=np.int64, casting="unsafe")
    return np.add(cell, b, out=cell, dtype=np.int64, casting="unsafe")
