"""One-to-one assignment of rows to columns: exact short cuts where they are cheap, a solver for what is left.

SciPy's solver of dense tables takes at least the time of some ten passes over the table. What comes before it is less
than one such pass: a look at the largest cells of the rows. Larger tables of few cells are solved by their cells, in
steps: every step takes cells and returns those it chose and a mask of those still open. Rows and columns that got a
partner have no open cell, so what the steps chose adds up to one assignment.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import inf, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpuval.numerics.compiled import load_alone

Values = NDArray[Any]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

SMALL_SIZE = 2**18
"""Up to this size steps on listed cells, whose fixed cost is half a millisecond, may take longer than the solver."""

MODERATE_SIZE = 2**22
"""Up to this size the solvers are quick, and a pass over the cells has to be cheap beside them."""

MODERATE_SIZE_PER_VISIT = 16
"""A cell takes a step as long as some four places of the table take the dense solver at its fastest."""

ALWAYS_DENSE_SIZE = 2**16
DENSE_SIZE_PER_CELL = 4
"""A larger table of which less than a quarter is filled goes to SciPy's sparse solver: its memory is that of cells."""

LISTED_SIZE_PER_CELL = 8
"""Listing the cells of a dense table pays where less than an eighth of it is filled."""

WORTHWHILE_SHARE = 1 / 64
"""A peeling round is a pass over the open cells; one that closes a smaller share of them is the last."""


class Cells(NamedTuple):
    """The non-zero cells of a nonnegative table, sorted by (row, column), without duplicates."""

    values: Values
    rows: Index
    cols: Index
    shape: tuple[int, int]

    def take(self, index: Index) -> Cells:
        """Those cells only; the table keeps its shape."""
        return Cells(self.values[index], self.rows[index], self.cols[index], self.shape)

    @property
    def size(self) -> int:
        """The size of the table."""
        return self.shape[0] * self.shape[1]


def best_in_dense(table: Values) -> tuple[Index, Index]:
    """One-to-one assignment of the rows to the columns of a dense table: `best_one_to_one` of its cells."""
    if not table.size:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    n_rows, n_cols = table.shape
    if n_rows > n_cols:
        cols, rows = _best_in_wide(table.T)
        order = np.argsort(rows)
        return rows[order], cols[order]
    return _best_in_wide(table)


def best_one_to_one(values: Values, rows: Index, cols: Index, shape: tuple[int, int]) -> tuple[Index, Index]:
    """One-to-one assignment of rows to columns that maximises the sum of values.

    Parameters
    ----------
    values, rows, cols
        The non-zero cells of the table: positive, sorted by (row, column), without duplicates.
    shape
        The numbers of rows and columns; they may differ.

    Returns
    -------
    tuple
        The rows and the columns of the pairs, sorted by row. Pairs of value zero are not listed.

    Notes
    -----
    Exact for integers whose sums stay below 2^53, and for floats up to rounding. Needs memory of
    the order of rows + columns + cells.
    """
    cells = Cells(values, rows, cols, shape)
    if cells.size <= SMALL_SIZE or cells.size <= DENSE_SIZE_PER_CELL * values.size:
        return best_in_dense(_dense(cells))
    is_chosen = _solve_in_steps(cells)
    return rows[is_chosen], cols[is_chosen]


def _best_in_wide(table: Values) -> tuple[Index, Index]:
    """`best_in_dense` of a table that has at least as many columns as rows; the pairs are sorted by row."""
    lines = table if table.flags.c_contiguous else table.astype(np.float64, order="C")
    distinct = _distinct_maxima(lines)
    if distinct is not None:
        return distinct
    if lines.size > SMALL_SIZE:
        is_filled = lines.ravel() != 0
        if lines.size >= LISTED_SIZE_PER_CELL * np.count_nonzero(is_filled):
            return _best_listed(lines, np.flatnonzero(is_filled))
    # SciPy takes as it is what need not be converted, transposed or negated.
    cost = np.negative(lines, dtype=np.float64, out=None if lines is table else lines)
    return _pairs(cost, *_solver()(cost))


def _best_listed(table: Values, place: Index) -> tuple[Index, Index]:
    """Solve a table by its cells, of which the places are given."""
    rows = place // table.shape[1]
    cols = place - rows * table.shape[1]
    is_chosen = _solve_in_steps(Cells(table.ravel()[place], rows, cols, table.shape))
    return rows[is_chosen], cols[is_chosen]


def _distinct_maxima(table: Values) -> tuple[Index, Index] | None:
    """Return the largest cells of the rows if they lie in different columns.

    No assignment exceeds their sum. Few rows are looked at first: of random maxima two will meet. More than one
    row of zeros keeps the solver in.
    """
    n_rows, n_cols = table.shape
    for stop in sorted({min(n_rows, 4 * isqrt(n_cols)), n_rows}):
        best = table[:stop].argmax(axis=1)
        if len(set(best.tolist())) < stop:
            return None
    return _pairs(table, np.arange(n_rows), best)


