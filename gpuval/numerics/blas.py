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

_SIDE = 64
"""Rows of a small product, and the terms of its sums, at most."""

_COLUMNS = 16
"""Columns that a kernel takes at once; a small product has some times as many."""

_thread = threading.local()
"""``in_blocks``: whether this thread makes large products of small ones."""


def product(x: NDArray, y: NDArray) -> NDArray:
    """The product of two matrices of floats."""
    (m, k), n = x.shape, y.shape[1]
    if m * n * k <= _SMALL or not getattr(_thread, "in_blocks", False):
        return np.asarray(x @ y)
    y = np.ascontiguousarray(y)  # small products take long of columns that are not beside each other
    first, *others = slices(k, -(-k // -(-k // _SIDE)))
    total = np.empty((m, n), dtype=np.result_type(x, y))
    room = np.empty((min(m, _SIDE), n), dtype=total.dtype)
    for rows in slices(m, _SIDE):
        part = total[rows]
        _multiply(x[rows, first], y[first], part)
        for terms in others:
            more = room[: len(part)]
            _multiply(x[rows, terms], y[terms], more)
            part += more
    return total


def _multiply(x: NDArray, y: NDArray, out: NDArray) -> None:
    """The product of few rows with a matrix: by columns, all small products of one shape at once."""
    height, k = x.shape
    width = min(out.shape[1], _SMALL // (height * k) // _COLUMNS * _COLUMNS)
    columns = out.shape[1] - out.shape[1] % width
    np.matmul(
        x,
        y[:, :columns].reshape(k, -1, width).swapaxes(0, 1),
        out=out[:, :columns].reshape(height, -1, width).swapaxes(0, 1),
    )
    if columns < out.shape[1]:
        np.matmul(x, y[:, columns:], out=out[:, columns:])


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
            library.set_num_threads(1)  # of this thread: MKL_Set_Num_Threads_Local
        elif library.internal_api == "openblas":
            _thread.in_blocks = True


@functools.cache
def _libraries() -> list[Any] | None:
    """The libraries of BLAS that are loaded, as threadpoolctl knows them; None without it."""
    with suppress(ImportError):
        from threadpoolctl import ThreadpoolController

        return list(ThreadpoolController().select(user_api="blas").lib_controllers)
    return None
