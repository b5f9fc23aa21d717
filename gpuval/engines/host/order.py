"""The order of values within codes: sorts of rows where codes occur equally often, else one sort and a radix sort."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray


def order_within(codes: NDArray, values: NDArray, size: int, *, is_stable: bool) -> NDArray:
    """The positions by code, and within a code from the largest value on."""
    length = len(codes) // size if size else 0
    if length and (np.bincount(codes, minlength=size) == length).all():
        grouped = None if (codes[1:] >= codes[:-1]).all() else _by_code(codes, size)
        rows = (values if grouped is None else values[grouped]).reshape(size, length)
        order = _descending(rows, is_stable)
        order += (np.arange(size) * length)[:, None]
        return order.reshape(-1) if grouped is None else grouped[order.reshape(-1)]
    order = _descending(values[None], is_stable)[0]
    found: NDArray = order[_by_code(codes[order], size)]
    return found


def _descending(rows: NDArray, is_stable: bool) -> NDArray:
    """The positions in each row from the largest value on; equal values in their order, if that is asked for."""
    if not is_stable:
        return np.argsort(rows, axis=1)[:, ::-1]
    last = rows.shape[1] - 1
    order: NDArray = last - np.argsort(rows[:, ::-1], axis=1, kind="stable")[:, ::-1]
    return order


def _by_code(codes: NDArray, size: int) -> NDArray:
    """The positions by code, in their order within a code: a radix sort by 16 bits at a time."""
    order = np.argsort((codes & 0xFFFF).astype(np.uint16), kind="stable")
    shift = 16
    while size >> shift:
        order = order[np.argsort((codes[order] >> shift & 0xFFFF).astype(np.uint16), kind="stable")]
        shift += 16
    return order
