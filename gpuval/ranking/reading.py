"""What users give of a ranking, read and checked as far as its shapes, its types and its places tell."""

from __future__ import annotations

import itertools
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, detach, is_array
from gpuval.inputs.containers import is_of
from gpuval.inputs.labels import Vector, check_alike, check_beside_or_on_host, check_indexes, read_labels
from gpuval.inputs.numbers import (
    Form,
    check_columns,
    read_argument,
    read_booleans,
    read_numbers,
    replace_objects,
    require_in_memory,
)
from gpuval.inputs.options import check_size
from gpuval.inputs.selection import read_ignored_numbers, read_weights
from gpuval.inputs.strings import sort_codes
from gpuval.numerics import Array

_OF_ROWS = "; a matrix y_true has a row for each query, and needs no queries"
_FORM = Form(
    "query",
    "(n_queries, n_documents)",
    "; give vectors with the query of each document (queries=), or pad the rows and give mask=",
)

_IDEAL = Form(
    "query", "(n_queries, n_relevances)", "; give a list of relevances for each query, or rows that end in zeros"
)


@dataclass(frozen=True)
class RankingInputs:
    """Arrays of one shape, of one dimension or two; and those of the queries."""

    relevance: Array
    scores: Array | None
    mask: Array | None
    queries: Vector | None
    weights: Array | None
    n_relevant: Array | None
    ideal: Array | None
    """The relevances of all relevant documents: a row for each query."""
    ignored: tuple[Any, ...]
    n_queries: int | None
    takes_any: bool = False
    """Whether relevances may be any numbers, as those of items that are only compared, and a query may have none."""
    names: Array | None = None
    """What the queries 0, 1, ... are called, where ``n_relevant`` or ``ideal`` name them."""

    @property
    def may_be_empty(self) -> bool:
        """Whether the list of a query may be: it is known how many documents are relevant to it, or none need be."""
        return self.n_relevant is not None or self.ideal is not None or self.takes_any

    @property
    def shape(self) -> tuple[int, ...]:
        """That of all arrays but those of the queries."""
        return tuple(self.relevance.shape)

    @property
    def is_of_numpy(self) -> bool:
        """Whether all arrays are."""
        return all(backend_of(x).on_host for x in self._arrays())

    def seen(self) -> RankingInputs | None:
        """The same as views of NumPy; None if something cannot be seen as such."""
        return self if self.is_of_numpy else self.map_arrays(lambda x: backend_of(x).host_view(x))

    def brought(self, like: Array) -> RankingInputs:
        """The same with all that lies on the host in the library and on the device of ``like``."""
        traced = next((x for x in self._arrays() if backend_of(x).is_traced(x)), None)
        like = like if traced is None else traced
        backend = backend_of(like)
        found = self.map_arrays(lambda x: backend.from_host(x, like) if backend_of(x).on_host else x)
        assert found is not None
        return found

    def _arrays(self) -> list[Array]:
        queries = None if self.queries is None else self.queries.data
        arrays = (self.relevance, self.scores, self.mask, queries, self.weights, self.n_relevant, self.ideal)
        return [x for x in arrays if x is not None]

    def map_arrays(self, function: Any) -> RankingInputs | None:
        """The same with what a function gives of each array; None if it gives None of one."""
        arrays = iter(changed := [function(x) for x in self._arrays()])
        if any(x is None for x in changed):
            return None

        def next_for(x: Any) -> Any:
            return None if x is None else next(arrays)

        relevance, scores, mask = map(next_for, (self.relevance, self.scores, self.mask))
        queries = None if self.queries is None else self.queries.with_data(next(arrays))
        weights, n_relevant, ideal = map(next_for, (self.weights, self.n_relevant, self.ideal))
        of_queries = queries, weights, n_relevant, ideal, self.ignored, self.n_queries
        return RankingInputs(relevance, scores, mask, *of_queries, self.takes_any, self.names)


