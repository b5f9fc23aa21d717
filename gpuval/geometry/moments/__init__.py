"""The masses, centres and spreads of clusters, computed without loss of digits, and added up over batches."""

from gpuval.geometry.moments.clusters import Centres, Moments, combine_lengths, label_list, lengths_of, square_lengths
from gpuval.geometry.moments.passes import (
    CentreDistances,
    centres_of,
    distances_to_centres,
    moments_and_radii,
    moments_of,
    read_for_moments,
    scatter_matrix,
    scatters_beyond,
    sums_of_products,
)
from gpuval.geometry.moments.sums import sums_by_cluster

__all__ = [
    "CentreDistances",
    "Centres",
    "Moments",
    "centres_of",
    "combine_lengths",
    "distances_to_centres",
    "label_list",
    "lengths_of",
    "moments_and_radii",
    "moments_of",
    "read_for_moments",
    "scatter_matrix",
    "scatters_beyond",
    "square_lengths",
    "sums_by_cluster",
    "sums_of_products",
]
