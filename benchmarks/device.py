"""The GPU that is measured: its arrays, its clock, its bandwidth, and label vectors that are made there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.timing import timed

Call = Callable[[], Any]

STANDS_IN = "GPUVAL_CUPY_ON_CPU" in os.environ
"""Whether the device of CuPy is that of ``tests/cupy_on_cpu``, a thousand times slower: sizes must be small."""
PLATFORM = "cpu" if STANDS_IN else "cuda"
"""What PyTorch and JAX call the device that they compute on."""

_BLOCK = 1 << 27
"""Labels that are made at once."""


def fewer(n: int, few: int = 2000) -> int:
    """So many samples or calls, or as few as are enough for a device that stands in."""
    return min(n, few) if STANDS_IN else n


@dataclass(frozen=True)
class Device:
    """A GPU as CuPy and PyTorch see it; tests have one that is a CPU.

    ``seconds`` times a call on the device; ``waiting`` returns when the device has nothing left to do; ``replay``
    captures a call of PyTorch and returns what runs it again and gives its value; ``forbidden`` is a context in which
    PyTorch raises where the host would wait.
    """

    name: str
    xp: Any
    seconds: Callable[[Call], float]
    waiting: Call
    replay: Callable[[Call], Call]
    forbidden: Callable[[], Any]
    free: int
    """Bytes of memory that are free at the start."""
    multiply_adds: float
    """Of 32 bits, how many a second there are at most."""
    add_by_label: Callable[[Any, Any, Any], object]
    """Adds distances, shape (rows, n), to sums, shape (rows, n_clusters), by the labels of the columns."""

    def bandwidth(self, size: int) -> float:
        """Bytes per second that a copy of so many bytes reads and writes: the best of ten."""
        source = self.xp.zeros(size, dtype="u1")
        target = self.xp.empty_like(source)

        def copy() -> None:
            target[...] = source

        copy()
        return 2 * size / min(self.seconds(copy) for _ in range(10))

    def labels(self, kind: str, n: int, sizes: tuple[int, int], dtype: str = "int32") -> tuple[Any, Any]:
        """Labels: "random", "sorted", "mostly one" (nine samples of ten in one cell) or "good" (nine of ten agree)."""
        xp = self.xp
        random = xp.random.RandomState(0)
        pair = xp.empty(n, dtype=dtype), xp.empty(n, dtype=dtype)
        for start in range(0, n, _BLOCK):
            part = slice(start, min(n, start + _BLOCK))
            count = part.stop - part.start
            true, pred = (random.randint(0, size, count, dtype="int32") for size in sizes)
            is_same = random.random_sample(count) < 0.9 if kind in ("mostly one", "good") else None
            if kind == "sorted":
                true = xp.arange(part.start, part.stop) * sizes[0] // n
            elif kind == "mostly one":
                true, pred = (xp.where(is_same, 0, x) for x in (true, pred))
            elif kind == "good":
                pred = xp.where(is_same, true % sizes[1], pred)
            for side, values in zip(pair, (true, pred), strict=True):
                side[part] = values
        return pair

    def blobs(self, n: int, n_features: int, n_clusters: int) -> tuple[Any, Any]:
        """Samples of 32 bits around the centres of their clusters, and their labels."""
        random = self.xp.random.RandomState(0)
        centres = 2 * random.standard_normal((n_clusters, n_features))
        labels = random.randint(0, n_clusters, n, dtype="int64")
        return (random.standard_normal((n, n_features)) + centres[labels]).astype("float32"), labels

    def tensors(self, *arrays: Any) -> tuple[Any, ...]:
        """The arrays as PyTorch's, on a GPU in the same memory."""
        import torch

        return tuple(torch.from_dlpack(self.host(x) if STANDS_IN else x) for x in arrays)

    def host(self, array: Any) -> Any:
        """An array of NumPy."""
        return array.get() if hasattr(array, "get") else array

    def seconds_each(self, call: Call, times: int) -> float:
        """Seconds on the host's clock of one of many calls in a row, until the device is done with the last."""
        self.waiting()
        start = time.perf_counter()
        for _ in range(times):
            call()
        self.waiting()
        return (time.perf_counter() - start) / times


def gpu() -> Device:
    """The current device of CuPy; PyTorch's, where it is installed, must be the same."""
    import cupy

    if not cupy.is_available():
        raise RuntimeError("no GPU: CuPy finds none")
    name = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)["name"].decode()

    def seconds(call: Call) -> float:
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        cupy.cuda.runtime.deviceSynchronize()
        start.record()
        call()
        end.record()
        cupy.cuda.runtime.deviceSynchronize()
        return float(cupy.cuda.get_elapsed_time(start, end)) / 1000

    wait, free = cupy.cuda.runtime.deviceSynchronize, cupy.cuda.Device().mem_info[0]
    known = cupy.cuda.Device().attributes
    lanes = 64 if cupy.cuda.Device().compute_capability in ("60", "70", "72", "75", "80") else 128
    rate = known["MultiProcessorCount"] * lanes * known["ClockRate"] * 1000.0
    add = cupy.ElementwiseKernel(
        "float32 x, int64 row, int64 label, int64 n_clusters",
        "raw float32 sums",
        "atomicAdd(&sums[row * n_clusters + label], x)",
        "add_by_label",
    )

    def add_by_label(sums: Any, distances: Any, labels: Any) -> None:
        rows = cupy.arange(len(distances))[:, None]
        add(distances, rows, labels[None, :], sums.shape[1], sums)

    of_torch = (_itself, nullcontext) if STANDS_IN else (_captured, _without_waiting)
    return Device(name, cupy, seconds, wait, *of_torch, free, rate, add_by_label)


def on_the_host() -> Device:
    """The CPU in the place of a GPU, to try the code of the cases: what is measured so says nothing."""

    def add_by_label(sums: Any, distances: Any, labels: Any) -> None:
        np.add.at(sums, (slice(None), labels), distances)

    def seconds(call: Call) -> float:
        return timed(call)[1]

    return Device("the host", np, seconds, lambda: None, _itself, nullcontext, 0, 1e9, add_by_label)


def _itself(call: Call) -> Call:
    return call


def _captured(call: Call) -> Call:
    import torch

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        call()  # compiles what is not compiled yet
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        value = call()

    def replay() -> Any:
        graph.replay()
        return value

    return replay


@contextmanager
def _without_waiting() -> Iterator[None]:
    import torch

    torch.cuda.set_sync_debug_mode("error")
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode("default")
