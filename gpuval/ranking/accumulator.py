"""Means of ranking measures that are updated batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from gpuval.engines.backends import backend_of, fields_of
from gpuval.inputs.options import check_option
from gpuval.inputs.selection import read_ignored_numbers
from gpuval.measures.means import MeansAccumulator, MeasureSettings
from gpuval.measures.requests import Metrics, is_all
from gpuval.measures.result import OnUndefined
from gpuval.numerics import Array
from gpuval.numerics.stable import sums_for_means
from gpuval.ranking._measure import as_ranked, check_add_up, query_sums
from gpuval.ranking.names import READER
from gpuval.ranking.ranked import Ranked, Ties
from gpuval.ranking.reading import has_no_queries, read_given
from gpuval.streaming.checkpoints import constants

__all__ = ["RankingAccumulator"]


class RankingAccumulator(MeansAccumulator):
    """Means of ranking measures over the queries of many batches, each of which holds whole queries.

    Use it in an evaluation loop, where not all queries are in memory at once: call ``update`` for each batch, then read
    ``scores``. For each measure it keeps two numbers: the sum of the values of the queries, each multiplied by its
    weight; and the sum of these weights, which differs between measures if ``on_undefined="skip"`` leaves queries out.
    So its memory does not grow with the number of batches, and no document is kept. Both sums are in the widest float,
    and compensated: the rounding error of each addition is also summed, next to them.

    ``update`` waits for nothing on a device if a batch is a matrix, or a vector of one query, or if ``n_queries`` is
    given; invalid values there make the scores NaN. Otherwise invalid values are an error, and a batch that is refused
    changes nothing. Only one thread at a time may call ``update``.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.ranking`, full or short, upper or lower case; "@10" after a name means
        ``n=10``, as in "ndcg@10". Or functions: a measure, a ``functools.partial`` of a measure with its options, or
        your own function of a :class:`Ranked` that returns the value of each query, shape (n_queries,).
        (:func:`evaluate` takes functions that return a score instead.) A mapping gives the measures new names. By
        default "map", "mrr", "ndcg@10", "precision@10", "recall@10" and "hit_rate@10". The expected reciprocal rank
        needs its ``max_relevance`` here, so "all" is an error; give ``functools.partial(expected_reciprocal_rank,
        max_relevance=3)``.
    ties
        What to do with tied documents, as for each measure: "average", the default, or "stable".
    ignore_relevance
        One relevance or several, such as -1. Documents with such a relevance do not count.
    on_undefined
        The value of a query for which a measure is not defined: "zero", "one", "nan", or "skip", which leaves the query
        out of the mean. By default each measure uses its own default.

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are not measures; ``update`` raises them for everything that the measures raise, and for a
        batch of another library or device.

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

    _settings: RankingSettings

    def __init__(
        self,
        metrics: Metrics = None,
        *,
        ties: Ties | None = None,
        ignore_relevance: Any = None,
        on_undefined: OnUndefined | None = None,
    ) -> None:
        super().__init__(RankingSettings.read(metrics, ties, ignore_relevance, on_undefined))

    def update(
        self,
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        n_relevant: Any = None,
        ideal: Any = None,
        n_queries: int | None = None,
    ) -> None:
        """Add a batch of whole queries, which may be empty. A query that is in two batches counts as two queries.

        Parameters
        ----------
        y_true, y_score, queries, mask, sample_weight, n_relevant, ideal, n_queries
            As for each measure of :mod:`gpuval.ranking`. ``y_true`` may be a :class:`Ranked` in place of all of them.
        """
        sums, given = self._settings.sums_of_batch(
            y_true,
            y_score,
            queries,
            mask=mask,
            sample_weight=sample_weight,
            n_relevant=n_relevant,
            ideal=ideal,
            n_queries=n_queries,
        )
        with backend_of(given).lasting():
            self._add(sums, given, "y_true")


# The settings of an accumulator of rankings, which two accumulators must share to be merged.

_OUTSIDE = (
    "return the values of the queries from there (return_per_query=True), or update it with a Ranked that was made "
    "there"
)
"""What to do where an accumulator cannot be updated."""


@dataclass(frozen=True)
class RankingSettings(MeasureSettings):
    """Measures of which batches add up, and what of a ranking is the same in all batches."""

    ties: Ties | None
    ignore_relevance: tuple[Any, ...]

    @classmethod
    def read(
        cls, metrics: Metrics, ties: Ties | None, ignore_relevance: Any, on_undefined: OnUndefined | None
    ) -> RankingSettings:
        """Check what was given; None stands for the default."""
        asked = READER.read(metrics)
        check_add_up(asked.values(), is_all(metrics))
        if ties is not None:
            check_option("ties", ties, get_args(Ties))
        return cls(asked, on_undefined, ties, read_ignored_numbers(ignore_relevance, "ignore_relevance"))

    def sums_of_batch(
        self, y_true: Any, y_score: Any, queries: Any, *, n_queries: int | None, **building: Any
    ) -> tuple[Array, Array]:
        """The sums of the measures over the queries of a batch, which may have none; and what results are like."""
        arguments = y_true, y_score, queries, *building.values()
        y_true, y_score, queries, *others = constants(arguments, _OUTSIDE)
        building = dict(zip(building, others, strict=True))
        if isinstance(y_true, Ranked):
            parts = fields_of(y_true)
            y_true = Ranked(**dict(zip(parts, constants(parts.values(), _OUTSIDE), strict=True)))
        given = {"ignore_relevance": self.ignore_relevance or None, **building}
        of_relevant = {name: building[name] for name in ("n_relevant", "ideal")}
        if has_no_queries(y_true, queries, n_queries, next((x for x in of_relevant.values() if x is not None), None)):
            unsaid = dict.fromkeys(of_relevant)
            nothing = read_given(y_true, y_score, queries, **(given | unsaid), n_queries=None).relevance
            return self._sums_of_none(nothing), backend_of(nothing).zeros_beside((0,), nothing.dtype, nothing)
        ranked = as_ranked(y_true, y_score, queries, False, ties=self.ties, n_queries=n_queries, **given)
        with backend_of(ranked.given).lasting():
            return query_sums(ranked, self.measures.values(), self.on_undefined), ranked.given

    def _sums_of_none(self, like: Array) -> Array:
        view = backend_of(like).host_view(like)
        place = like if view is None else view
        backend = backend_of(place)
        nothing = backend.zeros_beside((), backend.widest(place).float, place)
        return sums_for_means([(nothing, nothing)] * len(self.measures), backend.xp)
