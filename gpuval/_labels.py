"""Label vectors: what they may be, every check and message about them, and their codes 0, 1, 2, ...

Labels come in as lists, NumPy arrays of any kind, pandas and polars Series, or arrays on a device, and leave as integer
codes in the library and on the device they came from. Labels that are not numbers live on the host only.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from gpuval import _namespace as ns
from gpuval._factorize import factorize, in_order, is_missing
from gpuval._namespace import Array

Labels = Any
"""Anything that can be a label vector."""

_FACTORIZED = "USOT"
"""The kinds of NumPy dtypes whose labels are not numbers."""

_TABLE = " (for a table of counts use Contingency.from_counts)"


@dataclass(frozen=True)
class Vector:
    """One label vector as it was given: numbers, or codes into ``values`` (-1 where the label is missing)."""

    name: str
    given: Labels
    data: Array
    values: Array | None = None

    @property
    def size(self) -> int:
        """The number of samples."""
        return int(self.data.shape[0])


@dataclass(frozen=True)
class Codes:
    """A label vector as codes in ``[0, size)``, and the label that each code stands for."""

    codes: Array
    size: int
    values: range | Array


# Reading: from anything to a Vector, with the checks that need no look at the values.


def read_labels(labels: Labels, name: str, hint: str = _TABLE) -> Vector:
    """Take ``labels`` as they are and check what their type and shape tell; ``hint`` says what a matrix may be."""
    if labels is None or isinstance(labels, str | bytes | Number | np.generic):
        what = "None" if labels is None else f"the scalar {labels!r}"
        raise TypeError(f"{name} must be a vector of labels, got {what}")
    data, values = _as_data(labels, name)
    _check_one_dimensional(data, name, hint)
    vector = Vector(name, labels, data, values)
    if ns.is_numpy(data) and data.dtype.kind in _FACTORIZED:
        return factorized(vector)
    if ns.kind(data) == "other":
        wanted = "integers, booleans, strings or objects" if ns.is_numpy(data) else "integers or booleans"
        raise TypeError(f"{name} must hold {wanted}, got dtype {data.dtype}; convert them")
    return vector


def read_weights(sample_weight: Any, *like: Vector) -> Array | None:
    """Take the weights of the samples, and check what their type and shape tell."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    data, values = _as_data(sample_weight, name)
    _check_one_dimensional(data, name)
    kind = ns.kind(data)
    if values is not None or kind == "other":
        dtype = getattr(sample_weight, "dtype", data.dtype)
        raise TypeError(f"{name} must hold real numbers and none missing, got dtype {dtype}")
    for vector in like:
        check_alike(vector, Vector(name, sample_weight, data))
    wide = ns.widest(data)
    return ns.namespace(data).astype(data, wide.float if kind == "real" else wide.int)


def check_alike(first: Vector, second: Vector) -> None:
    """Check that two vectors are of one library, one device, one length and one index."""
    a, b = first.data, second.data
    if ns.namespace(a) is not ns.namespace(b):
        raise TypeError(
            f"{first.name} and {second.name} must be of one array library, got {_type_of(first.given)} and "
            f"{_type_of(second.given)}; convert one of them"
        )
    if not (ns.is_traced(a) or ns.is_traced(b)) and ns.device(a) != ns.device(b):
        raise ValueError(
            f"{first.name} and {second.name} must be on one device, got {ns.device(a)} and {ns.device(b)}; "
            "move one of them"
        )
    _check_as_many(first, second)
    if is_pandas_series(first.given) and is_pandas_series(second.given):
        check_index(first, second)


def check_indexes(**named: Any) -> None:
    """Check that all of these that have an index have the same one."""
    indexed = [Vector(name, given, given) for name, given in named.items() if is_pandas_series(given)]
    for vector in indexed[1:]:
        _check_as_many(indexed[0], vector)
        check_index(indexed[0], vector)


def _check_as_many(first: Vector, second: Vector) -> None:
    if first.size != second.size:
        raise ValueError(f"{second.name} must have as many samples as {first.name} ({first.size}), got {second.size}")


