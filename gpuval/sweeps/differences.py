"""Which setting is the most stable, and which others cannot be told apart from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.inference.best import Difference, tell_apart
from gpuval.inference.comparison import z_value
from gpuval.inference.intervals import clip_interval, from_student, student
from gpuval.measures.measure import Direction
from gpuval.numerics import NDArray
from gpuval.registry.families import direction_of, range_of
from gpuval.results.inferences import BestLabeling, ScoreDifference
from gpuval.sweeps.agreement import PairMean, jackknife_error, mean_of_pairs, means_of_draws


class SettingScores(NamedTuple):
    """The scores of the runs of one setting by one measure."""

    runs: tuple[Any, ...]
    pairs: NDArray
    mean: PairMean


def best_setting(
    settings: Mapping[Any, SettingScores], function: Callable[..., Any], level: float, margin: float
) -> BestLabeling | None:
    """The setting with the best mean, compared with all others; None for fewer than two."""
    direction = direction_of(function)
    if len(settings) < 2 or not direction:
        return None
    first, *others = sorted(settings, key=lambda x: settings[x].mean.mean, reverse=direction == "higher")
    n_pairs = len(settings) * (len(settings) - 1) // 2
    differences = {}
    for place, other in enumerate(others):
        found = _difference(settings[first], settings[other])
        alone, together = (_with_interval(found, function, level, n) for n in (1, n_pairs))
        differences[place] = Difference(alone, together, int(found.n_units))
    gaps = tell_apart(differences, direction, level, len(settings))
    of_others = {other: gaps[place] for place, other in enumerate(others)}
    return BestLabeling(first, settings[first].mean.mean, direction, gaps=of_others, margin=margin)


class _Difference(NamedTuple):
    first: float
    second: float
    standard_error: float
    n_units: float
    """One more than the degrees of freedom."""


def _difference(first: SettingScores, second: SettingScores) -> _Difference:
    """The means of two settings, and the standard error of their difference.

    Runs of the same name were made of the same samples, or with the same seed: they are left out of both, if there are
    three or more. Without such pairs the squared standard errors add up, with the degrees of freedom of Welch and
    Satterthwaite.
    """
    a, b = first.mean, second.mean
    both = [run for run in first.runs if run in second.runs]
    if len(both) > 2:
        places = ([x.runs.index(run) for run in both] for x in (first, second))
        of_both = [mean_of_pairs(x.pairs[np.ix_(at, at)]) for x, at in zip((first, second), places, strict=True)]
        if all(len(x.without) == len(both) for x in of_both):
            error = jackknife_error(of_both[0].without - of_both[1].without)
            return _Difference(a.mean, b.mean, error, len(both))
    errors = a.standard_error, b.standard_error
    return _Difference(
        a.mean, b.mean, math.hypot(*errors), 1 + _welch_freedom(errors, (len(a.without), len(b.without)))
    )


def _with_interval(
    found: _Difference, function: Callable[..., Any], level: float, n_differences: int
) -> ScoreDifference:
    """The difference with an interval that is one of several."""
    first, second, error, n_units = found
    difference = first - second
    interval = student(difference, error, 1 - (1 - level) / n_differences, n_units)
    least, most = range_of(function)
    low, high = clip_interval((least - most, most - least), difference, *interval)
    z = z_value(difference, error)
    numbers = first, second, difference, low, high, error, z, from_student(z, n_units)
    return ScoreDifference(*numbers, "", level, "jackknife")


def _welch_freedom(errors: Sequence[float], n_runs: Sequence[int]) -> float:
    """The degrees of freedom of a sum of two squared standard errors."""
    squares = [x * x for x in errors]
    parts = sum(x * x / (n - 1) for x, n in zip(squares, n_runs, strict=True))
    return sum(squares) ** 2 / parts if parts else float(min(n_runs) - 1)


def shares_ahead(
    settings: Mapping[Any, SettingScores], direction: Direction, n_draws: int, random: np.random.Generator
) -> dict[Any, float]:
    """The share of draws of runs, with replacement, in which each setting is ahead of all others.

    Runs of the same name are drawn together. Settings that are equal share a draw. Draws in which a mean is not known
    do not count.
    """
    if len(settings) < 2:
        return {}
    names = list(dict.fromkeys(run for scores in settings.values() for run in scores.runs))
    times = random.multinomial(len(names), np.full(len(names), 1 / len(names)), size=n_draws)
    means = np.stack(
        [means_of_draws(x.pairs, times[:, [names.index(run) for run in x.runs]]) for x in settings.values()]
    )
    return dict(zip(settings, _shares_of_best(means if direction == "higher" else -means), strict=True))


def _shares_of_best(means: NDArray) -> list[float]:
    """How often each row is the largest of a column, of the columns without NaN; equal ones have equal parts."""
    known = means[:, ~np.isnan(means).any(axis=0)]
    if not known.shape[1]:
        return [math.nan] * len(means)
    is_best = known >= known.max(axis=0) - _ROUNDING
    shares: list[float] = (is_best / is_best.sum(axis=0)).mean(axis=1).tolist()
    return shares


_ROUNDING = 1e-12
