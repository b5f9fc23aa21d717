"""The kernels of the files in ``sources``, compiled when they are first used, and kept."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

import numpy as np

OPTIONS = ("--std=c++17",)

_COMPILED_FAST = {"margins": "mid", "pairs": "mid", "information": "mid", "overlaps": "mid", "expected": "min"}
"""The level of ``--Ofast-compile`` for files whose kernels read tables: they would compile longer than they run."""

_ROUNDED = {"distances": ("--prec-sqrt=false",), "trees": ("--fmad=false",)}
"""How files of kernels for points round.

Square roots of 32 bits have an error of at most 2^-23 rather than 2^-24: exact ones took 8 % of a silhouette. Where
ties matter, each operation is rounded by itself, as on the host.
"""

_FIRST_MINIMAL, _FIRST_LEVELS = (12, 8), (12, 9)
"""The versions of NVRTC from which on it is given ``--minimal`` and the level "max", and the levels "mid" and "min".

NVRTC 12.8 refuses these two levels. (12.4 has ``--minimal`` too, and 12.5 "max"; the tests compile with 12.8 and 12.9.)
"""

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
    options = *OPTIONS, *_ROUNDED.get(file, ()), *fast_compilation(_COMPILED_FAST.get(file))
    return (*options, "-DGPUVAL_ALIGNED") if are_aligned else options


def options_of_texts() -> tuple[str, ...]:
    """What NVRTC is given with a text that is in no file: each operation is rounded by itself, as on the host."""
    return *OPTIONS, *fast_compilation("max"), "--fmad=false"


def all_options() -> tuple[str, ...]:
    """Each option that NVRTC is given with any kernel; of several levels it checks each, and the last one counts."""
    of_files = map(options_of, (*_ROUNDED, *_COMPILED_FAST))
    return tuple(dict.fromkeys(itertools.chain(options_of_texts(), *of_files)))


def fast_compilation(level: str | None = None) -> tuple[str, ...]:
    """Options of NVRTC, if it has them, with which it takes less time.

    It leaves out declarations that no kernel uses, and with a level, "min", "mid" or "max", optimisations too.
    """
    import cupy

    version = tuple(cupy.cuda.nvrtc.getVersion())
    if version < _FIRST_MINIMAL:
        return ()
    if level is None or (level != "max" and version < _FIRST_LEVELS):
        return ("--minimal",)
    return "--minimal", f"--Ofast-compile={level}"


@functools.lru_cache(1024)
def kernel_of_text(text: str, name: str) -> Any:
    """A kernel whose text is not in a file."""
    import cupy

    module = cupy.RawModule(code=text, options=options_of_texts(), name_expressions=(name,))
    return module.get_function(name)
