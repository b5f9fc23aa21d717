"""What a report is of: its arguments, read and checked; and the scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
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
from gpuval.measures.measure import Direction
from gpuval.measures.requests import Metrics
from gpuval.metrics.internal.silhouette import silhouette_score
from gpuval.numerics import NDArray
from gpuval.registry.families import METRICS
from gpuval.reporting.coordinates import Coordinates, first_columns
from gpuval.reporting.scores_table import Numbers
from gpuval.results.evaluations import Comparison, PairwiseScores
from gpuval.results.references import References
from gpuval.results.scores import number_of_labels, plain
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings

_FIRST = ("adjusted_mutual_info_score", "adjusted_rand_score", "normalized_clustering_accuracy")
"""What comes before all other measures if none are named: it counts each sample, each pair and each class alike."""

_MOST_OF_ALL, _USUAL_SIZE = 10_000, 500
"""Samples of which all silhouettes are found, unless it is said how many; and how many are drawn of more."""


@dataclass(frozen=True, eq=False)
class ReportRequest:
    """The arguments of ``gpuval.report`` that determine the findings."""

    truths: References
    labelings: Mapping[Any, Any]
    """Label vectors by their names."""
    X: Any
    by: Any
    groups: Any
    coordinates: Coordinates | None
    """Where the samples are drawn; None for the first columns of X."""
    metrics: Metrics
    sample_weight: Any
    ignore_labels: LabelsToIgnore
    confidence_level: float | None
    n_resamples: int
    random_state: Any
    sample_size: int | Literal["auto"] | None
    progress: bool
    colors: Mapping[Any, str] | None = None
    """By class its colour; None for those by size."""

    def with_measures(self) -> ReportMeasures:
        """Tell the measures that are asked for, and check what can be told before anything is computed."""
        if not self.truths.vectors and self.X is None:
            raise TypeError("labels_true must be given without X, got None")
        if number_of_labels(next(iter(self.labelings.values()))) == 0:
            raise ValueError("labelings must have at least one sample, got none")
        asked = replace(self, metrics=read_again(self.metrics))
        measures = read_external_and_internal(
            asked.metrics,
            has_truth=bool(asked.truths.vectors),
            has_weights=asked.sample_weight is not None,
            has_samples=asked.X is not None,
        )
        if asked.metrics is None and asked.truths.vectors:
            measures = asked._usual_measures(measures)
        read_intervals(asked.level, asked.groups, asked.n_resamples, asked.random_state)
        _check_sample_size(asked.sample_size, asked.random_state)
        n_drawn = asked.silhouette_sample_size(measures)
        return ReportMeasures(asked, measures, n_drawn, None if n_drawn is None else _seed_of(asked.random_state))

    def _usual_measures(self, measures: MeasureSelection) -> MeasureSelection:
        """Those of evaluations and what counts each class alike; first what sample, pair and class are counted by."""
        names = [x for x in measures.names if x in measures.external and x not in _FIRST]
        if self.sample_weight is not None and not self._has_counts:
            names = [x for x in names if not METRICS[x].measure.needs_counts]
        first = [
            x for x in _FIRST if self.sample_weight is None or not METRICS[x].measure.needs_counts or self._has_counts
        ]
        external = {name: METRICS[name] for name in [*first, *names]}
        return replace(measures, names=(*external, *measures.internal), external=external)

    @cached_property
    def _has_counts(self) -> bool:
        """Whether all samples count once, or a whole number of times."""
        first = next(iter(self.labelings.values()))
        return (
            self.sample_weight is None
            or Contingency.from_labels(self.truths.first, first, **self.which_count).is_integer
        )

    @property
    def level(self) -> float | None:
        """The level of intervals, which only external scores have."""
        return self.confidence_level if self.truths.vectors else None

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
        truth, sides = self._sides(*names)
        return [(side, _sample_mask([*truth, side])) for side in sides]

    def sides_with_mask(self, name: Any, reference: Any = None) -> tuple[list[Labeling], NDArray]:
        """The truth, if there is one, and a labeling as they are read, and which samples count in both.

        Of several references one may be named; else there are all of them.
        """
        truths, sides = self._sides(name)
        if reference is not None and self.truths.names is not None:
            truths = [truths[self.truths.names.index(reference)]]
        return [*truths, *sides], _sample_mask([*truths, *sides])

    def _sides(self, *names: Any) -> tuple[Sequence[Labeling], Sequence[Labeling]]:
        """The true labels, if there are any, and the labelings."""
        truth = dict(self.truths.vectors)
        given = truth | {f"labelings[{name!r}]": self.labelings[name] for name in names}
        sides = read_labelings(given, self.sample_weight, self.ignore_labels, None, None, n_true=len(truth))
        return sides[: len(truth)], sides[len(truth) :]


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
        return (
            dict(self.measures.external)
            if self.given.metrics is None or self.measures.are_named
            else self.given.metrics
        )

    @property
    def internal(self) -> dict[Any, partial[Any]]:
        """The internal measures, silhouettes of as many samples as are to be drawn."""
        return {name: partial(x.metric, **self._options(x)) for name, x in self.measures.internal.items()}

    def _options(self, measure: InternalMeasure) -> dict[str, Any]:
        options = dict(measure.options)
        if self.n_drawn is not None and _is_silhouette(measure) and "sample_size" not in options:
            options |= {"sample_size": self.n_drawn, "random_state": self.drawn_by}
        return options

    @cached_property
    def drawn_at(self) -> Coordinates | None:
        """Where the samples are drawn; None where that is not known, as where X has the distances between them."""
        if self.given.coordinates is not None:
            return self.given.coordinates
        has_distances = any(x.is_of_distances for x in self.measures.internal.values())
        return None if has_distances else first_columns(self.given.X)

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
    if given.truths.vectors and asked.measures.external:
        external = _with_intervals(asked)
    if given.X is not None and asked.measures.internal:
        samples = {"X": given.X, "progress": given.progress}
        internal = compare(given.truths.labels, given.labelings, asked.internal, **given.which_count, **samples)
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
            given.truths.labels,
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
    """The scores of one measure of each labeling for each value of ``by``, external ones with intervals."""
    given = asked.given
    if name not in asked.measures.external:
        samples = {"X": given.X, "progress": given.progress}
        measure = {name: asked.internal[name]}
        return compare(given.truths.labels, given.labelings, measure, **given.which_count, by=given.by, **samples)
    return compare(
        given.truths.labels,
        given.labelings,
        {name: asked.measures.external[name]},
        **given.which_count,
        by=given.by,
        confidence_level=given.level,
        groups=None if given.level is None else given.groups,
        n_resamples=given.n_resamples,
        random_state=given.random_state,
    )


def score_pairs(asked: ReportMeasures, labelings: Mapping[Any, Any], metric: Any) -> PairwiseScores:
    """The scores of all pairs of labelings."""
    given = asked.given
    ignored = replace(given.ignore_labels, true=given.ignore_labels.pred)
    return pairwise(labelings, metric, sample_weight=given.sample_weight, ignore_labels=ignored)


def table_of_labeling(asked: ReportMeasures, name: Any, reference: Any) -> Contingency:
    """The table of the classes, of one of several references, and of one labeling."""
    truth = asked.given.truths.vector(reference)
    return Contingency.from_labels(truth, asked.given.labelings[name], **asked.given.which_count)


# The numbers of scores.


def numbers_of(comparison: Comparison) -> dict[Any, dict[Any, Numbers]]:
    """By each measure, or part of one, the numbers of each labeling: real ones, NaN for others."""
    found: dict[Any, dict[Any, Numbers]] = {}
    for labeling, evaluation in comparison.items():
        for name, score in evaluation.shown().scores.items():
            low = high = math.nan
            if evaluation.intervals is not None and name in evaluation.intervals:
                estimate = evaluation.intervals[name]
                low, high = float(plain(estimate.low)), float(plain(estimate.high))
            found.setdefault(name, {})[labeling] = Numbers(score.number, low, high)
    return found


def errors_of(comparison: Comparison, measure: Any) -> dict[Any, float]:
    """The standard error of each score of a measure; NaN without one."""
    found = {}
    for name, evaluation in comparison.items():
        estimates: Mapping[Any, Any] = evaluation.intervals or {}
        found[name] = float(plain(estimates[measure].standard_error)) if measure in estimates else math.nan
    return found


def rank_labelings(names: Sequence[Any], numbers: Mapping[Any, Numbers], direction: Direction) -> list[Any]:
    """The labelings from the best to the worst; those without a score are last.

    If the better direction is not known, the order does not change.
    """
    if not direction:
        return list(names)
    sign = 1 if direction == "lower" else -1

    def key(name: Any) -> tuple[bool, float]:
        number = numbers[name].score if name in numbers else math.nan
        return math.isnan(number), sign * number

    return sorted(names, key=key)
