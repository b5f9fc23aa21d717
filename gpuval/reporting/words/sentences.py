"""What was found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gpuval.evaluation.inference.beside_scores.best_labeling import BestLabeling
from gpuval.evaluation.results.evaluations import Comparison
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.evaluation.results.shown_scores import ShownEvaluation
from gpuval.reporting.found.overlaps import Cause
from gpuval.reporting.found.ranked import places_of_best
from gpuval.reporting.words.names import enumerated, measure_text, name_text, parts_text, quoted, share_text

_MOST_MEASURES = 4
"""Of those that name another labeling, so many are told."""


def about_best(
    scores: Mapping[Any, ShownEvaluation], comparison: Comparison, measure: Any, best: Any, truth: str | None
) -> str:
    """Which labeling is best by a measure, by which score, and how far it is ahead of the next one."""
    score = scores[best].scores[measure].whole
    beside = f" with {quoted(truth)}" if truth is not None else ""
    if len(scores) == 1:
        verb = "agrees" if truth is not None else "is evaluated"
        return f"{name_text(best)} {verb}{beside}: {measure_text(measure)} {score}."
    verb = "agrees best" if truth is not None else "is best"
    sentence = f"{name_text(best)} {verb}{beside}: {measure_text(measure)} {score}"
    ahead = (comparison.best or {}).get(measure)
    return f"{sentence}; {_ahead(ahead)}." if isinstance(ahead, BestLabeling) else f"{sentence}."


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


def about_others(scores: Mapping[Any, ShownEvaluation], others: Collection[Any], best: Any, of: str) -> str | None:
    """Which labelings these other measures find best; None if there are none, or no other labelings."""
    names = list(scores)
    by_measure = {
        name: [names[x] for x in places] for name, places in places_of_best(scores).items() if name in others and places
    }
    if not by_measure:
        return None
    otherwise = {name: found for name, found in by_measure.items() if best not in found}
    if not otherwise:
        return f"It is also the best by {of} ({_listed(list(by_measure))})."
    chosen: dict[Any, list[Any]] = {}
    for name, found in by_measure.items():
        chosen.setdefault(best if best in found else found[0], []).append(name)
    in_order = sorted(chosen.items(), key=lambda item: -len(item[1]))[:_MOST_MEASURES]
    said = [f"{name_text(labeling)} ({_listed(measures)})" for labeling, measures in in_order]
    return f"By {of} the best are {enumerated(said)}."


def _listed(measures: Sequence[Any]) -> str:
    shown = measures if len(measures) <= _MOST_MEASURES + 1 else measures[:_MOST_MEASURES]
    more = len(measures) - len(shown)
    return ", ".join([*map(measure_text, shown), *[f"{more} more"] * (more > 0)])


def about_causes(labeling: Any, causes: Sequence[Cause], most: int = 1) -> Iterator[str]:
    """Where most of the disagreement between a labeling and the classes comes from."""
    if not causes:
        yield f"{name_text(labeling)} is the same partition as the classes."
        return
    first, *others = causes[:most]
    amount = "Most of the disagreement" if first.share > 0.5 else "The largest part of the disagreement"
    yield f"{amount} of {name_text(labeling)} ({share_text(first.share)} of the pairs that disagree): {_cause(first)}."
    for cause in others:
        yield f"Next ({share_text(cause.share)}): {_cause(cause)}."


def _cause(cause: Cause) -> str:
    parts = parts_text(cause.parts[:3])
    if cause.kind == "merged":
        return f"cluster {quoted(cause.label)} merges the classes {parts}"
    if len(cause.parts) == 2:
        return f"class {quoted(cause.label)} is split in two, the clusters {parts}"
    return f"class {quoted(cause.label)} is split into the clusters {parts}"


def about_parts(labeling: Any, by: str, measure: Any, scores: Mapping[Any, float]) -> str | None:
    """How different the scores of a labeling are for the values of ``by``; None if there is one value."""
    known = {value: x for value, x in scores.items() if not math.isnan(x)}
    if len(known) < 2:
        return None
    low, high = min(known, key=lambda x: known[x]), max(known, key=lambda x: known[x])
    ends = " to ".join(f"{rounded(known[x])} ({name_text(x)})" for x in (low, high))
    subject = f"the {measure_text(measure)} of {name_text(labeling)}"
    return f"Over the {len(scores)} values of {quoted(by)} {subject} goes from {ends}."
