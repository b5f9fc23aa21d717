"""The memory that a call takes at most beyond its inputs, in a new process for each: ``python -m benchmarks.memory``.

On the host it is the growth of the resident set's high-water mark, which Linux can reset; elsewhere it is not measured.
On a GPU it is what the library's own allocator counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.workloads import Workload

PATIENCE = 300
"""Seconds after which a process is given up."""

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@cache
def extra_bytes(workload: Workload, measure: str, backend: str, peer: str = "") -> int | None:
    """The extra memory of a measure in bytes: gpuval's, or a peer's; None where it cannot be measured."""
    described = json.dumps([asdict(workload), measure, backend, peer])
    root = Path(__file__).parent.parent
    # With a fixed threshold glibc gives large arrays back when they are freed, and their next use is counted.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    command = [sys.executable, "-m", "benchmarks.memory", described]
    try:
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    if ran.returncode and peer:
        return None  # another library may need more than there is
    if ran.returncode:
        raise RuntimeError(f"no memory was measured: {ran.stderr.strip()}")
    found: int | None = json.loads(ran.stdout.splitlines()[-1])
    return found


def peak_on_host(call: Callable[[], Any]) -> int | None:
    """Run a call and return by how many bytes the resident set grew at most."""
    try:
        _RESET.write_text("5")  # the high-water mark becomes the present size
    except OSError:
        return None
    before = _resident("VmRSS")
    call()
    return max(0, _resident("VmHWM") - before)


def _resident(field: str) -> int:
    lines = _STATUS.read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def _measure(described: str) -> int | None:
    """Build the labels, warm up and run once; a backend that compiles is warmed up with the same shape."""
    from benchmarks.backends import BACKENDS
    from benchmarks.peers import PEERS
    from benchmarks.workloads import Workload

    fields, measure, name, peer = json.loads(described)
    workload, backend = Workload(**fields), BACKENDS[name]
    with backend.mode():

        def call(of: Workload) -> Callable[[], Any]:
            labels = of.labels(of.codes())
            if not peer:
                return backend.call(measure, backend.labels(labels), of).run
            return PEERS[peer].call(measure, PEERS[peer].prepare(labels, backend.torch_device)).run

        call(workload if backend.compiles and not peer else workload.tiny())()
        run = call(workload)
        on_device = not peer or backend.torch_device != "cpu"
        return (backend.peak if on_device else peak_on_host)(run)


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1])))
