"""Scores as a table, JSON, CSV or Markdown, and text that is safe to show on a terminal."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import click

Scores = Mapping[str, Mapping[str, float]]
"""What there is to say of every labeling: labeling -> count or metric -> number."""

COUNTS = ("n_classes", "n_clusters", "n_samples", "n_dropped")
"""What is said of a labeling before its scores: whole numbers, of the samples that are not dropped."""

_UNLIMITED = 1 << 20
"""The width of what is no terminal."""

_STEERING = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_HIDDEN = re.compile(f"[\x00-\x1f{_STEERING}]")
"""Letters that steer a terminal, end lines, or turn the direction of writing; and halves of letters."""

_HIDDEN_IN_JSON = re.compile(f"[{_STEERING}]")
"""The same but for what JSON itself escapes."""

_FORMULA = ("=", "+", "-", "@")
"""How a text begins that spreadsheets take for a formula."""

_NO_DIRECTION = {
    "beta_entropy",
    "beta_joint_entropy",
    "entropy",
    "expected_mutual_info",
    "gini_index",
    "joint_entropy",
    "mcnemar_index",
}
_LOWER = {
    "beta_conditional_entropy",
    "conditional_entropy",
    "normalized_variation_of_information",
    "variation_of_information",
}


def better(metric: str) -> str:
    """Say which scores of a measure are the better ones: "higher", "lower", or "" where none are."""
    if metric in _NO_DIRECTION or metric in COUNTS:
        return ""
    return "lower" if metric in _LOWER or metric.endswith("_distance") else "higher"


def visible(text: str) -> str:
    r"""Write what would steer a terminal as an escape, such as ``\x1b``."""
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def width_of(stream: Any) -> int:
    """Count the columns of a terminal; as many as needed for what is none."""
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else _UNLIMITED


def write(scores: Scores, form: str) -> None:
    """Write scores on standard output in one of the forms."""
    {
        "table": write_table,
        "json": write_json,
        "csv": write_csv,
        "markdown": write_markdown,
    }[form](scores)


def write_json(scores: Scores) -> None:
    """Write an object of an object per labeling, with all digits, and null for what is no number."""
    numbers = {labeling: {name: _number(name, x) for name, x in values.items()} for labeling, values in scores.items()}
    text = json.dumps(numbers, indent=2, ensure_ascii=False)
    click.echo(_HIDDEN_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def write_csv(scores: Scores) -> None:
    """Write a row per labeling, with all digits."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["labeling", *_lines_of(scores)])
    writer.writerows(
        [_no_formula(visible(labeling)), *(x if name in COUNTS else float(x) for name, x in values.items())]
        for labeling, values in scores.items()
    )
    click.echo(text.getvalue(), nl=False)


def write_markdown(scores: Scores) -> None:
    """Write a column per labeling, for people."""
    header = ["metric", "better", *(visible(name).replace("|", "\\|") for name in scores)]
    rows = _rows(scores)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * width for width in widths[:2]] + ["-" * (width - 1) + ":" for width in widths[2:]]
    for first, second, *numbers in [header, rule, *rows]:
        cells = [x.rjust(width) for x, width in zip(numbers, widths[2:], strict=True)]
        click.echo(f"| {' | '.join([first.ljust(widths[0]), second.ljust(widths[1]), *cells])} |")


def write_table(scores: Scores) -> None:
    """Write a column per labeling, in as many tables as it takes on a narrow terminal."""
    from rich.console import Console

    console = Console(width=width_of(sys.stdout), markup=False, emoji=False, highlight=False)
    rest = list(scores)
    while rest:
        fitting = (count for count in range(len(rest), 0, -1) if _fits(_part(scores, rest[:count]), console))
        count = next(fitting, 1)
        part = _part(scores, rest[:count])
        with console.capture() as capture:
            console.print(_table(part, has_directions=_fits(part, console)))
        rest = rest[count:]
        click.echo(capture.get(), nl=bool(rest))


def _part(scores: Scores, names: Sequence[str]) -> Scores:
    return {name: scores[name] for name in names}


def _fits(scores: Scores, console: Any) -> bool:
    from rich.measure import Measurement

    options = console.options.update(max_width=_UNLIMITED)
    return bool(Measurement.get(console, options, _table(scores)).maximum <= console.width)


def _number(name: str, x: float) -> float | None:
    if name in COUNTS:
        return x
    return float(x) if math.isfinite(x) else None


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
        table.add_column(visible(labeling), justify="right", overflow="fold")
    for name, direction, *numbers in _rows(scores):
        table.add_row(name, *[direction] * has_directions, *numbers)
    return table


def _lines_of(scores: Scores) -> list[str]:
    return list(next(iter(scores.values())))


def _rows(scores: Scores) -> list[list[str]]:
    """Write a row per metric for people: its name, what is better, and the number of every labeling."""
    return [
        [name, better(name), *(shown(name, values[name]) for values in scores.values())] for name in _lines_of(scores)
    ]


def shown(name: str, x: float) -> str:
    """Write six decimals, aligned in a column; a power of ten where these would show nothing."""
    if name in COUNTS:
        return str(x)
    is_plain = x == 0 or not math.isfinite(x) or 1e-4 <= abs(x) < 1e6
    return f"{x + 0.0:.6f}" if is_plain else f"{x:.5e}"
