"""CuPy: arrays on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend
from gpuval.numerics import Array


class CupyBackend(Backend):
    """CuPy: an array is copied to the host by a method of its own."""

    name = "cupy"

    def is_on_gpu(self, x: Array) -> bool:
        return True

    def to_host(self, x: Array) -> np.ndarray[Any, Any]:
        return np.asarray(x.get())

    def free_bytes(self, x: Array) -> int | None:
        return int(x.device.mem_info[0])
