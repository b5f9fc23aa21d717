"""Which labeling has the best score by each measure, and which others cannot be told apart from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gpuval.inference.comparison import Resampling, difference_like, uncertain_scores
from gpuval.inference.inputs import Functions, TableWithGroups, to_library
from gpuval.inference.paired import JointTables
from gpuval.inference.sample_labels import SampleLabels
from gpuval.inputs.options import as_number
from gpuval.measures.measure import Direction
from gpuval.registry.families import direction_of, measure_of
from gpuval.results.inferences import BestLabeling, BestLabelings, ScoreDifference
from gpuval.results.scores import plain
from gpuval.table.resampling.joint import JointCells


def check_margin(margin: Any) -> float:
    """Check that a margin is a finite number that is not negative."""
    number = as_number("margin", margin)
    if not 0 <= number < math.inf:
        raise ValueError(f"margin must be finite and not negative, got {margin!r}")
    return number


ScoresByPlace = Mapping[Any, Mapping[int, Mapping[Any, Any]]]
"""For each value of ``by``, or for None without it: the scores of each labeling that are one number, by its place.

With several true labelings there is a place for each of them, and what counts is the best score of each labeling.
"""


def best_labelings(
    scores: ScoresByPlace,
    functions: Functions,
    tables: PairedTables,
    names: Sequence[Any],
    level: float,
    margin: float,
) -> BestLabelings:
    """The best labeling of each measure of ``METRICS`` that is better one way, for each value of ``by``."""
    rankings = {}
    for name, function in functions.items():
        direction = direction_of(function) if measure_of(function) else ""
        for value, of_places in scores.items():
            numbers = {place: float(plain(x[name])) for place, x in of_places.items() if name in x}
            ranking = _ranking(numbers, direction, tables.samples)
            if len(ranking) > 1:
                rankings[name, value] = ranking
    differences = _differences_to_first(rankings, functions, tables, level)
    exchanged = {}
    for key, (first, second, *others) in rankings.items():
        x = differences[key].get(second)
        if x is not None and _is_behind(x.alone, direction_of(functions[key[0]])):
            exchanged[key] = [second, first, *others]  # of the samples that both have, the second one is better
    rankings |= exchanged
    differences |= _differences_to_first(exchanged, functions, tables, level)
    best, back = {}, partial(to_library, tables.samples.like)
    for (name, value), (first, *others) in rankings.items():
        direction = direction_of(functions[name])
        gaps = tell_apart(differences[name, value], direction, level, len(others) + 1)
        if gaps:
            called = {place: names[tables.samples.split(place)[1]] for place in (first, *others)}
            of_others = {called[place]: difference_like(gaps[place], back) for place in others if place in gaps}
            score = scores[value][first][name]
            key = name if tables.samples.by is None else (name, value)
            best[key] = BestLabeling(called[first], score, direction, gaps=of_others, margin=margin)
    return BestLabelings(best)


def _ranking(scores: Mapping[int, float], direction: Direction, samples: SampleLabels) -> list[int]:
    """The places of the best known score of each labeling, from the best one on; none if neither end is better."""
    known = [place for place, score in scores.items() if not math.isnan(score)] if direction else []
    in_order = sorted(known, key=lambda place: scores[place], reverse=direction == "higher")
    found: dict[int, int] = {}
    for place in in_order:
        found.setdefault(samples.split(place)[1], place)
    return list(found.values())


def _is_behind(difference: ScoreDifference, direction: Direction) -> bool:
    return bool(difference.difference < 0 if direction == "higher" else difference.difference > 0)


# The differences of the first labeling of each ranking to the others, by the paired jackknife.

_Key = tuple[Any, Any]
"""A measure, and a value of ``by``, or None without it."""


class Difference(NamedTuple):
    """A difference by itself, and with the wider interval that holds for those of all pairs together."""

    alone: ScoreDifference
    together: ScoreDifference
    n_units: int
    """How many samples, or groups, were left out one by one."""


@dataclass(frozen=True, eq=False)
class PairedTables:
    """The tables of two labelings of the samples that both have; those of one labeling are the same for many pairs."""

    samples: SampleLabels
    known: dict[tuple[int, Any], TableWithGroups] = field(default_factory=dict)
    """By the place of a labeling and a value of ``by`` its last table, with the scores that were found of it."""

    def of(self, first: int, second: int) -> dict[Any, JointTables]:
        """For each value of ``by`` that has samples of both."""
        parts = self.samples.parts_of_both(first, second)
        return {value: self._joint_tables(joint, value, first, second) for value, joint in parts.items()}

    def _joint_tables(self, joint: JointCells, value: Any, *places: int) -> JointTables:
        counted, cells_of = zip(*self.samples.tables_of_both(joint, *places), strict=True)
        same = tuple(self._known((place, value), x) for place, x in zip(places, counted, strict=True))
        return JointTables(same, cells_of, joint.counts)

    def _known(self, key: tuple[int, Any], counted: TableWithGroups) -> TableWithGroups:
        """A table as it is known, if it has the same cells: labelings that ignore other samples change it."""
        before = self.known.get(key)
        if before is None or counted.groups is not None or not _have_same_cells(before, counted):
            self.known[key] = before = counted
        return before


def _have_same_cells(one: TableWithGroups, other: TableWithGroups) -> bool:
    cells: list[Any] = [x.table.listed().cells for x in (one, other)]
    fields = zip(*((x.counts, x.class_of, x.cluster_of) for x in cells), strict=True)
    return one.table.shape == other.table.shape and all(np.array_equal(x, y) for x, y in fields)


def _differences_to_first(
    rankings: Mapping[_Key, Sequence[int]], functions: Functions, tables: PairedTables, level: float
) -> dict[_Key, dict[int, Difference]]:
    """For each ranking the differences of its first labeling to those others with which it has samples in common.

    Two labelings are read together once for all measures that need both.
    """
    found: dict[_Key, dict[int, Difference]] = {key: {} for key in rankings}
    of_pairs: dict[tuple[int, int], list[_Key]] = {}
    for key, (first, *others) in rankings.items():
        for other in others:
            of_pairs.setdefault((first, other), []).append(key)
    for (first, other), keys in of_pairs.items():
        paired = tables.of(first, other)
        for name, value in keys:
            if value in paired:
                how = Resampling(
                    functions[name], str(name), direction_of(functions[name]), "jackknife", level, 0, _NEVER_DRAWN
                )
                scores, n = uncertain_scores(paired[value], how), len(rankings[name, value])
                alone = scores.difference_left_out(0, 1)
                together = scores.difference_left_out(0, 1, n * (n - 1) // 2)
                found[name, value][other] = Difference(alone, together, paired[value].n_units)
    return found


_NEVER_DRAWN = np.random.default_rng(0)


# Which of the differences are more than noise, if the first labeling was chosen because its score is the best.


def tell_apart(
    differences: Mapping[int, Difference], direction: Direction, level: float, n_labelings: int
) -> dict[int, ScoreDifference]:
    """The differences with p-values, and intervals, that hold for all of them together.

    That the first labeling is the first is due to chance, too. If all L labelings are equally good, the largest of the
    m(L) = L (L - 1) / 2 differences of pairs is among those that are looked at, so the smallest p-value is multiplied
    by m(L), not by L - 1. Once the labeling of the smallest one is told apart, only L - 1 can still be equally good,
    and the next p-value is multiplied by m(L - 1), ..., the last one by m(2) = 1: the method of Holm, with all pairs of
    the labelings that are left. No p-value becomes smaller than the one before.

    Intervals have the level 1 - alpha / m(L), alpha = 1 - ``level``. Where one would contain 0, although the labeling
    is told apart, it ends at 0.
    """
    order = sorted(differences, key=lambda place: _known_or_last(differences[place].alone.p_value))
    adjusted, found = 0.0, {}
    for rank, place in enumerate(order):
        alone, together, n_units = differences[place]
        n_left = n_labelings - rank
        p_value = float(alone.p_value)
        if not math.isnan(p_value):
            p_value = adjusted = max(adjusted, min(1.0, n_left * (n_left - 1) / 2 * p_value))
        is_apart = p_value <= 1 - level or (alone.standard_error == 0 and n_units >= _ENOUGH)
        found[place] = _with_p_value(together, p_value, direction, is_apart=is_apart and together.difference != 0)
    return found


_ENOUGH = 30
"""Units from which on a difference that none of them changes is more than noise, although no p-value is known."""


def _known_or_last(p_value: float) -> float:
    return math.inf if math.isnan(p_value) else p_value


def _with_p_value(x: ScoreDifference, p_value: float, direction: Direction, *, is_apart: bool) -> ScoreDifference:
    """A difference with this p-value, and an interval that agrees with it."""
    if not is_apart:
        return replace(x, p_value=p_value, better="")
    better = "first" if (x.difference > 0) == (direction == "higher") else "second"
    low, high = (max(x.low, 0.0), x.high) if x.difference > 0 else (x.low, min(x.high, 0.0))
    return replace(x, p_value=p_value, better=better, low=low, high=high)
