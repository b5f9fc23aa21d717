"""Counts, sums and largest values by code, by the kernels: CuPy arrays in, CuPy arrays out.

Codes are of int64, from 0 to below ``size``. No value is copied to the host, and the digits are the same each time.
"""

from __future__ import annotations

import numpy as np

from gpuval.engines.cuda.kernels import CupyArray, device, kernel
from gpuval.engines.cuda.plan import grid_for

_BLOCK = 256


def count(codes: CupyArray, size: int) -> CupyArray:
    """How often each code occurs, shape (size,), int64."""
    import cupy

    counts = cupy.zeros(size, dtype=np.int64)
    _of_values("count_codes", (), codes, counts)
    return counts


def total(values: CupyArray, codes: CupyArray, size: int) -> CupyArray:
    """The sum of the values of each code, shape (size,), of values of int64 or float64."""
    import cupy

    if values.dtype.kind == "i":
        sums = cupy.zeros(size, dtype=np.int64)
        _of_values("add_by_code", (values,), codes, sums)
        return sums
    sums = cupy.empty(size, dtype=np.float64)
    order = cupy.argsort(codes)
    edges = cupy.searchsorted(codes[order], cupy.arange(size + 1))
    if size:
        grid = min(size, device(codes.device.id).processors * 8)
        values = cupy.ascontiguousarray(values)
        kernel("segments", "sum_segments")((grid,), (_BLOCK,), (values, order, edges, np.uint64(size), sums))
    return sums


def largest(values: CupyArray, codes: CupyArray, size: int) -> CupyArray:
    """The largest value (>= 0) of each code, 0 if it does not occur, shape (size,), of values of float64."""
    import cupy

    found = cupy.zeros(size, dtype=np.float64)
    _of_values("largest_by_code", (values,), codes, found)
    return found


def _of_values(name: str, values: tuple[CupyArray, ...], codes: CupyArray, results: CupyArray) -> None:
    import cupy

    if codes.size:
        given = *map(cupy.ascontiguousarray, (*values, codes)), np.uint64(codes.size)
        grid = grid_for(codes.size, 4, _BLOCK, device(codes.device.id))
        kernel("segments", name)((grid,), (_BLOCK,), (*given, results))
