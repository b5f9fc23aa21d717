"""From label vectors to integer codes 0, 1, 2, ..., with the checks that look at values; declared orders of labels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.engines.cells import is_narrow
from gpuval.inputs.containers import is_real_number
from gpuval.inputs.labels import Vector
from gpuval.numerics import Array


@dataclass(eq=False)  # not frozen, as ``Vector``
class Codes:
    """A label vector as codes in ``[0, size)``, and the label that each code stands for."""

    codes: Array
    size: int
    values: range | Array
    has_spare: bool = False
    """Whether there is one code more, ``size``, which stands for samples that do not count."""
    scale: Scale = None
    """The declared order of the labels."""

    @property
    def places(self) -> Array:
        """The codes as the widest integers, with which arrays are indexed."""
        backend = backend_of(self.codes)
        return backend.xp.astype(self.codes, backend.widest(self.codes).int)


def check_labels_have_values(vector: Vector) -> None:
    """Raise for a tensor of the meta device, which has a shape but no values."""
    if not vector.backend.has_values(vector.data):
        raise TypeError(
            f"{vector.name} must have values unless n_classes and n_clusters are given, got a tensor on "
            "the meta device; give both"
        )


# To integers

_MISSING = "must not have missing labels (NaN, None), got {count} of {size}; ignore_labels=[None] drops those samples"
_FRACTION = "must hold whole numbers, got {label}; continuous values are no labels"


def as_integers(vector: Vector, missing: str = _MISSING, fraction: str = _FRACTION) -> Vector:
    """A vector of numbers as integers; one of codes stays as it is. Raises for missing labels and fractions.

    ``missing`` and ``fraction`` are the texts of these errors, with the fields {count}, {size} and {label}.
    """
    data, backend = vector.data, vector.backend
    if vector.values is not None:  # codes, which are on the host
        _check_missing(vector, int(np.count_nonzero(data < 0)), missing)
        _check_values(vector, fraction)
        return vector
    if backend.kind(data) != "real":
        _check_comparable(vector)
        return replace(vector, data=backend.comparable(data))
    xp, wide = backend.xp, backend.widest(data)
    limit = min(2.0 / float(xp.finfo(data.dtype).eps), 2.0**63 if wide.is_64bit else 2.0**31)
    broken = ~((xp.trunc(data) == data) & (xp.abs(data) < limit))
    if bool(backend.to_host(xp.any(broken))):
        found = backend.to_host(data)[backend.to_host(broken)]
        _check_missing(vector, int(np.count_nonzero(np.isnan(found))), missing)
        _raise_for_floats(vector, float(found[0]), limit, fraction)
    return replace(vector, data=xp.astype(data, wide.int))


def _raise_for_floats(vector: Vector, first: float, limit: float, fraction: str) -> None:
    if first % 1 == 0:
        raise ValueError(
            f"{vector.name} must be below {limit:.0f} if they are {vector.data.dtype}, which rounds larger labels, got "
            f"{first!r}; give integers"
        )
    raise _no_whole_number(vector, first, fraction)


def _check_missing(vector: Vector, count: int, missing: str) -> None:
    if count:
        raise ValueError(f"{vector.name} {missing.format(count=count, size=vector.size)}")


def _check_values(vector: Vector, fraction: str) -> None:
    """Check that no object is a fraction; categories may be, as somebody named them on purpose."""
    values = vector.values
    if values is None or values.dtype.kind != "O" or hasattr(getattr(vector.given, "dtype", None), "categories"):
        return
    broken = [i for i, x in enumerate(values.tolist()) if isinstance(x, float | np.floating) and x % 1 != 0]
    used = np.intersect1d(vector.data, broken) if broken else broken
    if len(used):
        raise _no_whole_number(vector, values[used[0]], fraction)


def _no_whole_number(vector: Vector, label: float, fraction: str) -> ValueError:
    return ValueError(f"{vector.name} {fraction.format(label=repr(label))}")


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


# Samples that do not count


def with_spare(codes: Codes, counted: Array) -> Codes:
    """The codes of the samples that count, and the spare code for the others."""
    backend = backend_of(codes.codes)
    spared = backend.xp.where(counted, codes.places, codes.size)
    return replace(codes, codes=spared, has_spare=True)


def spread(codes: Codes, counted: Array) -> Codes:
    """Codes of the samples that count, put in their places among all samples; the others get the spare code."""
    backend = backend_of(codes.codes)
    xp, wide = backend.xp, backend.widest(codes.codes).int
    if not codes.codes.shape[0]:
        nothing = xp.full(counted.shape, codes.size, dtype=wide, device=backend.device(codes.codes))
        return replace(codes, codes=nothing, has_spare=True)
    place = backend.cumulative_sum(xp.astype(counted, wide)) - 1
    among_all = xp.take(codes.codes, xp.where(place < 0, xp.zeros_like(place), place))
    return with_spare(replace(codes, codes=among_all), counted)


def fill_ignored(vector: Vector, ignored: Array) -> Vector:
    """The labels, with one that occurs for those to ignore: they neither widen the range nor count as missing."""
    backend = vector.backend
    xp, data = backend.xp, vector.data
    if vector.size == 0:
        return vector
    if vector.values is not None:  # on the host
        kept = data[~ignored]
        return replace(vector, data=np.where(ignored, kept[0] if len(kept) else 0, data))
    data, kind = backend.comparable(data), backend.kind(data)
    highest = xp.full_like(data, float("inf") if kind == "real" else xp.iinfo(data.dtype).max)
    lowest = xp.min(xp.where(ignored, highest, data))
    if kind == "real":
        lowest = xp.where(lowest < float("inf"), lowest, xp.zeros_like(lowest))
    return replace(vector, data=xp.where(ignored, lowest, data))


def codes_below_size(vector: Vector, size: int, counted: Array) -> Codes:
    """The labels of the samples that count as codes below ``size``, without a transfer; 0 for the others."""
    backend = vector.backend
    xp, data = backend.xp, backend.comparable(vector.data)
    inside = xp.where(counted, data, xp.zeros_like(data))
    return Codes(xp.astype(inside, backend.widest(inside).int), size, range(size))


def fits(vector: Vector, size: int) -> Array:
    """Where a label is one of 0 to ``size - 1``."""
    backend = vector.backend
    data = backend.comparable(vector.data)
    if backend.kind(data) == "real":
        return (data >= 0) & (data < size) & (backend.xp.trunc(data) == data)
    return (data >= 0) & (data <= min(size - 1, backend.xp.iinfo(data.dtype).max))


# To codes


def encode(
    vector: Vector, limits: tuple[int, int] | None, capacity: int | None, capacity_name: str, scale: Scale = None
) -> Codes:
    """The codes of a vector of integers, or of codes.

    ``limits`` are its smallest and its largest integer; None if it has no sample or holds codes. ``capacity`` is the
    number of codes that the caller gives as the argument ``capacity_name``, whose labels are codes already.
    ``scale`` is the declared order of the labels.
    """
    if capacity is not None:
        return Codes(_labels_as_codes(vector, limits, capacity, capacity_name), capacity, range(capacity))
    data, backend = vector.data, vector.backend
    if vector.values is not None:
        return Codes(data, len(vector.values), vector.values, scale=scale)
    xp = backend.xp
    if limits is None:
        return Codes(xp.astype(data, backend.widest(data).int), 0, range(0))
    low, high = limits
    if _is_narrow(limits, vector.size, data):
        return Codes(_less(data, low), high - low + 1, range(low, high + 1))
    from gpuval.numerics.distinct import number  # which few labels need

    values, codes = number(data) if backend.on_host else xp.unique_inverse(data)
    return Codes(codes, values.shape[0], values)


def _is_narrow(limits: tuple[int, int], n_samples: int, like: Array) -> bool:
    backend = backend_of(like)
    return is_narrow(limits, n_samples, int(backend.xp.iinfo(backend.widest(like).int).max))


def size_of_codes(values: range | Array, size: int, n_samples: int) -> int:
    """How many codes ``encode`` would make: the range of the labels if it is narrow, else ``size``.

    ``values`` are the labels that occur, and ``size`` is their number.
    """
    host = None if isinstance(values, range) else backend_of(values).host_view(values)
    if host is None or host.dtype.kind not in "iu" or not len(host):
        return size
    limits = int(host.min()), int(host.max())
    return limits[1] - limits[0] + 1 if _is_narrow(limits, n_samples, values) else size


def _less(data: Array, low: int) -> Array:
    """``data - low``, in a type that holds it."""
    if low == 0:
        return data
    backend = backend_of(data)
    xp, wide = backend.xp, backend.widest(data).int
    return xp.astype(data - low, wide) if backend.is_unsigned(data) else xp.astype(data, wide) - low


def _labels_as_codes(vector: Vector, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> Array:
    """The labels themselves as codes below ``capacity``; raises for one that is no integer, or not in this range."""
    if vector.values is None:
        _check_within(vector.name, limits, capacity, capacity_name)
        return vector.data
    labels = vector.values.tolist()
    used = [labels[i] for i in np.unique(vector.data).tolist()]
    odd = [x for x in used if not isinstance(x, int | np.integer)]
    if odd:
        raise TypeError(
            f"{vector.name} must hold integers in [0, {capacity_name}) when {capacity_name}= is given, got the "
            f"label {odd[0]!r}"
        )
    _check_within(vector.name, (min(used), max(used)) if used else None, capacity, capacity_name)
    own = [x if isinstance(x, int | np.integer) and 0 <= x < capacity else 0 for x in labels]
    return np.asarray(own or [0], dtype=np.int64)[vector.data]


def _check_within(name: str, limits: tuple[int, int] | None, capacity: int, capacity_name: str) -> None:
    if limits is None:
        return
    low, high = limits
    if low < 0 or high >= capacity:
        raise ValueError(f"{name} must lie in [0, {capacity_name}) = [0, {capacity}), got {low if low < 0 else high}")


# Declared orders of labels: of ordered categories, of the rows and columns of a frame of counts, and of several.


Scale = tuple[Any, ...] | None
"""The labels of one side of a table in their declared order, with those that do not occur; None: none is declared.

