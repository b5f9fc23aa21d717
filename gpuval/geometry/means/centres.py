"""Mean squared and cosine distances from the centres of the clusters, in O(n_samples n_features n_clusters).

The mean of |x - y|^2 over a cluster is |x - m|^2 + s / w of its mean m, its scatter s and its weight w. Cosine
distances are half the squares between samples of length 1; a sample of no length is at 1 from every other one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import is_sparse
from gpuval.geometry.distances.products import TileSamples, column_factor, row_factor, squares
from gpuval.geometry.distances.sparse import squares_of_rows
from gpuval.geometry.distances.tiles import size_of_tile
from gpuval.geometry.distances.unit_rows import dense_unit_rows, have_no_length, square_of_rounding, unit_rows
from gpuval.geometry.means.folding import Between, Means, means_from_sums, means_of_parts, reorder_means
from gpuval.geometry.means.tiles import map_parts
from gpuval.geometry.moments import Moments, moments_of, scatters_beyond
from gpuval.geometry.points import Points, RowSubset, rows_of, take_rows
from gpuval.geometry.progress import Progress
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import parallel_map_with_blas, slices

_WIDE = np.dtype(np.float64)

_CELLS = 1 << 20
"""Numbers of a block of samples, or of its distances to all centres."""

_MADE = 1 << 25
"""Numbers up to which samples of length 1 are made once, in memory of their own."""


def means_by_centres(
    of_clusters: type[OfClusters],
    several: Sequence[Points],
    metric: str,
    between: Between,
    rows: NDArray | None,
    progress: Progress,
) -> list[Means]:
    """Of each of several labelings of the same samples, the mean distances of the rows; None for all samples."""
    X, no_length = _unit_samples(several[0].X) if metric == "cosine" else (several[0].X, None)
    return [_means(of_clusters, replace(points, X=X), no_length, between, rows, progress) for points in several]


def _unit_samples(X: Any) -> tuple[Any, NDArray]:
    """Samples at length 1, made once or when they are read; and 1.0 for those of no length, else 0.0."""
    if not is_sparse(X) and X.shape[0] * X.shape[1] <= _MADE:
        return dense_unit_rows(X)
    return unit_rows(X), have_no_length(X, np.zeros(0))


def _means(
    kind: type[OfClusters],
    points: Points,
    no_length: NDArray | None,
    between: Between,
    rows: NDArray | None,
    progress: Progress,
) -> Means:
    present = np.flatnonzero(points.masses > 0)
    of_clusters = kind(points, present, no_length)
    chosen = np.flatnonzero(points.codes < points.n_clusters) if rows is None else rows
    chosen = chosen[np.argsort(points.codes[chosen], kind="stable")]  # neighbours lose the fewest digits
    codes, clusters = np.searchsorted(present, points.codes[chosen]), np.arange(len(present))[:, None]

    def means_of_part(part: slice) -> Means:
        sums = of_clusters.sums(chosen[part]).T
        progress.advance(part.stop - part.start)
        return means_from_sums(sums, clusters == codes[part], points.masses[present], between)

    least = max(1, min(64, _CELLS // max(1, len(present))))
    height = max(least, min(1024, _CELLS // max(1, len(present), points.X.shape[1])))
    parts = parallel_map_with_blas(means_of_part, slices(len(chosen), height))
    means = reorder_means(means_of_parts(parts, points.masses), chosen, points.n_samples, rows)
    if means.which is not None:
        means = means._replace(which=present[means.which])
    if no_length is None:
        return means
    # A sample without a length is at 1 from all others, but not from itself.
    own = np.where(no_length > 0, points.weight_of_others(), 0.0)
    return means._replace(own=np.where(take_rows(no_length, rows) > 0, take_rows(own, rows), means.own))


class OfClusters:
    """The sums of the distances of samples to those of each cluster.

    ``no_length`` has 1.0 for each sample of no length, and 0.0 for others, where distances are cosine ones.
    """

    _scatters: NDArray
    _nothing: NDArray
    """The square up to which a sample is at the centre of each cluster."""

    def __init__(self, points: Points, present: NDArray, no_length: NDArray | None) -> None:
        self._X, self._no_length, self._masses = points.X, no_length, points.masses[present]
        if no_length is not None:
            weighed = no_length if points.weights is None else no_length * points.weights
            k = points.n_clusters
            self._of_none = np.bincount(points.codes, weighed, minlength=k + 1)[:k][present]
        self._least = 0.0 if no_length is None else square_of_rounding(self._masses)
        self._find_centres(points, present)
        self._nothing = np.maximum(self._nothing, self._least)

    def sums(self, rows: NDArray) -> NDArray:
        """Those of some rows, shape (n_rows, n_clusters)."""
        tile = self._to_centres(rows)
        tile[tile <= self._nothing] = 0
        if self._no_length is None:
            found: NDArray = tile * self._masses + self._scatters
            return found
        tile += self._no_length[rows][:, None]
        of_cosines: NDArray = (tile * self._masses + (self._scatters + self._of_none)) / 2
        return of_cosines

    def _find_centres(self, points: Points, present: NDArray) -> None:
        moments = moments_of(points)
        scatters = scatters_beyond(points, moments, self._least) if self._least else moments.scatters
        self._scatters, self._nothing = scatters[present], moments.errors[present] ** 2
        self._places, self._offsets = moments.places[present], moments.offsets[present]

    def _to_centres(self, rows: NDArray) -> NDArray:
        """The squares of the distances of some samples to all centres."""
        x = rows_of(self._X, rows).astype(_WIDE, copy=False)
        middle = x.mean(axis=0)
        right = column_factor((self._places - middle) + self._offsets, 0.0, _WIDE)
        return squares(row_factor(x, middle, _WIDE), right, _ToCentres(x, self._places, self._offsets))


class _ToCentres(TileSamples):
    """Samples and centres, of which each is a place and the offset from it."""

    def __init__(self, x: NDArray, places: NDArray, offsets: NDArray) -> None:
        super().__init__(x.__getitem__, places.__getitem__)
        self._offsets = offsets

    def differences(self, i: NDArray, j: NDArray, dtype: np.dtype[np.float64]) -> NDArray:
        """The differences of these samples and centres, pair by pair."""
        return super().differences(i, j, dtype) - self._offsets[j]

    def squares(self) -> NDArray:
        """The squares of all distances, by differences, centre by centre."""
        x, every = self._rows, np.arange(len(self._rows))
        columns = [self.differences(every, np.full(len(x), j), _WIDE) for j in range(len(self._columns))]
        return np.stack([np.einsum("ij,ij->i", apart, apart) for apart in columns], axis=1)


# Sums of squared and cosine distances of sparse samples to clusters, from centres that are sparse, too.
#
# The centre of a cluster has no more entries than its samples have together: all centres take no more memory than X.
# All products are sparse; what they lose is computed again by differences, which are sparse as well. For these, where a
# cluster is narrow, a centre is a place, one of its samples, and the offset from it, which has its digits far from 0.

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
            self._places = X[_sparsest_samples(X, counted, codes), :]
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


def _sparsest_samples(X: Any, rows: NDArray, codes: NDArray) -> NDArray:
    """Of each cluster, which all have samples, the one with the fewest entries."""
    order = np.lexsort((np.diff(X.indptr)[rows], codes))
    first = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.asarray(rows[order[first]])


# From centres, in any library.


def means_by_centres_on_device(
    points: Points, metric: str, between: Between, rows: Array | None, progress: Progress
) -> Means:
    """The mean distances of the rows; None for all samples."""
    k = points.n_clusters
    no_length = have_no_length(points.X, points.masses) if metric == "cosine" else None
    X = points.X if no_length is None else unit_rows(points.X)
    of_length_1 = replace(points, X=X)
    moments, codes = moments_of(of_length_1), take_rows(points.codes, rows)
    nothing, scatters = moments.errors * moments.errors, moments.scatters
    clusters, xp = points.backend.arange_beside(0, k, codes.dtype, codes), points.xp
    if no_length is not None:
        least = square_of_rounding(points.masses)
        nothing = xp.maximum(nothing, xp.full_like(nothing, least))
        scatters = scatters_beyond(of_length_1, moments, least)
        weighed = no_length if points.weights is None else no_length * points.weights
        scatters = scatters + points.backend.total(weighed, points.codes, k + 1)[:k]
    squares = _Squares(X if rows is None else RowSubset(X, rows), moments, nothing)
    height, width = size_of_tile(points.masses)

    def means_of_part(part: slice) -> list[Means]:
        tile = squares.of_rows(part)
        if no_length is not None:
            tile = tile + take_rows(no_length, rows)[part][:, None]
        sums = tile * moments.masses[None, :] + scatters[None, :]
        sums = sums if no_length is None else sums / 2
        return [means_from_sums(sums.T, clusters[:, None] == codes[part][None, :], moments.masses, between)]

    found = map_parts(means_of_part, slices(codes.shape[0], max(1, height * width // max(1, k))), points, progress)
    means = means_of_parts([of_part for (of_part,) in found], points.masses)
    if no_length is None:
        return means
    # A sample without a length is at 1 from all others, but not from itself.
    own = xp.where(take_rows(no_length, rows) > 0, take_rows(points.weight_of_others(), rows), means.own)
    return means._replace(own=own)


class _Squares:
    """The squares of the distances of rows x to centres, of which each is a place p and the offset o from it.

    |x - p - o|^2 is |x - p|^2 - 2 (x - p) o + |o|^2, where offsets are what rounding took from the places: the first
    term is found by differences, and the others are next to nothing, unless a cluster is as narrow as such rounding.
    """

    def __init__(self, X: Any, moments: Moments, nothing: Array) -> None:
        self._X, self._moments, self._nothing = X, moments, nothing
        xp, offsets = moments.xp, moments.offsets
        beside = moments.places - moments.origin[None, :]
        self._of_offsets = xp.sum((2 * beside + offsets) * offsets, axis=1)

    def of_rows(self, part: slice) -> Array:
        """Those of some rows, shape (n_rows, n_clusters)."""
        moments, backend, xp = self._moments, self._moments.backend, self._moments.xp
        x = backend.as_real(rows_of(self._X, part), moments.masses)
        tile = backend.pairwise(x, moments.places, "sqeuclidean")
        beside = x - moments.origin[None, :]
        tile = tile + self._of_offsets[None, :] - 2 * backend.matmul(beside, moments.offsets.T)
        return xp.where(tile <= self._nothing[None, :], xp.zeros_like(tile), tile)
