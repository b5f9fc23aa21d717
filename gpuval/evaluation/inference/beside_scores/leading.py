"""Finds which labeling is the best by each measure, and how certain its lead is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.evaluation.clustering.registry import measure_of
from gpuval.evaluation.inference.beside_scores.best_labeling import BestLabeling, BestLabelings
from gpuval.evaluation.inference.beside_scores.samples import LabeledSamples
from gpuval.evaluation.inference.comparison.paired import PairedLabels
from gpuval.evaluation.inference.comparison.uncertain import Resampling, uncertain_scores
from gpuval.evaluation.inference.scoring import Functions
from gpuval.evaluation.results.directions import better
from gpuval.evaluation.results.scores import plain
from gpuval.table.resampling.joint import JointCells

ScoresByPlace = Mapping[Any, Mapping[int, Mapping[Any, Any]]]
"""For each value of ``by``, or for None without it: the scores of each labeling, by its place."""


def best_labelings(
    scores: ScoresByPlace, functions: Functions, samples: LabeledSamples, names: Sequence[Any], level: float
) -> BestLabelings:
    """The best labeling of each measure of ``METRICS`` that is better one way, for each value of ``by``.

    The samples that two labelings have in common are counted once for all measures.
    """
    asked: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
    for value, of_places in scores.items():
        for name, function in functions.items():
            measure = measure_of(function)
            found = {place: float(plain(x[name])) for place, x in of_places.items() if measure and name in x}
            places = _first_two(found, better(measure) if measure else "")
            if places is not None:
                asked.setdefault(places, []).append((name, value))
    best = {}
    for places, wanted in asked.items():
        parts = samples.parts_of_both(*places)
        paired = {value: _paired(samples, parts[value]) for value in {value for _, value in wanted} & set(parts)}
        for name, value in wanted:
            if value in paired:
                best[name, value] = _best(
                    [(names[place], scores[value][place][name]) for place in places],
                    functions[name],
                    name,
                    paired[value],
                    level,
                )
    in_order = [(name, value) for name in functions for value in scores if (name, value) in best]
    return BestLabelings({(x[0] if samples.by is None else x): best[x] for x in in_order})


def _first_two(scores: Mapping[int, float], direction: str) -> tuple[int, int] | None:
    """The places of the best and of the next best score; None where there are none."""
    known = [place for place, score in scores.items() if not math.isnan(score)]
    if not direction or len(known) < 2:
        return None
    first, second, *_ = sorted(known, key=lambda place: scores[place], reverse=direction == "higher")
    return first, second


def _paired(samples: LabeledSamples, joint: JointCells) -> PairedLabels:
    """The tables of two labelings."""
    counted, cells_of = zip(*(samples.counted(joint, place) for place in (1, 2)), strict=True)
    return PairedLabels(counted, cells_of, joint.counts)


def _best(two: Sequence[tuple[Any, Any]], function: Any, name: Any, paired: PairedLabels, level: float) -> BestLabeling:
    """The better of two labelings of the same samples, given with their scores, by the paired jackknife."""
    direction = better(measure_of(function) or "")
    how = Resampling(function, str(name), direction, "jackknife", level, 0, np.random.default_rng(0))
    found = uncertain_scores(paired, how)
    difference = found.difference_of_scores(0, 1)
    is_second = (difference < 0) if direction == "higher" else (difference > 0)
    (best, score), (following, _) = reversed(two) if is_second else two
    lead = found.back(found.difference(1, 0) if is_second else found.difference(0, 1))
    return BestLabeling(best, score, direction, next=following, difference=lead)
