"""Scores on standard output, with their intervals if there are any: a table, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Sequence
from io import StringIO
from typing import Any

import click

from gpuval.display.safe_text import visible, visible_json
from gpuval.display.text_tables import aligned
from gpuval.report.cli.scoring import COUNTS, Scores
from gpuval.report.cli.terminal import UNLIMITED, terminal_width
from gpuval.report.results.directions import better

_FORMULA = ("=", "+", "-", "@")
"""How a text begins that spreadsheets take for a formula."""


def write(scores: Scores, form: str, best: Sequence[str] = (), by: str | None = None) -> None:
    """Write scores on standard output in one of the forms; for people, sentences about the best ones, too.

    ``by`` is the column whose values stand beside the names of labelings.
    """
    if form == "json":
        write_json(scores)
    elif form == "csv":
        write_csv(scores, by)
    else:
        {"table": write_table, "markdown": write_markdown}[form](scores)
        write_best(best, "- " if form == "markdown" else "")


def write_best(sentences: Sequence[str], mark: str) -> None:
    """Write which labeling is best, a line for each metric."""
    if sentences:
        click.echo()
    for sentence in sentences:
        click.echo(f"{mark}{visible(sentence)}")


def write_json(scores: Scores) -> None:
    """Write an object of an object per labeling, with all digits, and null for what is no number.

    Of several values of --by there is an object of each of them per labeling.
    """
    numbers: dict[str, Any] = {}
    for labeling, values in scores.items():
        *outer, last = labeling if isinstance(labeling, tuple) else (labeling,)
        place = numbers.setdefault(outer[0], {}) if outer else numbers
        place[last] = {name: _number(name, x) for name, x in values.items()}
    click.echo(visible_json(json.dumps(numbers, indent=2, ensure_ascii=False)))


def write_csv(scores: Scores, by: str | None = None) -> None:
    """Write a row per labeling, or per labeling and value of a column, with all digits."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    first = next(iter(scores.values()))
    columns = [f"{name}{end}" for name, x in first.items() for end in ("", *(f".{field}" for field in _ends(x)))]
    writer.writerow(["labeling", *([] if by is None else [_no_formula(visible(by))]), *columns])
    for labeling, values in scores.items():
        names = labeling if isinstance(labeling, tuple) else (labeling,)
        numbers = [number for name, x in values.items() for number in _with_ends(name, x)]
        writer.writerow([*(_no_formula(visible(name)) for name in names), *numbers])
    click.echo(text.getvalue(), nl=False)


def write_markdown(scores: Scores) -> None:
    """Write a column per labeling, for people."""
    titles = ["metric", "better", *(_title(name).replace("|", "\\|") for name in scores)]
    header, *rows = aligned([titles, *_rows(scores)], 2)
    first, second, *numbers = (len(cell) for cell in header)
    rule = ["-" * first, "-" * second, *("-" * (width - 1) + ":" for width in numbers)]
    for cells in [header, rule, *rows]:
        click.echo(f"| {' | '.join(cells)} |")


def write_table(scores: Scores) -> None:
    """Write a column per labeling, in as many tables as it takes on a narrow terminal."""
    from rich.console import Console

    console = Console(width=terminal_width(sys.stdout), markup=False, emoji=False, highlight=False)
    rest = list(scores)
    while rest:
        count = _how_many_fit(scores, rest, console)
        part = _part(scores, rest[:count])
        with console.capture() as capture:
            console.print(_table(part, has_directions=_fits(part, console)))
        rest = rest[count:]
        click.echo(capture.get(), nl=bool(rest))


def _how_many_fit(scores: Scores, names: Sequence[str], console: Any) -> int:
    """How many labelings, from the first on, one table has room for: one at least. It gets wider with each."""
    if _fits(_part(scores, names), console):
        return len(names)
    count = 1
    while _fits(_part(scores, names[: count + 1]), console):
        count += 1
    return count


def _part(scores: Scores, names: Sequence[str]) -> Scores:
    """The scores of some labelings."""
    return {name: scores[name] for name in names}


def _fits(scores: Scores, console: Any) -> bool:
    """Whether the table is no wider than the terminal."""
    from rich.measure import Measurement

    options = console.options.update(max_width=UNLIMITED)
    return bool(Measurement.get(console, options, _table(scores)).maximum <= console.width)


def _title(labeling: str | tuple[str, str]) -> str:
    """The name of a labeling, and the value of --by that its scores are of."""
    return visible(labeling if isinstance(labeling, str) else ", ".join(labeling))


def _number(name: str, x: Any) -> Any:
    if name in COUNTS:
        return x
    if ends := _ends(x):
        return {"score": _number(name, x.score)} | {field: _number(name, number) for field, number in ends.items()}
    return float(x) if math.isfinite(x) else None


def _with_ends(name: str, x: Any) -> list[Any]:
    """A number, and after a score with an interval the ends of that."""
    ends = _ends(x)
    return [x if name in COUNTS else float(x.score if ends else x), *map(float, ends.values())]


def _ends(x: Any) -> dict[str, Any]:
    """The ends of the interval of a score; nothing of a score, or a count, without one."""
    return {"low": x.low, "high": x.high} if hasattr(x, "low") else {}


def _no_formula(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _table(scores: Scores, *, has_directions: bool = True) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("metric", overflow="fold")
    if has_directions:
        table.add_column("better")
    for labeling in scores:
        table.add_column(_title(labeling), justify="right", overflow="fold")
    for name, direction, *numbers in _rows(scores):
        table.add_row(name, *[direction] * has_directions, *numbers)
    return table


def _names_of(scores: Scores) -> list[str]:
    """The counts and the metrics that every labeling has."""
    return list(next(iter(scores.values())))


def _rows(scores: Scores) -> list[list[str]]:
    """A row for people per count and metric: its name, what is better, and the number of every labeling."""
    return [
        [
            name,
            "" if name in COUNTS else better(name),
            *(formatted(name, values[name]) for values in scores.values()),
        ]
        for name in _names_of(scores)
    ]


def formatted(name: str, x: Any) -> str:
    """Six decimals, which are aligned in a column; a power of ten for a number that they would not show.

    A score with an interval is written with three, as the library does.
    """
    if name in COUNTS or _ends(x):
        return str(x)
    is_plain = x == 0 or not math.isfinite(x) or 1e-4 <= abs(x) < 1e6
    return f"{x + 0.0:.6f}" if is_plain else f"{x:.5e}"
