"""What two intervals have in common, as a share of each: no length overflows, and integers lose no digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from gpuval.engines.backends import Backend, OfOneLibrary
from gpuval.inputs.features import beyond_floats, may_round
from gpuval.intervals.reading import Intervals
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


@dataclass(frozen=True)
class Overlap(OfOneLibrary):
    """What the two intervals of each sample have in common; all of shape (n_samples,)."""

    _like = "of_true"

    of_true: Array
    """Its length as a share of that of the true interval; 0 if this is a point."""
    of_pred: Array
    """Its length as a share of that of the predicted interval; 0 if this is a point."""
    undefined: Array
    """Whether the intervals are different, and both of infinite length; the shares stand for nothing then."""
    broken: Array
    """Whether an interval has a NaN, or an end below its start; the shares stand for nothing then."""


def overlap_of(intervals: Intervals) -> Overlap:
    """The overlap of true and predicted intervals, in the widest floats of their library."""
    true, pred, backend = intervals.true, intervals.pred, intervals.backend
    if backend.kind(true) == backend.kind(pred) == "integer":
        return _integer_overlap(true, pred, backend)
    xp = backend.xp
    a, b, c, d = (x[:, i] for x in (backend.as_real(true, true), backend.as_real(pred, true)) for i in (0, 1))
    are_intervals = (a <= b) & (c <= d)
    differ = are_intervals & ~((a == c) & (b == d))
    undefined = differ & _are_infinite(a, b, xp) & _are_infinite(c, d, xp)
    # Of all that no formula is for, equal intervals stand in the place, so that no value and no gradient is NaN.
    regular = differ & ~undefined
    a, b, c, d = (xp.where(regular, x, xp.full_like(x, i)) for x, i in ((a, 0), (b, 1), (c, 0), (d, 1)))
    start, end = xp.where(a < c, c, a), xp.where(d < b, d, b)
    broken = ~are_intervals
    for x in (true, pred):
        if may_round(x):
            broken = broken | xp.any(beyond_floats(x), axis=1)
    return Overlap(_share(start, end, a, b, xp), _share(start, end, c, d, xp), undefined, broken)


def _are_infinite(start: Array, end: Array, xp: Any) -> Array:
    """Where intervals are of infinite length; a point at infinity is of length 0."""
    return (start < end) & (xp.isinf(start) | xp.isinf(end))


def _share(start: Array, end: Array, a: Array, b: Array, xp: Any) -> Array:
    """The length from ``start`` to ``end`` as a share of that from ``a`` to ``b``, within which these lie."""
    most = float(xp.finfo(a.dtype).max) / 2
    is_large = (xp.abs(a) > most) | (xp.abs(b) > most)
    unit = xp.where(is_large, xp.full_like(a, 0.5), xp.ones_like(a))  # else the length may overflow
    return ratio(_length(start, end, unit, xp), _length(a, b, unit, xp), xp)


def _length(start: Array, end: Array, unit: Array, xp: Any) -> Array:
    """The length from ``start`` to ``end`` times ``unit``, a power of two; 0 if the end is not above the start."""
    is_some = start < end
    return xp.where(is_some, end, 0.0) * unit - xp.where(is_some, start, 0.0) * unit


# Integers, also of two types of which neither holds the numbers of the other


class _Halves(NamedTuple):
    """Integers by halves, rounded down, which the widest type holds whatever theirs is, and what is left: 0 or 1."""

    half: Array
    rest: Array


def _integer_overlap(true: Array, pred: Array, backend: Backend) -> Overlap:
    xp = backend.xp
    a, b, c, d = (_halves(x[:, i], backend) for x in (true, pred) for i in (0, 1))
    start, end = _select(_are_below(a, c), c, a, xp), _select(_are_below(d, b), d, b, xp)
    differ = _are_below(a, c) | _are_below(c, a) | _are_below(b, d) | _are_below(d, b)
    common = _length_of(start, end, backend)
    of_true, of_pred = (xp.where(differ, ratio(common, _length_of(*x, backend), xp), 1.0) for x in ((a, b), (c, d)))
    return Overlap(of_true, of_pred, xp.zeros_like(differ), _are_below(b, a) | _are_below(d, c))


def _halves(x: Array, backend: Backend) -> _Halves:
    xp, wide = backend.xp, backend.widest(x).int
    whole = xp.astype(x, wide)
    half = whole >> 1
    if backend.is_unsigned(x):  # what is beyond the type has become negative
        half = half & int(xp.iinfo(wide).max)
    return _Halves(half, whole & 1)


def _are_below(x: _Halves, y: _Halves) -> Array:
    found: Array = (x.half < y.half) | ((x.half == y.half) & (x.rest < y.rest))
    return found


def _select(where: Array, x: _Halves, y: _Halves, xp: Any) -> _Halves:
    return _Halves(xp.where(where, x.half, y.half), xp.where(where, x.rest, y.rest))


def _length_of(start: _Halves, end: _Halves, backend: Backend) -> Array:
    """The length from ``start`` to ``end``, rounded once; 0 if the end is not above the start.

    Integers do not hold it if it is large, but they hold half of it, without the rest.
    """
    odd = end.rest - start.rest
    half = end.half - start.half + (odd >> 1)  # which rounds down
    length = backend.as_real(half, half) * 2 + backend.as_real(odd & 1, half)
    return backend.xp.where(_are_below(start, end), length, 0.0)
