"""Sums of squared and cosine distances of sparse samples to clusters, from centres that are sparse, too.

The centre of a cluster has no more entries than its samples have together: all centres take no more memory than X. All
products are sparse; what they lose is computed again by differences, which are sparse as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.geometry.distances.rows import taken
from gpuval.geometry.distances.sparse import squares_of_rows
from gpuval.geometry.points import Points
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices

_NEAR = 2.0**-10
"""Where the square of a distance is less than this share of the squares it is a difference of, it is computed by
differences: the product's rounding is then more than about 10 of its last digits."""

_ENTRIES = 1 << 20
"""Entries of sparse rows that are there at once for differences."""

_ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""How far a mean may be from the true one, in lengths of itself and of what it is a mean of."""


class OfSparseClusters:
    """The sums of the distances of sparse samples, in 64 bits, to those of each cluster."""

    def __init__(self, points: Points, present: NDArray, no_length: NDArray | None) -> None:
        from scipy.sparse import csr_array  # only now: few measures need SciPy

        self._X, self._no_length = csr_array(points.X), no_length
        self._squares = squares_of_rows(self._X)
        self._masses = points.masses[present]
        counted = np.flatnonzero(np.isin(points.codes, present))
        codes = np.searchsorted(present, points.codes[counted])
        weights = np.ones(len(counted)) if points.weights is None else points.weights[counted]
        shape = len(present), points.n_samples
        self._centres = csr_array((weights / self._masses[codes], (codes, counted)), shape=shape) @ self._X
        self._squares_of_centres = squares_of_rows(self._centres)
        self._right = self._centres.T.toarray() if self._is_dense() else self._centres.T.tocsr()
        lengths = np.zeros(len(present))
        np.maximum.at(lengths, codes, self._squares[counted])
        self._nothing = _ROUNDING**2 * lengths
        to_own = np.concatenate(
            [self._to_centres(counted[part])[np.arange(part.stop - part.start), codes[part]] for part in self._parts(counted)]
            or [np.zeros(0)]
        )
        self._scatters = np.bincount(codes, weights * to_own, minlength=len(present))
        if no_length is not None:
            self._of_none = np.bincount(codes, weights * no_length[counted], minlength=len(present))

    def _is_dense(self) -> bool:
        """Whether the centres have about as many entries as places for them."""
        k, d = self._centres.shape
        return k * d <= 4 * self._centres.nnz

    def _parts(self, rows: NDArray) -> list[slice]:
        return slices(len(rows), max(1, _ENTRIES // max(1, len(self._masses))))

    def sums(self, rows: NDArray) -> NDArray:
        """Those of some rows, shape (n_rows, n_clusters)."""
        tile = self._to_centres(rows)
        if self._no_length is None:
            return tile * self._masses + self._scatters
        tile += taken(self._no_length, rows)[:, None]
        return (tile * self._masses + (self._scatters + self._of_none)) / 2

    def _to_centres(self, rows: NDArray) -> NDArray:
        """The squares of the distances of samples to all centres."""
        x = self._X[rows, :]
        product: Any = x @ self._right
        both = self._squares[rows][:, None] + self._squares_of_centres
        tile = both - 2 * (product if isinstance(product, np.ndarray) else product.toarray())
        i, j = np.nonzero(tile < _NEAR * both)
        filled = 1 + x.nnz // max(1, x.shape[0]) + self._centres.nnz // max(1, len(self._masses))
        for part in slices(len(i), max(1, _ENTRIES // filled)):
            tile[i[part], j[part]] = squares_of_rows(x[i[part], :] - self._centres[j[part], :])
        tile[tile <= self._nothing] = 0
        return tile
