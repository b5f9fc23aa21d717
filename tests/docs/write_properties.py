"""Write the table of properties of the page "Which measure?": ``python tests/docs/write_properties.py``.

Its rows are those of ``MEASURES``, whose promises are tested. A test compares the page with them.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

from properties import MEASURES, Measure

PAGE = Path(__file__).parents[2] / "docs" / "which-measure.md"
BETWEEN = re.compile(r"(?<=<!-- properties: written by tests/docs/write_properties.py -->\n).*?(?=<!-- end)", re.DOTALL)

RECOMMENDED = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "clustering_accuracy",
    "normalized_clustering_accuracy",
    "pair_sets_index",
    "adjusted_wallace_score",
    "variation_of_information",
    "normalized_information_distance",
]
"""The measures that the page recommends, in its order; they come first."""

WEIGHTS = {2: "pairs, m²", 1: "samples, m", 0: "equal, 1", None: "—"}


def number(value: float) -> str:
    """A bound, as short as possible."""
    return f"{value:g}".replace("inf", "∞")


def properties(row: Measure) -> tuple[str, ...]:
    """The cells of a row, without its name."""
    weight = row.class_weight
    return (
        *("yes" if x else "no" for x in (row.adjusted, row.metric, row.symmetric)),
        WEIGHTS.get(weight, f"m^{weight:g}" if weight is not None else "—"),
        f"{number(row.low)} to {number(row.high)}",
        "—" if row.best is None else number(row.best),
    )


def options(row: Measure) -> str:
    """The options of a row as they stand in a call; without which side is given, where another option matters."""
    kept = {key: value for key, value in row.options.items() if key not in ("given", "of")} or row.options
    return f"`{', '.join(f'{key}={value!r}' for key, value in kept.items())}`" if kept else "default"


def rows_of(name: str) -> list[str]:
    """The lines of a measure: one for each combination of properties that its options give."""
    near_one = 1 + 1e-9  # an option of tests only
    rows = [row for row in MEASURES if row.name == name and row.options.get("beta") != near_one]
    by_properties: dict[tuple[str, ...], list[Measure]] = {}
    for row in rows:
        by_properties.setdefault(properties(row), []).append(row)
    lines = []
    for found, same in by_properties.items():
        link = f"{{func}}`~gpuval.{name}`"
        if len(by_properties) > 1:
            link += ", " + ", ".join(dict.fromkeys(map(options, same)))
        lines.append("| " + " | ".join((link, *found)) + " |\n")
    return lines


def table() -> str:
    """The table of all measures that are one number for two partitions."""
    names = [name for name, _ in groupby(row.name for row in MEASURES if row.of_partitions)]
    names = RECOMMENDED + [name for name in dict.fromkeys(names) if name not in RECOMMENDED]
    head = "| measure | corrected | metric | symmetric | class counts as | range | best |\n"
    return head + "| --- " * 7 + "|\n" + "".join(line for name in names for line in rows_of(name))


def between(text: str) -> str:
    """What a page has between the two marks."""
    (found,) = BETWEEN.findall(text)
    return found


if __name__ == "__main__":
    PAGE.write_text(BETWEEN.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
