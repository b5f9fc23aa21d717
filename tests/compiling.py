"""How JAX compiles in a run of the tests: each operation of each shape once, and quickly.

The tests run thousands of small programs, one for each operation and shape. They are compiled without optimisations,
and with the older of XLA's two generators of code for the CPU, which is quicker. Graphs whose numbers may depend on how
XLA fuses and reorders are compiled as users do, too: see ``as_users_do``.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

PROGRAMS = "JAX_COMPILATION_CACHE_DIR"
BUILDS = "GPUVAL_EMULATOR_BUILDS"
"""Where ``engines/cuda/emulator.py``, which stands alone, looks for what was built of the kernels, and keeps it."""
QUICK_FLAGS = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"


MOST_KEPT = 2 << 30
"""Bytes of compiled programs that are kept; when there are more, the older half of the files goes."""


def kept(kind: str) -> str:
    """A folder for what is compiled, in the user's cache: the next run on this machine finds it there."""
    folder = _kept() / hashlib.sha256(_machine().encode()).hexdigest()[:16] / kind
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


@functools.cache
def _kept() -> Path:
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpuval-tests"
    remove_older_half(root, MOST_KEPT)
    return root


def remove_older_half(root: Path, most: int) -> None:
    """Of the files in a folder, if they have more than ``most`` bytes; the folders stay, as another run may write."""
    files = list(_files_in(root))
    if sum(size for _, size, _ in files) > most:
        for _, _, path in sorted(files)[: len(files) // 2]:
            Path(path).unlink(missing_ok=True)


def _files_in(folder: str | Path) -> Iterator[tuple[float, int, str]]:
    """When each was written, its bytes and its path."""
    with suppress(FileNotFoundError), os.scandir(folder) as entries:  # these are many files
        for x in entries:
            if x.is_dir(follow_symlinks=False):
                yield from _files_in(x.path)
                continue
            with suppress(FileNotFoundError):  # as another run may remove it
                yield x.stat().st_mtime, x.stat().st_size, x.path


@functools.cache
def _machine() -> str:
    """What programs are compiled for, and by what."""
    cpu = Path("/proc/cpuinfo")
    flags = next((x for x in cpu.read_text().splitlines() if x.startswith("flags")), "") if cpu.exists() else ""
    compiler = shutil.which("g++")
    gxx = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True).stdout if compiler else ""
    xla = ""
    with suppress(metadata.PackageNotFoundError):
        xla = metadata.version("jaxlib")
    return f"{platform.platform()} {platform.processor()} {flags} {gxx} {xla}"


def compile_quickly() -> None:
    """Have this process, and those that it starts, compile with ``QUICK_FLAGS``; flags that are set already hold."""
    given = os.environ.get("XLA_FLAGS", "")
    if QUICK_FLAGS in given:  # a run of tests has started this one
        return
    flags = {"XLA_FLAGS": f"{QUICK_FLAGS} {given}".strip()}
    trial = [sys.executable, "-c", "import jax; jax.numpy.zeros(3).block_until_ready()"]
    done = subprocess.run(trial, env={**os.environ, **flags}, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        os.environ.update(flags)
    else:  # XLA ends a process with a flag that it does not know
        print(f"JAX will not compile quickly: {done.stderr.strip()[-300:]}", file=sys.stderr)


def output_on_devices(program: str, number: int = 4) -> list[str]:
    """The words that a program writes in a new process, where XLA makes several devices of the CPU."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={number}".strip()
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def as_users_do() -> dict[str, Any] | None:
    """The ``compiler_options`` of ``jax.jit`` for what XLA does where nothing is set; None if no quick flags are."""
    if QUICK_FLAGS not in os.environ.get("XLA_FLAGS", ""):
        return None
    return {"xla_backend_optimization_level": 3, "xla_cpu_use_fusion_emitters": True}


COMPILERS: dict[str, Callable[[], dict[str, Any] | None]] = {"quickly": lambda: None, "as users do": as_users_do}
"""The ``compiler_options`` by how a graph is compiled: what must hold in spite of any rounding is tested with both."""


_seconds_of_jax = [0.0]


def seconds_compiling() -> float:
    """What XLA and g++ took for this process, whose programs later tests find compiled."""
    return _seconds_of_jax[0] + getattr(sys.modules.get("emulator"), "seconds_compiling", 0.0)


def _timed(compile_: Callable[..., Any]) -> Callable[..., Any]:
    def compiled(*arguments: Any, **options: Any) -> Any:
        before = time.process_time()
        try:
            return compile_(*arguments, **options)
        finally:
            _seconds_of_jax[0] += time.process_time() - before

    return compiled


def share_context() -> None:
    """Lower all programs in one context of MLIR, of which JAX makes one for each; and measure what XLA takes.

    Programs do not tell where in Python their operations come from, which is of use to profilers only.
    """
    with suppress(ImportError, AttributeError):
        import jax

        jax.config.update("jax_traceback_in_locations_limit", 0)
    with suppress(ImportError, AttributeError):  # a name of its own, which a later version may not have
        from jax._src.interpreters import mlir

        mlir.make_ir_context = functools.cache(mlir.make_ir_context)
    with suppress(ImportError, AttributeError):
        from jax._src import compiler

        compiler.compile_or_get_cached = _timed(compiler.compile_or_get_cached)


def forget_context() -> None:
    """Begin a new one: a context keeps the types and places of all programs."""
    mlir = sys.modules.get("jax._src.interpreters.mlir")
    forget = getattr(getattr(mlir, "make_ir_context", None), "cache_clear", None)
    if forget is not None:
        forget()


def keep_programs_in(folder: str) -> None:
    """Have this process, and those that it starts, keep and look for the programs of JAX in a folder."""
    os.environ[PROGRAMS] = folder
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
