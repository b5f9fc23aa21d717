"""Label vectors: reading one, and the checks that need no value: of type, shape, library, device, length and index.

Labels come in as lists, NumPy arrays of any kind, pandas and polars Series, or arrays on a device, and stay in the
library and on the device they came from. Labels that are not numbers live on the host only, as codes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_array
from gpuval.inputs.containers import as_data, dense, is_of, type_of, unhashable
from gpuval.inputs.conversion import Named, of_one_library, on_one_device
from gpuval.inputs.limits import MOST_CELLS
from gpuval.inputs.options import loaded
from gpuval.inputs.strings import factorize, is_hashable, is_missing
from gpuval.numerics import Array

Labels = Any
"""Anything that can be a label vector."""

_FACTORIZED = "USOT"
"""The kinds of NumPy dtypes whose labels are not numbers."""

_MANY_COLUMNS = (
    "; for one-hot rows or scores of classes give labels.argmax(axis=1), for soft labels use "
    "Contingency.from_memberships, for a table of counts Contingency.from_counts"
)


@dataclass(frozen=True)
class Vector:
    """One label vector: what was given as the argument ``name``, and its labels as an array.

    ``data`` holds the labels themselves if they are numbers. If they are not, it holds codes on the host: code i stands
    for the label ``values[i]``, and -1 for a missing label.
    """

    name: str
    given: Labels
    data: Array
    values: Array | None = None

    @property
    def size(self) -> int:
        """The number of samples."""
        return int(self.data.shape[0])

    @property
    def backend(self) -> Backend:
        """The array library of ``data``."""
        return backend_of(self.data)


def read_labels(labels: Labels, name: str, hint: str = _MANY_COLUMNS) -> Vector:
    """Read labels and check their type and shape; ``hint`` ends the message about a matrix."""
    if labels is None or isinstance(labels, str | bytes | Number | np.generic):
        what = "None" if labels is None else f"the scalar {labels!r}"
        raise TypeError(f"{name} must be a vector of labels, got {what}")
    data, values = as_data(labels, name)
    _check_one_dimensional(data, name, hint)
    vector = Vector(name, labels, data, values)
    backend = vector.backend
    if backend.on_host and data.dtype.kind in _FACTORIZED:
        return factorized(vector)
    if backend.kind(data) == "other":
        wanted = "integers, booleans, strings or objects" if backend.on_host else "integers or booleans"
        raise TypeError(f"{name} must hold {wanted}, got dtype {data.dtype}; convert them")
    if not backend.can_compare(data):
        raise TypeError(f"{name} must hold integers or booleans, got dtype {data.dtype}; give {name}.to(torch.int64)")
    return vector


def _check_one_dimensional(data: Array, name: str, hint: str = "") -> None:
    """Check that an array is a vector; ``hint`` ends the message about a matrix of several rows and columns."""
    shape = tuple(data.shape)
    if len(shape) == 1:
        return
    if len(shape) != 2:
        hint = ""
    elif 1 in shape:
        hint = f"; give its only column, {name}[:, 0]" if shape[1] == 1 else f"; give its only row, {name}[0]"
    raise ValueError(f"{name} must be one-dimensional, got shape {shape}{hint}")


def factorized(vector: Vector) -> Vector:
    """A vector of strings or objects as codes into its distinct labels, by hashing."""
    try:
        codes, values = factorize(vector.data)
    except TypeError:
        raise unhashable(vector.data.tolist(), vector.name) from None
    return replace(vector, data=codes, values=values)


def labels_of(vector: Vector) -> list[Any]:
    """The labels of a vector on the host; None for those that are missing."""
    data: list[Any] = vector.backend.to_host(vector.data).tolist()
    if vector.values is None:
        return data
    names = [*vector.values.tolist(), None]
    return [names[code] for code in data]


# What several vectors must have in common


def check_alike(first: Vector, second: Vector) -> None:
    """Check that two vectors are of one library, one device, one length and one index."""
    a, b, backend = first.data, second.data, first.backend
    if second.backend is not backend:
        raise TypeError(
            f"{first.name} and {second.name} must be of one array library, got {type_of(first.given)} and "
            f"{type_of(second.given)}; convert one of them: {of_one_library(_named(first), _named(second))}"
        )
    if not (backend.is_traced(a) or backend.is_traced(b)) and backend.device(a) != backend.device(b):
        raise ValueError(
            f"{first.name} and {second.name} must be on one device, got {backend.device(a)} and {backend.device(b)}; "
            f"{on_one_device(_named(first), _named(second))}"
        )
    _check_as_many(first, second)
    if is_pandas_series(first.given) and is_pandas_series(second.given):
        _check_same_index(first, second)


def check_indexes(**named: Any) -> None:
    """Check that all arguments that have an index have the same one."""
    indexed = [Vector(name, given, given) for name, given in named.items() if is_pandas_series(given)]
    for vector in indexed[1:]:
        _check_as_many(indexed[0], vector)
        _check_same_index(indexed[0], vector)


def is_pandas_series(x: Any) -> bool:
    """Whether ``x`` has an index that belongs to its values: whether it is a Series or a DataFrame of pandas."""
    return is_of("pandas", x, "Series", "DataFrame")


def first_difference(a: Any, b: Any) -> str:
    """The first position where two indexes of one length differ, and what each has there, in words."""
    where = next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x is not y and x != y), 0)
    got = [x.item() if isinstance(x, np.generic) else x for x in (a[where], b[where])]
    return f"{got[0]!r} and {got[1]!r} at position {where}"


def _named(vector: Vector) -> Named:
    return Named(vector.name, vector.given, vector.data, vector.values is not None)


def _check_as_many(first: Vector, second: Vector) -> None:
    if first.size != second.size:
        raise ValueError(f"{second.name} must have as many samples as {first.name} ({first.size}), got {second.size}")


def _check_same_index(first: Vector, second: Vector) -> None:
    a, b = first.given.index, second.given.index
    if not a.equals(b):
        raise ValueError(
            f"{first.name} and {second.name} must have the same index, got {first_difference(a, b)}; align the Series, "
            "or pass their .to_numpy()"
        )


# Weights


def read_weights(sample_weight: Any, *vectors: Vector) -> Array | None:
    """Read the weights of the samples of label vectors, in their widest type, and check what they are given as."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    if isinstance(sample_weight, np.ma.MaskedArray) and np.ma.is_masked(sample_weight):
        masked = int(np.count_nonzero(np.ma.getmaskarray(sample_weight)))
        raise ValueError(
            f"{name} must not have masked values, got {masked} of {sample_weight.size}; sample_weight.filled(0) leaves "
            "those samples out"
        )
    data, values = as_data(sample_weight, name)
    _check_one_dimensional(data, name)
    backend = backend_of(data)
    if values is not None or backend.kind(data) == "other":
        dtype = getattr(sample_weight, "dtype", data.dtype if values is None else values.dtype)
        raise TypeError(f"{name} must hold real numbers and none missing, got dtype {dtype}")
    for vector in vectors:
        check_alike(vector, Vector(name, sample_weight, data))
    return backend.widened(data)