def is_pandas_series(x: Any) -> bool:
    """Whether ``x`` has an index that goes with its values: a Series or a DataFrame, or what is derived from them."""
    return hasattr(x, "iloc") and any(base.__module__.startswith("pandas") for base in type(x).__mro__)


def _check_one_dimensional(data: Array, name: str, hint: str = "") -> None:
    if len(data.shape) != 1:
        hint = hint if len(data.shape) == 2 else ""
        raise ValueError(f"{name} must be one-dimensional, got shape {tuple(data.shape)}{hint}")


def _as_data(x: Any, name: str) -> tuple[Array, Array | None]:
    library = type(x).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(x, name)
    if library == "polars":
        return _from_polars(x, name)
    if type(x).__name__ == "MaskedArray":
        return np.where(x.mask, None, x.data.astype(object)), None
    if ns.is_array(x):
        return x, None
    if library in ("scipy", "sparse") or isinstance(x, str | bytes | Mapping | Set):
        raise _no_vector(x, name)
    if hasattr(x, "__array__"):
        return np.asarray(x), None
    if not isinstance(x, Iterable):
        raise _no_vector(x, name)
    return _from_sequence(x if isinstance(x, Sequence) else list(x), name), None


def _no_vector(x: Any, name: str) -> TypeError:
    return TypeError(f"{name} must be a vector (array, Series or sequence), got {_type_of(x)}")


def _from_sequence(x: Sequence[Any], name: str) -> np.ndarray[Any, Any]:
    try:
        data = np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be one-dimensional, got rows of different lengths") from None
    if data.size == 0 and data.dtype.kind == "f":
        return data.astype(np.int64)
    if data.ndim == 1 and _has_converted(x, data):
        data = np.empty(len(x), dtype=object)
        data[:] = x
    return data


def _has_converted(x: Sequence[Any], data: np.ndarray[Any, Any]) -> bool:
    """Whether NumPy found a common type for labels that have none: text for numbers, floats for large integers."""
    match data.dtype.kind:
        case "U" | "S" as kind:
            return not all(isinstance(label, str if kind == "U" else bytes) for label in x)
        case "f":
            return bool((np.abs(data) >= 2.0**53).any()) and not any(isinstance(label, float) for label in x)
        case _:
            return False


def _from_pandas(x: Any, name: str) -> tuple[Array, Array | None]:
    if getattr(x, "ndim", 0) == 2:
        return np.broadcast_to(0, x.shape), None  # the shape is all that the message needs
    dtype = getattr(x, "dtype", None)
    if dtype is None:
        raise _no_vector(x, name)
    if hasattr(dtype, "categories"):
        categorical = getattr(x, "cat", x)
        times = dtype.categories.dtype.kind in "mM"  # as objects, or they would become integers in a list
        return np.asarray(categorical.codes), np.asarray(dtype.categories, dtype=object if times else None)
    match dtype.kind:
        case "c" | "m" | "M":
            raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {dtype}; convert them")
        case "f":
            return (x.to_numpy() if isinstance(dtype, np.dtype) else x.to_numpy(np.float64, na_value=np.nan)), None
        case "b" | "i" | "u" if isinstance(dtype, np.dtype) or not x.isna().any():
            return np.asarray(x, dtype=getattr(dtype, "numpy_dtype", None)), None
    try:
        codes, distinct = sys.modules["pandas"].factorize(x)
    except TypeError:
        raise _unhashable(x.tolist(), name) from None
    return in_order(np.asarray(codes, dtype=np.int64), distinct.tolist())


def _from_polars(x: Any, name: str) -> tuple[Array, Array | None]:
    polars = sys.modules["polars"]
    if not isinstance(x, polars.Series):
        raise _no_vector(x, name)
    dtype = x.dtype
    if dtype.is_nested() or dtype.is_temporal():
        raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {dtype}; convert them")
    if dtype.is_float() or dtype.is_decimal():
        return x.cast(polars.Float64).to_numpy(), None
    if dtype == polars.Object:
        return _from_sequence(x.to_list(), name), None
    has_numpy_type = dtype == polars.Boolean or (dtype.is_integer() and not str(dtype).endswith("128"))
    if has_numpy_type and not x.null_count():
        return x.to_numpy(), None
    values = x.drop_nulls().unique().sort().to_list()
    codes = x.rank("dense").cast(polars.Int64).fill_null(0) - 1
    return codes.to_numpy(), np.fromiter(values, dtype=object, count=len(values))


