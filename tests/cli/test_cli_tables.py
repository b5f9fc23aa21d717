"""Tables for people: no wider than the terminal, with whole numbers, whatever the columns are called."""

import random
import re
import string

import pandas as pd
import pytest
from command_line import AsciiTerminal, Terminal, on_a_terminal, written

import gpuval
from gpuval.cli.formats import render
from gpuval.cli.tables import as_tables
from gpuval.cli.terminal import Paper
from gpuval.display.text import text_width, visible
from gpuval.registry.requests import DEFAULT_METRICS

COUNTS = {"n_classes": 4, "n_clusters": 7, "n_samples": 100, "n_dropped": 3}
METRICS = [x for x in DEFAULT_METRICS if getattr(gpuval, x).measure.range[1] == 1] + ["silhouette_score"]
"""Whose scores have three decimals, and which are better the higher they are."""
LOWER = ["classification_error_distance", "normalized_variation_of_information", "normalized_information_distance"]
SWEEP = [f"leiden_{i / 10}" for i in range(20)]


def made(names, metrics=METRICS):
    """A score of its own for each labeling and measure, so that one can be told from all others."""
    return {
        name: COUNTS | {"n_clusters": 7 + i} | {x: (len(metrics) * i + j + 1) / 1000 for j, x in enumerate(metrics)}
        for i, name in enumerate(names)
    }


def numbers(scores):
    return [f"{x:.3f}" for values in scores.values() for name, x in values.items() if name not in COUNTS]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("n_labelings", [1, 2, 3, 5, 20])
def test_tables_fit_and_have_every_number_once(n_labelings, width, encoding):
    scores = made(SWEEP[:n_labelings])
    text = as_tables(scores, None, Paper(width, encoding))
    assert max(map(text_width, text.splitlines())) <= width
    assert sorted(re.findall(r"\d\.\d{3}", text)) == sorted(numbers(scores))
    assert text.encode(encoding).decode(encoding) == text


def test_few_labelings_stand_side_by_side():
    header, rule, *rows, note = as_tables(made(SWEEP[:3]), None, Paper(80)).splitlines()
    assert header.split() == ["metric", "better", *SWEEP[:3]]
    assert [row.split()[0] for row in rows] == [*COUNTS, *METRICS]
    assert [row.split()[1] for row in rows[4:]] == [getattr(gpuval, x).measure.better for x in METRICS]
    assert set(rule) == {"─"}
    assert note == "● highest"


@pytest.mark.parametrize("width", [60, 80, 220, 1 << 20])
def test_many_labelings_have_a_row_each(width):
    scores = made(SWEEP)
    lines = as_tables(scores, None, Paper(width)).splitlines()
    rows = [line.split() for line in lines if line.startswith("leiden_")]
    n_tables = len(rows) // len(SWEEP)
    assert [row[0] for row in rows] == SWEEP * n_tables
    for place, name in enumerate(SWEEP):
        cells = [x for row in rows[place :: len(SWEEP)] for x in row[1:]]
        assert [x for x in cells if x != "●"] == [str(7 + place), *numbers({name: scores[name]})]
    assert lines[-2:] == [
        "each labeling: n_classes 4, n_samples 100, n_dropped 3",
        "● highest",
    ]
    assert (n_tables == 1) == (width >= 220)


def test_counts_that_differ_have_a_column():
    scores = made(SWEEP)
    scores[SWEEP[3]]["n_dropped"] = 5
    text = as_tables(scores, None, Paper())
    assert text.splitlines()[0].split()[:3] == ["labeling", "n_clusters", "n_dropped"]
    assert "each labeling: n_classes 4, n_samples 100\n" in text


AGREED = {"adjusted_rand_score": [0.5, 0.75, 0.75, 0.25], "variation_of_information": [0.5, 1.0, 2.0, 0.5]}
AGREED |= {"entropy": [1.0, 2.0, 3.0, 4.0], "normalized_mutual_info_score": [float("nan")] * 4}


def agreed(names="abcd", measures=AGREED):
    return {key: COUNTS | {x: measures[x][i] for x in measures} for i, key in enumerate(names)}


def test_a_mark_stands_beside_each_best_score():
    """The highest or the lowest one, and those that are equal; none of measures without a better direction."""
    assert as_tables(agreed(), None, Paper()).splitlines() == [
        "metric                        better        a        b        c        d",
        "─" * 72,
        "n_classes                                 4        4        4        4",
        "n_clusters                                7        7        7        7",
        "n_samples                               100      100      100      100",
        "n_dropped                                 3        3        3        3",
        "adjusted_rand_score           higher  0.500    0.750 ●  0.750 ●  0.250",
        "variation_of_information      lower    0.50 ●   1.00     2.00     0.50 ●",
        "entropy                                1.00     2.00     3.00     4.00",
        "normalized_mutual_info_score  higher      –        –        –        –",
        "● highest or lowest",
    ]


