"""CuPy: arrays on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Backend
from gpuval.numerics import Array


class CupyBackend(Backend):
    """CuPy: an array is copied to the host by a method of its own."""

    def is_on_gpu(self, x: Array) -> bool:
        return True

    def to_host(self, x: Array) -> np.ndarray[Any, Any]:
        return np.asarray(x.get())

    def free_bytes(self, x: Array) -> int | None:
        return int(x.device.mem_info[0])

    @contextmanager
    def as_cupy(self, *arrays: Array | None) -> Iterator[tuple[Any, ...]]:
        with next(x for x in arrays if x is not None).device:
            yield arrays

    def from_cupy(self, x: Any, like: Array) -> Array:
        return x
