"""Silhouettes as single-cell benchmarks use them: of cell types, and of batches within cell types."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from gpuval.engines import without_waiting
from gpuval.engines.backends import backend_of, to_host
from gpuval.geometry.distances.precomputed import read_samples_or_distances
from gpuval.geometry.means.folding import Between
from gpuval.geometry.points import DISTANCES, IN_ANY_UNIT, Distance, Points, distance_name, read_points, take_rows
from gpuval.geometry.progress import Progress
from gpuval.geometry.sampling import (
    Estimate,
    check_sampling,
    draw_by_stratum,
    draw_sample,
    equal_allocation,
    estimate_cluster_mean,
    estimate_cluster_means,
    least_of_each,
)
from gpuval.inputs.labels import check_indexes, read_labels
from gpuval.inputs.options import check_option, generator
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.measures.documents import PROGRESS, document_parameters
from gpuval.measures.measure import measure
from gpuval.measures.result import as_result
from gpuval.measures.samples import OnDegenerate, as_score, groups_of, is_degenerate, no_scores, with_labels
from gpuval.metrics.integration import INTEGRATION
from gpuval.metrics.internal.silhouette import mean_silhouette, silhouettes
from gpuval.numerics import NDArray
from gpuval.numerics.stable import root

__all__ = ["silhouette_batch", "silhouette_label"]

_BATCH = """\
    batch
        The batch of each cell, shape (n_cells,): on the device of X, or on the host. If X, labels and batch have an
        index, it must be the same.
"""
_HOW = """\
    rescale
        Whether to rescale the score to the range 0 to 1, with 1 as the best value.
    metric
        The distance of two cells: see :func:`silhouette_samples`.
"""
_CELLS = """\
    X
        The cells, shape (n_cells, n_features), such as an embedding, in any form that :func:`silhouette_samples` takes.
    labels
        The label of each cell, such as its cell type, shape (n_cells,): on the device of X, or on the host.
"""
_RETURNED = """\
    random_state
        A seed, or a random generator of NumPy, for the drawing.
    return_standard_error
        Whether to return the standard error, too; it is 0 if all cells are used.
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


