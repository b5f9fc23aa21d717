"""What the first calls of a new process take: ``python -m benchmarks.first_calls``, beside the libraries they load.

With ``--jax``, those of JAX on the CPU, once each: most of what they take is XLA, which compiles.

Processes take turns, and each is timed from its start to its end. The first round, which is not counted, writes the
bytecode of all modules, as an installation does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.device import fewer
from benchmarks.report import markdown_table
from benchmarks.timing import Seconds, quotients, spread

ROOT = Path(__file__).parents[1]

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
    how = {"cwd": ROOT, "env": {**os.environ, "CUPY_CACHE_DIR": cache}}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **how)
    if ran.returncode:
        raise RuntimeError(f"a new process failed: {ran.stderr[-300:]}")
    return dict(
        zip(("library", "import", "ari", "evaluate", "silhouette"), map(float, ran.stdout.split()), strict=True)
    )


FIRST_SCORE = """import numpy as np, gpuval
gpuval.adjusted_rand_score(np.arange(1000) % 7, np.arange(1000) % 9)"""

_ROWS = (("import and a first ARI", "ari", "numpy"), ("gpuval evaluate, 1,000 rows of CSV", "evaluate", "pandas"))
"""What is timed, by its process, and the process beside it."""


def in_new_processes(rounds: int, folder: Path) -> Seconds:
    """Seconds of processes that end after a first score, after a command, and after an import of a library alone.

    ``folder`` is for the file that the command reads.
    """
    file = folder / "labels.csv"
    file.write_text("true,pred\n" + "".join(f"{i % 7},{i % 9}\n" for i in range(1000)))
    arguments = {
        "numpy": ("-c", "import numpy"),
        "ari": ("-c", FIRST_SCORE),
        "pandas": ("-c", "import pandas"),
        "evaluate": ("-m", "gpuval", "evaluate", str(file), "--true", "true", "--pred", "pred"),
    }
    environment = {name: x for name, x in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    seconds: Seconds = {name: [] for name in arguments}
    for _ in range(rounds + 1):
        for name, given in arguments.items():
            start = perf_counter()
            subprocess.run([sys.executable, *given], cwd=ROOT, env=environment, capture_output=True, check=True)
            seconds[name].append(perf_counter() - start)
    return {name: found[1:] for name, found in seconds.items()}


_JAX_CALLS = {
    "jit: nDCG": "jax.jit(ranking.ndcg_score)(Y, S)",
    "jit: average precision": "jax.jit(ranking.average_precision_score)(Y, S)",
    "jit: concordance": "jax.jit(ranking.concordance_ratio)(Y, S)",
    "jit: PCR": "jax.jit(lambda x, y: gpuval.pcr_score(x, y, n_categories=3))(X, a)",
    "jit: PCR, 5 components": "jax.jit(lambda x, y: gpuval.pcr_score(x, y, n_categories=3, n_components=5))(X, a)",
    "accumulator of labels": "m = gpuval.Accumulator(3, 4); m.update(a, b); gpuval.adjusted_rand_score(m.table)",
    "accumulator of memberships": (
        "m = gpuval.Accumulator(3, 4); m.update_memberships(U, V); gpuval.normalized_mutual_info_score(m.table)"
    ),
    "gradient of soft NMI": (
        "jax.grad(lambda u: gpuval.normalized_mutual_info_score(gpuval.Contingency.from_memberships(u, V)))(U)"
    ),
    "AMI": "gpuval.adjusted_mutual_info_score(a, b)",
}

_JAX_PROGRAM = """
import time, jax, numpy as np
rng, compiled = np.random.default_rng(0), []
real = lambda x: jax.numpy.asarray(x, dtype="float32")
Y, S, X = real(rng.integers(0, 3, (20, 50))), real(rng.random((20, 50))), real(rng.random((500, 10)))
a, b = (jax.numpy.asarray(rng.integers(0, k, 500)) for k in (3, 4))
U, V = (real(rng.dirichlet(np.ones(k), 500)) for k in (3, 4))
jax.numpy.arange(3).sum().block_until_ready()
jax.monitoring.register_event_duration_secs_listener(
    lambda name, *_, **__: compiled.append(name) if name.endswith("backend_compile_duration") else None
)
import gpuval
from gpuval import ranking
wall, cpu = time.perf_counter(), time.process_time()
{call}
print(time.perf_counter() - wall, time.process_time() - cpu, len(compiled))
"""


def first_call_of_jax(call: str) -> tuple[float, float, int]:
    """Seconds of a call in a new process, seconds of all processors, and how often XLA compiled."""
    command = [sys.executable, "-c", _JAX_PROGRAM.format(call=call)]
    how = {"cwd": ROOT, "env": {**os.environ, "JAX_PLATFORMS": "cpu"}}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, **how)
    seconds, busy, n_compiled = ran.stdout.split()
    return float(seconds), float(busy), int(n_compiled)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_calls", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each process is started")
    parser.add_argument("--jax", action="store_true", help="time first calls of JAX, not imports")
    given = parser.parse_args(arguments)
    if given.jax:
        found = [[name, *first_call_of_jax(call)] for name, call in _JAX_CALLS.items()]
        cells = [[name, f"{seconds:.2f}", f"{busy:.2f}", str(n)] for name, seconds, busy, n in found]
        print(markdown_table(("first call of JAX", "s", "s of processors", "compiled"), cells))
        return
    with tempfile.TemporaryDirectory() as folder:
        seconds = in_new_processes(given.rounds, Path(folder))
    rows = []
    for title, ours, beside in _ROWS:
        ratio = quotients(seconds, ours, beside)
        milliseconds = [f"{1e3 * spread(seconds[name]).median:.0f}" for name in (ours, beside)]
        rows.append([title, milliseconds[0], f"import of {beside}", milliseconds[1], f"{ratio.median:.2f}"])
        rows[-1].append(f"{ratio.low:.2f} to {ratio.high:.2f}")
    print(markdown_table(("in a new process", "ms", "beside", "ms", "ratio", "quartiles"), rows))


if __name__ == "__main__":
    main()
