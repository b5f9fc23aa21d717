"""Work on arrays of the host, on as many cores as there are: NumPy's arithmetic lets go of the interpreter's lock."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8
"""The most threads: they share memory and the interpreter's lock."""


def parallel_map(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order; after an error no further item is begun."""
    n_threads = min(_cores(), len(items)) if len(items) > 1 else 1
    if n_threads < 2:
        return [function(item) for item in items]
    stopped = threading.Event()

    def unless_stopped(item: Item) -> Any:
        if stopped.is_set():
            return None  # of no use to anybody: another item, or the caller, has raised
        try:
            return function(item)
        except BaseException:
            stopped.set()
            raise

    futures: list[Any] = []
    pool = None
    try:
        with suppress(RuntimeError):  # while the interpreter shuts down, no threads start any more
            from concurrent.futures import ThreadPoolExecutor  # only now: most calls need none

            pool = ThreadPoolExecutor(n_threads)
            futures.extend(pool.submit(unless_stopped, item) for item in items)
        if len(futures) == len(items):
            return [future.result() for future in futures]
    finally:
        stopped.set()
        if pool is not None:
            pool.shutdown()
    return [function(item) for item in items]


def parallel_map_with_blas(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order, where it calls BLAS.

    BLAS has threads of its own, which would wait for those here, and for one another. With threadpoolctl, if it is
    installed, BLAS gets one thread and the items get the cores; else BLAS has them.
    """
    if len(items) < 2 or _cores() < 2 or _controller() is None:
        return [function(item) for item in items]
    with _blas_alone():
        return parallel_map(function, items)


_limit: Any = None
_within = 0
_lock = threading.Lock()


@contextmanager
def _blas_alone() -> Iterator[None]:
    """Within, BLAS has one thread: the first call that is within sets the limit, and the last takes it back."""
    global _limit, _within
    with _lock:
        if not _within:
            _limit = _controller().limit(limits=1, user_api="blas")
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                _limit.restore_original_limits()


@functools.cache
def _controller() -> Any:
    """What sets the threads of NumPy's BLAS; None if there is nothing that does."""
    with suppress(ImportError):
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController()
    return None


def _cores() -> int:
    """The cores that this process may use, and is asked to: ``OMP_NUM_THREADS``, as for NumPy's own threads."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cores, _MOST, int(asked) if asked.isdecimal() and int(asked) else _MOST)
