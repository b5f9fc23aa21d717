"""The parts of a sweep: its measures and their scores, the numbers in names, and what it must be given."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from gpuval.inputs.options import as_number, check_option
from gpuval.measures.measure import ARROW, Measure
from gpuval.numerics import NDArray
from gpuval.plots._axes import name_on_plot
from gpuval.results.columns import measure_of_key
from gpuval.results.evaluations import Comparison, Evaluation
from gpuval.results.scores import ByMeasure, host_value, parts, plain
from gpuval.results.texts import common_direction
from gpuval.results.verdict import voices_among


def check_lines(names: Sequence[Any], scores: Mapping[Any, NDArray], *more: tuple[str, Mapping[Any, NDArray]]) -> None:
    """Check that each line has a number for each name, and that what there is more, such as ends, is of these lines."""
    if not names or not scores:
        raise ValueError(f"scores must be of at least one labeling, got {len(scores)} of {len(names)}")
    for argument, lines in (("scores", scores), *more):
        for line, values in lines.items():
            _check_line(argument, line, scores)
            if values.shape != (len(names),):
                raise ValueError(
                    f"{argument} must be one for each of the {len(names)} names, got shape {values.shape} of {line!r}"
                )


def check_ends(low: Mapping[Any, NDArray], high: Mapping[Any, NDArray]) -> None:
    """Check that intervals have both ends."""
    if low.keys() != high.keys():
        raise ValueError(f"low and high must be of the same lines, got {list(low)!r} and {list(high)!r}")


def check_numbers(names: Sequence[Any], numbers: Sequence[float]) -> None:
    """Check that there is a finite number for each name."""
    if len(numbers) != len(names):
        raise ValueError(f"numbers must be one for each of the {len(names)} names, got {len(numbers)}")
    if not np.isfinite(numbers).all():
        raise ValueError(f"numbers must be finite, got {numbers!r}")


def check_directions(directions: Mapping[Any, str], scores: Mapping[Any, NDArray]) -> None:
    """Check that directions are of lines, and known."""
    for line, direction in directions.items():
        _check_line("directions", line, scores)
        check_option(f"directions[{line!r}]", direction, ("higher", "lower", ""))


def _check_line(argument: str, line: Any, scores: Mapping[Any, NDArray]) -> None:
    if line not in scores:
        raise ValueError(f"{argument} must be of lines that scores has, {list(scores)!r}, got {line!r}")


JACCARD = "Jaccard index, mean over runs"
"""What the scores of clusters are that say how stable these are."""

# Which measures of a comparison a sweep shows, and their scores as numbers.

MOST_LINES = 24
"""Lines that are told apart; of more, only their median is."""
_MOST_BY_DEFAULT = 3
"""Measures that are drawn if none is named."""
_NOT_FINITE = "all scores are NaN or infinite"


class NumbersOf:
    """The scores of an evaluation as numbers, NaN where they are none."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.scores = {name: host_value(score) for name, score in parts(evaluation)}
        self.directions = evaluation.directions
        self.is_small = evaluation.shown().is_small
        self._intervals = dict(evaluation.intervals or {})
        self.level = next((x.confidence_level for x in self._intervals.values()), None)

    def has_number(self, metric: Any) -> bool:
        """Whether a score is a single real number, which may be NaN."""
        return isinstance(self.scores.get(metric), float | int)

    def score(self, metric: Any) -> float:
        """A score, NaN if it is no finite number."""
        number = as_number("score", self.scores[metric]) if self.has_number(metric) else math.nan
        return number if math.isfinite(number) else math.nan

    def interval(self, metric: Any) -> tuple[float, float]:
        """The ends of the interval of a score, NaN if it has none."""
        estimate = self._intervals.get(metric)
        return (math.nan, math.nan) if estimate is None else (float(plain(estimate.low)), float(plain(estimate.high)))


def measures_to_draw(comparison: Comparison, evaluations: Sequence[NumbersOf], metrics: Any) -> list[Any]:
    """The names of the measures to draw, which have a score; of a comparison with values of ``by`` a single one."""
    is_one = comparison.levels == ("labeling", "by")
    names = list(dict.fromkeys(name for x in evaluations for name in x.scores))
    scores = {name: np.asarray([x.score(name) for x in evaluations]) for name in names}
    drawn = [name for name, values in scores.items() if not np.isnan(values).all()]
    numbers = [name for name in names if any(x.has_number(name) for x in evaluations)]
    if metrics is None:
        return _default_measures(comparison, scores, drawn, numbers)[: 1 if is_one else _MOST_BY_DEFAULT]
    asked = [metrics] if _names_one(scores, metrics) else list(metrics)
    if not asked:
        raise ValueError("metrics must have at least one measure, got none")
    found = list(dict.fromkeys(_find_name(scores, metric) for metric in asked))
    if len(found) > MOST_LINES:
        raise ValueError(f"metrics must be at most {MOST_LINES}, to be told apart, got {len(found)}")
    if is_one and len(found) > 1:
        raise ValueError(f"metrics must be one measure of a comparison with by, got {len(found)}: {_names_text(found)}")
    if missing := [x for x in found if x not in numbers]:
        raise ValueError(f"metrics must be of single numbers, got {missing[0]!r}, which has none")
    if kept := [x for x in found if x in drawn]:
        return kept
    raise ValueError(
        f"metrics must have a measure with finite scores, got {_names_text(found)}, of which {_NOT_FINITE}"
    )


