"""Rankings: the documents of each query, sorted by their scores once for all measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import OfOneLibrary, backend_of, is_array, to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.inputs.codes import encode, fits
from gpuval.inputs.containers import is_of
from gpuval.inputs.labels import Vector, are_same_names, first_difference, has_index, read_labels
from gpuval.inputs.options import check_option
from gpuval.inputs.samples import is_weight
from gpuval.numerics import Array, NDArray
from gpuval.ranking.documents import Documents, whole
from gpuval.ranking.lists import Lists, lists_of
from gpuval.ranking.queries import device_documents, host_documents, host_queries
from gpuval.ranking.reading import RankingInputs, read_given

__all__ = ["Ranked"]

Ties = Literal["average", "stable"]

_BLOCK = 1 << 17
"""How many documents NumPy processes at a time, so that intermediate results stay in the caches of the processor."""


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class Ranked(OfOneLibrary):
    """The documents of each query, sorted by their scores: the object that all measures of rankings read.

    Make one with :meth:`from_scores`, which sorts once, and give it to several measures in place of relevances and
    scores. It holds copies of the given arrays, in their library and on their device (arrays in the memory of the host
    are copied to NumPy). For JAX and PyTorch it is a tree of its arrays, so it can enter and leave compiled functions.

    Examples
    --------
    >>> from gpuval import ranking
    >>> ranked = ranking.Ranked.from_scores([[0, 1, 0], [1, 0, 1]], [[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]])
    >>> ranked
    Ranked(2 queries, 6 documents)
    >>> float(ranking.reciprocal_rank_score(ranked)), float(ranking.precision_at_n(ranked, n=1))
    (0.75, 0.5)
    """

    _like = "relevance"

    relevance: Array
    """The relevances, sorted by query and then by score, the largest first."""
    tied: Array | None
    """Whether a document is tied with the one above it; None if no two are tied, or with ``ties="stable"``."""
    codes: Array | None
    """The query of each document; ``n_queries`` marks those that do not count. None in NumPy."""
    lengths: Array
    """The number of documents of each query."""
    weights: Array | None
    """The weights of the queries, real numbers; None if they all count the same."""
    n_relevant: Array | None
    """How many documents are relevant to each query, as real numbers, if this was given."""
    ideal: Array | None
    """The relevances of all relevant documents of each query, if given: rows from the largest on, then zeros."""
    broken: Array | None
    """Which queries have invalid values (where values are checked, only some of weight 0); None if none has."""
    given: Array
    """An array in the library and on the device that results shall have."""
    labels: Any
    """The sorted names of the queries: a range or an array; in a tree, the NumPy dtype and then each name."""
    shape: tuple[int, int]
    """The number of queries, and an upper bound of the number of documents of a query."""

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
        ideal: Any = None,
        n_queries: int | None = None,
    ) -> Ranked:
        """Sort the documents of each query by their scores.

        Parameters
        ----------
        y_true
            The relevance of each document to its query: numbers that are finite and not negative. A document is
            relevant if its relevance is above 0. Give a matrix of shape (n_queries, n_documents) with a row for each
            query; or a vector of shape (n_documents,), which is one query, or several with ``queries``.
        y_score
            The score of each document, with the shape, the library and the device of ``y_true``. A document with a
            higher score stands higher in the list of its query. Infinite scores are allowed. None means that the
            documents are already in the order of their lists, the best first.
        queries
            The query of each document, where ``y_true`` is a vector: in any order, and of any type that labels may have
            (integers, strings, categories).
        ties
            What to do with tied documents, that is, documents of one query with equal scores. "average", the default,
            takes the exact mean over all orders of the tied documents; "stable" keeps them in the order in which they
            were given.
        mask
            Which documents exist: booleans of the shape of ``y_true``, False where a row is only padding.
        sample_weight
            The weight of each query in the mean, shape (n_queries,), not negative: in the order of the rows, or, with
            ``queries``, in the order of the sorted queries.
        ignore_relevance
            One relevance or several, such as -1. Documents with such a relevance do not count.
        n_relevant
            How many documents are relevant to each query, for lists that do not contain all of them: one number, or
            shape (n_queries,), in the order of ``sample_weight``. With ``queries``, also a mapping from the names of
            the queries to numbers, or a pandas Series whose index has the names (with a default ``RangeIndex`` it is in
            order); those that have no document in ``queries`` count, too. A query whose list is empty, of which
            something is relevant, is a miss: its value is 0. nDCG needs ``ideal``, unless all relevances are 0 and 1.
        ideal
            In place of ``n_relevant``, the relevances of all documents that are relevant to each query, those in its
            list among them, in any order: a list for each query, or a matrix of shape (n_queries, n) whose rows end in
            zeros; a vector for one query. With ``queries``, also a mapping, or a Series, as for ``n_relevant``.
        n_queries
            The number of queries, if ``queries`` are integers from 0 to ``n_queries - 1``. Nothing then leaves the
            device to find this number out, and invalid values on the device make scores NaN.

        Returns
        -------
        Ranked
            The ranking, which measures take in place of ``y_true``.

        Raises
        ------
        TypeError, ValueError
            For arrays of different shapes, types, libraries or devices, and for rows of different lengths. Where values
            are checked, also for relevances that are negative or not finite, for scores that are NaN, for a query with
            a weight above 0 but without a document that counts (if neither ``n_relevant`` nor ``ideal`` is given), for
            a list with more relevant documents than ``n_relevant``, and for one with relevances that ``ideal`` has not.
            Where values are not checked, such a query is NaN.

        Notes
        -----
        ``queries``, ``mask``, ``sample_weight``, ``n_relevant`` and ``ideal`` may be on the device of ``y_true`` or on
        the host. If ``n_relevant`` or ``ideal`` names the queries, ``queries`` are brought to the host.

        What leaves the device: nothing without ``queries`` or with ``n_queries``. Otherwise there are two transfers.
        The first brings the smallest and the largest query and, if these are far apart, the number of different
        queries. The second brings the number of documents of each query, together with a flag that says whether all
        queries can be evaluated. If ``queries`` are on the host, only the second transfer happens. Before the first
        transfer, queries that are floats are checked to be whole numbers, and those of PyTorch's uint64 to be below
        2**63. Only if something is wrong, all the given arrays are brought to the host, for the error message.

        Examples
        --------
        >>> from gpuval import ranking
        >>> ranked = ranking.Ranked.from_scores([0, 1, 1], [0.2, 0.9, 0.4], ["b", "a", "b"])
        >>> ranked.queries.tolist()
        ['a', 'b']
        >>> float(ranking.average_precision_score(ranked))
        1.0
        """
        return cls.read(
            y_true,
            y_score,
            queries,
            ties=ties,
            mask=mask,
            sample_weight=sample_weight,
            ignore_relevance=ignore_relevance,
            n_relevant=n_relevant,
            ideal=ideal,
            n_queries=n_queries,
        )

    @classmethod
    def read(
        cls,
        y_true: Any,
        y_score: Any = None,
        queries: Any = None,
        *,
        ties: Ties = "average",
        needs_weight: bool = True,
        **building: Any,
    ) -> Ranked:
        """What :meth:`from_scores` gives; without ``needs_weight``, as in a batch, no query need have a weight."""
        check_option("ties", ties, get_args(Ties))
        documents = read_documents(y_true, y_score, queries, needs_weight=needs_weight, **building)
        backend, codes, lengths = documents.backend, documents.queries, documents.lengths
        xp, sorted_codes, tied = backend.xp, None, None
        scores: Array = documents.scores
        is_stable = scores is None or ties == "stable"
        of_all = lengths if backend.on_host else None  # elsewhere there may be documents that do not count
        order = engine_of(documents.relevance).order_within(codes, scores, of_all, is_stable=is_stable)
        if backend.on_host:
            relevance = _reorder(documents.relevance, order)
            if not is_stable and (tied := _tie_mask(scores, order, lengths)) is not None:
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
            documents.ideal,
            documents.broken,
            documents.given,
            documents.labels,
            (documents.n_queries, documents.longest),
        )

    @property
    def n_queries(self) -> int:
        """The number of queries."""
        return self.shape[0]

    @property
    def n_documents(self) -> int:
        """The number of documents. Where values are not checked, it includes those that do not count."""
        return int(self.relevance.shape[0])

    @property
    def queries(self) -> Any:
        """The sorted names of the queries: in the library of the given arrays if it has such numbers, else in NumPy."""
        return query_names(self.labels, self.given)

    def __repr__(self) -> str:
        return f"Ranked({self.n_queries} queries, {self.n_documents} documents)"

    def largest_relevance(self) -> Array:
        """The largest finite relevance of the queries that have a weight."""
        backend, xp = self.backend, self.backend.xp
        if not self.n_documents and self.ideal is None:
            return xp.zeros_like(self.lengths[0, ...], dtype=backend.widest(self.lengths).float)
        real = backend.as_real(self.relevance, self.relevance)
        counts = is_weight(real)
        if self.weights is not None:
            has_weight = self.weights != 0
            if self.codes is None:
                counts = counts & np.repeat(has_weight, self.lengths)
            else:
                counts = counts & xp.take(xp.concat([has_weight, has_weight[:1]]), self.codes)
        if self.ideal is None:
            return xp.max(xp.where(counts, real, 0.0))
        rows = self.ideal if self.weights is None else xp.where(self.weights[:, None] != 0, self.ideal, 0.0)
        return xp.max(xp.concat([xp.where(counts, real, 0.0), xp.reshape(rows, (-1,))]))

    def has_grades(self) -> Any:
        """Whether a relevance is other than 0 and 1, if the number of relevant documents is known but not the ideal."""
        if self.n_relevant is None or self.ideal is not None:
            return False
        xp, real = self.backend.xp, self.backend.as_real(self.relevance, self.relevance)
        return xp.any((real != 0) & (real != 1))

    def lists(self) -> Iterator[Lists]:
        """The lists of all queries, those of NumPy in blocks."""
        has_grades = self.has_grades()
        known = self.n_relevant, self.ideal, has_grades
        if self.codes is not None:
            xp, spare = self.backend.xp, self.n_documents - self.backend.sum(self.lengths)
            lengths = xp.concat([self.lengths, xp.reshape(spare, (1,))])
            yield lists_of(self.codes, lengths, self.relevance, self.tied, *known, *self.shape)
            return
        if self.n_documents <= _BLOCK:
            codes = np.repeat(np.arange(self.n_queries), self.lengths)
            yield lists_of(codes, self.lengths, self.relevance, self.tied, *known, *self.shape)
            return
        for own, documents in _blocks(self.lengths):
            lengths = self.lengths[own]
            tied = None if self.tied is None or not self.tied[documents].any() else self.tied[documents]
            n_relevant, ideal = (None if x is None else x[own] for x in (self.n_relevant, self.ideal))
            codes = np.repeat(np.arange(len(lengths)), lengths)
            relevance, longest = self.relevance[documents], int(lengths.max())
            yield lists_of(codes, lengths, relevance, tied, n_relevant, ideal, has_grades, len(lengths), longest)

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


def query_names(labels: Any, given: Array) -> Any:
    """The sorted names of queries: in the library of the given array if it has such numbers, else in NumPy."""
    backend = backend_of(given)
    if isinstance(labels, tuple):
        return np.fromiter(labels[1:], dtype=labels[0], count=len(labels) - 1)
    wide = backend.widest(given).int
    most = int(backend.xp.iinfo(wide).max)
    if isinstance(labels, range) and -most <= labels.start and labels.stop <= most:
        return backend.arange_beside(labels.start, labels.stop, wide, given)
    labels = np.asarray(labels) if isinstance(labels, range) else labels
    if backend.on_host or not backend_of(labels).on_host or labels.dtype.kind not in "iu":
        return labels
    has_such = -most <= labels.min() and labels.max() <= most
    return backend.from_host(labels, given) if has_such else labels


def _blocks(lengths: NDArray) -> Iterator[tuple[slice, slice]]:
    """Which queries, and which documents, are of each block; a list is never divided."""
    ends, first = np.cumsum(lengths), 0
    while first < len(lengths):
        start = int(ends[first] - lengths[first])
        last = max(first + 1, int(np.searchsorted(ends, start + _BLOCK, side="right")))
        yield slice(first, last), slice(start, int(ends[last - 1]))
        first = last


def _reorder(x: NDArray, order: NDArray) -> NDArray:
    """The values in an order, by blocks, as NumPy takes positions of 64 bits for those of 32."""
    found = np.empty_like(x)
    for start in range(0, len(x), _BLOCK):
        own = slice(start, start + _BLOCK)
        found[own] = x[order[own]]
    return found


def _tie_mask(scores: NDArray, order: NDArray, lengths: NDArray) -> NDArray | None:
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


# What users give, in rows or with the query of each document, read and checked.


def read_documents(
    y_true: Any,
    y_score: Any,
    queries: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_relevance: Any = None,
    n_relevant: Any = None,
    ideal: Any = None,
    n_queries: int | None = None,
    needs_weight: bool = True,
    takes_any: bool = False,
) -> Documents:
    """Take what was given, and check all of it that can be told; of some batches no query has a weight.

    ``takes_any`` is for two numbers of each item, which are no relevances and scores: both may be any numbers.
    """
    by_name = {
        name: x
        for name, x in (("n_relevant", n_relevant), ("ideal", ideal))
        if queries is not None and n_queries is None and _is_by_name(x)
    }
    labels = None
    for name, x in by_name.items():
        labels, values = _sort_by_name(x, name)
        n_relevant, ideal = (values, ideal) if name == "n_relevant" else (n_relevant, values)
    given = read_given(
        y_true,
        y_score,
        queries,
        mask=mask,
        sample_weight=sample_weight,
        ignore_relevance=ignore_relevance,
        n_relevant=n_relevant,
        ideal=ideal,
        n_queries=n_queries,
        takes_any=takes_any,
    )
    relevance = given.relevance
    if labels is not None:
        given = _encode_queries(given, labels, *by_name)
    if 0 in given.shape:
        given = _with_a_document(given)
    seen = given.seen()
    if seen is not None:
        found = host_documents(seen, relevance, needs_weight)
    else:
        brought = _with_codes(given).brought(relevance)
        found, is_broken = device_documents(brought, relevance, needs_weight)
        if is_broken:
            host_documents(_to_host(brought), to_host(relevance), needs_weight)  # which says what is wrong
    rows = y_true.index if is_of("pandas", y_true, "DataFrame") else None
    named = found.labels if rows is None and queries is not None else rows
    beside = {"sample_weight": sample_weight, "n_relevant": n_relevant, "ideal": ideal}
    indexes = {name: x.index for name, x in beside.items() if has_index(x)}
    if named is None or not indexes:
        return found
    names = to_host(named).tolist() if is_array(named) else list(named)
    for name, index in indexes.items():
        _check_order(name, index, names)
        if name != "sample_weight" and queries is not None and n_queries is None:
            _check_positions(name, index, names)
    return found


def _check_order(name: str, given: Any, labels: list[Any]) -> None:
    """Check that the index of what there is of each query, if it is more than positions, has the queries in order."""
    if _is_positions(given):
        return
    index = list(given)
    if not are_same_names(index, labels):
        raise ValueError(
            f"{name} must have the queries as its index, in their order, got {first_difference(index, labels)}; "
            f"reindex it, or give {name}.to_numpy()"
        )


def _check_positions(name: str, given: Any, labels: list[Any]) -> None:
    """Check that what is taken in the order of the queries cannot be meant by their names.

    Of a mapping whose names are 0, 1, 2, ... pandas 3 makes a Series with the default index.
    """
    if _is_positions(given) and labels != list(range(len(labels))) and any(x in given for x in labels):
        raise ValueError(
            f"{name} must be a mapping or an array where its index 0, 1, 2, ... may be the names of queries, got "
            f"queries from {labels[0]!r} to {labels[-1]!r}; give {name}.to_dict(), or {name}.to_numpy() in their order"
        )


def _is_by_name(x: Any) -> bool:
    """Whether there is something of each query by its name: a mapping, or a Series with more than positions."""
    return isinstance(x, Mapping) or (is_of("pandas", x, "Series") and not _is_positions(x.index))


def _is_positions(index: Any) -> bool:
    """Whether an index of pandas is the one of a Series for which none was given.

    The numbers 0, 1, 2, ... in any other index may be the names of queries, as after ``groupby``.
    """
    is_range = is_of("pandas", index, "RangeIndex") and index.name is None
    return is_range and (index.start, index.step) == (0, 1)


def _sort_by_name(x: Any, name: str) -> tuple[Any, list[Any]]:
    """The names of the queries, sorted, and what each of them has."""
    names, values = (list(x), list(x.values())) if isinstance(x, Mapping) else (list(x.index), x.tolist())
    if not names:
        raise ValueError(f"{name} must have at least one query, got none")
    vector = whole(read_labels(names, f"the queries of {name}"))
    order = np.argsort(vector.data, kind="stable")  # codes are in the order of what they stand for
    found = vector.data[order]
    twice = np.flatnonzero(found[1:] == found[:-1])
    if len(twice):
        raise ValueError(f"{name} must have each query once, got {names[order[twice[0]]]!r} twice")
    return found if vector.values is None else vector.values[found], [values[i] for i in order]


def _encode_queries(given: RankingInputs, labels: NDArray, name: str) -> RankingInputs:
    """The same with the queries as codes into these labels, of which some may have no document."""
    assert given.queries is not None
    vector = whole(given.queries.with_data(to_host(given.queries.data)))
    values, own = np.unique(vector.data, return_inverse=True) if vector.values is None else (vector.values, vector.data)
    places = {label: i for i, label in enumerate(labels.tolist())}
    codes = np.asarray([*(places.get(value, -1) for value in values.tolist()), -1])[own]
    if (codes < 0).any():
        missing = values[own[codes < 0]].tolist()[0]
        raise ValueError(f"{name} must have every query, got none called {missing!r}")
    coded = Vector("queries", given.queries.given, codes)
    return replace(given, queries=coded, n_queries=len(labels), names=labels)


def _with_a_document(given: RankingInputs) -> RankingInputs:
    """The same with one document for each row, or one in all, that does not count, in place of none."""
    shape = given.shape
    has_queries = shape[0] > 0 if len(shape) == 2 else given.queries is None or given.n_queries is not None
    if not (given.may_be_empty and has_queries):
        raise ValueError(f"y_true must have at least one document, got shape {shape}")
    shape = (*shape[:-1], 1)

    def empty(x: Any) -> Any:
        return None if x is None else backend_of(x).zeros_beside(shape, x.dtype, x)

    relevance = empty(given.relevance)
    mask = backend_of(relevance).xp.zeros_like(relevance, dtype=backend_of(relevance).xp.bool)
    queries = given.queries
    if queries is not None:
        queries = Vector("queries", queries.given, np.zeros(1, dtype=np.int64))
    return replace(given, relevance=relevance, scores=empty(given.scores), mask=mask, queries=queries)


def _with_codes(given: RankingInputs) -> RankingInputs:
    """The same with queries that lie on the host as codes: a device may not have text, nor numbers as large."""
    vector, size = given.queries, given.n_queries
    if vector is None or not vector.backend.on_host:
        return given
    if size is None:
        found = host_queries(replace(given, mask=None, ignored=()))
        codes = np.asarray(found.codes, dtype=np.int64)
        return replace(given, queries=replace(vector, data=codes, values=np.asarray(found.labels)))
    vector = whole(vector)
    if vector.values is not None:
        return replace(given, queries=replace(vector, data=encode(vector, None, size, "n_queries").codes, values=None))
    codes = np.where(fits(vector, size), vector.data, -1).astype(np.int64)
    return replace(given, queries=vector.with_data(codes))


def _to_host(given: RankingInputs) -> RankingInputs:
    found = given.map_arrays(to_host)
    assert found is not None
    return found
