"""The labels of rows and columns: selecting them, moving them, and joining those of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines import without_waiting
from gpuval.engines.backends import backend_of, library_of, move_to, to_host
from gpuval.inputs.codes import Scale, extend_scale, merge_orders
from gpuval.inputs.containers import is_real_number
from gpuval.inputs.options import require_extra
from gpuval.numerics import Array, NDArray

_MOST_SHOWN = 12
"""Labels of one side that messages show."""


def labels_at(values: range | Array, places: Array) -> Array:
    """The labels of the rows (or columns) at ``places``."""
    if isinstance(values, range):
        return _labels_of_range(places, values)
    if backend_of(values).on_host and not backend_of(places).on_host:
        return values[to_host(places)]
    return backend_of(values).xp.take(values, without_waiting(places))


def _labels_of_range(places: Array, labels: range) -> Array:
    """``places + labels.start``, unsigned where their own type does not hold the labels."""
    backend = backend_of(places)
    xp = backend.xp
    if not labels or labels[-1] <= xp.iinfo(places.dtype).max:
        return places + labels.start
    # only on devices of 32 bits: a range of 64-bit labels fits
    return xp.astype(places, xp.uint32) + backend.from_host(np.uint32(labels.start), places)


def move_labels(labels: NDArray, like: Array) -> Array:
    """Labels of the host in the library and on the device of ``like``."""
    backend = backend_of(like)
    if backend.on_host:
        return backend.copied(labels)
    if labels.dtype.kind not in "biu":
        raise TypeError(f"labels must be integers in {library_of(like)}, got dtype {labels.dtype}")
    if not backend.compares_unsigned and labels.dtype == np.uint64:
        if len(labels) and int(labels.max()) >= 1 << 63:
            raise ValueError(f"labels must be below 2**63 in PyTorch, got {labels.max()}")
        labels = labels.astype(np.int64)
    has_32_bits = not backend.widest(like).is_64bit and len(labels) > 0
    if has_32_bits and labels.min() >= 0 and 1 << 31 <= int(labels.max()) < 1 << 32:
        return backend.copied(backend.from_host(labels.astype(np.uint32), like))
    return move_to(labels, like)


def labels_beside(labels: range | Array, like: Array) -> Array:
    """A copy of the labels: numbers in the library and on the device of ``like``, other labels in NumPy."""
    backend = backend_of(like)
    if isinstance(labels, range):
        return labels_at(labels, backend.arange_beside(0, len(labels), backend.widest(like).int, like))
    if backend_of(labels).on_host:
        return move_labels(labels, like) if labels.dtype.kind in "biu" else labels.copy()
    return backend.copied(labels)


def frame_of_counts(counts: Array, classes: range | Array, clusters: range | Array, use: str) -> Any:
    """Counts as a pandas DataFrame with their labels (copies to the host); an error names ``use``."""
    with require_extra(use, "pandas"):
        import pandas as pd

    if len(counts.shape) != 2:
        raise ValueError(f"a single table is needed for a DataFrame, got a batch of shape {tuple(counts.shape[:-2])}")
    index, columns = label_index(pd, classes, "class"), label_index(pd, clusters, "cluster")
    return pd.DataFrame(to_host(counts), index=index, columns=columns, copy=True)


def label_index(pd: Any, labels: range | Array, name: str) -> Any:
    """Labels as an index of pandas (a copy to the host)."""
    return pandas_index(pd, labels_on_host(labels), name=name, copy=True)


def pandas_index(pd: Any, values: Any, **options: Any) -> Any:
    """Values as an index of pandas: of Python objects if a text is no Unicode, as pandas 3 has no other type for it."""
    try:
        return pd.Index(values, **options)
    except UnicodeEncodeError:
        return pd.Index(values, dtype=object, **options)


def labels_on_host(labels: range | Array) -> NDArray:
    """Labels as an array of NumPy."""
    return np.asarray(labels) if isinstance(labels, range) else to_host(labels)


class _Places(NamedTuple):
    """The places of the classes and of the clusters, on the device of their table, in one list of all labels."""

    rows: Array
    columns: Array
    labels: Sequence[Any]
    unordered: str = ""
    """Why the list is in no order that has a meaning, for a message; "" if it has one."""


def common_places(
    classes: range | Array,
    clusters: range | Array,
    scales: tuple[Scale, Scale],
    like: Array,
    of: str,
    order: Sequence[Any] | None = None,
    *,
    keeps_empty: bool = True,
) -> _Places:
    """The places of the labels of both sides in one list: in a given order, in the declared one, or else sorted.

    A given order has all the labels. ``keeps_empty`` says whether the list has declared labels that do not occur.
    ``of`` is the name of the caller, for the error about labels that cannot be sorted. ``like`` is an array on the
    device of the table.
    """
    backend = backend_of(like)
    n_rows, n_columns = (len(x) if isinstance(x, range) else x.shape[0] for x in (classes, clusters))
    is_free = order is None and scales == (None, None)
    if (
        is_free
        and isinstance(classes, range)
        and isinstance(clusters, range)
        and max(classes.start, clusters.start) <= min(classes.stop, clusters.stop)
    ):
        start = min(classes.start, clusters.start)
        stop = max(classes.stop, clusters.stop)
        wide, device = backend.widest(like).int, backend.device(like)
        starts = [x.start - start for x in (classes, clusters)]
        rows, columns = (
            backend.xp.arange(first, first + length, dtype=wide, device=device)
            for first, length in zip(starts, (n_rows, n_columns), strict=True)
        )
        return _Places(rows, columns, range(start, stop))
    sides = [labels_on_host(x).tolist() for x in (classes, clusters)]
    labels, unordered = (list(order), "") if order is not None else _order_labels(sides, scales, of)
    if not keeps_empty:
        occurring = {*sides[0], *sides[1]}
        labels = [x for x in labels if x in occurring]
    place = {label: i for i, label in enumerate(labels)}
    rows, columns = (backend.from_host(np.asarray([place[x] for x in side], dtype=np.int64), like) for side in sides)
    return _Places(rows, columns, labels, unordered)


def _order_labels(sides: list[list[Any]], scales: tuple[Scale, Scale], of: str) -> tuple[Sequence[Any], str]:
    """All labels of both sides in their order, and why this has no meaning: "" if it has one."""
    declared = [x for x in scales if x is not None]
    if not declared:
        labels = _sort_together(sides, of)
        text = next((x for x in labels if not is_real_number(x)), None)
        return labels, "" if text is None else f"labels without one, such as {text!r}"
    if () in declared:
        return _sort_together(sides, of), "tables that were added and declare different ones"
    if len(declared) == 2:
        order = merge_orders(*declared)
        orders = " and ".join(map(_labels_text, declared))
    else:
        other = sides[0] if scales[0] is None else sides[1]
        order = extend_scale(declared[0], other)
        lacking = next((x for x in other if x not in declared[0]), None)
        orders = f"{_labels_text(declared[0])}, which lacks {lacking!r}"
    return (order, "") if order else (_sort_together(sides, of), orders)


def check_some_are_the_same(
    classes: range | Array, clusters: range | Array, scales: tuple[Scale, Scale], of: str
) -> None:
    """Check that both sides have a label in common, if both have labels; ``of`` is what compares them."""
    sides = [scale or labels_on_host(x).tolist() for x, scale in zip((classes, clusters), scales, strict=True)]
    if all(sides) and set(sides[0]).isdisjoint(sides[1]):
        shown = " and ".join(map(_labels_text, sides))
        raise ValueError(
            f"{of} compares the names of labels, so both sides must have some in common, got {shown}; give the "
            "clusters the names of classes, or use a measure that does not depend on names"
        )


def _sort_together(sides: list[list[Any]], of: str) -> list[Any]:
    try:
        return sorted({*sides[0], *sides[1]})
    except TypeError:
        examples = " and ".join(repr(next(iter(side), None)) for side in sides)
        raise TypeError(
            f"{of} needs labels of one kind on both sides, which can be sorted together, got {examples}"
        ) from None


def _labels_text(labels: Sequence[Any]) -> str:
    return f"({', '.join(map(repr, labels[:_MOST_SHOWN]))}{', ...' * (len(labels) > _MOST_SHOWN)})"
