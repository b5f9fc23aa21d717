"""Rank correlations: how far two orders of the same items agree, from 1 over 0 to -1 for orders that are reversed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, cast, get_args

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, OfOneLibrary
from gpuval.inputs.options import check_flag, check_known_options, check_option
from gpuval.measures.documents import publish
from gpuval.measures.measure import Family, measure
from gpuval.measures.result import Formula, OnUndefined, as_result, check_on_undefined, rename_arguments
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.ranking._measure import QueryValues, mean_of, with_weights
from gpuval.ranking.documents import Documents
from gpuval.ranking.ranked import query_names, read_documents

__all__ = ["kendall_tau", "spearman_rho", "weighted_tau"]

_NUMBERS = """\
    x, y
        Two numbers of each item, such as its scores by two programs: of one shape, library and device, and no NaN. Only
        their order counts. A matrix of shape (n_queries, n_items) has a row for each query; a vector of shape
        (n_items,) is one query, or several with ``queries``.
    queries
        The query of each item, where ``x`` and ``y`` are vectors: in any order, and of any type that labels may have
        (integers, strings, categories).
"""
_COMMON = """\
    mask
        Which items exist: booleans of the shape of ``x``, False where a row is only padding.
    sample_weight
        The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
        ``queries``, in the order of the sorted queries.
    n_queries
        The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the device
        to find this number out, and invalid values on the device make the correlation NaN.
    on_undefined
        The value of a query for which the correlation is not defined, because ``x`` or ``y`` has the same number for
        all its items (or it has fewer than two): "nan", the default, "zero", "one", or "skip", which leaves the query
        out of the mean.
    return_per_query
        Whether to return the queries and the value of each query, too. The result prints as a table and has
        ``to_pandas()``.
