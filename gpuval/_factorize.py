"""Labels that are not numbers, as codes into their sorted distinct values; on the host, by hashing."""

from __future__ import annotations

from contextlib import suppress
from math import gcd
from typing import Any

import numpy as np

NDArray = np.ndarray[Any, Any]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio."""


def factorize(data: NDArray) -> tuple[NDArray, NDArray]:
    """The codes of strings, bytes or objects (-1: missing), and the sorted labels; TypeError if one has no hash."""
    by_words = _by_words(data) if data.dtype.kind in "US" and data.nbytes else None
    if by_words is not None:
        return by_words
    places: dict[Any, int] = {}
    raw = data.tolist()
    found = np.fromiter((places.setdefault(x, len(places)) for x in raw), np.int64, len(raw))
    codes, values = in_order(found, list(places))
    return codes, values.astype(data.dtype)


def _by_words(data: NDArray) -> tuple[NDArray, NDArray] | None:
    """Factorize strings of fixed width by a hash of their words; None if two of them share a hash."""
    width = gcd(8, data.dtype.itemsize)
    words = np.ascontiguousarray(data).view(f"u{width}").reshape(len(data), -1)
    hashes = words[:, 0].astype(np.uint64)
    for j in range(1, words.shape[1]):
        hashes *= _MULTIPLIER
        hashes ^= hashes >> np.uint64(29)
        hashes += words[:, j]
    distinct = np.unique_inverse(hashes)
    values = np.empty(len(distinct.values), dtype=data.dtype)
    values[distinct.inverse_indices] = data
    if not np.array_equal(values[distinct.inverse_indices], data):
        return None
    order = np.argsort(values)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[distinct.inverse_indices], values[order]


def in_order(found: NDArray, distinct: list[Any]) -> tuple[NDArray, NDArray]:
    """Codes into ``distinct`` (-1: missing) as codes into the sorted labels, and these."""
    ordered = _sorted([x for x in distinct if not is_missing(x)])
    rank = {label: i for i, label in enumerate(ordered)}
    rank_of = np.asarray([-1 if is_missing(x) else rank[x] for x in distinct] + [-1], dtype=np.int64)
    return rank_of[found], np.fromiter(ordered, dtype=object, count=len(ordered))


def _sorted(labels: list[Any]) -> list[Any]:
    """The labels in their order; those of several types have none of their own, and go type by type."""
    with suppress(TypeError):
        return sorted(labels)
    with suppress(TypeError):
        return sorted(labels, key=lambda x: (type(x).__name__, x))
    return sorted(labels, key=lambda x: (type(x).__name__, str(x)))


def is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, NA or NaT."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or bool(label != label)
