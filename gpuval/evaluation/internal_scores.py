"""Internal scores of labelings, of the samples that count in the truth and in the labeling."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.geometry.distances.precomputed import read_precomputed
from gpuval.geometry.points import take_rows
from gpuval.inference.inputs import check_in_memory, read_beside
from gpuval.inference.sample_labels import are_booleans, count_codes, values_of_codes
from gpuval.inference.with_intervals import warn_of_no_samples
from gpuval.inputs.features import finite, read_features
from gpuval.inputs.labels import Vector, check_indexes
from gpuval.inputs.options import option_error
from gpuval.inputs.selection import ignore_mask
from gpuval.measures.requests import Metric, Metrics, is_all, name_of
from gpuval.measures.result import as_result, rename_arguments
from gpuval.metrics.internal.dbcv import dbcv_score
from gpuval.metrics.internal.silhouette import silhouette_score, silhouette_scores
from gpuval.numerics import Array, NDArray
from gpuval.registry.internal import DEFAULT_INTERNAL_METRICS, INTERNAL_METRICS, OPTIONS, SHORT_INTERNAL_NAMES
from gpuval.registry.requests import Building, read_metric, read_metrics
from gpuval.results.evaluations import Evaluation, TableMeasures
from gpuval.results.scores import SampleCounts
from gpuval.table.labelings import Labeling, read_labelings
from gpuval.table.reading import use_table_of_one

_OF_A_SWEEP = {"metric", "absent", "sample_size", "random_state"}
"""Options with which the silhouettes of many labelings are found in one pass over the distances."""

Key = tuple[int, Any]
"""The place of a labeling, and a value of ``by``; None without it."""


@dataclass(frozen=True, eq=False)
class _Labels:
    """Labels of samples; of those that do not count ``spare``, if there are any."""

    key: Any
    """The name of the labeling."""
    name: str
    """What messages call it."""
    data: Array
    spare: int | None

    def of(self, mask: Array) -> _Labels:
        """Those of some of the samples."""
        return replace(self, data=self.data[mask])

    def is_any_left(self, weights: Array | None) -> bool:
        """Whether a sample counts, and weighs something."""
        counting = [] if self.spare is None else [self.data != self.spare]
        counting += [] if weights is None else [weights > 0]
        if not counting:
            return bool(self.data.shape[0])
        return bool(to_host(backend_of(self.data).xp.any(reduce(operator.and_, counting))))


@dataclass(frozen=True, eq=False)
class _Part:
    """Some of the samples, with their labels by all labelings in which some of them count."""

    rows: NDArray | None
    """Which of all samples they are; None for all."""
    labels: Mapping[int, _Labels]
    """By the place of the labeling."""
    weights: Any

    @property
    def is_spared(self) -> bool:
        """Whether some of the labels stand for samples that do not count."""
        return any(x.spare is not None for x in self.labels.values())

    def are_seen(self, measure: InternalMeasure) -> NDArray:
        """Which of the samples a measure looks at: those that count in a labeling, or all, where others are noise."""
        assert self.rows is not None
        seen = np.full(len(self.rows), measure.counts_noise)
        for x in self.labels.values():
            seen |= True if x.spare is None else to_host(x.data) != x.spare
        return seen if self.weights is None else seen & (to_host(self.weights) != 0)

    def samples(self, X: Any, *, is_of_distances: bool) -> Any:
        """The samples, or the distances between them."""
        if self.rows is None:
            return X
        _, X, _ = read_features(X, len(self.rows), True)
        rows = backend_of(X.data if is_sparse(X) else X).from_host(self.rows, X.data if is_sparse(X) else X)
        part = take_rows(X, rows)
        if not is_of_distances:
            return part
        return part[:, rows] if is_sparse(X) else backend_of(X).xp.take(part, rows, axis=1)


def internal_evaluations(
    measures: Mapping[Any, InternalMeasure],
    X: Any,
    truth: Mapping[str, Any],
    keys: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Building,
    by: Any,
    progress: bool,
) -> dict[Key, Evaluation]:
    """The internal scores of each labeling, for each value of ``by``, of samples that count in each true labeling.

    ``truth`` and ``vectors`` are these and the labelings by what messages call them, and ``keys`` their names.
    """
    sample_weight, ignore_labels, n_classes, n_clusters = building
    given = dict(truth) | dict(vectors)
    check_in_memory("with X", *given.values(), by)
    n_rows = n_classes if truth else n_clusters
    sides = read_labelings(given, sample_weight, ignore_labels, n_rows, n_clusters, n_true=len(truth))
    check_indexes(X=X, **given)
    _check_samples(X, sides[len(truth)].vector, measures)
    options = {"n_clusters": n_clusters, "on_degenerate": "nan", "progress": progress}
    found: dict[Key, Evaluation] = {}
    names = {name: measure.metric.measure.name for name, measure in measures.items()}
    values = []
    for value, chosen in _values(by, sides[0], given):
        values.append(value)
        part = _part(sides[: len(truth)], sides[len(truth) :], keys, chosen)
        scores = _scores(measures, X, part, options)
        for place, labels in part.labels.items():
            of_one = {name: values[place] for name, values in scores.items()}
            counted = None if truth else _sample_counts(labels, part.weights, n_clusters)
            found[place, value] = Evaluation(of_one, counted=counted, measures=names)
    if not truth:  # else external scores lack the same ones
        warn_of_no_samples(keys, values, {(keys[place], value) for place, value in found})
    return found


def _check_samples(X: Any, labels: Vector, measures: Mapping[Any, InternalMeasure]) -> None:
    """Check that X has as many samples as labels, also where there is no measure to look at it."""
    rows = X if measures and (is_sparse(X) or is_array(X)) else read_features(X, labels.size, True)[1]
    if len(rows.shape) == 2 and rows.shape[0] != labels.size:
        raise ValueError(f"{labels.name} must have as many samples as X ({rows.shape[0]}), got {labels.size}")


def _values(by: Any, first: Labeling, given: Mapping[str, Any]) -> Iterator[tuple[Any, Array | None]]:
    """Each value of ``by`` in order, and which samples have it; None and all without it."""
    if by is None:
        yield None, None
        return
    if first.codes is None:
        raise TypeError("n_clusters= cannot be given with by=, as the labels are looked at")
    beside = read_beside(first, given, by, "by")
    codes = beside.encoded.codes
    found, _ = count_codes(beside)
    for code, value in zip(found.tolist(), values_of_codes(beside, found, has_booleans=are_booleans(by)), strict=True):
        yield value, codes == code


def _part(truth: Sequence[Labeling], others: Sequence[Labeling], keys: Sequence[Any], chosen: Array | None) -> _Part:
    """The samples that are chosen and count in the truth, and their labels.

    With sizes given on a device, where values are not looked at to tell the rows, they are all samples, of which those
    that do not count have the spare label.
    """
    masks = [x for x in (*map(_label_mask, truth), chosen) if x is not None]
    mask = reduce(operator.and_, masks) if masks else None
    spare = max([0, *map(_size, others)])
    weights = others[0].weights
    is_looked_at = others[0].codes is not None or others[0].vector.backend.on_host
    if mask is None or not is_looked_at:
        return _Part(
            None, {i: _labels(key, x, mask, spare) for i, (key, x) in _enumerate_labelings(keys, others)}, weights
        )
    labels = {i: _labels(key, x, None, spare).of(mask) for i, (key, x) in _enumerate_labelings(keys, others)}
    weights = None if weights is None else weights[mask]
    if chosen is not None:
        labels = {i: x for i, x in labels.items() if x.is_any_left(weights)}
    return _Part(np.flatnonzero(to_host(mask)), labels, weights)


def _enumerate_labelings(keys: Sequence[Any], others: Sequence[Labeling]) -> Iterator[tuple[int, tuple[Any, Labeling]]]:
    return enumerate(zip(keys, others, strict=True))


def _size(labeling: Labeling) -> int:
    """The first number that is no label."""
    return max(labeling.size or (0,)) if labeling.codes is None else labeling.codes.size


def _labels(key: Any, labeling: Labeling, mask: Array | None, spare: int) -> _Labels:
    """The labels of all samples; the spare one of those that do not count, by a mask or in the labeling itself."""
    data = labeling.vector.data if labeling.codes is None else labeling.codes.codes
    masks = [x for x in (_label_mask(labeling), mask) if x is not None]
    if not masks:
        return _Labels(key, labeling.vector.name, data, None)
    backend = backend_of(data)
    wide = backend.xp.astype(data, backend.widest(data).int)
    return _Labels(key, labeling.vector.name, backend.xp.where(reduce(operator.and_, masks), wide, spare), spare)


def _label_mask(labeling: Labeling) -> Array | None:
    """Which samples have a label that counts; None for all."""
    if labeling.codes is not None or not labeling.ignore:
        return labeling.keep
    ignored = ignore_mask(labeling.vector, labeling.ignore)
    return None if ignored is None else ~ignored


def _scores(
    measures: Mapping[Any, InternalMeasure], X: Any, part: _Part, options: dict[str, Any]
) -> dict[Any, dict[int, Any]]:
    """The score of each labeling, by the name of the measure and the place of the labeling."""
    options = options | {"sample_weight": part.weights}
    found = {}
    for name, measure in measures.items():
        if part.rows is None and part.is_spared and measure.counts_noise:
            raise TypeError(
                f"n_classes= and n_clusters= cannot be given with {name} and ignore_labels=: samples that do not count "
                "would be noise"
            )
        samples = part.samples(X, is_of_distances=measure.is_of_distances) if part.labels else X
        try:
            scores = _scores_by_place(measure, samples, part.labels, options)
        except ValueError as error:
            if part.rows is None:
                raise
            raise _with_rows_of(X, error, part.rows, part.are_seen(measure), measure) from None
        # Some of the samples are those of NumPy, if they lie on the host.
        found[name] = {place: as_result(score, X if is_array(X) else None) for place, score in scores.items()}
    return found


def _scores_by_place(
    measure: InternalMeasure, X: Any, labels: Mapping[int, _Labels], options: dict[str, Any]
) -> dict[int, Any]:
    """The score of each labeling, by its place."""
    if _are_of_a_sweep(measure, labels):
        ignored = {x.spare for x in labels.values() if x.spare is not None}
        vectors = {x.key: x.data for x in labels.values()}
        options = options | dict(measure.options)
        scores = silhouette_scores(X, vectors, ignore_labels=list(ignored) or None, **options)
        return {place: scores[i] for i, place in enumerate(labels)}
    found = {}
    for place, x in labels.items():
        with rename_arguments(labels=x.name):
            found[place] = measure(X, x.data, ignore_labels=None if x.spare is None else [x.spare], **options)
    return found


def _are_of_a_sweep(measure: InternalMeasure, labels: Mapping[int, _Labels]) -> bool:
    """Whether the scores are found in one pass over the distances.

    With ``sample_size`` the samples that are drawn are the same for all labelings, so that all must count the same.
    """
    if measure.metric is not silhouette_score or not set(measure.options) <= _OF_A_SWEEP or len(labels) < 2:
        return False
    if measure.options.get("sample_size") is None:
        return True
    spared = [x for x in labels.values() if x.spare is not None]
    counted = [to_host(x.data) != x.spare for x in spared]
    return len(spared) in (0, len(labels)) and all(np.array_equal(x, counted[0]) for x in counted)


def _sample_counts(labels: _Labels, weights: Any, n_clusters: int | None) -> SampleCounts:
    """How many clusters and samples there are, counted where the labels are."""
    n_given = int(labels.data.shape[0]) if weights is None else None
    ignored = None if labels.spare is None else [labels.spare]
    with rename_arguments(labels=labels.name):
        table = use_table_of_one(lambda table, _: table, labels.data, weights, ignored, n_clusters)
    return SampleCounts.from_labeling(table, n_given)


# Errors about rows of X: a score of some of the samples counts its own rows, the error tells the rows of X.


def _with_rows_of(
    X: Any, error: ValueError, rows: NDArray, is_counted: NDArray, measure: InternalMeasure
) -> ValueError:
    """The error of a measure of some rows of X, with the row of X if it is about a number that is wrong.

    ``is_counted`` says which of the rows count.
    """
    try:
        _check(X, rows[is_counted], measure)
    except ValueError as found:
        return found
    return error


def _check(X: Any, rows: NDArray, measure: InternalMeasure) -> None:
    if not measure.is_of_distances:
        _, samples, like = read_features(X, len(rows), True)
        finite(samples, backend_of(like).from_host(_mask(samples.shape[0], rows), like))
        return
    _, distances, like = read_precomputed(X, len(rows), True, measure.options.get("absent"))
    n_samples = distances.shape[0]
    distances.counted = backend_of(like).from_host(_mask(n_samples, rows), like)
    for first in range(0, n_samples, distances.height):
        distances.rows(first, min(first + distances.height, n_samples) - 1)


def _mask(size: int, rows: NDArray) -> NDArray:
    mask = np.zeros(size, dtype=bool)
    mask[rows] = True
    return mask


# Splits ``metrics`` into measures of a table and measures of samples and labels.

_OF_EVALUATIONS = ("sample_weight", "ignore_labels", "n_clusters", "progress", "on_degenerate", "return_per_label")
"""Options that evaluations give to all measures."""


@dataclass(frozen=True)
class InternalMeasure:
    """An internal measure, and the options that it is asked for with."""

    name: str
    metric: Any
    options: Mapping[str, Any]

    @property
    def __name__(self) -> str:
        """The name, as functions have it."""
        return self.name

    @classmethod
    def of(cls, function: Any) -> InternalMeasure | None:
        """The measure that a function, or a partial one, is; None for any other."""
        partial = function if isinstance(function, functools.partial) else functools.partial(function)
        known = INTERNAL_METRICS.get(getattr(partial.func, "__name__", ""))
        if known is not partial.func or partial.args:
            return None
        given = next((name for name in partial.keywords if name in _OF_EVALUATIONS), None)
        if given is not None:
            raise ValueError(
                f"metrics must not have {given}= in {name_of(function)}; it is an argument of evaluate and compare, "
                "where it is for all measures"
            )
        own = sorted(OPTIONS[known.__name__].difference(_OF_EVALUATIONS))
        wrong = next((name for name in partial.keywords if name not in own), None)
        if wrong is not None:
            raise option_error(known.__name__, wrong, own)
        return cls(name_of(function), partial.func, partial.keywords)

    def __call__(self, X: Any, labels: Any, **others: Any) -> Any:
        """The score of samples and their labels; of the other options those that the measure has."""
        has = OPTIONS[self.metric.__name__]
        return self.metric(X, labels, **{name: x for name, x in others.items() if name in has} | dict(self.options))

    @property
    def is_of_distances(self) -> bool:
        """Whether X has the distances between samples."""
        return self.options.get("metric") == "precomputed"

    @property
    def counts_noise(self) -> bool:
        """Whether samples that are ignored count, as noise."""
        return self.metric is dbcv_score

    @property
    def takes_weights(self) -> bool:
        """Whether it is defined for samples with weights."""
        return "sample_weight" in OPTIONS[self.metric.__name__]


@dataclass(frozen=True)
class MeasureSelection:
    """The measures that are asked for by their names, and whether each is named: not those of the default and "all"."""

    names: tuple[Any, ...]
    external: Mapping[Any, Callable[..., Any]]
    internal: Mapping[Any, InternalMeasure]
    are_named: bool

    @property
    def table_measures(self) -> TableMeasures:
        """The external ones."""
        return TableMeasures(self.external, self.are_named)


def read_external_and_internal(
    metrics: Metrics, *, has_truth: bool, has_weights: bool, has_samples: bool = True
) -> MeasureSelection:
    """Tell external measures, of which there are none without true labels, from internal ones, which need samples."""
    found, are_named = read_metrics(metrics, _read)
    if not are_named:
        names = INTERNAL_METRICS if is_all(metrics) else DEFAULT_INTERNAL_METRICS
        of_samples = {name: InternalMeasure(name, INTERNAL_METRICS[name], {}) for name in names}
        of_samples = {name: x for name, x in of_samples.items() if x.takes_weights or not has_weights}
        found = (found if has_truth else {}) | (of_samples if has_samples else {})
    internal = {name: x for name, x in found.items() if isinstance(x, InternalMeasure)}
    external = {name: x for name, x in found.items() if name not in internal}
    if internal and not has_samples:
        raise ValueError(
            f"X must be given for {', '.join(map(str, internal))}, got None; without it there are external measures "
            "alone"
        )
    if external and not has_truth:
        raise ValueError(
            f"labels_true must be given for {', '.join(map(str, external))}, got None; without it there are internal "
            "measures alone"
        )
    without_weights = next((name for name, x in internal.items() if has_weights and not x.takes_weights), None)
    if without_weights is not None:
        raise ValueError(f"sample_weight must not be given for {without_weights}, which counts each sample once")
    return MeasureSelection(tuple(found), external, internal, are_named)


def _read(metric: Metric) -> Callable[..., Any]:
    given: Any = metric
    if isinstance(metric, str):
        name = metric.lower()
        given = INTERNAL_METRICS.get(SHORT_INTERNAL_NAMES.get(name, name))
    internal = InternalMeasure.of(given) if callable(given) else None
    requirement, otherwise = "metrics must be names of measures", "functions of a table"
    return internal or read_metric(metric, requirement, otherwise)