def _default_measures(
    comparison: Comparison, scores: Mapping[Any, NDArray], drawn: list[Any], numbers: list[Any]
) -> list[Any]:
    """The voices of the verdict of a comparison; else measures that are better one way and of one scale."""
    shown = {name: x.shown() for name, x in comparison.items()}
    voices = voices_among(shown) if comparison.voices is None else comparison.voices
    directed = [x for x in drawn if common_direction(x, shown.values())]
    chosen = [x for x in voices if x in directed] or directed
    of_one_scale = [x for x in chosen if np.nanmax(np.abs(scores[x])) <= 1.0 + 1e-9]
    rising = [x for x in of_one_scale if common_direction(x, shown.values()) == "higher"]
    if chosen:
        return rising or of_one_scale or chosen[:1]
    without = [x for x in numbers if x not in drawn]
    raise ValueError(
        "comparison must have a measure with scores of which higher or lower ones are better; others are to be named "
        f"in metrics, got {_names_text(scores)}" + (f"; of {_names_text(without)} {_NOT_FINITE}" if without else "")
    )


def name_of_line(metric: Any, measure: Measure | None) -> str:
    """What a line of a measure is called: its name, or that which a user gave it; an arrow says that low is better."""
    is_own = measure is None or measure is not measure_of_key(metric)
    name = name_on_plot(metric, 32) if is_own else measure.sentence_name  # type: ignore[union-attr]
    return name + f" {ARROW}" * (measure is not None and measure.better == "lower")


def _names_one(scores: Mapping[Any, NDArray], metrics: Any) -> bool:
    """Whether one measure is named, and not several: a tuple may be the key that a mapping gave to one."""
    if not isinstance(metrics, Iterable):
        raise TypeError(f"metrics must be names of measures of the comparison, got {metrics!r}")
    return isinstance(metrics, str) or (isinstance(metrics, tuple) and _is_key(scores, metrics))


def _is_key(scores: Mapping[Any, NDArray], metric: Any) -> bool:
    try:
        return metric in scores
    except TypeError:  # a list, or a tuple with one
        return False


def _find_name(scores: Mapping[Any, NDArray], metric: Any) -> Any:
    """The name that a measure has in the comparison."""
    try:
        return ByMeasure({name: name for name in scores})[metric]
    except (KeyError, TypeError):  # a list is no key
        raise ValueError(f"metrics must be measures of the comparison, {_names_text(scores)}, got {metric!r}") from None


def _names_text(metrics: Iterable[Any]) -> str:
    names = [name_on_plot(x, 40) for x in metrics]
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


# The numbers by which the names of labelings differ, and the axis that they are along.

