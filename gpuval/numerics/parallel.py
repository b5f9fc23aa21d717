"""Work on arrays of the host, part by part on as many cores as there are.

NumPy's arithmetic lets go of the interpreter's lock. Nothing is changed that outlives the threads: no limit of BLAS,
which OpenBLAS has once for the whole process, and which users set, too. An interrupt leaves nothing at work. Python
raises it in the main thread at calls: before or after one, never within one function of C. So the threads are started
by one such call, together with the list of them, and stopped by one.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from _queue import Empty, SimpleQueue  # not by ``queue``, which loads more than a first score needs
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import repeat
from threading import Condition, Lock
from typing import Any, TypeVar

import numpy as np

from gpuval.numerics import NDArray

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8
"""The most threads, if nobody asks for more: they share memory and the interpreter's lock."""

_CONTROL_GROUP = "/sys/fs/cgroup"

_thread = threading.local()
"""``is_started_here``: whether it is one of these threads. ``in_blocks``: whether it makes large products of small
ones."""

_WAITING = 8
"""Results that may be ready before their turn; while there are more, a thread whose result is among them waits."""


def parallel_map(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int | None = None
) -> list[Result]:
    """``function`` of each item, in their order; after an error no further item is begun.

    ``n_threads`` of None is as many as are allowed.
    """
    return _map_on_threads(function, items, n_threads or (allowed_threads() if len(items) > 1 else 1))


