"""What scores of PyTorch's labels take on the host of a GPU: ``python -m benchmarks.host_time [--against PATH]``.

Launches do nothing: tensors of the CPU pass for those of a GPU, and ``host_cupy`` for CuPy. So it needs no GPU, and
says nothing of one: neither how long kernels run, nor what CuPy and the driver add to each launch. With another
checkout both take turns, and the ratio is the median of those of the fastest calls of each turn.
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
    sys.path.insert(0, str(checkout))
    import torch

    import gpuval

    if not Path(gpuval.__file__).is_relative_to(checkout):
        raise ImportError(f"gpuval is that of {gpuval.__file__}")
    sys.path[0] = str(ROOT)
    from benchmarks import host_cupy

    host_cupy.install()
    _stand_in(torch, host_cupy)
    calls = _calls(torch)
    for call in calls.values():
        call()
    for _ in sys.stdin:
        print(json.dumps({name: _turn(call, host_cupy.launched) for name, call in calls.items()}), flush=True)


def _stand_in(torch: Any, host_cupy: Any) -> None:
    """Let tensors of the CPU pass for those of a GPU."""
    import numpy as np

    from gpuval.engines import backends
    from gpuval.engines.backends.cupy import CupyBackend
    from gpuval.engines.backends.torch import TorchBackend
    from gpuval.engines.cuda import kernels

    answers: dict[str, Callable[..., Any]] = {
        "is_on_gpu": lambda self, x: not self.is_traced(x),
        "lies_on_host": lambda self, x: False,
        "host_view": lambda self, x: None,
        "host_labels": lambda self, *x: None,
    }
    for name, answer in answers.items():
        setattr(TorchBackend, name, answer)
    backends._by_type[host_cupy.ndarray] = CupyBackend(np)
    vars(kernels)["has_cupy"] = lambda: True
    stream = types.SimpleNamespace(cuda_stream=1234)
    torch.cuda.current_stream = lambda device: stream


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
