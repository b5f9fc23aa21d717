"""How JAX compiles in a run of the tests: each operation of each shape once, and quickly.

A test runs thousands of small programs, one for each operation and shape. Without optimisations, and with the older of
XLA's two generators of code for the CPU, one takes 17 ms of processor time instead of 42. Graphs that test what users
get are compiled with ``AS_USERS_DO``: all numbers that depend on how XLA fuses and reorders are compared there.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from contextlib import suppress

PROGRAMS = "JAX_COMPILATION_CACHE_DIR"
QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
AS_USERS_DO = {"xla_backend_optimization_level": 3, "xla_cpu_use_fusion_emitters": True}
"""Options of ``jax.jit``: what XLA does where nothing is set."""


def compile_quickly() -> None:
    """Have this process, and those that it starts, compile with ``QUICKLY``, if XLA has these options."""
    quickly = " ".join(f"--{name}={str(value).lower()}" for name, value in QUICKLY.items())
    flags = {"XLA_FLAGS": f"{quickly} {os.environ.get('XLA_FLAGS', '')}".strip()}
    trial = [sys.executable, "-c", "import jax; jax.numpy.zeros(3).block_until_ready()"]
    if subprocess.run(trial, env={**os.environ, **flags}, capture_output=True, check=False).returncode == 0:
        os.environ.update(flags)  # XLA ends a process with a flag that it does not know


def share_context() -> None:
    """Lower all programs in one context of MLIR: JAX makes one for each, which takes a fifth of the time of a test."""
    with suppress(ImportError, AttributeError):  # a name of its own, which a later version may not have
        from jax._src.interpreters import mlir

        mlir.make_ir_context = functools.cache(mlir.make_ir_context)


def keep_programs_in(folder: str) -> None:
    """Have this process, and those that it starts, keep and look for the programs of JAX in a folder."""
    os.environ[PROGRAMS] = folder
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
