"""Arrays on the device: of NumPy, and of PyTorch and JAX on the CPU, in the place of their arrays on a GPU.

Memory of the host is memory of the device here. What the libraries do on a stream, they do at once: what was asked of
the device before is done when they are given an array.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import cupy
import numpy as np

import cupy_on_cpu
from gpuval.engines.cuda.arithmetic.lazy import Lazy

PATTERN = 0xA5
"""Of memory that was given back."""


def on_device(x: Any, shift: int = 0, dtype: Any = None) -> cupy.ndarray:
    """A copy on the device; of a vector, with a shift, one that starts so many elements behind the start of memory.

    What lies before it is not for kernels.
    """
    x = np.asarray(x, dtype=dtype)
    if not shift or not x.size:
        return cupy.asarray(x)
    found = cupy.asarray(np.concatenate([np.zeros(shift, dtype=x.dtype), x]))[shift:]
    cupy_on_cpu.device().gpuval_set_part(ctypes.c_void_p(found.data.ptr), ctypes.c_size_t(found.nbytes))
    return found


def _at(address: int, like: np.ndarray, owner: Any) -> cupy.ndarray:
    """The array of memory that an object keeps."""
    memory = cupy.cuda.UnownedMemory(address, like.nbytes, owner, 0)
    return cupy.ndarray(like.shape, like.dtype, cupy.cuda.MemoryPointer(memory, 0), like.strides)


class _Lent:
    """The memory of an array of JAX, which JAX writes over as soon as nobody refers to the array.

    It is a copy, so that this is seen, and stays where it is as long as ``kept`` has it.
    """

    def __init__(self, x: np.ndarray, kept: list[Any]) -> None:
        self.memory, self.size = cupy.empty(max(x.nbytes, 1), dtype=np.uint8), x.nbytes
        kept.append(self.memory)
        ctypes.memmove(self.memory.data.ptr, x.ctypes.data, x.nbytes)

    def __del__(self) -> None:
        ctypes.memset(self.memory.data.ptr, PATTERN, self.size)


def of_jax(x: Any, kept: list[Any]) -> cupy.ndarray:
    """``cupy.from_dlpack`` of an array of JAX."""
    seen = np.ascontiguousarray(x)
    lent = _Lent(seen, kept)
    return _at(lent.memory.data.ptr, seen, lent)


class _Shown:
    """An array of CuPy as NumPy takes it, and keeps it."""

    def __init__(self, x: cupy.ndarray) -> None:
        self.array = x
        data = (x.data.ptr, False)
        self.__array_interface__ = {
            "version": 3,
            "shape": x.shape,
            "typestr": x.dtype.str,
            "data": data,
            "strides": x.strides,
        }


def shown(x: cupy.ndarray) -> np.ndarray:
    """The memory of an array of CuPy, which its stream has written."""
    cupy_on_cpu.finish(cupy.cuda.get_current_stream().ptr)
    return np.asarray(_Shown(x)) if x.size else np.empty(x.shape, x.dtype)


class MemoryOfTorch:
    """PyTorch's memory of a GPU, and its stream, in whose order it uses the memory again."""

    def __init__(self) -> None:
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.taken: set[int] = set()
        self.number = 0  # of pieces that were handed out
        self._lent: list[Any] = []

    def from_dlpack(self, capsule: Any) -> cupy.ndarray:
        """``cupy.from_dlpack`` of what a tensor has given, whose memory is kept: the CPU's has no order of a stream."""
        import torch

        tensor = torch.from_dlpack(capsule)
        storage = tensor.untyped_storage()
        if cupy_on_cpu.device().gpuval_lend(ctypes.c_void_p(storage.data_ptr()), ctypes.c_size_t(storage.nbytes())):
            self._lent.append(storage)
        return _at(tensor.data_ptr(), tensor.numpy(), tensor)

    def take_back(self) -> None:
        """Keep no tensors any more; nothing may be to be done with them."""
        for storage in self._lent:
            cupy_on_cpu.device().gpuval_take_back(ctypes.c_void_p(storage.data_ptr()))
        self._lent.clear()

    def allocate(self, size: int, device: int, stream: int) -> int:
        assert (device, stream) == (0, self.stream.ptr)
        address: int = cupy.cuda.runtime.malloc(size)
        self.taken.add(address)
        self.number += 1
        return address

    def give_back(self, address: int) -> None:
        self.taken.remove(address)
        cupy.cuda.runtime.freeAsync(address, self.stream.ptr)


def lazy_parts(x: Any, seen: set[int]) -> Iterator[Lazy]:
    """The lazy arrays in a result, and in what it consists of."""
    if isinstance(x, Lazy):
        yield x
    if id(x) in seen or isinstance(x, Lazy):
        return
    seen.add(id(x))
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else ()
    if not parts and hasattr(x, "__dict__") and type(x).__module__.startswith("gpuval"):
        parts = vars(x).values()
    for part in parts:
        yield from lazy_parts(part, seen)