"""
_IN_MESSAGES = {"y_true": "x", "y_score": "y", "document": "item", "documents": "items", "n_documents": "n_items"}


class RankCorrelation(Protocol):
    """A correlation of two orders."""

    __name__: str

    def __call__(
        self,
        x: Any,
        y: Any,
        queries: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        n_queries: int | None = None,
        on_undefined: OnUndefined = "nan",
        return_per_query: bool = False,
        **options: Any,
    ) -> Any:
        """Correlate both orders."""


def _correlation(formula: Formula) -> RankCorrelation:
    """Make a public measure of a formula ``f(orders, *, options)``: values of queries, and which are defined."""

    @functools.wraps(formula)
    def score(
        x: Any,
        y: Any,
        queries: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        n_queries: int | None = None,
        on_undefined: OnUndefined = "nan",
        return_per_query: bool = False,
        **options: Any,
    ) -> Any:
        check_known_options(options, formula)
        for name, choices in _CHOICES.items():
            if name in options:
                check_option(name, options[name], choices)
        check_on_undefined(on_undefined)
        check_flag("return_per_query", return_per_query)
        with rename_arguments(**_IN_MESSAGES):
            items = read_documents(
                x, y, queries, mask=mask, sample_weight=sample_weight, n_queries=n_queries, takes_any=True
            )
        found, defined = formula(_orders_of(items), **options)
        values, weights = with_weights(found, defined, items, on_undefined)
        mean = as_result(mean_of(values, weights, items), items.given)
        if not return_per_query:
            return mean
        return QueryValues(mean, query_names(items.labels, items.given), as_result(values, items.given))

    return cast(RankCorrelation, publish(score, formula, (_NUMBERS, "", _COMMON)))


_CORRELATIONS = Family("rankings (documents of queries)", _correlation, of_two=True)

_Variant = Literal["b", "c"]
_Ranks = Literal["both", "x", "y"]
_CHOICES = {"variant": get_args(_Variant), "ranks": get_args(_Ranks)}


@measure(_CORRELATIONS, range=(-1.0, 1.0))
def kendall_tau(orders: _Orders, *, variant: _Variant = "b") -> tuple[Array, Array]:
    """Kendall's tau: the pairs of items in the same order, less those in opposite order, as a share of the pairs.

    Of the n (n - 1)/2 pairs of the n items of a query, let C be the number of those that x and y have in the same
    order, and D of those in opposite order. A pair that is tied in x or in y is in neither. Let P be the number of
    pairs that are not tied in x, and Q of those not tied in y. Variant "b" is (C - D) / sqrt(P Q) ([1]_). Variant "c"
    is 2 m (C - D) / (n^2 (m - 1)), where m is the smaller of the numbers of different values that x and y have ([2]_).
    Without ties both are (C - D) / (C + D). Use it to compare the orders that two programs give, or an order with the
    right one, where each pair of items matters as much.

    Parameters
    ----------
    variant
        "b" or "c". With "b" only orders with the same ties have the value 1. "c" is for grades on two scales, such as
        five stars and three.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better, and 0 is the mean over all orders of y. Symmetric. No unit. With
        ``return_per_query=True``, a named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape
        (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For arrays of wrong or different shapes, types, libraries or devices, and for an unknown option. Where values
        are checked, also for NaN, for a weight that is negative or not finite, and if no query has a weight. Where
        values are not checked, such a query is NaN. Dask arrays are an error: compute them.

    Notes
    -----
    Infinite numbers are larger, or smaller, than all others. ``sample_weight`` has the weights of queries; for items
    that matter more than others see :func:`weighted_tau`. Numbers have no gradient, as only their order counts.

    The time is O(n log n) for n items, in NumPy and on a device: three sorts, and then log2(n) passes in which the
    items are divided by one bit of their rank after the other. Pairs are counted in integers of 64 bits, where the
    library has these. :meth:`Ranked.from_scores` says what leaves the device.

    References
    ----------
    .. [1] M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945.
    .. [2] A. Stuart, "The estimation and comparison of strengths of association in contingency tables", Biometrika 40,
       1953.

    Examples
    --------
    Four of ten pairs are in the same order, six in opposite order. Then four pairs in the same order, with five that
    are not tied in x, and as many in y; equal and reversed orders; and two orders with as many pairs of either kind:

    >>> from gpuval import ranking
    >>> float(ranking.kendall_tau([1, 2, 3, 4, 5], [3, 5, 2, 1, 4]))
    -0.2
    >>> [round(float(ranking.kendall_tau([1, 1, 2, 3], [1, 2, 3, 3], variant=x)), 12) for x in "bc"]
    [0.8, 0.75]
    >>> float(ranking.kendall_tau([1, 2, 3], [1, 2, 3])), float(ranking.kendall_tau([1, 2, 3], [3, 2, 1]))
    (1.0, -1.0)
    >>> float(ranking.kendall_tau([1, 2, 3, 4], [2, 4, 1, 3]))
    0.0
    """
    agreement, of_x, of_y = map(orders.total, (orders.agreements(), *orders.untied()))
    defined = (of_x > 0) & (of_y > 0)
    if variant == "b":
        return orders.quotient(agreement, of_x, of_y), defined
    xp, n = orders.backend.xp, orders.real(orders.lengths[:-1])
    a, b = (orders.real(orders.total(orders.integers(x.ranks == x.firsts))) for x in (orders.by_x, orders.by_y))
    m = xp.where(a < b, a, b)
    return _clipped(ratio(orders.real(agreement) * m, n * n * (m - 1), xp), xp), defined


@measure(_CORRELATIONS, range=(-1.0, 1.0))
def spearman_rho(orders: _Orders) -> tuple[Array, Array]:
    """Spearman's rho: the correlation of the ranks of the items, of which tied ones have the mean of theirs.

    Let r_i be the rank of item i of a query by x, and s_i that by y; tied items have the mean of the ranks that they
    take together. The value is the correlation of Pearson of r and s ([1]_). Without ties it is
    1 - 6 sum (r_i - s_i)^2 / (n^3 - n) for n items. An item counts the more, the further it is from its place; in
    :func:`kendall_tau` each pair in the wrong order counts the same.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better, and 0 is the mean over all orders of y. Symmetric. No unit. With
        ``return_per_query=True``, a named tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape
        (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`kendall_tau` raises.

    Notes
    -----
    The time is O(n log n) for n items: three sorts. For infinite numbers, weights and devices see :func:`kendall_tau`.

    References
    ----------
    .. [1] C. Spearman, "The proof and measurement of association between two things", American Journal of Psychology
       15, 1904.

    Examples
    --------
    Squares of differences of ranks that add up to 24: 1 - 6 * 24/120. Then equal and reversed orders, and two orders
    that have nothing to do with each other:

    >>> from gpuval import ranking
    >>> float(ranking.spearman_rho([1, 2, 3, 4, 5], [3, 5, 2, 1, 4]))
    -0.2
    >>> float(ranking.spearman_rho([1, 2, 3], [1, 2, 3])), float(ranking.spearman_rho([1, 2, 3], [3, 2, 1]))
    (1.0, -1.0)
    >>> float(ranking.spearman_rho([1, 2, 3, 4], [2, 4, 1, 3]))
    0.0
    """
    # How many items of the query are below an item, less those above it: twice what its mean rank lacks to the middle.
    a, b = (orders.real(orders.n_items - x.sizes - 2 * x.firsts) for x in (orders.by_x, orders.by_y))
    product, of_a, of_b = (orders.total(p * q) * _UNIT for p, q in ((a, b), (a, a), (b, b)))
    return orders.quotient(product, of_a, of_b), (of_a > 0) & (of_b > 0)


@measure(_CORRELATIONS, range=(-1.0, 1.0))
def weighted_tau(orders: _Orders, *, ranks: _Ranks = "both") -> tuple[Array, Array]:
    """Kendall's tau in which pairs weigh the more, the nearer their items are to the top of an order.

    Let r_i be the rank of item i of a query, from 1 on for the largest number. A pair of items i and j has the weight
    1/r_i + 1/r_j. Let C be the weight of all pairs that x and y have in the same order, D of those in opposite order, P
    of those that are not tied in x, and Q of those not tied in y. The value is (C - D) / sqrt(P Q) ([1]_): once with
    the ranks by x, where those tied in x are ranked by y, and once with the ranks by y, then by x; the mean of both
    counts. Use it to compare the orders of two programs where the top matters most.

    Parameters
    ----------
    ranks
        By which order items are ranked: "x" (then y), "y" (then x), or "both", the mean of both values.

    Returns
    -------
    score
        The mean over the queries, in the library and on the device of ``x``. From -1, for reversed orders, to 1, for
        equal ones; higher is better. Symmetric with ``ranks="both"``. No unit. With ``return_per_query=True``, a named
        tuple of ``score``, ``queries`` and ``query_scores``, the last two of shape (n_queries,).

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`kendall_tau` raises.

    Notes
    -----
    Larger numbers are nearer the top: of ranks, give the negative. ``scipy.stats.weightedtau`` has the same values, of
    one query; its ``rank=None`` is ``ranks="x"``. For time, infinite numbers, weights of queries and devices see
    :func:`kendall_tau`.

    References
    ----------
    .. [1] S. Vigna, "A weighted correlation index for rankings with ties", WWW 2015.

    Examples
    --------
    The last two of three items are exchanged, and then the first two: the pair has the weight 5/6, and 3/2, of 11/3 in
    all. Then equal and reversed orders:

    >>> from gpuval import ranking
    >>> [round(float(ranking.weighted_tau([3, 2, 1], y)) * 11, 12) for y in ([3, 1, 2], [2, 3, 1])]
    [6.0, 2.0]
    >>> float(ranking.weighted_tau([1, 2, 3], [1, 2, 3])), float(ranking.weighted_tau([1, 2, 3], [3, 2, 1]))
    (1.0, -1.0)
    """
    agreement, of_x, of_y = map(orders.real, (orders.agreements(), *orders.untied()))
    values = []
    for by in ("x", "y") if ranks == "both" else (ranks,):
        weights = 1 / orders.real((orders.by_x if by == "x" else orders.by_y).ranks + 1)
        sums = [orders.total(weights * x) for x in (agreement, of_x, of_y)]
        values.append(orders.quotient(*sums))
    return sum(values[1:], values[0]) / len(values), (sums[1] > 0) & (sums[2] > 0)


_UNIT = 2.0**-48
"""What sums of squares are multiplied by, so that floats of 32 bits hold their product."""


def _clipped(x: Array, xp: Any) -> Array:
    """Values that rounding may have left beyond 1 or -1."""
    return xp.where(x > 1, 1.0, xp.where(x < -1, -1.0, x))


# The items of queries by x and by y: their ranks, those tied with each, and the pairs in the same order.


class _ByOne(NamedTuple):
    """The items by one of their two numbers: vectors of integers."""

    ranks: Array
    """The rank of each item in its query, from 0 on for the largest; those tied are ranked by the other number."""
    firsts: Array
    """The rank of the first of the items that it is tied with."""
    sizes: Array
    """The number of items that it is tied with, itself among them."""


@dataclass(frozen=True)
class _Orders(OfOneLibrary):
    """The items by query, then by x, then by y, the largest first; those that do not count come last."""

    _like = "queries"

    queries: Array
    """The query of each item: codes from 0 on; those that do not count have a spare one."""
    lengths: Array
    """The number of items of each query, and of those that do not count."""
    starts: Array
    """The position of the first item of the query of each item."""
    n_items: Array
    """The number of items of the query of each item."""
    by_x: _ByOne
    by_y: _ByOne
    tied_in_both: Array
    """The number of items with the same x and the same y as each item, itself among them."""
    longest: int
    """No query has more items."""

    def real(self, x: Array) -> Array:
        """The same in the widest float."""
        return self.backend.xp.astype(x, self.backend.widest(self.queries).float)

    def integers(self, which: Array) -> Array:
        """Booleans as integers."""
        return self.backend.xp.astype(which, self.queries.dtype)

    def total(self, x: Array) -> Array:
        """The sum over the items of each query; of integers, exact where the library has those of 64 bits."""
        xp = self.backend.xp
        if xp.isdtype(x.dtype, "integral") and xp.iinfo(x.dtype).bits < 64:
            x = self.real(x)  # as numbers of pairs are beyond 32 bits
        return self.backend.total_of_runs(x, self.queries, self.lengths)[:-1]

    def untied(self) -> tuple[Array, Array]:
        """With how many items of its query each item is not tied in x, and in y."""
        return self.n_items - self.by_x.sizes, self.n_items - self.by_y.sizes

    def quotient(self, agreement: Array, of_x: Array, of_y: Array) -> Array:
        """The agreement by the geometric mean of what it would be if the other order were that of x, or of y."""
        xp = self.backend.xp
        agreement, of_x, of_y = map(self.real, (agreement, of_x, of_y))
        return _clipped(ratio(agreement, xp.sqrt(of_x * of_y), xp), xp)

    def agreements(self) -> Array:
        """For each item the number of items in the same order with it by x and by y, less those in opposite order."""
        untied = self.n_items - self.by_x.sizes - self.by_y.sizes + self.tied_in_both
        return untied - 2 * self._reversals()

    def _reversals(self) -> Array:
        """For each item the number of items in opposite order with it by x and by y.

        The items are sorted by one bit after the other of their ranks by y, from the highest bit on. Two of them pass
        each other once, if at all: where the bits above are equal, and the first one has the bit and the second has
        not. As each rank occurs once, where the items with equal bits above stand is known: between multiples of a
        power of two.
        """
        backend, starts, ranks = self.backend, self.starts, self.by_y.ranks
        xp = backend.xp
        places = self.by_x.ranks

        def divide(state: tuple[Array, ...]) -> tuple[Array, ...]:
            bit, y, passed = state
            first = places >> (bit + 1) << (bit + 1)  # the place of the first with these bits above
            n_without = xp.where(self.n_items - first < (1 << bit), self.n_items - first, 1 << bit)
            has_bit = (y >> bit) & 1
            before = backend.cumulative_sum(1 - has_bit) - (1 - has_bit)
            without_before = before - xp.take(before, starts + first)
            with_before = places - first - without_before
            passed = passed + xp.where(has_bit == 1, n_without - without_before, with_before)
            then = starts + first + xp.where(has_bit == 1, n_without + with_before, without_before)
            order = _inverse(then, backend)
            return bit - 1, xp.take(y, order), xp.take(passed, order)

        n_bits = max(self.longest - 1, 0).bit_length()
        by_rank = backend.repeated(divide, (n_bits - 1, ranks, xp.zeros_like(ranks)), n_bits)[2]
        return xp.take(by_rank, starts + ranks)


def _orders_of(items: Documents) -> _Orders:
    """The items by x and by y, and with how many items each is tied."""
    backend, x, y, queries, lengths = items.backend, items.relevance, items.scores, items.queries, items.lengths
    xp, wide = backend.xp, backend.widest(lengths).int
    of_all = lengths if backend.on_host else None  # elsewhere there may be items that do not count
    order_within = engine_of(x).order_within
    order = order_within(queries, y, of_all, is_stable=False)
    queries = np.repeat(np.arange(items.n_queries), lengths) if queries is None else xp.take(queries, order)
    x, y = xp.take(x, order), xp.take(y, order)
    order = order_within(queries, x, of_all, is_stable=True)  # those tied in x are in the order by y
    queries, x, y = xp.astype(queries, wide), xp.take(x, order), xp.take(y, order)
    spare = xp.zeros_like(lengths[:1]) + (x.shape[0] - backend.sum(lengths))
    lengths = xp.astype(xp.concat([lengths, spare]), wide)
    starts = xp.take(backend.cumulative_sum(lengths) - lengths, queries)
    by_y = order_within(queries, y, of_all, is_stable=True)  # those tied in y are in the order by x
    places = backend.arange_beside(0, x.shape[0], wide, queries)
    ranks = xp.astype(_inverse(by_y, backend), wide)
    same = queries[1:] == queries[:-1]
    in_x = same & (x[1:] == x[:-1])
    in_y = xp.take(y, by_y)
    in_y = same & (in_y[1:] == in_y[:-1])
    firsts_x, sizes_x = _ties(in_x, places, backend)
    firsts_y, sizes_y = (xp.take(z, ranks) for z in _ties(in_y, places, backend))
    return _Orders(
        queries,
        lengths,
        starts,
        xp.take(lengths, queries),
        _ByOne(places - starts, firsts_x - starts, sizes_x),
        _ByOne(ranks - starts, firsts_y - starts, sizes_y),
        _ties(in_x & (y[1:] == y[:-1]), places, backend)[1],
        items.longest,
    )


def _ties(same: Array, places: Array, backend: Backend) -> tuple[Array, Array]:
    """For each of some items in order the place of the first that it is tied with, and their number.

    ``same`` says which items, from the second on, are tied with the one before.
    """
    xp = backend.xp
    is_first = xp.concat([xp.ones_like(places[:1], dtype=xp.bool), ~same])
    groups = backend.cumulative_sum(xp.astype(is_first, places.dtype)) - 1
    sizes = xp.astype(backend.count(groups, places.shape[0]), places.dtype)
    return xp.take(backend.cumulative_sum(sizes) - sizes, groups), xp.take(sizes, groups)


def _inverse(order: Array, backend: Backend) -> Array:
    """Where each position stands in an order."""
    if backend.on_host:
        found = np.empty_like(order)
        found[order] = np.arange(len(order))
        return found
    places = backend.arange_beside(0, order.shape[0], order.dtype, order)
    return backend.total(places, order, order.shape[0])
