"""Tables that are there already, and soft memberships: what they may be, and every check and message about them."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array
from gpuval.inputs import labels as _labels
from gpuval.inputs.containers import dense
from gpuval.inputs.limits import out_of_range, required
from gpuval.inputs.samples import check_weights
from gpuval.numerics import Array


def read_counts(counts: Any) -> tuple[Array, range | Array, range | Array, Array | None]:
    """The cells of a table, the labels of its rows and columns, and how many cells are broken (None: none)."""
    classes: Any = None
    clusters: Any = None
    pandas: Any = sys.modules.get("pandas")
    if pandas is not None and isinstance(counts, pandas.DataFrame):
        _check_labels(counts)
        classes, clusters = (x.to_numpy(copy=True) for x in (counts.index, counts.columns))
        frame, counts = counts, _values(counts)
        _check_margins(frame, counts)
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
    xp, wide = backend_of(u).xp, backend_of(u).widest(u)
    u, v = xp.astype(u, wide.float), xp.astype(v, wide.float)
    if xp is np:
        check_weights(weights)
    return u, v, weights


def _check_labels(frame: Any) -> None:
    for name, labels in (("index", frame.index), ("columns", frame.columns)):
        if any(labels.get_level_values(i).hasnans for i in range(labels.nlevels)):
            raise ValueError(f"counts must not have missing labels, got one in the {name}; build it with dropna=True")
        if not labels.is_unique:
            repeated = labels[labels.duplicated()][0]
            raise ValueError(f"counts must have each label once, got {repeated!r} twice in the {name}")


def _check_margins(frame: Any, counts: np.ndarray[Any, Any]) -> None:
    """Refuse the margins of a pandas crosstab, whose name is text: "All", or another after labels that are none."""
    last = [x[-1] if len(x) else None for x in (frame.index, frame.columns)]
    if not (backend_of(counts).kind(counts) in ("integer", "real") and any(isinstance(x, str) for x in last)):
        return
    if last[0] == last[1] and _ends_in_sums(counts):
        others = [*frame.index[:-1], *frame.columns[:-1]]
        is_margin = last[0] == "All" or (len(others) > 2 and not any(isinstance(x, str) for x in others))
        if not is_margin:
            warnings.warn(
                f"the last row and column of counts, {last[0]!r}, are the sums of the others: they are taken for a "
                "class and a cluster; if they are margins, use margins=False",
                stacklevel=4,
            )
    else:
        is_margin = counts.dtype.kind == "f" and any(
            x == "All" and bool(np.allclose(counts.sum(axis), 1, rtol=1e-12, atol=0))
            for x, axis in zip(last, (1, 0), strict=True)
        )
    if is_margin:
        raise ValueError(f"counts must not have margins, got {last} at the ends; use margins=False")


def _ends_in_sums(counts: np.ndarray[Any, Any]) -> bool:
    """Whether the last row and the last column are the sums of the others, and the last cell that of them all."""
    inner = counts[:-1, :-1]
    expected = np.append(inner.sum(axis=1), inner.sum()), np.append(inner.sum(axis=0), inner.sum())
    return min(counts.shape) > 1 and all(
        np.allclose(x, y, rtol=1e-12, atol=0) for x, y in zip((counts[:, -1], counts[-1]), expected, strict=True)
    )


def _values(frame: Any) -> np.ndarray[Any, Any]:
    """The cells of a DataFrame, whose columns may be of types that can miss values, or have no common integer type."""
    cells, kinds = frame.to_numpy(), {dtype.kind for dtype in frame.dtypes}
    if not kinds <= set("biuf") or (cells.dtype.kind == "f" and "f" in kinds):
        return np.asarray(cells)
    if "f" in kinds or frame.isna().any(axis=None):
        return np.asarray(frame.to_numpy(np.float64, na_value=np.nan))
    if cells.dtype.kind in "biu":
        return np.asarray(cells)
    exact: np.ndarray[Any, Any] = frame.to_numpy(object)
    return exact if (exact >= 1 << 63).any() else exact.astype(np.int64)


def read_matrix(x: Any, name: str) -> Array:
    """``x`` as an array."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError(f"{name} must not have masked cells, got {int(x.mask.sum())} of them; fill them")
    try:
        array = dense(x, name) if is_array(x) and not backend_of(x).on_host else np.asarray(x)
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be a table, got rows of different lengths") from None
    if backend_of(array).on_host and array.dtype == object and array.ndim == 0:
        raise TypeError(f"{name} must be a table (array, nested lists or DataFrame), got {type(x).__name__}")
    return array


def check_has_values(x: Array, name: str) -> None:
    """Raise for a tensor of a shape alone."""
    if not backend_of(x).has_values(x):
        raise TypeError(f"{name} must have values, got a tensor on the device meta; give one on another device")


def checked_counts(counts: Array, name: str) -> tuple[Array, Array | None]:
    """``counts`` in their widest type, and how many are broken (None where that has been looked at)."""
    check_has_values(counts, name)
    kind = backend_of(counts).kind(counts)
    axes = tuple(range(-min(2, len(counts.shape)), 0))  # the stored cells of a sparse table are a vector
    if kind == "other":
        if backend_of(counts).on_host and counts.size and all(isinstance(x, int | np.integer) for x in counts.flat):
            raise _wrong_sum(np.zeros(0, np.int64), name, sum(map(int, counts.flat)))
        raise TypeError(f"{name} must hold real numbers, got dtype {counts.dtype}")
    xp, wide = backend_of(counts).xp, backend_of(counts).widest(counts)
    given, counts = counts, backend_of(counts).widened(counts)
    if xp is not np:
        broken = ~((counts >= 0) & (counts < float("inf"))) if kind == "real" else counts < 0
        return counts, backend_of(broken).count_true(broken, axes) + xp.astype(out_of_range(counts, axes), wide.int)
    broken = ~((given >= 0) & (given < math.inf))
    if broken.any():
        raise ValueError(f"{name} must be finite and not negative, got {given[broken][0]}")
    wrong_sum = out_of_range(given, axes)
    if wrong_sum.any():
        raise _wrong_sum(counts, name, sum((given[wrong_sum] if given.ndim > 2 else given).ravel().tolist()))
    return counts, None


def _wrong_sum(like: np.ndarray[Any, Any], name: str, found: Any) -> ValueError:
    mend = "scale them" if isinstance(found, float) else "give them as floats"
    return ValueError(f"{name} must add up to {required(like)}, got {found}; {mend}")
