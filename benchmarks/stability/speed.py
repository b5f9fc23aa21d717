"""What stability takes from label vectors: seconds, and the memory beyond them, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

import gpuval
from benchmarks.memory import peak_on_host
from benchmarks.workloads import NDArray

HEAD = """\
| samples | settings x runs | each run has | seconds | aimed at | beyond the labels, GB | aimed at | labels, GB | \
one n x n matrix, GB |
| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"""

FEWEST, MOST = 5, 60
"""Clusters of the coarsest and of the finest setting."""
_NOISE = 0.03
_ROUNDS_BELOW, _ROUNDS = 1_000_000, 3
"""Fewer samples than this are timed as often as this."""
_AIMED_AT = {(100_000, 20, 10): ("5", "-"), (1_000_000, 20, 10): ("60", "2")}


def lines(sizes: Sequence[tuple[int, int, int]], shares: Sequence[float] = (1.0, 0.8)) -> Iterator[str]:
    """A line for each size (samples, settings, runs) and each share of the samples that a run has."""
    yield HEAD
    for size in sizes:
        n_samples, n_settings, n_runs = size
        of_time, of_memory = _AIMED_AT.get(size, ("-", "-"))
        for share in shares:
            peak, seconds = (_in_a_process(what, size, share) for what in ("memory", "time"))
            memory = "-" if peak is None else f"{peak / 1e9:.2f}"
            labels = f"{2 * n_samples * n_settings * n_runs / 1e9:.2f}"
            matrix = f"{8 * n_samples**2 / 1e9:.3g}"
            cells = [str(n_samples), f"{n_settings} x {n_runs}", f"{share:.0%} of them", f"{seconds:.2f}", of_time]
            yield f"| {' | '.join([*cells, memory, of_memory, labels, matrix])} |"


def runs_of(size: tuple[int, int, int], share: float = 1.0) -> dict[int, NDArray]:
    """For each number of clusters the labels of all runs, in 16 bits; -1 is a sample that a run left out.

    A run has another label than the clusters of its setting for a few samples, at random.
    """
    n_samples, n_settings, n_runs = size
    random = np.random.default_rng(0)
    found = {}
    for n_clusters in np.linspace(FEWEST, MOST, n_settings).round().astype(int).tolist():
        usual = random.integers(n_clusters, size=n_samples, dtype=np.int16)
        of_setting = np.empty((n_runs, n_samples), dtype=np.int16)
        for run in of_setting:
            noise = random.integers(n_clusters, size=n_samples, dtype=np.int16)
            run[:] = np.where(random.random(n_samples, dtype=np.float32) < _NOISE, noise, usual)
        found[n_clusters] = of_setting
    if share < 1:
        for run in range(n_runs):  # the samples of a run are the same in all settings
            is_left_out = random.random(n_samples, dtype=np.float32) >= share
            for of_setting in found.values():
                of_setting[run, is_left_out] = -1
    return found


def _in_a_process(what: str, size: tuple[int, int, int], share: float) -> float | None:
    """The bytes beyond the labels, None where they cannot be measured, or the seconds."""
    # With a fixed threshold glibc gives large arrays back when they are freed, and their next use is counted.
    environment = {**os.environ, **({"MALLOC_MMAP_THRESHOLD_": "65536"} if what == "memory" else {})}
    command = [sys.executable, "-m", "benchmarks.stability.speed", json.dumps([what, size, share])]
    root = Path(__file__).parent.parent.parent
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    found: float | None = json.loads(ran.stdout.splitlines()[-1])
    return found


def _measure(what: str, size: tuple[int, int, int], share: float) -> float | None:
    gpuval.stability(runs_of((500, 2, 3), share), ignore_labels=-1, random_state=0)
    runs = runs_of(size, share)

    def call() -> None:
        gpuval.stability(runs, ignore_labels=-1, random_state=0)

    if what == "memory":
        return peak_on_host(call)
    times = []
    for _ in range(_ROUNDS if size[0] < _ROUNDS_BELOW else 1):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return median(times)


if __name__ == "__main__":
    print(json.dumps(_measure(*json.loads(sys.argv[1]))))
