"""The documents of queries on a device: values are looked at only where the queries have to be found out, once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gpuval.engines.backends import Backend, backend_of, to_host
from gpuval.inputs.codes import Codes, fits, of_given_size
from gpuval.inputs.labels import Vector
from gpuval.inputs.limits import out_of_range
from gpuval.inputs.samples import is_weight
from gpuval.metrics.ranking._documents.documents import (
    Documents,
    are_wrong,
    as_vector,
    check_rows,
    codes_of_queries,
    labels_that_occur,
    lacks,
    nothing_like,
    number_of_rows,
    numbers_of_queries,
    rows_of_ideal,
    which_count,
    zero_unless,
)
from gpuval.metrics.ranking._reading import GivenRanking
from gpuval.numerics import Array


def on_device(given: GivenRanking, like: Array, needs_weight: bool) -> tuple[Documents, bool]:
    """The documents, and whether a look at their values says that a query cannot be evaluated, or none has a weight.

    Values are looked at only where the queries have to be found out.
    """
    queries, size = given.queries, given.n_queries
    if queries is None:
        return _of_codes(given, _rows(given), None, like), False
    if size is not None:
        is_inside = fits(queries, size)
        coded = of_given_size(queries, size, is_inside)
        named = coded if given.names is None else replace(coded, values=given.names)
        return _of_codes(given, named, is_inside, like), False
    if not queries.backend.has_values(queries.data):
        raise TypeError("n_queries must be given on the meta device, where the queries have no values")
    if not backend_of(given.relevance).is_traced(given.relevance):
        return _looked_at(given, queries, like, needs_weight)
    if queries.values is None:
        raise TypeError("n_queries must be given inside jax.jit or jax.vmap, where the queries are not known yet")
    return _of_codes(given, codes_of_queries(queries, None), None, like), False


def _rows(given: GivenRanking) -> Codes:
    """The row of each document, where there are no names of queries."""
    backend, n_rows = backend_of(given.relevance), number_of_rows(given)
    xp, wide = backend.xp, backend.widest(given.relevance).int
    rows = backend.arange_beside(0, n_rows, wide, given.relevance)
    codes = as_vector(xp.broadcast_to(rows[:, None], (n_rows, given.shape[-1])))
    return Codes(codes, n_rows, range(n_rows))


def _of_codes(given: GivenRanking, coded: Codes, is_inside: Array | None, like: Array) -> Documents:
    """The documents of queries with these codes; ``is_inside`` says of which there is the query, None that of all."""
    backend, n_queries = backend_of(given.relevance), coded.size
    xp = backend.xp
    relevance, scores = as_vector(given.relevance), None if given.scores is None else as_vector(given.scores)
    counted, any_broken = which_count(given), None
    counted = xp.ones_like(relevance, dtype=xp.bool) if counted is None else counted
    if is_inside is not None:
        any_broken, counted = xp.any(counted & ~is_inside), counted & is_inside
    codes = xp.where(counted, xp.astype(coded.codes, backend.widest(coded.codes).int), n_queries)
    wrong = counted & are_wrong(relevance, scores, backend)
    fine = counted & ~wrong
    relevance, scores = zero_unless(fine, relevance), None if scores is None else zero_unless(fine, scores)
    broken = _number_of(wrong, codes, n_queries, backend) > 0
    lengths = backend.count(codes, n_queries + 1)[:-1]
    is_empty = (lengths == 0) & (not given.knows_relevant)
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
        nothing_like(like),
        given.shape[-1],
    )


def _looked_at(given: GivenRanking, queries: Vector, like: Array, needs_weight: bool) -> tuple[Documents, bool]:
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
        weights=_padded(given.weights, coded.size),
        n_relevant=_padded(given.n_relevant, coded.size),
        ideal=_padded(given.ideal, coded.size),
    )
    found = _of_codes(padded, replace(coded, codes=among), None, like)
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


def _padded(x: Array | None, size: int) -> Array | None:
    """Numbers of queries, or rows, with 0 for more of them, so many in all; one number as it is."""
    if x is None or not len(x.shape):
        return x
    backend = backend_of(x)
    more = backend.zeros_beside((max(0, size - x.shape[0]), *x.shape[1:]), x.dtype, x)
    return backend.xp.concat([x, more])[:size, ...]


def _number_of(which: Array, codes: Array, n_queries: int, backend: Backend) -> Array:
    """How many documents of each query are such."""
    return backend.total(backend.xp.astype(which, backend.widest(codes).int), codes, n_queries + 1)[:-1]
