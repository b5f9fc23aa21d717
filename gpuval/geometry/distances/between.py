"""Distances between samples, a tile at a time, either precomputed or computed from the samples."""

from __future__ import annotations

from gpuval.geometry.distances.precomputed import Precomputed
from gpuval.geometry.distances.rows import taken
from gpuval.geometry.distances.tiles import Tiles, tiles_of
from gpuval.geometry.points import Points
from gpuval.numerics import Array


def tiles_between_samples(
    points: Points, rows: Array | None, columns: Array | None, metric: str, height: int, *, in_any_unit: bool = False
) -> tuple[Tiles, int]:
    """The distances of some samples to others, or of all for None; and how many rows a tile has.

    Those are at most ``height`` where distances are found, and as many as are read at once where they are given. With
    ``in_any_unit`` each row of given distances may be in a unit of its own: see :meth:`Precomputed.tiles`.
    """
    X = points.X
    if isinstance(X, Precomputed):
        return X.tiles(rows, columns, in_any_unit=in_any_unit), X.height
    Y = taken(X, columns)
    return tiles_of(Y if rows is columns else taken(X, rows), Y, metric, points.backend), height
