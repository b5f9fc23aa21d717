"""Ranked lists as measures see them: the documents of some queries by their ranks, and what ties leave open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, OfOneLibrary, backend_of
from gpuval.numerics import Array


@dataclass(frozen=True)
class _Ties:
    """Groups of documents of one query with one score, which stand in any order; one document is a group, too."""

    groups: Array
    """The group of each document, from 0 on."""
    lengths: Array
    """The number of documents in each group, 0 for groups that there are not."""
    sizes: Array
    """The number of documents in the group of each document, real."""
    places: Array
    """The place of each document in its group, from 1 on, real."""
    first: Array
    """The position of the first document of the group of each document."""


@dataclass(frozen=True)
class Lists(OfOneLibrary):
    """The documents of some queries, those of a query together and in the order of their ranks.

    Documents that do not count come last; their query is the spare code ``n_queries``.
    """

    _like = "ranks"

    queries: Array
    """The query of each document: codes below ``n_queries``, never falling."""
    lengths: Array
    """The number of documents of each query, and of those that do not count, if there may be such."""
    relevance: Array
    """Of the widest float."""
    ranks: Array
    """The rank of each document in its list, from 1 on, real."""
    starts: Array
    """The position of the first document of the query of each document."""
    ties: _Ties | None
    """None where no two documents are tied."""
    hits: Array
    """1 for each relevant document, 0 for others; real."""
    n_relevant: Array
    """The number of relevant documents of each query, with those that its list lacks, if it was given; real."""
    ideal: Array | None
    """The relevances of all relevant documents of each query, if given: rows from the largest on, then zeros; real."""
    has_grades: Any
    """Whether those of missing relevant documents are not known: some are not 0 or 1, and no ideal is given."""
    has_missing: bool
    """Whether lists may lack relevant documents, as their numbers were given."""
    n_queries: int
    longest: int
    """No list has more documents."""
    _best: list[Array] = field(default_factory=list)
    """What :meth:`from_the_best` has found, for several measures of one ranking."""

    def total(self, values: Array) -> Array:
        """The sum of values of documents for each query."""
        return self.backend.total_of_runs(values, self.queries, self.lengths)[: self.n_queries]

    def within(self, values: Array, n: int | None) -> Array:
        """Values of the first ``n`` documents of each list, and 0 for the others; all if ``n`` is None."""
        return values if n is None else self.xp.where(self.ranks <= n, values, self.xp.zeros_like(values))

    def before(self, values: Array) -> Array:
        """For each document the sum of the values of those above it in its list, which are integers by value."""
        backend, xp = self.backend, self.xp
        integers = xp.astype(values, backend.widest(values).int)
        running = backend.cumulative_sum(integers) - integers
        return xp.astype(running - xp.take(running, self.starts), values.dtype)

    def sum_above_group(self, values: Array) -> Array:
        """For each document the sum of the values of those with a higher score in its list, integers by value."""
        before = self.before(values)
        return before if self.ties is None else self.xp.take(before, self.ties.first)

    def cumulative_product(self, factors: Array) -> Array:
        """For each document the product of the factors in its list down to it, in log2 of the longest list steps."""
        backend, xp, step = self.backend, self.xp, 1
        if not backend.on_host:  # one step that is repeated: JAX would compile as many of different shapes for long
            places = backend.arange_beside(0, factors.shape[0], backend.widest(factors).int, factors)

            def double(state: tuple[Array, ...]) -> tuple[Array, ...]:
                step, product = state
                above = xp.take(product, xp.where(self.ranks > step, places - step, places))
                return 2 * step, xp.where(self.ranks > step, product * above, product)

            found: Array = backend.repeated(double, (1, factors), (self.longest - 1).bit_length())[1]
            return found
        while step < self.longest:
            grown = factors[step:] * factors[:-step]
            factors = xp.concat([factors[:step], xp.where(self.ranks[step:] > step, grown, factors[step:])])
            step *= 2
        return factors

    def value_above(self, running: Array, at_top: float) -> Array:
        """For each document what the one above it in its list has; ``at_top`` for the first."""
        xp = self.xp
        shifted = xp.concat([running[:1], running[:-1]])
        return xp.where(self.ranks == 1, at_top, shifted)

    def expected(self, values: Array) -> Array:
        """The value that is expected at each rank: among tied documents, the mean of theirs."""
        if self.ties is None:
            return values
        return self.group_sum(values) / self.ties.sizes

    def group_sum(self, values: Array) -> Array:
        """For each document the sum of the values of those that it is tied with, and its own."""
        if self.ties is None:
            return values
        totals = self.backend.total_of_runs(values, self.ties.groups, self.ties.lengths)
        return self.xp.take(totals, self.ties.groups)

    def from_the_best(self) -> Array:
        """The relevances of each query from the largest on: what stands at each rank of the best list."""
        if self.backend.on_host and not len(self.relevance):
            return self.relevance
        if not self._best:  # a list, as torch.compile cannot trace a cached property
            self._best.append(engine_of(self.relevance).largest_first(self.relevance, self.queries, self.lengths))
        return self._best[0]


def lists_of(
    queries: Array,
    lengths: Array,
    relevance: Array,
    tied: Array | None,
    n_relevant: Array | None,
    ideal: Array | None,
    has_grades: Any,
    n_queries: int,
    longest: int,
) -> Lists:
    """The lists of documents that stand in their order; ``tied`` says of each whether it is tied with the one above."""
    backend = backend_of(queries)
    xp, wide = backend.xp, backend.widest(queries)
    places = backend.arange_beside(0, queries.shape[0], wide.int, queries)
    starts = xp.take(_starts(lengths, backend), queries)
    ranks = xp.astype(places - starts + 1, wide.float)
    ties = None if tied is None else _ties(places, tied, backend)
    relevance = xp.astype(relevance, wide.float)
    hits = xp.astype(relevance > 0, wide.float)
    has_missing = n_relevant is not None
    if n_relevant is None:
        n_relevant = backend.total_of_runs(hits, queries, lengths)[:n_queries]
    known = n_relevant, ideal, has_grades, has_missing
    return Lists(queries, lengths, relevance, ranks, starts, ties, hits, *known, n_queries, longest)


def _ties(places: Array, tied: Array, backend: Backend) -> _Ties:
    xp, wide = backend.xp, backend.widest(places)
    groups = backend.cumulative_sum(xp.astype(~tied, wide.int)) - 1
    lengths = backend.count(groups, int(groups[-1]) + 1 if backend.on_host and len(groups) else places.shape[0])
    first = xp.take(_starts(lengths, backend), groups)
    sizes, among = xp.astype(xp.take(lengths, groups), wide.float), xp.astype(places - first + 1, wide.float)
    return _Ties(groups, lengths, sizes, among, first)


def _starts(lengths: Array, backend: Backend) -> Array:
    """Where each of several parts starts that stand one after the other."""
    return backend.cumulative_sum(lengths) - lengths
