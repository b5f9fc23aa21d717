"""From any container of a vector to its data: an array of numbers, or codes and their distinct labels.

Containers are lists and tuples, NumPy arrays (also masked ones), pandas and polars Series, tensors and arrays of other
libraries, and all else that NumPy can read. A subclass counts as its base class.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from numbers import Integral, Real
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, has_identity_hash, is_array, is_sparse, library_of
from gpuval.inputs.options import library_if_loaded
from gpuval.inputs.strings import as_text, factorize_objects, is_hashable, sort_codes
from gpuval.numerics import Array, NDArray

Data = tuple[Array, Array | None]
"""An array, and what its codes stand for if it is one of codes."""

_MAY_BE_MISSING = "biufUSTO"
"""The kinds of NumPy dtypes whose masked elements are missing labels; others hold no labels."""


_OF_TUPLES = "; if each tuple is one label, give a pandas Series of them"


def as_data(x: Any, name: str) -> Data:
    """The data of ``x``; raises if it is not a vector."""
    if type(x) is np.ndarray:
        return x, None
    if isinstance(x, list | tuple):
        return _from_sequence(x, name)
    if isinstance(x, np.ma.MaskedArray):
        return _from_masked(x), None
    if is_of("pandas", x, "Series", "Index", "DataFrame", "api.extensions.ExtensionArray"):
        return _from_pandas(x, name)
    if is_of("polars", x, "Series"):
        return _from_polars(x, name)
    if is_array(x):
        return (np.asarray(x) if backend_of(x).on_host else dense(x, name)), None
    if _is_no_vector(x):
        raise _no_vector(x, name)
    if hasattr(x, "__array__"):
        return _read_by_numpy(x, name), None
    if not isinstance(x, Iterable):
        raise _no_vector(x, name)
    return _from_sequence(x if isinstance(x, Sequence) else list(x), name)


def read_again(x: Any) -> Any:
    """``x`` for several readers: an iterator, which has nothing for the second one, as a list."""
    return list(x) if isinstance(x, Iterator) else x


def is_of(library: str, x: Any, *names: str) -> bool:
    """Whether ``x`` is an instance of one of these types of a library, by their names; never if it is not loaded."""
    module = library_if_loaded(library)
    if module is None:
        return False
    for name in names:
        kind = module
        for part in name.split("."):
            kind = getattr(kind, part)
        if isinstance(x, kind):
            return True
    return False


def dense(x: Array, name: str) -> Array:
    """``x`` itself; raises for a nested or a sparse tensor."""
    storage = backend_of(x).storage(x)
    if storage == "nested":
        raise TypeError(f"{name} must be a dense tensor, got a nested one; torch.cat({name}.unbind()) joins it")
    if storage != "strided":
        raise TypeError(f"{name} must be a dense tensor, got one of layout torch.{storage}; give {name}.to_dense()")
    return x


def type_of(x: Any) -> str:
    """The library and the type of ``x``, for messages."""
    if library_of(x) == "jax":
        return "jax.Array"
    return f"{type(x).__module__.partition('.')[0]}.{type(x).__name__}".removeprefix("builtins.")


def _no_vector(x: Any, name: str) -> TypeError:
    """The error for ``x`` that is not a vector."""
    is_lazy = is_of("polars", x, "LazyFrame")
    hint = f"; {'collect it, and ' * is_lazy}{_one_column(name)}" if is_lazy or is_of("polars", x, "DataFrame") else ""
    return TypeError(f"{name} must be a vector (array, Series or sequence), got {type_of(x)}{hint}")


def _one_column(name: str) -> str:
    return "give one of its columns" + ", or compare() all of them" * name.startswith("labels_")


def unhashable(labels: Iterable[Any], name: str) -> TypeError:
    """The error for labels of which one has no hash by its value."""
    odd = next((x for x in labels if not is_hashable(x)), "labels that cannot be compared")
    return TypeError(f"{name} must hold hashable labels, got {odd!r}; give a string or a number for each")


def _is_no_vector(x: Any) -> bool:
    library = type(x).__module__.partition(".")[0]
    return is_sparse(x) or library in ("pandas", "polars", "sparse") or isinstance(x, str | bytes | Mapping | Set)


def _read_by_numpy(x: Any, name: str) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(x)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{_no_vector(x, name)}, which NumPy cannot read: {error}") from None


def _from_masked(x: np.ma.MaskedArray[Any, Any]) -> np.ndarray[Any, Any]:
    data = np.asarray(x.data)
    if data.dtype.kind not in _MAY_BE_MISSING or not np.ma.is_masked(x):
        return data
    data = data.astype(object)
    data[np.ma.getmaskarray(x)] = None
    return data


def _from_sequence(x: Sequence[Any], name: str) -> Data:
    if _holds_text(x):  # NumPy would pad all to the longest, and drop zeros at their ends
        return _hash_labels(x, name)
    try:
        data = np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        hint = _OF_TUPLES if isinstance(x[0], tuple) else ""
        raise ValueError(f"{name} must be one-dimensional, got rows of different lengths{hint}") from None
    except (TypeError, RuntimeError, OverflowError) as error:
        raise TypeError(f"{name} must hold integers, booleans, strings or objects, got {error}") from None
    if data.size == 0 and data.dtype.kind == "f":
        return data.astype(np.int64), None
    if data.ndim == 2 and isinstance(x[0], tuple):
        raise ValueError(f"{name} must be one-dimensional, got shape {data.shape}{_OF_TUPLES}")
    if data.ndim == 1 and (data.dtype.kind in "USO" or _is_rounded(x, data)):
        return _hash_labels(x, name)
    return data, None


def _holds_text(x: Sequence[Any]) -> bool:
    """Whether text or bytes are among the labels, unless the first is an integer: then NumPy will tell."""
    if isinstance(x, memoryview | range) or not len(x) or type(x[0]) in (int, bool):
        return False
    return any(issubclass(kind, str | bytes) for kind in set(map(type, x)))


def _is_rounded(x: Sequence[Any], data: np.ndarray[Any, Any]) -> bool:
    """Whether NumPy has taken large integers for floats."""
    return (
        data.dtype.kind == "f"
        and bool((np.abs(data) >= 2.0**53).any())
        and not any(isinstance(label, float) for label in x)
    )


def _hash_labels(labels: Iterable[Any], name: str) -> Data:
    """Labels as Python objects: their codes, and the distinct labels."""
    labels = list(labels)
    try:
        codes, values = factorize_objects(labels)
    except TypeError:
        raise unhashable(labels, name) from None
    return codes, as_text(values)


def _from_pandas(x: Any, name: str) -> Data:
    if getattr(x, "ndim", 0) == 2:
        raise ValueError(f"{name} must be one-dimensional, got a DataFrame of shape {x.shape}; {_one_column(name)}")
    dtype = x.dtype
    if hasattr(dtype, "categories"):
        categorical = getattr(x, "cat", x)
        times = dtype.categories.dtype.kind in "mM"  # as objects, or they would become integers in a list
        categories = np.asarray(dtype.categories, dtype=object if times else None)
        if categories.dtype.kind == "O" and any(map(has_identity_hash, set(map(type, categories)))):
            raise unhashable(categories, name)
        return np.asarray(categorical.codes), categories
    match dtype.kind:
        case "c" | "m" | "M":
            raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {dtype}; convert them")
        case "f":
            return (x.to_numpy() if isinstance(dtype, np.dtype) else x.to_numpy(np.float64, na_value=np.nan)), None
        case "b" | "i" | "u" if isinstance(dtype, np.dtype) or not x.isna().any():
            return np.asarray(x, dtype=getattr(dtype, "numpy_dtype", None)), None
    if dtype.kind == "O":  # by hashing: pandas compares text up to a zero, and as its repr if that is no Unicode
        return _hash_labels(x.tolist(), name)
    codes, distinct = library_if_loaded("pandas").factorize(x)
    return sort_codes(np.asarray(codes, dtype=np.int64), distinct.tolist())


def _from_polars(x: Any, name: str) -> Data:
    polars = library_if_loaded("polars")
    dtype = x.dtype
    if dtype.is_nested() or dtype.is_temporal():
        raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {dtype}; convert them")
    if dtype.is_float() or dtype.is_decimal():
        return x.cast(polars.Float64).to_numpy(), None
    if dtype == polars.Object:
        return _from_sequence(x.to_list(), name)
    has_numpy_type = dtype == polars.Boolean or (dtype.is_integer() and not str(dtype).endswith("128"))
    if has_numpy_type and not x.null_count():
        return x.to_numpy(), None
    if type(dtype).__name__ == "Enum":
        codes, values = x.to_physical().cast(polars.Int64).fill_null(-1), dtype.categories.to_list()
        return codes.to_numpy(), np.fromiter(values, dtype=object, count=len(values))
    values = x.drop_nulls().unique().sort().to_list()
    codes = x.rank("dense").cast(polars.Int64).fill_null(0) - 1
    return codes.to_numpy(), np.fromiter(values, dtype=object, count=len(values))


# Objects that are numbers


def is_real_number(x: Any) -> bool:
    """Whether an object is a real number or a boolean, of Python or NumPy; a time is none."""
    if isinstance(x, Real | np.bool_):
        return not isinstance(x, np.timedelta64)
    from decimal import Decimal  # only now: few objects are any

    return isinstance(x, Decimal)


def as_numbers(objects: NDArray, name: str) -> NDArray:
    """An array of objects that all are real numbers, as one of numbers.

    It has booleans or integers if all objects are that and fit in 64 bits, else floats of 64 bits, to which fractions
    are rounded, but integers are not.
    """
    values = objects.reshape(-1).tolist()
    if all(isinstance(x, Integral | np.bool_) for x in values):
        found = np.asarray([x.item() if isinstance(x, np.generic) else x for x in values])
        if found.dtype.kind in "biu":
            return found.reshape(objects.shape)
    return np.asarray([float_of(x, name) for x in values]).reshape(objects.shape)


def float_of(x: Any, name: str) -> float:
    """A real number as a float, to which fractions are rounded, but integers are not."""
    try:
        number = float(x)
    except OverflowError:  # of fractions and integers; decimals become infinite
        number = math.inf
    x = int(x) if isinstance(x, Integral) else x  # NumPy's integers would be compared as floats
    if number != x and (isinstance(x, Integral) or math.isinf(number)):
        raise ValueError(
            f"{name} must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or other "
            f"numbers, got {reprlib.repr(x)}"
        )
    return number
