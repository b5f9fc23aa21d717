"""Tables that are there already, and soft memberships: what they may be, and every check and message about them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from gpuval import _labels
from gpuval import _namespace as ns
from gpuval._containers import dense
from gpuval._magnitude import out_of_range, required
from gpuval._namespace import Array
from gpuval._samples import check_weights


def read_counts(counts: Any) -> tuple[Array, range | Array, range | Array, Array | None]:
    """The cells of a table, the labels of its rows and columns, and how many cells are broken (None: none)."""
    classes: Any = None
    clusters: Any = None
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and isinstance(counts, pandas.DataFrame):
        _check_labels(counts)
        classes, clusters = counts.index.to_numpy(), counts.columns.to_numpy()
        counts = _values(counts)
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


def read_memberships(true: Any, pred: Any, sample_weight: Any) -> tuple[Array, Array, Array | None]:
    """Both memberships as floats, and the weights in their widest type."""
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
    return u, v, weights


def _check_labels(frame: Any) -> None:
    for name, labels in (("index", frame.index), ("columns", frame.columns)):
        if labels.hasnans:
            raise ValueError(f"counts must not have missing labels, got one in the {name}; build it with dropna=True")
        if not labels.is_unique:
            repeated = labels[labels.duplicated()][0]
            raise ValueError(f"counts must have each label once, got {repeated!r} twice in the {name}")
    last = frame.index[-1:].tolist(), frame.columns[-1:].tolist()
    if ["All"] in last or (last[0] == last[1] and _ends_in_sums(frame)):
        raise ValueError(f"counts must not have margins, got {[*last[0], *last[1]]} at the ends; use margins=False")


def _ends_in_sums(frame: Any) -> bool:
    """Whether the last row and the last column are the sums of the others."""
    return min(frame.shape) > 1 and all(
        bool((x.iloc[:-1].sum() == x.iloc[-1]).all(axis=None)) for x in (frame, frame.T)
    )


def _values(frame: Any) -> np.ndarray[Any, Any]:
    """The cells of a DataFrame, whose columns may be of types that can miss values."""
    cells = frame.to_numpy()
    if cells.dtype != object or not all(dtype.kind in "biuf" for dtype in frame.dtypes):
        return np.asarray(cells)
    if any(dtype.kind == "f" for dtype in frame.dtypes) or frame.isna().any(axis=None):
        return np.asarray(frame.to_numpy(np.float64, na_value=np.nan))
    return np.asarray(frame.to_numpy(np.int64))


def read_matrix(x: Any, name: str) -> Array:
    """``x`` as an array."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError(f"{name} must not have masked cells, got {int(x.mask.sum())} of them; fill them")
    try:
        array = dense(x, name) if ns.is_array(x) and not ns.is_numpy(x) else np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be a table, got rows of different lengths") from None
    if ns.is_numpy(array) and array.dtype == object and array.ndim == 0:
        raise TypeError(f"{name} must be a table (array, nested lists or DataFrame), got {type(x).__name__}")
    return array


def checked_counts(counts: Array, name: str) -> tuple[Array, Array | None]:
    """``counts`` in their widest type, and how many are broken (None where that has been looked at)."""
    kind = ns.kind(counts)
    if kind == "other":
        raise TypeError(f"{name} must hold real numbers, got dtype {counts.dtype}")
    xp, wide = ns.namespace(counts), ns.widest(counts)
    given, counts = counts, ns.widened(counts)
    broken = ~((counts >= 0) & (counts < float("inf"))) if kind == "real" else counts < 0
    axes = tuple(range(-min(2, len(counts.shape)), 0))  # the stored cells of a sparse table are a vector
    wrong_size = out_of_range(counts, axes)
    if xp is not np:
        return counts, ns.count_true(broken, axes) + xp.astype(wrong_size, wide.int)
    if broken.any():
        raise ValueError(f"{name} must be finite and not negative, got {counts[broken][0]}")
    if wrong_size.any():
        found = sum((given[wrong_size] if given.ndim > 2 else given).ravel().tolist())
        mend = "scale them" if kind == "real" else "give them as floats"
        raise ValueError(f"{name} must add up to {required(counts)}, got {found}; {mend}")
    return counts, None
