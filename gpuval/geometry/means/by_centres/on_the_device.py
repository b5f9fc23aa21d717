"""Mean squared and cosine distances from the centres of the clusters, in any library; see ``centres``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpuval.geometry.distances.rows import Chosen, rows_of, taken
from gpuval.geometry.distances.tiles import size_of_tile
from gpuval.geometry.distances.unit_rows import have_no_length, square_of_rounding, unit_rows
from gpuval.geometry.means.folding import Between, Means, folded, means_of_parts
from gpuval.geometry.means.on_device import by_parts
from gpuval.geometry.moments import Moments, moments_of, scatters_beyond
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import Array
from gpuval.numerics.slices import slices


def means_by_centres_on_device(
    points: Points, metric: str, between: Between, rows: Array | None, progress: Progress
) -> Means:
    """The mean distances of the rows; None for all samples."""
    k = points.n_clusters
    no_length = have_no_length(points.X, points.masses) if metric == "cosine" else None
    X = points.X if no_length is None else unit_rows(points.X)
    of_length_1 = replace(points, X=X)
    moments, codes = moments_of(of_length_1), taken(points.codes, rows)
    nothing, scatters = moments.errors * moments.errors, moments.scatters
    clusters, xp = points.backend.arange_beside(0, k, codes.dtype, codes), points.xp
    if no_length is not None:
        least = square_of_rounding(points.masses)
        nothing = xp.maximum(nothing, xp.full_like(nothing, least))
        scatters = scatters_beyond(of_length_1, moments, least)
        weighed = no_length if points.weights is None else no_length * points.weights
        scatters = scatters + points.backend.total(weighed, points.codes, k + 1)[:k]
    squares = _Squares(X if rows is None else Chosen(X, rows), moments, nothing)
    height, width = size_of_tile(points.masses)

    def of_part(part: slice) -> list[Means]:
        tile = squares.of_rows(part)
        if no_length is not None:
            tile = tile + taken(no_length, rows)[part][:, None]
        sums = tile * moments.masses[None, :] + scatters[None, :]
        sums = sums if no_length is None else sums / 2
        return [folded(sums.T, clusters[:, None] == codes[part][None, :], moments.masses, between)]

    found = by_parts(of_part, slices(codes.shape[0], max(1, height * width // max(1, k))), points, progress)
    means = means_of_parts([of_part for (of_part,) in found], points.masses)
    if no_length is None:
        return means
    # A sample without a length is at 1 from all others, but not from itself.
    own = xp.where(taken(no_length, rows) > 0, taken(points.weight_of_others(), rows), means.own)
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