def factorized(vector: Vector) -> Vector:
    """Strings and objects as codes into their distinct values, by hashing."""
    try:
        codes, values = factorize(vector.data)
    except TypeError:
        raise _unhashable(vector.data.tolist(), vector.name) from None
    return replace(vector, data=codes, values=values)


def labels_of(vector: Vector) -> list[Any]:
    """The labels of a vector on the host; None for those that are missing."""
    data: list[Any] = ns.to_host(vector.data).tolist()
    if vector.values is None:
        return data
    names = [*vector.values.tolist(), None]
    return [names[code] for code in data]


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _unhashable(labels: list[Any], name: str) -> TypeError:
    odd = next(x for x in labels if not _is_hashable(x))
    return TypeError(f"{name} must hold hashable labels, got {odd!r}; give a string or a number for each")


def _type_of(x: Any) -> str:
    if ns.is_jax(x):
        return "jax.Array"
    return f"{type(x).__module__.partition('.')[0]}.{type(x).__name__}".removeprefix("builtins.")


def check_index(first: Vector, second: Vector) -> None:
    a, b = first.given.index, second.given.index
    if not a.equals(b):
        raise ValueError(
            f"{first.name} and {second.name} must have the same index, got {first_difference(a, b)}; align the Series, "
            "or pass their .to_numpy()"
        )


def first_difference(a: Any, b: Any) -> str:
    """The first place where two indexes of one length differ, and what each has there."""
    where = next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x is not y and x != y), 0)
    got = [x.item() if isinstance(x, np.generic) else x for x in (a[where], b[where])]
    return f"{got[0]!r} and {got[1]!r} at position {where}"


# Dropping: samples whose label is to be ignored.


def ignored(ignore_labels: Any) -> tuple[Any, ...]:
    """The labels to ignore, as a tuple: one label stands for itself, None for nothing."""
    if ignore_labels is None:
        return ()
    if ns.is_array(ignore_labels):
        ignore_labels = _listed(ignore_labels)
    if isinstance(ignore_labels, str | bytes) or not isinstance(ignore_labels, Iterable):
        return (ignore_labels,)
    labels = tuple(_listed(x) if ns.is_array(x) else x for x in ignore_labels)
    for label in labels:
        if not _is_hashable(label):
            raise TypeError(f"ignore_labels must be one label or a sequence of labels, got {label!r} as one of them")
    return labels


def _listed(x: Array) -> Any:
    """An array as a list, or as one label if it has no dimension; times stay NumPy's (some would become integers)."""
    host = ns.to_host(x)
    if host.dtype.kind not in "mM":
        return host.tolist()
    return list(host) if host.ndim else host[()]


def _with_pandas_times(labels: tuple[Any, ...]) -> set[Any]:
    """The labels, and NumPy's times also as those of pandas, which are equal to them but hash differently."""
    pandas: Any = sys.modules.get("pandas")
    times = [] if pandas is None else [x for x in labels if isinstance(x, np.datetime64 | np.timedelta64)]
    return {*labels, *(pandas.Timestamp(x) if isinstance(x, np.datetime64) else pandas.Timedelta(x) for x in times)}


def ignored_samples(vector: Vector, labels: tuple[Any, ...]) -> Array | None:
    """Where the label of ``vector`` is among ``labels``; None where that cannot be."""
    data, xp = vector.data, ns.namespace(vector.data)
    if vector.values is not None:
        wanted = _with_pandas_times(tuple(x for x in labels if not is_missing(x)))
        codes = [i for i, value in enumerate(vector.values.tolist()) if value in wanted]
        if any(is_missing(x) for x in labels):
            codes.append(-1)
        return np.isin(data, codes) if codes else None
    mask = None
    for label in labels:
        found = _equal(data, label, xp)
        if found is not None:
            mask = found if mask is None else mask | found
    return mask


