"""What a process of tests holds: the programs that JAX compiles, each operation of each shape by itself.

They are what it grows by, so it lets go of them when it holds too much, and finds those that it needs again on disk
(see ``compiling``).
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

from compiling import forget_context

MOST, GROWTH = 1900 << 20, 150 << 20
"""A process that holds so many bytes lets go of what was compiled, if it has grown by so many since it last did."""

PAGES = Path("/proc/self/statm")
"""How many pages the process has, and how many of them lie in memory."""


class Memory:
    """The memory of this process, as far as compiled programs hold it."""

    def __init__(self) -> None:
        self._after_release = 0
        self.most = 0
        """The most bytes that were held when ``bound`` was called."""

    def bound(self) -> None:
        """Let go of compiled programs if the process holds too much."""
        self.most = max(self.most, now := held())
        if now > max(MOST, self._after_release + GROWTH):
            release()
            self._after_release = held()


def held() -> int:
    """Bytes of this process that lie in memory; 0 where the system does not tell, as Linux does."""
    return int(PAGES.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if PAGES.exists() else 0


def release() -> None:
    """Let go of what JAX and PyTorch have compiled, and give the memory back to the system."""
    for name, forget in (("jax", "clear_caches"), ("torch._dynamo", "reset")):
        if name in sys.modules:
            getattr(sys.modules[name], forget)()
    forget_context()
    gc.collect()
    with suppress(OSError, AttributeError):  # the allocator of glibc keeps pages that are free
        ctypes.CDLL(None).malloc_trim(0)
