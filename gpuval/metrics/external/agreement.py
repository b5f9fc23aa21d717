"""Agreement of two labelings that use the same set of labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any, Literal, Protocol

import numpy as np

from gpuval.engines import lazily
from gpuval.engines.backends import backend_of, to_host
from gpuval.inputs.counts import as_matrix
from gpuval.inputs.labels import has_index, labels_of, read_labels
from gpuval.measures.measure import Family, measure
from gpuval.metrics.external._metric import table_measure
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio
from gpuval.table.labels import common_places, labels_on_host
from gpuval.table.pairs import excess_of_cells
from gpuval.table.table import Table

__all__ = ["cohen_kappa_score"]

AGREEMENT = Family("agreement of label names, and tables", table_measure, of_two=True)

_LARGEST = 1 << 27
"""The most costs that are held at once: 1 GiB of them."""


class Matrix(Protocol):
    """For type checkers: an array or a data frame, which have a shape; a string has none."""

    @property
    def shape(self) -> Any:
        """The numbers of rows and columns."""


Weights = Literal["linear", "quadratic"] | Matrix | Sequence[Sequence[float]] | None


@measure(
    AGREEMENT,
    short=("kappa",),
    range=lambda weights: (-1.0 if weights is None or isinstance(weights, str) else -inf, 1.0),
    reads_names=True,
    host_steps_found=1,
    tried={"weights": ("linear", "quadratic")},
    in_library=True,
)
def cohen_kappa_score(table: Table, *, weights: Weights = None, labels: Any = None) -> Array:
    """Cohen's kappa: agreement of two labelings that use the same set of labels, corrected for chance.

    ``n_ij`` of the ``n`` samples have label i on the first side and label j on the second, ``a_i`` samples have label i
    on the first side, ``b_j`` have label j on the second, and ``w_ij`` is the cost of giving label j in place of i.
    Then ``kappa = 1 - (sum_ij w_ij * n_ij) / (sum_ij w_ij * a_i * b_j / n)`` ([1]_, equation 5). Use it for labels with
    a fixed meaning, such as those of two annotators. Measures of clusterings do not depend on the names of the labels,
    but kappa does.

    Parameters
    ----------
    weights
        The costs of disagreement. None: every disagreement costs 1. ``"linear"``: it costs the distance of the two
        labels on their scale (see Notes), of which neighbours have the distance 1. ``"quadratic"``: the square of this
        distance. Or a matrix of costs, shape (n_labels, n_labels), finite, not negative, and 0 on the diagonal. Its
        rows and columns are the labels of the scale, in this order. If no label occurs, a square matrix of any size is
        allowed. A data frame that has the labels as its index and its columns needs no scale.
    labels
        The scale: all labels in their order, as a list or any other vector. A label that occurs must be on it, unlike
        in scikit-learn, which leaves out samples with other labels; ``ignore_labels`` leaves samples out.

    Returns
    -------
    float
        At most 1, which is best; 0 is the value expected by chance. It is at least -1, unless a matrix of costs is
        given. Symmetric if the costs are.

    Raises
    ------
    ValueError
        There are weights and no scale is known, or the two sides declare different ones, or ``labels`` lacks a label.
        The costs have a wrong shape, or are negative or not finite. (On a device the costs are not looked at; there the
        score is NaN.) Or the table has more than 2^27 cells; all of them are needed.

    Notes
    -----
    Without weights, no scale is needed. With weights, it is the first of these that is known:

    - ``labels``;
    - all labels in the order that the data declare, whether they occur or not: the categories of an ordered pandas
      Categorical or of an Enum of polars; the rows and columns of a data frame of counts; with ``n_classes`` and
      ``n_clusters``, and for a table of given size, the numbers 0, 1, ... below the larger of these sizes. If both
      sides declare an order, all labels must have one order in which both hold;
    - the numbers that occur on either side, by their values. As in scikit-learn, a number that does not occur is no
      label then: of 0, 1 and 3, the last two have the distance 1.

    Text by itself has no order, also as categories that are not ordered. But a data frame of counts has that of its
    rows: ``pandas.crosstab`` sorts text by its letters. Give ``labels=``, or ordered categories to ``crosstab``, if the
    scale has another order.

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
    >>> grades = ["low", "mid", "high"]
    >>> float(cohen_kappa_score(["low", "high"], ["low", "mid"], weights="linear", labels=grades))
    0.5
    """
    table = table.occurring()
    xp, order = table.xp, None if labels is None else _read_order(labels)
    if isinstance(weights, str) and weights not in ("linear", "quadratic"):
        raise ValueError(f"weights must be None, 'linear', 'quadratic' or a matrix of costs, got {weights!r}")
    if weights is not None and not isinstance(weights, str):
        weights, order = _read_matrix(weights, order, table)
    if order is not None:
        _check_has_all(order, table)
    rows, columns, scale, unordered = common_places(
        table.classes, table.clusters, table.scales, table.counts, "cohen_kappa_score", order
    )
    if unordered and weights is not None and table.shape[-1] * table.shape[-2]:
        asked = f"weights={weights!r}" if isinstance(weights, str) else "weights without the names of the labels"
        raise ValueError(
            f"{asked} must be for labels that have one order on both sides, got {unordered}; give all labels in their "
            "order as labels=, or ordered categories"
        )
    if rows.shape[0] * columns.shape[0] > _LARGEST:
        raise ValueError(
            f"cohen_kappa_score needs a table of at most {_LARGEST} cells, as it reads all of them, got "
            f"{rows.shape[0]} classes and {columns.shape[0]} clusters"
        )
    cost = _add_batch_axes(_costs(weights, rows, columns, len(scale), table), table)
    a, b = table.real(table.class_sizes), table.real(table.cluster_sizes)
    expected = xp.sum(cost * (a[..., :, None] * b[..., None, :]), axis=(-2, -1))
    dense = table.dense()
    surplus = -excess_of_cells(dense)
    differ = _add_batch_axes(rows[:, None] != columns[None, :], table)
    apart = xp.where(differ, dense.counts, xp.zeros_like(dense.counts))
    agreeing = (table.backend.sum(apart, (-2, -1)) == 0) & (expected >= 0)  # not so if costs are NaN
    return xp.where(agreeing, 1.0, ratio(xp.sum(cost * surplus, axis=(-2, -1)), expected, xp))


def _add_batch_axes(of_cells: Array, table: Table) -> Array:
    """One value for each cell, with the dimensions of a batch: JAX may refuse to add them."""
    missing = len(table.total.shape) + 2 - len(of_cells.shape)
    return table.xp.reshape(of_cells, (*(1,) * missing, *of_cells.shape))


def _costs(weights: Any, rows: Array, columns: Array, size: int, table: Table) -> Array:
    """The cost of each cell; ``weights`` are None, a name, or a matrix of the scale, which has ``size`` labels."""
    xp, backend = table.xp, table.backend
    if weights is None:
        return table.real(rows[:, None] != columns[None, :])
    if isinstance(weights, str):
        distance = table.real(xp.abs(rows[:, None] - columns[None, :]))
        return distance if weights == "linear" else distance**2
    matrix = lazily(weights)
    is_square = len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1]
    if not is_square or (size and matrix.shape[0] != size):
        raise ValueError(
            f"weights must have a row and a column for each of the {size} labels, got shape {tuple(matrix.shape)}"
        )
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
    return xp.take(xp.take(costs, rows, axis=0), columns, axis=1)


def _read_order(labels: Any) -> list[Any]:
    """The labels in the order that is given."""
    order = labels_of(read_labels(labels, "labels"))
    repeated = next((x for x, times in Counter(order).items() if times > 1), None)
    if len(set(order)) < len(order):
        raise ValueError(f"labels must have each label once, got {repeated!r} twice")
    return order


def _check_has_all(order: list[Any], table: Table) -> None:
    """Check that an order has all labels of a table."""
    known = set(order)
    lacking = next((x for x in _labels_of(table) if x not in known), None)
    if lacking is not None:
        raise ValueError(
            f"labels must have all labels of the table, got none for {lacking!r}; add it, or leave its samples out by "
            "ignore_labels="
        )


def _labels_of(table: Table) -> list[Any]:
    return [x for side in (table.classes, table.clusters) for x in labels_on_host(side).tolist()]


def _read_matrix(weights: Any, order: list[Any] | None, table: Table) -> tuple[Array, list[Any] | None]:
    """A matrix of costs, and the order of its rows and columns if it is known: that of the names of a data frame."""
    if not has_index(weights) or weights.ndim != 2:
        return as_matrix(weights, "weights"), order
    names, others = weights.index.tolist(), weights.columns.tolist()
    wanted = order or _labels_of(table)
    if set(names) == set(others) and set(names).issuperset(wanted) and len(set(names)) == len(names) == len(others):
        order = order or names
        return as_matrix(weights.loc[order, order], "weights"), order
    if names == others == list(range(len(names))):  # which are no names, but places
        return as_matrix(weights, "weights"), order
    lacking = [x for x in wanted if x not in names or x not in others]
    raise ValueError(
        "weights must have each label once in its index and in its columns, got "
        + (f"none for {lacking[0]!r}" if lacking else f"{names} and {others}")
    )
