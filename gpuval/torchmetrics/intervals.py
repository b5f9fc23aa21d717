"""A metric of torchmetrics for intervals: it keeps and synchronises only sums over the samples."""

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
    """Metric of torchmetrics for predicted intervals against true ones, with one measure or several.

    For each measure it keeps only two numbers, the sum of the values of the samples and the sum of their weights, and
    processes add up these.

    Parameters
    ----------
    metrics
        The measures, as :class:`gpuval.intervals.IntervalAccumulator` takes them. The name of one measure, such as
        "jaccard", gives its score. A sequence or mapping of names and functions, or None for the default, gives a
        dictionary of scores. They are read once, here.
    on_undefined
        The value of a sample for which the measure is not defined, because its intervals differ and are both of
        infinite length: "nan", "zero", "one", or "skip", which leaves the sample out of the mean. By default the one
        that each of ``metrics`` has: "nan".
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are not measures. ``update`` raises them for everything that the measures raise; their
        messages say ``true_intervals`` for ``target`` and ``pred_intervals`` for ``preds``.

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
        """Add a batch of samples. It may have no sample that counts.

        Nothing is copied to the host; invalid values on a device make the score NaN.

        Parameters
        ----------
        preds
            The start and the end of the predicted interval of each sample, shape (n_samples, 2), or (2,) for one
            sample. They come first, as everywhere in torchmetrics.
        target
            The true intervals, of the same shape.
        mask, sample_weight
            As for each measure of :mod:`gpuval.intervals`.
        """
        self._check_given(preds, target)
        with TORCH.lasting():
            self._add(self._given_settings.sums(read_batch(target, preds, mask, sample_weight)))

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """True, because a higher score is better for all measures of intervals."""
        return True
