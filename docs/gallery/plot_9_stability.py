"""
How many clusters are stable?
=============================

k-means needs the number of clusters. Here cells are clustered ten times with each number, each time four of five
cells drawn at random. :func:`gpuval.stability` compares the runs: a number is stable if its runs agree.
"""

from importlib.resources import files

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
X = cells.filter(like="PC_").to_numpy()
random = np.random.default_rng(0)
subsamples = [random.choice(len(X), 560, replace=False) for _ in range(10)]
runs = {}
for n_clusters in (3, 5, 7, 9, 12, 16):
    for run, rows in enumerate(subsamples):
        labels = np.full(len(X), np.nan)  # NaN: left out
        labels[rows] = KMeans(n_clusters, n_init=1, random_state=run).fit_predict(X[rows])
        runs[n_clusters, run] = labels
found = gpuval.stability(runs, random_state=0)
print(found)

# %%
# Dashes are what random clusters of the same sizes have. Filled markers are numbers of clusters that are not told
# apart from the most stable one. Few clusters are often stable, also in data without any structure.

gpuval.plots.plot_stability(found)

# %%
# Which clusters are found again, and which dissolve:

gpuval.plots.plot_stability(found, "clusters")

# %%
# How clusters split from one number to the next, in the colours of their stability:

gpuval.plots.plot_tree(found)

# %%
# Cells whose cluster changes from run to run lie between clusters:

gpuval.plots.plot_stability(found, "cells", coordinates=cells[["PC_1", "PC_2"]], setting=9)
