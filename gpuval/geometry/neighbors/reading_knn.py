"""From the arrays of a neighbour search to the nearest neighbours of each sample, with all checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask, is_sparse, to_host
from gpuval.geometry.neighbors.knn import Nearest, has_repeated, is_index, scanned
from gpuval.inputs.containers import dense, type_of
from gpuval.inputs.labels import Vector, of_one_library, on_one_device
from gpuval.numerics import Array


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
    counts = scanned(*_on_the_host(indices, distances))
    if not looks:
        return _with_columns(Nearest(indices, distances, bool(has_self), False, counts[0] + counts[1]), names[0])
    wrong_indices, wrong_distances, first, anywhere = (int(x) for x in to_host(counts))
    if wrong_indices:
        raise _wrong_index(indices, names[0])
    if wrong_distances:
        raise _wrong_distance(distances, names[1])
    if has_repeated(_on_the_host(indices, None)[0]):
        raise _repeated_index(indices, names[0])
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
            f"convert one of them: {of_one_library(first, second)}"
        )
    if not backend.are_together(indices, distances):
        raise ValueError(
            f"{names[0]} and {names[1]} must be on one device, got {backend.device(indices)} and "
            f"{backend.device(distances)}; {on_one_device(first, second)}"
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


def _on_the_host(indices: Array, distances: Array | None) -> tuple[Array, Array | None]:
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


def _repeated_index(indices: Array, name: str) -> ValueError:
    for row, some in enumerate(to_host(indices)):
        values, counts = np.unique(some, return_counts=True)
        if (counts > 1).any():
            return ValueError(
                f"{name} must not have an index twice in a row, got {values[counts > 1][0]} twice in row {row}"
            )
    raise AssertionError("no row has an index twice")
