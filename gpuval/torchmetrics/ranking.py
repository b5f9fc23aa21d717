"""A metric of torchmetrics for rankings: it keeps and synchronises only sums over the queries."""

from __future__ import annotations

from typing import Any, Unpack

from gpuval.engines.backends import detached
from gpuval.evaluation.ranking.names import RankingMetrics
from gpuval.evaluation.ranking.settings import Settings
from gpuval.inputs.options import needed
from gpuval.metrics._common.options import OnUndefined
from gpuval.metrics.ranking.ranked import Ties
from gpuval.numerics import Array
from gpuval.torchmetrics.options import MetricOptions

with needed("gpuval.torchmetrics", "torchmetrics"):
    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.means import MetricOfMeans

__all__ = ["RankingMetric"]


class RankingMetric(MetricOfMeans):
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

    _given_settings: Settings

    def __init__(
        self,
        metrics: RankingMetrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        settings = Settings.read(metrics, ties, ignore_relevance, on_undefined)
        super().__init__(settings, is_one=isinstance(metrics, str), **options)

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
                sample_weight=detached(sample_weight),
                n_relevant=n_relevant,
                ideal=ideal,
                n_queries=n_queries,
            )
            self._add(sums)

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        """True, because a higher score is better for all measures of rankings; None with a function of your own."""
        return True if all(one.is_ours for one in self._given_settings.asked.values()) else None
