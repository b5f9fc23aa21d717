"""Every command line that is printed, by help texts and by the demo, runs as it stands."""

import os
import re
import shlex
import subprocess
import sys

import anndata
import click
import forked
import numpy as np
import pandas as pd
import pytest
from command_line import run, write_zarr, written
from forked import ROOT

from gpuval.cli.commands import commands
from gpuval.cli.terminal import own_command

EXAMPLES = re.compile(r"^ +(gpuval .+)$", re.MULTILINE)


def examples():
    helps = [written(*name, "-h") for name in ([], ["evaluate"], ["report"], ["stability"], ["demo"], ["metrics"])]
    demo = run("demo", "--metrics", "ari")[2]
    return sorted({line for text in [*helps, demo] for line in EXAMPLES.findall(text)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame({"cell_type": rng.choice(["B", "T", "NK"], n), "donor": rng.integers(0, 5, n)})
    frame["batch"] = rng.integers(0, 2, n)
    for name in ("louvain", "leiden_0.5", "leiden_1.0"):
        frame[name] = rng.integers(0, 4, n)
    x = rng.normal(size=(n, 3))
    frame.assign(PC_1=x[:, 0], PC_2=x[:, 1]).to_csv(folder / "labels.csv", index=False)
    hdbscan = np.where(rng.random(n) < 0.1, -1, frame["louvain"])
    pd.DataFrame({"y": frame["cell_type"], "hdbscan": hdbscan}).to_parquet(folder / "labels.parquet")
    obs = frame.set_index(frame.index.astype(str))
    cells = anndata.AnnData(np.zeros((n, 1), dtype=np.float32), obs=obs, obsm={"X_pca": x})
    cells.write_h5ad(folder / "cells.h5ad")
    write_zarr(cells, folder / "cells.zarr", 3)
    runs = pd.DataFrame({f"leiden_{x}_{run}": rng.integers(0, 3, n) for x in (0.5, 1.0) for run in range(3)})
    runs.to_csv(folder / "runs.csv", index=False)
    anndata.AnnData(obs=runs.set_index(frame.index.astype(str))).write_h5ad(folder / "runs.h5ad")
    return folder


def test_there_are_examples():
    assert len(examples()) >= 14
    assert sum("--embedding" in line for line in examples()) >= 2
    assert any("< labels.csv" in line for line in examples())


def assert_runs(line, program, folder):
    env = os.environ | {"BROWSER": "true %s", "TMPDIR": str(folder)}
    command = ["sh", "-c", f"{program} {line.removeprefix('gpuval ')}"]
    ran = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    target = re.search(r"-o (\S+)", line)
    assert (folder / target[1]).stat().st_size if target else ran.stdout


@pytest.mark.parametrize("line", examples())
def test_every_example_runs(line, folder):
    assert_runs(line, forked.program(), folder)


KINDS = [
    r"evaluate \S*\.csv",
    r"\.parquet",
    r"\.h5ad",
    r"\.zarr .* --embedding",
    "report .* --embedding",
    "demo .*-o .*html",
]


@pytest.mark.parametrize("kind", KINDS)
def test_an_example_of_each_kind_runs_where_nothing_is_imported(kind, folder):
    """In a process of Python of its own, which a fork is not."""
    line = next(x for x in examples() if re.search(kind, x))
    assert_runs(line, f"{sys.executable} -m gpuval", folder)


def test_help_has_two_names():
    assert written("-h") == written("--help") == written()
    for name in commands.commands:
        assert written(name, "-h") == written(name, "--help")


@pytest.mark.parametrize("name", commands.commands)
def test_every_option_is_explained(name):
    for parameter in commands.commands[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help or parameter.name == "help"
            assert all(x in written(name, "-h") for x in parameter.opts)


def test_completion_is_explained_for_each_shell():
    text = written("-h")
    for shell in ("bash", "zsh", "fish"):
        assert f"_GPUVAL_COMPLETE={shell}_source gpuval" in text


@pytest.mark.parametrize(
    ("form", "is_for_people"), [("table", True), ("markdown", True), ("csv", False), ("json", False)]
)
def test_the_demo_says_what_to_run_next_to_people(form, is_for_people):
    code, out, err = run("demo", "--metrics", "ari", "--format", form)
    assert code == 0
    assert ("Next:" in err) == is_for_people
    assert "Next:" not in out


PROGRAM = f"""#!{sys.executable}
import sys
from gpuval.__main__ import main
sys.exit(main())
"""


def test_what_to_run_next_runs_as_it_stands(tmp_path):
    """After ".venv/bin/gpuval demo", where no gpuval is on the PATH."""
    program = tmp_path / ".venv" / "bin" / "gpuval"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.join(forked.command())} "$0" "$@"\n')
    program.chmod(0o755)
    # The browser that shows the report is a program that does nothing.
    own = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "BROWSER": "true", "TMPDIR": str(tmp_path)}
    options = {"cwd": tmp_path, "env": os.environ | own, "capture_output": True, "text": True}
    said = subprocess.run([".venv/bin/gpuval", "demo", "--metrics", "ari"], **options).stderr
    lines = said.partition("Next:\n")[2].splitlines()
    assert len(lines) == 5
    for line in lines:
        assert line.startswith("  .venv/bin/gpuval ")
        found = subprocess.run(line, shell=True, **options)
        assert (found.returncode, bool(found.stdout)) == (0, True), (line, found.stderr)
    program.write_text(PROGRAM)  # as pip makes it
    wrong = subprocess.run([".venv/bin/gpuval", "evaluate"], **options).stderr
    assert wrong.endswith("; see .venv/bin/gpuval evaluate --help\n")
    on_path = options | {"env": options["env"] | {"PATH": f"{program.parent}:/usr/bin:/bin"}}
    assert subprocess.run([program, "evaluate"], **on_path).stderr.endswith("; see gpuval evaluate --help\n")


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ("/opt/python/gpuval/__main__.py", f"{shlex.quote(sys.executable)} -m gpuval"),
        ("/opt/my programs/gpuval", "'/opt/my programs/gpuval'"),
        ("/usr/bin/pytest", "gpuval"),
        ("/opt/python/pytest/__main__.py", "gpuval"),
        ("-c", "gpuval"),
    ],
)
def test_how_the_program_is_called_again(called, expected, monkeypatch):
    monkeypatch.setattr(sys, "argv", [called, "demo"])
    assert own_command() == expected
