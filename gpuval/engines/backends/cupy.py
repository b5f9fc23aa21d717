"""CuPy: arrays on a GPU."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend, Kind, Widest
from gpuval.engines.backends.numpy import KINDS, WIDEST
from gpuval.numerics import Array

_MOST_BLOCKS, _PER_WARP = 1024, 512
"""Of a kernel that has a block for each code, or for several; and values of a code that are enough for one warp."""


class _Seen:
    """Arrays, on their device; a class, as generators take longer to enter."""

    def __init__(self, arrays: tuple[Array | None, ...]) -> None:
        self.arrays, self.device = arrays, next(x for x in arrays if x is not None).device

    def __enter__(self) -> tuple[Any, ...]:
        self.device.__enter__()
        return self.arrays

    def __exit__(self, *raised: Any) -> None:
        self.device.__exit__(*raised)


class CupyBackend(Backend):
    """CuPy: an array is copied to the host by a method of its own; its types are NumPy's."""

    def kind(self, x: Array) -> Kind:
        return KINDS.get(x.dtype.kind, "other")

    def widest(self, x: Array) -> Widest:
        return WIDEST

    def device(self, x: Array) -> Any:
        return x.device

    def is_on_gpu(self, x: Array) -> bool:
        return True

    def to_host(self, x: Array) -> np.ndarray[Any, Any]:
        return np.asarray(x.get())

    def free_bytes(self, x: Array) -> int | None:
        return int(x.device.mem_info[0])

    def entered(self, like: Array) -> AbstractContextManager[Any]:
        device: AbstractContextManager[Any] = like.device
        return device

    def as_cupy(self, *arrays: Array | None) -> AbstractContextManager[tuple[Any, ...]]:
        return _Seen(arrays)

    def to_cupy(self, x: Array) -> Array:
        return x

    def from_cupy(self, x: Any, like: Array) -> Array:
        return x

    # Sums by code: of whole numbers, and the largest values, by atomics, which give the same in any order; of floats by
    # a kernel that adds the values of a code in one order.

    def count(self, codes: Array, size: int) -> Array:
        import cupy

        counts = cupy.zeros(size, dtype=np.int64)
        cupy.add.at(counts, codes, 1)
        return counts

    def total(self, values: Array, codes: Array, size: int) -> Array:
        import cupy

        if values.dtype == np.int64:
            sums = cupy.zeros(size, dtype=np.int64)
            cupy.add.at(sums, codes, values)
            return sums
        if values.dtype != np.float64 or cupy.cuda.runtime.is_hip or not size:
            return super().total(values, codes, size)
        from gpuval.engines.cuda.kernels import kernel

        sums, order = cupy.empty(size, dtype=np.float64), cupy.argsort(codes)
        edges = cupy.searchsorted(codes[order], cupy.arange(size + 1))
        given = cupy.ascontiguousarray(values), order, edges, np.uint64(size), sums
        block = 256 if codes.size > _PER_WARP * size else 32
        kernel("segments", "sum_segments")((min(size, _MOST_BLOCKS),), (block,), given)
        return sums

    def largest(self, values: Array, codes: Array, size: int) -> Array:
        import cupy

        if values.dtype not in (np.int64, np.float64):
            return super().largest(values, codes, size)
        found = cupy.zeros(size, dtype=np.int64)  # CuPy 14.2 rounds floats of 64 bits to 32 here, and their bits not
        cupy.maximum.at(found, codes, cupy.ascontiguousarray(values).view(np.int64))
        return found.view(values.dtype)
