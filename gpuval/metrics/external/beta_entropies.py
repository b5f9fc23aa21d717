"""Beta-entropies (Havrda-Charvat entropies): a family with Shannon's entropy and Gini's index.

The order beta selects the entropy: 0 gives the number of groups less 1, 1 gives Shannon's entropy in bits, and 2 gives
twice the Gini index. With t = beta - 1, every formula is written with expm1(t log p). So the values for beta near 1 go
over smoothly into Shannon's entropy. Tsallis entropies are the same up to a factor that depends on beta
only.
"""

from __future__ import annotations

import math
from math import inf
from typing import Any

from gpuval.inputs.options import check_not_negative, check_option
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import other_side, table_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, surprise
from gpuval.table.information import mutual_information
from gpuval.table.pairs import excess_of_cells, rest_of_class, rest_of_cluster, rest_of_groups, rest_of_table
from gpuval.table.table import Partition, Side, Table

_NEAR_SHANNON = 0.01
"""Orders as near to 1 as this are done by their distance from Shannon's."""

__all__ = [
    "beta_conditional_entropy",
    "beta_entropy",
    "beta_entropy_distance",
    "beta_joint_entropy",
    "beta_mutual_info",
    "gini_index",
]

BETA_ENTROPIES = Family("beta-entropies", table_measure, of_two=True, interval="jackknife", class_weight=1)

_BETAS = (1, 0, 0.5, 3.5, 1 + 1e-9)


def _beta(beta: float) -> float:
    return beta


@measure(
    BETA_ENTROPIES,
    better="",
    range=(0.0, inf),
    exchanged=None,
    of_one_labeling=True,
    tried={"beta": _BETAS, "of": ("pred",)},
)
def beta_entropy(partition: Partition, *, beta: float = 2.0) -> Array:
    """Beta-entropy (Havrda-Charvat entropy) of one labeling: a family of entropies with an order.

    ``p_i`` is the share of the samples that have label i. Then ``H_b = (1 - sum_i p_i^b) / (1 - 2^(1-b))`` with the
    order ``b = beta``. At b = 1 it is the limit of this formula, which is Shannon's entropy in bits ([1]_, equation 3).
    The Tsallis entropy of order b is the same up to a factor that depends on b only.

    Parameters
    ----------
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.
    beta
        The order: 0 gives the number of groups less 1, 1 gives Shannon's entropy in bits, 2 gives twice the Gini index.

    Returns
    -------
    float
        From 0, for one group, to ``(1 - n^(1-b)) / (1 - 2^(1-b))``, for n groups of one sample each.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.

    Examples
    --------
    >>> from gpuval import beta_entropy
    >>> float(beta_entropy([0, 0, 1, 1], beta=1))
    1.0
    >>> float(beta_entropy([0, 0, 0, 0], beta=2))
    0.0
    """
    t = _less_1(beta)
    sizes, total, xp = partition.sizes, partition.total[..., None], partition.xp
    size, rest = partition.real(sizes), partition.real(rest_of_groups(sizes, partition.total))
    share = ratio(size, partition.real(total), xp)
    return xp.sum(share * _loss(surprise(size, rest, xp), t, xp), axis=-1)


@measure(BETA_ENTROPIES, better="", range=(0.0, inf), tried={"beta": _BETAS})
def beta_joint_entropy(table: Table, *, beta: float = 2.0) -> Array:
    """Beta-entropy of both labels together.

    It is :func:`beta_entropy` of the meet of the two partitions: the partition whose groups are the non-empty cells of
    the contingency table ([1]_, section 2).

    Parameters
    ----------
    beta
        The order: 0 gives the number of non-empty cells less 1, 1 gives the joint entropy in bits.

    Returns
    -------
    float
        At least the larger of the two beta-entropies. Symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.

    Examples
    --------
    >>> from gpuval import beta_joint_entropy
    >>> float(beta_joint_entropy([0, 0, 1, 1], [1, 1, 0, 0], beta=1))
    1.0
    >>> float(beta_joint_entropy([0, 0, 1, 1], [0, 1, 0, 1], beta=1))
    2.0
    """
    t = _less_1(beta)
    xp, cells = table.xp, table.cells
    count, rest = table.real(table.counts), table.real(rest_of_table(table))
    share = ratio(count, table.real(cells.everywhere(table.total)), xp)
    return cells.sum(share * _loss(surprise(count, rest, xp), t, xp))


