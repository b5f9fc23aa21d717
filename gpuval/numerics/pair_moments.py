"""Moments of T, the number of pairs together in both partitions, over all permutations of the labels.

All class sizes a_i, cluster sizes b_j and their sum n are held fixed. Mean and variance are of arrays of any library;
the third moment is of Python's integers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


def variance_of_pairs(a: Array, b: Array, n: Array, xp: Any) -> tuple[Array, Array]:
    """
    Variance of T, and whether the sizes settle T.

    The textbook variance is a difference of numbers of about n^4 that may leave n^2. Instead T is split (Hoeffding's
    decomposition): whether a pair of samples i, k is together in the classes is ``p + u_i + u_k + r_ik``, where p is
    the share of all pairs, u_i depends on the class of i alone, and r_ik is what remains. The parts are uncorrelated
    under permutations. With ``V = (n - 2)^2 sum_i u_i^2`` and ``Q = sum_(i != k) r_ik^2`` of the classes, and V' and Q'
    of the clusters::

        Var T = V V' / ((n - 1) (n - 2)^2) + Q Q' / (2 n (n - 3))

    Of n = 3 the second term is 0, and of n = 2 both.

    Parameters
    ----------
    a, b
        Sizes, shapes (..., r) and (..., m), in the widest floats.
    n
        Their sums, shape (...).
    xp
        Their namespace.
    """
    (v_a, q_a), (v_b, q_b) = (_parts(sizes, n[..., None], xp) for sizes in (a, b))
    by_group = ratio(v_a, (n - 1) * (n - 2), xp) * ratio(v_b, n - 2, xp)
    by_pair = ratio(q_a, 2 * n, xp) * ratio(q_b, n - 3, xp)
    return by_group + by_pair, ((v_a == 0) | (v_b == 0)) & ((q_a == 0) | (q_b == 0))


def _parts(a: Array, n: Array, xp: Any) -> tuple[Array, Array]:
    """V and Q of one side, ``n`` of shape (..., 1).

    *V* is ``sum a (a - m)^2`` with ``m = sum a^2 / n``, the mean size of the group of a sample: as the deviations have
    the mean 0, the rounding of m enters by its square. It is 0 if all groups are of one size.

    *Q* is the sum of r^2 over pairs within a group, and over pairs of two groups, where r is ``-(p + u_i + u_k)``. The
    second sum is that of all pairs of groups less those of a group with itself, which loses digits if one group has
    nearly all samples: so pairs with a group of more than half of all are added up by themselves. Q is 0 if there is
    one group, if all are single samples, or if one sample is left beside one group.
    """
    largest = xp.max(a, axis=-1) if a.shape[-1] else 0 * n[..., 0]
    is_flat = xp.all((a == 0) | (a == largest[..., None]), axis=-1)
    deviation = a - ratio(_sum(a * a, xp), n, xp)
    v = xp.where(is_flat, 0.0, xp.sum(a * deviation * deviation, axis=-1))

    u = ratio(deviation, n - 2, xp)
    all_pairs = n * (n - 1)
    together, apart = ratio(_sum(a * (a - 1), xp), all_pairs, xp), ratio(_sum(a * (n - a), xp), all_pairs, xp)
    within = a * (a - 1) * _squared(apart - 2 * u)
    is_most = a > n / 2
    most, rest = xp.where(is_most, a, xp.zeros_like(a)), xp.where(is_most, xp.zeros_like(a), a)
    u_most = _sum(xp.where(is_most, u, xp.zeros_like(u)), xp)
    with_most = 2 * _sum(most, xp) * rest * _squared(together + u_most + u)
    size, first, second = _sum(rest, xp), _sum(rest * u, xp), _sum(rest * u * u, xp)
    of_rest = _squared(size * together) + 4 * size * together * first + 2 * size * second + 2 * _squared(first)
    itself = rest * rest * _squared(together + 2 * u)
    q = xp.sum(within + with_most - itself, axis=-1) + of_rest[..., 0]
    return v, xp.where((largest >= n[..., 0] - 1) | (largest <= 1), 0.0, q)


def _sum(x: Array, xp: Any) -> Array:
    return xp.sum(x, axis=-1, keepdims=True)


def _squared(x: Array) -> Array:
    return x * x


def exact_moments(class_sizes: Iterable[int], cluster_sizes: Iterable[int]) -> tuple[Fraction, Fraction, Fraction]:
    """Mean, variance and third central moment of T, of sizes that are Python's integers.

    E[T^3] counts triples of pairs by the shape that their samples make, each with its number of labelled triples, its
    number of samples, and in how many ways one side has such samples together.
    """
    sides = [Counter(x for x in sizes if x) for sizes in (class_sizes, cluster_sizes)]
    n = sum(size * times for size, times in sides[0].items())
    ways = [_ways(side) for side in sides]
    expected = [
        sum(
            Fraction(s * x * y, math.factorial(v) * math.perm(n, v))
            for (s, v), x, y in zip(shapes, *of_sides, strict=True)
            if n >= v
        )
        for shapes, of_sides in zip(_SHAPES, zip(*ways, strict=True), strict=True)
    ]
    mean, second, third = map(Fraction, expected)
    variance = second - mean**2
    return mean, variance, third - 3 * mean * variance - mean**3


_SHAPES = (
    ((1, 2),),
    ((1, 2), (6, 3), (6, 4)),
    ((1, 2), (18, 3), (18, 4), (6, 3), (24, 4), (72, 4), (180, 5), (90, 6)),
)
"""For one, two and three pairs: how often each shape occurs on so many labelled samples, and these.

Two pairs are the same, share a sample, or are disjoint. Three are one pair thrice; a pair twice and one that shares a
sample with it, or is disjoint; a triangle, a star, a path; a path of two and a disjoint pair; or all disjoint.
"""


def _ways(side: Counter[int]) -> list[list[int]]:
    """For each of ``_SHAPES`` the number of ways to choose its samples in order, its pairs within groups."""
    p2, p3, p4 = (sum(times * math.perm(size, k) for size, times in side.items()) for k in (2, 3, 4))
    disjoint = p2**2 - 4 * p3 - 2 * p2
    bent = p3 * p2 - 6 * p4 - 6 * p3
    thrice = [p2, p3, disjoint, p3, p4, p4, bent]
    pairs = Fraction(p2, 2) ** 3 - sum(
        Fraction(s, math.factorial(v)) * x for (s, v), x in zip(_SHAPES[2], thrice, strict=False)
    )
    return [[p2], [p2, p3, disjoint], [*thrice, int(8 * pairs)]]
