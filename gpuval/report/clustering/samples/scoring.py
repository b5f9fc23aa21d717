"""Internal scores of labelings: of the samples that count in the truth and in the labeling, as in their table."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.inputs.labels import check_indexes
from gpuval.inputs.selection import ignored_samples
from gpuval.metrics._common.naming import called
from gpuval.metrics.internal.silhouette import silhouette_score
from gpuval.metrics.internal.sweep import silhouette_scores
from gpuval.numerics import Array
from gpuval.report.clustering.samples.asked import InternalMeasure
from gpuval.report.inference.beside_scores.samples import are_booleans, values_of_codes
from gpuval.report.inference.reading import check_in_memory, read_beside
from gpuval.report.results.evaluated_samples import EvaluatedSamples
from gpuval.report.results.evaluations import Evaluation
from gpuval.table.labelings import Labeling, read_labelings

_OF_A_SWEEP = {"metric", "absent"}
"""Options with which the silhouettes of many labelings are found in one pass over the distances."""

Key = tuple[int, Any]
"""The place of a labeling, and a value of ``by``; None without it."""


@dataclass(frozen=True, eq=False)
class _Labels:
    """Labels of the samples that count; the others have the label ``spare``, if there are any."""

    key: Any
    """The name of the labeling."""
    name: str
    """What messages call it."""
    data: Array
    has_spare: bool


def internal_evaluations(
    measures: Mapping[Any, InternalMeasure],
    X: Any,
    labels_true: Any,
    keys: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Sequence[Any],
    by: Any,
    progress: bool,
) -> dict[Key, Evaluation]:
    """The internal scores of each labeling, for each value of ``by``; ``labels_true`` may be None.

    ``vectors`` are the labelings by what messages call them, and ``keys`` their names.
    """
    sample_weight, ignore_labels, n_classes, n_clusters = building
    truth = {} if labels_true is None else {"labels_true": labels_true}
    given = truth | dict(vectors)
    check_in_memory("with X", *given.values(), by)
    n_rows = n_classes if truth else n_clusters
    sides = read_labelings(given, sample_weight, ignore_labels, n_rows, n_clusters)
    check_indexes(X=X, **given)
    others = sides[len(truth) :]
    options = {"sample_weight": sample_weight, "n_clusters": n_clusters, "on_degenerate": "nan", "progress": progress}
    of_truth = None if not truth else _kept(sides[0])
    found: dict[Key, Evaluation] = {}
    for value, chosen in _parts(by, sides[0], given):
        spare = max((_size(x) for x in others), default=0)
        masked = [_masked(key, x, [of_truth, chosen], spare) for key, x in zip(keys, others, strict=True)]
        left = {place: labels for place, labels in enumerate(masked) if chosen is None or _is_any_left(labels, spare)}
        scores = _scores(measures, X, left, options, spare)
        for place in left:
            of_one = {name: values[place] for name, values in scores.items()}
            counted = (
                None if truth or others[place].codes is None else _counted(left[place], others[place].weights, spare)
            )
            found[place, value] = Evaluation(of_one, counted=counted)
    return found


def _scores(
    measures: Mapping[Any, InternalMeasure], X: Any, labels: Mapping[int, _Labels], options: dict[str, Any], spare: int
) -> dict[Any, dict[int, Any]]:
    """The score of each labeling, by the name of the measure and the place of the labeling."""
    found = {}
    for name, measure in measures.items():
        if measure.metric is silhouette_score and set(measure.options) <= _OF_A_SWEEP and len(labels) > 1:
            ignored = [spare] if any(x.has_spare for x in labels.values()) else None
            vectors = {x.key: x.data for x in labels.values()}
            scores = silhouette_scores(X, vectors, ignore_labels=ignored, **options | dict(measure.options))
            found[name] = {place: scores[i] for i, place in enumerate(labels)}
        else:
            found[name] = {place: _score(measure, X, x, options, spare) for place, x in labels.items()}
    return found


def _score(measure: InternalMeasure, X: Any, labels: _Labels, options: dict[str, Any], spare: int) -> Any:
    with called(labels=labels.name):
        return measure(X, labels.data, ignore_labels=[spare] if labels.has_spare else None, **options)


def _parts(by: Any, first: Labeling, given: Mapping[str, Any]) -> Iterator[tuple[Any, Array | None]]:
    """Each value of ``by`` in order, and which samples have it; None and all without it."""
    if by is None:
        yield None, None
        return
    beside = read_beside(first, given, by, "by")
    assert beside.codes is not None
    codes = beside.codes.codes
    found = np.unique(to_host(codes))
    for code, value in zip(found.tolist(), values_of_codes(beside, found, has_booleans=are_booleans(by)), strict=True):
        yield value, codes == code


def _size(labeling: Labeling) -> int:
    """The first number that is no label."""
    if labeling.codes is not None:
        return labeling.codes.size
    return 0 if labeling.size is None else max(labeling.size)


def _kept(labeling: Labeling) -> Array | None:
    """Which samples have a label that counts; None for all."""
    if labeling.codes is not None or not labeling.ignore:
        return labeling.keep
    ignored = ignored_samples(labeling.vector, labeling.ignore)
    return None if ignored is None else ~ignored


def _masked(key: Any, labeling: Labeling, others: Sequence[Array | None], spare: int) -> _Labels:
    """The labels of the samples that count by all masks."""
    data = labeling.vector.data if labeling.codes is None else labeling.codes.codes
    masks = [x for x in (*others, _kept(labeling)) if x is not None]
    if not masks:
        return _Labels(key, labeling.vector.name, data, False)
    backend = backend_of(data)
    wide = backend.xp.astype(data, backend.widest(data).int)
    return _Labels(key, labeling.vector.name, backend.xp.where(reduce(operator.and_, masks), wide, spare), True)


def _counted(labels: _Labels, weights: Array | None, spare: int) -> EvaluatedSamples:
    """How many clusters and samples there are."""
    host = to_host(labels.data)
    counts = host != spare if labels.has_spare else np.ones(host.shape, dtype=bool)
    weighed = counts if weights is None else np.where(counts, to_host(weights), 0)
    n_given = len(host) if weights is None else None
    return EvaluatedSamples(None, len(np.unique(host[weighed > 0])), weighed.sum(), n_given)


def _is_any_left(labels: _Labels, spare: int) -> bool:
    return bool(to_host(backend_of(labels.data).xp.any(labels.data != spare)))
