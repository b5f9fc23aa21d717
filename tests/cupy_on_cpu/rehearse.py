"""Rehearse a first run on a GPU over the stand-ins: ``.cupy/bin/python tests/cupy_on_cpu/rehearse.py smoke kernels``.

It runs ``bash benchmarks/gpu_run/run.sh smoke kernels``, where each process of Python has the stand-ins. Sizes are
small. PyTorch and JAX are on the CPU; tests of their arrays on a GPU are skipped. No step has a limit of time, and
``compute-sanitizer`` and ``ncu`` only run the command that they are given.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[1]))

from compiling import BUILDS, PROGRAMS, keep_programs_in, kept

TESTS = Path(__file__).parents[1]
INSTALL = f"import sys; sys.path.append({str(TESTS)!r}); import cupy_on_cpu; cupy_on_cpu.install()\n"
TOOL = '#!/bin/sh\nwhile [ "$1" != "$PYTHON" ]; do shift; done\nexec "$@"\n'


def main(steps: list[str]) -> int:
    """Run the steps; the exit code is that of the script."""
    if not os.environ.get(BUILDS):
        os.environ[BUILDS] = kept("emulator")
    if not os.environ.get(PROGRAMS):
        keep_programs_in(kept("jax"))
    with TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(INSTALL)
        for name in ("timeout", "compute-sanitizer", "ncu"):
            Path(folder, name).write_text(TOOL)
            Path(folder, name).chmod(0o755)
        environment = {
            "OUT": "build/rehearsal",
            **os.environ,
            "PYTHON": sys.executable,
            "PYTHONPATH": folder,
            "PATH": f"{folder}:{os.environ['PATH']}",
            "PYTEST_ADDOPTS": "-p cupy_on_cpu.plugin --maxprocesses=1 --ignore=tests/cupy_on_cpu",
        }
        script = TESTS.parent / "benchmarks" / "gpu_run" / "run.sh"
        return subprocess.run(["bash", script, *steps], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
