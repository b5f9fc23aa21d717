"""The samples: what X may be, every check and message about it, and what is known of its values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask, is_sparse, to_host
from gpuval.inputs.containers import as_numbers, is_of
from gpuval.inputs.options import library_if_loaded
from gpuval.numerics import Array, NDArray

_LARGE = 2.0**53
"""From here on 64-bit floats do not hold all integers."""


def read_features(X: Any, n_samples: int, on_host: bool) -> tuple[Any, Any, Array]:
    """What results are like, the samples as rows of numbers, and an array of the library and on the device of these.

    The rows are an array, or a sparse matrix by rows, and tell their number themselves; they are floats, or integers,
    which ``exact_floats`` makes floats when it is known which samples count. An array that lies on the host
    is viewed as NumPy, if ``on_host`` says that the labels are NumPy's or can be viewed so, too: of types that NumPy
    does not have, such as bfloat16, the wider floats that they become.
    """
    if is_sparse(X):
        check_shape(X)
        X = _float_or_integer(to_format(X, "csr", "X"))
        return X.data[:0], X, X.data[:0]
    given = as_array(X, "X")
    check_shape(given)
    view = backend_of(given).host_view(given) if on_host else None
    rows = _float_or_integer(given if view is None else view)
    if on_host and view is None and backend_of(given).lies_on_host(given):
        view = backend_of(rows).host_view(rows)
        rows = rows if view is None else view
    return given, rows, rows


def to_format(X: Any, form: str, name: str) -> Any:
    """A sparse matrix in a format of SciPy, none of whose indices leads out of it, where libraries read and write."""
    check_indices(X, name)
    if X.format in ("csr", "csc", "bsr"):
        indices, starts = (backend_of(x).with_sign(x) for x in (X.indices, X.indptr))
        if indices is not X.indices or starts is not X.indptr:
            X = type(X)((X.data, indices, starts), shape=X.shape)
    found = X.asformat(form)
    if X.format not in ("coo", "csr", "csc", "bsr"):  # its indices are seen only now
        check_indices(found, name)
    return found


def check_indices(X: Any, name: str) -> None:
    """Check that the indices of a sparse matrix lie within it, and that they are those of all of its entries.

    SciPy's own check forgets entries without a word, if ``indptr`` ends before them.
    """
    n_rows, n_columns = (1, *X.shape)[-2:]
    n_entries = X.data.shape[0] if hasattr(X, "data") else 0
    if X.format == "coo":
        _check_within(X.row, n_rows, n_entries, "row", name)
        _check_within(X.col, n_columns, n_entries, "column", name)
    elif X.format in ("csr", "csc", "bsr"):
        height, width = X.blocksize if X.format == "bsr" else (1, 1)
        sizes = [(n_rows // height, "row"), (n_columns // width, "column")]
        (n_starts, _), (n_indices, what) = sizes[::-1] if X.format == "csc" else sizes
        _check_integers(X.indptr, n_starts + 1, f"indptr of {name}")
        check_starts(X.indptr, n_entries, name)
        _check_within(X.indices, n_indices, n_entries, what, name)


def check_starts(starts: Array, n_entries: int, name: str) -> None:
    """Check that each row of a sparse matrix begins where the row before ends, and the last ends with the entries."""
    xp = backend_of(starts).xp
    falls = xp.any(starts[1:] < starts[:-1])
    if bool(to_host(falls | (starts[0] != 0) | (starts[-1] != n_entries))):
        raise ValueError(
            f"indptr of {name} must rise from 0 to the number of entries ({n_entries}), got {int(starts[0])} to "
            f"{int(starts[-1])}{' with falls between' * bool(falls)}"
        )


def _check_within(indices: Array, size: int, n_entries: int, what: str, name: str) -> None:
    subject = f"the {what} indices of {name}"
    _check_integers(indices, n_entries, subject)
    if n_entries:
        xp = backend_of(indices).xp
        for end in to_host(xp.stack([xp.min(indices), xp.max(indices)])):
            if not 0 <= end < size:
                raise ValueError(f"{subject} must be from 0 to below the number of {what}s ({size}), got {end}")


def _check_integers(x: Array, size: int, subject: str) -> None:
    if tuple(x.shape) != (size,) or backend_of(x).kind(x) != "integer":
        raise ValueError(f"{subject} must be {size} integers, got shape {tuple(x.shape)}, dtype {x.dtype}")


def as_array(X: Any, name: str) -> Array:
    """``X`` as an array of a supported library."""
    if is_dask(X):
        raise TypeError(
            f"{name} must be in memory here, got dask.{type(X).__name__}: of the internal measures, only those that "
            "need nothing but cluster centres, such as davies_bouldin_score and inertia, take Dask arrays; compute the "
            "array, or a sample of it"
        )
    if isinstance(X, np.ma.MaskedArray):
        if not np.ma.is_masked(X):
            return np.asarray(X.data)
        masked = int(np.ma.getmaskarray(X).sum())
        raise TypeError(
            f"{name} must have no masked values, got {masked} of {X.size}; use ignore_labels= to leave samples out"
        )
    if is_array(X):
        if (storage := backend_of(X).storage(X)) != "strided":
            what = "a nested tensor" if storage == "nested" else f"a tensor of torch.{storage}"
            raise TypeError(f"{name} must be dense, or a sparse matrix of SciPy or CuPy, got {what}")
        return X
    if any(kind.__module__.partition(".")[0] in ("pandas", "polars") for kind in type(X).__mro__):
        return from_frame(X, name)
    if hasattr(X, "obsm"):
        raise TypeError(
            f"{name} must be an array of samples and features, got {type(X).__name__}; give what is to be measured, "
            'such as adata.obsm["X_pca"]'
        )
    if X is None or isinstance(X, str | bytes | int | float | complex | dict | set):
        raise TypeError(f"{name} must be an array of samples and features, got {type(X).__name__}")
    try:
        array = np.asarray(X)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(
            f"{name} must have the same number of features in each row, got rows of different lengths"
        ) from None
    return not_rounded(array, X, name)


def not_rounded(array: NDArray, given: Any, name: str) -> NDArray:
    """What NumPy has read of nested sequences, or their integers, if it has taken large ones for floats.

    It raises if these are beside other numbers, as floats then have to hold them, and do not.
    """
    if array.dtype.kind != "f" or not (np.abs(array) >= _LARGE).any():
        return array
    return as_numbers(np.asarray(given, dtype=object), name)


def from_frame(X: Any, name: str) -> Array:
    """The numbers of a frame, or of a series, which has one dimension; integers are not rounded."""
    values = _from_frame(X, name)
    if values.dtype != np.float64:
        return values
    columns = values.T if values.ndim == 2 else [values]
    dtypes = X.dtypes if hasattr(X, "columns") else [X.dtype]
    pairs = zip(dtypes, columns, strict=True)
    if not any(_is_integer_type(dtype) and (np.abs(column) >= _LARGE).any() for dtype, column in pairs):
        return values
    if is_of("polars", X, "DataFrame", "Series"):
        objects = np.asarray(X.rows() if hasattr(X, "columns") else X.to_list(), dtype=object)
    else:
        objects = X.to_numpy(dtype=object)
    return as_numbers(np.where(np.isnan(values), np.nan, objects), name)


def _from_frame(X: Any, name: str) -> NDArray:
    if not hasattr(X, "to_numpy"):
        hint = "; collect it" if hasattr(X, "collect") else ""
        raise TypeError(f"{name} must be a frame that is in memory, got {type(X).__name__}{hint}")
    values: NDArray = X.to_numpy()
    if values.dtype.kind != "O":
        return values
    has_columns = hasattr(X, "columns")
    columns = list(zip(X.columns, X.dtypes, strict=True)) if has_columns else [("", X.dtype)]
    for column, dtype in columns:
        if not _is_numeric(dtype):
            where = f" in column {column!r}" if has_columns else ""
            raise TypeError(f"{name} must hold real numbers, got dtype {dtype}{where}")
    if is_of("polars", X, "DataFrame", "Series"):
        return np.asarray(X.cast(library_if_loaded("polars").Float64).to_numpy())
    if np.asarray(X.isna()).any():
        return np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(X.to_numpy(dtype=np.result_type(*(_numpy_dtype(dtype) for _, dtype in columns))))


def _is_numeric(dtype: Any) -> bool:
    """Whether a dtype of pandas or polars is one of numbers or booleans."""
    return dtype.kind in "biuf" if hasattr(dtype, "kind") else dtype.is_numeric() or str(dtype) == "Boolean"


def _is_integer_type(dtype: Any) -> bool:
    """Whether a dtype of pandas or polars is one of integers."""
    return dtype.kind in "iu" if hasattr(dtype, "kind") else dtype.is_integer()


def _numpy_dtype(dtype: Any) -> Any:
    """The dtype of NumPy that holds the values of one of pandas: of one with missing values, or of a sparse one."""
    return getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype))


def check_shape(X: Any) -> None:
    """Check that there are rows and columns."""
    shape = tuple(X.shape)
    if len(shape) != 2:
        hint = "; X[:, None] makes it one feature" if len(shape) == 1 else ""
        raise ValueError(f"X must be two-dimensional, (n_samples, n_features), got shape {shape}{hint}")
    if shape[1] == 0:
        raise ValueError(f"X must have at least one feature, got shape {shape}")


def _float_or_integer(X: Any) -> Any:
    values = _values(X)
    return X if backend_of(values).kind(values) == "integer" else as_float(X)


def as_float(X: Any) -> Any:
    """Numbers in 32 or 64 bits: integers in the widest float, and half precision in 32 bits."""
    if is_sparse(X):
        if X.dtype.kind not in "biuf":
            raise _no_number(X)
        return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
    backend = backend_of(X)
    xp, kind = backend.xp, backend.kind(X)
    if kind == "other":
        raise _no_number(X)
    if X.dtype in (xp.float32, xp.float64):
        return X
    is_half = kind == "real" and getattr(X.dtype, "itemsize", 2) < 4
    return backend.in_32_bits(X) if is_half else xp.astype(X, backend.widest(X).float)


def _no_number(X: Any) -> TypeError:
    return TypeError(f"X must hold real numbers, got dtype {X.dtype}; convert them")


def finite(X: Any, counted: Array) -> Any:
    """X, checked to be finite where samples count, else with 0 for samples that do not; two values leave the device."""
    if _are_finite(_range_of(X)):
        return X
    X = _only(X, counted)
    check_finite(X)
    return X


def check_finite(X: Any) -> None:
    """Check that all samples are finite; two values leave the device."""
    if not _are_finite(_range_of(X)):
        raise _not_finite(X)


def with_squares(X: Any, counted: Array) -> Any:
    """X, or X in another type or unit if squares of its numbers would overflow or underflow; X must be finite."""
    if not are_extreme(X):
        return X
    X = _only(X, counted)
    exponent = _exponent(X)
    if not _is_extreme(exponent, X):
        return X
    values = _values(X)
    backend = backend_of(values)
    wide = backend.widest(values).float
    if values.dtype != wide:
        return X.astype(np.float64) if is_sparse(X) else backend.xp.astype(X, wide)
    # To the largest unit that will do: what is small beside the largest has squares, too.
    return _times_two_to(_usual(X) - exponent, X)


def finite_with_squares(X: Any, counted: Array) -> Any:
    """X after both: most samples are seen once for both."""
    limits = _range_of(X)
    if _are_finite(limits) and not _is_extreme(_exponent_of(limits), X):
        return X
    return with_squares(finite(X, counted), counted)


def with_squares_of_32_bits(X: Any) -> Any:
    """X, or X in another unit if squares in 32 bits would overflow or underflow; X must be finite."""
    exponent = _exponent(X)
    return X if abs(exponent) < _USUAL_OF_32_BITS else _times_two_to(_USUAL_OF_32_BITS - exponent, X)


def _times_two_to(power: int, X: Any) -> Any:
    half = power // 2  # the whole power of two may be beyond the floats
    return X * 2.0**half * 2.0 ** (power - half)


def are_extreme(X: Any) -> bool:
    """Whether the square of the largest number might overflow or underflow."""
    return _is_extreme(_exponent(X), X)


def _is_extreme(exponent: int, X: Any) -> bool:
    """Whether the square of a number with this exponent might overflow or underflow in the type of X."""
    return abs(exponent) >= _usual(X)


_USUAL_OF_32_BITS = 40


def _usual(X: Any) -> int:
    """An exponent of two to which, and from whose negative on, sums of squares are floats."""
    values = _values(X)
    wide = backend_of(values).widest(values)
    is_double = wide.is_64bit and values.dtype == wide.float
    return 400 if is_double else _USUAL_OF_32_BITS


def _exponent(X: Any) -> int:
    return _exponent_of(_range_of(X))


def _exponent_of(limits: tuple[float, float]) -> int:
    low, high = limits
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
    backend = backend_of(values)
    view = backend.host_view(backend.without_gradient(values))
    if view is not None:
        return float(view.min()), float(view.max())
    xp = backend.xp
    low, high = to_host(xp.stack([xp.min(values), xp.max(values)]))
    return float(low), float(high)


def _only(X: Any, counted: Array) -> Any:
    """The samples that count, and zeros in the place of others."""
    xp = backend_of(counted).xp
    if not is_sparse(X):
        return xp.where(counted[:, None], X, xp.zeros_like(X))
    X = X.copy()
    X.data = xp.where(entries_of(X, counted), X.data, xp.zeros_like(X.data))
    return X


def entries_of(X: Any, of_rows: Array) -> Array:
    """What is known of the rows of a sparse matrix, for each of its entries."""
    found: Array = backend_of(of_rows).xp.repeat(of_rows, X.indptr[1:] - X.indptr[:-1])
    return found


def _not_finite(X: Any) -> ValueError:
    host = to_host(_values(X))
    if is_sparse(X):
        entry = int(np.flatnonzero(~np.isfinite(host))[0])
        value, column = host[entry], int(to_host(X.indices)[entry])
        row = int(np.searchsorted(to_host(X.indptr), entry, side="right")) - 1
    else:
        row, column = (int(x) for x in np.argwhere(~np.isfinite(host))[0])
        value = host[row, column]
    return ValueError(f"X must be finite, got {float(value)} in row {row}, column {column}")


# Integers that floats may not hold: exact as differences from a place near them, or an error, but never rounded.


def exact_floats(
    X: Any, counted: Array | None, *, may_move: bool, looks: bool, name: str = "X"
) -> tuple[Any, Array | None]:
    """Samples as floats, and in how many places that count these do not hold the integers that were given.

    ``counted`` tells which samples count; None is all. With ``may_move``, for what depends on differences within a
    feature alone, the least integer of each feature is subtracted, where that matters; what does not count becomes 0.
    With ``looks`` values may be read: then a place is an error, and the number is None.
    """
    if not may_round(X):
        return as_float(X), None
    values = X.data if is_sparse(X) else X
    backend = backend_of(values)
    xp = backend.xp
    if looks and _are_held(backend.host_view(values), _digits(values)):
        return as_float(X), None
    if counted is None:
        counts = xp.ones_like(values, dtype=xp.bool)
    else:
        counts = entries_of(X, counted) if is_sparse(X) else xp.broadcast_to(counted[:, None], X.shape)
    broken = beyond_floats(values) & counts
    if looks and not bool(to_host(xp.any(broken))):
        return as_float(X), None
    may_move = may_move and not is_sparse(X)
    if may_move and X.shape[0]:
        given = _to_signed(X)
        largest = xp.full_like(given, xp.iinfo(given.dtype).max)
        moved = given - xp.min(xp.where(counts, given, largest), axis=0, keepdims=True)  # below 0 if it wraps
        X = xp.where(counts, moved, xp.zeros_like(moved))
        broken = beyond_floats(X) | (X < 0)
    if looks:
        check_held(values, broken, "the least of their feature" if may_move else "0", name)
    return as_float(X), None if looks else backend.count_true(broken)


def check_held(values: Array, broken: Array, place: str = "0", name: str = "X") -> None:
    """Raise if an integer is too far from a place, as ``broken`` tells: it would be rounded."""
    if bool(to_host(backend_of(broken).xp.any(broken))):
        first = tuple(np.argwhere(to_host(broken))[0])
        raise ValueError(
            f"{name} must hold integers that are at most 2^{_digits(values)} from {place}, as floats do not hold all "
            f"others, got {int(to_host(values)[first])}; give {name} as floats if it may be rounded"
        )


def may_round(X: Any) -> bool:
    """Whether an array or a sparse matrix is of a type of integers that the widest float of its device may not hold."""
    values = X.data if is_sparse(X) else X
    backend = backend_of(values)
    return backend.kind(values) == "integer" and int(backend.xp.iinfo(values.dtype).bits) > _digits(values)


def beyond_floats(x: Array) -> Array:
    """Which integers are beyond those that the widest float holds, each and every one."""
    backend = backend_of(x)
    wide, most = backend.xp.astype(x, backend.widest(x).int), 1 << _digits(x)
    found: Array = (wide > most) | (wide < (0 if backend.is_unsigned(x) else -most))  # as such those wrap
    return found


def _to_signed(x: Array) -> Array:
    """Integers in the widest type with a sign; less half of their range, if that type has as many bits as theirs."""
    backend = backend_of(x)
    xp, wide = backend.xp, backend.widest(x).int
    found: Array = xp.astype(x, wide)
    if backend.is_unsigned(x) and xp.iinfo(x.dtype).bits == xp.iinfo(wide).bits:
        found = found ^ int(xp.iinfo(wide).min)  # its only bit is the first, which has become the sign
    return found


def _are_held(view: NDArray | None, digits: int) -> bool:
    """Whether floats of so many digits hold all integers that lie on the host, counted or not, by the ends of these."""
    if view is None or view.size == 0:
        return view is not None
    return -(1 << digits) <= int(view.min()) and int(view.max()) <= 1 << digits


def _digits(x: Array) -> int:
    """How many binary digits the widest float has."""
    backend = backend_of(x)
    return 53 if backend.widest(x).float == backend.xp.float64 else 24
