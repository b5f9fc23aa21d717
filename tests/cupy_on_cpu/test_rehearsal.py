"""A first run on a GPU over the stand-ins, by the very command lines of ``benchmarks/gpu_run/README.md``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.gpu_run import run, tune
from cupy_on_cpu.conftest import forget_kernels
from gpuval.engines.cuda.kernels import options_of, source

ROOT = Path(__file__).parents[2]


def rehearsed(root, out, *steps):
    """The script's exit code, and what it has printed."""
    command = [sys.executable, root / "tests" / "cupy_on_cpu" / "rehearse.py", *steps]
    ran = subprocess.run(command, env=os.environ | {"OUT": str(out)}, capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("call", ["smoke kernels", "timings tune", "bench"])
def test_a_call(call, tmp_path):
    code, printed = rehearsed(ROOT, tmp_path, *call.split())
    assert code == 0, printed
    assert "out of time" not in printed


def test_a_fault_is_found(tmp_path):
    """A name that CuPy does not have, in one part: the others run, and the exit code says so."""
    for name in ("benchmarks", "gpuval", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    part = tmp_path / "benchmarks" / "gpu_run" / "tune.py"
    text = part.read_text()
    assert text.count("kernel.num_regs") == 1
    part.write_text(text.replace("kernel.num_regs", "kernel.num_registers"))
    code, printed = rehearsed(tmp_path, tmp_path / "out", "tune")
    assert code == 1
    assert "no attribute 'num_registers'" in printed
    assert "FAILED: few_samples; " in printed


AS_IF_BARE = """import sys; sys.path.insert(0, "tests")
import cupy_on_cpu; cupy_on_cpu.install()
import bare_machine; bare_machine.main("benchmarks.gpu_run")"""


@pytest.mark.parametrize("part", ["smoke --only expectation", "timings --only other_passes", "tune --only few_samples"])
def test_steps_need_no_other_packages(part):
    """Than a machine with a GPU has."""
    command = [sys.executable, "-c", AS_IF_BARE, "benchmarks.gpu_run", *part.split()]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_tune_measures_what_gpuval_runs(texts):
    """Labels are aligned there, for which kernels have a text of their own."""
    forget_kernels()
    for part in (tune.few_samples, tune.shared_tables, tune.tables_in_the_cache):
        part(run.Run())
    for text in (source("joint"), source("joint").replace(tune.MATCH, tune.NO_MATCH)):
        found = {options for code, options, _ in texts if code == text}
        assert found == {options_of("joint", are_aligned=True)}
