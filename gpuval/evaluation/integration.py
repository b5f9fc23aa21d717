"""The scores of one embedding in benchmarks of integration: input that is read once, and a score by each measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_sparse, to_host
from gpuval.evaluation.k_means import k_means
from gpuval.evaluation.neighbor_search import N_NEIGHBORS, Search, neighbors_by, read_n_neighbors
from gpuval.geometry.moments import label_list
from gpuval.geometry.neighbors.components import Connection
from gpuval.geometry.neighbors.neighbors import Neighbors
from gpuval.geometry.progress import import_tqdm
from gpuval.inputs.features import check_finite, exact_floats, read_features
from gpuval.inputs.labels import check_indexes, one_or_several
from gpuval.inputs.options import check_option, check_probability, check_size, generator
from gpuval.measures.result import as_result, hide_ignore_advice, rename_arguments
from gpuval.measures.samples import OnDegenerate
from gpuval.metrics.external.information import normalized_mutual_info_score
from gpuval.metrics.external.pair_counting import adjusted_rand_score
from gpuval.metrics.graph import graph_connectivity_score
from gpuval.metrics.integration.isolated_labels import isolated_labels_score
from gpuval.metrics.integration.kbet import kbet_score
from gpuval.metrics.integration.lisi import clisi_score, ilisi_score
from gpuval.metrics.integration.pcr import pcr_comparison_score
from gpuval.metrics.integration.silhouettes import silhouette_batch, silhouette_label
from gpuval.numerics import Array
from gpuval.results.integration import IntegrationScores
from gpuval.results.scores import plain
from gpuval.table.labelings import Labeling, read_labelings, table_of

__all__ = ["integration_scores"]


def integration_scores(
    X: Any,
    batch: Any,
    label: Any,
    *,
    neighbors: Search | Any = "exact",
    unintegrated: Any = None,
    clusterings: Any = None,
    n_neighbors: Sequence[int] = N_NEIGHBORS,
    connection: Connection = "weak",
    alpha: float = 0.05,
    most_batches: int | None = None,
    random_state: Any = 0,
    progress: bool = False,
) -> IntegrationScores:
    """Score an embedding of cells from several batches: how well it keeps cell types and removes batch effects.

    These are the ten scores that ``Benchmarker`` of scib-metrics computes by default, in two groups: bio conservation
    (are cell types kept apart?) and batch correction (are batches mixed?). There are also the mean of each group, and
    the total: 0.6 of the mean of bio conservation plus 0.4 of the mean of batch correction ([1]_). Each score is from 0
    to 1, but the ARI can be below 0, down to -1/2; higher is better.

    Parameters
    ----------
    X
        The embedding, shape (n_cells, n_features), real and finite: an array of any library, a data frame, or nested
        sequences.
    batch, label
        The batch and the label of each cell, such as its cell type, shape (n_cells,): on the device of X, or on the
        host. If X and they have an index, it must be the same. All cells count.
    neighbors
        The nearest neighbours of each cell in X with their distances, or how to search for them. One of:

        - a :class:`Neighbors`, or anything that one can be made of, such as the pair (indices, distances) of a search
          for 90 neighbours, including the cell itself;
        - a function that returns such a pair when it is called with X and that number;
        - "exact": the search of scikit-learn, on the host; its time grows with the square of the number of cells;
        - "pynndescent": an approximate search on the host, with the options of scib-metrics, for more than about 10^5
          cells.

        In the result of a search, cells that are equal may have taken the place of the cell itself.
    unintegrated
        The cells before the integration, shape (n_cells, any number), such as their principal components. Without it,
        the PCR comparison is left out; it is also left out if there is a single batch.
    clusterings
        Clusterings of the cells, for NMI and ARI: those of the clustering with the largest NMI, as in scIB. A mapping
        from names to label vectors (a dictionary, or a DataFrame of pandas or polars), a sequence of label vectors,
        such as those of a sweep over resolutions, or one label vector. By default, k-means with as many clusters as
        there are labels.
    n_neighbors
        Three numbers: how many neighbours, without the cell itself, graph connectivity, kBET and LISI use. By default
        those of scib-metrics; other numbers give other scores.
    connection
        When two cells are connected: see :func:`graph_connectivity_score`. scib-metrics uses "strong".
    alpha
        The significance level of the tests of kBET: see :func:`kbet_score`.
    most_batches
        A label is isolated if it is in at most this many batches: see :func:`isolated_labels_score`.
    random_state
        A seed, or a random generator of NumPy, for the starts of k-means.
    progress
        Whether to show progress bars (tqdm) for silhouettes.

    Returns
    -------
    IntegrationScores
        A mapping from names to scores, in the array library of X, on its device.

        - Bio conservation: "Isolated labels" (:func:`isolated_labels_score`), "KMeans NMI" and "KMeans ARI" (or, with
          ``clusterings``, "Clustering NMI" and "Clustering ARI"), "Silhouette label" (:func:`silhouette_label`) and
          "cLISI" (:func:`clisi_score`).
        - Batch correction: "BRAS" (:func:`silhouette_batch` with "cosine" and "mean_other"), "iLISI"
          (:func:`ilisi_score`), "KBET" (:func:`kbet_score` of each label), "Graph connectivity"
          (:func:`graph_connectivity_score`) and "PCR comparison" (:func:`pcr_comparison_score`).

        A score that has no value is NaN and does not count in a mean; ``left_out`` has the reason. ``by_label`` has the
        scores of single labels.

    Raises
    ------
    TypeError, ValueError
        If cells, batches, labels, neighbours, clusterings or options are not as described above; the message names the
        argument. Also if there are fewer neighbours than ``n_neighbors``, or too few cells to search for so many. All
        this is checked before a search; only the result of the search is checked after it.
    ImportError
        If scikit-learn or pynndescent is to search, and is not installed.

    Notes
    -----
    docs/coming-from-scib-metrics.md explains how scores differ from those of scib-metrics.

    k-means runs on the host, and the best of ten starts is used: the embedding is copied there, unless ``clusterings``
    are given. Further copies from a device to the host: those of each measure, one or two numbers for each check of the
    input, labels and batches if the neighbours are on the host, and the scores, because means leave out NaN.

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
    Bio conservation      0.992  ██████████
      Isolated labels         –  no label is isolated: all are in all batches
      KMeans NMI          1.000  ██████████
      KMeans ARI          1.000  ██████████
      Silhouette label    0.969  ██████████
      cLISI               1.000  ██████████
    Batch correction      0.965  ██████████
      BRAS                0.913  █████████░
      iLISI               0.958  ██████████
      KBET                0.988  ██████████
      Graph connectivity  1.000  ██████████
      PCR comparison          –  needs the cells before the integration:
                                 unintegrated=
    Total                 0.981  ██████████
    >>> scores = gpuval.integration_scores(X, apart, label)
    >>> round(float(scores["KMeans ARI"]), 4), float(scores["iLISI"]) < 0.3
    (1.0, True)
    """
    options = read_scoring_options(n_neighbors, connection, alpha, most_batches, random_state, progress)
    embedding = read_cells(X)
    vectors = {} if clusterings is None else one_or_several(clusterings, "clusterings")
    annotations = read_annotations(label, batch, vectors, embedding.rows.shape[0], options.most_batches)
    check_indexes(X=X, unintegrated=unintegrated, batch=batch, label=label, **vectors)
    find = neighbors_by(neighbors, "neighbors", embedding.rows.shape[0], max(options.n_neighbors))
    return scores_of_embedding(embedding, annotations, find, unintegrated, options)


# The scores of an embedding, each by its own measure, from input that was read and checked.

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
    embedding: CellEmbedding,
    annotations: Annotations,
    neighbors_of: Callable[[Any], Neighbors],
    unintegrated: Any,
    options: Options,
) -> IntegrationScores:
    """The scores of an embedding; ``neighbors_of`` is a function that gives the neighbours of its cells."""
    X, codes, batches = embedding.X, annotations.labels, annotations.batches
    # First, because it checks the unintegrated cells, and a search takes longer.
    compared = _pcr_comparison(unintegrated, X, annotations)
    neighbors = neighbors_of(embedding.rows)
    of_graph, of_tests, of_lisi = (neighbors.nearest(k) for k in options.n_neighbors)
    near = [to_host(x) if _is_of_host(of_lisi) else x for x in (codes, batches)]
    shown: dict[str, Any] = {"on_degenerate": "nan", "return_per_label": True, "progress": options.progress}
    silhouettes = silhouette_label(X, codes, **shown)
    bio = {
        "Isolated labels": _score_isolated_labels(annotations.isolated, silhouettes),
        **_cluster_scores(annotations, embedding.rows, options.random_state),
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
    by_label = {name: _scores_by_name(x, names) for name, x in (bio | corrected).items() if hasattr(x, "label_scores")}
    bio, corrected = (
        {name: _move_score(x, embedding.like) for name, x in scores.items()} for scores in (bio, corrected)
    )
    left_out = {name: _WHY_NONE[name] for name, score in (bio | corrected).items() if math.isnan(plain(score))}
    if "Silhouette label" in left_out and "Isolated labels" in left_out:  # a score of silhouettes, too
        left_out["Isolated labels"] = _FEW_LABELS
    if not annotations.has_two_batches:
        left_out["PCR comparison"] = _FEW_BATCHES
    return IntegrationScores(bio, corrected, left_out, by_label)


def _is_of_host(neighbors: Neighbors) -> bool:
    """Whether labels on a device must be copied to be beside neighbours."""
    return neighbors.knn is not None and neighbors.knn.backend.on_host


def _score_isolated_labels(found: Any, silhouettes: Any) -> Any:
    """What :func:`isolated_labels_score` of X gives, from the silhouettes of labels that are there."""
    scores, backend = silhouettes.label_scores, backend_of(silhouettes.label_scores)
    places = np.searchsorted(to_host(silhouettes.labels), to_host(found.labels))
    scores = backend.xp.take(scores, backend.from_host(places, scores))
    score = backend.xp.mean(scores) if len(places) else silhouettes.score + math.nan
    return found._replace(score=as_result(score, silhouettes.score), label_scores=scores)


def _cluster_scores(annotations: Annotations, cells: Any, random_state: Any) -> dict[str, Any]:
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


def _pcr_comparison(unintegrated: Any, X: Any, annotations: Annotations) -> Any:
    """The PCR comparison; also NaN for a single batch, which explains nothing before or after."""
    if unintegrated is None:
        return math.nan
    with rename_arguments(X_before="unintegrated", X_after="X", covariate="batch"):
        score = pcr_comparison_score(unintegrated, X, annotations.batches)
    return score if annotations.has_two_batches else math.nan


def _scores_by_name(found: Any, names: list[Any]) -> dict[Any, float]:
    """The score of each label, by its name."""
    return {names[int(x)]: float(y) for x, y in zip(plain(found.labels), plain(found.label_scores), strict=True)}


def _move_score(score: Any, given: Array) -> Any:
    """A score in the library and on the device of X."""
    score = getattr(score, "score", score)
    if is_array(score) and backend_of(score) is backend_of(given):
        return score
    return as_result(backend_of(given).from_host(np.float64(plain(score)), given))


# The input of integration scores, read and checked before anything is computed.


class Options(NamedTuple):
    """How scores are found."""

    n_neighbors: tuple[int, int, int]
    connection: Connection
    alpha: float
    most_batches: int | None
    random_state: Any
    progress: bool


class CellEmbedding(NamedTuple):
    """An embedding of cells."""

    X: Any
    """As it was given."""
    like: Array
    """What scores are like."""
    rows: Any
    """Finite floats, or a sparse matrix of such."""


class Annotations(NamedTuple):
    """What is known of the cells, whatever their embedding is."""

    labels: Array
    """Integers that stand for ``names``."""
    batches: Array
    names: list[Any]
    clusterings: list[Labeling]
    """The labels, then each clustering; empty without clusterings."""
    isolated: Any
    """The isolated labels, as :func:`isolated_labels_score` gives them, by any score."""
    has_two_batches: bool
    """Whether there are so many, or more."""


def read_scoring_options(
    n_neighbors: Any, connection: Any, alpha: Any, most_batches: Any, random_state: Any, progress: Any
) -> Options:
    """The options, each checked as what takes it does."""
    numbers = read_n_neighbors(n_neighbors)
    check_option("connection", connection, get_args(Connection))
    level = check_probability("alpha", alpha)
    most = None if most_batches is None else check_size(most_batches, "most_batches")
    generator(random_state)
    if progress:
        import_tqdm()
    return Options(numbers, connection, level, most, random_state, progress)


def read_cells(X: Any) -> CellEmbedding:
    """An embedding with a cell at least, all of them finite."""
    with hide_ignore_advice():
        like, rows, _ = read_features(X, 0, False)
    if not rows.shape[0]:
        raise ValueError(f"X must have at least one cell, got shape {tuple(rows.shape)}")
    rows, _ = exact_floats(rows, None, may_move=False, looks=True)
    check_finite(rows)
    return CellEmbedding(X, like, rows)


def read_annotations(
    label: Any, batch: Any, clusterings: Mapping[str, Any], n_cells: int, most_batches: int | None
) -> Annotations:
    """Labels and batches as integers, clusterings by their names, and the isolated labels: once for all measures."""
    with hide_ignore_advice():
        found = read_labelings({"label": label, "batch": batch}, None, None, None, None)
        if (size := found[0].vector.size) != n_cells:
            raise ValueError(f"label must have as many samples as X ({n_cells}), got {size}")
        labels, batches = (x.codes for x in found if x.codes is not None)
        named = {"label": labels.codes, **clusterings}
        several = read_labelings(named, None, None, None, None) if clusterings else []
    isolated = _find_isolated_labels(labels.codes, batches.codes, most_batches)
    xp = backend_of(batches.codes).xp
    has_two_batches = bool(to_host(xp.any(batches.codes != batches.codes[:1])))
    return Annotations(labels.codes, batches.codes, label_list(labels.values), several, isolated, has_two_batches)


def _find_isolated_labels(labels: Array, batches: Array, most_batches: int | None) -> Any:
    """Which labels are isolated is the same for any score of theirs, such as one of the labels as a clustering."""
    if_none: OnDegenerate = "nan" if most_batches is None else "raise"
    return isolated_labels_score(
        labels, batches, clusterings=labels, most_batches=most_batches, on_degenerate=if_none, return_per_label=True
    )
