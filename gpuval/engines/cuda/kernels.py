"""The kernels of the ``.cu`` files, compiled when they are first used, and kept."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np

from gpuval.engines.cuda.plan import Device

OPTIONS = ("--std=c++17",)

CupyArray = Any
"""An array of CuPy, which need not be installed."""


@functools.cache
def source(name: str) -> str:
    """The text of a file of kernels, with what it includes."""
    from importlib.resources import files  # only now: nothing of it is needed on the host

    folder = files(__package__)
    text = folder.joinpath(f"{name}.cu").read_text(encoding="utf-8")
    return re.sub(
        r'^#include "(.+)"$', lambda found: folder.joinpath(found[1]).read_text(encoding="utf-8"), text, flags=re.M
    )


def width_of(dtype: np.dtype[Any]) -> str:
    """The type that a kernel reads integers as; booleans become such first."""
    if dtype.kind not in "iu":
        raise TypeError(f"kernels read integers, got {dtype}")
    return f"u{8 * dtype.itemsize}"


@functools.cache
def kernel(name: str, *types: str, file: str = "joint") -> Any:
    """A kernel, for these types if it is a template, as CuPy calls it."""
    import cupy

    instance = f"gpuval::{name}<{', '.join(types)}>" if types else f"gpuval::{name}"
    module = cupy.RawModule(code=source(file), options=OPTIONS, name_expressions=(instance,))
    return module.get_function(instance)


@functools.lru_cache(1024)
def kernel_of_text(text: str, name: str) -> Any:
    """A kernel whose text is not in a file; each operation is rounded by itself, as on the host."""
    import cupy

    module = cupy.RawModule(code=text, options=(*OPTIONS, "--fmad=false"), name_expressions=(name,))
    return module.get_function(name)


@functools.cache
def device(number: int) -> Device:
    """What the planner wants to know of a device."""
    import cupy

    known = cupy.cuda.Device(number).attributes
    return Device(
        processors=known["MultiProcessorCount"],
        threads=known["MaxThreadsPerMultiProcessor"],
        shared=known["MaxSharedMemoryPerBlockOptin"],
        shared_of_processor=known["MaxSharedMemoryPerMultiprocessor"],
    )
