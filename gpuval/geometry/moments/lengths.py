"""Euclidean lengths of any size: what is as large as the floats go has a square beyond them, and what is small none."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import root

_USUAL = 40, 400
"""In 32 and in 64 bits: numbers from 2^-this to 2^this have squares that are floats, and so have sums of these."""


_IN_ONE_THREAD = 8192
"""The most numbers of a product that OpenBLAS leaves to one thread, a little below its 10,000."""


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


def _on_host(rows: NDArray) -> NDArray:
    with np.errstate(over="ignore", invalid="ignore"):
        squares = _squares(rows)
        found: NDArray = np.sqrt(squares)
        odd = np.flatnonzero(~((squares > 2.0 ** (-2 * _USUAL[1])) & (squares < np.inf)))
        if len(odd) and rows.shape[1]:
            scales = np.abs(rows[odd]).max(axis=1)
            scales[scales == 0] = 1.0
            scaled = rows[odd] / scales[:, None]
            found[odd] = scales * np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return found


def _squares(rows: NDArray) -> NDArray:
    """The sum of the squares of each row, in the thread that calls it: BLAS has threads for longer ones."""
    is_short = rows.shape[1] <= _IN_ONE_THREAD
    found: NDArray = np.vecdot(rows, rows) if is_short else np.einsum("ij,ij->i", rows, rows)
    return found


def scales_of(largest: Array) -> Array:
    """By what to divide, so that squares are floats, where the largest numbers are these: 1, unless it is needed."""
    backend = backend_of(largest)
    xp, largest = backend.xp, backend.without_gradient(largest)
    usual = largest_usual(largest)
    is_odd = (largest > 0) & ((largest < 1 / usual) | (largest > usual))
    return xp.where(is_odd, largest, xp.ones_like(largest))


def largest_usual(like: Array) -> float:
    """The largest number that needs no other unit, in the type of an array."""
    return float(2.0 ** _USUAL[like.dtype == backend_of(like).xp.float64])


def joined(*lengths: Any) -> Array:
    """The root of the sum of the squares of vectors of lengths: place by place, or of one vector a number."""
    xp = backend_of(lengths[0]).xp
    return lengths_of(xp.stack(lengths, axis=1)) if len(lengths) > 1 else lengths_of(lengths[0][None, :])[0]
