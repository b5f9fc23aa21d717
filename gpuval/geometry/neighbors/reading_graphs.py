"""From sparse matrices of SciPy, CuPy, torch or plain arrays to edges, or to the nearest neighbours of each sample."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.neighbors.knn import Nearest, is_index
from gpuval.geometry.neighbors.reading_knn import read_nearest
from gpuval.inputs.containers import type_of
from gpuval.inputs.labels import Vector, of_one_library
from gpuval.inputs.matrices.features import check_starts, in_format
from gpuval.numerics import Array

_FORMS = "a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices, indptr) by rows"


class CompressedRows(NamedTuple):
    """A square sparse matrix by rows."""

    data: Array
    indices: Array
    starts: Array


def is_graph(x: Any) -> bool:
    """Whether ``x`` is a sparse matrix, or the three arrays of one."""
    if isinstance(x, tuple | list):
        return len(x) == 3 and all(map(is_array, x))
    return is_sparse(x) or (is_array(x) and backend_of(x).storage(x).startswith("sparse"))


def read_weighted(graph: Any, name: str = "graph") -> Edges:
    """Read a graph whose entries are weights of edges."""
    rows = _read(graph, name)
    backend = backend_of(rows.data)
    broken = ~((rows.data >= 0) & (rows.data < float("inf")))
    invalid = _wrong_structure(rows) + backend.count_true(broken)
    if not _may_look(rows):
        return Edges(*_clamped(rows), invalid)
    if int(to_host(invalid)):
        _check_structure(rows, name)
        first = to_host(rows.data)[to_host(broken)][0]
        raise ValueError(f"{name} must have weights that are finite and not negative, got {first}")
    return Edges(rows.starts, rows.indices, rows.data, None)


def read_distances(graph: Any, name: str = "graph", *, of_search: bool = False) -> Nearest:
    """Read a graph whose entries are the distances of each sample to its neighbours, equally many in each row.

    ``of_search`` is that of :func:`read_nearest`.
    """
    rows = _read(graph, name)
    n, n_entries = int(rows.starts.shape[0]) - 1, int(rows.data.shape[0])
    k = n_entries // max(1, n)
    backend = backend_of(rows.data)
    xp = backend.xp
    if _may_look(rows):
        _check_structure(rows, name)
        lengths = to_host(rows.starts[1:] - rows.starts[:-1])
        if n and lengths.min() != lengths.max():
            raise ValueError(
                f"{name} must have equally many distances in each row, got rows of {lengths.min()} to {lengths.max()}: "
                "do not eliminate zeros (neighbours at distance 0), and do not make the matrix symmetric"
            )
        if k > 1 and bool(to_host(xp.all(rows.data == 1))):
            raise ValueError(
                f"{name} must hold distances, got 1 for all neighbours, as graphs of connectivities have; give the "
                "distances, or the arrays of the search (Neighbors.from_knn)"
            )
        shape = (n, k)
        names = f"the columns of {name}", f"the distances of {name}"
        indices, distances = xp.reshape(rows.indices, shape), xp.reshape(rows.data, shape)
        return read_nearest(indices, distances, None, names, of_search=of_search)
    raise TypeError(
        f"{name} must have known values, to check that its rows have one length; inside jax.jit give "
        "Neighbors.from_knn(indices, distances, has_self=False)"
    )


def _read(graph: Any, name: str) -> CompressedRows:
    """The arrays of a square matrix, with the checks that need no look at values."""
    if is_sparse(graph):
        # the rows of "csr" are checked by the caller, without a wait
        csr = graph if graph.format == "csr" else in_format(graph, "csr", name)
        if graph.format in ("bsr", "dia"):  # zeros that fill blocks and diagonals are no entries
            csr.eliminate_zeros()
        shape, rows = tuple(graph.shape), _compressed_rows((csr.data, csr.indices, csr.indptr), name)
    elif is_array(graph) and backend_of(graph).storage(graph).startswith("sparse"):
        shape, rows = tuple(graph.shape), _compressed_rows(backend_of(graph).compressed_rows(graph), name)
    elif is_graph(graph):
        rows = _of_arrays(graph, name)
        shape = (int(rows.starts.shape[0]) - 1,) * 2
    else:
        raise TypeError(f"{name} must be {_FORMS}, got {kind_of(graph)}")
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"{name} must be square, (n_samples, n_samples), got shape {shape}")
    if rows.data.shape != rows.indices.shape:
        n_entries, n_indices = rows.data.shape[0], rows.indices.shape[0]
        raise ValueError(f"indices of {name} must have as many entries as data ({n_entries}), got {n_indices}")
    if backend_of(rows.data).kind(rows.data) == "other":
        raise TypeError(f"{name} must hold real numbers, got dtype {rows.data.dtype}")
    backend = backend_of(rows.data)
    if backend.kind(rows.data) != "real":
        rows = rows._replace(data=backend.xp.astype(rows.data, backend.widest(rows.data).float))
    return rows


def _compressed_rows(arrays: Any, name: str) -> CompressedRows:
    data, *places = arrays
    for field, x in zip(("indices", "indptr"), places, strict=True):
        if backend_of(x).kind(x) != "integer":
            raise TypeError(f"{field} of {name} must hold integers, got dtype {x.dtype}; give (data, indices, indptr)")
    return CompressedRows(data, *(backend_of(x).with_sign(x) for x in places))


def kind_of(graph: Any) -> str:
    """For messages: the type of an object that is not a graph, and how to make a graph of it."""
    if is_array(graph):
        return f"a dense {type_of(graph)}; scipy.sparse.csr_array(graph) makes one of a dense matrix"
    is_networkx = type(graph).__module__.startswith("networkx")
    return type_of(graph) + "; networkx.to_scipy_sparse_array(graph) makes one" * is_networkx


def _of_arrays(graph: Any, name: str) -> CompressedRows:
    rows = _compressed_rows(graph, name)
    for field, x in rows._asdict().items():
        if len(x.shape) != 1:
            raise ValueError(f"{field} of {name} must be one-dimensional, got shape {tuple(x.shape)}")
        if backend_of(x) is not backend_of(rows.data):
            first, second = Vector("data", rows.data, rows.data), Vector(field, x, x)
            raise TypeError(
                f"data and {field} of {name} must be of one array library, got {type_of(rows.data)} and {type_of(x)}; "
                f"convert one of them: {of_one_library(first, second)}"
            )
    if rows.starts.shape[0] == 0:
        raise ValueError(f"indptr of {name} must have one entry more than there are samples, got no entries")
    return rows


def _may_look(rows: CompressedRows) -> bool:
    return backend_of(rows.data).is_known(rows.data)


def _wrong_structure(rows: CompressedRows) -> Array:
    """The number of columns that are not those of a sample, and of rows that do not follow the row before."""
    backend, (data, indices, starts) = backend_of(rows.data), rows
    n, n_entries = int(starts.shape[0]) - 1, int(data.shape[0])
    wrong = backend.count_true(~is_index(indices, n)) + backend.count_true(starts[1:] < starts[:-1])
    return wrong + backend.count_true((starts[:1] != 0) | (starts[-1:] != n_entries))


def _check_structure(rows: CompressedRows, name: str) -> None:
    if not int(to_host(_wrong_structure(rows))):
        return
    check_starts(rows.starts, int(rows.data.shape[0]), name)
    n, indices = int(rows.starts.shape[0]) - 1, to_host(rows.indices)
    wrong = indices[~is_index(indices, n)]
    raise ValueError(
        f"the column indices of {name} must be from 0 to below the number of samples ({n}), got {wrong[0]}"
    )


def _clamped(rows: CompressedRows) -> tuple[Array, Array, Array]:
    """Starts, targets and weights with which reading is safe, whatever was wrong."""
    xp, (data, indices, starts) = backend_of(rows.data).xp, rows
    n, n_entries = int(starts.shape[0]) - 1, int(data.shape[0])
    fits = is_index(indices, n)
    inside = xp.where(starts < 0, 0, xp.where(starts > n_entries, n_entries, starts))
    return inside, xp.where(fits, indices, xp.zeros_like(indices)), data
