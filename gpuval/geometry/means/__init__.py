"""Mean distances from samples to clusters, tile by tile: no more than a tile of the distances is ever there."""

from gpuval.geometry.means.finding import mean_distances, mean_distances_of_all
from gpuval.geometry.means.folding import Between, Means

__all__ = ["Between", "Means", "mean_distances", "mean_distances_of_all"]
