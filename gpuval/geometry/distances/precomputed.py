"""Precomputed distances: a square array, a sparse matrix, a mapped file, or a function that returns rows of them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines import lazily
from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.geometry.distances.tiles import Tiles, tiles_of
from gpuval.geometry.points import IN_ANY_UNIT, Points, read_points, take_rows
from gpuval.inputs.containers import is_of
from gpuval.inputs.features import (
    as_array,
    as_float,
    beyond_floats,
    check_held,
    entries_of,
    exact_floats,
    may_round,
    read_features,
    to_format,
)
from gpuval.inputs.labels import first_difference, has_index
from gpuval.inputs.options import check_not_negative
from gpuval.numerics import Array

_OF_ROWS = "cosine", "correlation"
"""Distances that change if a number is added to a feature of all samples."""

_CELLS = 1 << 23
"""Distances that are read at once."""


class DistanceMatrix:
    """Distances of shape (n, n), read a block of rows at a time and checked as they are read.

    ``block`` gives rows as an array, or as a sparse matrix, whose absent entries are distances ``absent``; ``turned``
    gives columns in the same way, as rows, where they can be read.
    """

    def __init__(
        self,
        block: Callable[[int, int], Any],
        n_samples: int,
        is_integer: bool,
        absent: float | None,
        is_at_hand: bool,
        turned: Callable[[int, int], Any] | None = None,
    ) -> None:
        self._turned, self._is_at_hand = turned, is_at_hand
        self._block, self.shape, self._is_integer = block, (n_samples, n_samples), is_integer
        self._most_rows = 64 if is_at_hand else 256  # few stay in the processor's cache from the check to the sums
        self._absent = absent
        self.may_sync = True
        """Whether values may be looked at: see :class:`Points`, which tells it."""
        self.counted: Array | None = None
        """Which samples count, if not all do: what is given of others may be no number."""

    @property
    def height(self) -> int:
        """How many rows are read at once."""
        return max(1, min(self._most_rows, _CELLS // max(1, self.shape[0])))

    def tiles(self, rows: Array | None, columns: Array | None, *, in_any_unit: bool = False) -> Tiles:
        """The distances of some samples to others, by the tile; None for all.

        With ``in_any_unit`` each row may be in a unit of its own, in which sums of its distances are floats.
        """
        return _Tiles(self, rows, columns, in_any_unit)

    def rows(self, first: int, last: int, *, in_any_unit: bool = False) -> Array:
        """The rows from the first to the last."""
        block = self._block(first, last + 1)
        if tuple(block.shape) != (last + 1 - first, self.shape[0]):
            raise ValueError(
                f"X must return blocks of shape (stop - start, n_samples) = {(last + 1 - first, self.shape[0])} if it "
                f"is a function of start and stop, got {tuple(block.shape)}"
            )
        both = self._both_count(first, last)
        block = self._as_floats(block, both)
        block = lazily(self._filled(block, first) if is_sparse(block) else block)
        if both is not None:
            xp = backend_of(block).xp
            block = xp.where(both, block, xp.zeros_like(block))
        block, largest = self._check_block(block, first) if self.may_sync else (_less_diagonal(block, first), None)
        return _with_sums(block, largest) if in_any_unit else block

    def check_symmetric(self) -> None:
        """Check that any two samples that count have one distance, where values may be looked at, of all but functions.

        They may differ by what rounding does to small differences of large numbers.
        """
        if self._turned is None or not self.may_sync:
            return
        turned = DistanceMatrix(self._turned, self.shape[0], self._is_integer, self._absent, self._is_at_hand)
        turned.counted = self.counted
        for first in range(0, self.shape[0], self.height):
            rows = first, min(first + self.height, self.shape[0]) - 1
            x, y = self.rows(*rows), turned.rows(*rows)
            xp = backend_of(x).xp
            bound = 0.0 if self._is_integer else float(xp.finfo(x.dtype).eps) ** 0.5 * xp.max(x)
            differ = xp.abs(x - y) > bound
            if bool(to_host(xp.any(differ))):
                i, j = (int(k) for k in np.argwhere(to_host(differ))[0])
                both = " and ".join(str(float(to_host(z)[i, j])) for z in (x, y))
                raise ValueError(
                    f"X must be symmetric with metric='precomputed' here, got the distances {both} between samples "
                    f"{first + i} and {j}"
                )

    def _both_count(self, first: int, last: int) -> Array | None:
        return None if self.counted is None else self.counted[first : last + 1][:, None] & self.counted[None, :]

    def _as_floats(self, block: Any, both: Array | None) -> Any:
        """A block as floats; integers that these do not hold are an error, or NaN where values are not looked at."""
        if not may_round(block):
            return as_float(block)
        values = block.data if is_sparse(block) else block
        backend, broken = backend_of(values), beyond_floats(values)
        xp = backend.xp
        if both is not None and is_sparse(block):
            rows = entries_of(block, backend.arange_beside(0, both.shape[0], None, values))
            broken = broken & both[rows, block.indices]
        elif both is not None:
            broken = broken & both
        if self.may_sync:
            check_held(values, broken)
            return as_float(block)
        block = as_float(block)
        if not is_sparse(block):
            return xp.where(broken, float("nan"), block)
        block.data = xp.where(broken, float("nan"), block.data)
        return block

    def _filled(self, block: Any, first: int) -> Array:
        """Sparse rows as dense ones; NaN for distances that are absent without a number for them."""
        dense = block.toarray()
        if self._absent == 0:
            return dense
        xp = backend_of(dense).xp
        entries = block.copy()
        entries.data = xp.ones_like(entries.data, dtype=xp.float32)
        missing = ~((entries.toarray() > 0) | _diagonal_mask(dense, first))
        both = self._both_count(first, first + dense.shape[0] - 1)
        missing = missing if both is None else missing & both
        if self._absent is None and self.may_sync and bool(to_host(xp.any(missing))):
            i, j = (int(x) for x in np.argwhere(to_host(missing))[0])
            raise ValueError(
                f"X must hold the distance of any two samples with metric='precomputed', got a sparse matrix without "
                f"an entry for samples {first + i} and {j}, as a graph of neighbours is; give all distances (those of "
                "0 as entries, too), or by absent= the distance of samples without an entry"
            )
        return xp.where(missing, float("nan") if self._absent is None else self._absent, dense)

    def _check_block(self, block: Array, first: int) -> tuple[Array, float]:
        """A block, and its largest distance, after a check of all; the diagonal is 0 then.

        Three values leave the device, and again if there was rounding on the diagonal.
        """
        low, high, to_itself = _limits(block, first)
        eps = 0.0 if self._is_integer else float(backend_of(block).xp.finfo(block.dtype).eps)
        bound = 100 * eps * max(1.0, high)
        if 0 < to_itself <= bound < np.inf:
            block = _less_diagonal(block, first)
            low, high, to_itself = _limits(block, first)
        if not np.isfinite([low, high]).all():
            broken = low if not np.isfinite(low) else high
            raise ValueError(f"X must hold finite distances, got {broken} in row {first} or after")
        if low < 0:
            raise ValueError(f"X must hold distances, which are not negative, got {low} in row {first} or after")
        if to_itself > bound:
            raise ValueError(
                f"X must hold the distance 0 of each sample to itself: the precomputed distance matrix contains "
                f"non-zero elements on the diagonal, got {to_itself}"
            )
        return block, high


def _limits(block: Array, first: int) -> tuple[float, float, float]:
    """The least and the largest number of a block, and the largest of samples to themselves."""
    backend = backend_of(block)
    xp = backend.xp
    if backend.on_host:
        diagonal = np.diagonal(block, offset=first)
        return float(block.min()), float(block.max()), float(np.abs(diagonal).max(initial=0))
    to_itself = xp.max(xp.abs(xp.where(_diagonal_mask(block, first), block, xp.zeros_like(block))))
    low, high, largest = to_host(xp.stack([xp.min(block), xp.max(block), to_itself])).tolist()
    return low, high, largest


def _with_sums(block: Array, largest: float | None) -> Array:
    """Distances of which each row is in another unit, if its sums would be beyond the floats, or vanish.

    ``largest`` is the largest distance; None if it is not to be known.
    """
    backend = backend_of(block)
    xp = backend.xp
    is_narrow = block.dtype == xp.float32
    if is_narrow and backend.on_host:
        return block  # sums have 64 bits
    limit = 2.0**64 if is_narrow else 2.0**512
    if largest is not None and (largest == 0 or 1 / limit < largest < limit):
        return block
    of_rows = xp.max(block, axis=1, keepdims=True)
    one = xp.ones_like(of_rows)
    smaller = one / limit**0.5  # no more than sums need: what is small beside the largest stays a number
    return block * xp.where(of_rows > limit, smaller, xp.where(of_rows < 1 / limit, one * limit, one))


def _less_diagonal(block: Array, first: int) -> Array:
    """A block with the distance 0 of samples to themselves, in memory of its own."""
    xp = backend_of(block).xp
    return xp.where(_diagonal_mask(block, first), xp.zeros_like(block), block)


def _diagonal_mask(block: Array, first: int) -> Array:
    """Where a block, whose first row has this number, has the distances of samples to themselves."""
    backend = backend_of(block)
    rows, columns = (backend.arange_beside(0, size, None, block) for size in block.shape)
    on_diagonal: Array = rows[:, None] + first == columns[None, :]
    return on_diagonal


class _Tiles:
    """Tiles of given distances: of a row, all distances are read at once."""

    def __init__(self, of: DistanceMatrix, rows: Array | None, columns: Array | None, in_any_unit: bool) -> None:
        self._rows, self._columns = None if rows is None else to_host(rows), columns
        self._read = functools.partial(of.rows, in_any_unit=in_any_unit)

    def rows(self, rows: slice) -> Array:
        """The rows of a tile, prepared for any columns."""
        some = None if self._rows is None else self._rows[rows]
        block = self._read(rows.start, rows.stop - 1) if some is None else self._rows_at(some)
        return block if self._columns is None else backend_of(block).xp.take(block, self._columns, axis=1)

    def _rows_at(self, rows: np.ndarray[Any, Any]) -> Array:
        """Rows that may have others between them, which are not read."""
        starts = np.flatnonzero(np.diff(rows, prepend=rows[0] - 2) != 1)
        runs = [self._read(int(run[0]), int(run[-1])) for run in np.split(rows, starts[1:])]
        return runs[0] if len(runs) == 1 else backend_of(runs[0]).xp.concat(runs)

    def tile(self, prepared: Array, columns: slice) -> Array:
        """The distances of prepared rows to some columns."""
        return prepared[:, columns]


def read_samples_or_distances(X: Any, labels: Any, metric: str, absent: float | None = None, **building: Any) -> Points:
    """The points of samples in rows, or of their distances, if these are precomputed."""
    (points,) = read_for_labelings(X, {"labels": labels}, metric, absent, **building)
    return points


def read_for_labelings(
    X: Any, labelings: Mapping[str, Any], metric: str, absent: float | None = None, **building: Any
) -> list[Points]:
    """The same for each of several labelings, by what messages call them; all have the same X."""
    absent = None if absent is None else check_not_negative("absent", absent)
    is_given = metric == "precomputed"
    if not is_given:
        _check_unused(absent)
    read = _Once(functools.partial(read_precomputed, absent=absent) if is_given else read_features)
    building |= {"read": read, "may_move": metric not in _OF_ROWS}
    several = [read_points(X, labels, **building, name=name) for name, labels in labelings.items()]
    first = several[0]
    if len(several) == 1 and not is_given:
        return [first.finite(in_any_unit=metric in IN_ANY_UNIT)]
    counted = functools.reduce(operator.or_, (points.codes < points.n_clusters for points in several))
    if is_given:
        first.X.may_sync = first.may_sync
        if building.get("ignore_labels") is not None or first.weights is not None:
            first.X.counted = counted
        return several
    X, _ = exact_floats(read.rows, counted, may_move=building["may_move"], looks=first.may_sync)
    X = replace(first, X=lazily(X)).with_finite(counted, in_any_unit=metric in IN_ANY_UNIT)
    if not first.may_sync and is_array(X):  # what counts nowhere may be no number
        X = first.xp.where(counted[:, None], X, first.xp.zeros_like(X))
    return [replace(points, X=X) for points in several]


class _Once:
    """What reads X: for the first of several labelings; for the others it is there."""

    def __init__(self, read: Callable[..., tuple[Any, Any, Array]]) -> None:
        self._read = read
        self._found: tuple[Any, Any, Array] | None = None

    def __call__(self, *given: Any) -> tuple[Any, Any, Array]:
        """What results are like, what was read, and an array beside it."""
        if self._found is None:
            self._found = self._read(*given)
        return self._found

    @property
    def rows(self) -> Any:
        """What was read."""
        return None if self._found is None else self._found[1]


def _check_unused(absent: float | None) -> None:
    if absent is not None:
        raise ValueError(f"absent must be None unless X is sparse and metric='precomputed', got {absent}")


def read_precomputed(
    X: Any, n_samples: int, on_host: bool, absent: float | None = None
) -> tuple[Any, DistanceMatrix, Array]:
    """What results are like, the distances, and an array of the library and on the device of these.

    Arrays that lie on the host are viewed as NumPy, if ``on_host`` says that the labels are NumPy's or can be, too.
    """
    if callable(X):
        some = X(0, min(1, n_samples))
        given, is_integer = _values(some), False

        def read(start: int, stop: int) -> Array:
            return _as_block(X(start, stop), on_host)

        read_columns = None
    else:
        frame, X = X, _sparse_from_frame(X)
        X = _as_csr(X) if is_sparse(X) else as_array(X, "X")
        some = X
        given, n_samples = _values(X), int(X.shape[0])
        if len(X.shape) != 2 or X.shape[1] != n_samples:
            raise ValueError(
                f"X must be square, (n_samples, n_samples), with metric='precomputed', got shape {tuple(X.shape)}"
            )
        _check_names(frame)
        is_integer = backend_of(given).kind(given) in ("integer", "bool")

        def read(start: int, stop: int) -> Array:
            return _as_block(X[start:stop, :], on_host)

        def read_columns(start: int, stop: int) -> Array:
            return _as_block(X[:, start:stop].T, on_host)

    if not is_sparse(some):
        _check_unused(absent)
    view = backend_of(given).host_view(given) if on_host else None
    like = given if view is None else view
    is_at_hand = backend_of(like).on_host and not callable(X) and not is_sparse(X)
    return given, DistanceMatrix(read, n_samples, is_integer, absent, is_at_hand, read_columns), like


def _sparse_from_frame(X: Any) -> Any:
    """A data frame of sparse columns as a sparse matrix; anything else as it is."""
    if not is_of("pandas", X, "DataFrame"):
        return X
    is_all_sparse = len(X.columns) and all(is_of("pandas", dtype, "SparseDtype") for dtype in X.dtypes)
    return X.sparse.to_coo() if is_all_sparse else X


def _check_names(X: Any) -> None:
    """Check that the columns of a data frame are the samples of its rows."""
    if has_index(X) and not X.index.equals(X.columns):
        raise ValueError(
            "X must have the same index as columns with metric='precomputed', got "
            f"{first_difference(X.index, X.columns)}; align them (X.loc[:, X.index]), or pass X.to_numpy()"
        )


def _values(X: Any) -> Array:
    return X.data[:0] if is_sparse(X) else as_array(X, "X")


def _as_csr(X: Any) -> Any:
    """A sparse matrix by rows; zeros that fill its blocks, if it has such, are no entries."""
    rows = to_format(X, "csr", "X")
    if X.format == "bsr":
        rows.eliminate_zeros()
    return rows


def _as_block(block: Any, on_host: bool) -> Any:
    if is_sparse(block):
        return _as_csr(block)
    block = as_array(block, "X")
    view = backend_of(block).host_view(block) if on_host else None
    return block if view is None else view


# Distances between samples, a tile at a time, either precomputed or computed from the samples.


def tiles_between_samples(
    points: Points, rows: Array | None, columns: Array | None, metric: str, height: int, *, in_any_unit: bool = False
) -> tuple[Tiles, int]:
    """The distances of some samples to others, or of all for None; and how many rows a tile has.

    Those are at most ``height`` where distances are found, and as many as are read at once where they are given. With
    ``in_any_unit`` each row of given distances may be in a unit of its own: see :meth:`DistanceMatrix.tiles`.
    """
    X = points.X
    if isinstance(X, DistanceMatrix):
        return X.tiles(rows, columns, in_any_unit=in_any_unit), X.height
    Y = take_rows(X, columns)
    return tiles_of(Y if rows is columns else take_rows(X, rows), Y, metric, points.backend), height
