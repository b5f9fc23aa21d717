"""Label vectors: how one is read, and the checks that look at no value: type, shape, library, device, length and index.

Labels may be lists, NumPy arrays of any kind, pandas and polars Series, or arrays on a device. They stay in their
library and on their device. Labels that are not numbers are always on the host, as codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Number
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_if_array, backend_of, is_dask, library_of
from gpuval.inputs.containers import as_data, is_of, read_again, type_of, unhashable
from gpuval.inputs.strings import as_python, factorize, is_missing
from gpuval.numerics import Array

Labels = Any
"""Anything that can be a label vector."""

_FACTORIZED = "USOT"
"""The kinds of NumPy dtypes whose labels are not numbers."""

_MANY_COLUMNS = (
    "; for one-hot rows or scores of classes give labels.argmax(axis=1), for soft labels use "
    "Contingency.from_memberships, for a table of counts Contingency.from_counts"
)


@dataclass(eq=False)  # not frozen: that would take three times as long to make, and each score makes some
class Vector:
    """A label vector: the value of the argument ``name``, and its labels as an array.

    If the labels are numbers, ``data`` holds them. Else it holds codes on the host: code i stands for the label
    ``values[i]``, and -1 for a missing label.
    """

    name: str
    given: Labels
    data: Array
    values: Array | None = None
    backend: Backend = field(init=False, repr=False)
    """The array library of ``data``; None of labels in Dask, which no backend knows."""

    def __post_init__(self) -> None:
        self.backend = backend_if_array(self.data)  # type: ignore[assignment]

    @property
    def size(self) -> int:
        """The number of samples."""
        return int(self.data.shape[0])

    def with_data(self, data: Array) -> Vector:
        """The same vector with its labels, or codes, in another array."""
        return Vector(self.name, self.given, data, self.values)


def read_labels(labels: Labels, name: str, hint: str = _MANY_COLUMNS) -> Vector:
    """Read labels and check their type and shape; ``hint`` ends the message about a matrix."""
    if type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind in "iub":
        return Vector(name, labels, labels)  # as most labels are: nothing is left to check
    if labels is None or isinstance(labels, str | bytes | Number | np.generic):
        what = "None" if labels is None else f"the scalar {labels!r}"
        raise TypeError(f"{name} must be a vector of labels, got {what}")
    data, values = as_data(labels, name)
    check_one_dimensional(data, name, hint)
    vector = Vector(name, labels, data, values)
    backend = vector.backend
    if backend.on_host and data.dtype.kind in _FACTORIZED:
        return factorize_vector(vector)
    if backend.kind(data) == "other":
        wanted = "integers, booleans, strings or objects" if backend.on_host else "integers or booleans"
        raise TypeError(f"{name} must hold {wanted}, got dtype {data.dtype}; convert them")
    if not backend.can_compare(data):
        raise TypeError(f"{name} must hold integers or booleans, got dtype {data.dtype}; give {name}.to(torch.int64)")
    return vector


def check_not_dask(named: Mapping[str, Any]) -> None:
    """Check that no labels, which stand by the names of their arguments, are of Dask."""
    for name, labels in named.items():
        if is_dask(labels):
            raise TypeError(f"{name} must be in memory, got data of Dask ({type(labels).__name__}); compute() it")


def check_one_dimensional(data: Array, name: str, hint: str = "") -> None:
    """Check that an array is a vector; ``hint`` ends the message about a matrix of several rows and columns."""
    shape = tuple(data.shape)
    if len(shape) == 1:
        return
    if len(shape) != 2:
        hint = ""
    elif 1 in shape:
        hint = f"; give its only column, {name}[:, 0]" if shape[1] == 1 else f"; give its only row, {name}[0]"
    raise ValueError(f"{name} must be one-dimensional, got shape {shape}{hint}")


def factorize_vector(vector: Vector) -> Vector:
    """A vector of strings or objects as codes of its distinct labels, found by hashing."""
    try:
        codes, values = factorize(vector.data)
    except TypeError:
        raise unhashable(vector.data.tolist(), vector.name) from None
    return replace(vector, data=codes, values=values)


def labels_of(vector: Vector) -> list[Any]:
    """The labels of a vector as a list on the host; None for missing ones."""
    data: list[Any] = vector.backend.to_host(vector.data).tolist()
    if vector.values is None:
        return data
    names = [*vector.values.tolist(), None]
    return [names[code] for code in data]


# What several vectors must have in common


def check_alike(first: Vector, second: Vector) -> None:
    """Check that two vectors have the same library, device, length and index."""
    check_lie_together(first, second)
    _check_as_many(first, second)
    are_arrays = first.given is first.data and second.given is second.data
    if not are_arrays and has_index(first.given) and has_index(second.given):
        _check_same_index(first, second)


def check_lie_together(first: Vector, second: Vector) -> None:
    """Check that two vectors are of one library and on one device."""
    a, b, backend = first.data, second.data, first.backend
    if second.backend is not backend:
        raise TypeError(
            f"{first.name} and {second.name} must be of one array library, got {type_of(first.given)} and "
            f"{type_of(second.given)}; convert one of them: {library_hint(first, second)}"
        )
    may_differ = not (backend.on_host or backend.is_traced(a) or backend.is_traced(b))
    if may_differ and backend.device(a) != backend.device(b):
        raise ValueError(
            f"{first.name} and {second.name} must be on one device, got {backend.device(a)} and {backend.device(b)}; "
            f"{device_hint(first, second)}"
        )


def check_beside_or_on_host(first: Vector, **others: Array | None) -> None:
    """Check that other arrays are in the library and on the device of the first vector, or on the host."""
    backend = first.backend
    for name, x in others.items():
        if x is None or backend_of(x).on_host:
            continue
        if backend_of(x) is not backend:
            raise TypeError(
                f"{first.name} and {name} must be of one array library, got {type_of(first.given)} and {type_of(x)}; "
                "convert one"
            )
        if not backend.are_together(first.data, x):
            raise ValueError(
                f"{first.name} and {name} must be on one device, got {backend.device(first.data)} and "
                f"{backend.device(x)}; {device_hint(first, Vector(name, x, x))}"
            )


def check_indexes(**named: Any) -> None:
    """Check that all arguments that have an index have the same one."""
    indexed = [Vector(name, given, given) for name, given in named.items() if has_index(given)]
    for vector in indexed[1:]:
        _check_as_many(indexed[0], vector)
        _check_same_index(indexed[0], vector)


def has_index(x: Any) -> bool:
    """Whether ``x`` has an index that belongs to its values: whether it is a pandas Series or DataFrame."""
    return is_of("pandas", x, "Series", "DataFrame")


def are_same_names(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether rows or columns have the same names in the same order; all missing names, such as NaN, count as equal."""
    return list(a) == list(b) or (len(a) == len(b) and all(map(_is_same_name, a, b)))


