"""Every block of code in the README runs."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:<!-- (\w+) -->\n)?```(\w+)\n(.*?)```", README, re.DOTALL)
PYTHON = [code for _, language, code in BLOCKS if language == "python"]
COMMANDS = [line for mark, language, code in BLOCKS if language == "sh" and not mark for line in code.splitlines()]

CELLS = """\
cell_type,leiden_0.5,leiden_1.0,donor,batch,PC_1,PC_2
B,0,0,1,x,0.5,1.5
B,0,0,2,x,0.25,1
T,1,1,1,x,2,-1
unknown,1,2,2,y,2.5,-1.5
"""


def test_there_is_code():
    assert len(PYTHON) == 14
    assert len(COMMANDS) == 9
    assert {language for _, language, _ in BLOCKS} == {"python", "sh"}


@pytest.mark.parametrize("code", PYTHON)
def test_python(code):
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("line", COMMANDS)
def test_commands(line, tmp_path):
    (tmp_path / "cells.csv").write_text(CELLS)
    program, *arguments = shlex.split(line)
    assert program == "gpuval"
    ran = subprocess.run([sys.executable, "-m", "gpuval", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    output = re.search(r"--output (\S+)", line)
    assert (tmp_path / output[1]).read_text(encoding="utf-8") if output else ran.stdout


def test_the_two_commands():
    """The demo runs here without its installation; the command of the tests is what .ci/run installs with."""
    marked = {mark: code for mark, _, code in BLOCKS if mark}
    assert set(marked) == {"demo", "tests", "completion"}
    demo = marked["demo"].strip().split(" && ")
    assert demo[1] == '.venv/bin/pip install ".[cli]"'
    assert demo[2] == ".venv/bin/gpuval demo"
    ran = subprocess.run([sys.executable, "-m", "gpuval", "demo"], capture_output=True, text=True, env=dict(os.environ))
    assert ran.returncode == 0, ran.stderr
    assert "adjusted_rand_score" in ran.stdout
    ci = (Path(__file__).parent.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- tests -->" in ci
    assert marked["tests"].strip().endswith("&& .venv/bin/pytest -n auto --dist worksteal")


def test_completion_is_as_the_help_has_it():
    (lines,) = (code.splitlines() for mark, _, code in BLOCKS if mark == "completion")
    ran = subprocess.run([sys.executable, "-m", "gpuval", "--help"], capture_output=True, text=True)
    assert all(line in ran.stdout for line in lines)
    assert [re.search("(bash|zsh|fish)", line)[1] for line in lines] == ["bash", "zsh", "fish"]


def test_first_values():
    """The values that the README's comments tell."""
    import gpuval

    assert gpuval.v_measure_score(["a", "a", "b", "c"], [0, 0, 1, 1]) == pytest.approx(0.8, abs=1e-15)
    (code,) = (x for x in PYTHON if "scores.best" in x)
    exec(compile(code, "README.md", "exec"), found := {})
    assert f"# {found['scores'].best['ari'].sentence()}\n" in code


def test_the_table_of_labels(capsys):
    """What the README says is printed is printed."""
    (code,) = (x for x in PYTHON if "multilabel.evaluate" in x)
    exec(compile(code, "README.md", "exec"), {})
    shown = re.findall(r"^#(?: (.*))?\n", code, re.MULTILINE)
    assert len(shown) == 13
    assert capsys.readouterr().out.splitlines() == shown


def test_every_measure_is_in_the_table():
    import gpuval

    section = README.partition("\n## Measures\n")[2].partition("\n## ")[0]
    rows = [re.sub(r"\(.*?\)", "", x) for x in section.splitlines() if x.startswith("|")]  # without methods
    listed = re.findall(r"`(\w+)`", "".join(rows))
    others = {"METRICS", "INTERNAL_METRICS", "Comparison", "Evaluation"}  # what evaluate and compare take and give
    others |= {"PairwiseScores"}  # and pairwise
    others |= {"ScoreDifference", "ScoreDifferences", "ScoreEstimate", "ScoreEstimates"}  # and those with uncertainty
    others |= {"BestLabeling", "BestLabelings", "Report"}
    others |= {"PermutationTest", "PermutationTests", "IntegrationScores", "IntegrationComparison"}
    assert sorted(listed) == sorted(set(gpuval.__all__) - others)
    of_plots = re.findall(r"`plots\.(\w+)`", "".join(rows))
    assert sorted(of_plots) == sorted(x for x in gpuval.plots.__all__ if x.startswith("plot_"))
    of_rankings = re.findall(r"`ranking\.(\w+)`", "".join(rows))
    assert sorted(of_rankings) == sorted(set(gpuval.ranking.__all__) - {"RankingScores"})
    of_labels = re.findall(r"`multilabel\.(\w+)`", "".join(rows))
    assert sorted(of_labels) == sorted(set(gpuval.multilabel.__all__) - {"MultilabelScores"})
    of_intervals = re.findall(r"`intervals\.(\w+)`", "".join(rows))
    assert sorted(of_intervals) == sorted(gpuval.intervals.__all__)
