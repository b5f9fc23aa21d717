"""Scores for programs: JSON and CSV, with all digits."""

from __future__ import annotations

import csv
import json
import math
import re
from io import StringIO
from typing import Any

from gpuval.cli.output.numbers import ends_of, parts_of_key
from gpuval.cli.scoring.scored import Scores
from gpuval.display.safe_text import visible, visible_json
from gpuval.evaluation.results.counts import COUNTS

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


def as_csv(scores: Scores, by: str | None = None) -> str:
    """A row per labeling, or per labeling and value of a column."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    first = next(iter(scores.values()))
    columns = [f"{name}{end}" for name, x in first.items() for end in ("", *(f".{field}" for field in ends_of(x)))]
    writer.writerow(["labeling", *([] if by is None else [_no_formula(visible(by))]), *columns])
    for labeling, values in scores.items():
        numbers = [number for name, x in values.items() for number in _with_ends(name, x)]
        writer.writerow([*(_no_formula(visible(name)) for name in parts_of_key(labeling)), *numbers])
    return text.getvalue()


def _number(name: str, x: Any) -> Any:
    if name in COUNTS:
        return x
    if ends := ends_of(x):
        return {"score": _number(name, x.score)} | {field: _number(name, number) for field, number in ends.items()}
    return float(x) if math.isfinite(x) else None


def _with_ends(name: str, x: Any) -> list[Any]:
    """A number, and after a score with an interval the ends of that."""
    ends = ends_of(x)
    return [x if name in COUNTS else float(x.score if ends else x), *map(float, ends.values())]


def _no_formula(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute."""
    return f"'{text}" if _FORMULA.match(text) else text
