"""Work on arrays of the host, on as many cores as there are: NumPy's arithmetic lets go of the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``function`` of each item, in their order."""
    n_threads = min(_cores(), len(items))
    if n_threads < 2:
        return [function(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor  # only now: most calls need none

    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(function, items))


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
