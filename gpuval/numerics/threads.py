"""Work on arrays of the host, on as many cores as there are: NumPy's arithmetic lets go of the interpreter's lock.

Nothing is changed that outlives the threads: no limit of BLAS, which OpenBLAS has once for the whole process. And an
interrupt leaves nothing at work. Python raises it in the main thread at calls: before or after one, never within one
function of C. So the threads are started by one such call, together with the list of them, and stopped by one.
"""

from __future__ import annotations

import os
import sys
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import repeat
from queue import Empty, SimpleQueue
from threading import Condition, Lock
from typing import Any, TypeVar

from gpuval.numerics import blas

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8
"""The most threads: they share memory and the interpreter's lock."""

_WAITING = 8
"""Results that may be ready before their turn; while there are more, a thread whose result is among them waits."""


def parallel_map(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order; after an error no further item is begun."""
    return _mapped(function, items, _cores() if len(items) > 1 else 1)


def parallel_map_with_blas(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order, where it multiplies matrices by ``blas.product``.

    BLAS has threads of its own, which would wait for those here, and for one another. With threadpoolctl, if it is
    installed, the items get as many cores as BLAS may have; else BLAS has them.
    """
    n_threads = min(_cores(), len(items))
    if n_threads > 1:
        n_threads = min(n_threads, blas.n_threads())
    return _mapped(function, items, n_threads, blas.stay_in_this_thread)


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


def _mapped(
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


def _cores() -> int:
    """The cores that this process may use, and is asked to: ``OMP_NUM_THREADS``, as for NumPy's own threads."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cores, _MOST, int(asked) if asked.isdecimal() and int(asked) else _MOST)
