"""Measures of intervals as metrics of torchmetrics: sums over the samples are all that they hold and synchronise."""

from __future__ import annotations

from typing import Any, Unpack

from gpuval.evaluation.intervals.names import IntervalMetrics
from gpuval.evaluation.intervals.settings import IntervalSettings, read_batch
from gpuval.inputs.options import needed
from gpuval.metrics._common.options import OnUndefined
from gpuval.numerics import Array
from gpuval.torchmetrics.options import MetricOptions

with needed("gpuval.torchmetrics", "torchmetrics"):
    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.means import MetricOfMeans

__all__ = ["IntervalMetric"]


class IntervalMetric(MetricOfMeans):
    """One measure, or several, of the true and the predicted interval of each sample, such as those of events in time.

    Two numbers for each measure are all that is kept, the sum of the values of the samples and the sum of their
    weights, and processes add up these.

    Parameters
    ----------
    metrics
        As :class:`gpuval.intervals.IntervalAccumulator` takes them: the name of a measure, such as "jaccard", for its
        score; or a sequence or mapping of names and functions, or None for the default, for a dictionary of scores.
        They are read once, here.
    on_undefined
        The value of a sample for which there is none, as its intervals differ and both are of infinite length: "nan",
        "zero", "one", or "skip", to leave the sample out of the mean. By default as each of ``metrics`` has it: "nan".
    options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For metrics that are none, and in ``update`` what the measures raise; there ``target`` is called
        ``true_intervals`` and ``preds`` ``pred_intervals``.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import IntervalMetric
    >>> metric = IntervalMetric("jaccard")
    >>> metric.update(torch.tensor([[0, 2], [2, 3]]), torch.tensor([[0, 4], [2, 3]]))
    >>> metric.compute()
    tensor(0.7500, dtype=torch.float64)
    >>> metric.reset()
    >>> metric(torch.tensor([[4, 7]]), torch.tensor([[0, 4]]))
    tensor(0., dtype=torch.float64)
    """

    _given_settings: IntervalSettings

    def __init__(
        self,
        metrics: IntervalMetrics = None,
        *,
        on_undefined: OnUndefined | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        settings = IntervalSettings.read(metrics, on_undefined)
        super().__init__(settings, is_one=isinstance(metrics, str), **options)

    def update(self, preds: Array, target: Array, *, mask: Any = None, sample_weight: Any = None) -> None:
        """Add a batch of samples, of which none may count.

        Nothing is copied to the host; what is wrong on a device makes the score NaN.

        Parameters
        ----------
        preds
            The start and the end of the predicted interval of each sample, shape (n_samples, 2), or (2,) for one
            sample; first, as everywhere in torchmetrics.
        target
            Those of the true one, of the same shape.
        mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`.
        """
        self._check_given(preds, target)
        with TORCH.lasting():
            self._add(self._given_settings.sums(read_batch(target, preds, mask, sample_weight)))

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """True, as a higher score of each measure is better."""
        return True
