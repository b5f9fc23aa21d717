"""Entropies of a table, in nats, as sums of terms that are never negative, and the information expected by chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.engines.cells import SparseCells
from gpuval.numerics import Array
from gpuval.numerics.hypergeometric import NODES, mean_deviance_and_loss, nodes_for
from gpuval.numerics.parallel import slices
from gpuval.numerics.stable import deviance, normalise, ratio, slopes_of_deviance, surprise
from gpuval.table.pairs import (
    as_difference,
    excess_of_cells,
    rest_of_class,
    rest_of_cluster,
    rest_of_groups,
    rest_of_table,
    unmet_by_class,
)
from gpuval.table.statistic import must_be_of_counts, part_of, statistic
from gpuval.table.table import Partition, Side, Table


@dataclass(eq=False)  # not frozen: that would take three times as long to make
class Information:
    """What two partitions share, and what each holds beyond the other.

    The entropies are put together from these three, so that a quotient of two partitions that are the same is exactly 1
    and no quotient exceeds 1.
    """

    mutual: Array
    true_given_pred: Array
    pred_given_true: Array
    xp: Any

    @property
    def true(self) -> Array:
        """H(true)."""
        return self.mutual + self.true_given_pred

    @property
    def pred(self) -> Array:
        """H(pred)."""
        return self.mutual + self.pred_given_true

    @property
    def joint(self) -> Array:
        """H(true, pred)."""
        return self.mutual + self.true_given_pred + self.pred_given_true

    @property
    def identical(self) -> Array:
        """Whether the partitions are the same: neither leaves anything open about the other."""
        return (self.true_given_pred == 0) & (self.pred_given_true == 0)

    def quotient(self, numerator: Array, denominator: Array) -> Array:
        """A normalised score: 1 for identical partitions, and 0 for 0/0 between others."""
        return normalise(numerator, denominator, self.identical, self.xp)


@statistic
def _information_of_engine(table: Table) -> tuple[Array, Array, Array] | None:
    """MI, H(true | pred) and H(pred | true), if the engine finds them at once."""
    return table.engine.information(table)


@statistic
def information(table: Table) -> Information:
    """Split the joint entropy of a table into its three parts."""
    mutual, true, pred = _information_of_engine(table) or table.backend.at_once(_parts_of_joint, table)
    return Information(mutual, true, pred, table.xp)


def _parts_of_joint(table: Table) -> tuple[Array, Array, Array]:
    return mutual_information(table), true_given_pred(table), pred_given_true(table)


def partition_entropy(partition: Partition) -> Array:
    """H = sum_i a_i/n log(n/a_i)."""
    sizes, total, real = partition.sizes, partition.total[..., None], partition.real
    share = ratio(real(sizes), real(total), partition.xp)
    rest = rest_of_groups(sizes, partition.total)
    return partition.xp.sum(share * surprise(real(sizes), real(rest), partition.xp), axis=-1)


def joint_information(table: Table) -> Array:
    """H(true, pred) = sum_ij n_ij/n log(n/n_ij)."""
    rest = table.real(rest_of_table(table))
    return _mean_over_samples(table, surprise(table.real(table.counts), rest, table.xp))


@part_of(_information_of_engine, 1)
def true_given_pred(table: Table) -> Array:
    """H(true | pred) = sum_ij n_ij/n log(b_j/n_ij)."""
    return _conditional(table, "pred")


@part_of(_information_of_engine, 2)
def pred_given_true(table: Table) -> Array:
    """H(pred | true) = sum_ij n_ij/n log(a_i/n_ij)."""
    return _conditional(table, "true")


def _conditional(table: Table, given: Side) -> Array:
    if (groups := _distinct_cells(table, given)) is not None:
        count, size, times = groups
        return ratio(np.sum(times * count * surprise(count, size - count, np)), table.real(table.total), np)
    rest = rest_of_cluster(table) if given == "pred" else rest_of_class(table)
    return _mean_over_samples(table, surprise(table.real(table.counts), table.real(rest), table.xp))


@part_of(_information_of_engine, 0)
def mutual_information(table: Table) -> Array:
    """MI = 1/n sum_ij phi(n_ij), phi(k) = k log(k/m) - k + m >= 0, with m = a_i b_j / n.

    The terms -k + m sum to 0. An empty cell adds its m; over the empty cells of class i that is a_i/n times the size of
    the clusters it shares nothing with, an exact difference in a table of counts.
    """
    xp, cells, n = table.xp, table.cells, table.counts
    if table.backend.on_host:
        # A difference of entropies that is more than an eighth of the larger loses at most three bits.
        whole = partition_entropy(table.side("pred"))
        shared = whole - pred_given_true(table)
        if (shared > whole / 8).all():
            return shared
    total = table.real(table.total)
    unmet = table.real(unmet_by_class(table))
    from_empty = xp.sum(ratio(table.real(table.class_sizes) * unmet, total[..., None], xp), axis=-1)

    k, everything = table.real(n), cells.everywhere(total)
    a, b = (table.real(x) for x in (cells.by_class(table.class_sizes), cells.by_cluster(table.cluster_sizes)))
    expected = ratio(a * b, everything, xp)
    difference = as_difference(ratio(excess_of_cells(table), everything, xp), k, expected)
    terms = table.backend.with_slopes(
        partial(deviance, xp=xp), partial(slopes_of_deviance, xp=xp), k, expected, difference
    )
    terms = xp.where(k > 0, terms, 0.0)
    return ratio(cells.sum(terms) + from_empty, total, xp)


def _distinct_cells(table: Table, given: Side) -> tuple[Array, Array, Array] | None:
    """The distinct pairs of a group and a cell's count: the count, the group's size, and how often the pair occurs.

    Many cells of many groups have small counts: each distinct pair then takes one logarithm, not each cell. None if the
    cells are not listed, or the engine has no such table of them.
    """
    cells = table.cells
    if not isinstance(cells, SparseCells) or not table.is_integer:
        return None
    groups, sizes = (cells.cluster_of, table.cluster_sizes) if given == "pred" else (cells.class_of, table.class_sizes)
    found = table.engine.distinct_pairs(groups, cells.counts, groups.shape[0])
    if found is None:
        return None
    group, count, times = found
    return table.real(count), table.real(sizes[group]), times


def _mean_over_samples(table: Table, value_of_cell: Array) -> Array:
    weighted = table.real(table.counts) * value_of_cell
    return ratio(table.cells.sum(weighted), table.real(table.total), table.xp)


# The mutual information expected of random partitions with the same class and cluster sizes.

_BLOCK = 1 << 17
"""Quadrature points in one block of fixed shape: about what a cache holds."""

_SIDES, _NODES = (8, 32, 128), (16, 32, 64, NODES)
"""Sizes on each side, and nodes, of a tile on a device: few shapes, as JAX compiles its operations for each."""

Sums = tuple[Array, Array]
"""The sums over all pairs of a class and a cluster of what ``mean_deviance_and_loss`` gives."""


@statistic
def _expectations_of_engine(table: Table) -> tuple[Array, Array, Array] | None:
    """The two expected parts, and whether the sizes settle them, if the engine finds these at once."""

    def conditional() -> tuple[Array, Array]:
        return true_given_pred(table), pred_given_true(table)

    return table.engine.expected_parts(table, conditional)


@statistic
def expected_parts(table: Table) -> tuple[Array, Array]:
    """Expected mutual information, and the expected value of the smaller of H(true | pred) and H(pred | true).

    E = 1/n sum_ij E[phi(n_ij)] (see ``hypergeometric``); if the sizes are known, equal pairs of them are done once.
    """
    if (found := _expectations_of_engine(table)) is not None:
        return found[:2]
    xp = table.xp
    whole = must_be_of_counts(
        table, "the adjusted and the expected mutual information", "their null model permutes samples"
    )
    mutual, conditional = (ratio(x, table.real(table.total), xp) for x in _sums(table))
    if whole is None:
        return mutual, conditional
    return xp.where(whole, mutual, float("nan")), xp.where(whole, conditional, float("nan"))


@part_of(_expectations_of_engine, 2)
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
    found: Sums | None = table.engine.expected_sums(table, of_a)
    if found is not None:
        return found
    if len(table.total.shape):
        return _sums_over_all(table, of_a)
    backend = table.backend
    may_find_distinct = backend.on_host or (
        table.may_sync and backend.widest(table.counts).is_64bit and not backend.is_differentiated(table.counts)
    )
    return _sums_of_distinct(table, of_a) if may_find_distinct else _sums_over_all(table, of_a)


def _sums_of_distinct(table: Table, of_a: Array) -> Sums:
    """The sums over distinct pairs, in few shapes: tiles and nodes are filled up, with pairs that occur no times."""
    xp, n, device = table.xp, table.real(table.total), table.backend.device(table.counts)
    a, times_a = _distinct(table.class_sizes, table)
    b, times_b = _distinct(table.cluster_sizes, table)
    host = to_host(xp.concat([a, b, xp.reshape(n, (1,))]))
    host_a, host_b, host_n = host[: a.shape[0]], host[a.shape[0] : -1], host[-1]
    side = next((x for x in _SIDES if x >= max(len(host_a), len(host_b))), _SIDES[-1])
    a, times_a, b, times_b = (_pad_to_rows(x, side, xp) for x in (a, times_a, b, times_b))
    mutual = conditional = 0.0 * n
    for i in range(b.shape[0]):
        for j in range(a.shape[0]):
            seen_a, seen_b = (x[k * side : (k + 1) * side] for x, k in ((host_a, j), (host_b, i)))
            needed = nodes_for(seen_a[:, None], seen_b[None, :], host_n).max()
            nodes = next(x for x in _NODES if x >= needed)
            values = mean_deviance_and_loss(a[j, :, None], b[i, None, :], n, of_a, xp, nodes=nodes, device=device)
            times = times_a[j, :, None] * times_b[i, None, :]
            mutual, conditional = mutual + xp.sum(times * values[0]), conditional + xp.sum(times * values[1])
    return mutual, conditional


def _distinct(sizes: Array, table: Table) -> tuple[Array, Array]:
    found = table.xp.unique_counts(sizes)
    return table.real(found.values), table.real(found.counts)


def _pad_to_rows(x: Array, length: int, xp: Any) -> Array:
    """``x`` in rows of one length, the last of them filled up with zeros."""
    zeros = xp.zeros(-x.shape[0] % length, dtype=x.dtype, device=backend_of(x).device(x))
    return xp.reshape(xp.concat([x, zeros]), (-1, length))


def _sums_over_all(table: Table, of_a: Array) -> Sums:
    """All pairs of sizes of each table of a batch, in blocks of fixed shape."""
    xp, device = table.xp, table.backend.device(table.counts)
    a, b = table.real(table.class_sizes)[..., :, None], table.real(table.cluster_sizes)[..., None, :]
    n, of_a = table.real(table.total)[..., None, None], of_a[..., None, None]
    sums = [
        [xp.sum(x, axis=(-2, -1)) for x in mean_deviance_and_loss(a[..., j, :], b[..., i], n, of_a, xp, device=device)]
        for i in slices(b.shape[-1], _BLOCK // NODES) or [slice(0, 0)]
        for j in slices(a.shape[-2], _BLOCK // (NODES * max(1, i.stop - i.start))) or [slice(0, 0)]
    ]
    mutual, conditional = (sum(x) for x in zip(*sums, strict=True))
    return mutual, conditional
