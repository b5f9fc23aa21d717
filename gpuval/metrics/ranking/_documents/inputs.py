"""From what users give, in rows or with the query of each document, to documents on the host or on a device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, to_host
from gpuval.inputs.codes import encode, fits
from gpuval.inputs.containers import is_of
from gpuval.inputs.labels import Vector, are_same_names, first_difference, has_index, read_labels
from gpuval.metrics.ranking._documents.documents import Documents, whole
from gpuval.metrics.ranking._documents.on_device import on_device
from gpuval.metrics.ranking._documents.on_host import host_queries, on_host
from gpuval.metrics.ranking._reading import GivenRanking, read_given
from gpuval.numerics import NDArray


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
) -> Documents:
    """Take what was given, and check all of it that can be told; of some batches no query has a weight."""
    by_name = {
        name: x
        for name, x in (("n_relevant", n_relevant), ("ideal", ideal))
        if queries is not None and n_queries is None and _is_by_name(x)
    }
    labels = None
    for name, x in by_name.items():
        labels, values = _sorted_by_name(x, name)
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
    )
    relevance = given.relevance
    if labels is not None:
        given = _coded_by(given, labels, *by_name)
    if 0 in given.shape:
        given = _with_a_document(given)
    seen = given.seen()
    if seen is not None:
        found = on_host(seen, relevance, needs_weight)
    else:
        brought = _with_codes(given).brought(relevance)
        found, is_broken = on_device(brought, relevance, needs_weight)
        if is_broken:
            on_host(_to_host(brought), to_host(relevance), needs_weight)  # which says what is wrong
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


def _sorted_by_name(x: Any, name: str) -> tuple[Any, list[Any]]:
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


def _coded_by(given: GivenRanking, labels: NDArray, name: str) -> GivenRanking:
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


def _with_a_document(given: GivenRanking) -> GivenRanking:
    """The same with one document for each row, or one in all, that does not count, in place of none."""
    shape = given.shape
    has_queries = shape[0] > 0 if len(shape) == 2 else given.queries is None or given.n_queries is not None
    if not (given.knows_relevant and has_queries):
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


def _with_codes(given: GivenRanking) -> GivenRanking:
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


def _to_host(given: GivenRanking) -> GivenRanking:
    found = given.changed(to_host)
    assert found is not None
    return found
