"""Integers that floats may not hold: exact as differences from a place near them, or an error, but never rounded."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, to_host
from gpuval.inputs.matrices.features import as_float, entries_of
from gpuval.numerics import Array, NDArray


def in_floats(
    X: Any, counted: Array | None, *, may_move: bool, looks: bool, name: str = "X"
) -> tuple[Any, Array | None]:
    """Samples as floats, and in how many places that count these do not hold the integers that were given.

    ``counted`` tells which samples count; None is all. With ``may_move``, for what depends on differences within a
    feature alone, the least integer of each feature is subtracted, where that matters; what does not count becomes 0.
    With ``looks`` values may be read: then a place is an error, and the number is None.
    """
    if not may_round(X):
        return as_float(X), None
    values = X.data if is_sparse(X) else X
    backend = backend_of(values)
    xp = backend.xp
    if looks and _are_held(backend.host_view(values), _digits(values)):
        return as_float(X), None
    if counted is None:
        counts = xp.ones_like(values, dtype=xp.bool)
    else:
        counts = entries_of(X, counted) if is_sparse(X) else xp.broadcast_to(counted[:, None], X.shape)
    broken = beyond_floats(values) & counts
    if looks and not bool(to_host(xp.any(broken))):
        return as_float(X), None
    may_move = may_move and not is_sparse(X)
    if may_move and X.shape[0]:
        given = signed(X)
        largest = xp.full_like(given, xp.iinfo(given.dtype).max)
        moved = given - xp.min(xp.where(counts, given, largest), axis=0, keepdims=True)  # below 0 if it wraps
        X = xp.where(counts, moved, xp.zeros_like(moved))
        broken = beyond_floats(X) | (X < 0)
    if looks:
        check_held(values, broken, "the least of their feature" if may_move else "0", name)
    return as_float(X), None if looks else backend.count_true(broken)


def check_held(values: Array, broken: Array, place: str = "0", name: str = "X") -> None:
    """Raise if an integer is too far from a place, as ``broken`` tells: it would be rounded."""
    if bool(to_host(backend_of(broken).xp.any(broken))):
        first = tuple(np.argwhere(to_host(broken))[0])
        raise ValueError(
            f"{name} must hold integers that are at most 2^{_digits(values)} from {place}, as floats do not hold all "
            f"others, got {int(to_host(values)[first])}; give {name} as floats if it may be rounded"
        )


def may_round(X: Any) -> bool:
    """Whether an array or a sparse matrix is of a type of integers that the widest float of its device may not hold."""
    values = X.data if is_sparse(X) else X
    backend = backend_of(values)
    return backend.kind(values) == "integer" and int(backend.xp.iinfo(values.dtype).bits) > _digits(values)


def beyond_floats(x: Array) -> Array:
    """Which integers are beyond those that the widest float holds, each and every one."""
    backend = backend_of(x)
    wide, most = backend.xp.astype(x, backend.widest(x).int), 1 << _digits(x)
    found: Array = (wide > most) | (wide < (0 if backend.is_unsigned(x) else -most))  # as such those wrap
    return found


def signed(x: Array) -> Array:
    """Integers in the widest type with a sign; less half of their range, if that type has as many bits as theirs."""
    backend = backend_of(x)
    xp, wide = backend.xp, backend.widest(x).int
    found: Array = xp.astype(x, wide)
    if backend.is_unsigned(x) and xp.iinfo(x.dtype).bits == xp.iinfo(wide).bits:
        found = found ^ int(xp.iinfo(wide).min)  # its only bit is the first, which has become the sign
    return found


def _are_held(view: NDArray | None, digits: int) -> bool:
    """Whether floats of so many digits hold all integers that lie on the host, counted or not, by the ends of these."""
    if view is None or view.size == 0:
        return view is not None
    return -(1 << digits) <= int(view.min()) and int(view.max()) <= 1 << digits


def _digits(x: Array) -> int:
    """How many binary digits the widest float has."""
    backend = backend_of(x)
    return 53 if backend.widest(x).float == backend.xp.float64 else 24
