"""How long scib-metrics' Benchmarker and our call take for the same embedding of many cells, in all and by parts."""

from __future__ import annotations

import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

import gpuval
from benchmarks.workloads import NDArray

LABELS, BATCHES, FEATURES, CLUSTERINGS = 20, 4, 50, 20

ROUNDS = 3
"""Of our calls, before theirs and after; theirs are once the first ones, and once again."""

PARTS = (
    "isolated_labels",
    "nmi_ari_cluster_labels_kmeans",
    "silhouette_label",
    "clisi_knn",
    "bras",
    "ilisi_knn",
    "kbet_per_label",
    "graph_connectivity",
    "pcr_comparison",
)
"""What the Benchmarker calls by default."""

Seconds = dict[str, float]


def annotated(n_cells: int) -> Any:
    """Cells of normally distributed labels, moved by their batches; an integration took most of that back."""
    import pandas as pd
    from anndata import AnnData

    random = np.random.default_rng(0)
    label, batch = random.integers(0, LABELS, n_cells), random.integers(0, BATCHES, n_cells)
    batch[label == 0] %= 2  # a label that not all batches have
    of_label, of_batch = random.normal(size=(LABELS, FEATURES)), random.normal(size=(BATCHES, FEATURES))
    before = random.normal(size=(n_cells, FEATURES)) + of_label[label] + 0.8 * of_batch[batch]
    after = before - 0.6 * of_batch[batch]
    columns = {"cell_type": [f"type {x}" for x in label], "batch": [f"batch {x}" for x in batch]}
    for i in range(CLUSTERINGS):  # such as a sweep finds: labels divided, and some cells elsewhere
        clusters = label * (1 + i) + random.integers(0, 1 + i, n_cells)
        stray = random.random(n_cells) < 0.1
        clusters[stray] = random.integers(0, LABELS * (1 + i), stray.sum())
        columns[f"leiden_{i}"] = clusters.astype(str)
    obs = pd.DataFrame(columns, index=[f"cell {i}" for i in range(n_cells)], dtype="category")
    return AnnData(obs=obs, obsm={"X_pca": before.astype(np.float32), "X_corrected": after.astype(np.float32)})


def exact(X: Any, k: int) -> tuple[NDArray, NDArray]:
    """The nearest neighbours, by the search that we take by default."""
    from sklearn.neighbors import NearestNeighbors

    distances, indices = NearestNeighbors(n_neighbors=k, n_jobs=-1).fit(X).kneighbors(X)
    return indices, distances


