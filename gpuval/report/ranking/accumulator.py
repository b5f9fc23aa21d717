"""Means over queries that grow batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, detached, library_of, moved
from gpuval.metrics._result import finished
from gpuval.metrics.ranking._measures.options import OnUndefined
from gpuval.metrics.ranking._measures.public import as_ranked
from gpuval.metrics.ranking.ranked import Ties
from gpuval.numerics import Array
from gpuval.numerics.stable import added_sums, means_of
from gpuval.report.ranking.names import RankingMetrics
from gpuval.report.ranking.settings import Settings
from gpuval.streaming.checkpoints import check_names, check_settings, read_array, stored
from gpuval.streaming.checks import check_beside
from gpuval.streaming.processes import Processes, digest_of, is_distributed

__all__ = ["RankingAccumulator"]


class RankingAccumulator:
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

    def __init__(
        self,
        metrics: RankingMetrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
    ) -> None:
        self._settings = Settings.read(metrics, ties, ignore_relevance, on_undefined)
        self._sums: Array | None = None
        self._given: Array | None = None

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
        """Add a batch of whole queries: a query that is in two batches counts as two.

        Parameters
        ----------
        y_true, y_score, queries, mask, sample_weight, n_relevant, n_queries
            As for each measure of :mod:`gpuval.ranking`. ``y_true`` may be a :class:`Ranked` in place of all of them.
        """
        ranked = as_ranked(
            y_true,
            y_score,
            queries,
            ties=self._settings.ties,
            mask=mask,
            sample_weight=detached(sample_weight),
            ignore_relevance=self._settings.ignore_relevance,
            n_relevant=n_relevant,
            n_queries=n_queries,
        )
        if ranked.backend.is_traced(ranked.relevance):
            raise TypeError(
                "an accumulator cannot be updated inside jax.jit or jax.vmap: return the values of the queries from "
                "there (return_per_query=True), or update it with a Ranked that was made there"
            )
        with backend_of(ranked.given).lasting():
            self._add(self._settings.sums(ranked), ranked.given)

    def merge(self, other: RankingAccumulator) -> None:
        """Add the queries of another accumulator with the same settings; it stays as it is."""
        if not isinstance(other, RankingAccumulator):
            raise TypeError(f"other must be a RankingAccumulator, got {type(other).__name__}")
        own, others = self._settings.described(), other._settings.described()
        for name, setting in own.items():
            if setting != others[name]:
                raise ValueError(
                    f"accumulators must have the same {name} to be merged, got {setting} and {others[name]}"
                )
        if other._sums is not None and other._given is not None:
            self._add(other._sums, other._given, "other")

    def all_reduce(self, group: Any = None) -> RankingAccumulator:
        """The queries of all processes of ``torch.distributed``, in a new accumulator; this one stays as it is.

        Without a process group, as in a run of one process, it is this one itself. Else each process has to call it,
        also one that has no queries; sums are exchanged, never documents.

        Parameters
        ----------
        group
            The process group; None for all processes.

        Returns
        -------
        RankingAccumulator
            The same in each process, of the library and on the device of this one (of PyTorch, if it has no queries).
        """
        if group is None and not is_distributed():
            return self
        processes = Processes(group, self._given)
        settings = self._settings.described()
        header = np.asarray([digest_of(tuple(settings.items())), self._sums is not None], dtype=np.int64)
        headers = [x.tolist() for x in processes.gathered(processes.tensor(header))]
        if len({digest for digest, _ in headers}) > 1:
            raise ValueError(f"{', '.join(settings)} must be the same in all processes, got different ones")
        nothing = np.zeros((2, 2, len(self._settings.asked)))
        of_all = processes.gathered(processes.tensor(nothing if self._sums is None else self._sums, "float64"))
        total = copy.copy(self)
        total.reset()
        given = of_all[0].reshape(-1)[:0].clone() if self._given is None else self._given
        for sums, (_, has_some) in zip(of_all, headers, strict=True):
            if has_some:
                total._add(moved(sums, _place_of(given)), given)
        return total

    def reset(self) -> None:
        """Forget all queries."""
        self._sums = self._given = None

    @property
    def scores(self) -> dict[Any, Any]:
        """The mean of each measure over all queries so far, by its name.

        They are of the library and on the device of the batches; NaN where a measure has left out all of them. Raises
        ValueError if there are no queries.
        """
        if self._sums is None:
            raise ValueError("an accumulator must have had an update before its scores are read, got none")
        means = means_of(self._sums, backend_of(self._sums).xp)
        return {name: finished(means[i, ...], self._given) for i, name in enumerate(self._settings.asked)}

    def state_dict(self) -> dict[str, Any]:
        """All that is needed to go on from here: settings, and copies of arrays of its own library.

        Arrays of NumPy are there as :meth:`gpuval.Accumulator.state_dict` has them.
        """
        state = self._settings.described()
        if self._sums is None or self._given is None:
            return state
        return state | {"sums": stored(self._sums, self._given), "given": stored(self._given)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from ``state``, which :meth:`state_dict` gave.

        Raises TypeError or ValueError, and changes nothing, if it is a state of another accumulator or of none.
        """
        check_settings(state, self._settings.described())
        if "sums" not in state:
            self.reset()
            return
        check_names(state, ("sums", "given"))
        sums, given = read_array(state, "sums", (2, 2, len(self._settings.asked))), read_array(state, "given", (0,))
        if backend_of(sums).kind(sums) != "real":
            raise ValueError(f"state must have sums of floats, got dtype {sums.dtype}")
        self._sums, self._given = moved(sums, _place_of(given)), backend_of(given).copied(given)

    def __repr__(self) -> str:
        where = "" if self._given is None else f", {library_of(self._given)}"
        return f"RankingAccumulator([{', '.join(map(str, self._settings.asked))}]{where})"

    # Within

    def _add(self, sums: Array, given: Array, name: str = "y_true") -> None:
        """Add the sums of a batch, of which ``given`` says what library and device it is of."""
        if self._sums is None or self._given is None:
            self._sums, self._given = sums, backend_of(given).copied(given)  # not a view, which would keep the batch
            return
        check_beside(self._given, given, name, library_of(given))
        backend = backend_of(self._sums)
        sums = sums if backend_of(sums) is backend else moved(sums, self._sums)
        self._sums = added_sums(self._sums, sums, backend.xp)


def _place_of(given: Array) -> Array:
    """An array where the sums of batches lie of which ``given`` is: of NumPy for all that lies on the host."""
    view = backend_of(given).host_view(given)
    return given if view is None else view
