"""Which pairs of a relevant and an irrelevant document are in the right order."""

from __future__ import annotations

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measure import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["concordance_ratio"]


@ranking_metric(on_undefined="nan")
def concordance_ratio(lists: Lists) -> tuple[Array, Array]:
    """Share of the pairs of a relevant and an irrelevant document of which the relevant one is higher in the list."""
    hits = lists.hits
    misses, above = 1 - hits, lists.above_group(hits)
    if lists.ties is not None:
        above = above + lists.in_group(hits) / 2
    pairs = lists.total(hits) * lists.total(misses)
    return ratio(lists.total(misses * above), pairs, lists.xp), pairs > 0
