"""Results on terminals that cannot show all letters: nothing fails, and marks are those of ASCII."""

import io
import subprocess
import sys

import numpy as np
import pytest

import gpuval
from gpuval.display.digits import for_terminal

TRUE = np.random.default_rng(0).integers(0, 3, 120)
LABELINGS = {
    name: np.where(np.random.default_rng(place).random(120) < share, 0, TRUE)
    for place, (name, share) in enumerate({"good": 0.1, "near": 0.12, "far": 0.8}.items())
}
NAMES = ("ami", "ari", "nca", "vi")


def results(names=tuple(LABELINGS)):
    """Of each kind that prints marks, arrows, minus signs, or shortened names."""
    labelings = dict(zip(names, LABELINGS.values(), strict=True))
    comparison = gpuval.compare(TRUE, labelings, NAMES, confidence_level=0.95, n_resamples=49, random_state=0)
    bad = {name: np.arange(120) % (3 + place) for place, name in enumerate(names)}
    return [
        comparison,
        comparison.verdict,
        comparison.best,
        *comparison.best.values(),
        comparison[names[0]],
        gpuval.compare(TRUE, bad, NAMES, confidence_level=0.95, n_resamples=49),
        gpuval.compare(TRUE, bad, NAMES).verdict,
        gpuval.pairwise(labelings),
        gpuval.compare_many_scores(TRUE, labelings, method="jackknife"),
        gpuval.cluster_f_score(TRUE, np.asarray(names)[TRUE]),
        gpuval.Contingency.from_labels(TRUE, np.asarray(names)[TRUE]),
    ]


def printed(shown, encoding, monkeypatch):
    """What a terminal of this encoding gets; it fails for what it cannot show."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", terminal)
        for x in shown:
            print(x)
    terminal.seek(0)
    return terminal.read()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437"])
def test_marks_are_those_of_ascii(encoding, monkeypatch):
    shown = results()
    text, whole = printed(shown, encoding, monkeypatch), printed(shown, "utf-8", monkeypatch)
    assert "\\u" not in text  # each letter of ours has another one
    for mark, other in (("● ", "* "), ("≈ ", "= "), ("VI ↓", "VI v"), ("−0.", "-0.")):
        assert mark in whole
        assert other in text
    lines, wanted = text.splitlines(), whole.splitlines()
    assert list(map(len, lines)) == list(map(len, wanted))  # columns stay below each other
    assert "* highest" in text
    if encoding == "ascii":
        assert text.isascii()


def test_a_terminal_of_unicode_has_all_marks(monkeypatch):
    text = printed(results(), "utf-8", monkeypatch)
    assert {"●", "≈", "−", "–", "↓"} <= set(text)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_names_of_other_letters_are_escaped(encoding, monkeypatch):
    names = ("CD8\N{SUPERSCRIPT PLUS SIGN} T", "漢字", "x" * 60)
    text = printed(results(names), encoding, monkeypatch)
    assert r"CD8\u207a T" in text
    assert r"\u6f22\u5b57" in text
    assert "xx~xx" in text or "xx…xx" in text  # a name that is shortened


def test_a_terminal_that_fails_is_seen(monkeypatch):
    """Without another way to write it the marks would end the program."""
    monkeypatch.setattr("gpuval.display.tables.for_terminal", lambda text: text)
    with pytest.raises(UnicodeEncodeError):
        printed(results()[:1], "cp1252", monkeypatch)


def test_where_there_is_no_terminal(monkeypatch):
    found = []
    for stdout in (None, io.StringIO(), type("Odd", (), {"encoding": "no-such-encoding"})()):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", stdout)
            found.append(for_terminal("● −0.5"))
    assert found == ["● −0.5"] * 3


def test_a_program_of_another_encoding():
    program = (
        "import gpuval; labels = [0, 0, 1, 1, 2, 2] * 9; labelings = {'a': labels, 'b': [0, 0, 1] * 18}; "
        "print(gpuval.compare(labels, labelings, ['ari', 'vi', 'ami'], confidence_level=0.9))"
    )
    run = [sys.executable, "-X", "utf8=0", "-c", program]
    done = subprocess.run(run, capture_output=True, env={"PYTHONIOENCODING": "cp1252"}, check=True)
    text = done.stdout.decode("cp1252")
    assert "1.00 * 1.00-1.00" in text  # with all marks of ASCII, where one is missing
    assert "●" not in text
