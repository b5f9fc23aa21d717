"""Bandwidths, tables as shares of them, sorts, what the host takes, and first calls."""

from __future__ import annotations

import contextlib
import tempfile
from functools import partial
from typing import Any
from unittest import mock

import cupy
import numpy as np

import gpuval
from benchmarks.device import fewer
from benchmarks.first_calls import first_calls
from benchmarks.gpu_run.run import Run
from benchmarks.gpu_run.smoke import SCORES, SIZE
from gpuval import Contingency
from gpuval.engines.cuda import tabulate

READS = r"""extern "C" __global__ void reads(const uint4* x, unsigned long long n, unsigned int* out) {
  unsigned int sum = 0;
  unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    uint4 a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
    sum += a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
  }
  if (sum == 12345) *out = sum;
}"""
"""Reads an array and does as little else as the compiler lets it."""

TABLES = (
    *(("random", (4, 4), "int32"), ("sorted", (4, 4), "int32"), ("mostly one", (4, 4), "int32")),
    *(("random", (30, 40), "int32"), ("sorted", (30, 40), "int32"), ("mostly one", (30, 40), "int32")),
    *(("random", (100, 120), "int32"), ("sorted", (100, 120), "int32"), ("mostly one", (100, 120), "int32")),
    *(("random", (240, 242), "int32"), ("random", (400, 400), "int32"), ("random", (1000, 1000), "int32")),
    *(("random", (2500, 2500), "int32"), ("good", (1000, 1000), "int32"), ("sorted", (1000, 1000), "int32")),
    *(("random", (4, 4), "int64"), ("random", (30, 40), "int64"), ("random", (100, 120), "int64")),
    *(("random", (4, 4), "int8"), ("random", (30, 40), "int8"), ("random", (100, 120), "int8")),
)


