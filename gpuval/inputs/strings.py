"""Labels that are not numbers, as codes of their sorted distinct values; on the host, by hashing."""

from __future__ import annotations

from contextlib import suppress
from math import gcd
from typing import Any

import numpy as np

from gpuval.engines.backends import has_identity_hash
from gpuval.inputs.options import library_if_loaded
from gpuval.numerics import NDArray

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio."""

_BLOCK = 1 << 17
"""Words of text that a thread takes at once."""

_MANY_PARTS = 8
"""Blocks for which threads are worth their start."""

_MOST_PADDING = 16
"""How many times as long all labels together may become when each is padded to the longest."""


def factorize(data: NDArray) -> tuple[NDArray, NDArray]:
    """The codes of strings, bytes or objects (-1: missing), and the sorted labels; TypeError if one has no hash."""
    by_words = _factorize_by_words(data) if data.dtype.kind in "US" and data.nbytes else None
    if by_words is not None:
        return by_words
    codes, values = factorize_objects(data.tolist())
    return codes, values.astype(data.dtype)


def factorize_objects(labels: list[Any]) -> tuple[NDArray, NDArray]:
    """``factorize`` for a list of Python objects; objects that are equal as dictionary keys are one label."""
    distinct = dict.fromkeys(labels)
    types = set(map(type, distinct))
    if any(map(has_identity_hash, types)):
        raise TypeError("labels must be hashable by their values")
    if _are_plain(types):  # none of them is missing, and they have an order
        ordered = sorted(distinct)
        return _places(labels, ordered), np.fromiter(ordered, dtype=object, count=len(ordered))
    return sort_codes(_places(labels, list(distinct)), list(distinct))


def _places(labels: list[Any], distinct: list[Any]) -> NDArray:
    places = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(places.__getitem__, labels), np.int64, len(labels))


def _are_plain(types: set[type]) -> bool:
    """Whether labels of these types are all text or all bytes, of Python or NumPy."""
    return bool(types) and (types <= {str, np.str_} or types <= {bytes, np.bytes_})


def as_text(values: NDArray) -> NDArray:
    """Objects as an array of text or bytes, if all are that, none is changed, and padding takes little memory."""
    if not _are_plain(set(map(type, values))):
        return values
    lengths = list(map(len, values))
    if len(lengths) * max(lengths) > _MOST_PADDING * (sum(lengths) + 1):
        return values
    labels = values.tolist()
    text = np.asarray(labels)
    return text if text.tolist() == labels else values  # zeros at an end are lost


def _factorize_by_words(data: NDArray) -> tuple[NDArray, NDArray] | None:
    """Factorize strings of fixed width by a hash of their words; None if two of them share a hash."""
    from gpuval.numerics.distinct import number
    from gpuval.numerics.parallel import parallel_map, slices

    width = gcd(8, data.dtype.itemsize)
    words = np.ascontiguousarray(data).view(f"u{width}").reshape(len(data), -1)
    powers = _MULTIPLIER ** np.arange(words.shape[1], dtype=np.uint64)[::-1]  # 1 last: hashes sort alike texts together
    hashes = np.empty(len(data), dtype=np.uint64)
    parts = slices(len(data), max(1, _BLOCK // words.shape[1]))
    n_threads = 1 if len(parts) < _MANY_PARTS else None
    parallel_map(lambda part: np.matmul(words[part].astype(np.uint64), powers, out=hashes[part]), parts, n_threads)
    distinct, codes = number(hashes)
    one_of = np.empty(len(distinct), dtype=np.int64)
    one_of[codes] = np.arange(len(data))
    labels = data.take(one_of)
    own = labels.view(words.dtype).reshape(len(labels), -1)
    order = np.argsort(labels)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))

    def rank_equal(part: slice) -> bool:
        are_equal = np.array_equal(own.take(codes[part], axis=0, mode="clip"), words[part])
        rank.take(codes[part], out=codes[part], mode="clip")
        return are_equal

    return (codes, labels.take(order)) if all(parallel_map(rank_equal, parts, n_threads)) else None


def sort_codes(codes: NDArray, distinct: list[Any]) -> tuple[NDArray, NDArray]:
    """Codes into ``distinct`` (-1: missing) as codes into the sorted labels, and these."""
    ordered = sort_labels([x for x in distinct if not is_missing(x)])
    rank = dict(zip(ordered, range(len(ordered)), strict=True))
    rank_of = np.asarray([rank.get(x, -1) for x in distinct] + [-1], dtype=np.int64)
    return rank_of[codes], np.fromiter(ordered, dtype=object, count=len(ordered))


def is_hashable(label: Any) -> bool:
    """Whether a label has a hash that is equal for equal labels, so that a dictionary can distinguish labels."""
    try:
        hash(label)
    except TypeError:
        return False
    return not has_identity_hash(type(label))


def sort_labels(labels: list[Any]) -> list[Any]:
    """The labels in sorted order; if they cannot be compared with each other, they are sorted by type first."""
    with suppress(TypeError):
        return sorted(labels, key=as_python)
    with suppress(TypeError):
        return sorted(labels, key=lambda x: (type(x).__name__, x))
    return sorted(labels, key=lambda x: (type(x).__name__, str(x)))


def as_python(label: Any) -> Any:
    """A number of NumPy as one of Python: NumPy's would convert what it is compared with, and overflow or fail.

    Times stay: those in nanoseconds would become integers.
    """
    is_of_numpy = isinstance(label, np.generic) and not isinstance(label, np.datetime64 | np.timedelta64)
    return label.item() if is_of_numpy else label


def is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, NA or NaT."""
    pandas = library_if_loaded("pandas")
    return label is None or (pandas is not None and label is pandas.NA) or bool(label != label)
