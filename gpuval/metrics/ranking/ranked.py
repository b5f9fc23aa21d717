"""Rankings: the documents of each query in the order of their scores, sorted once for all measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, backend_of, trees
from gpuval.inputs.options import check_option
from gpuval.inputs.samples import is_weight
from gpuval.metrics.ranking._documents.inputs import read_documents
from gpuval.metrics.ranking._lists import Lists, lists_of
from gpuval.numerics import Array, NDArray

__all__ = ["Ranked"]

Ties = Literal["average", "stable"]

_BLOCK = 1 << 17
"""How many documents NumPy goes through at a time, so that what is found of them stays in the processor's caches."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranked:
    """The documents of each query in the order of their scores: what all measures of rankings read.

    It is sorted once, and given to a measure in place of relevances and scores; made by :meth:`from_scores`. For JAX
    and PyTorch it is a tree of its arrays. It holds copies of what was given, in its library and on its device; those
    that lie in the host's memory are NumPy's.

    Examples
    --------
    >>> from gpuval import ranking
    >>> ranked = ranking.Ranked.from_scores([[0, 1, 0], [1, 0, 1]], [[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]])
    >>> ranked
    Ranked(2 queries, 6 documents)
    >>> float(ranking.reciprocal_rank_score(ranked)), float(ranking.precision_at_n(ranked, n=1))
    (0.75, 0.5)
    """

    relevance: Array
    """The relevances by query, and by score from the largest on."""
    tied: Array | None
    """Whether a document is tied with the one above it; None if no two are, or if their order is as given."""
    codes: Array | None
    """The query of each document, ``n_queries`` for those that do not count; None of NumPy, as ``lengths`` says it."""
    lengths: Array
    """The number of documents of each query."""
    weights: Array | None
    """The weights of the queries, real."""
    n_relevant: Array | None
    """How many documents are relevant to each query, if that was given; real."""
    broken: Array | None
    """Which queries cannot be evaluated: where values are looked at, only of weight 0; None if all can."""
    given: Array
    """What results are like."""
    labels: Any
    """What the queries are called, sorted: a range, an array; or, in a tree, the dtype of NumPy and then each name."""
    shape: tuple[int, int]
    """The number of queries, and how many documents none of them has more than."""

    @classmethod
    def from_scores(
        cls,
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        ties: Ties = "average",
        mask: Any = None,
        sample_weight: Any = None,
        ignore_relevance: Any = None,
        n_relevant: Any = None,
        n_queries: int | None = None,
    ) -> Ranked:
        """Sort the documents of each query by their scores.

        Parameters
        ----------
        y_true
            The relevance of each document to its query, finite and not negative: a matrix of shape
            (n_queries, n_documents), a row for each query, or a vector, of one query or with ``queries``. A document is
            relevant if that is above 0.
        y_score
            The score of each document, of the same shape, library and device; more is higher in the list, and infinite
            ones are scores, too. None if the documents stand in the order of their lists.
        queries
            The query of each document of a vector, in any order, of any kind that labels may be of.
        ties
            Documents of one query with equal scores: "average" has measures give the mean over all their orders,
            exactly; "stable" takes the one as given.
        mask
            Which documents there are, booleans of the shape of ``y_true``: False where a row is padded.
        sample_weight
            The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or of the
            sorted queries.
        ignore_relevance
            A relevance or several, such as -1; documents with such a one do not count.
        n_relevant
            How many documents are relevant to each query, a number or shape (n_queries,), where lists lack some of
            them.
        n_queries
            The number of queries, for ``queries`` from 0 to below it: with it nothing leaves the device to find it out,
            and what is wrong there makes scores NaN.

        Returns
        -------
        Ranked
            What measures of rankings take in place of ``y_true``.

        Raises
        ------
        TypeError, ValueError
            For arrays of another shape, type, library or device; rows of different lengths; and, where values are
            looked at, for relevances that are negative or not finite, scores that are NaN, a query of weight above 0
            without a document that counts, and more relevant documents in a list than ``n_relevant``. Where they are
            not, such a query is NaN.

        Notes
        -----
        ``queries``, ``mask``, ``sample_weight`` and ``n_relevant`` may lie beside ``y_true``, or on the host.

        Leaves the device: with ``n_queries``, or without ``queries``, nothing. Else there are two transfers: the
        smallest and the largest query, and, if these are far apart, how many different ones there are; then how many
        documents each query has, together with whether all can be evaluated. If ``queries`` lie on the host, the last
        is the only one. Before the first, it is found out of floats whether they are whole numbers, and of PyTorch's
        uint64 whether they are below 2**63. Only if something is wrong, all that was given is brought to the host, for
        the message.

        Examples
        --------
        >>> from gpuval import ranking
        >>> ranked = ranking.Ranked.from_scores([0, 1, 1], [0.2, 0.9, 0.4], ["b", "a", "b"])
        >>> ranked.queries.tolist()
        ['a', 'b']
        >>> float(ranking.average_precision_score(ranked))
        1.0
        """
        check_option("ties", ties, get_args(Ties))
        documents = read_documents(
            y_true,
            y_score,
            queries,
            mask=mask,
            sample_weight=sample_weight,
            ignore_relevance=ignore_relevance,
            n_relevant=n_relevant,
            n_queries=n_queries,
        )
        backend, codes, lengths = documents.backend, documents.queries, documents.lengths
        xp, sorted_codes, tied = backend.xp, None, None
        scores: Array = documents.scores
        is_stable = scores is None or ties == "stable"
        of_all = lengths if backend.on_host else None  # elsewhere there may be documents that do not count
        order = engine_of(documents.relevance).order_within(codes, scores, of_all, is_stable=is_stable)
        if backend.on_host:
            relevance = _taken(documents.relevance, order)
            if not is_stable and (tied := _tied_on_host(scores, order, lengths)) is not None:
                for _, own in _blocks(lengths):
                    _sort_tied(relevance[own], tied[own])
        else:
            relevance, sorted_codes = xp.take(documents.relevance, order), xp.take(codes, order)
            if not is_stable:
                scores = xp.take(scores, order)
                same = (scores[1:] == scores[:-1]) & (sorted_codes[1:] == sorted_codes[:-1])
                tied = xp.concat([xp.zeros_like(scores[:1], dtype=xp.bool), same])
        return cls(
            relevance,
            tied,
            sorted_codes,
            lengths,
            documents.weights,
            documents.n_relevant,
            documents.broken,
            documents.given,
            documents.labels,
            (documents.n_queries, documents.longest),
        )._registered()

    @property
    def backend(self) -> Backend:
        """The backend of all arrays but ``given`` and ``labels``."""
        return backend_of(self.relevance)

    @property
    def n_queries(self) -> int:
        """The number of queries."""
        return self.shape[0]

    @property
    def n_documents(self) -> int:
        """The number of documents; where values are not looked at, with those that do not count."""
        return int(self.relevance.shape[0])

    @property
    def queries(self) -> Any:
        """The names of the queries, sorted: in the library of what was given if it has such numbers, else NumPy's."""
        backend, labels = backend_of(self.given), self.labels
        if isinstance(labels, tuple):
            return np.fromiter(labels[1:], dtype=labels[0], count=len(labels) - 1)
        wide = backend.widest(self.given).int
        most = int(backend.xp.iinfo(wide).max)
        if isinstance(labels, range) and -most <= labels.start and labels.stop <= most:
            return backend.arange_beside(labels.start, labels.stop, wide, self.given)
        labels = np.asarray(labels) if isinstance(labels, range) else labels
        if backend.on_host or not backend_of(labels).on_host or labels.dtype.kind not in "iu":
            return labels
        has_such = -most <= labels.min() and labels.max() <= most
        return backend.from_host(labels, self.given) if has_such else labels

    def __repr__(self) -> str:
        return f"Ranked({self.n_queries} queries, {self.n_documents} documents)"

    def largest_relevance(self) -> Array:
        """The largest finite relevance of the queries that have a weight."""
        backend, xp = self.backend, self.backend.xp
        real = backend.as_real(self.relevance, self.relevance)
        counts = is_weight(real)
        if self.weights is not None:
            has_weight = self.weights != 0
            if self.codes is None:
                counts = counts & np.repeat(has_weight, self.lengths)
            else:
                counts = counts & xp.take(xp.concat([has_weight, has_weight[:1]]), self.codes)
        return xp.max(xp.where(counts, real, 0.0))

    def lists(self) -> Iterator[Lists]:
        """The lists of all queries, those of NumPy in blocks."""
        if self.codes is not None:
            xp, spare = self.backend.xp, self.n_documents - self.backend.sum(self.lengths)
            lengths = xp.concat([self.lengths, xp.reshape(spare, (1,))])
            yield lists_of(self.codes, lengths, self.relevance, self.tied, self.n_relevant, *self.shape)
            return
        if self.n_documents <= _BLOCK:
            codes = np.repeat(np.arange(self.n_queries), self.lengths)
            yield lists_of(codes, self.lengths, self.relevance, self.tied, self.n_relevant, *self.shape)
            return
        for own, documents in _blocks(self.lengths):
            lengths = self.lengths[own]
            tied = None if self.tied is None or not self.tied[documents].any() else self.tied[documents]
            n_relevant = None if self.n_relevant is None else self.n_relevant[own]
            codes = np.repeat(np.arange(len(lengths)), lengths)
            relevance, longest = self.relevance[documents], int(lengths.max())
            yield lists_of(codes, lengths, relevance, tied, n_relevant, len(lengths), longest)

    def for_tree(self) -> Ranked:
        """The ranking that is taken apart into a tree: with codes, and with names that are no numbers in a tuple.

        So one of NumPy's arrays, which has no codes, is an argument of ``jax.jit``, too, as are queries called by text.
        """
        codes, labels = self.codes, self.labels
        if codes is None and isinstance(self.lengths, np.ndarray):
            codes = np.repeat(np.arange(self.n_queries), self.lengths)
        if isinstance(labels, np.ndarray) and labels.dtype.kind not in "biuf":
            labels = (labels.dtype, *labels)
        return replace(self, codes=codes, labels=labels)

    def _registered(self) -> Ranked:
        trees.register(Ranked)
        return self


