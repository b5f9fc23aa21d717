"""The order of classes and clusters that puts those with most common samples next to each other."""

from __future__ import annotations

import numpy as np

from gpuval.numerics import NDArray
from gpuval.numerics.assignment import best_in_dense


def matched_order(counts: NDArray) -> tuple[NDArray, NDArray]:
    """The orders of rows and of columns that bring large counts of a table of NumPy to the diagonal.

    Rows and columns are matched one to one so that they share as much as possible. A column without a row joins the
    group of the row that most of it belongs to, a row without a column that of the column that has most of it: so a
    class that was split, or classes that were merged, are a block. Groups go by what their rows add up to, the largest
    first; within one the matched row and column come first, and then those that share most with them. What is empty
    comes last.

    Parameters
    ----------
    counts
        Not negative, shape (n_rows, n_columns).

    Returns
    -------
    rows, columns
        Two permutations: ``counts[rows][:, columns]`` is the table in order.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[0, 9, 0], [4, 0, 7], [0, 1, 0]])
    >>> rows, columns = matched_order(counts)
    >>> counts[rows][:, columns]
    array([[7, 4, 0],
           [0, 0, 9],
           [0, 0, 1]])
    """
    rows, columns = best_in_dense(counts)
    share = counts[rows, columns] > 0
    rows, columns = rows[share], columns[share]
    n_groups = len(rows)
    groups_of_rows, shared_by_rows = _groups(counts, rows, columns)
    groups_of_columns, shared_by_columns = _groups(counts.T, columns, rows)
    sizes = np.bincount(groups_of_rows, weights=counts.sum(axis=1), minlength=n_groups + 1)[:n_groups]
    rank = np.full(n_groups + 1, n_groups)
    rank[np.lexsort((rows, -sizes))] = np.arange(n_groups)
    return np.lexsort((-shared_by_rows, rank[groups_of_rows])), np.lexsort(
        (-shared_by_columns, rank[groups_of_columns])
    )


def _groups(counts: NDArray, rows: NDArray, columns: NDArray) -> tuple[NDArray, NDArray]:
    """The group of each row, and what it shares with the column of it; that of empty rows is ``len(rows)``.

    ``rows`` and ``columns`` are matched, and share infinitely much. No row and column that are left share anything:
    they would have been matched.
    """
    groups, shared = np.full(len(counts), len(rows)), np.zeros(len(counts))
    groups[rows], shared[rows] = np.arange(len(rows)), np.inf
    alone = np.flatnonzero(groups == len(rows))
    if len(alone) and len(columns):
        of_matched = counts[np.ix_(alone, columns)]
        nearest = of_matched.argmax(axis=1)
        shared[alone] = of_matched[np.arange(len(alone)), nearest]
        groups[alone] = np.where(shared[alone] > 0, nearest, len(rows))
    return groups, shared
