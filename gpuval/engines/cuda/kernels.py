"""The kernels of the files in ``sources``: which arrays they read, and how they are compiled and launched."""

from __future__ import annotations

import functools
import itertools
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.engines.cells import has_few_samples
from gpuval.numerics import Array

_TRIAL = '#include <cuda_fp16.h>\nextern "C" __global__ void gpuval_trial() {}'
"""A kernel that needs what all others do: NVRTC, and the headers of CUDA that CuPy's own kernels include.

It is compiled with every option that any of gpuval's kernels is: a version of NVRTC that refuses one fails here.
"""


@functools.cache
def has_cupy() -> bool:
    """Whether CuPy is installed, and can compile kernels for a GPU of NVIDIA."""
    if not find_spec("cupy"):
        return False
    try:
        import cupy

        if not cupy.is_available() or cupy.cuda.runtime.is_hip:
            return False
        cupy.RawKernel(_TRIAL, "gpuval_trial", all_options()).compile()  # once: CuPy keeps on disk what it compiles
    except Exception as error:  # whatever is wrong with CuPy: labels go through their own library then
        warnings.warn(
            f"gpuval goes on without its CUDA kernels, as CuPy is not usable: {error}\nNVRTC and the headers of CUDA, "
            'which CuPy compiles with, come with "cupy-cuda13x[ctk]", or "cupy-cuda12x[ctk]" where CuPy is of CUDA 12',
            stacklevel=2,
        )
        return False
    return True


def are_on_one_gpu(first: Array, *others: Array | None) -> bool:
    """Whether arrays, but for None, are of one library, and lie on one GPU where CuPy can see them."""
    backend = backend_of(first)
    if not others:
        return backend.is_on_gpu(first) and has_cupy()
    arrays = [first, *(x for x in others if x is not None)]
    if not all(type(x) is type(first) and backend.is_on_gpu(x) for x in arrays):
        return False
    return all(backend.device(x) == backend.device(first) for x in arrays) and has_cupy()


# The kernels of the files in ``sources``, compiled when they are first used, and kept.

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
    options = *OPTIONS, *_ROUNDED.get(file, ()), *_fast_compilation(_COMPILED_FAST.get(file))
    return (*options, "-DGPUVAL_ALIGNED") if are_aligned else options


def options_of_texts() -> tuple[str, ...]:
    """What NVRTC is given with a text that is in no file: each operation is rounded by itself, as on the host."""
    return *OPTIONS, *_fast_compilation("max"), "--fmad=false"


def all_options() -> tuple[str, ...]:
    """Each option that NVRTC is given with any kernel; of several levels it checks each, and the last one counts."""
    of_files = map(options_of, (*_ROUNDED, *_COMPILED_FAST))
    return tuple(dict.fromkeys(itertools.chain(options_of_texts(), *of_files)))


def _fast_compilation(level: str | None = None) -> tuple[str, ...]:
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


# Choose the kernel that counts a table, and how to launch it, by the size of the table and the device.
#
# Launches, and the bounds ``_FEWEST_GLOBAL``, ``_FEWEST_DEALT``, ``FEWEST_CACHED`` and the number of slots, are what
# was measured on an H100 and an H200 by ``python -m benchmarks.gpu_run tune``; the others are arithmetic, of times that
# were measured there. See ``benchmarks/results/2026-11-26-h100.md`` and ``2026-11-27-h200.md``.

MOST_SAMPLES = 1 << 31
"""Samples of one launch: what counters of 32 bits hold."""

MOST_THREADS = 896
"""Threads of a block with a table in shared memory: as many as leave each the registers that its kernel needs."""

_TINY, _MOST_COPIES = 16 << 10, 32
"""Bytes that the copies of a tiny table may take: so little that the threads of a processor are not limited by it."""

_SAMPLES_PER_CELL = 8
"""Samples for each cell from which on a table in shared memory pays: for fewer it takes too long to clear and empty."""

_SAMPLES_PER_ADDITION = 32
"""How many samples a block counts in shared memory while one cell of a block is added to the table in the cache.

A processor counts a sample in 0.36 ns, and the cache takes 92 additions in a nanosecond. So B blocks count n samples in
0.36 n / B ns and add their c cells in c B / 92 ns. The sum is least where both are the same: for B = sqrt(32 n / c).
"""

_FEWEST_GLOBAL = 1 << 19
"""Samples from which on a table of 32 bits in the cache pays: clearing and adding it take some 25 microseconds."""

_FEW_REGISTERS = 32
"""Registers of a thread with which a processor runs as many threads as it can."""

DEALT_BITS, _FEWEST_DEALT = 4, 1 << 23
"""Bits above 32 by which keys are dealt before the sort (``BUCKETS`` of the kernel), and the fewest samples of each.

CuPy sorts all bits of a word: a sort of 32 and dealing before it move less memory than a sort of 64. With fewer samples
the launches of a bucket, 0.2 ms, take longer than that saves.
"""

_MOST_CACHED, _SAMPLES_PER_CACHED = 1 << 13, 8
"""Cells that a block keeps of a table larger than shared memory, and samples of a block for each; see ``cached.cu``."""

FEWEST_CACHED = 1 << 23
"""From how many samples on it keeps any: with fewer, clearing and emptying what it keeps is most of the work."""


