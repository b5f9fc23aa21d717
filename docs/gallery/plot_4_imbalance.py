"""
ARI and AMI when one type is rare
=================================

One cell type has 950 cells and five have 10 each. A clustering can fail in two ways: it splits the large
type, or it merges the rare ones. ARI counts pairs of cells, and nearly all pairs are within the large type.
So ARI hardly sees that the rare types are lost. AMI counts information, and sees more of it.
"""

import matplotlib.pyplot as plt
import numpy as np

import gpuval

types = np.repeat(np.arange(6), [950, 10, 10, 10, 10, 10])
clusterings = {
    "splits the large type": np.where(types == 0, 10 + np.arange(1000) % 2, types),
    "merges the rare types": np.minimum(types, 1),
}
scores = gpuval.compare(types, clusterings, ["ari", "ami"])

# %%
# By ARI the clustering that loses all rare types is nearly perfect, and the other one is poor.

fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
for offset, metric in ((-0.2, "adjusted_rand_score"), (0.2, "adjusted_mutual_info_score")):
    values = [float(scores[name][metric]) for name in clusterings]
    bars = ax.barh(np.arange(2) + offset, values, height=0.36, label=metric)
    ax.bar_label(bars, fmt="%.2f", padding=4)
ax.set(xlim=(0, 1.12), xlabel="score", yticks=np.arange(2), yticklabels=clusterings)
ax.invert_yaxis()
ax.spines[["top", "right"]].set_visible(False)
_ = fig.legend(loc="outside upper center", ncols=2, frameon=False)

# %%
# :func:`gpuval.cluster_precision` shows where it fails. It is the share of a cluster's cells that are of its most
# frequent type: cluster 1 has five types.

print(gpuval.cluster_precision(types, clusterings["merges the rare types"]))
