"""The masses, centres and spreads of clusters, computed without loss of digits, and added up over batches."""

from gpuval.geometry.moments.clusters import Centres, Moments, joined, lengths_of, listed, squared
from gpuval.geometry.moments.passes import (
    Apart,
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
    "Apart",
    "Centres",
    "Moments",
    "centres_of",
    "distances_to_centres",
    "joined",
    "lengths_of",
    "listed",
    "moments_and_radii",
    "moments_of",
    "read_for_moments",
    "scatter_matrix",
    "scatters_beyond",
    "squared",
    "sums_by_cluster",
    "sums_of_products",
]
