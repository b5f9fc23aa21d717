"""Information of a NumPy table: from its non-empty cells only, and the expected one on all cores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gpuval.engines.cells import SparseCells
from gpuval.numerics import NDArray
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.hypergeometric import deviance_and_loss_of_short_windows, mean_deviance_and_loss, nodes_for
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.size_nodes import SizeNodes
from gpuval.numerics.stable import deviance_of_counts

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


_FEW = 1 << 13
"""Samples up to which counting the groups of each size costs less than sorting the sizes."""


_SMALL = 1 << 5
"""Cells of a table up to which its pairs of sizes take less time in a batch, all of them, than by themselves."""


def expectation_sums(table: Any, of_a: NDArray) -> tuple[Any, Any] | None:
    """The sums over pairs of sizes of mean deviance and mean loss: at fewer sizes, where these are as good.

    Of a batch, they are found together for the sizes of all tables; or for one table after the other, if these differ
    in their numbers of samples, or if they have more sizes than are worth it; None if the tables are small then.
    """
    if not table.total.ndim:
        return tuple(_sums_of_tables(table.class_sizes[None], table.cluster_sizes[None], table.total, of_a[None])[:, 0])
    shape, totals = table.total.shape, table.real(table.total).reshape(-1)
    of_a = np.broadcast_to(of_a, shape).reshape(-1)
    classes, clusters = (x.reshape(len(totals), x.shape[-1]) for x in (table.class_sizes, table.cluster_sizes))
    together = None
    if len(totals) and (totals == totals[0]).all():
        together = _sums_of_tables(classes, clusters, totals[0], of_a)
    if together is None:
        if len(totals) > 1 and classes.shape[1] * clusters.shape[1] <= _SMALL:
            return None
        each = [
            _sums_of_tables(a[None], b[None], *x)
            for a, b, *x in zip(classes, clusters, totals, of_a[:, None], strict=True)
        ]
        together = np.concatenate(each, axis=1) if each else np.zeros((2, 0))
    mutual, conditional = together.reshape(2, *shape)
    return mutual, conditional


def _sums_of_tables(class_sizes: NDArray, cluster_sizes: NDArray, n: NDArray, of_a: NDArray) -> Any:
    """Both sums of tables of so many samples; None if one after the other is better."""
    sides = _distinct(class_sizes, n), _distinct(cluster_sizes, n)
    a, b = (side.fewer() for side in sides)
    if len(of_a) > 1 and len(a.sizes) * len(b.sizes) > class_sizes.size * cluster_sizes.shape[1]:
        return None
    sums = _sums_over_pairs(a, b, n, of_a)
    if (a.sizes is sides[0].sizes and b.sizes is sides[1].sizes) or not _misses_too_much(a, b, n, sums):
        return sums
    return _sums_over_pairs(*sides, n, of_a) if len(of_a) == 1 else None


_MISSED = 2.0**-50
"""Of a sum, what it may miss at fewer sizes."""


def _misses_too_much(a: SizeNodes, b: SizeNodes, n: NDArray, sums: NDArray) -> bool:
    """Whether fewer sizes may have changed a sum by more than ``_MISSED`` of it."""
    return bool((a.missed + a.extent / n * b.missed > _MISSED * sums).any())


def _sums_over_pairs(of_rows: SizeNodes, of_columns: SizeNodes, n: NDArray, of_a: NDArray) -> NDArray:
    """Both sums of each table, shape (2, n_tables): tiles on all cores."""
    (a, times_a, _), (b, times_b, _) = of_rows, of_columns

    def tile_sums(tile: tuple[slice, slice], of_a: Any) -> NDArray:
        j, i = tile
        times = times_a[0, j, None] * times_b[0, i] if len(times_a) == 1 else None
        found = deviance_and_loss_of_short_windows(a[j], b[i], n, of_a, times)
        if found is not None and times is not None:
            return np.asarray(found)[:, None]
        if found is None:
            pair = (a[j, None], b[None, i], n)
            found = mean_deviance_and_loss(*pair, of_a, np, nodes=int(nodes_for(*pair).max()))
        return np.asarray(np.vecdot(times_a[:, j] @ np.asarray(found), times_b[:, i]))

    tiles = [(j, i) for i in slices(len(b), _TILE) for j in slices(len(a), _TILE)]
    none = np.zeros((2, len(of_a)))
    losses = [sum(parallel_map(partial(tile_sums, of_a=x), tiles), none) for x in sorted(set(of_a.tolist()))]
    return losses[0] if len(losses) == 1 else np.where(of_a, losses[1], losses[0])  # of False, and of True


def _distinct(sizes: NDArray, n: NDArray) -> SizeNodes:
    """The sizes above 0 that occur, shape (n_tables, n_groups), sorted, and how often each does in each table."""
    if len(sizes) > 1:
        from scipy.sparse import csr_array  # only now: it is for batches

        values, places = np.unique(sizes, return_inverse=True)
        each = np.ones(sizes.size), places.reshape(-1), np.arange(0, sizes.size + 1, sizes.shape[1])
        times = csr_array(each, shape=(len(sizes), len(values)))
        first = int(np.count_nonzero(values <= 0))
        return SizeNodes(values[first:].astype(np.float64), times[:, first:], 0.0)
    sizes = sizes[sizes > 0]
    if sizes.dtype.kind == "i" and n <= _FEW:
        times = np.bincount(sizes)
        values = np.flatnonzero(times)
        times = times[values]
    else:
        values, times = np.unique(sizes, return_counts=True)
    return SizeNodes(values.astype(np.float64), times[None].astype(np.float64), 0.0)


# The information measures of a NumPy table, computed from its non-empty cells only, in either layout.

_MOST = 1 << 15
"""Non-empty cells of a list that are gone through by themselves: all that is found of them lies in a cache."""

_BLOCK = 1 << 16
"""Cells of some rows of a table of all cells, whose non-empty ones are found at once."""

Number = np.float64


def parts_of_joint_entropy(table: Any) -> tuple[Number, Number, Number] | None:
    """MI, H(true | pred) and H(pred | true) of a single table of counts; None where many cells are listed.

    The sums are those of ``table.information``, of some rows after the others, on all cores. Up to ``LARGEST_ROOT``
    samples, products of two counts fit int64.
    """
    cells, n = table.cells, table.total
    if not table.is_integer or n.ndim or not 0 < n <= LARGEST_ROOT:
        return None
    if isinstance(cells, SparseCells) and len(cells.counts) > _MOST:
        return None
    n_rows, n_columns = cells.shape
    if isinstance(cells, SparseCells) or n_rows * n_columns <= _BLOCK:
        few = _read_cells(table, slice(0, n_rows))

        def summed(function: Callable[..., Any]) -> Any:
            return function(*few)
    else:
        blocks = slices(n_rows, max(1, _BLOCK // n_columns))

        def summed(function: Callable[..., Any]) -> Any:
            return np.add.reduce(parallel_map(lambda rows: function(*_read_cells(table, rows)), blocks), axis=0)

    true_given_pred, pred_given_true = summed(_conditional_sums)
    sizes = table.cluster_sizes
    pred = np.add.reduce(sizes * np.log1p((n - sizes) / np.maximum(sizes, 1))) / n
    # A difference of entropies that is more than an eighth of the larger loses at most three bits.
    mutual = pred - pred_given_true / n
    if mutual <= pred / 8:
        mutual = summed(partial(_deviance_sum, n)) / n
    return mutual, true_given_pred / n, pred_given_true / n


def _conditional_sums(row: NDArray, k: NDArray, a: NDArray, b: NDArray, sizes: NDArray) -> tuple[Number, Number]:
    """The conditional entropies H(true | pred) and H(pred | true), times n, of the non-empty cells of some rows."""
    return np.add.reduce(k * np.log1p((b - k) / k)), np.add.reduce(k * np.log1p((a - k) / k))


def _deviance_sum(n: Any, row: NDArray, k: NDArray, a: NDArray, b: NDArray, sizes: NDArray) -> Number:
    """The mutual information of some rows, times n: the deviances of all cells. That of an empty cell is its mean."""
    product = a * b
    deviances = np.add.reduce(deviance_of_counts(k, product / n, (k * n - product) / n))
    unmet = n - np.bincount(row, b, len(sizes))  # of each class, the clusters that it shares nothing with
    return Number(deviances + np.add.reduce(sizes * unmet) / n)


def _read_cells(table: Any, rows: slice) -> tuple[NDArray, NDArray, NDArray, NDArray, NDArray]:
    """The non-empty cells of some rows of a table, of a list those of all: row, count, and sizes of class and cluster.

    Rows are numbered from the first of these; their sizes come last.
    """
    cells, sizes = table.cells, table.class_sizes[rows]
    if isinstance(cells, SparseCells):
        row, column, k = cells.class_of, cells.cluster_of, cells.counts
    else:
        flat = cells.counts[rows].reshape(-1)
        places = np.flatnonzero(flat != 0)  # of integers it takes three times as long
        row, column = np.divmod(places, cells.shape[1])
        k = flat[places]
    return row, k, sizes[row], table.cluster_sizes[column], sizes
