"""What runs on a GPU needs CuPy, PyTorch, JAX, NumPy, SciPy, array-api-compat, pytest and hypothesis, and no more."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bare_machine import NEEDED, Finder, with_requirements
from on_a_gpu import is_read, never_read

ROOT = Path(__file__).parent.parent
BARE = [sys.executable, str(ROOT / "tests" / "bare_machine.py")]
COLLECT = ["pytest", "-m", "gpu", "--collect-only", "-q", "-p", "no:cacheprovider"]

# What is there


def test_a_package_brings_what_it_requires_and_no_extras():
    found = with_requirements(["gpuval", "hypothesis", "no-such-package"])
    assert {"gpuval", "numpy", "scipy", "array-api-compat", "hypothesis", "sortedcontainers"} <= found
    assert found.isdisjoint({"torch", "pandas", "no-such-package"})
    assert with_requirements(NEEDED).isdisjoint({"pandas", "polars", "dask", "scikit-learn", "torchmetrics", "click"})


def test_other_packages_are_as_if_not_installed():
    finder = Finder({"numpy"})
    assert finder.find_spec("numpy") is not None
    assert finder.find_spec("json") is not None
    assert finder.find_spec("scipy") is finder.find_spec("scipy.stats") is None
    assert {x.name for x in finder.find_distributions()} == {"numpy"}


# Tests


def test_the_tests_of_a_gpu_are_collected():
    """As many as where all packages are."""
    runs = [
        subprocess.Popen([*command, *COLLECT], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for command in (BARE, [sys.executable, "-m"])
    ]
    bare, full = (run.communicate()[0] for run in runs)
    assert [run.returncode for run in runs] == [0, 0], bare[-3000:] + full[-3000:]
    found, wanted = (re.findall(r"^tests/.*::.*$", printed, re.MULTILINE) for printed in (bare, full))
    assert found == wanted
    assert len(found) > 3000


def test_an_import_at_the_top_of_a_file_is_found(tmp_path):
    (tmp_path / "test_frames.py").write_text("import pandas\n\n\ndef test_frame():\n    pass\n")
    ran = subprocess.run([*BARE, "pytest", "--collect-only", "-q"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == pytest.ExitCode.INTERRUPTED
    assert "No module named 'pandas'" in ran.stdout


@pytest.mark.parametrize(
    ("text", "has_sign"),
    [
        ("def test_it(backend): ...", True),
        ("def test_it(\n    name,\n    backend,\n): ...", True),
        ("class TestIt:\n    def test_it(self, backend): ...", True),
        ("pytestmark = pytest.mark.gpu", True),
        ("def test_it(name):\n    backend = BACKENDS[name]", False),
        ("def check(backend): ...", False),
    ],
)
def test_the_sign_of_a_file_with_tests_on_a_gpu(text, has_sign, tmp_path):
    path = tmp_path / "test_it.py"
    path.write_text(text)
    assert is_read(path) == has_sign


def test_a_file_of_tests_on_a_gpu_that_would_be_left_out_is_told(tmp_path):
    class Item:
        def __init__(self, name, marks):
            self.path, self.get_closest_marker = tmp_path / name, marks.get
            self.path.write_text("def test_it(): ...")

    items = [Item("test_gpu.py", {"gpu": pytest.mark.gpu}), Item("test_cpu.py", {})]
    assert never_read(items) == [tmp_path / "test_gpu.py"]


# Benchmarks


def test_the_benchmark_of_a_gpu_says_what_is_missing():
    ran = subprocess.run([*BARE, "benchmarks", "--gpu", "--smoke"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 2
    assert re.search(r"error: --gpu needs a GPU and CuPy: (No module named 'cupy'|no GPU: CuPy finds none)", ran.stderr)


def test_the_benchmark_of_a_gpu_runs_without_its_peers(tmp_path):
    (tmp_path / "on_the_host.py").write_text(
        "import sys\n"
        "from unittest import mock\n"
        "from benchmarks import __main__, device\n"
        "with mock.patch.object(device, 'gpu', device.on_the_host):\n"
        "    sys.exit(__main__.main(['--gpu', '--smoke']))\n"
    )
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    ran = subprocess.run([*BARE, "on_the_host"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    missing = [line for line in ran.stdout.splitlines() if line.endswith("not installed")]
    peers = [re.search(r"([\w-]+) / gpuval", line)[1] for line in missing]
    assert peers == ["scikit-learn", "torchmetrics", "torchmetrics", "torchmetrics", "torchmetrics"]
