"""How long measures of a graph take beside igraph: reading the graph, checking it, and the score; one run, medians."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

import gpuval
from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.workloads import NDArray

N_SAMPLES, N_NEIGHBORS, N_LABELS, ROUNDS = 10**6, 15, 20, 3

HEAD = "| call | igraph / gpuval | quartiles | aimed at | gpuval (s) | values |\n| --- | --- | --- | --- | --- | --- |"


@dataclass(frozen=True)
class Row:
    """One call beside igraph's."""

    call: str
    ratio: timing.Spread
    aim: float
    seconds: float
    difference: float

    @property
    def is_wrong(self) -> bool:
        """Whether the values differ, which should be equal."""
        return not self.difference <= 1e-10


def absent() -> str:
    """What is missing; "" if nothing is."""
    try:
        import igraph  # noqa: F401
    except ImportError:
        return "igraph is not installed"
    return ""


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


def rows(n_samples: int = N_SAMPLES, rounds: int = ROUNDS) -> list[Row]:
    """All comparisons."""
    graph, labels = graph_of(n_samples, N_NEIGHBORS, N_LABELS)
    call = f"modularity, n = {n_samples:,}, {N_NEIGHBORS} neighbours, of the sparse matrix"
    return [_row(call, partial(gpuval.modularity_score, graph, labels), partial(of_igraph, graph, labels), 2.0, rounds)]


def _row(call: str, ours: Callable[[], Any], others: Callable[[], Any], aim: float, rounds: int) -> Row:
    calls = {"igraph": Call(others), "gpuval": Call(ours)}
    difference = abs(float(ours()) - float(others()))
    seconds = timing.in_turn(calls, 0.0, rounds, timing.PAUSE)
    ratio, own = timing.quotients(seconds, "igraph", "gpuval"), timing.spread(seconds["gpuval"])
    return Row(call, ratio, aim, own.median, difference)


def lines(found: list[Row]) -> list[str]:
    """The table."""
    return [HEAD, *(_line(row) for row in found)]


def _line(row: Row) -> str:
    median, low, high, _ = row.ratio
    told = f"| {row.call} | {median:.3g} | {low:.3g} to {high:.3g} | at least {row.aim:g} | {row.seconds:.2g} | "
    return f"{told}{'differ' if row.is_wrong else 'equal'} (by {row.difference:.1g}) |"


if __name__ == "__main__":
    print(*lines(rows(*map(int, sys.argv[1:]))), sep="\n")
