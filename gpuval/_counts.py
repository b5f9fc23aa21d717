"""Tables that are there already, and soft memberships: what they may be, and every check and message about them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._namespace import Array


def read_counts(counts: Any) -> tuple[Array, range | Array, range | Array, Array | None]:
    """The cells of a table, the labels of its rows and columns, and how many cells are broken (None: none)."""
    classes: Any = None
    clusters: Any = None
    if type(counts).__module__.startswith("pandas") and hasattr(counts, "columns"):
        classes, clusters = counts.index.to_numpy(), counts.columns.to_numpy()
        counts = counts.to_numpy()
    if not ns.is_array(counts):
        try:
            counts = np.asarray(counts)
        except ValueError:
            raise ValueError("counts must be a table, got rows of different lengths") from None
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
    arrays = [x if ns.is_array(x) else np.asarray(x) for x in (true, pred)]
    for x, name in zip(arrays, names, strict=True):
        if len(x.shape) != 2:
            raise ValueError(f"{name} must have the shape (n_samples, n_groups), got {tuple(x.shape)}")
    firsts = [_labels.Vector(name, x, x[:, 0]) for x, name in zip(arrays, names, strict=True)]
    _labels.check_alike(*firsts)
    weights = _labels.read_weights(sample_weight, firsts[0])
    u, v = (checked_counts(x, name)[0] for x, name in zip(arrays, names, strict=True))
    xp, wide = ns.namespace(u), ns.widest(u)
    u, v = xp.astype(u, wide.float), xp.astype(v, wide.float)
    return (u if weights is None else u * xp.astype(weights, wide.float)[:, None]), v


def checked_counts(counts: Array, name: str) -> tuple[Array, Array | None]:
    """``counts`` in their widest type, and how many are broken (None where that has been looked at)."""
    xp, wide, kind = ns.namespace(counts), ns.widest(counts), ns.kind(counts)
    if kind == "other":
        raise TypeError(f"{name} must hold real numbers, got dtype {counts.dtype}")
    counts = xp.astype(counts, wide.float if kind == "real" else wide.int)
    broken = ~((counts >= 0) & (counts < float("inf")))
    if xp is not np:
        return counts, ns.count_true(broken)
    if broken.any():
        raise ValueError(f"{name} must be finite and not negative, got {counts[broken][0]}")
    return counts, None
