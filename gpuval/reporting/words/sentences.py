"""What was found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gpuval.evaluation.inference.beside_scores.best_labeling import BestLabeling
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.evaluation.results.shown_scores import shown_direction
from gpuval.reporting.found.overlaps import Cause
from gpuval.reporting.found.ranked import Scores, names_of_best
from gpuval.reporting.words.names import enumerated, measure_text, name_text, parts_text, quoted, share_text

_MOST = 4
"""Labelings, or measures of one, that are named in a sentence; of more, how many there are."""


def about_best(scores: Scores, measure: Any, best: Any, truth: str | None, ahead: BestLabeling | None) -> str:
    """Which labeling is best by a measure, by which score, and how far it is ahead of the next one.

    ``truth`` is what it agrees with, for a measure of agreement. Where no direction or no score is known, none is best.
    """
    name, tied = measure_text(measure), names_of_best(scores).get(measure, [])
    if len(scores) == 1:
        verb = f"agrees with {quoted(truth)}" if truth is not None and tied else "is evaluated"
        return f"{name_text(best)} {verb}: {name} {scores[best].scores[measure].whole}."
    if not shown_direction(measure):
        return f"No labeling is called the best: whether higher or lower is better is not known of {name}."
    if not tied:
        return f"No labeling is called the best: none has a score by {name}."
    verb = f"agrees best with {quoted(truth)}" if truth is not None else "is best"
    said = f"{name_text(best)} {verb}: {name} {scores[best].scores[measure].whole}"
    if ahead is not None:
        return f"{said}; {_ahead(ahead)}."
    others = [name_text(x) for x in tied if x != best]
    return f"{said}; {_some(others)} {'is' if len(others) == 1 else 'are'} as good." if others else f"{said}."


def _ahead(best: BestLabeling) -> str:
    following, x = name_text(best.next), best.difference
    distance, low, high = (float(plain(number)) for number in (x.difference, x.low, x.high))
    if math.isnan(distance):
        return f"whether it is ahead of {following} is not known"
    if distance == 0:
        return f"{following} is as good"
    if not best.is_ahead:
        return f"the difference to {following} is within noise"
    if best.direction == "lower":
        distance, low, high = -distance, -high, -low
    return f"it is ahead of {following} by {rounded(distance)} [{rounded(low)}, {rounded(high)}]"


def about_others(scores: Scores, others: Collection[Any], best: Any, by: str) -> str | None:
    """Which labelings these other measures find best; None if there are none, or no other labelings."""
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
    return f"By {by} the best {'is' if len(said) == 1 else 'are'} {_some(said)}."


def _some(texts: Sequence[str], separator: str | None = None) -> str:
    """Texts, the first of many and how many more there are: with "and" before the last, or with separators alone."""
    shown = texts if len(texts) <= _MOST + 1 else texts[:_MOST]
    all_of = [*shown, *[f"{len(texts) - len(shown)} more"] * (len(shown) < len(texts))]
    return enumerated(all_of) if separator is None else separator.join(all_of)


def about_causes(labeling: Any, causes: Sequence[Cause], most: int) -> Iterator[str]:
    """Where most of the disagreement between a labeling and the classes comes from: its ``most`` largest causes."""
    if not causes:
        yield f"{name_text(labeling)} is the same partition as the classes."
        return
    first, *others = causes[:most]
    amount = "Most of the disagreement" if first.share > 0.5 else "The largest part of the disagreement"
    yield f"{amount} of {name_text(labeling)} ({share_text(first.share)} of the pairs that disagree): {_cause(first)}."
    for cause in others:
        yield f"Next ({share_text(cause.share)}): {_cause(cause)}."


def _cause(cause: Cause) -> str:
    parts = parts_text(cause.parts[:3], cause.n_parts)
    if cause.kind == "merged":
        return f"cluster {quoted(cause.label)} merges the classes {parts}"
    how = "in two, the" if cause.n_parts == 2 else "into the"
    return f"class {quoted(cause.label)} is split {how} clusters {parts}"


def about_parts(labeling: Any, by: str, measure: Any, scores: Mapping[Any, float]) -> str | None:
    """How different the scores of a labeling are for the values of ``by``; None where fewer than two are known."""
    known = {value: x for value, x in scores.items() if not math.isnan(x)}
    if len(known) < 2:
        return None
    low, high = min(known, key=lambda x: known[x]), max(known, key=lambda x: known[x])
    subject = f"For the {len(known)} values of {quoted(by)} the {measure_text(measure)} of {name_text(labeling)}"
    if rounded(known[low]) == rounded(known[high]):
        return f"{subject} is the same, {rounded(known[low])}."
    ends = " to ".join(f"{rounded(known[x])} ({quoted(x)})" for x in (low, high))
    return f"{subject} goes from {ends}."
