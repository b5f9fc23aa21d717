"""How random tables are drawn: by halves of the clusters, and of the classes, for many tables at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gpuval.numerics import NDArray
from gpuval.table.resampling.draws import chunks

LARGEST_TOTAL = 10**9 - 1
"""The most samples that NumPy's hypergeometric generator takes."""


def chunks_of_tables(
    number: int, n_cells: int, random: np.random.Generator
) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators, and how many tables each of them draws: four times as many counts as of other draws.

    So each of the calls by which a table is drawn makes many numbers.
    """
    return chunks(number, max(1, n_cells // 4), random)


def drawn_tables(rows: NDArray, columns: NDArray, size: int, random: np.random.Generator) -> NDArray:
    """Tables of these sums of rows and columns, shape (m, r, size): a column after the other, each by its rows."""
    if not (len(rows) and len(columns)):
        return np.zeros((len(columns), len(rows), size), dtype=np.int64)
    of_rows, edges = _halvings(len(rows)), _edges(columns)
    counts = np.repeat(rows[None, :, None], size, axis=2)
    for halving in _halvings(len(columns)):
        taken = edges[halving.middle] - edges[halving.start]
        first = _taken(counts[halving.cut].transpose(1, 0, 2), taken[:, None], of_rows, random)
        counts = halving.halves(counts, first.transpose(1, 0, 2))
    return counts


def _taken(counts: NDArray, n_taken: NDArray, halvings: list[_Halving], random: np.random.Generator) -> NDArray:
    """How many samples of each row are among those that are taken, shape (r, k, size).

    ``counts``, of the same shape, has the samples of each row; ``n_taken``, shape (k, 1), says how many are taken.
    """
    edges = _edges(counts)
    taken = np.broadcast_to(n_taken, (1, *counts.shape[1:]))
    for halving in halvings:
        middle = edges[halving.middle]
        first = random.hypergeometric(middle - edges[halving.start], edges[halving.stop] - middle, taken[halving.cut])
        taken = halving.halves(taken, first)
    return taken


def _edges(x: NDArray) -> NDArray:
    """The sums of ``x`` before each place along its first axis, and that of all."""
    sums = np.zeros((x.shape[0] + 1, *x.shape[1:]), dtype=np.int64)
    np.cumsum(x, axis=0, out=sums[1:])
    return sums


@dataclass(frozen=True)
class _Halving:
    """Segments of places in a row that are cut in the middle, among others of a single place, which stay."""

    cut: NDArray
    """Which of the segments are cut."""
    start: NDArray
    middle: NDArray
    stop: NDArray
    first: NDArray
    """Where the first halves are among the segments that come of it; the second ones follow them."""
    whole: NDArray
    """Which segments stay."""
    place: NDArray
    """Where these are then."""

    def halves(self, x: NDArray, first: NDArray) -> NDArray:
        """What the segments have that come of it; ``x`` is what they had, and ``first`` what the first halves have."""
        after = np.empty((len(x) + len(self.cut), *x.shape[1:]), dtype=np.int64)
        after[self.first], after[self.first + 1], after[self.place] = first, x[self.cut] - first, x[self.whole]
        return after


def _halvings(n: int) -> list[_Halving]:
    """How ``n`` places are halved, until each is by itself."""
    found, edges = [], np.asarray([0, n])
    while len(edges) <= n:
        lengths = np.diff(edges)
        cut, whole = np.flatnonzero(lengths > 1), np.flatnonzero(lengths == 1)
        place = np.cumsum(np.minimum(lengths, 2)) - np.minimum(lengths, 2)
        start, stop = edges[cut], edges[cut + 1]
        middle = (start + stop) // 2
        found.append(_Halving(cut, start, middle, stop, place[cut], whole, place[whole]))
        edges = np.union1d(edges, middle)
    return found