def _pairs(table: Values, rows: Index, cols: Index) -> tuple[Index, Index]:
    """Return the pairs whose cell is not zero."""
    (is_pair,) = table[rows, cols].nonzero()
    return (rows, cols) if is_pair.size == rows.size else (rows[is_pair], cols[is_pair])


def _dense(cells: Cells) -> Values:
    """Return the table of the cells."""
    if cells.size == cells.values.size:
        return cells.values.reshape(cells.shape)
    table = np.zeros(cells.size, cells.values.dtype)
    table[cells.rows * cells.shape[1] + cells.cols] = cells.values
    return table.reshape(cells.shape)


def _solve_in_steps(cells: Cells) -> Mask:
    """Solve by the cells: by short cuts as far as they are cheap, then what they left open."""
    is_large = cells.size > MODERATE_SIZE
    visits: float = inf if is_large else cells.size // MODERATE_SIZE_PER_VISIT - cells.values.size
    is_chosen = np.zeros(cells.values.size, np.bool_)
    left = np.arange(cells.values.size)
    short_cuts = (solve_by_maxima, lambda part: solve_by_peeling(part, visits)) if visits >= 0 else ()
    for step in (*short_cuts, solve_by_component if is_large else _solve_at_once):
        if left.size:
            chosen, is_open = step(cells.take(left))
            is_chosen[left[chosen]] = True
            left = left[is_open]
    return is_chosen


def solve_by_maxima(cells: Cells, group: Index | None = None) -> tuple[Index, Mask]:
    """Solve the groups whose row maxima lie in different columns, or column maxima in rows.

    No assignment exceeds sum_i max_j n_ij, so row maxima that do not meet are an optimum. A group
    is a component, given per cell (one row or one column is always solved), or the whole table.
    """
    if group is None:
        group = np.zeros(cells.values.size, np.int64)
    is_open = np.ones(group.size, np.bool_)
    chosen = []
    sides = ((cells.rows, cells.cols), (cells.cols, cells.rows))
    for (lines, across), n_lines in zip(sides, cells.shape, strict=True):
        best = _first_largest(cells.values, lines, n_lines)
        meets_another = np.bincount(across[best])[across[best]] > 1
        is_solved = np.ones(group.max(initial=-1) + 1, np.bool_)
        is_solved[group[best[meets_another]]] = False
        chosen.append(best[is_solved[group[best]] & is_open[best]])
        is_open &= ~is_solved[group]
    return np.concatenate(chosen), is_open


def solve_by_peeling(cells: Cells, visits: float = inf) -> tuple[Index, Mask]:
    """Fix the pairs that outweigh the next best of row and column together, and repeat, in so many visits of cells."""
    left = np.arange(cells.values.size)
    chosen = [left[:0]]
    while 0 < left.size <= visits:
        visits -= left.size
        part = cells.take(left)
        fixed = _dominant_cells(part)
        row_taken = np.zeros(cells.shape[0], np.bool_)
        col_taken = np.zeros(cells.shape[1], np.bool_)
        row_taken[part.rows[fixed]] = True
        col_taken[part.cols[fixed]] = True
        chosen.append(left[fixed])
        left = left[~(row_taken[part.rows] | col_taken[part.cols])]
        if part.values.size - left.size < WORTHWHILE_SHARE * part.values.size:
            break
    is_open = np.zeros(cells.values.size, np.bool_)
    is_open[left] = True
    return np.concatenate(chosen), is_open


def solve_by_component(cells: Cells) -> tuple[Index, Mask]:
    """Solve each connected component: by its maxima where that is enough, else by a solver."""
    row_group, col_group, n_groups = _line_components(cells)
    group = row_group[cells.rows]
    found, is_open = solve_by_maxima(cells, group)
    row_in_group, n_rows = _number_within(row_group, n_groups)
    col_in_group, n_cols = _number_within(col_group, n_groups)

    order = np.flatnonzero(is_open)
    order = order[np.argsort(group[order], kind="stable")]
    bounds = np.flatnonzero(np.diff(group[order], prepend=-1, append=-1))
    chosen = [found]
    for start, stop in pairwise(bounds.tolist()):
        index = order[start:stop]
        which = group[index[0]]
        component = Cells(
            cells.values[index],
            row_in_group[cells.rows[index]],
            col_in_group[cells.cols[index]],
            (int(n_rows[which]), int(n_cols[which])),
        )
        chosen.append(index[_solve(component)])
    return np.concatenate(chosen), np.zeros(group.size, np.bool_)


def _solve_at_once(cells: Cells) -> tuple[Index, Mask]:
    """Solve the table of the rows and columns that have a cell."""
    rows, n_rows = _renumber(cells.rows, cells.shape[0])
    cols, n_cols = _renumber(cells.cols, cells.shape[1])
    chosen = np.flatnonzero(_solve(Cells(cells.values, rows, cols, (n_rows, n_cols))))
    return chosen, np.zeros(rows.size, np.bool_)


