"""Distances between some samples and others, a tile at a time, in 64 bits where the device has them.

Which samples a spanning tree connects depends on which distances are equal. So distances are computed by differences of
features, which gives equal values for equal distances, wherever the samples lie.
"""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of, is_sparse
from gpuval.geometry.distances.differences import Differences
from gpuval.geometry.distances.precomputed import Precomputed
from gpuval.geometry.distances.rows import rows_of, taken
from gpuval.geometry.distances.tiles import Tiles, tiles_of
from gpuval.geometry.distances.unit_rows import CentredRows, have_no_length, square_of_rounding, unit_rows
from gpuval.geometry.points import Points
from gpuval.numerics import Array


class Distances:
    """The distances between samples, by one metric; they are constants to derivatives.

    On a device, tiles have all samples as columns, and rows may be given by indices whose values are not on the host.
    """

    def __init__(self, points: Points, metric: str) -> None:
        self._backend, self._X, self._metric = points.backend, points.X, metric
        self._has_none: Array | None = None
        self.is_symmetric = True
        """Whether d(x, y) = d(y, x) is known to hold."""
        self.height = points.n_samples
        """How many rows are read at once, at most."""
        if isinstance(points.X, Precomputed):
            self.is_symmetric, self.height = False, points.X.height
            if not self._backend.on_host:  # which rows are needed is not known on the host
                self._X = Whole(self._backend.as_real(points.X.rows(0, points.n_samples - 1), points.masses))
            return
        if metric == "correlation":
            self._X = CentredRows(self._X)
        if metric in ("correlation", "cosine"):
            self._has_none = have_no_length(self._X, points.masses) > 0
            self._X = unit_rows(self._X)
        if not is_sparse(self._X):
            X = rows_of(self._X, slice(0, points.n_samples))
            self._X = self._backend.without_gradient(self._backend.as_real(X, points.masses))

    def tiles(self, rows: Array | None, columns: Array | None, *, are_ties_seen: bool = True) -> Tiles:
        """The distances of some samples to others, given by their indices; None stands for all samples.

        If ties do not matter, ``are_ties_seen=False`` allows products of matrices, which are faster.
        """
        if isinstance(self._X, Whole):
            return self._X
        if isinstance(self._X, Precomputed):
            return self._X.tiles(rows, columns)
        x, y = taken(self._X, rows), taken(self._X, columns)
        metric = "cityblock" if self._metric == "cityblock" else "euclidean"
        by_differences = are_ties_seen and not is_sparse(self._X)
        tiles = Differences(x, y, metric) if by_differences else tiles_of(x, y, metric, self._backend)
        if self._metric in ("euclidean", "cityblock"):
            return tiles
        has_none = self._has_none
        return _OfSquares(tiles, None if has_none is None else (taken(has_none, rows), taken(has_none, columns)))


class Whole:
    """Tiles of distances that are in memory, to some of the samples, or to all if ``columns`` is None."""

    def __init__(self, distances: Array, columns: Array | None = None) -> None:
        self._distances, self._columns = distances, columns

    def rows(self, rows: Any) -> Array:
        """The rows of a tile, prepared for any columns."""
        some = rows_of(self._distances, rows)
        return some if self._columns is None else some[:, self._columns]

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return prepared[:, columns]


class _OfSquares:
    """Squared distances; with ``have_none`` half the squared distances of samples of length 1.

    ``have_none`` says which samples have no length, being all zeros; their distance to any other is 1.
    """

    def __init__(self, tiles: Tiles, have_none: tuple[Array, Array] | None) -> None:
        self._tiles, self._have_none = tiles, have_none

    def rows(self, rows: Any) -> Any:
        """The rows of a tile, prepared for any columns."""
        have_none = None if self._have_none is None else _some(self._have_none[0], rows)
        return have_none, self._tiles.rows(rows)

    def tile(self, prepared: Any, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        of_x, of_rows = prepared
        tile = self._tiles.tile(of_rows, columns)
        tile = tile * tile
        if self._have_none is None:
            return tile
        of_y = self._have_none[1][columns]
        xp = backend_of(tile).xp
        half = xp.where(tile <= square_of_rounding(tile), xp.zeros_like(tile), tile / 2)  # 0 in one direction
        return xp.where(of_x[:, None] | of_y[None, :], xp.ones_like(tile), half)


def _some(x: Array, rows: Any) -> Array:
    return x[rows] if isinstance(rows, slice) else taken(x, rows)
