"""Evaluations with intervals, and with separate scores for the values of ``by``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, outside_of_graphs
from gpuval.engines.engine import each
from gpuval.evaluation.clustering.arguments import BesideScores, Building
from gpuval.evaluation.clustering.registry import check_same_names, compares_names
from gpuval.evaluation.inference.beside_scores.asked import IntervalsAsked, read_intervals
from gpuval.evaluation.inference.beside_scores.lacking import warn_of_no_samples, warn_of_one_group
from gpuval.evaluation.inference.beside_scores.leading import best_labelings
from gpuval.evaluation.inference.beside_scores.samples import LabeledSamples, read_labeled_samples
from gpuval.evaluation.inference.reading import CountedLabels
from gpuval.evaluation.inference.scoring import Functions
from gpuval.evaluation.results.evaluated_samples import number_of_labels
from gpuval.evaluation.results.evaluations import Comparison, Evaluation
from gpuval.evaluation.results.scores import is_number
from gpuval.metrics._common.metric import as_table
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import table_of
from gpuval.table.resampling.cells import listed_on_host

Score = Callable[[Contingency, int | None], Evaluation]
"""Finds the scores of a table, and says of how many samples some may have been left out, if that is known."""


@outside_of_graphs
def full_evaluation(
    score: Score,
    functions: Functions,
    labels_true: Any,
    labels_pred: Any,
    building: Building,
    beside: BesideScores,
) -> Evaluation | Comparison:
    """What ``gpuval.evaluate`` gives where there is a level, or a value to take samples apart by."""
    groups, by = beside.groups, beside.by
    asked = read_intervals(beside.confidence_level, groups, beside.n_resamples, beside.random_state)
    if groups is None and by is None:
        table = as_table(labels_true, labels_pred, *building)
        n_given = None if building[0] is not None else number_of_labels(labels_true)
        return _with_intervals(score(table, n_given), _counted(table), functions, asked)
    if isinstance(labels_true, Contingency):
        raise TypeError(f"{_named(groups, by)} must be given with labels, got a table, which does not know them")
    samples = read_labeled_samples(labels_true, {"labels_pred": labels_pred}, building, by, groups)
    scored = list(_scored(score, functions, samples, 0, asked))
    found = {x.value: x.evaluation for x in scored}
    if by is None:
        return found[None]
    _warn_of_values(samples, [None], {(None, x.value): x for x in scored})
    return Comparison(found, levels=("by",))


@outside_of_graphs
def full_comparison(
    score: Score,
    functions: Functions,
    labels_true: Any,
    names: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Building,
    beside: BesideScores,
) -> Comparison:
    """What ``gpuval.compare`` gives where there is a level, or a value to take samples apart by."""
    groups, by = beside.groups, beside.by
    asked = read_intervals(beside.confidence_level, groups, beside.n_resamples, beside.random_state)
    samples = read_labeled_samples(labels_true, vectors, building, by, groups)
    scored = {}
    scores: dict[Any, dict[int, Evaluation]] = {}
    for place, name in enumerate(names):
        for x in _scored(score, functions, samples, place, asked):
            scored[name, x.value] = x
            scores.setdefault(x.value, {})[place] = x.evaluation
    if by is not None:
        _warn_of_values(samples, names, scored)
    found = {(key[0] if by is None else key): x.evaluation for key, x in scored.items()}
    levels = ("labeling",) if by is None else ("labeling", "by")
    if asked is None or len(names) < 2:
        return Comparison(found, levels=levels)
    return Comparison(found, best_labelings(scores, functions, samples, names, asked.level), levels)


class _Scored(NamedTuple):
    """The evaluation of a labeling for a value of ``by``, or for None without it."""

    value: Any
    evaluation: Evaluation
    lacks_groups: bool
    """Whether there is no interval, as there are fewer than two groups."""


def _scored(
    score: Score, functions: Functions, samples: LabeledSamples, place: int, asked: IntervalsAsked | None
) -> Iterator[_Scored]:
    """The evaluation of a labeling for each value."""
    n_given = samples.n_given if samples.truth.weights is None else {}
    if samples.by is not None:
        if compares_names(functions.values()):
            check_same_names(table_of(samples.truth, samples.others[place]))
        for value, joint in samples.parts(place).items():
            counted, _ = samples.counted(joint, 1)
            scores = score(counted.table, n_given.get(value))
            evaluation = scores.with_scores({name: _sent(x, samples.like) for name, x in scores.items()})
            lacks_groups = counted.groups is not None and counted.n_units < 2
            yield _Scored(value, _with_intervals(evaluation, counted, functions, asked), lacks_groups)
        return
    table = table_of(samples.truth, samples.others[place])
    grouped = samples.groups is not None
    counted = samples.counted(samples.parts(place)[None], 1)[0] if grouped else _counted(table)
    yield _Scored(None, _with_intervals(score(table, n_given.get(None)), counted, functions, asked), False)


def _warn_of_values(samples: LabeledSamples, names: Sequence[Any], scored: Mapping[tuple[Any, Any], _Scored]) -> None:
    """Say which values have no scores, and which no intervals."""
    warn_of_no_samples(names, samples.n_given, scored)
    warn_of_one_group(names, (key for key, x in scored.items() if x.lacks_groups))


def _counted(table: Contingency) -> CountedLabels:
    return CountedLabels(listed_on_host(table, "an interval"), table.counts)


def _with_intervals(
    evaluation: Evaluation, counted: CountedLabels, functions: Functions, asked: IntervalsAsked | None
) -> Evaluation:
    """The evaluation with the intervals of those of its scores that are one number."""
    if asked is None:
        return evaluation
    single = {name: functions[name] for name, score in evaluation.items() if _is_one_number(score)}
    return Evaluation(evaluation, asked.of(single, counted), evaluation.counted, evaluation.directions)


def _is_one_number(score: Any) -> bool:
    return is_number(score) or getattr(score, "shape", None) == ()


def _sent(score: Any, like: Array) -> Any:
    """A score that was found on the host, or each of a tuple, in the library and on the device of the labels."""
    backend = backend_of(like)
    if backend.on_host:
        return score
    return each(score, lambda x: backend.from_host(x, like) if isinstance(x, np.generic | np.ndarray) else x)


def _named(groups: Any, by: Any) -> str:
    return "by" if groups is None else "groups" if by is None else "groups and by"
