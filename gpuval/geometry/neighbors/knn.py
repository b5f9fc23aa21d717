"""The nearest neighbours of each sample, as a search returns them, read a block of rows at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gpuval.engines.backends import OfOneLibrary, backend_of, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.numerics import Array
from gpuval.numerics.parallel import parallel_map, slices

_HEIGHTS = 1 << 12, 1 << 20
"""How many rows are checked at once: on the host as many as fit in the caches, elsewhere many in few steps."""


class _NearestRows(NamedTuple):
    """Some rows of neighbours without the samples themselves: both of shape (n_rows, n_neighbors)."""

    indices: Array
    distances: Array | None


@as_tree
@dataclass(frozen=True, eq=False)
class Nearest(OfOneLibrary):
    """The nearest neighbours of each sample.

    ``indices`` and ``distances``, which may be None, have shape (n_samples, n_columns) and the types that were given.
    With ``has_self`` each row contains its own sample, or, if that is missing, one neighbour more than other rows; with
    ``self_is_first`` the own sample is the first of each row. ``invalid`` is the number of entries that could not be
    read, if values stay on the device; else None.
    """

    _like = "indices"

    indices: Array
    distances: Array | None
    has_self: bool
    self_is_first: bool
    invalid: Array | None

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the matrix of all samples by all samples."""
        return self.n_samples, self.n_samples

    @property
    def n_samples(self) -> int:
        """The number of samples."""
        return int(self.indices.shape[0])

    @property
    def n_neighbors(self) -> int:
        """The number of neighbours of each sample, without itself."""
        return int(self.indices.shape[1]) - self.has_self

    def block(self, rows: slice) -> _NearestRows:
        """Some rows, without the samples themselves."""
        backend = self.backend
        indices = backend.with_sign(self.indices[rows, :])
        distances = None if self.distances is None else self.distances[rows, :]
        if self.invalid is not None:  # what is read by these indices must lie within the arrays
            xp, fits = backend.xp, is_index(indices, self.n_samples)
            indices = xp.where(fits, indices, xp.zeros_like(indices))
        if not self.has_self:
            return _NearestRows(indices, distances)
        if self.self_is_first:
            return _NearestRows(indices[:, 1:], None if distances is None else distances[:, 1:])
        return _without_self(indices, distances, rows)

    def first(self, k: int) -> Nearest:
        """The k nearest neighbours of each sample; if values stay on the device, unsorted entries count as invalid."""
        if self.has_self and not self.self_is_first:
            return self._map_blocks(lambda block: block).first(k)
        columns = slice(0, k + self.has_self)
        nearest = replace(self, indices=self.indices[:, columns])
        if self.distances is None:
            return nearest
        unsorted = self._count_unsorted()
        invalid = self.invalid
        if invalid is not None or not self.backend.is_known(unsorted):
            invalid = unsorted if invalid is None else invalid + unsorted
        elif int(to_host(unsorted)):
            return self._map_blocks(lambda block: _k_nearest(block, k))
        return replace(nearest, distances=self.distances[:, columns], invalid=invalid)

    def _count_unsorted(self) -> Array:
        """The number of neighbours that are nearer than the neighbour before them."""
        found: Any = None
        for rows in _blocks(self.indices) or [slice(0, 0)]:
            distances = self.block(rows).distances
            assert distances is not None
            some = self.backend.count_true(distances[:, 1:] < distances[:, :-1])
            found = some if found is None else found + some
        return found

    def _map_blocks(self, of_block: Callable[[_NearestRows], _NearestRows]) -> Nearest:
        """The joined results of a function of each block of rows."""
        parts = [of_block(self.block(rows)) for rows in _blocks(self.indices) or [slice(0, 0)]]
        indices, distances = (None if x[0] is None else self.backend.xp.concat(x) for x in zip(*parts, strict=True))
        return Nearest(indices, distances, False, False, self.invalid)


def _k_nearest(block: _NearestRows, k: int) -> _NearestRows:
    """The k nearest of each row, nearest first."""
    indices, distances = block
    xp = backend_of(indices).xp
    order = xp.argsort(distances, axis=1, stable=True)[:, :k]
    return _NearestRows(*(xp.take_along_axis(x, order, axis=1) for x in (indices, distances)))


def is_index(indices: Array, n_samples: int) -> Array:
    """Which integers are indices of samples."""
    fits: Array = (indices >= 0) & (indices < n_samples)
    return fits


def _own_indices(like: Array, rows: slice) -> Array:
    """The indices of the samples of some rows, as a column that can be compared with these rows of neighbours."""
    backend = backend_of(like)
    dtype = (
        like.dtype if backend.kind(like) == "integer" and not backend.is_unsigned(like) else backend.widest(like).int
    )
    own: Array = backend.arange_beside(rows.start, rows.start + like.shape[0], dtype, like)[:, None]
    return own


def _without_self(indices: Array, distances: Array | None, rows: slice) -> _NearestRows:
    """Rows without the entry of their own sample; a row that has no such entry loses its furthest neighbour."""
    backend = backend_of(indices)
    xp = backend.xp
    left_out = indices == _own_indices(indices, rows)
    if distances is not None:
        has_none = ~xp.any(left_out, axis=1, keepdims=True)
        left_out = left_out | (has_none & (distances == xp.max(distances, axis=1, keepdims=True)))
    is_after = backend.cumulative_sum(xp.astype(left_out, backend.widest(indices).int))[:, :-1] > 0

    def drop_self(x: Array) -> Array:
        found: Array = xp.where(is_after, x[:, 1:], x[:, :-1])
        return found

    return _NearestRows(drop_self(indices), None if distances is None else drop_self(distances))


def scan_neighbors(indices: Array, distances: Array | None) -> Array:
    """The numbers of wrong indices, wrong distances, rows that begin with their own sample, and rows that have it."""
    backend = backend_of(indices)
    xp, n = backend.xp, int(indices.shape[0])

    def counts_of_rows(rows: slice) -> Array:
        some = backend.with_sign(indices[rows, :])
        is_self = some == _own_indices(some, rows)
        first, anywhere = (backend.count_true(x) for x in (is_self[:, 0], xp.any(is_self, axis=1)))
        wrong = backend.count_true(~is_index(some, n))
        wrong_distances = xp.zeros_like(wrong) if distances is None else _wrong_distances(distances[rows, :])
        return xp.stack([wrong, wrong_distances, first, anywhere])

    counts, *others = _map_rows(counts_of_rows, indices, _blocks(indices) or [slice(0, 0)])
    return sum(others, counts)


def _map_rows(function: Callable[[slice], Array], indices: Array, blocks: list[slice]) -> list[Array]:
    """The results of ``function`` for each block of rows; on the host, on all cores."""
    return parallel_map(function, blocks) if backend_of(indices).on_host else [function(rows) for rows in blocks]


def _blocks(indices: Array) -> list[slice]:
    return slices(int(indices.shape[0]), _HEIGHTS[not backend_of(indices).on_host])


def _wrong_distances(distances: Array) -> Array:
    return backend_of(distances).count_true(~((distances >= 0) & (distances < float("inf"))))


def has_repeated(indices: Array) -> bool:
    """Whether a row has an index twice; this copies a value to the host."""
    xp = backend_of(indices).xp

    def has_repeat(rows: slice) -> Array:
        in_order = xp.sort(indices[rows, :], axis=1)
        return xp.any(in_order[:, 1:] == in_order[:, :-1])

    return any(bool(to_host(x)) for x in _map_rows(has_repeat, indices, _blocks(indices)))