@measure(INTEGRATION, needs="samples", range=lambda rescale: (0.0 if rescale else -1.0, 1.0))
@document_parameters(
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
    """Cell-type silhouette: how well an embedding keeps the cells of different labels apart.

    Single-cell benchmarks call it the average silhouette width (ASW) of labels. Use it to see whether an integration
    keeps cell types apart.

    Let S be the mean silhouette of the cells by their labels, see :func:`silhouette_score`. The score is
    ``(S + 1) / 2``, from 0 to 1 [1]_. Without ``rescale`` it is S, from -1 to 1. Higher is better.

    Parameters
    ----------
    absent
        The distance of two cells for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
    sample_size
        How many cells to compute silhouettes for, drawn without replacement: the time shrinks to that share. The
        distances are still those to all cells, so that the score is an unbiased estimate of the score of all cells.
    stratified
        Whether to draw from each label in proportion to its number of cells, and at least two cells.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``. With ``return_per_label``, a named tuple of ``score``, ``standard_error``,
        ``labels`` (those that have cells, sorted; in the library of X if they are numbers, else in NumPy),
        ``label_scores`` (by the mean silhouette of the cells of each label) and ``label_standard_errors``, the last
        three of shape (n_labels,).

    Raises
    ------
    TypeError, ValueError
        As :func:`silhouette_score` does.

    Notes
    -----
    Without ``stratified``, the number of cells drawn from a label is random. The standard error of the score of a label
    is that for the number of cells that were drawn. The score of a label is NaN if none of its cells was drawn; its
    standard error is NaN if it has several cells and only one was drawn.

    What is copied from a device is the same as for :func:`silhouette_score`. With ``return_per_label`` the sizes of the
    labels are, too.

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
    metric = distance_name(metric)
    check_sampling(sample_size, stratified, random_state)
    points = read_samples_or_distances(X, labels, metric, absent, ignore_labels=ignore_labels)
    groups = groups_of(points) if return_per_label else None
    if is_degenerate(points, on_degenerate):
        return no_scores(points, groups, return_standard_error)
    sample = None if sample_size is None else draw_sample(points, sample_size, random_state, stratified)
    values, whole = mean_silhouette(points, metric, sample, progress)

    def final_estimate(found: Estimate) -> Estimate:
        found = Estimate((found.score + 1) / 2, found.standard_error / 2) if rescale else found
        return Estimate(*(as_score(x, points) for x in found))

    each = None
    if groups is not None:
        places = points.indices(groups.codes)
        found = estimate_cluster_means(values, points, sample)
        each = final_estimate(Estimate(*(points.xp.take(x, places) for x in found)))
    return with_labels(final_estimate(whole), each, groups, return_standard_error)


@measure(INTEGRATION, needs="samples and their batches", better=lambda rescale: "higher" if rescale else "lower")
@document_parameters(
    _CELLS,
    _BATCH,
    _HOW,
    "",
    _RETURNED,
    _IGNORED.format(also=" or of such a batch"),
    _DEGENERATE.format(where="if all labels are left out"),
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
    """Batch silhouette: how well the batches are mixed within each label.

    Single-cell benchmarks call it the average silhouette width (ASW) of batches. Use it to see whether an integration
    has removed the batch effect. With ``between_cluster_distances="mean_other"`` and ``metric="cosine"`` it is BRAS,
    the batch removal adapted silhouette.

    Take the cells of one label alone, and let s be the silhouette of each cell with the batches as clusters. The score
    of the label is the mean of ``1 - |s|`` over its cells. The score is the mean over the labels [1]_. Labels whose
    cells are all of one batch, or each of a batch of its own, are left out. It ranges from 0 to 1; higher is better. It
    is 1 if all silhouettes are 0: the batches are mixed perfectly. Without ``rescale`` it is the mean of ``|s|``; then
    lower is better.

    Parameters
    ----------
    between_cluster_distances
        What a silhouette compares the mean distance to the own batch with: the mean distance to the "nearest" other
        batch, to the "furthest" other batch, or to all cells of other batches, "mean_other" [2]_.
    sample_size
        How many cells to compute silhouettes for, over all labels that have a score. They are drawn without
        replacement, equally many from each label, because labels count equally, and at least two. If a label has fewer
        cells, all are taken, and the other labels give the rest. The distances are still those to all cells of the
        label, so that the score is an unbiased estimate of the score of all cells.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. With ``return_standard_error``, a named tuple of
        ``score`` and ``standard_error``. With ``return_per_label``, a named tuple of ``score``, ``standard_error``,
        ``labels`` (those that have cells, sorted; in the library of X if they are numbers, else in NumPy),
        ``label_scores`` (NaN for the labels that are left out) and ``label_standard_errors``, the last three of shape
        (n_labels,).

    Raises
    ------
    TypeError, ValueError
        As :func:`silhouette_score` does for X, labels, batch and options; if ``metric`` is "precomputed".

    Notes
    -----
    Labels and batches are copied from a device to the host, to select the cells of each label.

    Standard errors: the labels are strata. There are K labels with a score; label k has N_k cells, n_k of which are
    drawn; v_k is the variance of ``|s|`` among these. The squared standard error of the label is
    (1 - n_k / N_k) v_k / n_k. The squared standard error of the score is the sum of these over the labels, divided by
    K^2 ([3]_, equation 5.6). It is imprecise if few cells are drawn from a label of many cells, because each label
    counts equally.

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
    metric = distance_name(metric, tuple(x for x in DISTANCES if x != "precomputed"))
    check_sampling(sample_size, False, random_state)
    points, batches = _read_batches(X, labels, batch, read_ignored(ignore_labels))
    points = points.finite(in_any_unit=metric in IN_ANY_UNIT)
    groups = groups_of(points.with_new_sizes()) if return_per_label else None
    codes = to_host(points.codes)
    cells_of = _cells_of_labels(codes, points.n_clusters, batches)
    if not cells_of:
        if on_degenerate == "raise":
            raise ValueError(
                "batch must have at least 2 values, and fewer values than cells, among the cells of one label or more, "
                f"got no such label among {len(np.unique(codes[codes < points.n_clusters]))}; "
                "on_degenerate='nan' gives NaN instead"
            )
        return no_scores(points, groups, return_standard_error)
    rows_of = None if sample_size is None else _draw_cells(cells_of, sample_size, random_state)
    xp, found = points.xp, {}
    with Progress(points.n_samples if sample_size is None else sample_size, progress) as bar:
        for code, cells in cells_of.items():
            group = read_points(without_waiting(take_rows(points.X, points.indices(cells))), batches[cells])
            rows = None if rows_of is None else group.indices(rows_of[code])
            values = xp.abs(silhouettes(group, metric, between_cluster_distances, rows, bar))
            found[code] = estimate_cluster_mean(values, len(cells))

    def final_estimate(found: Estimate) -> Estimate:
        found = Estimate(1 - found.score, found.standard_error) if rescale else found
        return Estimate(*(as_result(x, points.like) for x in found))

    of_scored, each = _stack_estimates(list(found.values())), None
    if groups is not None:
        unknown = xp.full_like(of_scored.score[0], float("nan"))
        each = final_estimate(
            _stack_estimates([found.get(x, Estimate(unknown, unknown)) for x in groups.codes.tolist()])
        )
    errors = of_scored.standard_error
    whole = Estimate(xp.mean(of_scored.score), root(xp.sum(errors * errors), xp) / len(found))
    return with_labels(final_estimate(whole), each, groups, return_standard_error)


def _read_batches(X: Any, labels: Any, batch: Any, ignore: tuple[Any, ...]) -> tuple[Points, NDArray]:
    """The cells by their labels, without the cells of ignored batches, and their batches on the host."""
    points = read_points(X, labels, ignore_labels=ignore, ignored_elsewhere=True)
    in_batches = read_points(
        without_waiting(points.X), batch, ignore_labels=ignore, name="batch", ignored_elsewhere=True
    )
    check_indexes(X=X, labels=labels, batch=batch)
    if ignore:
        named = {"labels": labels, "batch": batch}
        check_ignored(ignore, *(read_labels(x, name) for name, x in named.items()))
    xp = points.xp
    has_batch = in_batches.codes < in_batches.n_clusters
    codes = xp.where(has_batch, points.codes, xp.full_like(points.codes, points.n_clusters))
    return replace(points, codes=codes), to_host(in_batches.codes)


def _cells_of_labels(codes: NDArray, n_labels: int, batches: NDArray) -> dict[int, NDArray]:
    """The cells of each label that has a score: they are neither all of one batch, nor each of a batch of its own."""
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(n_labels + 1))
    cells_of = {code: order[first:last] for code, (first, last) in enumerate(pairwise(edges.tolist()))}
    return {code: cells for code, cells in cells_of.items() if 2 <= len(np.unique(batches[cells])) < len(cells)}


def _draw_cells(cells_of: dict[int, NDArray], size: int, random_state: Any) -> dict[int, NDArray]:
    """The drawn cells of each label, by their places among the cells of the label."""
    sizes = np.asarray([len(cells) for cells in cells_of.values()])
    least, most = int(least_of_each(sizes).sum()), int(sizes.sum())
    if not least <= size <= most:
        raise ValueError(
            f"sample_size must be from {least} (two cells of each label that has a score) to {most} (all cells of "
            f"these labels), got {size}"
        )
    number = equal_allocation(sizes, int(size))
    return dict(zip(cells_of, draw_by_stratum(sizes, number, generator(random_state)), strict=True))


def _stack_estimates(estimates: list[Estimate]) -> Estimate:
    """Several estimates as one estimate of two arrays."""
    scores, errors = zip(*estimates, strict=True)
    xp = backend_of(scores[0]).xp
    return Estimate(xp.stack(scores), xp.stack(errors))
