"""Label vectors: what they may be, every check and message about them, and their codes 0, 1, 2, ...

Labels come in as lists, NumPy arrays of any kind, pandas and polars Series, or arrays on a device, and leave as integer
codes in the library and on the device they came from. Labels that are not numbers live on the host only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, to_host
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


def read_labels(labels: Labels, name: str, hint: str = _MANY_COLUMNS) -> Vector:
    """Take ``labels`` as they are and check what their type and shape tell; ``hint`` says what a matrix may be."""
    if labels is None or isinstance(labels, str | bytes | Number | np.generic):
        what = "None" if labels is None else f"the scalar {labels!r}"
        raise TypeError(f"{name} must be a vector of labels, got {what}")
    data, values = as_data(labels, name)
    _check_one_dimensional(data, name, hint)
    vector = Vector(name, labels, data, values)
    if backend_of(data).on_host and data.dtype.kind in _FACTORIZED:
        return factorized(vector)
    if backend_of(data).kind(data) == "other":
        wanted = "integers, booleans, strings or objects" if backend_of(data).on_host else "integers or booleans"
        raise TypeError(f"{name} must hold {wanted}, got dtype {data.dtype}; convert them")
    if not backend_of(data).can_compare(data):
        raise TypeError(f"{name} must hold integers or booleans, got dtype {data.dtype}; give {name}.to(torch.int64)")
    return vector


def read_weights(sample_weight: Any, *like: Vector) -> Array | None:
    """Take the weights of the samples, and check what their type and shape tell."""
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
    if values is not None or backend_of(data).kind(data) == "other":
        dtype = getattr(sample_weight, "dtype", data.dtype if values is None else values.dtype)
        raise TypeError(f"{name} must hold real numbers and none missing, got dtype {dtype}")
    for vector in like:
        check_alike(vector, Vector(name, sample_weight, data))
    return backend_of(data).widened(data)


def check_alike(first: Vector, second: Vector) -> None:
    """Check that two vectors are of one library, one device, one length and one index."""
    a, b = first.data, second.data
    if backend_of(a).xp is not backend_of(b).xp:
        raise TypeError(
            f"{first.name} and {second.name} must be of one array library, got {type_of(first.given)} and "
            f"{type_of(second.given)}; convert one of them: {of_one_library(_named(first), _named(second))}"
        )
    if not (backend_of(a).is_traced(a) or backend_of(b).is_traced(b)) and backend_of(a).device(a) != backend_of(
        b
    ).device(b):
        raise ValueError(
            f"{first.name} and {second.name} must be on one device, got {backend_of(a).device(a)} and {backend_of(b).device(b)}; "
            f"{on_one_device(_named(first), _named(second))}"
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
    """Whether ``x`` has an index that goes with its values."""
    return is_of("pandas", x, "Series", "DataFrame")


def _named(vector: Vector) -> Named:
    return Named(vector.name, vector.given, vector.data, vector.values is not None)


def _check_one_dimensional(data: Array, name: str, hint: str = "") -> None:
    shape = tuple(data.shape)
    if len(shape) == 1:
        return
    if len(shape) != 2:
        hint = ""
    elif 1 in shape:
        hint = f"; give its only column, {name}[:, 0]" if shape[1] == 1 else f"; give its only row, {name}[0]"
    raise ValueError(f"{name} must be one-dimensional, got shape {shape}{hint}")


def factorized(vector: Vector) -> Vector:
    """Strings and objects as codes into their distinct values, by hashing."""
    try:
        codes, values = factorize(vector.data)
    except TypeError:
        raise unhashable(vector.data.tolist(), vector.name) from None
    return replace(vector, data=codes, values=values)


def labels_of(vector: Vector) -> list[Any]:
    """The labels of a vector on the host; None for those that are missing."""
    data: list[Any] = to_host(vector.data).tolist()
    if vector.values is None:
        return data
    names = [*vector.values.tolist(), None]
    return [names[code] for code in data]


def check_index(first: Vector, second: Vector) -> None:
    """Check that two Series have one index."""
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
    if is_array(ignore_labels):
        ignore_labels = _listed(ignore_labels)
    is_one = isinstance(ignore_labels, str | bytes) or not isinstance(ignore_labels, Iterable)
    labels = (ignore_labels,) if is_one else tuple(_listed(x) if is_array(x) else x for x in ignore_labels)
    for label in labels:
        if not is_hashable(label):
            raise TypeError(f"ignore_labels must be one label or a sequence of labels, got {label!r} as one of them")
    return labels


def _listed(x: Array) -> Any:
    """An array as a list, or as one label if it has no dimension; times stay NumPy's (some would become integers)."""
    if backend_of(dense(x, "ignore_labels")).kind(dense(x, "ignore_labels")) == "other" and not backend_of(x).on_host:
        raise TypeError(f"ignore_labels must hold integers, booleans or real numbers, got dtype {x.dtype}")
    host = to_host(x)
    if host.dtype.kind not in "mM":
        return host.tolist()
    return list(host) if host.ndim else host[()]


