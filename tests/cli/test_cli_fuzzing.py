"""Command lines at random: exit code 0 and scores of all rows, or 2 and one line on stderr."""

import contextlib
import io
import json
import re

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuval.__main__ import main

LABELS = {
    "truth": ["x", "y", "z", "x", "y", "NA"],
    "-1": [-1, 0, 1, 0, 1, -1],
    "=sum": ["p", "q", "p", "q", "p", "q"],
    "a b\n*": [True, False, True, False, True, False],
    "gaps": ["0", None, "1", "0", "1", "nan"],
    "mito": [0.5, 1.25, 2, 3, 4, 5],
    "w": [0.5, 1, 2, 0, 0, 0],
    "zero": [0, 0, 0, 0, 0, 0],
    "\x1b[31mred\u202e": [1, 2, 3, 4, 5, 6],
}
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
"""Letters that must not reach a terminal."""

WORDS = st.text(st.characters(exclude_characters="\0"), max_size=4)
COLUMNS = st.sampled_from([*LABELS, "*", "?", "[", "[!t]*", "t*", "", "--", "\x1b*"]) | WORDS
OPTION = st.one_of(
    st.tuples(st.sampled_from(["--true", "--pred", "--weight"]), COLUMNS),
    st.tuples(st.just("--ignore"), st.sampled_from(["x", "y", "z", "NA", "-1", "0", "1", "nan", "", "True"]) | WORDS),
    st.tuples(
        st.just("--metrics"),
        st.sampled_from(["all", "rand_score", "purity_score,rand_score", ",", "ari", "adjusted_mutual_info_score"])
        | WORDS,
    ),
    st.tuples(st.just("--format"), st.sampled_from(["table", "csv", "markdown", "json"]) | WORDS),
    st.tuples(st.just("--delimiter"), st.sampled_from([",", ";", "tab", '"', "t"]) | WORDS),
    st.tuples(st.just("--embedding"), COLUMNS),
    st.tuples(st.just("--metrics"), st.sampled_from(["asw", "db,ari", "all", "dunn", "inertia,purity"])),
    st.tuples(st.just("--by"), COLUMNS),
    st.tuples(st.sampled_from(["--help", "-h", "--version", "--", "-x", "demo", "metrics"])),
)
USUAL = st.tuples(
    st.tuples(st.just("--true"), st.sampled_from(["truth", "-1", "zero"])),
    st.tuples(st.just("--pred"), st.sampled_from([*LABELS, "*", "[!t]*"])),
    st.tuples(st.just("--format"), st.sampled_from(["json", "json", "json", "table", "csv", "markdown"])),
    st.tuples(st.just("--ignore"), st.sampled_from(["nan", "nan", "", "x", "-1", "1", "True"])),
)


def flat(options):
    return [word for option in options for word in option]


LINES = st.builds(lambda usual, others: flat([*usual, *others]), USUAL, st.lists(OPTION, max_size=2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    frame = pd.DataFrame(LABELS)
    frame.to_csv(path / "a.csv", index=False)
    frame.to_parquet(path / "a.parquet")
    (path / "a.tsv").write_text("truth;w\nx;0\n")
    (path / "d.csv").mkdir()
    return path


def run(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def check(code, out, err):
    assert not HIDDEN.search(out + err)
    assert err == "" or err.endswith("\n")
    if code != 0:
        assert (code, out) == (2, "")
        assert re.fullmatch("gpuval: .*\n", err)
    if out.startswith("{"):
        assert {n_rows(x) for x in json.loads(out).values()} == {len(LABELS["truth"])}


def n_rows(scores):
    """The rows that a labeling was scored for, or that all values of --by have together."""
    if "n_samples" in scores:
        return scores["n_samples"] + scores["n_dropped"]
    return sum(map(n_rows, scores.values()))


FUZZED = settings(max_examples=300)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_usual_command_lines(name, folder):
    @FUZZED
    @given(USUAL.map(flat) | LINES)
    def test(options):
        code, out, err = run(["evaluate", str(folder / name), *options])
        check(code, out, err)
        ended.append((code, out[:1] == "{"))

    ended = []
    test()
    assert {(0, True), (0, False), (2, False)} <= set(ended)
    assert ended.count((0, True)) > len(ended) / 10


def test_any_command_lines(folder):
    @FUZZED
    @given(
        st.sampled_from(["a.csv", "a.parquet", "a.tsv", "d.csv", "no.csv", "-", ""]),
        st.lists(OPTION, max_size=4).map(flat),
    )
    def test(name, options):
        check(*run(["evaluate", str(folder / name) if name.strip("-") else name, *options]))

    test()


@pytest.mark.parametrize("command", ["demo", "metrics", ""])
def test_other_commands(command):
    @settings(max_examples=60)
    @given(st.lists(OPTION, max_size=2).map(flat))
    def test(options):
        code, out, err = run([*command.split(), *options])
        if code == 2:
            check(code, out, err)
        else:
            assert code == 0
            assert not HIDDEN.search(out + err)

    test()
