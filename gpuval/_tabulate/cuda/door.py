"""Arrays of other libraries on a GPU as CuPy's and back, without a copy, on their own stream."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from gpuval import _namespace as ns
from gpuval._namespace import Array


@functools.cache
def has_cupy() -> bool:
    """Whether CuPy is installed, and finds a GPU."""
    if not find_spec("cupy"):
        return False
    import cupy

    return bool(cupy.is_available())


def are_on_one_gpu(*arrays: Array) -> bool:
    """Whether arrays are of one library, and lie on one GPU where CuPy can see them."""
    first = arrays[0]
    if ns.is_torch(first):  # not asked for CuPy: inside torch.compile its tracer would go into array-api-compat
        is_on_gpu = _is_of_torch(first)
    else:
        is_on_gpu = not ns.is_numpy(first) and (ns.is_cupy(first) or _is_of_jax(first))
    if not is_on_gpu or not all(type(x) is type(first) for x in arrays):
        return False
    return all(ns.device(x) == ns.device(first) for x in arrays) and has_cupy()


def _is_of_torch(x: Array) -> bool:
    return x.device.type == "cuda" and not (ns.is_compiling(x) or ns.is_recorded())


def _is_of_jax(x: Array) -> bool:
    if not ns.is_jax(x) or ns.is_traced(x):
        return False
    (first, *others) = x.devices()
    return first.platform in ("gpu", "cuda") and not others


@contextmanager
def as_cupy(*arrays: Array) -> Iterator[tuple[Any, ...]]:
    """The arrays in CuPy; within, its device and stream are those of the arrays."""
    import cupy

    first = arrays[0]
    with ExitStack() as stack:
        if ns.is_cupy(first):
            stack.enter_context(first.device)
            yield arrays
            return
        if ns.is_torch(first):
            import torch

            stack.enter_context(cupy.cuda.Device(first.device.index))
            stream = torch.cuda.current_stream(first.device)
            stack.enter_context(cupy.cuda.ExternalStream(stream.cuda_stream, first.device.index))
            stack.enter_context(cupy.cuda.using_allocator(_memory_of_torch()))
            yield tuple(_of_torch(x, cupy) for x in arrays)
            return
        seen = tuple(cupy.from_dlpack(x) for x in arrays)
        stack.enter_context(seen[0].device)
        yield seen


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
    if ns.is_cupy(like):
        return x
    wide = ns.widest(like)
    if not wide.is_64bit and x.dtype.itemsize == 8:
        x = x.astype(f"{x.dtype.kind}4")
    return ns.namespace(like).from_dlpack(x)
