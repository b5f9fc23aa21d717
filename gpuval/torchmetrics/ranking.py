"""Measures of rankings as metrics of torchmetrics: sums over the queries are all that they hold and synchronise."""

from __future__ import annotations

import functools
from typing import Any

from gpuval.engines.backends import detached, moved
from gpuval.inputs.options import needed
from gpuval.metrics.ranking._measures.options import OnUndefined
from gpuval.metrics.ranking._measures.public import as_ranked
from gpuval.metrics.ranking.ranked import Ties
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, means_of
from gpuval.report.ranking.names import RankingMetrics
from gpuval.report.ranking.settings import Settings
from gpuval.streaming.processes import digest_of

with needed("gpuval.torchmetrics", "torchmetrics"):
    import torch

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.sums import MetricOfSums

__all__ = ["RankingMetric"]

_SETTINGS = "metrics, ties, ignore_relevance and on_undefined"


def _the_same_settings(digests: torch.Tensor) -> torch.Tensor:
    """The bytes that stand for the settings, which must be the same in all processes."""
    if bool((digests != digests[0]).any()):
        raise ValueError(f"{_SETTINGS} must be the same in all processes, got different ones")
    return digests[0]


def _added_up(parts: torch.Tensor) -> torch.Tensor:
    """The sums of all processes."""
    total: torch.Tensor = functools.reduce(lambda x, y: added_sums(x, y, TORCH.xp), parts)
    return total


class RankingMetric(MetricOfSums):
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

    settings: torch.Tensor
    sums: torch.Tensor

    def __init__(
        self,
        metrics: RankingMetrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._given_settings = Settings.read(metrics, ties, ignore_relevance, on_undefined)
        self._is_one = isinstance(metrics, str)
        # The first one, as an error when it is reduced is to leave the sums as they are. It also tells metrics apart
        # that measure something else: those of a collection whose states are nearly equal are taken for one group. So
        # it is bytes, of which no two are nearly equal.
        digest = digest_of(tuple(self._given_settings.described().items()))
        settings = torch.tensor(list(digest.to_bytes(4, "big")), device=self.device)
        self.add_state("settings", settings, dist_reduce_fx=_the_same_settings)
        like = torch.zeros(1, device=self.device)
        nothing = torch.zeros(
            (2, 2, len(self._given_settings.asked)), dtype=TORCH.widest(like).float, device=self.device
        )
        self.add_state("sums", nothing, dist_reduce_fx=_added_up)

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
        """Add a batch of whole queries.

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
        if not (isinstance(preds, torch.Tensor) and isinstance(target, torch.Tensor)):
            kinds = f"{type(preds).__name__} and {type(target).__name__}"
            raise TypeError(f"preds and target must be tensors of PyTorch, got {kinds}")
        if target.device != self.sums.device:
            raise ValueError(
                f"preds and target must be on the device of the metric ({self.sums.device}), got {target.device}; move "
                f"the metric there by .to({str(target.device)!r})"
            )
        with TORCH.lasting():
            ranked = as_ranked(
                target,
                preds,
                indexes,
                ties=self._given_settings.ties,
                mask=mask,
                sample_weight=detached(sample_weight),
                ignore_relevance=self._given_settings.ignore_relevance,
                n_relevant=n_relevant,
                n_queries=n_queries,
            )
            found = self._given_settings.sums(ranked)
            self.sums = added_sums(self.sums, moved(found, self.sums), TORCH.xp)

    def forward(self, *args: Any, **options: Any) -> Any:
        """Add a batch, and return its score alone; one that is refused changes nothing.

        The arguments are those of ``update``.
        """
        before = dict(vars(self))
        try:
            return super().forward(*args, **options)
        except BaseException:
            vars(self).update(before)
            raise

    def compute(self) -> Any:
        """The score of all queries so far, or a dictionary of several; NaN if there were none, or all are left out."""
        means = means_of(self.sums, TORCH.xp)
        return means[0] if self._is_one else {name: means[i] for i, name in enumerate(self._given_settings.asked)}

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        """True, as a higher score of each measure is better; None if there is a function of users."""
        return True if all(one.is_ours for one in self._given_settings.asked.values()) else None

    def extra_repr(self) -> str:
        """What the metric measures, and how."""
        settings = self._given_settings
        given = {
            "ties": settings.ties,
            "ignore_relevance": settings.ignore_relevance,
            "on_undefined": settings.on_undefined,
        }
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        return ", ".join([measures, *(f"{name}={x!r}" for name, x in given.items() if x is not None)])

    # Within

    @property
    def _titles(self) -> list[str]:
        return [str(name) for name in self._given_settings.asked]

    def _check_state(self, state: dict[str, Any]) -> None:
        super()._check_state(state)
        if "settings" in state and state["settings"].tolist() != self.settings.tolist():
            raise ValueError(f"state must be of a metric with the same {_SETTINGS}, got that of one with others")
