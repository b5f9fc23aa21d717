"""Distances that are given: a square array, sparse, mapped from a file, or a function that gives rows of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np

from gpuval import _namespace as ns
from gpuval._metric import check_option
from gpuval._namespace import Array
from gpuval.internal._matrix import as_array, as_float, is_sparse
from gpuval.internal._points import Points, read_points

Metric = Literal["euclidean", "sqeuclidean", "cosine", "cityblock", "precomputed"]
METRICS: tuple[str, ...] = get_args(Metric)

_CELLS = 1 << 23
"""Distances that are read at once."""


class Precomputed:
    """Distances of shape (n, n), read a block of rows at a time and checked as they are read."""

    def __init__(self, block: Callable[[int, int], Array], n_samples: int, is_integer: bool) -> None:
        self._block, self.shape, self._is_integer = block, (n_samples, n_samples), is_integer
        self.looks = True
        self.counted: Array | None = None
        """Which samples count, if not all do: what is given of others may be no number."""

    @property
    def height(self) -> int:
        """How many rows are read at once."""
        return max(1, min(256, _CELLS // max(1, self.shape[0])))

    def tiles(self, rows: Array | None, columns: Array | None) -> _Tiles:
        """The distances of some samples to others, by the tile; None for all."""
        return _Tiles(self, rows, columns)

    def rows(self, first: int, last: int) -> Array:
        """The rows from the first to the last."""
        block = self._block(first, last + 1)
        if tuple(block.shape) != (last + 1 - first, self.shape[0]):
            raise ValueError(
                f"X must give blocks of shape (stop - start, n_samples) = {(last + 1 - first, self.shape[0])} where it "
                f"is a function of start and stop, got {tuple(block.shape)}"
            )
        if self.counted is not None:
            both = self.counted[first : last + 1][:, None] & self.counted[None, :]
            block = ns.namespace(block).where(both, block, ns.namespace(block).zeros_like(block))
        if self.looks:
            self._check(block, first)
        return block

    def _check(self, block: Array, first: int) -> None:
        xp = ns.namespace(block)
        here = xp.arange(block.shape[0], device=ns.device(block))[:, None]
        places = xp.arange(block.shape[1], device=ns.device(block))[None, :]
        on_diagonal = here + first == places
        largest = xp.max(xp.abs(xp.where(on_diagonal, block, xp.zeros_like(block))))
        bound = 0.0 if self._is_integer else 100 * float(xp.finfo(block.dtype).eps)
        sums = xp.sum(block)
        found = ns.to_host(xp.stack([xp.astype(x, sums.dtype) for x in (xp.min(block), sums, largest)]))
        if not np.isfinite(found[1]):
            raise ValueError(f"X must hold finite distances, got {found[1]} as the sum of rows {first} and after")
        if found[0] < 0:
            raise ValueError(f"X must hold distances, which are not negative, got {found[0]} in row {first} or after")
        if found[2] > bound:
            raise ValueError(
                f"X must hold the distance 0 of each sample to itself: the precomputed distance matrix contains "
                f"non-zero elements on the diagonal, got {found[2]}"
            )


class _Tiles:
    """Tiles of given distances: of a row, all distances are read at once."""

    def __init__(self, of: Precomputed, rows: Array | None, columns: Array | None) -> None:
        self._of, self._rows, self._columns = of, None if rows is None else ns.to_host(rows), columns

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        if self._rows is not None:
            block = self._of_indices(self._rows[rows])
        else:
            block = self._of.rows(rows.start, rows.stop - 1)
        return block if self._columns is None else ns.namespace(block).take(block, self._columns, axis=1)

    def _of_indices(self, rows: np.ndarray[Any, Any]) -> Array:
        """Rows that may have others between them, which are not read."""
        starts = np.flatnonzero(np.diff(rows, prepend=rows[0] - 2) != 1)
        runs = [self._of.rows(int(run[0]), int(run[-1])) for run in np.split(rows, starts[1:])]
        return runs[0] if len(runs) == 1 else ns.namespace(runs[0]).concat(runs)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return prepared[:, columns]


def read_samples_or_distances(X: Any, labels: Any, metric: Any, **building: Any) -> Points:
    """The points of samples in rows, or of their distances, if these are precomputed."""
    check_option("metric", metric, METRICS)
    if metric == "precomputed":
        points = read_points(X, labels, **building, read=read_precomputed)
        points.X.looks = points.looks
        if building.get("ignore_labels") is not None or points.weights is not None:
            points.X.counted = points.codes < points.n_clusters
        return points
    points = read_points(X, labels, **building).finite()
    return points.in_any_unit() if metric in ("euclidean", "sqeuclidean") else points


def read_precomputed(X: Any, n_samples: int, near: bool) -> tuple[Any, Precomputed, Array]:
    """What results are like, the distances, and an array that lies where they do."""
    if callable(X):
        given, is_integer = _values(X(0, min(1, n_samples))), False

        def read(start: int, stop: int) -> Array:
            return _as_block(X(start, stop), near)

    else:
        X = X.tocsr() if is_sparse(X) else as_array(X, "X")
        given, n_samples = _values(X), int(X.shape[0])
        if len(X.shape) != 2 or X.shape[1] != n_samples:
            raise ValueError(
                f"X must be square, (n_samples, n_samples), with metric='precomputed', got shape {tuple(X.shape)}"
            )
        is_integer = ns.kind(given) in ("integer", "bool")

        def read(start: int, stop: int) -> Array:
            return _as_block(X[start:stop, :], near)

    host = ns.host_view(given) if near else None
    return given, Precomputed(read, n_samples, is_integer), given if host is None else host


def _values(X: Any) -> Array:
    return X.data[:0] if is_sparse(X) else as_array(X, "X")


def _as_block(block: Any, near: bool) -> Array:
    if is_sparse(block):
        return as_float(block.toarray())
    block = as_array(block, "X")
    host = ns.host_view(block) if near else None
    return as_float(block if host is None else host)
