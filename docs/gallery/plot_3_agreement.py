"""
Which clusterings agree with each other?
========================================

:func:`gpuval.plots.plot_agreement` compares every clustering with every other one. Clusterings that agree
stand next to each other; the true labels are set apart.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
labelings = cells[["bulk_labels", "louvain", *cells.filter(like="leiden_")]]

# %%
# The measure is ARI, unless another one is named: 1 is the same partition, 0 is what chance gives.

gpuval.plots.plot_agreement(labelings, truth="bulk_labels")
