"""Sums over the edges of a graph by the labels of their ends: of weights, and of the pairs that are linked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gpuval.engines.backends import Backend, backend_of
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.points import Points, with_zero
from gpuval.numerics import Array
from gpuval.numerics.parallel import parallel_map, slices

Result = TypeVar("Result")

BLOCK = 1 << 15
"""About as many edges as are read at once on the host: what is made of them stays in the caches."""


class Ends(NamedTuple):
    """Some edges: the samples at their ends and the codes of these, shape (n_edges,) of each.

    An edge of a sample that does not count has the spare code at both ends, and no weight. ``weights`` are of the type
    that was given; None if all are 1.
    """

    sources: Array
    targets: Array
    of_sources: Array
    of_targets: Array
    weights: Array | None
    spare: int
    places: slice
    """Which of all edges they are."""

    @property
    def backend(self) -> Backend:
        """The backend of all arrays."""
        return backend_of(self.of_sources)

    @property
    def are_inside(self) -> Array:
        """Which edges have one label at both ends, including those that do not count."""
        found: Array = self.of_sources == self.of_targets
        return found

    @property
    def are_edges(self) -> Array:
        """Which entries count and do not have the weight 0."""
        counted: Array = self.of_sources != self.spare
        return counted if self.weights is None else counted & (self.weights > 0)


def map_edge_blocks(function: Callable[[Ends], Result], points: Points) -> list[Result]:
    """The results of a function of all edges; on the host, of blocks of edges in the order of their first ends."""
    edges: Edges = points.X
    if not points.backend.on_host:
        return [function(_ends(points, edges.sources(), slice(0, edges.n_edges)))]
    starts = edges.starts

    def apply_to_rows(rows: tuple[int, int]) -> Result:
        first, last = rows
        sources = np.repeat(np.arange(first, last), np.diff(starts[first : last + 1]))
        return function(_ends(points, sources, slice(int(starts[first]), int(starts[last]))))

    size = max(BLOCK, 8 * points.n_clusters)  # sums by label are to be few beside the edges
    borders = np.searchsorted(starts, np.arange(0, max(1, edges.n_edges), size), side="right") - 1
    borders[0] = 0  # with the samples before the first that has edges
    return parallel_map(apply_to_rows, list(pairwise([*np.unique(borders).tolist(), edges.n_samples])))


def _ends(points: Points, sources: Array, part: slice) -> Ends:
    edges, spare, xp = points.X, points.n_clusters, points.xp
    targets = edges.targets[part]
    weights = None if edges.weights is None else edges.weights[part]
    of_sources, of_targets = xp.take(points.codes, sources), xp.take(points.codes, targets)
    if points.backend.on_host and int(points.sizes.sum()) == points.n_samples:
        return Ends(sources, targets, of_sources, of_targets, weights, spare, part)
    counted = (of_sources != spare) & (of_targets != spare)
    of_sources, of_targets = (xp.where(counted, x, xp.full_like(x, spare)) for x in (of_sources, of_targets))
    weights = None if weights is None else xp.where(counted, weights, xp.zeros_like(weights))
    return Ends(sources, targets, of_sources, of_targets, weights, spare, part)


# The number of pairs of samples that a graph links; directions, weights and repetitions of edges do not matter.

PART = 1 << 20
"""How many keys are compared at once on the host."""


class _LinkCounts(NamedTuple):
    """The numbers of pairs of two samples that have an edge between them, in the widest integer type."""

    inside: Array
    """The number of pairs whose samples have one label."""
    between: Array
    """The number of pairs whose samples have two labels."""


def count_links(points: Points) -> _LinkCounts:
    """Sort the pairs, and count each pair that differs from the one before.

    A pair is stored as two numbers: the lower sample; and twice the higher sample, plus 1 if both have one label. If
    the integers are wide enough, it is stored as one number, the key, whose last bit says whether both have one label.
    """
    backend, n = points.backend, points.n_samples
    if backend.on_host:
        return _count_on_host(points)
    xp, integer = points.xp, backend.widest(points.codes).int
    (pairs,) = map_edge_blocks(lambda ends: _pairs(ends, n), points)
    before_all = backend.zeros_beside((1,), integer, points.codes) - 1
    if 2 * n * (n + 1) <= xp.iinfo(integer).max:
        return _count_keys(xp.concat([before_all, xp.sort(_key(*pairs, n))]), n)
    low, second = (xp.concat([before_all, x]) for x in _sort_pairs(*pairs))
    are_new = (low[1:] != low[:-1]) | (second[1:] != second[:-1])
    return _count_new(are_new & (low[1:] < n), second[1:] % 2 == 1)


def _count_on_host(points: Points) -> _LinkCounts:
    """What :func:`count_links` gives, with one array of keys that is filled, sorted and counted in place."""
    n = points.n_samples
    keys = np.empty(points.X.n_edges + 1, dtype=np.int64)
    keys[0] = -1

    def fill(ends: Ends) -> None:
        keys[1:][ends.places] = _key(*_pairs(ends, n), n)

    map_edge_blocks(fill, points)
    keys.sort()
    parts = parallel_map(lambda x: _count_keys(keys[x.start : x.stop + 1], n), slices(len(keys) - 1, PART))
    return _LinkCounts(*(np.sum(some, dtype=np.int64) for some in zip((0, 0), *parts, strict=True)))


def _pairs(ends: Ends, n_samples: int) -> tuple[Array, Array]:
    """The two numbers of the pair of each edge; for loops and for what is no edge, the number of samples and 0."""
    xp, integer = ends.backend.xp, ends.of_sources.dtype
    sources, targets = (xp.astype(x, integer, copy=False) for x in (ends.sources, ends.targets))
    low, high = xp.minimum(sources, targets), xp.maximum(sources, targets)
    are_pairs = ends.are_edges & (low != high)
    second = 2 * high + xp.astype(ends.are_inside, integer)
    return xp.where(are_pairs, low, xp.full_like(low, n_samples)), xp.where(are_pairs, second, xp.zeros_like(second))


def _key(low: Array, second: Array, n_samples: int) -> Array:
    key: Array = low * (2 * n_samples) + second
    return key


def _sort_pairs(low: Array, second: Array) -> tuple[Array, Array]:
    """Pairs in ascending order, by two sorts."""
    xp = backend_of(low).xp
    order = xp.argsort(second)
    order = xp.take(order, xp.argsort(xp.take(low, order), stable=True))
    return xp.take(low, order), xp.take(second, order)


def _count_keys(keys: Array, n_samples: int) -> _LinkCounts:
    """How many sorted keys differ from the key before; the first key is not counted."""
    are_new = (keys[1:] != keys[:-1]) & (keys[1:] < 2 * n_samples * n_samples)
    return _count_new(are_new, keys[1:] % 2 == 1)


def _count_new(are_new: Array, are_inside: Array) -> _LinkCounts:
    backend = backend_of(are_new)
    return _LinkCounts(backend.count_true(are_new & are_inside), backend.count_true(are_new & ~are_inside))


# The weights of the edges of a graph, added up by the labels of their ends.


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
    found = map_edge_blocks(lambda ends: xp.max(points.backend.as_real(ends.weights, points.codes)), points)
    largest = xp.max(xp.stack(found))
    least, most = _range(points)
    is_usual = (largest == 0) | ((least < largest) & (largest < most))
    unit: Array = xp.where(is_usual, xp.ones_like(largest), largest)
    return unit


def _sums(points: Points, unit: Array | None) -> LabelSums:
    backend, size = points.backend, points.n_clusters + 1
    inside, leaving, entering = _add_parts(map_edge_blocks(partial(_sums_of_ends, size=size, unit=unit), points))
    whole = backend.sum(inside) + backend.sum(leaving)
    apart = points.xp.maximum(whole - inside - leaving - entering, points.xp.zeros_like(inside))
    return LabelSums(inside, leaving, entering, _heaviest_anew(apart, inside, whole, points, unit), whole)


def _add_parts(parts: list[tuple[Array, ...]]) -> list[Any]:
    return [sum(some[1:], some[0]) for some in zip(*parts, strict=True)]


def _sums_of_ends(ends: Ends, size: int, unit: Array | None) -> tuple[Array, Array, Array]:
    """The weights inside, leaving and entering each label; edges between labels are added up after the others."""
    xp, are_inside = ends.backend.xp, ends.are_inside
    at_sources, at_targets = (xp.where(are_inside, x, x + size) for x in (ends.of_sources, ends.of_targets))
    from_label, to_label = _total(ends, at_sources, 2 * size, unit), _total(ends, at_targets, 2 * size, unit)
    return from_label[: size - 1], from_label[size : 2 * size - 1], to_label[size : 2 * size - 1]


def _total(ends: Ends, codes: Array, size: int, unit: Array | None) -> Array:
    backend = ends.backend
    if ends.weights is None:
        return backend.as_real(backend.count(codes, size), codes)
    return backend.total(_weights_in_unit(ends, unit), codes, size)


def _weights_in_unit(ends: Ends, unit: Array | None) -> Array:
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

    def sum_of_others(ends: Ends) -> Array:
        at_it = xp.take(of_codes, ends.of_sources) + xp.take(of_codes, ends.of_targets)
        others = (at_it == 0) & (ends.of_sources != ends.spare)
        if ends.weights is None:
            return xp.astype(backend.count_true(others), apart.dtype)
        weights = _weights_in_unit(ends, unit)
        return backend.sum(xp.where(others, weights, xp.zeros_like(weights)))

    found = map_edge_blocks(sum_of_others, points)
    return xp.where(is_most, sum(found[1:], found[0]), apart)
