"""Files that are damaged at random: a score of all rows, or one line that says what is wrong."""

import base64
import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import zlib

import h5py
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuval
from gpuval.__main__ import main

LABELS = {
    "truth": ["x", "y", "z, z", "x", "y", 'q"q', "x", "x"],
    "a": ["0", "1", "2", "0", "", "1", "0", "2"],
    "b": ["p", "p", "é", "q", "p", "q", "p", "q"],
}
OPTIONS = ["--true", "truth", "--pred", "*", "--ignore", "y", "--ignore", "NaN", "--metrics", "rand_score"]


def text(separator):
    return pd.DataFrame(LABELS).to_csv(index=False, sep=separator).encode()


def parquet():
    file = io.BytesIO()
    frame = pd.DataFrame(LABELS).assign(c=[0, 1, 2, 3] * 2, d=pd.Categorical(LABELS["b"]), e=[0.5, None] * 4)
    frame.to_parquet(file)
    return file.getvalue()


def h5ad():
    file = io.BytesIO()
    with h5py.File(file, "w") as written:
        obs = written.create_group("obs")
        obs.attrs.update({"_index": "index", "column-order": ["truth", "a"]})
        obs["index"] = range(8)
        obs["a"] = [0, 1, 2, 0, 1, 1, 0, 2]
        truth = obs.create_group("truth")
        truth.attrs.update({"encoding-type": "categorical", "encoding-version": "0.2.0", "ordered": False})
        truth["codes"], truth["categories"] = [0, 1, 2, 0, 1, 2, 0, 0], [b"x", b"y", b"z"]
        for name in ("codes", "categories"):
            truth[name].attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    return file.getvalue()


BYTES = st.sampled_from([b'"', b",", b"\t", b"\n", b"\r", b"\0", b"\xff", b"\xc3", b"\x1b", b"", b";"]) | st.binary(
    min_size=1, max_size=1
)


def damaged(content):
    """``content`` with bytes replaced or put in, or cut."""
    places = st.integers(0, len(content) - 1)
    changes = st.lists(st.tuples(places, BYTES, st.booleans()), min_size=1, max_size=8)

    def changed(found):
        parts = bytearray(content)
        for place, new, is_put_in in sorted(found, reverse=True):
            parts[place : place + (not is_put_in)] = new
        return bytes(parts)

    return changes.map(changed) | places.map(lambda end: content[:end])


def run(path):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["evaluate", str(path), *OPTIONS, "--format", "json"])
    return code, out.getvalue(), err.getvalue()


def checked(code, out, err):
    """How many rows each labeling has, used or dropped; None after an error, which is one line."""
    if code == 0:
        assert all(line.startswith("gpuval: ") for line in err.splitlines())
        found = json.loads(out)
        assert found
        return {x["n_samples"] + x["n_dropped"] for x in found.values()}
    assert (code, out) == (2, "")
    assert err.startswith("gpuval: ")
    assert err.count("\n") == 1
    assert all(x.isprintable() for x in err.removesuffix("\n") if not x.isalnum())
    return None


def n_rows(content, separator):
    """The rows of a text below its header, read letter by letter; None if its quotes are wrong."""
    rows, fields, field, state = [], [], "", "start"

    def end_of_row():
        if fields or field or state != "start":
            rows.append([*fields, field])

    for letter in content.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n"):
        if state == "quoted":
            state, field = ("closed", field) if letter == '"' else (state, field + letter)
        elif letter == '"' and state in ("start", "closed"):
            state, field = "quoted", field + ('"' if state == "closed" else "")
        elif letter == "\n":
            end_of_row()
            fields, field, state = [], "", "start"
        elif letter == separator:
            fields, field, state = [*fields, field], "", "start"
        elif state == "closed":
            return None
        else:
            state, field = "plain", field + letter
    if state == "quoted":
        return None
    end_of_row()
    header = next((i for i, row in enumerate(rows) if any(row)), len(rows))
    return len(rows) - header - 1


def test_the_reader_of_this_test_knows_wrong_quotes():
    assert n_rows(text(","), ",") == n_rows(text("\t"), "\t") == 8
    assert n_rows(b'a,b\n"x,1\ny,2\n', ",") is None
    assert n_rows(b'a,b\n"x"y,1\n', ",") is None
    assert n_rows(b'\n,\na,b\n\n"x\n""y",1\r\n5" p,2\r3,""', ",") == 3


FUZZED = settings(max_examples=400)


