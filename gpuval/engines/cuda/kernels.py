"""The kernels of the files in ``sources``, compiled when they are first used, and kept."""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np

from gpuval.engines.cuda.plan import Device

OPTIONS = ("--std=c++17",)

_COMPILED_FAST = {"margins": "mid", "pairs": "mid", "information": "mid", "overlaps": "mid", "expected": "min"}
"""The level of ``--Ofast-compile`` for files whose kernels read tables: they would compile longer than they run."""

_APPROXIMATE_ROOTS = {"distances": ("--prec-sqrt=false",)}
"""Square roots of 32 bits with an error of at most 2^-23 rather than 2^-24: exact ones took 8 % of a silhouette."""

CupyArray = Any
"""An array of CuPy, which need not be installed."""


@functools.cache
def source(file: str) -> str:
    """The text of a file of kernels, with what it includes."""
    from importlib.resources import files  # only now: nothing of it is needed on the host

    folder = files(__package__).joinpath("sources")

    def read(name: str) -> str:
        text = folder.joinpath(name).read_text(encoding="utf-8")
        return re.sub(r'^#include "(.+)"$', lambda found: read(found[1]), text, flags=re.M)

    return read(f"{file}.cu")


@functools.cache
def plain_kernels(file: str) -> tuple[str, ...]:
    """The kernels of a file that are no templates: they are compiled together."""
    text = re.sub(r"__launch_bounds__\([^)]*\)|//[^\n]*", "", source(file))
    heads = re.findall(r"(template <[^>]*>\s*)?__global__ void\s+(\w+)\(", text)
    return tuple(f"gpuval::{name}" for template, name in heads if not template)


def width_of(dtype: np.dtype[Any]) -> str:
    """The type that a kernel reads integers as; booleans become such first."""
    if dtype.kind not in "iu":
        raise TypeError(f"kernels read integers, got {dtype}")
    return f"u{8 * dtype.itemsize}"


@functools.cache
def kernel(file: str, name: str, *types: str, are_aligned: bool = False) -> Any:
    """A kernel of a file, for these types if it is a template, as CuPy calls it.

    With ``are_aligned`` it is for label vectors that both begin at a multiple of 16 bytes.
    """
    if not types:
        return _module(file, plain_kernels(file), are_aligned).get_function(f"gpuval::{name}")
    instance = f"gpuval::{name}<{', '.join(types)}>"
    return _module(file, (instance,), are_aligned).get_function(instance)


@functools.cache
def _module(file: str, names: tuple[str, ...], are_aligned: bool) -> Any:
    import cupy

    return cupy.RawModule(code=source(file), options=options_of(file, are_aligned), name_expressions=names)


def options_of(file: str, are_aligned: bool = False) -> tuple[str, ...]:
    """What NVRTC is given with the text of a file."""
    options = *OPTIONS, *_APPROXIMATE_ROOTS.get(file, ()), *fast_compilation(_COMPILED_FAST.get(file))
    return (*options, "-DGPUVAL_ALIGNED") if are_aligned else options


@functools.cache
def fast_compilation(level: str | None = None) -> tuple[str, ...]:
    """Options of NVRTC, if it has them, with which it takes less time.

    It leaves out declarations that no kernel uses, and with a level, "min", "mid" or "max", optimisations too.
    """
    import cupy

    if tuple(cupy.cuda.nvrtc.getVersion()) < (12, 8):
        return ()
    return ("--minimal",) if level is None else ("--minimal", f"--Ofast-compile={level}")


@functools.lru_cache(1024)
def kernel_of_text(text: str, name: str) -> Any:
    """A kernel whose text is not in a file; each operation is rounded by itself, as on the host."""
    import cupy

    options = (*OPTIONS, *fast_compilation("max"), "--fmad=false")
    module = cupy.RawModule(code=text, options=options, name_expressions=(name,))
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
        registers=known["MaxRegistersPerMultiprocessor"],
    )
