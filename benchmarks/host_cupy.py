"""A CuPy of which launches do nothing, on NumPy's memory: what is left of a score is the time of its host code.

It has what the engine of CUDA calls for scores of integer labels, and does as little as it can, so that it adds next to
nothing itself.
"""

from __future__ import annotations

import sys
import types
from contextlib import nullcontext
from typing import Any

import numpy as np

launched: list[str] = []
"""The kernels that were launched."""


class Device:
    """The only device, as CuPy names it and enters it."""

    id = 0
    attributes = {  # noqa: RUF012 - CuPy's own is an attribute of the object
        "MultiProcessorCount": 132,
        "MaxThreadsPerMultiProcessor": 2048,
        "MaxRegistersPerMultiprocessor": 1 << 16,
        "MaxSharedMemoryPerBlockOptin": 227 << 10,
        "MaxSharedMemoryPerMultiprocessor": 228 << 10,
        "L2CacheSize": 50 << 20,
    }

    def __init__(self, number: int | None = 0) -> None: ...

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


_DEVICE = Device()


_ALIGNED = types.SimpleNamespace(ptr=256)


class ndarray(np.ndarray[Any, Any]):  # noqa: N801 - its name in CuPy
    """An array on the device."""

    device = _DEVICE

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__((key, ...) if type(key) is int else key)

    @property
    def data(self) -> Any:
        """Where it lies."""
        return _ALIGNED

    def get(self) -> Any:
        """A copy on the host."""
        return np.array(self)


class _Kernel:
    max_dynamic_shared_size_bytes = 48 << 10
    num_regs = 64

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0) -> None:
        launched.append(self.name)


class _Module:
    def __init__(self, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> None: ...

    def get_function(self, name: str) -> _Kernel:
        return _Kernel(name)


def _made(make: Any) -> Any:
    return lambda *args, **options: make(*args, **options).view(ndarray)


def _from_dlpack(x: Any) -> Any:
    import torch

    return (np.from_dlpack(x) if hasattr(x, "__dlpack__") else torch.from_dlpack(x).numpy()).view(ndarray)


def install() -> None:
    """``import cupy`` gives this from now on."""
    cupy: Any = types.ModuleType("cupy")
    for name in ("asarray", "ascontiguousarray", "empty", "zeros"):
        setattr(cupy, name, _made(getattr(np, name)))
    cupy.ndarray, cupy.RawModule, cupy.from_dlpack = ndarray, _Module, _from_dlpack
    stream = types.SimpleNamespace(from_external=lambda stream: Device())
    allocator = types.SimpleNamespace(malloc=None)
    cupy.cuda = types.SimpleNamespace(
        Device=Device,
        Stream=stream,
        PythonFunctionAllocator=lambda allocate, free: allocator,
        using_allocator=lambda malloc: nullcontext(),
        nvrtc=types.SimpleNamespace(getVersion=lambda: (13, 0)),
    )
    sys.modules["cupy"] = cupy