def test_halves_of_pairs_are_not_marked():
    """Homogeneity and completeness go up or down with the number of clusters."""
    measures = {"homogeneity_score": [0.1, 0.9], "completeness_score": [0.9, 0.1], "purity_score": [0.1, 0.9]}
    assert "●" not in as_tables(agreed("ab", measures), None, Paper())
    assert "●" in as_tables(agreed("ab", {**measures, "v_measure_score": [0.1, 0.9]}), None, Paper())


def test_marks_in_rows_of_labelings():
    measures = {x: AGREED[x] for x in ("variation_of_information", "entropy")}
    assert as_tables(agreed([f"leiden_{i}" for i in range(4)] + list("efgh"), {}), None, Paper()).count("●") == 0
    scores = agreed([*"abcd"], measures) | {x: COUNTS | dict.fromkeys(measures, 3.0) for x in "efgh"}
    header, _, *rows = as_tables(scores, None, Paper()).splitlines()
    assert header == "labeling  n_clusters  variation_of_information ↓  entropy"
    assert rows[:2] == [
        "a                  7                      0.50 ●     1.00",
        "b                  7                      1.00       2.00",
    ]
    assert [row[0] for row in rows if "●" in row] == ["a", "d", "●"]


def test_each_value_of_by_has_its_best():
    keys = [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")]
    text = as_tables(agreed(keys, {"adjusted_rand_score": [0.5, 0.75, 0.75, 0.25]}), "batch", Paper())
    assert re.findall(r"0\.\d+(?: ●)?", text) == ["0.500", "0.750 ●", "0.750 ●", "0.250"]
    alone = agreed(keys[::2], {"adjusted_rand_score": [0.5, 0.75]})
    assert "●" not in as_tables(alone, "batch", Paper())


def test_values_of_by_with_few_samples_have_no_best():
    keys = [("a", "x"), ("b", "x")]
    few = {key: x | {"n_samples": 99} for key, x in agreed(keys, {"adjusted_rand_score": [0.5, 0.75]}).items()}
    assert "●" not in as_tables(few, "batch", Paper())


def test_one_labeling_has_no_mark():
    assert "●" not in render(made(["a"]), "table", Paper())
    assert not set("●*") & set(render(made(["a"]), "markdown", Paper()))


def test_the_best_are_bold_in_markdown():
    header, rule, *rows = render(agreed("ab"), "markdown", Paper()).splitlines()
    assert rows[4:] == [
        "| adjusted_rand_score          | higher |       0.500 | **0.750 ●** |",
        "| variation_of_information     | lower  | **0.500 ●** |       1.000 |",
        "| entropy                      |        |        1.00 |        2.00 |",
        "| normalized_mutual_info_score | higher |           – |           – |",
    ]
    assert {len(x) for x in (header, rule, *rows)} == {len(header)}


@pytest.mark.parametrize("form", ["csv", "json"])
def test_forms_for_programs_have_no_marks(form):
    assert not set("●*") & set(render(agreed(), form, Paper()))


def test_marks_are_where_those_of_the_library_are(sweep):
    """Of the same labels, also behind intervals."""
    frame = pd.read_csv(sweep)
    labelings = {name: frame[name] for name in SWEEP[:8]}
    options = {"confidence_level": 0.9, "n_resamples": 5, "random_state": 0}
    best = gpuval.compare(frame["truth"], labelings, ["ari", "vi"], **options).best
    command = ["evaluate", sweep, "--true", "truth", "--pred", "leiden_*", "--metrics", "ari,vi", "--confidence", "0.9"]
    rows = [line for line in written(*command, "--resamples", "5").splitlines() if line.startswith("leiden_")]
    for place, measure in ((2, "ari"), (3, "vi")):
        marks = {row.split()[0]: re.split(r"  +", row.strip())[place][-1:] for row in rows}
        assert [name for name, mark in marks.items() if mark == "●"] == [best[measure].name]
        assert {name for name, mark in marks.items() if mark in "●≈"} == set(best[measure].best_set)


def test_titles_are_folded_and_whole():
    """The letters of each title, down its column, are the name of its measure and its arrow."""
    lines = as_tables(made(SWEEP, LOWER), None, Paper(80)).splitlines()
    height = next(i for i, line in enumerate(lines) if set(line) == {"─"})
    cells = [re.split(r" {2,}", line.strip()) for line in lines[:height]]
    letters = "".join(x for row in cells for x in row).replace(" ", "")
    expected = "labeling" + "n_clusters" + "".join(f"{x}↓" for x in LOWER)
    assert sorted(letters) == sorted(expected)


def test_directions_are_words_where_there_are_no_arrows():
    text = as_tables(made(SWEEP, LOWER[:1]), None, Paper(200, "ascii"))
    assert "(lower)" in text
    assert text.isascii()
    assert "↓ lower is better" in as_tables(made(SWEEP, LOWER[:1]), None, Paper(200))


HOSTILE = [
    "a" * 300,
    "\x1b[31mred\u202e" * 9,
    "漢字" * 60,
    "e\u0301" * 80,
    "a_b " * 40,
    "|" * 90,
    " ",
    "_" * 70,
    "\n\t",
]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("names", [HOSTILE[:1], HOSTILE[:2], HOSTILE, HOSTILE * 3])
def test_hostile_names_fit(names, width):
    scores = made([f"{i}{name}" for i, name in enumerate(names)])
    for encoding in ("utf-8", "latin-1", "ascii"):
        text = as_tables(scores, None, Paper(width, encoding))
        assert max(map(text_width, text.splitlines())) <= width
        assert not set(text) & set("\x1b\u202e\t")
        assert text.encode(encoding).decode(encoding) == text
        assert sorted(re.findall(r"\d\.\d{3}", text)) == sorted(numbers(scores))


def test_random_names_fit():
    draw = random.Random(5)
    letters = string.ascii_letters + "__  ..漢é\x00\u200f🙂"
    for _ in range(60):
        names = list({"".join(draw.choices(letters, k=draw.randint(1, 90))) for _ in range(draw.randint(1, 24))})
        width = draw.randint(40, 160)
        text = as_tables(made(names, METRICS[: draw.randint(1, 15)]), None, Paper(width))
        assert max(map(text_width, text.splitlines())) <= width, (names, width)


def test_a_very_long_name_is_cut_with_an_ellipsis():
    lines = as_tables(made(["b" * 100_000]), None, Paper(60)).splitlines()
    assert len(lines) < 60
    assert "…" in "".join(lines)
    lines = as_tables(made(["b" * 100_000]), None, Paper(60, "ascii")).splitlines()
    assert "..." in "".join(lines)
    assert max(map(len, lines)) <= 60


def test_names_that_have_room_are_whole():
    scores = made(["umap_of_all_cells_by_leiden_at_1.0", "umap_of_all_cells_by_leiden_at_2.0"])
    assert all(name in as_tables(scores, None, Paper(140)) for name in scores)


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_forms_that_are_no_tables_have_whole_names(form):
    scores = made(HOSTILE[:5])
    text = render(scores, form, Paper(60))
    assert HOSTILE[0] in text
    assert HOSTILE[2] in text
    assert not set(text) & set("\x1b\u202e")
    if form != "json":
        assert visible(HOSTILE[1]) in text


def test_markdown_of_many_labelings_has_a_row_each():
    header, rule, *rows = render(made(SWEEP, METRICS[:2]), "markdown", Paper()).splitlines()
    cells = [x.strip() for x in header.strip("|").split("|")]
    assert cells == ["labeling", *COUNTS, *METRICS[:2]]
    assert [row.split()[1] for row in rows] == SWEEP
    assert len({len(x) for x in (header, rule, *rows)}) == 1


@pytest.fixture
def sweep(tmp_path):
    draw = random.Random(0)
    frame = {"truth": [draw.choice("xyz") for _ in range(40)], "batch": [draw.choice("ab") for _ in range(40)]}
    frame |= {name: [draw.randint(0, 5) for _ in range(40)] for name in SWEEP[:8]}
    pd.DataFrame(frame).to_csv(tmp_path / "a.csv", index=False)
    return tmp_path / "a.csv"


@pytest.mark.parametrize("stream", [Terminal, AsciiTerminal])
@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_command_fits_a_terminal(width, stream, sweep):
    command = ["evaluate", sweep, "--true", "truth", "--pred", "leiden_*", "--confidence", "0.9", "--resamples", "5"]
    for by in ([], ["--by", "batch"]):
        lines = on_a_terminal(width, *command, *by, stream=stream)
        assert max(map(text_width, lines)) <= width
        assert any(word in line for line in lines for word in ("chance", "agree", "ahead", "depends", "few"))
        assert stream is Terminal or all(line.isascii() for line in lines)


def test_values_of_by_have_a_column_where_there_are_many(sweep):
    command = ["evaluate", sweep, "--true", "truth", "--pred", "leiden_*", "--by", "batch", "--metrics", "ari"]
    header, _, *rows = written(*command).splitlines()
    assert header.split()[:2] == ["labeling", "batch"]
    assert [row.split()[:2] for row in rows[:16]] == [[name, value] for name in SWEEP[:8] for value in "ab"]


def test_titles_are_bold_on_a_terminal_only():
    assert as_tables(made(["a"]), None, Paper(80, is_styled=True)).startswith("\x1b[1m")
    assert "\x1b" not in as_tables(made(["a"]), None, Paper(80))


def test_what_is_no_terminal_gets_one_plain_table(monkeypatch, sweep):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = written("evaluate", sweep, "--true", "truth", "--pred", "leiden_*")
    assert "\x1b" not in out
    assert len(out.splitlines()) == 2 + 4 + len(DEFAULT_METRICS) + 1
    assert out.splitlines()[0].split() == ["metric", "better", *SWEEP[:8]]
