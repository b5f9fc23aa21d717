"""Files of ten thousand columns of hostile names and labels: what the command line writes of them is safe and whole."""

import csv
import io
import json
import random
import re
from unittest import mock

import pyarrow as pa
import pytest
from command_line import on_a_terminal, run
from hostile_text import check_line, label_sets
from markdown_it import MarkdownIt
from pyarrow import csv as arrow
from pyarrow import parquet
from report_pages import Page

from gpuval.cli import commands
from gpuval.cli.formats import FORMS, FORMS_FOR_PEOPLE, render
from gpuval.cli.terminal import Paper
from gpuval.display.text import visible

N_FILES, N_COLUMNS, N_ROWS = 100, 100, 8
PARTS = 10
FORMULAS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""How cells begin that spreadsheets compute, those of languages with wide letters, too."""


def as_files_hold(text, ending):
    """Text of Unicode; that of CSV begins and ends with no spaces, and has no NUL, in names."""
    text = text.encode(errors="backslashreplace").decode()
    return text if ending == "parquet" else text.replace("\0", "").strip()


def columns_of_file(number, ending):
    """Columns by their names: of each set of labels one of these is the name, and the others are in it."""
    source = random.Random(number)
    columns = {}
    for labels in label_sets(1000 + number, N_COLUMNS):
        name, *others = [as_files_hold(x, ending) for x in labels]
        while not name or name in columns:
            name = f"{name}{len(columns)}"
        others = list(filter(None, others)) or ["y"]
        columns[name] = ["x", *source.choices(others, k=N_ROWS - 1)]
    by = as_files_hold("".join(label_sets(2000 + number, 1)[0]), ending) or "part"
    values = [as_files_hold(x, ending) for x in label_sets(3000 + number, 1, most=2)[0]]
    columns[by] = ["x", values[0] or "y", values[1] or "y", "x"] * (N_ROWS // 4)
    columns["<truth>|"] = list("aabbccaa")
    return columns, by


def write(columns, path):
    table = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        arrow.write_csv(table, path)


def sections(lines):
    """Lines between empty ones."""
    return [part.split("\n") for part in "\n".join(lines).split("\n\n")]


def check_table(text, width):
    assert text.endswith("\n")
    for line in text.split("\n"):
        check_line(line, width)


def check_json(text, keys):
    found = json.loads(text)
    check_table(text, float("inf"))
    names = [(x, y) for x, of_values in found.items() for y in of_values] if isinstance(keys[0], tuple) else list(found)
    assert names == keys


def check_csv(text, keys, by):
    check_table(text, float("inf"))
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    n_names = len(rows[0]) - len(head) + len([x for x in head if x == "labeling"]) + (by is not None)
    assert len(rows) == len(keys)
    assert text.count("\n") == 1 + len(rows)
    assert all(len(row) == len(head) for row in rows)
    for row, key in zip(rows, keys, strict=True):
        parts = key if isinstance(key, tuple) else (key,)
        for cell, part in zip(row[:n_names], parts, strict=True):
            assert not cell.startswith(FORMULAS), ascii(cell)
            assert not cell.lstrip().startswith(FORMULAS), ascii(cell)
            assert cell in (visible(part), f"'{visible(part)}")
        assert all(re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?|nan", cell) for cell in row[n_names:])
    assert not any(cell.startswith(FORMULAS) for cell in head)


ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
"""What GitHub takes for a letter that means nothing, so that "\\\\|" is a backslash and a border."""

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def check_markdown(text, keys, by):
    check_table(text, float("inf"))
    tables, *_ = sections(text.rstrip("\n").split("\n"))
    borders = {ESCAPED.sub("", line).count("|") for line in tables}
    assert len(borders) == 1, borders
    tokens = READER.parse("\n".join(re.sub(" {4,}", "   ", line) for line in tables))  # of pads it takes long to read
    cells = [token for token in tokens if token.type == "inline"]
    marked = [token.content for token in cells if any(child.type != "text" for child in token.children)]
    assert all(re.fullmatch(r"\*\*[01]\.\d{2,4} ●\*\*", x) for x in marked), list(map(ascii, marked))[:3]
    shown = [visible(x).strip() for key in keys for x in (key if isinstance(key, tuple) else (key,))]
    texts = ["".join(child.content for child in token.children).strip() for token in cells]
    assert sum(token.type == "tr_open" for token in tokens) == len(tables) - 1
    assert set(shown) <= set(texts), [ascii(x) for x in set(shown) - set(texts)][:3]


def check(form, text, keys, by, width):
    if form == "table":
        check_table(text, width)
    elif form == "json":
        check_json(text, keys)
    elif form == "csv":
        check_csv(text, keys, by)
    else:
        check_markdown(text, keys, by)


WIDTHS = (60, 80, 200)
SHOWN = [  # of the scores of every second file one of these
    (form, width, other) for form in FORMS for width in WIDTHS[: 3 if form == "table" else 1] for other in (0, 1)
]


def check_file(number, path, **options):
    ending = path.suffix[1:]
    columns, by = columns_of_file(number, ending)
    write(columns, path)
    form, width = FORMS[number % len(FORMS)], WIDTHS[number // 4 % len(WIDTHS)]
    has_by = number // 4 % 16 in (1, 6)  # twice the work
    kept = []

    def keeping(scores, *others):
        kept.append(scores)
        return render(scores, *others)

    asked = ["evaluate", path, "--true=<truth>|", "--pred=*", "--metrics=rand_score", "--format", form]
    asked += [f"--by={by}"] * has_by
    with mock.patch.object(commands, "render", keeping):
        if number // 4 % 2:
            code, out, err = run(*asked)
            width = float("inf")
            assert code == 0
            assert re.fullmatch(r"(gpuval: \S+ rows read 8, line ends inside quotes \d+; is a quote missing\?\n)?", err)
        else:
            out = "".join(f"{line}\n" for line in on_a_terminal(width, *asked))
    (scores,) = kept
    names = [name for name in columns if name != "<truth>|" and not (has_by and name == by)]
    values = sorted(set(columns[by]))
    keys = [(name, value) for name in names for value in values]
    assert list(scores) == (keys if has_by else names)
    check(form, out, list(scores), by if has_by else None, width)
    others = {name: scores[name, values[0]] for name in names} if has_by else dict(zip(keys, cycled(scores, keys)))
    sentence = f"rand_score: {names[0]} (0.500) is ahead of {names[1]} (0.4) by 0.1 [0.0, 0.2], p < 0.0001"
    if number % 2 == 0:
        form, width, is_other = SHOWN[number // 2 * 5 % len(SHOWN)]
        some, column = (others, None if has_by else by) if is_other else (scores, by if has_by else None)
        best = [sentence] if form in FORMS_FOR_PEOPLE else []
        check(form, render(some, form, Paper(width), best, column), list(some), column, width)


def cycled(scores, keys):
    return [scores[name] for name, _ in keys]


@pytest.mark.parametrize("part", range(PARTS))
def test_files_of_hostile_columns(part, tmp_path):
    for number in range(part, N_FILES, PARTS):
        check_file(number, tmp_path / f"{number}.{'parquet' if number % 20 >= 10 else 'csv'}")


@pytest.mark.parametrize("number", range(4))
def test_pages_of_hostile_columns(number, tmp_path):
    path, page = tmp_path / f"{number}.{'parquet' if number % 2 else 'csv'}", tmp_path / "report.html"
    columns, by = columns_of_file(number, path.suffix[1:])
    write(columns, path)
    asked = ["report", path, "--true=<truth>|", "--pred=*", "--metrics=rand_score", "--resamples=9", f"--by={by}"]
    code, out, err = run(*asked, f"--title={by}", "-o", page)
    assert code == 0, err
    for line in [*out.split("\n"), *err.split("\n")]:
        check_line(line, float("inf"))
    shown = Page(page.read_text(encoding="utf-8"))
    for text in shown.texts:
        check_line(text.replace("\n", ""), float("inf"))
    scores = next(table for table in shown.tables if table[1][0] == "labeling")
    assert len(scores) == 2 + len([name for name in columns if name not in ("<truth>|", by)])