def test_what_is_not_damaged(tmp_path):
    files = {
        "a.csv": text(","),
        "a.tsv": text("\t"),
        "a.csv.gz": gzip.compress(text(","), mtime=0),
        "a.parquet": parquet(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        assert checked(*run(tmp_path / name)) == {8}


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ","), ("a.tsv", "\t")])
def test_damaged_text(name, separator, tmp_path):
    path = tmp_path / name

    @FUZZED
    @given(damaged(text(separator)))
    def test(content):
        path.write_bytes(content)
        counts = checked(*run(path))
        assert counts is None or counts == {n_rows(content, separator)}
        seen.append(counts)

    seen = []
    test()
    assert None in seen
    assert {8} in seen


def test_text_of_special_letters(tmp_path):
    path = tmp_path / "a.csv"

    @FUZZED
    @given(st.lists(st.sampled_from(['"', ",", "\n", "\r", "x", "y,0,p\n", '"z\n",1,q\n']), max_size=20).map("".join))
    def test(rows):
        content = b"truth,a,b\n" + rows.encode()
        path.write_bytes(content)
        counts = checked(*run(path))
        assert counts is None or counts == {n_rows(content, ",")}
        seen.append(counts)

    seen = []
    test()
    assert None in seen
    assert len({max(counts) for counts in seen if counts}) > 3


def test_damaged_compressed_text(tmp_path):
    path = tmp_path / "a.csv.gz"

    @FUZZED
    @given(damaged(gzip.compress(text(","), mtime=0)) | damaged(text(",")).map(lambda x: gzip.compress(x, mtime=0)))
    def test(content):
        path.write_bytes(content)
        counts = checked(*run(path))
        try:
            inside = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            assert counts is None
        else:
            assert counts is None or counts == {n_rows(inside, ",")}
        seen.append(counts)

    seen = []
    test()
    assert None in seen
    assert {8} in seen


def test_damaged_parquet(tmp_path):
    path = tmp_path / "a.parquet"

    @FUZZED
    @given(damaged(parquet()))
    def test(content):
        path.write_bytes(content)
        seen.append(checked(*run(path)))

    seen = []
    test()
    assert None in seen
    assert {8} in seen


# HDF5 itself crashes, or never ends, at some damaged files: another process reads them.

WORKER = """
import base64, faulthandler, json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_files_fuzzing import run
faulthandler.enable()
for line in sys.stdin:
    Path(sys.argv[1]).write_bytes(base64.b64decode(line))
    faulthandler.dump_traceback_later(5, exit=True)
    ran = run(sys.argv[1])
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps(ran), flush=True)
"""


class Worker:
    """A process that reads files, and is started again after HDF5 has ended it."""

    def __init__(self, folder):
        self.path, self.log, self.process = folder / "a.h5ad", folder / "log", None

    def run(self, content):
        """What the command did; None if HDF5 ended the process."""
        if self.process is None:
            self.start()
        self.process.stdin.write(base64.b64encode(content).decode() + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        self.stop()
        frames = [line for line in self.log.read_text().splitlines() if line.startswith("  File")]
        assert frames, self.log.read_text()
        assert "h5py" in frames[0] or "anndata" in frames[0], self.log.read_text()
        return None

    def start(self):
        here = os.path.dirname(__file__)
        root = os.path.dirname(os.path.dirname(gpuval.__file__))
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", WORKER, str(self.path), here],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"PYTHONPATH": root},
            )

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


def test_damaged_h5ad(tmp_path):
    worker = Worker(tmp_path)

    @settings(FUZZED, max_examples=150)
    @given(damaged(h5ad()))
    def test(content):
        ran = worker.run(content)
        seen.append("dead" if ran is None else checked(*ran))

    seen = []
    try:
        assert checked(*worker.run(h5ad())) == {8}
        test()
        assert None in seen
        assert {8} in seen
        assert seen.count("dead") < len(seen) / 10
    finally:
        worker.stop()


def test_a_change_of_one_array(tmp_path):
    """One element, byte or attribute of one array: a score, or one line, in bounded time and memory."""
    here = os.path.dirname(__file__)
    paths = os.pathsep.join([os.path.dirname(here), os.path.dirname(os.path.dirname(gpuval.__file__))])
    ran = subprocess.run(
        [sys.executable, os.path.join(here, "changed_arrays.py"), str(tmp_path), "0", "100"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert ran.returncode == 0, f"{ran.stdout.splitlines()[-1:]}\n{ran.stderr}"
    outcomes = [line.rpartition(": ")[2] for line in ran.stdout.splitlines()]
    assert len(outcomes) == 100
    assert min(outcomes.count("score"), outcomes.count("message")) > 20
