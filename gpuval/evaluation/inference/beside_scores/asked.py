"""Which intervals scores get: each measure has the method that suits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuval.evaluation.inference.estimation.estimates import ScoreEstimates
from gpuval.evaluation.inference.estimation.intervals import check_level
from gpuval.evaluation.inference.estimation.left_out import jackknifed
from gpuval.evaluation.inference.estimation.resampled import bootstrapped, sampler_of
from gpuval.evaluation.inference.reading import Asked, CountedLabels
from gpuval.evaluation.inference.scoring import Functions
from gpuval.evaluation.inference.suited import suited_method
from gpuval.inputs.options import check_resamples, generator


@dataclass(frozen=True)
class IntervalsAsked:
    """At which level, and by which draws."""

    level: float
    n_resamples: int
    random_state: Any

    def of(self, functions: Functions, counted: CountedLabels) -> ScoreEstimates:
        """The estimates of functions, each by the method that suits it."""
        methods = {name: suited_method(x, has_groups=counted.groups is not None) for name, x in functions.items()}
        by_jackknife = {name: x for name, x in functions.items() if methods[name] == "jackknife"}
        drawn = {name: x for name, x in functions.items() if name not in by_jackknife}
        found = dict(jackknifed(Asked(by_jackknife, False), counted, self.level)) if by_jackknife else {}
        if drawn:
            random, sampler = generator(self.random_state), sampler_of(counted)
            found |= bootstrapped(Asked(drawn, False), counted, sampler, self.n_resamples, "bca", self.level, random)
        return ScoreEstimates({name: found[name] for name in functions})


def read_intervals(confidence_level: Any, groups: Any, n_resamples: Any, random_state: Any) -> IntervalsAsked | None:
    """What is asked for; None without a level."""
    if confidence_level is None:
        if groups is not None:
            raise TypeError(
                "groups must be given with confidence_level: intervals draw whole groups; by= scores each by itself"
            )
        return None
    asked = IntervalsAsked(check_level(confidence_level), check_resamples(n_resamples), random_state)
    generator(random_state)
    return asked
