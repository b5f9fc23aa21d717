"""Reads ``metrics`` of intervals: names, functions, and mappings of these."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gpuval.evaluation._common.names import asked_by_name, name_of
from gpuval.metrics.intervals import similarity
from gpuval.metrics.intervals._measure import IntervalMeasure

AskedMetric = str | Callable[..., Any]
IntervalMetrics = AskedMetric | Iterable[AskedMetric] | Mapping[Any, AskedMetric] | None

DEFAULT_INTERVAL_METRICS = ("jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski", "ochiai")

INTERVAL_MEASURES: Mapping[str, IntervalMeasure] = MappingProxyType(
    {name: getattr(similarity, name) for name in similarity.__all__}
)
"""The measures of intervals, by their names, sorted."""

_MUST_BE = "metrics must be names or functions of measures of gpuval.intervals"
_OF_A_BATCH = ("true_intervals", "pred_intervals", "mask", "sample_weight")


class AskedIntervalMeasure(NamedTuple):
    """A measure that was asked for."""

    measure: IntervalMeasure
    options: dict[str, Any]
    """Those of its formula, and ``on_undefined`` if that was given."""


def read_interval_metrics(metrics: IntervalMetrics) -> dict[Any, AskedIntervalMeasure]:
    """The measures that ``metrics`` stands for, by their full names, or by the keys of a mapping.

    A function is one of :mod:`gpuval.intervals`, or a ``functools.partial`` of such a one with its options.
    """
    return asked_by_name(DEFAULT_INTERVAL_METRICS if metrics is None else metrics, _read, "gpuval.intervals")


def _read(metric: AskedMetric) -> tuple[str, AskedIntervalMeasure]:
    """The full name of what was asked for, and its measure."""
    if isinstance(metric, str):
        name = _full_name(metric)
        return name, AskedIntervalMeasure(INTERVAL_MEASURES[name], {})
    if not callable(metric):
        raise TypeError(f"{_MUST_BE}, got {metric!r}")
    given = metric if isinstance(metric, functools.partial) else functools.partial(metric)
    name = name_of(given.func)
    if INTERVAL_MEASURES.get(name) is not given.func:
        raise TypeError(f"{_MUST_BE}, got {name} of {getattr(given.func, '__module__', None)}")
    if given.args:
        raise TypeError(f"{_MUST_BE}, got {name_of(metric)}; give the options of {name} alone, by their names")
    for option in given.keywords:
        if option in _OF_A_BATCH:
            raise TypeError(f"{option}= must be given to update, got it with {name} in metrics")
    if given.keywords.get("return_per_sample"):
        raise TypeError(f"return_per_sample must be False in metrics, as sums alone are kept, got it with {name}")
    given([0, 1], [0, 1])  # which raises for options that there are not
    return name_of(metric), AskedIntervalMeasure(INTERVAL_MEASURES[name], dict(given.keywords))


def _full_name(given: str) -> str:
    """The name of a function, of this one or of one without its "_score", in any case."""
    name = given.lower().removesuffix("_score") + "_score"
    if name in INTERVAL_MEASURES:
        return name
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    names = [x.removesuffix("_score") for x in INTERVAL_MEASURES]
    similar = difflib.get_close_matches(given.lower(), names)
    hint = f"did you mean {' or '.join(similar)}?" if similar else f"there are {', '.join(names)}"
    raise ValueError(f"{_MUST_BE}, got {given!r}; {hint}")
