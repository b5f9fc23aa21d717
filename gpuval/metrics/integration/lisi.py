"""How many labels there are around each cell, as many as would be if all were alike: LISI, of batches and of labels."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import Backend
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.labeled import read_knn
from gpuval.geometry.neighbors.perplexity import weights_of, weights_on_host
from gpuval.geometry.points import Points
from gpuval.inputs.options import as_number, check_flag
from gpuval.metrics._common.documents import documented
from gpuval.metrics._common.per_label import LabelValues, groups_of
from gpuval.metrics.integration._neighborhoods import (
    by_tiles,
    codes_of_neighbors,
    median_of,
    narrowed,
    sums_of_rows,
)
from gpuval.metrics.internal._result import as_score_of_any
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["clisi_score", "ilisi_score", "lisi_samples"]

_NEIGHBORS = """\
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or what one is made
        of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices``
        and ``distances``. A cell is no neighbour of itself.
"""
_PERPLEXITY = """\
    perplexity
        As how many neighbours those of a cell count, from 1 to their number. None is a third of the number of columns
        of a search that finds the cell itself, too: floor((k + 1) / 3) of k neighbours, and at least 1.
"""
_IGNORED = """\
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
"""
_SIZE = """\
    {name}
        The number of {what}, for {what} from 0 to below it: with it nothing leaves the device to find it out, and what
        is wrong with them or with the neighbours there makes the result NaN.
