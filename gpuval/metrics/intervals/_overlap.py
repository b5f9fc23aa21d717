"""What two intervals have in common, as a share of each: no length overflows, and integers lose no digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuval.engines.backends import Backend, backend_of
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


@dataclass(frozen=True)
class Overlap:
    """What the two intervals of each sample have in common; all of shape (n_samples,)."""

    of_true: Array
    """Its length as a share of that of the true interval; 0 if this is a point."""
    of_pred: Array
    """Its length as a share of that of the predicted interval; 0 if this is a point."""
    undefined: Array
    """Whether the intervals are different, and both of infinite length; the shares stand for nothing then."""
    broken: Array
    """Whether an interval has a NaN, or an end below its start; the shares stand for nothing then."""


def overlap_of(true: Array, pred: Array) -> Overlap:
    """The overlap of the intervals in two matrices of shape (n_samples, 2), of one library, in its widest floats."""
    backend = backend_of(true)
    xp = backend.xp
    a, b, c, d = (x[:, i] for x in _in_one_type(true, pred, backend) for i in (0, 1))
    are_intervals = (a <= b) & (c <= d)
    differ = are_intervals & ~((a == c) & (b == d))
    undefined = differ & _are_infinite(a, b, backend) & _are_infinite(c, d, backend)
    # Of all that no formula is for, equal intervals stand in the place, so that no value and no gradient is NaN.
    regular = differ & ~undefined
    a, b, c, d = (xp.where(regular, x, xp.full_like(x, i)) for x, i in ((a, 0), (b, 1), (c, 0), (d, 1)))
    start, end = xp.where(a < c, c, a), xp.where(d < b, d, b)
    return Overlap(_share(start, end, a, b, backend), _share(start, end, c, d, backend), undefined, ~are_intervals)


def _in_one_type(true: Array, pred: Array, backend: Backend) -> tuple[Array, Array]:
    """Both in the widest floats; or in the widest integers, if both hold integers.

    Of integers without a sign that may be beyond these, half of their range is subtracted; beside such with a sign they
    are rounded to floats.
    """
    xp, wide = backend.xp, backend.widest(true)
    both = true, pred
    if any(backend.kind(x) != "integer" for x in both):
        return backend.as_real(true, true), backend.as_real(pred, true)
    signless = [backend.is_unsigned(x) for x in both]
    are_large = any(backend.is_unsigned(x) and xp.iinfo(x.dtype).bits == xp.iinfo(wide.int).bits for x in both)
    if are_large and not all(signless):
        return backend.as_real(true, true), backend.as_real(pred, true)
    integers = xp.astype(true, wide.int), xp.astype(pred, wide.int)
    if not are_large:
        return integers
    lowest = int(xp.iinfo(wide.int).min)  # its only bit is the first, which has become the sign
    return integers[0] ^ lowest, integers[1] ^ lowest


def _are_infinite(start: Array, end: Array, backend: Backend) -> Array:
    """Where intervals are of infinite length; a point at infinity is of length 0."""
    xp = backend.xp
    if backend.kind(start) == "integer":
        return xp.zeros_like(start, dtype=xp.bool)
    return (start < end) & (xp.isinf(start) | xp.isinf(end))


def _share(start: Array, end: Array, a: Array, b: Array, backend: Backend) -> Array:
    """The length from ``start`` to ``end`` as a share of that from ``a`` to ``b``, within which these lie."""
    xp = backend.xp
    if backend.kind(a) == "integer":
        return ratio(_length_of_integers(start, end, backend), _length_of_integers(a, b, backend), xp)
    most = float(xp.finfo(a.dtype).max) / 2
    is_large = (xp.abs(a) > most) | (xp.abs(b) > most)
    unit = xp.where(is_large, xp.full_like(a, 0.5), xp.ones_like(a))  # else the length may overflow
    return ratio(_length(start, end, unit, xp), _length(a, b, unit, xp), xp)


def _length(start: Array, end: Array, unit: Array, xp: Any) -> Array:
    """The length from ``start`` to ``end`` times ``unit``, a power of two; 0 if the end is not above the start."""
    is_some = start < end
    return xp.where(is_some, end, 0.0) * unit - xp.where(is_some, start, 0.0) * unit


def _length_of_integers(start: Array, end: Array, backend: Backend) -> Array:
    """The length from ``start`` to ``end``, rounded once; 0 if the end is not above the start.

    Integers do not hold it if it is large, but they hold half of it, without the rest.
    """
    xp = backend.xp
    odd = (end & 1) - (start & 1)
    half = (end >> 1) - (start >> 1) + (odd >> 1)  # both shifts round down
    return xp.where(start < end, backend.as_real(half, half) * 2 + backend.as_real(odd & 1, half), 0.0)
