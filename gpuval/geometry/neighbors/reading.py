"""From sparse matrices, or the arrays of a neighbour search, to edges or to the nearest neighbours of each sample."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask, is_sparse, to_host
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.neighbors.knn import Nearest, has_repeated, is_index, scan_neighbors
from gpuval.inputs.containers import dense, type_of
from gpuval.inputs.features import check_starts, to_format
from gpuval.inputs.labels import Vector, device_hint, library_hint
from gpuval.numerics import Array

_FORMS = "a sparse matrix of SciPy or CuPy, a sparse tensor, or its arrays (data, indices, indptr) by rows"


class _CsrMatrix(NamedTuple):
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
        return Edges(*_safe_arrays(rows), invalid)
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


def _read(graph: Any, name: str) -> _CsrMatrix:
    """The arrays of a square matrix, with the checks that need no look at values."""
    if is_sparse(graph):
        # the rows of "csr" are checked by the caller, without a wait
        csr = graph if graph.format == "csr" else to_format(graph, "csr", name)
        if graph.format in ("bsr", "dia"):  # zeros that fill blocks and diagonals are no entries
            csr.eliminate_zeros()
        shape, rows = tuple(graph.shape), _csr_from_arrays((csr.data, csr.indices, csr.indptr), name)
    elif is_array(graph) and backend_of(graph).storage(graph).startswith("sparse"):
        shape, rows = tuple(graph.shape), _csr_from_arrays(backend_of(graph).compressed_rows(graph), name)
    elif is_graph(graph):
        rows = _read_arrays(graph, name)
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


def _csr_from_arrays(arrays: Any, name: str) -> _CsrMatrix:
    data, *places = arrays
    for field, x in zip(("indices", "indptr"), places, strict=True):
        if backend_of(x).kind(x) != "integer":
            raise TypeError(f"{field} of {name} must hold integers, got dtype {x.dtype}; give (data, indices, indptr)")
    return _CsrMatrix(data, *(backend_of(x).with_sign(x) for x in places))


def kind_of(graph: Any) -> str:
    """For messages: the type of an object that is not a graph, and how to make a graph of it."""
    if is_array(graph):
        return f"a dense {type_of(graph)}; scipy.sparse.csr_array(graph) makes one of a dense matrix"
    is_networkx = type(graph).__module__.startswith("networkx")
    return type_of(graph) + "; networkx.to_scipy_sparse_array(graph) makes one" * is_networkx


def _read_arrays(graph: Any, name: str) -> _CsrMatrix:
    rows = _csr_from_arrays(graph, name)
    for field, x in rows._asdict().items():
        if len(x.shape) != 1:
            raise ValueError(f"{field} of {name} must be one-dimensional, got shape {tuple(x.shape)}")
        if backend_of(x) is not backend_of(rows.data):
            first, second = Vector("data", rows.data, rows.data), Vector(field, x, x)
            raise TypeError(
                f"data and {field} of {name} must be of one array library, got {type_of(rows.data)} and {type_of(x)}; "
                f"convert one of them: {library_hint(first, second)}"
            )
    if rows.starts.shape[0] == 0:
        raise ValueError(f"indptr of {name} must have one entry more than there are samples, got no entries")
    return rows


def _may_look(rows: _CsrMatrix) -> bool:
    return backend_of(rows.data).is_known(rows.data)


def _wrong_structure(rows: _CsrMatrix) -> Array:
    """The number of columns that are not those of a sample, and of rows that do not follow the row before."""
    backend, (data, indices, starts) = backend_of(rows.data), rows
    n, n_entries = int(starts.shape[0]) - 1, int(data.shape[0])
    wrong = backend.count_true(~is_index(indices, n)) + backend.count_true(starts[1:] < starts[:-1])
    return wrong + backend.count_true((starts[:1] != 0) | (starts[-1:] != n_entries))


def _check_structure(rows: _CsrMatrix, name: str) -> None:
    if not int(to_host(_wrong_structure(rows))):
        return
    check_starts(rows.starts, int(rows.data.shape[0]), name)
    n, indices = int(rows.starts.shape[0]) - 1, to_host(rows.indices)
    wrong = indices[~is_index(indices, n)]
    raise ValueError(
        f"the column indices of {name} must be from 0 to below the number of samples ({n}), got {wrong[0]}"
    )


def _safe_arrays(rows: _CsrMatrix) -> tuple[Array, Array, Array]:
    """Starts, targets and weights with which reading is safe, whatever was wrong."""
    xp, (data, indices, starts) = backend_of(rows.data).xp, rows
    n, n_entries = int(starts.shape[0]) - 1, int(data.shape[0])
    fits = is_index(indices, n)
    inside = xp.where(starts < 0, 0, xp.where(starts > n_entries, n_entries, starts))
    return inside, xp.where(fits, indices, xp.zeros_like(indices)), data


# From the arrays of a neighbour search to the nearest neighbours of each sample, with all checks.


def read_nearest(
    indices: Any,
    distances: Any,
    has_self: bool | None,
    names: tuple[str, str] = ("indices", "distances"),
    *,
    of_search: bool = False,
) -> Nearest:
    """Read neighbours from arrays of shape (n_samples, n_columns); ``names`` are their names in messages.

    ``of_search`` says that they are the result of a search for all samples. If some samples are in their own rows then,
    each sample should be; where one is not, equal samples have taken its place.
    """
    indices = _matrix(indices, names[0])
    backend = backend_of(indices)
    if backend.kind(indices) != "integer":
        raise TypeError(f"{names[0]} must hold integers, got dtype {indices.dtype}{_EXCHANGED}")
    if distances is not None:
        distances = _matrix(distances, names[1])
        _check_alike(indices, distances, names)
    if has_self is not None and not isinstance(has_self, bool | np.bool_):
        raise TypeError(f"has_self must be True, False or None, got {has_self!r}")
    if backend.is_traced(indices) and has_self is None:
        raise TypeError(
            "has_self must be given inside jax.jit or jax.vmap, where the values of the neighbours are not known"
        )
    looks = backend.is_known(indices) and (has_self is None or backend.lies_on_host(indices))
    counts = scan_neighbors(*_host_views(indices, distances))
    if not looks:
        return _with_columns(Nearest(indices, distances, bool(has_self), False, counts[0] + counts[1]), names[0])
    wrong_indices, wrong_distances, first, anywhere = (int(x) for x in to_host(counts))
    if wrong_indices:
        raise _wrong_index(indices, names[0])
    if wrong_distances:
        raise _wrong_distance(distances, names[1])
    if has_repeated(_host_views(indices, None)[0]):
        raise _duplicate_index(indices, names[0])
    n = int(indices.shape[0])
    if has_self and anywhere == 0 and n:
        raise ValueError(f"{names[0]} must have samples in their own rows with has_self=True, got no such row")
    if has_self is False and anywhere:
        raise ValueError(
            f"{names[0]} must have no sample in its own row with has_self=False, got {anywhere} such rows of {n}"
        )
    if has_self is None and not of_search and 0 < 2 * anywhere < n:
        raise ValueError(
            f"{names[0]} must have all samples in their own rows, or none, got {anywhere} of {n}; if all should be, "
            "Neighbors.from_knn(indices, distances, has_self=True) leaves out the furthest neighbour in the other "
            "rows"
        )
    return _with_columns(Nearest(indices, distances, anywhere > 0, first == n > 0, None), names[0])


_EXCHANGED = "; indices come first, then distances"
_OF_DISTANCES = "; Neighbors.from_distances(graph) reads a sparse matrix of distances"


def _matrix(x: Any, name: str) -> Array:
    """An array of two dimensions, of a supported library."""
    if is_dask(x):
        raise TypeError(f"{name} must be in memory, got dask.{type(x).__name__}; compute it")
    if x is None or isinstance(x, str | bytes | int | float | complex | dict | set):
        raise TypeError(f"{name} must be an array of shape (n_samples, n_neighbors), got {type_of(x)}")
    if is_sparse(x):
        raise TypeError(f"{name} must be an array of shape (n_samples, n_neighbors), got {type_of(x)}{_OF_DISTANCES}")
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        masked = int(np.count_nonzero(np.ma.getmaskarray(x)))
        raise ValueError(f"{name} must have no masked values, got {masked} of {x.size}")
    if is_array(x):
        matrix = np.asarray(x) if backend_of(x).on_host else dense(x, name)
    else:
        try:
            matrix = np.asarray(x)
        except ValueError:  # what NumPy says of ragged rows
            raise ValueError(
                f"{name} must have equally many neighbours in each row, got rows of different lengths"
            ) from None
    if len(matrix.shape) != 2 or matrix.shape[1] == 0:
        raise ValueError(
            f"{name} must be of shape (n_samples, n_neighbors), with at least one neighbour, got {tuple(matrix.shape)}"
        )
    return matrix


def _check_alike(indices: Array, distances: Array, names: tuple[str, str]) -> None:
    backend, other = backend_of(indices), backend_of(distances)
    if other.kind(distances) not in ("real", "integer"):
        raise TypeError(f"{names[1]} must hold real numbers, got dtype {distances.dtype}")
    first, second = Vector(names[0], indices, indices), Vector(names[1], distances, distances)
    if other is not backend:
        raise TypeError(
            f"{names[0]} and {names[1]} must be of one array library, got {type_of(indices)} and {type_of(distances)}; "
            f"convert one of them: {library_hint(first, second)}"
        )
    if not backend.are_together(indices, distances):
        raise ValueError(
            f"{names[0]} and {names[1]} must be on one device, got {backend.device(indices)} and "
            f"{backend.device(distances)}; {device_hint(first, second)}"
        )
    if tuple(indices.shape) != tuple(distances.shape):
        raise ValueError(
            f"{names[1]} must have the shape of {names[0]} {tuple(indices.shape)}, got {tuple(distances.shape)}"
        )


def _with_columns(nearest: Nearest, name: str) -> Nearest:
    if nearest.n_neighbors < 1:
        raise ValueError(
            f"{name} must have at least one neighbour of each sample besides itself, got only the samples themselves"
        )
    return nearest


def _host_views(indices: Array, distances: Array | None) -> tuple[Array, Array | None]:
    """Views as NumPy arrays, if both arrays are on the host."""
    backend = backend_of(indices)
    view = backend.host_view(indices)
    seen = None if distances is None else backend.host_view(distances)
    if view is None or (seen is None and distances is not None):
        return indices, distances
    return view, seen


def _wrong_index(indices: Array, name: str) -> ValueError:
    host = to_host(indices)
    wrong = host[~is_index(host, len(host))]
    hint = "; in some searches -1 stands for a neighbour that was not found" if wrong[0] == -1 else ""
    return ValueError(
        f"{name} must be from 0 to below the number of samples ({len(host)}), got {wrong[0]} ({len(wrong)} of "
        f"{host.size} entries are not){hint}"
    )


def _wrong_distance(distances: Array, name: str) -> ValueError:
    host = to_host(distances)
    row, column = (int(x) for x in np.argwhere(~((host >= 0) & (host < np.inf)))[0])
    return ValueError(f"{name} must be finite and not negative, got {host[row, column]} in row {row}, column {column}")


def _duplicate_index(indices: Array, name: str) -> ValueError:
    for row, some in enumerate(to_host(indices)):
        values, counts = np.unique(some, return_counts=True)
        if (counts > 1).any():
            return ValueError(
                f"{name} must not have an index twice in a row, got {values[counts > 1][0]} twice in row {row}"
            )
    raise AssertionError("no row has an index twice")
