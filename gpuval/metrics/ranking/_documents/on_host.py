"""The documents of queries in NumPy, where values are checked and messages say which are wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.inputs.codes import filled
from gpuval.inputs.matrices.numbers import place_of
from gpuval.inputs.samples import check_weights
from gpuval.inputs.strings import of_python
from gpuval.metrics.ranking._documents.documents import (
    Documents,
    and_counted,
    are_wrong,
    as_vector,
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
from gpuval.numerics import Array, NDArray

_SHOWN = 5
"""How many relevances of a query a message has."""


@dataclass(frozen=True)
class HostQueries:
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

    def of_documents(self, x: NDArray, n_documents: int) -> NDArray:
        """What the query of each document has."""
        return np.repeat(x, n_documents // self.size) if self.codes is None else x[self.codes]


def host_queries(given: GivenRanking) -> HostQueries:
    """The queries that occur, or as many as were said to."""
    if given.queries is None:
        n_rows = number_of_rows(given)
        return HostQueries(None, n_rows, range(n_rows))
    vector, counted = given.queries, which_count(given)
    if given.n_queries is not None and counted is not None and counted.any():
        vector = filled(vector, ~counted)  # where rows were padded, the query may be any number
    coded = codes_of_queries(vector, given.n_queries)
    codes, size, labels = coded.codes, coded.size, coded.values if given.names is None else given.names
    occurs = np.bincount(codes, minlength=size) > 0
    if given.n_queries is not None or occurs.all():
        return HostQueries(codes, size, labels)
    among: NDArray = (np.cumsum(occurs) - occurs).astype(np.min_scalar_type(size))
    return HostQueries(among[codes], int(occurs.sum()), labels_that_occur(labels, occurs))


def on_host(given: GivenRanking, like: Array, needs_weight: bool) -> Documents:
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
        _check_values(given, and_counted(~queries.of_documents(is_left_out, len(relevance)), counted))
        wrong = are_wrong(relevance, scores, backend_of(relevance))
        broken = queries.number(and_counted(wrong, counted)) > 0
        if wrong.any():
            relevance = zero_unless(~wrong, relevance)
            scores = None if scores is None else zero_unless(~wrong, scores)
    lengths = _lengths(queries, counted, len(relevance))
    empty = lengths == 0 if weights is None else (lengths == 0) & (weights > 0)
    if not given.knows_relevant and empty.any():
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
        rows = queries.of_documents(np.arange(n_queries), len(relevance))
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
        nothing_like(like),
        int(lengths.max()),
    )


def _lengths(queries: HostQueries, counted: NDArray | None, n_documents: int) -> NDArray:
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
    return repr(of_python(labels[i]))


def _check_values(given: GivenRanking, counted: Array | None) -> None:
    """Check the scores and relevances of documents that count."""
    for name, x, is_wrong, must in (
        ("y_score", given.scores, np.isnan, "hold numbers"),
        ("y_true", given.relevance, lambda x: ~((x >= 0) & (x < np.inf)), "be finite and not negative"),
    ):
        if x is None or x.dtype.kind == "b" or (x.dtype.kind in "iu" and name == "y_score"):
            continue
        lowest = 0 if name == "y_true" else -np.inf
        if x.min() >= lowest and (name == "y_score" or x.max() < np.inf):  # the smallest is NaN if there is one
            continue
        wrong = and_counted(is_wrong(as_vector(x)), counted)
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
