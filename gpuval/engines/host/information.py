"""Information of a NumPy table: from its non-empty cells only, and the expected one on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.cells import SparseCells
from gpuval.numerics import NDArray
from gpuval.numerics.exact import LARGEST_ROOT
from gpuval.numerics.hypergeometric import deviance_and_loss_of_short_windows, mean_deviance_and_loss, nodes_for
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import deviance_of_counts

_TILE = 1 << 5
"""Sizes on each side of the pairs that are done at once; they are sorted, so that their pairs are alike."""


_FEW = 1 << 13
"""Samples up to which counting the groups of each size costs less than sorting the sizes."""


def expectation_sums(table: Any, of_a: NDArray) -> tuple[Any, Any]:
    """The sums over pairs of sizes of mean deviance and mean loss, each as often as it occurs: tiles on all cores."""
    n = table.real(table.total)
    (a, times_a), (b, times_b) = (_distinct(sizes, n) for sizes in (table.class_sizes, table.cluster_sizes))

    def tile_sums(tile: tuple[slice, slice]) -> NDArray:
        j, i = tile
        found = deviance_and_loss_of_short_windows(a[j], times_a[j], b[i], times_b[i], n, of_a)
        if found is not None:
            return np.asarray(found)
        pair, times = (a[j, None], b[None, i], n), times_a[j, None] * times_b[None, i]
        values = mean_deviance_and_loss(*pair, of_a, np, nodes=int(nodes_for(*pair).max()))
        return np.asarray([np.sum(times * value) for value in values])

    tiles = [(j, i) for i in slices(len(b), _TILE) for j in slices(len(a), _TILE)]
    mutual, conditional = sum(parallel_map(tile_sums, tiles), np.zeros(2))
    return mutual, conditional


def _distinct(sizes: NDArray, n: NDArray) -> tuple[NDArray, NDArray]:
    """The sizes above 0 that occur, sorted, and how often each does."""
    sizes = sizes[sizes > 0]
    if sizes.dtype.kind == "i" and n <= _FEW:
        times = np.bincount(sizes)
        values = np.flatnonzero(times)
        times = times[values]
    else:
        values, times = np.unique(sizes, return_counts=True)
    return values.astype(np.float64), times.astype(np.float64)


# The information measures of a NumPy table, computed from its non-empty cells only, in either layout.

_MOST = 1 << 15
"""Non-empty cells that are always gone through by themselves: all that is found of them lies in a cache."""

Number = np.float64
Cells = tuple[NDArray, NDArray, NDArray]
"""Row, column and count of each non-empty cell."""


def parts_of_joint_entropy(table: Any) -> tuple[Number, Number, Number] | None:
    """MI, H(true | pred) and H(pred | true) of a single table of counts; None where all cells cost less.

    The sums are those of ``table.information``. Up to ``LARGEST_ROOT`` samples, products of two counts fit
    int64.
    """
    if not table.is_integer or table.total.ndim or not 0 < table.total <= LARGEST_ROOT:
        return None
    cells = _nonempty_cells(table)
    if cells is None:
        return None
    row, column, k = cells
    n, a, b = table.total, table.class_sizes[row], table.cluster_sizes[column]
    true_given_pred = np.add.reduce(k * np.log1p((b - k) / k)) / n
    pred_given_true = np.add.reduce(k * np.log1p((a - k) / k)) / n
    sizes = table.cluster_sizes
    pred = np.add.reduce(sizes * np.log1p((n - sizes) / np.maximum(sizes, 1))) / n
    # A difference of entropies that is more than an eighth of the larger loses at most three bits.
    mutual = pred - pred_given_true
    if mutual <= pred / 8:
        deviances = np.add.reduce(deviance_of_counts(k, a * b / n, (k * n - a * b) / n))
        mutual = (deviances + _from_empty(table, row, b)) / n
    return mutual, true_given_pred, pred_given_true


def _nonempty_cells(table: Any) -> Cells | None:
    cells = table.cells
    if isinstance(cells, SparseCells):
        return (cells.class_of, cells.cluster_of, cells.counts) if len(cells.counts) <= _MOST else None
    flat = cells.counts.reshape(-1)
    places = np.flatnonzero(flat != 0)  # of integers it takes three times as long
    if len(places) > max(_MOST, len(flat) // 2):
        return None
    row, column = np.divmod(places, cells.shape[1])
    return row, column, flat[places]


def _from_empty(table: Any, row: NDArray, met: NDArray) -> Number:
    """The deviances of the empty cells, each its mean: a_i / n times the clusters that class i shares nothing with."""
    unmet = table.total - np.bincount(row, met, len(table.class_sizes))
    return Number(np.add.reduce(table.class_sizes * unmet) / table.total)
