"""Scores as text in one of the forms: a table, Markdown, JSON, CSV."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpuval.cli.output.folding import folded_sentence
from gpuval.cli.output.for_programs import as_csv, as_json
from gpuval.cli.output.grids import are_many, per_labeling, per_measure
from gpuval.cli.output.tables import as_tables
from gpuval.cli.scoring.scored import Scores
from gpuval.cli.terminal import UNLIMITED, Paper
from gpuval.display.safe_text import text_width
from gpuval.display.text_tables import aligned

FORMS_FOR_PEOPLE = ("table", "markdown")
FORMS = ("table", "json", "csv", "markdown")

_MARKS = re.compile(r"[`*~$|]|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|&(?=[#a-zA-Z])|\](?=\()|\\(?=[!-/:-@\[-`{-~])")
"""What Markdown takes for more than text: of brackets those of links and elements, of lines those beside words."""


def rendered(scores: Scores, form: str, paper: Paper, best: Sequence[str] = (), by: str | None = None) -> str:
    """Scores in one of the forms; for people, sentences about the best ones, too.

    ``by`` is the column whose values stand beside the names of labelings.
    """
    if form == "json":
        return as_json(scores)
    if form == "csv":
        return as_csv(scores, by)
    if form == "markdown":
        return as_markdown(scores, by, paper) + _in_markdown(_sentences(best, "- ", paper))
    return as_tables(scores, by, paper) + _sentences(best, "", paper)


def as_markdown(scores: Scores, by: str | None, paper: Paper) -> str:
    """A row per measure; per labeling, if these are more than there is to say of each. The best scores are bold."""
    grid = per_labeling(scores, by, paper) if are_many(scores) else per_measure(scores, paper)
    rows = [
        [f"**{_in_markdown(cell)}**" if (i, j) in grid.best else _in_markdown(cell) for j, cell in enumerate(row)]
        for i, row in enumerate(grid.rows)
    ]
    header, *rows = aligned([list(map(_in_markdown, grid.titles)), *rows], grid.n_names)
    widths = list(map(text_width, header))
    rule = ["-" * x if i < grid.n_names else "-" * (x - 1) + ":" for i, x in enumerate(widths)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [header, rule, *rows])


def _in_markdown(text: str) -> str:
    """A text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\g<0>", text)


def _sentences(sentences: Sequence[str], mark: str, paper: Paper) -> str:
    """Which labeling is best, a line for each metric."""
    lines = [mark + paper.written(sentence) for sentence in sentences]
    if paper.width < UNLIMITED:
        lines = [part for line in lines for part in folded_sentence(line, paper.width)]
    return "\n" + "".join(f"{line}\n" for line in lines) if sentences else ""
