"""Variants of launches and kernels, timed: what the bounds in ``gpuval/engines/cuda/kernels.py`` should be.

Every variant is compared with the first one before it is timed.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import cupy
import numpy as np

from benchmarks.device import STANDS_IN, fewer
from benchmarks.gpu_run.run import Run
from gpuval.engines.cuda import kernels, tabulate

MATCH = """\
    const u32 peers = __match_any_sync(ALL_LANES, cell);
    if (cell != NOWHERE && threadIdx.x % 32 == __ffs(static_cast<int>(peers)) - 1)
      atomicAdd(counters + cell, times * __popc(peers));"""
"""How ``joint.cu`` adds to a table in the cache: lanes of a warp that meet in a cell add up first."""

NO_MATCH = "    if (cell != NOWHERE) atomicAdd(counters + cell, times);"

MANY = 1 << 28

LAUNCHES = ((1, 896), (2, 448), (3, 256), (4, 256), (2, 512), (6, 128), (8, 256), (8, 128))
"""Blocks of a processor and threads of a block: by their registers kernels have 3 or 4 blocks of 256, or one of 896."""

SHARED = (
    *(((4, 4), "int32", "random"), ((30, 40), "int32", "random"), ((30, 40), "int32", "sorted")),
    *(((100, 120), "int32", "random"), ((120, 120), "int32", "random"), ((150, 150), "int32", "random")),
    *(((240, 242), "int32", "random"), ((30, 40), "int8", "random")),
    *(((30, 40), "int64", "random"), ((100, 120), "int64", "random")),
)


def few_samples(run: Run) -> None:
    """The table of few samples as it is planned, straight into 64 bits in the cache, and by one of 32 bits there."""
    for n, shape in itertools.product((1000, 10**4, 10**5, 10**6, 10**7), ((30, 40), (300, 400))):
        a, b = run.labels("random", n, shape, "int64")
        cells, sizes = shape[0] * shape[1], (range(shape[0]), range(shape[1]))
        planned, direct = partial(tabulate.dense_counts, a, b, *sizes), partial(_directly, a, b, shape)
        assert bool((direct() == planned()[0].reshape(-1).view("u8")).all()), (n, shape)
        launch = tabulate.launch_of(a, b, cells)
        found = {"planned": run.median(planned, 21) * 1e6, "direct": run.median(direct, 21) * 1e6}
        with mock.patch.object(kernels, "goes_straight", return_value=False):
            found["by 32 bits"] = run.median(planned, 21) * 1e6
        run.keep(f"{n:.0e} {shape}, us, {launch.kernel}", **found)


def _directly(a: Any, b: Any, shape: tuple[int, int]) -> Any:
    """The counts of 64 bits, which the kernel adds to in the cache."""
    counts, outside = cupy.zeros(shape[0] * shape[1], dtype="u8"), cupy.zeros((), dtype="u8")
    kernel = tabulate.joint_kernel("straight", a, b, None)
    grid = kernels.grid_for(a.size, 4, 256, kernels.device(0), kernel.num_regs)
    kernel((grid,), (256,), (a, b, a, np.uint64(a.size), *_where(a, b, shape), counts, outside))
    return counts


def few_blocks(run: Run) -> None:
    """Of few samples, a table that fits shared memory: by so many blocks there, or in the cache of 64 or of 32 bits."""
    samples = 1 << 14, 1 << 15, 1 << 16, 10**5, 1 << 18, 464_640, 1 << 20, 1 << 22
    cases = itertools.product(((100, 120), (240, 242)), ("random", "mostly one"), samples)
    for shape, kind, n in itertools.islice(cases, fewer(32, 1)):
        a, b = run.labels(kind, n, shape)
        cells, call = shape[0] * shape[1], partial(tabulate.dense_counts, a, b, range(shape[0]), range(shape[1]))
        planned, wanted, found = tabulate.launch_of(a, b, cells), call()[0], {}
        for word, launch in _ways(a, b, cells).items():
            with mock.patch.object(tabulate, "launch_of", return_value=launch):
                assert bool((call()[0] == wanted).all()), (shape, kind, n, word)
                found[word] = run.median(call, 11) * 1e6
        run.keep(f"few blocks {kind} {n} {shape}, us, planned {planned.kernel} {planned.grid}", **found)


def _ways(a: Any, b: Any, cells: int) -> dict[str, kernels.Launch]:
    """Launches that count the same table, whatever the number of samples."""
    found = {}
    with mock.patch.object(kernels, "_SAMPLES_PER_CELL", 0):
        shared = tabulate.launch_of(a, b, cells)
    for grid in (1, 2, 5, 10, 20, 40, 80, 132):
        found[f"{grid} blocks"] = replace(shared, grid=grid)
    for word, is_straight in {"straight": True, "by 32 bits": False}.items():
        bounds = {"_SAMPLES_PER_CELL": 1 << 40, "goes_straight": lambda *_, straight=is_straight: straight}
        with mock.patch.multiple(kernels, **bounds):
            found[word] = tabulate.launch_of(a, b, cells)
    return found


def shared_tables(run: Run) -> None:
    """Tables in shared memory: how many blocks of how many threads, and how many copies."""
    chip = kernels.device(0)
    for shape, dtype, kind in SHARED:
        a, b = run.labels(kind, MANY, shape, dtype)
        cells = shape[0] * shape[1]
        planned = tabulate.launch_of(a, b, cells)
        chosen = planned.grid // chip.processors, planned.block, planned.copies
        found = _milliseconds(run, a, b, shape, dict.fromkeys([*_launches(cells, planned.copies, chip), chosen]))
        best = min(found, key=found.__getitem__)
        floor = (a.nbytes + b.nbytes) / run.bandwidth * 1e3
        name = f"shared {dtype} {shape} {kind}, ms"
        run.facts[name] = {_word(launch): milliseconds for launch, milliseconds in found.items()}
        both = {f"plan {_word(chosen)}": found[chosen], f"best {_word(best)}": found[best]}
        run.keep(name, floor=floor, **both)


def _launches(cells: int, copies: int, chip: kernels.Device) -> list[tuple[int, int, int]]:
    """Blocks of a processor, their threads and copies of the table that the shared memory has room for."""
    launches = []
    for (blocks, block), many in itertools.product(LAUNCHES, sorted({1, copies, 2 * copies, 4 * copies})):
        size = many * (cells | 1) * 4
        if size <= chip.shared and blocks * (size + 1024) <= chip.shared_of_processor and many <= 32:
            launches.append((blocks, block, many))
    return launches


def _milliseconds(run: Run, a: Any, b: Any, shape: tuple[int, int], launches: Any) -> dict[tuple[int, int, int], float]:
    """Of the kernel of shared memory, by the launch; all find the same table."""
    chip, cells, kernel = kernels.device(0), shape[0] * shape[1], tabulate.joint_kernel("shared", a, b, None)
    kernel.max_dynamic_shared_size_bytes = chip.shared
    wanted, found = tabulate.dense_counts(a, b, range(shape[0]), range(shape[1]))[0].reshape(-1).view("u8"), {}
    for blocks, block, copies in launches:
        counts, outside = cupy.zeros(cells, dtype="u8"), cupy.zeros((), dtype="u8")
        sizes = np.uint32(cells), np.uint32(copies)
        given = (a, b, a, np.uint64(a.size), *_where(a, b, shape), *sizes, counts, outside)
        grid, memory = chip.processors * blocks, copies * (cells | 1) * 4
        call = partial(kernel, (grid,), (block,), given, shared_mem=memory)
        call()
        assert bool((counts == wanted).all()), (blocks, block, copies)
        found[blocks, block, copies] = run.median(call, 3) * 1e3
    return found


def _word(launch: tuple[int, int, int]) -> str:
    return "x".join(map(str, launch))


def tables_in_the_cache(run: Run) -> None:
    """With and without the match of a warp's lanes, with caches of blocks, straight into 64 bits, and by a sort."""
    grids = [blocks * kernels.device(0).processors for blocks in (4, 8)]
    text = kernels.source("joint")
    if MATCH not in text:
        raise ValueError("joint.cu adds to a table in the cache in another way than MATCH")
    name, options = "gpuval::joint_global<u32, u32>", kernels.options_of("joint", are_aligned=True)
    module = cupy.RawModule(code=text.replace(MATCH, NO_MATCH), options=options, name_expressions=(name,))
    cases = (("random", 400), ("random", 1000), ("good", 1000), ("mostly one", 1000), ("random", 2500))
    for kind, side in cases:
        a, b = run.labels(kind, MANY, (side, side))
        sizes, where, outside = (range(side), range(side)), _where(a, b, (side, side)), cupy.zeros((), dtype="u8")
        wanted, found = tabulate.dense_counts(a, b, *sizes)[0].reshape(-1), {}
        match, sums = (tabulate.joint_kernel(kernel, a, b, None) for kernel in ("global", "straight"))
        variants = {"match": match, "plain": module.get_function(name)}
        for (word, kernel), grid in itertools.product(variants.items(), grids):
            counts = cupy.zeros(side * side, dtype="u4")
            given = (a, b, np.uint64(a.size), *where, counts, outside)
            call = partial(kernel, (grid,), (256,), given)
            call()
            assert bool((counts == wanted).all()), (word, grid)
            found[f"{word} {grid}"] = run.median(call, 3)
        found |= _with_caches(run, a, b, sizes, wanted)
        given = (a, b, a, np.uint64(a.size), *where, cupy.zeros(side * side, dtype="u8"), outside)
        found["64 bits"] = run.median(partial(sums, (grids[0],), (256,), given), 3)
        found["by a sort"] = run.median(partial(tabulate.runs_of, a, b, *sizes), 1)
        run.keep(f"global {kind} {side}^2, ms", **{word: seconds * 1e3 for word, seconds in found.items()})


