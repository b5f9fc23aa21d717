"""Two ranked lists of items for each query, as users give them: read, checked, and as vectors of one library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of
from gpuval.inputs.labels import Vector, check_lie_together, read_labels
from gpuval.inputs.matrices.numbers import Form, given_array
from gpuval.inputs.selection import ignored_samples, kind_of_label, read_ignored
from gpuval.inputs.strings import is_missing
from gpuval.numerics import Array

_FORM = Form("query", "(n_queries, n_items)", "; pad the rows with an item that is none, and give ignore_items=")


@dataclass(frozen=True)
class TwoLists:
    """The items of the first list of each query, and of the second: vectors of all, but for ``lengths`` of queries."""

    items: Array
    """Integers."""
    queries: Array
    """The query of each item, from 0 on; ``n_queries`` for those that do not count."""
    ranks: Array
    """The rank of each item in its list, from 1 on."""
    is_first: Array
    """Whether an item is one of a first list."""
    lengths: Array
    """How many items the longer list of each query has."""
    longest: int
    """No list has more items."""
    n_queries: int
    names: list[Any] | None
    """What the items are called, if that is not their number."""
    is_matrix: bool
    given: Array
    """What results are like."""

    @property
    def backend(self) -> Backend:
        """The backend of all arrays but ``given``."""
        return backend_of(self.items)

    def check_deep_enough(self, name: str, deepest: int) -> None:
        """Check that a depth is not below the end of both lists, as far as that is known without a look at values."""
        query = int(np.argmin(self.lengths)) if self.backend.on_host else None
        length = self.longest if query is None else int(self.lengths[query])
        if length < deepest:
            where = f" in row {query}" if self.is_matrix and query is not None else ""
            raise ValueError(
                f"{name} must not be beyond both lists, got {deepest}, where the longer one has length {length}{where}"
            )

    def item_twice(self, query: int, item: int, is_first: int) -> ValueError:
        """The error that a list has an item twice."""
        name = "first" if is_first else "second"
        what = item if self.names is None else self.names[item]
        where = f" in row {query}" if self.is_matrix else ""
        return ValueError(f"{name} must have an item once in a list, got {what!r} twice{where}")


def read_two_lists(first: Any, second: Any, ignore_items: Any) -> TwoLists:
    """Read two lists, or a matrix of each with a row for each query, and check all of it that can be told."""
    given = _read(first, "first"), _read(second, "second")
    (a, shape), (b, other) = given
    check_lie_together(a, b)
    if len(shape) != len(other) or shape[:-1] != other[:-1]:
        raise ValueError(
            f"first and second must be two vectors, or two matrices with as many rows, got shapes {shape} and {other}"
        )
    if shape[:-1] == (0,) or shape[-1] == other[-1] == 0:
        raise ValueError(f"first and second must have an item, got shapes {shape} and {other}")
    ignored = read_ignored(ignore_items, "ignore_items")
    _check_one_kind(a, b, ignored)
    like = a.data[:0]
    views = [backend_of(x.data).host_view(x.data) for x in (a, b)]
    if views[0] is not None and views[1] is not None:
        a, b = a.with_data(views[0]), b.with_data(views[1])
    counted = [_counted(x, ignored) for x in (a, b)]
    names, numbers = _as_integers(a, b)
    sides = [_Side.of(x, which, size) for x, which, size in zip(numbers, counted, (shape, other), strict=True)]
    return _joined(sides, names, len(shape) == 2, like)


def _read(x: Any, name: str) -> tuple[Vector, tuple[int, ...]]:
    """All items in one vector, and the shape they were given in."""
    shape: tuple[int, ...] | None = None
    if _has_rows(x):
        if isinstance(x, np.ma.MaskedArray) or (hasattr(x, "columns") and hasattr(x, "to_numpy")):
            x = x if isinstance(x, np.ndarray) else x.to_numpy()
        else:
            x = given_array(x, name, _FORM)
        shape = tuple(x.shape)
        if len(shape) > 2:
            raise ValueError(f"{name} must be of one dimension, or of two, (n_queries, n_items), got shape {shape}")
        x = x.reshape(-1) if isinstance(x, np.ndarray) else backend_of(x).xp.reshape(x, (-1,))
    vector = read_labels(x, name)
    if vector.values is None and vector.backend.kind(vector.data) == "real":
        raise TypeError(f"{name} must hold items by number or by name, got dtype {vector.data.dtype}; give integers")
    return vector, (vector.size,) if shape is None else shape


def _check_one_kind(a: Vector, b: Vector, ignored: tuple[Any, ...]) -> None:
    """Check that the lists have items of one kind, as numbers and text are never equal; and so have ignored items."""
    kinds = [
        {}
        if not x.size
        else {"numbers": "numbers"}
        if x.values is None
        else {kind_of_label(y): y for y in x.values.tolist()}
        for x in (a, b)
    ]
    if all(kinds) and not kinds[0].keys() & kinds[1].keys():
        got = " and ".join(" and ".join(x) for x in kinds)
        example = next((x for of_one in kinds for kind, x in of_one.items() if kind != "numbers"), None)
        raise TypeError(
            f"first and second must hold items of one kind, as numbers and text are never equal, got {got}, such as "
            f"{example!r}; convert one of them"
        )
    for item in ignored:
        if all(kinds) and not is_missing(item) and not any({kind_of_label(item), "objects"} & x.keys() for x in kinds):
            raise TypeError(f"ignore_items must be of a kind that first or second holds, got {item!r}")


def _has_rows(x: Any) -> bool:
    """Whether something is no vector: an array of more dimensions, a frame, or a sequence of rows."""
    shape = getattr(x, "shape", None)
    if shape is not None:
        return len(shape) > 1
    is_nested = isinstance(x, list | tuple) and len(x) > 0 and hasattr(x[0], "__len__")
    return is_nested and not isinstance(x[0], str | bytes)


def _counted(vector: Vector, ignored: tuple[Any, ...]) -> Array | None:
    """Which items count, None if all do; raises for those that are missing."""
    which = ignored_samples(vector, ignored)
    counted = None if which is None else ~which
    if vector.values is not None:
        missing = vector.data < 0 if counted is None else (vector.data < 0) & counted
        if missing.any():
            raise ValueError(
                f"{vector.name} must not have missing items (NaN, None), got {np.count_nonzero(missing)} of "
                f"{vector.size}; ignore_items=[None] leaves them out"
            )
    return counted


def _as_integers(a: Vector, b: Vector) -> tuple[list[Any] | None, list[Array]]:
    """The items as integers of one type, and what these stand for, if they are not the items themselves."""
    are_numbers = a.values is None and b.values is None
    if are_numbers and not any(x.backend.on_host and x.data.dtype == np.uint64 for x in (a, b)):
        backend = a.backend
        wide = backend.widest(a.data).int
        return None, [backend.xp.astype(backend.widened(backend.comparable(x.data)), wide) for x in (a, b)]
    codes: dict[Any, int] = {}
    numbers = []
    for x in (a, b):
        values, own = np.unique(x.data, return_inverse=True) if x.values is None else (x.values, x.data)
        found = [codes.setdefault(value, len(codes)) for value in values.tolist()]
        numbers.append(np.asarray([*found, 0], dtype=np.int64)[own])  # a missing item has the code -1
    return list(codes), numbers


@dataclass(frozen=True)
class _Side:
    """The items of one list of each query, as vectors; ``lengths`` as one of queries."""

    items: Array
    queries: Array
    ranks: Array
    lengths: Array
    width: int

    @classmethod
    def of(cls, items: Array, counted: Array | None, shape: tuple[int, ...]) -> _Side:
        """The items with their queries and ranks, which those that do not count leave to others."""
        backend = backend_of(items)
        xp, wide = backend.xp, backend.widest(items).int
        size = (shape[0] if len(shape) == 2 else 1, shape[-1])
        if counted is None:
            counted = xp.ones_like(items, dtype=xp.bool)
        counts = xp.astype(xp.reshape(counted, size), wide)
        rows = xp.broadcast_to(backend.arange_beside(0, size[0], wide, items)[:, None], size)
        queries = xp.where(counted, xp.reshape(rows, (-1,)), size[0])
        ranks = xp.reshape(backend.cumulative_sum(counts), (-1,))
        return cls(items, queries, ranks, backend.sum(counts, 1), size[1])


def _joined(sides: list[_Side], names: list[Any] | None, is_matrix: bool, given: Array) -> TwoLists:
    a, b = sides
    backend = backend_of(a.items)
    xp = backend.xp
    lengths = xp.maximum(a.lengths, b.lengths)
    if backend.on_host and not lengths.all():
        where = f" in row {int(np.flatnonzero(lengths == 0)[0])}" if is_matrix else ""
        raise ValueError(f"first and second must have an item that counts, got none of either{where}")
    is_first = [xp.ones_like(a.items, dtype=xp.bool), xp.zeros_like(b.items, dtype=xp.bool)]
    return TwoLists(
        xp.concat([a.items, b.items]),
        xp.concat([a.queries, b.queries]),
        xp.concat([a.ranks, b.ranks]),
        xp.concat(is_first),
        lengths,
        max(a.width, b.width),
        int(lengths.shape[0]),
        names,
        is_matrix,
        given,
    )
