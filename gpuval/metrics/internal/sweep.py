"""Scores of many labelings of the same samples, as a sweep over resolutions gives them, in one pass over distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.geometry.distances.names import Distance, known_distance
from gpuval.geometry.distances.precomputed import read_for_labelings
from gpuval.geometry.points import Points
from gpuval.geometry.sampling import Drawn, check_sampling, drawn
from gpuval.inputs.labels import named_labelings
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
    """Mean silhouettes of the samples by each of several labelings, such as those of a sweep over resolutions.

    Each is what :func:`silhouette_score` gives; the distances between samples are found once for all ([1]_, page 59,
    not checked against the text). From -1 to 1; higher is better.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors, each of shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes.
    sample_size
        How many samples to find the silhouettes of, the same for all labelings: see :func:`silhouette_score`.
    random_state
        A seed, or a generator of NumPy, for what is drawn.

    Returns
    -------
    scores
        Shape (n_labelings,), in the order of the labelings; of the library of X, and on its device. No unit. NaN for
        a labeling of fewer than 2 clusters or of as many as samples, with ``on_degenerate="nan"``.

    Raises
    ------
    TypeError, ValueError
        For samples, labelings, weights or options that are not as above, with the argument named; with ``sample_size``,
        for labelings that ignore different samples.

    Notes
    -----
    Time is that of :func:`silhouette_score`, and for each labeling that of adding up the distances, each once: less
    where samples share their clusters in many labelings, as those of a sweep do; little is gained with few features
    and many clusters that have nothing in common. With a gradient, on the host, and for "sqeuclidean", "cosine" and
    "correlation", it is that of as many scores. Memory is that of the samples, and of a number for each sample and each
    cluster of all labelings, up to 256 MB or the size of X; beyond that, distances are found twice. On a GPU they are
    there by the tile, not in a kernel. What leaves the device: see :func:`silhouette_samples`.

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
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_clusters": n_clusters}
    several = read_for_labelings(X, vectors, metric, absent, **building)
    have_score = [not is_degenerate(x, on_degenerate, name) for name, x in zip(vectors, several, strict=True)]
    left = [points for points, has in zip(several, have_score, strict=True) if has]
    sample = None if sample_size is None or not left else _drawn(left, sample_size, random_state)
    scores = iter(mean_silhouettes(left, metric, sample, progress) if left else [])
    every = [
        score_or_nan(next(scores)[1].score if has else None, x) for has, x in zip(have_score, several, strict=True)
    ]
    return finished(several[0].xp.stack(every), several[0].given)


def _drawn(several: Sequence[Points], size: int, random_state: Any) -> Drawn:
    """Rows of the samples that count by each labeling."""
    counted = [to_host(points.codes < points.n_clusters) for points in several]
    for of_one in counted[1:]:
        if not np.array_equal(of_one, counted[0]):
            raise ValueError(
                "labelings must ignore the same samples with sample_size, got "
                f"{int((~counted[0]).sum())} and {int((~of_one).sum())} ignored samples; score them one by one"
            )
    return drawn(several[0], size, random_state, stratified=False)
