"""Evaluations with intervals, with the best labeling, and with separate scores for the values of ``by``."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, is_array, outside_of_graphs, to_host
from gpuval.engines.engine import each
from gpuval.inference.comparison import Resampling, uncertain_scores
from gpuval.inference.estimation import bootstrap_estimates, jackknife_estimates, sampler_of
from gpuval.inference.inputs import (
    Functions,
    ScoreFunctions,
    TableWithGroups,
    check_groups,
    check_in_memory,
    read_beside,
    table_at_place,
)
from gpuval.inference.intervals import check_level, choose_method
from gpuval.inference.paired import JointTables
from gpuval.inputs.labels import read_labels
from gpuval.inputs.options import check_resamples, generator, level_of_user
from gpuval.inputs.strings import as_python
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import Array, NDArray
from gpuval.registry.families import check_same_names, compares_names, direction_of, measure_of
from gpuval.registry.requests import Building, ScoreExtras
from gpuval.results.evaluations import Comparison, Evaluation, TableMeasures
from gpuval.results.inferences import BestLabeling, BestLabelings, ScoreEstimates
from gpuval.results.scores import is_number, number_given, plain
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings, table_of
from gpuval.table.resampling.cells import cells_on_host
from gpuval.table.resampling.joint import JointCells, joint_cells


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
    samples = _read_sample_labels(labels_true, {"labels_pred": labels_pred}, building, by, groups)
    scored = list(_evaluate_parts(measures, samples, 0, asked))
    found = {x.value: x.evaluation for x in scored}
    if by is None:
        return found[None]
    _warn_of_values(samples, [None], {(None, x.value): x for x in scored})
    return Comparison(found, levels=("by",))


@outside_of_graphs
def full_comparison(
    measures: TableMeasures,
    labels_true: Any,
    names: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Building,
    extras: ScoreExtras,
) -> Comparison:
    """What ``gpuval.compare`` gives where there is a level, or a value to take samples apart by."""
    groups, by = extras.groups, extras.by
    asked = read_intervals(extras.confidence_level, groups, extras.n_resamples, extras.random_state)
    samples = _read_sample_labels(labels_true, vectors, building, by, groups)
    scored = {}
    scores: dict[Any, dict[int, Evaluation]] = {}
    for place, name in enumerate(names):
        for x in _evaluate_parts(measures, samples, place, asked):
            scored[name, x.value] = x
            scores.setdefault(x.value, {})[place] = x.evaluation
    if by is not None:
        _warn_of_values(samples, names, scored)
    found = {(key[0] if by is None else key): x.evaluation for key, x in scored.items()}
    if asked is None or len(names) < 2:
        return Comparison(found, levels=extras.levels)
    return Comparison(found, _best_labelings(scores, measures.functions, samples, names, asked.level), extras.levels)


class _PartEvaluation(NamedTuple):
    """The evaluation of a labeling for a value of ``by``, or for None without it."""

    value: Any
    evaluation: Evaluation
    lacks_groups: bool
    """Whether there is no interval, as there are fewer than two groups."""


def _evaluate_parts(
    measures: TableMeasures, samples: _SampleLabels, place: int, asked: _IntervalOptions | None
) -> Iterator[_PartEvaluation]:
    """The evaluation of a labeling for each value."""
    n_given = samples.n_given if samples.truth.weights is None else {}
    if samples.by is not None:
        if compares_names(measures.functions.values()):
            check_same_names(table_of(samples.truth, samples.others[place]))
        for value, joint in samples.parts(place).items():
            counted, _ = samples.table_at(joint, 1)
            scores = measures.evaluate(counted.table, n_given.get(value))
            evaluation = scores.with_scores({name: _move_score(x, samples.like) for name, x in scores.items()})
            lacks_groups = counted.groups is not None and counted.n_units < 2
            yield _PartEvaluation(value, _with_intervals(evaluation, counted, measures, asked), lacks_groups)
        return
    table = table_of(samples.truth, samples.others[place])
    grouped = samples.groups is not None
    counted = samples.table_at(samples.parts(place)[None], 1)[0] if grouped else _table_on_host(table)
    evaluation = measures.evaluate(table, n_given.get(None))
    yield _PartEvaluation(None, _with_intervals(evaluation, counted, measures, asked), False)


def _warn_of_values(
    samples: _SampleLabels, names: Sequence[Any], scored: Mapping[tuple[Any, Any], _PartEvaluation]
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
    return Evaluation(evaluation, asked.of(single, counted), evaluation.counted, evaluation.directions)


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
    asked = _IntervalOptions(check_level(confidence_level), check_resamples(n_resamples), random_state)
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


# Finds which labeling is the best by each measure, and how certain its lead is.

ScoresByPlace = Mapping[Any, Mapping[int, Mapping[Any, Any]]]
"""For each value of ``by``, or for None without it: the scores of each labeling, by its place."""


def _best_labelings(
    scores: ScoresByPlace, functions: Functions, samples: _SampleLabels, names: Sequence[Any], level: float
) -> BestLabelings:
    """The best labeling of each measure of ``METRICS`` that is better one way, for each value of ``by``.

    The samples that two labelings have in common are counted once for all measures.
    """
    asked: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
    for value, of_places in scores.items():
        for name, function in functions.items():
            measure = measure_of(function)
            found = {place: float(plain(x[name])) for place, x in of_places.items() if measure and name in x}
            places = _first_two(found, measure.better if measure else "")
            if places is not None:
                asked.setdefault(places, []).append((name, value))
    best = {}
    for places, wanted in asked.items():
        parts = samples.parts_of_both(*places)
        paired = {value: _joint_tables(samples, parts[value]) for value in {value for _, value in wanted} & set(parts)}
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


def _joint_tables(samples: _SampleLabels, joint: JointCells) -> JointTables:
    """The tables of two labelings."""
    counted, cells_of = zip(*(samples.table_at(joint, place) for place in (1, 2)), strict=True)
    return JointTables(counted, cells_of, joint.counts)


def _best(two: Sequence[tuple[Any, Any]], function: Any, name: Any, paired: JointTables, level: float) -> BestLabeling:
    """The better of two labelings of the same samples, given with their scores, by the paired jackknife."""
    direction = direction_of(function)
    how = Resampling(function, str(name), direction, "jackknife", level, 0, np.random.default_rng(0))
    found = uncertain_scores(paired, how)
    difference = found.difference_of_scores(0, 1)
    is_second = (difference < 0) if direction == "higher" else (difference > 0)
    (best, score), (following, _) = reversed(two) if is_second else two
    lead = found.back(found.difference(1, 0) if is_second else found.difference(0, 1))
    return BestLabeling(best, score, direction, next=following, difference=lead)


# Labelings of the same samples, with the group of each sample and its value of ``by``.


@dataclass(frozen=True, eq=False)
class _SampleLabels:
    """One truth, and labelings that are compared with it."""

    truth: Labeling
    others: list[Labeling]
    by: Labeling | None
    groups: Labeling | None
    has_booleans: bool
    """Whether the values of ``by`` are booleans, which have become 0 and 1."""

    @property
    def like(self) -> Array:
        """An array of the library, and on the device, of the labels."""
        return self.truth.vector.data

    @cached_property
    def n_given(self) -> dict[Any, int]:
        """How many samples have each value of ``by``, in order, or how many there are, ignored or not."""
        if self.by is None:
            return {None: self.truth.vector.size}
        found, counts = count_codes(self.by)
        values = values_of_codes(self.by, found, has_booleans=self.has_booleans)
        return dict(zip(values, counts.tolist(), strict=True))

    def parts(self, place: int) -> dict[Any, JointCells]:
        """The joint cells of the truth, of a labeling and of the groups, for each value of ``by``, in order.

        Without ``by`` they are those of all samples, by the name None.
        """
        joint = self._joint(place)
        if self.groups is not None:
            check_groups(len(np.unique(joint.codes[2])))
        return self._parts_by_value(joint)

    def parts_of_both(self, first: int, second: int) -> dict[Any, JointCells]:
        """The same of two labelings: of the samples that both have, if there are any, be they of one group only."""
        return self._parts_by_value(self._joint(first, second)) if self._is_any_of(first, second) else {}

    def _joint(self, *places: int) -> JointCells:
        beside = [x for x in (self.groups, self.by) if x is not None]
        return joint_cells([self.truth, *(self.others[place] for place in places), *beside])

    def _parts_by_value(self, joint: JointCells) -> dict[Any, JointCells]:
        if self.by is None:
            return {None: joint}
        parts = joint.parts(len(joint.codes) - 1)
        return {bool(value) if self.has_booleans else value: part for value, part in parts}

    def _is_any_of(self, *places: int) -> bool:
        """Whether labelings have a sample in common, that counts; true where there are no samples at all."""
        masks = [x.keep for x in (self.truth, *(self.others[place] for place in places)) if x.keep is not None]
        if not masks:
            return True
        if self.truth.weights is not None:
            masks.append(self.truth.weights > 0)
        backend = backend_of(self.like)
        return not self.truth.vector.size or bool(to_host(backend.xp.any(reduce(operator.and_, masks))))

    def table_at(self, joint: JointCells, place: int) -> tuple[TableWithGroups, NDArray]:
        """The table of the truth and a labeling among joint cells, and to which of its cells these belong."""
        at_the_end = (self.groups is not None) + (self.by is not None)
        groups = None if self.groups is None else len(joint.codes) - at_the_end
        return table_at_place(joint, place, groups, self.like)


def _read_sample_labels(
    labels_true: Any, named: Mapping[str, Any], building: Building, by: Any, groups: Any
) -> _SampleLabels:
    """Read labels that must be in memory, as all that is known of a sample is looked at together."""
    use = "groups" if groups is not None else "by" if by is not None else "confidence_level"
    check_in_memory(f"with {use}", labels_true, *named.values(), by, groups)
    sample_weight, ignore_labels, *sizes = building
    if any(size is not None for size in sizes):
        raise TypeError(f"n_classes= and n_clusters= cannot be given with {use}=, as the labels are looked at")
    given = {"labels_true": labels_true, **named}
    truth, *others = read_labelings(given, sample_weight, ignore_labels, None, None, has_truth=True)
    values = None if by is None else read_beside(truth, given, by, "by")
    units = None if groups is None else read_beside(truth, given, groups, "groups")
    return _SampleLabels(truth, others, values, units, by is not None and are_booleans(by))


def are_booleans(by: Any) -> bool:
    """Whether the values of ``by`` are booleans, which become 0 and 1 where they are read."""
    vector = read_labels(by, "by")
    return vector.backend.kind(vector.data) == "bool"


def count_codes(by: Labeling) -> tuple[NDArray, NDArray]:
    """The codes of ``by`` that occur, in order, and how many samples have each."""
    assert by.codes is not None
    codes, backend = by.codes.codes, backend_of(by.codes.codes)
    counts = to_host(backend.count(backend.xp.astype(codes, backend.widest(codes).int), by.codes.size))
    found = np.flatnonzero(counts)
    return found, counts[found]


def values_of_codes(by: Labeling, codes: NDArray, *, has_booleans: bool) -> list[Any]:
    """The values of ``by`` that codes stand for."""
    assert by.codes is not None
    values = np.asarray(to_host(by.codes.values) if is_array(by.codes.values) else by.codes.values)[codes]
    return [bool(x) if has_booleans else as_python(x) for x in values]
