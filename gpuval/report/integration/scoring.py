"""The scores that benchmarks of integration report of one embedding, each by its own measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.geometry.moments import listed
from gpuval.geometry.neighbors.graphs.components import Connection
from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.inputs.labels import check_indexes, one_or_several
from gpuval.inputs.matrices.features import read_features
from gpuval.metrics._common.naming import called, without_ignoring
from gpuval.metrics._common.result import finished
from gpuval.metrics.external.information import normalized_mutual_info_score
from gpuval.metrics.external.pair_counting import adjusted_rand_score
from gpuval.metrics.graph.connectivity import graph_connectivity_score
from gpuval.metrics.integration.isolated_labels import isolated_labels_score
from gpuval.metrics.integration.kbet import kbet_score
from gpuval.metrics.integration.lisi import clisi_score, ilisi_score
from gpuval.metrics.integration.regression import pcr_comparison_score
from gpuval.metrics.integration.silhouettes import silhouette_batch, silhouette_label
from gpuval.metrics.internal._result import OnDegenerate
from gpuval.numerics import Array
from gpuval.report.integration.k_means import k_means
from gpuval.report.integration.result import IntegrationScores
from gpuval.report.integration.search import N_NEIGHBORS, neighbors_by, read_n_neighbors
from gpuval.report.results.scores import plain
from gpuval.table.labelings import Labeling, read_labelings, table_of

__all__ = ["integration_scores"]

_BRAS: dict[str, Any] = {"metric": "cosine", "between_cluster_distances": "mean_other"}

_FEW_LABELS = "needs two labels, and a label of two cells"

_WHY_NONE = {
    "Isolated labels": "no label is isolated: all are in all batches",
    "Silhouette label": _FEW_LABELS,
    "cLISI": "needs two labels",
    "BRAS": "needs a label with cells of two batches, and two cells of one",
    "iLISI": "needs two batches",
    "KBET": "needs a label with cells of two batches, and neighbours of it that a test could reject",
    "PCR comparison": "needs the cells before the integration: unintegrated=",
}
"""Of each score that may have no value, where that is so."""


def integration_scores(
    X: Any,
    batch: Any,
    label: Any,
    *,
    neighbors: Any = "exact",
    unintegrated: Any = None,
    clusterings: Any = None,
    n_neighbors: Sequence[int] = N_NEIGHBORS,
    connection: Connection = "weak",
    alpha: float = 0.05,
    most_batches: int | None = None,
    random_state: Any = 0,
    progress: bool = False,
) -> IntegrationScores:
    """Scores of one embedding of cells from several batches: what it keeps of biology, and what it takes of batches.

    The ten scores that scib-metrics' ``Benchmarker`` finds by default, the mean of those of each group, and the total:
    0.6 of the mean of the first, bio conservation, and 0.4 of that of the second, batch correction ([1]_, not checked
    against the text). Each is from 0 to 1, which is best.

    Parameters
    ----------
    X
        The embedding, shape (n_cells, n_features), real and finite: an array of any library, a data frame, or nested
        sequences.
    batch, label
        The batch and the label of each cell, such as its type, shape (n_cells,): beside X, or on the host; with its
        index, if both have one. All cells count.
    neighbors
        The nearest neighbours of each cell in X, by their distances: a :class:`Neighbors`, or what one is made of, such
        as the pair (indices, distances) of a search for 90 neighbours, the cell among them. Or the search: a function
        that gives such a pair when it is called with X and that number, or one by its name, on the host: "exact",
        scikit-learn's, which takes a time by the square of the number of cells, or "pynndescent", an approximate one
        with the options of scib-metrics, for more than about 10^5 cells.
    unintegrated
        The cells before the integration, shape (n_cells, any number), such as their principal components; without it,
        the comparison of regressions is left out.
    clusterings
        Clusterings of the cells, for NMI and ARI: those of the one with the largest NMI, as scIB has it. A mapping from
        names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label vectors, such as
        those of a sweep over resolutions; or one label vector. By default the clusters of k-means, as many as there are
        labels.
    n_neighbors
        How many neighbours, without the cell itself, the graph connectivity, kBET and LISI take, three numbers: by
        default as many as in scib-metrics. Other numbers give other scores.
    connection
        When cells are connected: see :func:`graph_connectivity_score`. scib-metrics has "strong".
    alpha
        The level of the tests of kBET: see :func:`kbet_score`.
    most_batches
        Labels in at most so many batches are isolated: see :func:`isolated_labels_score`.
    random_state
        A seed, or a generator of NumPy, for the starts of k-means.
    progress
        Whether to show bars, of tqdm, for silhouettes.

    Returns
    -------
    IntegrationScores
        A mapping from names to scores, of the library and on the device of X. Of the bio conservation: "Isolated
        labels" (:func:`isolated_labels_score`), "KMeans NMI" and "KMeans ARI", or "Clustering NMI" and "Clustering ARI"
        of ``clusterings``, "Silhouette label" (:func:`silhouette_label`), "cLISI" (:func:`clisi_score`); of the batch
        correction: "BRAS" (:func:`silhouette_batch` of cosines, with "mean_other"), "iLISI" (:func:`ilisi_score`),
        "KBET" (:func:`kbet_score` of each label), "Graph connectivity" and "PCR comparison"
        (:func:`pcr_comparison_score`). A score that has no value is NaN, no part of a mean, and in ``left_out`` with
        the reason; those that labels have are in ``by_label``.

    Raises
    ------
    TypeError, ValueError
        For cells, batches, labels, neighbours, clusterings or options that are not as above, with the argument named;
        for fewer neighbours than ``n_neighbors``, and for too few cells to search for as many.
    ImportError
        Without scikit-learn or pynndescent, where these are to search.

    Notes
    -----
    How scores differ from those of scib-metrics is said in docs/coming-from-scib-metrics.md. k-means is on the
    host, the best of ten starts: the embedding is copied there, unless ``clusterings`` are given. Leaves the device:
    that, what each measure says of itself, labels and batches, if neighbours lie on the host, and the scores, as those
    that are no number are no part of the means.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    Two labels that are far apart, with both batches in the same places; then with all cells of a batch in one:

    >>> import gpuval
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 2))
    >>> X[200:] += 20
    >>> label, mixed, apart = ["B"] * 200 + ["T"] * 200, [0, 1] * 200, (X[:, 0] > np.repeat([0, 20], 200)).astype(int)
    >>> gpuval.integration_scores(X, mixed, label)
    Bio conservation      0.9922
      Isolated labels          -  no label is isolated: all are in all batches
      KMeans NMI          1.0000
      KMeans ARI          1.0000
      Silhouette label    0.9686
      cLISI               1.0000
    Batch correction      0.9646
      BRAS                0.9134
      iLISI               0.9577
      KBET                0.9875
      Graph connectivity  1.0000
      PCR comparison           -  needs the cells before the integration:
                                  unintegrated=
    Total                 0.9811
    >>> scores = gpuval.integration_scores(X, apart, label)
    >>> round(float(scores["KMeans ARI"]), 4), float(scores["iLISI"]) < 0.3
    (1.0, True)
    """
    numbers = read_n_neighbors(n_neighbors)
    with without_ignoring():
        given, cells, _ = read_features(X, 0, False)
        if not cells.shape[0]:
            raise ValueError(f"X must have at least one cell, got shape {tuple(cells.shape)}")
        vectors = {} if clusterings is None else one_or_several(clusterings, "clusterings")
        codes, batches, clusters, names = _read(label, batch, vectors, cells.shape[0])
    check_indexes(X=X, unintegrated=unintegrated, batch=batch, label=label, **vectors)
    found = neighbors_by(neighbors, cells, max(numbers) + 1)
    of_graph, of_tests, of_lisi = (_nearest(found, cells.shape[0], k) for k in numbers)
    near = [to_host(x) if _is_of_host(of_lisi) else x for x in (codes, batches)]
    silhouettes = silhouette_label(X, codes, on_degenerate="nan", return_per_label=True, progress=progress)
    isolated = _isolated(codes, batches, silhouettes, most_batches)
    of_batches = silhouette_batch(
        X, codes, batches, on_degenerate="nan", return_per_label=True, progress=progress, **_BRAS
    )
    bio = {
        "Isolated labels": isolated,
        **_of_clusters(codes, cells, clusters, random_state),
        "Silhouette label": silhouettes,
        "cLISI": clisi_score(of_lisi, near[0], return_per_label=True),
    }
    corrected = {
        "BRAS": of_batches,
        "iLISI": ilisi_score(of_lisi, near[1]),
        "KBET": kbet_score(of_tests, near[1], labels=near[0], alpha=alpha, return_per_label=True),
        "Graph connectivity": graph_connectivity_score(of_graph, near[0], connection=connection, return_per_label=True),
        "PCR comparison": _compared(unintegrated, X, batches),
    }
    by_label = {name: _named(x, names) for name, x in (bio | corrected).items() if hasattr(x, "label_scores")}
    bio, corrected = ({name: _beside(x, given) for name, x in scores.items()} for scores in (bio, corrected))
    left_out = {name: _WHY_NONE[name] for name, score in (bio | corrected).items() if math.isnan(plain(score))}
    if "Silhouette label" in left_out and "Isolated labels" in left_out:  # a score of silhouettes, too
        left_out["Isolated labels"] = _FEW_LABELS
    return IntegrationScores(bio, corrected, left_out, by_label)


def _read(
    label: Any, batch: Any, clusterings: Mapping[str, Any], n_cells: int
) -> tuple[Array, Array, list[Labeling], list[Any]]:
    """Labels and batches as integers, found once for all measures, clusterings, and the label that each integer is."""
    found = read_labelings({"label": label, "batch": batch}, None, None, None, None)
    for labeling in found:
        if labeling.vector.size != n_cells:
            raise ValueError(
                f"{labeling.vector.name} must have as many samples as X ({n_cells}), got {labeling.vector.size}"
            )
    labels, batches = (x.codes for x in found if x.codes is not None)
    several = read_labelings({"label": labels.codes, **clusterings}, None, None, None, None) if clusterings else []
    return labels.codes, batches.codes, several, listed(labels.values)


def _nearest(found: Neighbors, n_cells: int, k: int) -> Neighbors:
    if found.n_samples != n_cells:
        raise ValueError(f"neighbors must be of as many samples as X ({n_cells}), got {found.n_samples}")
    if found.knn is not None and found.knn.n_neighbors < k:
        raise ValueError(
            f"neighbors must have {k} nearest neighbours of each cell, without itself, got {found.knn.n_neighbors}; "
            "n_neighbors= takes fewer, of which scores are others"
        )
    return found.nearest(k)


def _is_of_host(neighbors: Neighbors) -> bool:
    """Whether labels on a device must be copied to be beside neighbours."""
    return neighbors.knn is not None and neighbors.knn.backend.on_host


def _isolated(codes: Array, batches: Array, silhouettes: Any, most_batches: int | None) -> Any:
    """What :func:`isolated_labels_score` of X gives, from the silhouettes of labels that are there.

    Which labels are isolated is the same for any score of theirs, such as one of the labels as a clustering.
    """
    if_none: OnDegenerate = "nan" if most_batches is None else "raise"
    found = isolated_labels_score(
        codes, batches, clusterings=codes, most_batches=most_batches, on_degenerate=if_none, return_per_label=True
    )
    scores, backend = silhouettes.label_scores, backend_of(silhouettes.label_scores)
    places = np.searchsorted(to_host(silhouettes.labels), to_host(found.labels))
    scores = backend.xp.take(scores, backend.from_host(places, scores))
    score = backend.xp.mean(scores) if len(places) else silhouettes.score + math.nan
    return found._replace(score=finished(score, silhouettes.score), label_scores=scores)


def _of_clusters(codes: Array, cells: Any, given: list[Labeling], random_state: Any) -> dict[str, Any]:
    """NMI and ARI of the clusters of k-means, or of the clustering that is given with the largest NMI."""
    if not given:
        on_host, rows = to_host(codes), cells.toarray() if is_sparse(cells) else cells
        clusters = k_means(to_host(backend_of(rows).without_gradient(rows)), len(np.unique(on_host)), random_state)
        tables = [table_of(*read_labelings({"label": on_host, "clusters": clusters}, None, None, None, None))]
    else:
        truth, *several = given
        tables = [table_of(truth, x) for x in several]
    scores = [normalized_mutual_info_score(table) for table in tables]
    best = int(np.argmax([float(plain(x)) for x in scores]))
    kind = "Clustering" if given else "KMeans"
    return {f"{kind} NMI": scores[best], f"{kind} ARI": adjusted_rand_score(tables[best])}


def _compared(unintegrated: Any, X: Any, batches: Array) -> Any:
    if unintegrated is None:
        return math.nan
    with called(X_before="unintegrated", X_after="X", covariate="batch"):
        return pcr_comparison_score(unintegrated, X, batches)


def _named(found: Any, names: list[Any]) -> dict[Any, float]:
    """The score of each label, by its name."""
    return {names[int(x)]: float(y) for x, y in zip(plain(found.labels), plain(found.label_scores), strict=True)}


def _beside(score: Any, given: Array) -> Any:
    """A score in the library of X, and on its device."""
    score = getattr(score, "score", score)
    if is_array(score) and backend_of(score) is backend_of(given):
        return score
    return finished(backend_of(given).from_host(np.float64(plain(score)), given))
