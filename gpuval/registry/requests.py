"""What evaluations are asked for: ``metrics``, ``metric``, ``labelings``, and what is asked beside these."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gpuval.engines.backends import is_dask
from gpuval.measures.requests import Metric, Metrics, is_all, measures_by_name, name_of
from gpuval.registry.families import (
    DEFAULT_METRICS,
    METRICS,
    OF_SAME_NAMES,
    full_name,
    hint_of_namesake,
    other_metrics,
    takes_a_table,
    with_name_check,
)

Read = Callable[[Metric], Callable[..., Any]]


class ScoreExtras(NamedTuple):
    """What is asked for beside scores of all samples: intervals, and scores of parts of the samples."""

    confidence_level: Any
    groups: Any
    by: Any
    n_resamples: Any
    random_state: Any
    margin: Any = 0.0
    """Differences to the best labeling that are smaller do not matter."""

    def is_anything(self) -> bool:
        """Whether there is a level, groups, or a value to take samples apart by."""
        return not (self.confidence_level is None and self.groups is None and self.by is None)

    @property
    def levels(self) -> tuple[str, ...]:
        """What the names of evaluations in a comparison are."""
        return ("labeling",) if self.by is None else ("labeling", "by")


class Building(NamedTuple):
    """What tables are built with beside labels, as users give it."""

    sample_weight: Any = None
    ignore_labels: Any = None
    n_classes: Any = None
    n_clusters: Any = None


_OF_MEASURES = tuple(f"gpuval.{x}." for x in ("metrics", "ranking", "multilabel", "intervals"))
"""What the names of modules of measures begin with."""


def read_metrics(metrics: Metrics, read: Read | None = None) -> tuple[dict[Any, Callable[..., Any]], bool]:
    """The functions that ``metrics`` stands for, and whether it names each of them: the default and "all" do not.

    ``read`` gives the function of a name, and may give another for one that is given; the default and "all" are of
    measures of a table.
    """
    if metrics is None:
        return {name: METRICS[name] for name in DEFAULT_METRICS}, False
    if is_all(metrics):
        return dict(METRICS), False
    read_one = read or _one_of_metrics

    def read_with_name(metric: Metric) -> tuple[str, Callable[..., Any]]:
        function = read_one(metric)
        return name_of(function), function

    requirement = "metrics must be a name or a function of a table, or a sequence or mapping of these"
    return measures_by_name(metrics, read_with_name, requirement), True


def _one_of_metrics(metric: Metric) -> Callable[..., Any]:
    return read_metric(metric, "metrics must be names of measures", "functions of a table")


def read_metric(
    metric: Metric, requirement: str, otherwise: str, options: Mapping[str, Any] = MappingProxyType({})
) -> Callable[..., Any]:
    """The measure of a name, or a function as it is, which is to be called with a table and options.

    Errors start with ``requirement`` and ``otherwise``.
    """
    if isinstance(metric, str):
        name = full_name(metric, requirement)
        return OF_SAME_NAMES.get(name) or METRICS[name]
    if not callable(metric):
        raise TypeError(f"{requirement} or {otherwise}, got {metric!r}")
    function = metric.func if isinstance(metric, functools.partial) else metric
    name = name_of(function)
    is_ours = str(getattr(function, "__module__", "")).startswith(_OF_MEASURES)
    if is_ours and not takes_a_table(function) and name in other_metrics():
        raise TypeError(f"{requirement} or {otherwise}, got {name}; {other_metrics()[name]}")
    if not is_ours:  # those of gpuval say themselves which options they have
        _check_takes_a_table(metric, options, f"{requirement} or {otherwise}")
    return with_name_check(metric)


def are_labelings(labels: Any) -> bool:
    """Whether labels are several labelings: a mapping, a table with columns, or a list or tuple of vectors.

    A list of delayed values of Dask is one labeling in parts.
    """
    if isinstance(labels, list | tuple):
        first: Any = labels[0] if labels else None
        return isinstance(first, list | tuple) or (not is_dask(labels) and len(getattr(first, "shape", ())) == 1)
    return isinstance(labels, Mapping) or hasattr(labels, "columns")


def check_one_labeling(labels_pred: Any) -> None:
    """Check that ``labels_pred`` of :func:`gpuval.evaluate` is not several labelings."""
    if are_labelings(labels_pred):
        is_listed = isinstance(labels_pred, list | tuple)
        what = f"{type(labels_pred).__name__} of vectors" if is_listed else type(labels_pred).__name__
        raise TypeError(
            f"labels_pred must be one vector of labels, got {what}; gpuval.compare(labels_true, labelings) takes many"
        )


# Checks that a user's function can be a measure: that it takes one table, and no labels.

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _check_takes_a_table(function: Callable[..., Any], options: Mapping[str, Any], requirement: str) -> None:
    """Check that a function, which may be partial, can be called with a table and options.

    ``requirement`` begins the message. A function without a signature, such as some of C, is called as it is.
    """
    partial = functools.partial(function, **options)
    try:
        signature = inspect.signature(partial.func)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*partial.args, None, **partial.keywords)
    except TypeError:
        name = name_of(function)
        if partial.func is function:
            name = f"{name}({', '.join(_arguments(signature))})"
        called = " and ".join(["a Contingency", *(f"{option}=" for option in partial.keywords)])
        hint = hint_of_namesake(name_of(partial.func)) or f"it would be called with {called}"
        raise TypeError(f"{requirement}, got {name}; {hint}") from None


def _arguments(signature: inspect.Signature) -> list[str]:
    """The arguments that may be given by place, and those that must be given by name."""
    parameters = signature.parameters.values()
    needed = [x for x in parameters if x.kind is x.KEYWORD_ONLY and x.default is x.empty]
    return [x.name for x in parameters if x.kind in _BY_PLACE] + [f"{x.name}=" for x in needed]
