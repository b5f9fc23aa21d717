"""
Which clusters are pure?
========================

A score of the whole clustering hides where it fails. :func:`gpuval.cluster_precision` has a score for each
cluster: the share of its cells that are of its most frequent type.
"""

from importlib.resources import files

import pandas as pd

import gpuval.plots

cells = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv")
table = gpuval.Contingency.from_labels(cells["bulk_labels"], cells["leiden_1.0"])
precision = gpuval.cluster_precision(table)

# %%
# The clusters with the lowest scores come first. A dot is as large as its cluster. The mean of all cells is the
# purity of the clustering.

gpuval.plots.plot_label_scores(precision, table, score_name="precision", mean_name="purity")
