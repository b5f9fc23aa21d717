"""The weights of the edges of a graph, added up by the labels of their ends."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gpuval.geometry.neighbors.graphs.ends import Ends, of_blocks
from gpuval.geometry.points import Points, with_zero
from gpuval.numerics import Array


class LabelSums(NamedTuple):
    """For each label, the total weights of four kinds of edges, shape (n_labels,), in the widest float and in one unit.

    The kinds are: edges ``inside`` the label, edges ``leaving`` it for other labels, edges ``entering`` it from other
    labels, and edges ``apart`` from it, with no end in the label. ``whole`` is the total weight of all edges, a number.
    """

    inside: Array
    leaving: Array
    entering: Array
    apart: Array
    whole: Array


def sums_by_label(points: Points) -> LabelSums:
    """The sums of each label; they keep their digits, however heavy other labels are.

    The unit is the weight 1, or the largest weight if squares of sums in that unit could overflow or underflow.
    """
    if not points.backend.on_host:
        return _sums(points, _unit(points))
    with np.errstate(over="ignore", invalid="ignore"):  # then they are found anew
        found = _sums(points, None)
    least, most = _range(points)
    return found if least < found.whole < most else _sums(points, _unit(points))


def _range(points: Points) -> tuple[float, float]:
    """The smallest and the largest weight for which squares of sums neither underflow nor overflow."""
    return (1e-80, 1e80) if points.backend.widest(points.codes).is_64bit else (1e-8, 1e8)


def _unit(points: Points) -> Array | None:
    """The largest weight of an edge that counts, or 1 if that is not extreme."""
    xp = points.xp
    if points.X.weights is None or points.X.n_edges == 0:
        return None
    found = of_blocks(lambda ends: xp.max(points.backend.as_real(ends.weights, points.codes)), points)
    largest = xp.max(xp.stack(found))
    least, most = _range(points)
    is_usual = (largest == 0) | ((least < largest) & (largest < most))
    unit: Array = xp.where(is_usual, xp.ones_like(largest), largest)
    return unit


def _sums(points: Points, unit: Array | None) -> LabelSums:
    backend, size = points.backend, points.n_clusters + 1
    inside, leaving, entering = _added_up(of_blocks(partial(_of_ends, size=size, unit=unit), points))
    whole = backend.sum(inside) + backend.sum(leaving)
    apart = points.xp.maximum(whole - inside - leaving - entering, points.xp.zeros_like(inside))
    return LabelSums(inside, leaving, entering, _heaviest_anew(apart, inside, whole, points, unit), whole)


def _added_up(parts: list[tuple[Array, ...]]) -> list[Any]:
    return [sum(some[1:], some[0]) for some in zip(*parts, strict=True)]


def _of_ends(ends: Ends, size: int, unit: Array | None) -> tuple[Array, Array, Array]:
    """The weights inside, leaving and entering each label; edges between labels are added up after the others."""
    xp, are_inside = ends.backend.xp, ends.are_inside
    at_sources, at_targets = (xp.where(are_inside, x, x + size) for x in (ends.of_sources, ends.of_targets))
    from_label, to_label = _total(ends, at_sources, 2 * size, unit), _total(ends, at_targets, 2 * size, unit)
    return from_label[: size - 1], from_label[size : 2 * size - 1], to_label[size : 2 * size - 1]


def _total(ends: Ends, codes: Array, size: int, unit: Array | None) -> Array:
    backend = ends.backend
    if ends.weights is None:
        return backend.as_real(backend.count(codes, size), codes)
    return backend.total(_in_unit(ends, unit), codes, size)


def _in_unit(ends: Ends, unit: Array | None) -> Array:
    weights = ends.backend.as_real(ends.weights, ends.of_sources)
    return weights if unit is None else weights / unit


def _heaviest_anew(apart: Array, inside: Array, whole: Array, points: Points, unit: Array | None) -> Array:
    """The weight apart from each label; for a label with more than half of the weight, it is added up directly.

    For other labels it is a difference. A difference loses digits if it is a small part of the whole. If few edges are
    between labels, this happens if one label has most of the weight; if many are, nothing depends on it.
    """
    backend, xp = points.backend, points.xp
    is_most = inside > whole / 2
    if backend.on_host and not is_most.any():
        return apart
    of_codes = with_zero(xp.astype(is_most, apart.dtype))

    def of_others(ends: Ends) -> Array:
        at_it = xp.take(of_codes, ends.of_sources) + xp.take(of_codes, ends.of_targets)
        others = (at_it == 0) & (ends.of_sources != ends.spare)
        if ends.weights is None:
            return xp.astype(backend.count_true(others), apart.dtype)
        weights = _in_unit(ends, unit)
        return backend.sum(xp.where(others, weights, xp.zeros_like(weights)))

    found = of_blocks(of_others, points)
    return xp.where(is_most, sum(found[1:], found[0]), apart)
