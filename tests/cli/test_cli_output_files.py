"""--output: a whole file or none, of the form that its name says, and checked before anything is read."""

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from command_line import refused, run, written

import gpuval
from gpuval.cli import columns

ROOT = Path(gpuval.__file__).parent.parent
TEXT = "truth,a,b\nx,0,0\nx,0,1\ny,1,1\ny,1,0\n"


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(TEXT)
    return path


def command(labels, *options):
    return "evaluate", labels, "--true", "truth", "--pred", "?", "--metrics", "ari", *options


FORMS = {"x.csv": "csv", "x.json": "json", "x.md": "markdown", "x.txt": "table"}
OPTIONS = pytest.mark.parametrize("option", ["-o", "--output"])


@OPTIONS
@pytest.mark.parametrize("name", FORMS)
def test_the_form_is_that_of_the_name(option, name, labels, tmp_path):
    check_form(option, name, FORMS[name], labels, tmp_path)


@OPTIONS
def test_the_form_is_that_of_a_name_in_capitals(option, labels, tmp_path):
    check_form(option, "x.CSV", "csv", labels, tmp_path)


def check_form(option, name, form, labels, tmp_path):
    assert written(*command(labels, option, tmp_path / name)) == ""
    shown = written(*command(labels, "--format", form))
    assert (tmp_path / name).read_text(encoding="utf-8") == shown
    assert sorted(os.listdir(tmp_path)) == sorted(["a.csv", name])


def test_the_form_that_is_given_goes_before_the_name(labels, tmp_path):
    written(*command(labels, "-o", tmp_path / "x.csv", "--format", "json"))
    assert list(json.loads((tmp_path / "x.csv").read_text())) == ["a", "b"]
    written(*command(labels, "-o", tmp_path / "of no ending", "--format", "csv"))
    assert (tmp_path / "of no ending").read_text().startswith("labeling,")


def test_a_dash_is_standard_output(labels):
    assert written(*command(labels, "-o", "-")) == written(*command(labels))


def test_the_demo_writes_files(tmp_path):
    code, out, err = run("demo", "--metrics", "ari", "-o", tmp_path / "x.json")
    assert (code, out) == (0, "")
    assert "Next:" not in err
    assert json.loads((tmp_path / "x.json").read_text())["louvain"]["n_samples"] == 700


def test_letters_are_those_of_utf_8(labels, tmp_path):
    labels.write_text(TEXT.replace("a,b", "β,b"), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "gpuval", *map(str, command(labels, "--pred", "β", "-o", tmp_path / "x.md"))],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert "β" in (tmp_path / "x.md").read_bytes().decode()


# Checked before the data is read: the file that is read is not even there.


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("nowhere/x.csv", "cannot be written: there is no folder "),
        ("folder.csv", "cannot be written: it is a folder"),
        ("x.xlsx", "must end in one of .csv, .json, .md, .txt; or give --format"),
        ("x", "must end in one of .csv, .json, .md, .txt; or give --format"),
        ("x" * 300 + ".csv", "cannot be written: File name too long"),
    ],
)
def test_wrong_outputs(output, message, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    said = refused(*command("no such file.csv", "-o", tmp_path / output))
    assert said.startswith("--output '")
    assert message in said
    assert "no such file" not in said


def test_a_folder_without_permission(labels, tmp_path, monkeypatch):
    def denied(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("gpuval.display.files.mkstemp", denied)
    message = refused(*command("no such file.csv", "-o", tmp_path / "x.csv"))
    assert message == f"--output {str(tmp_path / 'x.csv')!r} cannot be written: Permission denied"


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="permissions hold for others")
def test_a_file_without_permission(labels, tmp_path):
    (tmp_path / "x.csv").touch(mode=0o400)
    assert refused(*command(labels, "-o", tmp_path / "x.csv")).endswith("there is no permission to write over it")


def test_the_file_that_is_read_is_not_written_over(labels, tmp_path):
    assert refused(*command(labels, "-o", labels)).endswith("is the file that is read; give another name")
    (tmp_path / "link.csv").symlink_to(labels)
    assert refused(*command(labels, "-o", tmp_path / "link.csv")).endswith(
        "is the file that is read; give another name"
    )
    assert labels.read_text() == TEXT


# A whole file or none.


def test_an_error_leaves_what_was_there(labels, tmp_path):
    (tmp_path / "x.csv").write_text("before")
    refused(*command(labels, "--pred", "nothing", "-o", tmp_path / "x.csv"))
    assert (tmp_path / "x.csv").read_text() == "before"
    refused(*command(labels, "--pred", "nothing", "-o", tmp_path / "y.csv"))
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "x.csv"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_cannot_be_written_to_its_end_is_not_there(error, labels, tmp_path, monkeypatch):
    def failing(*_):
        raise error

    (tmp_path / "x.csv").write_text("before")
    monkeypatch.setattr("gpuval.display.files.os.fsync", failing)
    code, out, err = run(*command(labels, "-o", tmp_path / "x.csv"))
    assert (code, out) == ((1, "") if isinstance(error, OSError) else (130, ""))
    if code == 1:
        assert err == f"gpuval: cannot write: {tmp_path / 'x.csv'}: No space left on device\n"
    assert (tmp_path / "x.csv").read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "x.csv"]


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_permissions_are_those_of_any_file(labels, tmp_path):
    mask = os.umask(0o027)
    try:
        written(*command(labels, "-o", tmp_path / "x.csv"))
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "x.csv").stat().st_mode) == 0o640
    (tmp_path / "x.csv").chmod(0o604)
    written(*command(labels, "-o", tmp_path / "x.csv"))
    assert stat.S_IMODE((tmp_path / "x.csv").stat().st_mode) == 0o604


