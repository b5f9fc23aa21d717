"""
Which resolution is best, and is it really?
===========================================

Leiden's method has a resolution: more of it gives more clusters. :func:`gpuval.compare` scores all
resolutions against the cell types, each score with a confidence interval, and :func:`gpuval.plots.plot_sweep`
draws them. A ring marks the best resolution by each measure. Resolutions with a filled marker are not told apart
from it.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
metrics = ["ami", "ari", "nca", "homogeneity", "completeness"]
scores = gpuval.compare(
    cells["bulk_labels"], cells.filter(like="leiden_"), metrics, confidence_level=0.95, random_state=0
)

# %%
# Homogeneity grows with the number of clusters and completeness falls. The others weigh the two against each other:
# AMI counts each cell alike, ARI each pair of cells, NCA each cell type.

gpuval.plots.plot_sweep(scores, metrics)

# %%
# How the clusters split and merge from one resolution to the next:

gpuval.plots.plot_tree(cells.filter(like="leiden_"), cells["bulk_labels"])

# %%
# The intervals of two resolutions overlap, but both scores are of the same cells. The interval of their difference
# is narrower:

print(scores.best["ari"].sentence())
