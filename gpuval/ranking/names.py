"""Names of measures of rankings, such as "ndcg@10", and what ``metrics`` of rankings stands for."""

from __future__ import annotations

import inspect
from typing import Any

from gpuval.measures.measure import Function, measures_in
from gpuval.measures.requests import MeasureRequest, MetricsReader, name_of
from gpuval.ranking import correlations, gains, overlap, retrieval, stopping
from gpuval.ranking._measure import read_options
from gpuval.ranking.ranked import Ranked

_WITH_RANKING = "with the ranking, to evaluate, to Ranked.from_scores, or to an accumulator or its update"


class _RankingReader(MetricsReader[MeasureRequest]):
    requirement = "metrics must be names of measures of rankings"
    or_functions = " or functions of a Ranked"
    functions = "a Ranked"
    elsewhere = dict.fromkeys(inspect.signature(Ranked.from_scores).parameters, _WITH_RANKING) | {
        "return_per_query": "to evaluate, for all measures"
    }
    kind = MeasureRequest

    def usual_name(self, name: str) -> str:
        n = self.measures[name].usual_n
        return name if n is None else f"{name}@{n}"

    def read_name(self, given: str) -> tuple[str, MeasureRequest]:
        """The measure of a name, full or short, with "@10" for ``n=10``."""
        key, at, digits = given.lower().partition("@")
        measure = self.find(key, given)
        name = measure.__name__
        if not at:
            return name, MeasureRequest(measure, {})
        if "n" not in (measure.formula.__kwdefaults__ or {}):
            raise ValueError(f"{self.requirement}, got {given!r}; {name} has no n, leave out the @{digits}")
        if not (digits.isascii() and digits.isdigit() and int(digits) > 0):
            raise ValueError(
                f"{self.requirement}, with @ and a positive integer where only the first n count, got {given!r}"
            )
        return f"{name}@{int(digits)}", MeasureRequest(measure, {"n": int(digits)})

    def read_options(self, options: dict[str, Any], measure: Any) -> dict[str, Any]:
        return read_options(options, measure.formula)

    def read_other(self, metric: Function, function: Function) -> tuple[str, MeasureRequest]:
        """A function of a user, which takes a :class:`Ranked`; one of this library is no measure of rankings."""
        if (getattr(function, "__module__", None) or "").partition(".")[0] == "gpuval":
            raise TypeError(
                f"{self.requirement}{self.or_functions}, got {name_of(function)}, which takes no Ranked; call it by "
                "itself"
            )
        return name_of(metric), MeasureRequest(metric, {})

    def hint(self, key: str) -> str:
        if key in (*correlations.__all__, *overlap.__all__):
            return f"gpuval.ranking.{key} takes no Ranked; call it by itself"
        return super().hint(key)


READER = _RankingReader(measures_in(gains, retrieval, stopping))
"""Gives the measures by their full names, such as "ndcg_score@10", or by the keys of a mapping.

A function is one of :mod:`gpuval.ranking`, a ``functools.partial`` of such a one with its options, or any function of a
:class:`Ranked`.
"""


def ranking_name(name: Any) -> Any:
    """The full name of a measure, for its short one in any case, with what is after the "@"."""
    if not isinstance(name, str):
        return name
    key, at, digits = name.lower().partition("@")
    return f"{READER.shorts.get(key, key)}{at}{digits}"
