"""The choice of how to compute mean distances: by pairs or by centres, on the host or in the library of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gpuval.engines.backends import is_sparse
from gpuval.geometry.distances.unit_rows import CentredRows
from gpuval.geometry.means.by_centres.of_sparse import OfSparseClusters
from gpuval.geometry.means.by_centres.on_host import OfClusters, means_by_centres
from gpuval.geometry.means.by_centres.on_the_device import means_by_centres_on_device
from gpuval.geometry.means.derivative import means_with_derivative, seen_by_numpy
from gpuval.geometry.means.folding import Between, Means
from gpuval.geometry.means.on_device import means_on_device
from gpuval.geometry.means.pairs import means_by_pairs
from gpuval.geometry.points import Points
from gpuval.geometry.progress import Progress
from gpuval.numerics import Array, NDArray

_BY_CENTRES = ("sqeuclidean", "cosine")
"""The metrics whose means follow from the centres."""


def mean_distances(points: Points, metric: str, between: Between, rows: Array | None, progress: Progress) -> Means:
    """Mean distances of the rows, which are indices beside the codes; None for all samples, in their order.

    What is given for samples that do not count means nothing.
    """
    return mean_distances_of_all([points], metric, between, rows, progress)[0]


def mean_distances_of_all(
    several: Sequence[Points], metric: str, between: Between, rows: Array | None, progress: Progress
) -> list[Means]:
    """The same of each of several labelings, one at least, of the same samples with the same weights."""
    each = progress.part(1 / len(several))
    hosts = list(filter(None, map(seen_by_numpy, several)))
    if len(hosts) == len(several):

        def means_of(points: Points, chosen: NDArray | None) -> Means:
            return mean_distances(points, metric, between, chosen, each)

        both = zip(several, hosts, strict=True)
        return [means_with_derivative(points, host, means_of, metric, between, rows) for points, host in both]
    if metric == "correlation":
        several, metric = [replace(x, X=CentredRows(x.X)) for x in several], "cosine"
    on_host = several[0].backend.on_host
    if metric in _BY_CENTRES and on_host:
        of_clusters = OfSparseClusters if is_sparse(several[0].X) else OfClusters
        return means_by_centres(of_clusters, several, metric, between, rows, each)
    if metric in _BY_CENTRES:
        return [means_by_centres_on_device(x, metric, between, rows, each) for x in several]
    return (means_by_pairs if on_host else means_on_device)(several, metric, between, rows, progress)
