"""All tables of given class and cluster sizes with their probabilities, by the definition: as fractions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from oracles import mp

SIMOVICI = ((2, 1, 0), (2, 2, 1), (0, 0, 4))
"""12 samples; 95 tables have its sizes."""

SIZES = [
    ((3, 5, 4), (4, 3, 5)),
    ((6, 1, 1), (3, 3, 2)),
    ((7, 2), (1, 1, 1, 3, 3)),
    ((1, 1, 1, 1, 2), (2, 2, 2)),
    ((4, 4), (7, 1)),
    ((8, 1), (7, 2)),
    ((1, 1, 2), (3, 1)),
    ((2, 2), (2, 2)),
    ((2, 1), (1, 2)),
    ((1, 1), (2,)),
    ((5,), (2, 3)),
    ((1, 1, 1), (1, 2)),
    ((1,), (1,)),
    ((), ()),
]
"""Class and cluster sizes: balanced and not, single samples, and from 0 to 12 samples."""

Rows = tuple[tuple[int, ...], ...]


def rows_within(size: int, columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to put so many samples into columns that have room for so many."""
    if not columns:
        if size == 0:
            yield ()
        return
    for first in range(min(size, columns[0]) + 1):
        for rest in rows_within(size - first, columns[1:]):
            yield (first, *rest)


@cache
def all_tables(classes: tuple[int, ...], clusters: tuple[int, ...]) -> dict[Rows, Fraction]:
    """Every table, and the share of the permutations that give it: prod a_i! prod b_j! / (n! prod n_ij!)."""
    found: dict[Rows, Fraction] = {}

    def extend(rows: Rows, left: tuple[int, ...]) -> None:
        if len(rows) == len(classes):
            ways = math.prod(map(math.factorial, (*classes, *clusters)))
            others = math.factorial(sum(classes)) * math.prod(math.factorial(x) for row in rows for x in row)
            found[rows] = Fraction(ways, others)
            return
        for row in rows_within(classes[len(rows)], left):
            extend((*rows, row), tuple(x - y for x, y in zip(left, row, strict=True)))

    extend((), clusters)
    return found


def pairs_within(rows: Rows) -> int:
    """How many pairs are together in both partitions."""
    return sum(math.comb(x, 2) for row in rows for x in row)


def information_of(rows: Rows):
    """The mutual information, in 60 digits."""
    n = sum(map(sum, rows))
    if n == 0:
        return mp.mpf(0)
    a, b = [sum(row) for row in rows], [sum(column) for column in zip(*rows, strict=True)]
    return sum(
        mp.mpf(x) / n * mp.log(mp.mpf(x) * n / (a[i] * b[j]))
        for i, row in enumerate(rows)
        for j, x in enumerate(row)
        if x
    )


def moments(values, shares):
    """Mean, variance and third central moment."""
    mean = sum(x * p for x, p in zip(values, shares, strict=True))
    second, third = (sum((x - mean) ** k * p for x, p in zip(values, shares, strict=True)) for k in (2, 3))
    return mean, second, third
