"""What scores of PyTorch's labels take on the host of a GPU: ``python -m benchmarks.host_time [--against PATH]``.

Launches do nothing: tensors of the CPU pass for those of a GPU, and the stand-in for CuPy of the tests takes what the
host code gives it. So it needs no GPU, and says nothing of one: neither how long kernels run, nor what CuPy and the
driver add to each launch. With another checkout both take turns, and the ratio is of the fastest calls of all turns.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
N, CLUSTERS = 10_000, 10
CALLS = 60
"""Calls of one turn."""


def main() -> None:
    """Measure this checkout, and another one, and print a line for each call."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.host_time", description=__doc__.partition(":")[0])
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each checkout (%(default)s)")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        _serve(options.serve)
        return
    found = measured([ROOT, *([options.against.resolve()] if options.against else [])], options.rounds)
    for name in found[0]:
        here, *there = (x[name] for x in found)
        words = [f"{name:9} {here['launches']:3} launches {min(here['seconds']) * 1e6:7.0f} us"]
        words += [f"before {x['launches']} launches, {_ratio(here, x):.2f} of its time" for x in there]
        print("; ".join(words))


def measured(checkouts: list[Path], rounds: int) -> list[dict[str, Any]]:
    """Of each checkout and each call how many launches it makes, and the seconds of the fastest call of each turn."""
    command = [sys.executable, "-P", __file__, "--serve"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([*command, str(x)], **pipes) for x in checkouts]
    found: list[dict[str, Any]] = [{} for _ in checkouts]
    try:
        for _ in range(rounds):
            for process, calls in zip(processes, found, strict=True):
                process.stdin.write("\n")
                process.stdin.flush()
                for name, (launches, seconds) in json.loads(process.stdout.readline()).items():
                    calls.setdefault(name, {"launches": launches, "seconds": []})["seconds"].append(seconds)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return found


def _ratio(here: dict[str, Any], there: dict[str, Any]) -> float:
    return statistics.median(x / y for x, y in zip(here["seconds"], there["seconds"], strict=True))


def _serve(checkout: Path) -> None:
    """Take turns: for each line that comes in, the launches and the fastest call of each score."""
    sys.path[:0] = [str(checkout), str(checkout / "tests/engines/cuda"), str(checkout / "tests")]
    import fake_cupy
    import torch

    with fake_cupy.installed():
        _stand_in(torch, fake_cupy)
        calls = _calls(torch)
        for call in calls.values():
            call()
        for _ in sys.stdin:
            print(json.dumps({name: _turn(call, fake_cupy.launched) for name, call in calls.items()}), flush=True)


def _stand_in(torch: Any, fake_cupy: Any) -> None:
    """Let tensors of the CPU pass for those of a GPU, and launches do nothing."""
    from gpuval.engines.backends.torch import TorchBackend
    from gpuval.engines.cuda import arrays

    answers: dict[str, Callable[..., Any]] = {
        "is_on_gpu": lambda self, x: not self.is_traced(x),
        "lies_on_host": lambda self, x: False,
        "host_view": lambda self, x: None,
        "host_views": lambda self, *x: None,
    }
    for name, answer in answers.items():
        setattr(TorchBackend, name, answer)
    vars(arrays)["has_cupy"] = lambda: True
    stream = types.SimpleNamespace(cuda_stream=1234)
    torch.cuda.current_stream = lambda device: stream
    torch.cuda.caching_allocator_alloc = lambda *asked: 4321
    torch.cuda.caching_allocator_delete = lambda pointer: None

    def launch(self: Any, grid: Any, block: Any, args: Any, *, shared_mem: int = 0) -> None:
        fake_cupy.launched.append(self.name)

    fake_cupy._Function.__call__ = launch


def _calls(torch: Any) -> dict[str, Callable[[], Any]]:
    import numpy as np

    import gpuval

    true, pred = (torch.asarray(x) for x in np.random.default_rng(0).integers(0, CLUSTERS, (2, N)))
    size = {"n_classes": CLUSTERS, "n_clusters": CLUSTERS}
    return {
        "ARI": lambda: gpuval.adjusted_rand_score(true, pred, **size),
        "evaluate": lambda: gpuval.evaluate(true, pred, **size),
    }


def _turn(call: Callable[[], Any], launched: list[str]) -> tuple[int, float]:
    launched.clear()
    call()
    launches, seconds = len(launched), []
    for _ in range(CALLS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return launches, min(seconds)


if __name__ == "__main__":
    main()
