"""The pairs of a sample with itself, which the products of a table's sizes contain and the counts of pairs do not.

The pairs of the samples of a cell of size n weigh n^2, less the pairs of each sample with itself. For counts these are
n (each sample weighs 1, and an integer weight is as many samples). For real weights they are the sum of w_i^2: a pair
weighs w_i w_j, so that only the proportions of the weights matter. For memberships u_i and v_i a pair is together in
the first partition to the degree u_i . u_j, and in the second to v_i . v_j: the expected number of pairs if each sample
drew its groups from them.

The difference is of rounded sums: pairs that weigh less than 2^-42 of all products (2^-13 in 32 bits) count as none.

They are kept as (both, true only, pred only, neither), in shape (..., 4): where they are together with themselves. A
table of integers needs none (None), as its total says it all.
"""

from __future__ import annotations

from gpuval import _namespace as ns
from gpuval._namespace import Array


def of_weights(weights: Array | None) -> Array | None:
    """The self-pairs of samples with real weights."""
    if weights is None or ns.kind(weights) == "integer":
        return None
    return _together(ns.total(weights * weights))


def of_counts(counts: Array, axes: tuple[int, ...] | None = None) -> Array | None:
    """The self-pairs of a table, of which only the cells are known.

    Whole numbers are counts. Of others nobody knows how many samples they are: as many as one likes, so that a sample
    with itself weighs nothing.
    """
    if ns.kind(counts) == "integer":
        return None
    xp = ns.namespace(counts)
    total = ns.total(counts, axes)
    return _together(xp.where(xp.all(xp.floor(counts) == counts, axis=axes), total, xp.zeros_like(total)))


def of_integers(total: Array) -> Array:
    """The self-pairs of a table of integers, as it would have them among others."""
    return _together(ns.namespace(total).astype(total, ns.widest(total).float))


def of_memberships(u: Array, v: Array, weights: Array | None) -> Array:
    """The self-pairs of soft partitions, shapes (n_samples, n_classes) and (n_samples, n_clusters)."""
    xp = ns.namespace(u)
    (u_together, u_all), (v_together, v_all) = (
        (xp.sum(x * x, axis=-1), xp.sum(x, axis=-1) * xp.sum(x, axis=-1)) for x in (u, v)
    )
    u_apart, v_apart = u_all - u_together, v_all - v_together
    kinds = (u_together * v_together, u_together * v_apart, u_apart * v_together, u_apart * v_apart)
    if weights is not None:
        times = xp.astype(weights if ns.kind(weights) == "integer" else weights * weights, u.dtype)
        kinds = tuple(times * x for x in kinds)
    return xp.stack([xp.sum(x, axis=0) for x in kinds])


def are_of_counts(self_pairs: Array | None, total: Array) -> Array:
    """Whether each sample of a table weighs 1, so that it counts samples."""
    if self_pairs is None:
        return total == total
    xp = ns.namespace(total)
    return (self_pairs[..., 0] == total) & xp.all(self_pairs[..., 1:] == 0, axis=-1)


def added(a: Array | None, b: Array | None, a_total: Array, b_total: Array) -> Array | None:
    """The self-pairs of the samples of two tables."""
    if a is None and b is None:
        return None
    return (of_integers(a_total) if a is None else a) + (of_integers(b_total) if b is None else b)


def transposed(x: Array | None) -> Array | None:
    """The self-pairs with the roles of the two partitions exchanged."""
    if x is None:
        return None
    return ns.namespace(x).stack([x[..., 0], x[..., 2], x[..., 1], x[..., 3]], axis=-1)


def _together(x: Array) -> Array:
    nothing = ns.namespace(x).zeros_like(x)
    return ns.namespace(x).stack([x, nothing, nothing, nothing], axis=-1)