@measure(
    BETA_ENTROPIES,
    better="lower",
    range=(0.0, inf),
    exchanged=lambda beta, given: ("beta_conditional_entropy", {"beta": beta, "given": other_side(given)}),
    class_weight=_beta,
    tried={"beta": _BETAS, "given": ("true",)},
)
def beta_conditional_entropy(table: Table, *, beta: float = 2.0, given: Side = "pred") -> Array:
    """Conditional beta-entropy: the beta-entropy of one partition that is left if the other one is known.

    ``b_j`` of the ``n`` samples are in cluster j, and H_b is :func:`beta_entropy` with the order ``b = beta``. For
    ``given="pred"`` it is ``H_b(true | pred) = sum_j (b_j / n)^b * H_b(true restricted to cluster j)``. For
    ``given="true"`` the roles of classes and clusters are exchanged ([1]_, definition 2.2).

    Parameters
    ----------
    beta
        The order; 1 gives the conditional entropy in bits.
    given
        ``"pred"`` or ``"true"``: the partition that is known.

    Returns
    -------
    float
        From 0, which is best. Not symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.

    Examples
    --------
    >>> from gpuval import beta_conditional_entropy
    >>> float(beta_conditional_entropy([0, 0, 1, 1], [1, 1, 0, 0], beta=2))
    0.0
    >>> float(beta_conditional_entropy([0, 0, 1, 1], [0, 0, 0, 0], beta=2))
    1.0
    """
    check_option("given", given, ("true", "pred"))
    return _conditional(table, _less_1(beta), given)


@measure(
    BETA_ENTROPIES,
    range=lambda beta: (0.0 if beta >= 1 else -inf, inf),
    one_sided=True,
    class_weight=_beta,
    tried={"beta": _BETAS},
)
def beta_mutual_info(table: Table, *, beta: float = 2.0) -> Array:
    """Mutual information of order beta: by how much knowing one partition lowers the beta-entropy of the other.

    It is ``H_b(true) - H_b(true | pred)``, of :func:`beta_entropy` and :func:`beta_conditional_entropy` ([1]_, section
    3). With the roles of the partitions exchanged it is the same number.

    Parameters
    ----------
    beta
        The order; 1 gives the mutual information in bits.

    Returns
    -------
    float
        At most the smaller of the two beta-entropies. For independent partitions it is 0 at beta = 1 only. It may be
        negative for beta < 1. Symmetric.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "An axiomatization of partition entropy", IEEE Transactions on Information
       Theory 48, 2002.

    Examples
    --------
    >>> from gpuval import beta_mutual_info
    >>> float(beta_mutual_info([0, 0, 1, 1], [1, 1, 0, 0], beta=1))
    1.0
    >>> float(beta_mutual_info([0, 0, 1, 1], [0, 0, 0, 0], beta=2))
    0.0
    """
    t = _less_1(beta)
    xp, cells = table.xp, table.cells
    sizes = cells.by_class(table.class_sizes), cells.by_cluster(table.cluster_sizes)
    k, n, a, b = (table.real(x) for x in (table.counts, cells.everywhere(table.total), *sizes))
    outside = (
        cells.by_class(rest_of_groups(table.class_sizes, table.total)),
        cells.by_cluster(rest_of_groups(table.cluster_sizes, table.total)),
    )
    log_smaller, log_larger = (
        -surprise(table.real(x), table.real(rest), xp)
        for x, rest in ((xp.minimum(*sizes), xp.maximum(*outside)), (xp.maximum(*sizes), xp.minimum(*outside)))
    )
    excess = ratio(excess_of_cells(table), a * b, xp)
    near = xp.abs(excess) < 0.2
    far_ratio = xp.where(near | (k == 0), 1.0, ratio(k, a, xp) * ratio(n, b, xp))
    log_ratio = xp.where(near, xp.log1p(xp.where(near, excess, 0.0)), xp.log(far_ratio))
    if abs(t) < _NEAR_SHANNON:
        of_cell = _beyond_shannon(log_smaller, log_larger, log_ratio, t, xp)
    else:
        rest = xp.minimum(rest_of_class(table), rest_of_cluster(table))
        log_share = -surprise(k, table.real(rest), xp)
        of_cell = _information_of_cell(log_smaller, log_larger, log_share, log_ratio, t, xp)
    summed = cells.sum(ratio(k, n, xp) * xp.where(k > 0, of_cell, 0.0))
    if abs(t) < _NEAR_SHANNON:
        return (mutual_information(table) + t * summed) / -_expm1_ratio(-math.log(2.0), t, math)
    return summed


@measure(
    BETA_ENTROPIES,
    better="lower",
    range=(0.0, inf),
    is_metric=lambda beta: beta >= 1,
    class_weight=_beta,
    tried={"beta": _BETAS},
)
def beta_entropy_distance(table: Table, *, beta: float = 2.0) -> Array:
    """Distance of partitions by beta-entropy: a generalised variation of information.

    It is ``d_b = H_b(true | pred) + H_b(pred | true)``, where H_b is :func:`beta_conditional_entropy` ([1]_, theorem
    3.4).

    Parameters
    ----------
    beta
        The order: 1 gives the variation of information in bits, 2 gives twice the normalised Mirkin distance.

    Returns
    -------
    float
        From 0, which is best. Symmetric; a metric for beta >= 1.

    References
    ----------
    .. [1] D. A. Simovici and S. Jaroszewicz, "Generalized entropy and decision trees", EGC 2003.

    Examples
    --------
    >>> from gpuval import beta_entropy_distance
    >>> float(beta_entropy_distance([0, 0, 1, 1], [1, 1, 0, 0], beta=1))
    0.0
    >>> float(beta_entropy_distance([0, 0, 1, 1], [0, 1, 0, 1], beta=1))
    2.0
    """
    t = _less_1(beta)
    return _conditional(table, t, "pred") + _conditional(table, t, "true")