# Labels to ignore


def ignored(ignore_labels: Any) -> tuple[Any, ...]:
    """The labels to ignore, as a tuple: one label stands for itself, None for nothing."""
    if ignore_labels is None:
        return ()
    if is_array(ignore_labels):
        ignore_labels = _listed(ignore_labels)
    is_one = isinstance(ignore_labels, str | bytes) or not isinstance(ignore_labels, Iterable)
    labels = (ignore_labels,) if is_one else tuple(_listed(x) if is_array(x) else x for x in ignore_labels)
    for label in labels:
        if not is_hashable(label):
            raise TypeError(f"ignore_labels must be one label or a sequence of labels, got {label!r} as one of them")
    return labels


def _listed(x: Array) -> Any:
    """An array as a list, or as one label if it has no dimension.

    Times stay those of NumPy, as some of them would become integers in a list.
    """
    backend = backend_of(x)
    if backend.kind(dense(x, "ignore_labels")) == "other" and not backend.on_host:
        raise TypeError(f"ignore_labels must hold integers, booleans or real numbers, got dtype {x.dtype}")
    host = backend.to_host(x)
    if host.dtype.kind not in "mM":
        return host.tolist()
    return list(host) if host.ndim else host[()]


def check_ignored(labels: tuple[Any, ...], *vectors: Vector) -> None:
    """Check that each label to ignore is of a kind that one of the vectors could hold: any other is a slip."""
    for label in labels:
        if not any(_could_hold(vector, label) for vector in vectors):
            names = [vector.name for vector in vectors[:2]] + ["the others"] * (len(vectors) > 2)
            raise TypeError(
                f"ignore_labels must be of a type that {' or '.join(names)} could hold, got {label!r} of type "
                f"{type(label).__name__}; their labels are {_kinds_of(vectors)}"
            )


def check_ignored_by_dtype(labels: tuple[Any, ...], held: Mapping[str, Any]) -> None:
    """The same for labels that Dask holds, by their dtypes: these tell enough only if all are numbers of NumPy."""
    dtypes = {name: getattr(x, "dtype", None) for name, x in held.items()}
    if all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in dtypes.values()):
        check_ignored(labels, *(Vector(name, None, np.zeros(1, dtype)) for name, dtype in dtypes.items()))


