"""Means of interval measures that are updated batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.evaluation._common.means import MeansAccumulator
from gpuval.evaluation.intervals.names import IntervalMetrics
from gpuval.evaluation.intervals.settings import IntervalSettings, read_batch
from gpuval.metrics._common.options import OnUndefined

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
        of="pred")``. A mapping gives the measures new names. By default the symmetric measures: "jaccard", "simpson",
        "braun_blanquet", "sorensen", "kulczynski" and "ochiai".
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

    def __init__(self, metrics: IntervalMetrics = None, *, on_undefined: OnUndefined | None = None) -> None:
        super().__init__(IntervalSettings.read(metrics, on_undefined))

    def update(self, true_intervals: Any, pred_intervals: Any, *, mask: Any = None, sample_weight: Any = None) -> None:
        """Add a batch of samples. It may be empty, or have no sample that counts.

        Parameters
        ----------
        true_intervals, pred_intervals, mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`; arrays in memory, not of Dask.
        """
        given = read_batch(true_intervals, pred_intervals, mask, sample_weight)
        with backend_of(given.true).lasting():
            self._add(self._settings.sums(given), given.true[:0, 0], "true_intervals")
