"""
How well are clusters separated?
================================

Without true labels, the samples themselves tell something. The silhouette of a cell compares its mean
distance to its own cluster with that to the nearest other cluster: 1 is far from others, 0 is between two
clusters, and below 0 another cluster is nearer. :func:`gpuval.plots.plot_silhouette` draws all of them, by
cluster. Beside them are the means, and the shares of cells below 0.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
X = cells.filter(like="PC_")

# %%
# With true labels, a cluster has the colour of the type of most of its cells.

gpuval.plots.plot_silhouette(X, cells["leiden_0.4"], labels_true=cells["bulk_labels"])

# %%
# The mean for all resolutions. The distances are computed once for all of them.

print(gpuval.silhouette_scores(X, cells.filter(like="leiden_")))
