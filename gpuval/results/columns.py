"""Columns of scores in terminals, notebooks and reports: their heads, their groups, and how many decimals they have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import MOST_DECIMALS, decimals, is_bounded, score_text
from gpuval.display.text import readable_name, shorten_middle, visible
from gpuval.measures.measure import ARROW, Measure
from gpuval.registry.families import measure_named

WIDEST_HEAD = 12
"""Of a function of a user, whose name is shortened inside."""

COMPARED, TRADE_OFF, OTHERS, INTERNAL = (
    "What counts the same",
    "Trade-off, never ranked",
    "Other agreement",
    "Without labels",
)
"""What groups of columns are called: measures by which a verdict is given, halves of pairs such as homogeneity and
completeness, and others with and without true labels."""


class Column(NamedTuple):
    """The scores of one measure, and the ends of their intervals; NaN where there is none."""

    scores: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    measure: Measure | None
    """None for a function of a user."""


def measure_of_key(key: Any) -> Measure | None:
    """What is declared of the measure that has this full or short name; None for other names."""
    return measure_named(key) if isinstance(key, str) else None


def is_internal(measure: Measure | None) -> bool:
    """Whether a measure is of samples, and not of true labels."""
    return measure is not None and not measure.family.of_two


def is_one_sided(measure: Measure | None) -> bool:
    """Whether a measure goes up or down with the number of clusters: none is the best by it."""
    return measure is not None and measure.is_one_sided


def head_of_column(key: Any, measure: Measure | None) -> str:
    """A short name, or that which a user gave the measure, with an arrow where lower scores are better."""
    if measure is not None and measure is measure_of_key(key):
        return measure.short_head
    is_lower = measure is not None and measure.better == "lower"
    return shorten_middle(visible(readable_name(key)), WIDEST_HEAD) + f" {ARROW}" * is_lower


def decimals_of_columns(columns: Mapping[Any, Column]) -> dict[Any, int]:
    """How many decimals the scores of each measure have: those from -1 to 1 as many as each other.

    Where the two best scores of a column would read the same, it has more, at most 4, unless none is the best by it.
    """
    shared = [x for x in columns.values() if _is_bounded(x)]
    n_shared = decimals(*(list(_chained(x[place] for x in shared)) for place in range(3)))
    found = {}
    for key, x in columns.items():
        if _is_bounded(x):
            found[key] = n_shared if is_one_sided(x.measure) else _that_tell_best(x, n_shared)
        else:
            found[key] = decimals(x.scores)
    return found


def _chained(parts: Any) -> list[float]:
    return [number for part in parts for number in part]


def _is_bounded(column: Column) -> bool:
    if column.measure is None or column.measure.range[1] > 1:
        return is_bounded(column.scores) and column.measure is None
    return not any(abs(x) > 1 for x in column.scores if math.isfinite(x))


def _that_tell_best(column: Column, n_decimals: int) -> int:
    better = "" if column.measure is None else column.measure.better
    two = sorted({x for x in column.scores if math.isfinite(x)}, reverse=better == "higher")[:2]
    while better and len(two) == 2 and n_decimals < MOST_DECIMALS:
        if score_text(two[0], n_decimals) != score_text(two[1], n_decimals):
            break
        n_decimals += 1
    return n_decimals


def group_of_column(key: Any, measure: Measure | None, voices: Sequence[Any]) -> str:
    """To which group of columns a measure belongs, of a comparison by some voices."""
    if key in voices:
        return COMPARED
    return TRADE_OFF if is_one_sided(measure) else INTERNAL if is_internal(measure) else OTHERS