def _with_pandas_times(labels: tuple[Any, ...]) -> set[Any]:
    """The labels, and NumPy's times also as those of pandas, which are equal to them but hash differently."""
    pandas = loaded("pandas")
    times = [] if pandas is None else [x for x in labels if isinstance(x, np.datetime64 | np.timedelta64)]
    return {*labels, *(pandas.Timestamp(x) if isinstance(x, np.datetime64) else pandas.Timedelta(x) for x in times)}


def ignored_samples(vector: Vector, labels: tuple[Any, ...]) -> Array | None:
    """Where the label of ``vector`` is among ``labels``; None where that cannot be."""
    data, xp = vector.data, backend_of(vector.data).xp
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
    """The same of labels that are not read here: it is known of NumPy's numbers what they can hold."""
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


def _equal(data: Array, label: Any, xp: Any) -> Array | None:
    """Where ``data`` is ``label``; None if its type has no such value, for which a comparison might wrap."""
    kind = backend_of(data).kind(data)
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
    return backend_of(data).equals(data, int(number))


def _real(label: Any) -> Any:
    """The real number that a label is, of any type of numbers; None if it is none."""
    if _kind_of(label) != "numbers":
        return None
    if isinstance(label, complex | np.complexfloating):
        return label.real if label.imag == 0 else None
    return label.item() if isinstance(label, np.generic) else label


# Encoding: from a Vector to codes, with the checks that look at the values.


def check_known(vector: Vector) -> None:
    """Check that there are values to look at."""
    if not backend_of(vector.data).has_values(vector.data):
        raise TypeError(
            f"{vector.name} must have values where n_classes and n_clusters are to be found from them, got a tensor on "
            "the meta device; give both"
        )


def whole(vector: Vector) -> Vector:
    """``vector`` in integers, if they are numbers: whole-number floats and booleans as such; all else raises."""
    data, xp = vector.data, backend_of(vector.data).xp
    if vector.values is not None:  # on the host, then
        _check_missing(vector, int(np.count_nonzero(data < 0)))
        _check_values(vector)
        return vector
    if backend_of(data).kind(data) != "real":
        _check_comparable(vector)
        return replace(vector, data=backend_of(data).comparable(data))
    wide = backend_of(data).widest(data)
    limit = min(2.0 / float(xp.finfo(data.dtype).eps), 2.0**63 if wide.is_64bit else 2.0**31)
    broken = ~((xp.trunc(data) == data) & (xp.abs(data) < limit))
    if bool(to_host(xp.any(broken))):
        _raise_for_floats(vector, to_host(data)[to_host(broken)], limit)
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
    broken = [i for i, x in enumerate(values.tolist()) if isinstance(x, float | np.floating) and x % 1 != 0]
    used = np.intersect1d(vector.data, broken) if broken else broken
    if len(used):
        raise _no_whole_number(vector.name, values[used[0]])


def _no_whole_number(name: str, label: float) -> ValueError:
    return ValueError(f"{name} must hold whole numbers, got {label!r}; continuous values are no labels")


def _check_comparable(vector: Vector) -> None:
    data, xp = vector.data, backend_of(vector.data).xp
    backend = backend_of(data)
    if backend.compares_unsigned or data.dtype != xp.uint64:
        return
    if bool(to_host(xp.any(backend.comparable(data) < 0))):
        raise ValueError(
            f"{vector.name} must be below 2**63 in PyTorch, which cannot compare larger ones, got dtype {data.dtype}; "
            "pass labels.view(torch.int64)"
        )


def integers_on_host(vector: Vector) -> np.ndarray[Any, Any] | None:
    """The labels in NumPy, without a copy, if they are integers or booleans on the host."""
    is_integer = vector.values is None and backend_of(vector.data).kind(vector.data) in ("bool", "integer")
    return backend_of(vector.data).host_view(vector.data) if is_integer else None


def encode(vector: Vector, limits: tuple[int, int] | None, capacity: int | None, capacity_name: str) -> Codes:
    """The codes of ``vector``, whose smallest and largest label are ``limits`` (None if there are no samples)."""
    xp, wide = backend_of(vector.data).xp, backend_of(vector.data).widest(vector.data)
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
    largest = backend_of(like).xp.iinfo(backend_of(like).widest(like).int).max
    return bool(high - low < max(1 << 16, 4 * size) and high <= largest)


def size_of_codes(values: range | Array, size: int, samples: int) -> int:
    """How many codes so many samples would have had, of which ``size`` are left: all of a narrow range."""
    host = None if isinstance(values, range) else backend_of(values).host_view(values)
    if host is None or host.dtype.kind not in "iu" or not len(host):
        return size
    limits = int(host[0]), int(host[-1])  # they are sorted
    return limits[1] - limits[0] + 1 if is_narrow(limits, samples, values) else size


def _shifted(data: Array, low: int, xp: Any) -> Array:
    """``data - low``, in a type that holds it."""
    if low == 0:
        return data
    wide = backend_of(data).widest(data).int
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
    if value > MOST_CELLS:
        raise ValueError(f"{name} must be at most 2**36, got {value}; number the labels from 0")
    return int(value)
