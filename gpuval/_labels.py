"""Label vectors: what they may be, every check and message about them, and their codes 0, 1, 2, ...

Labels come in as lists, NumPy arrays of any kind, pandas and polars Series, or arrays on a device, and leave as integer
codes in the library and on the device they came from. Labels that are not numbers live on the host only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuval import _namespace as ns
from gpuval._namespace import Array

Labels = Any
"""Anything that can be a label vector."""


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


def read_labels(labels: Labels, name: str) -> Vector:
    """Take ``labels`` as they are and check what their type and shape tell."""
    if labels is None:
        raise TypeError(f"{name} must be a vector of labels, got None")
    if isinstance(labels, str | bytes) or np.isscalar(labels):
        raise TypeError(f"{name} must be a vector of labels, got the scalar {labels!r}")
    data, values = _as_data(labels, name)
    if len(data.shape) != 1:
        hint = " (for a table of counts use Contingency.from_counts)" if len(data.shape) == 2 else ""
        raise ValueError(f"{name} must be one-dimensional, got shape {tuple(data.shape)}{hint}")
    vector = Vector(name, labels, data, values)
    if not ns.is_numpy(data):
        _check_kind(vector)
    elif data.dtype.kind in "USO":
        return _factorized(vector)
    elif data.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {data.dtype}")
    return vector


def read_weights(sample_weight: Any, like: Vector) -> Array | None:
    """Take the weights of the samples, and check what their type and shape tell."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    data, values = _as_data(sample_weight, name)
    xp = ns.namespace(data)
    numeric = data.dtype.kind in "biuf" if xp is np else _is_real(data, xp)
    if values is not None or not numeric:
        raise TypeError(f"{name} must hold real numbers, got dtype {data.dtype}")
    if len(data.shape) != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {tuple(data.shape)}")
    check_alike(like, Vector(name, sample_weight, data))
    wide = ns.widest(data)
    return xp.astype(data, wide.float if xp.isdtype(data.dtype, "real floating") else wide.int)


def check_alike(first: Vector, second: Vector) -> None:
    """Check that two vectors are of one library, one device, one length and one index."""
    a, b = first.data, second.data
    if ns.namespace(a) is not ns.namespace(b):
        raise TypeError(
            f"{first.name} and {second.name} must be of one array library, got {_kind(first)} and {_kind(second)}; "
            "convert one of them"
        )
    if not (ns.is_traced(a) or ns.is_traced(b)) and ns.device(a) != ns.device(b):
        raise ValueError(
            f"{first.name} and {second.name} must be on one device, got {ns.device(a)} and {ns.device(b)}; move one of them"
        )
    if first.size != second.size:
        raise ValueError(f"{second.name} must have as many samples as {first.name} ({first.size}), got {second.size}")
    if _is_pandas_series(first.given) and _is_pandas_series(second.given):
        _check_index(first, second)


def _as_data(x: Any, name: str) -> tuple[Array, Array | None]:
    library = type(x).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(x, name)
    if library == "polars":
        return _from_polars(x, name)
    if ns.is_array(x):
        return x, None
    if library == "scipy" or isinstance(x, dict | set | frozenset) or not isinstance(x, Iterable):
        raise TypeError(f"{name} must be a vector (array, Series or sequence), got {type(x).__name__}")
    return _from_sequence(x if isinstance(x, Sequence) else list(x), name), None


def _from_sequence(x: Sequence[Any], name: str) -> np.ndarray[Any, Any]:
    try:
        data = np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be one-dimensional, got rows of different lengths") from None
    mixed = data.dtype.kind in "US" and not all(isinstance(label, str | bytes) for label in x)
    if data.size == 0 and data.dtype.kind == "f":
        return data.astype(np.int64)
    return np.asarray(x, dtype=object) if mixed else data


def _from_pandas(x: Any, name: str) -> tuple[Array, Array | None]:
    if getattr(x, "ndim", 1) != 1:
        return x.to_numpy(), None
    dtype = x.dtype
    if hasattr(dtype, "categories"):
        categorical = getattr(x, "cat", x)
        return np.asarray(categorical.codes, dtype=np.int64), np.asarray(dtype.categories)
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return x.to_numpy(), None
    codes, values = sys.modules["pandas"].factorize(x, sort=True)
    return np.asarray(codes, dtype=np.int64), np.asarray(values)