def _with_caches(run: Run, a: Any, b: Any, sizes: tuple[range, range], wanted: Any) -> dict[str, float]:
    """Seconds of the whole table, with what the kernel for many samples adds to in the end: by the slots of a block."""
    found = {}
    for slots in (0, 1 << 11, 1 << 12, 1 << 13):
        fewest = 1 if slots else 2 * MANY
        bounds = {"FEWEST_CACHED": fewest, "_MOST_CACHED": slots, "goes_straight": lambda *_: False}
        with mock.patch.multiple(kernels, **bounds):
            chosen = tabulate.launch_of(a, b, wanted.size).kernel
            assert chosen == ("cached" if slots else "global"), chosen
            call = partial(tabulate.dense_counts, a, b, *sizes)
            assert bool((call()[0].reshape(-1) == wanted).all()), slots
            found[f"{slots} slots"] = run.median(call, 3)
    return found


def caches_of_blocks(run: Run) -> None:
    """From how many samples on it pays that blocks keep cells of a table larger than shared memory."""
    for kind, power in itertools.product(("good", "random"), range(20, 25)):
        a, b = run.labels(kind, 1 << power, (1000, 1000))
        call, found = partial(tabulate.dense_counts, a, b, range(1000), range(1000)), {}
        for word, fewest in {"cached": 1, "global": 2 * MANY}.items():
            with mock.patch.object(kernels, "FEWEST_CACHED", fewest):
                found[word] = run.median(call, 11) * 1e3
        run.keep(f"caches {kind} 2^{power}, ms", **found)


