"""Several labelings of the same samples, and what is defined of them, by all pairs of samples, as exact fractions.

A labeling is a tuple of labels, or of None for a sample that it leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import nan

import numpy as np

Labels = Sequence[int | None]
Runs = Sequence[Labels]


def labels(text: str) -> tuple[int | None, ...]:
    """One label for each character; x is a sample that is left out."""
    return tuple(None if x == "x" else int(x) for x in text)


COARSE = tuple(map(labels, ("000111", "001111", "000112")))
FINE = tuple(map(labels, ("001122", "001221", "011222")))
LEFT = tuple(map(labels, ("000111", "001122", "00x111", "0x0110")))
TEN = labels("0000111222"), labels("0001111122")


def random_runs(rng: np.random.Generator, n_samples: int, n_runs: int, share: float) -> tuple[Labels, ...]:
    """Runs of up to four clusters, each of which leaves out a share of the samples."""
    return tuple(
        tuple(int(x) if y < 1 - share else None for x, y in zip(*row, strict=True))
        for row in zip(rng.integers(0, 4, (n_runs, n_samples)), rng.random((n_runs, n_samples)), strict=True)
    )


def frequency(runs: Runs, s: int, t: int) -> Fraction | None:
    """The share of the runs with both samples that have them together; None if there is no such run."""
    both = [run for run in runs if run[s] is not None and run[t] is not None]
    return Fraction(sum(run[s] == run[t] for run in both), len(both)) if both else None


def frequencies(runs: Runs, samples: Sequence[int]) -> list[Fraction]:
    """Those of the pairs of some samples, in the order of the pairs, without those that no run has."""
    found = (frequency(runs, *pair) for pair in combinations(samples, 2))
    return [x for x in found if x is not None]


def ambiguous(runs: Runs, low: float = 0.1, high: float = 0.9) -> Fraction:
    """The share of the pairs with a frequency above low, up to high."""
    found = frequencies(runs, range(len(runs[0])))
    return Fraction(sum(low < float(x) <= high for x in found), len(found))


def members(reference: Labels) -> list[list[int]]:
    """The samples of each cluster, by their labels."""
    clusters = sorted({x for x in reference if x is not None})
    return [[s for s, x in enumerate(reference) if x == cluster] for cluster in clusters]


def consensus(reference: Labels, runs: Runs) -> list[Fraction | float]:
    """The mean frequency of the pairs of each cluster; NaN without a pair."""
    found = [frequencies(runs, samples) for samples in members(reference)]
    return [sum(x) / len(x) if x else nan for x in found]


def pooled_consensus(reference: Labels, runs: Runs) -> list[Fraction | float]:
    """How often pairs of each cluster are together, of how often a run has both."""
    found = []
    for samples in members(reference):
        both = [x for pair in combinations(samples, 2) for x in in_runs(runs, *pair)]
        found.append(Fraction(sum(both), len(both)) if both else nan)
    return found


def in_runs(runs: Runs, s: int, t: int) -> list[bool]:
    """Whether two samples are together in each of the runs that have both."""
    return [run[s] == run[t] for run in runs if run[s] is not None and run[t] is not None]


def silhouettes(reference: Labels, runs: Runs, *, is_pooled: bool) -> list[Fraction | float]:
    """Silhouettes with 1 less the frequency as the distance, or with pooled frequencies of a sample and a cluster."""
    clusters = members(reference)

    def distance(s: int, others: list[int]) -> Fraction | None:
        if is_pooled:
            both = [x for t in others for x in in_runs(runs, s, t)]
            return 1 - Fraction(sum(both), len(both)) if both else None
        found = [x for t in others if (x := frequency(runs, s, t)) is not None]
        return 1 - sum(found) / len(found) if found else None

    values: list[Fraction | float] = []
    for s, label in enumerate(reference):
        if label is None or all(run[s] is None for run in runs):
            values.append(nan)
            continue
        within = next(distance(s, [t for t in samples if t != s]) for samples in clusters if s in samples)
        beside = [x for samples in clusters if s not in samples and (x := distance(s, samples)) is not None]
        if within is None or not beside or within == min(beside) == 0:
            values.append(Fraction(0))
        else:
            values.append((min(beside) - within) / max(min(beside), within))
    return values


def similarity(first: Labels, second: Labels) -> Fraction:
    """The element-centric similarity of two labelings, over the samples that both have."""
    pairs = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    sizes = [(pairs.count(p), sum(x == p[0] for x, _ in pairs), sum(y == p[1] for _, y in pairs)) for p in pairs]
    return sum(Fraction(both, max(a, b)) for both, a, b in sizes) / len(pairs)


def inconsistency(runs: Runs) -> Fraction:
    """The number of ordered pairs of runs, of a run with itself, too, divided by the sum of their similarities."""
    return len(runs) ** 2 / sum(similarity(x, y) for x in runs for y in runs)
