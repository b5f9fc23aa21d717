"""How many relevant documents lists have, and how early: precision, recall, hits and average precision."""

from __future__ import annotations

from typing import Any

from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measure import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["average_precision_score", "precision_at_n", "recall_at_n"]


@ranking_metric
def precision_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the first n documents that are relevant."""
    found = lists.total(lists.within(lists.expected(lists.hits), n))
    return found / n if n is not None else ratio(found, lists.total(lists.xp.ones_like(lists.ranks)), lists.xp)


@ranking_metric
def recall_at_n(lists: Lists, *, n: int | None = None) -> Array:
    """Share of the relevant documents that are among the first n."""
    return ratio(lists.total(lists.within(lists.expected(lists.hits), n)), lists.n_relevant, lists.xp)


@ranking_metric
def average_precision_score(lists: Lists, *, n: int | None = None) -> Array:
    """Mean over the relevant documents of the precision at the rank of each."""
    hits, xp = lists.hits, lists.xp
    above = lists.above_group(hits) + 1
    if lists.ties is not None:
        # A relevant one at place j of a group of g, h of them relevant, has (j - 1)(h - 1)/(g - 1) such ones before it.
        g, j, h = lists.ties.sizes, lists.ties.places, lists.in_group(hits)
        above = above + (j - 1) * ratio(h - 1, g - 1, xp)
    found = lists.total(lists.within(lists.expected(hits) * above / lists.ranks, n))
    most = _at_most(lists.n_relevant, n, xp)
    return ratio(found, most, xp)


def _at_most(numbers: Array, n: int | None, xp: Any) -> Array:
    return numbers if n is None else xp.where(numbers > n, float(n), numbers)
