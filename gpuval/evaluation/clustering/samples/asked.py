"""Splits ``metrics`` into measures of a table and measures of samples and labels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpuval.evaluation._common.names import is_all, name_of
from gpuval.evaluation.clustering.arguments import Metric, Metrics, read_metric, read_metrics
from gpuval.evaluation.clustering.registry import SHORT_INTERNAL_NAMES
from gpuval.evaluation.clustering.samples.internal_metrics import DEFAULT_INTERNAL_METRICS, INTERNAL_METRICS, OPTIONS
from gpuval.inputs.options import unexpected_option
from gpuval.metrics.internal.density.validity import dbcv_score

_OF_EVALUATIONS = ("sample_weight", "ignore_labels", "n_clusters", "progress", "on_degenerate", "return_per_label")
"""Options that evaluations give to all measures."""


@dataclass(frozen=True)
class InternalMeasure:
    """An internal measure, and the options that it is asked for with."""

    name: str
    metric: Callable[..., Any]
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
            raise unexpected_option(known.__name__, wrong, own)
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
class AskedOfBoth:
    """The measures that are asked for by their names, and whether each is named: not those of the default and "all"."""

    names: tuple[Any, ...]
    external: Mapping[Any, Callable[..., Any]]
    internal: Mapping[Any, InternalMeasure]
    are_named: bool


def read_external_and_internal(
    metrics: Metrics, *, has_truth: bool, has_weights: bool, has_samples: bool = True
) -> AskedOfBoth:
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
    return AskedOfBoth(tuple(found), external, internal, are_named)


def _read(metric: Metric) -> Callable[..., Any]:
    given: Any = metric
    if isinstance(metric, str):
        name = metric.lower()
        given = INTERNAL_METRICS.get(SHORT_INTERNAL_NAMES.get(name, name))
    internal = InternalMeasure.of(given) if callable(given) else None
    requirement, otherwise = "metrics must be names of measures", "functions of a table"
    return internal or read_metric(metric, requirement, otherwise)
