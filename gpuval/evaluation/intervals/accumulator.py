"""Means over samples of intervals that grow batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.evaluation._common.means import MeansAccumulator
from gpuval.evaluation.intervals.names import IntervalMetrics
from gpuval.evaluation.intervals.settings import IntervalSettings, read_batch
from gpuval.metrics._common.options import OnUndefined

__all__ = ["IntervalAccumulator"]


class IntervalAccumulator(MeansAccumulator):
    """The means of measures over the samples of all batches so far: a true and a predicted interval of each.

    For each measure two numbers are kept: the sum of the values of the samples, each times its weight, and the sum of
    these weights, which differs between measures where ``on_undefined="skip"`` leaves samples out. So memory does not
    grow with the batches, and no interval is kept. Both sums are of the widest float, and compensated: what rounding
    leaves of an addition is added up beside them.

    ``update`` waits for nothing on a device; what is wrong there makes the scores NaN. Elsewhere it is an error, and
    what is refused changes nothing. One thread at a time may update it.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.intervals`, with or without "_score", in any case; or such functions, or a
        ``functools.partial`` of one with its options: ``functools.partial(inclusion_score, of="pred")``. A mapping
        names them anew. By default the symmetric ones: "jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski"
        and "ochiai".
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        "zero", "one", or "skip", to leave the sample out of the mean. By default as each of ``metrics`` has it: "nan".

    Raises
    ------
    TypeError, ValueError
        For metrics that are none; and in ``update``, for what the measures raise, or a batch of another library or
        device.

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
        """Add a batch of samples, of which none may count.

        Parameters
        ----------
        true_intervals, pred_intervals, mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`, in memory.
        """
        given = read_batch(true_intervals, pred_intervals, mask, sample_weight)
        with backend_of(given.true).lasting():
            self._add(self._settings.sums(given), given.true[:0, 0], "true_intervals")