_NUMBER = re.compile(r"(?:(?:^|(?<=[=_:(,\[\s]))[-+])?(?:\d+\.?\d*|(?<![A-Za-z])\.\d+)(?:[eE][-+]?\d+)?")
"""A sign is one only at the start, or after "=" and the like; in "k-10" it is a dash, as the point in "res.10"."""
_AMBIGUOUS = re.compile(
    r"""
    \d\s*[-+*/^:,]+\s*(?=\.?\d)  # fractions, dates, ranges, times, sums, powers, decimal commas
    | \d\.\d+(?=\.\d)  # versions
    | (?<![a-z])(?:v|ver|version)[\s_.]*\d+\.\d  # also those of two parts, where 1.11 follows 1.9
    | \d[\s_']0\d\d(?!\d)  # thousands
    | (?<!\d)0_(?=\d)  # 0_25 for 0.25
    | (?:--|\u2212)(?=\.?\d)  # what may be a sign
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What a number is a part of, or is beside, that may be no single number."""
_MAYBE_A_POINT = re.compile(r"(?:[A-Za-z]\.|\d_)$")
"""What stands before a number that may be the digits after a decimal point, as in "eps.25" and "res_1_25"."""
_LARGE_RATIO = 50.0
"""Of the largest number to the smallest: the smaller ones of such numbers lie on one spot of a linear axis."""
_SMALLEST, _LARGEST = 1e-100, 1e100
"""Numbers that leave the limits of an axis within the range of floats."""


def numbers_in_names(names: Sequence[Any]) -> tuple[list[float] | None, str]:
    """The numbers by which all names differ and what else they say; None if they differ by something else.

    What cannot be read as one number in one way only is none: better no axis than a wrong one.

    Examples
    --------
    >>> numbers_in_names(["leiden_0.4", "leiden_1.0"])
    ([0.4, 1.0], 'leiden')
    >>> numbers_in_names(["k=8 (pca)", "k=16 (pca)"])
    ([8.0, 16.0], 'k (pca)')
    >>> numbers_in_names(["leiden", "louvain"]), numbers_in_names(["v1.2.9", "v1.2.10"])
    ((None, 'labeling'), (None, 'labeling'))
    """
    if len(names) < 2:
        return None, "labeling"
    if all(isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in names):
        return _distinct_numbers([as_number("names", x) for x in names]), "labeling"
    if not all(isinstance(x, str) for x in names):
        return None, "labeling"
    texts, numbers = [_NUMBER.split(x) for x in names], [_NUMBER.findall(x) for x in names]
    differing = [place for place, found in enumerate(zip(*numbers, strict=False)) if len(set(found)) > 1]
    if any(x != texts[0] for x in texts) or len(differing) != 1:
        return None, "labeling"
    spans = [list(_NUMBER.finditer(x))[differing[0]].span() for x in names]
    if any(_is_ambiguous(x, *span) for x, span in zip(names, spans, strict=True)):
        return None, "labeling"
    own = [x[start:end] for x, (start, end) in zip(names, spans, strict=True)]
    found = list(map(float, own))
    if any(re.fullmatch(r"\d+\.\d*0", x) for x in own) and found != sorted(found):
        versions = [list(map(float, re.findall(r"\d+", x))) for x in own]
        if versions == sorted(versions):
            return None, "labeling"  # 1.9 and 1.10
    start, end = spans[0]
    if _MAYBE_A_POINT.search(names[0][:start]) and all(map(str.isdigit, own)) and len(set(map(len, own))) > 1:
        return None, "labeling"  # 5 and 25, or 0.5 and 0.25, which are in another order
    shared = " ".join(filter(None, (x.strip(" _-=:.,/") for x in (names[0][:start], names[0][end:]))))
    return _distinct_numbers(found), shared or "labeling"


def texts_of_numbers(numbers: Sequence[float]) -> list[str]:
    """The numbers with all digits, by which they differ.

    Examples
    --------
    >>> texts_of_numbers([0.1234567, 0.1234568, 1000000.0, 0.1 + 0.2])
    ['0.1234567', '0.1234568', '1000000', '0.3']
    """
    return [f"{x:.15g}" for x in numbers]


def _is_ambiguous(name: str, start: int, end: int) -> bool:
    """Whether what looks like a number may be a part of something else, such as a version, a fraction or a power."""
    beside = name[max(0, start - 1) : start] + name[end : end + 1]
    return any(x.isnumeric() for x in beside) or any(
        found.start() <= end and start <= found.end() for found in _AMBIGUOUS.finditer(name)
    )


def _distinct_numbers(numbers: list[float]) -> list[float] | None:
    """The numbers, if an axis can have them and no two are the same."""
    return numbers if len(set(numbers)) == len(numbers) and all(abs(x) <= _LARGEST for x in numbers) else None


def span_a_large_ratio(numbers: Sequence[float]) -> bool:
    """Whether numbers are positive and too far apart for a linear axis, where half of them would lie on one spot.

    Examples
    --------
    >>> span_a_large_ratio([0.1, 1.0, 10.0, 100.0]), span_a_large_ratio([0.5, 1.0, 2.0])
    (True, False)
    >>> span_a_large_ratio([0.0, 100.0]), span_a_large_ratio(range(1, 101))
    (False, False)
    """
    low, middle, high = min(numbers), float(np.median(np.asarray(numbers))), max(numbers)
    return low >= _SMALLEST and high <= _LARGEST and high / low >= _LARGE_RATIO and middle <= high / 5


# What is drawn, and how a line is.


class SweepNumbers(Protocol):
    """What is drawn."""

    names: list[Any]
    scores: dict[Any, NDArray]
    numbers: list[float] | None
    low: dict[Any, NDArray]
    high: dict[Any, NDArray]
    expected: dict[Any, NDArray]
    best: dict[Any, int]
    best_sets: dict[Any, tuple[int, ...]]
    line_names: dict[Any, str]
    short_names: dict[Any, str]
    halves: tuple[Any, ...]
    n_clusters: list[float] | None
    n_classes: int | None
    axis_name: str
    score_name: str
    confidence_level: float | None


class LineStyle(NamedTuple):
    """How a line is drawn."""

    color: str
    marker: str
    dashes: Any
    width: float
    is_half: bool
    has_band: bool
