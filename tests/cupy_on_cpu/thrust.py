"""In the place of CuPy's module of thrust, whose sorts are compiled for GPUs: NumPy's, on the memory of the device."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

available = True
before: Callable[[int], int]
"""Has the device do what stands before on a stream."""


def get_build_version() -> int:
    return 300000


def _at(address: int, dtype: Any, shape: Sequence[int]) -> np.ndarray:
    dtype, size = np.dtype(dtype), int(np.prod(shape))
    if not size:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (size * dtype.itemsize)).from_address(address)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


def _before() -> None:
    import cupy

    before(cupy.cuda.get_current_stream().ptr)


def sort(dtype: Any, data: int, keys: int, shape: Sequence[int]) -> None:
    """Sort each row in place."""
    _before()
    _at(data, dtype, shape).sort(axis=-1, kind="stable")


def argsort(dtype: Any, positions: int, data: int, keys: int, shape: Sequence[int]) -> None:
    """Sort each row in place, and write where its values were."""
    _before()
    values = _at(data, dtype, shape)
    order = np.argsort(values, axis=-1, kind="stable")
    _at(positions, np.int64, shape)[...] = order
    values[...] = np.take_along_axis(values, order, axis=-1)


def lexsort(dtype: Any, positions: int, keys: int, k: int, n: int) -> None:
    """Write the order of columns of ``k`` keys, of which the last counts first."""
    _before()
    _at(positions, np.int64, (n,))[...] = np.lexsort(_at(keys, dtype, (k, n)))
