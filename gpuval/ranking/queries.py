"""From what users give, in rows or with the query of each document, to documents on the host or on a device."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, to_host
from gpuval.inputs.codes import Codes, codes_below_size, fill_ignored, fits
from gpuval.inputs.labels import Vector
from gpuval.inputs.numbers import place_of
from gpuval.inputs.options import out_of_range
from gpuval.inputs.samples import check_weights, is_weight
from gpuval.inputs.strings import as_python
from gpuval.numerics import Array, NDArray
from gpuval.ranking.documents import (
    Documents,
    and_counted,
    are_wrong,
    as_vector,
    check_rows,
    codes_of_queries,
    labels_that_occur,
    lacks,
    number_of_rows,
    numbers_of_queries,
    rows_of_ideal,
    which_count,
    zero_size_like,
    zero_unless,
)
from gpuval.ranking.reading import RankingInputs

_SHOWN = 5
"""How many relevances of a query a message has."""


@dataclass(frozen=True)
class _HostQueries:
    """The queries of documents in NumPy."""

    codes: NDArray | None
    """The code of the query of each document; None for rows, which stand one after the other and are of one length."""
    size: int
    labels: Any

    def number(self, which: NDArray) -> NDArray:
        """How many documents of each query are such."""
        if self.codes is not None:
            return np.bincount(self.codes[which], minlength=self.size)
        found: NDArray = np.count_nonzero(which.reshape(self.size, -1), axis=1)
        return found

    def document_values(self, x: NDArray, n_documents: int) -> NDArray:
        """What the query of each document has."""
        return np.repeat(x, n_documents // self.size) if self.codes is None else x[self.codes]


def host_queries(given: RankingInputs) -> _HostQueries:
    """The queries that occur, or as many as were said to."""
    if given.queries is None:
        n_rows = number_of_rows(given)
        return _HostQueries(None, n_rows, range(n_rows))
    vector, counted = given.queries, which_count(given)
    if given.n_queries is not None and counted is not None and counted.any():
        vector = fill_ignored(vector, ~counted)  # where rows were padded, the query may be any number
    coded = codes_of_queries(vector, given.n_queries)
    codes, size, labels = coded.codes, coded.size, coded.values if given.names is None else given.names
    occurs = np.bincount(codes, minlength=size) > 0
    if given.n_queries is not None or occurs.all():
        return _HostQueries(codes, size, labels)
    among: NDArray = (np.cumsum(occurs) - occurs).astype(np.min_scalar_type(size))
    return _HostQueries(among[codes], int(occurs.sum()), labels_that_occur(labels, occurs))


def host_documents(given: RankingInputs, like: Array, needs_weight: bool) -> Documents:
    """The documents that count; raises for values that are wrong, but for those of queries of weight 0.

    ``needs_weight`` says that one of the queries must have a weight.
    """
    queries = host_queries(given)
    n_queries, labels = queries.size, queries.labels
    relevance, scores = as_vector(given.relevance), None if given.scores is None else as_vector(given.scores)
    weights, is_left_out = None, None
    if given.weights is not None:
        if not check_weights(given.weights) and needs_weight:
            raise ValueError(f"sample_weight must be above 0 for at least one query, got none of {len(given.weights)}")
        weights = numbers_of_queries(given.weights, n_queries, "sample_weight", "a weight")
        is_left_out = None if weights.all() else weights == 0
    counted, n_relevant, ideal, broken = which_count(given), None, None, None
    if is_left_out is None:
        _check_values(given, counted)
    else:
        _check_values(given, and_counted(~queries.document_values(is_left_out, len(relevance)), counted))
        wrong = are_wrong(relevance, scores, backend_of(relevance), given.takes_any)
        broken = queries.number(and_counted(wrong, counted)) > 0
        if wrong.any():
            relevance = zero_unless(~wrong, relevance)
            scores = None if scores is None else zero_unless(~wrong, scores)
    lengths = _lengths(queries, counted, len(relevance))
    empty = lengths == 0 if weights is None else (lengths == 0) & (weights > 0)
    if not given.may_be_empty and empty.any():
        first = _name(labels, int(np.flatnonzero(empty)[0]))
        raise ValueError(
            f"y_true must have a document that counts for each query, got none for query {first}; with n_relevant= or "
            "ideal= it scores 0, with the weight 0 (sample_weight=) it does not count"
        )
    if given.n_relevant is not None:
        n_relevant = numbers_of_queries(given.n_relevant, n_queries, "n_relevant", "a number")
        found = queries.number(and_counted(relevance > 0, counted))
        too_small = n_relevant < found
        if broken is not None and is_left_out is not None:
            broken, too_small = broken | too_small, too_small & ~is_left_out
        if too_small.any():
            i = int(np.flatnonzero(too_small)[0])
            raise ValueError(
                f"n_relevant must be at least the number of relevant documents in each list, got {int(n_relevant[i])} "
                f"for query {_name(labels, i)}, whose list has {found[i]}"
            )
    if given.ideal is not None:
        ideal, wrong = rows_of_ideal(given, n_queries)
        kept: NDArray = np.ones(n_queries, dtype=bool) if is_left_out is None else ~is_left_out
        if (wrong & kept[:, None]).any():
            where = tuple(np.argwhere(wrong & kept[:, None])[0])
            raise ValueError(
                f"ideal must be finite and not negative, got {given.ideal[where].item()!r} at {place_of(where)}; "
                "ignore_relevance= leaves documents out"
            )
        rows = queries.document_values(np.arange(n_queries), len(relevance))
        lacking = lacks(ideal, relevance, rows if counted is None else np.where(counted, rows, n_queries))
        if (lacking > 0)[kept].any():
            i = int(np.flatnonzero((lacking > 0) & kept)[0])
            raise ValueError(
                "ideal must have the relevances of all relevant documents of a query, also of those in its list, got "
                f"{_some(ideal[i])} for query {_name(labels, i)}, whose list has {lacking[i]} more"
            )
        n_relevant = np.count_nonzero(ideal, axis=1).astype(np.float64)
        if broken is not None:
            broken = broken | wrong.any(axis=1) | (lacking > 0)
    codes = queries.codes
    if counted is not None and not counted.all():
        relevance, codes = relevance[counted], None if codes is None else codes[counted]
        scores = None if scores is None else scores[counted]
    return Documents(
        relevance,
        scores,
        codes,
        n_queries,
        lengths,
        labels,
        weights,
        n_relevant,
        ideal,
        broken,
        zero_size_like(like),
        int(lengths.max()),
    )


def _lengths(queries: _HostQueries, counted: NDArray | None, n_documents: int) -> NDArray:
    """The number of documents of each query that count."""
    if counted is not None:
        return queries.number(counted)
    if queries.codes is None:
        return np.full(queries.size, n_documents // queries.size)
    return np.bincount(queries.codes, minlength=queries.size)


def _some(relevances: NDArray) -> str:
    """The first relevances above 0 of a row, for messages."""
    shown = [f"{x:g}" for x in relevances[relevances > 0]]
    return ", ".join(shown[:_SHOWN]) + ", ..." * (len(shown) > _SHOWN) if shown else "none"


def _name(labels: Any, i: int) -> str:
    """What a query is called, for messages."""
    return repr(as_python(labels[i]))


def _check_values(given: RankingInputs, counted: Array | None) -> None:
    """Check the scores and relevances of documents that count."""
    for name, x, takes_any in (("y_score", given.scores, True), ("y_true", given.relevance, given.takes_any)):
        if x is None or x.dtype.kind == "b" or (x.dtype.kind in "iu" and takes_any):
            continue
        lowest = -np.inf if takes_any else 0
        if x.min() >= lowest and (takes_any or x.max() < np.inf):  # the smallest is NaN if there is one
            continue
        values = as_vector(x)
        wrong = and_counted(np.isnan(values) if takes_any else ~((values >= 0) & (values < np.inf)), counted)
        if wrong.any():
            where = np.unravel_index(int(np.flatnonzero(wrong)[0]), x.shape)
            must = "hold numbers" if takes_any else "be finite and not negative"
            hint = "" if takes_any else _hint(x[where].item(), given.scores)
            raise ValueError(f"{name} must {must}, got {x[where].item()!r} at {place_of(where)}{hint}")


def _hint(relevance: float, scores: Array | None) -> str:
    """What may help where a relevance is negative or not finite: -1 and NaN mark documents that are to be left out."""
    is_mark = relevance == -1 or math.isnan(relevance)
    if scores is None or is_mark or not ((scores >= 0) & (scores == np.trunc(scores))).all():
        return "; ignore_relevance= leaves documents out"
    return "; y_true holds the relevances, y_score the scores: exchange them if they are the other way round"


# The documents of queries on a device: values are looked at only where the queries have to be found out, once.


def device_documents(given: RankingInputs, like: Array, needs_weight: bool) -> tuple[Documents, bool]:
    """The documents, and whether a look at their values says that a query cannot be evaluated, or none has a weight.

    Values are looked at only where the queries have to be found out.
    """
    queries, size = given.queries, given.n_queries
    if queries is None:
        return _documents_of_codes(given, _rows(given), None, like), False
    if size is not None:
        is_inside = fits(queries, size)
        coded = codes_below_size(queries, size, is_inside)
        named = coded if given.names is None else replace(coded, values=given.names)
        return _documents_of_codes(given, named, is_inside, like), False
    if not queries.backend.has_values(queries.data):
        raise TypeError("n_queries must be given on the meta device, where the queries have no values")
    if not backend_of(given.relevance).is_traced(given.relevance):
        return _inspect_documents(given, queries, like, needs_weight)
    if queries.values is None:
        raise TypeError("n_queries must be given inside jax.jit or jax.vmap, where the queries are not known yet")
    return _documents_of_codes(given, codes_of_queries(queries, None), None, like), False


def _rows(given: RankingInputs) -> Codes:
    """The row of each document, where there are no names of queries."""
    backend, n_rows = backend_of(given.relevance), number_of_rows(given)
    xp, wide = backend.xp, backend.widest(given.relevance).int
    rows = backend.arange_beside(0, n_rows, wide, given.relevance)
    codes = as_vector(xp.broadcast_to(rows[:, None], (n_rows, given.shape[-1])))
    return Codes(codes, n_rows, range(n_rows))


def _documents_of_codes(given: RankingInputs, coded: Codes, is_inside: Array | None, like: Array) -> Documents:
    """The documents of queries with these codes; ``is_inside`` says of which there is the query, None that of all."""
    backend, n_queries = backend_of(given.relevance), coded.size
    xp = backend.xp
    relevance, scores = as_vector(given.relevance), None if given.scores is None else as_vector(given.scores)
    counted, any_broken = which_count(given), None
    counted = xp.ones_like(relevance, dtype=xp.bool) if counted is None else counted
    if is_inside is not None:
        any_broken, counted = xp.any(counted & ~is_inside), counted & is_inside
    codes = xp.where(counted, xp.astype(coded.codes, backend.widest(coded.codes).int), n_queries)
    wrong = counted & are_wrong(relevance, scores, backend, given.takes_any)
    fine = counted & ~wrong
    relevance, scores = zero_unless(fine, relevance), None if scores is None else zero_unless(fine, scores)
    broken = _number_of(wrong, codes, n_queries, backend) > 0
    lengths = backend.count(codes, n_queries + 1)[:-1]
    is_empty = (lengths == 0) & (not given.may_be_empty)
    weights = n_relevant = ideal = None
    if given.weights is not None:
        weights = numbers_of_queries(given.weights, n_queries, "sample_weight", "a weight")
        wrong_weights = xp.any(~is_weight(given.weights)) | out_of_range(given.weights)
        any_broken = wrong_weights if any_broken is None else any_broken | wrong_weights
        is_empty = is_empty & (weights != 0)
    if given.n_relevant is not None:
        n_relevant = numbers_of_queries(given.n_relevant, n_queries, "n_relevant", "a number")
        hits = _number_of(relevance > 0, codes, n_queries, backend)
        broken = broken | (n_relevant < xp.astype(hits, n_relevant.dtype))
    if given.ideal is not None:
        ideal, wrong_relevances = rows_of_ideal(given, n_queries)
        n_relevant = backend.sum(xp.astype(ideal > 0, ideal.dtype), 1)
        broken = broken | xp.any(wrong_relevances, axis=1) | (lacks(ideal, relevance, codes) > 0)
    broken = broken | is_empty if any_broken is None else broken | is_empty | any_broken
    return Documents(
        relevance,
        scores,
        codes,
        n_queries,
        lengths,
        coded.values,
        weights,
        n_relevant,
        ideal,
        broken,
        zero_size_like(like),
        given.shape[-1],
    )


def _inspect_documents(
    given: RankingInputs, queries: Vector, like: Array, needs_weight: bool
) -> tuple[Documents, bool]:
    """The documents of the queries that occur, and whether one of these cannot be evaluated, or none has a weight.

    How often each code occurs and whether something is broken is one copy to the host. Until then there may be as many
    queries as codes, and those that occur are the first.
    """
    coded, backend = codes_of_queries(queries, None), backend_of(given.relevance)
    xp, wide = backend.xp, backend.widest(given.relevance).int
    codes = xp.astype(coded.codes, wide, copy=False)
    counts = backend.count(codes, coded.size)
    occurs = xp.astype(counts > 0, wide)
    among = xp.take(backend.cumulative_sum(occurs) - occurs, codes)
    padded = replace(
        given,
        weights=_pad(given.weights, coded.size),
        n_relevant=_pad(given.n_relevant, coded.size),
        ideal=_pad(given.ideal, coded.size),
    )
    found = _documents_of_codes(padded, replace(coded, codes=among), None, like)
    occur_here = backend.arange_beside(0, coded.size, wide, among) < backend.sum(occurs)
    has_weight = occur_here if found.weights is None else occur_here & (found.weights != 0)
    assert found.queries is not None
    assert found.broken is not None
    is_broken = xp.any(found.broken & has_weight)
    is_broken = is_broken | ~xp.any(has_weight) if needs_weight else is_broken
    known = to_host(xp.concat([counts, xp.astype(xp.reshape(is_broken, (1,)), wide)]))
    lengths = known[:-1]
    n = int(np.count_nonzero(lengths))
    weights = None if given.weights is None else numbers_of_queries(given.weights, n, "sample_weight", "a weight")
    n_relevant = None if given.n_relevant is None else numbers_of_queries(given.n_relevant, n, "n_relevant", "a number")
    if given.ideal is not None and found.n_relevant is not None:
        check_rows(given.ideal, n)
        n_relevant = found.n_relevant[:n]
    of_those = replace(
        found,
        queries=xp.where(found.queries < n, found.queries, n),
        n_queries=n,
        lengths=found.lengths[:n],
        labels=coded.values if lengths.all() else labels_that_occur(coded.values, lengths > 0),
        weights=weights,
        n_relevant=n_relevant,
        ideal=None if found.ideal is None else found.ideal[:n, :],
        broken=found.broken[:n],
        longest=int(lengths.max()),
    )
    return of_those, bool(known[-1])


def _pad(x: Array | None, size: int) -> Array | None:
    """Numbers of queries, or rows, with 0 for more of them, so many in all; one number as it is."""
    if x is None or not len(x.shape):
        return x
    backend = backend_of(x)
    more = backend.zeros_beside((max(0, size - x.shape[0]), *x.shape[1:]), x.dtype, x)
    return backend.xp.concat([x, more])[:size, ...]


def _number_of(which: Array, codes: Array, n_queries: int, backend: Backend) -> Array:
    """How many documents of each query are such."""
    return backend.total(backend.xp.astype(which, backend.widest(codes).int), codes, n_queries + 1)[:-1]
