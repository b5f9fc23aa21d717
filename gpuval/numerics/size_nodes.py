"""Few sizes in place of many, for sums over sizes of the means of ``hypergeometric``, which are smooth in each size.

For fixed b and n let f(a) be the mean deviance or the mean loss of sets of a and of b samples, and ``(x)_p`` be
``x (x - 1) ... (x - p + 1)``. As ``E[(K)_m] = (a)_m (b)_m / (n)_m``, the p-th difference of ``E[g(K)]`` in a is
``(b)_p / (n)_p E[D^p g(K')]``, where K' is the count for sizes a and b - p of n - p samples. For ``g(k) = k log k`` and
p >= 2, ``|D^p g(k)|`` is the integral of ``exp(-k y) (1 - exp(-y))^p / y^2`` over y > 0: at most
``p (p - 2)! / ((k + 1) ... (k + p - 1))``. The mean of that over K' is known, and what remains is, for all b,

    ``|D^p f(a)| <= b / n  p (p - 2)! / ((a + 1) ... (a + p - 1))``.

For f differs from ``E[g(K)]`` by what is linear in a, or by ``b / n  a log a``, whose difference has the same sign and
the same bound. So the polynomial through f at p sizes ``x_i >= low`` misses f(a) by at most
``b / n  |a - x_1| ... |a - x_p| / ((p - 1) (low + 1) ... (low + p - 1))``: a bound that is found together with it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.numerics import NDArray

_MISSED = 2.0**-52
"""As many nodes are taken as let each size miss about that, in units of b / n."""

_MOST = 64
"""More nodes than any sizes need that are at most twice the smallest of them."""

_FEW = 24
"""Sizes that are not worth fewer."""


class SizeNodes(NamedTuple):
    """Sizes, and how often each of several tables has them; as weights these may be any numbers."""

    sizes: NDArray
    """Sorted, whole, above 0."""
    times: Any
    """Shape (n_tables, n_sizes); before there are fewer, the matrix may be one of SciPy."""
    missed: Any
    """What a sum of the means over the sizes of each table, and over all sizes of the other side, misses at most."""

    def fewer(self) -> SizeNodes:
        """The same sums at fewer sizes: of those up to twice the smallest, and so on, near nodes of Chebyshev."""
        if len(self.sizes) <= _FEW:
            return SizeNodes(self.sizes, _dense(self.times), self.missed)
        parts, start = [], 0
        while start < len(self.sizes):
            stop = int(np.searchsorted(self.sizes, 2 * self.sizes[start], "right"))
            parts.append(_fewer_near(self.sizes[start:stop], self.times[:, start:stop]))
            start = stop
        sizes, times, missed = zip(*parts, strict=True)
        return SizeNodes(np.concatenate(sizes), np.concatenate(times, axis=1), sum(missed))

    @property
    def extent(self) -> NDArray:
        """The sum of all sizes of each table: of weights without their signs."""
        return np.asarray(np.abs(self.times) @ self.sizes)


def _fewer_near(sizes: NDArray, times: NDArray) -> SizeNodes:
    """The same sums at nodes among neighbouring sizes, if these are more."""
    low, half = sizes[0], (sizes[-1] - sizes[0]) / 2
    bounds = 2 * low * np.multiply.accumulate(half / 2 / (low + np.arange(min(len(sizes), _MOST))))
    n_nodes = 1 + int(np.count_nonzero(bounds > _MISSED))
    if n_nodes >= len(bounds):
        return SizeNodes(sizes, _dense(times), 0.0)
    nodes = np.unique(np.rint(low + half - half * np.cos(np.pi * (np.arange(n_nodes) + 0.5) / n_nodes)))
    apart = nodes[:, None] - nodes
    np.fill_diagonal(apart, half)  # one factor more in each: they cancel in the quotients below
    weights = 1 / np.multiply.reduce(apart * (4 / half), axis=1)
    difference = sizes[:, None] - nodes
    steps = low + np.arange(len(nodes))
    missed = np.abs(np.multiply.reduce(difference / steps, axis=1)) * low / max(1, len(nodes) - 1)
    is_node = difference == 0
    shares = np.where(is_node.any(axis=1, keepdims=True), is_node, weights / np.where(is_node, 1.0, difference))
    shares /= np.add.reduce(shares, axis=1, keepdims=True)
    return SizeNodes(nodes, times @ shares, times @ missed)


def _dense(matrix: Any) -> NDArray:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())
