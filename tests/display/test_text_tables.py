"""Tables of text and of HTML, of cells that may hold anything."""

import numpy as np
import pytest
from html_tables import Tables
from hypothesis import given
from hypothesis import strategies as st

from gpuval.display.html import GapRow, HtmlCell, HtmlRow, html_table
from gpuval.display.text import column_blocks, gap_sizes, readable_name, shorten_middle, text_width, visible_runs, wrap

TEXTS = st.text(max_size=100) | st.sampled_from(["<b>", "\x1b[31m", "\r\n", "\u202e", "&amp;", "家" * 50, "x" * 10_000])


def test_names_of_tuples_are_their_parts():
    assert [readable_name(x) for x in ("a", 1, None, ("a", 1), ("a",), ())] == ["a", "1", "None", "a, 1", "a", "()"]
    times = np.asarray(["2026-01-05", "2026-01-05T10:30", "NaT"], "M8[ns]")
    assert [readable_name(x) for x in times] == ["2026-01-05", "2026-01-05T10:30", "NaT"]
    assert readable_name(("a", times[0])) == "a, 2026-01-05"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("leiden_0.5", 10, "leiden_0.5"),
        ("leiden_0.5", 9, "leid…_0.5"),
        ("leiden_0.5", 4, "le…5"),
        ("leiden_0.5", 2, "l…"),
        ("家家家家", 7, "家家…家"),  # two columns each
        ("e\u0301" * 4, 3, "e\u0301…e\u0301"),
        ("e\u0301" * 4, 2, "e\u0301…"),
        ("家家家家", 5, "家…家"),
    ],
)
def test_long_names_keep_their_ends(text, width, expected):
    assert shorten_middle(text, width) == expected


@given(TEXTS, st.integers(2, 50))
def test_shortened_names_fit(text, width):
    found = shorten_middle(text, width)
    assert text_width(found) <= width
    assert (found == text) == (text_width(text) <= width)


def test_columns_that_do_not_fit_are_blocks_below_each_other():
    rows = [["", "a" * 30, "b" * 30, "c" * 30], ["name", "1", "22", ""], ["n", "", "x", "333"]]
    assert column_blocks(rows) == [
        ["      " + "a" * 30 + "  " + "b" * 30, "name" + "1".rjust(32) + "22".rjust(32), "n   " + "x".rjust(64)],
        ["      " + "c" * 30, "name", "n   " + "333".rjust(32)],
    ]
    assert column_blocks([["", "a"], ["n", "1"], ["longer", "22"]], left=(0, 1)) == [
        ["        a", "n       1", "longer  22"],
    ]
    assert column_blocks([["", "a" * 30], ["n", "1"]], widest_head=5) == [["   aa…aa", "n      1"]]


def test_names_make_room_for_numbers():
    name, number = "n" * 50, "1" * 50
    assert column_blocks([["", ""], [name, "2"]])[0][1] == f"{name}  2"
    assert column_blocks([["", "", ""], [name, "2", "3"]])[0][1] == "n" * 20 + "…" + "n" * 19 + "  2  3"
    assert column_blocks([["", ""], [name, number]])[0][1] == "n" * 14 + "…" + "n" * 13 + "  " + number
    assert column_blocks([["", ""], [name, "1" * 70]])[0][1] == "n" * 20 + "…" + "n" * 19 + "  " + "1" * 37 + "…"


def test_blocks_are_about_as_wide_as_each_other():
    blocks = column_blocks([["", *["x" * 13] * 6], ["n", *"123456"]])
    assert [len(rows[0].split()) for rows in blocks] == [3, 3]  # not five, as there is room for, and one


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(TEXTS, min_size=n, max_size=n), min_size=1, max_size=5)))
def test_whatever_the_cells_are_the_lines_fit(rows):
    blocks = column_blocks(rows)
    assert all(len(block) == len(rows) for block in blocks)
    lines = [line for block in blocks for line in block]
    assert all(text_width(line) <= 80 and (line.isprintable() or not line.isascii()) for line in lines)
    assert not {"\x1b", "\r", "\n", "\u202e", "\u2028"} & set("".join(lines))


@given(st.lists(TEXTS).map(" ".join), st.integers(0, 40))
def test_wrapped_sentences_fit(sentence, n_indented):
    lines = wrap(sentence, n_indented).split("\n")
    assert all(text_width(line) <= 80 and line.startswith(" " * n_indented) for line in lines)


def test_sentences_are_broken_between_words():
    assert wrap("one two " * 12 + "end", 4) == "\n".join(
        ["    " + "one two " * 9 + "one", "    two " + "one two " * 2 + "end"]
    )


@given(st.integers(0, 200), st.integers(2, 50), st.lists(st.integers(0, 199)))
def test_what_is_left_out_is_in_the_middle(n, most, kept):
    kept = [x for x in kept if x < n]
    runs = visible_runs(n, most, kept)
    shown = [place for run in runs for place in run]
    assert shown == sorted(set(shown))
    assert len(shown) + sum(gap_sizes(runs)) == n
    assert 1 not in gap_sizes(runs)
    if n <= most:
        assert shown == list(range(n))
    else:
        half = most // 2
        assert {*range(half), *range(n - half, n), *sorted(set(kept))[:most]} <= set(shown)


def test_html_has_the_texts_and_nothing_else():
    heads = ["", "<i>", 'a "b" & c']
    rows = [HtmlRow(["</th><script>"], [HtmlCell("1 < 2", "[\x1b]", 'full "1"', True), HtmlCell()], "it's"), GapRow(7)]
    found = Tables(html_table(heads, rows, ["", "&amp;"], note="<note>\n"))
    assert found.rows == [heads, ["</th><script>", r"1 < 2 [\x1b]", ""], ["(7 more)"]]
    assert found.titles == [["", "&amp;", ""], ["it's", 'full "1"', ""], [""]]
    assert found.bold == [(1, 1)]
    assert found.notes == [r"<note>\n"]


def test_long_cells_of_html_are_in_their_titles():
    name, number = "n" * 50, "1" * 200
    found = Tables(html_table([name, ""], [HtmlRow([name], [HtmlCell(number)])], ["about it"]))
    short = "n" * 20 + "…" + "n" * 19
    assert found.rows == [[short, ""], [short, "1" * 99 + "…"]]
    assert found.titles == [[f"{name}: about it", ""], [name, number]]


def test_names_that_begin_with_spaces_are_moved():
    text = html_table(["a"], [HtmlRow(["  b"], [])])
    assert "padding-left" in text
    assert Tables(text).rows == [["a"], ["b"]]


def test_a_table_without_heads():
    assert Tables(html_table(["", ""], [HtmlRow(["a"], [HtmlCell("1")])])).rows == [["a", "1"]]


@given(TEXTS, TEXTS, TEXTS)
def test_whatever_the_cells_are_html_has_no_others_tags(name, cell, title):
    found = Tables(html_table([name, name], [HtmlRow([name], [HtmlCell(cell, cell, title)])], [title], note=cell))
    assert [len(row) for row in found.rows] == [2] * len(found.rows)
