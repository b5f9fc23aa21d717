"""The overlap of two ranked lists of items, at one depth after the other from the top."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gpuval.engines import engine_of
from gpuval.engines.backends import backend_of
from gpuval.inputs.limits import check_size
from gpuval.inputs.options import check_flag
from gpuval.metrics._common.result import finished
from gpuval.metrics.ranking._measures.public import QueryValues
from gpuval.metrics.ranking.two_lists._items import TwoLists, read_two_lists
from gpuval.numerics import Array

__all__ = ["average_overlap"]


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
    that are in both sets, divided by z. The value of a query is the mean of the overlaps at z = 1, ..., n ([1]_, not
    checked against the text), or at the given ``depths``. If a list has fewer than z items, its set is smaller, but the
    divisor is still z. Use it to compare two orders of the same kind of items where the top matters most, such as the
    marker genes that two methods find.

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
    lists = read_two_lists(first, second, ignore_items)
    if deepest:
        lists.check_deep_enough("n" if depths is None else "depths", deepest)
    values = _values(lists, chosen, deepest)
    mean = finished(lists.backend.xp.mean(values), lists.given)
    if not return_per_query:
        return mean
    backend = backend_of(lists.given)
    queries = backend.arange_beside(0, lists.n_queries, backend.widest(lists.given).int, lists.given)
    return QueryValues(mean, queries, finished(values, lists.given))


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


def _values(lists: TwoLists, depths: list[int] | None, deepest: int) -> Array:
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


def _common(lists: TwoLists, width: int) -> tuple[Array, Array]:
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