def slots(run: Run) -> None:
    """Cells of 10^5 x 10^5 clusters beside so many slots, and by a sort alone; from how many samples on it pays."""
    k, numbers = 10**5, (0, 1 << 12) if STANDS_IN else (0, 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20)
    for kind, n in itertools.product(("good", "random", "sorted", "mostly one"), (1 << 22, 1 << 24, 10**8)):
        call = partial(tabulate.runs_of, *run.labels(kind, n, (k, k)), range(k), range(k))
        found, wanted = {}, None
        for number in numbers:
            planned = kernels.Slots(number, spare=256, share=4) if number else None
            with mock.patch.object(tabulate, "slots_for", return_value=planned):
                cells = call()
                wanted = cells if wanted is None else wanted
                assert all(bool((x == y).all()) for x, y in zip(cells, wanted, strict=True)), (kind, n, number)
                found[f"{number} slots"] = run.median(call, 3) * 1e3
        run.keep(f"listed {kind} {n:.0e}, ms", **found)


@mock.patch.object(tabulate, "slots_for", return_value=None)
def sorts(run: Run, _: Any) -> None:
    """From how many samples on it pays to deal keys into buckets."""
    for bits, n in itertools.product((33, 34, 35, 36), (1 << 23, 1 << 24, 1 << 25, 1 << 26, 1 << 27)):
        shape = 1 << (bits // 2 + 1), 1 << (bits - bits // 2 - 1)
        call = partial(tabulate.runs_of, *run.labels("random", n, shape), range(shape[0]), range(shape[1]))
        found = {}
        for word, are_dealt in {"dealt": True, "whole": False}.items():
            with mock.patch.object(tabulate, "are_dealt", return_value=are_dealt):
                found[word] = run.median(call, 3) * 1e3
        run.keep(f"sort {bits} bits {n:.0e}, ms", **found)


def _where(a: Any, b: Any, shape: tuple[int, int]) -> tuple[Any, ...]:
    """What the kernels get of the labels of both sides, which start at 0, and of the number of columns."""
    reach = (tabulate._reach(x.dtype, range(size)) for x, size in zip((a, b), shape, strict=True))
    first, second = map(np.uint64, reach)
    return np.uint64(0), first, np.uint64(0), second, np.uint32(shape[1])


PARTS = (few_samples, few_blocks, shared_tables, tables_in_the_cache, caches_of_blocks, slots, sorts)
