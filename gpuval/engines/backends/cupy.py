"""CuPy: arrays on a GPU."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend, Kind, Widest
from gpuval.engines.backends.numpy import KINDS, WIDEST
from gpuval.numerics import Array


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

    def to_cupy(self, x: Array) -> Array:
        return x

    def from_cupy(self, x: Any, like: Array) -> Array:
        return x