() stands for orders that were declared for parts of the samples and do not make one order.
"""


def is_ordered(labels: Any) -> bool:
    """Whether a vector has ordered categories: a pandas Categorical that is ordered, or an Enum of polars."""
    dtype = getattr(labels, "dtype", None)
    return bool(getattr(dtype, "ordered", False)) or type(dtype).__name__ == "Enum"


def _are_numbers(labels: Collection[Any]) -> bool:
    """Whether all labels are numbers, which have an order by themselves."""
    return all(map(is_real_number, labels))


def merge_orders(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    """The only order of all labels in which both orders hold; () if there is none, or more than one.

    Numbers that ascend in both are in the order of their values.
    """
    if _ascend(first) and _ascend(second):
        return tuple(sorted({*first, *second}))
    of_first, of_second = set(first), set(second)
    order, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        x, y = first[i], second[j]
        if x != y and (x in of_second) == (y in of_first):
            return ()
        order.append(y if x in of_second else x)
        i, j = i + (x == y or x not in of_second), j + (x == y or y not in of_first)
    return (*order, *first[i:], *second[j:])


def extend_scale(scale: tuple[Any, ...], labels: Sequence[Any]) -> tuple[Any, ...]:
    """A scale on which other labels have their places, too; () if they have none."""
    if set(scale).issuperset(labels):
        return scale
    return merge_orders(scale, sorted(labels)) if _ascend(scale) and _are_numbers(labels) else ()


def _ascend(labels: Sequence[Any]) -> bool:
    return _are_numbers(labels) and all(x < y for x, y in pairwise(labels))
