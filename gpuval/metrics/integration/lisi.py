"""LISI: the effective number of labels around each cell, for batches (iLISI) and for cell types (cLISI)."""

from __future__ import annotations

from math import inf
from typing import Any

from gpuval.engines.backends import Backend
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.neighbors import read_knn
from gpuval.geometry.neighbors.perplexity import weights_of, weights_on_host
from gpuval.geometry.points import Points
from gpuval.inputs.options import as_number, check_flag
from gpuval.measures.documents import document_parameters
from gpuval.measures.measure import measure
from gpuval.measures.samples import LabelValues, as_score_of_any, groups_of
from gpuval.metrics.integration import INTEGRATION
from gpuval.metrics.integration._neighborhoods import (
    codes_of_neighbors,
    map_tiles,
    median_of,
    narrow_codes,
    sums_of_rows,
)
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["clisi_score", "ilisi_score", "lisi_samples"]

_NEIGHBORS = """\
    neighbors
        The nearest neighbours of each cell with their distances, not squared: a :class:`Neighbors`, or anything that
        one can be made of, such as ``(indices, distances)``, a sparse matrix of distances, or an object with the
        attributes ``indices`` and ``distances``. A cell does not count as its own neighbour.
"""
_PERPLEXITY = """\
    perplexity
        The effective number of neighbours of a cell, from 1 to the number k of its neighbours: nearer neighbours weigh
        more. By default floor((k + 1) / 3), and at least 1: a third of the columns of a search that also finds the cell
        itself.
"""
_IGNORED = """\
    ignore_labels
        One label or several; cells with such a label do not count, not even as neighbours.
"""
_SIZE = """\
    {name}
        The number of {what}, if these are the integers from 0 to below it. Nothing is then copied from a device to find
        the number, and errors in the {what} or the neighbours there make the result NaN.
"""


