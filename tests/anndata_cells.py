"""The cells that come with gpuval as an AnnData, with more columns of all kinds."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import anndata
import numpy as np
import pandas as pd

CELLS = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv", index_col="cell")
X_PCA = np.load(Path(__file__).parent / "data" / "pbmc68k_reduced_pca.npz")["X_pca"]
N = len(CELLS)


def blood():
    """Its annotation is "bulk_labels"; three clusterings are called leiden_*, beside a score that is no labels."""
    louvain = CELLS["louvain"]
    obs = pd.DataFrame(
        {
            "bulk_labels": CELLS["bulk_labels"].astype("category"),
            "leiden_1.0": louvain.astype(str).astype("category"),
            "leiden_0.5": louvain.replace({9: 0, 8: 4}).astype(str).astype("category"),
            "leiden_0.2": louvain // 3,
            "leiden_score": np.linspace(0, 1, N),
            "batch": np.where(np.arange(N) % 3, "one", "other"),
            "donor": pd.Categorical([f"d{i}" for i in np.arange(N) % 12]),
            "copies": np.arange(N) % 4,
        }
    )
    obs["partly"] = obs["bulk_labels"].where(np.arange(N) >= 30)
    obs.index.name = None
    return anndata.AnnData(np.zeros((N, 2), dtype=np.float32), obs=obs, obsm={"X_pca": X_PCA.copy()})
