"""From what users give, in rows or with the query of each document, to documents on the host or on a device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, to_host
from gpuval.inputs.codes import encode, fits
from gpuval.inputs.containers import is_of
from gpuval.inputs.labels import are_same_names, first_difference, has_index
from gpuval.metrics.ranking._documents.documents import Documents, whole
from gpuval.metrics.ranking._documents.on_device import on_device
from gpuval.metrics.ranking._documents.on_host import host_queries, on_host
from gpuval.metrics.ranking._reading import GivenRanking, read_given


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
        found = on_host(seen, relevance)
    else:
        brought = _with_codes(given).brought(relevance)
        found, is_broken = on_device(brought, relevance)
        if is_broken:
            on_host(_to_host(brought), to_host(relevance))  # which says what is wrong
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
    if not are_same_names(index, labels):
        raise ValueError(
            f"{name} must have the queries as its index, in their order, got {first_difference(index, labels)}; "
            f"reindex it, or give {name}.to_numpy()"
        )


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
