"""Tables that are there already, and soft memberships: what they may be, and every check and message about them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._namespace import Array
from gpuval._samples import check_weights


def read_counts(counts: Any) -> tuple[Array, range | Array, range | Array, Array | None]:
    """The cells of a table, the labels of its rows and columns, and how many cells are broken (None: none)."""
    classes: Any = None
    clusters: Any = None
    if type(counts).__module__.startswith("pandas") and hasattr(counts, "columns"):
        classes, clusters = counts.index.to_numpy(), counts.columns.to_numpy()
        counts = counts.to_numpy()
    counts = read_matrix(counts, "counts")
    if len(counts.shape) < 2:
        raise ValueError(f"counts must have at least two dimensions, got shape {tuple(counts.shape)}")
    counts, invalid = checked_counts(counts, "counts")
    *_, n_rows, n_columns = counts.shape
    return (
        counts,
        range(n_rows) if classes is None else classes,
        range(n_columns) if clusters is None else clusters,
        invalid,
    )


def read_memberships(true: Any, pred: Any, sample_weight: Any) -> tuple[Array, Array]:
    """Both memberships as floats, the first of them weighted."""
    names = ("memberships_true", "memberships_pred")
    arrays = [read_matrix(x, name) for x, name in zip((true, pred), names, strict=True)]
    for x, name in zip(arrays, names, strict=True):
        if len(x.shape) != 2:
            raise ValueError(f"{name} must have the shape (n_samples, n_groups), got {tuple(x.shape)}")
    rows = [_labels.Vector(name, given, x) for name, given, x in zip(names, (true, pred), arrays, strict=True)]
    _labels.check_alike(*rows)
    weights = _labels.read_weights(sample_weight, *rows)
    u, v = (checked_counts(x, name)[0] for x, name in zip(arrays, names, strict=True))
    xp, wide = ns.namespace(u), ns.widest(u)
    u, v = xp.astype(u, wide.float), xp.astype(v, wide.float)
    if xp is np:
        check_weights(weights)
    return (u if weights is None else u * xp.astype(weights, wide.float)[:, None]), v


def read_matrix(x: Any, name: str) -> Array:
    """``x`` as an array."""
    try:
        array = x if ns.is_array(x) else np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be a table, got rows of different lengths") from None
    if ns.is_numpy(array) and array.dtype == object and array.ndim == 0:
        raise TypeError(f"{name} must be a table (array, nested lists or DataFrame), got {type(x).__name__}")
    return array


def checked_counts(counts: Array, name: str) -> tuple[Array, Array | None]:
    """``counts`` in their widest type, and how many are broken (None where that has been looked at)."""
    xp, wide, kind = ns.namespace(counts), ns.widest(counts), ns.kind(counts)
    if kind == "other":
        raise TypeError(f"{name} must hold real numbers, got dtype {counts.dtype}")
    counts = xp.astype(counts, wide.float if kind == "real" else wide.int)
    broken = ~((counts >= 0) & (counts < float("inf"))) if kind == "real" else counts < 0
    overflow = _overflow(counts)
    if xp is not np:
        n_broken = ns.count_true(broken)
        return counts, n_broken if overflow is None else n_broken + ns.count_true(overflow)
    if broken.any():
        raise ValueError(f"{name} must be finite and not negative, got {counts[broken][0]}")
    if overflow is not None and overflow.any():
        raise ValueError(
            f"{name} must add up to less than 2**62, got {sum(counts.ravel().tolist())}; give them as floats"
        )
    return counts, None


def _overflow(counts: Array) -> Array | None:
    """Whether the sum of the integers of each table may overflow; None for floats, which may not."""
    if ns.kind(counts) != "integer":
        return None
    wide = ns.widest(counts)
    axes = tuple(range(-min(2, len(counts.shape)), 0))  # the stored cells of a sparse table are a vector
    return ns.total(ns.namespace(counts).astype(counts, wide.float), axes) >= 2.0 ** (62 if wide.is_64bit else 30)
