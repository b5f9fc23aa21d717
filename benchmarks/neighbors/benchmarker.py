"""scib-metrics' Benchmarker on 700 cells of blood in AnnData, and our call for the same: the values of both."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

import gpuval
from benchmarks.neighbors import scib

SAVED = scib.ROOT / "tests" / "data" / "scib_benchmarker.json"
"""What the Benchmarker said, and by which versions."""

EMBEDDINGS = "X_pca", "X_centred"
"""The principal components, and the same less the means of the batches."""

BEFORE = "X_before"

NOT_EQUAL = {
    "KMeans NMI": scib.STARTS,
    "KMeans ARI": scib.STARTS,
    "KBET": scib.DIFFUSION,
    "Bio conservation": "k-means",
    "Batch correction": "KBET",
    "Total": "k-means and KBET",
}
"""The scores that need not be equal, and why; the others are, with strong components in both."""


def absent() -> str | None:
    """What is missing to run the Benchmarker."""
    missing = [name for name in ("scib_metrics", "anndata", "sklearn") if not find_spec(name)]
    packages = "pip install scib-metrics==0.5.10 anndata scikit-learn"
    return f"benchmarker needs {' and '.join(missing)}: {packages}" if missing else None


def annotated() -> Any:
    """The cells as AnnData, with what stands for batches and for embeddings; see :func:`scib.cells`."""
    import pandas as pd
    from anndata import AnnData

    X, labels, batches = scib.cells()
    obs = pd.DataFrame({"bulk_labels": labels} | {name: x.astype(str) for name, x in batches.items()}, dtype="category")
    obs.index = [f"cell {i}" for i in range(len(X))]
    adata = AnnData(obs=obs, obsm={"X_pca": X})
    for name, batch in batches.items():
        means = np.stack([X[batch == x].mean(axis=0) for x in np.unique(batch)])
        centred = X - 0.5 * means[np.unique(batch, return_inverse=True)[1]]
        adata.obsm[f"X_centred_{name}"] = centred.astype(np.float32)
        adata.obsm[f"X_before_{name}"] = scib.unintegrated(X, batch)
    return adata


def of_batch(adata: Any, batch: str) -> Any:
    """The embeddings that one batch has, by the same names for all."""
    chosen = adata.copy()
    for name in ("X_centred", "X_before"):
        chosen.obsm[name] = adata.obsm[f"{name}_{batch}"]
    return chosen


def own_frame(adata: Any, batch: str) -> Any:
    """The scores by gpuval, as a frame."""
    import gpuval.anndata

    most = adata.obs[batch].nunique() if batch == "drawn" else None  # there all labels are in all batches
    found = gpuval.anndata.integration_scores(
        of_batch(adata, batch),
        batch,
        "bulk_labels",
        EMBEDDINGS,
        neighbors=lambda X, k: scib.search(X),
        unintegrated=BEFORE,
        connection="strong",
        most_batches=most,
    )
    return found.to_pandas(metric_type=True)


def their_frame(adata: Any, batch: str) -> Any:
    """The same by scib-metrics."""
    from scib_metrics.benchmark import Benchmarker
    from scib_metrics.nearest_neighbors import NeighborsResults

    def search(X: Any, k: int) -> NeighborsResults:
        indices, distances = scib.search(X)
        return NeighborsResults(indices=indices, distances=distances)

    benchmarker = Benchmarker(
        of_batch(adata, batch),
        batch,
        "bulk_labels",
        list(EMBEDDINGS),
        pre_integrated_embedding_obsm_key=BEFORE,
        progress_bar=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries that it uses
        benchmarker.prepare(search)
        benchmarker.benchmark()
        return benchmarker.get_results()


def save() -> None:
    """Run the Benchmarker, and save what it says."""
    adata = annotated()
    names = "scib-metrics", "anndata", "jax", "numpy", "scipy", "scikit-learn", "pynndescent", "umap-learn"
    saved = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {name: version(name) for name in names},
        "command": "python -m benchmarks.neighbors benchmarker --save",
        "frames": {},
    }
    for batch in ("louvain", "drawn"):
        frame = their_frame(adata, batch)
        saved["frames"][batch] = {"index_name": frame.index.name} | frame.to_dict(orient="split")
    SAVED.write_text(json.dumps(saved, indent=1, default=float) + "\n", encoding="utf-8")


def saved_frames() -> tuple[dict[str, Any], dict[str, Any]]:
    """What was saved: the frames by their batches, and everything else."""
    import pandas as pd

    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    frames = {}
    for batch, frame in saved.pop("frames").items():
        name = frame.pop("index_name")
        frames[batch] = pd.DataFrame(**frame).rename_axis(index=name)
    return frames, saved


def rows() -> list[tuple[str, scib.Row]]:
    """Each score of each embedding by both."""
    adata, (frames, _) = annotated(), saved_frames()
    found = []
    for batch, theirs in frames.items():
        ours = own_frame(adata, batch)
        for embedding in EMBEDDINGS:
            for score in ours.columns:
                values = (float(x.loc[embedding, score]) for x in (ours, theirs))
                found.append((embedding, scib.Row(batch, score, *values, NOT_EQUAL.get(score, ""))))
    return found


def lines(found: list[tuple[str, scib.Row]]) -> Iterator[str]:
    """The table in Markdown, and what it is of."""
    _, saved = saved_frames()
    yield f"- date: {saved['date']}"
    yield f"- versions: gpuval {gpuval.__version__}, {', '.join(f'{x} {y}' for x, y in saved['versions'].items())}"
    yield f"- command: `{saved['command']}`\n"
    head, line = scib.HEAD.split("\n")
    yield f"| embedding {head}"
    yield f"| --- {line}"
    for embedding, row in found:
        yield f"| {embedding} {row}"