def test_a_link_stays_one(labels, tmp_path):
    (tmp_path / "of.csv").write_text("before")
    (tmp_path / "x.csv").symlink_to(tmp_path / "of.csv")
    written(*command(labels, "-o", tmp_path / "x.csv"))
    assert (tmp_path / "x.csv").is_symlink()
    assert (tmp_path / "of.csv").read_text().startswith("labeling,")


IN_SHELL = "evaluate a.csv --true truth --pred a --metrics ari --format csv"
SHOWN = "labeling,n_classes,n_clusters,n_samples,n_dropped,adjusted_rand_score\na,2,2,4,0,1.0\n"


def in_shell(folder, line):
    """Run a line of sh in which $GPUVAL is the command; what it shows, and its errors."""
    env = os.environ | {"GPUVAL": forked.program()}
    ran = subprocess.run(["sh", "-c", line], cwd=folder, env=env, capture_output=True, text=True)
    return ran.stdout, ran.stderr


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="open files have no names")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"$GPUVAL {IN_SHELL} -o /dev/stdout >> log", f"before\n{SHOWN}"),
        (f"$GPUVAL {IN_SHELL} -o /dev/stderr 2>> log", f"before\n{SHOWN}"),
        (f"$GPUVAL {IN_SHELL} -o /dev/fd/3 3>> log", f"before\n{SHOWN}"),
        (f"ln -s /dev/stdout link; $GPUVAL {IN_SHELL} -o link >> log", f"before\n{SHOWN}"),
        (f"{{ echo head; $GPUVAL {IN_SHELL} -o /dev/stdout; echo foot; }} > log", f"head\n{SHOWN}foot\n"),
    ],
)
def test_files_that_are_open_are_written_on(line, expected, labels, tmp_path):
    (tmp_path / "log").write_text("before\n")
    assert in_shell(tmp_path, line) == ("", "")
    assert (tmp_path / "log").read_text() == expected


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="open files have no names")
def test_open_files_that_cannot_be_written(labels, tmp_path):
    wrong = f"$GPUVAL {IN_SHELL} -o /dev/fd/7"
    assert in_shell(tmp_path, wrong)[1] == "gpuval: --output '/dev/fd/7' cannot be written: it is not open\n"
    assert in_shell(tmp_path, f"{wrong} 7< a.csv")[1].endswith("is the file that is read; give another name\n")
    (tmp_path / "log").write_text("before\n")
    assert in_shell(tmp_path, f"{wrong} 7< log")[1] == "gpuval: cannot write: /dev/fd/7: Bad file descriptor\n"
    assert (tmp_path / "log").read_text() == "before\n"


def test_standard_input_is_not_written_over(labels, tmp_path):
    line = IN_SHELL.replace("a.csv", "-")
    for output in ("a.csv", "/dev/stdin"):
        told = in_shell(tmp_path, f"$GPUVAL {line} -o {output} < a.csv")[1]
        assert told == f"gpuval: --output '{output}' is the file that is read; give another name\n"
    assert labels.read_text() == TEXT


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_devices(labels):
    written(*command(labels, "-o", "/dev/null", "--format", "csv"))
    code, out, err = run(*command(labels, "-o", "/dev/full", "--format", "csv"))
    assert (code, out, err) == (1, "", "gpuval: cannot write: /dev/full: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="open files have no names")
def test_one_terminal_is_read_and_written():
    """As a pair of sockets is, which stands for it."""
    ours, theirs = socket.socketpair()
    line = [sys.executable, "-m", "gpuval", *IN_SHELL.replace("a.csv", "-").split(), "-o", "/dev/stdout"]
    with ours, theirs:
        ours.sendall(TEXT.encode())
        ours.shutdown(socket.SHUT_WR)
        ran = subprocess.run(line, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ours.recv(1 << 16).decode() == SHOWN


def test_outputs_are_checked_before_files_are_opened(labels, tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "open_labels", lambda *_: pytest.fail("a file was opened"))
    refused(*command(labels, "-o", tmp_path / "nowhere" / "x.csv"))
    refused(*command(labels, "--metrics", "nothing"))
    refused(*command(labels, "--metrics", "asw"))
