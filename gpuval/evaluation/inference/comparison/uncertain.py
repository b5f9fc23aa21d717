"""Scores of several clusterings, with their uncertainty by the paired jackknife or bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gpuval.evaluation._common.names import name_of
from gpuval.evaluation.clustering.arguments import Metric, read_metric
from gpuval.evaluation.inference.comparison.drawn_together import scores_drawn_together
from gpuval.evaluation.inference.comparison.left_out_together import LeftOutTogether, left_out_together, less
from gpuval.evaluation.inference.comparison.p_values import from_normal, from_replicates
from gpuval.evaluation.inference.comparison.paired import PairedLabels
from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference
from gpuval.evaluation.inference.direction import direction_of
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate
from gpuval.evaluation.inference.estimation.intervals import check_level, normal, of_replicates
from gpuval.evaluation.inference.estimation.left_out import estimate_left_out
from gpuval.evaluation.inference.estimation.resampled import deviation, estimate_of_replicates
from gpuval.evaluation.inference.reading import with_options
from gpuval.evaluation.inference.scoring import scores_of_all
from gpuval.inputs.options import check_option, check_resamples, generator
from gpuval.numerics import NDArray

PairedMethod = Literal["bca", "percentile", "basic", "jackknife"]


@dataclass(frozen=True, eq=False)
class Resampling:
    """How clusterings are compared, as it was checked."""

    function: Callable[..., Any]
    name: str
    """What messages call the function."""
    direction: str
    """Which scores are the better ones: "higher", "lower", or "" where none are."""
    method: PairedMethod
    level: float
    n_resamples: int
    random: np.random.Generator


def read_resampling(
    metric: Metric,
    options: dict[str, Any],
    method: PairedMethod,
    confidence_level: float,
    n_resamples: int,
    random_state: Any,
) -> Resampling:
    """Check how clusterings are to be compared."""
    function = read_metric(metric, "metric must be the name of a measure", "a function of a table", options)
    check_option("method", method, ("bca", "percentile", "basic", "jackknife"))
    level, n_resamples = check_level(confidence_level), check_resamples(n_resamples)
    direction = direction_of(function)
    asked = with_options(function, options)
    return Resampling(asked, name_of(asked), direction, method, level, n_resamples, generator(random_state))


@dataclass(frozen=True, eq=False)
class UncertainScores:
    """The scores of clusterings, and those of what was left out or drawn, of the same units for all."""

    paired: PairedLabels
    how: Resampling
    scores: NDArray
    """Shape (n_clusterings,)."""
    left_out: LeftOutTogether | None
    """Of the methods "bca" and "jackknife"."""
    replicates: NDArray | None
    """Of the bootstrap, shape (n_clusterings, n_resamples)."""

    def estimate(self, place: int) -> ScoreEstimate:
        """The score of a clustering, in the library of the labels."""
        counted, how, score = self.paired.counted[place], self.how, float(self.scores[place])
        errors = None if self.left_out is None else self.left_out.errors(place)
        if self.replicates is None:
            assert errors is not None
            return estimate_left_out(counted, how.level, score, errors)
        acceleration = np.nan if errors is None else errors.acceleration
        return estimate_of_replicates(counted, how.method, how.level, score, self.replicates[place], acceleration)

    def difference(self, first: int, second: int) -> ScoreDifference:
        """The score of one clustering less that of another: numbers of the host."""
        how = self.how
        difference = self.difference_of_scores(first, second)
        errors = None if self.left_out is None else self.left_out.errors_of_difference(first, second)
        drawn = self.drawn_differences(first, second)
        standard_error = deviation(less(drawn, drawn[0])) if errors is None else errors.standard_error
        z = difference / (standard_error or np.nan) if difference else 0.0 * standard_error
        if self.replicates is None:
            low, high = normal(difference, standard_error, how.level)
            p_value, kept = from_normal(z), None
        else:
            acceleration = np.nan if errors is None else errors.acceleration
            low, high = of_replicates(how.method, difference, drawn, how.level, acceleration)
            p_value, kept = from_replicates(drawn), drawn
        of_first, of_second = float(self.scores[first]), float(self.scores[second])
        found = of_first, of_second, difference, low, high, standard_error, z, p_value
        which = "" if np.isnan(p_value) else _ahead(low, high, how.direction)
        return ScoreDifference(*found, which, how.level, how.method, kept)

    def difference_of_scores(self, first: int, second: int) -> float:
        """The score of one clustering less that of another."""
        return float(less(self.scores[first], self.scores[second]))

    def drawn_differences(self, first: int, second: int) -> NDArray:
        """The same of resampled tables, shape (n_resamples,); none of the jackknife."""
        return np.zeros(0) if self.replicates is None else less(self.replicates[first], self.replicates[second])

    def back(self, difference: ScoreDifference) -> ScoreDifference:
        """A difference of the host in the library, and on the device, of the labels."""
        back = self.paired.counted[0].back
        names = ("first", "second", "difference", "low", "high", "standard_error", "z", "p_value")
        found = {name: back(getattr(difference, name)) for name in names}
        drawn = None if difference.replicates is None else back(difference.replicates)
        return replace(difference, replicates=drawn, **found)


def uncertain_scores(paired: PairedLabels, how: Resampling) -> UncertainScores:
    """Score clusterings, and resample them together; NaN replicates of fewer than two units."""
    tables = [counted.table for counted in paired.counted]
    scores = np.asarray([scores_of_all({how.name: how.function}, table, "metric")[how.name] for table in tables])
    left_out = left_out_together(how.function, paired, scores) if how.method in ("bca", "jackknife") else None
    if how.method == "jackknife":
        replicates = None
    elif paired.n_units < 2:
        replicates = np.full((len(tables), how.n_resamples), np.nan)
    else:
        replicates = scores_drawn_together(how.function, paired, how.n_resamples, how.random)
    return UncertainScores(paired, how, scores, left_out, replicates)


def _ahead(low: float, high: float, direction: str) -> str:
    """Which of two clusterings is better: where the interval of the first less the second is on one side of 0."""
    if not direction or not (low > 0 or high < 0):
        return ""
    return "first" if (low > 0) == (direction == "higher") else "second"