"""


@documented(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_labels", what="labels"))
def lisi_samples(
    neighbors: Any,
    labels: Any,
    *,
    perplexity: float | None = None,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """Local inverse Simpson's index of each cell: how many labels there are among its neighbours.

    1 / sum_l (sum_j P_j)^2, the inner sum over the neighbours j with label l ([1]_, not checked against the text). The
    P_j of a cell add up to 1 and are proportional to exp(-beta d_j), with the distances d_j and the beta for which
    their entropy, -sum_j P_j ln P_j, is the logarithm of the perplexity. From 1, all neighbours of one label, to the
    number of labels, each with as much of P; symmetric in the names of the labels.

    Parameters
    ----------
    labels
        The label of each cell, such as its batch or its type, shape (n_cells,): beside the neighbours, or on the host.

    Returns
    -------
    lisi
        Shape (n_cells,), of the library of the neighbours, and on their device; NaN for cells that do not count, and
        for those of whose neighbours none does. In labels.

    Raises
    ------
    TypeError, ValueError
        For neighbours (without distances, too), labels or options that are not as above, with the argument named.

    Notes
    -----
    The beta is exact: in 64 bits to 1e-9 of the index. Where no beta has the entropy, P is the limit: the same
    for all neighbours, if no more of them count than the perplexity; the same for those tied for the nearest and 0 for
    all others, if these are as many as the perplexity or more, as the nearest is at perplexity 1. Distances in another
    unit, or all greater by the same, leave it as it is. They are constants to derivatives, and there is none.

    The R package of the authors has 90 neighbours and perplexity 30. It and scib-metrics halve a range of beta until
    the entropy is within 1e-5; where beta does not exist they give -1 or a value that is not the limit. scib takes
    connectivities for lengths of edges of a graph and counts as neighbours what has the shortest paths there: its
    values cannot be compared.

    Leaves the device: the number of labels, if ``n_labels`` is not given.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.

    Examples
    --------
    >>> import gpuval
    >>> indices, distances = [[1, 2], [2, 0], [1, 0]], [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
    >>> gpuval.lisi_samples((indices, distances), ["B", "B", "B"]).tolist()
    [1.0, 1.0, 1.0]
    >>> gpuval.lisi_samples((indices, distances), ["B", "B", "T"]).tolist()
    [2.0, 2.0, 1.0]
    """
    points = _read(neighbors, labels, "labels", n_labels, ignore_labels, "n_labels")
    return as_score_of_any(_lisi(points, perplexity, ignore_labels is not None), points)


@documented(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_batches", what="batches"))
def ilisi_score(
    neighbors: Any,
    batch: Any,
    *,
    perplexity: float | None = None,
    scale: bool = True,
    ignore_labels: Any = None,
    n_batches: int | None = None,
) -> Any:
    """Integration LISI: how many batches there are around a cell, as the median over the cells.

    (x - 1) / (B - 1), with the median x of :func:`lisi_samples` ([1]_, not checked against the text) and the number B
    of batches that have cells ([2]_, not checked against the text). From 0, each batch apart, to 1, all mixed evenly:
    higher is better. Without ``scale`` x itself, from 1 to B.

    Parameters
    ----------
    batch
        The batch of each cell, shape (n_cells,): beside the neighbours, or on the host.
    scale
        Whether to bring the score to the range of 0 to 1.

    Returns
    -------
    score
        Of the library of the neighbours, and on their device. No unit; NaN of one batch, which neither is mixed nor is
        not, and if no cell counts.

    Raises
    ------
    TypeError, ValueError
        For what :func:`lisi_samples` raises.

    Notes
    -----
    Leaves the device: the number of batches, if ``n_batches`` is not given.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    >>> import gpuval
    >>> indices, distances = [[1, 2], [0, 3], [3, 0], [2, 1]], [[1.0, 1.0]] * 4
    >>> float(gpuval.ilisi_score((indices, distances), [0, 0, 1, 1]))
    1.0
    >>> indices, distances = [[1], [0], [3], [2]], [[1.0]] * 4
    >>> float(gpuval.ilisi_score((indices, distances), [0, 0, 1, 1]))
    0.0
    """
    check_flag("scale", scale)
    points = _read(neighbors, batch, "batch", n_batches, ignore_labels, "n_batches")
    values = _lisi(points, perplexity, ignore_labels is not None)
    median = median_of(values, _has_value(values))
    return as_score_of_any(
        ratio(median - 1, _present(points) - 1, points.xp, float("nan")) if scale else median, points
    )


@documented(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_labels", what="labels"))
def clisi_score(
    neighbors: Any,
    labels: Any,
    *,
    perplexity: float | None = None,
    scale: bool = True,
    ignore_labels: Any = None,
    n_labels: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Cell-type LISI: how few labels there are around a cell, by the median over the cells.

    (L - x) / (L - 1), with the median x of :func:`lisi_samples` ([1]_, not checked against the text) and the number L
    of labels that have cells ([2]_, not checked against the text). From 0, all mixed evenly, to 1, each label apart:
    higher is better. Without ``scale`` x itself, from 1 to L, of which lower is better.

    Parameters
    ----------
    labels
        The label of each cell, such as its type, shape (n_cells,): beside the neighbours, or on the host.
    scale
        Whether to bring the score to the range of 0 to 1.
    return_per_label
        Whether to return the score of each label, too: of the median over its cells. The result prints as a table, and
        has ``to_pandas()``.

    Returns
    -------
    score
        Of the library of the neighbours, and on their device. No unit; NaN of one label, and if no cell counts. With
        ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted; of the library of
        the neighbours if they are numbers, else of NumPy; with ``n_labels`` all from 0 to below it) and
        ``label_scores``, both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`lisi_samples` raises.

    Notes
    -----
    Leaves the device: the number of labels, if ``n_labels`` is not given.

    References
    ----------
    .. [1] I. Korsunsky et al., "Fast, sensitive and accurate integration of single-cell data with Harmony", Nature
       Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    >>> import gpuval
    >>> indices, distances = [[1], [0], [3], [2]], [[1.0]] * 4
    >>> float(gpuval.clisi_score((indices, distances), ["B", "B", "T", "T"]))
    1.0
    >>> indices, distances = [[1, 2], [0, 3], [3, 0], [2, 1]], [[1.0, 1.0]] * 4
    >>> float(gpuval.clisi_score((indices, distances), ["B", "B", "T", "T"]))
    0.0

    Of each label:

    >>> indices, distances = [[1, 2], [0, 2], [0, 3], [2, 1]], [[1.0, 1.0]] * 4
    >>> found = gpuval.clisi_score((indices, distances), ["B", "B", "B", "T"], perplexity=2, return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    {'B': 1.0, 'T': 1.0}
    """
    check_flag("scale", scale)
    points = _read(neighbors, labels, "labels", n_labels, ignore_labels, "n_labels")
    values = _lisi(points, perplexity, ignore_labels is not None)
    xp, present, has_value = points.xp, _present(points), _has_value(values)

    def score_of(cells: Array) -> Array:
        median = median_of(values, cells)
        return ratio(present - median, present - 1, xp, float("nan")) if scale else median

    whole = as_score_of_any(score_of(has_value), points)
    if not return_per_label:
        return whole
    groups = groups_of(points, has_size=n_labels is not None)
    each = [score_of(has_value & (points.codes == code)) for code in groups.codes.tolist()]
    return LabelValues(whole, groups.labels, as_score_of_any(xp.stack(each) if each else values[:0], points))


def _read(neighbors: Any, labels: Any, name: str, size: int | None, ignore_labels: Any, size_name: str) -> Points:
    points = read_knn(neighbors, labels, name, size, ignore_labels, size_name)
    if points.X.distances is None:
        raise ValueError(
            "neighbors must have distances here, got indices alone; give Neighbors.from_knn(indices, distances)"
        )
    return points


def _checked(perplexity: Any, n_neighbors: int) -> float:
    if perplexity is None:
        return float(max(1, (n_neighbors + 1) // 3))
    number = as_number("perplexity", perplexity)
    if not 1 <= number <= n_neighbors:
        raise ValueError(f"perplexity must be from 1 to the number of neighbours ({n_neighbors}), got {perplexity!r}")
    return number


def _present(points: Points) -> Array:
    """The number of labels that have cells, as a float."""
    return points.xp.astype(points.backend.count_true(points.sizes > 0), points.masses.dtype)


def _has_value(values: Array) -> Array:
    found: Array = values == values
    return found


def _lisi(points: Points, perplexity: float | None, are_ignored: bool) -> Array:
    """The index of each cell; NaN where there is none."""
    nearest: Nearest = points.X
    backend, xp, size = points.backend, points.xp, points.n_clusters
    perplexity = _checked(perplexity, nearest.n_neighbors)
    labels = narrowed(points.codes)

    def of_rows(rows: slice) -> Array:
        indices, distances = nearest.block(rows)
        assert distances is not None
        codes = codes_of_neighbors(labels, indices)
        if are_ignored:
            distances = backend.as_real(distances, distances)
            distances = xp.where(codes == size, xp.full_like(distances, float("inf")), distances)
        if backend.on_host:
            weights = weights_on_host(distances, perplexity)
        else:
            weights = weights_of(backend.without_gradient(backend.as_real(distances, distances)), perplexity, xp)
        if size > 4 * nearest.n_neighbors and backend.has_positions(codes):
            sums = sums_of_rows(*_renumbered(codes, weights, backend), backend)
        else:
            sums = sums_of_rows(codes, size, weights, backend)
        total = backend.sum(sums, 1)
        return ratio(total * total, backend.sum(sums * sums, 1), xp, float("nan"))

    width = min(max(nearest.n_neighbors, size), 4 * nearest.n_neighbors)
    values = by_tiles(of_rows, points.n_samples, width, points.codes)
    values = xp.minimum(values, _present(points))  # rounding may lead beyond
    return xp.where(points.codes < size, values, xp.full_like(values, float("nan")))


def _renumbered(codes: Array, weights: Array, backend: Backend) -> tuple[Array, int, Array]:
    """The labels of each row renumbered from 0, their number in a row at most, and the weights in the same order."""
    xp, k = backend.xp, int(codes.shape[1])
    order = xp.argsort(codes, axis=1)
    in_order, weights = (xp.take_along_axis(x, order, axis=1) for x in (codes, weights))
    is_other = xp.astype(in_order[:, 1:] != in_order[:, :-1], in_order.dtype)
    first = xp.zeros_like(in_order[:, :1])
    return xp.concat([first, backend.cumulative_sum(is_other)], axis=1), k, weights