@measure(INTEGRATION, needs="the neighbours of samples", better="", range=(1.0, inf), values="samples")
@document_parameters(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_labels", what="labels"))
def lisi_samples(
    neighbors: Any,
    labels: Any,
    *,
    perplexity: float | None = None,
    ignore_labels: Any = None,
    n_labels: int | None = None,
) -> Any:
    """LISI of each cell, the local inverse Simpson's index: the effective number of labels among its neighbours.

    Use it with batches to find cells around which batches are not mixed, and with cell types to find cells around which
    types are mixed. :func:`ilisi_score` and :func:`clisi_score` summarize it.

    Each neighbour j of a cell has a weight P_j. The weights add up to 1, and decrease with the distance d_j as
    ``exp(-beta d_j)``. The number beta is the one for which the entropy ``-sum_j P_j ln P_j`` is the logarithm of
    ``perplexity``. For each label l, let Q_l be the sum of the weights of the neighbours with label l. The index is
    ``1 / sum_l Q_l^2`` ([1]_). It is 1 if all neighbours have one label, and the number of labels if all labels have
    the same weight. Renaming the labels does not change it.

    Parameters
    ----------
    labels
        The label of each cell, such as its batch or its cell type, shape (n_cells,): on the device of the neighbours,
        or on the host.

    Returns
    -------
    lisi
        Shape (n_cells,), in the array library of the neighbours, on their device. Its unit is labels. NaN for cells
        that do not count, and for cells without a neighbour that counts.

    Raises
    ------
    TypeError, ValueError
        If neighbours, labels or options are not as described above, or if the neighbours have no distances; the message
        names the argument.

    Notes
    -----
    Beta is computed exactly: in 64 bits, the relative error of the index is at most 1e-9. If no beta gives the entropy,
    the weights are those of the limit. If the neighbours that count are no more than the perplexity, all have the same
    weight. If the neighbours tied for the nearest are as many as the perplexity or more (as a single nearest one is at
    perplexity 1), these have the same weight and all others 0. The index does not change if all distances are
    multiplied by a number, or if the same number is added to all. It is a constant to derivatives.

    The R package of the authors uses 90 neighbours and perplexity 30. It and scib-metrics bisect a range of beta until
    the entropy is within 1e-5; where beta does not exist, they return -1 or a value that is not the limit. scib treats
    connectivities as lengths of edges, and the samples with the shortest paths as neighbours: its values are not
    comparable.

    The number of labels is copied from the device to the host if ``n_labels`` is not given.

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


@measure(INTEGRATION, needs="the neighbours of samples", range=lambda scale: (0.0, 1.0) if scale else (1.0, inf))
@document_parameters(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_batches", what="batches"))
def ilisi_score(
    neighbors: Any,
    batch: Any,
    *,
    perplexity: float | None = None,
    scale: bool = True,
    ignore_labels: Any = None,
    n_batches: int | None = None,
) -> Any:
    """Integration LISI (iLISI): how well batches are mixed, by the number of batches around a typical cell.

    Use it to judge the removal of batch effects, together with a measure that shows that cell types are kept apart,
    such as :func:`clisi_score`.

    Let x be the median over the cells of :func:`lisi_samples` of the batches ([1]_), and B the number of batches that
    have cells. The score is ``(x - 1) / (B - 1)`` ([2]_). It ranges from 0, for separate batches, to 1, for batches
    that are mixed evenly; higher is better. Without ``scale`` the score is x, from 1 to B.

    Parameters
    ----------
    batch
        The batch of each cell, shape (n_cells,): on the device of the neighbours, or on the host.
    scale
        Whether to rescale the score to the range 0 to 1.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN if no cell counts, and for a
        single batch, of which one cannot say whether it is mixed.

    Raises
    ------
    TypeError, ValueError
        As :func:`lisi_samples` does.

    Notes
    -----
    The number of batches is copied from the device to the host if ``n_batches`` is not given.

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


@measure(
    INTEGRATION,
    needs="the neighbours of samples",
    better=lambda scale: "higher" if scale else "lower",
    range=lambda scale: (0.0, 1.0) if scale else (1.0, inf),
)
@document_parameters(_NEIGHBORS, "", _PERPLEXITY, _IGNORED, _SIZE.format(name="n_labels", what="labels"))
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
    """Cell-type LISI (cLISI): how well cell types are kept apart, by the number of labels around a typical cell.

    Use it to see whether an integration has mixed cell types, together with :func:`ilisi_score` for the batches.

    Let x be the median over the cells of :func:`lisi_samples` of the labels ([1]_), and L the number of labels that
    have cells. The score is ``(L - x) / (L - 1)`` ([2]_). It ranges from 0, for labels that are mixed evenly, to 1, for
    separate labels; higher is better. Without ``scale`` the score is x, from 1 to L; then lower is better.

    Parameters
    ----------
    labels
        The label of each cell, such as its cell type, shape (n_cells,): on the device of the neighbours, or on the
        host.
    scale
        Whether to rescale the score to the range 0 to 1.
    return_per_label
        Whether to return the score of each label, too, by the median over its cells. The result prints as a table, and
        has ``to_pandas()``.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN for a single label, and if no
        cell counts. With ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted;
        in the library of the neighbours if they are numbers, else in NumPy; with ``n_labels`` all from 0 to below it)
        and ``label_scores``, both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        As :func:`lisi_samples` does.

    Notes
    -----
    The number of labels is copied from the device to the host if ``n_labels`` is not given.

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
            "neighbors must have distances for LISI, got indices alone; give Neighbors.from_knn(indices, distances)"
        )
    return points


def _read_perplexity(perplexity: Any, n_neighbors: int) -> float:
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
    """The index of each cell; NaN where it is not defined."""
    nearest: Nearest = points.X
    backend, xp, size = points.backend, points.xp, points.n_clusters
    perplexity = _read_perplexity(perplexity, nearest.n_neighbors)
    labels = narrow_codes(points.codes)

    def row_scores(rows: slice) -> Array:
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
            sums = sums_of_rows(*_renumber(codes, weights, backend), backend)
        else:
            sums = sums_of_rows(codes, size, weights, backend)
        total = backend.sum(sums, 1)
        return ratio(total * total, backend.sum(sums * sums, 1), xp, float("nan"))

    width = min(max(nearest.n_neighbors, size), 4 * nearest.n_neighbors)
    values = map_tiles(row_scores, points.n_samples, width, points.codes)
    values = xp.minimum(values, _present(points))  # rounding may lead out of the range
    return xp.where(points.codes < size, values, xp.full_like(values, float("nan")))


def _renumber(codes: Array, weights: Array, backend: Backend) -> tuple[Array, int, Array]:
    """The labels of each row renumbered from 0, their largest number in a row, and the weights in the same order."""
    xp, k = backend.xp, int(codes.shape[1])
    order = xp.argsort(codes, axis=1)
    in_order, weights = (xp.take_along_axis(x, order, axis=1) for x in (codes, weights))
    is_other = xp.astype(in_order[:, 1:] != in_order[:, :-1], in_order.dtype)
    first = xp.zeros_like(in_order[:, :1])
    return xp.concat([first, backend.cumulative_sum(is_other)], axis=1), k, weights
