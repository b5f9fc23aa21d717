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

_SMALL = 1 << 18
"""Multiplications up to which OpenBLAS leaves a product in its thread: SMP_THRESHOLD_MIN times
GEMM_MULTITHREAD_THRESHOLD, in its interface/gemm.c."""

_ROWS, _TERMS = 64, 128
"""Rows of a small product, and terms of its sums, at most."""

_COLUMNS = 16
"""Columns that a kernel takes at once; a small product has some times as many."""

_thread = threading.local()
"""``in_blocks``: whether this thread makes large products of small ones."""


def product(x: NDArray, y: NDArray) -> NDArray:
    """The product of two matrices of floats."""
    (m, k), n = x.shape, y.shape[1]
    if m * n * k <= _SMALL or not getattr(_thread, "in_blocks", False):
        return np.asarray(x @ y)
    first, *others = slices(k, -(-k // -(-k // _TERMS)))
    strips = _strips(y, min(n, _SMALL // (min(m, _ROWS) * first.stop) // _COLUMNS * _COLUMNS))
    total = np.empty((m, len(strips) * strips.shape[2]), dtype=np.result_type(x, y))
    _multiply(x[:, first], strips[:, first], total)
    if others:
        more = np.empty_like(total)
        for terms in others:
            _multiply(x[:, terms], strips[:, terms], more)
            total += more
    return total[:, :n]


def _strips(y: NDArray, width: int) -> NDArray:
    """The columns of a matrix in strips of so many, each with its numbers in one place; zeros fill the last."""
    k, n = y.shape
    end = n - n % width
    strips = np.empty((-(-n // width), k, width), dtype=y.dtype)
    strips[: n // width] = y[:, :end].reshape(k, -1, width).swapaxes(0, 1)
    strips[n // width :] = 0
    strips[n // width :, :, : n - end] = y[:, end:]
    return strips


def _multiply(x: NDArray, strips: NDArray, out: NDArray) -> None:
    """The product with strips, by as many rows as a small product has: all those of one shape at once."""
    m, k = x.shape
    n, _, width = strips.shape
    end = m - m % _ROWS
    for rows, height in ((slice(0, end), _ROWS), (slice(end, m), m - end)):
        if rows.stop > rows.start:
            of_strips = out[rows].reshape(-1, height, n, width).swapaxes(1, 2)
            np.matmul(x[rows].reshape(-1, 1, height, k), strips, out=of_strips)


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
