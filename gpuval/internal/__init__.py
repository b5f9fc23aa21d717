"""The internal measures: of samples and their clusters, without a reference.

``silhouette``, ``dispersion``, ``dunn`` and ``single_cell`` are the measures, ``accumulate`` what Calinski-Harabasz
reads of batches. ``_matrix`` and ``_points`` read samples and labels; what measures read of them is in ``_means`` (mean
distances to clusters), ``_extremes`` (the smallest and the largest) and ``_moments`` (masses, centres, scatters).
Distances come by the tile from ``_host``, ``_sparse``, ``_standard``, ``_precomputed``, or from kernels of CUDA,
``_kernels``.
"""
