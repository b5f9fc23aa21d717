"""The measures by their full and short names, and the reason why a public measure is not among ``METRICS``.

Nothing here reads data: a wrong name is an error before a file is read or a table is built.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gpuval.measures.measure import Direction, Measure, declared, find_measures, full_names, names_by_short, usual_names
from gpuval.measures.result import Formula
from gpuval.metrics.external._metric import Metric
from gpuval.table.labels import check_some_are_the_same

__all__ = ["METRICS"]


_OF_TABLES = tuple(find_measures("metrics.external"))
OF_EVALUATIONS = {x.name: x for x in _OF_TABLES if x.values == "one" and not x.draws}
"""The measures of tables that evaluations take, by their names."""

METRICS: Mapping[str, Metric] = MappingProxyType(
    {name: measure.function for name, measure in OF_EVALUATIONS.items() if not measure.reads_names}
)
"""A mapping from names to all external measures that return one number; read-only.

It does not contain the internal measures, such as the silhouette, which need the samples (see ``INTERNAL_METRICS``),
nor Cohen's kappa, which compares the labels themselves and must be asked for, nor the standardised mutual information,
which may draw random tables. :func:`gpuval.evaluate` lists the short names of some measures.
"""


def _with_check(measure: Measure) -> Callable[..., Any]:
    """A measure that compares names, of which an evaluation asks that both sides have some in common.

    A table of given size has the labels 0, 1, ... on both; that of a part of the samples need have none.
    """

    @functools.wraps(measure.function)
    def score(table: Any, **options: Any) -> Any:
        check_same_names(table)
        return measure.function(table, **options)

    score.measure = replace(measure, function=score)  # type: ignore[attr-defined]
    return score


OF_SAME_NAMES: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {name: _with_check(measure) for name, measure in OF_EVALUATIONS.items() if measure.reads_names}
)
"""Measures of a table that compare the labels themselves: "all" does not stand for them."""


def check_same_names(table: Any) -> None:
    """Check that both sides of a table, unless its size was given, have some names in common, which kappa compares."""
    if not table.fixed:
        check_some_are_the_same(table.classes, table.clusters, table.scales, "cohen_kappa_score")


def compares_names(functions: Iterable[Callable[..., Any]]) -> bool:
    """Whether one of the functions is a measure that compares the labels themselves."""
    return any(measure is not None and measure.reads_names for measure in map(measure_of, functions))


def with_name_check(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function, also a partial one, as evaluations call it: with a check that names can be compared."""
    if isinstance(function, functools.partial):
        return functools.partial(with_name_check(function.func), *function.args, **function.keywords)
    measure = declared(function)
    return function if measure is None else OF_SAME_NAMES.get(measure.name, function)


def measure_of(function: Callable[..., Any]) -> Measure | None:
    """What is declared of a measure of a table, with its default options; None of any other function."""
    found = declared(function)
    return found if found is not None and found.name in OF_EVALUATIONS else None


def measure_named(name: str) -> Measure | None:
    """The measure of a table, or of samples, with a full or a short name, in any case; None if there is none."""
    key = name.lower()
    measure = OF_EVALUATIONS.get(SHORT_NAMES.get(key, key))
    if measure is None:
        from gpuval.registry.internal import INTERNAL_METRICS, SHORT_INTERNAL_NAMES  # only now: few results have them

        function = INTERNAL_METRICS.get(SHORT_INTERNAL_NAMES.get(key, key))
        measure = None if function is None else declared(function)
    return measure


def takes_a_table(function: Callable[..., Any]) -> bool:
    """Whether a function is a measure of labels that can be called with their table."""
    measure = declared(function)
    return measure is not None and measure.family.of_two and measure.values != "samples"


def direction_of(function: Callable[..., Any]) -> Direction:
    """Which scores are better: of a function of a user the higher ones, whatever its name is."""
    measure = measure_of(function)
    return "higher" if measure is None else measure.better


def range_of(function: Callable[..., Any]) -> tuple[float, float]:
    """The lowest and the highest score of a measure, with its options; none are known of any other function."""
    measure = measure_of(function)
    if measure is None:
        return -math.inf, math.inf
    options = function.keywords if isinstance(function, functools.partial) else {}
    return measure.with_options(options).range


