"""CuPy: arrays on a GPU."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend, Kind, Widest
from gpuval.engines.backends.numpy import KINDS, WIDEST
from gpuval.numerics import Array


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

    def count(self, codes: Array, size: int) -> Array:
        if codes.dtype != np.int64:
            return super().count(codes, size)
        return segments().count(codes, size)

    def total(self, values: Array, codes: Array, size: int) -> Array:
        if codes.dtype != np.int64 or values.dtype not in (np.int64, np.float64):
            return super().total(values, codes, size)
        return segments().total(values, codes, size)

    def largest(self, values: Array, codes: Array, size: int) -> Array:
        if codes.dtype != np.int64 or values.dtype != np.float64:
            return super().largest(values, codes, size)
        return segments().largest(values, codes, size)


def segments() -> Any:
    """The kernels of sums by code."""
    from gpuval.engines.cuda import segments as found

    return found
