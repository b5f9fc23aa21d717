"""Evaluations with intervals, with the best labeling, and with separate scores for the values of ``by``."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, outside_of_graphs
from gpuval.engines.engine import each
from gpuval.inference.best import PairedTables, best_labelings, check_margin
from gpuval.inference.estimation import bootstrap_estimates, jackknife_estimates, sampler_of
from gpuval.inference.inputs import (
    Functions,
    ScoreFunctions,
    TableWithGroups,
)
from gpuval.inference.intervals import check_level, choose_method
from gpuval.inference.sample_labels import SampleLabels, read_sample_labels
from gpuval.inputs.options import check_count, generator, level_of_user
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import Array
from gpuval.registry.families import check_same_names, compares_names
from gpuval.registry.requests import Building, ScoreExtras
from gpuval.results.evaluations import Comparison, Evaluation, TableMeasures
from gpuval.results.inferences import ScoreEstimates
from gpuval.results.references import References, best_evaluation
from gpuval.results.scores import is_number, number_given
from gpuval.results.texts import those_ranked
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.cells import cells_on_host


@outside_of_graphs
def full_evaluation(
    measures: TableMeasures,
    labels_true: Any,
    labels_pred: Any,
    building: Building,
    extras: ScoreExtras,
) -> Evaluation | Comparison:
    """What ``gpuval.evaluate`` gives where there is a level, or a value to take samples apart by."""
    groups, by = extras.groups, extras.by
    asked = read_intervals(extras.confidence_level, groups, extras.n_resamples, extras.random_state)
    if groups is None and by is None:
        table = as_table(labels_true, labels_pred, *building)
        n_given = number_given(labels_true, building.sample_weight)
        return _with_intervals(measures.evaluate(table, n_given), _table_on_host(table), measures, asked)
    if isinstance(labels_true, Contingency):
        raise TypeError(
            f"{_argument_names(groups, by)} must be given with labels, got a table, which does not know them"
        )
    truth = {"labels_true": labels_true}
    samples = read_sample_labels(truth, {"labels_pred": labels_pred}, building, by, groups)
    scored = list(_evaluate_parts(measures, samples, 0, asked))
    found = {x.value: x.evaluation for x in scored}
    if by is None:
        return found[None]
    _warn_of_values(samples, [None], {(None, x.value): x for x in scored})
    return Comparison(found, levels=("by",))


@outside_of_graphs
def full_comparison(
    measures: TableMeasures,
    truths: References,
    names: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Building,
    extras: ScoreExtras,
) -> Comparison:
    """What ``gpuval.compare`` gives where there is a level, or a value to take samples apart by."""
    groups, by = extras.groups, extras.by
    asked = read_intervals(extras.confidence_level, groups, extras.n_resamples, extras.random_state)
    samples = read_sample_labels(truths.vectors, vectors, building, by, groups)
    scored: dict[Any, dict[int, _PartEvaluation]] = {value: {} for value in samples.n_given}
    tables, margin = PairedTables(samples), check_margin(extras.margin)
    for place in samples.places:
        for x in _evaluate_parts(measures, samples, place, asked):
            scored[x.value][place] = x
            tables.known[place, x.value] = x.counted
    if by is not None:
        pairs = _names_of_pairs(truths, names)
        of_pairs = {(pairs[place], value): x for value, some in scored.items() for place, x in some.items()}
        _warn_of_values(samples, pairs, of_pairs)
    found = {}
    for labeling, name in enumerate(names):
        for value, some in scored.items():
            by_truth = {i: some[x].evaluation for i, x in enumerate(samples.places_of(labeling)) if x in some}
            if by_truth:
                key = name if by is None else (name, value)
                found[key] = best_evaluation(truths.names, by_truth, measures.voices)
    best = None
    if asked is not None and len(names) > 1:
        scores = {value: _numbers_compared(x, has_by=by is not None) for value, x in scored.items() if x}
        best = best_labelings(scores, measures.functions, tables, names, asked.level, margin)
    return Comparison(found, best, extras.levels, truths.subject, measures.voices)


def _names_of_pairs(truths: References, names: Sequence[Any]) -> list[Any]:
    """What warnings call each labeling with each reference, by their places."""
    if truths.names is None:
        return list(names)
    return [f"{name} against {reference}" for reference in truths.names for name in names]


class _PartEvaluation(NamedTuple):
    """The evaluation of a labeling for a value of ``by``, or for None without it."""

    value: Any
    evaluation: Evaluation
    counted: TableWithGroups

    @property
    def numbers(self) -> Mapping[Any, Any]:
        """The scores that have an interval, as they are one number."""
        return {name: self.evaluation[name] for name in self.evaluation.intervals or ()}

    @property
    def lacks_groups(self) -> bool:
        """Whether there is no interval, as there are fewer than two groups."""
        return self.counted.groups is not None and self.counted.n_units < 2


def _numbers_compared(evaluations: Mapping[int, _PartEvaluation], *, has_by: bool) -> dict[int, Mapping[Any, Any]]:
    """The scores of labelings by their places; without those that have few samples of a value of ``by``."""
    places = those_ranked({place: x.evaluation.shown() for place, x in evaluations.items()}) if has_by else evaluations
    return {place: evaluations[place].numbers for place in places}


def _evaluate_parts(
    measures: TableMeasures, samples: SampleLabels, place: int, asked: _IntervalOptions | None
) -> Iterator[_PartEvaluation]:
    """The evaluation of a labeling for each value."""
    n_given = samples.n_given if samples.truths[0].weights is None else {}
    if samples.by is not None:
        if compares_names(measures.functions.values()):
            check_same_names(samples.table(place))
        for value, part in samples.parts(place).items():
            counted = samples.table_with_groups(part)
            found = _with_intervals(measures.evaluate(counted.table, n_given.get(value)), counted, measures, asked)
            moved = found.with_scores({name: _move_score(x, samples.like) for name, x in found.items()})
            yield _PartEvaluation(value, moved, counted)
        return
    table = samples.table(place)
    grouped = samples.groups is not None
    counted = samples.table_with_groups(samples.parts(place)[None]) if grouped else _table_on_host(table)
    evaluation = measures.evaluate(table, n_given.get(None))
    yield _PartEvaluation(None, _with_intervals(evaluation, counted, measures, asked), counted)


def _warn_of_values(
    samples: SampleLabels, names: Sequence[Any], scored: Mapping[tuple[Any, Any], _PartEvaluation]
) -> None:
    """Say which values have no scores, and which no intervals."""
    warn_of_no_samples(names, samples.n_given, scored)
    _warn_of_one_group(names, (key for key, x in scored.items() if x.lacks_groups))


def _table_on_host(table: Contingency) -> TableWithGroups:
    return TableWithGroups(cells_on_host(table, "an interval"), table.counts)


def _with_intervals(
    evaluation: Evaluation, counted: TableWithGroups, measures: TableMeasures, asked: _IntervalOptions | None
) -> Evaluation:
    """The evaluation with the intervals of those of its scores that are one number."""
    if asked is None:
        return evaluation
    single = {name: measures.functions[name] for name, score in evaluation.items() if _is_one_number(score)}
    counted.keep_scores(single, {name: score for name in single if is_number(score := evaluation[name])})
    return Evaluation(evaluation, asked.of(single, counted), evaluation.counted, evaluation.measures)


def _is_one_number(score: Any) -> bool:
    return is_number(score) or getattr(score, "shape", None) == ()


def _move_score(score: Any, like: Array) -> Any:
    """A score that was found on the host, or each of a tuple, in the library and on the device of the labels."""
    backend = backend_of(like)
    if backend.on_host:
        return score
    return each(score, lambda x: backend.from_host(x, like) if isinstance(x, np.generic | np.ndarray) else x)


def _argument_names(groups: Any, by: Any) -> str:
    return "by" if groups is None else "groups" if by is None else "groups and by"


# Which intervals scores get: each measure has the method that suits it.


@dataclass(frozen=True)
class _IntervalOptions:
    """At which level, and by which draws."""

    level: float
    n_resamples: int
    random_state: Any

    def of(self, functions: Functions, counted: TableWithGroups) -> ScoreEstimates:
        """The estimates of functions, each by the method that suits it."""
        methods = {name: choose_method(x, has_groups=counted.groups is not None) for name, x in functions.items()}
        by_jackknife = {name: x for name, x in functions.items() if methods[name] == "jackknife"}
        drawn = {name: x for name, x in functions.items() if name not in by_jackknife}
        found = (
            dict(jackknife_estimates(ScoreFunctions(by_jackknife, False), counted, self.level)) if by_jackknife else {}
        )
        if drawn:
            random, sampler = generator(self.random_state), sampler_of(counted)
            found |= bootstrap_estimates(
                ScoreFunctions(drawn, False), counted, sampler, self.n_resamples, "bca", self.level, random
            )
        return ScoreEstimates({name: found[name] for name in functions})


def read_intervals(confidence_level: Any, groups: Any, n_resamples: Any, random_state: Any) -> _IntervalOptions | None:
    """Which intervals are asked for; None without a level."""
    if confidence_level is None:
        if groups is not None:
            raise TypeError(
                "groups must be given with confidence_level: intervals draw whole groups; by= scores each by itself"
            )
        return None
    asked = _IntervalOptions(check_level(confidence_level), check_count("n_resamples", n_resamples), random_state)
    generator(random_state)
    return asked


# Warnings about values of ``by`` without samples that count, or without groups for an interval.

Key = tuple[Any, Any]
"""The name of a labeling, and a value of ``by``."""

_MOST = 10
"""Values that a warning names."""


def warn_of_no_samples(names: Sequence[Any], values: Iterable[Any], found: Collection[Key]) -> None:
    """Say which values have no scores of which labelings, among ``names``, as none of their samples counts."""
    _warn(no_samples_message(names, values, found))


def no_samples_message(names: Sequence[Any], values: Iterable[Any], found: Collection[Key]) -> str:
    """What is said of that; "" where all have scores."""
    lacking = [(name, value) for value in values for name in names if (name, value) not in found]
    return _message_with_values("by has values without samples that count, which have no scores:", lacking, names)


def _warn_of_one_group(names: Sequence[Any], lacking: Iterable[Key]) -> None:
    """Say which values have no intervals of which labelings, as all of their samples are of one group."""
    _warn(
        _message_with_values(
            "groups must have at least two values for an interval, which is NaN where by is", lacking, names
        )
    )


def _message_with_values(message: str, lacking: Iterable[Key], names: Sequence[Any]) -> str:
    of_value: dict[Any, list[Any]] = {}
    for name, value in lacking:
        of_value.setdefault(value, []).append(name)
    told = [
        repr(value) if len(own) == len(names) else f"{value!r} for {', '.join(map(repr, own))}"
        for value, own in of_value.items()
    ]
    more = f"; and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return f"{message} {'; '.join(told[:_MOST])}{more}" if told else ""


def _warn(message: str) -> None:
    if message:
        warnings.warn(message, stacklevel=level_of_user())
