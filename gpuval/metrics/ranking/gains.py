"""What the documents of lists are worth at their ranks: cumulative gains, discounted and normalised."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.inputs.options import check_option
from gpuval.metrics.ranking._lists import Lists
from gpuval.metrics.ranking._measure import ranking_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["cumulative_gain", "dcg_score", "ndcg_score"]

Gain = Literal["linear", "exponential"]
Discount = Literal["log2", "jarvelin"]


@ranking_metric
def cumulative_gain(lists: Lists, *, n: int | None = None, gain: Gain = "linear") -> Array:
    """Sum of the gains of the first n documents."""
    return lists.total(lists.within(lists.expected(_gains(lists.relevance, gain, lists.xp)), n))


@ranking_metric
def dcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Sum of the gains of the first n documents, each discounted by its rank."""
    gains = lists.expected(_gains(lists.relevance, gain, lists.xp))
    return lists.total(lists.within(gains / _discounts(lists, discount), n))


@ranking_metric
def ndcg_score(lists: Lists, *, n: int | None = None, gain: Gain = "linear", discount: Discount = "log2") -> Array:
    """Discounted cumulative gain by that of the best order."""
    xp, discounts = lists.xp, _discounts(lists, discount)
    found = lists.expected(_gains(lists.relevance, gain, xp)) / discounts
    best = _gains(lists.from_the_best(), gain, xp) / discounts
    return ratio(lists.total(lists.within(found, n)), lists.total(lists.within(best, n)), xp)


def _gains(relevance: Array, gain: Gain, xp: Any) -> Array:
    check_option("gain", gain, get_args(Gain))
    return relevance if gain == "linear" else xp.pow(xp.full_like(relevance, 2.0), relevance) - 1


def _discounts(lists: Lists, discount: Discount) -> Array:
    check_option("discount", discount, get_args(Discount))
    xp = lists.xp
    if discount == "log2":
        return xp.log2(lists.ranks + 1)
    return xp.where(lists.ranks <= 2, 1.0, xp.log2(lists.ranks))
