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


_SPARSE = 8
"""Cells for each sample from which on a table is added to in 64 bits: to clear another costs more. Not measured."""

DEALT_BITS, _FEWEST_DEALT = 4, 1 << 25
"""Bits above 32 by which keys are dealt before the sort (``BUCKETS`` of the kernel), and from how many samples on.

CuPy sorts all bits of a word: a sort of 64 moves 136 bytes a key, dealing and a sort of 32 moves 56. With fewer samples
the launches of 16 buckets take longer than that saves. Not measured yet.
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
    cache: int
    """Bytes of the L2 cache."""


@dataclass(frozen=True)
class Launch:
    """A kernel and its launch: blocks, threads of each, bytes of shared memory, copies of the table there."""

    kernel: str
    grid: int
    block: int
    shared: int = 0
    copies: int = 1


def launch_for(n_samples: int, n_cells: int, counter: int, device: Device) -> Launch | None:
    """How to count ``n_cells`` counters of ``counter`` bytes; None if a sort is better.

    ============================ ==================== =================================================================
    table                        kernel               why
    ============================ ==================== =================================================================
    up to 512 counters           shared, with copies  lanes of a warp meet in few cells: each copy has a part of them
    fits shared memory           shared               an atomic there costs no traffic
    fits half of the L2 cache    global               atomics in the cache; the labels stream through the other half
    larger                       sort                 each atomic would be an access to memory
    ============================ ==================== =================================================================

    The bounds are those of the memories; none has been measured yet.
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
    if n_cells * counter <= device.cache // 2:
        return Launch("global", grid_for(n_samples, 4, 256, device), 256)
    return None


def has_few_samples(n_samples: int, n_cells: int) -> bool:
    """Whether counters beyond shared memory are so many that the samples go into the table itself."""
    return n_samples * _SPARSE < n_cells


def are_dealt(n_samples: int, bits: int) -> bool:
    """Whether keys of so many bits are dealt into buckets before the sort."""
    return 32 < bits <= 32 + DEALT_BITS and n_samples >= _FEWEST_DEALT


def grid_for(n_samples: int, per_thread: int, block: int, device: Device) -> int:
    """Blocks of a kernel that strides over the samples: what the device runs at once, or fewer."""
    wanted = -(-n_samples // (per_thread * block))
    return max(1, min(device.processors * max(1, device.threads // block), wanted))
