"""The numbers of speed in the README and in `benchmarks/results` are those of the runs, and keep the targets."""

import copy
import math
import re

import pytest

from benchmarks import published
from benchmarks.case import Target
from benchmarks.cases import CASES
from benchmarks.published import LINES, RUNS, main, read, row_of, speeds

RUN = {name: read(name) for name in RUNS}
ROWS = [row for run in RUN.values() for row in run["rows"]]
SHOWN = [(line, opponent) for line in LINES for opponent in line.opponents]


def targets(row):
    """The targets that the benchmark has for a row now."""
    cases = [case for case in CASES if (case.workload.name, case.measure) == (row["workload"], row["measure"])]
    found = [case.targets.get(name) for case in cases for name in row["quotient"].split(" / ") if name != "gpuval"]
    return [str(target) for target in found if target and row["backend"] in cases[0].aimed_at]


def test_what_is_published_is_what_was_measured():
    assert main(["--check"]) == 0


def test_another_number_is_found(monkeypatch, capsys):
    changed = copy.deepcopy(RUN)
    line, opponent = SHOWN[0]
    row_of(changed[RUNS[0]]["rows"], line, opponent)["ratio"]["median"] *= 2
    monkeypatch.setattr(published, "read", changed.get)
    assert main(["--check"]) == 1
    assert "README.md is not what python -m benchmarks.published writes" in capsys.readouterr().err


@pytest.mark.parametrize(("line", "opponent"), SHOWN)
def test_the_readme_and_the_targets_agree(line, opponent):
    """A row has the target of today, and says so if it is missed."""
    row = row_of(ROWS, line, opponent)
    assert targets(row) == ([row["target"]] if row["target"] else [])
    if row["target"]:
        sign, bound = row["target"].split()
        met = Target(float(bound), sign == ">=").met(row["ratio"]["median"])
        (told,) = (x for x in speeds(RUN.values()).splitlines() if x.startswith(f"| {line.text} |"))
        number = re.search(rf"{re.escape(opponent)}[^,]*\({re.escape(row['target'])}(, missed)?\)", told)
        assert (number[1] is None) is met


def test_a_row_of_another_value_has_no_ratio():
    """torchmetrics overflows: where the score is nearly 0, it returns another one."""
    (line,) = (line for line in LINES if "torchmetrics" in line.opponents and line.workload == published.LARGE)
    row = row_of(ROWS, line, "torchmetrics")
    assert row["differs"]
    assert row["ratio"] is None


def test_ratios_are_numbers():
    assert all(row["ratio"] is None or math.isfinite(row["ratio"]["median"]) for row in ROWS)
    assert all("seconds" not in row for row in ROWS)
