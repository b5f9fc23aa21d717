"""Which measures are asked for: by names, functions of a table, or a mapping of these."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gpuval.report.names import ELSEWHERE, METRICS, full_name, where_it_is

Metric = str | Callable[..., Any]
Metrics = str | Iterable[Metric] | Mapping[Any, Metric] | None

DEFAULT_METRICS = (
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "normalized_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "v_measure_score",
    "fowlkes_mallows_score",
    "clustering_accuracy",
    "purity_score",
    "bcubed_f_score",
    "f_measure_score",
    "variation_of_information",
)


def chosen(metrics: Metrics) -> tuple[dict[Any, Callable[..., Any]], bool]:
    """The measures that ``metrics`` stands for, and whether it asks for each of them by its name."""
    if metrics is None:
        return {name: METRICS[name] for name in DEFAULT_METRICS}, False
    if isinstance(metrics, str):
        if metrics.lower() == "all":
            return dict(METRICS), False
        metrics = (metrics,)
    elif callable(metrics) or isinstance(metrics, bytes) or not isinstance(metrics, Iterable):
        raise TypeError(
            f"metrics must be a name, or a sequence or mapping of names and functions of a table, got {metrics!r}"
        )
    given = dict(metrics) if isinstance(metrics, Mapping) else list(metrics)
    if not len(given):
        raise ValueError("metrics must have at least one measure, got none")
    if isinstance(given, dict):
        return {name: _of_metrics(metric) for name, metric in given.items()}, True
    found: dict[Any, Callable[..., Any]] = {}
    for measure in map(_of_metrics, given):
        name = name_of(measure)
        if found.setdefault(name, measure) is not measure:
            raise ValueError(
                f"metrics must be functions of different names, got {name!r} twice; give a mapping from names to "
                "functions"
            )
    return found, True


def _of_metrics(metric: Metric) -> Callable[..., Any]:
    return found_measure(metric, "metrics must be names of measures", "functions of a table")


def found_measure(metric: Metric, requirement: str, otherwise: str) -> Callable[..., Any]:
    """The measure of a name, or a function as it is; errors start with ``requirement`` and ``otherwise``."""
    if isinstance(metric, str):
        return METRICS[full_name(metric, requirement)]
    if not callable(metric):
        raise TypeError(f"{requirement} or {otherwise}, got {metric!r}")
    name = name_of(metric)
    if name in ELSEWHERE and str(getattr(metric, "__module__", "")).startswith("gpuval.metrics.internal."):
        raise TypeError(f"{requirement} or {otherwise}, got {name}; {where_it_is(name)}")
    return metric


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function; of a partial one with its arguments."""
    if not isinstance(function, functools.partial):
        return str(getattr(function, "__name__", function))
    options = [*map(repr, function.args), *(f"{key}={value!r}" for key, value in function.keywords.items())]
    return f"{name_of(function.func)}({', '.join(options)})"