def parallel_map_with_blas(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order, where it multiplies matrices by ``product``.

    BLAS has threads of its own, which would wait for those here, and for one another. With threadpoolctl, if it is
    installed, the items get as many cores as BLAS may have; else BLAS has them.
    """
    n_threads = min(allowed_threads(), len(items))
    if n_threads > 1:
        n_threads = min(n_threads, blas_threads())
    return _map_on_threads(function, items, n_threads, stay_in_this_thread)


def parallel_sum_with_blas(
    function: Callable[[Item], Result], items: Sequence[Item], add: Callable[[Result], None]
) -> None:
    """``function`` of each item, as :func:`parallel_map_with_blas` has it, and ``add`` of each result in their order.

    Floats that were added in the order in which threads are ready would have sums with other last digits in each run.
    One thread at a time adds, while the others go on, but for those that are more than ``_WAITING`` results ahead.
    """
    ready: dict[int, Result] = {}
    turn, has_failed, news = 0, False, Condition()

    def one(numbered: tuple[int, Item]) -> None:
        nonlocal turn, has_failed
        number, item = numbered
        try:
            result = function(item)
            with news:
                ready[number] = result
                while turn in ready:
                    add(ready.pop(turn))
                    turn += 1
                news.notify_all()
                news.wait_for(lambda: has_failed or number < turn or len(ready) <= _WAITING)
        except BaseException:
            with news:
                has_failed = True
                news.notify_all()
            raise

    parallel_map_with_blas(one, list(enumerate(items)))


def _map_on_threads(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int, begin: Callable[[], None] | None = None
) -> list[Result]:
    """``function`` of each item on some threads, each of which calls ``begin`` first."""
    n_threads = min(n_threads, len(items))
    if n_threads < 2 or sys.is_finalizing():  # a thread that starts now would never come to run
        return [function(item) for item in items]
    todo = deque(enumerate(items))
    results: list[Any] = [None] * len(items)
    errors: dict[int, BaseException] = {}
    ended: SimpleQueue[None] = SimpleQueue()

    def work(at_work: Any) -> None:
        i = 0
        _thread.is_started_here = True
        try:
            if begin is not None:
                begin()
            while (following := _next_of(todo)) is not None:
                i, item = following
                results[i] = function(item)
        except BaseException as error:
            todo.clear()  # of no use to anybody
            errors[i] = error
        finally:
            at_work.release()
            ended.put(None)

    locks = [Lock() for _ in range(n_threads)]  # each is held while its thread is at work
    for lock in locks:
        lock.acquire()
    started: list[int] = []
    try:
        with suppress(RuntimeError):  # no more threads than those that are started
            started.extend(map(start_new_thread, repeat(work), zip(locks, strict=True)))
        for _ in started:
            while not _came(ended):
                pass
    finally:
        try:
            todo.clear()
            _wait_for(locks, started)
        finally:  # a second interrupt waits, too
            _wait_for(locks, started)
    if not started:
        return [function(item) for item in items]
    if errors:
        try:
            raise errors[min(errors)]
        finally:
            errors.clear()  # which would keep themselves, and what the threads saw, by their tracebacks
    return results


def _next_of(todo: deque[Item]) -> Item | None:
    """Take the next one, if another thread has not taken the last."""
    try:
        return todo.popleft()
    except IndexError:
        return None


def _came(news: SimpleQueue[None]) -> bool:
    """Wait for news, but not long: an interrupt that another thread raises does not end a wait."""
    try:
        news.get(timeout=0.1)
    except Empty:
        return False
    return True


def _wait_for(locks: list[Any], started: list[int]) -> None:
    for lock, _ in zip(locks, started, strict=False):  # not for those that were not started
        with lock:
            pass


def allowed_threads() -> int:
    """How many threads may be at work: 1 in one of them, else as many as there are cores for this process.

    These are the processors of its affinity, as many as its control group (cgroup) has the time of, and no more than
    ``OMP_NUM_THREADS`` and threadpoolctl's limits allow, as for NumPy's own threads; by default up to 8 of them,
    and up to ``GPUVAL_NUM_THREADS`` where that is set.
    """
    if getattr(_thread, "is_started_here", False):
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    most = _number_in("GPUVAL_NUM_THREADS") or _MOST
    return min(cores, most, _number_in("OMP_NUM_THREADS") or most, _cores_of_control_group(), _limit_of_pools())


def _number_in(variable: str) -> int:
    """The number that a variable of the environment begins with; 0 if it has none."""
    text = os.environ.get(variable, "").partition(",")[0].strip()
    return int(text) if text.isdecimal() else 0


@functools.cache
def _cores_of_control_group() -> int:
    """The processors of whose time the control group of this process has a share, as containers set it."""
    from pathlib import Path  # only now: few labels need no threads

    for path in ("cpu.max", "cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us"):  # of version 2, and of version 1
        with suppress(OSError, ValueError, ZeroDivisionError):
            texts = [Path(_CONTROL_GROUP, name).read_text(encoding="ascii") for name in path.split()]
            quota, period = map(int, " ".join(texts).split())
            if quota > 0:
                return max(1, -(-quota // period))
    return sys.maxsize


def _limit_of_pools() -> int:
    """The least limit of the pools of threads (OpenMP, BLAS), which threadpoolctl sets, if it is installed."""
    return min((x.num_threads for x in _pools() or ()), default=sys.maxsize)


# Products of matrices on the host that stay in the thread that asks for them, where several threads ask.
#
# No limit of BLAS is set but one that a thread has for itself. OpenBLAS, which comes with NumPy, has one for the whole
# process, which users set, too; but small products it leaves where they are asked for, whatever the limit.

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


def blas_threads() -> int:
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


def _libraries() -> list[Any] | None:
    """The libraries of BLAS that are loaded, as threadpoolctl knows them; None without it."""
    pools = _pools()
    return None if pools is None else [x for x in pools if x.user_api == "blas"]


@functools.cache
def _pools() -> list[Any] | None:
    """The libraries with threads of their own that are loaded, as threadpoolctl knows them; None without it."""
    with suppress(ImportError):
        from threadpoolctl import ThreadpoolController

        return list(ThreadpoolController().lib_controllers)
    return None


# What is done part by part.


def slices(stop: int, step: int, start: int = 0) -> list[slice]:
    """The parts of what lies from ``start`` to ``stop``, of up to ``step`` each; none of nothing."""
    return [slice(i, min(i + step, stop)) for i in range(start, stop, step)]


STEP = 1 << 17
"""Numbers or samples that go through the cache at once."""


def limits(x: NDArray) -> tuple[int, int]:
    """The smallest and the largest of some integers: blocks that are read once, on all cores."""

    def of_block(block: slice) -> tuple[int, int]:
        return int(np.minimum.reduce(x[block])), int(np.maximum.reduce(x[block]))

    lows, highs = zip(*parallel_map(of_block, slices(len(x), STEP)), strict=True)
    return min(lows), max(highs)


def highest(x: NDArray) -> int:
    """The largest number; 2^63 or more, if one is negative."""
    is_signed = x.dtype.kind == "i"
    if is_signed:
        x = x.view(f"{x.dtype.byteorder}u{x.itemsize}")
    largest = int(np.maximum.reduce(x))
    return 1 << 63 if is_signed and largest >> (8 * x.itemsize - 1) else largest
