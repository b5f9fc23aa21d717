"""Where a user stops: at the first relevant document, or at one that satisfies."""

from __future__ import annotations

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measure import ranking_metric
from gpuval.numerics import Array

__all__ = ["hit_rate", "reciprocal_rank_score"]


@ranking_metric
def hit_rate(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the queries with a relevant document among the first n."""
    return lists.total(lists.within(_first_hits(lists), n))


@ranking_metric
def reciprocal_rank_score(lists: Lists, *, n: int | None = None) -> Array:
    """One by the rank of the first relevant document."""
    return lists.total(lists.within(_first_hits(lists) / lists.ranks, n))


def _first_hits(lists: Lists) -> Array:
    """The probability that the first relevant document of its list stands at a rank."""
    hits, xp = lists.hits, lists.xp
    is_above = lists.above_group(hits) > 0
    if lists.ties is None:
        return xp.where(is_above, 0.0, hits)
    # Of a group of g of which h are relevant, none of the first j is with the probability (g - h - j + 1)/(g - j + 1)
    # more than none of the first j - 1.
    g, j, h = lists.ties.sizes, lists.ties.places, lists.in_group(hits)
    misses = xp.where(is_above, 0.0, (g - h - j + 1) / (g - j + 1))
    misses = xp.where(misses < 0, 0.0, misses)
    return lists.above(lists.running_product(misses), 1.0) * (1 - misses)
