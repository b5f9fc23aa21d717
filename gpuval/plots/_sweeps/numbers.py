"""The numbers by which the names of labelings differ, and the axis that they are along."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.inputs.options import as_number

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PART_OF_NUMBER = re.compile(r"(?:(?:^|(?<=[=\s(]))[-+])?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d*)?|\.)$")
"""The end of what names share that belongs to the number after it; a sign does only at the start, or after "="."""
_LARGE_RATIO = 50.0
"""Of the largest number to the smallest: the smaller ones of such numbers lie on one spot of a linear axis."""
_SMALLEST, _LARGEST = 1e-100, 1e100
"""Numbers that leave the limits of an axis within the range of floats."""


def numbers_in_names(names: Sequence[Any]) -> tuple[list[float] | None, str]:
    """The numbers by which all names differ and what else they say; None if they differ by something else.

    Examples
    --------
    >>> numbers_in_names(["leiden_0.4", "leiden_1.0"])
    ([0.4, 1.0], 'leiden')
    >>> numbers_in_names(["k=8 (pca)", "k=16 (pca)"])
    ([8.0, 16.0], 'k (pca)')
    >>> numbers_in_names(["leiden", "louvain"])
    (None, 'labeling')
    """
    if len(names) < 2:
        return None, "labeling"
    if all(isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in names):
        return _if_apart([as_number("names", x) for x in names]), "labeling"
    if not all(isinstance(x, str) for x in names):
        return None, "labeling"
    before = _PART_OF_NUMBER.sub("", _shared_start(names))
    rests = [x[len(before) :] for x in names]
    after = _shared_start([x[::-1] for x in rests])[::-1]
    after = re.sub(r"^[\d.]+", "", after)
    numbers = [x[: len(x) - len(after)] for x in rests]
    if not all(_NUMBER.fullmatch(x) for x in numbers):
        return None, "labeling"
    shared = " ".join(filter(None, [before.strip(" _-=:.,/"), after.strip(" _-=:.,/")]))
    return _if_apart(list(map(float, numbers))), shared or "labeling"


def _shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    return first[: next((i for i, x in enumerate(first) if last[i : i + 1] != x), len(first))]


def _if_apart(numbers: list[float]) -> list[float] | None:
    """The numbers, if an axis can have them and no two are the same."""
    return numbers if len(set(numbers)) == len(numbers) and all(abs(x) <= _LARGEST for x in numbers) else None


def span_a_large_ratio(numbers: Sequence[float]) -> bool:
    """Whether numbers are positive and too far apart for a linear axis, where half of them would lie on one spot.

    Examples
    --------
    >>> span_a_large_ratio([0.1, 1.0, 10.0, 100.0]), span_a_large_ratio([0.5, 1.0, 2.0])
    (True, False)
    >>> span_a_large_ratio([0.0, 100.0]), span_a_large_ratio(range(1, 101))
    (False, False)
    """
    low, middle, high = min(numbers), float(np.median(np.asarray(numbers))), max(numbers)
    return low >= _SMALLEST and high <= _LARGEST and high / low >= _LARGE_RATIO and middle <= high / 5