@measure(BETA_ENTROPIES, better="", exchanged=None, of_one_labeling=True, tried={"of": ("pred",)})
def gini_index(partition: Partition) -> Array:
    """Gini index (Gini impurity): probability that two random samples have different labels.

    The two samples are drawn with replacement. ``p_i`` is the share of the samples that have label i. The index is
    ``1 - sum_i p_i^2`` ([1]_, section 4.2). It is half the beta-entropy of order 2.

    Parameters
    ----------
    of
        ``"true"`` or ``"pred"``: which side of a :class:`Contingency` to take. For label vectors it has no effect.

    Returns
    -------
    float
        From 0, for one group, to 1 - 1/n, for n groups of one sample each.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", 1984.

    Examples
    --------
    >>> from gpuval import gini_index
    >>> float(gini_index([0, 0, 1, 1]))
    0.5
    >>> float(gini_index([0, 0, 0, 0]))
    0.0
    """
    sizes, total, real = partition.sizes, partition.total[..., None], partition.real
    outside = rest_of_groups(sizes, partition.total)
    share, rest = (ratio(real(x), real(total), partition.xp) for x in (sizes, outside))
    return partition.xp.sum(share * rest, axis=-1)


def _less_1(beta: float) -> float:
    """The order less 1, at most 1e30: from there on p^t is 0 for every p below 1, and float32 holds little more."""
    return min(check_not_negative("beta", beta), 1e30) - 1.0


def _conditional(table: Table, t: float, given: Side) -> Array:
    xp, cells, n = table.xp, table.cells, table.counts
    sizes = table.cluster_sizes if given == "pred" else table.class_sizes
    aligned, rest = (
        (cells.by_cluster, rest_of_cluster(table)) if given == "pred" else (cells.by_class, rest_of_class(table))
    )
    group, outside = (table.real(aligned(x)) for x in (sizes, rest_of_groups(sizes, table.total)))
    share = ratio(table.real(n), table.real(cells.everywhere(table.total)), xp)
    weight = xp.exp(-t * surprise(group, outside, xp))
    return cells.sum(share * weight * _loss(surprise(table.real(n), table.real(rest), xp), t, xp))


def _loss(surprise_in_nats: Array, t: float, xp: Any) -> Array:
    """(1 - p^t) / (1 - 2^-t) of p = exp(-surprise), and its limit log2(1/p) at t = 0."""
    if abs(t) < 1e-300:
        return surprise_in_nats / math.log(2.0)
    return xp.expm1(-t * surprise_in_nats) / math.expm1(-t * math.log(2.0))


def _information_of_cell(
    log_smaller: Array, log_larger: Array, log_share: Array, log_ratio: Array, t: float, xp: Any
) -> Array:
    """(1 - s^t - g^t + p^t) / (1 - 2^-t) for a cell of share p, of a class and a cluster of shares s <= g.

    With r = p / (s g) it is (1 - s^t)(1 - g^t) + (s g)^t (r^t - 1), and it is (1 - g^t) - s^t (1 - (p/s)^t): the better
    is the one of smaller terms.
    """
    apart = -_loss(-log_smaller, t, xp) * xp.expm1(t * log_larger)
    largest = xp.exp(t * (log_smaller + xp.where(log_ratio > 0, log_share, log_larger)))
    size = largest * _loss(xp.abs(log_ratio), t, xp)
    joint = xp.where(log_ratio < 0, -size, size)
    above = _loss(-log_larger, t, xp)
    below = xp.exp(t * log_smaller) * _loss(-log_share, t, xp)
    return xp.where(xp.abs(apart) + xp.abs(joint) < xp.abs(above) + xp.abs(below), apart + joint, above - below)


def _beyond_shannon(log_a: Array, log_b: Array, log_ratio: Array, t: float, xp: Any) -> Array:
    """((1 - 2^-t) ``_information_of_cell`` - t log r) / t^2, for t near 0.

    Its first order in t, log r, sums to the mutual information, of which only the second order in r - 1 is left: so
    that is taken from the sum of terms that are not negative.
    """
    bend = log_ratio * 0.0  # (e^u - 1 - u) / u^2 in u = t log r, below a quarter up to e^25 samples
    for j in range(12, 1, -1):
        bend = (bend * (t * log_ratio) + 1.0) / float(j)
    return (
        _expm1_ratio(log_a, t, xp) * _expm1_ratio(log_b, t, xp)
        + _expm1_ratio(log_ratio, t, xp) * _expm1_ratio(log_a + log_b, t, xp)
        + log_ratio**2 * bend
    )


def _expm1_ratio(x: Any, t: float, lib: Any) -> Any:
    """(e^(t x) - 1) / t, and its limit x at t = 0."""
    return x if abs(t) < 1e-300 else lib.expm1(t * x) / t
