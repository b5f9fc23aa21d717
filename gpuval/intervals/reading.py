"""The intervals of samples as users give them: read, checked, and as arrays of one library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import OfOneLibrary, backend_of
from gpuval.inputs.containers import as_data
from gpuval.inputs.features import beyond_floats, may_round
from gpuval.inputs.labels import Vector, check_alike, check_beside_or_on_host, check_indexes, check_one_dimensional
from gpuval.inputs.numbers import Form, check_columns, place_of, read_argument, replace_objects, require_in_memory
from gpuval.inputs.samples import check_weights
from gpuval.inputs.selection import read_weights
from gpuval.numerics import Array, NDArray

_FORM = Form("sample", "(n_samples, 2)", "; each has a start and an end")
_LEFT_OUT = "mask= leaves samples out"


@dataclass(frozen=True)
class Intervals(OfOneLibrary):
    """The true and the predicted interval of each sample, shape (n_samples, 2), and which of them count how much."""

    _like = "true"

    true: Array
    """Integers, or the widest floats."""
    pred: Array
    """The same."""
    mask: Array | None
    """Which samples count, shape (n_samples,); None if all do."""
    weights: Array | None
    """Shape (n_samples,), in their widest type; None if all have the same."""

    @property
    def n_samples(self) -> int:
        """The number of samples."""
        return int(self.true.shape[0])

    def count_mask(self) -> Array:
        """Which samples count: all but those that are masked, and those of weight 0."""
        xp = self.backend.xp
        counted = xp.ones_like(self.true[:, 0], dtype=xp.bool) if self.mask is None else self.mask
        return counted if self.weights is None else counted & (self.weights != 0)

    def validate(self, *, are_all: bool) -> Intervals:
        """The same in one library: as views of NumPy, if that can see all of it; raises for values that are wrong.

        Values are looked at where they lie on the host, also if a derivative by them is asked for. ``are_all`` says
        whether these are all samples of a call, of which some must count; of a block none may.
        """
        if are_all:
            self._check_left(self.n_samples > 0)
        known = self.map_arrays(lambda x: backend_of(x).host_view(backend_of(x).without_gradient(x)))
        if known is not None:
            known._check_values(are_all)
        return self.map_arrays(lambda x: backend_of(x).host_view(x)) or self._brought()

    def map_arrays(self, function: Callable[[Array], Array | None]) -> Intervals | None:
        """The same with what a function gives of each array; None if it gives None of one."""
        true, pred = function(self.true), function(self.pred)
        mask = None if self.mask is None else function(self.mask)
        weights = None if self.weights is None else function(self.weights)
        is_whole = (mask is None) == (self.mask is None) and (weights is None) == (self.weights is None)
        return Intervals(true, pred, mask, weights) if is_whole and true is not None and pred is not None else None

    def _brought(self) -> Intervals:
        """The same with all that lies on the host in the library and on the device of the intervals."""
        backend = self.backend
        like = next((x for x in (self.true, self.pred) if backend.is_traced(x)), self.true)
        found = self.map_arrays(lambda x: backend.from_host(x, like) if backend_of(x).on_host else x)
        assert found is not None
        return found

    def _check_values(self, are_all: bool) -> None:
        """Check the values of arrays of NumPy, but those of samples that do not count."""
        check_weights(self.weights)
        counted = self.count_mask()
        if are_all:
            self._check_left(bool(counted.any()))
        become_floats = self.true.dtype.kind == "f" or self.pred.dtype.kind == "f"
        for name, x in (("true_intervals", self.true), ("pred_intervals", self.pred)):
            _check_ends(name, x, counted)
            if become_floats and may_round(x):
                _check_held(name, x, counted)

    def _check_left(self, is_any: bool) -> None:
        check_any_counts(is_any, self.n_samples, masks=self.mask is not None, weighs=self.weights is not None)


def _check_ends(name: str, x: NDArray, counted: NDArray) -> None:
    is_wrong = counted & ~(x[:, 0] <= x[:, 1])
    if not is_wrong.any():
        return
    row = int(np.flatnonzero(is_wrong)[0])
    ends = x[row].tolist()
    if ends[0] > ends[1]:
        raise ValueError(f"{name} must have no end below its start, got {ends} in row {row}; {_LEFT_OUT}")
    where = place_of((row, int(np.isnan(x[row]).argmax())))
    raise ValueError(f"{name} must hold numbers, got nan at {where}; {_LEFT_OUT}")


def _check_held(name: str, x: NDArray, counted: NDArray) -> None:
    is_wrong = beyond_floats(x) & counted[:, None]
    if is_wrong.any():
        raise ValueError(
            f"{name} must hold integers from -2^53 to 2^53 if the other intervals are floats, as these do not hold all "
            f"larger ones, got {int(x[is_wrong][0])}; {_LEFT_OUT}"
        )


def check_any_counts(is_any: bool, n_samples: int, *, masks: bool, weighs: bool) -> None:
    """Raise if no sample counts; ``masks`` and ``weighs`` say whether there were a mask and weights."""
    if is_any:
        return
    if not n_samples:
        raise ValueError("true_intervals must have at least one interval, got none")
    if not weighs:
        raise ValueError(f"mask must leave at least one sample, got none left of {n_samples}")
    left = " that mask leaves" * masks
    raise ValueError(f"sample_weight must be above 0 for at least one sample{left}, got none of {n_samples}")


def read_both(true_intervals: Any, pred_intervals: Any, mask: Any, sample_weight: Any) -> Intervals:
    """Read what was given; its values are not looked at."""
    true, pred = _read(true_intervals, "true_intervals"), _read(pred_intervals, "pred_intervals")
    first = Vector("true_intervals", true_intervals, true)
    check_alike(first, Vector("pred_intervals", pred_intervals, pred))
    if _have_columns_of_same_names(true_intervals, pred_intervals):
        check_columns(true_intervals=true_intervals, pred_intervals=pred_intervals)
    weights = None if sample_weight is None else read_weights(require_in_memory(sample_weight, "sample_weight"))
    given = Intervals(true, pred, None if mask is None else _read_mask(mask), weights)
    for name, x in (("mask", given.mask), ("sample_weight", weights)):
        if x is not None and x.shape[0] != first.size:
            raise ValueError(f"{name} must have as many samples as true_intervals ({first.size}), got {x.shape[0]}")
    check_indexes(true_intervals=true_intervals, pred_intervals=pred_intervals, mask=mask, sample_weight=sample_weight)
    check_beside_or_on_host(first, mask=given.mask, sample_weight=weights)
    return given


def _have_columns_of_same_names(x: Any, y: Any) -> bool:
    """Whether two data frames call the columns the same, in any order; others may call starts and ends differently."""
    return hasattr(x, "columns") and hasattr(y, "columns") and set(x.columns) == set(y.columns)


def _read(x: Any, name: str) -> Array:
    """Intervals as a matrix of integers, or of the widest floats."""
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        masked = int(np.count_nonzero(np.ma.getmaskarray(x)))
        raise TypeError(
            f"{name} must have no masked values, got {masked} of {x.size}; give {name}.data, and "
            f"mask=~{name}.mask.any(axis=1)"
        )
    array = replace_objects(read_argument(x, name, _FORM), name, "numbers", missing_is_nan=True)
    backend = backend_of(array)
    kind, shape = backend.kind(array), tuple(array.shape)
    if kind not in ("integer", "real") or not backend.can_compare(array):
        raise TypeError(f"{name} must hold integers or real numbers, got dtype {array.dtype}")
    check_form(name, shape)
    array = backend.as_real(array, array) if kind == "real" else array
    return array if len(shape) == 2 else backend.xp.reshape(array, (1, 2))


def check_form(name: str, shape: tuple[int, ...], *, may_be_one: bool = True) -> None:
    """Check that an array has the shape of the intervals of samples, or of one alone."""
    if len(shape) not in (1 if may_be_one else 2, 2) or shape[-1] != 2:
        wanted = "(n_samples, 2)" + ", or (2,) for one sample" * may_be_one
        hint = f"; give {name}.T" if len(shape) == 2 and shape[0] == 2 else ""
        raise ValueError(
            f"{name} must have a start and an end of each interval, shape {wanted}, got shape {shape}{hint}"
        )


def _read_mask(mask: Any) -> Array:
    data, values = as_data(require_in_memory(mask, "mask"), "mask")
    check_one_dimensional(data, "mask")
    if values is not None or backend_of(data).kind(data) != "bool":
        dtype = getattr(mask, "dtype", data.dtype if values is None else values.dtype)
        raise TypeError(f"mask must hold booleans and none missing, got dtype {dtype}")
    return data