def seconds_of(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def own_parts(adata: Any, found: tuple[NDArray, NDArray]) -> Mapping[str, Callable[[], Any]]:
    """Our measures one by one, by what scib-metrics calls them."""
    from gpuval.evaluation.k_means import k_means

    X, before = adata.obsm["X_corrected"], adata.obsm["X_pca"]
    label, batch = adata.obs["cell_type"], adata.obs["batch"]
    neighbors = gpuval.Neighbors.from_knn(*found)
    bras = {"metric": "cosine", "between_cluster_distances": "mean_other"}

    def of_k_means() -> None:
        clusters = k_means(X, LABELS, 0)
        gpuval.normalized_mutual_info_score(label, clusters)
        gpuval.adjusted_rand_score(label, clusters)

    calls: list[Callable[[], Any]] = [
        partial(gpuval.isolated_labels_score, label, batch, X=X),
        of_k_means,
        partial(gpuval.silhouette_label, X, label),
        partial(gpuval.clisi_score, neighbors, label),
        partial(gpuval.silhouette_batch, X, label, batch, **bras),
        partial(gpuval.ilisi_score, neighbors, batch),
        partial(gpuval.kbet_score, neighbors.nearest(49), batch, labels=label),
        partial(gpuval.graph_connectivity_score, neighbors.nearest(14), label, connection="strong"),
        partial(gpuval.pcr_comparison_score, before, X, batch),
    ]
    return dict(zip(PARTS, calls, strict=True))


def benchmarker_of(adata: Any, found: tuple[NDArray, NDArray] | None) -> Any:
    """A Benchmarker whose neighbours are there: what was found, or what its own search finds."""
    from scib_metrics.benchmark import Benchmarker
    from scib_metrics.nearest_neighbors import NeighborsResults

    made = Benchmarker(
        adata,
        "batch",
        "cell_type",
        ["X_corrected"],
        pre_integrated_embedding_obsm_key="X_pca",
        n_jobs=-1,
        progress_bar=False,
    )
    made.prepare(None if found is None else lambda X, k: NeighborsResults(indices=found[0], distances=found[1]))
    return made


def their_seconds(benchmarker: Any) -> tuple[float, Seconds]:
    """Seconds of ``benchmark()``, and of each function that it calls."""
    import scib_metrics

    seconds: Seconds = {}

    def timed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            value = function(*arguments, **options)
            seconds[name] = time.perf_counter() - start
            return value

        return call

    functions = {name: getattr(scib_metrics, name) for name in PARTS}
    try:
        for name, function in functions.items():
            setattr(scib_metrics, name, timed(name, function))
        return seconds_of(benchmarker.benchmark), seconds
    finally:
        for name, function in functions.items():
            setattr(scib_metrics, name, function)


def lines(n_cells: int, only_first: bool = False) -> Iterator[str]:
    """The tables: the call and its parts with the same neighbours, searches, and the sweep.

    ``only_first``: the first call of ``benchmark()`` alone, and no searches, which take as long as it.
    """
    import gpuval.anndata

    warnings.simplefilter("ignore")  # of the libraries that scib-metrics uses
    names = "scib-metrics", "anndata", "jax", "numpy", "scipy", "scikit-learn", "pynndescent", "umap-learn"
    yield f"- date: {datetime.now(UTC).isoformat(timespec='seconds')}"
    yield f"- versions: gpuval {gpuval.__version__}, {', '.join(f'{name} {version(name)}' for name in names)}"
    yield f"- {os.cpu_count()} noisy cores, no GPU"
    yield f"- {n_cells} cells, {FEATURES} features, {LABELS} labels, {BATCHES} batches"
    command = f"benchmarker-speed --cells {n_cells}{' --only-first' if only_first else ''}"
    yield f"- command: `python -m benchmarks.neighbors {command}`\n"
    adata = annotated(n_cells)
    started = time.perf_counter()
    found = exact(adata.obsm["X_corrected"], 90)
    searches = {"exact": time.perf_counter() - started}
    yield from _beside_benchmark(adata, found, 1 if only_first else 2)
    if not only_first:
        yield from _searches(adata, searches)
    yield from _sweep(adata)


def _beside_benchmark(adata: Any, found: tuple[NDArray, NDArray], n_calls: int) -> Iterator[str]:
    def own() -> Any:
        return gpuval.anndata.integration_scores(
            adata,
            "batch",
            "cell_type",
            "X_corrected",
            neighbors={"X_corrected": found},
            unintegrated="X_pca",
            connection="strong",
        )

    parts = own_parts(adata, found)
    ours: dict[str, list[float]] = {}

    def rounds() -> None:
        for _ in range(ROUNDS):
            for name, call in {"all": own, **parts}.items():
                ours.setdefault(name, []).append(seconds_of(call))

    rounds()
    benchmarker = benchmarker_of(adata, found)
    theirs = []
    for _ in range(n_calls):
        seconds, of_parts = their_seconds(benchmarker)
        theirs.append({"all": seconds, **of_parts})
    rounds()
    times, ratios = ["scib-metrics, first, s", "again, s"][:n_calls], ["ratio of the first", "again"][:n_calls]
    yield f"| {' | '.join(['call', *times, 'gpuval, s', 'quartiles', *ratios])} |"
    yield f"|{' --- |' * (3 + 2 * n_calls)}"
    for name in ("all", *parts):
        low, median, high = statistics.quantiles(ours[name], n=4)
        title = "`benchmark()`, `integration_scores()`" if name == "all" else f"`{name}`"
        took = [f"{call[name]:.3g}" for call in theirs]
        faster = [f"{call[name] / median:.3g}" for call in theirs]
        yield f"| {' | '.join([title, *took, f'{median:.3g}', f'{low:.3g} to {high:.3g}', *faster])} |"
    frame, saved = own().to_pandas(), benchmarker.get_results()
    apart = {name: abs(float(frame[name].iloc[0]) - float(saved[name].iloc[0])) for name in frame.columns}
    yield f"\nDifferences of the scores: {', '.join(f'{name} {x:.1e}' for name, x in apart.items())}\n"


def _searches(adata: Any, seconds: Seconds) -> Iterator[str]:
    """Searches for 90 neighbours; what is compiled by numba is compiled before by few cells."""
    from gpuval.evaluation.neighbor_search import neighbors_by

    X = adata.obsm["X_corrected"]
    neighbors_by("pynndescent", "neighbors", 2000, 89)(X[:2000])
    seconds["pynndescent"] = seconds_of(partial(neighbors_by("pynndescent", "neighbors", len(X), 89), X))
    seconds["prepare() of the Benchmarker"] = seconds_of(partial(benchmarker_of, adata, None))
    yield "| search | s |"
    yield "| --- | --- |"
    for name, value in seconds.items():
        yield f"| {name} | {value:.3g} |"
    yield ""


def _sweep(adata: Any) -> Iterator[str]:
    """NMI and ARI of many clusterings beside what scib-metrics does for one that is there."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    label, clusters = (adata.obs[x].to_numpy() for x in ("cell_type", "leiden_4"))

    def theirs() -> None:
        normalized_mutual_info_score(label, clusters, average_method="arithmetic")
        adjusted_rand_score(label, clusters)

    def ours(clusterings: str) -> Any:
        return gpuval.anndata.evaluate(adata, "cell_type", clusterings, metrics=["nmi", "ari"])

    calls = {
        "scikit-learn's, as scib-metrics calls them, of 1 clustering": theirs,
        "`gpuval.anndata.evaluate` of 1": partial(ours, "leiden_4"),
        f"`gpuval.anndata.evaluate` of {CLUSTERINGS}": partial(ours, "leiden_*"),
    }
    seconds = {name: [seconds_of(call) for _ in range(2 * ROUNDS + 1)] for name, call in calls.items()}
    yield "| NMI and ARI | s |"
    yield "| --- | --- |"
    for name, values in seconds.items():
        yield f"| {name} | {statistics.median(values):.3g} |"
