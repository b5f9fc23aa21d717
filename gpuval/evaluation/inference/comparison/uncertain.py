"""Scores of several clusterings, with their uncertainty by the paired jackknife or bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from gpuval.evaluation._common.names import name_of
from gpuval.evaluation.clustering.arguments import Metric, read_metric
from gpuval.evaluation.inference.comparison.drawn_together import scores_drawn_together
from gpuval.evaluation.inference.comparison.left_out_together import LeftOutTogether, left_out_together
from gpuval.evaluation.inference.comparison.p_values import from_replicates, from_student
from gpuval.evaluation.inference.comparison.paired import PairedLabels
from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference
from gpuval.evaluation.inference.direction import direction_of, range_of
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate
from gpuval.evaluation.inference.estimation.intervals import check_level, of_replicates, student, within
from gpuval.evaluation.inference.estimation.left_out import estimate_left_out
from gpuval.evaluation.inference.estimation.resampled import deviation, estimate_of_replicates
from gpuval.evaluation.inference.reading import with_options
from gpuval.evaluation.inference.scoring import less, scores_of_all
from gpuval.evaluation.inference.suited import suited_method
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
    method: PairedMethod | None,
    confidence_level: float,
    n_resamples: int,
    random_state: Any,
    groups: Any,
) -> Resampling:
    """Check how clusterings are to be compared: without a method, by the one that suits the measure."""
    function = read_metric(metric, "metric must be the name of a measure", "a function of a table", options)
    if method is None:
        method = suited_method(function, has_groups=groups is not None)
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
    replicates: NDArray | None
    """Of the bootstrap, shape (n_clusterings, n_resamples)."""

    @cached_property
    def left_out(self) -> LeftOutTogether:
        """The scores without each unit, of all clusterings."""
        return left_out_together(self.how.function, self.paired, self.scores)

    @property
    def _needs_left_out(self) -> bool:
        return self.how.method in ("bca", "jackknife")

    def estimate(self, place: int) -> ScoreEstimate:
        """The score of a clustering, in the library of the labels."""
        counted, how, score = self.paired.counted[place], self.how, float(self.scores[place])
        ends = range_of(how.function)
        if self.replicates is None:
            return estimate_left_out(counted, how.level, score, self.left_out.errors(place), ends)
        acceleration = self.left_out.errors(place).acceleration if self._needs_left_out else np.nan
        drawn = self.replicates[place]
        return estimate_of_replicates(counted, how.method, how.level, score, drawn, acceleration, ends)

    def difference(self, first: int, second: int) -> ScoreDifference:
        """The score of one clustering less that of another: numbers of the host."""
        if self.replicates is None:
            return self.difference_left_out(first, second)
        how, n_units = self.how, self.paired.n_units
        difference, drawn = self.difference_of_scores(first, second), self.drawn_differences(first, second)
        standard_error, acceleration = deviation(less(drawn, drawn[0])), np.nan
        if self._needs_left_out:
            standard_error, _, acceleration = self.left_out.errors_of_difference(first, second)
        interval = of_replicates(how.method, difference, drawn, how.level, acceleration, n_units)
        p_value = from_replicates(how.method, difference, drawn, acceleration, n_units)
        found = self._difference(first, second, interval, standard_error, p_value, how.method)
        return replace(found, replicates=drawn)

    def difference_left_out(self, first: int, second: int, n_differences: int = 1) -> ScoreDifference:
        """The same by the paired jackknife: one of several that hold together, by the method of Bonferroni."""
        difference, n_units = self.difference_of_scores(first, second), self.paired.n_units
        standard_error = self.left_out.errors_of_difference(first, second).standard_error
        interval = student(difference, standard_error, 1 - (1 - self.how.level) / n_differences, n_units)
        p_value = from_student(_in_errors(difference, standard_error), n_units)
        adjusted = float(np.minimum(1.0, n_differences * p_value))
        return self._difference(first, second, interval, standard_error, adjusted, "jackknife")

    def _difference(
        self,
        first: int,
        second: int,
        interval: tuple[float, float],
        standard_error: float,
        p_value: float,
        method: str,
    ) -> ScoreDifference:
        """A difference with its interval, cut at the ends of the range of differences."""
        difference, (least, most) = self.difference_of_scores(first, second), range_of(self.how.function)
        low, high = within((least - most, most - least), difference, *interval)
        of_first, of_second = float(self.scores[first]), float(self.scores[second])
        found = of_first, of_second, difference, low, high, standard_error, _in_errors(difference, standard_error)
        which = "" if np.isnan(p_value) else _ahead(low, high, self.how.direction)
        return ScoreDifference(*found, p_value, which, self.how.level, method)

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
    if how.method == "jackknife":
        replicates = None
    elif paired.n_units < 2:
        replicates = np.full((len(tables), how.n_resamples), np.nan)
    else:
        replicates = scores_drawn_together(how.function, paired, how.n_resamples, how.random)
    return UncertainScores(paired, how, scores, replicates)


def _in_errors(difference: float, standard_error: float) -> float:
    """A difference by its standard error; NaN where only this is 0."""
    return difference / (standard_error or np.nan) if difference else 0.0 * standard_error


def _ahead(low: float, high: float, direction: str) -> str:
    """Which of two clusterings is better: where the interval of the first less the second is on one side of 0."""
    if not direction or not (low > 0 or high < 0):
        return ""
    return "first" if (low > 0) == (direction == "higher") else "second"
