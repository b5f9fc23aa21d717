"""The smallest distance between clusters and the largest within one, on the host, without most of the distances.

Both are exact: what is left out cannot be the extreme. Two samples x of cluster I and y of J are apart by no less than
the line through the two centres shows, by |m_J - m_I| less what x and y lie along it towards the other; in a metric
without lines, by no less than the distance of x to m_J less that of y to its own centre. Two samples of one cluster are
apart by no more than the distances of both to its centre. Samples are gone through in the order of these bounds, and
from where a bound is not better than what was found, the rest is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuval.geometry.distances import products as _host
from gpuval.geometry.distances.rows import slices
from gpuval.geometry.progress import Progress
from gpuval.numerics import threads as _threads

NDArray = np.ndarray[Any, Any]

_SLACK = 1e-9
"""What bounds may be off by rounding, of the size of what they are found from."""

_CELLS = 1 << 20
"""Numbers that are there at once for samples beside all centres."""

_AT_ONCE = 16
"""Pairs of clusters that are begun before the next bound is looked at."""

_PAIR = 1 << 15
"""Distances that take as long as to begin with two clusters."""


def is_worth_it(sizes: NDArray) -> bool:
    """Whether bounds of each pair of clusters cost less than all distances."""
    return _PAIR * len(sizes) ** 2 < int(sizes.sum()) ** 2 and len(sizes) <= 4096


class Clusters:
    """Samples sorted by cluster, the centres of the clusters, and how far samples are from them."""

    def __init__(self, X: NDArray, edges: NDArray, centres: NDArray, metric: str) -> None:
        self.X, self.edges, self.centres, self.metric = X, edges, centres, metric
        self.k = len(centres)
        self.radii = np.concatenate(self.each(lambda i: self.distances(self.of(i), centres[i : i + 1])[:, 0]))

    def each(self, function: Callable[[int], Any], clusters: Any = None) -> list[Any]:
        """A function of all clusters, or of some, on as many cores as there are."""
        return _threads.mapped_with_blas(function, range(self.k) if clusters is None else clusters)

    def of(self, i: int) -> NDArray:
        """The samples of a cluster."""
        return self.X[self.edges[i] : self.edges[i + 1]]

    def radii_of(self, i: int) -> NDArray:
        """The distances of the samples of a cluster to its centre."""
        return self.radii[self.edges[i] : self.edges[i + 1]]

    def nearest_to(self, places: NDArray, i: int) -> NDArray:
        """The smallest distance of the samples of a cluster to each of the places."""
        found = np.full(len(places), np.inf)
        for _, columns, tile in tiles(self.of(i), places, self.metric):
            np.minimum(found[columns], tile.min(axis=0), out=found[columns])
        return found

    def parts(self, i: int) -> int:
        """In how many parts to go through the samples of a cluster beside all centres."""
        return -(-len(self.of(i)) // max(1, _CELLS // self.k))

    def distances(self, x: NDArray, y: NDArray) -> NDArray:
        """All distances of x to y, of which one has few."""
        found = np.empty((len(x), len(y)))
        for rows, columns, tile in tiles(x, y, self.metric):
            found[rows, columns] = tile
        return found


def tiles(x: NDArray, y: NDArray, metric: str) -> Iterator[tuple[slice, slice, NDArray]]:
    """The distances of x to y, by the tile."""
    source = _host.tiles_of(x, y, metric)
    for rows in slices(len(x), _host.ROWS):
        prepared = source.rows(rows)
        for columns in slices(len(y), _host.COLUMNS):
            yield rows, columns, source.tile(prepared, columns)


def largest_within(clusters: Clusters, progress: Progress) -> float:
    """The largest distance between two samples of one cluster."""
    outermost = [np.sort(clusters.radii_of(i))[-2:] for i in range(clusters.k)]
    bounds = [float(pair.sum()) if len(pair) == 2 else 0.0 for pair in outermost]
    largest = 0.0  # so far: threads may overwrite one another's, which leaves a bound that is less sharp

    def largest_of(i: int) -> float:
        nonlocal largest
        found = 0.0
        if bounds[i] * (1 + _SLACK) > largest:
            found = _diameter(clusters, i, largest)
            largest = max(found, largest)
        progress.advance(len(clusters.of(i)) / 2)
        return found

    return float(max(clusters.each(largest_of, np.argsort([-x for x in bounds], kind="stable").tolist())))


def _diameter(clusters: Clusters, i: int, largest: float) -> float:
    """The largest distance between two samples of a cluster, if it is larger than ``largest``."""
    x, radii = clusters.of(i), clusters.radii_of(i)
    order = np.argsort(-radii, kind="stable")  # the outermost first
    x, radii = x[order], radii[order]
    for rows in slices(len(x), _host.ROWS):
        enough = largest - radii[rows.start] - _SLACK * (largest + radii[rows.start])
        last = int(np.searchsorted(-radii, -enough, side="right"))  # further in, no sum of two radii is larger
        if last <= rows.start:
            break
        for _, _, tile in tiles(x[rows], x[rows.start : last], clusters.metric):
            largest = max(largest, float(tile.max()))
    return largest


def smallest_between(clusters: Clusters, progress: Progress) -> float:
    """The smallest distance between two samples of different clusters."""
    i, j = np.triu_indices(clusters.k, 1)
    bounds = _bounds(clusters)[i, j]
    order = np.argsort(bounds, kind="stable")
    smallest = np.inf  # so far, as above

    def smallest_of(pair: int) -> float:
        nonlocal smallest
        found = np.inf
        if bounds[pair] < smallest:
            found = _separation(clusters, int(i[pair]), int(j[pair]), smallest)
            smallest = min(found, smallest)
        return found

    all_found = [np.inf]
    for some in slices(len(order), _AT_ONCE):
        if bounds[order[some.start]] >= min(all_found):
            break
        all_found += clusters.each(smallest_of, order[some].tolist())
    progress.advance(len(clusters.X) / 2)
    return float(min(all_found))


def _bounds(clusters: Clusters) -> NDArray:
    """For each pair of clusters, what their samples are apart by at least."""
    centres = clusters.centres
    if clusters.metric == "cityblock":
        nearest = np.stack(clusters.each(lambda i: clusters.nearest_to(centres, i)))
        extents = np.asarray([clusters.radii_of(i).max() for i in range(clusters.k)])
        bounds = (nearest - extents) - _SLACK * (nearest + extents)
        both: NDArray = np.maximum(bounds, bounds.T)
        return both
    apart = clusters.distances(centres, centres)

    def reach_of(i: int) -> NDArray:
        along = (centres - centres[i]) / np.where(apart[i] > 0, apart[i], 1.0)[:, None]
        parts = np.array_split(clusters.of(i), clusters.parts(i))
        return np.asarray(np.max([((x - centres[i]) @ along.T).max(axis=0) for x in parts], axis=0))

    reach = np.stack(clusters.each(reach_of))
    return np.asarray(apart - (reach + reach.T) - _SLACK * (apart + abs(reach) + abs(reach.T)))


def _separation(clusters: Clusters, i: int, j: int, smallest: float) -> float:
    """The smallest distance between samples of two clusters, if it is smaller than ``smallest``."""
    x, y = clusters.of(i), clusters.of(j)
    apart, towards_j, towards_i = _keys(clusters, i, j)
    order_x, order_y = (np.argsort(-keys, kind="stable") for keys in (towards_j, towards_i))  # the nearest first
    x, y, towards_j, towards_i = x[order_x], y[order_y], towards_j[order_x], towards_i[order_y]
    slack = _SLACK * (abs(apart) + abs(towards_j).max() + abs(towards_i).max())
    for rows in slices(len(x), _host.ROWS):
        needed = apart - towards_j[rows.start] - smallest - slack
        last = int(np.searchsorted(-towards_i, -needed, side="right"))  # further back, no sample is near enough
        if last == 0:
            break
        for _, _, tile in tiles(x[rows], y[:last], clusters.metric):
            smallest = min(smallest, float(tile.min()))
    return smallest


def _keys(clusters: Clusters, i: int, j: int) -> tuple[float, NDArray, NDArray]:
    """A number less two keys bounds each distance: those of the samples of one cluster, and of the other."""
    x, y, here, there = clusters.of(i), clusters.of(j), clusters.centres[i], clusters.centres[j]
    if clusters.metric == "cityblock":
        return 0.0, -clusters.distances(x, there[None, :])[:, 0], clusters.radii_of(j)
    apart = float(np.linalg.norm(there - here))
    along = (there - here) / (apart or 1.0)
    return apart, (x - here) @ along, (there - y) @ along