def first_difference(a: Any, b: Any) -> str:
    """Where two indexes of the same length differ first, and the two names there, as text for a message."""
    where = next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if not _is_same_name(x, y)), 0)
    return f"{as_python(a[where])!r} and {as_python(b[where])!r} at position {where}"


def _is_same_name(x: Any, y: Any) -> bool:
    if is_missing(x) or is_missing(y):
        return is_missing(x) and is_missing(y)
    return bool(x == y)


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


# How to bring two vectors together: the end of a message about two libraries or two devices

_MADE = {
    "torch": "torch.tensor({host}, device={other}.device)",
    "jax": "jax.numpy.asarray({host})",
    "cupy": "cupy.asarray({host})",
}
_EXCHANGED = {"jax": "jax.numpy.from_dlpack({name})"}
_ON_THE_HOST = {"torch": "{name}.cpu().numpy()", "cupy": "{name}.get()"}
_MOVED = {
    "torch": "{name}.to({other}.device)",
    "jax": "jax.device_put({name}, {other}.device)",
    "cupy": "cupy.asarray({name}) within {other}.device",
}


def library_hint(first: Vector, second: Vector) -> str:
    """Code that converts one of two vectors to the library of the other, for a message."""
    if not (first.backend.on_host or second.backend.on_host):
        library = library_of(first.data)
        return _EXCHANGED.get(library, library + ".from_dlpack({name})").format(name=second.name)
    host, other = (first, second) if first.backend.on_host else (second, first)
    library = library_of(other.data)
    if host.values is not None:  # no device can hold these labels
        return _ON_THE_HOST.get(library, "numpy.asarray({name})").format(name=other.name)
    held = f"{host.name}.to_numpy()" if hasattr(host.given, "to_numpy") else host.name
    made = _MADE.get(library, library + ".asarray({host}, device={other}.device)")
    return made.format(host=held, other=other.name)


