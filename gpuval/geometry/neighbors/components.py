"""The connected components of the samples of each label, for all labels at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.neighbors.edges import Edges
from gpuval.geometry.neighbors.graph_sums import Ends, map_edge_blocks
from gpuval.geometry.points import Points
from gpuval.numerics import Array, NDArray
from gpuval.numerics.parallel import slices

Connection = Literal["weak", "strong"]

_MOST_EDGES = 1 << 23
"""How many edges SciPy gets at once, because it copies them; the components of the parts are then joined."""


def component_sizes(points: Points, connection: Connection) -> Array:
    """For each sample, the number of samples in its component; strong components are found on the host."""
    backend = points.backend
    if backend.on_host:
        components = _host_components(points, connection)
    elif connection == "weak":
        components = _weak(points)
    else:
        edges: Edges = points.X
        weights = None if edges.weights is None else to_host(edges.weights)
        seen = Edges(to_host(edges.starts), to_host(edges.targets), weights, None)
        on_host = replace(points, X=seen, codes=to_host(points.codes), sizes=to_host(points.sizes))
        components = backend.from_host(_host_components(on_host, connection), points.codes)
    return points.xp.take(backend.count(components, points.n_samples), components)


def _host_components(points: Points, connection: Connection) -> NDArray:
    """The number of the component of each sample, by SciPy."""
    n = points.n_samples
    starts = np.zeros(n + 1, dtype=np.int64)

    def inside(ends: Ends) -> NDArray:
        chosen = ends.are_edges & ends.are_inside
        sources = ends.sources[chosen]
        if len(sources):  # in order, and of no other block
            counts = np.bincount(sources - sources[0])
            starts[sources[0] + 1 :][: len(counts)] = counts
        targets: NDArray = ends.targets[chosen].astype(np.int32 if n < 1 << 31 else np.int64)
        return targets

    targets = np.concatenate(map_edge_blocks(inside, points))
    np.cumsum(starts, out=starts)
    if connection == "strong" or len(targets) <= _MOST_EDGES:
        return _scipy_components(targets, starts, connection)
    components = np.arange(n)
    for some in slices(len(targets), _MOST_EDGES):
        of_part = _scipy_components(targets[some], np.clip(starts, some.start, some.stop) - some.start, "weak")
        components = _join_components(components, of_part)
    return components


def _scipy_components(targets: NDArray, starts: NDArray, connection: Connection) -> NDArray:
    from scipy.sparse import csr_array  # imported here, because loading it takes longer than all the rest
    from scipy.sparse.csgraph import connected_components

    n = len(starts) - 1
    starts = starts.astype(targets.dtype if len(targets) < 1 << 31 else np.int64)
    graph: Any = csr_array((np.ones(len(targets)), targets, starts), shape=(n, n))
    if connection == "strong":
        graph.sum_duplicates()  # an entry that is there twice would let SciPy's search of strong components never end
    _, components = connected_components(graph, directed=connection == "strong", connection=connection)
    return np.asarray(components, dtype=np.int64)


def _join_components(first: NDArray, second: NDArray) -> NDArray:
    """The components of two graphs together: components of the two that share a sample become one."""
    n_first = int(first.max()) + 1
    starts = np.zeros(n_first + int(second.max()) + 2, dtype=np.int64)
    np.cumsum(np.bincount(first, minlength=len(starts) - 1), out=starts[1:])
    together = second[np.argsort(first, kind="stable")] + n_first
    return _scipy_components(together, starts, "weak")[first]


def _weak(points: Points) -> Array:
    """The lowest sample of the weak component of each sample, found in rounds ([1]_).

    Samples are in trees. The root of a tree is its lowest sample, and all samples of a tree point to it. At first, each
    sample is a tree of its own. In a round, each root looks for the lowest root that an edge from its tree leads to; if
    that is lower, the root is hung below it. Then all samples point to the new roots.

    Two rounds leave at most half of the roots of a component that has several. Proof: let r be a root that was not hung
    in the first round, and below which nothing was hung. Then all its neighbours were higher roots, and each of these
    was hung below a root lower than r. So r is hung in the second round. Any other root that is left has at least one
    former root below it.

    So n samples take at most 2 floor(log2 n) rounds. In each round, all samples point to their roots after the length
    of the pointers was doubled ceil(log2 n) times. If values may be read, or if the library has loops, both end as soon
    as nothing changes.

    References
    ----------
    .. [1] S. C. Liu and R. E. Tarjan, "Simple concurrent connected components algorithms", ACM Transactions on Parallel
       Computing 9, 2022.
    """
    backend, xp, n, looks = points.backend, points.xp, points.n_samples, points.may_sync
    ((sources, targets),) = map_edge_blocks(_inside, points)
    samples = backend.arange_beside(0, n, backend.widest(points.codes).int, points.codes)

    def next_roots(roots: Array) -> Array:
        at_sources, at_targets = xp.take(roots, sources), xp.take(roots, targets)
        lowest = xp.minimum(_lowest(at_targets, at_sources, n), _lowest(at_sources, at_targets, n))
        parents = xp.take(xp.minimum(samples, lowest), roots)
        return backend.until_same(lambda x: xp.take(x, x), parents, (n - 1).bit_length(), looks)

    return backend.until_same(next_roots, samples, 2 * (n.bit_length() - 1), looks)


def _inside(ends: Ends) -> tuple[Array, Array]:
    """The samples at the ends of the edges within labels; all other entries become loops."""
    xp, integer = ends.backend.xp, ends.of_sources.dtype
    sources, targets = xp.astype(ends.sources, integer), xp.astype(ends.targets, integer)
    return sources, xp.where(ends.are_edges & ends.are_inside, targets, sources)


def _lowest(values: Array, codes: Array, n: int) -> Array:
    """The lowest value below n of each code; n if it does not occur."""
    lowest: Array = n - backend_of(values).largest(n - values, codes, n)
    return lowest
