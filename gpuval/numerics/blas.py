"""Products of matrices on the host that stay in the thread that asks for them, where several threads ask.

No limit of BLAS is set but one that a thread has for itself. OpenBLAS, which comes with NumPy, has one for the whole
process, which users set, too; but small products it leaves where they are asked for, whatever the limit.
"""

from __future__ import annotations

import functools
import sys
import threading
from contextlib import suppress
from typing import Any

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices

_SMALL = (1 << 19) - 1
"""Multiplications up to which OpenBLAS leaves a product in its thread, in its interface/gemm.c: a thread more is for
SMP_THRESHOLD_MIN times GEMM_MULTITHREAD_THRESHOLD of them, 2^18."""

_LARGE = 1 << 22
"""Multiplications up to which a product is made in its thread in any case: threads of BLAS, once awake, wait for more
work at full speed, and take the cores from the threads that come next."""

_ROOM = 1 << 19
"""Numbers for which a thread keeps memory."""

_ROWS, _TERMS = 64, 128
"""Rows of a small product, and terms of its sums, at most."""

_COLUMNS = 16
"""Columns that a kernel takes at once; a small product has some times as many."""

_thread = threading.local()
"""``in_blocks``: whether this thread makes large products of small ones."""


def is_in_blocks() -> bool:
    """Whether this thread makes large products of small ones."""
    return bool(getattr(_thread, "in_blocks", False))


def room(name: str, shape: tuple[int, int], dtype: Any) -> NDArray:
    """Memory that this thread uses again at the next call with the same name: new memory takes longer than products."""
    size, held = shape[0] * shape[1], getattr(_thread, name, None)
    if size > _ROOM:
        return np.empty(shape, dtype=dtype)
    if held is None or held.dtype != dtype or held.size < size:
        held = np.empty(size, dtype=dtype)
        setattr(_thread, name, held)
    return held[:size].reshape(shape)


def product(x: NDArray, rows: NDArray, out: NDArray | None = None) -> NDArray:
    """The product of a matrix of floats and another one that is given by its columns: ``x @ rows.T``."""
    (m, k), n = x.shape, len(rows)
    is_whole = m * n * k > _LARGE and not is_in_blocks()
    if m * n * k <= _SMALL or is_whole:
        return np.matmul(x, rows.T, out=out)
    if np.may_share_memory(x, rows):  # NumPy makes x @ x.T by another function of BLAS, which has threads earlier
        x = x.copy()
    first, *others = slices(k, -(-k // -(-k // _TERMS)))
    width = max(1, _SMALL // (min(m, _ROWS) * first.stop) // _COLUMNS) * _COLUMNS
    total = np.empty((m, n), dtype=np.result_type(x, rows)) if out is None else out
    _multiply(x[:, first], rows[:, first], total, width)
    if others:
        more = room("more", (m, n), total.dtype)
        for terms in others:
            _multiply(x[:, terms], rows[:, terms], more, width)
            total += more
    return total


def _multiply(x: NDArray, rows: NDArray, out: NDArray, width: int) -> None:
    """The product by small ones: so many columns, and as many rows as a small product has, all of one shape at once."""
    (m, k), n = x.shape, len(rows)
    for top, height in _even(m, _ROWS):
        left = x[top].reshape(-1, 1, height, k)
        for part, size in _even(n, width):
            right = rows[part].reshape(-1, size, k).swapaxes(1, 2)
            np.matmul(left, right, out=out[top, part].reshape(len(left), height, len(right), size).swapaxes(1, 2))


def _even(stop: int, size: int) -> list[tuple[slice, int]]:
    """As many parts of a size as there are, together, and what is left."""
    end = stop - stop % size
    parts = (slice(0, end), size), (slice(end, stop), stop - end)
    return [(part, each) for part, each in parts if part.start < part.stop]


def n_threads() -> int:
    """How many threads may ask for products at once: as many as BLAS may have, or one, which leaves them to BLAS."""
    libraries = _libraries()
    if libraries is None or any(x.internal_api not in ("openblas", "mkl") and x.num_threads > 1 for x in libraries):
        return 1
    return min((x.num_threads for x in libraries), default=sys.maxsize)


def stay_in_this_thread() -> None:
    """From now on, and as long as it lives, this thread does its products itself."""
    for library in _libraries() or ():
        if library.internal_api == "mkl":
            handle = getattr(library, "dynlib", None) or library._dynlib  # as threadpoolctl calls it, new or old
            handle.MKL_Set_Num_Threads_Local(1)  # not by threadpoolctl, of which old versions set that of the process
        elif library.internal_api == "openblas":
            _thread.in_blocks = True


@functools.cache
def _libraries() -> list[Any] | None:
    """The libraries of BLAS that are loaded, as threadpoolctl knows them; None without it."""
    with suppress(ImportError):
        from threadpoolctl import ThreadpoolController

        return list(ThreadpoolController().select(user_api="blas").lib_controllers)
    return None
