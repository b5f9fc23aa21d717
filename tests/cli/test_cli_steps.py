"""Bars: on a terminal, after two seconds, and gone at the end."""

import sys
import time

import pandas as pd
import pytest
from command_line import Terminal, run

from gpuval.cli import terminal as module
from gpuval.cli.terminal import Steps


@pytest.fixture
def on_stderr(monkeypatch):
    """Put a terminal in the place of stderr; within the test, as pytest puts its own there before that."""

    def on_stderr():
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "_DELAY", 0.05)
    return on_stderr


def wait_for(condition):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def test_the_steps_are_shown_and_gone(on_stderr):
    terminal = on_stderr()
    with Steps() as steps:
        steps.begin("reading", 100)
        steps.advance(30)
        wait_for(lambda: "reading" in terminal.getvalue())
        assert steps._bar.tasks[0].percentage == 30
        steps.begin("resampling")
        wait_for(lambda: "resampling" in terminal.getvalue())
        assert steps._bar.tasks[0].total is None
    assert terminal.getvalue().endswith("\x1b[2K")  # the line of the bar, erased
    shown = terminal.getvalue()
    steps.advance()
    time.sleep(0.3)
    assert terminal.getvalue() == shown


def test_names_of_columns_in_steps_are_safe_and_short(on_stderr):
    terminal = on_stderr()
    with Steps() as steps:
        steps.begin("scoring by b\x1b]0;title\x07\x1b[31m")
        wait_for(lambda: r"scoring by b\x1b]0;title\x07" in terminal.getvalue())
        steps.begin("scoring by " + "long" * 1000)
        wait_for(lambda: "long" in terminal.getvalue())
        steps.begin("\x1b[31mred")
        wait_for(lambda: r"\x1b[31mred" in terminal.getvalue())
    assert "\x1b]" not in terminal.getvalue()
    assert "\x07" not in terminal.getvalue()
    assert "\x1b[31mred" not in terminal.getvalue()
    assert "long" * 10 not in terminal.getvalue()


def test_what_is_quick_shows_nothing(on_stderr, monkeypatch):
    terminal = on_stderr()
    monkeypatch.setattr(module, "_DELAY", 0.5)
    with Steps() as steps:
        steps.begin("reading")
    time.sleep(0.7)
    assert terminal.getvalue() == ""


def test_two_seconds():
    assert module._DELAY == 2


def test_bars_are_gone_after_an_error(on_stderr):
    terminal = on_stderr()

    def interrupted():
        with Steps() as steps:
            steps.begin("reading")
            wait_for(lambda: "reading" in terminal.getvalue())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().endswith("\x1b[2K")


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_nothing_where_lines_cannot_be_erased(term, on_stderr, monkeypatch):
    terminal = on_stderr()
    monkeypatch.setenv("TERM", term)
    with Steps() as steps:
        steps.begin("reading")
        time.sleep(0.3)
    assert terminal.getvalue() == ""


def test_nothing_where_stderr_is_no_terminal(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(module, "_DELAY", 0)
    pd.DataFrame({"truth": [0, 1, 2] * 400, "a": [0, 1, 1] * 400}).to_csv(tmp_path / "a.csv", index=False)
    code, _, err = run("evaluate", tmp_path / "a.csv", "--true", "truth", "--pred", "a", "--confidence", "0.9")
    assert (code, err) == (0, "")
    monkeypatch.setattr(sys, "stderr", None)
    with Steps() as steps:
        steps.begin("reading")


def test_the_command_tells_its_steps(monkeypatch, tmp_path):
    told, counts = [], []
    monkeypatch.setattr(Steps, "begin", lambda self, name, total=None: told.append((name, total)))
    monkeypatch.setattr(Steps, "advance", lambda self, count=1: counts.append((told[-1][0], count)))
    path = tmp_path / "a.csv"
    pd.DataFrame({"truth": [0, 1] * 30, "a": [0, 1, 1] * 20, "b": 0, "p": 0.5}).to_csv(path, index=False)
    options = ["--confidence", "0.9", "--embedding", "p", "--metrics", "ari,asw"]
    assert run("evaluate", path, "--true", "truth", "--pred", "a", "--pred", "b", *options)[0] == 0
    size = path.stat().st_size
    assert told == [
        ("opening", None),
        ("reading", size),
        ("reading the embedding", size),
        ("scoring columns", 2),
        ("resampling for intervals", None),
        ("scoring samples", None),
    ]
    for name, total in (("reading", size), ("scoring columns", 2)):
        assert sum(count for step, count in counts if step == name) == pytest.approx(total, abs=30)
