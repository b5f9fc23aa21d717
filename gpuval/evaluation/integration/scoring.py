"""The scores that benchmarks of integration report of one embedding, each by its own measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpuval.evaluation.integration.measures import scores_of_embedding
from gpuval.evaluation.integration.reading import read_annotations, read_cells, read_scoring_options
from gpuval.evaluation.integration.result import IntegrationScores
from gpuval.evaluation.integration.search import N_NEIGHBORS, Search, neighbors_by
from gpuval.geometry.neighbors.graphs.components import Connection
from gpuval.inputs.labels import check_indexes, one_or_several

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
        with the options of scib-metrics, for more than about 10^5 cells. In what a search finds, cells that are equal
        may have taken the place of the cell itself.
    unintegrated
        The cells before the integration, shape (n_cells, any number), such as their principal components; without it,
        the comparison of regressions is left out, as it is of one batch.
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
        for fewer neighbours than ``n_neighbors``, and for too few cells to search for as many. All of that but what a
        search finds is checked before it.
    ImportError
        Without scikit-learn or pynndescent, where these are to search.

    Notes
    -----
    How scores differ from those of scib-metrics is said in docs/coming-from-scib-metrics.md. k-means is on the
    host, the best of ten starts: the embedding is copied there, unless ``clusterings`` are given. Leaves the device:
    that, what each measure says of itself, a number or two for each check, labels and batches, if neighbours lie on the
    host, and the scores, as those that are no number are no part of the means.

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
    options = read_scoring_options(n_neighbors, connection, alpha, most_batches, random_state, progress)
    embedding = read_cells(X)
    vectors = {} if clusterings is None else one_or_several(clusterings, "clusterings")
    annotations = read_annotations(label, batch, vectors, embedding.rows.shape[0], options.most_batches)
    check_indexes(X=X, unintegrated=unintegrated, batch=batch, label=label, **vectors)
    find = neighbors_by(neighbors, "neighbors", embedding.rows.shape[0], max(options.n_neighbors))
    return scores_of_embedding(embedding, annotations, find, unintegrated, options)
