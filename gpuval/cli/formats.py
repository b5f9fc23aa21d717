"""Scores as text in one of the forms: a table, Markdown, JSON, CSV. Programs get all digits."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Container, Iterable, Sequence
from io import StringIO
from typing import Any

from gpuval.cli.requests import NO_EMPHASIS, Emphasis, Scores
from gpuval.cli.tables import are_many, as_tables, ends_of, fold_sentence, labeling_grid, measure_grid, parts_of_key
from gpuval.cli.terminal import UNLIMITED, Paper
from gpuval.display.digits import HIGHEST
from gpuval.display.text import align_columns, text_width, visible, visible_json
from gpuval.results.scores import COUNTS

FORMS_FOR_PEOPLE = ("table", "markdown")
FORMS = ("table", "json", "csv", "markdown")

_MARKS = re.compile(r"[`*~$|]|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|&(?=[#a-zA-Z])|\](?=\()|\\(?=[!-/:-@\[-`{-~])")
"""What Markdown takes for more than text: of brackets those of links and elements, of lines those beside words."""


def render(
    scores: Scores,
    form: str,
    paper: Paper,
    best: Sequence[str] = (),
    by: str | None = None,
    emphasis: Emphasis = NO_EMPHASIS,
) -> str:
    """Scores in one of the forms; for people, sentences about the best ones, too.

    ``by`` is the column whose values stand beside the names of labelings. By default the best scores are marked.
    """
    if form == "json":
        return as_json(scores)
    if form == "csv":
        return _as_csv(scores, by)
    if form == "markdown":
        return as_markdown(scores, by, paper, emphasis) + escape_markdown(sentences_below(best, "- ", paper))
    return as_tables(scores, by, paper, emphasis) + sentences_below(best, "", paper)


def as_markdown(scores: Scores, by: str | None, paper: Paper, emphasis: Emphasis = NO_EMPHASIS) -> str:
    """A row per measure; per labeling, if these are more than there is to say of each. The best scores are bold."""
    grid = labeling_grid(scores, by, paper, emphasis) if are_many(scores) else measure_grid(scores, paper, emphasis)
    grid = grid.with_marks(paper)
    rows = [
        [
            f"**{escape_markdown(cell)}**" if grid.marks.get((i, j)) == HIGHEST else escape_markdown(cell)
            for j, cell in enumerate(map(str.rstrip, row))
        ]
        for i, row in enumerate(grid.rows)
    ]
    return markdown_table(list(map(escape_markdown, grid.titles)), rows, range(grid.n_names))


def markdown_table(titles: Sequence[str], rows: Sequence[Sequence[str]], left: Container[int] = (0,)) -> str:
    """A table in Markdown of cells that are escaped; the columns ``left`` are left-aligned."""
    columns = [
        [cell for (cell,) in align_columns([[cell] for cell in column], int(place in left))]
        for place, column in enumerate(zip(titles, *rows, strict=True))
    ]
    header, *rows = zip(*columns, strict=True)
    widths = list(map(text_width, header))
    rule = ["-" * x if i in left else "-" * (x - 1) + ":" for i, x in enumerate(widths)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [header, rule, *rows])


def escape_markdown(text: str) -> str:
    """A text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\g<0>", text)


def sentences_below(sentences: Sequence[str], mark: str, paper: Paper) -> str:
    """Sentences, such as which labeling is best, in lines of their own below a table."""
    lines = [mark + paper.printable(paper.with_marks(sentence)) for sentence in sentences]
    if paper.width < UNLIMITED:
        lines = [part for line in lines for part in fold_sentence(line, paper.width)]
    return "\n" + "".join(f"{line}\n" for line in lines) if sentences else ""


# Scores for programs: JSON and CSV, with all digits.

_FORMULA = re.compile("\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20]")
"""How a text begins that spreadsheets may take for a formula, also with the wide signs of East Asia."""


def as_json(scores: Scores) -> str:
    """An object of an object per labeling, with null for what is no number.

    Of several values of --by there is an object of each of them per labeling.
    """
    numbers: dict[str, Any] = {}
    for labeling, values in scores.items():
        *outer, last = parts_of_key(labeling)
        place = numbers.setdefault(outer[0], {}) if outer else numbers
        place[last] = {name: _number(name, x) for name, x in values.items()}
    return visible_json(json.dumps(numbers, indent=2, ensure_ascii=False)) + "\n"


def _as_csv(scores: Scores, by: str | None = None) -> str:
    """A row per labeling, or per labeling and value of a column."""
    first = next(iter(scores.values()))
    columns = [f"{name}{end}" for name, x in first.items() for end in ("", *(f".{field}" for field in ends_of(x)))]
    heads = ["labeling", *([] if by is None else [by]), *columns]
    rows = [
        [*parts_of_key(labeling), *(number for name, x in values.items() for number in _with_ends(name, x))]
        for labeling, values in scores.items()
    ]
    return csv_of_rows(heads, rows)


def csv_of_rows(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows of texts and numbers as CSV: all digits, and no text that would control a terminal or be computed."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in [heads, *rows]:
        writer.writerow([_no_formula(visible(x)) if isinstance(x, str) else x for x in row])
    return text.getvalue()


def _number(name: str, x: Any) -> Any:
    if name in COUNTS or isinstance(x, str):
        return x
    if ends := ends_of(x):
        return {"score": _number(name, x.score)} | {field: _number(name, number) for field, number in ends.items()}
    return float(x) if math.isfinite(x) else None


def _with_ends(name: str, x: Any) -> list[Any]:
    """A number, and after a score with an interval the ends of that."""
    ends = ends_of(x)
    if isinstance(x, str):
        return [x]
    return [x if name in COUNTS else float(x.score if ends else x), *map(float, ends.values())]


def _no_formula(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute."""
    return f"'{text}" if _FORMULA.match(text) else text
