"""A graph of nearest neighbours, and its modularity by igraph."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.workloads import NDArray


def graph_of(n_samples: int, n_neighbors: int, n_labels: int) -> tuple[sparse.csr_array, NDArray]:
    """Weights of edges to samples that are near by their numbers, and labels of which most edges lie inside."""
    random = np.random.default_rng(0)
    steps = random.choice(np.arange(1, 3 * n_neighbors), n_neighbors, replace=False)
    indices = np.sort((np.arange(n_samples)[:, None] + steps * random.integers(1, 60, (n_samples, 1))) % n_samples)
    starts = np.arange(n_samples + 1, dtype=np.int32) * n_neighbors
    weights = random.random(n_samples * n_neighbors, dtype=np.float32)
    graph = sparse.csr_array((weights, indices.astype(np.int32).ravel(), starts), shape=(n_samples, n_samples))
    return graph, np.sort(random.integers(0, n_labels, n_samples))


def of_igraph(graph: sparse.csr_array, labels: NDArray) -> Any:
    """Modularity by igraph's fastest way: edges as one array of 64-bit integers, the weights as a list."""
    import igraph

    n = graph.shape[0]
    edges = np.stack([np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices.astype(np.int64)], axis=1)
    made = igraph.Graph(n=n, edges=edges, directed=True)
    return made.modularity(labels.tolist(), weights=graph.data.astype(float).tolist(), directed=False)
