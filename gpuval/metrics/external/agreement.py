"""Agreement of two labelings that use the same set of labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.inputs.labels import has_index
from gpuval.inputs.matrices.counts import as_matrix
from gpuval.metrics._common.metric import table_metric
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.labels import common_places
from gpuval.table.statistics.rests import excess_of_cells
from gpuval.table.table import Table

__all__ = ["cohen_kappa_score"]


_LARGEST = 1 << 27
"""The most costs that are held at once: 1 GiB of them."""


class Matrix(Protocol):
    """For type checkers: an array or a data frame, which have a shape; a string has none."""

    @property
    def shape(self) -> Any:
        """The numbers of rows and columns."""


Weights = Literal["linear", "quadratic"] | Matrix | Sequence[Sequence[float]] | None


@table_metric(values="one")
def cohen_kappa_score(table: Table, *, weights: Weights = None) -> Array:
    """Cohen's kappa: agreement of two labelings that use the same set of labels, corrected for chance.

    ``n_ij`` of the ``n`` samples have label i on the first side and label j on the second, ``a_i`` samples have label i
    on the first side, ``b_j`` have label j on the second, and ``w_ij`` is the cost of giving label j in place of i.
    Then ``kappa = 1 - (sum_ij w_ij * n_ij) / (sum_ij w_ij * a_i * b_j / n)`` ([1]_, equation 5, not checked against the
    text). Use it for labels with a fixed meaning, such as those of two annotators. Measures of clusterings do not
    depend on the names of the labels, but kappa does.

    Parameters
    ----------
    weights
        The costs of disagreement. None: every disagreement costs 1. ``"linear"``: it costs the distance of the two
        labels in the sorted order of the labels that occur on either side. ``"quadratic"``: the square of this
        distance. Or a matrix of costs, shape (n_labels, n_labels), finite, not negative, and 0 on the diagonal. Its
        rows and columns are the sorted labels that occur on either side. With ``n_classes=`` and ``n_clusters=``, and
        for a table of given size, they are all labels 0, 1, ... below the larger of these numbers. A data frame must
        have these labels, in this order, as its index and its columns, or the positions from 0. If no label occurs, a
        square matrix of any size is allowed.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected by chance. It is at least -1, unless a matrix of costs is
        given. Symmetric if the costs are.

    Raises
    ------
    ValueError
        The costs have a wrong shape, or are negative or not finite. (On a device the costs are not looked at; there the
        score is NaN.) Or the table has more than 2^27 cells; all of them are needed.

    Notes
    -----
    Labels are compared on the CPU, unless they are the numbers 0, 1, 2, ... of ``n_classes=``. For labels on a device
    this is a host step: two copies of data to the CPU.

    References
    ----------
    .. [1] J. Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit",
       Psychological Bulletin 70, 1968.

    Examples
    --------
    >>> from gpuval import cohen_kappa_score
    >>> float(cohen_kappa_score(["x", "y", "y"], ["x", "y", "y"]))
    1.0
    >>> float(cohen_kappa_score([0, 0, 1, 1], [0, 1, 0, 1]))
    0.0
    """
    table = table.occurring()
    xp = table.xp
    rows, columns, labels = common_places(table.classes, table.clusters, table.counts, "cohen_kappa_score")
    size = len(labels)
    if max(rows.shape[0] * columns.shape[0], size**2) > _LARGEST:
        raise ValueError(
            f"cohen_kappa_score needs a table of at most {_LARGEST} cells, as it reads all of them, got "
            f"{rows.shape[0]} classes and {columns.shape[0]} clusters"
        )
    cost = _for_batch(_costs(weights, rows, columns, labels, table), table)
    a, b = table.real(table.class_sizes), table.real(table.cluster_sizes)
    expected = xp.sum(cost * (a[..., :, None] * b[..., None, :]), axis=(-2, -1))
    dense = table.dense()
    surplus = -excess_of_cells(dense)
    differ = _for_batch(rows[:, None] != columns[None, :], table)
    apart = xp.where(differ, dense.counts, xp.zeros_like(dense.counts))
    agreeing = (table.backend.sum(apart, (-2, -1)) == 0) & (expected >= 0)  # not so if costs are NaN
    return xp.where(agreeing, 1.0, ratio(xp.sum(cost * surplus, axis=(-2, -1)), expected, xp))


def _for_batch(of_cells: Array, table: Table) -> Array:
    """One value for each cell, with the dimensions of a batch: JAX may refuse to add them."""
    missing = len(table.total.shape) + 2 - len(of_cells.shape)
    return table.xp.reshape(of_cells, (*(1,) * missing, *of_cells.shape))


def _costs(weights: Any, rows: Array, columns: Array, labels: Sequence[Any], table: Table) -> Array:
    """The cost of each cell."""
    xp, backend, size = table.xp, table.backend, len(labels)
    if weights is None:
        return table.real(rows[:, None] != columns[None, :])
    if isinstance(weights, str):
        if weights not in ("linear", "quadratic"):
            raise ValueError(f"weights must be None, 'linear', 'quadratic' or a matrix of costs, got {weights!r}")
        if table.fixed:
            rows, columns = _ranks(table, size)
        distance = table.real(xp.abs(rows[..., :, None] - columns[..., None, :]))
        return distance if weights == "linear" else distance**2
    matrix = as_matrix(weights, "weights")
    is_square = len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1]
    if not is_square or (size and matrix.shape[0] != size):
        raise ValueError(
            f"weights must have a row and a column for each of the {size} labels, got shape {tuple(matrix.shape)}"
        )
    if labels and has_index(weights):
        _check_order(weights, list(labels))
    if backend_of(matrix).kind(matrix) == "other":
        raise TypeError(f"weights must hold real numbers, got dtype {matrix.dtype}")
    if backend.on_host or backend_of(matrix) is not backend:
        matrix = to_host(matrix)
        broken = ~((matrix >= 0) & (matrix < math.inf))
        if broken.any():
            raise ValueError(f"weights must be finite and not negative, got {matrix[broken][0]}")
        if (own := np.diag(matrix)).any():
            raise ValueError(f"weights must be 0 on the diagonal, where the labels agree, got {own[own != 0][0]}")
        costs = table.real(backend.from_host(matrix, table.counts))
    else:
        costs = table.real(matrix)
        wide, device = backend.widest(table.counts).int, backend.device(table.counts)
        rank = xp.arange(matrix.shape[0], dtype=wide, device=device)
        fine = (costs >= 0) & (costs < math.inf) & ((rank[:, None] != rank[None, :]) | (costs == 0))
        costs = xp.where(xp.all(fine), costs, math.nan)
    places = xp.reshape(rows[:, None] * size + columns[None, :], (-1,))
    return xp.reshape(xp.take(xp.reshape(costs, (-1,)), places), (rows.shape[0], columns.shape[0]))


def _check_order(frame: Any, labels: list[Any]) -> None:
    """Check that the rows and the columns of costs are those of the labels, in their order, or have no names."""
    for side, given in (("index", frame.index.tolist()), ("columns", frame.columns.tolist())):
        if given not in (labels, list(range(len(labels)))):
            where = next(i for i, (x, y) in enumerate(zip(given, labels, strict=True)) if x != y)
            raise ValueError(
                f"weights must have the sorted labels as its {side}, got {given[where]!r} in place of "
                f"{labels[where]!r} at position {where}; reindex it, or pass weights.to_numpy()"
            )


def _ranks(table: Table, size: int) -> tuple[Array, Array]:
    """The place of each label of a table of given size among those that occur (of the others, any)."""
    xp, backend, sides = table.xp, table.backend, (table.class_sizes, table.cluster_sizes)
    occurs = [
        xp.concat(
            [x != 0, xp.zeros((*x.shape[:-1], size - x.shape[-1]), dtype=xp.bool, device=backend.device(x))],
            axis=-1,
        )
        for x in sides
    ]
    either = xp.astype(occurs[0] | occurs[1], backend.widest(table.counts).int)
    rank = backend.cumulative_sum(either) - 1
    rows, columns = (rank[..., : x.shape[-1]] for x in sides)
    return rows, columns
