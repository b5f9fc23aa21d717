"""Every command of the page about the command line runs, in a folder with a small file of cells."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from unittest import mock

import command_line
import pytest
from guide_pages import PAGES, blocks

PAGE = "command-line.md"
CELLS = """\
cell_type,lineage,leiden_0.5,leiden_1.0,donor,batch,PC_1,PC_2
B,one,0,0,1,x,0.5,1.5
B,one,0,0,2,x,0.25,1
T,two,1,1,1,x,2,-1
unknown,two,1,2,2,y,2.5,-1.5
"""
RUNS = """\
leiden_0.4_1,leiden_0.4_2,leiden_0.4_3,leiden_1.0_1,leiden_1.0_2,leiden_1.0_3
0,1,0,0,1,2
0,1,0,0,2,1
1,0,1,1,0,0
1,0,,2,0,1
"""
LINES = [line for code in blocks(PAGE, "sh") for line in code.splitlines()]
COMMANDS = [line for line in LINES if "_GPUVAL_COMPLETE" not in line]


def run(line, folder):
    """A line of a shell that is one call of gpuval, maybe with a file as its standard input.

    Gives the exit code, what is written, and what is said.
    """
    (folder / "cells.csv").write_text(CELLS, encoding="utf-8")
    (folder / "runs.csv").write_text(RUNS, encoding="utf-8")
    line, _, given = line.partition(" < ")
    program, *arguments = shlex.split(line)
    assert program == "gpuval"
    standard_input = io.TextIOWrapper(io.BytesIO((folder / given).read_bytes() if given else b""), encoding="utf-8")
    with contextlib.chdir(folder), mock.patch.object(sys, "stdin", standard_input):
        return command_line.run(*arguments)


def test_there_are_commands():
    assert len(COMMANDS) == 14
    assert {line.split()[1] for line in COMMANDS} == {"demo", "evaluate", "report", "stability", "metrics"}


@pytest.mark.parametrize("line", COMMANDS)
def test_commands(line, tmp_path):
    code, written, said = run(line, tmp_path)
    assert code == 0, said
    output = re.search(r"--output (\S+)", line)
    assert (tmp_path / output[1]).read_text(encoding="utf-8") if output else written


def test_each_labeling_has_its_numbers_of_clusters_and_samples(tmp_path):
    (line,) = (x for x in COMMANDS if "--ignore" in x)
    _, written, _ = run(line, tmp_path)
    row = json.loads(written)["leiden_1.0"]
    assert (row["n_clusters"], row["n_samples"], row["n_dropped"]) == (2, 3, 1)


@pytest.mark.parametrize(("form", "best"), [("table", "1.000 ●"), ("markdown", "**1.000 ●**")])
def test_the_best_score_is_marked_as_the_page_says(form, best, tmp_path):
    """All are homogeneous; b splits a class in two."""
    (tmp_path / "few.csv").write_text("cell_type,a,b,c\nB,0,0,1\nB,0,1,1\nT,2,2,0\nT,2,2,0\n", encoding="utf-8")
    line = f"gpuval evaluate few.csv --true cell_type --pred ? --metrics homogeneity_score,ari --format {form}"
    _, written, _ = run(line, tmp_path)
    (homogeneity,) = (row for row in written.splitlines() if "homogeneity_score" in row)
    (ari,) = (row for row in written.splitlines() if "adjusted_rand_score" in row)
    assert (homogeneity.count("1.000"), homogeneity.count("●")) == (3, 0)
    assert (ari.count(best), ari.count("●")) == (2, 2)
    assert "The mark ● stands beside the best score" in PAGES[PAGE]


def test_a_pattern_says_what_it_leaves_out(tmp_path):
    *_, said = run('gpuval evaluate cells.csv --true cell_type --pred "PC_*" --pred leiden_1.0', tmp_path)
    assert "PC_1" in said


def test_a_mistake_is_one_line_and_exit_code_2(tmp_path):
    code, _, said = run("gpuval evaluate cells.csv --true cell_typo --pred leiden_1.0", tmp_path)
    assert code == 2
    assert len(said.splitlines()) == 1


def test_completion_is_as_the_help_has_it():
    lines = [line for line in LINES if "_GPUVAL_COMPLETE" in line]
    ran = subprocess.run([sys.executable, "-m", "gpuval", "--help"], capture_output=True, text=True, check=True)
    assert all(line in ran.stdout for line in lines)
    assert [re.search("(bash|zsh|fish)", line)[1] for line in lines] == ["bash", "zsh", "fish"]


def test_every_format_is_one_of_the_program(tmp_path):
    text = re.search(r"`--format` is (.*?)\.", PAGES[PAGE])[1]
    for name in re.findall(r"`(\w+)`", text):
        line = f"gpuval evaluate cells.csv --true cell_type --pred leiden_1.0 --format {name}"
        code, _, said = run(line, tmp_path)
        assert code == 0, (name, said)
