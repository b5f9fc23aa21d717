"""The samples: what X may be, every check and message about it, and its rows as dense arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask, is_sparse, to_host
from gpuval.numerics import Array


def read_matrix(X: Any, n_samples: int, near: bool) -> tuple[Any, Any, Array]:
    """What results are like, the samples as rows of floats, and an array that lies where these do.

    The rows are an array, of NumPy if they lie on the host, or a sparse matrix by rows. They tell their number
    themselves.
    """
    if is_sparse(X):
        X = as_float(X.tocsr())
        check_shape(X)
        return X.data[:0], X, X.data[:0]
    given = as_array(X, "X")
    check_shape(given)
    host = backend_of(given).host_view(given) if near else None
    rows = as_float(given if host is None else host)
    return given, rows, rows


def as_array(X: Any, name: str) -> Array:
    """``X`` as an array of a supported library."""
    if is_dask(X):
        raise TypeError(
            f"{name} must be in memory here, got dask.{type(X).__name__}: of the internal measures, "
            "calinski_harabasz_score and davies_bouldin_score take Dask arrays; compute it, or a sample of it"
        )
    if isinstance(X, np.ma.MaskedArray) and not np.ma.is_masked(X):
        return np.asarray(X.data)
    if is_array(X) and not isinstance(X, np.ma.MaskedArray):
        if (storage := backend_of(X).storage(X)) != "strided":
            what = "a nested tensor" if storage == "nested" else f"a tensor of torch.{storage}"
            raise TypeError(f"{name} must be dense, or a sparse matrix of SciPy or CuPy, got {what}")
        return X
    if any(kind.__module__.partition(".")[0] in ("pandas", "polars") for kind in type(X).__mro__):
        return _from_frame(X, name)
    if isinstance(X, np.ma.MaskedArray):
        masked = int(np.ma.getmaskarray(X).sum())
        raise TypeError(
            f"{name} must have no masked values, got {masked} of {X.size}; leave samples out by ignore_labels="
        )
    if X is None or isinstance(X, str | bytes | int | float | complex | dict | set):
        raise TypeError(f"{name} must be an array of samples and features, got {type(X).__name__}")
    try:
        return np.asarray(X)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must have as many features in each row, got rows of different lengths") from None


def _from_frame(X: Any, name: str) -> Array:
    """The numbers of a frame, or of a series, which has one dimension."""
    if not hasattr(X, "to_numpy"):
        raise TypeError(f"{name} must be a frame that is in memory, got {type(X).__name__}; collect it")
    values: Array = X.to_numpy()
    if values.dtype.kind != "O":
        return values
    for column in X.columns if hasattr(X, "columns") else ():
        if X[column].dtype.kind not in "biuf":
            raise TypeError(f"{name} must hold real numbers, got dtype {X[column].dtype} in column {column!r}")
    return np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))


def check_shape(X: Any) -> None:
    """Check that there are rows and columns."""
    shape = tuple(X.shape)
    if len(shape) != 2:
        hint = "; X[:, None] has one feature" if len(shape) == 1 else ""
        raise ValueError(f"X must be two-dimensional, (n_samples, n_features), got shape {shape}{hint}")
    if shape[1] == 0:
        raise ValueError(f"X must have at least one feature, got shape {shape}")


def as_float(X: Any) -> Any:
    """Numbers in 32 or 64 bits: integers in the widest float, and half precision in 32 bits."""
    if is_sparse(X):
        if X.dtype.kind not in "biuf":
            raise _no_number(X)
        return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
    xp, kind = backend_of(X).xp, backend_of(X).kind(X)
    if kind == "other":
        raise _no_number(X)
    if X.dtype in (xp.float32, xp.float64):
        return X
    is_half = kind == "real" and getattr(X.dtype, "itemsize", 2) < 4
    return xp.astype(X, xp.float32 if is_half else backend_of(X).widest(X).float)


def _no_number(X: Any) -> TypeError:
    return TypeError(f"X must hold real numbers, got dtype {X.dtype}; convert them")


class Rows:
    """Rows that are made of others when they are read."""

    source: Any
    shape: tuple[int, ...]

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        raise NotImplementedError


class Chosen(Rows):
    """Some rows of samples."""

    def __init__(self, X: Any, rows: Array) -> None:
        self.source, self._rows = X, rows
        self.shape = (int(rows.shape[0]), int(X.shape[1]))

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        return rows_of(self.source, self._rows[rows])


class Shifted(Rows):
    """Samples less a place, in the type of the place."""

    def __init__(self, X: Any, place: Array) -> None:
        self.source, self._place, self.shape = X, place, X.shape

    def read(self, rows: Any) -> Array:
        """Those of a slice, or with the indices of an array, dense."""
        x = rows_of(self.source, rows)
        return backend_of(self._place).xp.astype(x, self._place.dtype, copy=False) - self._place[None, :]


def is_made_of_sparse(X: Any) -> bool:
    """Whether samples are sparse, or rows made of such: no more than a tile of them is to be dense at a time."""
    return is_made_of_sparse(X.source) if isinstance(X, Rows) else is_sparse(X)


def rows_of(X: Any, rows: Any) -> Array:
    """Rows of the samples as a dense array: those of a slice, or with the indices of an array."""
    if isinstance(X, Rows):
        return X.read(rows)
    part = X[rows, :] if isinstance(rows, slice) else taken(X, rows)
    return part.toarray() if is_sparse(part) else part


def taken(X: Any, rows: Array | None) -> Any:
    """The rows with these indices; None for all, and None of nothing."""
    if rows is None or X is None:
        return X
    if is_sparse(X):
        return X[rows, :]
    backend = backend_of(X)
    return X[rows] if backend.on_host else backend.xp.take(X, rows, axis=0)


def slices(stop: int, step: int, start: int = 0) -> list[slice]:
    """The parts of the rows from ``start`` to ``stop``, of up to ``step`` each."""
    return [slice(i, min(i + step, stop)) for i in range(start, stop, step)]


def finite(X: Any, counted: Array) -> Any:
    """X after a check that it is finite where it counts, and 0 elsewhere if it is not; on a device, by two values."""
    if _are_finite(_range_of(X)):
        return X
    X = _only(X, counted)
    if not _are_finite(_range_of(X)):
        raise _not_finite(X)
    return X


def with_squares(X: Any, counted: Array) -> Any:
    """X, or the same in another type or unit if squares would be beyond the floats, or vanish; it must be finite."""
    if not are_extreme(X):
        return X
    X = _only(X, counted)
    if not are_extreme(X):
        return X
    wide = backend_of(_values(X)).widest(_values(X))
    if _values(X).dtype != wide.float:
        return X.astype(np.float64) if is_sparse(X) else backend_of(X).xp.astype(X, wide.float)
    exponent = _exponent(X)
    half = -exponent // 2  # the whole power of two may be beyond the floats
    return X * 2.0**half * 2.0 ** (-exponent - half)


def are_extreme(X: Any) -> bool:
    """Whether the largest number is near an end of the floats, as far as squares go."""
    wide = backend_of(_values(X)).widest(_values(X))
    is_double = wide.is_64bit and _values(X).dtype == wide.float
    return abs(_exponent(X)) >= (400 if is_double else 40)


def _exponent(X: Any) -> int:
    low, high = _range_of(X)
    largest = max(-low, high)
    return math.frexp(largest)[1] if math.isfinite(largest) else 1024


def _are_finite(limits: tuple[float, float]) -> bool:
    return all(map(math.isfinite, limits))


def _values(X: Any) -> Array:
    return X.data if is_sparse(X) else X


def _range_of(X: Any) -> tuple[float, float]:
    values = _values(X)
    if 0 in values.shape:
        return 0.0, 0.0
    xp = backend_of(values).xp
    low, high = to_host(xp.stack([xp.min(values), xp.max(values)]))
    return float(low), float(high)


def _only(X: Any, counted: Array) -> Any:
    """The samples that count, and zeros in the place of others."""
    xp = backend_of(counted).xp
    if not is_sparse(X):
        return xp.where(counted[:, None], X, xp.zeros_like(X))
    X = X.copy()
    kept = xp.repeat(counted, X.indptr[1:] - X.indptr[:-1])
    X.data = xp.where(kept, X.data, xp.zeros_like(X.data))
    return X


def _not_finite(X: Any) -> ValueError:
    host = to_host(_values(X))
    if is_sparse(X):
        return ValueError(f"X must be finite, got {host[~np.isfinite(host)][0]} among the values of a sparse matrix")
    row, column = (int(x) for x in np.argwhere(~np.isfinite(host))[0])
    return ValueError(f"X must be finite, got {float(host[row, column])} in row {row}, column {column}")