def _renumber(lines: Index, n_lines: int) -> tuple[Index, int]:
    """Return the lines numbered without gaps, and how many there are."""
    occurs = np.zeros(n_lines, np.bool_)
    occurs[lines] = True
    number = np.cumsum(occurs)
    return number[lines] - 1, int(number[-1])


def _solve(cells: Cells) -> Mask:
    if cells.size <= max(ALWAYS_DENSE_SIZE, DENSE_SIZE_PER_CELL * cells.values.size):
        return _solve_dense(cells)
    return _solve_sparse(cells)


def _solve_dense(cells: Cells) -> Mask:
    return _is_pair(cells, *_solver()(_dense(cells), maximize=True))


@cache
def _solver() -> Any:
    """SciPy's `linear_sum_assignment` of its compiled module alone: the package takes half a second to load."""
    try:
        return load_alone("scipy.optimize._lsap").linear_sum_assignment
    except (ImportError, AttributeError):  # that module is private, and may change
        from scipy.optimize import linear_sum_assignment

        return linear_sum_assignment


def _solve_sparse(cells: Cells) -> Mask:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    values, rows, cols, (n_rows, n_cols) = cells
    if n_rows > n_cols:  # SciPy searches once per row
        return _solve_sparse(Cells(values, cols, rows, (n_cols, n_rows)))
    # A full matching exists once every row may keep to a column of its own. That column has to
    # weigh something, as SciPy drops zeros; this little vanishes in every sum it enters.
    # SciPy before 1.15 takes 32-bit indices only.
    own = np.arange(n_rows)
    weights = np.append(values.astype(np.float64), np.full(n_rows, np.finfo(np.float64).tiny))
    ends = np.array([np.append(rows, own), np.append(cols, n_cols + own)], np.int32)
    graph = coo_array((weights, tuple(ends)), shape=(n_rows, n_cols + n_rows)).tocsr()
    return _is_pair(cells, *min_weight_full_bipartite_matching(graph, maximize=True))


def _is_pair(cells: Cells, rows: Index, cols: Index) -> Mask:
    partner = np.full(cells.shape[0], -1)
    partner[rows] = cols
    is_pair: Mask = partner[cells.rows] == cells.cols
    return is_pair


def _dominant_cells(cells: Cells) -> Index:
    """Find cells (i, j), no two on a line, that some optimum contains all together.

    They satisfy n_ij >= (largest other in row i) + (largest other in column j): an assignment
    without (i, j) has at most one cell on each of the two lines, and (i, j) in their place does
    not lower the sum. That holds for all at once, as for one after the other: taking out row i and
    column j only lowers what the others have to outweigh. For floats the difference is rounded: a
    pair may fall short by half a unit in the last place of the column's largest other.
    """
    values, rows, cols, (n_rows, n_cols) = cells
    is_largest = values == _largest(values, rows, n_rows)[rows]
    is_largest &= values == _largest(values, cols, n_cols)[cols]
    fits = np.flatnonzero(is_largest)
    # A difference of counts cannot wrap, their sum could.
    over_row = values[fits] - _runner_up(values, rows, n_rows)[rows[fits]]
    fits = fits[over_row >= _runner_up(values, cols, n_cols)[cols[fits]]]
    # Two on a line both fit only if they are equal and each is alone on its other line.
    fits = fits[np.unique(rows[fits], return_index=True)[1]]
    return fits[np.unique(cols[fits], return_index=True)[1]]


def _largest(values: Values, lines: Index, n_lines: int) -> Values:
    largest = np.zeros(n_lines, values.dtype)
    np.maximum.at(largest, lines, values)
    return largest


def _first_largest(values: Values, lines: Index, n_lines: int) -> Index:
    """Return for every line with cells the first of its largest cells."""
    candidates = np.flatnonzero(values == _largest(values, lines, n_lines)[lines])
    first = np.full(n_lines, values.size)
    np.minimum.at(first, lines[candidates], candidates)
    return first[first < values.size]


def _runner_up(values: Values, lines: Index, n_lines: int) -> Values:
    """Return for every line the largest value but one, 0 if there is none."""
    others = values.copy()
    others[_first_largest(values, lines, n_lines)] = 0
    return _largest(others, lines, n_lines)


def _line_components(cells: Cells) -> tuple[Index, Index, int]:
    """Return the component of every row and of every column, and how many there are."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_rows, n_cols = cells.shape
    ends = cells.rows, cells.cols + n_rows
    graph = coo_array((np.ones(cells.rows.size), ends), shape=(n_rows + n_cols,) * 2)
    n_groups, group = connected_components(graph, directed=False)
    return group[:n_rows], group[n_rows:], int(n_groups)


def _number_within(group: Index, n_groups: int) -> tuple[Index, Index]:
    """Return every member's place within its group, in order, and the sizes of the groups."""
    sizes = np.bincount(group, minlength=n_groups)
    order = np.argsort(group, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(group.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes
