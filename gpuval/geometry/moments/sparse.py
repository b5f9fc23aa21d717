"""Sums of sparse samples of the host, and their distances to centres, by their entries alone.

With the entries x_j of a sample and its centre m, |x - m|^2 is the sum of (x_j - m_j)^2 over the entries, and of m_j^2
over all other features: |m|^2 less those of the entries. Where little is left of |m|^2 that difference has no digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.geometry.distances.sparse import without_duplicates
from gpuval.geometry.points import Points
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices

_ENTRIES = 1 << 18
"""Entries in a block of rows, about."""

_LEFT = 1 / 8
"""What must be left of |m|^2."""

_LEAST = 2.0**-800
"""Squares that have all their digits."""


def sums_of_sparse(points: Points) -> NDArray:
    """The sums over each cluster of the samples, shape (n_clusters, n_features)."""
    from scipy.sparse import csc_array  # only now: few measures need SciPy

    n, k = points.n_samples, points.n_clusters
    ones = np.ones(n) if points.weights is None else points.weights
    by_cluster = csc_array((ones, points.codes, np.arange(n + 1)), shape=(k + 1, n)).tocsr()
    sums: NDArray = (by_cluster[:k] @ points.X.astype(np.float64, copy=False)).toarray()
    return sums


def distances_of_entries(points: Points, places: NDArray) -> tuple[NDArray, NDArray]:
    """The distance of each sample to the place of its code, and the indices of those that are not known so."""
    X = without_duplicates(points.X)
    codes = np.minimum(points.codes, len(places) - 1)  # what does not count is anywhere
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        whole = np.einsum("ij,ij->i", places, places)[codes]
        squares = np.zeros(points.n_samples)
        step = max(1, _ENTRIES * points.n_samples // max(1, X.nnz))
        for rows in slices(points.n_samples, step):
            squares[rows] = _within_entries(X[rows], codes[rows], places)
        squares += whole
        is_known = (squares > _LEFT * whole) & (squares > _LEAST) & (squares < np.inf)
        found = np.sqrt(np.where(is_known, squares, 0.0))
    return found, np.flatnonzero(~is_known)


def _within_entries(X: Any, codes: NDArray, places: NDArray) -> NDArray:
    """Of each row the sum of (x_j - m_j)^2 - m_j^2 over its entries."""
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    centre = places[codes[rows], X.indices]
    apart = X.data - centre
    return np.bincount(rows, apart * apart - centre * centre, minlength=X.shape[0])
