"""The settings of an accumulator of intervals, which two accumulators must share to be merged."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from gpuval.evaluation._common.names import described
from gpuval.evaluation.intervals.names import AskedIntervalMeasure, IntervalMetrics, read_interval_metrics
from gpuval.metrics._common.options import Formula, OnUndefined, check_on_undefined
from gpuval.metrics.intervals._measure import interval_sums
from gpuval.metrics.intervals._reading import Intervals, read_both
from gpuval.numerics import Array
from gpuval.streaming.checks import constants


@dataclass(frozen=True)
class IntervalSettings:
    """Measures of which batches add up, and what is the same in all batches."""

    asked: dict[Any, AskedIntervalMeasure]
    on_undefined: OnUndefined | None

    @classmethod
    def read(cls, metrics: IntervalMetrics, on_undefined: OnUndefined | None) -> IntervalSettings:
        """Check what was given; None stands for the default."""
        asked = read_interval_metrics(metrics)
        if on_undefined is not None:
            check_on_undefined(on_undefined)
        return cls(asked, on_undefined)

    def described(self) -> dict[str, Any]:
        """The settings by their names, in what files hold."""
        return {"metrics": described(self.asked), "on_undefined": self.on_undefined}

    def sums(self, given: Intervals) -> Array:
        """The sums of the measures over the samples of a batch; of NumPy for all that lies on the host."""
        return interval_sums(given.checked(are_all=False), map(self._formula, self.asked.values()))

    def _formula(self, one: AskedIntervalMeasure) -> tuple[Formula, OnUndefined]:
        """The formula of a measure with its options, and what it is of a sample for which there is no value."""
        options = {"on_undefined": self.on_undefined or "nan"} | one.options
        own = {name: options[name] for name in one.measure.formula.__kwdefaults__ or {} if name in options}
        return functools.partial(one.measure.formula, **own), options["on_undefined"]


def read_batch(true_intervals: Any, pred_intervals: Any, mask: Any, sample_weight: Any) -> Intervals:
    """Read a batch, as constants to derivatives."""
    arguments = true_intervals, pred_intervals, mask, sample_weight
    outside = "return the values of the samples from there (return_per_sample=True)"
    return read_both(*constants(arguments, outside))
