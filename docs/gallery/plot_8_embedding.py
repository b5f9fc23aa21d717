"""
Which cells are not where they are expected?
============================================

A cluster has a main class, to which most of its cells belong. :func:`gpuval.plots.plot_embedding` shows the
classes, the clusters in the colours of their main classes, and the cells of other classes. They need coordinates in
the plane: here two principal components.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")

# %%

gpuval.plots.plot_embedding(
    cells[["PC_2", "PC_3"]], cells["bulk_labels"], cells["leiden_1.5"], names=("cell types", "leiden_1.5")
)

# %%
# The share of these cells is 1 minus the purity:

print(1 - gpuval.purity_score(cells["bulk_labels"], cells["leiden_1.5"]))
