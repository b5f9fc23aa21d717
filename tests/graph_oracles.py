"""Measures of graphs by their definitions: plain loops over a dense matrix of exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import nan
from typing import Any

Matrix = Sequence[Sequence[Fraction]]
Labels = Sequence[Any]


def exact(matrix: Any) -> list[list[Fraction]]:
    return [[Fraction(float(x)) for x in row] for row in matrix]


def groups(labels: Labels) -> list[list[int]]:
    return [[i for i, x in enumerate(labels) if x == label] for label in sorted(set(labels))]


def weight(A: Matrix, sources: Sequence[int], targets: Sequence[int]) -> Fraction:
    return sum((A[i][j] for i in sources for j in targets), Fraction(0))


def modularities(A: Matrix, labels: Labels, resolution: Any = 1, directed: bool = False) -> list[Fraction]:
    """The term of each label, by the formula of the docstring."""
    everything, terms = range(len(A)), []
    total = weight(A, everything, everything)
    if total == 0:
        return [Fraction(0) for _ in groups(labels)]
    for group in groups(labels):
        inside, out, into = weight(A, group, group), weight(A, group, everything), weight(A, everything, group)
        expected = out * into if directed else ((out + into) / 2) ** 2
        terms.append(inside / total - Fraction(resolution) * expected / total**2)
    return terms


def modularity(A: Matrix, labels: Labels, resolution: Any = 1, directed: bool = False) -> Fraction:
    return sum(modularities(A, labels, resolution, directed), Fraction(0))


def modularity_of_pairs(A: Matrix, labels: Labels) -> Fraction:
    """Newman's sum over all pairs of an undirected graph."""
    n = range(len(A))
    strengths = [sum(row, Fraction(0)) for row in A]
    total = sum(strengths, Fraction(0))
    same = [(i, j) for i in n for j in n if labels[i] == labels[j]]
    return sum((A[i][j] - strengths[i] * strengths[j] / total for i, j in same), Fraction(0)) / total


def coverage(A: Matrix, labels: Labels) -> Fraction:
    everything = range(len(A))
    total = weight(A, everything, everything)
    inside = sum((weight(A, group, group) for group in groups(labels)), Fraction(0))
    return inside / total if total else Fraction(0)


def conductances(A: Matrix, labels: Labels) -> list[Any]:
    everything, found = range(len(A)), []
    for group in groups(labels):
        others = [i for i in everything if i not in group]
        cut = weight(A, group, others) + weight(A, others, group)
        volumes = [weight(A, side, everything) + weight(A, everything, side) for side in (group, others)]
        found.append(cut / min(volumes) if min(volumes) else nan)
    return found


def performance(A: Matrix, labels: Labels) -> Fraction:
    pairs = [(i, j) for i in range(len(A)) for j in range(i)]
    right = [(labels[i] == labels[j]) == (A[i][j] + A[j][i] > 0) for i, j in pairs]
    return Fraction(sum(right), len(pairs)) if pairs else Fraction(0)


def shares_connected(A: Matrix, labels: Labels, connection: str = "weak") -> list[Fraction]:
    """Of each label the largest set of samples that reach one another, by its samples."""

    def reached(start: int, group: list[int]) -> set[int]:
        found, todo = {start}, [start]
        while todo:
            i = todo.pop()
            new = {j for j in group if A[i][j] > 0 or (connection == "weak" and A[j][i] > 0)} - found
            found |= new
            todo += new
        return found

    shares = []
    for group in groups(labels):
        reach = {i: reached(i, group) for i in group}
        largest = max(sum(i in reach[j] for j in reach[i]) for i in group)
        shares.append(Fraction(largest, len(group)))
    return shares


def connectivity(A: Matrix, labels: Labels, connection: str = "weak") -> Fraction:
    shares = shares_connected(A, labels, connection)
    return sum(shares, Fraction(0)) / len(shares)
