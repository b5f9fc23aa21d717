"""The samples row by row, dense, for distances: from an array, a sparse matrix, or computed from other rows."""

from __future__ import annotations

from typing import Any

from gpuval.engines import lazily, without_waiting
from gpuval.engines.backends import backend_of, is_sparse
from gpuval.numerics import Array


class Rows:
    """Samples that are made of others, the source, when they are read."""

    source: Any
    shape: tuple[int, ...]

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        raise NotImplementedError


class Chosen(Rows):
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
    part = X[rows, :] if isinstance(rows, slice) else taken(X, rows)
    return lazily(part.toarray()) if is_sparse(part) else part


def taken(X: Any, rows: Array | None) -> Any:
    """The rows with these indices; all for None, and None of nothing."""
    if rows is None or X is None:
        return X
    if is_sparse(X):
        return X[without_waiting(rows), :]
    backend = backend_of(X)
    return X[rows] if backend.on_host else backend.xp.take(X, rows, axis=0)
