"""Silhouettes as single-cell benchmarks use them: of cell types, and of batches within them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.geometry.distances.names import DISTANCES, IN_ANY_UNIT, Distance, known_distance
from gpuval.geometry.distances.rows import taken
from gpuval.geometry.mean_distances import Between
from gpuval.geometry.points import read_points
from gpuval.geometry.progress import Progress
from gpuval.inputs.labels import check_indexes, read_labels
from gpuval.inputs.options import check_option
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.metrics._documents import PROGRESS, documented
from gpuval.metrics._result import finished
from gpuval.metrics.internal._result import OnDegenerate, no_score
from gpuval.metrics.internal._silhouettes import silhouettes
from gpuval.metrics.internal.silhouette import silhouette_score

__all__ = ["silhouette_batch", "silhouette_label"]


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
_IGNORED = """\
    ignore_labels
        One label or several; cells with such a label{also} do not count.
"""


@documented(_CELLS, _HOW, "", _IGNORED.format(also=""), PROGRESS)
def silhouette_label(
    X: Any,
    labels: Any,
    *,
    rescale: bool = True,
    metric: Distance = "euclidean",
    absent: float | None = None,
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
    on_degenerate
        What to do with fewer than 2 labels, or with as many as cells: "raise" a ValueError, or return "nan".

    Returns
    -------
    score
        Of the library of X, and on its device. No unit.

    Raises
    ------
    TypeError, ValueError
        For what :func:`silhouette_score` raises.

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
    """
    score = silhouette_score(
        X,
        labels,
        metric=metric,
        absent=absent,
        ignore_labels=ignore_labels,
        on_degenerate=on_degenerate,
        progress=progress,
    )
    return (score + 1) / 2 if rescale else score


@documented(_CELLS, "", _HOW, _IGNORED.format(also=" or of such a batch"), PROGRESS)
def silhouette_batch(
    X: Any,
    labels: Any,
    batch: Any,
    *,
    rescale: bool = True,
    metric: Distance = "euclidean",
    between_cluster_distances: Between = "nearest",
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
    batch
        The batch of each cell, shape (n_cells,): beside X, or on the host; with the index of X and labels, if it has
        one and they do.
    between_cluster_distances
        What a silhouette compares the distances to the own batch with: the mean distance to the "nearest" other batch,
        to the "furthest", or to all cells of other batches, "mean_other" [2]_: with the metric "cosine" it is
        their BRAS.
    on_degenerate
        What to do if no label has cells of two batches: "raise" a ValueError, or return "nan".

    Returns
    -------
    score
        Of the library of X, and on its device. No unit.

    Raises
    ------
    TypeError, ValueError
        For what :func:`silhouette_score` raises of X, labels and batch.

    Notes
    -----
    Precomputed distances are an error here. Leaves the device: labels and batches, for the cells of each label.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.
    .. [2] P. Rautenstrauch and U. Ohler, "Shortcomings of silhouette in single-cell integration benchmarking", Nature
       Biotechnology, 2025.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.0], [0.0], [0.0], [5.0], [5.0], [5.0], [5.0]]
    >>> float(gpuval.silhouette_batch(X, ["B"] * 4 + ["T"] * 4, [1, 1, 2, 2, 1, 1, 2, 2]))
    1.0
    >>> float(gpuval.silhouette_batch([[0.0], [0.0], [5.0], [5.0]], ["B"] * 4, [1, 1, 2, 2]))
    0.0
    """
    check_option("between_cluster_distances", between_cluster_distances, get_args(Between))
    check_option("on_degenerate", on_degenerate, get_args(OnDegenerate))
    metric = known_distance(metric, tuple(x for x in DISTANCES if x != "precomputed"))
    points = read_points(X, labels, ignore_labels=ignore_labels, ignored_elsewhere=True)
    in_batches = read_points(points.X, batch, ignore_labels=ignore_labels, name="batch", ignored_elsewhere=True)
    check_indexes(X=X, labels=labels, batch=batch)
    if ignore_labels is not None:
        named = {"labels": labels, "batch": batch}
        check_ignored(read_ignored(ignore_labels), *(read_labels(x, name) for name, x in named.items()))
    xp = points.xp
    has_batch = in_batches.codes < in_batches.n_clusters
    points = replace(points, codes=xp.where(has_batch, points.codes, xp.full_like(points.codes, points.n_clusters)))
    points = points.finite(in_any_unit=metric in IN_ANY_UNIT)
    codes, batches = to_host(points.codes), to_host(in_batches.codes)
    order = np.argsort(codes, kind="stable")
    edges = np.searchsorted(codes[order], np.arange(points.n_clusters + 1))
    scores = []
    with Progress(len(codes), progress) as bar:
        for first, last in pairwise(edges.tolist()):
            cells = order[first:last]
            if 2 <= len(np.unique(batches[cells])) < len(cells):
                group = read_points(taken(points.X, points.indices(cells)), batches[cells])
                values = silhouettes(group, metric, between_cluster_distances, None, bar)
                scores.append(xp.mean(xp.abs(values)))
            else:
                bar.advance(len(cells))
    if not scores:
        if on_degenerate == "raise":
            raise ValueError(
                "batch must have 2 or more values, and fewer than cells, among the cells of one label at least, got no "
                f"such label among {points.n_clusters}; on_degenerate='nan' gives NaN instead"
            )
        return no_score(points)
    mean = xp.mean(xp.stack(scores))
    return finished(1 - mean if rescale else mean, points.given)
