"""CuPy: arrays on a GPU."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend, Kind, Widest
from gpuval.engines.backends.numpy import KINDS, WIDEST
from gpuval.numerics import Array

_MOST_BLOCKS, _PER_WARP = 1024, 512
"""Of a kernel that has a block for each code, or for several; and values of a code that are enough for one warp."""


class _DeviceContext:
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
        return _DeviceContext(arrays)

    def to_cupy(self, x: Array) -> Array:
        return x

    def from_cupy(self, x: Any, like: Array) -> Array:
        return x

    # Sums by code: of whole numbers, and the largest values, by atomics, which give the same in any order; of floats by
    # a kernel that adds the values of a code in one order.

    def count(self, codes: Array, size: int) -> Array:
        import cupy

        with codes.device:
            counts = cupy.zeros(size, dtype=np.int64)
            cupy.add.at(counts, codes, 1)
        return counts

    def total(self, values: Array, codes: Array, size: int) -> Array:
        import cupy

        with codes.device:
            if values.dtype == np.int64:
                sums = cupy.zeros(size, dtype=np.int64)
                cupy.add.at(sums, codes, values)
                return sums
            if values.dtype != np.float64 or cupy.cuda.runtime.is_hip or not size:
                return super().total(values, codes, size)
            order = cupy.argsort(codes)
            return _sums_of_segments(values, order, cupy.searchsorted(codes[order], cupy.arange(size + 1)))

    def total_of_runs(self, values: Array, codes: Array, lengths: Array) -> Array:
        import cupy

        if values.dtype != np.float64 or cupy.cuda.runtime.is_hip or not lengths.size:
            return super().total_of_runs(values, codes, lengths)
        with codes.device:
            edges = cupy.zeros(lengths.size + 1, dtype=np.int64)
            cupy.cumsum(lengths, out=edges[1:])
            return _sums_of_segments(values, None, edges)

    def largest(self, values: Array, codes: Array, size: int) -> Array:
        import cupy

        if values.dtype not in (np.int64, np.float64):
            return super().largest(values, codes, size)
        # By their bits, whose order is that of floats from 0 on: CuPy 14.2 rounds floats of 64 bits to 32 here.
        with codes.device:
            found = cupy.zeros(size, dtype=np.int64)
            cupy.maximum.at(found, codes, cupy.ascontiguousarray(values).view(np.int64))
        return found.view(values.dtype)


def _sums_of_segments(values: Array, order: Array | None, edges: Array) -> Array:
    """The sums of the values between edges, in an order, or as they lie; on the current device."""
    import cupy

    size = edges.size - 1
    sums = cupy.empty(size, dtype=np.float64)
    places = edges if order is None else order  # never read without an order
    given = cupy.ascontiguousarray(values), np.uint32(order is not None), places, edges, np.uint64(size), sums
    block = 256 if values.size > _PER_WARP * size else 32
    _kernel()((min(size, _MOST_BLOCKS),), (block,), given)
    return sums


@functools.cache
def _kernel() -> Any:
    import cupy

    name = "gpuval::sum_segments"
    return cupy.RawModule(code=_SUM_SEGMENTS, options=("--std=c++17",), name_expressions=(name,)).get_function(name)


_SUM_SEGMENTS = """
namespace gpuval {

// The sums of the values from edges[c] to before edges[c + 1], a block for each c: by "order", which has their places,
// or as they lie.
__global__ void sum_segments(const double* values, unsigned has_order, const long long* order, const long long* edges,
                             unsigned long long size, double* sums) {
  __shared__ double of_warps[8];
  for (unsigned long long c = blockIdx.x; c < size; c += gridDim.x) {
    double sum = 0;
    for (long long i = edges[c] + threadIdx.x; i < edges[c + 1]; i += blockDim.x)
      sum += values[has_order ? order[i] : i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    __syncthreads();  // the sums of warps before have been read
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) sum += of_warps[warp];
      sums[c] = sum;
    }
  }
}

}  // namespace gpuval
"""
