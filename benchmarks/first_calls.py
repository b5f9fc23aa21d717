"""What the first calls of a new process take, one after the other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.device import fewer

PROGRAM = """import time; start = time.perf_counter()
import {library} as xp; x = xp.arange(10**6) % 30; X = (xp.arange(8 * {n}) % 97 / 97).reshape({n}, 8)
float(x[-1] + X[-1, -1]); there = time.perf_counter()
import gpuval; imported = time.perf_counter()
float(gpuval.adjusted_rand_score(x, x)); scored = time.perf_counter()
gpuval.evaluate(x, x); evaluated = time.perf_counter()
float(gpuval.silhouette_score(X, x[:{n}])); done = time.perf_counter()
print(there - start, imported - there, scored - imported, evaluated - scored, done - evaluated)"""
"""The labels and the samples are there, and the device at rest, before gpuval is imported."""


def first_calls(library: str, cache: str) -> dict[str, float]:
    """Seconds of the library's own first call, of gpuval's import, of its first score, a report and a silhouette.

    ``cache`` is the folder for what CuPy compiles.
    """
    command = [sys.executable, "-c", PROGRAM.format(library=library, n=fewer(5000, 200))]
    how = {"cwd": Path(__file__).parents[1], "env": {**os.environ, "CUPY_CACHE_DIR": cache}}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **how)
    if ran.returncode:
        raise RuntimeError(f"a new process failed: {ran.stderr[-300:]}")
    return dict(
        zip(("library", "import", "ari", "evaluate", "silhouette"), map(float, ran.stdout.split()), strict=True)
    )
