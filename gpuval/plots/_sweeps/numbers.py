"""The numbers by which the names of labelings differ, and the axis that they are along."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.inputs.options import as_number

_NUMBER = re.compile(r"(?:(?:^|(?<=[=_:(,\[\s]))[-+])?(?:\d+\.?\d*|(?<![A-Za-z])\.\d+)(?:[eE][-+]?\d+)?")
"""A sign is one only at the start, or after "=" and the like; in "k-10" it is a dash, as the point in "res.10"."""
_AMBIGUOUS = re.compile(
    r"""
    \d\s*[-+*/^:,]+\s*(?=\.?\d)  # fractions, dates, ranges, times, sums, powers, decimal commas
    | \d\.\d+(?=\.\d)  # versions
    | (?<![a-z])(?:v|ver|version)[\s_.]*\d+\.\d  # also those of two parts, where 1.11 follows 1.9
    | \d[\s_']0\d\d(?!\d)  # thousands
    | (?<!\d)0_(?=\d)  # 0_25 for 0.25
    | (?:--|\u2212)(?=\.?\d)  # what may be a sign
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What a number is a part of, or is beside, that may be no single number."""
_MAYBE_A_POINT = re.compile(r"(?:[A-Za-z]\.|\d_)$")
"""What stands before a number that may be the digits after a decimal point, as in "eps.25" and "res_1_25"."""
_LARGE_RATIO = 50.0
"""Of the largest number to the smallest: the smaller ones of such numbers lie on one spot of a linear axis."""
_SMALLEST, _LARGEST = 1e-100, 1e100
"""Numbers that leave the limits of an axis within the range of floats."""


def numbers_in_names(names: Sequence[Any]) -> tuple[list[float] | None, str]:
    """The numbers by which all names differ and what else they say; None if they differ by something else.

    What cannot be read as one number in one way only is none: better no axis than a wrong one.

    Examples
    --------
    >>> numbers_in_names(["leiden_0.4", "leiden_1.0"])
    ([0.4, 1.0], 'leiden')
    >>> numbers_in_names(["k=8 (pca)", "k=16 (pca)"])
    ([8.0, 16.0], 'k (pca)')
    >>> numbers_in_names(["leiden", "louvain"]), numbers_in_names(["v1.2.9", "v1.2.10"])
    ((None, 'labeling'), (None, 'labeling'))
    """
    if len(names) < 2:
        return None, "labeling"
    if all(isinstance(x, int | float | np.integer | np.floating) and not isinstance(x, bool) for x in names):
        return _if_apart([as_number("names", x) for x in names]), "labeling"
    if not all(isinstance(x, str) for x in names):
        return None, "labeling"
    texts, numbers = [_NUMBER.split(x) for x in names], [_NUMBER.findall(x) for x in names]
    differing = [place for place, found in enumerate(zip(*numbers, strict=False)) if len(set(found)) > 1]
    if any(x != texts[0] for x in texts) or len(differing) != 1:
        return None, "labeling"
    spans = [list(_NUMBER.finditer(x))[differing[0]].span() for x in names]
    if any(_is_ambiguous(x, *span) for x, span in zip(names, spans, strict=True)):
        return None, "labeling"
    own = [x[start:end] for x, (start, end) in zip(names, spans, strict=True)]
    found = list(map(float, own))
    if any(re.fullmatch(r"\d+\.\d*0", x) for x in own) and found != sorted(found):
        versions = [list(map(float, re.findall(r"\d+", x))) for x in own]
        if versions == sorted(versions):
            return None, "labeling"  # 1.9 and 1.10
    start, end = spans[0]
    if _MAYBE_A_POINT.search(names[0][:start]) and all(map(str.isdigit, own)) and len(set(map(len, own))) > 1:
        return None, "labeling"  # 5 and 25, or 0.5 and 0.25, which are in another order
    shared = " ".join(filter(None, (x.strip(" _-=:.,/") for x in (names[0][:start], names[0][end:]))))
    return _if_apart(found), shared or "labeling"


def _is_ambiguous(name: str, start: int, end: int) -> bool:
    """Whether what looks like a number may be a part of something else, such as a version, a fraction or a power."""
    beside = name[max(0, start - 1) : start] + name[end : end + 1]
    return any(x.isnumeric() for x in beside) or any(
        found.start() <= end and start <= found.end() for found in _AMBIGUOUS.finditer(name)
    )


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
