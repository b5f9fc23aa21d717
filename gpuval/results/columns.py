"""Columns of scores in terminals, notebooks and reports: their heads, their groups, and how many decimals they have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import MOST_DECIMALS, decimals, is_bounded, score_text
from gpuval.display.text import readable_name, shorten_middle
from gpuval.measures.measure import ARROW, Direction, Measure
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
    direction: Direction


def measure_of_key(key: Any) -> Measure | None:
    """What is declared of the measure of a name; None for functions of users, and names that they give."""
    return measure_named(key) if isinstance(key, str) else None


def is_internal(key: Any) -> bool:
    """Whether the measure of a name is of samples, and not of true labels."""
    measure = measure_of_key(key)
    return measure is not None and not measure.family.of_two


def is_one_sided(key: Any) -> bool:
    """Whether the measure of a name goes up or down with the number of clusters: none is the best by it."""
    measure = measure_of_key(key)
    return measure is not None and measure.is_one_sided


def head_of_column(key: Any, direction: Direction) -> str:
    """A short name, with an arrow where lower scores are better."""
    measure = measure_of_key(key)
    if measure is not None:
        return measure.short_head
    return shorten_middle(readable_name(key), WIDEST_HEAD) + f" {ARROW}" * (direction == "lower")


def decimals_of_columns(columns: Mapping[Any, Column]) -> dict[Any, int]:
    """How many decimals the scores of each measure have: those from -1 to 1 as many as each other.

    Where the two best scores of a column would read the same, it has more, at most 4, unless none is the best by it.
    """
    shared = [x for key, x in columns.items() if _is_bounded(key, x)]
    n_shared = decimals(*(list(_chained(x[place] for x in shared)) for place in range(3)))
    found = {}
    for key, x in columns.items():
        if _is_bounded(key, x):
            found[key] = n_shared if is_one_sided(key) else _that_tell_best(x, n_shared)
        else:
            found[key] = decimals(x.scores)
    return found


def _chained(parts: Any) -> list[float]:
    return [number for part in parts for number in part]


def _is_bounded(key: Any, column: Column) -> bool:
    measure = measure_of_key(key)
    return is_bounded(column.scores) and (measure is None or measure.range[1] < math.inf)


def _that_tell_best(column: Column, n_decimals: int) -> int:
    two = sorted({x for x in column.scores if math.isfinite(x)}, reverse=column.direction == "higher")[:2]
    while column.direction and len(two) == 2 and n_decimals < MOST_DECIMALS:
        if score_text(two[0], n_decimals) != score_text(two[1], n_decimals):
            break
        n_decimals += 1
    return n_decimals


def group_of_column(key: Any, voices: Sequence[Any]) -> str:
    """To which group of columns a measure belongs, of a comparison by some voices."""
    if key in voices:
        return COMPARED
    return TRADE_OFF if is_one_sided(key) else INTERNAL if is_internal(key) else OTHERS
