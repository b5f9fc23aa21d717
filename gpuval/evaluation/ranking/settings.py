"""The settings of an accumulator of rankings, which two accumulators must share to be merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from gpuval.engines.backends import backend_of
from gpuval.evaluation._common.names import described, is_all
from gpuval.evaluation.ranking.names import AskedMeasure, RankingMetrics, read_ranking_metrics
from gpuval.evaluation.ranking.sums import check_add_up, query_sums
from gpuval.inputs.options import check_option
from gpuval.inputs.selection import read_ignored_numbers
from gpuval.metrics._common.options import OnUndefined, check_on_undefined
from gpuval.metrics.ranking._measures.public import as_ranked
from gpuval.metrics.ranking._reading import has_no_queries, read_given
from gpuval.metrics.ranking.ranked import Ranked, Ties
from gpuval.numerics import Array
from gpuval.numerics.stable import sums_for_means
from gpuval.streaming.checks import constants

_OUTSIDE = (
    "return the values of the queries from there (return_per_query=True), or update it with a Ranked that was made "
    "there"
)
"""What to do where an accumulator cannot be updated."""


@dataclass(frozen=True)
class Settings:
    """Measures of which batches add up, and what of a ranking is the same in all batches."""

    asked: dict[Any, AskedMeasure]
    ties: Ties | None
    ignore_relevance: tuple[Any, ...] | None
    on_undefined: OnUndefined | None

    @classmethod
    def read(
        cls, metrics: RankingMetrics, ties: Ties | None, ignore_relevance: Any, on_undefined: OnUndefined | None
    ) -> Settings:
        """Check what was given; None stands for the default."""
        asked = read_ranking_metrics(metrics)
        check_add_up(asked.values(), is_all(metrics))
        if ties is not None:
            check_option("ties", ties, get_args(Ties))
        if on_undefined is not None:
            check_on_undefined(on_undefined)
        return cls(asked, ties, read_ignored_numbers(ignore_relevance, "ignore_relevance") or None, on_undefined)

    def described(self) -> dict[str, Any]:
        """The settings by their names, in what files hold."""
        return {
            "metrics": described(self.asked),
            "ties": self.ties,
            "ignore_relevance": list(self.ignore_relevance or ()),
            "on_undefined": self.on_undefined,
        }

    def sums_of_batch(
        self, y_true: Any, y_score: Any, queries: Any, *, n_queries: int | None, **building: Any
    ) -> tuple[Array, Array]:
        """The sums of the measures over the queries of a batch, which may have none; and what results are like."""
        arguments = y_true, y_score, queries, *building.values()
        y_true, y_score, queries, *others = constants(arguments, _OUTSIDE)
        building = dict(zip(building, others, strict=True))
        if isinstance(y_true, Ranked):
            parts = vars(y_true)
            y_true = Ranked(**dict(zip(parts, constants(parts.values(), _OUTSIDE), strict=True)))
        given = {"ignore_relevance": self.ignore_relevance, **building}
        of_relevant = {name: building[name] for name in ("n_relevant", "ideal")}
        if has_no_queries(y_true, queries, n_queries, next((x for x in of_relevant.values() if x is not None), None)):
            unsaid = dict.fromkeys(of_relevant)
            nothing = read_given(y_true, y_score, queries, **(given | unsaid), n_queries=None).relevance
            return self._sums_of_none(nothing), backend_of(nothing).zeros_beside((0,), nothing.dtype, nothing)
        ranked = as_ranked(y_true, y_score, queries, False, ties=self.ties, n_queries=n_queries, **given)
        with backend_of(ranked.given).lasting():
            return query_sums(ranked, self.asked.values(), self.on_undefined), ranked.given

    def _sums_of_none(self, like: Array) -> Array:
        view = backend_of(like).host_view(like)
        place = like if view is None else view
        backend = backend_of(place)
        nothing = backend.zeros_beside((), backend.widest(place).float, place)
        return sums_for_means([(nothing, nothing)] * len(self.asked), backend.xp)
