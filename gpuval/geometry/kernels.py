"""Distances on a GPU, by kernels that store no distances: mean distances to clusters, and extreme distances."""

from __future__ import annotations

from gpuval.engines import engine_of
from gpuval.engines.backends import to_host
from gpuval.geometry.points import Points, take_rows
from gpuval.geometry.progress import Progress
from gpuval.numerics import Array
from gpuval.numerics.parallel import slices

_MOST_WORK, _FEWEST = 1 << 44, 1 << 14
"""The most pairs of numbers that a kernel is given at once, so that it can be interrupted; and the fewest rows."""


def is_for_kernels(points: Points, metric: str) -> bool:
    """Whether there is a kernel for such distances where the samples are."""
    return engine_of(points.codes).has_distances(points.X, metric, points.weights)


def means_by_kernel(
    points: Points, metric: str, chosen: Array | None, codes: Array, progress: Progress
) -> tuple[Array, Array, Array, Array]:
    """Of each chosen row, whose clusters are ``codes``, what :meth:`Engine.cluster_means` gives.

    Samples that do not count are columns of one cluster more, of mass 0; so their number need not be known on the host.
    """
    xp, like, engine = points.xp, points.codes, engine_of(points.codes)
    order = xp.argsort(like)
    rows, columns = (take_rows(points.X, x) for x in (chosen, order))
    end = points.backend.zeros_beside((1,), like.dtype, like) + points.n_samples
    edges = xp.concat([xp.zeros_like(end), points.backend.cumulative_sum(points.sizes), end])
    masses = xp.concat([points.masses, xp.zeros_like(points.masses[:1])])
    weights = take_rows(points.weights, order)
    parts = []
    for part in slices(max(1, codes.shape[0]), max(_FEWEST, _MOST_WORK // max(1, points.n_samples * columns.shape[1]))):
        parts.append(engine.cluster_means(rows[part, :], codes[part], columns, edges, weights, masses, metric))
        if points.may_sync and part.stop < codes.shape[0]:
            to_host(parts[-1][0, :1])  # waits, so that it can be interrupted
        progress.advance(part.stop - part.start)
    own, nearest, furthest, others = (xp.concat([part[i, :] for part in parts]) for i in range(4))
    return own, nearest, furthest, others


def extremes_by_kernel(points: Points, metric: str) -> tuple[Array, Array]:
    """The smallest distance between clusters and the largest within one, of the samples that count."""
    xp, ends = points.xp, points.backend.cumulative_sum(points.sizes)
    order = xp.argsort(points.codes)[: int(to_host(ends[-1:])[0])]
    X, codes = take_rows(points.X, order), take_rows(points.codes, order)
    found = engine_of(X).cluster_extremes(X, codes, X, xp.concat([xp.zeros_like(ends[:1]), ends]), metric)
    return xp.min(found[0, :]), xp.max(found[1, :])
