"""Measures of rankings as metrics of torchmetrics: sums over the queries are all that they hold and synchronise."""

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
    """One measure, or several, of the documents of queries in the order of their predicted scores.

    Each batch holds whole queries: a query that is in two batches counts as two. So two numbers for each measure are
    all that is kept, the sum of the values of the queries and the sum of their weights, and processes add up these.
    torchmetrics' own retrieval metrics keep all documents of all batches, which lets a query span batches, and go
    through the queries in a loop of Python; they take documents with scores of 0 or less for not retrieved, where here
    scores say the order alone.

    Parameters
    ----------
    metrics
        As :class:`gpuval.ranking.RankingAccumulator` takes them: the name of a measure, full or short, such as
        "ndcg@10", for its score; or a sequence or mapping of names and functions, or None for the default, for a
        dictionary of scores. A function gives the value of each query, shape (n_queries,), where
        :func:`gpuval.ranking.evaluate` takes one that gives a score. "all" is an error, as the expected reciprocal rank
        of batches needs its ``max_relevance``. They are read once, here.
    ties
        Documents of one query with equal scores: "average", the default, or "stable".
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    on_undefined
        The value of a query for which there is none: "zero", "one", "nan", or "skip", to leave it out of the mean. By
        default what each measure has. It is torchmetrics' ``empty_target_action``.
    options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For metrics that are none, and in ``update`` what the measures raise; there ``target`` is called ``y_true``,
        ``preds`` ``y_score`` and ``indexes`` ``queries``.

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
        n_queries: int | None = None,
    ) -> None:
        """Add a batch of whole queries, of which there may be none.

        Nothing is copied to the host for rows, for one vector, or with ``n_queries``; what is wrong there makes the
        score NaN.

        Parameters
        ----------
        preds
            The score of each document, shape (n_queries, n_documents), or (n_documents,) with ``indexes``; first, as
            everywhere in torchmetrics.
        target
            The relevance of each document, of the same shape.
        indexes
            The query of each document of a vector, in any order.
        mask, sample_weight, n_relevant, n_queries
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
                n_queries=n_queries,
            )
            self._add(sums)

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        """True, as a higher score of each measure is better; None if there is a function of users."""
        return True if all(one.is_ours for one in self._given_settings.asked.values()) else None
