"""Tables of counts and soft memberships as they are given: what they may be, and every check and message about them."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask
from gpuval.inputs.codes import Scale, is_ordered
from gpuval.inputs.containers import as_numbers, dense, is_of, is_real_number
from gpuval.inputs.labels import Vector, check_alike
from gpuval.inputs.options import level_of_user, out_of_range, sum_range_text
from gpuval.inputs.samples import check_weights
from gpuval.inputs.selection import read_weights
from gpuval.numerics import Array


def read_counts(counts: Any) -> tuple[Array, range | Array, range | Array, Array | None, tuple[Scale, Scale]]:
    """The cells of a table, the labels of its rows and columns, how many cells are invalid, and the order of labels.

    If no cell is invalid, the number is None. The rows and columns of a frame are in the order of their labels.
    """
    classes: Any = None
    clusters: Any = None
    scales: tuple[Scale, Scale] = (None, None)
    if is_of("pandas", counts, "DataFrame"):
        _check_labels(counts)
        classes, clusters = (x.to_numpy(copy=True) for x in (counts.index, counts.columns))
        scales = _order_of(counts.index), _order_of(counts.columns)
        frame, counts = counts, as_matrix(_values(counts), "counts")
        _check_margins(frame, counts)
    counts = as_matrix(counts, "counts")
    if len(counts.shape) < 2:
        raise ValueError(f"counts must have at least two dimensions, got shape {tuple(counts.shape)}")
    counts, invalid = widen_counts(counts, "counts")
    *_, n_rows, n_columns = counts.shape
    return (
        counts,
        range(n_rows) if classes is None else classes,
        range(n_columns) if clusters is None else clusters,
        invalid,
        scales,
    )


def _order_of(index: Any) -> Scale:
    """The order of rows or columns; if they are ordered categories, that of all categories."""
    return tuple((index.categories if is_ordered(index) else index).to_numpy().tolist()) or None


def read_memberships(true: Any, pred: Any, sample_weight: Any) -> tuple[Array, Array, Array | None]:
    """Both memberships as floats, and the weights in their widest type."""
    names = ("memberships_true", "memberships_pred")
    arrays = [as_matrix(x, name) for x, name in zip((true, pred), names, strict=True)]
    for x, name in zip(arrays, names, strict=True):
        if len(x.shape) != 2:
            raise ValueError(f"{name} must have the shape (n_samples, n_groups), got {tuple(x.shape)}")
    rows = [Vector(name, given, x) for name, given, x in zip(names, (true, pred), arrays, strict=True)]
    check_alike(*rows)
    weights = read_weights(sample_weight, *rows)
    u, v = (_as_counts(x, name) for x, name in zip(arrays, names, strict=True))
    backend = backend_of(u)
    xp, real = backend.xp, backend.widest(u).float
    if backend.on_host:
        check_weights(weights)
    return xp.astype(u, real), xp.astype(v, real), weights


def _check_labels(frame: Any) -> None:
    for name, labels in (("index", frame.index), ("columns", frame.columns)):
        if any(labels.get_level_values(i).hasnans for i in range(labels.nlevels)):
            raise ValueError(f"counts must not have missing labels, got one in the {name}; build it with dropna=True")
        if not labels.is_unique:
            repeated = labels[labels.duplicated()][0]
            raise ValueError(f"counts must have each label once, got {repeated!r} twice in the {name}")


def _check_margins(frame: Any, counts: np.ndarray[Any, Any]) -> None:
    """Refuse the margins of a pandas crosstab: their name is text, "All" or another where the labels are not text."""
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
                stacklevel=level_of_user(),
            )
    else:
        is_margin = counts.dtype.kind == "f" and any(
            x == "All" and bool(np.allclose(counts.sum(axis), 1, rtol=1e-12, atol=0))
            for x, axis in zip(last, (1, 0), strict=True)
        )
    if is_margin:
        raise ValueError(f"counts must not have margins, got {last} at the ends; use margins=False")


def _ends_in_sums(counts: np.ndarray[Any, Any]) -> bool:
    """Whether the last row and the last column are the sums of the others, and the last cell is the sum of all."""
    inner = counts[:-1, :-1]
    expected = np.append(inner.sum(axis=1), inner.sum()), np.append(inner.sum(axis=0), inner.sum())
    return min(counts.shape) > 1 and all(
        np.allclose(x, y, rtol=1e-12, atol=0) for x, y in zip((counts[:, -1], counts[-1]), expected, strict=True)
    )


def _values(frame: Any) -> np.ndarray[Any, Any]:
    """The cells of a DataFrame: its columns may have types with missing values, or no integer type in common."""
    cells, kinds = frame.to_numpy(), {dtype.kind for dtype in frame.dtypes}
    if not kinds <= set("biuf") or (cells.dtype.kind == "f" and "f" in kinds):
        return np.asarray(cells)
    if "f" in kinds or frame.isna().any(axis=None):
        return np.asarray(frame.to_numpy(np.float64, na_value=np.nan))
    if cells.dtype.kind in "biu":
        return np.asarray(cells)
    exact: np.ndarray[Any, Any] = frame.to_numpy(object)
    return exact if (exact >= 1 << 63).any() else exact.astype(np.int64)


def as_matrix(x: Any, name: str) -> Array:
    """An array, nested lists or a DataFrame as an array; its shape is not checked."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError(f"{name} must not have masked cells, got {int(x.mask.sum())} of them; fill them first")
    try:
        is_elsewhere = is_array(x) and not backend_of(x).on_host
        array = dense(x, name) if is_elsewhere else _numbers(np.asarray(x))
    except ValueError:  # what NumPy says of ragged rows
        raise ValueError(f"{name} must be a table, got rows of different lengths") from None
    if backend_of(array).on_host and array.dtype == object and array.ndim == 0:
        raise TypeError(f"{name} must be a table (array, nested lists or DataFrame), got {type(x).__name__}")
    return array


