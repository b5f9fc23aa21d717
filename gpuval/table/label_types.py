"""Labels of several tables in one vector, in a type that holds them all: none goes through one that rounds or wraps."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, library_of, moved, to_host
from gpuval.numerics import Array


def concatenated(a: Array, b: Array) -> Array:
    """Two vectors of labels, one after the other (a host step, if they are unsigned and signed integers)."""
    if not (a.shape[0] and b.shape[0]):
        return a if a.shape[0] else b
    xp = backend_of(a).xp
    if a.dtype == b.dtype:
        return xp.concat([a, b])
    common = _common_type(a, b)
    return xp.concat([a, b] if common is None else [xp.astype(x, common) for x in (a, b)])


def _common_type(a: Array, b: Array) -> Any:
    """The type of labels of two types; None for text, of which NumPy takes the longest."""
    xp = backend_of(a).xp
    if xp is np:
        if a.dtype.kind == b.dtype.kind == "U":
            return None
        if not (a.dtype.kind in "iu" and b.dtype.kind in "iu"):
            return np.dtype(object)
    wide = backend_of(a).widest(a).int
    largest = int(xp.iinfo(wide).max)
    unsigned = [x.dtype for x in (a, b) if xp.iinfo(x.dtype).max > largest]
    if not unsigned:
        return wide
    low = min(int(to_host(xp.min(x))) for x in (a, b))
    high = max(int(to_host(xp.max(x))) for x in (a, b))
    if high <= largest:
        return wide
    if low >= 0:
        return unsigned[0]
    if xp is np:
        return np.dtype(object)
    raise ValueError(
        f"labels of tables that add up must be integers of one type, got {low} and {high}, and {library_of(a)} has no "
        "integers that hold both; give other numbers to them"
    )


def moved_labels(labels: np.ndarray[Any, Any], like: Array) -> Array:
    """Labels of the host in the library and on the device of ``like``."""
    if backend_of(like).on_host:
        return backend_of(labels).copied(labels)
    if labels.dtype.kind not in "biu":
        raise TypeError(f"labels must be integers in {library_of(like)}, got dtype {labels.dtype}")
    if not backend_of(like).compares_unsigned and labels.dtype == np.uint64:
        if len(labels) and int(labels.max()) >= 1 << 63:
            raise ValueError(f"labels must be below 2**63 in PyTorch, got {labels.max()}")
        labels = labels.astype(np.int64)
    if (
        not backend_of(like).widest(like).is_64bit
        and len(labels)
        and labels.min() >= 0
        and 1 << 31 <= int(labels.max()) < 1 << 32
    ):
        return backend_of(backend_of(like).from_host(labels.astype(np.uint32), like)).copied(
            backend_of(like).from_host(labels.astype(np.uint32), like)
        )
    return moved(labels, like)