def _equal(data: Array, label: Any, xp: Any) -> Array | None:
    """Where ``data`` is ``label``; None if its type has no such value, for which a comparison might wrap."""
    kind = ns.kind(data)
    if is_missing(label):
        return xp.isnan(data) if kind == "real" else None
    if isinstance(label, np.generic):
        label = label.item()
    if not isinstance(label, int | float):
        return None
    if kind == "real":
        largest = float(xp.finfo(data.dtype).max)
        return data == float(label) if math.isinf(label) or abs(label) <= largest else None
    if label % 1 != 0:
        return None
    if kind == "bool":
        return (data if label else ~data) if label in (0, 1) else None
    limits = xp.iinfo(data.dtype)
    label = int(label)
    return data == label if limits.min <= label <= limits.max else None


# Encoding: from a Vector to codes, with the checks that look at the values.


def whole(vector: Vector) -> Vector:
    """``vector`` in integers, if they are numbers: whole-number floats and booleans as such; all else raises."""
    data, xp = vector.data, ns.namespace(vector.data)
    if vector.values is not None:  # on the host, then
        _check_missing(vector, int(np.count_nonzero(data < 0)))
        _check_values(vector)
        return vector
    if ns.kind(data) != "real":
        _check_comparable(vector)
        return replace(vector, data=comparable(data))
    wide = ns.widest(data)
    limit = min(2.0 / float(xp.finfo(data.dtype).eps), 2.0**63 if wide.is_64bit else 2.0**31)
    broken = ~((xp.trunc(data) == data) & (xp.abs(data) < limit))
    if bool(ns.to_host(xp.any(broken))):
        _raise_for_floats(vector, ns.to_host(data)[ns.to_host(broken)], limit)
    return replace(vector, data=xp.astype(data, wide.int))


def _raise_for_floats(vector: Vector, broken: np.ndarray[Any, Any], limit: float) -> None:
    _check_missing(vector, int(np.count_nonzero(np.isnan(broken))))
    first = float(broken[0])
    if first % 1 == 0:
        raise ValueError(
            f"{vector.name} must be below {limit:.0f} if they are {vector.data.dtype}, which rounds larger labels, got "
            f"{first!r}; give integers"
        )
    raise _no_whole_number(vector.name, first)


def _check_missing(vector: Vector, count: int) -> None:
    if count:
        raise ValueError(
            f"{vector.name} must not have missing labels (NaN, None), got {count} of {vector.size}; "
            "ignore_labels=[None] drops those samples"
        )


def _check_values(vector: Vector) -> None:
    """Check that no object is a continuous value; categories are free to be, as somebody named them."""
    values = vector.values
    if values is None or values.dtype.kind != "O" or hasattr(getattr(vector.given, "dtype", None), "categories"):
        return
    broken = [i for i, x in enumerate(values.tolist()) if isinstance(x, float) and x % 1 != 0]
    used = np.intersect1d(vector.data, broken) if broken else broken
    if len(used):
        raise _no_whole_number(vector.name, values[used[0]])


def _no_whole_number(name: str, label: float) -> ValueError:
    return ValueError(f"{name} must hold whole numbers, got {label!r}; continuous values are no labels")


def comparable(data: Array) -> Array:
    """Labels in a type that can be compared and sorted: not booleans, and not PyTorch's larger unsigned integers."""
    xp = ns.namespace(data)
    if ns.kind(data) == "bool":
        return xp.astype(data, xp.uint8)
    if ns.is_torch(data) and data.dtype in (xp.uint16, xp.uint32, xp.uint64):
        return xp.astype(data, xp.int64)
    return data


def _check_comparable(vector: Vector) -> None:
    data, xp = vector.data, ns.namespace(vector.data)
    if ns.is_torch(data) and data.dtype == xp.uint64 and bool(ns.to_host(xp.any(comparable(data) < 0))):
        raise ValueError(
            f"{vector.name} must be below 2**63 in PyTorch, which cannot compare larger ones, got dtype {data.dtype}; "
            "pass labels.view(torch.int64)"
        )


