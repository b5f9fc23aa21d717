"""The array libraries that gpuval runs on, each with its arrays, its synchronisation and its meter of memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import memory
from benchmarks.calls import Call
from benchmarks.loops import LOOPS, OF_TENSORS
from benchmarks.measures import MEASURES
from benchmarks.workloads import NDArray, Pair, Workload


@dataclass(frozen=True)
class Backend:
    """A library on one of its devices.

    ``wait`` returns when what it is given has been computed; ``peak`` runs a call and returns the memory that it took
    at most, in bytes; ``mode`` is a context that everything runs in; ``sums`` reads arrays with as many threads as the
    library has.
    """

    name: str
    module: str
    array: Callable[[NDArray], Any]
    wait: Callable[[Any], object] = lambda value: value
    host: Callable[[Any], NDArray] = np.asarray
    has_device: Callable[[], bool] = lambda: True
    mode: Callable[[], AbstractContextManager[Any]] = nullcontext
    peak: Callable[[Callable[[], Any]], int | None] = memory.peak_on_host
    sums: Callable[[Pair], Any] = lambda arrays: [x.sum() for x in arrays]
    compiles: bool = False
    """Whether the first call of each shape compiles."""
    torch_device: str = "cpu"
    """Where a peer that takes tensors gets them."""

    def absent(self) -> str | None:
        """Why the backend cannot be measured here."""
        if not find_spec(self.module):
            return "not installed"
        return None if self.has_device() else "no GPU"

    def offers(self, workload: Workload, measure: str) -> bool:
        """Whether such labels can be there, and the measure takes them."""
        has_measure = measure not in OF_TENSORS or (self.module == "torch" and bool(find_spec("torchmetrics")))
        return has_measure and (self.name == "numpy" or not workload.is_text)

    def labels(self, labels: Pair) -> Pair:
        """The labels on the device; text stays as it is."""
        true, pred = (x if _is_text(x) else self.array(x) for x in labels)
        self.wait([true, pred])
        return true, pred

    def call(self, measure: str, labels: Pair, workload: Workload) -> Call:
        """A measure of labels of the workload that are on the device, until its value is there."""
        if measure in LOOPS:
            made = LOOPS[measure](labels, (workload.n_classes, workload.n_clusters))
        else:
            made = Call(partial(MEASURES[measure](), *labels))

        def run() -> Any:
            value = made.run()
            self.wait(value)
            return value

        return replace(made, run=run)

    def floor(self, codes: Pair) -> Call:
        """Read both arrays once, until their sums are there."""

        def run() -> Any:
            sums = self.sums(codes)
            self.wait(sums)
            return sums

        return Call(run)


def _is_text(x: Any) -> bool:
    return getattr(getattr(x, "dtype", None), "kind", "O") in "OU"


_PART = 1 << 18
"""Samples that a thread adds up at once."""


def _sums_of_parts(arrays: Pair) -> Any:
    """The sums of parts, on as many threads as gpuval may have; short arrays are read in this one."""
    from gpuval.numerics.parallel import parallel_map, slices  # only now: an older checkout need not have it

    parts = [x[part] for x in arrays for part in slices(len(x), _PART)]
    return parallel_map(np.sum, parts, 1 if len(parts) == len(arrays) else None)


def _torch(name: str, device: str, **options: Any) -> Backend:
    def array(x: NDArray) -> Any:
        import torch

        return torch.asarray(x, device=device)

    def host(value: Any) -> NDArray:
        return np.asarray([x.cpu() for x in value] if isinstance(value, list) else value.cpu())

    return Backend(name, "torch", array, host=host, torch_device=device, **options)


def _wait_for_torch(value: Any) -> None:
    import torch

    torch.cuda.synchronize()


def _torch_has_cuda() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def _torch_peak(call: Callable[[], Any]) -> int:
    import torch

    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    call()
    return int(torch.cuda.max_memory_allocated() - before)


def _jax(name: str, platform: str, **options: Any) -> Backend:
    def array(x: NDArray) -> Any:
        import jax

        return jax.device_put(x, jax.devices(platform)[0])

    def wait(value: Any) -> Any:
        jax: Any = import_module("jax")
        return jax.block_until_ready(value)

    def mode() -> Any:
        jax: Any = import_module("jax")
        return jax.enable_x64(True)

    return Backend(name, "jax", array, wait, mode=mode, compiles=True, **options)


def _jax_has_cuda() -> bool:
    import jax

    try:
        return bool(jax.devices("cuda"))
    except RuntimeError:
        return False


def _jax_peak(call: Callable[[], Any]) -> int:
    import jax

    device = jax.devices("cuda")[0]
    before = device.memory_stats()["bytes_in_use"]
    call()
    return int(device.memory_stats()["peak_bytes_in_use"] - before)


def _cupy() -> Backend:
    def array(x: NDArray) -> Any:
        import cupy

        return cupy.asarray(x)

    def wait(value: Any) -> None:
        import cupy

        cupy.cuda.get_current_stream().synchronize()

    def host(value: Any) -> NDArray:
        return np.asarray([x.get() for x in value] if isinstance(value, list) else value.get())

    def has_device() -> bool:
        import cupy

        return bool(cupy.cuda.is_available())

    def peak(call: Callable[[], Any]) -> int:
        import cupy

        pool = cupy.get_default_memory_pool()
        pool.free_all_blocks()
        before = pool.total_bytes()
        call()
        return int(pool.total_bytes() - before)

    return Backend("cupy", "cupy", array, wait, host, has_device, peak=peak)


BACKENDS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend("numpy", "numpy", np.asarray, sums=_sums_of_parts),
        _torch("torch", "cpu"),
        _jax("jax", "cpu"),
        _cupy(),
        _torch("torch-cuda", "cuda", wait=_wait_for_torch, has_device=_torch_has_cuda, peak=_torch_peak),
        _jax("jax-cuda", "cuda", has_device=_jax_has_cuda, peak=_jax_peak),
    )
}
