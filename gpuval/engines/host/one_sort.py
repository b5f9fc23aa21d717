"""The non-empty cells of two vectors of codes on the host: one sort of the combined code, in the narrowest type."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray


def joint_runs(a: NDArray, b: NDArray, rows: int, columns: int) -> tuple[NDArray, NDArray, NDArray] | None:
    """Count the samples of each pair of codes that occurs.

    Parameters
    ----------
    a, b
        Codes below ``rows`` and below ``columns``, of integer types and one length.
    rows, columns
        How many codes there are.

    Returns
    -------
    None, or tuple of three arrays
        Row, column and count of each cell, by row and then by column, in int64; None if no type holds the combined
        code.
    """
    bits = max(0, columns - 1).bit_length()
    width = max(0, rows - 1).bit_length() + bits
    if width > 63:
        return None
    key = a.astype(np.uint32 if width <= 32 else np.int64)
    np.left_shift(key, key.dtype.type(bits), out=key)
    np.bitwise_or(key, b, out=key, dtype=key.dtype, casting="unsafe")
    key.sort()
    is_edge = np.ones(len(key) + 1, dtype=bool)
    np.not_equal(key[1:], key[:-1], out=is_edge[1:-1])
    edges = np.flatnonzero(is_edge)
    cells = key[edges[:-1]].astype(np.int64, copy=False)
    row_of = cells >> bits
    column_of = np.bitwise_and(cells, (1 << bits) - 1, out=cells)
    return row_of, column_of, np.diff(edges)
