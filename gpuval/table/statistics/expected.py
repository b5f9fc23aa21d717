"""The mutual information expected of random partitions with the same class and cluster sizes."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import backend_of, to_host
from gpuval.numerics import Array
from gpuval.numerics.hypergeometric import NODES, expected_deviance_and_loss, nodes_for
from gpuval.numerics.slices import slices
from gpuval.numerics.stable import ratio
from gpuval.table.statistics import part_of, statistic
from gpuval.table.statistics.counts import must_be_of_counts
from gpuval.table.statistics.entropies import pred_given_true, true_given_pred
from gpuval.table.table import Table

_BLOCK = 1 << 17
"""Quadrature points in one block of fixed shape: about what a cache holds."""

_SIDES, _NODES = (8, 32, 128), (16, 32, 64, NODES)
"""Sizes on each side, and nodes, of a tile on a device: few shapes, as JAX compiles its operations for each."""

Sums = tuple[Array, Array]
"""The sums over all pairs of a class and a cluster of what ``expected_deviance_and_loss`` gives."""


@statistic
def _of_engine(table: Table) -> tuple[Array, Array, Array] | None:
    """The two expected parts, and whether the sizes settle them, if the engine finds these at once."""

    def conditional() -> tuple[Array, Array]:
        return true_given_pred(table), pred_given_true(table)

    return table.engine.expected_parts(table, conditional)


@statistic
def expected_parts(table: Table) -> tuple[Array, Array]:
    """Expected mutual information, and the expected value of the smaller of H(true | pred) and H(pred | true).

    E = 1/n sum_ij E[phi(n_ij)] (see ``hypergeometric``); if the sizes are known, equal pairs of them are done once.
    """
    if (found := _of_engine(table)) is not None:
        return found[:2]
    xp = table.xp
    whole = must_be_of_counts(
        table, "the adjusted and the expected mutual information", "their null model permutes samples"
    )
    mutual, conditional = (ratio(x, table.real(table.total), xp) for x in _sums(table))
    if whole is None:
        return mutual, conditional
    return xp.where(whole, mutual, float("nan")), xp.where(whole, conditional, float("nan"))


@part_of(_of_engine, 2)
def is_constant(table: Table) -> Array:
    """Whether the sizes alone settle the mutual information: one group, or single samples, on either side."""
    xp = table.xp
    settled = [
        (largest == table.total) | (largest <= 1)
        for largest in (_largest(table.class_sizes, xp), _largest(table.cluster_sizes, xp))
    ]
    return settled[0] | settled[1]


def _largest(sizes: Array, xp: Any) -> Array:
    return xp.max(sizes, axis=-1) if sizes.shape[-1] else backend_of(sizes).sum(sizes, -1)


def _sums(table: Table) -> Sums:
    of_a = pred_given_true(table) < true_given_pred(table)  # whether H(pred | true) is the smaller one
    if len(table.total.shape):
        return _sums_over_all(table, of_a)
    backend = table.backend
    may_find_distinct = backend.on_host or (
        table.may_sync and backend.widest(table.counts).is_64bit and not backend.is_differentiated(table.counts)
    )
    found: Sums | None = table.engine.expected_sums(table, of_a)
    if found is not None:
        return found
    return _sums_of_distinct(table, of_a) if may_find_distinct else _sums_over_all(table, of_a)


def _sums_of_distinct(table: Table, of_a: Array) -> Sums:
    """The sums over distinct pairs, in few shapes: tiles and nodes are filled up, with pairs that occur no times."""
    xp, n, device = table.xp, table.real(table.total), table.backend.device(table.counts)
    a, times_a = _distinct(table.class_sizes, table)
    b, times_b = _distinct(table.cluster_sizes, table)
    host = to_host(xp.concat([a, b, xp.reshape(n, (1,))]))
    host_a, host_b, host_n = host[: a.shape[0]], host[a.shape[0] : -1], host[-1]
    side = next((x for x in _SIDES if x >= max(len(host_a), len(host_b))), _SIDES[-1])
    a, times_a, b, times_b = (_in_rows(x, side, xp) for x in (a, times_a, b, times_b))
    mutual = conditional = 0.0 * n
    for i in range(b.shape[0]):
        for j in range(a.shape[0]):
            seen_a, seen_b = (x[k * side : (k + 1) * side] for x, k in ((host_a, j), (host_b, i)))
            needed = nodes_for(seen_a[:, None], seen_b[None, :], host_n).max()
            nodes = next(x for x in _NODES if x >= needed)
            values = expected_deviance_and_loss(a[j, :, None], b[i, None, :], n, of_a, xp, nodes=nodes, device=device)
            times = times_a[j, :, None] * times_b[i, None, :]
            mutual, conditional = mutual + xp.sum(times * values[0]), conditional + xp.sum(times * values[1])
    return mutual, conditional


def _distinct(sizes: Array, table: Table) -> tuple[Array, Array]:
    found = table.xp.unique_counts(sizes)
    return table.real(found.values), table.real(found.counts)


def _in_rows(x: Array, length: int, xp: Any) -> Array:
    """``x`` in rows of one length, the last of them filled up with zeros."""
    zeros = xp.zeros(-x.shape[0] % length, dtype=x.dtype, device=backend_of(x).device(x))
    return xp.reshape(xp.concat([x, zeros]), (-1, length))


def _sums_over_all(table: Table, of_a: Array) -> Sums:
    """All pairs of sizes of each table of a batch, in blocks of fixed shape."""
    xp, device = table.xp, table.backend.device(table.counts)
    a, b = table.real(table.class_sizes)[..., :, None], table.real(table.cluster_sizes)[..., None, :]
    n, of_a = table.real(table.total)[..., None, None], of_a[..., None, None]
    sums = [
        [
            xp.sum(x, axis=(-2, -1))
            for x in expected_deviance_and_loss(a[..., j, :], b[..., i], n, of_a, xp, device=device)
        ]
        for i in slices(b.shape[-1], _BLOCK // NODES) or [slice(0, 0)]
        for j in slices(a.shape[-2], _BLOCK // (NODES * max(1, i.stop - i.start))) or [slice(0, 0)]
    ]
    mutual, conditional = (sum(x) for x in zip(*sums, strict=True))
    return mutual, conditional