def _could_hold(vector: Vector, label: Any) -> bool:
    if is_missing(label) or vector.size == 0:
        return True
    if vector.values is None:
        return _kind_of(label) == "numbers"
    if str(getattr(vector.given, "dtype", None)).lower() == "object":
        return True
    return len(vector.values) == 0 or any(_kind_of(x) == _kind_of(label) for x in vector.values.tolist())


def _kinds_of(vectors: tuple[Vector, ...]) -> str:
    kinds = ["numbers" if x.values is None else _kind_of(x.values.tolist()[0]) for x in vectors]
    return " and ".join(dict.fromkeys(kinds))


def _kind_of(label: Any) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, bytes):
        return "bytes"
    is_number = isinstance(label, Number | np.bool_) and not isinstance(label, np.timedelta64)
    return "numbers" if is_number else "objects"


def ignored_samples(vector: Vector, labels: tuple[Any, ...]) -> Array | None:
    """Where the label of ``vector`` is among ``labels``; None if its type can hold none of them."""
    if vector.values is not None:
        return _ignored_codes(vector.data, vector.values.tolist(), labels)
    mask = None
    for label in labels:
        is_label = _equal(vector.data, label, vector.backend)
        if is_label is not None:
            mask = is_label if mask is None else mask | is_label
    return mask


def _ignored_codes(data: np.ndarray[Any, Any], values: list[Any], labels: tuple[Any, ...]) -> Array | None:
    """The same for codes into ``values``, of which -1 is a missing label."""
    wanted = _with_pandas_times([x for x in labels if not is_missing(x)])
    codes = [i for i, value in enumerate(values) if value in wanted]
    if any(map(is_missing, labels)):
        codes.append(-1)
    return np.isin(data, codes) if codes else None


def _with_pandas_times(labels: list[Any]) -> set[Any]:
    """The labels, and NumPy's times also as those of pandas, which are equal to them but hash differently."""
    pandas = loaded("pandas")
    times = [] if pandas is None else [x for x in labels if isinstance(x, np.datetime64 | np.timedelta64)]
    return {*labels, *(pandas.Timestamp(x) if isinstance(x, np.datetime64) else pandas.Timedelta(x) for x in times)}


def _equal(data: Array, label: Any, backend: Backend) -> Array | None:
    """Where numbers are ``label``; None if their type cannot hold it, as the comparison might then wrap around."""
    xp, kind = backend.xp, backend.kind(data)
    if is_missing(label):
        return xp.isnan(data) if kind == "real" else None
    number = _real(label)
    if number is None:
        return None
    if kind == "real":
        largest = float(xp.finfo(data.dtype).max)
        return data == float(number) if abs(number) <= largest or abs(number) == math.inf else None
    if kind == "bool":
        return (data if number else ~data) if number in (0, 1) else None
    limits = xp.iinfo(data.dtype)
    if not (limits.min <= number <= limits.max and number == int(number)):
        return None
    return backend.equals(data, int(number))


def _real(label: Any) -> Any:
    """The real number that a label is equal to, whatever its type; None if there is none."""
    if _kind_of(label) != "numbers":
        return None
    if isinstance(label, complex | np.complexfloating):
        return label.real if label.imag == 0 else None
    return label.item() if isinstance(label, np.generic) else label


@dataclass(frozen=True)
class Codes:
    """A label vector as codes in ``[0, size)``, and the label that each code stands for."""

    codes: Array
    size: int
    values: range | Array


def check_known(vector: Vector) -> None:
    """Raise for a tensor of the meta device, which has a shape but no values."""
    if not vector.backend.has_values(vector.data):
        raise TypeError(
            f"{vector.name} must have values where n_classes and n_clusters are to be found from them, got a tensor on "
            "the meta device; give both"
        )


# To integers


def whole(vector: Vector) -> Vector:
    """A vector of numbers in integers, or of codes as it is; raises for missing labels and fractions."""
    data, backend = vector.data, vector.backend
    if vector.values is not None:  # codes, which are on the host
        _check_missing(vector, int(np.count_nonzero(data < 0)))
        _check_values(vector)
        return vector
    if backend.kind(data) != "real":
        _check_comparable(vector)
        return replace(vector, data=backend.comparable(data))
    xp, wide = backend.xp, backend.widest(data)
    limit = min(2.0 / float(xp.finfo(data.dtype).eps), 2.0**63 if wide.is_64bit else 2.0**31)
    broken = ~((xp.trunc(data) == data) & (xp.abs(data) < limit))
    if bool(backend.to_host(xp.any(broken))):
        _raise_for_floats(vector, backend.to_host(data)[backend.to_host(broken)], limit)
    return replace(vector, data=xp.astype(data, wide.int))


