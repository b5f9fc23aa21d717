"""Random tables of given sizes: how they are drawn, and what measures read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines import Engine, engine_of
from gpuval.engines.backends import is_array, to_host
from gpuval.engines.cells import DenseCells, SparseCells, dense_is_better
from gpuval.inputs.options import generator
from gpuval.numerics import NDArray, exact
from gpuval.numerics.parallel import parallel_map, slices
from gpuval.numerics.stable import ratio
from gpuval.table.adjusted_pairs import PairMoments, pair_moments
from gpuval.table.contingency import Contingency
from gpuval.table.information import expected_parts, is_constant
from gpuval.table.resampling.cells import CellsNeededError, TablesWithoutCells, tables_without_cells
from gpuval.table.resampling.draws import chunks
from gpuval.table.table import Table

__all__ = ["random_tables"]

LARGEST_TOTAL = 10**9 - 1
"""The most samples that NumPy's hypergeometric generator takes."""


def _chunks_of_tables(
    number: int, n_cells: int, random: np.random.Generator
) -> Iterator[tuple[np.random.Generator, int]]:
    """Generators, and how many tables each of them draws: four times as many counts as of other draws.

    So each of the calls by which a table is drawn makes many numbers.
    """
    return chunks(number, max(1, n_cells // 4), random)


def _draw_tables(rows: NDArray, columns: NDArray, size: int, random: np.random.Generator) -> NDArray:
    """Tables of these sums of rows and columns, shape (m, r, size): a column after the other, each by its rows."""
    if not (len(rows) and len(columns)):
        return np.zeros((len(columns), len(rows), size), dtype=np.int64)
    of_rows, edges = _bisections(len(rows)), _edges(columns)
    counts = np.repeat(rows[None, :, None], size, axis=2)
    for halving in _bisections(len(columns)):
        taken = edges[halving.middle] - edges[halving.start]
        first = _draw_by_row(counts[halving.cut].transpose(1, 0, 2), taken[:, None], of_rows, random)
        counts = halving.halves(counts, first.transpose(1, 0, 2))
    return counts


def _draw_by_row(counts: NDArray, n_taken: NDArray, halvings: list[_Bisection], random: np.random.Generator) -> NDArray:
    """How many samples of each row are among those that are taken, shape (r, k, size).

    ``counts``, of the same shape, has the samples of each row; ``n_taken``, shape (k, 1), says how many are taken.
    """
    edges = _edges(counts)
    taken = np.broadcast_to(n_taken, (1, *counts.shape[1:]))
    for halving in halvings:
        middle = edges[halving.middle]
        first = random.hypergeometric(middle - edges[halving.start], edges[halving.stop] - middle, taken[halving.cut])
        taken = halving.halves(taken, first)
    return taken


def _edges(x: NDArray) -> NDArray:
    """The sums of ``x`` before each place along its first axis, and that of all."""
    sums = np.zeros((x.shape[0] + 1, *x.shape[1:]), dtype=np.int64)
    np.cumsum(x, axis=0, out=sums[1:])
    return sums


@dataclass(frozen=True)
class _Bisection:
    """Segments of places in a row that are cut in the middle, among others of a single place, which stay."""

    cut: NDArray
    """Which of the segments are cut."""
    start: NDArray
    middle: NDArray
    stop: NDArray
    first: NDArray
    """Where the first halves are among the segments that come of it; the second ones follow them."""
    whole: NDArray
    """Which segments stay."""
    place: NDArray
    """Where these are then."""

    def halves(self, x: NDArray, first: NDArray) -> NDArray:
        """What the segments have that come of it; ``x`` is what they had, and ``first`` what the first halves have."""
        after = np.empty((len(x) + len(self.cut), *x.shape[1:]), dtype=np.int64)
        after[self.first], after[self.first + 1], after[self.place] = first, x[self.cut] - first, x[self.whole]
        return after


def _bisections(n: int) -> list[_Bisection]:
    """How ``n`` places are halved, until each is by itself."""
    found, edges = [], np.asarray([0, n])
    while len(edges) <= n:
        lengths = np.diff(edges)
        cut, whole = np.flatnonzero(lengths > 1), np.flatnonzero(lengths == 1)
        place = np.cumsum(np.minimum(lengths, 2)) - np.minimum(lengths, 2)
        start, stop = edges[cut], edges[cut + 1]
        middle = (start + stop) // 2
        found.append(_Bisection(cut, start, middle, stop, place[cut], whole, place[whole]))
        edges = np.union1d(edges, middle)
    return found


# Random tables with the sizes of a table, as permutations make them, and what scores of pairs and information read.
#
# They are drawn side by side in one array. Where a table has more cells than samples, one of the two labelings is
# permuted instead, and its non-empty cells are found by a sort, so that 10^5 x 10^5 clusters take no more memory than
# their samples do.

_BLOCK = 1 << 17
"""Cells of random tables that are scored at once: about what a cache holds."""


class CellSums(NamedTuple):
    """Of each table the sum of n_ij^2, exactly, and that of n_ij log(n_ij); shape (n_tables,)."""

    squares: NDArray
    logarithms: NDArray


Batch = tuple[CellSums, Contingency | None]


class NullModel:
    """The random tables of class and cluster sizes, which are vectors of int64 of one sum.

    They have the labels of the table ``like``, if it is given.
    """

    def __init__(self, class_sizes: NDArray, cluster_sizes: NDArray, like: Table | None = None) -> None:
        self._sizes = class_sizes, cluster_sizes
        self._shape = len(class_sizes), len(cluster_sizes)
        self._labels = (range(self._shape[0]), range(self._shape[1])) if like is None else (like.classes, like.clusters)
        self._scales = (None, None) if like is None else like.scales
        self._total = int(class_sizes.sum())
        self._is_dense = dense_is_better(*self._shape, self._total)
        if self._is_dense and self._total > LARGEST_TOTAL:
            raise ValueError(f"random tables must have fewer than 10**9 samples, got {self._total}")

    @property
    def n_numbers(self) -> int:
        """How many random numbers a table takes."""
        return self._shape[0] * self._shape[1] if self._is_dense else self._total

    def chunks(self, n_tables: int, random: np.random.Generator) -> list[tuple[np.random.Generator, int]]:
        """Generators, and how many tables each draws: the same for one seed, on however many cores."""
        return list((_chunks_of_tables if self._is_dense else chunks)(n_tables, self.n_numbers, random))

    def batches(self, random: np.random.Generator, n_tables: int, *, with_tables: bool) -> Iterator[Batch]:
        """The sums over the cells of tables, and if asked for the tables themselves: batches, or single ones."""
        if not self._is_dense:
            true, pred = (np.repeat(np.arange(len(sizes)), sizes) for sizes in self._sizes)
            for _ in range(n_tables):
                cells, _ = engine_of(true).cells(true, random.permutation(pred), self._shape, None, "cells")
                yield cell_sums(cells.counts.reshape(1, -1, 1)), self._table(cells) if with_tables else None
            return
        counts = _draw_tables(*self._sizes, n_tables, random)
        if not with_tables:
            yield cell_sums(counts), None
            return
        for block in slices(n_tables, max(1, _BLOCK // max(1, self.n_numbers))):
            some = counts[:, :, block]
            yield cell_sums(some), self._table(DenseCells(np.ascontiguousarray(some.transpose(2, 1, 0))))

    def sums(self, n_tables: int, random: np.random.Generator) -> CellSums:
        """The sums over the cells of so many tables, found on all cores."""

        def sums_of_chunk(chunk: tuple[np.random.Generator, int]) -> list[CellSums]:
            return [sums for sums, _ in self.batches(*chunk, with_tables=False)]

        return join_sums(sums for found in parallel_map(sums_of_chunk, self.chunks(n_tables, random)) for sums in found)

    def _table(self, cells: DenseCells | SparseCells) -> Contingency:
        return Contingency.from_table(Table.of(cells, *self._labels, fixed=True, scales=self._scales))


def join_sums(sums: Iterable[CellSums]) -> CellSums:
    """The sums of some tables, and then of others."""
    return CellSums(*map(np.concatenate, zip(*sums, strict=True)))


def cell_sums(counts: NDArray) -> CellSums:
    """The sums over the cells of tables that stand side by side, shape (m, r, n_tables)."""
    n_tables = counts.shape[-1]
    squares, logarithms = np.zeros(n_tables, dtype=np.int64), np.zeros(n_tables)
    for some in counts:  # one column after the other, which a cache holds
        squares += np.add.reduce(some * some, axis=0)
        logarithms += np.add.reduce(_x_log_x(some), axis=0)
    return CellSums(squares, logarithms)


def _x_log_x(x: NDArray) -> NDArray:
    """``x log(x)`` of whole numbers, 0 for 0."""
    return np.asarray(x * np.log(np.maximum(x, 1)))


# What measures of pairs and of information read of random tables, from two sums over the cells of each.


def null_statistics(table: Table, sums: CellSums) -> TablesWithoutCells:
    """The random tables of these sums that have the class and cluster sizes of a table of counts in NumPy."""
    whole = np.ones(len(sums.squares), dtype=np.int64)
    engine = _BySums(table, sums)
    batch = tables_without_cells(engine, whole * table.total, whole * table.n_classes, whole * table.n_clusters)
    batch.results[pair_moments] = engine.moments  # type: ignore[index]
    return batch


class _BySums(Engine):
    """The engine of random tables of the sizes of one."""

    def __init__(self, table: Table, sums: CellSums) -> None:
        super().__init__(table.backend)
        self._table, self._sums = table, sums
        self._n = int(table.total)
        self._log_a, self._log_b = (
            float(np.sum(_x_log_x(sizes))) for sizes in (table.class_sizes, table.cluster_sizes)
        )

    @property
    def moments(self) -> PairMoments:
        """Those of the table, and how many more pairs than their mean each random one has."""
        of_table = pair_moments(self._table)
        excess = ratio(self.count_pairs(None)[4], float(2 * self._n * (self._n - 1)), np)
        nothing = 0 * excess
        return PairMoments(
            nothing + of_table.mean, nothing + of_table.variance, excess, (nothing == 0) & of_table.is_settled
        )

    def count_pairs(self, table: Any) -> Any:
        squares, everything = exact.from_int(self._sums.squares), exact.square(np.asarray(self._n))
        n, classes, clusters = (
            exact.from_int(np.asarray(x, dtype=np.int64))
            for x in (self._n, *(np.dot(x, x) for x in (self._table.class_sizes, self._table.cluster_sizes)))
        )
        kinds = squares - n, classes - squares, clusters - squares, (everything + squares) - (classes + clusters)
        both, true_only, pred_only, neither = kinds
        return (
            *(exact.to_float(x, np) for x in kinds),
            exact.cross_difference_of_limbs(both, neither, true_only, pred_only, np),
            exact.to_float(true_only - pred_only, np),
        )

    def information(self, table: Any) -> Any:
        n = max(self._n, 1)
        shared = self._sums.logarithms
        parts = (
            (shared - self._log_a - self._log_b + float(_x_log_x(np.asarray(n)))),
            self._log_b - shared,
            self._log_a - shared,
        )
        rounding = 2.0**-46 * (self._log_a + self._log_b + 1)
        return tuple(np.where(x < rounding, 0.0, x) / n for x in parts)

    def expected_parts(self, table: Any, conditional: Callable[[], Any]) -> Any:
        nothing = np.zeros(len(self._sums.squares))
        mutual, loss = expected_parts(self._table)
        return nothing + mutual, nothing + loss, (nothing == 0) & is_constant(self._table)

    def overlaps(self, table: Any) -> Any:
        raise CellsNeededError("cells")


# Random contingency tables with given class and cluster sizes, as permuted labels have them; no labels are needed.


def random_tables(class_sizes: Any, cluster_sizes: Any, size: int, random_state: Any = None) -> NDArray:
    """Draw random contingency tables with given class and cluster sizes.

    A table has the distribution that a random permutation of one of two label vectors gives: with class sizes ``a_i``,
    cluster sizes ``b_j``, their sum ``n`` and the cells ``n_ij``, its probability is
    ``prod_i a_i! * prod_j b_j! / (n! * prod_ij n_ij!)`` ([1]_). Use such tables to see which scores chance alone gives.

    Parameters
    ----------
    class_sizes, cluster_sizes
        The number of samples of each class, shape (r,), and of each cluster, shape (m,): whole numbers, not negative.
        Both have the same sum, below 10^9.
    size
        How many tables to draw.
    random_state
        A seed or a generator of NumPy. The same seed gives the same tables on any number of cores.

    Returns
    -------
    NumPy array of int64, shape (size, r, m)
        The tables. ``Contingency.from_counts`` makes a batch of them, which every measure takes.

    Raises
    ------
    TypeError, ValueError
        The sizes are not vectors of whole numbers, are negative, or have different sums; or ``size`` is not an integer,
        or is negative.

    Notes
    -----
    The clusters are divided into two halves, and the number of samples of each class in the first half is drawn, in
    halves of the classes, from the hypergeometric distribution. Then each half is divided again, and so on. This takes
    (r - 1)(m - 1) draws for r classes and m clusters, for any number of samples.

    References
    ----------
    .. [1] W. M. Patefield, "Algorithm AS 159: an efficient method of generating random R x C tables with given row and
       column totals", Applied Statistics 30, 1981.

    Examples
    --------
    >>> import gpuval
    >>> tables = gpuval.random_tables([3, 5, 4], [4, 3, 5], 1000, random_state=0)
    >>> tables.shape
    (1000, 3, 3)
    >>> tables[0].sum(axis=1)
    array([3, 5, 4])
    >>> scores = gpuval.adjusted_rand_score(gpuval.Contingency.from_counts(tables))
    >>> bool(abs(scores.mean()) < 0.02)
    True
    """
    rows, columns = _whole("class_sizes", class_sizes), _whole("cluster_sizes", cluster_sizes)
    n, other = sum(rows.tolist()), sum(columns.tolist())
    if n != other:
        raise ValueError(f"class_sizes and cluster_sizes must have the same sum, got {n} and {other}")
    if n > LARGEST_TOTAL:
        raise ValueError(f"class_sizes must have a sum below 10**9, got {n}")
    if isinstance(size, bool) or not isinstance(size, int | np.integer):
        raise TypeError(f"size must be an integer, got {size!r}")
    if size < 0:
        raise ValueError(f"size must not be negative, got {size}")
    tables = np.empty((int(size), len(rows), len(columns)), dtype=np.int64)
    parts = list(_chunks_of_tables(int(size), rows.size * columns.size, generator(random_state)))
    stops = np.cumsum([number for _, number in parts])

    def fill(i: int) -> None:
        random, number = parts[i]
        tables[stops[i] - number : stops[i]] = _draw_tables(rows, columns, number, random).transpose(2, 1, 0)

    parallel_map(fill, range(len(parts)))
    return tables


def _whole(name: str, sizes: Any) -> NDArray:
    """Sizes as a vector of int64."""
    given = to_host(sizes) if is_array(sizes) else np.asarray(sizes)
    if given.ndim != 1:
        raise ValueError(f"{name} must be of one dimension, got shape {given.shape}")
    if given.dtype.kind not in "iuf" and given.size:
        raise TypeError(f"{name} must be whole numbers, got {given.dtype}")
    wrong = given[~((given >= 0) & (given <= 2.0**62) & (given == np.floor(given)))] if given.size else given
    if wrong.size:
        raise ValueError(f"{name} must be whole numbers, not negative, got {wrong.tolist()[0]}")
    return given.astype(np.int64)
