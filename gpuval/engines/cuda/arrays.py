"""Arrays of other libraries on a GPU as CuPy's and back, without a copy, on their own stream."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array

_in_use: list[tuple[Any, Any]] = []
"""Arrays of JAX, each with the event after which no kernel reads it any more: JAX would use their memory again."""


@functools.cache
def has_cupy() -> bool:
    """Whether CuPy is installed, and can compile kernels for a GPU of NVIDIA."""
    if not find_spec("cupy"):
        return False
    try:
        import cupy

        if not cupy.is_available() or cupy.cuda.runtime.is_hip:
            return False
        cupy.cuda.nvrtc.getVersion()
    except Exception as error:  # whatever is wrong with CuPy: labels go through their own library then
        warnings.warn(f"gpuval goes on without its CUDA kernels, as CuPy is not usable: {error}", stacklevel=2)
        return False
    return True


def are_on_one_gpu(*arrays: Array) -> bool:
    """Whether arrays are of one library, and lie on one GPU where CuPy can see them."""
    first = arrays[0]
    backend = backend_of(first)
    if not all(type(x) is type(first) and backend.is_on_gpu(x) for x in arrays):
        return False
    return all(backend.device(x) == backend.device(first) for x in arrays) and has_cupy()


@contextmanager
def as_cupy(*arrays: Array) -> Iterator[tuple[Any, ...]]:
    """The arrays in CuPy; within, its device and stream are those of the arrays."""
    import cupy

    first = arrays[0]
    library = backend_of(first).name
    with ExitStack() as stack:
        if library == "cupy":
            stack.enter_context(first.device)
            yield arrays
        elif library == "torch":
            import torch

            stack.enter_context(cupy.cuda.Device(first.device.index))
            stack.enter_context(_stream(torch.cuda.current_stream(first.device).cuda_stream, first.device.index, cupy))
            stack.enter_context(cupy.cuda.using_allocator(_memory_of_torch()))
            yield tuple(_of_torch(x, cupy) for x in arrays)
        else:
            seen = tuple(cupy.from_dlpack(x) for x in arrays)
            stack.enter_context(seen[0].device)
            yield seen
            _keep_until_read(seen, cupy)


def _keep_until_read(seen: tuple[Any, ...], cupy: Any) -> None:
    event = cupy.cuda.Event(disable_timing=True)
    event.record()
    _in_use[:] = [(done, held) for done, held in _in_use if not done.done]
    _in_use.append((event, seen))


class _Pointer:
    """A stream as other libraries take it."""

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.pointer


def _stream(pointer: int, device: int, cupy: Any) -> Any:
    if hasattr(cupy.cuda.Stream, "from_external"):  # from CuPy 14 on
        return cupy.cuda.Stream.from_external(_Pointer(pointer))
    return cupy.cuda.ExternalStream(pointer, device)


@functools.cache
def _memory_of_torch() -> Any:
    """PyTorch's memory for CuPy: two pools would compete, and only PyTorch's own goes with a CUDA graph it captures."""
    import cupy
    import torch

    def allocate(size: int, device: int) -> int:
        stream: int = cupy.cuda.get_current_stream().ptr
        return int(torch.cuda.caching_allocator_alloc(size, device, stream))

    def free(pointer: int, device: int) -> None:
        give_back: Any = torch.cuda.caching_allocator_delete
        give_back(pointer)

    return cupy.cuda.PythonFunctionAllocator(allocate, free).malloc


def _of_torch(x: Array, cupy: Any) -> Any:
    """A tensor in CuPy; booleans as bytes, which DLPack has in all its versions."""
    import torch

    x = x.detach().contiguous()
    return cupy.from_dlpack(x.view(torch.uint8)).view(bool) if x.dtype is torch.bool else cupy.from_dlpack(x)


def brought_back(x: Any, like: Array) -> Array:
    """What CuPy found, in the library of ``like``."""
    backend = backend_of(like)
    if backend.name == "cupy":
        return x
    wide = backend.widest(like)
    if not wide.is_64bit and x.dtype.itemsize == 8:
        x = x.astype(f"{x.dtype.kind}4")
    return backend.xp.from_dlpack(x)
