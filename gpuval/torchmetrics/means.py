"""Metrics of torchmetrics that are means of measures, and keep only sums: of rankings, and of intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from gpuval.engines.backends import detach, move_to
from gpuval.inputs.options import require_extra
from gpuval.intervals.accumulator import READER as INTERVALS_READER
from gpuval.intervals.accumulator import IntervalSettings, read_batch
from gpuval.measures.means import MeasureSettings
from gpuval.measures.requests import Metrics, is_all
from gpuval.measures.result import OnUndefined
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums, means_of
from gpuval.ranking.accumulator import RankingSettings
from gpuval.ranking.ranked import Ties
from gpuval.torchmetrics.base import MetricOptions

__all__ = ["IntervalMetric", "RankingMetric"]

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    import torch

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.base import MetricOfMeasures


class _MetricOfMeans(MetricOfMeasures):
    """A metric of the means of measures over all batches. A derived class has ``update``, which gives sums to ``_add``.

    ``is_one`` says whether the metric returns one score, and not a dictionary of scores.
    """

    sums: torch.Tensor

    def __init__(self, settings: MeasureSettings, *, is_one: bool, **options: Unpack[MetricOptions]) -> None:
        super().__init__(**options)
        self._given_settings, self._is_one = settings, is_one
        self._add_settings(settings.as_dict())
        self._add_sums(len(settings.measures))

    def compute(self) -> Any:
        """The score of all batches so far, or a dictionary of several scores; NaN if nothing counts."""
        means = means_of(self.sums, TORCH.xp)
        return means[0] if self._is_one else {name: means[i] for i, name in enumerate(self._given_settings.measures)}

    def extra_repr(self) -> str:
        """The measures and the settings, for the printed form of the metric."""
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        return f"{measures}{self._given_settings.text()}"

    # Within

    @property
    def _titles(self) -> list[str]:
        return [str(name) for name in self._given_settings.measures]

    def _measures(self) -> list[Callable[..., Any]]:
        return [one.measure for one in self._given_settings.measures.values()]

    def _add(self, sums: Array) -> None:
        """Add the sums of a batch."""
        self.sums = add_sums(self.sums, move_to(sums, self.sums), TORCH.xp)


# A metric of torchmetrics for rankings: it keeps and synchronises only sums over the queries.

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    from gpuval.engines.backends.torch import TORCH


class RankingMetric(_MetricOfMeans):
    """Metric of torchmetrics for rankings: documents of queries, sorted by predicted scores.

    Each batch holds whole queries; a query that is in two batches counts as two queries. So for each measure only two
    numbers are kept, the sum of the values of the queries and the sum of their weights, and processes add up these. The
    retrieval metrics of torchmetrics itself keep all documents of all batches, so that a query can be spread over
    batches, and go through the queries in a Python loop. They also treat documents with a score of 0 or less as not
    retrieved; here, scores are used only to sort.

    Parameters
    ----------
    metrics
        The measures, as :class:`gpuval.ranking.RankingAccumulator` takes them. The name of one measure, full or short,
        such as "ndcg@10", gives its score. A sequence or mapping of names and functions, or None for the default, gives
        a dictionary of scores. A function returns the value of each query, shape (n_queries,). (For
        :func:`gpuval.ranking.evaluate` it returns a score instead.) "all" is an error, because the expected reciprocal
        rank of batches needs its ``max_relevance``. They are read once, here.
    ties
        What to do with tied documents, that is, documents of one query with equal scores: "average", the default, or
        "stable".
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    on_undefined
        The value of a query for which a measure is not defined: "zero", "one", "nan", or "skip", which leaves the query
        out of the mean. By default each measure uses its own default. In torchmetrics it is called
        ``empty_target_action``.
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are not measures. ``update`` raises them for everything that the measures raise; their
        messages say ``y_true`` for ``target``, ``y_score`` for ``preds`` and ``queries`` for ``indexes``.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import RankingMetric
    >>> metric = RankingMetric("map")
    >>> metric.update(torch.tensor([0.9, -0.5, 0.2]), torch.tensor([1, 0, 1]), indexes=torch.tensor([0, 0, 1]))
    >>> metric.compute()
    tensor(1., dtype=torch.float64)
    >>> metric.reset()
    >>> metric(torch.tensor([[0.9, 0.5]]), torch.tensor([[0, 0]]))
    tensor(0., dtype=torch.float64)
    """

    _given_settings: RankingSettings

    def __init__(
        self,
        metrics: Metrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        settings = RankingSettings.read(metrics, ties, ignore_relevance, on_undefined)
        super().__init__(settings, is_one=isinstance(metrics, str) and not is_all(metrics), **options)

    def update(
        self,
        preds: Array,
        target: Array,
        indexes: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        n_relevant: Any = None,
        ideal: Any = None,
        n_queries: int | None = None,
    ) -> None:
        """Add a batch of whole queries, which may be empty.

        Nothing is copied to the host if the batch is a matrix, or a vector of one query, or if ``n_queries`` is given;
        invalid values there make the score NaN.

        Parameters
        ----------
        preds
            The score of each document, shape (n_queries, n_documents), or (n_documents,) with ``indexes``. They come
            first, as everywhere in torchmetrics.
        target
            The relevance of each document, of the same shape.
        indexes
            The query of each document of a vector, in any order.
        mask, sample_weight, n_relevant, ideal, n_queries
            As for each measure of :mod:`gpuval.ranking`.
        """
        self._check_given(preds, target)
        with TORCH.lasting():
            sums, _ = self._given_settings.sums_of_batch(
                target,
                preds,
                indexes,
                mask=mask,
                sample_weight=detach(sample_weight),
                n_relevant=n_relevant,
                ideal=ideal,
                n_queries=n_queries,
            )
            self._add(sums)


# A metric of torchmetrics for intervals: it keeps and synchronises only sums over the samples.

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    from gpuval.engines.backends.torch import TORCH


class IntervalMetric(_MetricOfMeans):
    """Metric of torchmetrics for predicted intervals against true ones, with one measure or several.

    For each measure it keeps only two numbers, the sum of the values of the samples and the sum of their weights, and
    processes add up these.

    Parameters
    ----------
    metrics
        The measures, as :class:`gpuval.intervals.IntervalAccumulator` takes them. The name of one measure, such as
        "jaccard", gives its score. A sequence or mapping of names and functions, "all", or None for the default, gives
        a dictionary of scores. They are read once, here.
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
        metrics: Metrics = None,
        *,
        on_undefined: OnUndefined | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        settings = IntervalSettings(INTERVALS_READER.read(metrics), on_undefined)
        super().__init__(settings, is_one=isinstance(metrics, str) and not is_all(metrics), **options)

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
