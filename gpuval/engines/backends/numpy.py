"""NumPy: arrays on the host, whose values are always known."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from gpuval.engines.backends.base import Axes, Backend, Kind, Widest
from gpuval.numerics import NDArray
from gpuval.numerics.compiled import integer_sums
from gpuval.numerics.parallel import STEP, parallel_map, slices

KINDS: dict[str, Kind] = {"b": "bool", "i": "integer", "u": "integer", "f": "real"}
"""What the kinds of NumPy's dtypes are."""

_LONG = 1024
"""Shorter rows of a matrix are added up several at a time, as one: NumPy goes row by row, however short rows are."""

_IN_A_BYTE = 255
"""So many booleans have a sum that fits a byte."""

WIDEST = Widest(np.dtype(np.int64), np.dtype(np.float64), True)


class NumpyBackend(Backend):
    """NumPy: sums by code are one pass each, in compiled code."""

    on_host = True

    def kind(self, x: NDArray) -> Kind:
        return KINDS.get(x.dtype.kind, "other")

    def widest(self, x: NDArray) -> Widest:
        return WIDEST

    def as_real(self, x: NDArray, like: NDArray, *, copy: bool = False) -> NDArray:
        return x.astype(np.float64, copy=copy)

    def is_unsigned(self, x: NDArray) -> bool:
        return bool(x.dtype.kind == "u")

    def device(self, x: NDArray) -> None:
        return None

    def are_together(self, x: NDArray, y: NDArray) -> bool:
        return True

    def to_host(self, x: NDArray) -> NDArray:
        return np.asarray(x)

    def lies_on_host(self, x: NDArray) -> bool:
        return True

    def host_view(self, x: NDArray) -> NDArray | None:
        return np.asarray(x)

    def from_host(self, x: Any, like: NDArray) -> NDArray:
        return np.asarray(x)

    def user_array(self, x: NDArray) -> NDArray:
        return x  # arrays of a table cannot be written into

    def sum(self, x: NDArray, axis: Axes = None) -> NDArray:
        if axis == 0 and x.ndim == 2 and x.flags.c_contiguous:
            return _sum_down(x)
        found: NDArray = np.add.reduce(x, axis=axis, dtype=x.dtype)
        return found

    def cumulative_sum(self, x: NDArray) -> NDArray:
        return x.cumsum(axis=-1, dtype=x.dtype)

    def cumulative_max(self, x: NDArray) -> NDArray:
        found: NDArray = np.maximum.accumulate(x, axis=-1)
        return found

    def count_true(self, x: NDArray, axis: Axes = None) -> NDArray:
        if axis == 0 and x.ndim == 2:
            return _count_true_down(x)
        found: NDArray = np.add.reduce(x, axis=axis, dtype=np.int64)
        return found

    def count(self, codes: NDArray, size: int) -> NDArray:
        return np.bincount(codes, minlength=size)

    def value_of_each(self, values: NDArray, codes: NDArray) -> NDArray:
        if len(codes) <= STEP:
            return values.take(codes)
        found = np.empty(len(codes), dtype=values.dtype)

        def take(step: slice) -> None:
            found[step] = values.take(codes[step])

        parallel_map(take, slices(len(codes), STEP))
        return found

    def total(self, values: NDArray, codes: NDArray, size: int) -> NDArray:
        if values.dtype.kind == "f":
            return np.bincount(codes, weights=values, minlength=size) if len(codes) else np.zeros(size)  # else integers
        if len(codes) > STEP and values.dtype == codes.dtype == np.int64 and values.shape == codes.shape:
            with suppress(IndexError):  # NumPy takes negative codes, too, or says which one is outside
                return integer_sums(np.ascontiguousarray(values), codes, size)
        return self.add(np.zeros(size, dtype=np.int64), values, codes)  # bincount would add integers in float64

    def total_of_runs(self, values: NDArray, codes: NDArray, lengths: NDArray) -> NDArray:
        starts = lengths.cumsum() - lengths
        if lengths.all():
            return np.add.reduceat(values, starts)
        sums, occurs = np.zeros(len(lengths), dtype=values.dtype), lengths > 0
        if len(values):
            sums[occurs] = np.add.reduceat(values, starts[occurs])
        return sums

    def add(self, sums: NDArray, values: NDArray, codes: NDArray) -> NDArray:
        np.add.at(sums, codes, values)
        return sums

    def largest(self, values: NDArray, codes: NDArray, size: int) -> NDArray:
        found = np.zeros(size, dtype=values.dtype)
        np.maximum.at(found, codes, values)
        return found


def _count_true_down(x: NDArray) -> NDArray:
    """How many booleans of each column of a matrix are true."""
    groups, rest = _row_groups(np.ascontiguousarray(x).view(np.uint8))
    counts: NDArray = np.add.reduce(rest, axis=0, dtype=np.int64)
    for start in range(0, len(groups), _IN_A_BYTE):
        sums = np.add.reduce(groups[start : start + _IN_A_BYTE], axis=0, dtype=np.uint8)
        counts += np.add.reduce(sums, axis=0, dtype=np.int64)
    return counts


def _sum_down(x: NDArray) -> NDArray:
    """The sum of the numbers of each column of a matrix, in their type."""
    groups, rest = _row_groups(x)
    sums: NDArray = np.add.reduce(rest, axis=0, dtype=x.dtype)
    sums += np.add.reduce(np.add.reduce(groups, axis=0, dtype=x.dtype), axis=0, dtype=x.dtype)
    return sums


def _row_groups(x: NDArray) -> tuple[NDArray, NDArray]:
    """The rows of a matrix, several together, which NumPy sees as one long row, and those that are left."""
    n, k = x.shape
    together = max(1, _LONG // max(1, k))
    n_groups = n // together
    return x[: n_groups * together].reshape(n_groups, together, k), x[n_groups * together :]