def read_given(
    y_true: Any,
    y_score: Any,
    queries: Any,
    *,
    mask: Any,
    sample_weight: Any,
    ignore_relevance: Any,
    n_relevant: Any,
    ideal: Any,
    n_queries: int | None,
    takes_any: bool = False,
) -> RankingInputs:
    """Read what was given; its values are not looked at. With ``takes_any``, both numbers of an item must be given."""
    if n_relevant is not None and ideal is not None:
        raise TypeError("n_relevant= cannot be given with ideal=, which says how many documents are relevant")
    size = None if n_queries is None else check_size(n_queries, "n_queries", "; number the queries from 0")
    relevance = (_sortable if takes_any else _comparable)(y_true, "y_true")
    is_one = queries is None and len(relevance.shape) == 1
    given = RankingInputs(
        relevance,
        None if y_score is None and not takes_any else _sortable(y_score, "y_score"),
        None if mask is None else read_booleans(mask, "mask", _FORM),
        None if queries is None else _as_queries(queries, size),
        None if sample_weight is None else read_weights(require_in_memory(sample_weight, "sample_weight")),
        None if n_relevant is None else _as_numbers_of_relevant(n_relevant),
        None if ideal is None else _as_ideal(ideal, is_one),
        read_ignored_numbers(ignore_relevance, "ignore_relevance"),
        size,
        takes_any,
    )
    _check_shapes(given)
    if given.is_of_numpy and type(y_true) is type(y_score) is np.ndarray and queries is mask is None:
        return given
    check_indexes(y_true=y_true, y_score=y_score, queries=queries, mask=mask)
    check_columns(y_true=y_true, y_score=y_score, mask=mask)
    _check_places(given, y_true, y_score)
    return given


def has_no_queries(y_true: Any, queries: Any, n_queries: Any, relevant: Any) -> bool:
    """Whether a batch has neither a row, nor a document of which the query is given.

    ``relevant`` is what was given as ``n_relevant`` or ``ideal``: with it a query may have no document.
    """
    is_one = getattr(relevant, "shape", None) == () or not hasattr(relevant, "__len__")
    if relevant is not None and (is_one or len(relevant)):
        return False
    if isinstance(y_true, list | tuple):
        return not y_true
    shape = tuple(getattr(y_true, "shape", ()))
    return shape[:1] == (0,) and (len(shape) == 2 or (queries is not None and n_queries in (None, 0)))


def _comparable(x: Any, name: str, form: Form = _FORM) -> Array:
    """What was given as an array that can be compared and sorted, without a gradient."""
    array = read_numbers(x, name, form)
    return backend_of(array).comparable(detach(array))


def _sortable(x: Any, name: str) -> Array:
    """What was given as an array of numbers in the same order, in a type that can be sorted, without a gradient."""
    array = read_numbers(x, name, _FORM)
    return backend_of(array).sortable(detach(array))


def _as_queries(queries: Any, n_queries: int | None) -> Vector:
    if isinstance(queries, str | bytes | Number | np.generic):
        raise TypeError(f"queries must have the query of each document, got {queries!r} alone")
    vector = read_labels(require_in_memory(queries, "queries"), "queries", _OF_ROWS)
    if vector.values is not None and n_queries is not None:
        odd = [x for x in vector.values.tolist() if not isinstance(x, int)]
        if odd:
            raise TypeError(f"queries must hold integers in [0, n_queries) where n_queries= is given, got {odd[0]!r}")
    return _sort_names(vector)


def _sort_names(vector: Vector) -> Vector:
    """The queries with their names sorted, also if these are categories, which have an order of their own."""
    if vector.values is None:
        return vector
    names = vector.values.tolist()
    with suppress(TypeError):  # names of several types are in an order already
        if any(x > y for x, y in itertools.pairwise(names)):
            codes, values = sort_codes(vector.data, names)
            return replace(vector, data=codes, values=np.asarray(values.tolist(), dtype=vector.values.dtype))
    return vector


