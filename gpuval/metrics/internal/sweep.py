"""Silhouette scores of many labelings of the same samples, with one pass over the distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.geometry.distances.names import Distance, known_distance
from gpuval.geometry.distances.precomputed import read_for_labelings
from gpuval.geometry.points import Points
from gpuval.geometry.sampling import Drawn, check_sampling, drawn
from gpuval.inputs.containers import read_again
from gpuval.inputs.labels import named_labelings, read_labels
from gpuval.inputs.selection import check_ignored, read_ignored
from gpuval.metrics._common.documents import COMMON, DISTANCE, PROGRESS, SAMPLES, WEIGHTS, documented
from gpuval.metrics._common.result import finished
from gpuval.metrics.internal._result import OnDegenerate, is_degenerate, score_or_nan
from gpuval.metrics.internal._silhouettes import mean_silhouettes

__all__ = ["silhouette_scores"]


@documented(SAMPLES, "", DISTANCE, WEIGHTS, COMMON, PROGRESS)
def silhouette_scores(
    X: Any,
    labelings: Any,
    *,
    metric: Distance = "euclidean",
    absent: float | None = None,
    sample_size: int | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_clusters: int | None = None,
    on_degenerate: OnDegenerate = "raise",
    progress: bool = False,
) -> Any:
    """Silhouette score of each of several labelings of the same samples, such as a sweep over resolutions.

    Use it to choose among many clusterings, such as a number of clusters or a resolution. Each score is the one that
    :func:`silhouette_score` gives ([1]_, page 59, not checked against the text), but the distances between samples are
    computed once for all labelings. Scores range from -1 to 1; higher is better.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, or a DataFrame of pandas or polars), or a sequence of label
        vectors. Each has shape (n_samples,), and is of any kind that :meth:`Contingency.from_labels` takes.
    sample_size
        How many samples to compute silhouettes for, the same ones for all labelings: see :func:`silhouette_score`.
    random_state
        A seed, or a random generator of NumPy, for the drawing.

    Returns
    -------
    scores
        Shape (n_labelings,), in the order of the labelings, in the array library of X, on its device. No unit. With
        ``on_degenerate="nan"``, NaN for a labeling of fewer than 2 clusters or of as many clusters as samples.

    Raises
    ------
    TypeError, ValueError
        If samples, labelings, weights or options are not as described above; the message names the argument. With
        ``sample_size``, also if the labelings ignore different samples.

    Notes
    -----
    Time is that of one :func:`silhouette_score`, plus that of adding up the distances once for each labeling. Adding up
    takes less time if samples share their clusters in many labelings, as in a sweep; little is saved with few features
    and many unrelated clusters. With gradients on the host, and for "sqeuclidean", "cosine" and "correlation", it takes
    as long as separate scores.

    Memory is that of the samples, plus one number for each sample and each cluster of all labelings, up to 256 MB or
    the size of X; beyond that, distances are computed twice. On a GPU, distances are computed a tile at a time by array
    operations, not by a kernel. For what is copied from a device, see :func:`silhouette_samples`.

    References
    ----------
    .. [1] P. J. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis",
       Journal of Computational and Applied Mathematics 20, 1987.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.0], [8.0], [8.0]]
    >>> gpuval.silhouette_scores(X, {"0.5": [0, 0, 1, 1], "1.0": [0, 1, 2, 2]})
    array([1. , 0.5])
    >>> gpuval.silhouette_scores([[0.0], [1.0], [0.0], [1.0]], [[0, 0, 1, 1], [1, 1, 0, 0]])
    array([-0.5, -0.5])
    """
    check_sampling(sample_size, False, random_state)
    _, vectors = named_labelings(labelings)
    metric = known_distance(metric)
    ignore = read_ignored(ignore_labels)
    building = {"sample_weight": read_again(sample_weight), "ignore_labels": ignore, "n_clusters": n_clusters}
    several = read_for_labelings(X, vectors, metric, absent, ignored_elsewhere=True, **building)
    if ignore:  # each of a type that one of the labelings could hold
        check_ignored(ignore, *(read_labels(x, name) for name, x in vectors.items()))
    have_score = [not is_degenerate(x, on_degenerate, name) for name, x in zip(vectors, several, strict=True)]
    left = [points for points, has in zip(several, have_score, strict=True) if has]
    sample = None if sample_size is None or not left else _drawn(left, sample_size, random_state)
    scores = iter(mean_silhouettes(left, metric, sample, progress) if left else [])
    every = [
        score_or_nan(next(scores)[1].score if has else None, x) for has, x in zip(have_score, several, strict=True)
    ]
    return finished(several[0].xp.stack(every), several[0].given)


def _drawn(several: Sequence[Points], size: int, random_state: Any) -> Drawn:
    """Draw rows among the samples that count, which must be the same by each labeling."""
    counted = [to_host(points.codes < points.n_clusters) for points in several]
    for of_one in counted[1:]:
        if not np.array_equal(of_one, counted[0]):
            raise ValueError(
                "labelings must ignore the same samples with sample_size, got "
                f"{int((~counted[0]).sum())} and {int((~of_one).sum())} ignored samples; score them one by one"
            )
    return drawn(several[0], size, random_state, stratified=False)
