"""kBET: whether the batches around each cell are mixed as among all cells, by a chi-square test for each cell."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import Backend, to_host
from gpuval.geometry.neighbors.knn import Nearest
from gpuval.geometry.neighbors.neighbors import Neighbors, read_knn
from gpuval.geometry.points import Points, all_invalid
from gpuval.inputs.labels import check_indexes, read_labels
from gpuval.inputs.options import check_flag, check_probability
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.measures.documents import document_parameters
from gpuval.measures.measure import measure
from gpuval.measures.samples import LabelValues, as_score_of_any, groups_of
from gpuval.metrics.integration import INTEGRATION
from gpuval.metrics.integration._neighborhoods import (
    codes_of_neighbors,
    map_tiles,
    narrow_codes,
    sums_of_rows,
    with_own,
)
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio

__all__ = ["kbet_samples", "kbet_score"]

_NEIGHBORS = """\
    neighbors
        The nearest neighbours of each cell: a :class:`Neighbors`, or anything that one can be made of, such as
        ``(indices, distances)``, a sparse matrix of distances, or an object with the attributes ``indices`` and
        ``distances``. The values of the distances do not matter.
    batch
        The batch of each cell, shape (n_cells,): on the device of the neighbours, or on the host.
    labels
        The label of each cell, such as its cell type, shape (n_cells,). If given, the cells of each label are tested
        separately.
    include_self
        Whether a cell counts among its own neighbours, as in the authors' definition.
"""
_READING = """\
    ignore_labels
        One label or several; cells with such a label or of such a batch do not count, not even as neighbours.
    n_batches, n_labels
        The number of batches and of labels, if these are integers from 0 to below the number. Nothing is then copied
        from a device to find the numbers, and errors in batches, labels or neighbours there make the result NaN.