def _as_numbers_of_relevant(n_relevant: Any) -> Array:
    is_one = isinstance(n_relevant, int | np.integer) and not isinstance(n_relevant, bool)
    is_several = is_array(n_relevant) or hasattr(n_relevant, "__len__")
    if not is_one and (not is_several or isinstance(n_relevant, str | bytes | dict | set)):
        raise TypeError(f"n_relevant must be an integer, or one for each query, got {n_relevant!r}")
    array = np.asarray(n_relevant) if is_one else read_argument(n_relevant, "n_relevant", _FORM)
    array = replace_objects(array, "n_relevant", "integers")
    if backend_of(array).kind(array) != "integer":
        raise TypeError(f"n_relevant must hold integers, got dtype {array.dtype}")
    if len(array.shape) > 1:
        raise ValueError(f"n_relevant must be one number, or one for each query, got shape {tuple(array.shape)}")
    return array


def _as_ideal(ideal: Any, is_one: bool) -> Array:
    """A row for each query of the relevances of its relevant documents; shorter rows end in zeros."""
    if isinstance(ideal, str | bytes | dict | set):
        by_name = "; a mapping from names goes with queries= and without n_queries=" if isinstance(ideal, dict) else ""
        raise TypeError(f"ideal must be the relevances of the relevant documents of each query, got {ideal!r}{by_name}")
    if is_of("pandas", ideal, "Series") or (isinstance(ideal, np.ndarray) and ideal.dtype == object):
        ideal = ideal.tolist()
    elif is_of("polars", ideal, "Series"):
        ideal = ideal.to_list()
    if isinstance(ideal, list | tuple) and any(hasattr(x, "__len__") and not isinstance(x, str | bytes) for x in ideal):
        rows = [read_numbers(x, "ideal", _IDEAL) for x in ideal]
        matrices = [tuple(x.shape) for x in rows if len(x.shape) != 1]
        if matrices:
            raise ValueError(f"ideal must have a list of relevances for each query, got one of shape {matrices[0]}")
        if all(backend_of(x).on_host for x in rows):
            longest = max(len(x) for x in rows)
            ideal = np.stack([np.pad(x, (0, longest - len(x))) for x in rows])
    array = _comparable(ideal, "ideal", _IDEAL)
    if len(array.shape) == 1:
        if not is_one:
            raise ValueError(f"ideal must have a row of relevances for each query, got shape {tuple(array.shape)}")
        array = backend_of(array).xp.reshape(array, (1, array.shape[0]))
    return array if array.shape[1] else backend_of(array).zeros_beside((array.shape[0], 1), array.dtype, array)


def _check_shapes(given: RankingInputs) -> None:
    shape = given.shape
    for name, x in (("y_score", given.scores), ("mask", given.mask)):
        if x is not None and tuple(x.shape) != shape:
            raise ValueError(f"{name} must have the shape of y_true, {shape}, got {tuple(x.shape)}")
    if given.queries is not None:
        if len(shape) == 2:
            raise ValueError(
                f"queries must be left out where y_true has a row for each query, got y_true of shape {shape}"
            )
        if given.queries.size != shape[0]:
            raise ValueError(f"queries must have the query of each document ({shape[0]}), got {given.queries.size}")
    elif given.n_queries is not None:
        raise ValueError(f"n_queries must be given with queries=, got {given.n_queries} without")


def _check_places(given: RankingInputs, y_true: Any, y_score: Any) -> None:
    """Check that all lies beside the relevances, or on the host."""
    first = Vector("y_true", y_true, given.relevance)
    if given.scores is not None:
        check_alike(first, Vector("y_score", y_score, given.scores))
    queries = None if given.queries is None else given.queries.data
    check_beside_or_on_host(
        first,
        mask=given.mask,
        queries=queries,
        sample_weight=given.weights,
        n_relevant=given.n_relevant,
        ideal=given.ideal,
    )