def formula_of(function: Callable[..., Any]) -> Formula | None:
    """The formula of a measure of ``METRICS``, if it has one; None for any other function."""
    measure = declared(function)
    return METRICS[measure.name].formula if measure is not None and measure.name in METRICS else None


DEFAULT_METRICS = usual_names(_OF_TABLES)
"""Those that are reported most."""

SHORT_NAMES: Mapping[str, str] = MappingProxyType(full_names(_OF_TABLES))
"""Short names of measures, in lower case."""

AMBIGUOUS_NAMES = {short: names for short, names in names_by_short(_OF_TABLES).items() if len(names) > 1}
"""Short names that the literature gives to more than one measure."""

_ONE_OF = {"isolated_labels_score": ["X= or clusterings="]}
"""Arguments of which one must be given by its name."""

_OF_CELLS = {
    "integration_scores": (
        "integration_scores gives the scores of an embedding: gpuval.integration_scores(X, batch, label, neighbors=)"
    )
}
"""What is said of a function whose module needs this one, and so cannot be loaded here."""


def full_name(name: str, requirement: str = "metrics must be names of measures") -> str:
    """The name of the measure of a table that ``name`` stands for: a full or a short name, in any case.

    Raises
    ------
    ValueError
        For any other name: ``requirement``, the name, and which measure may be meant or how it is called.
    """
    key = name.lower()
    key = SHORT_NAMES.get(key, key)
    if key in METRICS or key in OF_SAME_NAMES:
        return key
    if key == "all":
        one, other = "is for evaluate() and compare()", "is given alone, not as one of several"
        raise ValueError(f'{requirement}, got {name!r}; "all" {one if requirement.startswith("metric ") else other}')
    raise ValueError(f"{requirement}, got {name!r}; {_hint(key)}")


def _hint(key: str) -> str:
    """How the public measure is called that is asked for, or which of ``METRICS`` may be meant."""
    from gpuval.registry.internal import SHORT_INTERNAL_NAMES  # only now: few names are wrong

    key = SHORT_INTERNAL_NAMES.get(key, key)
    others = other_metrics()
    if key in others:
        return others[key]
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    known = [*METRICS, *OF_SAME_NAMES, *others, *SHORT_NAMES]
    similar = AMBIGUOUS_NAMES.get(key) or difflib.get_close_matches(key, known)
    return f"did you mean {' or '.join(similar)}?" if similar else "gpuval.METRICS has them all"


def hint_of_namesake(name: str) -> str | None:
    """How the public measure is called that has the name of a function which takes no table; None without one."""
    known = name in METRICS or name in OF_SAME_NAMES
    return f'give "{name}" for the one of gpuval' if known else other_metrics().get(name)


@functools.cache
def other_metrics() -> Mapping[str, str]:
    """Why each public measure that is not among ``METRICS`` is not, and how it is called.

    They are loaded here, as only messages need them.
    """
    others = (measure for measure in find_measures("metrics.") if measure.name not in {*METRICS, *OF_SAME_NAMES})
    return {measure.name: _why_other(measure) for measure in others} | _OF_CELLS


def _why_other(measure: Measure) -> str:
    from gpuval.metrics.internal._measure import INTERNAL  # only now: it needs the geometry of samples

    if measure.needs:
        reason = f"needs {measure.needs}"
    elif measure.draws:
        reason = "may draw random tables"
    else:
        reason = "gives a value for each sample" if measure.values == "samples" else "gives more than one number"
    call = f"{measure.name} {reason}: gpuval.{measure.name}({', '.join(_arguments(measure.function))})"
    return f"{call}, or gpuval.evaluate(..., X=X)" if measure.family is INTERNAL and measure.values == "one" else call


def _arguments(metric: Callable[..., Any]) -> list[str]:
    """The arguments that may be given by place, the data, and what must be given by name; no options."""
    parameters = inspect.signature(metric).parameters.values()
    by_place = [x.name for x in parameters if x.kind is x.POSITIONAL_OR_KEYWORD]
    return by_place + _ONE_OF.get(metric.__name__, [])
