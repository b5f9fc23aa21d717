"""Completion: what a shell is told, of headers alone, and never an error."""

import gzip
import os
import shutil
import subprocess
import time

import anndata
import forked
import numpy as np
import pandas as pd
import pytest
from command_line import write_zarr

import gpuval
from gpuval.__main__ import main
from gpuval.registry.families import SHORT_NAMES

COLUMNS = ["truth", "cell type", "leiden_1", "leiden_2", "PC_1", "a,b", "x:y", "é"]
COLUMNS_IN_BASH = [name.replace(" ", "\\ ") for name in COLUMNS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    frame = pd.DataFrame({name: [0, 1, 2] for name in COLUMNS}, index=list("abc"))
    frame.to_csv(folder / "a.csv", index=False)
    frame.to_csv(folder / "a.tsv.gz", index=False, sep="\t")
    frame.to_csv(folder / "semi.csv", index=False, sep=";")
    frame.to_csv(folder / "colons.csv", index=False, sep=":")
    frame.reset_index(drop=True).to_parquet(folder / "a.parquet")
    beside = {"X_pca": np.zeros((3, 2)), "X_umap": np.zeros((3, 2))}
    cells = anndata.AnnData(np.zeros((3, 1), dtype=np.float32), obs=frame, obsm=beside)
    cells.write_h5ad(folder / "a.h5ad")
    write_zarr(cells, folder / "a.zarr", 3)
    (folder / "damaged.h5ad").write_bytes((folder / "a.h5ad").read_bytes()[:900])
    (folder / "damaged.csv").write_bytes(b"\xff\xfe\0")
    (folder / "hostile.csv").write_text("\x1b[31mred,leiden\u202e,ok\n0,0,0\n")
    (folder / "signs.csv").write_text("x:y,x:z,a@b,it's,d\"q$,c*t\n0,0,0,0,0,0\n")
    (folder / "c0t").touch()  # which a shell takes c*t for, if it may
    (folder / "empty.csv").touch()
    (folder / "folder.csv").mkdir()
    os.mkfifo(folder / "pipe.csv")
    return folder


@pytest.fixture
def completed(folder, monkeypatch, capfd):
    """The items for the last of some words, as zsh and bash get them: bash with escapes."""

    def completed(*words):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("_GPUVAL_COMPLETE", "zsh_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["gpuval", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        assert main([]) == 0
        out, err = capfd.readouterr()
        assert err == ""
        lines = out.strip("\n").splitlines()
        assert set(lines[::3]) <= {"plain", "file"}
        return lines[1::3]

    return completed


FILES = ["a.csv", "a.tsv.gz", "a.parquet", "a.h5ad", "a.zarr"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("option", ["--true", "--pred", "--by", "--groups", "--weight"])
def test_columns(option, file, completed):
    assert completed("evaluate", file, option, "") == COLUMNS
    assert completed("evaluate", file, option, "lei") == ["leiden_1", "leiden_2"]
    assert completed("evaluate", file, "--metrics", "ari", "--pred", "leiden_1", option, "t") == ["truth"]


@pytest.mark.parametrize("file", FILES)
def test_embeddings(file, completed):
    keys = ["X_pca", "X_umap"] if file.endswith(("h5ad", "zarr")) else COLUMNS
    assert completed("evaluate", file, "--embedding", "") == keys


def test_a_separator(completed):
    assert completed("evaluate", "semi.csv", "--delimiter", "';'", "--pred", "") == COLUMNS


def test_measures_after_commas_too(completed):
    found = completed("evaluate", "a.csv", "--metrics", "")
    assert found == sorted({*gpuval.METRICS, *SHORT_NAMES, "cohen_kappa_score", "all"})
    assert completed("evaluate", "a.csv", "--metrics", "nm") == ["nmi"]
    assert completed("evaluate", "a.csv", "--metrics", "ari,nm") == ["ari,nmi"]
    assert completed("demo", "--metrics", "ari,vi,purity_s") == ["ari,vi,purity_score"]
    assert completed("evaluate", "a.csv", "--metrics", "silh") == []
    found = completed("evaluate", "a.csv", "--embedding", "PC_1", "--metrics", "ari,silh")
    assert found == ["ari,silhouette", "ari,silhouette_score"]


def test_measures_in_any_case(completed):
    assert completed("evaluate", "a.csv", "--metrics", "AR") == ["ar", "ari"]
    assert completed("evaluate", "a.csv", "--metrics", "ARI,Nm") == ["ARI,nmi"]
    assert completed("evaluate", "a.csv", "--true", "TR") == []  # columns are called as they are
    assert completed("metrics", "Ranking.ND") == ["ranking.ndcg_score"]


def test_files_by_what_a_shell_expands(folder, completed, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("DATA", str(folder))
    for file in ("~/a.csv", "$DATA/a.csv", "${DATA}/a.csv"):
        assert completed("evaluate", file, "--true", "t") == ["truth"]
    for file in ("~no_such_user/a.csv", "$NO_SUCH_VARIABLE/a.csv"):
        assert completed("evaluate", file, "--true", "t") == []


def test_commands_and_names_of_measures(completed):
    assert completed("") == ["demo", "evaluate", "metrics", "report", "stability"]
    assert completed("metrics", "ranking.nd") == ["ranking.ndcg_score"]
    assert completed("metrics", "--format", "") == ["text", "json"]
    assert completed("evaluate", "a.csv", "--format", "c") == ["csv"]
    assert completed("evaluate", "a") == ["a"]  # files, which the shell knows


UNREAD = ["no.csv", "-", "damaged.h5ad", "damaged.csv", "empty.csv", "folder.csv", "a.xlsx", "''"]


@pytest.mark.parametrize("file", UNREAD)
@pytest.mark.parametrize("option", ["--true", "--embedding"])
def test_what_cannot_be_read_is_not_completed(option, file, completed):
    assert completed("evaluate", file, option, "") == []


def test_pipes_are_not_opened(completed):
    """To open one would be to wait for somebody to write."""
    assert completed("evaluate", "pipe.csv", "--true", "") == []
    assert completed("evaluate", "/dev/stdin", "--true", "") == []


def test_names_that_steer_a_terminal_are_left_out(completed):
    assert completed("evaluate", "hostile.csv", "--true", "") == ["ok"]


def test_the_header_alone_is_read(folder, completed):
    """Of a file that would take long, and of which the rest is damaged."""
    with gzip.open(folder / "large.csv.gz", "wb", compresslevel=1) as file:
        file.write(b"truth,a\n")
        for _ in range(64):
            file.write(b"x,0\n" * (1 << 20))
    start = time.perf_counter()
    assert completed("evaluate", "large.csv.gz", "--true", "") == ["truth", "a"]
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("variables", [{}, {"COMP_WORDS": "gpuval"}, {"COMP_WORDS": "gpuval", "COMP_CWORD": "x"}])
@pytest.mark.parametrize("instruction", ["bash_complete", "zsh_complete", "fish_complete", "nonsense", "bash_nonsense"])
def test_never_a_traceback(instruction, variables, monkeypatch, capfd):
    for name in ("COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("_GPUVAL_COMPLETE", instruction)
    assert main([]) in (0, 1)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_sources(shell, monkeypatch, capfd):
    monkeypatch.setenv("_GPUVAL_COMPLETE", f"{shell}_source")
    assert main([]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert "_GPUVAL_COMPLETE" in out
    assert f"{shell}_complete" in out
    if shell == "fish":  # lists of measures have commas, which end an item in click's own
        assert 'string split -m 1 "," $completion' in out


@pytest.fixture
def program(tmp_path):
    """A folder with a program ``gpuval``, for the front of PATH."""
    path = tmp_path / "bin" / "gpuval"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec {forked.program()} "$@"\n')
    path.chmod(0o755)
    return os.environ | {"PATH": f"{path.parent}:{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["evaluate", "a.csv", "--pred", "lei"], ["leiden_1", "leiden_2"]),
        (["evaluate", "a.csv", "--true", "cell"], [r"cell\ type"]),
        (["evaluate", "a.csv", "--true", r"cell\ t"], [r"cell\ type"]),
        (["evaluate", "a.csv", "--true", "a"], ["a,b"]),
        (["evaluate", "a.csv", "--metrics", "ari,nm"], ["ari,nmi"]),
        (["evaluate", "a.h5ad", "--embedding", "X_p"], ["X_pca"]),
        (["metr"], ["metrics"]),
        (["evaluate", "a.csv", "--true", '"cell'], ["cell type"]),
        (["evaluate", "a.csv", "--true", "'cell t"], ["cell type"]),
        (["evaluate", "signs.csv", "--true", "it"], [r"it\'s"]),
        (["evaluate", "signs.csv", "--true", '"it'], ["it's"]),
        (["evaluate", "signs.csv", "--true", "'it"], [r"it'\''s"]),
        (["evaluate", "signs.csv", "--true", '"d'], [r"d\"q\$"]),
        (["evaluate", "signs.csv", "--true", "'d"], ['d"q$']),
        (["evaluate", "signs.csv", "--true", "'c"], ["c*t"]),
        # Words as bash splits them; it keeps all but the last piece.
        (["evaluate", "a.csv", "--true", "=", "tr"], ["truth"]),
        (["evaluate", "a.csv", "--true", "="], COLUMNS_IN_BASH),
        (["evaluate", "a.csv", "--true", "=", '"cell'], ["cell type"]),
        (["evaluate", "a.csv", "--true", "=", "truth", "--pred", "leiden_2"], ["leiden_2"]),
        (["evaluate", "--delimiter", "=", "';'", "semi.csv", "--pred", "leiden_2"], ["leiden_2"]),
        (["evaluate", "colons.csv", "--delimiter", "':'", "--pred", "leiden_2"], ["leiden_2"]),
        (["evaluate", "--delimiter", "':'", "colons.csv", "--true", "tr"], ["truth"]),
        (["evaluate", "signs.csv", "--true", "x"], ["x:y", "x:z"]),
        (["evaluate", "signs.csv", "--true", "x", ":"], ["y", "z"]),
        (["evaluate", "signs.csv", "--true", "=", "x", ":", "z"], ["z"]),
        (["evaluate", "signs.csv", "--true", "a", "@"], ["b"]),
    ],
)
def test_in_bash(words, expected, folder, program):
    """By the line of the README, and the function that it makes."""
    script = """
        eval "$(_GPUVAL_COMPLETE=bash_source gpuval)"
        COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
        "$(complete -p gpuval | sed 's/.*-F \\([^ ]*\\).*/\\1/')" gpuval
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = ["bash", "-c", script, "bash", "gpuval", *words]
    ran = subprocess.run(command, cwd=folder, env=program, capture_output=True, text=True)
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == expected
