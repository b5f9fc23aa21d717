"""Reads ``metrics`` of rankings: names, such as "ndcg@10", functions, and mappings of these."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from gpuval.evaluation._common.names import asked_by_name, is_all, name_of
from gpuval.metrics._common.options import check_on_undefined
from gpuval.metrics.ranking import concordance, gains, retrieval, stopping
from gpuval.metrics.ranking._measures.options import read_options
from gpuval.metrics.ranking._measures.public import RankingMeasure
from gpuval.metrics.ranking.ranked import Ranked
from gpuval.metrics.ranking.two_lists import overlap

AskedMetric = str | Callable[..., Any]
RankingMetrics = AskedMetric | Iterable[AskedMetric] | Mapping[Any, AskedMetric] | None

DEFAULT_RANKING_METRICS = ("map", "mrr", "ndcg@10", "precision@10", "recall@10", "hit_rate@10")

SHORT_RANKING_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "precision": "precision_at_n",
        "recall": "recall_at_n",
        "ap": "average_precision_score",
        "map": "average_precision_score",
        "rr": "reciprocal_rank_score",
        "mrr": "reciprocal_rank_score",
        "cg": "cumulative_gain",
        "dcg": "dcg_score",
        "ndcg": "ndcg_score",
        "err": "expected_reciprocal_rank",
        "auc": "concordance_ratio",
    }
)
"""Short names of measures of rankings, in lower case."""

_FAMILIES = (concordance, gains, retrieval, stopping)

RANKING_MEASURES: Mapping[str, RankingMeasure] = MappingProxyType(
    dict(sorted((name, getattr(family, name)) for family in _FAMILIES for name in family.__all__))
)
"""The measures of one ranking, by their names, sorted."""

_OTHERS = MappingProxyType({name: getattr(overlap, name) for name in overlap.__all__})
"""The measures that take no :class:`Ranked`."""

_OF_RANKINGS = tuple(inspect.signature(Ranked.from_scores).parameters)
"""What a ranking is built of."""

_MUST_BE = "metrics must be names of measures of rankings"


class AskedMeasure(NamedTuple):
    """A measure that was asked for: it is called as ``measure(ranked, **options)``."""

    measure: Callable[..., Any]
    """A measure of :mod:`gpuval.ranking`, which has a ``formula``, or a function of users."""
    options: dict[str, Any]
    """Those of its formula, and ``on_undefined`` if that was given; none of a function of users."""

    @property
    def is_ours(self) -> bool:
        """Whether it is a measure of this library."""
        return hasattr(self.measure, "formula")


def read_ranking_metrics(metrics: RankingMetrics) -> dict[Any, AskedMeasure]:
    """The measures that ``metrics`` stands for, by their full names, such as "ndcg_score@10", or the keys of a mapping.

    A function is one of :mod:`gpuval.ranking`, a ``functools.partial`` of such a one with its options, or any function
    of a :class:`Ranked`.
    """
    if metrics is None:
        metrics = DEFAULT_RANKING_METRICS
    if is_all(metrics):
        return {name: AskedMeasure(measure, {}) for name, measure in RANKING_MEASURES.items()}
    return asked_by_name(metrics, _read, "a Ranked")


def _read(metric: AskedMetric) -> tuple[str, AskedMeasure]:
    """The full name of what was asked for, and its measure."""
    if isinstance(metric, str):
        return _named(metric)
    if not callable(metric):
        raise TypeError(f"{_MUST_BE} or functions of a Ranked, got {metric!r}")
    function = metric.func if isinstance(metric, functools.partial) else metric
    _check_takes_a_ranked(function)
    if not isinstance(metric, functools.partial) or not hasattr(function, "formula"):
        return name_of(metric), AskedMeasure(metric, {})
    if metric.args:
        raise TypeError(
            f"{_MUST_BE} or functions of a Ranked, got {name_of(metric)}; give the options of {name_of(function)} "
            "alone, by their names"
        )
    _check_of_one_measure(metric.keywords, name_of(function))
    of_all = {name: x for name, x in metric.keywords.items() if name == "on_undefined"}
    for on_undefined in of_all.values():
        check_on_undefined(on_undefined)
    own = {name: x for name, x in metric.keywords.items() if name not in of_all}
    return name_of(metric), AskedMeasure(function, read_options(own, function.formula) | of_all)


def _check_of_one_measure(options: Iterable[str], measure: str) -> None:
    """Check that the options that come with a measure are not those of the ranking, nor of all measures at once."""
    for name in options:
        if name in _OF_RANKINGS:
            raise TypeError(
                f"{name}= must be given with the ranking, to evaluate, to Ranked.from_scores, or to an accumulator or "
                f"its update, got it with {measure} in metrics"
            )
        if name == "return_per_query":
            raise TypeError(f"{name}= must be given to evaluate, for all measures, got it with {measure} in metrics")


def _check_takes_a_ranked(function: Callable[..., Any]) -> None:
    """Check that a function of this library is a measure of rankings; one of a user may be any."""
    name, module = name_of(function), getattr(function, "__module__", None) or ""
    if module.partition(".")[0] == "gpuval" and RANKING_MEASURES.get(name) is not function:
        raise TypeError(f"{_MUST_BE} or functions of a Ranked, got {name}, which takes no Ranked; call it by itself")


def _named(given: str) -> tuple[str, AskedMeasure]:
    """The measure of a name, full or short, in any case, with "@10" for ``n=10``."""
    key, at, digits = given.lower().partition("@")
    key = SHORT_RANKING_NAMES.get(key, key)
    if key not in RANKING_MEASURES:
        raise ValueError(f"{_MUST_BE}, got {given!r}; {_hint(key)}")
    if not at:
        return key, AskedMeasure(RANKING_MEASURES[key], {})
    if "n" not in (RANKING_MEASURES[key].formula.__kwdefaults__ or {}):
        raise ValueError(f"{_MUST_BE}, got {given!r}; {key} has no n, leave out the @{digits}")
    if not (digits.isascii() and digits.isdigit() and int(digits) > 0):
        raise ValueError(f"{_MUST_BE}, with @ and a positive integer where only the first n count, got {given!r}")
    return f"{key}@{int(digits)}", AskedMeasure(RANKING_MEASURES[key], {"n": int(digits)})


def _hint(key: str) -> str:
    """Which measure may be meant, or how a public function is called that is none of a ranking."""
    if key == "all":
        return '"all" is given alone, not as one of several'
    if key in _OTHERS:
        return f"gpuval.ranking.{key} takes no Ranked; call it by itself"
    import difflib  # not at the top: it takes a while to load, and few names are wrong

    shorts = [short for short, full in SHORT_RANKING_NAMES.items() if full in RANKING_MEASURES]
    similar = difflib.get_close_matches(key, [*RANKING_MEASURES, *shorts])
    return f"did you mean {' or '.join(similar)}?" if similar else f"there are {', '.join(RANKING_MEASURES)}"
