"""How long measures of neighbours take beside scib-metrics and igraph, and how much memory; one run, medians."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import gpuval
from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.memory import peak_on_host
from benchmarks.neighbors.graphs import graph_of, of_igraph
from benchmarks.workloads import NDArray

HEAD = "| call | beside | ratio | quartiles | ms | aimed at |\n| --- | --- | --- | --- | --- | --- |"

LABELS, BATCHES = 20, 4


class Sizes(NamedTuple):
    """Of cells beside scib-metrics, of those of a graph, and of those whose memory is measured."""

    cells: int
    graph: int
    memory: int


SIZES, SMOKE = Sizes(100_000, 1_000_000, 1_000_000), Sizes(2000, 2000, 5000)


def nearest(n_cells: int, n_columns: int) -> tuple[NDArray, NDArray]:
    """What a search could find of cells: each first of its own row, then others, at distances that rise."""
    random = np.random.default_rng(0)
    step = random.integers(1, n_cells // n_columns, (n_cells, n_columns - 1), dtype=np.int32)
    indices = np.zeros((n_cells, n_columns), dtype=np.int32)
    np.cumsum(step, axis=1, dtype=np.int32, out=indices[:, 1:])
    indices += np.arange(n_cells, dtype=np.int32)[:, None]
    indices %= n_cells
    distances = np.zeros((n_cells, n_columns), dtype=np.float32)
    random.standard_gamma(10.0, dtype=np.float32, out=distances)
    np.sqrt(distances, out=distances)
    distances.sort(axis=1)
    distances[:, 0] = 0
    return indices, distances


def lines(sizes: Sizes, rounds: int) -> Iterator[str]:
    """A line for each comparison, then the memory of many cells."""
    yield HEAD
    yield from _beside_scib_metrics(sizes.cells, rounds)
    yield _beside_igraph(sizes.graph, min(rounds, 3))
    yield f"\n{_memory(sizes.memory)}"


def _beside_igraph(n_samples: int, rounds: int) -> str:
    """Modularity with all that each needs to read the graph; both say the same."""
    graph, labels = graph_of(n_samples, 15, LABELS)
    ours = partial(gpuval.modularity_score, graph, labels)
    theirs = partial(of_igraph, graph, labels) if find_spec("igraph") else None
    if theirs is not None and not abs(float(ours()) - theirs()) <= 1e-10:
        raise ValueError(f"both must say the same, got {float(ours())} and {theirs()}")
    call = f"igraph: modularity, {n_samples} x 15, of the sparse matrix"
    return _row(call, "gpuval", theirs, ours, rounds, "at least 2")


def _beside_scib_metrics(n_cells: int, rounds: int) -> Iterator[str]:
    random = np.random.default_rng(1)
    labels, batch = (random.integers(0, size, n_cells) for size in (LABELS, BATCHES))
    indices, distances = nearest(n_cells, 90)
    of_50 = np.ascontiguousarray(indices[:, :50]), np.ascontiguousarray(distances[:, :50])

    read, read_50 = gpuval.Neighbors.from_knn(indices, distances), gpuval.Neighbors.from_knn(*of_50)

    def checked(score: Callable[[Any, Any], Any], arrays: tuple[NDArray, NDArray], of: NDArray) -> Any:
        return score(gpuval.Neighbors.from_knn(*arrays), of)

    peers = _of_scib_metrics((indices, distances), of_50, labels, batch)
    of_lisi, of_kbet = f"LISI, {n_cells} x 90, {LABELS} labels", f"kBET, {n_cells} x 50, {BATCHES} batches"
    of_many = f"kBET, {n_cells} x 50, {LABELS} batches"
    calls: list[tuple[str, str, Callable[[], Any]]] = [
        (of_lisi, "lisi", partial(gpuval.lisi_samples, read, labels)),
        (f"{of_lisi}, with checks", "lisi", partial(checked, gpuval.lisi_samples, (indices, distances), labels)),
        (of_kbet, "kbet", partial(gpuval.kbet_score, read_50, batch)),
        (f"{of_kbet}, with checks", "kbet", partial(checked, gpuval.kbet_score, of_50, batch)),
        (of_many, "kbet of many", partial(gpuval.kbet_score, read_50, labels)),
    ]
    for what, peer, call in calls:
        yield _row(f"scib-metrics: {what}", "gpuval", peers.get(peer), call, rounds, "at least 3")


def _of_scib_metrics(
    of_90: tuple[NDArray, NDArray], of_50: tuple[NDArray, NDArray], labels: NDArray, batch: NDArray
) -> dict[str, Callable[[], Any]]:
    """Its calls; none where it is not installed."""
    try:
        import scib_metrics
        from scib_metrics.nearest_neighbors import NeighborsResults
    except ImportError:
        return {}
    many, few = (NeighborsResults(indices=x[0], distances=x[1]) for x in (of_90, of_50))
    return {
        "lisi": partial(scib_metrics.lisi_knn, many, labels),
        "kbet": partial(scib_metrics.kbet, few, batch),
        "kbet of many": partial(scib_metrics.kbet, few, labels),
    }


def _row(
    call: str, beside: str, above: Callable[[], Any] | None, below: Callable[[], Any], rounds: int, aim: str
) -> str:
    calls = {"below": Call(below)} if above is None else {"above": Call(above), "below": Call(below)}
    for each in calls.values():
        each.run()  # compiles what is compiled
    seconds = timing.in_turn(calls, 0.0, rounds, timing.PAUSE)
    ms = {name: f"{1000 * timing.spread(values).median:.3g}" for name, values in seconds.items()}
    if above is None:
        return f"| {call} | {beside} | not installed | | {ms['below']} | {aim} |"
    found = timing.quotients(seconds, "above", "below")
    spread = f"{found.median:.3g} | {found.low:.3g} to {found.high:.3g}"
    return f"| {call} | {beside} | {spread} | {ms['above']}, {ms['below']} | {aim} |"


def _memory(n_cells: int) -> str:
    """What LISI and kBET of many cells take, with the arrays that are given and the checks of them."""
    given = nearest(n_cells, 90)
    labels = np.random.default_rng(1).integers(0, LABELS, n_cells)

    def scores() -> None:
        neighbors = gpuval.Neighbors.from_knn(*given)
        gpuval.clisi_score(neighbors, labels)
        gpuval.kbet_score(neighbors, labels)

    inputs, extra = sum(x.nbytes for x in given), peak_on_host(scores)
    if extra is None:
        return "Memory is not measured here."
    return (
        f"Memory of LISI and kBET of {n_cells} x 90 neighbours: {inputs / 1e6:.0f} MB are given, at most "
        f"{extra / 1e6:.0f} MB more are taken; aimed at: 2000 MB in all"
    )