def _from_polars(x: Any, name: str) -> tuple[Array, Array | None]:
    if not hasattr(x, "rank"):
        raise TypeError(f"{name} must be a vector (array, Series or sequence), got {type(x).__name__}")
    if x.dtype.is_numeric() or x.dtype == sys.modules["polars"].Boolean:
        if not x.null_count():
            return x.to_numpy(), None
    elif x.dtype.is_nested():
        raise TypeError(f"{name} must hold integers, booleans, strings or objects, got dtype {x.dtype}")
    values = x.drop_nulls().unique().sort()
    codes = x.rank("dense").cast(sys.modules["polars"].Int64).fill_null(0) - 1
    return codes.to_numpy(), values.to_numpy()


def _factorized(vector: Vector) -> Vector:
    """Strings and objects as codes into their distinct values, by hashing."""
    places: dict[Any, int] = {}
    raw = vector.data.tolist()
    try:
        found = np.fromiter((places.setdefault(x, len(places)) for x in raw), np.int64, len(raw))
    except TypeError:
        odd = next(x for x in raw if getattr(x, "__hash__", None) is None or isinstance(x, tuple))
        raise TypeError(f"{vector.name} must hold hashable labels, got {odd!r}") from None
    labels = [x for x in places if not _is_missing(x)]
    try:
        ordered = sorted(labels)
    except TypeError:  # labels of several types have no order of their own
        ordered = sorted(labels, key=lambda x: (type(x).__name__, str(x)))
    rank = {x: i for i, x in enumerate(ordered)}
    codes = np.asarray([rank.get(x, -1) if not _is_missing(x) else -1 for x in places], dtype=np.int64)
    values = np.empty(len(ordered), dtype=object)
    values[:] = ordered
    if vector.data.dtype.kind in "US":
        values = values.astype(vector.data.dtype)
    return replace(vector, data=codes[found] if len(found) else found, values=values)


def _is_missing(label: Any) -> bool:
    return label is None or bool(label != label) or type(label).__name__ in ("NAType", "NaTType")


def _check_kind(vector: Vector) -> None:
    xp = ns.namespace(vector.data)
    if not xp.isdtype(vector.data.dtype, ("bool", "integral", "real floating")):
        raise TypeError(f"{vector.name} must hold integers or booleans, got dtype {vector.data.dtype}")


def _is_real(data: Array, xp: Any) -> bool:
    return bool(xp.isdtype(data.dtype, ("bool", "integral", "real floating")))


def _kind(vector: Vector) -> str:
    given = vector.given
    return f"{type(given).__module__.partition('.')[0]}.{type(given).__name__}".removeprefix("builtins.")


def _is_pandas_series(x: Any) -> bool:
    return type(x).__module__.startswith("pandas") and hasattr(x, "index") and hasattr(x, "iloc")


def _check_index(first: Vector, second: Vector) -> None:
    a, b = first.given.index, second.given.index
    if a.equals(b):
        return
    where = next(i for i in range(len(a)) if a[i] != b[i])
    raise ValueError(
        f"{first.name} and {second.name} must have the same index, got {a[where]!r} and {b[where]!r} at position {where}; "
        "align the Series, or pass their .to_numpy()"
    )


# Dropping: samples whose label is to be ignored.


def ignored(ignore_labels: Any) -> tuple[Any, ...]:
    """The labels to ignore, as a tuple: one label stands for itself, None for nothing."""
    if ignore_labels is None:
        return ()
    if isinstance(ignore_labels, str | bytes) or not isinstance(ignore_labels, Iterable):
        return (ignore_labels,)
    return tuple(ignore_labels)


def ignored_samples(vector: Vector, labels: tuple[Any, ...]) -> Array | None:
    """Where the label of ``vector`` is among ``labels``; None where that cannot be."""
    data, xp = vector.data, ns.namespace(vector.data)
    if vector.values is not None:
        codes = [i for i, value in enumerate(vector.values.tolist()) if _is_among(value, labels)]
        if any(_is_missing(x) for x in labels):
            codes.append(-1)
        return np.isin(data, codes) if codes else None
    mask = None
    for label in labels:
        found = _equal(data, label, xp)
        if found is not None:
            mask = found if mask is None else mask | found
    return mask


def _is_among(value: Any, labels: tuple[Any, ...]) -> bool:
    return any(not _is_missing(x) and type(x) is not np.ndarray and bool(value == x) for x in labels)


