"""Means of interval measures that are updated batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from gpuval.intervals import similarity
from gpuval.intervals._measure import interval_sums
from gpuval.intervals.reading import Intervals, read_both
from gpuval.measures.means import MeansAccumulator, MeasureSettings
from gpuval.measures.measure import measures_in
from gpuval.measures.requests import MeasureRequest, Metrics, MetricsReader
from gpuval.measures.result import Formula, OnUndefined
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import constants

__all__ = ["IntervalAccumulator"]


class IntervalAccumulator(MeansAccumulator):
    """Means of interval measures over the samples of many batches; each sample has a true and a predicted interval.

    Use it in an evaluation loop, where not all samples are in memory at once: call ``update`` for each batch, then read
    ``scores``. For each measure it keeps two numbers: the sum of the values of the samples, each multiplied by its
    weight; and the sum of these weights, which differs between measures if ``on_undefined="skip"`` leaves samples out.
    So its memory does not grow with the number of batches, and no interval is kept. Both sums are in the widest float,
    and compensated: the rounding error of each addition is also summed, next to them.

    ``update`` waits for nothing on a device; invalid values there make the scores NaN. On the host invalid values are
    an error, and a batch that is refused changes nothing. Only one thread at a time may call ``update``.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.intervals`, with or without "_score", in upper or lower case; or the functions
        themselves, or a ``functools.partial`` of one with its options: ``functools.partial(inclusion_score,
        of="pred")``. A mapping gives the measures new names; "all" stands for all measures. By default the symmetric
        measures: "jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski" and "ochiai".
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", "zero", "one", or "skip", which leaves the sample out of the mean. By default the one
        that each of ``metrics`` has: "nan".

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are not measures; ``update`` raises them for everything that the measures raise, and for a
        batch of another library or device.

    Examples
    --------
    >>> from gpuval.intervals import IntervalAccumulator
    >>> accumulator = IntervalAccumulator(["jaccard", "simpson"])
    >>> accumulator.update([[0, 4], [2, 3]], [[0, 2], [2, 3]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'jaccard_score': 0.75, 'simpson_score': 1.0}
    >>> accumulator.update([[0, 4], [0, 4]], [[4, 7], [5, 7]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'jaccard_score': 0.375, 'simpson_score': 0.5}
    """

    _settings: IntervalSettings

    def __init__(self, metrics: Metrics = None, *, on_undefined: OnUndefined | None = None) -> None:
        super().__init__(IntervalSettings(READER.read(metrics), on_undefined))

    def update(self, true_intervals: Any, pred_intervals: Any, *, mask: Any = None, sample_weight: Any = None) -> None:
        """Add a batch of samples. It may be empty, or have no sample that counts.

        Parameters
        ----------
        true_intervals, pred_intervals, mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`; arrays in memory, not of Dask.
        """
        given = read_batch(true_intervals, pred_intervals, mask, sample_weight)
        with given.backend.lasting():
            self._add(self._settings.sums(given), given.true[:0, 0], "true_intervals")


# The settings of an accumulator of intervals, which two accumulators must share to be merged.


@dataclass(frozen=True)
class IntervalSettings(MeasureSettings):
    """Measures of which batches add up."""

    def sums(self, given: Intervals) -> Array:
        """The sums of the measures over the samples of a batch; of NumPy for all that lies on the host."""
        return interval_sums(given.validate(are_all=False), map(self._formula, self.measures.values()))

    def _formula(self, one: MeasureRequest) -> tuple[Formula, OnUndefined]:
        """The formula of a measure with its options, and what it is of a sample for which there is no value."""
        return functools.partial(one.measure.formula, **one.own_options), one.on_undefined(self.on_undefined)


def read_batch(true_intervals: Any, pred_intervals: Any, mask: Any, sample_weight: Any) -> Intervals:
    """Read a batch, as constants to derivatives."""
    arguments = true_intervals, pred_intervals, mask, sample_weight
    outside = "return the values of the samples from there (return_per_sample=True)"
    return read_both(*constants(arguments, outside))


# Reads ``metrics`` of intervals: names, functions, and mappings of these.


class _IntervalReader(MetricsReader[MeasureRequest]):
    requirement = "metrics must be names or functions of measures of gpuval.intervals"
    functions = "gpuval.intervals"
    elsewhere = dict.fromkeys(("true_intervals", "pred_intervals", "mask", "sample_weight"), "to update")
    kind = MeasureRequest

    def known_names(self) -> list[str]:
        return [name.removesuffix("_score") for name in self.measures]

    def read_options(self, options: dict[str, Any], measure: Any) -> dict[str, Any]:
        options = dict(options)
        if options.pop("return_per_sample", False):
            raise TypeError(
                f"return_per_sample must be False in metrics, as sums alone are kept, got it with {measure.__name__}"
            )
        measure([0, 1], [0, 1], **options)  # which raises for options that there are not
        return options


READER = _IntervalReader(measures_in(similarity))
