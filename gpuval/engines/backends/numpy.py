"""Sums by code in NumPy: one pass each, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

NDArray = np.ndarray[Any, Any]


def count(codes: NDArray, size: int) -> NDArray:
    """Count how often each code occurs, as int64."""
    return np.bincount(codes, minlength=size)


def total(values: NDArray, codes: NDArray, size: int) -> NDArray:
    """Sum the values of each code, in their own widest kind."""
    if values.dtype.kind == "f":
        return np.bincount(codes, weights=values, minlength=size)
    return add(np.zeros(size, dtype=np.int64), values, codes)  # bincount would add integers in float64


def add(sums: NDArray, values: NDArray, codes: NDArray) -> NDArray:
    """Add the values to the sums of their codes, in place."""
    np.add.at(sums, codes, values)
    return sums


def largest(values: NDArray, codes: NDArray, size: int) -> NDArray:
    """Find the largest value of each code."""
    out = np.zeros(size, dtype=values.dtype)
    np.maximum.at(out, codes, values)
    return out
