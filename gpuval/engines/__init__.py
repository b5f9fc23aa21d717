"""Who does the work, and where: array libraries, compiled loops of the host, kernels of a GPU, blocks of Dask."""
