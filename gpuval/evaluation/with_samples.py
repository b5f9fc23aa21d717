"""Evaluations by external and internal measures together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpuval.evaluation.internal_scores import Key, MeasureSelection, internal_evaluations, read_external_and_internal
from gpuval.inputs.containers import read_again
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.registry.requests import Building, Metrics, ScoreExtras
from gpuval.results.evaluations import Comparison, Evaluation
from gpuval.table.contingency import Contingency


def evaluate_with_samples(
    evaluated: Callable[..., Evaluation | Comparison],
    metrics: Metrics,
    X: Any,
    labels_true: Any,
    labels_pred: Any,
    building: Building,
    beside: ScoreExtras,
    progress: bool,
) -> Evaluation | Comparison:
    """What ``gpuval.evaluate`` gives with samples; ``evaluated`` is what it does without."""
    if isinstance(labels_true, Contingency):
        raise TypeError("X must be given with labels, got a table, which does not know them")
    labels_true, labels_pred = map(read_again, (labels_true, labels_pred))
    building, beside = _read_once(building, beside)
    asked = _read(metrics, labels_true, building, beside)
    vectors = {"labels_pred": labels_pred}
    external: Any = None
    if labels_true is not None:
        external = evaluated(asked.external, asked.are_named, labels_true, labels_pred, building, beside)
    by = beside.by
    keys = ["labels_pred"]
    internal = internal_evaluations(asked.internal, X, labels_true, keys, vectors, building, by, progress)
    if by is None:
        return _merge(asked, external, internal.get((0, None), Evaluation({})))
    return _together(asked, external, {value: scores for (_, value), scores in internal.items()}, ("by",))


def compare_with_samples(
    compared: Callable[..., Comparison],
    metrics: Metrics,
    X: Any,
    labels_true: Any,
    labelings: Any,
    building: Building,
    beside: ScoreExtras,
    progress: bool,
) -> Comparison:
    """What ``gpuval.compare`` gives with samples; ``compared`` is what it does without."""
    labels_true = read_again(labels_true)
    building, beside = _read_once(building, beside)
    asked = _read(metrics, labels_true, building, beside)
    names, vectors = labelings_by_name(labelings)
    external = None
    if labels_true is not None:
        external = compared(asked.external, asked.are_named, labels_true, names, vectors, building, beside)
    by = beside.by
    found = internal_evaluations(asked.internal, X, labels_true, names, vectors, building, by, progress)

    def key(at: Key) -> Any:
        place, value = at
        return names[place] if by is None else (names[place], value)

    in_order = sorted(found, key=lambda at: at[0])
    levels = ("labeling",) if by is None else ("labeling", "by")
    return _together(asked, external, {key(at): found[at] for at in in_order}, levels)


def _read_once(building: Building, beside: ScoreExtras) -> tuple[Building, ScoreExtras]:
    """The same after iterators have been read, which would have nothing for the second reader."""
    sample_weight, ignore_labels, *sizes = building
    read = read_again(sample_weight), LabelsToIgnore.read(ignore_labels), *sizes
    return read, beside._replace(by=read_again(beside.by))


def _read(metrics: Metrics, labels_true: Any, building: Building, beside: ScoreExtras) -> MeasureSelection:
    for name in ("confidence_level", "groups"):
        if labels_true is None and getattr(beside, name) is not None:
            raise ValueError(f"{name} must be None without labels_true: internal measures have no intervals")
    if labels_true is None and building[2] is not None:
        raise ValueError(f"n_classes must be None without labels_true, got {building[2]}")
    return read_external_and_internal(metrics, has_truth=labels_true is not None, has_weights=building[0] is not None)


def _together(
    asked: MeasureSelection, external: Comparison | None, internal: Mapping[Any, Evaluation], levels: Sequence[str]
) -> Comparison:
    """The evaluations of both kinds, each by its name."""
    if external is None:
        return Comparison({name: _merge(asked, None, x) for name, x in internal.items()}, levels=levels)
    merged = {name: _merge(asked, scores, internal[name]) for name, scores in external.items()}
    return Comparison(merged, external.leads, levels)


def _merge(asked: MeasureSelection, external: Evaluation | None, internal: Evaluation) -> Evaluation:
    """The scores of both in the order asked for; an external measure may be left out for real weights."""
    return (internal if external is None else external).joined(internal, asked.names)
