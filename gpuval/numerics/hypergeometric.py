"""The mean deviance of a hypergeometric count: the numerics of the expected mutual information.

With all class and cluster sizes held fixed, the count K of a cell is hypergeometric, and the
expected mutual information of the table is the sum of ``E[phi(K)] / n`` over its cells, where
``phi(k) = k log(k / mu) - k + mu`` and ``mu = E[K]``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import deviance, deviance_of_counts, polynomial, surprise

NODES = 113
"""Quadrature nodes that are enough for all sizes."""

_TAIL = 40.0
"""The window leaves out a probability of at most ``2 exp(-_TAIL)``."""

TINY = 1e-30
"""A variance that stands for 0 where it is divided by."""

_STIRLING = (
    0.16666666666666667,
    0.013888888888932227,
    0.0021604937960856595,
    -0.0022055015339887009,
    -0.0016813975279746591,
    0.00043552404988816958,
    0.0010982439143247262,
    -0.00020627300693450631,
    -0.0027424496004166818,
    0.0041180304403526746,
    -0.0025327167451068148,
    0.00055172408212520418,
)
"""``(k! e^k / k^k)^2 / (2 pi) - k`` in powers of ``1 / (k + 1/2)``.

Interpolated at k = 0, 1, 2, 3, 4, 5, 8, 13, 19, 22, 627 and infinity, with 60 digits; for whole k
the error is at most 6e-17 of the square.
"""


def nodes_for(a: Any, b: Any, n: Any) -> np.ndarray[Any, Any]:
    """
    Quadrature nodes that are enough for each pair of sizes.

    For callers that know the sizes on the host: memory and time of the expectations grow with
    the nodes, and where many points are in the window, they may be far apart (see *Stride* there).

    Parameters
    ----------
    a, b, n
        Sizes and number of samples, NumPy arrays that broadcast.

    Returns
    -------
    NumPy array of int
        Numbers between 2 and ``NODES``, to be given to `mean_deviance_and_loss`.
    """
    small_a, small_b = np.minimum(a, n - a), np.minimum(b, n - b)
    mean, variance = _mean_and_variance(small_a, small_b, n, np)
    width = _half_width(np.maximum(variance, TINY), np)
    points = np.minimum(np.ceil(mean + width), np.minimum(small_a, small_b)) - np.floor(np.maximum(mean - width, 0.0))
    longest = np.where((mean >= 40) & (variance >= 20), 2.0, 1.0)
    smooth = variance >= 50
    longest = np.where(smooth, np.floor(np.pi / np.arcsin(5 / np.sqrt(np.where(smooth, variance, 50.0)))), longest)
    # One point more than the window has, as its ends may be rounded otherwise on the device.
    return np.asarray(np.minimum(np.ceil((points + 1) / longest).astype(np.int64) + 1, NODES))


def mean_deviance_and_loss(
    a: Array, b: Array, n: Array, of_a: Array, xp: ModuleType, *, nodes: int = NODES, device: Any = None
) -> tuple[Array, Array]:
    """
    Mean deviance ``E[phi(K)]`` and mean loss of the number K of samples that two sets share.

    ``phi(k) = k log(k / mu) - k + mu`` with ``mu = a b / n``, and K is hypergeometric: two sets of
    sizes a and b drawn from n samples. The loss is ``E[K log(a / K)]``, or ``E[K log(b / K)]``. Its
    sum over all cells is n times the expected conditional entropy, of which the terms are not
    negative either: it is what is left of an entropy without the expected mutual information, where
    a difference of the two would leave no digits.

    Elementwise and of fixed shape, hence no host step; memory is the broadcast shape times
    ``nodes``. The relative error is below 1e-14 in float64 and below 1e-5 in float32.

    *Reflection.* K is one cell of a 2x2 table. The sum runs over the smallest cell k, that of the
    smaller of a, n - a and the smaller of b, n - b: it starts at 0, and its mean is at most
    4 sigma^2. So ``k - mean``, in all four cells the same up to sign, is as exact as sigma needs.

    *Weights.* ``w(k)`` is the product of ``1 / c!`` over the four cells c. Their means have the
    same product along both diagonals, so ``log w = constant - sum(phi(c) + log G(c))`` with
    ``G(c) = c! e^c / c^c``: small numbers wherever the weight is not small ([1]_). The
    weights are divided by their sum.

    *Window.* k is a sum of independent Bernoullis, because its generating polynomial P has only
    real zeros ([2]_). So Bennett's inequality bounds each tail beyond x by
    ``exp(-sigma^2 H(x / sigma^2))``, ``H(u) = (1 + u) log(1 + u) - u``; x makes that exp(-40). As
    ``phi <= (K - mu)^2 / mu``, the part left out of the result is below 1e-15 of it.

    *Stride.* Where the window holds more points than there are nodes, every s-th point is used. By
    Poisson summation this errs by the sum of ``E[f(k) e^(itk)]`` over the multiples t of 2 pi / s,
    f being 1, phi and the loss. With ``k log k = int k (e^-y - e^-ky) / y dy`` both are, up to powers of the
    mean, bounded by the largest ``|P(r e^(it))|``, 0 <= r <= 1. Each factor of that has
    ``|1-p + p r e^(it)| <= max(1-p, |1-p + p e^(it)|) <= exp(-min(p, 2 p (1-p) sin(t/2)^2))``.
    So it is at most ``exp(-sigma^2 min(1, 2 sin(pi / s)^2))``, and for s = 2, where the exponents
    of r = 0 and 1 can be interpolated in r, at most ``exp(-min(mean, 2 sigma^2))``. With 113 nodes
    s = 2 starts beyond a mean of 40 and sigma^2 = 20, s = 3 beyond sigma^2 = 120: exp(-40) again.

    Parameters
    ----------
    a, b, n
        Whole numbers with 0 <= a, b <= n, in the widest float dtype; they broadcast.
    of_a
        Whether the loss is that of a (else of b); broadcasts with them.
    xp
        Their namespace.
    nodes
        Number of quadrature nodes; `nodes_for` says when fewer are enough.
    device
        The device of the arrays.

    Returns
    -------
    tuple of Array
        ``E[phi(K)] >= 0``, exactly 0 where a or b is 0 or n, as K is constant there; and the loss.

    References
    ----------
    .. [1] C. Loader, "Fast and accurate computation of binomial probabilities", 2000.
    .. [2] V. A. Vatutin and V. G. Mikhailov, "Limit theorems for the number of empty cells in an equiprobable scheme
       for group allocation of particles", Theory of Probability and its Applications 27, 1983.
    """
    a, b, n, of_a = (xp.expand_dims(x, axis=-1) for x in xp.broadcast_arrays(a, b, n, of_a))
    return _deviance_and_loss(_distribution(a, b, n, xp, nodes, device), a, b, n, of_a, xp)


def _deviance_and_loss(
    distribution: _Distribution, a: Array, b: Array, n: Array, of_a: Array, xp: ModuleType
) -> tuple[Array, Array]:
    """The two means over the nodes, which lie along the last axis of all arrays."""
    weight, deviances, counts = distribution
    is_small_a, is_small_b = a * 2 <= n, b * 2 <= n
    count = _cell(counts, is_small_a, is_small_b, xp)
    # What is in a, or in b, without being in the other: the cell next to that of K.
    rest = _cell(counts, is_small_a == of_a, is_small_b != of_a, xp)
    return (
        _mean(_cell(deviances, is_small_a, is_small_b, xp), weight, xp),
        _mean(count * surprise(count, rest, xp), weight, xp),
    )


class MeanAndChanges(NamedTuple):
    """What a function F of two sizes is, and how it changes with them: arrays of one shape."""

    whole: NDArray
    """F(a, b)."""
    less_a: NDArray
    """F(a - 1, b) - F(a, b); 0 where a is 0."""
    less_b: NDArray
    """F(a, b - 1) - F(a, b); 0 where b is 0."""
    mixed: NDArray
    """F(a, b) - F(a - 1, b) - F(a, b - 1) + F(a - 1, b - 1); 0 where a or b is 0."""


def deviance_and_loss_changes(
    a: NDArray, b: NDArray, n: NDArray, nodes: int, *, of_a: bool
) -> tuple[MeanAndChanges, MeanAndChanges]:
    """
    `mean_deviance_and_loss` for NumPy, and how the two change where the sets have one sample less.

    K is the number of samples that the two sets share, mu = E[K] = a b / n its mean, and w(k) the chance of k. The sets
    lose a sample each, or one of them does; the n samples that they are drawn from stay.

    If the set of a samples loses one of them, each with the same chance, it has one less in common with the other set
    with the chance K / a. Let ``g(k) = k log k``, ``s(k) = g(k) - g(k - 1)`` and ``q(k) = k s(k) - (k - 1) s(k - 1)``.
    Then ``E[g(K)]`` changes by ``-E[K s(K)] / a``, or by ``-E[K s(K)] / b`` if the other set loses one, and its mixed
    difference is ``E[K q(K)] / (a b)``.

    The deviance is ``E[g(K)] - g(mu)``, and the loss of a is ``mu log a - E[g(K)]``. With ``s(k) = log k + 1 + r(k)``
    all logarithms but those within r make up deviances and losses, as ``E[K log(K / mu)]`` is the deviance. For the
    loss of a, what is left are two means of small numbers, with ``rho(k) = k r(k)``:

    - ``D = E[K r(a) - rho(K)]``, and ``V = E[K (rho(K) - rho(K - 1))]``;
    - deviance: ``(D - deviance) / a``, ``(D - deviance + mu (r(b) - r(a))) / b``, and
      ``(deviance - D + V - mu r(b)) / (a b)``;
    - loss: ``-(loss + D) / a``, ``-(loss + D - mu (1 + r(a))) / b``, and ``(loss + D - mu - V) / (a b)``.

    For the loss of b, a and b change places in all of these, which leaves those of the deviance true. What is said of
    the stride of `mean_deviance_and_loss` holds for these means: ``k w(k)`` is, up to a factor, the chance of k - 1 for
    the sizes a - 1, b - 1 and n - 1.

    Parameters
    ----------
    a, b, n, nodes
        As in `mean_deviance_and_loss`.
    of_a
        Whether the loss is that of a (else of b).

    Returns
    -------
    tuple of MeanAndChanges
        Of the mean deviance, and of the mean loss.
    """
    a, b, n = np.broadcast_arrays(a, b, n)
    a_of_nodes, b_of_nodes, n_of_nodes = (np.expand_dims(x, axis=-1) for x in (a, b, n))
    distribution = weight, _, counts = _distribution(a_of_nodes, b_of_nodes, n_of_nodes, np, nodes, None)
    deviance, loss = _deviance_and_loss(distribution, a_of_nodes, b_of_nodes, n_of_nodes, np.bool_(of_a), np)
    k = _cell(counts, a_of_nodes * 2 <= n_of_nodes, b_of_nodes * 2 <= n_of_nodes, np)
    own, other = (np.maximum(x, 1) for x in ((a, b) if of_a else (b, a)))
    rho, rest_of_own, rest_of_other = _rho(k), _rho(own) / own, _rho(other) / other
    of_rest = _mean(k * rest_of_own[..., None] - rho, weight, np)
    of_steps = _mean(k * (rho - _rho(np.maximum(k - 1, 0))), weight, np)
    mu, pairs = a * b / np.maximum(n, 1), own * other

    def by_a(of_own: NDArray, of_other: NDArray) -> tuple[NDArray, NDArray]:
        changes = of_own / own, of_other / other
        return changes if of_a else changes[::-1]

    excess, lost = of_rest - deviance, loss + of_rest
    return (
        MeanAndChanges(
            deviance,
            *by_a(excess, excess + mu * (rest_of_other - rest_of_own)),
            (of_steps - excess - mu * rest_of_other) / pairs,
        ),
        MeanAndChanges(loss, *by_a(-lost, mu * (1 + rest_of_own) - lost), (lost - mu - of_steps) / pairs),
    )


def _rho(k: NDArray) -> NDArray:
    """``k (s(k) - log(k) - 1)`` of whole k >= 0, where ``s(k) = k log(k) - (k - 1) log(k - 1)``; at most 3e-15 off.

    It is ``-k (1 + (k - 1) log(1 - 1 / k))``, or the sum of ``-1 / (m (m + 1) k^(m - 1))`` over m >= 1.
    """
    is_large = k >= _MANY
    n_terms = 6 if (k >= 1000).all() else 13
    series = polynomial([-1 / (m * (m + 1)) for m in range(n_terms, 0, -1)], 1 / np.maximum(k, _MANY))
    if is_large.all():
        return np.asarray(series)
    return np.asarray(np.where(is_large, series, -k * (1 + (k - 1) * np.log1p(-1 / np.maximum(k, 2)))))


_MANY = 16
"""From this on the series has more digits than the logarithm, whose last one counts k times as much."""


def expectation(function: Callable[[NDArray], NDArray], a: NDArray, b: NDArray, n: NDArray, nodes: int) -> NDArray:
    """``E[function(K)]`` for NumPy, of the same K and by the same nodes as `mean_deviance_and_loss`.

    The function is to be a mean of ``exp(-y k)`` over some y >= 0, or to have such differences: the stride holds for
    these.
    """
    a, b, n = (np.expand_dims(x, axis=-1) for x in np.broadcast_arrays(a, b, n))
    weight, _, counts = _distribution(a, b, n, np, nodes, None)
    return np.asarray(_mean(function(_cell(counts, a * 2 <= n, b * 2 <= n, np)), weight, np))


_Cells = tuple[Array, Array, Array, Array]
_Distribution = tuple[Array, _Cells, _Cells]


def _distribution(a: Array, b: Array, n: Array, xp: ModuleType, nodes: int, device: Any) -> _Distribution:
    """Weights of the nodes along the last axis, and there the deviances and the counts of the four cells."""
    small_a, small_b = xp.minimum(a, n - a), xp.minimum(b, n - b)
    large_a, large_b = n - small_a, n - small_b
    total = xp.maximum(n, xp.ones_like(n))
    mean, variance = _mean_and_variance(small_a, small_b, n, xp)
    k, difference, inside = _nodes(mean, variance, xp.minimum(small_a, small_b), nodes, xp, device)

    cells = (
        (k, mean, difference),
        (small_a - k, small_a * large_b / total, -difference),
        (small_b - k, large_a * small_b / total, -difference),
        ((large_a - small_b) + k, large_a * large_b / total, difference),
    )
    both, a_only, b_only, neither = (deviance(*cell, xp) for cell in cells)
    squares, scale = xp.ones_like(k), xp.ones_like(mean)
    for count, its_mean, _ in cells:
        squares = squares * _stirling_square(count)
        scale = scale * (its_mean + 1)  # keeps the ratio from overflow, and of order one
    weight = xp.exp(-(both + a_only + b_only + neither)) * xp.sqrt(scale / squares)
    weight = xp.where(inside, weight, xp.zeros_like(weight))
    return weight, (both, a_only, b_only, neither), tuple(count for count, _, _ in cells)


def _mean_and_variance(a: Array, b: Array, n: Array, xp: ModuleType) -> tuple[Array, Array]:
    """Of the hypergeometric count of ``b`` draws from ``n`` samples, of which ``a`` are of a class."""
    total, others = xp.maximum(n, 0 * n + 1), xp.maximum(n - 1, 0 * n + 1)
    mean = a * b / total
    return mean, mean * ((n - a) / total) * ((n - b) / others)


def _cell(cells: _Cells, in_small_a: Array, in_small_b: Array, xp: ModuleType) -> Array:
    """Undo the reflection: the cell inside or outside of the smaller sets."""
    both, a_only, b_only, neither = cells
    return xp.where(in_small_a, xp.where(in_small_b, both, a_only), xp.where(in_small_b, b_only, neither))


def _mean(values: Array, weight: Array, xp: ModuleType) -> Array:
    return xp.sum(weight * values, axis=-1) / xp.sum(weight, axis=-1)


def _nodes(
    mean: Array, variance: Array, highest: Array, nodes: int, xp: ModuleType, device: Any
) -> tuple[Array, Array, Array]:
    """Nodes along the last axis (of length 1 in the arguments), less the mean, and which to use."""
    zero = xp.zeros_like(mean)
    width = _half_width(xp.maximum(variance, zero + TINY), xp)
    first = xp.floor(xp.maximum(mean - width, zero))
    last = xp.minimum(xp.ceil(mean + width), highest)
    stride = xp.maximum(xp.ceil((last - first) / (nodes - 1)), zero + 1)

    steps = xp.arange(nodes, dtype=mean.dtype, device=device)
    offset = stride * xp.reshape(steps, (*(1,) * (len(mean.shape) - 1), nodes))  # JAX may refuse unequal ranks
    inside = first + offset <= highest
    offset = xp.where(inside, offset, xp.zeros_like(offset))
    return first + offset, (first - mean) + offset, inside


def _half_width(variance: Any, xp: ModuleType) -> Any:
    """Where Bennett's bound is ``exp(-_TAIL)``: a Newton step from Bernstein's, both above."""
    u = (_TAIL / 3 + xp.sqrt(_TAIL**2 / 9 + 2 * _TAIL * variance)) / variance
    return variance * ((u + _TAIL / variance) / xp.log1p(u) - 1)


def _stirling_square(k: Array) -> Array:
    """``(k! e^k / k^k)^2 / (2 pi)`` for whole k >= 0."""
    inverse = 1 / (k + 0.5)
    large = isinstance(k, np.ndarray) and bool((k >= 1000).all())
    coefficients = _STIRLING[:4] if large else _STIRLING  # the fifth is below 2e-18 of k there
    return k + polynomial(coefficients[::-1], inverse)


# Sums of mean deviances and mean losses over pairs of sizes, point by point: for NumPy, where the windows are short.
#
# What the two are stands above, as does the quadrature, which takes pairs of any sizes.

LARGEST_VARIANCE = 50
"""Beyond, roundings of the weights add up to more than 5e-15, and the quadrature leaves out points of the window."""

LARGEST_TOTAL = 1 << 26
"""The largest n of which the square, and so every product of two counts, is exact in float64."""


def deviance_and_loss_of_short_windows(
    a: NDArray, b: NDArray, n: NDArray, of_a: NDArray, times: NDArray | None = None
) -> tuple[Any, Any] | None:
    """
    ``E[phi(K)]`` and ``E[K log(a / K)]``, or ``E[K log(b / K)]``, for all pairs of sizes, or their sums.

    All points of all windows stand one after the other, so that no operation sees a point of no window.

    *Weights.* They follow from one another: ``w(k) / w(k-1) = (a-k+1)(b-k+1) / (k (n-a-b+k))``, from the first point of
    the window on, and are divided by their sum. Up to n = 2^26 the products are exact, so that each step rounds twice,
    by 1.1e-16 each. What the steps from the first point to mu have in common falls out in the division. So, with
    s standard deviations, ``E[phi(K)]``, whose terms grow like ``(k - mu)^2``, errs by at most
    ``2.2e-16 (E|K - mu|^3 / s^2 + E|K - mu|)`` of itself, for a normal K ``5.3e-16 s``: 4e-15 at a variance of 50.

    *MeanAndChanges.* ``k - mu = (k n - a b) / n`` is rounded once, so that no pair need be reflected.

    Parameters
    ----------
    a, b
        Sizes, whole numbers from 1 to n; vectors of float64.
    n
        The number of samples.
    of_a
        Whether the loss is that of a (else of b).
    times
        How often each pair counts in the sums, shape (len(a), len(b)); by default there are no sums.

    Returns
    -------
    None, or tuple of two arrays or sums
        Of shape (len(a), len(b)), or numbers; None where the variance of a pair is above ``LARGEST_VARIANCE``, or n
        above ``LARGEST_TOTAL``.
    """
    shape = len(a), len(b)
    a, b = _pairs(a, b)
    mean, variance = _mean_and_variance(a, b, n, np)
    if n > LARGEST_TOTAL or np.maximum.reduce(variance) > LARGEST_VARIANCE:
        return None
    first, lengths = _windows(a, b, n, mean, variance)
    starts = np.cumsum(lengths) - lengths

    def to_points(x: NDArray) -> NDArray:
        return np.repeat(x, lengths)

    k = np.arange(float(starts[-1] + lengths[-1])) + to_points(first - starts)
    a_only, b_only, by_chance = to_points(a) - k, to_points(b) - k, to_points(a * b)
    excess = k * n - by_chance
    diagonal = excess + a_only * b_only  # k (n-a-b+k)
    weights = _weights((a_only + 1) * (b_only + 1) / np.maximum(diagonal, 1), starts)
    all_of_each = np.add.reduceat(weights, starts)
    weights *= to_points((1 if times is None else times.reshape(-1)) / all_of_each)
    mutual = weights * deviance_of_counts(k, by_chance / n, excess / n)
    loss = weights * k * np.log1p((a_only if of_a else b_only) / np.maximum(k, 1))
    if times is not None:
        return np.add.reduce(mutual), np.add.reduce(loss)
    return np.add.reduceat(mutual, starts).reshape(shape), np.add.reduceat(loss, starts).reshape(shape)


def _pairs(a: NDArray, b: NDArray) -> NDArray:
    pairs = np.empty((2, len(a), len(b)))
    pairs[0], pairs[1] = a[:, None], b
    return pairs.reshape(2, -1)


def _windows(a: NDArray, b: NDArray, n: NDArray, mean: NDArray, variance: NDArray) -> tuple[NDArray, NDArray]:
    """The first point of each window, and how many points it has: for K that is constant, that of K."""
    width = _half_width(np.maximum(variance, TINY), np)
    first = np.maximum(np.maximum(np.floor(mean - width), a + b - n), 0)
    last = np.minimum(np.minimum(np.ceil(mean + width), a), b)
    return first, (last - first).astype(np.int64) + 1


def _weights(steps: NDArray, starts: NDArray) -> NDArray:
    """Of each point, from its quotient to that of the point before; the first of each window is near 1."""
    steps[starts] = 1
    steps[starts[1:]] = 1 / np.multiply.reduceat(steps, starts)[:-1]
    return np.asarray(np.multiply.accumulate(steps))
