"""The documents of all queries in one library, and what is found of them wherever they lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import Backend, OfOneLibrary, backend_of
from gpuval.inputs.codes import Codes, as_integers, encode
from gpuval.inputs.labels import Vector
from gpuval.inputs.samples import is_weight, label_limits
from gpuval.inputs.selection import ignore_mask
from gpuval.numerics import Array, NDArray
from gpuval.ranking.reading import RankingInputs

_MISSING = "must not have missing values (NaN, None), got {count} of {size}; leave those documents out"
_FRACTION = "must hold whole numbers, text or objects, got {label}; scores come before queries"


@dataclass(frozen=True)
class Documents(OfOneLibrary):
    """The documents of all queries, in any order, in one library; vectors of one length but for those of queries.

    A document that does not count has the query ``n_queries``; of NumPy, there are none.
    """

    _like = "relevance"

    relevance: Array
    scores: Array | None
    """None if the documents are in their order already."""
    queries: Array | None
    """Codes from 0 on; None of NumPy where the documents stand by query, as ``lengths`` says it."""
    n_queries: int
    lengths: Array
    """The number of documents of each query that count."""
    labels: Any
    """What the queries are called, sorted."""
    weights: Array | None
    """Those of the queries, real."""
    n_relevant: Array | None
    """How many documents are relevant to each query, if that was given; real."""
    ideal: Array | None
    """The relevances of all relevant documents of each query, if given: rows from the largest on, then zeros; real."""
    broken: Array | None
    """Which queries cannot be evaluated: where values are looked at, only of weight 0; None if all can."""
    given: Array
    """What results are like: no elements of the relevances that were given."""
    longest: int
    """No query has more documents."""


def zero_size_like(x: Array) -> Array:
    """An array without elements, of the type and in the place of another, whose memory it does not keep."""
    return backend_of(x).zeros_beside((0,), x.dtype, x)


def as_vector(x: Array) -> Array:
    """An array of one dimension or two in one."""
    return x if len(x.shape) == 1 else backend_of(x).xp.reshape(x, (-1,))


def number_of_rows(given: RankingInputs) -> int:
    """The number of queries where they have no names: a vector is one."""
    return given.shape[0] if len(given.shape) == 2 else 1


def codes_of_queries(vector: Vector, n_queries: int | None) -> Codes:
    """The codes of queries, of which some may not occur."""
    if vector.values is not None and not vector.backend.on_host:
        return Codes(vector.data, len(vector.values), vector.values)  # found on the host
    vector = whole(vector)
    return encode(vector, label_limits(vector), n_queries, "n_queries")


def whole(vector: Vector) -> Vector:
    """Queries that are numbers in integers, others as they are; raises for missing ones and fractions."""
    return as_integers(vector, _MISSING, _FRACTION)


def which_count(given: RankingInputs) -> Array | None:
    """Which documents count; None if all do."""
    counted = None if given.mask is None else as_vector(given.mask)
    if not given.ignored:
        return counted
    ignored = ignore_mask(Vector("y_true", None, as_vector(given.relevance)), given.ignored)
    return counted if ignored is None else and_counted(~ignored, counted)


def and_counted(which: Array, counted: Array | None) -> Array:
    """The documents that are such, of those that count; None counts all."""
    return which if counted is None else which & counted


def numbers_of_queries(x: Array, n_queries: int, name: str, what: str) -> Array:
    """Numbers of queries, or one for all of them, as real ones."""
    backend = backend_of(x)
    if len(x.shape) and x.shape[0] != n_queries:
        raise ValueError(f"{name} must have {what} for each query ({n_queries}), got {x.shape[0]}")
    return backend.xp.broadcast_to(backend.as_real(x, x), (n_queries,))


def check_rows(ideal: Array, n_queries: int) -> None:
    """Check that there is a row for each query."""
    if ideal.shape[0] != n_queries:
        raise ValueError(f"ideal must have a row for each query ({n_queries}), got {ideal.shape[0]}")


def rows_of_ideal(given: RankingInputs, n_queries: int) -> tuple[Array, Array]:
    """The relevances of ``ideal``, each row from its largest on, those that do not count as 0; and which are wrong."""
    ideal, backend = given.ideal, backend_of(given.relevance)
    assert ideal is not None
    xp = backend.xp
    check_rows(ideal, n_queries)
    flat = xp.reshape(ideal, (-1,))
    ignored = ignore_mask(Vector("ideal", None, flat), given.ignored) if given.ignored else None
    flat = flat if ignored is None else zero_unless(~ignored, flat)
    wrong = are_wrong(flat, None, backend)
    flat = zero_unless(~wrong, flat)
    if backend.kind(given.relevance) == backend.kind(flat) == "real":
        flat = xp.astype(flat, given.relevance.dtype)  # a relevance is the same number in both
    real = xp.reshape(backend.as_real(flat, flat), ideal.shape)
    return xp.flip(xp.sort(real, axis=1), axis=1), xp.reshape(wrong, ideal.shape)


def lacks(ideal: Array, relevance: Array, codes: Array) -> Array:
    """For each query how many relevant documents of its list are none of ``ideal``, counted by relevance.

    ``codes`` are the queries of the documents; those that are no row of ``ideal`` do not count.
    """
    backend, (n_queries, width) = backend_of(ideal), ideal.shape
    xp, wide = backend.xp, backend.widest(ideal)
    rows = backend.arange_beside(0, n_queries, wide.int, ideal)[:, None]
    rows = xp.reshape(xp.broadcast_to(rows, (n_queries, width)), (-1,))
    codes = xp.concat([xp.astype(codes, wide.int), rows])
    values = xp.concat([backend.as_real(relevance, ideal), xp.reshape(ideal, (-1,))])
    signs = xp.concat([xp.ones_like(codes[: -rows.shape[0]]), -xp.ones_like(rows)])
    signs = xp.where(values > 0, signs, xp.zeros_like(signs))
    order = engine_of(values).order_within(codes, values, is_stable=False)
    codes, values, signs = (xp.take(x, order) for x in (codes, values, signs))
    is_new = (codes[1:] != codes[:-1]) | (values[1:] != values[:-1])
    groups = backend.cumulative_sum(xp.astype(xp.concat([xp.zeros_like(is_new[:1]), is_new]), wide.int))
    beyond = backend.total(signs, groups, groups.shape[0])
    beyond = xp.where(beyond > 0, beyond, xp.zeros_like(beyond))
    firsts = xp.concat([xp.ones_like(is_new[:1]), is_new])
    at_first = xp.where(firsts, xp.take(beyond, groups), xp.zeros_like(beyond))
    return backend.total(at_first, codes, n_queries + 1)[:-1]


def are_wrong(relevance: Array, scores: Array | None, backend: Backend, takes_any: bool = False) -> Array:
    """Which documents have a relevance or a score that nothing can be made of; ``takes_any`` as in the inputs."""
    xp = backend.xp
    if backend.kind(relevance) == "bool" or (takes_any and backend.kind(relevance) == "integer"):
        wrong = xp.zeros_like(relevance, dtype=xp.bool)
    else:
        wrong = xp.isnan(relevance) if takes_any else ~is_weight(relevance)
    return wrong | xp.isnan(scores) if scores is not None and backend.kind(scores) == "real" else wrong


def zero_unless(kept: Array, x: Array) -> Array:
    """Numbers with 0 in place of others, as with NaN among them there is no order."""
    xp = backend_of(x).xp
    return xp.where(kept, x, xp.zeros_like(x))


def labels_that_occur(labels: Any, occurs: NDArray) -> Any:
    """The labels of the codes that occur."""
    return (np.arange(labels.start, labels.stop) if isinstance(labels, range) else labels)[occurs]
