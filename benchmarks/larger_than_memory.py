"""Scores of labels that no worker can hold, and the memory it takes: ``python -m benchmarks.larger_than_memory``.

Labels lie in a Zarr store, which is written first, chunk by chunk. A cluster of Dask's processes makes a table of each
chunk; while it works, the resident memory of each process is read, and with ``--kill`` one of them is ended.

With ``--blocks`` labels in memory, ten in a block, are counted instead, by threads: what many blocks cost beside Dask's
own sum of a table of each, as the median of rounds.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import dask
import dask.array as da
import numpy as np
import zarr
from dask.distributed import Client, LocalCluster

import gpuval
from gpuval.engines import sum_over_blocks

GROUPS = 50
SCORES = ["adjusted_rand_score", "normalized_mutual_info_score"]


def write(path: Path, samples: int, chunks: int) -> np.ndarray:
    """Write two arrays of int64, and return their table, counted on the way."""
    group = zarr.open_group(str(path), mode="w")
    size = -(-samples // chunks)
    true, pred = (
        group.create_array(name, shape=(samples,), chunks=(size,), dtype="int64", compressors=None)
        for name in ("true", "pred")
    )
    rng, counts = np.random.default_rng(0), np.zeros(GROUPS * GROUPS, dtype=np.int64)
    for start in range(0, samples, size):
        n = min(size, samples - start)
        a = rng.integers(0, GROUPS, n)
        b = np.where(rng.random(n) < 0.9, a, rng.integers(0, GROUPS, n))
        true[start : start + n], pred[start : start + n] = a, b
        counts += np.bincount(a * GROUPS + b, minlength=GROUPS * GROUPS)
    return counts.reshape(GROUPS, GROUPS)


def resident(pid: int) -> int:
    """Bytes that a process has in memory; 0 if it is gone."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Watch(threading.Thread):
    """Reads the memory of processes every few milliseconds, until it is told to stop."""

    def __init__(self, pids: Callable[[], Sequence[int]]) -> None:
        super().__init__(daemon=True)
        self.pids = pids
        self.before = {pid: resident(pid) for pid in pids()}
        self.curve: list[tuple[float, int]] = []
        self.done = threading.Event()

    def run(self) -> None:
        """Keep the most that any of them has beyond what it had; one that starts later had as little as they."""
        start, least = time.perf_counter(), min(self.before.values())
        while not self.done.wait(0.005):
            for pid in self.pids():
                self.before.setdefault(pid, least)
            most = max(resident(pid) - before for pid, before in self.before.items())
            self.curve.append((time.perf_counter() - start, most))


def of_many_blocks(blocks: int, rounds: int) -> None:
    """Print what the table of so many blocks takes beside a sum of Dask, and what the graphs of both take."""
    rng = np.random.default_rng(0)
    true, pred = (da.from_array(rng.integers(0, 2, 10 * blocks), chunks=10) for _ in range(2))

    def table() -> None:
        gpuval.Contingency.from_labels(true, pred)

    def plain() -> da.Array:
        chunks = ((1,) * blocks, (4,))
        tables = da.map_blocks(_counted, true, pred, dtype=np.int64, chunks=chunks, new_axis=1)
        return tables.sum(axis=0, split_every=8)

    def graph() -> None:
        with dask.config.set(scheduler=lambda *_, **__: None):  # which is given the graph
            sum_over_blocks(_counted, {"a": true, "b": pred})

    calls = (graph, lambda: dask.optimize(plain()))
    ours, theirs = np.median([[_seconds(call, time.process_time) for call in calls] for _ in range(3)], axis=0)
    print(f"{blocks:>7} blocks: graph {ours:.2f} s of a core, Dask's {theirs:.2f} s", end="; " if rounds else "\n")
    if rounds:
        calls = (table, lambda: plain().compute())
        taken = np.asarray([[_seconds(call, time.perf_counter) for call in calls] for _ in range(rounds)])
        print(
            f"table {np.median(taken[:, 0]):.2f} s, {np.median(taken[:, 0] / taken[:, 1]):.2f} x Dask's sum", flush=True
        )


def _counted(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.bincount(2 * a + b, minlength=4)[None]


def _seconds(call: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    call()
    return clock() - start


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was found; 1 if a score is wrong, or a worker took as much as ``--limit`` chunks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.larger_than_memory", description=__doc__)
    parser.add_argument("--samples", type=int, default=10**8)
    parser.add_argument("--chunks", type=int, default=64)
    parser.add_argument("--kill", type=float, metavar="SECONDS", help="end a worker after so long")
    parser.add_argument("--limit", type=float, default=3, help="chunks that a worker may take (3)")
    parser.add_argument("--folder", type=Path, help="where the store is written")
    parser.add_argument("--blocks", type=int, nargs="+", help="time so many blocks; of more than 10000 the graph")
    parser.add_argument("--rounds", type=int, default=5, help="of --blocks (5)")
    asked = parser.parse_args(arguments)
    if asked.blocks:
        for blocks in asked.blocks:
            of_many_blocks(blocks, asked.rounds if blocks <= 10**4 else 0)
        return 0
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        store = Path(folder) / "labels.zarr"
        counts = write(store, asked.samples, asked.chunks)
        chunk = 2 * 8 * -(-asked.samples // asked.chunks)  # of both arrays
        options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GB", "dashboard_address": ":0"}
        with LocalCluster(**options) as cluster, Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
            warm = da.zeros(10, dtype=np.int64, chunks=5)
            gpuval.evaluate(warm, warm, SCORES)
            true, pred = (da.from_zarr(str(store), component=name) for name in ("true", "pred"))
            watch = Watch(lambda: [nanny.pid for nanny in cluster.workers.values() if nanny.pid])
            watch.start()
            killer = threading.Timer(asked.kill or 0, os.kill, (pids[0], signal.SIGKILL))
            if asked.kill:
                killer.start()
            start = time.perf_counter()
            table = gpuval.Contingency.from_labels(true, pred)
            seconds = time.perf_counter() - start
            killer.cancel()
            died = bool(asked.kill) and killer.finished.is_set() and resident(pids[0]) == 0
            watch.done.set()
            watch.join()
    exact = np.array_equal(table.to_array(), counts)
    peak = max(most for _, most in watch.curve) / chunk
    print(f"{asked.samples} samples of {chunk * asked.chunks / 1e9:.3g} GB in {asked.chunks} chunks, {seconds:.1f} s")
    if asked.kill:
        print("a worker was ended on the way" if died else "it was done before a worker was to be ended")
    scores = {name: float(score) for name, score in gpuval.evaluate(table, metrics=SCORES).items()}
    print(f"the table is {'exact' if exact else 'WRONG'}: {scores}")
    print(f"the most that a worker took: {peak:.2f} chunks of both arrays, {chunk / 1e6:.3g} MB each; over time:")
    step = max(1, len(watch.curve) // 20)
    for i in range(0, len(watch.curve), step):
        most = max(x for _, x in watch.curve[i : i + step]) / chunk
        print(f"  {watch.curve[i][0]:6.2f} s {most:6.2f} {'#' * round(10 * max(0, most))}")
    return 0 if exact and peak < asked.limit else 1


if __name__ == "__main__":
    sys.exit(main())
