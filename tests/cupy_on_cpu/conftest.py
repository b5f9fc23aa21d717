"""The tests of this folder run over the stand-ins alone: ``python tests/cupy_on_cpu``."""

import gc
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

HERE = Path(__file__).parent

LIBRARIES = ("torch", "jax")

if "cupy_on_cpu.plugin" not in sys.modules:
    collect_ignore_glob = ["*.py"]  # doctests are looked for in all modules


def pytest_itemcollected(item):
    item.add_marker(pytest.mark.gpu)


def forget_kernels():
    """Have kernels compiled anew."""
    from gpuval.engines.cuda import kernels

    for cached in (kernels.kernel, kernels._module, kernels.kernel_of_text):
        cached.cache_clear()


@pytest.fixture
def checked():
    """Kernels of gpuval with the emulator's checks, which are given what they declare.

    Each array of CuPy has memory of its own, whose end is known.
    """
    import cupy

    import cupy_on_cpu
    from cupy_on_cpu import compiler, declared

    forget_kernels()
    cupy_on_cpu.forget()
    with pytest.MonkeyPatch.context() as patch, cupy.cuda.using_allocator(cupy.cuda.malloc_async):
        patch.setattr(compiler, "kind", "checked")
        patch.setattr(cupy, "RawModule", declared.Module)
        yield
        cupy_on_cpu.finish()  # a fault of what nobody has waited for is this test's
    forget_kernels()


@pytest.fixture
def texts(monkeypatch):
    """What CuPy is asked to compile of gpuval: texts, their options and their kernels."""
    import cupy

    found, module = [], cupy.RawModule

    def recorded(*, code, options, name_expressions):
        found.append((code, options, name_expressions))
        return module(code=code, options=options, name_expressions=name_expressions)

    monkeypatch.setattr(cupy, "RawModule", recorded)
    return found


@pytest.fixture
def built_as(request, checked, monkeypatch):
    """Has kernels built as the emulator's kind, the parameter."""
    from cupy_on_cpu import compiler

    monkeypatch.setattr(compiler, "kind", request.param)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run what is built for AddressSanitizer in a process of its own, which loads that first.

    Each array has memory of its own there, so that nothing is read or written beyond it.
    """
    kind = pyfuncitem.callspec.params.get("built_as") if hasattr(pyfuncitem, "callspec") else None
    if kind != "address" or "GPUVAL_UNDER_ASAN" in os.environ:
        return None
    library = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    settings = {"ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc", "GPUVAL_UNDER_ASAN": "1"}
    environment = {**os.environ, "LD_PRELOAD": library.stdout.strip(), **settings}
    command = [sys.executable, HERE, "-p", "no:cacheprovider", "-p", "no:xdist", "-q", pyfuncitem.nodeid]
    ran = subprocess.run(command, cwd=pyfuncitem.config.rootpath, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed" in ran.stdout
    return True


@pytest.fixture
def set_processors(checked, monkeypatch):
    """What gives the device so many processors, and threads of each, as CuPy says."""
    import cupy

    from gpuval.engines.cuda import kernels

    def set_(number, threads=512):
        attributes = {"MultiProcessorCount": number, "MaxThreadsPerMultiProcessor": threads}
        found = cupy.cuda.Device(0).attributes | attributes
        monkeypatch.setattr(cupy.cuda.device, "_get_attributes", lambda number: found)
        kernels.device.cache_clear()

    yield set_
    kernels.device.cache_clear()


@pytest.fixture(scope="session")
def memory_of_torch():
    """PyTorch's memory of a GPU, in which CuPy's results lie: as long as anything may refer to them."""
    import torch

    from cupy_on_cpu.arrays import MemoryOfTorch

    memory = MemoryOfTorch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cuda, "caching_allocator_alloc", memory.allocate)
        patch.setattr(torch.cuda, "caching_allocator_delete", memory.give_back)
        yield memory
        gc.collect()  # what goes back later finds the true allocator


@pytest.fixture
def jax_on_device(checked, monkeypatch):
    """Arrays of JAX on the CPU pass for those of a GPU, where their memory is used again at once."""
    import cupy
    import jax

    from cupy_on_cpu import arrays

    kept, to_jax = [], jax.numpy.from_dlpack
    monkeypatch.setattr(cupy, "from_dlpack", lambda x: arrays.of_jax(x, kept))
    monkeypatch.setattr(jax.numpy, "from_dlpack", lambda x: to_jax(arrays.shown(x)))
    with jax.enable_x64(True):
        yield


@pytest.fixture(params=LIBRARIES)
def library(request, memory_of_torch, jax_on_device, monkeypatch):
    """What makes an array of a library whose CPU arrays pass for those of a GPU."""
    import types

    import cupy
    import jax
    import torch
    from backends import as_on_a_device

    import cupy_on_cpu
    from cupy_on_cpu.arrays import shown
    from gpuval.engines.backends.jax import JaxBackend
    from gpuval.engines.backends.torch import TORCH, TorchBackend

    for backend in (TorchBackend, JaxBackend):
        monkeypatch.setattr(backend, "is_on_gpu", lambda self, x: not self.is_traced(x))
    entered, stream = TorchBackend.entered, memory_of_torch.stream.ptr

    @contextmanager
    def entered_in_order(self, like):
        with entered(self, like):
            yield
        cupy_on_cpu.finish(stream)  # what PyTorch does next is done behind it

    of_jax = cupy.from_dlpack
    monkeypatch.setattr(
        cupy, "from_dlpack", lambda x: (of_jax if hasattr(x, "__dlpack__") else memory_of_torch.from_dlpack)(x)
    )
    monkeypatch.setattr(TorchBackend, "entered", entered_in_order)
    monkeypatch.setattr(TORCH.xp, "from_dlpack", lambda x: torch.from_numpy(shown(x)))
    monkeypatch.setattr(torch.cuda, "current_stream", lambda device: types.SimpleNamespace(cuda_stream=stream))
    with as_on_a_device():
        yield {"torch": torch.tensor, "jax": jax.numpy.asarray}[request.param]
    cupy_on_cpu.finish()
    memory_of_torch.take_back()
