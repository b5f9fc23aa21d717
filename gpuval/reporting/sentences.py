"""The findings of a report as sentences, with the names of labels, measures and shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gpuval.display.digits import share_text
from gpuval.display.tables import short_label
from gpuval.display.text import join_texts
from gpuval.inputs.labels import name_of_labels
from gpuval.measures.measure import Measure
from gpuval.reporting.overlaps import Cause, Part


def about_causes(labeling: Any, causes: Sequence[Cause], most: int, units: str) -> Iterator[str]:
    """What causes the disagreement between a labeling and the classes: the ``most`` largest causes."""
    if not causes:
        yield f"{name_text(labeling)} is the same partition as the classes."
        return
    first, *others = causes[:most]
    amount = "Most of the disagreement" if first.share > 0.5 else "The largest part of the disagreement"
    of = f"{share_text(first.share)} of the pairs of {units} that disagree"
    yield f"{amount} between {name_text(labeling)} and the classes ({of}): {_cause(first)}."
    for cause in others:
        yield f"Next ({share_text(cause.share)}): {_cause(cause)}."


def _cause(cause: Cause) -> str:
    parts = parts_text(cause.parts[:3], cause.n_parts)
    if cause.kind == "merged":
        return f"cluster {quote_label(cause.label)} merges the classes {parts}"
    how = "in two, the" if cause.n_parts == 2 else "into the"
    return f"class {quote_label(cause.label)} is split {how} clusters {parts}"


# The names of labels, measures and shares in a report.

_WIDEST = 60
"""The largest width of a name in a table or a sentence."""


def name_text(label: Any) -> str:
    """A label or a name in one line, shortened if it is long; in quotes if it would be invisible."""
    return short_label(label, _WIDEST)


def quote_label(label: Any) -> str:
    """The name of a label in the quotation marks of a sentence."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name_text(label)}\N{RIGHT DOUBLE QUOTATION MARK}"


def name_of_series(labels: Any, otherwise: str) -> Any:
    """The name of a Series, if the labels are one that has a name."""
    name = name_of_labels(labels)
    return otherwise if name is None else name


def measure_text(name: Any, measure: Measure | None) -> str:
    """A measure in a sentence; the name of a function of a user is its key."""
    return name_text(name) if measure is None else measure.sentence_name


def parts_text(parts: Sequence[Part], n_parts: int) -> str:
    """Labels with their shares, and the number of the others among all ``n_parts``."""
    said = [f"{quote_label(x.label)} ({share_text(x.share)})" for x in parts]
    more = n_parts - len(parts)
    return join_texts([*said, f"{more} more"] if more > 0 else said)
