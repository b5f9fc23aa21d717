"""The CUDA engine: what the kernels give for labels on a GPU, in the library of the labels; None for all other labels.

``joint.cu`` has the kernels that count and ``plan`` chooses between them, ``expected.cu`` has that of the expected
mutual information; ``kernels`` compiles them, ``count`` and ``expected`` call them, and ``door`` is where arrays come
in and go out. CuPy has to be there; without it labels go through their own library.
"""

from __future__ import annotations

from gpuval import _namespace as ns
from gpuval._namespace import Array
from gpuval._tabulate.cuda import count, door, expected

Limits = tuple[int, int]


def limits(a: Array, b: Array) -> tuple[Limits, Limits] | None:
    """The smallest and the largest label of both vectors, in one pass and one transfer."""
    if not (a.shape[0] and _are_for_kernels(a, b)):
        return None
    with door.as_cupy(a, b) as (x, y):
        return count.limits_of(x, y)


def dense(a: Array, b: Array, rows: range, columns: range) -> tuple[Array, Array] | None:
    """The table of all cells, and how many samples lie outside of it, without a synchronisation."""
    if len(rows) * len(columns) >= 1 << 32 or not _are_for_kernels(a, b):
        return None
    with door.as_cupy(a, b) as (x, y):
        counts, outside = count.counted(x, y, rows, columns)
        return door.brought_back(counts, a), door.brought_back(outside, a)


def listed(a: Array, b: Array, rows: range, columns: range) -> tuple[Array, Array, Array] | None:
    """The row, column and count of each cell that is not empty, for labels that lie inside."""
    if not _are_for_kernels(a, b):
        return None
    with door.as_cupy(a, b) as (x, y):
        runs = count.runs_of(x, y, rows, columns)
        if runs is None:
            return None
        row, column, counts = (door.brought_back(found, a) for found in runs)
        return row, column, counts


def has_expected_sums(*arrays: Array) -> bool:
    """Whether :func:`expected_sums` takes arrays that lie where these do."""
    return ns.widest(arrays[0]).is_64bit and door.are_on_one_gpu(*arrays)


def expected_sums(*arrays: Array) -> tuple[Array, Array]:
    """The sums of the expected mutual information; see ``expected``."""
    with door.as_cupy(*arrays) as seen:
        mutual, conditional = expected.expected_sums(*seen)
        return door.brought_back(mutual, arrays[0]), door.brought_back(conditional, arrays[0])


def _are_for_kernels(a: Array, b: Array) -> bool:
    return ns.kind(a) in ("integer", "bool") and ns.kind(b) in ("integer", "bool") and door.are_on_one_gpu(a, b)
