"""As much of CuPy as the host code of the kernels calls, on NumPy; its kernels run in the emulator.

Host code that works with it has passed each kernel what it declares, asked for the shared memory it uses, and kept
within what a device allows. What CuPy itself does is not tested by it.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import fake_device
import numpy as np
from emulator import build, emulate, once, session_directory
from fake_device import ATTRIBUTES, Device, entered, ndarray
from kernel_instances import PAIRS, instances

SOURCES = files("gpuval.engines.cuda").joinpath("sources")

SANITISED = [(a, a) for a in ("u8", "u32", "u64")]
"""Those that run under the address sanitizer, for which building takes long."""


seeds = itertools.count(1)
compiled: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
"""The texts that CuPy was asked to compile, with their options and their names."""
launched: list[str] = []
used: set[tuple[str, ...]] = set()
"""The contexts that kernels were launched in."""


class Stream(Device):
    """A stream of another library, of the device in whose context it is made."""

    @staticmethod
    def from_external(stream: Any) -> Stream:
        assert entered()[-1].startswith("device")
        version, pointer = stream.__cuda_stream__()
        assert version == 0
        return Stream(pointer)

    def __enter__(self) -> None:
        entered().append(f"stream {self.id}")


class Event:
    """A mark on the stream, which is passed when the device has done what stands before it: see ``busy``."""

    def __init__(self, *, block: bool, disable_timing: bool) -> None:
        assert block, "who waits for an event that does not block spins"
        assert disable_timing
        self.recorded = self.done = False

    def record(self) -> None:
        self.recorded = True

    def synchronize(self) -> None:
        """Wait until the device has passed it, as the thread that asks is on the device."""
        assert self.recorded
        assert entered() == ["device 0"]
        fake_device.idle.wait()
        self.done = True


class PythonFunctionAllocator:
    """Memory that is taken from elsewhere, and goes back there."""

    def __init__(self, allocate: Any, free: Any) -> None:
        self.allocate, self.free = allocate, free

    def malloc(self, size: int) -> int:
        return int(self.allocate(size, 0))


@contextmanager
def using_allocator(malloc: Any) -> Iterator[None]:
    fake_device.allocators.append((malloc, lambda address: malloc.__self__.free(address, 0)))
    names = entered()
    names.append("memory of its own")
    try:
        yield
    finally:
        names.pop()
        fake_device.allocators.pop()


class Namespace:
    """NumPy's functions, for arrays on the device."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, type) or not callable(found):
            return found

        def on_this_device(*args: Any, device: Any = None, **options: Any) -> Any:
            return _on_device(found(*args, **options))

        return on_this_device


def _on_device(found: Any) -> Any:
    if isinstance(found, tuple):
        parts = map(_on_device, found)
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return np.asanyarray(found).view(ndarray) if isinstance(found, np.ndarray | np.generic) else found


def _made(make: Any) -> Any:
    """A function of CuPy by that of NumPy; what is no view of an array on the device has memory of its own there."""

    def made(*args: Any, **options: Any) -> ndarray:
        found = np.asanyarray(make(*args, **options))
        if any(isinstance(x, ndarray) and np.may_share_memory(x, found) for x in args):
            return found.view(ndarray)
        return fake_device.placed(found, filled=make is not np.empty)

    return made


def from_dlpack(x: Any) -> ndarray:
    """An array of another library, or the capsule that PyTorch has given: NumPy would not write into that.

    On a stream of the library the memory is used again in the order of the stream.
    """
    if hasattr(x, "__dlpack__"):
        first = np.from_dlpack(x)
    else:
        import torch

        first = torch.from_dlpack(x).numpy()
    return fake_device.shared(first, ordered=any(name.startswith("stream") for name in entered()))


kind = "checked"
"""How the kernels are built: see ``emulator.build``."""


@functools.cache
def _built(name: str, kind: Any) -> Any:
    kernels = instances(SANITISED if kind == "address" else PAIRS)
    file, names = next((file, names) for file, names in kernels.items() if name in names)
    return build(SOURCES.joinpath(f"{file}.cu"), names, kind)


@functools.cache
def _built_of_text(code: str, kind: Any) -> Any:
    """A kernel whose text is made; all others are built together, from their files."""
    target = session_directory() / f"formula-{hashlib.sha256(code.encode()).hexdigest()}.cu"
    path = once(target, lambda own: own.write_text(code, encoding="utf-8"))
    return build(path, ["gpuval::formula"], kind)


