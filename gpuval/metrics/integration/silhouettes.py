"""Silhouettes as single-cell benchmarks use them: of cell types, and of batches within them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.distances.names import DISTANCES, IN_ANY_UNIT, Distance, known_distance
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.distances.rows import taken
from gpuval.geometry.means import Between
from gpuval.geometry.points import Points, read_points
from gpuval.geometry.progress import Progress
from gpuval.geometry.sampling import (
    Estimate,
    check_sampling,
    drawn,
    drawn_of_each,
    estimated_of_each,
    estimated_of_one,
    in_equal_shares,
    least_of_each,
)
from gpuval.inputs.labels import check_indexes, read_labels
from gpuval.inputs.options import check_option, generator
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.metrics._common.documents import PROGRESS, documented
from gpuval.metrics._common.per_label import groups_of, no_scores, with_labels
from gpuval.metrics._common.result import finished
from gpuval.metrics.internal._result import OnDegenerate, as_score, is_degenerate
from gpuval.metrics.internal._silhouettes import mean_silhouette, silhouettes
from gpuval.numerics import NDArray
from gpuval.numerics.stable import root

__all__ = ["silhouette_batch", "silhouette_label"]


_BATCH = """\
    batch
        The batch of each cell, shape (n_cells,): beside X, or on the host; with the index of X and labels, if it has
        one and they do.
"""
_HOW = """\
    rescale
        Whether to bring the score to the range of 0 to 1.
    metric
        The distance of two samples: see :func:`silhouette_samples`.
"""
_CELLS = """\
    X
        The cells, shape (n_cells, n_features), such as an embedding: as :func:`silhouette_samples` takes samples.
    labels
        The label of each cell, such as its type, shape (n_cells,): beside X, or on the host.
"""
_RETURNED = """\
    random_state
        A seed, or a generator of NumPy, for what is drawn.
    return_standard_error
        Whether to return the standard error, too: 0 for all cells.
    return_per_label
        Whether to return the score of each label, too, and all standard errors. The result prints as a table, and has
        ``to_pandas()``.
"""
_IGNORED = """\
    ignore_labels
        One label or several; cells with such a label{also} do not count.
"""
_DEGENERATE = """\
    on_degenerate
        What to do {where}: "raise" a ValueError, or return "nan".
"""


@documented(
    _CELLS,
    _HOW,
    "",
    _RETURNED,
    _IGNORED.format(also=""),
    _DEGENERATE.format(where="with fewer than 2 labels, or with as many as cells"),
    PROGRESS,
)
def silhouette_label(
    X: Any,
    labels: Any,
    *,
    rescale: bool = True,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    stratified: bool = False,
    random_state: Any = None,
    return_standard_error: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Mean silhouette of the cells by their labels: how well an embedding keeps cell types apart.

    (S + 1) / 2 of the mean silhouette S, see :func:`silhouette_score`; S itself without ``rescale`` [1]_ (the average
    silhouette width of cell types). Higher is better; from 0 to 1.

    Parameters
    ----------
    absent
        The distance of cells for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_size
        How many cells to find the silhouettes of, drawn without replacement: the time is that share of the whole.
        Their distances are to all cells: the score is an estimate without bias of that of all.
    stratified
        Whether each label is drawn from in proportion to its cells, and at least twice.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``; with ``return_per_label``, one of ``score``, ``standard_error``, ``labels`` (those that have
        cells, sorted; of the library of X if they are numbers, else of NumPy), ``label_scores`` (of the mean silhouette
        of each label's cells) and ``label_standard_errors``, the last three of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`silhouette_score` raises.

    Notes
    -----
    Without ``stratified``, how many cells of a label are drawn is chance: the standard error of its score is that of as
    many as were. The score is NaN if none was, and its standard error if one of several was. Leaves the device: what
    :func:`silhouette_score` says, and with ``return_per_label`` the sizes of the labels.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.silhouette_label([[0.0], [0.0], [8.0], [8.0]], ["B", "B", "T", "T"]))
    1.0
    >>> float(gpuval.silhouette_label([[0.0], [1.0], [0.0], [1.0]], ["B", "B", "T", "T"]))
    0.25

    Of each label, all cells or some of them:

    >>> X = [[0.0], [0.0], [8.0], [8.0], [8.0], [8.0], [8.0]]
    >>> found = gpuval.silhouette_label(X, ["B", "B", "T", "T", "T", "U", "U"], return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    {'B': 1.0, 'T': 0.5, 'U': 0.5}
    >>> drawn = {"sample_size": 4, "stratified": True, "random_state": 0}
    >>> found = gpuval.silhouette_label(X[:5], [0, 0, 1, 1, 1], return_standard_error=True, **drawn)
    >>> float(found.score), float(found.standard_error)
    (1.0, 0.0)
    """
    metric = known_distance(metric)
    check_sampling(sample_size, stratified, random_state)
    points = read_samples_or_distances(X, labels, metric, absent, ignore_labels=ignore_labels)
    groups = groups_of(points) if return_per_label else None
    if is_degenerate(points, on_degenerate):
        return no_scores(points, groups, return_standard_error)
    sample = None if sample_size is None else drawn(points, sample_size, random_state, stratified)
    values, whole = mean_silhouette(points, metric, sample, progress)

    def given_out(found: Estimate) -> Estimate:
        found = Estimate((found.score + 1) / 2, found.standard_error / 2) if rescale else found
        return Estimate(*(as_score(x, points) for x in found))

    each = None
    if groups is not None:
        places = points.indices(groups.codes)
        found = estimated_of_each(values, points, sample)
        each = given_out(Estimate(*(points.xp.take(x, places) for x in found)))
    return with_labels(given_out(whole), each, groups, return_standard_error)


