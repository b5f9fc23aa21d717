"""Long tables are printed without the rows in their middle."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise


def without_middle(n: int, most: int, kept: Iterable[int] = ()) -> list[range]:
    """The runs of places that are shown of ``n`` ones: all of at most ``most``, else the first and the last of these.

    At most as many of the places ``kept``, the first of them, are shown, too. No gap is of a single place: that is
    shown as well.

    Examples
    --------
    >>> without_middle(4, 10)
    [range(0, 4)]
    >>> without_middle(100, 10)
    [range(0, 5), range(95, 100)]
    >>> without_middle(100, 10, kept=[50, 93])
    [range(0, 5), range(50, 51), range(93, 100)]
    """
    if n <= most:
        return [range(n)]
    half = most // 2
    places = {*range(half), *range(n - half, n), *sorted(set(kept))[:most]}
    runs: list[range] = []
    for place in sorted(places):
        if runs and place - runs[-1].stop <= 1:
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
    return runs


def hidden(runs: list[range]) -> list[int]:
    """How many places are left out before each run but the first."""
    return [after.start - before.stop for before, after in pairwise(runs)]
