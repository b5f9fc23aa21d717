"""From sums of distances by cluster to what a silhouette is made of."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array
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


def folded(sums: Array, is_own: Array, masses: Array, between: Between) -> Means:
    """What rows need of the sums of their distances by cluster, d(i, c), shape (n_clusters, n_rows).

    ``is_own``, of the same shape, says which cluster is the row's own, and ``masses`` has the weight of each cluster;
    one of weight 0 has no samples.
    """
    xp = backend_of(sums).xp
    nothing = xp.zeros_like(sums)
    own = xp.sum(xp.where(is_own, sums, nothing), axis=0)
    if between == "mean_other":
        return Means(own, xp.sum(xp.where(is_own, nothing, sums), axis=0))
    is_nearest = between == "nearest"
    means = ratio(sums, masses[:, None], xp)
    is_other = ~is_own & (masses > 0)[:, None]
    means = xp.where(is_other, means, xp.full_like(means, float("inf") if is_nearest else -float("inf")))
    return Means(own, xp.min(means, axis=0) if is_nearest else xp.max(means, axis=0))
