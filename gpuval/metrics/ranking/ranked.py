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
from gpuval.metrics.ranking._inputs import read_documents
from gpuval.metrics.ranking._lists import Lists, lists_of
from gpuval.numerics import Array

__all__ = ["Ranked"]

Ties = Literal["average", "stable"]

_BLOCK = 1 << 17
"""How many documents NumPy goes through at a time, so that what is found of them stays in the processor's caches."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranked:
    """The documents of each query in the order of their scores: what all measures of rankings read.

    It is sorted once, and given to a measure in place of relevances and scores; made by :meth:`from_scores`.
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
        """Sort the documents of each query by their scores."""
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
        backend, scores, codes, size = documents.backend, documents.scores, documents.queries, documents.n_queries
        xp, relevance, tied = backend.xp, documents.relevance, None
        n_codes = size if backend.on_host else size + 1
        if scores is None:
            scores = -backend.arange_beside(0, codes.shape[0], backend.widest(codes).int, codes)
            ties = "stable"
        order = engine_of(codes).order_within(codes, scores, n_codes, is_stable=ties == "stable")
        relevance, sorted_codes = xp.take(relevance, order), xp.take(codes, order)
        if ties == "average":
            scores = xp.take(scores, order)
            same = (scores[1:] == scores[:-1]) & (sorted_codes[1:] == sorted_codes[:-1])
            tied = xp.concat([xp.zeros_like(same[:1]) if same.shape[0] else xp.zeros_like(scores, dtype=xp.bool), same])
            tied = tied if not backend.on_host or tied.any() else None
        lengths = backend.count(codes, size + 1)[:-1]
        longest = int(lengths.max()) if backend.on_host else documents.longest
        return cls(
            relevance,
            tied,
            None if backend.on_host else sorted_codes,
            lengths,
            documents.weights,
            documents.n_relevant,
            documents.broken,
            documents.given,
            documents.labels,
            (size, longest),
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
        """The largest relevance of all documents that can be read."""
        backend = self.backend
        real = backend.as_real(self.relevance, self.relevance)
        return backend.xp.max(backend.xp.where(is_weight(real), real, 0.0))

    def lists(self) -> Iterator[Lists]:
        """The lists of all queries, those of NumPy in blocks."""
        if self.codes is not None:
            yield lists_of(self.codes, self.relevance, self.tied, self.n_relevant, *self.shape)
            return
        ends = np.cumsum(self.lengths)
        first = 0
        while first < self.n_queries:
            start = int(ends[first] - self.lengths[first])
            last = max(first + 1, int(np.searchsorted(ends, start + _BLOCK, side="right")))
            own, documents = slice(first, last), slice(start, int(ends[last - 1]))
            lengths = self.lengths[own]
            tied = None if self.tied is None or not self.tied[documents].any() else self.tied[documents]
            n_relevant = None if self.n_relevant is None else self.n_relevant[own]
            codes = np.repeat(np.arange(len(lengths)), lengths)
            yield lists_of(codes, self.relevance[documents], tied, n_relevant, len(lengths), int(lengths.max()))
            first = last

    def in_one_form(self) -> Ranked:
        """The ranking as trees have it: with the query of each document, and no array but of numbers.

        So one that was made of arrays of NumPy is an argument of ``jax.jit``, too.
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
