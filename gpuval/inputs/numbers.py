"""Numbers in a vector or a matrix from users: which containers are allowed, and the messages about type and shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_array, is_dask, is_sparse
from gpuval.inputs.containers import as_numbers, dense, is_of, is_real_number, type_of
from gpuval.inputs.features import from_frame, not_rounded
from gpuval.inputs.labels import are_same_names, first_difference
from gpuval.inputs.strings import is_hashable, is_missing
from gpuval.numerics import Array

_KINDS = ("bool", "integer", "real")


@dataclass(frozen=True)
class Form:
    """What vectors and matrices of one kind are, in words of messages."""

    row: str
    """What a matrix has a row for: "query"."""
    shape: str
    """The shape of a matrix: "(n_queries, n_documents)"."""
    ragged: str = ""
    """The end of the message about rows of different lengths."""
    text: str = ""
    """The end of the message about text."""


def read_numbers(x: Any, name: str, form: Form) -> Array:
    """A one- or two-dimensional array of booleans, integers or real numbers; a missing value becomes NaN."""
    return _read(x, name, form, _KINDS, "numbers", missing_is_nan=True)


def read_booleans(x: Any, name: str, form: Form) -> Array:
    """A one- or two-dimensional array of booleans."""
    return _read(x, name, form, ("bool",), "booleans and none missing")


def _read(x: Any, name: str, form: Form, kinds: tuple[str, ...], what: str, *, missing_is_nan: bool = False) -> Array:
    array = replace_objects(read_argument(x, name, form), name, what, missing_is_nan=missing_is_nan)
    backend = backend_of(array)
    if backend.kind(array) not in kinds or not backend.can_compare(array):
        hint = form.text if backend.on_host and array.dtype.kind in "UST" else ""
        raise TypeError(f"{name} must hold {what}, got dtype {array.dtype}{hint}")
    if len(array.shape) not in (1, 2):
        raise ValueError(f"{name} must be of one dimension, or of two, {form.shape}, got shape {tuple(array.shape)}")
    return array


def read_argument(x: Any, name: str, form: Form) -> Array:
    """The argument as an array of any type; raises if it is not a vector or a matrix in memory."""
    x = require_in_memory(x, name)
    if isinstance(x, np.ma.MaskedArray):
        if np.ma.is_masked(x):
            masked = int(np.ma.getmaskarray(x).sum())
            hint = "mask.filled(False)" if name == "mask" else f"mask=~{name}.mask"
            raise TypeError(f"{name} must have no masked values, got {masked} of {x.size}; give {hint}")
        return np.asarray(x.data)
    if is_array(x):
        return np.asarray(x) if isinstance(x, np.ndarray) else dense(x, name)
    if any(kind.__module__.partition(".")[0] in ("pandas", "polars") for kind in type(x).__mro__):
        return x.to_numpy() if _has_objects(x) else from_frame(x, name)
    if x is None or is_sparse(x) or not hasattr(x, "__len__") or isinstance(x, str | bytes | dict | set):
        what = "None" if x is None else f"{type_of(x)}; give {name}.toarray()" if is_sparse(x) else type_of(x)
        raise TypeError(f"{name} must be a vector, or a matrix with a row for each {form.row}, got {what}")
    try:
        array = np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must have rows of one length, got rows of different lengths{form.ragged}") from None
    return not_rounded(array, x, name)


def require_in_memory(x: Any, name: str) -> Any:
    """``x`` itself; raises if Dask holds it."""
    if is_dask(x):
        raise TypeError(f"{name} must be in memory here, got {type_of(x)}; compute it")
    return x


def replace_objects(array: Array, name: str, what: str, *, missing_is_nan: bool = False) -> Array:
    """An array of numbers in place of one of objects; raises for an object that is none, as ``what`` was wanted.

    A missing one (None, NA) may be NaN, as it is in frames, so that what is left out may be missing.
    """
    if not (isinstance(array, np.ndarray) and array.dtype.kind == "O"):
        return array
    array = array.copy()
    for where, x in np.ndenumerate(array):
        if is_real_number(x):
            continue
        if not (missing_is_nan and is_hashable(x) and is_missing(x)):
            raise TypeError(f"{name} must hold {what}, got {x!r} at {place_of(where)}")
        array[where] = np.nan
    return as_numbers(array, name)


def place_of(where: tuple[Any, ...]) -> str:
    """A position in a vector or in a matrix, as text."""
    return f"position {where[0]}" if len(where) == 1 else f"row {where[0]}, column {where[1]}"


def check_columns(**named: Any) -> None:
    """Check that data frames have the same columns, in one order."""
    frames = [(name, list(x.columns)) for name, x in named.items() if hasattr(x, "columns")]
    for name, columns in frames[1:]:
        first, others = frames[0]
        if not are_same_names(columns, others):
            raise ValueError(
                f"{first} and {name} must have the same columns in one order, got {first_difference(others, columns)}; "
                f"reorder them, or pass {name}.to_numpy()"
            )


def _has_objects(x: Any) -> bool:
    """Whether a frame, or a series, of pandas has Python objects."""
    dtypes = x.dtypes if is_of("pandas", x, "DataFrame") else [x.dtype] if is_of("pandas", x, "Series", "Index") else []
    return any(isinstance(dtype, np.dtype) and dtype.kind == "O" for dtype in dtypes)


# The arrays of the arguments of one call: their NumPy views, and how they are brought to one device.

Arrays = Mapping[str, Array | None]
"""Arrays by the names of the arguments that they were given as; None for what was not given."""


def host_views(arrays: Arrays) -> dict[str, Array | None] | None:
    """NumPy views of all arrays; None if one has no view: it is on a device, is traced, or needs a gradient."""
    views: dict[str, Array | None] = {}
    for name, x in arrays.items():
        views[name] = None if x is None else host_view(x)
        if x is not None and views[name] is None:
            return None
    return views


def host_view(x: Array) -> Array | None:
    """A NumPy view of an array on the host; numbers of a half precision type that NumPy lacks become wider ones."""
    backend = backend_of(x)
    if backend.on_host:
        return x
    view = backend.host_view(x)
    if view is None and backend.lies_on_host(x) and backend.kind(x) == "real":
        return backend.host_view(backend.in_32_bits(x))
    return view


def brought(arrays: Arrays, like: Array) -> dict[str, Array | None]:
    """All arrays in the library and on the device of ``like``, or where a traced one is."""
    given = [x for x in arrays.values() if x is not None]
    like = next((x for x in given if backend_of(x).is_traced(x)), like)
    backend: Backend = backend_of(like)
    return {
        name: backend.from_host(x, like) if x is not None and backend_of(x).on_host else x for name, x in arrays.items()
    }