@dataclass(frozen=True)
class Device:
    """What the choice depends on."""

    processors: int
    threads: int
    """How many threads a processor runs at once."""
    shared: int
    """Bytes of shared memory that one block may ask for."""
    shared_of_processor: int
    registers: int
    """How many registers a processor has."""

    def warps(self, registers: int) -> int:
        """How many warps whose threads take so many registers a processor runs at once.

        A warp gets registers in units of 256, all from the quarter of a processor that it runs on.
        """
        of_warp = -(-32 * registers // 256) * 256
        return min(self.threads // 32, self.registers // 4 // of_warp * 4)


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


@dataclass(frozen=True)
class Launch:
    """A kernel and its launch: blocks, threads of each, bytes of shared memory, copies of the table there."""

    kernel: str
    grid: int
    block: int
    shared: int = 0
    copies: int = 1


@dataclass(frozen=True)
class Slots:
    """What of many samples is counted before the others are sorted; see ``listed.cu``."""

    number: int
    """How many keys have a count: a power of two."""
    spare: int
    share: int
    """A warp may list so many keys without one, and of its samples one of ``share``: with more, all are sorted."""


def launch_for(
    n_samples: int, n_cells: int, counter: int, device: Device, registers_of: Callable[[str], int]
) -> Launch:
    """How to count ``n_cells`` counters of ``counter`` bytes; ``registers_of`` are those of a kernel's threads.

    ============================ ==================== =================================================================
    table                        kernel               why
    ============================ ==================== =================================================================
    up to 512 counters           shared, with copies  lanes of a warp meet in few cells: each copy has a part of them
    fits shared memory           shared               an atomic there costs no traffic; of few samples, see straight
    of weights or few samples    straight             nothing to clear before, and nothing to add in the end
    larger, of many samples      cached               cells that a block meets first are counted in shared memory
    larger                       global               atomics in the L2 cache, or in memory
    ============================ ==================== =================================================================
    """
    stride = n_cells | 1
    bytes_of_table = stride * counter
    if bytes_of_table <= device.shared and n_samples >= _SAMPLES_PER_CELL * n_cells:
        copies = 1
        while copies < _MOST_COPIES and 2 * copies * bytes_of_table <= _TINY:
            copies *= 2
        shared = copies * bytes_of_table
        warps = device.warps(registers_of("shared"))
        blocks = max(1, min(warps // 8, device.shared_of_processor // (shared + 1024)))
        blocks, block = _most_threads(warps, blocks)
        wanted = min(math.isqrt(_SAMPLES_PER_ADDITION * n_samples // n_cells), -(-n_samples // (4 * block)))
        return Launch("shared", max(1, min(device.processors * blocks, wanted)), block, shared, copies)
    if counter == 8 or goes_straight(n_samples, n_cells):
        return Launch("straight", grid_for(n_samples, 4, 256, device, registers_of("straight")), 256)
    if n_samples >= FEWEST_CACHED:
        room = min(device.shared, device.shared_of_processor // 2 - 1024)  # for two blocks of a processor
        slots = min(_MOST_CACHED, 1 << (room // 8).bit_length() - 1)
        grid = max(1, min(2 * device.processors, n_samples // (_SAMPLES_PER_CACHED * slots)))
        return Launch("cached", grid, min(MOST_THREADS // 2, device.threads // 64 * 32), 8 * slots)
    return Launch("global", grid_for(n_samples, 4, 256, device, registers_of("global")), 256)


def _most_threads(warps: int, blocks: int) -> tuple[int, int]:
    """Blocks of a processor, up to so many, and their threads: the most of all, and of equal ones the fewest blocks.

    Several blocks have multiples of 256 threads: those of 288 took up to 10 % longer.
    """
    found = {1: min(MOST_THREADS, warps * 32)}
    found |= {number: min(MOST_THREADS, warps // number * 32) // 256 * 256 for number in range(2, blocks + 1)}
    number = max(found, key=lambda x: x * found[x])
    return number, found[number]


def goes_straight(n_samples: int, n_cells: int) -> bool:
    """Whether samples that no table in shared memory counts are added to a table of 64 bits as they are.

    The other way is to clear a table of 32 bits, count, and add it: two launches and 24 bytes of each cell more, for
    which lanes of a warp that meet in a cell add up first. Straight it takes, where most samples are of one cell, 75 ps
    a sample, 46 more than the other way: of the samples below less than what is saved. Of more samples cells decide: 64
    bytes of traffic a sample where the cache does not hold the table make a bound of 3/8 samples a cell, from which 1/8
    keeps a distance, for cells that are met often.
    """
    return n_samples < _FEWEST_GLOBAL or has_few_samples(n_samples, n_cells)


def slots_for(n_samples: int) -> Slots | None:
    """What is counted before the sort: 6 MB of slots, an eighth of an L2 cache; nothing, if samples are few."""
    return Slots(1 << 19, spare=256, share=4) if n_samples >= 1 << 24 else None


def are_dealt(n_samples: int, bits: int) -> bool:
    """Whether keys of so many bits are dealt into buckets before the sort."""
    return 32 < bits <= 32 + DEALT_BITS and n_samples >= _FEWEST_DEALT << (bits - 32)


def grid_for(n_samples: int, per_thread: int, block: int, device: Device, registers: int = _FEW_REGISTERS) -> int:
    """Blocks of a kernel that strides over the samples: what the device runs at once, or fewer."""
    wanted = -(-n_samples // (per_thread * block))
    return max(1, min(device.processors * max(1, 32 * device.warps(registers) // block), wanted))