"""


class ChiSquareTests(NamedTuple):
    """The chi-square test of each cell."""

    statistic: Any
    """The chi-square statistic, shape (n_cells,); NaN for cells that are not tested."""
    p_value: Any
    """The probability that chance alone gives a statistic as large or larger, shape (n_cells,)."""


class _CellTests(NamedTuple):
    """The cells, with their batches as the codes of ``points``, and their tests."""

    points: Points
    labels: Points | None
    group: Array
    """The label of each cell, 0 without labels; one more than the last for those that do not count."""
    n_groups: int
    present: Array
    """The number of batches that each group has, shape (n_groups + 1,)."""
    statistic: Array
    """NaN for cells that are not tested."""
    largest: Array
    """The largest possible statistic: that of neighbours which are all of the rarest batch."""


@measure(INTEGRATION, needs="the neighbours of samples", better="lower", range=(0.0, inf), values="samples")
@document_parameters(_NEIGHBORS, _READING, "")
def kbet_samples(
    neighbors: Any,
    batch: Any,
    *,
    labels: Any = None,
    include_self: bool = True,
    ignore_labels: Any = None,
    n_batches: int | None = None,
    n_labels: int | None = None,
    return_p_values: bool = False,
) -> Any:
    """Statistic of kBET for each cell: how far the batches among its neighbours differ from those among all cells.

    kBET is the k-nearest-neighbour batch effect test. Use this function to find the cells around which batches are not
    mixed; :func:`kbet_score` is the share of cells that the test accepts.

    A cell has k neighbours, o_b of which are of batch b; f_b is the share of batch b among all cells. The chi-square
    statistic of the cell is ``sum_b (o_b - k f_b)^2 / (k f_b)`` ([1]_). It is 0 if the batches have the same shares as
    among all cells, and has no fixed upper limit; lower means better mixed. With ``labels``, only neighbours of the
    cell's own label count: k is their number, and f_b is the share among the cells of that label.

    Parameters
    ----------
    return_p_values
        Whether to return the p-values, too. With B batches (among the cells of the label), the p-value is the upper
        tail of the chi-square distribution with B - 1 degrees of freedom.

    Returns
    -------
    statistics
        Shape (n_cells,), in the array library of the neighbours, on their device. No unit. NaN for cells that are not
        tested: cells that do not count, cells without a neighbour that counts, and all cells if there is only one batch
        (with ``labels``, all cells of a label with only one batch). With ``return_p_values``, a named tuple of
        ``statistic`` and ``p_value``.

    Raises
    ------
    TypeError, ValueError
        If neighbours, batches, labels or options are not as described above; the message names the argument.

    Notes
    -----
    See :func:`kbet_score` for the limits of the test.

    The numbers of batches and of labels are copied from the device to the host if they are not given. With
    ``return_p_values`` the statistics are, too, because the distribution is computed on the host.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.

    Examples
    --------
    >>> import gpuval
    >>> indices, batch = [[1], [0], [3], [2]], [0, 1, 0, 1]
    >>> gpuval.kbet_samples(gpuval.Neighbors.from_knn(indices), batch).tolist()
    [0.0, 0.0, 0.0, 0.0]
    >>> gpuval.kbet_samples(gpuval.Neighbors.from_knn(indices), [0, 0, 1, 1]).tolist()
    [2.0, 2.0, 2.0, 2.0]
    """
    tested = _test_cells(neighbors, batch, labels, include_self, ignore_labels, n_batches, n_labels)
    points, statistic = tested.points, tested.statistic
    if not return_p_values:
        return as_score_of_any(statistic, points)
    backend, xp = points.backend, points.xp
    if backend.is_traced(statistic):
        raise TypeError(
            "return_p_values must be False inside jax.jit or jax.vmap, got True; they are found on the host"
        )
    from scipy.special import chdtrc  # only now: few measures need SciPy

    freedom = to_host(xp.take(tested.present, tested.group)).astype(np.float64) - 1
    p_values = backend.from_host(chdtrc(np.maximum(freedom, 1), to_host(statistic).astype(np.float64)), statistic)
    return ChiSquareTests(as_score_of_any(statistic, points), as_score_of_any(p_values, points))


@measure(INTEGRATION, needs="the neighbours of samples")
@document_parameters(_NEIGHBORS, "", _READING)
def kbet_score(
    neighbors: Any,
    batch: Any,
    *,
    labels: Any = None,
    include_self: bool = True,
    alpha: float = 0.05,
    ignore_labels: Any = None,
    n_batches: int | None = None,
    n_labels: int | None = None,
    return_per_label: bool = False,
) -> Any:
    """Acceptance rate of kBET: the share of cells around which the batches are mixed as among all cells.

    kBET is the k-nearest-neighbour batch effect test. Use it to see whether an integration has removed batch effects
    everywhere, not only on average.

    A cell is accepted if its statistic (see :func:`kbet_samples`) is no larger than the 1 - ``alpha`` quantile of the
    chi-square distribution with B - 1 degrees of freedom, for B batches ([1]_). The score is the share of the tested
    cells that are accepted. With ``labels`` this share is computed for each label, and the score is their mean, without
    labels that have no tested cell, such as those that have only one batch ([2]_). It ranges from 0 to 1; higher means
    better mixed.

    Parameters
    ----------
    alpha
        The significance level of the test, above 0 and below 1.
    return_per_label
        Whether to return the score of each label, too. The result prints as a table, and has ``to_pandas()``.

    Returns
    -------
    score
        A number in the array library of the neighbours, on their device. No unit. NaN if no cell is tested, as with a
        single batch. With ``return_per_label``, a named tuple of ``score``, ``labels`` (those that have cells, sorted;
        in the library of the neighbours if they are numbers, else in NumPy; with ``n_labels`` all from 0 to below it)
        and ``label_scores`` (NaN for labels without tested cells), both of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        As :func:`kbet_samples` does; if ``alpha`` is not as described above; if ``return_per_label`` is given without
        labels.

    Notes
    -----
    Some cells are not tested and do not count in the share: those without a neighbour that counts, and those whose test
    could never reject. With two batches of equal size and a level of 0.05, a test of up to 3 neighbours can never
    reject.

    The chi-square distribution is a good approximation for many neighbours of each batch. If fewer than 5 neighbours of
    a batch are expected (k f_b), it is a poor one, and the share of cells that are accepted by chance is not 1 -
    ``alpha``. The tests are not independent either, because cells share neighbours.

    Without labels, the score is the first value of ``kbet`` in scib-metrics (whose neighbours have the cell itself in
    the first column), except that scib-metrics computes in 32 bits. The kBET of R is a share of *rejections*; it draws
    a tenth of the cells a hundred times, and chooses the number of neighbours itself. With labels, scib and
    scib-metrics search neighbours again among the cells of a label, by diffusion: as many as a quarter of the mean
    batch size there, from 10 to 70; they leave out labels of less than 10 cells. Here, the neighbours are those found
    among all cells, and those of other labels do not count.

    The numbers of batches and of labels are copied from the device to the host if they are not given.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.
    .. [2] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    >>> import gpuval
    >>> indices = [[j for j in range(8) if j // 4 == i // 4 and j != i] for i in range(8)]
    >>> float(gpuval.kbet_score(gpuval.Neighbors.from_knn(indices), [0, 1, 0, 1, 0, 1, 0, 1]))
    1.0
    >>> float(gpuval.kbet_score(gpuval.Neighbors.from_knn(indices), [0, 0, 0, 0, 1, 1, 1, 1]))
    0.0

    Of each label; that of T has cells of one batch only:

    >>> labels, batch = ["B"] * 4 + ["T"] * 4, [0, 1, 0, 1, 1, 1, 1, 1]
    >>> found = gpuval.kbet_score(gpuval.Neighbors.from_knn(indices), batch, labels=labels, return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    {'B': 1.0, 'T': nan}
    """
    level = check_probability("alpha", alpha)
    if return_per_label and labels is None:
        raise ValueError("labels must be given with return_per_label=True, got None")
    tested = _test_cells(neighbors, batch, labels, include_self, ignore_labels, n_batches, n_labels)
    scores = _acceptance(tested, level)
    points, xp = tested.points, tested.points.xp
    has_score = scores == scores
    total = xp.sum(xp.where(has_score, scores, xp.zeros_like(scores)), dtype=scores.dtype)
    number = xp.astype(points.backend.count_true(has_score), scores.dtype)
    whole = as_score_of_any(ratio(total, number, xp, float("nan")), points)
    if not return_per_label or tested.labels is None:
        return whole
    groups = groups_of(replace(tested.labels, like=points.like), has_size=n_labels is not None)
    return LabelValues(whole, groups.labels, as_score_of_any(xp.take(scores, points.indices(groups.codes)), points))


def _acceptance(tested: _CellTests, alpha: float) -> Array:
    """The share of the tested cells of each group that are accepted; NaN if no cell of the group is tested."""
    from scipy.special import chdtri  # only now: few measures need SciPy

    points, x, size = tested.points, tested.statistic, tested.n_groups
    backend, xp = points.backend, points.xp
    # A table for every possible number of batches: no need to read on the host how many there are.
    quantiles = chdtri(np.maximum(np.arange(points.n_clusters + 1) - 1, 1).astype(np.float64), alpha)
    most = xp.take(backend.from_host(quantiles, x), xp.take(tested.present, tested.group))
    none, can_reject = xp.full_like(tested.group, size), (x == x) & (tested.largest > most)
    n_tested, n_accepted = (
        xp.astype(backend.count(xp.where(cells, tested.group, none), size + 1)[:size], x.dtype)
        for cells in (can_reject, can_reject & (x <= most))
    )
    return ratio(n_accepted, n_tested, xp, float("nan"))


def _test_cells(
    neighbors: Any,
    batch: Any,
    labels: Any,
    include_self: bool,
    ignore_labels: Any,
    n_batches: int | None,
    n_labels: int | None,
) -> _CellTests:
    check_flag("include_self", include_self)
    if labels is None and n_labels is not None:
        raise TypeError(f"n_labels must be None without labels, got {n_labels!r}")
    points, of_labels = _read(neighbors, batch, labels, read_ignored(ignore_labels), n_batches, n_labels)
    nearest: Nearest = points.X
    backend, xp, n_batches = points.backend, points.xp, max(1, points.n_clusters)
    counts = points.codes < points.n_clusters
    if of_labels is None:
        n_groups, group = 1, xp.where(counts, xp.zeros_like(points.codes), xp.ones_like(points.codes))
    else:
        n_groups, group = max(1, of_labels.n_clusters), of_labels.codes
        counts = counts & (group < of_labels.n_clusters)
        group = xp.where(counts, group, xp.full_like(group, n_groups))
    # One number for the group and the batch of each cell: neighbours of the same group are in the range of that group.
    spare = xp.full_like(group, n_groups * n_batches)
    joint = xp.where(counts, group * n_batches + points.codes, spare)
    sizes = backend.count(joint, n_groups * n_batches + 1)[: n_groups * n_batches]
    of_group = xp.reshape(sizes, (n_groups, n_batches))
    none = backend.zeros_beside((1, n_batches), of_group.dtype, of_group)
    of_group = xp.concat([of_group, none])
    present, among_all = backend.count_true(of_group > 0, 1), xp.astype(of_group, points.masses.dtype)
    inverse = ratio(xp.ones_like(among_all), among_all, xp)
    numbers = narrow_codes(joint)

    def row_statistics(rows: slice) -> Array:
        indices, _ = nearest.block(rows)
        own, codes = group[rows], codes_of_neighbors(numbers, indices)
        start = xp.astype(own * n_batches, numbers.dtype)
        if n_groups > 1:
            codes = codes - start[:, None]
            codes = xp.where((codes < 0) | (codes > n_batches), xp.full_like(codes, n_batches), codes)
        observed = sums_of_rows(codes, n_batches, None, backend)
        if include_self:
            observed = with_own(observed, numbers[rows] - start, backend)
        expected, divided = (x[:1, :] if n_groups == 1 else xp.take(x, own, axis=0) for x in (among_all, inverse))
        statistic, k = _chi_square(observed, expected, divided, backend)
        is_tested = (k > int(include_self)) & (xp.take(present, own) > 1)
        return xp.stack([xp.where(is_tested, statistic, xp.full_like(statistic, float("nan"))), k], axis=1)

    found = map_tiles(row_statistics, points.n_samples, nearest.n_neighbors + n_batches, points.codes)
    of_rarest = xp.sum(among_all, axis=1, dtype=among_all.dtype) * xp.max(inverse, axis=1) - 1
    largest = found[:, 1] * xp.take(of_rarest, group)
    return _CellTests(points, of_labels, group, n_groups, present, found[:, 0], largest)


def _chi_square(observed: Array, among_all: Array, inverse: Array, backend: Backend) -> tuple[Array, Array]:
    """The statistic of the counts of each row, and the number of neighbours that count in it.

    ``among_all`` has the counts among all cells, and ``inverse`` 1 divided by these, or 0 for batches without cells.
    Until the division, numbers are integers, which are exact up to 2^53: so small statistics are exact, too.
    """
    observed, among_all, inverse = (_transpose(x, backend) for x in (observed, among_all, inverse))
    k, n = (backend.sum(x, 0) for x in (observed, among_all))
    apart = observed * n - k * among_all
    return ratio(backend.sum(apart * apart * inverse, 0), k * n, backend.xp), k


def _transpose(x: Array, backend: Backend) -> Array:
    """The transpose: NumPy adds up its long rows several times as fast."""
    return np.ascontiguousarray(x.T) if backend.on_host else backend.xp.matrix_transpose(x)


def _read(
    neighbors: Any, batch: Any, labels: Any, ignore: tuple[Any, ...], n_batches: int | None, n_labels: int | None
) -> tuple[Points, Points | None]:
    """The cells by their batches and by their labels, both on the device of the neighbours."""
    if labels is None:
        return read_knn(neighbors, batch, "batch", n_batches, ignore, "n_batches"), None
    points = read_knn(neighbors, batch, "batch", n_batches, ignore, "n_batches", ignored_elsewhere=True)
    again = Neighbors(points.X, None)
    of_labels = read_knn(again, labels, "labels", n_labels, ignore, "n_labels", ignored_elsewhere=True)
    check_indexes(batch=batch, labels=labels)
    if ignore:
        named = {"batch": batch, "labels": labels}
        check_ignored(ignore, *(read_labels(x, name) for name, x in named.items()))
    invalid = all_invalid(points.invalid, of_labels.invalid)
    if of_labels.backend is not points.backend:  # labels whose values are not known yet, beside batches that are
        like = of_labels.codes
        codes, masses = (of_labels.backend.from_host(x, like) for x in (points.codes, points.masses))
        points = replace(points, X=of_labels.X, codes=codes, masses=masses, like=of_labels.like)
        invalid = of_labels.invalid
    return replace(points, invalid=invalid), of_labels