def device_hint(first: Vector, second: Vector) -> str:
    """Code that moves one of two vectors to the device of the other, for a message."""
    if "meta" in (str(x.backend.device(x.data)) for x in (first, second)):
        return "what is on the meta device has no values"
    moved = _MOVED.get(library_of(first.data), "{name}.to_device({other}.device)")
    return f"move one of them: {moved.format(name=second.name, other=first.name)}"


def name_of_labels(labels: Any) -> Any:
    """The name of a Series, if the labels are one that has a name; else None."""
    name = getattr(labels, "name", None) if hasattr(labels, "to_frame") else None
    return None if name == "" else name


def labelings_by_name(labelings: Any, name: str = "labelings") -> tuple[list[Any], dict[str, Any]]:
    """The names of labelings, and their label vectors by the names that messages use, which begin with ``name``."""
    by_name = _labelings_by_key(labelings, name)
    if not by_name:
        what = f"a {type(labelings).__name__} without columns" if hasattr(labelings, "columns") else "none"
        raise ValueError(f"{name} must have at least one label vector, got {what}")
    vectors = {f"{name}[{key!r}]": read_again(labels) for key, labels in by_name.items()}
    if len(vectors) < len(by_name):
        repeated = next(x for x, times in Counter(map(repr, by_name)).items() if times > 1)
        raise ValueError(f"{name} must have names that differ when they are printed, got {repeated} twice")
    return list(by_name), vectors


def one_or_several(labelings: Any, name: str) -> dict[str, Any]:
    """Label vectors by the names that messages use: several, as in ``labelings_by_name``, or one, called ``name``."""
    first = labelings[0] if isinstance(labelings, list | tuple) and labelings else ()
    is_vector = getattr(labelings, "ndim", None) == 1 or is_of("polars", labelings, "Series")
    if is_vector or first is None or isinstance(first, str | bytes | Number | np.generic):
        return {name: labelings}
    return labelings_by_name(labelings, name)[1]


def _labelings_by_key(labelings: Any, name: str) -> dict[Any, Any]:
    if isinstance(labelings, Mapping):
        return dict(labelings)
    if type(labelings).__name__ == "LazyFrame":
        raise TypeError(f"{name} must be a mapping or a sequence of label vectors, got LazyFrame; collect() it")
    if is_of("pyarrow", labelings, "Table"):
        return {column: labelings[column] for column in labelings.column_names}
    if hasattr(labelings, "columns"):
        repeated = [column for column, times in Counter(labelings.columns).items() if times > 1]
        if repeated:
            raise ValueError(f"{name} must have columns of different names, got {repeated[0]!r} twice")
        return {column: labelings[column] for column in labelings.columns}
    if isinstance(labelings, Sequence) and not isinstance(labelings, str | bytes):
        return dict(enumerate(labelings))
    shape = tuple(getattr(labelings, "shape", ()))
    hint = f" of shape {shape}; give its columns, list({name}.T)" if len(shape) == 2 else ""
    raise TypeError(f"{name} must be a mapping or a sequence of label vectors, got {type(labelings).__name__}{hint}")
