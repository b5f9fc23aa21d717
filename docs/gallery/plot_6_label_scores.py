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
precision = gpuval.cluster_precision(cells["bulk_labels"], cells["leiden_1.0"])

# %%
# The clusters with the lowest scores come first.

gpuval.plots.plot_label_scores(precision, score_name="precision")
