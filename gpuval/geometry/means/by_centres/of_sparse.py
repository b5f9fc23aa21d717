"""Sums of squared and cosine distances of sparse samples to clusters, from centres that are sparse, too.

The centre of a cluster has no more entries than its samples have together: all centres take no more memory than X. All
products are sparse; what they lose is computed again by differences, which are sparse as well. For these, where a
cluster is narrow, a centre is a place, one of its samples, and the offset from it, which has its digits far from 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.geometry.distances.sparse import squares_of_rows
from gpuval.geometry.means.by_centres.on_host import OfClusters
from gpuval.geometry.points import Points
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices

_NEAR = 2.0**-10
"""Where the square of a distance is less than this share of the squares it is a difference of, it is computed by
differences: the product's rounding is then more than about 10 of its last digits."""

_FILLED = 4
"""How many places centres have for each entry, at most, where their products are quicker with dense ones."""

_ENTRIES = 1 << 20
"""Entries of sparse rows that are there at once for differences."""


class OfSparseClusters(OfClusters):
    """The sums of the distances of sparse samples, in 64 bits, to those of each cluster."""

    def _find_centres(self, points: Points, present: NDArray) -> None:
        from scipy.sparse import csr_array  # only now: few measures need SciPy

        X = self._X = csr_array(points.X).astype(np.float64)
        self._squares = squares_of_rows(X)
        counted = np.flatnonzero(np.isin(points.codes, present))
        codes = np.searchsorted(present, points.codes[counted])
        weights = np.ones(len(counted)) if points.weights is None else points.weights[counted]
        shares = csr_array((weights / self._masses[codes], (codes, counted)), shape=(len(present), points.n_samples))
        self._centres = self._places = shares @ X
        self._squares_of_centres, self._offsets = squares_of_rows(self._centres), None
        if (self._squares_of_centres >= (1 - _NEAR) * (shares @ self._squares)).any():
            self._places = X[_of_fewest_entries(X, counted, codes), :]
            self._offsets = shares[:, counted] @ (X[counted, :] - self._places[codes, :])
            self._centres = self._places + self._offsets
            self._squares_of_centres = squares_of_rows(self._centres)
        self._filled = np.diff(self._centres.indptr)
        is_filled = np.prod(self._centres.shape) <= _FILLED * self._centres.nnz
        self._right = self._centres.T.toarray() if is_filled else self._centres.T.tocsr()
        self._nothing = np.zeros(len(present))
        to_own = [np.zeros(0)]
        for part in slices(len(counted), max(1, _ENTRIES // max(1, len(present)))):
            tile = self._to_centres(counted[part])
            to_own.append(tile[np.arange(len(tile)), codes[part]])
        squares = np.concatenate(to_own)
        squares[squares <= self._least] = 0
        self._scatters = np.bincount(codes, weights * squares, minlength=len(present))

    def _to_centres(self, rows: NDArray) -> NDArray:
        """The squares of the distances of some samples to all centres."""
        x = self._X[rows, :]
        product: Any = x @ self._right
        both = self._squares[rows][:, None] + self._squares_of_centres
        tile: NDArray = both - 2 * (product if isinstance(product, np.ndarray) else product.toarray())
        i, j = np.nonzero(tile < _NEAR * both)
        filled = np.diff(x.indptr)[i] + self._filled[j]
        for part in np.split(np.arange(len(i)), np.flatnonzero(np.diff(np.cumsum(filled) // _ENTRIES)) + 1):
            apart = x[i[part], :] - self._places[j[part], :]
            tile[i[part], j[part]] = squares_of_rows(
                apart if self._offsets is None else apart - self._offsets[j[part], :]
            )
        return tile


def _of_fewest_entries(X: Any, rows: NDArray, codes: NDArray) -> NDArray:
    """Of each cluster, which all have samples, the one with the fewest entries."""
    order = np.lexsort((np.diff(X.indptr)[rows], codes))
    first = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.asarray(rows[order[first]])
