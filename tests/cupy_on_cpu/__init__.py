"""CuPy's own wheel on a CPU: ``install()`` puts stand-ins in the place of the driver and of the libraries of CUDA.

| what CuPy calls | what answers |
| --- | --- |
| the driver, ``libcuda.so.1``, and CUDA's runtime | ``driver.cpp`` and ``runtime.cpp``, over ``device.cpp`` |
| NVRTC | ``compiler.py``: g++ and the emulator of ``tests/engines/cuda``, for gpuval's kernels and for CuPy's own |
| thrust, cuSOLVER, cuRAND | ``libraries.py``: sorts, eigenvectors and random numbers of NumPy |
| cuBLAS | ``cublas.cpp``: products by loops |

The device has memory of the host, filled with a pattern when it is handed out and given back; streams, events and
graphs, whose work waits until somebody waits for it; and counters of launches, copies and waits.

Not real: CUB, which is turned off; the order of sums in products; cuSPARSE and cuFFT; what casts make of NaN
and of numbers that no integer holds; threads at once in kernels that do not wait, which run one after the other; how
many registers a kernel takes; several devices; and any time. What is not there says so when it is called. Arrays of
PyTorch and JAX on the CPU pass for those of a GPU: see ``arrays.py``.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import types
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "engines" / "cuda"))  # where the emulator is

from emulator import HERE as EMULATOR
from emulator import digest, once, run_gxx, session_directory

from . import compiler, libraries, runtime
from .extensions import kept

HERE = Path(__file__).parent
COUNTED = (
    "launches",
    "copies to the device",
    "copies to the host",
    "waits",
    "copies on the device",
    "fills",
    "allocations",
)
FLAGS = ("-O2", "-g1", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-shared")


def _built(name: str, *sources: str, flags: tuple[str, ...] = ()) -> Path:
    """A library of that name, of files of this folder."""
    texts = [x.read_text() for pattern in ("*.hpp", "*.cpp") for x in sorted(HERE.glob(pattern))]
    folder = session_directory() / f"device-{digest(texts, (EMULATOR / 'emulator_runtime.hpp').read_text(), flags)}"
    folder.mkdir(exist_ok=True)
    files = [str(HERE / x) for x in sources]
    return once(folder / name, lambda own: run_gxx(*FLAGS, f"-Wl,-soname,{name}", *files, *flags, "-o", str(own)))


@functools.cache
def device() -> ctypes.CDLL:
    """The driver and the runtime, loaded."""
    path = _built("libcuda.so.1", "device.cpp", "driver.cpp", "runtime.cpp", flags=compiler.headers_of_cuda())
    loaded = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    for function in ("launched", "fault", "library_of_fault"):
        getattr(loaded, f"gpuval_{function}").restype = ctypes.c_char_p
    return loaded


def _load_cublas() -> None:
    """cuBLAS by its name, with all functions that CuPy asks for: those that are not in cublas.cpp refuse."""
    extension = importlib.util.find_spec("cupy_backends.cuda.libs.cublas").origin
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", extension], capture_output=True, text=True, check=True
    ).stdout
    names = re.findall(r"\b(cublas\w+)@", listed)
    refusal = 'extern "C" __attribute__((weak, visibility("default"))) int {}() {{ return 15; }}\n'  # not supported
    others = _text("cublas.cpp", "".join(refusal.format(x) for x in names))
    versions = _text("cublas.map", "libcublas.so.13 { global: cublas*; };\n")
    path = _built("libcublas.so.13", "cublas.cpp", flags=(str(others), f"-Wl,--version-script={versions}"))
    for library in (path, _built("libcublasLt.so.13")):  # which CuPy loads first, and calls nothing of
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


def _text(name: str, text: str) -> Path:
    return once(session_directory() / f"{digest(text)}-{name}", lambda own: own.write_text(text))


@functools.cache
def install() -> None:
    """Put the stand-ins where CuPy looks for what they stand for; in a process that has not imported it."""
    if "cupy" in sys.modules:
        raise RuntimeError("CuPy is imported already, over another driver")
    os.environ |= {"CUPY_ACCELERATORS": "", "CUPY_CACHE_IN_MEMORY": "1", "GPUVAL_CUPY_ON_CPU": "1"}
    own = device()
    for name, made in (("api.runtime", lambda real: runtime.module(real, own)), ("libs.nvrtc", compiler.module)):
        _put(made(importlib.import_module(f"cupy_backends.cuda.{name}")))

    def before(stream: int) -> None:
        _check(own.gpuval_before_a_library(ctypes.c_size_t(stream)))

    _put(libraries.cusolver(before))
    _put(libraries.curand(before))
    _put(libraries.cusparse())
    sys.modules["cupy.cuda.thrust"] = libraries.thrust(before)
    sys.modules["cupyx.cusolver"] = types.ModuleType("cupyx.cusolver")  # with nothing of what else CuPy has of it
    _load_cublas()
    found = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p)(_library_of)
    own.gpuval_set_library_of(found)
    kept.append(found)


def _put(module: types.ModuleType) -> None:
    """Have CuPy import this module by its name."""
    package, _, name = module.__name__.rpartition(".")
    sys.modules[module.__name__] = module
    setattr(sys.modules[package], name, module)


def _library_of(key: bytes) -> int:
    return ctypes.addressof(_text_of(compiler.library(key.decode())))


@functools.cache
def _text_of(path: Path) -> Any:
    return ctypes.create_string_buffer(str(path).encode())


def counts() -> Counter[str]:
    """What the device was asked for since ``forget``."""
    numbers = (ctypes.c_longlong * len(COUNTED))()
    device().gpuval_counts(numbers)
    return +Counter(dict(zip(COUNTED, numbers, strict=True)))


def launched() -> list[str]:
    """The kernels that were launched since ``forget``, in their order."""
    return device().gpuval_launched().decode().splitlines()


def launched_own() -> list[str]:
    """Those of gpuval among them."""
    return [x for x in launched() if x.startswith("gpuval::")]


def forget() -> None:
    device().gpuval_forget()


def is_only_stream(stream: int) -> bool:
    """Whether kernels were launched since ``forget``, all of them on this stream."""
    return bool(device().gpuval_is_only_stream(ctypes.c_size_t(stream)))


def finish(stream: int | None = None) -> None:
    """Have the device do what stands before on a stream, or all; nobody is counted to wait for it."""
    own = device()
    _check(own.gpuval_finish_all() if stream is None else own.gpuval_finish(ctypes.c_size_t(stream)))


def _check(status: int) -> None:
    if status:
        raise runtime.error_of(status, device())