@documented(
    _CELLS,
    _BATCH,
    _HOW,
    "",
    _RETURNED,
    _IGNORED.format(also=" or of such a batch"),
    _DEGENERATE.format(where="if no label has cells of two batches"),
    PROGRESS,
)
def silhouette_batch(
    X: Any,
    labels: Any,
    batch: Any,
    *,
    rescale: bool = True,
    metric: Distance = "euclidean",
    between_cluster_distances: Between = "nearest",
    sample_size: int | None = None,
    random_state: Any = None,
    return_standard_error: bool = False,
    return_per_label: bool = False,
    ignore_labels: Any = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Mean over the labels of how little cells are nearer to those of their own batch.

    For each label the mean of 1 - |s| over its cells, with the silhouettes s of their batches among them alone; and of
    these the mean over the labels, without those whose cells are all of one batch, or each of its own [1]_ (the average
    silhouette width of batches). Higher is better, 1 if batches are mixed as if there were none; from 0 to 1. Without
    ``rescale`` the mean of |s|, of which lower is better.

    Parameters
    ----------
    between_cluster_distances
        What a silhouette compares the distances to the own batch with: the mean distance to the "nearest" other batch,
        to the "furthest", or to all cells of other batches, "mean_other" [2]_: with the metric "cosine" it is
        their BRAS.
    sample_size
        How many cells to find the silhouettes of, over all labels that have a score: drawn without replacement from
        each of these equally often, as each counts alike, and at least twice; of a label with fewer cells than that all
        are, and the others give the rest. Their distances are to all cells of the label: the score is an estimate
        without bias of that of all cells.

    Returns
    -------
    score
        Of the library of X, and on its device. No unit. With ``return_standard_error``, a named tuple of ``score`` and
        ``standard_error``; with ``return_per_label``, one of ``score``, ``standard_error``, ``labels`` (those that have
        cells, sorted; of the library of X if they are numbers, else of NumPy), ``label_scores`` (NaN for labels whose
        cells are all of one batch, or each of its own) and ``label_standard_errors``, the last three of shape
        (n_labels,).

    Raises
    ------
    TypeError, ValueError
        For what :func:`silhouette_score` raises of X, labels, batch and options.

    Notes
    -----
    Precomputed distances are an error here. Leaves the device: labels and batches, for the cells of each label.

    The labels are strata, and of n_k of the N_k cells of each of K labels, with the variance v_k among what was drawn,
    the squared standard error of the label is (1 - n_k / N_k) v_k / n_k; that of the score is their sum over the labels
    by K^2 ([3]_, equation 5.6, not checked against the text). It is not known well itself where a label of many cells
    has few of them drawn, as each label counts for as much as any other.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    .. [2] P. Rautenstrauch and U. Ohler, "Shortcomings of silhouette in single-cell integration benchmarking", Nature
       Biotechnology, 2025.
    .. [3] W. G. Cochran, "Sampling techniques", 3rd edition, 1977.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.0], [0.0], [0.0], [5.0], [5.0], [5.0], [5.0]]
    >>> float(gpuval.silhouette_batch(X, ["B"] * 4 + ["T"] * 4, [1, 1, 2, 2, 1, 1, 2, 2]))
    1.0
    >>> float(gpuval.silhouette_batch([[0.0], [0.0], [5.0], [5.0]], ["B"] * 4, [1, 1, 2, 2]))
    0.0

    Of each label, all cells or some of them; those of U are all of one batch:

    >>> X = [[0.0], [0.0], [0.0], [0.0], [5.0], [5.0], [6.0], [6.0], [9.0]]
    >>> labels, batch = ["B"] * 4 + ["T"] * 4 + ["U"], [1, 1, 2, 2, 1, 1, 2, 2, 1]
    >>> found = gpuval.silhouette_batch(X, labels, batch, return_per_label=True)
    >>> dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True))
    {'B': 1.0, 'T': 0.0, 'U': nan}
    >>> found = gpuval.silhouette_batch(X, labels, batch, sample_size=5, random_state=0, return_standard_error=True)
    >>> float(found.score), float(found.standard_error)
    (0.5, 0.0)
    """
    check_option("between_cluster_distances", between_cluster_distances, get_args(Between))
    check_option("on_degenerate", on_degenerate, get_args(OnDegenerate))
    metric = known_distance(metric, tuple(x for x in DISTANCES if x != "precomputed"))
    check_sampling(sample_size, False, random_state)
    points, batches = _read_batches(X, labels, batch, ignore_labels)
    points = points.finite(in_any_unit=metric in IN_ANY_UNIT)
    groups = groups_of(points.counted_anew()) if return_per_label else None
    codes = to_host(points.codes)
    cells_of = _cells_of_labels(codes, points.n_clusters, batches)
    if not cells_of:
        if on_degenerate == "raise":
            raise ValueError(
                "batch must have 2 or more values, and fewer than cells, among the cells of one label at least, got no "
                f"such label among {len(np.unique(codes[codes < points.n_clusters]))}; on_degenerate='nan' gives NaN "
                "instead"
            )
        return no_scores(points, groups, return_standard_error)
    rows_of = None if sample_size is None else _drawn_cells(cells_of, sample_size, random_state)
    xp, found = points.xp, {}
    with Progress(points.n_samples if sample_size is None else sample_size, progress) as bar:
        for code, cells in cells_of.items():
            group = read_points(taken(points.X, points.indices(cells)), batches[cells])
            rows = None if rows_of is None else group.indices(rows_of[code])
            values = xp.abs(silhouettes(group, metric, between_cluster_distances, rows, bar))
            found[code] = estimated_of_one(values, len(cells))

    def given_out(found: Estimate) -> Estimate:
        found = Estimate(1 - found.score, found.standard_error) if rescale else found
        return Estimate(*(finished(x, points.given) for x in found))

    of_scored, each = _stacked(list(found.values())), None
    if groups is not None:
        unknown = xp.full_like(of_scored.score[0], float("nan"))
        each = given_out(_stacked([found.get(x, Estimate(unknown, unknown)) for x in groups.codes.tolist()]))
    errors = of_scored.standard_error
    whole = Estimate(xp.mean(of_scored.score), root(xp.sum(errors * errors), xp) / len(found))
    return with_labels(given_out(whole), each, groups, return_standard_error)


def _read_batches(X: Any, labels: Any, batch: Any, ignore_labels: Any) -> tuple[Points, NDArray]:
    """The cells by their labels, of which those of an ignored batch do not count, and their batches, on the host."""
    points = read_points(X, labels, ignore_labels=ignore_labels, ignored_elsewhere=True)
    in_batches = read_points(points.X, batch, ignore_labels=ignore_labels, name="batch", ignored_elsewhere=True)
    check_indexes(X=X, labels=labels, batch=batch)
    if ignore_labels is not None:
        named = {"labels": labels, "batch": batch}
        check_ignored(read_ignored(ignore_labels), *(read_labels(x, name) for name, x in named.items()))
    xp = points.xp
    has_batch = in_batches.codes < in_batches.n_clusters
    codes = xp.where(has_batch, points.codes, xp.full_like(points.codes, points.n_clusters))
    return replace(points, codes=codes), to_host(in_batches.codes)


def _cells_of_labels(codes: NDArray, n_labels: int, batches: NDArray) -> dict[int, NDArray]:
    """The cells of each label that has a score: neither are they all of one batch, nor each of its own."""
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(n_labels + 1))
    cells_of = {code: order[first:last] for code, (first, last) in enumerate(pairwise(edges.tolist()))}
    return {code: cells for code, cells in cells_of.items() if 2 <= len(np.unique(batches[cells])) < len(cells)}


def _drawn_cells(cells_of: dict[int, NDArray], size: int, random_state: Any) -> dict[int, NDArray]:
    """Which of the cells of each label are drawn, by their places among these."""
    sizes = np.asarray([len(cells) for cells in cells_of.values()])
    least, most = int(least_of_each(sizes).sum()), int(sizes.sum())
    if not least <= size <= most:
        raise ValueError(
            f"sample_size must be from {least}, two cells of each label that has a score, to {most}, all of their "
            f"cells, got {size}"
        )
    number = in_equal_shares(sizes, int(size))
    return dict(zip(cells_of, drawn_of_each(sizes, number, generator(random_state)), strict=True))


def _stacked(estimates: list[Estimate]) -> Estimate:
    """Several estimates as one of two arrays."""
    scores, errors = zip(*estimates, strict=True)
    xp = backend_of(scores[0]).xp
    return Estimate(xp.stack(scores), xp.stack(errors))
