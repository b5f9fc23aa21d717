"""Euclidean lengths of any size, also where their squares would overflow or underflow."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import root

_USUAL = 40, 400
"""In 32 and in 64 bits: numbers from 2^-this to 2^this have squares that are floats, and so have sums of these."""


_BY_BLAS = 64, 8192
"""From how many numbers on a product takes BLAS less time, and up to how many it surely stays in its thread."""


def lengths_of(rows: Array) -> Array:
    """The Euclidean length of each row, shape (n_rows,)."""
    if backend_of(rows).on_host:
        return _on_host(rows)
    if rows.shape[1] == 0:
        return backend_of(rows).xp.sum(rows, axis=1)
    scales = scales_of(backend_of(rows).xp.max(backend_of(rows).xp.abs(rows), axis=1))
    scaled = rows / scales[:, None]
    xp = backend_of(rows).xp
    return scales * root(xp.sum(scaled * scaled, axis=1), xp)


def squared(lengths: Array) -> Array:
    """The squares of lengths; infinite, without a warning of NumPy's, where they are beyond the floats."""
    with np.errstate(over="ignore") if backend_of(lengths).on_host else nullcontext():
        return lengths * lengths


def _on_host(rows: NDArray) -> NDArray:
    with np.errstate(over="ignore", invalid="ignore"):
        squares = _squares(rows)
        least = 2.0 ** (-2 * _USUAL[1])
        if squares.min(initial=np.inf) > least and squares.max(initial=0.0) < np.inf:
            return np.sqrt(squares, out=squares)
        found: NDArray = np.sqrt(squares)
        odd = np.flatnonzero(~((squares > least) & (squares < np.inf)))
        if rows.shape[1]:
            scales = np.abs(rows[odd]).max(axis=1, initial=0.0)
            scales[scales == 0] = 1.0
            scaled = rows[odd] / scales[:, None]
            found[odd] = scales * np.sqrt(_squares(scaled))
    return found


def _squares(rows: NDArray) -> NDArray:
    """The sum of the squares of each row."""
    by_blas = _BY_BLAS[0] <= rows.shape[1] <= _BY_BLAS[1]
    found: NDArray = np.vecdot(rows, rows) if by_blas else np.einsum("ij,ij->i", rows, rows)
    return found


def usual_squares(rows: NDArray) -> NDArray | None:
    """The sum of the squares of each row of the host in 64 bits; None if one is no usual number, or 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = _squares(rows)
    usual = largest_usual(squares) ** 2
    return squares if squares.min(initial=1.0) >= 1 / usual and squares.max(initial=0.0) <= usual else None


def scales_of(largest: Array) -> Array:
    """By what to divide, so that squares are floats, where the largest numbers are these: 1, unless it is needed."""
    backend = backend_of(largest)
    xp, largest = backend.xp, backend.without_gradient(largest)
    usual = largest_usual(largest)
    is_odd = (largest > 0) & ((largest < 1 / usual) | (largest > usual))
    return xp.where(is_odd, largest, xp.ones_like(largest))


def are_usual(lengths: NDArray) -> bool:
    """Whether all numbers of the host, 0 or more, have squares that are floats."""
    usual = largest_usual(lengths)
    if not lengths.max(initial=0.0) <= usual:
        return False
    is_least = lengths.min(initial=1.0) >= 1 / usual  # none is 0: a look that takes less time
    return bool(is_least or lengths.min(initial=1.0, where=lengths > 0) >= 1 / usual)


def largest_usual(like: Array) -> float:
    """The largest number that needs no other unit, in the type of an array."""
    return float(2.0 ** _USUAL[like.dtype == backend_of(like).xp.float64])


def joined(*lengths: Any) -> Array:
    """The root of the sum of the squares of vectors of lengths: place by place, or of one vector a number."""
    xp = backend_of(lengths[0]).xp
    return lengths_of(xp.stack(lengths, axis=1)) if len(lengths) > 1 else lengths_of(lengths[0][None, :])[0]
