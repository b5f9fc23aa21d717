"""The findings of a report as sentences, with the names of labels, measures and shares."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gpuval.display.tables import short_label
from gpuval.inputs.labels import name_of_labels
from gpuval.registry.families import measure_named
from gpuval.reporting.findings import Scores, names_of_best
from gpuval.reporting.overlaps import Cause, Part
from gpuval.results.inferences import BestLabeling
from gpuval.results.scores import plain, short_number
from gpuval.results.texts import common_direction

_MOST = 4
"""How many labelings or measures a sentence names; of the others it gives the number."""


def about_best(scores: Scores, measure: Any, best: Any, truth: str | None, ahead: BestLabeling | None) -> str:
    """Which labeling is best by a measure, with its score, and how far it is ahead of the next one.

    ``truth`` is the name of the true labels, for a measure of agreement. If no direction or no score is known, none is
    best.
    """
    name, tied = measure_text(measure), names_of_best(scores).get(measure, [])
    if len(scores) == 1:
        verb = f"agrees with {quote_label(truth)}" if truth is not None and tied else "is evaluated"
        return f"{name_text(best)} {verb}: {name} {scores[best].scores[measure].whole}."
    if not common_direction(measure, scores.values()):
        return f"No labeling is called the best: it is not known whether higher or lower values of {name} are better."
    if not tied:
        return f"No labeling is called the best: none has a score by {name}."
    verb = f"agrees best with {quote_label(truth)}" if truth is not None else "is best"
    said = f"{name_text(best)} {verb}: {name} {scores[best].scores[measure].whole}"
    if ahead is not None:
        return f"{said}; {_ahead(ahead)}."
    others = [name_text(x) for x in tied if x not in [best]]
    return f"{said}; {_some(others)} {'is' if len(others) == 1 else 'are'} as good." if others else f"{said}."


def _ahead(best: BestLabeling) -> str:
    following, x = name_text(best.next), best.difference
    assert x is not None
    distance, low, high = (float(plain(number)) for number in (x.difference, x.low, x.high))
    if math.isnan(distance):
        return f"it is not known whether it is ahead of {following}"
    if distance == 0:
        return f"{following} is as good"
    if not best.is_ahead:
        return f"the difference to {following} is within noise"
    if best.direction == "lower":
        distance, low, high = -distance, -high, -low
    return f"it is ahead of {following} by {short_number(distance)} [{short_number(low)}, {short_number(high)}]"


def about_others(scores: Scores, others: Collection[Any], best: Any, by: str) -> str | None:
    """Which labelings are best by other measures; None if there are no such measures or no other labelings."""
    found = {name: names for name, names in names_of_best(scores).items() if name in others and names}
    if len(scores) < 2 or not found:
        return None
    if all(best in names for names in found.values()):
        return f"{name_text(best)} is also the best by {by} ({_some(list(map(measure_text, found)), ', ')})."
    chosen: dict[Any, list[Any]] = {}
    for name, names in found.items():
        chosen.setdefault(best if best in names else names[0], []).append(name)
    in_order = sorted(chosen.items(), key=lambda item: -len(item[1]))
    said = [f"{name_text(x)} ({_some(list(map(measure_text, measures)), ', ')})" for x, measures in in_order]
    return f"By {by}, the best {'is' if len(said) == 1 else 'are'} {_some(said)}."


def _some(texts: Sequence[str], separator: str | None = None) -> str:
    """Some texts as an enumeration; of many, the first ones and the number of the others.

    The last one is preceded by "and", unless a separator is given.
    """
    shown = texts if len(texts) <= _MOST + 1 else texts[:_MOST]
    all_of = [*shown, *[f"{len(texts) - len(shown)} more"] * (len(shown) < len(texts))]
    return join_texts(all_of) if separator is None else separator.join(all_of)


def about_causes(labeling: Any, causes: Sequence[Cause], most: int) -> Iterator[str]:
    """What causes the disagreement between a labeling and the classes: the ``most`` largest causes."""
    if not causes:
        yield f"{name_text(labeling)} is the same partition as the classes."
        return
    first, *others = causes[:most]
    amount = "Most of the disagreement" if first.share > 0.5 else "The largest part of the disagreement"
    of = f"{share_text(first.share)} of the pairs of samples that disagree"
    yield f"{amount} between {name_text(labeling)} and the classes ({of}): {_cause(first)}."
    for cause in others:
        yield f"Next ({share_text(cause.share)}): {_cause(cause)}."


def _cause(cause: Cause) -> str:
    parts = parts_text(cause.parts[:3], cause.n_parts)
    if cause.kind == "merged":
        return f"cluster {quote_label(cause.label)} merges the classes {parts}"
    how = "in two, the" if cause.n_parts == 2 else "into the"
    return f"class {quote_label(cause.label)} is split {how} clusters {parts}"


def about_parts(labeling: Any, by: str, measure: Any, scores: Mapping[Any, float]) -> str | None:
    """How the scores of a labeling differ between the values of ``by``; None if fewer than two are known."""
    known = {value: x for value, x in scores.items() if not math.isnan(x)}
    if len(known) < 2:
        return None
    low, high = min(known, key=lambda x: known[x]), max(known, key=lambda x: known[x])
    subject = f"For the {len(known)} values of {quote_label(by)}, the {measure_text(measure)} of {name_text(labeling)}"
    if short_number(known[low]) == short_number(known[high]):
        return f"{subject} is the same, {short_number(known[low])}."
    ends = " to ".join(f"{short_number(known[x])} ({quote_label(x)})" for x in (low, high))
    return f"{subject} ranges from {ends}."


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


def measure_text(name: Any) -> str:
    """A measure in a sentence."""
    measure = measure_named(name) if isinstance(name, str) else None
    if measure is not None and measure.title:
        return measure.title
    return name_text(str(name).removesuffix("_score").replace("_", " "))


def share_text(share: float) -> str:
    """A share in percent."""
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{min(share, 0.99) if share < 1 else share:.0%}".replace("%", " %")


def parts_text(parts: Sequence[Part], n_parts: int) -> str:
    """Labels with their shares, and the number of the others among all ``n_parts``."""
    said = [f"{quote_label(x.label)} ({share_text(x.share)})" for x in parts]
    more = n_parts - len(parts)
    return join_texts([*said, f"{more} more"] if more > 0 else said)


def join_texts(texts: Iterable[str]) -> str:
    """Texts with commas between them, and "and" before the last."""
    *before, last = texts
    return f"{', '.join(before)} and {last}" if before else last


def count_text(number: float) -> str:
    """A count, or what samples weigh, with commas between thousands."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if number < 9999.5 else f"{number:,.0f}"
