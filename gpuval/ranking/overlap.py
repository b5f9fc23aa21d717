"""The overlap of two ranked lists of items, at one depth after the other from the top."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import OfOneLibrary, backend_of
from gpuval.inputs.labels import Vector, check_lie_together, read_labels
from gpuval.inputs.numbers import Form, read_argument
from gpuval.inputs.options import check_flag, check_size
from gpuval.inputs.selection import ignore_mask, kind_of_label, read_ignored
from gpuval.inputs.strings import is_missing
from gpuval.measures.measure import Family, measure
from gpuval.measures.result import as_result
from gpuval.numerics import Array
from gpuval.ranking._measure import QueryValues

__all__ = ["average_overlap"]

LISTS = Family("rankings (documents of queries)", of_two=True)


@measure(LISTS)
def average_overlap(
    first: Any,
    second: Any,
    *,
    n: int | None = None,
    depths: Iterable[int] | None = None,
    ignore_items: Any = None,
    return_per_query: bool = False,
) -> Any:
    """Mean, over several depths, of the share of items that two ranked lists have in common down to a depth.

    Let A_z and B_z be the sets of the first z items of the two lists. The overlap at the depth z is the number of items
    that are in both sets, divided by z. The value of a query is the mean of the overlaps at z = 1, ..., n ([1]_), or at
    the given ``depths``. If a list has fewer than z items, its set is smaller, but the divisor is still z. Use it to
    compare two orders of the same kind of items where the top matters most, such as the marker genes that two methods
    find.

    Parameters
    ----------
    first, second
        The items of each list from the top down; no list contains an item twice. Give two vectors, of any type that
        labels may have except real numbers (they may have different lengths); or two matrices of shape (n_queries,
        n_items), with a row for each query. Both must be of one library and on one device.
    n
        The depth down to which the lists are compared. None goes down to the end of the longer list of each query.
    depths
        The depths over which the mean is taken, such as ``(2, 4)``, in place of ``n``.
    ignore_items
        One item or several, such as -1, with which rows are padded. They do not count and take no rank.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``first``. From 0, for lists that have nothing in
        common, to 1, for equal lists; higher is better. Symmetric. No unit. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` (the numbers of the rows) and ``query_scores``, the last two of shape
        (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For lists with different numbers of rows, libraries or devices; for real numbers and missing items; for numbers
        in one list and text in the other; and for a depth that is larger than the length of both lists of a query.
        Where values are checked, also for an item that a list contains twice, and for a query without an item. Where
        values are not checked, such a query is NaN.

    Notes
    -----
    If the second list is a set of relevant items without an order, this is not the measure to use: the share of the
    first z items that are in the set is the precision, see :func:`precision_at_n`.

    Rank-biased overlap ([1]_) uses the same shares, and weighs each depth less than the one above it, for lists without
    an end. Here all depths have the same weight.

    An item that both lists contain is in common from the larger of its two ranks on. So one sort of all m items is
    enough for all depths, and the time is O(m log m). Nothing leaves the device.

    References
    ----------
    .. [1] W. Webber, A. Moffat and J. Zobel, "A similarity measure for indefinite rankings", ACM Transactions on
       Information Systems 28, 2010.

    Examples
    --------
    Down to the depths 1, 2, 3, 4 and 5, the lists have 0, 1, 1, 3 and 5 items in common, so the mean is 31/60:

    >>> import gpuval
    >>> first, second = ["E", "D", "C", "B", "A"], ["B", "E", "A", "C", "D"]
    >>> round(float(gpuval.ranking.average_overlap(first, second)) * 60, 12)
    31.0
    >>> float(gpuval.ranking.average_overlap(first, second, depths=(2, 4)))
    0.625
    >>> float(gpuval.ranking.average_overlap(first, first))
    1.0
    >>> float(gpuval.ranking.average_overlap(first, ["F", "G"]))
    0.0
    """
    chosen, deepest = _depths(n, depths)
    check_flag("return_per_query", return_per_query)
    lists = _read_two_lists(first, second, ignore_items)
    if deepest:
        lists.check_deep_enough("n" if depths is None else "depths", deepest)
    values = _values(lists, chosen, deepest)
    mean = as_result(lists.backend.xp.mean(values), lists.given)
    if not return_per_query:
        return mean
    backend = backend_of(lists.given)
    queries = backend.arange_beside(0, lists.n_queries, backend.widest(lists.given).int, lists.given)
    return QueryValues(mean, queries, as_result(values, lists.given))


def _depths(n: int | None, depths: Iterable[int] | None) -> tuple[list[int] | None, int]:
    """The depths to take the mean over, None for all down to the deepest; 0 is the end of the longer list."""
    if depths is None:
        return None, 0 if n is None else check_size(n, "n")
    if n is not None:
        raise TypeError(f"depths= cannot be given with n=, which stands for all depths up to it, got n={n!r}")
    if isinstance(depths, str | bytes) or not isinstance(depths, Iterable):
        raise TypeError(f"depths must be a sequence of positive integers, got {depths!r}; n= gives all up to one")
    chosen = [check_size(x, "depths") for x in depths]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(f"depths must be different, and at least one, got {chosen}")
    return chosen, max(chosen)


def _values(lists: _TwoLists, depths: list[int] | None, deepest: int) -> Array:
    """The mean over the depths for each query; NaN for those that cannot be evaluated."""
    backend = lists.backend
    xp, wide = backend.xp, backend.widest(lists.items)
    width = deepest or lists.longest
    common, twice = _common(lists, width)
    broken = twice | (lists.lengths < max(deepest, 1))
    reached = backend.arange_beside(1, width + 1, wide.int, lists.items)
    shares = xp.astype(common, wide.float) / xp.astype(reached, wide.float)
    if depths is not None:
        shares = xp.stack([shares[:, z - 1] for z in depths], axis=1)
    if deepest:
        values = backend.sum(shares, 1) / shares.shape[1]
    else:
        lengths = lists.lengths[:, None]
        shares = xp.where(reached[None, :] <= lengths, shares, xp.zeros_like(shares))
        values = backend.sum(shares, 1) / xp.astype(xp.where(broken, 1, lists.lengths), wide.float)
    return xp.where(broken, float("nan"), values)


def _common(lists: _TwoLists, width: int) -> tuple[Array, Array]:
    """How many items both lists of a query have down to each depth, and whether one of the lists has an item twice.

    In the order of the queries and items, an item of both lists stands beside itself. Both have it from the depth on
    that is the larger of its two ranks.
    """
    backend, n_queries = lists.backend, lists.n_queries
    xp = backend.xp
    order = engine_of(lists.items).order_within(lists.queries, lists.items, is_stable=False)
    queries, items, ranks, is_first = (
        xp.take(x, order) for x in (lists.queries, lists.items, lists.ranks, lists.is_first)
    )
    same = (queries[1:] == queries[:-1]) & (items[1:] == items[:-1]) & (queries[1:] < n_queries)
    is_twice = same & (is_first[1:] == is_first[:-1])
    if backend.on_host and is_twice.any():
        raise lists.item_twice(*(int(x[1:][is_twice][0]) for x in (queries, items, is_first)))
    deeper = xp.maximum(ranks[1:], ranks[:-1])
    is_common = same & ~is_twice & (deeper <= width)
    # A column more, and a row, for what is in common nowhere.
    places = xp.where(is_common, queries[1:] * (width + 1) + deeper - 1, n_queries * (width + 1))
    counts = backend.count(places, n_queries * (width + 1) + 1)[:-1]
    common = backend.cumulative_sum(xp.reshape(counts, (n_queries, width + 1))[:, :width])
    numbers = backend.count(xp.where(is_twice, queries[1:], n_queries), n_queries + 1)[:-1]
    return common, numbers > 0


# Two ranked lists of items for each query, as users give them: read, checked, and as vectors of one library.

_FORM = Form("query", "(n_queries, n_items)", "; pad the rows with an item that is none, and give ignore_items=")


@dataclass(frozen=True)
class _TwoLists(OfOneLibrary):
    """The items of the first list of each query, and of the second: vectors of all, but for ``lengths`` of queries."""

    _like = "items"

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


def _read_two_lists(first: Any, second: Any, ignore_items: Any) -> _TwoLists:
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
    counted = [_item_mask(x, ignored) for x in (a, b)]
    names, numbers = _as_integers(a, b)
    sides = [_Side.of(x, which, size) for x, which, size in zip(numbers, counted, (shape, other), strict=True)]
    return _join_sides(sides, names, len(shape) == 2, like)


def _read(x: Any, name: str) -> tuple[Vector, tuple[int, ...]]:
    """All items in one vector, and the shape they were given in."""
    shape: tuple[int, ...] | None = None
    if _has_rows(x):
        if isinstance(x, np.ma.MaskedArray) or (hasattr(x, "columns") and hasattr(x, "to_numpy")):
            x = x if isinstance(x, np.ndarray) else x.to_numpy()
        else:
            x = read_argument(x, name, _FORM)
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


def _item_mask(vector: Vector, ignored: tuple[Any, ...]) -> Array | None:
    """Which items count, None if all do; raises for those that are missing."""
    which = ignore_mask(vector, ignored)
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


def _join_sides(sides: list[_Side], names: list[Any] | None, is_matrix: bool, given: Array) -> _TwoLists:
    a, b = sides
    backend = backend_of(a.items)
    xp = backend.xp
    lengths = xp.maximum(a.lengths, b.lengths)
    if backend.on_host and not lengths.all():
        where = f" in row {int(np.flatnonzero(lengths == 0)[0])}" if is_matrix else ""
        raise ValueError(f"first and second must have an item that counts, got none of either{where}")
    is_first = [xp.ones_like(a.items, dtype=xp.bool), xp.zeros_like(b.items, dtype=xp.bool)]
    return _TwoLists(
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
