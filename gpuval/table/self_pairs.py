"""What to subtract where n_ij^2 counts pairs of samples: each sample paired with itself.

A cell of n_ij samples has n_ij^2 ordered pairs of them, of which n_ij are a sample with itself. Of counts the sizes say
how many to subtract. Not so of real weights and of memberships:

- *weights*: a pair of samples weighs w_i w_j, so that only the proportions of the weights matter. The sum over a cell
  is n^2 for its weight n, and each sample with itself is w_i^2 of that. Where one weight is nearly all of its cell, the
  difference would be rounding alone. So what the pairs within a cell weigh is found where the samples are known, the
  pairs of a sample that is most of its cell by themselves; and where two cells of weights n and m are added, it is
  2 n m more.
- *memberships*: samples i and j are together in the first partition to the degree u_i . u_j, and in the second to
  v_i . v_j: the expected number of pairs if each sample drew its groups from its memberships. There the difference is
  made by the cell.

A table has six numbers of them, in shape (..., 6): what the pairs of each sample with itself weigh that are together in
both partitions, in the true one only, in the predicted one only, and in neither; what the pairs of two samples of one
cell weigh; and how many tables have been added without the pairs between them, as ``jax.lax.psum`` adds. From 2 on, the
fifth number is not known, and the difference is made from rounded sums: pairs that weigh less than 2^-42 of all
products (2^-13 in 32 bits) count as none. A table of integers has None, as its sizes say it all; but if its samples
were drawn with replacement, the first four numbers are the pairs of two copies of one sample, which are left out, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array

N_SELF_PAIRS = 6


def self_pairs_of_weights(
    weights: Array | None, cell: Array, sizes: Array, sums: Callable[[Array], Array]
) -> Array | None:
    """The six numbers of samples with real weights, each in its cell; ``sums`` gives the sum of each cell.

    At most one sample weighs more than half of its cell. With the others, of weight r and squares s, it makes
    2 (n - r) r + r^2 - s, of which s is at most a third; without such a sample r = n, and s is at most half.
    """
    if weights is None or (backend := backend_of(weights)).kind(weights) == "integer":
        return None
    xp = backend.xp
    is_most = weights > xp.take(sizes / 2.0, cell)
    rest, squares = sizes, weights * weights
    of_others = squares
    view = backend.host_view(is_most)
    if view is None or view.any():
        others = xp.where(is_most, 0.0, weights)
        rest, of_others = sums(others), others * others
    within = backend.sum(rest * (2.0 * sizes - rest)) - backend.sum(of_others)
    return _numbers(backend.sum(squares), within=within)


def self_pairs_of_counts(counts: Array, axes: tuple[int, ...] | None = None) -> Array | None:
    """The six numbers of a table of which only the cells are known.

    Whole numbers are counts. Of others nobody knows how many samples they are: as many as one likes, so that a sample
    with itself weighs nothing.
    """
    backend = backend_of(counts)
    if backend.kind(counts) == "integer":
        return None
    xp, total = backend.xp, backend.sum(counts, axes)
    whole = xp.all(xp.floor(counts) == counts, axis=axes)
    within = xp.where(whole, backend.sum(counts * (counts - 1), axes), backend.sum(counts * counts, axes))
    return _numbers(xp.where(whole, total, xp.zeros_like(total)), within=within)


def self_pairs_of_integers(counts: Array, axes: tuple[int, ...] | None = None) -> Array:
    """The six numbers of a table of integers, as it has them among others."""
    backend = backend_of(counts)
    real = backend.as_real(counts, counts)
    return _numbers(backend.sum(real, axes), within=backend.sum(real * (real - 1), axes))


def pairs_of_copies(*kinds: Array) -> Array:
    """The six numbers of integer tables whose samples were drawn with replacement, of up to four kinds of copies."""
    return _numbers(*kinds, within=0.0 * kinds[0])


def self_pairs_of_table(counts: Array, self_pairs: Array | None, axes: tuple[int, ...] | None = None) -> Array:
    """The six numbers of a table of either kind: those that it has, or of integers, which have None, those of sizes."""
    return self_pairs_of_integers(counts, axes) if self_pairs is None else self_pairs


def self_pairs_of_memberships(u: Array, v: Array, weights: Array | None, counts: Array) -> Array:
    """The six numbers of soft partitions, (n_samples, n_classes) and (n_samples, n_clusters), and of their table."""
    backend = backend_of(u)
    xp = backend.xp
    (u_together, u_all), (v_together, v_all) = (
        (xp.sum(x * x, axis=-1), xp.sum(x, axis=-1) * xp.sum(x, axis=-1)) for x in (u, v)
    )
    u_apart, v_apart = u_all - u_together, v_all - v_together
    kinds = (u_together * v_together, u_together * v_apart, u_apart * v_together, u_apart * v_apart)
    squares = u * u
    if weights is not None:
        times = xp.astype(weights if backend.kind(weights) == "integer" else weights * weights, u.dtype)
        kinds, squares = tuple(times * x for x in kinds), times[:, None] * squares
    within = subtract_self_pairs(counts * counts, backend.matmul(xp.matrix_transpose(squares), v * v), xp)
    return _numbers(*(xp.sum(x, axis=0) for x in kinds), within=backend.sum(within))


def pairs_between(cells: Array, others: Array, axes: tuple[int, ...] | None = None) -> Array:
    """What the pairs of a sample of one table and one of another weigh that share a cell, in each order."""
    return 2.0 * backend_of(cells).sum(cells * others, axes)


def sum_of_self_pairs(numbers: Array, pairs_between: Array, tables: int = 2) -> Array:
    """The sum of the six numbers of two tables or more, with what the pairs between these weigh."""
    return numbers + _numbers(within=pairs_between, joined=1.0 - tables)


def pairs_within_cells(numbers: Array, squares: Array) -> Array:
    """What the pairs within the cells weigh; ``squares`` is the sum of the squares of all cells."""
    xp = backend_of(numbers).xp
    return xp.where(numbers[..., 5] == 1, numbers[..., 4], subtract_self_pairs(squares, numbers[..., 0], xp))


def subtract_self_pairs(products: Array, self_pairs: Array, xp: Any) -> Array:
    """``products - self_pairs >= 0``; a difference that may be no more than the rounding of both is 0."""
    difference = products - self_pairs
    rounding = 2.0**10 * float(xp.finfo(products.dtype).eps)
    return xp.where(difference > rounding * self_pairs, difference, xp.zeros_like(difference))


def are_of_counts(numbers: Array | None, total: Array) -> Array:
    """Whether each sample of a table weighs 1, so that it counts samples."""
    if numbers is None:
        return total == total
    xp = backend_of(total).xp
    return (numbers[..., 0] == total) & xp.all(numbers[..., 1:4] == 0, axis=-1)


def transpose_self_pairs(x: Array | None) -> Array | None:
    """The six numbers with the roles of the two partitions exchanged."""
    if x is None:
        return None
    return backend_of(x).xp.stack([x[..., i] for i in (0, 2, 1, 3, 4, 5)], axis=-1)


def _numbers(*itself: Array, within: Array, joined: float = 1.0) -> Array:
    xp = backend_of(within).xp
    nothing = xp.zeros_like(within)
    kinds = [*itself, *[nothing] * (4 - len(itself))]
    return xp.stack([*kinds, within, nothing + joined], axis=-1)
