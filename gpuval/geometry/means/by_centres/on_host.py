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
from gpuval.geometry.distances.products import Given, left_side, right_side, squares
from gpuval.geometry.distances.rows import rows_of, taken
from gpuval.geometry.distances.unit_rows import have_no_length, made_unit_rows, square_of_rounding, unit_rows
from gpuval.geometry.means.folding import Between, Means, folded, means_of_parts, taken_at
from gpuval.geometry.moments import moments_of, scatters_beyond
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import NDArray
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map_with_blas

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
    X, no_length = _of_length_1(several[0].X) if metric == "cosine" else (several[0].X, None)
    return [_means(of_clusters, replace(points, X=X), no_length, between, rows, progress) for points in several]


def _of_length_1(X: Any) -> tuple[Any, NDArray]:
    """Samples at length 1, made once or when they are read; and 1.0 for those of no length, else 0.0."""
    if not is_sparse(X) and X.shape[0] * X.shape[1] <= _MADE:
        return made_unit_rows(X)
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

    def of_part(part: slice) -> Means:
        sums = of_clusters.sums(chosen[part]).T
        progress.advance(part.stop - part.start)
        return folded(sums, clusters == codes[part], points.masses[present], between)

    least = max(1, min(64, _CELLS // max(1, len(present))))
    height = max(least, min(1024, _CELLS // max(1, len(present), points.X.shape[1])))
    parts = parallel_map_with_blas(of_part, slices(len(chosen), height))
    means = taken_at(means_of_parts(parts, points.masses), chosen, points.n_samples, rows)
    if means.which is not None:
        means = means._replace(which=present[means.which])
    if no_length is None:
        return means
    # A sample without a length is at 1 from all others, but not from itself.
    own = np.where(no_length > 0, points.weight_of_others(), 0.0)
    return means._replace(own=np.where(taken(no_length, rows) > 0, taken(own, rows), means.own))


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
        right = right_side((self._places - middle) + self._offsets, 0.0, _WIDE)
        return squares(left_side(x, middle, _WIDE), right, _ToCentres(x, self._places, self._offsets))


class _ToCentres(Given):
    """Samples and centres, of which each is a place and the offset from it."""

    def __init__(self, x: NDArray, places: NDArray, offsets: NDArray) -> None:
        super().__init__(x.__getitem__, places.__getitem__)
        self._offsets = offsets

    def apart(self, i: NDArray, j: NDArray, dtype: np.dtype[np.float64]) -> NDArray:
        """The differences of these samples and centres, pair by pair."""
        return super().apart(i, j, dtype) - self._offsets[j]

    def squares(self) -> NDArray:
        """The squares of all distances, by differences, centre by centre."""
        x, every = self._rows, np.arange(len(self._rows))
        columns = [self.apart(every, np.full(len(x), j), _WIDE) for j in range(len(self._columns))]
        return np.stack([np.einsum("ij,ij->i", apart, apart) for apart in columns], axis=1)
