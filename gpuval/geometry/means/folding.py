"""From the sums of distances to each cluster to the two means that a silhouette compares."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import ratio

Between = Literal["nearest", "mean_other", "furthest"]
"""What a silhouette compares the distances to the own cluster with; see :class:`Means`."""


class Means(NamedTuple):
    """What the silhouettes of rows are made of: two arrays of shape (n_rows,), in the widest float.

    Let d(i, c) be the sum of w_j d_ij over the samples j of cluster c, with the weights w_j and the distances d_ij of
    row i, and w_c the sum of these weights.
    """

    own: Array
    """d(i, k) of the row's own cluster k: divided by the weight of the other samples of k, the a of the silhouette."""
    other: Array
    """The b of the silhouette by its mode, over the clusters c other than k: for "nearest" the least d(i, c) / w_c, for
    "furthest" the largest; for "mean_other" the sum of d(i, c), which is yet to be divided by the sum of w_c."""
    which: Array | None = None
    """The cluster that b is of, on the host; it means nothing for "mean_other"."""


_WORST = {"nearest": float("inf"), "furthest": -float("inf")}
"""The b where there is no other cluster."""


def means_from_sums(sums: Array, is_own: Array, masses: Array, between: Between) -> Means:
    """What rows need of the sums of their distances by cluster, d(i, c), shape (n_clusters, n_rows).

    ``is_own``, of the same shape, says which cluster is the row's own, and ``masses`` has the weight of each cluster;
    one of weight 0 has no samples.
    """
    backend = backend_of(sums)
    xp, nothing = backend.xp, backend.xp.zeros_like(sums)
    own = xp.sum(xp.where(is_own, sums, nothing), axis=0)
    if between == "mean_other":
        return Means(own, xp.sum(xp.where(is_own, nothing, sums), axis=0))
    means = ratio(sums, masses[:, None], xp)
    is_other = ~is_own & (masses > 0)[:, None]
    means = xp.where(is_other, means, xp.full_like(means, _WORST[between]))
    if not backend.on_host:
        return Means(own, xp.min(means, axis=0) if between == "nearest" else xp.max(means, axis=0))
    if len(means) == 0:
        return Means(own, own + _WORST[between], np.zeros(len(own), dtype=np.intp))
    which = means.argmin(axis=0) if between == "nearest" else means.argmax(axis=0)
    return Means(own, np.take_along_axis(means, which[None, :], axis=0)[0], which)


def merge_means(parts: Sequence[Means], between: Between) -> Means:
    """Of the means of the same rows to some clusters each, in their own library, those to all of them."""
    xp = backend_of(parts[0].own).xp
    join = {"nearest": xp.minimum, "furthest": xp.maximum, "mean_other": operator.add}[between]
    own = functools.reduce(operator.add, [x.own for x in parts])
    return Means(own, functools.reduce(join, [x.other for x in parts]))


def means_of_parts(parts: Sequence[Means], like: Array) -> Means:
    """The means of some rows after those of others; nothing, beside ``like``, where there are none."""
    xp = backend_of(like).xp
    nothing = like[:0]
    own, other = (xp.concat([nothing, *(part[i] for part in parts)]) for i in range(2))
    has_which = len(parts) > 0 and parts[0].which is not None
    return Means(own, other, xp.concat([part.which for part in parts]) if has_which else None)


def reorder_means(means: Means, order: NDArray, n_samples: int, rows: NDArray | None) -> Means:
    """Means of the samples of an order where all samples are, or the rows; 0 for others; on the host."""

    def reorder(values: NDArray | None) -> Any:
        if values is None:
            return None
        of_all = np.zeros(n_samples, dtype=values.dtype)
        of_all[order] = values
        return of_all if rows is None else of_all[rows]

    return Means(*map(reorder, means))
