"""Keep arrays alive until kernels have read them; their library does not know that the memory is still in use.

A library reuses the memory of an array as soon as nothing refers to it. It orders this by its own streams only, and
does not know of kernels on CuPy's stream. So a thread waits for the event after which an array is not read any more,
and then releases it. The thread sleeps while there is nothing to wait for.
"""

from __future__ import annotations

import atexit
import functools
import os
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

_Read = tuple[Any, tuple[Any, ...]]
"""An event, and the arrays of CuPy that are read until it has passed; without an event the thread ends."""


def keep_until(event: Any, arrays: tuple[Any, ...]) -> None:
    """Keep arrays of CuPy, of which there are some, until an event on their device has passed."""
    _waiting(os.getpid()).put((event, arrays))


@functools.lru_cache(1)
def _waiting(process: int) -> SimpleQueue[_Read]:
    """What the thread of this process waits for: one that was forked has no thread of the process before it.

    Of two that are made at once one is forgotten; its thread lets go of what it was given all the same.
    """
    queue: SimpleQueue[_Read] = SimpleQueue()
    thread = threading.Thread(target=_let_go_of_all, args=(queue,), name="gpuval-reading", daemon=True)
    thread.start()
    atexit.register(_end, queue, thread)
    return queue


def _let_go_of_all(queue: SimpleQueue[_Read]) -> None:
    while _let_go(*queue.get()):  # no name here refers to arrays while the thread waits for the next ones
        pass


def _let_go(event: Any, arrays: tuple[Any, ...]) -> bool:
    """Wait for an event, without Python's lock; the arrays are let go of on return. Whether there was an event."""
    if event is None:
        return False
    # A new thread is on the first device, and would take memory there for a context.
    with suppress(Exception), arrays[0].device:  # of a device that has failed nothing reads the memory any more
        event.synchronize()
    return True


def _end(queue: SimpleQueue[_Read], thread: threading.Thread) -> None:
    """Let go of all before Python ends, as no thread may come back from a wait to a Python that is gone."""
    queue.put((None, ()))
    thread.join()
