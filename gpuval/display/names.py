"""Names beside each other: in the order in which people would put them, and short without becoming equal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby, takewhile
from typing import Any

import numpy as np

from gpuval.display.text import readable_name, shorten_middle, text_width

_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?)")
_ONLY_A_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")

_LONGER = 2
"""How many times the usual width a name may take so that it differs from another."""

_Key = tuple[int, Decimal, list[Any]]


def natural_order(names: Iterable[Any]) -> list[int]:
    """The order of names in which numbers are by their size: 0, 1, 2, 10, and ``leiden_2`` before ``leiden_10``.

    What is only a number comes before text. Capital letters and small ones are alike. Names that are alike stay in
    their order.

    Parameters
    ----------
    names
        Text, numbers, or what else is a label.

    Returns
    -------
    list of int
        The place of the first name, of the second one, ...

    Examples
    --------
    >>> names = ["10", "b", "2", "a10", "a9"]
    >>> [names[place] for place in natural_order(names)]
    ['2', '10', 'a9', 'a10', 'b']
    """
    keys = [_key(name) for name in names]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _key(name: Any) -> _Key:
    text = readable_name(name).casefold()
    if _ONLY_A_NUMBER.fullmatch(text) or (isinstance(name, float | np.floating) and not np.isnan(name)):
        return 0, Decimal(text), []
    parts = _NUMBER.split(text)  # text, number, text, ..., so that numbers are compared with numbers
    return 1, Decimal(0), [Decimal(part) if place % 2 else part for place, part in enumerate(parts)]


def short_names(names: Sequence[str], widest: int) -> list[str]:
    """Names shortened in their middle, so that no two different ones become equal.

    Parameters
    ----------
    names
        The names.
    widest
        How many columns a name takes at most. Those that would become equal take more, until they differ, and at most
        twice as many. Names that are still equal then are shortened on both sides of what differs between them. If that
        is wider than ``widest``, or does not tell all names apart, each has a number at its end.

    Returns
    -------
    list of str
        The short names, in the same order.

    Examples
    --------
    >>> short_names(["CD4 positive T cell", "B", "CD4 positive alpha-beta T cell"], 11)
    ['CD4 posi…e T cell', 'B', 'CD4 posi…a T cell']
    """
    widths = dict.fromkeys(names, widest)
    alike = _alike(widths)
    while alike:
        growing = [name for group in alike for name in group if widths[name] < _LONGER * widest]
        if not growing:
            break
        for name in growing:
            widths[name] += 1
        alike = _alike(widths)
    short = {name: shorten_middle(name, width) for name, width in widths.items()}
    for group in alike:
        short |= zip(group, _shorten_alike(group, _LONGER * widest), strict=True)
    times = Counter(short.values())
    unclear = [name for group in alike for name in group if times[short[name]] > 1]
    for number, name in enumerate(unclear, 1):
        mark = f" ({number})"
        short[name] = shorten_middle(name, _LONGER * widest - text_width(mark)) + mark
    return [short[name] for name in names]


def _shorten_alike(names: Sequence[str], width: int) -> list[str]:
    """Names that begin and end alike, shortened on both sides of what differs; empty if that is too wide, or unseen."""
    begin = _n_common_letters(names)
    end = _n_common_letters([name[begin:][::-1] for name in names])
    parts = [(name[:begin], name[begin : len(name) - end], name[len(name) - end :]) for name in names]
    widest = max(text_width(differs) for _, differs, _ in parts)
    if not 0 < widest <= width // 2:
        return [""] * len(names)
    room = (width - widest) // 2
    return [shorten_middle(first, room) + differs + shorten_middle(last, room) for first, differs, last in parts]


def _n_common_letters(names: Sequence[str]) -> int:
    """With how many letters all begin."""
    return len(list(takewhile(lambda letters: len({*letters}) == 1, zip(*names, strict=False))))


def _alike(widths: dict[str, int]) -> list[list[str]]:
    """The groups of names that are equal when they are shortened to these widths."""
    short = {name: shorten_middle(name, width) for name, width in widths.items()}
    by_text = groupby(sorted(widths, key=short.__getitem__), key=short.__getitem__)
    return [group for _, names in by_text if len(group := list(names)) > 1]
