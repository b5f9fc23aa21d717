"""The scores of an embedding, each by its own measure, from input that was read and checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.evaluation.integration.k_means import k_means
from gpuval.evaluation.integration.reading import Annotations, EmbeddedCells, Options
from gpuval.evaluation.integration.result import IntegrationScores
from gpuval.evaluation.results.scores import plain
from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.metrics._common.naming import called
from gpuval.metrics._common.result import finished
from gpuval.metrics.external.information import normalized_mutual_info_score
from gpuval.metrics.external.pair_counting import adjusted_rand_score
from gpuval.metrics.graph.connectivity import graph_connectivity_score
from gpuval.metrics.integration.kbet import kbet_score
from gpuval.metrics.integration.lisi import clisi_score, ilisi_score
from gpuval.metrics.integration.regression import pcr_comparison_score
from gpuval.metrics.integration.silhouettes import silhouette_batch, silhouette_label
from gpuval.numerics import Array
from gpuval.table.labelings import read_labelings, table_of

_BRAS: dict[str, Any] = {"metric": "cosine", "between_cluster_distances": "mean_other"}

_FEW_LABELS = "needs two labels, and a label of two cells"
_FEW_BATCHES = "needs two batches"

_WHY_NONE = {
    **dict.fromkeys(("KMeans NMI", "KMeans ARI", "Clustering NMI", "Clustering ARI"), "needs two labels"),
    "Isolated labels": "no label is isolated: all are in all batches",
    "Silhouette label": _FEW_LABELS,
    "cLISI": "needs two labels",
    "BRAS": "needs a label with cells of two batches, and two cells of one",
    "iLISI": _FEW_BATCHES,
    "KBET": "needs a label with cells of two batches, and enough neighbours of this label for a test",
    "PCR comparison": "needs the cells before the integration: unintegrated=",
}
"""When a score has no value, for each score that may have none."""


def scores_of_embedding(
    embedding: EmbeddedCells,
    annotations: Annotations,
    neighbors_of: Callable[[Any], Neighbors],
    unintegrated: Any,
    options: Options,
) -> IntegrationScores:
    """The scores of an embedding; ``neighbors_of`` is a function that gives the neighbours of its cells."""
    X, codes, batches = embedding.X, annotations.labels, annotations.batches
    # First, because it checks the unintegrated cells, and a search takes longer.
    compared = _compared(unintegrated, X, annotations)
    neighbors = neighbors_of(embedding.rows)
    of_graph, of_tests, of_lisi = (neighbors.nearest(k) for k in options.n_neighbors)
    near = [to_host(x) if _is_of_host(of_lisi) else x for x in (codes, batches)]
    shown: dict[str, Any] = {"on_degenerate": "nan", "return_per_label": True, "progress": options.progress}
    silhouettes = silhouette_label(X, codes, **shown)
    bio = {
        "Isolated labels": _isolated(annotations.isolated, silhouettes),
        **_of_clusters(annotations, embedding.rows, options.random_state),
        "Silhouette label": silhouettes,
        "cLISI": clisi_score(of_lisi, near[0], return_per_label=True),
    }
    corrected = {
        "BRAS": silhouette_batch(X, codes, batches, **shown, **_BRAS),
        "iLISI": ilisi_score(of_lisi, near[1]),
        "KBET": kbet_score(of_tests, near[1], labels=near[0], alpha=options.alpha, return_per_label=True),
        "Graph connectivity": graph_connectivity_score(
            of_graph, near[0], connection=options.connection, return_per_label=True
        ),
        "PCR comparison": compared,
    }
    names = annotations.names
    by_label = {name: _named(x, names) for name, x in (bio | corrected).items() if hasattr(x, "label_scores")}
    bio, corrected = ({name: _beside(x, embedding.like) for name, x in scores.items()} for scores in (bio, corrected))
    left_out = {name: _WHY_NONE[name] for name, score in (bio | corrected).items() if math.isnan(plain(score))}
    if "Silhouette label" in left_out and "Isolated labels" in left_out:  # a score of silhouettes, too
        left_out["Isolated labels"] = _FEW_LABELS
    if not annotations.has_two_batches:
        left_out["PCR comparison"] = _FEW_BATCHES
    return IntegrationScores(bio, corrected, left_out, by_label)


def _is_of_host(neighbors: Neighbors) -> bool:
    """Whether labels on a device must be copied to be beside neighbours."""
    return neighbors.knn is not None and neighbors.knn.backend.on_host


def _isolated(found: Any, silhouettes: Any) -> Any:
    """What :func:`isolated_labels_score` of X gives, from the silhouettes of labels that are there."""
    scores, backend = silhouettes.label_scores, backend_of(silhouettes.label_scores)
    places = np.searchsorted(to_host(silhouettes.labels), to_host(found.labels))
    scores = backend.xp.take(scores, backend.from_host(places, scores))
    score = backend.xp.mean(scores) if len(places) else silhouettes.score + math.nan
    return found._replace(score=finished(score, silhouettes.score), label_scores=scores)


def _of_clusters(annotations: Annotations, cells: Any, random_state: Any) -> dict[str, Any]:
    """NMI and ARI of the clusters of k-means, or of the clustering that is given with the largest NMI.

    They are NaN for one label, which says nothing of clusters: k-means finds it in any cells.
    """
    given = annotations.clusterings
    kind = "Clustering" if given else "KMeans"
    if len(annotations.names) < 2:
        return {f"{kind} NMI": math.nan, f"{kind} ARI": math.nan}
    if not given:
        on_host, rows = to_host(annotations.labels), cells.toarray() if is_sparse(cells) else cells
        clusters = k_means(to_host(backend_of(rows).without_gradient(rows)), len(np.unique(on_host)), random_state)
        tables = [table_of(*read_labelings({"label": on_host, "clusters": clusters}, None, None, None, None))]
    else:
        truth, *several = given
        tables = [table_of(truth, x) for x in several]
    scores = [normalized_mutual_info_score(table) for table in tables]
    best = int(np.argmax([float(plain(x)) for x in scores]))
    return {f"{kind} NMI": scores[best], f"{kind} ARI": adjusted_rand_score(tables[best])}


def _compared(unintegrated: Any, X: Any, annotations: Annotations) -> Any:
    """The PCR comparison; also NaN for a single batch, which explains nothing before or after."""
    if unintegrated is None:
        return math.nan
    with called(X_before="unintegrated", X_after="X", covariate="batch"):
        score = pcr_comparison_score(unintegrated, X, annotations.batches)
    return score if annotations.has_two_batches else math.nan


def _named(found: Any, names: list[Any]) -> dict[Any, float]:
    """The score of each label, by its name."""
    return {names[int(x)]: float(y) for x, y in zip(plain(found.labels), plain(found.label_scores), strict=True)}


def _beside(score: Any, given: Array) -> Any:
    """A score in the library and on the device of X."""
    score = getattr(score, "score", score)
    if is_array(score) and backend_of(score) is backend_of(given):
        return score
    return finished(backend_of(given).from_host(np.float64(plain(score)), given))
