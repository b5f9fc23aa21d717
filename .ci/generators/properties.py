"""The table of properties of the page "Which measure?": what is promised of each measure of two partitions."""

from __future__ import annotations

import re
from collections import ChainMap
from itertools import product
from typing import Any

from generators.measures import all_in_order
from generators.places import fill

import gpuval
from gpuval.measures.measure import Measure

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

MARKED = re.compile(r"(<!-- properties: [^\n]*\n).*(?=<!-- end of properties)", re.DOTALL)
WEIGHTS = {2: "pairs, m²", 1: "samples, m", 0: "equal, 1"}
HEAD = "| measure | corrected | metric | symmetric | class counts as | range | best |\n" + "| --- " * 7 + "|\n"


def with_properties(text: str, _: str) -> str:
    """The text of the page, with the table between two marks."""
    names = [x.name for x in all_in_order() if x.name in gpuval.METRICS and x.measure.compares_partitions]
    names.sort(key=lambda name: RECOMMENDED.index(name) if name in RECOMMENDED else len(RECOMMENDED))
    rows = "".join(row for name in names for row in rows_of(gpuval.METRICS[name].measure))
    return fill(MARKED, text, HEAD + rows)


def rows_of(measure: Measure) -> list[str]:
    """The rows of a measure: one for each combination of properties that its options give."""
    calls: dict[tuple[str, ...], list[str]] = {}
    for options in combinations(measure):
        calls.setdefault(properties(measure, options), []).append(call(options))
    link = f"{{func}}`~gpuval.{measure.name}`"
    firsts = [", ".join([link, *dict.fromkeys(own)]) if len(calls) > 1 else link for own in calls.values()]
    return [f"| {' | '.join((first, *cells))} |\n" for first, cells in zip(firsts, calls, strict=True)]


def combinations(measure: Measure) -> list[dict[str, Any]]:
    """All combinations of the options that change a property, each with one of its values or without: {} first."""
    choices = []
    for name, values in measure.tried.items():
        own = [{name: value} for value in values]
        if any(properties(measure, options) != properties(measure, {}) for options in own):
            choices.append([{}, *own])
    return [dict(ChainMap(*options)) for options in product(*choices)]


def call(options: dict[str, Any]) -> str:
    """Options as they stand in a call, without digits that only tests need."""
    texts = {name: f"{value:g}" if isinstance(value, float) else repr(value) for name, value in options.items()}
    return f"`{', '.join(f'{name}={text}' for name, text in texts.items())}`" if texts else "default"


def properties(measure: Measure, options: dict[str, Any]) -> tuple[str, ...]:
    """The cells of a row after the first."""
    facts = measure.with_options(options)
    low, high = facts.range
    weight = None if facts.class_weight is None else round(facts.class_weight, 6)
    return (
        *("yes" if x else "no" for x in (facts.adjusted, facts.is_metric, facts.exchanged == "same")),
        "—" if weight is None else WEIGHTS.get(weight, f"m^{weight:g}"),
        f"{number(low)} to {number(high)}",
        {"higher": number(high), "lower": number(low), "": "—"}[facts.better],
    )


def number(value: float) -> str:
    """A bound, as short as possible."""
    return f"{value:g}".replace("inf", "∞")