def bandwidths(run: Run) -> str:
    """Of a copy, which reads and writes, and of reading alone."""
    on = run.device
    copied = on.bandwidth(fewer(1 << 32))
    reads, x = cupy.RawKernel(READS, "reads"), cupy.ones(fewer(1 << 32), dtype="u1")
    grid, out = 8 * cupy.cuda.Device().attributes["MultiProcessorCount"], cupy.zeros(1, dtype="u4")
    read = x.size / run.median(lambda: reads((grid,), (256,), (x, np.uint64(x.size // 16), out)))
    run.facts["bytes per second"] = {"copied": copied, "read": read}
    return f"copy {copied / 1e12:.3f} TB/s (read and written), read only {read / 1e12:.3f} TB/s"


def tables(run: Run) -> None:
    """Tables of known size of 2^29 samples: which share of a copy's bandwidth they reach."""
    n = 1 << 29
    for kind, shape, dtype in TABLES:
        true, pred = run.labels(kind, n, shape, dtype)
        call = partial(tabulate.dense_counts, true, pred, range(shape[0]), range(shape[1]))
        counts, outside = call()
        assert int(counts.sum()) == true.size, (kind, shape, dtype)
        assert int(outside) == 0, (kind, shape, dtype)
        seconds = run.median(call)
        share = (true.nbytes + pred.nbytes) / run.bandwidth / seconds
        run.keep(f"table {kind} {shape[0]}x{shape[1]} {dtype}", share=share, ms=seconds * 1e3)


def other_passes(run: Run) -> None:
    """The same bytes from a start that is not aligned, of unknown size, and with weights."""
    sizes = range(30), range(40)
    for dtype in ("int32", "int64", "int8"):
        true, pred = run.labels("random", 1 << 29, (30, 40), dtype)
        calls = {
            "slice_at_1": partial(tabulate.dense_counts, true[1:], pred[1:], *sizes),
            "limits": partial(tabulate.limits_of, true, pred),
        }
        floor = (true.nbytes + pred.nbytes) / run.bandwidth
        run.keep(f"30x40 {dtype}, shares", **{name: floor / run.median(call, 3) for name, call in calls.items()})
    true, pred = (x[: len(x) // 4] for x in run.labels("random", 1 << 29, (30, 40)))
    weights = cupy.zeros(len(true), dtype="float64") + 1
    seconds = run.median(partial(tabulate.dense_counts, true, pred, *sizes, weights), 3)
    run.keep("30x40 int32, weights", share=len(true) * 16 / run.bandwidth / seconds, ms=seconds * 1e3)


def sorts(run: Run) -> None:
    """10^8 samples of 10^5 x 10^5 clusters: beside slots, dealt into buckets, as they are, and what CuPy does."""
    k = 10**5
    for kind in ("good", "random"):
        true, pred = run.labels(kind, 10**8, (k, k))
        ours = partial(tabulate.runs_of, true, pred, range(k), range(k))
        found = {"slots_ms": run.median(ours, 3)}
        with mock.patch.object(tabulate, "slots_for", return_value=None):
            found["dealt_ms"] = run.median(ours, 3)
            with mock.patch.object(tabulate, "are_dealt", return_value=False):
                found["whole_ms"] = run.median(ours, 3)
        found["unique_ms"] = run.median(partial(_by_unique, true, pred, k, run.device.xp), 3)
        run.keep(f"runs {kind} 1e8", **{name: seconds * 1e3 for name, seconds in found.items()})


def _by_unique(true: Any, pred: Any, k: int, xp: Any) -> Any:
    return xp.unique(true.astype("int64") * k + pred, return_counts=True)


def host_time(run: Run) -> None:
    """Microseconds of one call of many, n = 10^4."""
    labels = run.labels("random", 10**4, (30, 40), "int64")
    for word, (x, y) in {"cupy": labels, "torch": run.device.tensors(*labels)}.items():
        accumulator = gpuval.Accumulator(30, 40, like=x)
        calls = {name: partial(getattr(gpuval, name), x, y, **SIZE) for name in SCORES[:3]}
        calls["ari, unknown size"] = partial(gpuval.adjusted_rand_score, x, y)
        calls["evaluate"] = partial(gpuval.evaluate, x, y)
        calls["update"] = partial(accumulator.update, x, y)
        found = {}
        for name, call in calls.items():
            call()
            found[name.removesuffix("_score")] = run.device.seconds_each(call, fewer(100, 2)) * 1e6
        run.keep(f"host us, {word}", **found)


def beside_others(run: Run) -> None:
    """``cupy.bincount``, torchmetrics, and what an expectation and a silhouette take."""
    on = run.device
    true, pred = run.labels("random", 1 << 28, (100, 120))
    ours = run.median(partial(tabulate.dense_counts, true, pred, range(100), range(120)))
    theirs = run.median(lambda: cupy.bincount(true * 120 + pred, minlength=12_000), 3)
    run.keep("bincount 2^28, 100x120", times_as_fast=theirs / ours, bincount_ms=theirs * 1e3)
    k = fewer(1000, 20)
    table = Contingency.from_labels(*run.labels("random", 10**7, (k, k)), n_classes=k, n_clusters=k)
    run.keep(f"ami of a table {k}x{k}", ms=1e3 * run.median(partial(gpuval.adjusted_mutual_info_score, table), 3))
    n, d = fewer(200_000, 250), 50
    X, labels = on.blobs(n, d, 20)
    seconds = run.median(partial(gpuval.silhouette_score, X, labels), 3)
    run.keep("silhouette 2e5 x 50", ms=seconds * 1e3, times_of_arithmetic=seconds / (n * n * d / on.multiply_adds))
    with contextlib.suppress(ImportError):
        from torchmetrics.functional.clustering import normalized_mutual_info_score as other

        x, y = on.tensors(*run.labels("good", 10**7, (100, 100), "int64"))
        ours = run.median(partial(gpuval.normalized_mutual_info_score, x, y))
        theirs = run.median(partial(other, y, x), 3)
        run.keep("nmi 1e7 torch", times_as_fast=theirs / ours, ours_ms=ours * 1e3)


def new_processes(run: Run) -> None:
    """Seconds of a user's first calls: with an empty cache of CuPy's kernels, and with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        for word in ("empty cache", "full cache"):
            run.keep(f"first calls, {word}, s", **first_calls("cupy", cache))


PARTS = (bandwidths, tables, other_passes, sorts, host_time, beside_others, new_processes)