def _numbers(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Objects that all are numbers as numbers, if all their integers lie below 2**63."""
    if x.dtype != object or not x.size or not all(map(is_real_number, x.flat)):
        return x
    integers = [int(y) for y in x.flat if isinstance(y, int | np.integer)]
    return x if any(abs(y) >= 1 << 63 for y in integers) else as_numbers(x, "counts")


def check_has_values(x: Array, name: str) -> None:
    """Raise for a tensor of the meta device, which has a shape but no values."""
    if not backend_of(x).has_values(x):
        raise TypeError(f"{name} must have values, got a tensor on the device meta; give one on another device")


def check_like(like: Any) -> Array:
    """What says of which library, and on which device, something is to be made."""
    if not is_array(like) or is_dask(like):
        raise TypeError(f"like must be an array of a supported library, got {type(like).__name__}")
    check_has_values(dense(like, "like"), "like")
    return like


def widen_counts(counts: Array, name: str) -> tuple[Array, Array | None]:
    """``counts`` in their widest type, and how many are invalid.

    NumPy's are checked at once, and the number is None. Others are not read: the number is an array beside them, one
    for each table of a batch, which also counts a sum that is out of range.
    """
    wide, backend = _as_counts(counts, name), backend_of(counts)
    if backend.on_host:
        return wide, None
    axes = _axes_of(wide)
    broken = ~((wide >= 0) & (wide < float("inf"))) if backend.kind(wide) == "real" else wide < 0
    wrong_sum = backend.xp.astype(out_of_range(wide, axes), backend.widest(wide).int)
    return wide, backend.count_true(broken, axes) + wrong_sum


def _as_counts(counts: Array, name: str) -> Array:
    """``counts`` in their widest type, after a check of their type, and of NumPy's values; others are not read."""
    check_has_values(counts, name)
    backend = backend_of(counts)
    if backend.kind(counts) == "other":
        if backend.on_host and counts.size and all(isinstance(x, int | np.integer) for x in counts.flat):
            raise _wrong_sum(np.zeros(0, np.int64), name, sum(map(int, counts.flat)))
        raise TypeError(f"{name} must hold real numbers, got dtype {counts.dtype}")
    wide = backend.widened(counts)
    if backend.on_host:
        _check_counts(counts, wide, name, _axes_of(counts))
    return wide


def _axes_of(counts: Array) -> tuple[int, ...]:
    """The axes of the cells of a table; the stored cells of a sparse one are a vector."""
    return tuple(range(-min(2, len(counts.shape)), 0))


def _check_counts(counts: np.ndarray[Any, Any], wide: np.ndarray[Any, Any], name: str, axes: tuple[int, ...]) -> None:
    """Raise where counts of NumPy, given and in their widest type, are invalid."""
    broken = ~((counts >= 0) & (counts < math.inf))
    if broken.any():
        raise ValueError(f"{name} must be finite and not negative, got {counts[broken][0]}")
    wrong_sum = out_of_range(counts, axes)
    if wrong_sum.any():
        raise _wrong_sum(wide, name, sum((counts[wrong_sum] if counts.ndim > 2 else counts).ravel().tolist()))


def _wrong_sum(like: np.ndarray[Any, Any], name: str, found: Any) -> ValueError:
    mend = "scale them" if isinstance(found, float) else "give them as floats"
    return ValueError(f"{name} must add up to {sum_range_text(like)}, got {found}; {mend}")
