"""Declared orders of labels: of ordered categories, of the rows and columns of a frame of counts, and of several."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from gpuval.inputs.containers import is_real_number

Scale = tuple[Any, ...] | None
"""The labels of one side of a table in their declared order, with those that do not occur; None: none is declared.

() stands for orders that were declared for parts of the samples and do not make one order.
"""


def is_ordered(labels: Any) -> bool:
    """Whether a vector has ordered categories: a pandas Categorical that is ordered, or an Enum of polars."""
    dtype = getattr(labels, "dtype", None)
    return bool(getattr(dtype, "ordered", False)) or type(dtype).__name__ == "Enum"


def _are_numbers(labels: Collection[Any]) -> bool:
    """Whether all labels are numbers, which have an order by themselves."""
    return all(map(is_real_number, labels))


def merge_orders(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """The only order of all labels in which both orders hold; () if there is none, or more than one.

    Numbers that ascend in both are in the order of their values.
    """
    if _ascend(first) and _ascend(second):
        return tuple(sorted({*first, *second}))
    of_first, of_second = set(first), set(second)
    order, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        x, y = first[i], second[j]
        if x != y and (x in of_second) == (y in of_first):
            return ()
        order.append(y if x in of_second else x)
        i, j = i + (x == y or x not in of_second), j + (x == y or y not in of_first)
    return (*order, *first[i:], *second[j:])


def extend_scale(scale: tuple[Any, ...], labels: Sequence[Any]) -> tuple[Any, ...]:
    """A scale on which other labels have their places, too; () if they have none."""
    if set(scale).issuperset(labels):
        return scale
    return merge_orders(scale, sorted(labels)) if _ascend(scale) and _are_numbers(labels) else ()


def _ascend(labels: Sequence[Any]) -> bool:
    return _are_numbers(labels) and all(x < y for x, y in pairwise(labels))