def _blocks(lengths: NDArray) -> Iterator[tuple[slice, slice]]:
    """Which queries, and which documents, are of each block; a list is never divided."""
    ends, first = np.cumsum(lengths), 0
    while first < len(lengths):
        start = int(ends[first] - lengths[first])
        last = max(first + 1, int(np.searchsorted(ends, start + _BLOCK, side="right")))
        yield slice(first, last), slice(start, int(ends[last - 1]))
        first = last


def _taken(x: NDArray, order: NDArray) -> NDArray:
    """The values in an order, by blocks, as NumPy takes positions of 64 bits for those of 32."""
    found = np.empty_like(x)
    for start in range(0, len(x), _BLOCK):
        own = slice(start, start + _BLOCK)
        found[own] = x[order[own]]
    return found


def _tied_on_host(scores: NDArray, order: NDArray, lengths: NDArray) -> NDArray | None:
    """Whether each document is tied with the one above it; None if none is."""
    tied = np.zeros(len(order), dtype=bool)
    for start in range(0, len(order), _BLOCK):
        own = scores[order[max(start - 1, 0) : start + _BLOCK]]
        np.equal(own[1:], own[:-1], out=tied[max(start, 1) : start + _BLOCK])
    if tied.any():
        tied[(np.cumsum(lengths) - lengths)[lengths > 0]] = False
    return tied if tied.any() else None


def _sort_tied(relevance: NDArray, tied: NDArray) -> None:
    """Sort the relevances of documents that are tied with each other, the largest first, in place.

    Else the last digits of a score would depend on how the sort by scores left them, as floats are added in the order
    in which they stand. Whole relevances below 32 stay as they are: sums of these, and of their exponential gains, are
    exact.
    """
    if relevance.dtype.kind == "b" or ((relevance < 32) & (relevance == np.trunc(relevance))).all():
        return
    is_in_group = tied.copy()
    is_in_group[:-1] |= tied[1:]
    own = relevance[is_in_group]
    if not len(own):
        return
    firsts = np.flatnonzero(~tied[is_in_group])
    relevance[is_in_group] = engine_of(own).largest_first(own, None, np.diff(firsts, append=len(own)))
