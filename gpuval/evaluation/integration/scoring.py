"""The scores of one embedding in benchmarks of integration, each by its own measure."""

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
    """Score an embedding of cells from several batches: how well it keeps cell types and removes batch effects.

    These are the ten scores that ``Benchmarker`` of scib-metrics computes by default, in two groups: bio conservation
    (are cell types kept apart?) and batch correction (are batches mixed?). There are also the mean of each group, and
    the total: 0.6 of the mean of bio conservation plus 0.4 of the mean of batch correction ([1]_, not checked against
    the text). Each score is from 0 to 1, but the ARI can be below 0, down to -1/2; higher is better.

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