def _equal(data: Array, label: Any, xp: Any) -> Array | None:
    floating = xp.isdtype(data.dtype, "real floating")
    if _is_missing(label):
        return xp.isnan(data) if floating else None
    if isinstance(label, str | bytes) or not np.isscalar(label) or label % 1 != 0:
        return None
    label = int(label)
    if xp.isdtype(data.dtype, "bool"):
        return (data if label else ~data) if label in (0, 1) else None
    if floating:
        return data == float(label)
    limits = xp.iinfo(data.dtype)
    return data == label if limits.min <= label <= limits.max else None


# Encoding: from a Vector to codes, with the checks that look at the values.


def whole(vector: Vector) -> Vector:
    """``vector`` with whole-number floats as integers and booleans as 0 and 1; anything else missing or broken raises."""
    data, xp = vector.data, ns.namespace(vector.data)
    if vector.values is not None:  # on the host, then
        _check_missing(vector, int(np.count_nonzero(data < 0)))
        return vector
    if xp.isdtype(data.dtype, "bool"):
        return replace(vector, data=xp.astype(data, xp.uint8))
    if not xp.isdtype(data.dtype, "real floating"):
        return vector
    _check_missing(vector, int(ns.to_host(ns.count_true(xp.isnan(data)))))
    limit = 2.0**63 if ns.widest(data).is_64bit else 2.0**31
    broken = (xp.trunc(data) != data) | (xp.abs(data) >= limit)
    if bool(ns.to_host(xp.any(broken))):
        first = float(ns.to_host(data)[ns.to_host(broken)][0])
        raise ValueError(f"{vector.name} must hold whole numbers, got {first!r}; continuous values are no labels")
    return replace(vector, data=xp.astype(data, ns.widest(data).int))


def _check_missing(vector: Vector, count: int) -> None:
    if count:
        raise ValueError(
            f"{vector.name} must not have missing labels (NaN, None), got {count} of {vector.size}; "
            "name them in ignore_labels= to drop those samples"
        )


def encode(vector: Vector, limits: tuple[int, int] | None, capacity: int | None, capacity_name: str) -> Codes:
    """The codes of ``vector``, whose smallest and largest label are ``limits`` (None if there are no samples)."""
    xp = ns.namespace(vector.data)
    if capacity is not None:
        _check_capacity(vector, limits, capacity, capacity_name)
        return Codes(vector.data, capacity, range(capacity))
    if vector.values is not None:
        return Codes(vector.data, len(vector.values), vector.values)
    if limits is None:
        return Codes(xp.astype(vector.data, ns.widest(vector.data).int), 0, range(0))
    low, high = limits
    if high - low < max(1 << 16, 4 * vector.size) and high < 1 << 63:
        return Codes(_shifted(vector.data, low, xp), high - low + 1, range(low, high + 1))
    distinct = xp.unique_inverse(vector.data)
    return Codes(distinct.inverse_indices, distinct.values.shape[0], distinct.values)


def _shifted(data: Array, low: int, xp: Any) -> Array:
    """``data - low``, in a type that holds it."""
    if low == 0:
        return data
    wide = ns.widest(data).int
    unsigned = xp.isdtype(data.dtype, "unsigned integer")
    return xp.astype(data - low, wide) if unsigned else xp.astype(data, wide) - low


def _check_capacity(vector: Vector, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> None:
    check_integers(vector, capacity_name)
    if limits is None:
        return
    low, high = limits
    if low < 0 or high >= capacity:
        raise ValueError(
            f"{vector.name} must lie in [0, {capacity_name}) = [0, {capacity}), got {low if low < 0 else high}"
        )


def check_integers(vector: Vector, capacity_name: str) -> None:
    """Check that labels which are to be used as codes themselves are integers."""
    if vector.values is not None:
        raise TypeError(
            f"{vector.name} must hold integers in [0, {capacity_name}) when {capacity_name}= is given, "
            f"got labels such as {vector.values[0] if len(vector.values) else None!r}"
        )


def check_sizes(n_classes: Any, n_clusters: Any) -> tuple[int | None, int | None]:
    """Check the table size that the caller gives: both numbers, or neither."""
    if n_classes is None and n_clusters is None:
        return None, None
    if n_classes is None or n_clusters is None:
        raise ValueError(
            f"n_classes and n_clusters must be given together, got n_classes={n_classes!r} and n_clusters={n_clusters!r}"
        )
    return check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")


def check_size(value: Any, name: str) -> int:
    """Check one size that the caller gives."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a positive integer, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value}")
    return int(value)
