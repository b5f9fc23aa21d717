"""The mutual information expected of random partitions with the same class and cluster sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuval import _namespace as ns
from gpuval._entropies import pred_given_true, true_given_pred
from gpuval._expected import NODES, expected_deviance_and_loss, nodes_for
from gpuval._layout import ListedCells
from gpuval._namespace import Array
from gpuval._numerics import ratio
from gpuval._once import once_per_table
from gpuval._self_pairs import are_of_counts
from gpuval._threads import mapped
from gpuval.contingency import Contingency

_BLOCK = 1 << 17
"""Quadrature points in one block: about what a cache holds."""

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""

Terms = Callable[[Array, Array, Array, Any, int], tuple[Array, ...]]
"""Functions ``f(a, b, n, xp, nodes)`` of the sizes of a class, a cluster and the whole; one or several values."""


@once_per_table
def expected_parts(table: Contingency) -> tuple[Array, Array]:
    """Expected mutual information, and the expected value of the smaller of H(true | pred) and H(pred | true).

    E = 1/n sum_ij E[phi(n_ij)] (see ``_expected``); if the sizes may be seen, equal pairs of them are done once.
    """
    of_a = (pred_given_true(table) < true_given_pred(table))[..., None, None]

    def terms(a: Array, b: Array, n: Array, xp: Any, nodes: int) -> tuple[Array, Array]:
        return expected_deviance_and_loss(a, b, n, of_a, xp, nodes=nodes)

    mutual, conditional = _mean_per_sample(table, terms)
    return mutual, conditional


def is_constant(table: Contingency) -> Array:
    """Whether the sizes alone settle the mutual information: one group, or single samples, on either side."""
    xp = table.xp
    settled = [
        (largest == table.total) | (largest <= 1)
        for largest in (_largest(table.class_sizes, xp), _largest(table.cluster_sizes, xp))
    ]
    return settled[0] | settled[1]


def _largest(sizes: Array, xp: Any) -> Array:
    return xp.max(sizes, axis=-1) if sizes.shape[-1] else ns.total(sizes, -1)


def _distinct(sizes: Array, table: Contingency) -> tuple[Array, Array]:
    found = table.xp.unique_counts(sizes)
    return table.real(found.values), table.real(found.counts)


def _mean_per_sample(table: Contingency, terms: Terms) -> tuple[Array, ...]:
    """Each of the ``terms``, summed over all pairs of a class and a cluster, over the number of samples."""
    xp, total = table.xp, table.real(table.total)
    whole = _whole(table)
    seen = ns.is_numpy(table.counts) or isinstance(table.cells, ListedCells) or not table.fixed
    if not seen or len(total.shape) or ns.widest(table.counts).int != xp.int64:
        a, b = (
            table.real(table.class_sizes)[..., :, None],
            table.real(table.cluster_sizes)[..., None, :],
        )
        sums = _sums_over_pairs(terms, a, b, total[..., None, None], xp)
    else:
        a, times_a = _distinct(table.class_sizes, table)
        b, times_b = _distinct(table.cluster_sizes, table)
        sums = _weighted_sums(terms, a, times_a, b, times_b, total, xp)
    means = (ratio(summed, total, xp) for summed in sums)
    return tuple(mean if whole is None else xp.where(whole, mean, float("nan")) for mean in means)


def _weighted_sums(
    terms: Terms, a: Array, times_a: Array, b: Array, times_b: Array, n: Array, xp: Any
) -> tuple[Array, ...]:
    """The sums over distinct pairs of sizes, each as often as it occurs."""
    if not (a.shape[0] and b.shape[0]):
        return tuple(0.0 * n for _ in terms(n, n, n, xp, 2))
    host = ns.to_host(xp.concat([a, b, xp.reshape(n, (1,))]))
    host_a, host_b, host_n = host[: a.shape[0], None], host[None, a.shape[0] : -1], host[-1]

    def summed(tile: tuple[slice, slice]) -> list[Array]:
        j, i = tile
        nodes = int(nodes_for(host_a[j], host_b[:, i], host_n).max())
        values = terms(a[j, None], b[None, i], n, xp, nodes)
        return [xp.sum(times_a[j, None] * times_b[None, i] * value) for value in values]

    tiles = [(j, i) for i in _slices(b.shape[0], _TILE) for j in _slices(a.shape[0], _TILE)]
    sums = mapped(summed, tiles) if ns.is_numpy(a) else [summed(tile) for tile in tiles]
    return tuple(sum(x) for x in zip(*sums, strict=True))


def _sums_over_pairs(terms: Terms, a: Array, b: Array, n: Array, xp: Any) -> tuple[Array, ...]:
    """The sums over all pairs of sizes of each table, in blocks of fixed shape."""
    sums = [
        [xp.sum(value, axis=(-2, -1)) for value in terms(a[..., j, :], b[..., i], n, xp, NODES)]
        for i in _slices(b.shape[-1], _BLOCK // NODES)
        for j in _slices(a.shape[-2], _BLOCK // (NODES * max(1, i.stop - i.start)))
    ]
    return tuple(sum(x) for x in zip(*sums, strict=True))


def _slices(length: int, step: int) -> list[slice]:
    """Slices of at most ``step`` that cover ``length``: one, if it is 0."""
    step = max(1, step)
    return [slice(start, min(length, start + step)) for start in range(0, max(length, 1), step)]


def _whole(table: Contingency) -> Array | None:
    """None for a table of counts; else whether the floats are counts, which is an error where it can be seen."""
    if table.is_integer:
        return None
    whole = are_of_counts(table.self_pairs, table.total)
    if ns.is_traced(whole) or ns.is_compiling(whole):
        return whole
    table.check_valid()
    if not ns.to_host(whole).all():
        raise ValueError(
            "the adjusted and the expected mutual information need a table of counts, got one of real weights or "
            "fractions: their null model permutes samples; use weights of an integer type"
        )
    return None
