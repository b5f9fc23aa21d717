"""Standard input and pipes: text that is read once."""

import gc
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import threading

import forked
import pytest
from command_line import refused, run

import gpuval
from gpuval.cli.files import open_labels
from gpuval.cli.files.columns import FileError

TEXT = "truth,a,p\nx,0,0.5\nx,0,1.5\ny,1,2.5\nz,1,4.5\n"
OPTIONS = ["--true", "truth", "--pred", "a", "--metrics", "ari"]
SCORE = gpuval.adjusted_rand_score(list("xxyz"), [0, 0, 1, 1])

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")


@pytest.fixture
def stdin(monkeypatch):
    def stdin(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return stdin


@pytest.fixture
def scored(stdin):
    def scored(content, *options, file="-"):
        stdin(content)
        code, out, err = run("evaluate", file, *OPTIONS, *options, "--format", "json")
        assert (code, err) == (0, "")
        return json.loads(out)["a"]

    return scored


@pytest.fixture
def fifo(tmp_path):
    """A pipe of a name, into which a thread writes."""
    threads = []

    def fifo(name, content):
        path = tmp_path / name
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(content,)))
        threads[-1].start()
        return path

    yield fifo
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """What is kept of a stream is in a folder of its own, and gone at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    gc.collect()  # errors hold what they are of
    assert os.listdir(folder) == []


def test_standard_input(scored):
    assert scored(TEXT.encode())["adjusted_rand_score"] == pytest.approx(float(SCORE))
    assert scored(b"\xef\xbb\xbf" + TEXT.encode())["n_samples"] == 4


def test_it_may_be_compressed(scored):
    assert scored(gzip.compress(TEXT.encode()))["adjusted_rand_score"] == pytest.approx(float(SCORE))


def test_its_separator_is_given(scored, stdin):
    tabs = TEXT.replace(",", "\t").encode()
    assert scored(tabs, "--delimiter", "tab")["n_samples"] == 4
    stdin(tabs)
    message = refused("evaluate", "-", *OPTIONS)
    assert "; standard input seems to be separated by 'tab': give --delimiter 'tab'; it has " in message


def test_all_is_read_of_it_that_a_file_is_read_for(scored):
    """Labels and an embedding, which are read one after the other."""
    found = scored(TEXT.encode(), "--embedding", "p", "--metrics", "asw")
    expected = gpuval.silhouette_score([[0.5], [1.5], [2.5], [4.5]], [0, 0, 1, 1])
    assert found["silhouette_score"] == pytest.approx(float(expected))


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t"), ("a", ","), ("a.csv.gz", ",")])
def test_a_pipe_with_a_name(name, separator, fifo):
    content = TEXT.replace(",", separator).encode()
    path = fifo(name, gzip.compress(content) if name.endswith("gz") else content)
    code, out, err = run("evaluate", path, *OPTIONS, "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out)["a"]["n_samples"] == 4


def test_a_pipe_of_something_else(tmp_path):
    os.mkfifo(tmp_path / "a.h5ad")  # nobody writes into it, and nobody waits
    message = refused("evaluate", tmp_path / "a.h5ad", *OPTIONS)
    assert message == f"cannot read {tmp_path / 'a.h5ad'}: it is a pipe, of which text is read alone; save it in a file"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "standard input is empty"),
        (gzip.compress(b"", mtime=0), "standard input is empty"),
        (b"truth,a\n", "standard input has a header but no rows"),
        (b"truth,a\nx,\xff\n", "cannot read standard input as text: it is not in UTF-8; save it so"),
        (TEXT.encode("utf-16"), "cannot read standard input as text: it is in UTF-16; save it in UTF-8"),
        (b"PAR1\0\0", "cannot read standard input as text: it is Parquet; call it .parquet, and give it as a file"),
        (b"\x89HDF\r\n\0", "cannot read standard input as text: it is HDF5; call it .h5ad if it is of AnnData, and"),
        (b"truth,a\nx,1\nx,\0\n", "cannot read standard input as text: it has NUL bytes, as UTF-16 has; save it in"),
        (b"truth,a\nx\n", "cannot read standard input as text: line 2 must have 2 fields, got 1"),
        (gzip.compress(TEXT.encode(), mtime=0)[:-9], "cannot read standard input as text: "),
        (b"b\n1\n", "--true must be a column of standard input, got 'truth'; it has 'b'"),
    ],
)
def test_wrong_text(content, message, stdin):
    stdin(content)
    assert refused("evaluate", "-", *OPTIONS).startswith(message)


def test_a_stream_without_end_is_no_text():
    """Of /dev/zero a block is read."""
    command = [sys.executable, "-m", "gpuval", "evaluate", "-", *OPTIONS]
    with open("/dev/zero", "rb") as zeros:
        ran = subprocess.run(command, stdin=zeros, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("gpuval: cannot read standard input as text: its header has NUL bytes")


def test_a_device_is_no_file():
    assert refused("evaluate", "/dev/zero", *OPTIONS) == "cannot read /dev/zero: it is a device"


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert refused("evaluate", "-", *OPTIONS) == "cannot read standard input: it is closed"


def in_shell(command, content):
    env = os.environ | {"GPUVAL": forked.program()}
    return subprocess.run(["bash", "-c", command], input=content, capture_output=True, env=env)


@pytest.mark.parametrize(
    "command",
    [
        "$GPUVAL evaluate - {}",
        "cat | $GPUVAL evaluate - {}",
        "cat | $GPUVAL evaluate /dev/stdin {}",
        "cat | gzip | $GPUVAL evaluate - {}",
        "cat > a.csv; $GPUVAL evaluate /dev/stdin {} < a.csv",
        "cat > a.csv; $GPUVAL evaluate <(cat a.csv) {}",
        "cat > a.csv; gzip a.csv; $GPUVAL evaluate <(zcat a.csv.gz) {}",
        "cat > a.csv; $GPUVAL evaluate <(cat a.csv) {} -o b.csv; cat b.csv",
    ],
)
def test_streams_of_a_shell(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = in_shell(command.format(" ".join(OPTIONS) + " --format csv"), TEXT.encode())
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.decode().splitlines()[1].startswith("a,3,2,4,0,")


def test_no_room_for_what_is_kept(stdin, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    stdin(TEXT.encode())
    monkeypatch.setattr("gpuval.cli.files.streams.mkdtemp", full)
    assert refused("evaluate", "-", *OPTIONS) == "cannot read standard input: No space left on device"


def test_the_reader_keeps_the_text(stdin, tmp_path):
    from pathlib import Path

    stdin(TEXT.encode())
    labels = open_labels(Path("-"))
    assert labels.columns() == ["truth", "a", "p"]
    assert labels.name == "standard input"
    assert labels.read(["a"])["a"].tolist() == [0, 0, 1, 1]
    with pytest.raises(FileError, match=r"column 'truth' must hold numbers, got 'x' in row 1"):
        labels.embedding(["p", "truth"])
