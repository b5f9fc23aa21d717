"""Clusters of cells by k-means on the host, for the scores that compare clusters with labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.inputs.options import generator
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, product, slices

_STARTS = 10
"""How many starts: the clusters with the smallest inertia are used."""

_STEPS = 300
"""The largest number of steps."""

_CELLS = 1 << 18
"""How many distances from rows to centres are in memory at once."""


def k_means(X: NDArray, n_clusters: int, random_state: Any) -> NDArray:
    """The cluster of each row, from starts by k-means++."""
    random = generator(random_state)
    X = _centre_rows(X.astype(np.float64))
    drawn = [(int(random.integers(len(X))), random.uniform(size=n_clusters - 1)) for _ in range(_STARTS)]
    squares = np.einsum("ij,ij->i", X, X)
    found = parallel_map_with_blas(lambda start: _lloyd_clusters(X, squares, _far_apart(X, *start)), drawn)
    return min(found, key=lambda one: one[1])[0]


def _far_apart(X: NDArray, first: int, shares: NDArray) -> NDArray:
    """Rows of X by k-means++, as many more as shares: each at that share of the sum of squares from the nearest so far.

    With shares by chance, a row is chosen in proportion to its square.
    """
    from scipy.spatial.distance import cdist  # only now: nothing else here needs it

    chosen, squares = [first], np.full(len(X), np.inf)
    for share in shares:
        np.minimum(squares, cdist(X[chosen[-1:]], X, "sqeuclidean")[0], out=squares)
        sums = squares.cumsum()
        place = np.searchsorted(sums, sums[-1] * share, side="right")
        chosen.append(min(int(place), len(X) - 1))  # of fewer places than clusters, where all sums are 0
    return X[chosen]


def _lloyd_clusters(X: NDArray, squares: NDArray, centres: NDArray) -> tuple[NDArray, float]:
    """The clusters when each row is at its nearest centre and each centre the mean of its rows, and their inertia.

    After a step of the centres, rows are looked at only where a centre might be nearer than before: how far the own
    centre is, and how near another, changes by no more than these moved.
    """
    k = len(centres)
    clusters, own, other = _nearest(X, squares, centres)
    sums, counts = _sums(X, clusters, k), np.bincount(clusters, minlength=k)
    for _ in range(_STEPS):
        before, centres = centres, np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)
        moved = np.sqrt(np.square(centres - before).sum(axis=1))
        own += moved[clusters]
        other -= moved.max()
        rows = np.flatnonzero(own >= other)
        found, own[rows], other[rows] = _nearest(X[rows], squares[rows], centres)
        changed = found != clusters[rows]
        if not changed.any():
            found, own, other = _nearest(X, squares, centres)  # as bounds, too, are rounded
            rows, changed = np.arange(len(X)), found != clusters
            if not changed.any():
                break
        rows, found = rows[changed], found[changed]
        sums += _sums(X[rows], found, k) - _sums(X[rows], clusters[rows], k)
        clusters[rows] = found
        counts = np.bincount(clusters, minlength=k)
    return clusters, float(np.square(X - centres[clusters]).sum())


def _nearest(X: NDArray, squares: NDArray, centres: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """The nearest centre of each row, whose squares are given, its distance, and that of the next one."""
    clusters, own, other = np.empty(len(X), dtype=np.intp), np.empty(len(X)), np.full(len(X), np.inf)
    of_centres = np.square(centres).sum(axis=1)
    for part in slices(len(X), max(1, _CELLS // len(centres))):
        apart = product(X[part], -2 * centres)
        apart += of_centres
        each = np.arange(len(apart))
        clusters[part] = apart.argmin(axis=1)
        own[part] = apart[each, clusters[part]] + squares[part]
        apart[each, clusters[part]] = np.inf
        other[part] = apart.min(axis=1) + squares[part]
    return clusters, np.sqrt(np.maximum(own, 0)), np.sqrt(np.maximum(other, 0))


def _sums(X: NDArray, clusters: NDArray, n_clusters: int) -> NDArray:
    """The sum of the rows of each cluster."""
    from scipy.sparse import csr_array

    edges = np.arange(len(X) + 1)
    of_clusters: NDArray = csr_array((np.ones(len(X)), clusters, edges), shape=(len(X), n_clusters)).T @ X
    return of_clusters


def _centre_rows(X: NDArray) -> NDArray:
    """The rows about their mean, by a power of two, such that the largest number is below 1, whose squares have sums.

    Each column has a unit of its own until its mean is subtracted, as sums of huge numbers are beyond the floats.
    """
    units = np.frexp(np.abs(X).max(axis=0))[1]
    X = np.ldexp(X, -units)
    X -= X.mean(axis=0)
    largest, exponents = np.frexp(np.abs(X).max(axis=0))
    varies = largest > 0
    if not varies.any():
        return X
    scaled: NDArray = np.ldexp(X, units - (units + exponents)[varies].max())
    return scaled
