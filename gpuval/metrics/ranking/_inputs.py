"""The documents of a ranking, in rows or with the query of each, as vectors of one length; values are checked here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_array, to_host
from gpuval.inputs.codes import as_integers, encode, filled, fits, of_given_size
from gpuval.inputs.containers import is_of
from gpuval.inputs.labels import Vector, first_difference, has_index
from gpuval.inputs.limits import out_of_range
from gpuval.inputs.samples import check_weights, is_weight, label_limits
from gpuval.inputs.selection import ignored_samples
from gpuval.metrics.ranking._reading import GivenRanking, place_of, read_given
from gpuval.numerics import Array

_MISSING = "must not have missing values (NaN, None), got {count} of {size}; leave those documents out"
_FRACTION = "must hold whole numbers, text or objects, got {label}; scores come before queries"


@dataclass(frozen=True)
class Documents:
    """The documents of all queries, in any order, in one library; vectors of one length but for those of queries.

    A document that does not count has the query ``n_queries``; of NumPy, there are none.
    """

    relevance: Array
    scores: Array | None
    """None if the documents are in their order already."""
    queries: Array
    """Codes from 0 on."""
    n_queries: int
    lengths: Array
    """The number of documents of each query that count."""
    labels: Any
    """What the queries are called, sorted."""
    weights: Array | None
    """Those of the queries, real."""
    n_relevant: Array | None
    """How many documents are relevant to each query, if that was given; real."""
    broken: Array | None
    """Which queries cannot be evaluated: where values are looked at, only of weight 0; None if all can."""
    given: Array
    """What results are like: no elements of the relevances that were given."""
    longest: int
    """No query has more documents."""

    @property
    def backend(self) -> Backend:
        """The backend of all arrays but ``given``."""
        return backend_of(self.relevance)


def read_documents(
    y_true: Any,
    y_score: Any,
    queries: Any,
    *,
    mask: Any,
    sample_weight: Any,
    ignore_relevance: Any,
    n_relevant: Any,
    n_queries: int | None,
) -> Documents:
    """Take what was given, and check all of it that can be told."""
    given = read_given(
        y_true,
        y_score,
        queries,
        mask=mask,
        sample_weight=sample_weight,
        ignore_relevance=ignore_relevance,
        n_relevant=n_relevant,
        n_queries=n_queries,
    )
    relevance = given.relevance
    seen = given.seen()
    if seen is not None:
        found = _on_host(seen, relevance)
    else:
        found = _anywhere(_with_codes(given).brought(relevance), relevance)
    rows = y_true.index if is_of("pandas", y_true, "DataFrame") else None
    named = found.labels if rows is None and queries is not None else rows
    for name, x in (("sample_weight", sample_weight), ("n_relevant", n_relevant)):
        if named is not None and has_index(x):
            _check_order(name, list(x.index), named)
    return found


def _check_order(name: str, index: list[Any], queries: Any) -> None:
    """Check that the index of what there is of each query, if it is more than positions, has the queries in order."""
    if index == list(range(len(index))):
        return
    labels = to_host(queries).tolist() if is_array(queries) else list(queries)
    if index != labels:
        raise ValueError(
            f"{name} must have the queries as its index, in their order, got {first_difference(index, labels)}; "
            f"reindex it, or give {name}.to_numpy()"
        )


def _nothing_like(x: Array) -> Array:
    """An array without elements, of the type and in the place of another, whose memory it does not keep."""
    return backend_of(x).zeros_beside((0,), x.dtype, x)


def _flat(x: Array) -> Array:
    return x if len(x.shape) == 1 else backend_of(x).xp.reshape(x, (-1,))


def _rows(given: GivenRanking) -> tuple[Array, int]:
    """The row of each document, and the number of rows, where there are no names of queries."""
    backend, shape = backend_of(given.relevance), given.shape
    xp, wide = backend.xp, backend.widest(given.relevance).int
    if len(shape) == 1:
        return xp.zeros_like(given.relevance, dtype=wide), 1
    rows = backend.arange_beside(0, shape[0], wide, given.relevance)
    return _flat(xp.broadcast_to(rows[:, None], shape)), shape[0]


def _coded(given: GivenRanking) -> tuple[Array, int, Any]:
    """The codes of the queries that occur, or of as many as were said to; how many these are, and their names."""
    if given.queries is None:
        rows, number = _rows(given)
        return rows, number, range(number)
    vector, counted = given.queries, _counted(given)
    if vector.values is not None and not vector.backend.on_host:
        return vector.data, len(vector.values), vector.values  # found on the host
    if given.n_queries is not None and counted is not None and counted.any():
        vector = filled(vector, ~counted)  # where rows were padded, the query may be any number
    vector = as_integers(vector, _MISSING, _FRACTION)
    coded = encode(vector, label_limits(vector), given.n_queries, "n_queries")
    backend, size, values = backend_of(coded.codes), coded.size, coded.values
    # In the widest integer: labels of few bits are codes as they are, and one code more may not fit.
    codes = backend.xp.astype(coded.codes, backend.widest(coded.codes).int, copy=False)
    if given.n_queries is not None:
        return codes, size, values
    occurs = to_host(backend.count(codes, size) > 0)
    if occurs.all():
        return codes, size, values
    among = backend.from_host(np.cumsum(occurs) - 1, codes)
    values = np.arange(values.start, values.stop) if isinstance(values, range) else values
    where = np.flatnonzero(occurs)
    kept = values[where] if isinstance(values, np.ndarray) else backend.xp.take(values, backend.from_host(where, codes))
    return backend.xp.take(among, codes), int(occurs.sum()), kept


def _with_codes(given: GivenRanking) -> GivenRanking:
    """The same with queries that lie on the host as codes: a device may not have text, nor numbers as large."""
    vector, size = given.queries, given.n_queries
    if vector is None or not vector.backend.on_host:
        return given
    if size is None:
        codes, _, names = _coded(replace(given, mask=None, ignored=()))
        return replace(given, queries=replace(vector, data=codes, values=np.asarray(names)))
    vector = as_integers(vector, _MISSING, _FRACTION)
    if vector.values is not None:
        return replace(given, queries=replace(vector, data=encode(vector, None, size, "n_queries").codes, values=None))
    codes = np.where(fits(vector, size), vector.data, -1).astype(np.int64)
    return replace(given, queries=vector.with_data(codes))


def _counted(given: GivenRanking) -> Array | None:
    """Which documents count; None if all do."""
    counted = None if given.mask is None else _flat(given.mask)
    if not given.ignored:
        return counted
    ignored = ignored_samples(Vector("y_true", None, _flat(given.relevance)), given.ignored)
    if ignored is None:
        return counted
    return ~ignored if counted is None else counted & ~ignored


def _of_queries(x: Array, n_queries: int, name: str, what: str) -> Array:
    """Numbers of queries, or one for all of them, as real ones."""
    backend = backend_of(x)
    if len(x.shape) and x.shape[0] != n_queries:
        raise ValueError(f"{name} must have {what} for each query ({n_queries}), got {x.shape[0]}")
    return backend.xp.broadcast_to(backend.as_real(x, x), (n_queries,))


def _on_host(given: GivenRanking, like: Array) -> Documents:
    codes, n_queries, labels = _coded(given)
    relevance, scores = _flat(given.relevance), None if given.scores is None else _flat(given.scores)
    weights, is_left_out = None, None
    if given.weights is not None:
        if not check_weights(given.weights):
            raise ValueError(f"sample_weight must be above 0 for at least one query, got none of {len(given.weights)}")
        weights = _of_queries(given.weights, n_queries, "sample_weight", "a weight")
        is_left_out = None if weights.all() else weights == 0
    counted = _counted(given)
    checked = counted
    if is_left_out is not None:
        checked = ~is_left_out[codes] if counted is None else counted & ~is_left_out[codes]
    _check_values(given, checked)
    if counted is not None and not counted.all():
        relevance, codes = relevance[counted], codes[counted]
        scores = None if scores is None else scores[counted]
    lengths = np.bincount(codes, minlength=n_queries)
    broken = None
    if is_left_out is not None:
        wrong = _are_wrong(relevance, scores, backend_of(relevance))
        relevance, scores = _zero_unless(~wrong, relevance), None if scores is None else _zero_unless(~wrong, scores)
        broken = np.bincount(codes[wrong], minlength=n_queries) > 0
    empty = lengths == 0 if weights is None else (lengths == 0) & (weights > 0)
    if empty.any():
        first = _name(labels, int(np.flatnonzero(empty)[0]))
        raise ValueError(
            f"y_true must have a document that counts for each query, got none for query {first}; leave the query "
            "out, or give it the weight 0 (sample_weight=)"
        )
    n_relevant = None
    if given.n_relevant is not None:
        n_relevant = _of_queries(given.n_relevant, n_queries, "n_relevant", "a number")
        found = np.bincount(codes[relevance > 0], minlength=n_queries)
        too_small = n_relevant < found
        if broken is not None and is_left_out is not None:
            broken, too_small = broken | too_small, too_small & ~is_left_out
        if too_small.any():
            i = int(np.flatnonzero(too_small)[0])
            raise ValueError(
                f"n_relevant must be at least the number of relevant documents in each list, got {int(n_relevant[i])} "
                f"for query {_name(labels, i)}, whose list has {found[i]}"
            )
    return Documents(
        relevance,
        scores,
        codes,
        n_queries,
        lengths,
        labels,
        weights,
        n_relevant,
        broken,
        _nothing_like(like),
        given.shape[-1],
    )


def _name(labels: Any, i: int) -> str:
    """What a query is called, for messages."""
    label = labels[i]
    return repr(label.item() if isinstance(label, np.generic) else label)


def _check_values(given: GivenRanking, counted: Array | None) -> None:
    """Check the scores and relevances of documents that count."""
    for name, x, is_wrong, must in (
        ("y_score", given.scores, np.isnan, "hold numbers"),
        ("y_true", given.relevance, lambda x: ~((x >= 0) & (x < np.inf)), "be finite and not negative"),
    ):
        if x is None or x.dtype.kind == "b" or (x.dtype.kind in "iu" and name == "y_score"):
            continue
        least, most = x.min(), x.max()  # NaN if there is one
        if least >= (0 if name == "y_true" else -np.inf) and (name == "y_score" or most < np.inf):
            continue
        wrong = is_wrong(_flat(x)) if counted is None else is_wrong(_flat(x)) & counted
        if wrong.any():
            where = np.unravel_index(int(np.flatnonzero(wrong)[0]), x.shape)
            hint = _hint(x[where].item(), given.scores) if name == "y_true" else ""
            raise ValueError(f"{name} must {must}, got {x[where].item()!r} at {place_of(where)}{hint}")


def _hint(relevance: float, scores: Array | None) -> str:
    """What may help where a relevance is negative or not finite: -1 and NaN mark documents that are to be left out."""
    is_mark = relevance == -1 or math.isnan(relevance)
    if scores is None or is_mark or not ((scores >= 0) & (scores == np.trunc(scores))).all():
        return "; ignore_relevance= leaves documents out"
    return "; y_true holds the relevances, y_score the scores: exchange them if they are the other way round"


def _anywhere(given: GivenRanking, like: Array) -> Documents:
    """Without a look at values, unless the queries have to be found out."""
    backend = backend_of(given.relevance)
    xp, looks = backend.xp, given.queries is not None and given.n_queries is None
    if given.queries is not None and looks:
        if not given.queries.backend.has_values(given.queries.data):
            raise TypeError("n_queries must be given on the meta device, where the queries have no values")
        if backend.is_traced(given.relevance):
            if given.queries.values is None:
                raise TypeError(
                    "n_queries must be given inside jax.jit or jax.vmap, where the queries are not known yet"
                )
            looks = False
    relevance, scores = _flat(given.relevance), None if given.scores is None else _flat(given.scores)
    counted = _counted(given)
    counted = xp.ones_like(relevance, dtype=xp.bool) if counted is None else counted
    any_broken = None
    if given.queries is not None and given.n_queries is not None:
        is_inside = fits(given.queries, given.n_queries)
        any_broken = xp.any(counted & ~is_inside)
        counted = counted & is_inside
        coded = of_given_size(given.queries, given.n_queries, counted)
        codes, n_queries, labels = coded.codes, coded.size, coded.values
    else:
        codes, n_queries, labels = _coded(given)
    codes = xp.where(counted, xp.astype(codes, backend.widest(codes).int), n_queries)
    wrong = counted & _are_wrong(relevance, scores, backend)
    fine = counted & ~wrong
    relevance, scores = _zero_unless(fine, relevance), None if scores is None else _zero_unless(fine, scores)
    broken = _number_of(wrong, codes, n_queries, backend) > 0
    lengths = backend.count(codes, n_queries + 1)[:-1]
    is_empty = lengths == 0
    weights = n_relevant = None
    if given.weights is not None:
        weights = _of_queries(given.weights, n_queries, "sample_weight", "a weight")
        wrong_weights = xp.any(~is_weight(given.weights)) | out_of_range(given.weights)
        any_broken = wrong_weights if any_broken is None else any_broken | wrong_weights
        is_empty = is_empty & (weights != 0)
    if given.n_relevant is not None:
        n_relevant = _of_queries(given.n_relevant, n_queries, "n_relevant", "a number")
        hits = _number_of(relevance > 0, codes, n_queries, backend)
        broken = broken | (n_relevant < xp.astype(hits, n_relevant.dtype))
    broken = broken | is_empty if any_broken is None else broken | is_empty | any_broken
    counts = broken if weights is None else broken & (weights != 0)
    if looks and bool(to_host(xp.any(counts))):
        _on_host(_to_host(given), to_host(like))  # which says what is wrong
    longest = int(to_host(xp.max(lengths))) if looks else given.shape[-1]
    return Documents(
        relevance, scores, codes, n_queries, lengths, labels, weights, n_relevant, broken, _nothing_like(like), longest
    )


def _to_host(given: GivenRanking) -> GivenRanking:
    found = given.changed(to_host)
    assert found is not None
    return found


def _are_wrong(relevance: Array, scores: Array | None, backend: Backend) -> Array:
    """Which documents have a relevance or a score that nothing can be made of."""
    xp = backend.xp
    wrong = xp.zeros_like(relevance, dtype=xp.bool) if backend.kind(relevance) == "bool" else ~is_weight(relevance)
    return wrong | xp.isnan(scores) if scores is not None and backend.kind(scores) == "real" else wrong


def _zero_unless(kept: Array, x: Array) -> Array:
    """Numbers with 0 in place of others, as with NaN among them there is no order."""
    xp = backend_of(x).xp
    return xp.where(kept, x, xp.zeros_like(x))


def _number_of(which: Array, codes: Array, n_queries: int, backend: Backend) -> Array:
    """How many documents of each query are such."""
    return backend.total(backend.xp.astype(which, backend.widest(codes).int), codes, n_queries + 1)[:-1]
