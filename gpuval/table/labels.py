"""The labels of rows and columns: selecting them, moving them, and joining those of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, library_of, moved, to_host
from gpuval.inputs.options import needed
from gpuval.numerics import Array, NDArray


def labels_at(values: range | Array, places: Array) -> Array:
    """The labels of the rows (or columns) at ``places``."""
    if isinstance(values, range):
        return _shifted(places, values)
    if backend_of(values).on_host and not backend_of(places).on_host:
        return values[to_host(places)]
    return backend_of(values).xp.take(values, places)


def _shifted(places: Array, labels: range) -> Array:
    """``places + labels.start``, unsigned where their own type does not hold the labels."""
    backend = backend_of(places)
    xp = backend.xp
    if not labels or labels[-1] <= xp.iinfo(places.dtype).max:
        return places + labels.start
    # only on devices of 32 bits: a range of 64-bit labels fits
    return xp.astype(places, xp.uint32) + backend.from_host(np.uint32(labels.start), places)


def moved_labels(labels: NDArray, like: Array) -> Array:
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
    return moved(labels, like)


def labels_beside(labels: range | Array, like: Array) -> Array:
    """A copy of the labels: numbers in the library and on the device of ``like``, other labels in NumPy."""
    backend = backend_of(like)
    if isinstance(labels, range):
        return labels_at(labels, backend.arange_beside(0, len(labels), backend.widest(like).int, like))
    if backend_of(labels).on_host:
        return moved_labels(labels, like) if labels.dtype.kind in "biu" else labels.copy()
    return backend.copied(labels)


def frame_of_counts(counts: Array, classes: range | Array, clusters: range | Array, use: str) -> Any:
    """Counts as a pandas DataFrame with their labels (copies to the host); an error names ``use``."""
    with needed(use, "pandas"):
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


def common_places(
    classes: range | Array, clusters: range | Array, like: Array, of: str
) -> tuple[Array, Array, Sequence[Any]]:
    """The places of the classes and of the clusters in the sorted list of all labels of both sides, and this list.

    The places are arrays on the device of ``like``. ``of`` is the name of the caller, for the error about labels that
    cannot be sorted.
    """
    backend = backend_of(like)
    n_rows, n_columns = (len(x) if isinstance(x, range) else x.shape[0] for x in (classes, clusters))
    ranges = isinstance(classes, range) and isinstance(clusters, range)
    if ranges and max(classes.start, clusters.start) <= min(classes.stop, clusters.stop):
        start = min(classes.start, clusters.start)
        stop = max(classes.stop, clusters.stop)
        wide, device = backend.widest(like).int, backend.device(like)
        starts = [x.start - start for x in (classes, clusters)]
        rows, columns = (
            backend.xp.arange(first, first + length, dtype=wide, device=device)
            for first, length in zip(starts, (n_rows, n_columns), strict=True)
        )
        return rows, columns, range(start, stop)
    sides = [list(x) if isinstance(x, range) else to_host(x).tolist() for x in (classes, clusters)]
    try:
        union = sorted({*sides[0], *sides[1]})
    except TypeError:
        examples = " and ".join(repr(next(iter(side), None)) for side in sides)
        raise TypeError(
            f"{of} needs labels of one kind on both sides, which can be sorted together, got {examples}"
        ) from None
    place = {label: i for i, label in enumerate(union)}
    rows, columns = (backend.from_host(np.asarray([place[x] for x in side], dtype=np.int64), like) for side in sides)
    return rows, columns, union
