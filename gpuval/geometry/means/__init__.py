"""Mean distances from samples to clusters, a tile at a time: only one tile of distances is in memory."""

from gpuval.geometry.means.finding import mean_distances, mean_distances_of_all
from gpuval.geometry.means.folding import Between, Means

__all__ = ["Between", "Means", "mean_distances", "mean_distances_of_all"]
