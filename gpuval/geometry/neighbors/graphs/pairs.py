"""The number of pairs of samples that a graph links; directions, weights and repetitions of edges do not matter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.geometry.neighbors.graphs.ends import Ends, of_blocks
from gpuval.geometry.points import Points
from gpuval.numerics import Array
from gpuval.numerics.slices import slices
from gpuval.numerics.threads import parallel_map

PART = 1 << 20
"""How many keys are compared at once on the host."""


class LinkedPairs(NamedTuple):
    """The numbers of pairs of two samples that have an edge between them, in the widest integer type."""

    inside: Array
    """The number of pairs whose samples have one label."""
    between: Array
    """The number of pairs whose samples have two labels."""


def linked_pairs(points: Points) -> LinkedPairs:
    """Sort the pairs, and count each pair that differs from the one before.

    A pair is stored as two numbers: the lower sample; and twice the higher sample, plus 1 if both have one label. If
    the integers are wide enough, it is stored as one number, the key, whose last bit says whether both have one label.
    """
    backend, n = points.backend, points.n_samples
    if backend.on_host:
        return _on_the_host(points)
    xp, integer = points.xp, backend.widest(points.codes).int
    (pairs,) = of_blocks(lambda ends: _pairs(ends, n), points)
    before_all = backend.zeros_beside((1,), integer, points.codes) - 1
    if 2 * n * (n + 1) <= xp.iinfo(integer).max:
        return _counted_keys(xp.concat([before_all, xp.sort(_key(*pairs, n))]), n)
    low, second = (xp.concat([before_all, x]) for x in _in_order(*pairs))
    are_new = (low[1:] != low[:-1]) | (second[1:] != second[:-1])
    return _counted(are_new & (low[1:] < n), second[1:] % 2 == 1)


def _on_the_host(points: Points) -> LinkedPairs:
    """What :func:`linked_pairs` gives, with one array of keys that is filled, sorted and counted in place."""
    n = points.n_samples
    keys = np.empty(points.X.n_edges + 1, dtype=np.int64)
    keys[0] = -1

    def fill(ends: Ends) -> None:
        keys[1:][ends.places] = _key(*_pairs(ends, n), n)

    of_blocks(fill, points)
    keys.sort()
    parts = parallel_map(lambda x: _counted_keys(keys[x.start : x.stop + 1], n), slices(len(keys) - 1, PART))
    return LinkedPairs(*(np.sum(some, dtype=np.int64) for some in zip((0, 0), *parts, strict=True)))


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


def _in_order(low: Array, second: Array) -> tuple[Array, Array]:
    """Pairs in ascending order, by two sorts."""
    xp = backend_of(low).xp
    order = xp.argsort(second)
    order = xp.take(order, xp.argsort(xp.take(low, order), stable=True))
    return xp.take(low, order), xp.take(second, order)


def _counted_keys(keys: Array, n_samples: int) -> LinkedPairs:
    """How many sorted keys differ from the key before; the first key is not counted."""
    are_new = (keys[1:] != keys[:-1]) & (keys[1:] < 2 * n_samples * n_samples)
    return _counted(are_new, keys[1:] % 2 == 1)


def _counted(are_new: Array, are_inside: Array) -> LinkedPairs:
    backend = backend_of(are_new)
    return LinkedPairs(backend.count_true(are_new & are_inside), backend.count_true(are_new & ~are_inside))
