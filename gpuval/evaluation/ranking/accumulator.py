"""Means over queries that grow batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of, detached
from gpuval.evaluation._common.means import MeansAccumulator
from gpuval.evaluation.ranking.names import RankingMetrics
from gpuval.evaluation.ranking.settings import Settings
from gpuval.metrics._common.options import OnUndefined
from gpuval.metrics.ranking.ranked import Ties

__all__ = ["RankingAccumulator"]


class RankingAccumulator(MeansAccumulator):
    """The means of measures over the queries of all batches so far, each of which holds whole queries.

    For each measure two numbers are kept: the sum of the values of the queries, each times its weight, and the sum of
    these weights, which differs between measures where ``on_undefined="skip"`` leaves queries out. So memory does not
    grow with the batches, and no document is kept. Both sums are of the widest float, and compensated: what rounding
    leaves of an addition is added up beside them.

    ``update`` waits for nothing on a device for rows, for one vector, or with ``n_queries``; what is wrong there makes
    the scores NaN. Elsewhere it is an error, and what is refused changes nothing. One thread at a time may update it.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.ranking`, full or short, in any case, with "@10" for ``n=10``: "ndcg@10"; or
        functions: such a measure, a ``functools.partial`` of it with its options, or a function of a :class:`Ranked`
        that gives the value of each query, shape (n_queries,), where :func:`evaluate` takes one that gives a score. A
        mapping names them anew. The expected reciprocal rank needs its ``max_relevance``, so "all" is an error here:
        ``functools.partial(expected_reciprocal_rank, max_relevance=3)``. By default "map", "mrr", "ndcg@10",
        "precision@10", "recall@10" and "hit_rate@10".
    ties
        As for each measure: "average", the default, or "stable".
    ignore_relevance
        A relevance or several, such as -1; documents with such a one do not count.
    on_undefined
        The value of a query for which there is none: "zero", "one", "nan", or "skip", to leave it out of the mean. By
        default what each measure has.

    Raises
    ------
    TypeError, ValueError
        For metrics that are none; and in ``update``, for what the measures raise, or a batch of another library or
        device.

    Examples
    --------
    >>> from gpuval.ranking import RankingAccumulator
    >>> accumulator = RankingAccumulator(["map", "ndcg@2"])
    >>> accumulator.update([[1, 0, 0]], [[0.9, 0.5, 0.1]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'average_precision_score': 1.0, 'ndcg_score@2': 1.0}
    >>> accumulator.update([[0, 0, 0]], [[0.9, 0.5, 0.1]])
    >>> {name: float(score) for name, score in accumulator.scores.items()}
    {'average_precision_score': 0.5, 'ndcg_score@2': 0.5}
    >>> accumulator.reset()
    >>> accumulator.update([0, 1, 0, 1], [0.2, 0.1, 0.9, 0.7], ["b", "b", "a", "a"])
    >>> float(accumulator.scores["average_precision_score"])
    0.5
    """

    _settings: Settings

    def __init__(
        self,
        metrics: RankingMetrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
    ) -> None:
        super().__init__(Settings.read(metrics, ties, ignore_relevance, on_undefined))

    def update(
        self,
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        n_relevant: Any = None,
        n_queries: int | None = None,
    ) -> None:
        """Add a batch of whole queries, of which there may be none: a query that is in two batches counts as two.

        Parameters
        ----------
        y_true, y_score, queries, mask, sample_weight, n_relevant, n_queries
            As for each measure of :mod:`gpuval.ranking`. ``y_true`` may be a :class:`Ranked` in place of all of them.
        """
        sums, given = self._settings.sums_of_batch(
            y_true,
            y_score,
            queries,
            mask=mask,
            sample_weight=detached(sample_weight),
            n_relevant=n_relevant,
            n_queries=n_queries,
        )
        with backend_of(given).lasting():
            self._add(sums, given, "y_true")
