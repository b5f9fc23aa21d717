"""Random contingency tables with given class and cluster sizes, as permuted labels have them; no labels are needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, to_host
from gpuval.inputs.options import generator
from gpuval.numerics import NDArray
from gpuval.numerics.threads import parallel_map
from gpuval.table.resampling.chance.halves import LARGEST_TOTAL, chunks_of_tables, drawn_tables

__all__ = ["random_tables"]


def random_tables(class_sizes: Any, cluster_sizes: Any, size: int, random_state: Any = None) -> NDArray:
    """Draw random contingency tables with given class and cluster sizes.

    A table has the distribution that a random permutation of one of two label vectors gives: with class sizes ``a_i``,
    cluster sizes ``b_j``, their sum ``n`` and the cells ``n_ij``, its probability is
    ``prod_i a_i! * prod_j b_j! / (n! * prod_ij n_ij!)`` ([1]_, not checked against the text). Use such tables to see
    which scores chance alone gives.

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
    parts = list(chunks_of_tables(int(size), rows.size * columns.size, generator(random_state)))
    stops = np.cumsum([number for _, number in parts])

    def fill(i: int) -> None:
        random, number = parts[i]
        tables[stops[i] - number : stops[i]] = drawn_tables(rows, columns, number, random).transpose(2, 1, 0)

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
