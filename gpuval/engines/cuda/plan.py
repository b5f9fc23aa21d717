"""Which kernel counts a table, and how it is launched: by the size of the table and of the device."""

from __future__ import annotations

from dataclasses import dataclass

MOST_SAMPLES = 1 << 31
"""Samples of one launch: what counters of 32 bits hold."""

MOST_THREADS = 896
"""Threads of a block with a table in shared memory: as many as leave each the registers that its kernel needs."""

_TINY, _MOST_COPIES = 16 << 10, 32
"""Bytes that the copies of a tiny table may take: so little that the threads of a processor are not limited by it."""

_SAMPLES_PER_CELL = 8
"""Samples of a block for each cell it keeps; with fewer, clearing and emptying its table is most of the work."""

DEALT_BITS, _FEWEST_DEALT = 4, 1 << 25
"""Bits above 32 by which keys are dealt before the sort (``BUCKETS`` of the kernel), and from how many samples on.

CuPy sorts all bits of a word: a sort of 32 and dealing before it move less memory than a sort of 64. With fewer samples
the launches of 16 buckets take longer than that saves. To be measured by ``python -m benchmarks.gpu_run tune``.
"""


@dataclass(frozen=True)
class Device:
    """What the choice depends on."""

    processors: int
    threads: int
    """How many threads a processor runs at once."""
    shared: int
    """Bytes of shared memory that one block may ask for."""
    shared_of_processor: int


@dataclass(frozen=True)
class Launch:
    """A kernel and its launch: blocks, threads of each, bytes of shared memory, copies of the table there."""

    kernel: str
    grid: int
    block: int
    shared: int = 0
    copies: int = 1


def launch_for(n_samples: int, n_cells: int, counter: int, device: Device) -> Launch:
    """How to count ``n_cells`` counters of ``counter`` bytes.

    ============================ ==================== =================================================================
    table                        kernel               why
    ============================ ==================== =================================================================
    up to 512 counters           shared, with copies  lanes of a warp meet in few cells: each copy has a part of them
    fits shared memory           shared               an atomic there costs no traffic
    larger                       global               atomics in the L2 cache, or in memory
    ============================ ==================== =================================================================

    The bounds are those of the memories, to be measured by ``python -m benchmarks.gpu_run tune``.
    """
    stride = n_cells | 1
    bytes_of_table = stride * counter
    per_block = _SAMPLES_PER_CELL * n_cells
    if bytes_of_table <= device.shared and n_samples >= min(per_block, 1 << 14):
        copies = 1
        while copies < _MOST_COPIES and 2 * copies * bytes_of_table <= _TINY:
            copies *= 2
        shared = copies * bytes_of_table
        blocks = max(1, min(device.threads // 256, device.shared_of_processor // (shared + 1024)))
        block = min(MOST_THREADS, device.threads // blocks // 32 * 32)
        wanted = -(-n_samples // max(per_block, 4 * block))
        return Launch("shared", max(1, min(device.processors * blocks, wanted)), block, shared, copies)
    return Launch("global", grid_for(n_samples, 4, 256, device), 256)


def are_dealt(n_samples: int, bits: int) -> bool:
    """Whether keys of so many bits are dealt into buckets before the sort."""
    return 32 < bits <= 32 + DEALT_BITS and n_samples >= _FEWEST_DEALT


def grid_for(n_samples: int, per_thread: int, block: int, device: Device) -> int:
    """Blocks of a kernel that strides over the samples: what the device runs at once, or fewer."""
    wanted = -(-n_samples // (per_thread * block))
    return max(1, min(device.processors * max(1, device.threads // block), wanted))
