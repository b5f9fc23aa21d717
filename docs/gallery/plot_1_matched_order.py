"""
Which cluster is which cell type?
=================================

A table of cell types and clusters is hard to read when its columns are in any order.
:func:`gpuval.plots.plot_confusion` matches each type with one cluster, so that matches stand on the diagonal.
Everything beside the diagonal is a disagreement.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")

# %%
# Rows are cell types, columns are clusters. A number is the share of the type's cells that are in the cluster, in
# percent; a dot is less than 5 %. Bars are the numbers of cells.

gpuval.plots.plot_confusion(cells["bulk_labels"], cells["leiden_0.4"])

# %%
# Cluster 0 has most cells of several types of T cells: it merges them. The next picture shows the same as a flow.

gpuval.plots.plot_flow(cells["bulk_labels"], cells["leiden_0.4"])
