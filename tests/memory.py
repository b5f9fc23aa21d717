"""What the libraries of a long run keep: every program that JAX has compiled, about 150 kB for each operation and shape.

Nothing is ever asked for again once its test is over, but in the same file; so it is let go of whenever the process has
grown by as much as is worth compiling a few of them anew.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

import psutil

GROWTH = 400 << 20
"""Bytes that a process may grow by before it lets go of what was compiled."""


class Memory:
    """The memory of this process, as far as compiled programs hold it."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._least = self._process.memory_info().rss

    def bound(self) -> None:
        """Let go of compiled programs if the process has grown by much."""
        held = self._process.memory_info().rss
        if held - self._least > GROWTH:
            release()
            held = self._process.memory_info().rss
            self._least = held
        self._least = min(self._least, held)


def release() -> None:
    """Let go of what JAX and PyTorch have compiled, and give the memory back to the system."""
    for name, forget in (("jax", "clear_caches"), ("torch._dynamo", "reset")):
        if name in sys.modules:
            getattr(sys.modules[name], forget)()
    gc.collect()
    with suppress(OSError, AttributeError):  # of glibc: it keeps pages that are free
        ctypes.CDLL(None).malloc_trim(0)