class RawModule:
    """Kernels of a file, of which a function is one."""

    def __init__(self, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> None:
        assert "--std=c++17" in options
        assert "#include" not in code
        self.code, self.names = code, name_expressions
        compiled.append((code, options, name_expressions))

    def get_function(self, name: str) -> Any:
        assert name in self.names
        return _Function(name, self.code)


class RawKernel:
    """A kernel by its name in C, which is compiled, and never launched here."""

    refused: tuple[str, ...] = ()
    """Options that the compiler does not know."""

    def __init__(self, code: str, name: str, options: tuple[str, ...] = ()) -> None:
        assert f'extern "C" __global__ void {name}(' in code
        self.options = options

    def compile(self) -> None:
        for option in self.options:
            if option in self.refused:
                raise RuntimeError(f"invalid argument {option}")


class _Function:
    max_dynamic_shared_size_bytes = 48 << 10
    num_regs = 72
    """What NVRTC allows a kernel of up to 896 threads."""

    def __init__(self, name: str, code: str) -> None:
        self.name, self.code = name, code

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0) -> None:
        assert shared_mem <= self.max_dynamic_shared_size_bytes <= ATTRIBUTES["MaxSharedMemoryPerBlockOptin"]
        registers = math.prod(block) * self.num_regs
        assert registers <= ATTRIBUTES["MaxRegistersPerBlock"], f"a block would take {registers} registers"
        launched.append(self.name)
        used.add(tuple(entered()))
        module, seen = (
            _built_of_text(self.code, x) if self.name == "gpuval::formula" else _built(self.name, x)
            for x in (kind, "checked" if kind == "address" else kind)  # that of "address" is not for this process
        )
        declared = seen.parameters(seen.names.index(self.name))
        given = [_as_declared(x, code) for x, (_, code) in zip(args, declared, strict=True)]
        seed = next(seeds)
        fake_device.in_order(
            lambda: emulate(module, self.name, grid, block, shared_mem, [x() for x in given], seed=seed)
        )


def _as_declared(x: Any, code: str) -> Any:
    """Labels as the kernels read them; scalars are NumPy's, which have the size that is declared."""
    assert isinstance(x, ndarray | np.generic), f"a kernel takes arrays and NumPy scalars, got {type(x)}"
    if isinstance(x, np.generic):
        return lambda: x
    assert x.flags.c_contiguous
    return fake_device.as_argument(
        x.view(f"u{x.itemsize}") if x.dtype.kind == "i" and np.dtype(code).kind == "u" else x
    )


@contextmanager
def installed() -> Iterator[types.ModuleType]:
    """``import cupy`` gives this module."""
    module = types.ModuleType("cupy")
    names = "asarray", "zeros", "empty", "ascontiguousarray", "cumsum", "concatenate", "argsort", "searchsorted"
    for name in names:
        setattr(module, name, _made(getattr(np, name)))
    module.ndarray, module.RawModule, module.RawKernel = ndarray, RawModule, RawKernel  # type: ignore[attr-defined]
    module.unique = Namespace().unique  # type: ignore[attr-defined]
    module.from_dlpack = from_dlpack  # type: ignore[attr-defined]
    module.is_available = lambda: True  # type: ignore[attr-defined]
    parts = Device, Event, Stream, PythonFunctionAllocator, using_allocator
    module.cuda = types.SimpleNamespace(**{part.__name__: part for part in parts})  # type: ignore[attr-defined]
    module.cuda.runtime = types.SimpleNamespace(is_hip=False)  # type: ignore[attr-defined]
    module.cuda.nvrtc = types.SimpleNamespace(getVersion=lambda: (13, 5))  # type: ignore[attr-defined]
    module.cuda.get_current_stream = lambda: types.SimpleNamespace(ptr=1234)  # type: ignore[attr-defined]
    from gpuval.engines import backends
    from gpuval.engines.backends import torch as of_torch
    from gpuval.engines.backends.cupy import CupyBackend
    from gpuval.engines.cuda import kernels, plan

    kept = sys.modules.get("cupy")
    sys.modules["cupy"] = module
    backends._by_type[ndarray] = CupyBackend(Namespace())
    caches = (kernels.kernel, kernels._module, kernels.kernel_of_text, plan.device, of_torch._memory_for_cupy)
    try:
        for cached in caches:
            cached.cache_clear()
        with fake_device.values_refused():
            yield module
    finally:
        del backends._by_type[ndarray]
        for cached in caches:
            cached.cache_clear()
        if kept is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = kept