def integers_on_host(vector: Vector) -> np.ndarray[Any, Any] | None:
    """The labels in NumPy, without a copy, if they are integers or booleans on the host."""
    is_integer = vector.values is None and ns.kind(vector.data) in ("bool", "integer")
    return ns.host_view(vector.data) if is_integer else None


def encode(vector: Vector, limits: tuple[int, int] | None, capacity: int | None, capacity_name: str) -> Codes:
    """The codes of ``vector``, whose smallest and largest label are ``limits`` (None if there are no samples)."""
    xp, wide = ns.namespace(vector.data), ns.widest(vector.data)
    if capacity is not None:
        return Codes(_checked_codes(vector, limits, capacity, capacity_name), capacity, range(capacity))
    if vector.values is not None:
        return Codes(vector.data, len(vector.values), vector.values)
    if limits is None:
        return Codes(xp.astype(vector.data, wide.int), 0, range(0))
    low, high = limits
    if is_narrow(limits, vector.size, vector.data):
        return Codes(_shifted(vector.data, low, xp), high - low + 1, range(low, high + 1))
    distinct = xp.unique_inverse(vector.data)
    return Codes(distinct.inverse_indices, distinct.values.shape[0], distinct.values)


def is_narrow(limits: tuple[int, int], size: int, like: Array) -> bool:
    """Whether labels may be codes as they are, less the smallest: their range is little more than the samples."""
    low, high = limits
    largest = ns.namespace(like).iinfo(ns.widest(like).int).max
    return bool(high - low < max(1 << 16, 4 * size) and high <= largest)


def size_of_codes(values: range | Array, size: int, samples: int) -> int:
    """How many codes so many samples would have had, of which ``size`` are left: all of a narrow range."""
    host = None if isinstance(values, range) else ns.host_view(values)
    if host is None or host.dtype.kind not in "iu" or not len(host):
        return size
    limits = int(host[0]), int(host[-1])  # they are sorted
    return limits[1] - limits[0] + 1 if is_narrow(limits, samples, values) else size


def _shifted(data: Array, low: int, xp: Any) -> Array:
    """``data - low``, in a type that holds it."""
    if low == 0:
        return data
    wide = ns.widest(data).int
    unsigned = xp.isdtype(data.dtype, "unsigned integer")
    return xp.astype(data - low, wide) if unsigned else xp.astype(data, wide) - low


def _checked_codes(vector: Vector, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> Array:
    """The labels themselves as codes below ``capacity``."""
    labels = None if vector.values is None else vector.values.tolist()
    if labels is not None:
        odd = [x for x in labels if not isinstance(x, int | np.integer)]
        if odd:
            raise TypeError(
                f"{vector.name} must hold integers in [0, {capacity_name}) when {capacity_name}= is given, got the "
                f"label {odd[0]!r}"
            )
        used = [labels[i] for i in np.unique(vector.data).tolist()]
        limits = (min(used), max(used)) if used else None
    if limits is not None:
        low, high = limits
        if low < 0 or high >= capacity:
            raise ValueError(
                f"{vector.name} must lie in [0, {capacity_name}) = [0, {capacity}), got {low if low < 0 else high}"
            )
    if labels is None:
        return vector.data
    return np.asarray([x if 0 <= x < capacity else 0 for x in labels] or [0], dtype=np.int64)[vector.data]


def check_sizes(n_classes: Any, n_clusters: Any) -> tuple[int | None, int | None]:
    """Check the table size that the caller gives: both numbers, or neither."""
    if n_classes is None and n_clusters is None:
        return None, None
    if n_classes is None or n_clusters is None:
        raise ValueError(
            f"n_classes and n_clusters must be given together, got n_classes={n_classes!r} and "
            f"n_clusters={n_clusters!r}"
        )
    return check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")


def check_size(value: Any, name: str) -> int:
    """Check one size that the caller gives."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a positive integer, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value}")
    return int(value)
