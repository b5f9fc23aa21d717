"""NumPy: arrays of the host, whose values are always known."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends.base import Axes, Backend, Kind, Widest
from gpuval.numerics import NDArray

KINDS: dict[str, Kind] = {"b": "bool", "i": "integer", "u": "integer", "f": "real"}
"""What the kinds of NumPy's dtypes are."""

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

    def given_out(self, x: NDArray) -> NDArray:
        return x  # arrays of a table cannot be written into

    def sum(self, x: NDArray, axis: Axes = None) -> NDArray:
        found: NDArray = np.add.reduce(x, axis=axis, dtype=x.dtype)
        return found

    def cumulative_sum(self, x: NDArray) -> NDArray:
        return x.cumsum(axis=-1, dtype=x.dtype)

    def count_true(self, x: NDArray, axis: Axes = None) -> NDArray:
        found: NDArray = np.add.reduce(x, axis=axis, dtype=np.int64)
        return found

    def count(self, codes: NDArray, size: int) -> NDArray:
        return np.bincount(codes, minlength=size)

    def total(self, values: NDArray, codes: NDArray, size: int) -> NDArray:
        if values.dtype.kind == "f":
            return np.bincount(codes, weights=values, minlength=size) if len(codes) else np.zeros(size)  # else integers
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
