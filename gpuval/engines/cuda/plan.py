"""Choose the kernel that counts a table, and how to launch it, by the size of the table and the device.

Launches, and the bounds ``_FEWEST_GLOBAL``, ``_FEWEST_DEALT``, ``FEWEST_CACHED`` and the number of slots, are what was
measured on an H100 and an H200 by ``python -m benchmarks.gpu_run tune``; the others are arithmetic, of times that were
measured there. See ``benchmarks/results/2026-11-26-h100.md`` and ``2026-11-27-h200.md``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

from gpuval.engines.cells import has_few_samples

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
