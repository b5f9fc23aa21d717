"""The faults of ``mutate.py`` are still faults of the code as it is."""

from __future__ import annotations

import ast
import sys

import mutate
import pytest
from mutate import FAULTS, HERE, with_fault


def test_there_are_enough_faults_each_with_a_name_of_its_own():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 40


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_can_be_made_and_is_known_to_tests(fault):
    text = with_fault(fault, HERE)  # an error unless the old text occurs once
    if fault.file.endswith(".py"):
        ast.parse(text)
    for test in fault.tests.split():
        path, _, function = test.partition("[")[0].partition("::")
        text = (HERE / "tests" / path).read_text()
        assert not function or f"def {function}(" in text


@pytest.mark.parametrize("failing", [None, "-m", "tests/cupy_on_cpu"])
def test_tests_over_the_stand_ins_of_cupy_are_run_by_their_folder(failing, monkeypatch):
    commands = []

    def run(self, command):
        commands.append(command)
        return (1, "FAILED tests/a.py::test_a - why") if command[1] == failing else (0, "")

    monkeypatch.setattr(mutate.Tests, "_run", run)
    found = mutate.Tests(HERE, "full", ["--backends=numpy"], 1.0).first_failure(
        ["tests/cupy_on_cpu/test_count.py::test_limits", "tests/test_help.py"]
    )
    own = ["-x", "-q", "-p", "no:cacheprovider"]
    wanted = [
        [sys.executable, "-m", "pytest", *own, "--full", "--backends=numpy", "tests/test_help.py"],
        [sys.executable, "tests/cupy_on_cpu", *own, "tests/cupy_on_cpu/test_count.py::test_limits"],
    ]
    assert commands == (wanted[:1] if failing == "-m" else wanted)
    assert found == (None if failing is None else "tests/a.py::test_a")


def test_a_run_that_ends_with_an_error_stops_it(monkeypatch):
    """As where CuPy is not installed."""
    monkeypatch.setattr(mutate.Tests, "_run", lambda *_: (1, "ModuleNotFoundError: cupy"))
    with pytest.raises(mutate.StopError, match="tests/cupy_on_cpu"):
        mutate.Tests(HERE, "default", [], 1.0).first_failure(["tests/cupy_on_cpu/test_count.py"])
