"""What JAX compiles in a run: every operation of every shape by itself, thousands of small programs.

They are what a process of tests grows by: it took 1.8 GB after the 176 tests of
``--backends=jax,jax-x64 tests/test_measures.py -k "purity or rand_score or v_measure or mutual"``, and 0.5 without
them. So it lets go of them now and then, and keeps them on disk, where all processes of the run find them: the same
tests end at 0.7 GB.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress

import psutil

MOST, GROWTH = 2400 << 20, 500 << 20
"""A process that holds so many bytes lets go of what was compiled, if it has grown by so many since it last did."""

PROGRAMS = "JAX_COMPILATION_CACHE_DIR"


def keep_programs_in(folder: str) -> None:
    """Have this process, and those that it starts, keep and look for the programs of JAX in a folder."""
    os.environ[PROGRAMS] = folder
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"


class Memory:
    """The memory of this process, as far as compiled programs hold it."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._after_release = 0

    def bound(self) -> None:
        """Let go of compiled programs if the process holds too much."""
        if self._held() > max(MOST, self._after_release + GROWTH):
            release()
            self._after_release = self._held()

    def _held(self) -> int:
        return self._process.memory_info().rss


def release() -> None:
    """Let go of what JAX and PyTorch have compiled, and give the memory back to the system."""
    for name, forget in (("jax", "clear_caches"), ("torch._dynamo", "reset")):
        if name in sys.modules:
            getattr(sys.modules[name], forget)()
    gc.collect()
    with suppress(OSError, AttributeError):  # the allocator of glibc keeps pages that are free
        ctypes.CDLL(None).malloc_trim(0)
