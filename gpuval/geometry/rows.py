"""The samples row by row, dense, for distances; tiles of differences, which lose no digits; names of distances."""

from __future__ import annotations

from typing import Any, Literal, get_args

from gpuval.engines import lazily, without_waiting
from gpuval.engines.backends import backend_of, is_sparse
from gpuval.inputs.options import check_option
from gpuval.numerics import Array


class Rows:
    """Samples that are made of others, the source, when they are read."""

    source: Any
    shape: tuple[int, ...]

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        raise NotImplementedError


class RowSubset(Rows):
    """Some of the samples: those with the indices of an array."""

    def __init__(self, X: Any, rows: Array) -> None:
        self.source, self._rows = X, rows
        self.shape = (int(rows.shape[0]), int(X.shape[1]))

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        return rows_of(self.source, self._rows[rows])


def is_made_of_sparse(X: Any) -> bool:
    """Whether samples are sparse, or made of such: no more than a tile of them is to be dense at a time."""
    return is_made_of_sparse(X.source) if isinstance(X, Rows) else is_sparse(X)


def rows_of(X: Any, rows: Any) -> Array:
    """Rows of the samples as a dense array: those of a slice, or with the indices of an array."""
    if isinstance(X, Rows):
        return X.read(rows)
    part = X[rows, :] if isinstance(rows, slice) else take_rows(X, rows)
    return lazily(part.toarray()) if is_sparse(part) else part


def take_rows(X: Any, rows: Array | None) -> Any:
    """The rows with these indices; all for None, and None of nothing."""
    if rows is None or X is None:
        return X
    if is_sparse(X):
        return X[without_waiting(rows), :]
    backend = backend_of(X)
    return X[rows] if backend.on_host else backend.xp.take(X, rows, axis=0)


# Distances in any library, a tile at a time, by differences of features: digits never cancel.


class Differences:
    """The distances of the rows of X to those of Y."""

    def __init__(self, X: Any, Y: Any, metric: str) -> None:
        self._X, self._Y, self._metric = X, Y, metric

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        return rows_of(self._X, rows)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return pairwise_distances(prepared, rows_of(self._Y, columns), self._metric)


def pairwise_distances(x: Array, y: Array, metric: str) -> Array:
    """All distances of x to y: "euclidean", "sqeuclidean" or "cityblock"; of NumPy in 64 bits."""
    backend = backend_of(x)
    if not backend.on_host:
        return backend.pairwise(x, y, metric)
    from scipy.spatial.distance import cdist  # only now: few measures need SciPy

    return cdist(x, y, metric)


# The names of the distances that users can choose.

Distance = Literal[
    "euclidean", "l2", "sqeuclidean", "cosine", "correlation", "cityblock", "manhattan", "l1", "precomputed"
]
DISTANCES: tuple[str, ...] = get_args(Distance)

IN_ANY_UNIT = ("euclidean", "sqeuclidean", "cityblock")
"""Distances whose squares or sums may be beyond the floats, and whose scores have no unit."""

_OTHER_NAMES: dict[str, Distance] = {"l2": "euclidean", "manhattan": "cityblock", "l1": "cityblock"}


def distance_name(metric: Any, allowed: tuple[str, ...] = DISTANCES) -> Distance:
    """Check the name of a distance; of names for the same one, the first."""
    check_option("metric", metric, allowed)
    first: Distance = _OTHER_NAMES.get(metric, metric)
    return first
