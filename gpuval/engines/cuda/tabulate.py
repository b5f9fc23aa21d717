"""Tables of label vectors on a GPU, by the kernels: CuPy arrays in, CuPy arrays out, on the device of the labels.

All of it runs on CuPy's current stream. Labels are integers or booleans.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.cuda.kernels import (
    DEALT_BITS,
    MOST_SAMPLES,
    CupyArray,
    Launch,
    Slots,
    are_dealt,
    device,
    grid_for,
    kernel,
    launch_for,
    slots_for,
    width_of,
)

_COUNTERS = {"i": "u64", "u": "u64", "f": "double"}
"""The counters of the kernels, by the kind of the weights."""

Sides = tuple[range, range, int]
"""The labels of the rows and of the columns, and how many bits of a key those of the columns take."""

_SORTED_AT_ONCE = 1 << 28
"""Samples whose keys are sorted together: 4 GB with what the sort needs beside them."""

_KEYS_OF_BLOCK = 256 * 16
"""Keys of which one block finds the runs: its threads, and ``ROUNDS`` of the kernel."""

_NO_KEY = np.uint64(2**64 - 1)
"""Behind all keys, which have 63 bits."""


class _Runs(NamedTuple):
    """The non-empty cells, by row and then by column."""

    rows: CupyArray
    columns: CupyArray
    counts: CupyArray


def readable(labels: CupyArray) -> CupyArray:
    """Labels as the kernels read them: one behind the other, and booleans as bytes that are 0 or 1, in a pass more."""
    if labels.dtype.kind != "b" and labels.flags.c_contiguous:
        return labels
    import cupy

    labels = cupy.ascontiguousarray(labels)
    if labels.dtype.kind == "b":  # any byte but 0 may stand for true: NumPy and CuPy make such by view(bool)
        return (labels.view(np.uint8) != 0).view(np.uint8)
    return labels


def _are_aligned(a: CupyArray, b: CupyArray) -> bool:
    """Whether both vectors begin at a multiple of 16 bytes, as what was allocated does, but ``labels[1:]`` does not."""
    return bool((a.data.ptr | b.data.ptr) % 16 == 0)


def limits_of(a: CupyArray, b: CupyArray) -> tuple[tuple[int, int], tuple[int, int]]:
    """The smallest and the largest label of both vectors, which are not empty: one pass, one transfer."""
    import cupy

    a, b = readable(a), readable(b)
    flips = [_sign_bit(x.dtype) for x in (a, b)]
    found = cupy.asarray(np.asarray([2**64 - 1, 0] * 2, dtype=np.uint64))
    run = kernel("limits", "limits", width_of(a.dtype), width_of(b.dtype), are_aligned=_are_aligned(a, b))
    grid = grid_for(a.size, 16, 256, device(a.device.id), run.num_regs)
    run((grid,), (256,), (a, b, np.uint64(a.size), *map(np.uint64, flips), found))
    low_a, high_a, low_b, high_b = found.get().tolist()
    return (
        (_label(low_a, flips[0], a.dtype), _label(high_a, flips[0], a.dtype)),
        (_label(low_b, flips[1], b.dtype), _label(high_b, flips[1], b.dtype)),
    )


def dense_counts(
    a: CupyArray, b: CupyArray, rows: range, columns: range, weights: CupyArray | None = None
) -> tuple[CupyArray, CupyArray]:
    """A dense table, and how many samples do not count; nothing leaves the device.

    Parameters
    ----------
    a, b
        Labels of one length.
    rows, columns
        The labels of the rows and of the columns; their first ones are 0, or no larger than any label.
    weights
        None, or weights of int64 or float64.

    Returns
    -------
    tuple of two arrays
        Shape (rows, columns), int64 or float64; and how many samples have a label outside, or a weight that is negative
        or not finite, shape (), int64.
    """
    import cupy

    counts = cupy.zeros((len(rows), len(columns)), dtype=np.int64 if weights is None else weights.dtype)
    outside = cupy.zeros((), dtype=np.int64)
    add_to(counts, outside, a, b, rows, columns, weights)
    return counts, outside


def add_to(
    counts: CupyArray,
    outside: CupyArray,
    a: CupyArray,
    b: CupyArray,
    rows: range,
    columns: range,
    weights: CupyArray | None = None,
) -> None:
    """Count into a table that is there, of int64, or of the type of the weights; see :func:`dense_counts`."""
    import cupy

    if not counts.flags.c_contiguous:
        raise ValueError("counts must be contiguous, got another order of its memory")
    a, b = readable(a), readable(b)
    where = (
        *(np.uint64(_bits(rows.start)), np.uint64(_reach(a.dtype, rows))),
        *(np.uint64(_bits(columns.start)), np.uint64(_reach(b.dtype, columns))),
        np.uint32(len(columns)),
    )
    weights = None if weights is None else cupy.ascontiguousarray(weights)
    if counts.size and 0 < a.size <= MOST_SAMPLES:
        _add(counts, outside, a, b, where, weights)
    elif counts.size:
        for start in range(0, a.size, MOST_SAMPLES):
            part = slice(start, start + MOST_SAMPLES)
            _add(counts, outside, a[part], b[part], where, None if weights is None else weights[part])


def lower_bounds(bounds: CupyArray, outside: CupyArray, a: CupyArray, b: CupyArray) -> None:
    """Lower the smallest labels and the complements of the largest, int64, once samples are outside."""
    a, b = readable(a), readable(b)
    if a.size:
        signs = (np.uint32(x.dtype.kind == "i") for x in (a, b))
        run = kernel("limits", "furthest", width_of(a.dtype), width_of(b.dtype))
        grid = grid_for(a.size, 16, 256, device(a.device.id), run.num_regs)
        run((grid,), (256,), (a, b, np.uint64(a.size), *signs, outside, bounds))


def joint_kernel(name: str, a: CupyArray, b: CupyArray, weights: CupyArray | None) -> Any:
    """The kernel that :func:`launch_for` names so, for these types."""
    types = width_of(a.dtype), width_of(b.dtype)
    if name == "cached":
        return kernel("cached", "joint_cached", *types)
    if name == "global":
        return kernel("joint", "joint_global", *types, are_aligned=_are_aligned(a, b))
    name = {"shared": "joint_shared", "straight": "joint_global_sums"}[name]
    weight = "gpuval::One" if weights is None else _COUNTERS[weights.dtype.kind]
    return kernel("joint", name, *types, weight, are_aligned=_are_aligned(a, b))


def launch_of(a: CupyArray, b: CupyArray, n_cells: int, weights: CupyArray | None = None) -> Launch:
    """How the samples are counted, with the registers that the kernels take on the device of the labels."""
    counter = 4 if weights is None else 8
    return launch_for(a.size, n_cells, counter, device(a.device.id), lambda x: joint_kernel(x, a, b, weights).num_regs)


def _add(
    counts: CupyArray, outside: CupyArray, a: CupyArray, b: CupyArray, where: tuple[Any, ...], weights: CupyArray | None
) -> None:
    import cupy

    launch = launch_of(a, b, counts.size, weights)
    run = joint_kernel(launch.kernel, a, b, weights)
    shape, n = ((launch.grid,), (launch.block,)), np.uint64(a.size)
    given = a if weights is None else weights  # never read without weights
    if launch.kernel == "shared":
        if launch.shared > 48 << 10:  # what a kernel may have without asking; always the same, whoever else asks
            run.max_dynamic_shared_size_bytes = device(a.device.id).shared
        sizes = np.uint32(counts.size), np.uint32(launch.copies)
        run(*shape, (a, b, given, n, *where, *sizes, counts, outside), shared_mem=launch.shared)
    elif launch.kernel == "straight":
        run(*shape, (a, b, given, n, *where, counts, outside))
    else:
        narrow = cupy.zeros(counts.size, dtype=np.uint32)
        if launch.kernel == "cached":
            run.max_dynamic_shared_size_bytes = launch.shared
            where = *where, np.uint32((launch.shared // 8).bit_length() - 1)
        run(*shape, (a, b, n, *where, narrow, outside), shared_mem=launch.shared)
        counts += narrow.reshape(counts.shape)


def runs_of(a: CupyArray, b: CupyArray, rows: range, columns: range) -> _Runs | None:
    """The non-empty cells, by one sort of combined keys; None if no key has room for them.

    All labels are in ``rows`` and in ``columns``. Of many samples those of frequent cells are counted before the sort.
    Scratch memory is bounded: samples are sorted in blocks, of which the cells are merged.
    """
    bits = max(0, len(columns) - 1).bit_length()
    width = max(0, len(rows) - 1).bit_length() + bits
    if width > 63:
        return None
    a, b = readable(a), readable(b)
    sides = rows, columns, bits
    parts = [
        _runs_of_block(a[i : i + _SORTED_AT_ONCE], b[i : i + _SORTED_AT_ONCE], sides, width)
        for i in range(0, max(1, a.size), _SORTED_AT_ONCE)
    ]
    cells, counts = parts[0] if len(parts) == 1 else _merge(parts)
    return _Runs(cells >> bits, cells & ((1 << bits) - 1), counts)


def _runs_of_block(a: CupyArray, b: CupyArray, sides: Sides, width: int) -> tuple[CupyArray, CupyArray]:
    """The distinct keys of samples, as int64, and how often each occurs: what CuPy sorts has 32 bits where it can."""
    import cupy

    slots = slots_for(a.size)
    beside = None if slots is None else _runs_beside(a, b, sides, slots)
    if beside is not None:
        return beside
    if are_dealt(a.size, width):
        keys, ends = _dealt(a, b, sides)
        starts = [0, *ends[:-1]]
        found = [_runs_in(keys[start:end]) for start, end in zip(starts, ends, strict=True)]
        parts = [(cells.astype(np.int64) + (i << 32), counts) for i, (cells, counts) in enumerate(found)]
        cells, counts = (cupy.concatenate(x) for x in zip(*parts, strict=True))
        return cells, counts
    cells, counts = _runs_in(_keys(a, b, sides, np.uint32 if width <= 32 else np.uint64))
    return cells.astype(np.int64), counts


def _runs_beside(a: CupyArray, b: CupyArray, sides: Sides, slots: Slots) -> tuple[CupyArray, CupyArray] | None:
    """The same as of a block, with the keys that have a slot counted there; None if too many have none.

    Keys without one are listed behind those of the slots, so that one sort finds all cells; a key that has a slot is
    not listed, and one of its samples is then the slot's key.
    """
    import cupy

    behind = slots.number + 1  # a key more that is none: the last run is always that of no key
    run = kernel("listed", "list_cells", width_of(a.dtype), width_of(b.dtype))
    grid = grid_for(a.size, 4, 256, device(a.device.id), run.num_regs)
    warps = grid * 256 // 32
    keys = cupy.empty(behind + warps * slots.spare + a.size // slots.share, dtype=np.uint64)
    keys[:behind].fill(_NO_KEY)
    counts, length = cupy.zeros(slots.number, dtype=np.uint32), cupy.zeros((), dtype=np.uint64)
    sizes = np.uint32(slots.number.bit_length() - 1), np.uint32(slots.spare), np.uint32(slots.share)
    results = keys[: slots.number], counts, keys[behind:], length
    run((grid,), (256,), (*_pairs(a, b, sides), *sizes, *results))
    end = behind + int(length.get())
    if end > keys.size:
        return None
    counted = keys[: slots.number].copy()
    cells, times = _runs_in(keys[:end])
    times[cupy.searchsorted(cells, counted)] += counts.astype(np.int64) - 1  # of a free slot: to the run of no key
    return cells[:-1].astype(np.int64), times[:-1]


def _dealt(a: CupyArray, b: CupyArray, sides: Sides) -> tuple[CupyArray, list[int]]:
    """The lowest 32 bits of the keys, those with the same higher bits together, and where each such bucket ends."""
    import cupy

    sizes, keys = cupy.zeros(1 << DEALT_BITS, dtype=np.uint64), cupy.empty(a.size, dtype=np.uint32)
    _launch_key_kernel("bucket_sizes", a, b, sides, 16, sizes)
    next_ = cupy.cumsum(sizes, dtype=np.uint64) - sizes
    _launch_key_kernel("deal_keys", a, b, sides, 8, next_, keys)
    return keys, next_.get().tolist()


def _launch_key_kernel(
    name: str, a: CupyArray, b: CupyArray, sides: Sides, per_thread: int, *results: CupyArray, key: Any = ()
) -> None:
    """Launch a kernel that makes the combined key of each sample, of so many samples a thread at least."""
    run = kernel("keys", name, width_of(a.dtype), width_of(b.dtype), *key)
    run(
        (grid_for(a.size, per_thread, 256, device(a.device.id), run.num_regs),),
        (256,),
        (*_pairs(a, b, sides), *results),
    )


def _pairs(a: CupyArray, b: CupyArray, sides: Sides) -> tuple[Any, ...]:
    """What kernels get that make the combined key of each sample."""
    rows, columns, bits = sides
    return a, b, np.uint64(a.size), np.uint64(_bits(rows.start)), np.uint64(_bits(columns.start)), np.uint32(bits)


def _keys(a: CupyArray, b: CupyArray, sides: Sides, dtype: Any) -> CupyArray:
    import cupy

    keys = cupy.empty(a.size, dtype=dtype)
    if a.size:
        _launch_key_kernel("keys_of", a, b, sides, 4, keys, key=(width_of(keys.dtype),))
    return keys


def _runs_in(keys: CupyArray) -> tuple[CupyArray, CupyArray]:
    """The distinct keys, and how often each occurs."""
    import cupy

    if keys.size == 0:
        return keys, cupy.zeros(0, dtype=np.int64)
    keys.sort()
    n, kind = np.uint64(keys.size), width_of(keys.dtype)
    grid = -(-keys.size // _KEYS_OF_BLOCK)
    runs = cupy.empty(grid, dtype=np.uint64)
    kernel("runs", "count_runs", kind)((grid,), (256,), (keys, n, runs))
    ends = cupy.cumsum(runs, dtype=np.uint64)
    size = int(ends[-1].get())
    starts, cells = cupy.empty(size + 1, dtype=np.int64), cupy.empty(size, dtype=keys.dtype)
    starts[size] = keys.size
    kernel("runs", "write_runs", kind)((grid,), (256,), (keys, n, ends - runs, starts, cells))
    return cells, starts[1:] - starts[:-1]


def _merge(parts: list[tuple[CupyArray, CupyArray]]) -> tuple[CupyArray, CupyArray]:
    """The cells of several blocks, with equal ones added up."""
    import cupy

    keys, counts = (cupy.concatenate(x) for x in zip(*parts, strict=True))
    order = cupy.argsort(keys)
    cells, runs = _runs_in(keys.view(np.uint64))  # which sorts the keys
    ends = cupy.cumsum(runs)
    totals = cupy.cumsum(counts[order])[ends - 1]
    totals[1:] -= totals[:-1].copy()
    return cells.view(np.int64), totals


def _sign_bit(dtype: np.dtype[Any]) -> int:
    return 1 << (8 * dtype.itemsize - 1) if dtype.kind == "i" else 0


def _label(ordered: int, flip: int, dtype: np.dtype[Any]) -> int:
    """The label that a kernel's ordered number stands for."""
    raw = ordered ^ flip
    return raw - (1 << 8 * dtype.itemsize) if raw & flip else raw


def _bits(low: int) -> int:
    """A label as 64 bits."""
    return low % (1 << 64)


def _reach(dtype: np.dtype[Any], labels: range) -> int:
    """How many of the labels the type has: the others would be taken for negative ones, which lie behind them."""
    return max(0, min(len(labels), int(np.iinfo(dtype).max) - labels.start + 1))
