"""What a report says: its arguments, read and checked; the scores; and which labelings have the best ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.evaluation.evaluation import compare, pairwise
from gpuval.evaluation.internal_scores import InternalMeasure, MeasureSelection, read_external_and_internal
from gpuval.geometry.sampling import check_sampling
from gpuval.inference.with_intervals import read_intervals
from gpuval.inputs.containers import read_again
from gpuval.inputs.options import generator
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.measures.requests import Metrics
from gpuval.metrics.internal.silhouette import silhouette_score
from gpuval.numerics import NDArray
from gpuval.results.evaluations import Comparison, PairwiseScores
from gpuval.results.scores import number_of_labels
from gpuval.results.texts import EvaluationTexts, best_places, common_direction, measures_of
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings

_MOST_OF_ALL, _USUAL_SIZE = 10_000, 500
"""Samples of which all silhouettes are found, unless it is said how many; and how many are drawn of more."""


@dataclass(frozen=True, eq=False)
class ReportRequest:
    """The arguments of ``gpuval.report`` that determine the findings."""

    labels_true: Any
    labelings: Mapping[Any, Any]
    """Label vectors by their names."""
    X: Any
    by: Any
    groups: Any
    metrics: Metrics
    sample_weight: Any
    ignore_labels: LabelsToIgnore
    confidence_level: float | None
    n_resamples: int
    random_state: Any
    sample_size: int | Literal["auto"] | None
    progress: bool

    def with_measures(self) -> ReportMeasures:
        """Tell the measures that are asked for, and check what can be told before anything is computed."""
        if self.labels_true is None and self.X is None:
            raise TypeError("labels_true must be given without X, got None")
        if number_of_labels(next(iter(self.labelings.values()))) == 0:
            raise ValueError("labelings must have at least one sample, got none")
        asked = replace(self, metrics=read_again(self.metrics))
        measures = read_external_and_internal(
            asked.metrics,
            has_truth=asked.labels_true is not None,
            has_weights=asked.sample_weight is not None,
            has_samples=asked.X is not None,
        )
        read_intervals(asked.level, asked.groups, asked.n_resamples, asked.random_state)
        _check_sample_size(asked.sample_size, asked.random_state)
        n_drawn = asked.silhouette_sample_size(measures)
        return ReportMeasures(asked, measures, n_drawn, None if n_drawn is None else _seed_of(asked.random_state))

    @property
    def level(self) -> float | None:
        """The level of intervals, which only external scores have."""
        return None if self.labels_true is None else self.confidence_level

    @property
    def which_count(self) -> dict[str, Any]:
        """The arguments that say which samples count."""
        return {"sample_weight": self.sample_weight, "ignore_labels": self.ignore_labels}

    def silhouette_sample_size(self, measures: MeasureSelection) -> int | None:
        """How many samples are drawn for silhouettes; None for all, where no more of them count."""
        if self.sample_size is None or not any(map(_is_silhouette, measures.internal.values())):
            return None
        least = _MOST_OF_ALL if self.sample_size == "auto" else self.sample_size
        n_given = number_of_labels(next(iter(self.labelings.values())))
        if n_given is not None and n_given <= least:
            return None
        if min(int(counts.sum()) for _, counts in self.labelings_with_masks(*self.labelings)) <= least:
            return None
        return _USUAL_SIZE if self.sample_size == "auto" else self.sample_size

    def labelings_with_masks(self, *names: Any) -> list[tuple[Labeling, NDArray]]:
        """Labelings as they are read, and which samples count in each and in the truth, on the host."""
        truth = {} if self.labels_true is None else {"labels_true": self.labels_true}
        given = truth | {f"labelings[{name!r}]": self.labelings[name] for name in names}
        sides = read_labelings(given, self.sample_weight, self.ignore_labels, None, None, has_truth=bool(truth))
        return [(side, _sample_mask([*sides[: len(truth)], side])) for side in sides[len(truth) :]]


def _sample_mask(sides: Sequence[Labeling]) -> NDArray:
    """Which samples are ignored in none of the labelings, and have a weight above 0."""
    found = np.ones(sides[-1].vector.size, dtype=bool)
    for side in sides:
        if side.keep is not None:
            found &= to_host(side.keep)
    if sides[-1].weights is not None:
        found &= to_host(sides[-1].weights) > 0
    return found


@dataclass(frozen=True, eq=False)
class ReportMeasures:
    """What is asked for, with its measures."""

    given: ReportRequest
    measures: MeasureSelection
    n_drawn: int | None
    """How many samples are drawn for silhouettes; None for all."""
    drawn_by: Any
    """The seed by which they are drawn, for scores and for plots."""

    @property
    def external(self) -> Metrics:
        """The external measures, as ``compare`` takes them."""
        return dict(self.measures.external) if self.measures.are_named else self.given.metrics

    @property
    def internal(self) -> dict[Any, partial[Any]]:
        """The internal measures, silhouettes of as many samples as are to be drawn."""
        return {name: partial(x.metric, **self._options(x)) for name, x in self.measures.internal.items()}

    def _options(self, measure: InternalMeasure) -> dict[str, Any]:
        options = dict(measure.options)
        if self.n_drawn is not None and _is_silhouette(measure) and "sample_size" not in options:
            options |= {"sample_size": self.n_drawn, "random_state": self.drawn_by}
        return options

    @property
    def silhouette(self) -> InternalMeasure | None:
        """The silhouette that is asked for, the first one; None if none is."""
        return next(filter(_is_silhouette, self.measures.internal.values()), None)

    def name_apart(self, shown: Any) -> Any:
        """The measure that is computed for each value of ``by``, by its name as shown, which may be that of a part.

        Silhouettes of a random sample are not computed for each value: then it is the first other measure. None if
        there is no other measure.
        """
        names = [name for name in self.measures.names if "sample_size" not in self._options_of(name)]
        first = self.name_of_part(shown)
        return first if first in names else next(iter(names), None)

    def name_of_part(self, shown: Any) -> Any:
        """The measure of a name that is shown, which may be of a part of a tuple."""
        names = self.measures.names
        return shown if shown in names else next(x for x in names if str(shown).startswith(f"{x}."))

    def _options_of(self, name: Any) -> dict[str, Any]:
        measure = self.measures.internal.get(name)
        return {} if measure is None else self._options(measure)


def _seed_of(random_state: Any) -> Any:
    """What draws the same each time: a seed as it is, and a number that a generator draws, which would go on."""
    goes_on = np.random.Generator, np.random.BitGenerator, np.random.RandomState
    is_seed = random_state is not None and not isinstance(random_state, goes_on)
    return random_state if is_seed else int(generator(random_state).integers(1 << 63))


def _check_sample_size(size: Any, random_state: Any) -> None:
    if isinstance(size, str):
        if size != "auto":
            raise ValueError(f"sample_size must be a number, 'auto' or None, got {size!r}")
        return
    check_sampling(size, False, random_state)
    if size is not None and size < 2:
        raise ValueError(f"sample_size must be at least 2, got {size}")


def _is_silhouette(measure: InternalMeasure) -> bool:
    return measure.metric is silhouette_score


# The scores of a report: of all samples, of each value of ``by``, and of all pairs of labelings.


def score_labelings(asked: ReportMeasures) -> Comparison:
    """The scores of each labeling, external ones with intervals, in the order asked for."""
    given = asked.given
    external = internal = None
    if given.labels_true is not None and asked.measures.external:
        external = _with_intervals(asked)
    if given.X is not None and asked.measures.internal:
        samples = {"X": given.X, "progress": given.progress}
        internal = compare(given.labels_true, given.labelings, asked.internal, **given.which_count, **samples)
    if external is None or internal is None:
        found = internal if external is None else external
        assert found is not None
        return found
    names = asked.measures.names
    merged = {name: scores.joined(internal[name], names) for name, scores in external.items()}
    return Comparison(merged, external.leads, subject=external.subject, voices=external.voices)


def _with_intervals(asked: ReportMeasures) -> Comparison:
    given = asked.given
    try:
        return compare(
            given.labels_true,
            given.labelings,
            asked.external,
            **given.which_count,
            confidence_level=given.level,
            groups=given.groups,
            n_resamples=given.n_resamples,
            random_state=given.random_state,
        )
    except ValueError as error:
        if str(error).startswith("an interval needs a table of counts"):
            raise ValueError(
                "sample_weight must count samples where there are intervals, got real weights or fractions; use "
                "weights of an integer type, or confidence_level=None for no intervals"
            ) from None
        raise


def score_by_value(asked: ReportMeasures, name: Any) -> Comparison:
    """The scores of one measure of each labeling for each value of ``by``."""
    given = asked.given
    is_external = name in asked.measures.external
    measure = asked.measures.external[name] if is_external else asked.internal[name]
    samples = {} if is_external else {"X": given.X, "progress": given.progress}
    return compare(given.labels_true, given.labelings, {name: measure}, **given.which_count, by=given.by, **samples)


def score_pairs(asked: ReportMeasures, labelings: Mapping[Any, Any], metric: Any) -> PairwiseScores:
    """The scores of all pairs of labelings."""
    given = asked.given
    ignored = replace(given.ignore_labels, true=given.ignore_labels.pred)
    return pairwise(labelings, metric, sample_weight=given.sample_weight, ignore_labels=ignored)


def table_of_labeling(asked: ReportMeasures, name: Any) -> Contingency:
    """The table of the classes and of one labeling."""
    return Contingency.from_labels(asked.given.labels_true, asked.given.labelings[name], **asked.given.which_count)


# Which labelings have the best scores.

_USUAL = "adjusted_rand_score"

Scores = Mapping[Any, EvaluationTexts]
"""What is shown of each labeling, by its name."""


def names_of_best(scores: Scores) -> dict[Any, list[Any]]:
    """By the name of each measure that is better one way the labelings with the best score, if that is known."""
    names = list(scores)
    if len(names) == 1:  # of one there is no best place among others
        return {
            name: names * (not math.isnan(score_number(scores, names[0], name)))
            for name in _measures_with_direction(scores)
        }
    found = best_places(list(scores.values()), [None] * len(names))
    return {name: [names[place] for places in groups for place in places] for name, groups in found.items()}


def _measures_with_direction(scores: Scores) -> list[Any]:
    return [name for name in measures_of(list(scores.values())) if common_direction(name, scores.values())]


def score_number(scores: Scores, labeling: Any, measure: Any) -> float:
    """The score of a labeling; NaN where there is no number."""
    shown = scores[labeling].scores.get(measure)
    return math.nan if shown is None else shown.number


def first_measure(scores: Scores, are_named: bool) -> Any:
    """The measure that orders the labelings: the first for which the better direction is known, or the first of all.

    If the measures were not given by their names (``are_named``), it is the adjusted Rand index, if that is among them.
    """
    names = measures_of(list(scores.values()))
    if not are_named and _USUAL in names:
        return _USUAL
    return next(iter(_measures_with_direction(scores)), names[0])


def rank_labelings(scores: Scores, measure: Any) -> list[Any]:
    """The names of the labelings from the best to the worst by a measure; those without a score are last.

    If the better direction is not known, the order does not change.
    """
    direction = common_direction(measure, scores.values())
    if not direction:
        return list(scores)
    sign = 1 if direction == "lower" else -1

    def key(name: Any) -> tuple[bool, float]:
        number = score_number(scores, name, measure)
        return math.isnan(number), sign * number

    return sorted(scores, key=key)


def measures_on_one_axis(scores: Scores, most: int) -> list[Any]:
    """The first measures whose scores are all from -1 to 1, where some are known, and higher is better."""
    found = []
    for name in _measures_with_direction(scores):
        numbers = [score_number(scores, labeling, name) for labeling in scores]
        known = [x for x in numbers if not math.isnan(x)]
        if common_direction(name, scores.values()) == "higher" and known and all(-1 <= x <= 1 for x in known):
            found.append(name)
    return found[:most]
