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

from gpuval.numerics import Array, elementwise
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
    return _of_both(v_a, q_a, v_b, q_b, n, xp)


@elementwise
def _of_both(v_a: Array, q_a: Array, v_b: Array, q_b: Array, n: Array, xp: Any) -> tuple[Array, Array]:
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
    largest = xp.max(a, axis=-1, keepdims=True) if a.shape[-1] else 0 * n
    squares, together, apart, unlike = _sums(_of_sizes(a, n, largest, xp), xp)
    v, u, *others = _of_deviations(a, n, squares, xp)
    v, u_most, most, size, first, second = _sums((v, *others), xp)
    (q,) = _sums((_of_pairs(a, u, n, together, apart, u_most, most, xp),), xp)
    v, q = _of_side(v, q, unlike, n, largest, together, size, first, second, xp)
    return v[..., 0], q[..., 0]


def _sums(parts: Iterable[Array], xp: Any) -> list[Array]:
    return [xp.sum(x, axis=-1, keepdims=True) for x in parts]


@elementwise
def _of_sizes(a: Array, n: Array, largest: Array, xp: Any) -> tuple[Array, ...]:
    """What is added up of the sizes alone, at last how many are neither 0 nor the largest."""
    return a * a, a * (a - 1), a * (n - a), xp.astype((a != 0) & (a != largest), a.dtype)


@elementwise
def _of_deviations(a: Array, n: Array, squares: Array, xp: Any) -> tuple[Array, ...]:
    """The terms of V, and u; then of the group that has most, and of the others, what is added up."""
    deviation = a - ratio(squares, n, xp)
    u = ratio(deviation, n - 2, xp)
    is_most = a > n / 2
    most, rest = xp.where(is_most, a, 0.0), xp.where(is_most, 0.0, a)
    return a * deviation * deviation, u, xp.where(is_most, u, 0.0), most, rest, rest * u, rest * u * u


@elementwise
def _of_pairs(
    a: Array, u: Array, n: Array, together: Array, apart: Array, u_most: Array, most: Array, xp: Any
) -> Array:
    """The terms of Q but for the pairs of two groups that are not the one that has most, each with itself less."""
    together, apart = _shares(together, n, xp), _shares(apart, n, xp)
    rest = xp.where(a > n / 2, 0.0, a)
    within = a * (a - 1) * _squared(apart - 2 * u)
    with_most = 2 * most * rest * _squared(together + u_most + u)
    return within + with_most - rest * rest * _squared(together + 2 * u)


@elementwise
def _of_side(
    v: Array, q: Array, unlike: Array, n: Array, largest: Array, together: Array, size: Array, first: Array,
    second: Array, xp: Any,
) -> tuple[Array, Array]:  # fmt: skip
    """V and Q, with the pairs of all groups but the one that has most."""
    together = _shares(together, n, xp)
    of_rest = _squared(size * together) + 4 * size * together * first + 2 * size * second + 2 * _squared(first)
    return xp.where(unlike == 0, 0.0, v), xp.where((largest >= n - 1) | (largest <= 1), 0.0, q + of_rest)


def _shares(pairs: Array, n: Array, xp: Any) -> Array:
    return ratio(pairs, n * (n - 1), xp)


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
