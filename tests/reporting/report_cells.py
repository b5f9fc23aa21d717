"""The cells that come with gpuval, as a report takes them."""

from importlib.resources import files

import pandas as pd

CELLS = pd.read_csv(files("gpuval") / "data" / "pbmc68k_reduced.csv", index_col="cell")
TRUTH, PHASE = CELLS["bulk_labels"], CELLS["phase"]
LEIDEN = CELLS.filter(like="leiden_")
PCA = CELLS.filter(like="PC_").to_numpy()
