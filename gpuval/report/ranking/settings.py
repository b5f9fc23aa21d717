"""What rankings in batches are evaluated by: the settings that two accumulators must have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

from gpuval.inputs.options import check_option
from gpuval.inputs.selection import read_ignored_numbers
from gpuval.metrics._common.options import OnUndefined, check_on_undefined
from gpuval.metrics.ranking.ranked import Ranked, Ties
from gpuval.numerics import Array
from gpuval.report._common.names import described, is_all
from gpuval.report.ranking.names import AskedMeasure, RankingMetrics, read_ranking_metrics
from gpuval.report.ranking.sums import check_add_up, query_sums


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

    def sums(self, ranked: Ranked) -> Array:
        """The sums of the measures over the queries of a batch."""
        return query_sums(ranked, self.asked.values(), self.on_undefined)
