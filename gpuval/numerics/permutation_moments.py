"""Moments over all permutations of the labels, with all sizes held fixed: of pair counts, and of mutual information.

All class sizes a_i, cluster sizes b_j and their sum n are held fixed. Mean and variance of pair counts are of arrays of
any library; their third moment is of Python's integers.

The variance of the mutual information is exact, and of sizes on the host. With ``f(k) = k log k``, n times the mutual
information is a constant plus the sum of ``f(n_ij)`` over all cells. Its textbook variance takes the law of every pair
of cells ([1]_), and its terms cancel. Here it is a sum of parts, one for each degree m = 1, 2, ..., none of which is
negative.

*Parts.* For a set A of samples and a random permutation, functions of ``K = |A n B|`` are sums of parts of degrees
m = 0, 1, ...: the irreducible representations of the symmetric group on m-subsets, each of which occurs once ([2]_,
chapter 7; the formulas below were derived for this module, and are compared with the enumeration of all tables in its
tests). Parts of different degrees are uncorrelated, also those of different cells. With C(x, m) the binomial
coefficient, let

- ``d_m = C(n, m) - C(n, m-1)``, the dimension;
- ``R_ii = C(a_i, m) C(n - a_i, m)``, and ``R_ii' = (-1)^m C(a_i, m) C(a_i', m)`` for two classes, which are disjoint:
  the inner products of what the classes have of the degree; ``S_jj'`` likewise of the cluster sizes b_j;
- ``x_ij = E[D_m(K_m)]``, where ``D_m(k) = (-1)^m f^[m](k)`` is the m-th difference of f, of steps of 1, and K_m is
  hypergeometric with the sizes ``a_i - m``, ``b_j - m`` and ``n - 2m``: by Rodrigues' formula of the Hahn polynomials.

Then the part is ``sum_ii'jj' x_ij x_i'j' R_ii' S_jj' / (d_m C(n-m+1, m)^2)``. Both matrices are a diagonal and a
product of one vector with itself, so that it takes one pass of the pairs of sizes.

*Degree 1.* The terms are ``a_i b_j s_ij^2 / (n - 1)`` with s the mean of the first difference, less its means by row
and by column: the only place where something cancels, and what is common to all cells of a class, ``log a_i``, is taken
away before.

*Differences.* For m >= 2, ``D_m(k) = int_0^inf exp(-k y) (1 - exp(-y))^m / y^2 dy > 0``, which falls with k and with m.

*Degrees.* Parts fall like m! / mu^m up to m = mu, the expected count of a cell, by then below exp(-mu), and like
mu^m / m! beyond: about 40 of them are enough for all sizes.

References
----------
.. [1] S. Romano, J. Bailey, N. X. Vinh and K. Verspoor, "Standardized mutual information for clustering comparisons:
   one step further in adjustment for chance", ICML 2014.
.. [2] P. Diaconis, "Group representations in probability and statistics", 1988.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from gpuval.numerics import Array, NDArray
from gpuval.numerics.hypergeometric import expectation, nodes_for
from gpuval.numerics.parallel import parallel_map, slices
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
    within = a * (a - 1) * _square(apart - 2 * u)
    is_most = a > n / 2
    most, rest = xp.where(is_most, a, xp.zeros_like(a)), xp.where(is_most, xp.zeros_like(a), a)
    u_most = _sum(xp.where(is_most, u, xp.zeros_like(u)), xp)
    with_most = 2 * _sum(most, xp) * rest * _square(together + u_most + u)
    size, first, second = _sum(rest, xp), _sum(rest * u, xp), _sum(rest * u * u, xp)
    of_rest = _square(size * together) + 4 * size * together * first + 2 * size * second + 2 * _square(first)
    itself = rest * rest * _square(together + 2 * u)
    q = xp.sum(within + with_most - itself, axis=-1) + of_rest[..., 0]
    return v, xp.where((largest >= n[..., 0] - 1) | (largest <= 1), 0.0, q)


def _sum(x: Array, xp: Any) -> Array:
    return xp.sum(x, axis=-1, keepdims=True)


def _square(x: Array) -> Array:
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


# The variance of the mutual information.

_DEGREES = 96
"""The highest degree; sizes that need more than half of it have not been met."""

_TABLE = 256
"""Counts up to which differences are tabulated."""

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


def variance_of_information(class_sizes: NDArray, cluster_sizes: NDArray) -> float:
    """
    Variance of the mutual information, in nats squared, over all permutations of the labels.

    Parameters
    ----------
    class_sizes, cluster_sizes
        Whole numbers of one sum, NumPy arrays.

    Returns
    -------
    float
        To about 1e-13 of itself. Where the sizes settle the mutual information, what rounding leaves of 0.
    """
    (a, times_a), (b, times_b) = _distinct(class_sizes), _distinct(cluster_sizes)
    n = float(np.dot(a, times_a))
    if len(times_a) == 0 or a[-1] == n or b[-1] == n:  # no samples, or one group
        return 0.0
    total = previous = _first_part(a, times_a, b, times_b, n)
    of_a, of_b = _Side(a, times_a, n), _Side(b, times_b, n)
    for m in range(2, min(_DEGREES, int(n) // 2) + 1):
        of_a.step(m)
        of_b.step(m)
        part = _part(m, of_a, of_b, n)
        total += part
        if abs(part) + abs(previous) < 1e-17 * total:
            break
        previous = part
    return total / n**2


def number_of_terms(class_sizes: NDArray, cluster_sizes: NDArray) -> int:
    """How many terms each degree takes: nodes of all pairs of distinct sizes."""
    (a, times_a), (b, _) = _distinct(class_sizes), _distinct(cluster_sizes)
    n = np.dot(a, times_a)
    return len(a) * len(b) * int(nodes_for(np.max(a, initial=0), np.max(b, initial=0), np.maximum(n, 1)))


class _Side:
    """The sizes of one side, and for a degree m ``C(a, m)`` and ``R_ii / C(a, m)`` less what a product gives, scaled.

    ``R = (-1)^m c c' + diag(c e)`` for ``c = C(a, m)`` and ``e = C(n - a, m) - (-1)^m c``. All binomials are multiplied
    by the fourth root of ``1 / (d_m C(n-m+1, m)^2)``, as each term has four of them, and go by their logarithms.
    """

    def __init__(self, sizes: NDArray, times: NDArray, n: float) -> None:
        self.sizes, self.times, self._n = sizes, times, n
        scale = math.log(n * n * (n - 1)) / 4
        self._inside, self._outside = np.log(sizes) - scale, _log(n - sizes) - scale
        self.shared = self.own = self.at = np.empty(0)

    def step(self, m: int) -> None:
        """Go from degree m - 1 to m."""
        n = self._n
        scale = math.log(m**3 * (n - m + 2) / ((n - 2 * m + 1) * (n - 2 * m + 3) * (n - 2 * m + 2) ** 2)) / 4
        self._inside += _log((self.sizes - (m - 1)) / m) + scale
        self._outside += _log((n - self.sizes - (m - 1)) / m) + scale
        counts = np.flatnonzero(np.isfinite(self._inside) & np.isfinite(self._outside))
        c = np.exp(self._inside[counts])
        self.shared = c * self.times[counts]
        self.own = self.shared * (np.exp(self._outside[counts]) - (-1) ** m * c)
        self.at = self.sizes[counts]


def _part(m: int, of_a: _Side, of_b: _Side, n: float) -> float:
    if not (len(of_a.at) and len(of_b.at)):
        return 0.0
    x = _means(functools.partial(_difference, m), of_a.at - m, of_b.at - m, n - 2 * m)
    by_cluster, by_class = of_a.shared @ x, x @ of_b.shared
    shared = float(by_cluster @ of_b.shared) ** 2
    half = float(of_b.own @ by_cluster**2) + float(of_a.own @ by_class**2)
    return float(shared + (-1) ** m * half + of_a.own @ (x * x) @ of_b.own)


def _first_part(a: NDArray, times_a: NDArray, b: NDArray, times_b: NDArray, n: float) -> float:
    slope = _means(_first_difference, a - 1, b - 1, n - 2) - np.log(a)[:, None] - np.log(b)
    share_a, share_b = a * times_a / n, b * times_b / n
    slope -= share_a @ slope
    slope -= (slope @ share_b)[:, None]
    return float(share_a @ (slope * slope) @ share_b) * n / (n - 1) * n


def _means(function: Callable[[NDArray], NDArray], a: NDArray, b: NDArray, n: float) -> NDArray:
    """``E[function(K)]`` of all pairs of sizes: tiles on all cores."""
    total = np.asarray(n)
    means = np.empty((len(a), len(b)))

    def fill(tile: tuple[slice, slice]) -> None:
        i, j = tile
        pair = a[i, None], b[None, j], total
        means[i, j] = expectation(function, *pair, int(nodes_for(*pair).max()))

    parallel_map(fill, [(i, j) for i in slices(len(a), _TILE) for j in slices(len(b), _TILE)])
    return means


def _first_difference(k: NDArray) -> NDArray:
    """``(k + 1) log(k + 1) - k log k``."""
    return np.asarray(np.log(k + 1) + k * np.log1p(1 / np.maximum(k, 1)))


def _difference(m: int, k: NDArray) -> NDArray:
    """``D_m(k)`` for m >= 2: of a table, or by a series in the distance of k from the middle of its m + 1 points.

    As the m-th derivative of f is ``(-1)^m (m-2)! / k^(m-1)``, the difference is ``(m-2)! E[(k + s)^-(m-1)]`` with s
    the sum of m numbers, uniform from 0 to 1, of which the series takes the first four even central moments.
    """
    is_near = k <= _TABLE
    near = _differences()[m][np.where(is_near, k, 0).astype(np.int64)]
    if is_near.all():
        return np.asarray(near)
    middle = np.where(is_near, _TABLE, k) + m / 2
    of_2, of_4, of_6, of_8 = m / 12, -m / 120, m / 252, -m / 240  # cumulants
    moments = (
        of_2,
        of_4 + 3 * of_2**2,
        of_6 + 15 * of_4 * of_2 + 15 * of_2**3,
        of_8 + 28 * of_6 * of_2 + 35 * of_4**2 + 210 * of_4 * of_2**2 + 105 * of_2**4,
    )
    series, inverse = 0.0 * middle, 1 / (middle * middle)
    for j in (4, 3, 2, 1):
        series = (series + math.comb(m - 2 + 2 * j, 2 * j) * moments[j - 1]) * inverse
    far = np.exp(math.lgamma(m - 1) - (m - 1) * np.log(middle)) * (1 + series)
    return np.where(is_near, near, far)


@functools.cache
def _differences() -> NDArray:
    """``D_m(k)`` for m from 0 (of no use below 2) to ``_DEGREES``, and k up to ``_TABLE``: by the trapezoidal rule.

    With y = exp(s) the integrand is analytic in a strip about the real axis, and falls like exp(-abs(s)) at least.
    """
    step = 0.05
    s = step * np.arange(-800, 801)
    y = np.exp(s)
    rises = np.exp(np.arange(_DEGREES + 1)[:, None] * np.log(-np.expm1(-y)) - s)
    return np.asarray(step * rises @ np.exp(-np.arange(_TABLE + 1) * y[:, None]))


def _log(x: NDArray) -> NDArray:
    """The logarithm of what is above 0, else minus infinity."""
    return np.log(x, out=np.full(x.shape, -np.inf), where=x > 0)


def _distinct(sizes: NDArray) -> tuple[NDArray, NDArray]:
    values, times = np.unique(sizes[sizes > 0], return_counts=True)
    return values.astype(np.float64), times.astype(np.float64)
