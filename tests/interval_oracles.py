"""The similarities of intervals by definition: one length by another, exactly, for a sample at a time.

An interval is a pair of a start and an end, which fractions hold, or infinite. A value is a fraction, a
60-digit `mpf` where it is a root, or None, if both lengths are infinite and the intervals differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, nan
from typing import Any

from oracles import mp, real

Interval = tuple[Any, Any]


def length(start: Any, end: Any) -> Any:
    """Of an interval; 0 if it ends before it starts, as an intersection may."""
    if not start < end:
        return Fraction(0)
    return inf if start == -inf or end == inf else Fraction(end) - Fraction(start)


def share(part: Any, whole: Any) -> Any:
    """A finite length by another: 0 of an infinite one, and of none."""
    if whole == inf:
        return Fraction(0)
    if whole == 0:
        assert part == 0
        return Fraction(0)
    return part / whole if isinstance(whole, Fraction) else real(part) / whole


def total(*lengths: Any) -> Any:
    return inf if inf in lengths else sum(lengths)


def harmonic(a: Any, b: Any) -> Any:
    if a == 0 or b == 0:
        return Fraction(0)
    return 2 / sum(Fraction(0) if x == inf else 1 / x for x in (a, b))


def geometric(a: Any, b: Any) -> Any:
    return inf if inf in (a, b) else mp.sqrt(real(a)) * mp.sqrt(real(b))


OF_LENGTHS: dict[str, Callable[[Any, Any], Any]] = {
    "simpson_score": min,
    "kulczynski_score": harmonic,
    "ochiai_score": geometric,
    "sorensen_score": lambda a, b: total(a, b) / 2,
    "braun_blanquet_score": max,
}
"""By which mean of the lengths each measure takes what two intervals have in common, from the least to the most."""

ORACLES = (*OF_LENGTHS, "jaccard_score", "inclusion_score", "mean_inclusion_score")

CALLS: dict[str, tuple[str, dict[str, Any]]] = {name: (name, {}) for name in ORACLES}
CALLS |= {
    f"inclusion_score {of} {variant}": ("inclusion_score", {"of": of, "variant": variant})
    for of in ("true", "pred")
    for variant in (1, 2)
}
CALLS |= {f"mean_inclusion_score {x}": ("mean_inclusion_score", {"mean": x}) for x in ("geometric", "harmonic")}
"""Each measure with its options."""

MEANS: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda p, q: (p + q) / 2,
    "geometric": lambda p, q: mp.sqrt(real(p)) * mp.sqrt(real(q)),
    "harmonic": lambda p, q: 2 * p * q / (p + q) if p and q else Fraction(0),
    "squares": lambda p, q: mp.sqrt((real(p) ** 2 + real(q) ** 2) / 2),
}
"""Of the shares of both intervals."""


def of_sample(
    name: str, true: Interval, pred: Interval, of: str = "true", variant: int = 1, mean: str = "arithmetic"
) -> Any:
    """The value of one sample."""
    if true == pred:
        return Fraction(1)
    a, b = length(*true), length(*pred)
    if a == b == inf:
        return None
    if 0 in (a, b):  # a point is not an interval that differs from it
        return Fraction(0)
    common = length(max(true[0], pred[0]), min(true[1], pred[1]))
    if name in OF_LENGTHS:
        return share(common, OF_LENGTHS[name](a, b))
    if name == "mean_inclusion_score":
        return MEANS[mean](share(common, a), share(common, b))
    if name == "jaccard_score":
        return share(common, total(a, b, -common))
    own = a if of == "true" else b
    return share(common, own if variant == 1 else total(own, own, -common))


def mean(values: Sequence[Any], weights: Sequence[Any] | None = None, on_undefined: str = "nan") -> Any:
    """Of the values of samples, of which those of weight 0 do not count."""
    weights = [1] * len(values) if weights is None else [Fraction(x) for x in weights]
    known = {"zero": 0, "one": 1}
    pairs = [(known.get(on_undefined) if x is None else x, w) for x, w in zip(values, weights, strict=True) if w]
    if on_undefined == "skip":
        pairs = [(x, w) for x, w in pairs if x is not None]
    if not pairs or any(x is None for x, _ in pairs):
        return nan
    return sum(real(x) * real(w) for x, w in pairs) / real(sum(w for _, w in pairs))