def integers_on_host(vector: Vector) -> np.ndarray[Any, Any] | None:
    """A NumPy view of the labels, if they are integers or booleans on the host."""
    is_integer = vector.values is None and vector.backend.kind(vector.data) in ("bool", "integer")
    return vector.backend.host_view(vector.data) if is_integer else None


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
    """Check that no object is a fraction; categories may be, as somebody named them on purpose."""
    values = vector.values
    if values is None or values.dtype.kind != "O" or hasattr(getattr(vector.given, "dtype", None), "categories"):
        return
    broken = [i for i, x in enumerate(values.tolist()) if isinstance(x, float | np.floating) and x % 1 != 0]
    used = np.intersect1d(vector.data, broken) if broken else broken
    if len(used):
        raise _no_whole_number(vector.name, values[used[0]])


def _no_whole_number(name: str, label: float) -> ValueError:
    return ValueError(f"{name} must hold whole numbers, got {label!r}; continuous values are no labels")


def _check_comparable(vector: Vector) -> None:
    """Raise for unsigned integers beyond int64, in a library that compares unsigned integers as int64."""
    data, backend = vector.data, vector.backend
    xp = backend.xp
    if backend.compares_unsigned or data.dtype != xp.uint64:
        return
    if bool(backend.to_host(xp.any(backend.comparable(data) < 0))):
        raise ValueError(
            f"{vector.name} must be below 2**63 in PyTorch, which cannot compare larger ones, got dtype {data.dtype}; "
            "pass labels.view(torch.int64)"
        )


# To codes


def encode(vector: Vector, limits: tuple[int, int] | None, capacity: int | None, capacity_name: str) -> Codes:
    """The codes of a vector of integers, or of codes.

    ``limits`` are its smallest and its largest integer; None if it has no sample or holds codes. ``capacity`` is the
    number of codes that the caller gives as the argument ``capacity_name``, whose labels are codes already.
    """
    if capacity is not None:
        return Codes(_checked_codes(vector, limits, capacity, capacity_name), capacity, range(capacity))
    data, backend = vector.data, vector.backend
    if vector.values is not None:
        return Codes(data, len(vector.values), vector.values)
    xp = backend.xp
    if limits is None:
        return Codes(xp.astype(data, backend.widest(data).int), 0, range(0))
    low, high = limits
    if is_narrow(limits, vector.size, data):
        return Codes(_less(data, low), high - low + 1, range(low, high + 1))
    distinct = xp.unique_inverse(data)
    return Codes(distinct.inverse_indices, distinct.values.shape[0], distinct.values)


def is_narrow(limits: tuple[int, int], n_samples: int, like: Array) -> bool:
    """Whether labels less the smallest serve as codes: their range is not much larger than the number of samples."""
    low, high = limits
    backend = backend_of(like)
    largest = backend.xp.iinfo(backend.widest(like).int).max
    return bool(high - low < max(1 << 16, 4 * n_samples) and high <= largest)


def size_of_codes(values: range | Array, size: int, n_samples: int) -> int:
    """How many codes ``encode`` makes of so many samples, whose ``size`` distinct labels are ``values``, sorted."""
    host = None if isinstance(values, range) else backend_of(values).host_view(values)
    if host is None or host.dtype.kind not in "iu" or not len(host):
        return size
    limits = int(host[0]), int(host[-1])
    return limits[1] - limits[0] + 1 if is_narrow(limits, n_samples, values) else size


def _less(data: Array, low: int) -> Array:
    """``data - low``, in a type that holds it."""
    if low == 0:
        return data
    backend = backend_of(data)
    xp, wide = backend.xp, backend.widest(data).int
    return xp.astype(data - low, wide) if backend.is_unsigned(data) else xp.astype(data, wide) - low


def _checked_codes(vector: Vector, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> Array:
    """The labels themselves as codes below ``capacity``; raises for one that is no integer, or not in this range."""
    if vector.values is None:
        _check_within(vector.name, limits, capacity, capacity_name)
        return vector.data
    labels = vector.values.tolist()
    odd = [x for x in labels if not isinstance(x, int | np.integer)]
    if odd:
        raise TypeError(
            f"{vector.name} must hold integers in [0, {capacity_name}) when {capacity_name}= is given, got the "
            f"label {odd[0]!r}"
        )
    used = [labels[i] for i in np.unique(vector.data).tolist()]
    _check_within(vector.name, (min(used), max(used)) if used else None, capacity, capacity_name)
    return np.asarray([x if 0 <= x < capacity else 0 for x in labels] or [0], dtype=np.int64)[vector.data]


def _check_within(name: str, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> None:
    if limits is None:
        return
    low, high = limits
    if low < 0 or high >= capacity:
        raise ValueError(f"{name} must lie in [0, {capacity_name}) = [0, {capacity}), got {low if low < 0 else high}")


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
    if value > MOST_CELLS:
        raise ValueError(f"{name} must be at most 2**36, got {value}; number the labels from 0")
    return int(value)
